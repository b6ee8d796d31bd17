"""Waits that channels explain: in which state the channels on a message's way were while it could not go on."""

from __future__ import annotations

import json
from typing import NamedTuple

from ..sim.events import Event
from .lookups import serving

__all__ = ["Wait", "waits"]


class Wait(NamedTuple):
    """A channel of queue manager `qmgr` was in `state` from `from_us` to `to_us` (None: still), `times` in a row.

    `seq` is the row that began it, `because` what the last row said, `rule` the rule of that row.
    """

    seq: int
    channel: str
    qmgr: str
    state: str
    from_us: int
    to_us: int | None
    times: int
    because: str
    rule: str


def waits(lab, rows: list[Event]) -> list[Wait]:
    """What channels made a message wait, from the rows of that message in order."""
    found = []
    for i, row in enumerate(rows):
        end = next((each for each in rows[i + 1 :] if each.kind not in ("browse", "handler")), None)
        if row.message is None or row.object not in getattr(_qmgr(lab, row), "targets", ()):
            continue
        if row.kind in ("put", "report", "restore"):
            for name in dict.fromkeys(channel.name for channel in serving(lab[row.qmgr], row.object)):
                found += _stretches(lab, name, row.qmgr, ("RETRYING", "STOPPED", "INACTIVE"), row, end)
        elif row.kind == "get" and lab[row.qmgr].objects.get("CHANNEL", row.program or "") is not None:
            for qmgr in lab.queue_managers:
                if qmgr.name != row.qmgr:
                    found += _stretches(lab, row.program, qmgr.name, ("PAUSED",), row, end)
    return list(dict.fromkeys(found))


def _qmgr(lab, row: Event):
    return next((qmgr for qmgr in lab.queue_managers if qmgr.name == row.qmgr), None)


def _stretches(lab, name: str, qmgr: str, states: tuple[str, ...], begin: Event, end: Event | None) -> list[Wait]:
    """The time a channel spent in some states between two rows; attempts in between that failed at once join it."""
    told = [(row, json.loads(row.detail)) for row in lab.events.where(kind="channel", qmgr=qmgr, object=name)]
    sends = "PAUSED" not in states
    told = [(row, said) for row, said in told if "was" in said and ("partner" not in said) == sends]
    last = lab.now_us if end is None else end.time_us
    found: list[Wait] = []
    for i, (row, said) in enumerate(told):
        until = told[i + 1][0].time_us if i + 1 < len(told) else None
        from_us, to_us = max(row.time_us, begin.time_us), last if until is None else min(until, last)
        if said["state"] not in states or from_us >= to_us:
            continue
        wait = Wait(
            max(row.seq, begin.seq), name, qmgr, said["state"], from_us, to_us, 1, said.get("because", ""), row.rule
        )
        if end is None and (until is None or until > last):
            wait = wait._replace(to_us=None)
        before = found[-1] if found else None
        if before is not None and before.state == wait.state and before.to_us == from_us:
            kept = wait.because or before.because
            found[-1] = before._replace(to_us=wait.to_us, times=before.times + 1, because=kept, rule=wait.rule)
        else:
            found.append(wait)
    return found
