"""The exercises of the course by id, in its order: one module a subject."""

from __future__ import annotations

from . import (
    batches,
    bridges,
    channels,
    expiry,
    failing,
    letters,
    losses,
    mobile,
    names,
    queues,
    servers,
    sharing,
    starts,
    triggers,
)

__all__ = ["EXERCISES"]

_SUBJECTS = (
    queues,
    names,
    expiry,
    triggers,
    starts,
    servers,
    channels,
    batches,
    losses,
    letters,
    sharing,
    failing,
    mobile,
    bridges,
)
EXERCISES = {each.id: each for module in _SUBJECTS for each in module.EXERCISES}
