"""Online monitoring of queues (MONQ): a command reads the event log, and nothing is gathered while messages move.

Events while MONQ was OFF, or before the queue manager last started, do not count, as in MQ.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..extra import extras
from .display import LONGEST

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager

OFF = "OFF"
_STEPS = (1 / 8, 1 / 64)
"""The part of the way to each new value by which the two indicators of QTIME, XQTIME, and such move."""


@dataclass
class Gathered:
    """The monitoring data of one queue: times in microseconds since the lab's start, None for never.

    `stayed` is how long messages got lately stayed on the queue, in microseconds, weighted toward the last few and
    over many; empty before the first get.
    """

    put_us: int | None = None
    get_us: int | None = None
    stayed: tuple[float, ...] = ()

    def got(self, now_us: int, stayed_us: int) -> None:
        """Count a get of a message that had stayed this long."""
        self.get_us = now_us
        before = self.stayed or (stayed_us, stayed_us)
        self.stayed = tuple(was + (stayed_us - was) * step for was, step in zip(before, _STEPS, strict=True))

    @property
    def queue_time(self) -> str:
        """The two indicators as QTIME shows them, blank before the first get."""
        return ",".join(str(min(int(one), LONGEST)) for one in self.stayed) or " , "


def level(queue_says: str, qmgr_says: str) -> str:
    """The level at which a queue is monitored, from MONQ of the queue and of the queue manager.

    >>> level("QMGR", "LOW"), level("HIGH", "OFF"), level("HIGH", "NONE")
    ('LOW', 'HIGH', 'OFF')
    """
    if qmgr_says == "NONE":
        return OFF
    return qmgr_says if queue_says == "QMGR" else queue_says


def gather(qmgr: QueueManager) -> dict[str, Gathered]:
    """Queue name -> what monitoring has gathered since the queue manager started; only queues with something."""
    of_qmgr = OFF
    of_queues: defaultdict[str, str] = defaultdict(lambda: "QMGR")
    by_queue: dict[str, Gathered] = {}
    for event in qmgr.lab.events:
        kind, name = event.kind, event.object or ""
        if event.reason is not None or not (
            event.qmgr == qmgr.name or any(extra.concerns(qmgr, event) for extra in extras())
        ):
            continue
        if kind == "start":
            by_queue.clear()
        elif kind == "delete":
            by_queue.pop(name, None)
        elif kind in ("define", "alter") and "MONQ" in event.facts:
            if event.object_type == "QMGR":
                of_qmgr = event.facts["MONQ"]
            elif event.object_type == "QLOCAL":
                of_queues[name] = event.facts["MONQ"]
            by_queue = {each: one for each, one in by_queue.items() if level(of_queues[each], of_qmgr) != OFF}
        elif kind in ("put", "report", "get") and level(of_queues[name], of_qmgr) != OFF:
            gathered = by_queue.setdefault(name, Gathered())
            if kind != "get":
                gathered.put_us = event.time_us
            elif event.arrived_us is not None:
                gathered.got(event.time_us, event.time_us - event.arrived_us)
    return by_queue
