"""The statistics of queues, which Reset Queue Statistics reports and resets: messages put and got, the highest depth.

Nothing is counted while messages move: the rows of the event log since the last question are. Source: Reset Queue
Statistics (Response), product documentation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.errors import NotSimulated
from ..engine.world.event_kinds import ARRIVES, CHANGES_DEPTH
from . import format as pcf
from .format import Parameter, PCFError

_NAME, _HIGH, _ENQUEUED, _DEQUEUED, _SINCE = 2016, 36, 37, 38, 35
_LONGEST = 999_999_999


class Statistics(NamedTuple):
    """Of one queue since its statistics were reset: messages put and got, also where that was backed out, the highest
    CURDEPTH, and when the reset was, in microseconds since the lab's start."""

    enqueued: int
    dequeued: int
    high: int
    since_us: int


class Tally:
    """Counts for the queues of one queue manager, from the rows of the log that it has not read yet."""

    def __init__(self, qmgr: Any):
        self.qmgr, self._end = qmgr, 0
        self._counts: dict[str, list[int]] = {}  # enqueued, dequeued, high, since_us, and the depth now
        self._started_us = 0

    def of(self, name: str) -> Statistics:
        """The statistics of a queue."""
        self._read()
        return Statistics(*self._counts.get(name, [0, 0, 0, self._started_us])[:4])

    def reset(self, queue: Any, program: str | None, cause: int | None = None, rule: str = "PCF-06") -> Statistics:
        """Give the statistics of a queue, and begin again; a `reset` row of the log has them. A performance event does
        so, too (EVT-01 to EVT-04)."""
        statistics = self.of(queue.name)
        told = {"MSGENQ": statistics.enqueued, "MSGDEQ": statistics.dequeued, "HIGHQDEPTH": statistics.high}
        self.qmgr.record("reset", queue.subject, rule, program=program, cause=cause, depth=queue.depth, detail=told)
        return statistics

    def _read(self) -> None:
        events, first = self.qmgr.lab.events, self._end
        self._end = len(events)
        names = ("qmgr", "kind", "object", "depth", "time_us", "reason", "object_type")
        columns = [events.column(name, first) for name in names]
        for qmgr, kind, name, depth, time_us, reason, sort in zip(*columns, strict=True):
            if qmgr != self.qmgr.name or reason is not None:
                continue
            if kind == "start":
                self._started_us = time_us
                depths = {key: counts[4] for key, counts in self._counts.items() if counts[4]}
                self._counts = {key: [0, 0, depth, time_us, depth] for key, depth in depths.items()}
            elif sort != "QLOCAL":
                continue
            elif kind in ("define", "delete", "reset"):
                self._counts[name] = [0, 0, depth or 0, time_us, depth or 0]
            elif kind in CHANGES_DEPTH and depth is not None:
                counts = self._counts.setdefault(name, [0, 0, 0, self._started_us, 0])
                counts[0] += kind in ARRIVES
                counts[1] += kind == "get"
                counts[2], counts[4] = max(counts[2], depth), depth


def tally(qmgr: Any) -> Tally:
    """The counts of the queues of a queue manager, from the first question on."""
    server = qmgr.kept["pcf"]
    server.tally = server.tally or Tally(qmgr)
    found: Tally = server.tally
    return found


def reset_statistics(qmgr: Any, message: pcf.Message) -> list[list[Parameter]]:
    """The answers to Reset Queue Statistics, one for each local queue of the name; PCFError 3019, 4008 or 2085."""
    given = {one.id: one for one in message.parameters}
    name = given.get(_NAME)
    if name is None or name.sort != "CFST":
        raise PCFError(mq.MQRCCF_PARM_COUNT_TOO_SMALL, "a reset of statistics without a queue name", _NAME)
    if not qmgr.lab.events.recording:
        raise NotSimulated("Reset Queue Statistics: a lab without a log (record=False) counts no messages")
    generic = name.value.rstrip(" ")
    try:
        catalog.check_name("QLOCAL", generic, generic=True)
    except catalog.CatalogError as error:
        raise PCFError(mq.MQRCCF_OBJECT_NAME_ERROR, str(error), _NAME) from error
    queues = [qmgr.targets.look(counted.name) for counted in qmgr.objects.match(("QLOCAL",), generic)]
    if not queues:
        raise PCFError(mq.MQRC_UNKNOWN_OBJECT_NAME, f"no local queue called {generic}", _NAME)
    answers = []
    for queue in queues:
        counted = tally(qmgr).reset(queue, qmgr.caller)
        seconds = (qmgr.clock.time_us - counted.since_us) // 1_000_000
        answers.append(
            [
                pcf.string(_NAME, queue.name, 48),
                pcf.integer(_ENQUEUED, min(counted.enqueued, _LONGEST)),
                pcf.integer(_DEQUEUED, min(counted.dequeued, _LONGEST)),
                pcf.integer(_HIGH, min(counted.high, _LONGEST)),
                pcf.integer(_SINCE, min(seconds, _LONGEST)),
            ]
        )
    return answers
