"""The script that games and predictions share: how they make an element of a page."""

from __future__ import annotations

from importlib.resources import files


def elements() -> str:
    """Return the script that defines `h`, which makes an element."""
    return files(__package__).joinpath("element.js").read_text("utf-8")
