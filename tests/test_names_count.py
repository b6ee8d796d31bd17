"""Names say what they hold: the empty ones are counted by room, and their number only falls."""

import ast
from pathlib import Path

from names_count import BOUNDS, FIELDS, counted, named


def test_the_number_of_empty_names_only_falls():
    rooms, fields = counted(Path(__file__).parents[1] / "mqlab")
    assert {room: count for room, count in rooms.items() if count > BOUNDS.get(room, 0)} == {}
    assert fields <= FIELDS


def test_short_lives_may_have_short_names():
    text = "def f(given):\n    for each in given:\n        print(each)\n\n    said = 1\n\n\n    return said\n"
    assert [name for _, name in named(ast.parse(text))] == ["given", "said"]
