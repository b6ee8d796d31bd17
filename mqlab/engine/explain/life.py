"""Explanations: a message's life in sentences, read from the event log and the rule book."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from ..words.because import because
from ..words.errors import LabError
from ..world.event import Event
from ..world.event_kinds import ARRIVES, is_dead_letter
from .replay import State
from .triggered import end_of_trigger
from .ways import serving
from .words import member_of, rule_title, sentence

if TYPE_CHECKING:
    from ..queues.target import Lab


class Line(NamedTuple):
    """One line of an explanation: the moment (UTC), what happened, and the rule's id and title ("" for none)."""

    time: str
    words: str
    rule: str


class _Wait(NamedTuple):
    """A channel of queue manager `qmgr` was in `state` from `from_us` to `to_us` (None: still), `times` in a row.

    `seq` is the row that began it, `because` the reason that the last row gives, `rule` the rule of that row.
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


def explain(lab: Lab, message: object) -> str:
    """Return the life of a message (a Message, or its number), one line for each event: time, sentence, the rule's id
    and title. LabError if the log does not know the message."""
    return "\n".join(f"{time}  {words}" + (f"  [{rule}]" if rule else "") for time, words, rule in life(lab, message))


def life(lab: Lab, message: object) -> list[Line]:
    """Return a message's life as lines: its own events on every queue manager it came to, the ends of its units of work
    and batches, the refusals that brought it to a dead-letter queue, the channels it waited for, and its reports.

    Only the rows of this life are read, however long the log is.
    """
    rows = rows_of(lab, message)
    ends, reports = _unit_ends(lab, rows), _reports(lab, rows)
    failed = _failed_triggers(lab, rows)
    nouns = {row.message: _noun(lab, row) for row in (*failed, *reports) if row.message != rows[0].message}
    by_seq = {row.seq: row for row in (*rows, *ends, *failed, *_refusals(lab, rows), *reports)}
    several = len({row.qmgr for row in by_seq.values()}) > 1
    events: list[tuple[float, int, str, str | None]] = [
        (seq, row.time_us, sentence(row, several, nouns.get(row.message, "message")), row.rule)
        for seq, row in by_seq.items()
    ]
    events += [(wait.seq + 0.5, wait.from_us, _waited(lab, wait, several), wait.rule) for wait in _waits(lab, rows)]
    lines, day = [], lab.start.date()
    for _, time_us, words, rule in sorted(events):
        moment = lab.start + timedelta(microseconds=time_us)
        date = f"{moment:%d %b} " if moment.date() != day else ""
        day = moment.date()
        lines.append(Line(date + _clock(lab, time_us), words, rule_title(rule)))
    return lines + _now(lab, rows, ends, several)


def rows_of(lab: Lab, message: object) -> list[Event]:
    """Return the rows about a message, a Message or its number, in order. LabError if there are none."""
    number = getattr(message, "number", message)
    rows = lab.events.of_message(number) if type(number) is int else []
    if not rows:
        hint = "lab.events.where(kind='put') lists the messages there are"
        raise LabError(f"message must be a Message of this lab or its number; got {message!r}. {hint}")
    return rows


def _unit_ends(lab: Lab, rows: list[Event]) -> list[Event]:
    """The rows that end or prepare the units of work of a message, and what channels said of those as batches."""
    unit_ends = []
    for unit in dict.fromkeys(row.uow for row in rows if row.uow is not None):
        ends = lab.events.of_unit(unit)
        batch = any(row.kind == "prepare" for row in ends)
        unit_ends += [row for row in ends if row.kind != "channel" or batch]
    return unit_ends


def _refusals(lab: Lab, rows: list[Event]) -> list[Event]:
    """For each arrival on a dead-letter queue, the refused put of the same program that led to it, if there was one."""
    refusals = []
    for i, row in enumerate(rows):
        if not is_dead_letter(row):
            continue
        for seq in range(row.seq - 1, rows[i - 1].seq if i else -1, -1):
            before = lab.events[seq]
            if before.time_us != row.time_us:
                break
            refused = before.kind == "put" and before.message is None and before.reason is not None
            if refused and before.program == row.program and member_of(before) == member_of(row):
                refusals.append(before)
                break
    return refusals


def _reports(lab: Lab, rows: list[Event]) -> list[Event]:
    """The reports that a message led to, sent, refused or dead-lettered, and their arrivals on other queue managers."""
    own = {row.seq for row in rows}
    sent = [
        row for seq in own for row in lab.events.caused_by(seq) if row.kind in (*ARRIVES, "lost") and row.seq not in own
    ]
    numbers = {row.message for row in sent if row.message is not None}
    return sent + [row for number in numbers for row in lab.events.of_message(number) if row.kind == "put"]


def _failed_triggers(lab: Lab, rows: list[Event]) -> list[Event]:
    """The ends of the trigger messages of a message that started nothing, but for those that wait on their queue."""
    led = [row for each in rows for row in lab.events.caused_by(each.seq) if row.kind == "trigger"]
    fired = {row.seq for row in led if row.facts["fired"]}
    here = {qmgr.name: qmgr.targets for qmgr in lab.queue_managers}.get(rows[-1].qmgr, {})
    if rows[-1].kind in ARRIVES and (queue := here.get(rows[-1].object)) is not None and queue.queue.trigger:
        fired |= {seq for seq in [queue.queue.trigger.fired] if seq is not None and seq > rows[-1].seq}
    ends = [end_of_trigger(lab, seq) for seq in sorted(fired)]
    return [end for end in ends if end is not None and (end.kind not in ARRIVES or is_dead_letter(end))]


def _noun(lab: Lab, row: Event) -> str:
    """The word for a message that another one led to."""
    cause = None if row.cause is None else lab.events[row.cause]
    replies = cause is not None and cause.kind == "get" and cause.program == row.program
    first = lab.events.of_message(row.message or 0)[:1]
    if first and first[0].cause is not None and lab.events[first[0].cause].kind == "trigger":
        return "trigger message"
    return "reply" if replies else "report message"


def _waits(lab: Lab, rows: list[Event]) -> list[_Wait]:
    """The states of channels that made a message wait, from the rows of that message in order."""
    waits: list[_Wait] = []
    qmgrs = {qmgr.name: qmgr for qmgr in lab.queue_managers}
    for i, row in enumerate(rows):
        end = next((each for each in rows[i + 1 :] if each.kind not in ("browse", "handler")), None)
        qmgr: Any = qmgrs.get(row.qmgr or "")
        if row.object not in getattr(qmgr, "targets", ()):
            continue
        if row.kind in (*ARRIVES, "restore"):
            channel = row.facts.get("channel")  # of a message that names its channel
            senders = dict.fromkeys(sender.name for sender in serving(qmgr, row.object or ""))
            for name in [channel] if channel else senders:
                waits += _stretches(lab, name, row.qmgr or "", ("RETRYING", "STOPPED", "INACTIVE"), row, end)
        elif row.kind == "get" and (row.program, "") in qmgr.channels:
            for other in qmgrs:
                if other != row.qmgr:
                    waits += _stretches(lab, row.program or "", other, ("PAUSED",), row, end)
    return list(dict.fromkeys(waits))


def _stretches(lab: Lab, name: str, qmgr: str, states: tuple[str, ...], begin: Event, end: Event | None) -> list[_Wait]:
    """The time a channel spent in some states between two rows; attempts in between that failed at once join it."""
    last = lab.now_us if end is None else end.time_us
    receives = "PAUSED" in states
    changes = lab.events.states_of_channel(qmgr, name, receives, begin.seq, None if end is None else end.seq)
    stretches: list[_Wait] = []
    for row, change in zip_longest(changes, changes[1:]):
        detail = row.facts
        until: Any = math.inf if change is None else change.time_us
        state, why, rule = detail["state"], because(detail, waiting=True), row.rule or ""
        from_us, to_us = max(row.time_us, begin.time_us), min(until, last)
        if state not in states or from_us >= to_us:
            continue
        ended = None if end is None and until > last else to_us
        before = stretches[-1] if stretches else None
        if before is not None and before.state == state and before.to_us == from_us:
            why, times = why or before.because, before.times + 1
            stretches[-1] = before._replace(to_us=ended, times=times, because=why, rule=rule)
        else:
            stretches.append(_Wait(max(row.seq, begin.seq), name, qmgr, state, from_us, ended, 1, why, rule))
    return stretches


def _waited(lab: Lab, wait: _Wait, several: bool) -> str:
    """A channel's state that made the message wait, in words."""
    name = f"{wait.channel} at {wait.qmgr}" if several or wait.state == "PAUSED" else wait.channel
    since = _clock(lab, wait.from_us)
    words = f"{name} has been {wait.state} since {since}"
    if wait.to_us is not None:
        words = f"{name} was {wait.state} from {since} to {_clock(lab, wait.to_us)}"
    words += f" ({wait.times} times)" if wait.times > 1 else ""
    return words + (f": {wait.because}" if wait.because else "")


def _clock(lab: Lab, time_us: int) -> str:
    return f"{lab.start + timedelta(microseconds=time_us):%H:%M:%S.%f}"[:-4]


def _now(lab: Lab, rows: list[Event], ends: list[Event], several: bool) -> list[Line]:
    """A closing line for each queue that a message is still on: two where it has been handed over halfway."""
    # the rows of this message and the ends of its units of work tell that, as all rows together do
    state, lines = State(), []
    for row in sorted({row.seq: row for row in (*rows, *ends)}.values()):
        state.apply(row)
    for (owner, name), queue in state.queues.items():
        for message in queue.messages.values():
            expired = message.expired(lab.now_us)
            device = lab.others.get(owner) is not None
            words = f"it is on {name}{f' of {owner}' if several or device else ''} now"
            words += ", not committed" if message.uow else ""
            words += ", locked" if device and message.number in queue.locked else ""
            words += ": it has expired, and it still counts" if expired else ""
            rule = rule_title("EXP-02") if expired and not device else ""
            lines.append(Line(_clock(lab, lab.now_us), words, rule))
    return lines
