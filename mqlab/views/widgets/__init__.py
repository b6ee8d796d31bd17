"""Panels for notebooks."""

from .stage import Stage, Timeline, timeline
