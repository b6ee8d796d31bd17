"""What the log and the queues of a lab say, as checks ask it; looking changes nothing."""

from __future__ import annotations

import json

__all__ = [
    "because",
    "bodies",
    "channel_states",
    "done",
    "fired",
    "first",
    "standing",
    "starts",
    "state",
    "taken_by_starts",
]


def standing(lab, qmgr: str, queue: str) -> list:
    """The messages on a queue in their order, [] where there is no such queue; looked at without a call."""
    found = lab[qmgr].targets.get(queue)
    return [] if found is None else list(found.queue.store.in_order())


def bodies(lab, qmgr: str, queue: str) -> list[str]:
    """The texts of the messages on a queue, in their order, [] where there is no such queue."""
    return [message.body.decode(errors="replace") for message in standing(lab, qmgr, queue)]


def done(lab, kind: str, queue: str | None = None, **wanted) -> list:
    """The rows of calls of a kind, on a queue or on any, that worked on a message."""
    where = {} if queue is None else {"object": queue}
    return [row for row in lab.events.where(kind=kind, **where, **wanted) if row.message is not None]


def starts(lab, program: str, qmgr: str | None = None) -> list:
    """The rows in which a program was started."""
    which = {} if qmgr is None else {"qmgr": qmgr}
    rows = lab.events.where(kind="program", program=program, **which)
    return [row for row in rows if json.loads(row.detail)["state"] == "started"]


def taken_by_starts(lab, program: str, queue: str) -> list[int]:
    """How many messages each start of a program took from a queue, where no two of them ran at once."""
    begun = [row.seq for row in starts(lab, program)]
    ends = [*begun[1:], len(lab.events)]
    gets = [row.seq for row in done(lab, "get", queue, program=program)]
    return [sum(begin < seq < end for seq in gets) for begin, end in zip(begun, ends, strict=False)]


def fired(lab, queue: str, fires: bool = True) -> list:
    """The rows in which a queue was triggered, or with fires=False was not."""
    return [row for row in lab.events.where(kind="trigger", object=queue) if json.loads(row.detail)["fired"] == fires]


def channel_states(lab, qmgr: str, channel: str, state: str | None = None) -> list:
    """The rows in which a channel entered a state, or any, in their order."""
    rows = [(row, json.loads(row.detail)) for row in lab.events.where(kind="channel", qmgr=qmgr, object=channel)]
    return [row for row, told in rows if "was" in told and state in (None, told["state"])]


def state(lab, qmgr: str, channel: str) -> str:
    """The state that a channel is in, INACTIVE where it never ran."""
    rows = channel_states(lab, qmgr, channel)
    return json.loads(rows[-1].detail)["state"] if rows else "INACTIVE"


def because(row) -> str:
    """What a row gives as its reason."""
    return json.loads(row.detail or "{}").get("because", "")


def first(rows: list):
    """The first of some rows, None where there is none."""
    return rows[0] if rows else None
