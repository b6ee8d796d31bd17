"""Panels for notebooks."""

from .timeline import Timeline, timeline

__all__ = ["Timeline", "timeline"]
