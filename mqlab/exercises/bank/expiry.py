"""Exercises about message expiry."""

from __future__ import annotations

from ..exercise import Exercise

__all__ = ["EXERCISES"]

EXERCISES: tuple[Exercise, ...] = ()
