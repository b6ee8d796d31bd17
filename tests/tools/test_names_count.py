"""Names say what they hold: the empty ones are counted by room, and their number only falls."""

import ast
from pathlib import Path

from tools.names_count import ALLOWED, BOUNDS, FIELDS, counted, fields, named


def test_empty_names_get_fewer_and_only_short_lives_may_have_short_names():
    numbers, single = counted(Path(__file__).parents[2] / "mqlab")
    assert all(numbers[name] <= bound for name, bound in BOUNDS.items()), numbers
    assert single <= FIELDS
    root = Path(__file__).parents[2] / "mqlab"
    there = set()
    for path in root.rglob("*.py"):  # one tree at a time: all of them are a burden for the garbage collector
        tree = ast.parse(path.read_text("utf-8"))
        there |= {(path.relative_to(root).as_posix(), name) for _, name in [*named(tree), *fields(tree)]}
    assert ALLOWED.keys() <= there
    text = "def f(given):\n    for each in given:\n        print(each)\n\n    said = 1\n\n\n    return said\n"
    assert [name for _, name in named(ast.parse(text))] == ["given", "said"]
