"""The events of an exercise's lab as a player in a notebook, or as a picture for readers without a kernel."""

from __future__ import annotations

from typing import Any

from ...lab.lab import Lab
from ...views.drawing.scene import lab_picture

MOST = 1000
"""A player of a longer log shows only this many of its first events; the failure is among them."""


def from_the_start(lab: Lab) -> Any:
    """A `Stage` at the first event of a lab."""
    from ...views.widgets.stage import Stage  # the notebook extras

    end = lab.events[MOST].time_us / 1e6 if len(lab.events) > MOST else None
    return Stage(lab, end=end)


def last_moment(lab: Lab, interactive: bool = True) -> Any:
    """A `Stage` at the last event of a lab, which can be played again; or a picture of the lab at that time."""
    if not interactive or len(lab.events) > MOST:
        return lab_picture(lab)
    stage = from_the_start(lab)
    stage.last()
    return stage
