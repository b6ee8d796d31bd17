"""The events of an exercise's lab as a player in a notebook, as a picture for readers without a kernel, or as one
sentence if nothing can be drawn.
"""

from __future__ import annotations

from typing import Any

from ...lab.lab import Lab
from ...views.drawing.engine import cannot_draw
from ...views.drawing.scene import lab_picture
from ...views.text import capital, escape
from ..lessons import Card

MOST = 1000
"""A player of a longer log shows only this many of its first events; the failure is among them."""

_SET_UP = ("start", "group", "define", "alter")
"""The kinds of events before anything happens; until the last of them, objects are missing in the picture."""


def not_drawn() -> Card | None:
    """The reason why this process can draw nothing, None if it can."""
    if not (why := cannot_draw()):
        return None
    words = f"{capital(why)}."
    return Card(words, f"<p>{escape(words)}</p>")


def from_the_start(lab: Lab) -> Any:
    """A `Stage` at the first moment of a lab with something to see: its definitions are there."""
    from ...views.widgets.stage import Stage  # the notebook extras

    end = lab.events[MOST].time_us / 1e6 if len(lab.events) > MOST else None
    stage = Stage(lab, end=end)
    stage.seek_row(next((row.seq for row in lab.events if row.kind not in _SET_UP), 0) - 1)
    return stage


def last_moment(lab: Lab, interactive: bool = True) -> Any:
    """A `Stage` at the last event of a lab, which can be played again; or a picture of the lab at that time; or why
    neither can be drawn."""
    if sentence := not_drawn():
        return sentence
    if not interactive or len(lab.events) > MOST:
        return lab_picture(lab)
    stage = from_the_start(lab)
    stage.last()
    return stage
