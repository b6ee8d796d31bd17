"""The events of an exercise's lab as a player in a notebook, or as a picture for readers without a kernel."""

from __future__ import annotations

from typing import Any

from ...lab.lab import Lab
from ...views.drawing.scene import lab_picture

MOST = 1000
"""Of a longer log, a player of the beginning shows this many rows: what goes wrong has gone wrong by then."""


def from_the_start(lab: Lab) -> Any:
    """A `Stage` that is at the beginning of what happened in a lab."""
    from ...views.widgets.stage import Stage  # the notebook extras

    end = lab.events[MOST].time_us / 1e6 if len(lab.events) > MOST else None
    return Stage(lab, end=end)


def last_moment(lab: Lab, interactive: bool = True) -> Any:
    """A `Stage` that is at the end of what happened in a lab and can be played again; else a picture of that moment."""
    if not interactive or len(lab.events) > MOST:
        return lab_picture(lab)
    stage = from_the_start(lab)
    stage.last()
    return stage
