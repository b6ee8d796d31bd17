"""The README's picture is what the lab draws."""

from pathlib import Path

from tools import course

ROOT = Path(__file__).parents[2]


def test_the_committed_picture_is_the_one_drawn_today():
    drawn = course.picture(ROOT) + "\n"
    committed = (ROOT / course.PICTURE).read_text(encoding="utf-8")
    assert drawn == committed, "make it again with: python -m tools.course --picture"
