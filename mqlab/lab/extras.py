"""The extras of this house, in the order in which the engine asks them; a room that is not there adds nothing."""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path

from ..mq.extra import add

ROOMS = ("views", "admin", "pcf", "properties", "pubsub", "sharing", "everyplace")


def plug_in() -> None:
    """Let the engine know of the extras that are there; each room's `plug` is a page, and loads the rest when asked."""
    for room in ROOMS:
        if PathFinder.find_spec(f"mqlab.{room}.plug", [f"{Path(__file__).parents[1]}/{room}"]) is not None:
            add(import_module(f"..{room}.plug", __package__).EXTRA)
