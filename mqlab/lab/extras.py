"""The extras of this house, in the order in which the engine asks them; a room that is not there adds nothing."""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path

from ..mq.extra import Extra, add

ROOMS = ("views", "admin", "pcf", "bridges", "properties", "pubsub", "sharing", "everyplace")


def plug_in() -> None:
    """Let the engine know of the extras that are there; each room's `plug` is a page, and loads the rest when asked. A
    room without a page adds its rules."""
    for room in ROOMS:
        folder = Path(__file__).parents[1] / room
        if PathFinder.find_spec(f"mqlab.{room}.plug", [str(folder)]) is not None:
            add(import_module(f"..{room}.plug", __package__).EXTRA)
        elif folder.is_dir():
            rules = Extra()
            rules.name = room
            add(rules)
