"""Panels for notebooks."""

from .stage import Stage
from .timeline import Timeline, timeline
