"""Names say what they hold: `make lint` counts the empty ones; names that may be short are there."""

import ast
from pathlib import Path

from tools.names_count import ALLOWED, fields, named


def test_what_may_have_a_short_name_is_there_and_a_long_life_is_found():
    root = Path(__file__).parents[2] / "mqlab"
    there = set()
    for file in {file for file, _ in ALLOWED}:
        tree = ast.parse((root / file).read_text("utf-8"))
        there |= {(file, name) for _, name in [*named(tree), *fields(tree)]}
    assert ALLOWED.keys() <= there
    text = "def f(given):\n    for each in given:\n        print(each)\n\n    said = 1\n\n\n    return said\n"
    assert [name for _, name in named(ast.parse(text))] == ["given", "said"]
