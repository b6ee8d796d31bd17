"""Exercises about MQ Everyplace and the edge."""

from __future__ import annotations

from ..exercise import Exercise

__all__ = ["EXERCISES"]

EXERCISES: tuple[Exercise, ...] = ()
