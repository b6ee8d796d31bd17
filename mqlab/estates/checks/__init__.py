"""The checks, by subject; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import (
    backout,
    channels,
    commands,
    dead_letters,
    events,
    expiry,
    lengths,
    listeners,
    names,
    persistence,
    retired,
    routes,
    security,
    sharing,
    transmission,
    triggers,
)

__all__ = [
    "CHECKS",
    "backout",
    "channels",
    "commands",
    "dead_letters",
    "events",
    "expiry",
    "findings",
    "lengths",
    "listeners",
    "names",
    "persistence",
    "retired",
    "routes",
    "security",
    "sharing",
    "transmission",
    "triggers",
]
