"""The checks, by what they are about; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import backout, commands, dead_letters, events, expiry, lengths, names, security, transmission, triggers

__all__ = [
    "CHECKS",
    "backout",
    "commands",
    "dead_letters",
    "events",
    "expiry",
    "findings",
    "lengths",
    "names",
    "security",
    "transmission",
    "triggers",
]
