"""The course: lessons, magics, games, and exercises: `exercise("Q01")` puts one on the desk, `play()` is a game,
`incident(7)` an estate to repair, and `review()` asks what is due today."""

from importlib import import_module
from typing import Any

_HOMES = {
    "catch_up": ("retelling", "catch_up"),
    "exercise": ("exercises", "exercise"),
    "incident": ("incidents.widget", "desk"),
    "opening": ("games", "opening"),
    "play": ("games", "play"),
    "review": ("memory.review", "ask"),
    "show_both": ("imagined.show", "show_both"),
}


def __getattr__(name: str) -> Any:  # each loads when it is first asked for
    if name not in _HOMES:
        raise AttributeError(f"module 'mqlab.course' has no attribute {name!r}")
    module, own = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), own)
