"""Explanations: a message's life in sentences, read from the event log and the rule book."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from ..mq.errors import LabError
from ..mq.rulebook import RULES
from ..sim.event_kinds import is_dead_letter
from ..sim.events import Event
from .waits_of_channels import Wait, waits
from .words import sentence

__all__ = ["Line", "explain", "life", "rows_of"]


class Line(NamedTuple):
    """One line of an explanation: the moment (UTC), what happened, and the rule's id and title ("" for none)."""

    time: str
    words: str
    rule: str


def explain(lab, message) -> str:
    """A message's life, a line an event: time, what happened, the rule's id and title. LabError if it is not known."""
    return "\n".join(f"{time}  {words}" + (f"  [{rule}]" if rule else "") for time, words, rule in life(lab, message))


def life(lab, message) -> list[Line]:
    """A message's life as lines: its own events on every queue manager it came to, the ends of its units of work and
    batches, the refusals that brought it to a dead-letter queue, the channels it waited for, and the reports it led to.
    """
    rows = rows_of(lab, message)
    number = rows[0].message
    reports = _reports(lab, rows)
    numbers = {row.message for row in reports} - {None, number}
    found = {row.seq: row for row in (*rows, *_ends(lab, rows), *_refusals(lab, rows), *reports)}
    several = len({row.qmgr for row in found.values()}) > 1
    told = [
        (
            row.seq,
            row.time_us,
            sentence(row, several, "report message" if row.message in numbers else "message"),
            row.rule,
        )
        for row in found.values()
    ]
    told += [(wait.seq + 0.5, wait.from_us, _waited(lab, wait, several), wait.rule) for wait in waits(lab, rows)]
    lines, day = [], lab.start.date()
    for _, time_us, words, rule in sorted(told):
        moment = lab.start + timedelta(microseconds=time_us)
        date = f"{moment:%d %b} " if moment.date() != day else ""
        day = moment.date()
        lines.append(Line(date + _clock(lab, time_us), words, _rule(rule)))
    return lines + _now(lab, rows, several)


def rows_of(lab, message) -> list[Event]:
    """The rows about a message, a Message or its number, in order. LabError if there are none."""
    number = getattr(message, "number", message)
    rows = lab.events.where(message=number) if type(number) is int else []
    if not rows:
        raise LabError(
            f"message wanted: a Message of this lab or its number; got {message!r}. "
            f"lab.events.where(kind='put') lists the messages there are"
        )
    return rows


def _ends(lab, rows: list[Event]) -> list[Event]:
    """The rows that end or prepare the units of work of a message, and what channels said of those as batches."""
    units = {row.uow for row in rows if row.uow is not None}
    if not units:
        return []
    ends = lab.events.where(kind=("commit", "backout", "prepare"), uow=tuple(units))
    batches = {f'{{"batch":"{unit:016X}"' for unit in units if any(e.kind == "prepare" and e.uow == unit for e in ends)}
    if batches:
        ends += [row for row in lab.events.where(kind="channel") if (row.detail or "").partition(",")[0] in batches]
    return ends


def _refusals(lab, rows: list[Event]) -> list[Event]:
    """For each arrival on a dead-letter queue, the refused put of the same program that led to it, if there was one."""
    found = []
    for row in rows:
        if is_dead_letter(row):
            tried = lab.events.where(kind="put", qmgr=row.qmgr, program=row.program, time_us=row.time_us, message=None)
            found += [each for each in tried if each.reason is not None and each.seq < row.seq][-1:]
    return found


def _reports(lab, rows: list[Event]) -> list[Event]:
    """The reports that a message led to, sent, refused or dead-lettered, and their arrivals on other queue managers."""
    own = {row.seq for row in rows}
    sent = [row for row in lab.events.where(kind=("report", "put"), cause=tuple(own)) if row.seq not in own]
    numbers = tuple({row.message for row in sent} - {None})
    return sent + (lab.events.where(kind="put", message=numbers) if numbers else [])


def _waited(lab, wait: Wait, several: bool) -> str:
    """A channel's state that made the message wait, in words."""
    name = f"{wait.channel} at {wait.qmgr}" if several or wait.state == "PAUSED" else wait.channel
    since, because = _clock(lab, wait.from_us), wait.because.partition("; tried again")[0]
    words = f"{name} has been {wait.state} since {since}"
    if wait.to_us is not None:
        words = f"{name} was {wait.state} from {since} to {_clock(lab, wait.to_us)}"
    words += f" ({wait.times} times)" if wait.times > 1 else ""
    return words + (f": {because}" if because else "")


def _rule(id: str | None) -> str:
    return f"{id} {RULES[id].title}" if id in RULES else ""


def _clock(lab, time_us: int) -> str:
    return f"{lab.start + timedelta(microseconds=time_us):%H:%M:%S.%f}"[:-4]


def _now(lab, rows: list[Event], several: bool) -> list[Line]:
    """A closing line for each queue that a message is still on: two where MQ Everyplace has handed it over halfway."""
    state, told = lab.state(), []
    devices = {qmgr.name for qmgr in lab.everyplace_queue_managers}
    for (owner, name), queue in state.queues.items():
        message = queue.messages.get(rows[0].message)
        if message is not None:
            expired = message.expired(state.time_us)
            words = f"it is on {name}{f' of {owner}' if several or owner in devices else ''} now"
            words += ", not committed" if message.uow else ""
            words += ", locked" if owner in devices and message.number in queue.locked else ""
            words += ": its lifetime is over, and it still counts" if expired else ""
            rule = _rule("EXP-02") if expired and owner not in devices else ""
            told.append(Line(_clock(lab, lab.now_us), words, rule))
    return told
