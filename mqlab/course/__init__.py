"""The course: lessons, magics, games, and exercises: `exercise("Q01")` puts one on the desk, `play()` is a game,
`incident(7)` an estate to repair, and `review()` asks what is due today."""

from typing import Any


def __getattr__(name: str) -> Any:
    # the exercises, games, reviews, and incidents load when one is first asked for
    if name == "exercise":
        from .exercises import exercise

        return exercise
    if name in ("opening", "play"):
        from . import games

        return getattr(games, name)
    if name == "catch_up":
        from .retelling import catch_up

        return catch_up
    if name == "show_both":
        from .imagined.show import show_both

        return show_both
    if name == "review":
        from .memory.review import ask

        return ask
    if name == "incident":
        from .incidents.widget import desk

        return desk
    raise AttributeError(f"module 'mqlab.course' has no attribute {name!r}")
