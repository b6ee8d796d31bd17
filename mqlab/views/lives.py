"""Messages' lives as plain rows: the stretches each went through and how it ended, with the rule and a sentence."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import LabError
from ..rulebook import RULES
from ..wording import sentence
from .depths import ARRIVES, TENTH
from .moments import duration

__all__ = ["LifecycleFrame", "Mark", "Segment", "lifecycle_frame", "rule_title"]

STATES = ("not committed", "on the queue", "lapsed, still counted", "got, not committed")
ENDS = {"get": "got", "discard": "discarded", "undo": "put taken back", "clear": "cleared", "lost": "lost",
        "reject": "undeliverable"}  # fmt: skip
HELD = ("discard", "lost", "reject")  # ends that a message may meet in the hands of the program that got it
MARKS = ("got", "discarded", "still there", "moved on", "put taken back", "returned by backout", "cleared", "lost",
         "undeliverable", "report")  # fmt: skip


class Segment(NamedTuple):
    """A stretch of a message's life: `state` is one of STATES, times are microseconds since the lab's start."""

    message: int
    queue: str
    state: str
    from_us: int
    to_us: int
    rule: str
    reason: str


class Mark(NamedTuple):
    """A moment that begins or ends something: `kind` is one of MARKS."""

    message: int
    queue: str
    kind: str
    time_us: int
    rule: str
    reason: str


class LifecycleFrame(NamedTuple):
    """The lives of `messages` (numbers, in order of arrival) up to `end_us`; `left_out` of them are not told."""

    messages: tuple[int, ...]
    segments: tuple[Segment, ...]
    marks: tuple[Mark, ...]
    end_us: int
    left_out: int


def lifecycle_frame(
    events,
    messages=None,
    *,
    queue: str | None = None,
    qmgr: str | None = None,
    start_us: int = 0,
    end_us: int,
    limit: int = 200,
) -> LifecycleFrame:
    """The lives of some messages, or of those that arrived on `queue` between two times; reports they caused come too.

    Parameters
    ----------
    events : EventLog
        The log.
    messages : iterable of int or Message, optional
        Which ones. LabError for one the log does not know.
    start_us, end_us : int
        Microseconds since the lab's start: arrivals counted from, lives drawn up to.
    limit : int
        At most so many messages, the earliest; the rest are only counted.
    """
    if messages is None:
        wanted = {"kind": ARRIVES} | ({"object": queue} if queue else {}) | ({"qmgr": qmgr} if qmgr else {})
        rows = [r for r in events.where(**wanted) if r.message is not None and start_us <= r.time_us <= end_us]
        numbers = list(dict.fromkeys(r.message for r in rows))
    else:
        numbers = list(dict.fromkeys(getattr(m, "number", m) for m in messages))
    kept = numbers[:limit]
    rows = [r for r in events.where(message=tuple(kept)) if r.time_us <= end_us] if kept else []
    unknown = sorted(set(kept) - {r.message for r in rows}, key=str)
    if unknown:
        raise LabError(f"messages wanted: numbers or Message objects that lab.events knows; got {unknown[0]!r}")
    met = tuple(r.seq for r in rows if r.kind == "discard")
    reports = {r.message: r.cause for r in events.where(kind="report", cause=met) if r.time_us <= end_us} if met else {}
    extra = [n for n in reports if n not in kept]
    if extra:
        rows = sorted(
            [*rows, *(r for r in events.where(message=tuple(extra)) if r.time_us <= end_us)], key=lambda r: r.seq
        )
        kept += extra
    units = tuple({r.uow for r in rows if r.uow is not None})
    commits = {r.uow: r for r in events.where(kind="commit", uow=units) if r.time_us <= end_us} if units else {}
    lives: dict[int, list] = {number: [] for number in kept}
    for row in rows:
        lives[row.message].append(row)
    segments, marks = [], []
    for number in kept:
        for stays in _places(lives[number]):
            for part in _life(stays, _latest(lives[number]), commits, end_us):
                (segments if isinstance(part, Segment) else marks).append(part)
    return LifecycleFrame(tuple(kept), tuple(segments), tuple(marks), end_us, len(numbers) - min(len(numbers), limit))


def _places(rows: list) -> list[list]:
    """The rows of a message by the queue they concern, in the order in which it came there.

    What ended while a program held it belongs to the queue that it was got from.
    """
    places: dict[tuple, list] = {}
    got = None
    for row in rows:
        got = (row.qmgr, row.object) if row.kind == "get" else got
        held = row.object_type is None and row.kind in HELD
        places.setdefault(got if held and got else (row.qmgr, row.object), []).append(row)
    return list(places.values())


def _latest(rows: list) -> int:
    """The row by which a message last came to a queue, of those that were not undone; -1 for none."""
    last = {}
    for row in rows:
        if row.kind in ARRIVES and not row.reason:
            last[row.qmgr, row.object] = row.seq
        elif row.kind == "undo":
            last.pop((row.qmgr, row.object), None)
    return max(last.values(), default=-1)


def _life(rows: list, latest: int, commits: dict, end_us: int):
    """The segments and marks of one message on one queue from its rows, in order of time.

    A get of a message that later came to a queue, the row `latest`, is no end: it moved on.
    """
    since, expires, committed, came = None, None, None, -1
    for i, row in enumerate(rows):
        if row.reason and row.kind not in ENDS:
            continue
        if row.kind in ARRIVES:
            since, came = row, row.seq
            expires = None if row.expiry_left is None else row.time_us + row.expiry_left * TENTH
            committed = row if row.uow is None else commits.get(row.uow)
            if row.kind == "report":
                yield _mark(row, "report")
        elif row.kind == "restore":
            since = committed = row
            yield _mark(row, "returned by backout")
        elif row.kind in ENDS and since is not None:
            yield from _stay(since, committed, expires, row.time_us)
            back = next((r for r in rows[i + 1 :] if r.kind == "restore" and r.uow == row.uow), None)
            if row.kind == "get" and row.uow is not None:
                until = back or commits.get(row.uow)
                yield _segment(row, STATES[3], row.time_us, until.time_us if until else end_us, row.rule)
                if until is None or back:
                    since = None
                    continue
                row = until._replace(
                    message=row.message,
                    object=row.object,
                    kind="get",
                    program=row.program,
                    put_us=row.put_us,
                    rule=row.rule,
                )
            since = None
            if row.kind == "get" and latest > came:
                yield _mark(row, "moved on")
            elif not (row.kind == "get" and i + 1 < len(rows) and rows[i + 1].kind in HELD):
                yield _mark(row, ENDS[row.kind])
        elif row.kind in HELD and i and rows[i - 1].kind == "get":
            yield _mark(row, ENDS[row.kind])
    if since is not None:
        yield from _stay(since, committed, expires, end_us)
        yield _still_there(since, committed, expires, end_us)


def _stay(since, committed, expires: int | None, until_us: int):
    """The segments between an arrival and a departure: not committed, on the queue, lapsed."""
    start = since.time_us
    visible = until_us if committed is None else min(max(start, committed.time_us), until_us)
    lapse = until_us if expires is None else min(max(visible, expires), until_us)
    if visible > start:
        yield _segment(since, STATES[0], start, visible, "MQI-05")
    if lapse > visible:
        yield _segment(since, STATES[1], visible, lapse, (committed or since).rule or "")
    if until_us > lapse:
        yield _segment(since, STATES[2], lapse, until_us, "EXP-17")


_SAYING = {
    STATES[0]: "counts on {queue} for {time} before its unit of work ends",
    STATES[1]: "can be got from {queue} for {time}",
    STATES[2]: "its lifetime is over; it still counts on {queue} for {time}",
    STATES[3]: "held for {time} by the unit of work that got it from {queue}",
}


def _segment(row, state: str, from_us: int, to_us: int, rule: str | None) -> Segment:
    reason = _SAYING[state].format(queue=row.object, time=duration(to_us - from_us))
    return Segment(row.message, row.object, state, from_us, to_us, rule or "", reason)


def _mark(row, kind: str) -> Mark:
    return Mark(row.message, row.object, kind, row.time_us, row.rule or "", sentence(row))


def _still_there(since, committed, expires: int | None, end_us: int) -> Mark:
    if committed is None:
        rule, reason = "MQI-05", f"still on {since.object}, its unit of work not ended"
    elif expires is not None and expires <= end_us:
        rule, reason = "EXP-02", f"still on {since.object} though its lifetime is over: nothing has met it"
    else:
        rule, reason = since.rule or "", f"still on {since.object}"
    return Mark(since.message, since.object, "still there", end_us, rule, reason)


def rule_title(id: str) -> str:
    """The id of a rule with its title, "" for no rule."""
    return f"{id} {RULES[id].title}" if id in RULES else id
