"""Messages' lives as plain rows: the stretches each went through and how it ended, with the rule and a sentence."""

from __future__ import annotations

from typing import NamedTuple

from ...explain.words import sentence
from ...mq.errors import LabError
from ...mq.rulebook import RULES
from ...sim.event_kinds import ARRIVES
from .queue_roles import Homes
from .stays import ENDS, MARKS, STATES, Mark, Segment, Units, life

__all__ = ["ENDS", "MARKS", "STATES", "LifecycleFrame", "Mark", "Segment", "lifecycle_frame", "rule_title"]

OWN = ("SYSTEM.CHANNEL.SYNCQ", "SYSTEM.CHANNEL.INITQ")  # what channels and triggers keep for themselves


class LifecycleFrame(NamedTuple):
    """The lives of `messages` (numbers, in order of arrival) up to `end_us`; `left_out` of them are not told.

    `reports` are those of them that are report messages.
    """

    messages: tuple[int, ...]
    segments: tuple[Segment, ...]
    marks: tuple[Mark, ...]
    end_us: int
    left_out: int
    reports: frozenset[int] = frozenset()


def lifecycle_frame(
    events,
    messages=None,
    *,
    queue: str | None = None,
    qmgr: str | None = None,
    start_us: int = 0,
    end_us: int,
    limit: int = 2000,
) -> LifecycleFrame:
    """The lives of some messages, or of those that arrived on `queue` between two times; reports they caused come too.

    Parameters
    ----------
    events : EventLog
        The log.
    messages : iterable of int or Message, optional
        Which ones. LabError for one the log does not know. Where nothing is asked for, the records that channels keep
        on SYSTEM.CHANNEL.SYNCQ and trigger messages for them are left out.
    start_us, end_us : int
        Microseconds since the lab's start: arrivals counted from, lives drawn up to.
    limit : int
        At most so many messages, the earliest; the rest are only counted.
    """
    numbers = _wanted(events, messages, queue, qmgr, start_us, end_us)
    kept = numbers[:limit]
    rows = _rows_of(events, kept, end_us)
    unknown = sorted(set(kept) - {r.message for r in rows}, key=str)
    if unknown:
        raise LabError(f"messages wanted: numbers or Message objects that lab.events knows; got {unknown[0]!r}")
    told = {r.seq: r for r in rows}
    reports = [r for r in events.where(kind="report") if r.cause in told and not r.reason and r.time_us <= end_us]
    extra = [n for n in dict.fromkeys(r.message for r in reports) if n not in set(kept)]
    if extra:
        rows = sorted([*rows, *_rows_of(events, extra, end_us)], key=lambda r: r.seq)
        kept += extra
    lives: dict[int, list] = {number: [] for number in kept}
    for row in rows:
        lives[row.message].append(row)
    homes, units = Homes(events), _units(events, rows, end_us)
    segments, marks = [], []
    for its in lives.values():
        for part in life(its, homes, units, end_us):
            (segments if isinstance(part, Segment) else marks).append(part)
    marks += [_caused(r, told[r.cause]) for r in reports if told[r.cause].message is not None]
    left_out = len(numbers) - min(len(numbers), limit)
    kinds = frozenset(m.message for m in marks if m.kind == "report")
    return LifecycleFrame(tuple(kept), tuple(segments), tuple(marks), end_us, left_out, kinds)


def _wanted(events, messages, queue: str | None, qmgr: str | None, start_us: int, end_us: int) -> list[int]:
    """The numbers of the messages that are asked for, in order of arrival where they are chosen by it."""
    if messages is not None:
        return list(dict.fromkeys(getattr(m, "number", m) for m in messages))
    wanted = {"kind": ARRIVES} | ({"object": queue} if queue else {}) | ({"qmgr": qmgr} if qmgr else {})
    rows = (r for r in events.where(**wanted) if r.message is not None and start_us <= r.time_us <= end_us)
    return list(dict.fromkeys(r.message for r in rows if queue or r.object not in OWN))


def _rows_of(events, numbers: list, end_us: int) -> list:
    """The rows of some messages up to a time, in order."""
    return [r for r in events.where(message=frozenset(numbers)) if r.time_us <= end_us] if numbers else []


def _units(events, rows: list, end_us: int) -> Units:
    """How the units of work ended that some rows are in."""
    used = frozenset(r.uow for r in rows if r.uow is not None)
    ends = [r for r in events.where(kind=("commit", "backout"), uow=used) if r.time_us <= end_us] if used else []
    commits = {r.uow: r for r in ends if r.kind == "commit"}
    return Units(commits, frozenset(r.uow for r in ends if r.kind == "backout"))


def _caused(report, cause) -> Mark:
    """The mark of a report on the message that caused it."""
    return Mark(
        cause.message, cause.object, "report sent", report.time_us, report.rule or "", sentence(report), cause.qmgr
    )


def rule_title(id: str) -> str:
    """The id of a rule with its title, "" for no rule."""
    return f"{id} {RULES[id].title}" if id in RULES else id
