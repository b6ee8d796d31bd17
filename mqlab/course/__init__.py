"""The course: lessons, magics, games, and exercises: `exercise("Q01")` puts one on the desk, `opening()` is to play."""

from typing import Any


def __getattr__(name: str) -> Any:
    # the exercises and games load when one is first asked for
    if name == "exercise":
        from .exercises import exercise

        return exercise
    if name == "opening":
        from .games import opening

        return opening
    raise AttributeError(f"module 'mqlab.course' has no attribute {name!r}")
