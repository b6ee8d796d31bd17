"""The course: lessons, magics, games, and exercises: `exercise("Q01")` puts one on the desk, `play()` is a game."""

from typing import Any


def __getattr__(name: str) -> Any:
    # the exercises and games load when one is first asked for
    if name == "exercise":
        from .exercises import exercise

        return exercise
    if name in ("opening", "play"):
        from . import games

        return getattr(games, name)
    raise AttributeError(f"module 'mqlab.course' has no attribute {name!r}")
