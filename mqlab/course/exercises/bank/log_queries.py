"""Questions that the exercises ask of a lab's log and queues; asking changes nothing.

Most are `Rows`: `got("BILLING")` is a question for any lab, and so is `got("BILLING").count`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from ....engine.world.event import Event
from ....lab.lab import Lab


@dataclass(frozen=True)
class Rows:
    """A question whose answer is a list, such as rows of the log or texts on a queue: call it with a lab. Its methods
    are questions too."""

    find: Callable[[Lab], list[Any]]

    def __call__(self, lab: Lab) -> list[Any]:
        """The rows, in order."""
        return self.find(lab)

    def where(self, test: Callable[[Any], bool]) -> Rows:
        """The rows that pass a test."""
        return Rows(lambda lab: list(filter(test, self.find(lab))))

    def ordered(self, lab: Lab) -> list[Any]:
        """The rows in the order of their values."""
        return sorted(self.find(lab))

    def count(self, lab: Lab) -> int:
        """How many rows there are."""
        return len(self.find(lab))

    def first(self, lab: Lab) -> Any:
        """The first row, None if there is none."""
        return next(iter(self.find(lab)), None)

    def last(self, lab: Lab) -> Any:
        """The last row, None if there is none."""
        return next(iter(self.find(lab)[::-1]), None)

    def value(self, name: str) -> Callable[[Lab], Any]:
        """A field of the first row."""
        return lambda lab: getattr(self.find(lab)[0], name)

    def at(self, place: int) -> Callable[[Lab], Any]:
        """The row at a place, counted from 0."""
        return lambda lab: self.find(lab)[place]


def rows(**wanted: object) -> Rows:
    """The rows with these values: see `mqlab.EventLog.where`."""
    return Rows(lambda lab: lab.events.where(**wanted))


def done(kind: str | tuple[str, ...], queue: str | None = None, **wanted: object) -> Rows:
    """The calls of a kind, or of several, on a queue or on any, that worked on a message."""
    wanted |= {"kind": kind} | ({} if queue is None else {"object": queue})
    return rows(**wanted).where(lambda row: row.message is not None)


def sent(program: str, queue: str | None = None) -> Rows:
    """The successful puts of a program, to one queue or to any."""
    return done("put", queue, program=program)


def got(program: str, queue: str | None = None) -> Rows:
    """The successful gets of a program, from one queue or from any."""
    return done("get", queue, program=program)


def refused(program: str, *reasons: int) -> Rows:
    """The failed calls of a program, with one of these reasons or with any."""
    return rows(program=program).where(lambda row: row.reason in reasons if reasons else row.reason is not None)


def discarded(queue: str) -> Rows:
    """The messages that were discarded from a queue because they had expired."""
    return rows(kind="discard", object=queue)


def starts(program: str) -> Rows:
    """The starts of a program."""
    return rows(kind="program", program=program).where(lambda row: row.facts["state"] == "started")


def fired(queue: str, fires: bool = True) -> Rows:
    """The checks of the trigger conditions of a queue that fired, or with fires=False those that did not."""
    return rows(kind="trigger", object=queue).where(lambda row: row.facts["fired"] == fires)


def channel_states(qmgr: str, channel: str, state: str | None = None) -> Rows:
    """The entries of a channel into a state, or into any."""
    entered = rows(kind="channel", qmgr=qmgr, object=channel).where(lambda row: "was" in row.facts)
    return entered.where(lambda row: state in (None, row.facts["state"]))


def state(qmgr: str, channel: str, until_us: float = inf) -> Callable[[Lab], str]:
    """The state of a channel at a time, or at the end; INACTIVE if it had not run."""

    def last(lab: Lab) -> str:
        states = [row.facts["state"] for row in channel_states(qmgr, channel)(lab) if row.time_us <= until_us]
        return states[-1] if states else "INACTIVE"

    return last


def taken_by_starts(program: str, queue: str, value: Callable[[list[Event]], Any] = len) -> Rows:
    """The number of messages that each start of a program got from a queue, if no two of them ran at once; or another
    `value` of these gets."""

    def taken(lab: Lab) -> list[Any]:
        begun = [row.seq for row in starts(program)(lab)]
        ends = [*begun[1:], len(lab.events)]
        gets = got(program, queue)(lab)
        return [value([row for row in gets if a < row.seq < b]) for a, b in zip(begun, ends, strict=False)]

    return Rows(taken)


def named(rows: Rows, puts: Rows, names: Iterable[str]) -> Rows:
    """The names of the messages of some rows. The names are given in the order of the puts; "?" is any other
    message."""

    def name(lab: Lab) -> list[str]:
        known = {put.message: name for put, name in zip(puts(lab), names, strict=False)}
        return [known.get(row.message, "?") for row in rows(lab)]

    return Rows(name)


def for_good(gets: Rows, until_us: float = inf) -> Rows:
    """The gets that were outside a unit of work, or in one that was committed by a time."""

    def final(lab: Lab) -> list[Event]:
        units = {None, *(row.uow for row in rows(kind="commit")(lab) if row.time_us <= until_us)}
        return [row for row in gets(lab) if row.uow in units]

    return Rows(final)


def bodies(qmgr: str, queue: str) -> Rows:
    """The data of the messages on a queue in their order, none if there is no such queue; no call is made."""

    def held(lab: Lab) -> list[bytes]:
        found = lab[qmgr].targets.get(queue)
        return [] if found is None else [message.body for message in found.queue.store.in_order()]

    return Rows(held)


def texts(qmgr: str, queue: str) -> Rows:
    """The data of the messages on a queue as texts."""
    return Rows(lambda lab: [body.decode(errors="replace") for body in bodies(qmgr, queue)(lab)])


def depth(qmgr: str, queue: str) -> Callable[[Lab], int]:
    """CURDEPTH of a queue."""
    return lambda lab: lab[qmgr].depth(queue)


def seconds(row: Event) -> float:
    """The time of a row in seconds since the lab's start."""
    return row.time_us / 1_000_000
