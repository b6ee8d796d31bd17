"""The event log and its rows: what happened, in sentences, each with its rule and what led to it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from ...explain.words import sentence
from ...mq.rulebook import RULES
from ...sim.events import Event, EventLog, logs_with
from ..frames.moments import clock, duration
from ..text import plural
from .cards import card
from .tables import Quiet, between, cut, table

__all__ = ["event_face", "log_face"]

FIRST, LAST = 6, 12
COUNTED = 100_000
"""Rows of a long log whose kinds are counted: the last ones."""
_COLUMNS = ("Row", "Time", "Queue manager", "Kind", "Object", "Message", "What happened", "Rule")
_CHAIN = 20  # causes that are shown; a chain of triggers can be as long as the log


def log_face(log: EventLog) -> tuple[str, str]:
    """A log as (text, html): its kinds counted, its first and its last rows."""
    size = len(log)
    if not log.recording:
        words = f"An event log that is not kept (record=False): {plural(log.next_seq, 'event')} passed by."
        return words, card("Event log", lead=words)
    if not size:
        words = "An event log without rows: nothing has happened yet."
        return words, card("Event log", lead=words)
    head, tail = cut(size, FIRST, LAST)
    rows = [_row(log[seq], log.start) for seq in head]
    rows += between(size - len(head) - len(tail)) + [_row(log[seq], log.start) for seq in tail]
    words = f"An event log of {plural(size, 'row')}, {_span(log)}: {_counts(log, size)}."
    return words, table(words, _COLUMNS, rows)


def _span(log: EventLog) -> str:
    first, last = (_time(log[at], log.start) for at in (0, -1))
    return f"from {first} to {last}" if first != last else f"all at {first}"


def _counts(log: EventLog, size: int) -> str:
    """How many rows there are of each kind, the most frequent first."""
    since = max(0, size - COUNTED)
    found = Counter(log.column("kind", since))
    told = ", ".join(
        f"{number:,} {kind}" for kind, number in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    )
    return told if not since else f"in the last {COUNTED:,} rows {told}"


def _row(event: Event, start: str) -> tuple:
    rule = RULES.get(event.rule)
    return (
        event.seq,
        _time(event, start),
        event.qmgr,
        event.kind,
        event.object,
        event.message,
        sentence(event),
        Quiet(f"{rule.id} {rule.title}" if rule else event.rule or ""),
    )


def _time(event: Event, start: str) -> str:
    """When it happened: the time of day where the log knows when it began."""
    if start:
        return clock(datetime.fromisoformat(start), event.time_us)
    return f"{duration(event.time_us)} after the start" if event.time_us else "at the start"


def event_face(event: Event) -> tuple[str, str]:
    """One row as (text, html): its sentence, its rule and the rows that led to it, where its log is still in use."""
    start, causes = _causes(event)
    said, rule = sentence(event), RULES.get(event.rule)
    when = _time(event, start)
    words = f"Row {event.seq}, {when}: {said}." + (f" Rule {rule.id}: {rule.title}. {rule.text}" if rule else "")
    items = [(_time(cause, start), f"Row {cause.seq}: {sentence(cause)}", cause.rule or "") for cause in causes]
    lines = [words, *(f"Because of {what[:1].lower()}{what[1:]}, {time}" for time, what, _ in items)]
    notes = {f"Rule {rule.id}": f"{rule.title}. {rule.text}"} if rule else {}
    if items:
        notes["Because of"] = "what came before, the nearest first:"
    elif event.cause is not None:
        notes["Because of"] = f"row {event.cause} of its log"
        lines.append(f"Because of row {event.cause} of its log.")
    facts = {
        name: getattr(event, name)
        for name in ("message", "program", "uow", "priority", "persistent", "expiry_left", "depth", "reason")
        if getattr(event, name) is not None
    }
    title = f"Row {event.seq}: {event.kind}"
    where = " on ".join(filter(None, (event.object, event.qmgr)))
    html = card(title, facts, notes, lead=f"{when}: {said}.", where=where, items=items, failed=event.reason is not None)
    return "\n".join(lines), html


def _causes(event: Event) -> tuple[str, list[Event]]:
    """When its log began, and the rows that led to it, the nearest first; nothing where logs tell differently."""
    found = {(log.start, tuple(_chain(log, event))) for log in logs_with(event)}
    start, chain = found.pop() if len(found) == 1 else ("", ())
    return start, list(chain)


def _chain(log: EventLog, event: Event):
    for _ in range(_CHAIN):
        if event.cause is None:
            return
        event = log[event.cause]
        yield event
