"""The course: lessons, notebook magics, and exercises: `exercise("Q01")` puts one on the desk."""

from typing import Any


def __getattr__(name: str) -> Any:
    # the exercises load when one is first asked for
    if name != "exercise":
        raise AttributeError(f"module 'mqlab.course' has no attribute {name!r}")
    from .exercises import exercise

    return exercise
