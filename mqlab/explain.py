"""Explanations: a message's life in sentences, read from the event log and the rule book."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from .constants import REASONS
from .errors import LabError
from .events import Event
from .rulebook import RULES

__all__ = ["Line", "explain", "life", "sentence"]


class Line(NamedTuple):
    """One line of an explanation: the moment (UTC), what happened, and the rule's id and title ("" for none)."""

    time: str
    words: str
    rule: str


def explain(lab, message) -> str:
    """A message's life, a line an event: time, what happened, the rule's id and title. LabError if it is not known."""
    return "\n".join(f"{time}  {words}" + (f"  [{rule}]" if rule else "") for time, words, rule in life(lab, message))


def life(lab, message) -> list[Line]:
    """A message's life as lines: its own events, the ends of its units of work, and the reports it led to."""
    number = getattr(message, "number", message)
    rows = lab.events.where(message=number) if type(number) is int else []
    if not rows:
        raise LabError(
            f"message wanted: a Message of this lab or its number; got {message!r}. "
            f"lab.events.where(kind='put') lists the messages there are"
        )
    units = {row.uow for row in rows if row.uow is not None}
    ends = lab.events.where(kind=("commit", "backout"), uow=tuple(units)) if units else []
    own = {row.seq for row in rows}
    reports = [row for row in lab.events.where(kind="report", cause=tuple(own)) if row.seq not in own]
    told, day = [], lab.start.date()
    for row in sorted([*rows, *ends, *reports], key=lambda row: row.seq):
        moment = lab.start + timedelta(microseconds=row.time_us)
        date = f"{moment:%d %b} " if moment.date() != day else ""
        day = moment.date()
        told.append(Line(date + _clock(lab, row.time_us), sentence(row), _rule(row.rule)))
    return told + _now(lab, rows)


def sentence(row: Event) -> str:
    """One event in words, without its time and rule."""
    who = row.program or "a program"
    if row.reason is not None and row.message is None:
        what = "send a report to" if row.kind == "report" else f"{row.kind} on"
        return f"{who} failed to {what} {row.object or row.qmgr}: {row.reason} {REASONS[row.reason]}"
    life = "" if row.expiry_left is None else f", {row.expiry_left / 10:g} s to live"
    unit = "" if row.uow is None else f" in unit of work {row.uow}"
    held = "" if row.put_us is None else f" after {(row.time_us - row.put_us) / 1e6:g} s"
    words = {
        "put": f"{who} put message {row.message} on {row.object}{unit}, priority {row.priority}{life}",
        "publish": f"{who} published to {row.object or 'a topic'}{unit}",
        "report": f"{row.qmgr} sent report message {row.message} to {row.object}",
        "deliver": f"it could be got although unit of work {row.uow} was backed out",
        "unlock": f"{who} gave up its lock on it",
        "get": f"{who} got it from {row.object}{unit}{held}{life}",
        "browse": f"{who} browsed it on {row.object}{life}",
        "discard": f"{row.qmgr} discarded it from {row.object}: a call of {who} met it "
        f"{-(row.expiry_left or 0) / 10:g} s after its lifetime ended",
        "commit": f"{who} committed unit of work {row.uow}",
        "backout": f"{who} backed out unit of work {row.uow}",
        "restore": f"it went back to its place on {row.object}, BackoutCount one higher",
        "undo": f"its put on {row.object} was taken back",
        "clear": f"it was cleared from {row.object}" if row.message else f"{row.object} was cleared",
        "lost": f"it was lost from {row.object} when {row.qmgr} ended: it was not persistent",
        "reject": f"{who} could not deliver it to {row.object or row.qmgr} and discarded it, as its putter asked",
        "skip": f"the backout left it out: it is in unit of work {row.uow} of {who} still",
        "wait": f"{who} began to wait for a message on {row.object}",
    }
    return words.get(row.kind) or f"{row.kind} {row.object or row.qmgr}"


def _rule(id: str | None) -> str:
    return f"{id} {RULES[id].title}" if id in RULES else ""


def _clock(lab, time_us: int) -> str:
    return f"{lab.start + timedelta(microseconds=time_us):%H:%M:%S.%f}"[:-4]


def _now(lab, rows: list[Event]) -> list[Line]:
    """A closing line for a message that is still on a queue."""
    state = lab.state()
    for (_, name), queue in state.queues.items():
        message = queue.messages.get(rows[0].message)
        if message is not None:
            lapsed = message.lapsed(state.time_us)
            words = f"it is on {name} now" + (", not committed" if message.uow else "")
            words += ": its lifetime is over, and it still counts" if lapsed else ""
            return [Line(_clock(lab, lab.now_us), words, _rule("EXP-02") if lapsed else "")]
    return []
