"""Which events explain something: the stops of "next interesting event", and the table of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from ...sim.event_kinds import is_dead_letter
from ...sim.events import Event
from .frames import QueueNow

__all__ = ["INTERESTING", "Sort", "sort_of"]


class Sort(NamedTuple):
    """A sort of interesting event: its label, what it is in words, and whether a row is one.

    `holds` takes the row, the queue that it is about as it is then (None for none), and whether that queue had its
    first message with this row.
    """

    label: str
    words: str
    holds: Callable[[Event, QueueNow | None, bool], bool]


def _kinds(*kinds: str):
    """Whether a row is of one of these kinds."""
    return lambda row, now, first: row.kind in kinds


def _settled(detail: str) -> bool:
    """Whether a channel's row tells of a change, and not of a state that it only passes through."""
    told = json.loads(detail) if '"was"' in detail else {}
    return "was" in told and told.get("state") not in _ON_THE_WAY


def _up(row: Event) -> bool | None:
    """Whether a link works after a row about it; None where the row does not change that."""
    return json.loads(row.detail or "{}").get("up")


_ON_THE_WAY = ("INITIALIZING", "BINDING", "REQUESTING", "STARTING", "STOPPING")

INTERESTING = (
    Sort("refused", "a call failed", lambda row, now, first: row.reason is not None and row.kind != "lost"),
    Sort("discarded", "a message was discarded: it had expired, or was rejected", _kinds("discard", "reject")),
    Sort("lost", "a message was lost", _kinds("lost")),
    Sort("report", "a report was sent", _kinds("report")),
    Sort("dead letter", "a message came to a dead-letter queue", lambda row, now, first: is_dead_letter(row)),
    Sort("trigger", "a trigger fired, or why it did not", _kinds("trigger")),
    Sort(
        "channel",
        "a channel came to run, to wait or to an end",
        lambda row, now, first: row.kind == "channel" and _settled(row.detail or ""),
    ),
    Sort(
        "fault",
        "a link was cut, a structure failed, or a program ran wild",
        lambda row, now, first: row.kind == "fault" and (row.object_type != "LINK" or _up(row) is False),
    ),
    Sort("mended", "a link works again", lambda row, now, first: row.kind == "fault" and _up(row) is True),
    Sort("structure", "a coupling facility structure came into use or was recovered", _kinds("allocate", "recover")),
    Sort("agent", "the agent of intra-group queuing changed its state", _kinds("agent")),
    Sort("stop", "a queue manager stopped", _kinds("stop")),
    Sort("backout", "a unit of work was backed out", _kinds("backout", "restore", "undo")),
    Sort("handler", "the dead-letter handler, or a bridge, decided", _kinds("handler", "forward", "adapter")),
    Sort(
        "queue full",
        "a queue reached MAXDEPTH",
        lambda row, now, first: row.kind in ("put", "report") and now is not None and now.full,
    ),
    Sort(
        "first message",
        "the first message ever came to a queue that is not the system's own",
        lambda row, now, first: first and not (row.object or "").startswith("SYSTEM."),
    ),
)
"""The table, the strongest reason first; "lapse" is not in it: that a lifetime ends is no row, and always a stop."""


def sort_of(row: Event, now: QueueNow | None = None, first: bool = False) -> str:
    """The label of the first sort that a row is of, "" for a row that explains nothing.

    >>> sort_of(Event(0, 0, "QM1", "stop", None, None, *[None] * 14))
    'stop'
    """
    return next((sort.label for sort in INTERESTING if sort.holds(row, now, first)), "")
