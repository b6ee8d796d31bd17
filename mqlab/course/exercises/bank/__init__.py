"""The exercises of the course by id, in its order: one module a subject."""

from __future__ import annotations

from . import channels, dead_letters, expiry, getting, keeping, mobile, names, queues, requests, sharing, triggering

_SUBJECTS = (queues, getting, keeping, requests, names, expiry, triggering, channels, dead_letters, sharing, mobile)
EXERCISES = {each.id: each for module in _SUBJECTS for each in module.EXERCISES}
