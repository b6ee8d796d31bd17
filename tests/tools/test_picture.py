"""The README's picture is what the lab draws."""

from pathlib import Path

from mqlab.tools import picture

ROOT = Path(__file__).parents[2]


def test_the_committed_picture_is_the_one_drawn_today():
    drawn = picture.draw(ROOT / "datasets") + "\n"
    committed = (ROOT / picture.FILE).read_text(encoding="utf-8")
    assert drawn == committed, "make it again with: python -m mqlab.tools.picture"
