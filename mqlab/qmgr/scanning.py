"""The background scan for lapsed messages: EXPRYINT on z/OS, the expirer of current distributed levels, none at 5.3.

Which queues are worth a scan is known from the earliest deadline on each. A timer is set only while there is such a
deadline, for the first scan at or after it, so a lab in which nothing can lapse pays nothing however far its clock
moves.
"""

from __future__ import annotations

from ..sim.clock import SECOND
from .expiry import discard
from .queue import NEVER, LocalQueue

__all__ = ["EXPIRER_INTERVAL", "Scanner"]

EXPIRER_INTERVAL = 300
"""Seconds between the scans of a distributed queue manager of level 600 or later, unless it is told otherwise."""


class Scanner:
    """The scans of one queue manager: every `interval_us` microseconds since `since_us`; 0 is never."""

    def __init__(self, qmgr, interval: int | None):
        self.qmgr, self._given = qmgr, interval
        self.since_us, self._due_us = qmgr.clock.time_us, None

    @property
    def interval_us(self) -> int:
        """The time between two scans: EXPRYINT on z/OS, the setting elsewhere."""
        qmgr = self.qmgr
        if qmgr.platform == "zos":
            return qmgr.attributes["EXPRYINT"] * SECOND
        if self._given is not None:
            return self._given * SECOND
        return EXPIRER_INTERVAL * SECOND if qmgr.platform == "distributed" and qmgr.level >= 600 else 0

    @property
    def rule(self) -> str:
        """The rule behind a scan here."""
        return "EXP-33" if self.qmgr.platform == "zos" else "MQI-20"

    @property
    def queues(self) -> list[LocalQueue]:
        """The queues it scans: a shared one only if no other member of the group does (EXP-34)."""
        return [queue for queue in self.qmgr.queues if queue.scanned_here]

    def restart(self) -> None:
        """Count the interval from now on: EXPRYINT was altered, or the queue manager started."""
        self.since_us, self._due_us = self.qmgr.clock.time_us, None
        if self.qmgr.group is not None:
            self.qmgr.group.scanning.interval_set(self.qmgr)
        self.rearm()

    def rearm(self) -> None:
        """See to it that the next lapsing on its queues is followed by a scan."""
        self.arm(min((queue.earliest_us for queue in self.queues), default=NEVER))

    def scan_lapsed(self, rule: str) -> None:
        """Scan the queues on which a message has lapsed; the shared ones by EXP-34."""
        now = self.qmgr.clock.time_us
        queues = [queue for queue in self.queues if queue.lapsed_witness(now) is not None]
        own = [queue for queue in queues if queue.structure is None]
        shared = [queue for queue in queues if queue.structure is not None]
        if own:
            self.scan(own, rule)
        if shared:
            self.qmgr.group.scanning.take(self.qmgr)
            self.scan(shared, "EXP-34")

    def arm(self, deadline_us: float) -> None:
        """See to it that there is a scan at the first interval at or after `deadline_us`."""
        interval, clock = self.interval_us, self.qmgr.clock
        if not interval or deadline_us == NEVER or not self.qmgr.running:
            return
        rounds = -((self.since_us - max(deadline_us, clock.time_us + 1)) // interval)
        due = self.since_us + rounds * interval
        if self._due_us is None or due < self._due_us:
            self._due_us = due
            timer = clock.timeout(due - clock.time_us)
            clock.idle(timer)
            timer.callbacks.append(lambda _: self._on_time(due))

    def _on_time(self, due_us: int) -> None:
        if due_us != self._due_us or not self.qmgr.running:
            return
        self._due_us = None
        self.scan_lapsed(self.rule)
        self.rearm()

    def refresh(self, generic: str = "*") -> int:
        """REFRESH QMGR TYPE(EXPIRY): scan the queues of this name now (EXP-35); how many messages were discarded."""
        wanted = {definition.name for definition in self.qmgr.objects.match(("QLOCAL",), generic)}
        return self.scan([queue for queue in self.qmgr.queues if queue.name in wanted and queue.ready], "EXP-35")

    def scan(self, queues: list[LocalQueue], rule: str) -> int:
        """Discard what has lapsed on these queues, locked and uncommitted messages excepted; how many there were."""
        qmgr = self.qmgr
        detail = {"queues": [queue.name for queue in queues]}
        cause = qmgr.lab.events.write(
            qmgr.clock.time_us, "scan", (qmgr.name, None, None), program=qmgr.name, rule=rule, detail=detail
        )
        return sum(self._scan_one(queue, rule, cause) for queue in queues)

    def _scan_one(self, queue: LocalQueue, rule: str, cause: int) -> int:
        now, earliest, lapsed = self.qmgr.clock.time_us, NEVER, []
        for message in queue.store.in_order():
            if message.expires_us is None or message.holder is not None:
                continue
            if message.expires_us <= now:
                lapsed.append(message)
            else:
                earliest = min(earliest, message.expires_us)
        queue.earliest_us = earliest
        for message in lapsed:
            discard(queue, message, self.qmgr.name, cause, rule)
        return len(lapsed)
