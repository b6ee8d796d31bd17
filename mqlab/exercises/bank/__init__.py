"""The exercises of the course by id, in its order: one module a subject."""

from __future__ import annotations

from . import queues, triggers

__all__ = ["EXERCISES"]

EXERCISES = {each.id: each for module in (queues, triggers) for each in module.EXERCISES}
