"""Questions that the exercises ask of a lab's log and queues; asking changes nothing."""

from __future__ import annotations

import json
from typing import TypeVar

from ....lab.lab import Lab
from ....sim.events import Event

__all__ = [
    "because",
    "bodies",
    "channel_states",
    "discarded",
    "done",
    "fired",
    "first",
    "got",
    "refused",
    "seconds",
    "sent",
    "starts",
    "state",
    "taken_by_starts",
    "texts",
]

T = TypeVar("T")


def bodies(lab: Lab, qmgr: str, queue: str) -> list[bytes]:
    """The data of the messages on a queue in their order, [] if there is no such queue; no call is made."""
    found = lab[qmgr].targets.get(queue)
    return [] if found is None else [message.body for message in found.queue.store.in_order()]


def texts(lab: Lab, qmgr: str, queue: str) -> list[str]:
    """The data of the messages on a queue as texts."""
    return [body.decode(errors="replace") for body in bodies(lab, qmgr, queue)]


def done(lab: Lab, kind: str, queue: str | None = None, **wanted: object) -> list[Event]:
    """The rows of calls of a kind, on a queue or on any, that worked on a message."""
    where = {} if queue is None else {"object": queue}
    return [row for row in lab.events.where(kind=kind, **where, **wanted) if row.message is not None]


def sent(lab: Lab, program: str, queue: str | None = None) -> list[Event]:
    """The rows of the puts of a program that worked, in order, to one queue or to any."""
    return done(lab, "put", queue, program=program)


def got(lab: Lab, program: str, queue: str | None = None) -> list[Event]:
    """The rows of the gets of a program that worked, in order, from one queue or from any."""
    return done(lab, "get", queue, program=program)


def refused(lab: Lab, program: str, *reasons: int) -> list[Event]:
    """The rows of a program's calls that were refused, with one of these reasons or with any."""
    rows = lab.events.where(program=program)
    return [row for row in rows if row.reason is not None and (not reasons or row.reason in reasons)]


def discarded(lab: Lab, queue: str) -> list[Event]:
    """The rows of the messages that were discarded from a queue because they had expired."""
    return lab.events.where(kind="discard", object=queue)


def starts(lab: Lab, program: str, qmgr: str | None = None) -> list[Event]:
    """The rows in which a program was started."""
    which = {} if qmgr is None else {"qmgr": qmgr}
    rows = lab.events.where(kind="program", program=program, **which)
    return [row for row in rows if json.loads(row.detail)["state"] == "started"]


def taken_by_starts(lab: Lab, program: str, queue: str) -> list[list[Event]]:
    """The rows of what each start of a program got from a queue, if no two of them ran at once."""
    begun = [row.seq for row in starts(lab, program)]
    gets = got(lab, program, queue)
    ends = [*begun[1:], len(lab.events)]
    return [[row for row in gets if a < row.seq < b] for a, b in zip(begun, ends, strict=False)]


def fired(lab: Lab, queue: str, fires: bool = True) -> list[Event]:
    """The rows in which a queue was triggered, or with fires=False was not."""
    return [row for row in lab.events.where(kind="trigger", object=queue) if json.loads(row.detail)["fired"] == fires]


def channel_states(lab: Lab, qmgr: str, channel: str, state: str | None = None) -> list[Event]:
    """The rows in which a channel entered a state, or any, in their order."""
    rows = [(row, json.loads(row.detail)) for row in lab.events.where(kind="channel", qmgr=qmgr, object=channel)]
    return [row for row, told in rows if "was" in told and state in (None, told["state"])]


def state(lab: Lab, qmgr: str, channel: str) -> str:
    """The state that a channel is in, INACTIVE if it never ran."""
    rows = channel_states(lab, qmgr, channel)
    return json.loads(rows[-1].detail)["state"] if rows else "INACTIVE"


def because(row: Event) -> str:
    """The reason that a row gives."""
    return json.loads(row.detail or "{}").get("because", "")


def first(rows: list[T]) -> T | None:
    """The first of some rows, None if there is none."""
    return rows[0] if rows else None


def seconds(row: Event) -> float:
    """The time of a row in seconds since the lab's start."""
    return row.time_us / 1_000_000
