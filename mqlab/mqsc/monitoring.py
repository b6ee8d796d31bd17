"""Online monitoring of queues (MONQ): when they were last put to and got from, and how long messages stayed.

Nothing is gathered while messages move: the event log is read when somebody asks. What happened while MONQ was OFF, or
before the queue manager last started, does not count, as in MQ.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

__all__ = ["OFF", "Gathered", "gather", "level"]

OFF = "OFF"
_LONGEST = 999_999_999
# how much of the way the two indicators move towards each new value: our reading, IBM does not say
_SHORT, _LONG = 1 / 8, 1 / 64


@dataclass
class Gathered:
    """What monitoring knows of one queue: times in microseconds since the lab's start, None for never.

    `short` and `long` are how long messages got lately stayed on the queue, in microseconds, weighted towards the last
    few and over many.
    """

    put_us: int | None = None
    get_us: int | None = None
    short: float | None = None
    long: float | None = None

    def got(self, now_us: int, stayed_us: int) -> None:
        """A message was got that had stayed so long."""
        self.get_us = now_us
        if self.short is None:
            self.short = self.long = stayed_us
        self.short += (stayed_us - self.short) * _SHORT
        self.long += (stayed_us - self.long) * _LONG

    @property
    def queue_time(self) -> tuple[int, int] | None:
        """The two indicators as QTIME shows them, None before the first get."""
        return None if self.short is None else (min(int(self.short), _LONGEST), min(int(self.long), _LONGEST))


def level(queue_says: str, qmgr_says: str) -> str:
    """The level at which a queue is monitored, from MONQ of the queue and of the queue manager.

    >>> level("QMGR", "LOW"), level("HIGH", "OFF"), level("HIGH", "NONE")
    ('LOW', 'HIGH', 'OFF')
    """
    if qmgr_says == "NONE":
        return OFF
    return qmgr_says if queue_says == "QMGR" else queue_says


def gather(qmgr) -> dict[str, Gathered]:
    """Queue name -> what monitoring has gathered since the queue manager started; only queues with something."""
    monitor = _Monitor()
    for event in qmgr.lab.events:
        if event.reason is None and (event.qmgr == qmgr.name or _shared_here(qmgr, event)):
            monitor.take(event)
    return monitor.found


def _shared_here(qmgr, event) -> bool:
    """Whether it is an event of a shared queue that concerns this member: its own call, or a definition."""
    if qmgr.group is None or event.qmgr != qmgr.group.name:
        return False
    if event.kind in ("define", "alter", "delete"):
        return event.object_type == "QLOCAL"
    return event.detail is not None and json.loads(event.detail).get("member") == qmgr.name


class _Monitor:
    """Reads one queue manager's events in order."""

    def __init__(self):
        self.queues: dict[str, str] = {}
        self.qmgr = OFF
        self.found: dict[str, Gathered] = {}

    def take(self, event) -> None:
        """Take one more event."""
        kind, name = event.kind, event.object
        if kind == "start":
            self.found.clear()
        elif kind == "delete":
            self.found.pop(name, None)
        elif kind in ("define", "alter"):
            self._define(event)
        elif kind in ("put", "report", "get") and self._level(name) != OFF:
            gathered = self.found.setdefault(name, Gathered())
            if kind == "get":
                gathered.got(event.time_us, event.time_us - event.arrived_us)
            else:
                gathered.put_us = event.time_us

    def _define(self, event) -> None:
        says = json.loads(event.detail).get("MONQ") if event.detail and '"MONQ"' in event.detail else None
        if says is None or event.object_type not in ("QLOCAL", "QMGR"):
            return
        if event.object_type == "QMGR":
            self.qmgr = says
        else:
            self.queues[event.object] = says
        self.found = {name: gathered for name, gathered in self.found.items() if self._level(name) != OFF}

    def _level(self, name: str) -> str:
        return level(self.queues.get(name, "QMGR"), self.qmgr)
