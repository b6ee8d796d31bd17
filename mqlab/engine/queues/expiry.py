"""Message expiry: expired messages are discarded by the calls that reach them, and by the background scan.

z/OS scans every EXPRYINT seconds, and current distributed levels every 300; level 5.3 does not scan. The earliest
deadline of each queue shows which queues are worth a scan. A timer is set only while there is such a deadline, for the
first scan at or after it, so a lab in which nothing can expire pays nothing however far its clock moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extra import extras
from ..words.constants import MQFMT_XMIT_Q_HEADER
from ..world.clock import SECOND
from .message import PLAIN, QueuedMessage
from .queue import NEVER, LocalQueue
from .reports import EXPIRATION, send_report
from .transmission import inner_left

if TYPE_CHECKING:
    from .parts import Call, QueueManager

EXPIRER_INTERVAL = 300
"""Seconds between the scans of a distributed queue manager at command level 600 or later, by default."""


def discard(
    queue: LocalQueue, message: QueuedMessage, program: str | None, cause: int | None, rule: str, in_unit: bool = False
) -> None:
    """Remove one expired message from its queue, outside any unit of work, and send the report its sender requested.

    `cause` is the event row of the call or scan of `program` that reached it, `rule` the rule that explains it best.
    """
    queue.store.remove(message)
    queue.lose(message)
    seq = queue.record("discard", message, program, None, rule, cause)
    message.seq = -1
    if message.descriptor is not PLAIN:
        late = message.expires_us is not None and queue.clock.time_us > message.expires_us
        send_report(EXPIRATION, queue, message, seq, "EXP-19" if in_unit else "EXP-18" if late else "EXP-13")


def discard_met(call: Call, expired: list[QueuedMessage], cause: int | None) -> None:
    """Discard the expired messages that a get or browse reached, in order (EXP-08 to EXP-11). If the caller is a
    program of MQ's own, its `discard_rule` is the rule of all (EXP-36)."""
    queue, application, in_unit = call.target.queue, call.application, call.unit is not None
    own = application.discard_rule
    if own is not None:
        usual = own
    elif in_unit:
        usual = "EXP-19"
    elif call.selective:
        usual = "EXP-08"
    elif call.cursor is not None:
        usual = "EXP-38"
    else:
        usual = "EXP-09" if queue.fifo else "EXP-10"
    for message in expired:
        rule = usual
        if message.descriptor is not PLAIN and _outer_only(queue, message):
            rule = "EXP-28"
        elif own is None and message.expires_us is not None and message.visible_us >= message.expires_us:
            rule = "EXP-20" if message.backout_count else "EXP-14"
        discard(queue, message, application.caller, cause, rule, in_unit)


def _outer_only(queue: LocalQueue, message: QueuedMessage) -> bool:
    """Whether an expired message carries another in its data whose own lifetime is not over (EXP-28)."""
    if message.descriptor.format != MQFMT_XMIT_Q_HEADER:
        return False
    left = inner_left(message, queue.clock.time_us)
    return left is None or left > 0


class Scanner:
    """The scans of one queue manager: every `interval_us` microseconds since `since_us`; 0 is never."""

    def __init__(self, qmgr: QueueManager, interval: int | None):
        self.qmgr, self._given = qmgr, interval
        self.since_us = qmgr.clock.time_us
        self._due_us: float | None = None

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
        """The queues of this scan, without queues that another queue manager scans."""
        return [queue for queue in self.qmgr.queues if queue.scanned_here]

    def restart(self) -> None:
        """Count the interval from now on: EXPRYINT was altered, or the queue manager started."""
        self.since_us, self._due_us = self.qmgr.clock.time_us, None
        for extra in extras():
            extra.interval_set(self.qmgr)
        self.rearm()

    def rearm(self) -> None:
        """See to it that the next expiry on its queues is followed by a scan."""
        self.arm(min((queue.earliest_us for queue in self.queues), default=NEVER))

    def scan_expired(self, rule: str) -> None:
        """Scan the queues on which a message has expired; those with a rule of their own apart."""
        now = self.qmgr.clock.time_us
        queues = [queue for queue in self.queues if queue.expired_witness(now) is not None]
        for own in dict.fromkeys([None, *(queue.scan_rule for queue in queues)]):
            due = [queue for queue in queues if queue.scan_rule == own]
            if due:
                due[0].scan_begins()
                self.scan(due, own or rule)

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

    def _on_time(self, due_us: float) -> None:
        if due_us != self._due_us or not self.qmgr.running:
            return
        self._due_us = None
        self.scan_expired(self.rule)
        self.rearm()

    def refresh(self, generic: str = "*") -> int:
        """REFRESH QMGR TYPE(EXPIRY): scan the queues of this name now (EXP-35); how many messages were discarded."""
        wanted = {definition.name for definition in self.qmgr.objects.match(("QLOCAL",), generic)}
        return self.scan([queue for queue in self.qmgr.queues if queue.name in wanted and queue.ready], "EXP-35")

    def scan(self, queues: list[LocalQueue], rule: str) -> int:
        """Discard expired messages on these queues, except locked and uncommitted messages; return their number."""
        qmgr = self.qmgr
        detail = {"queues": [queue.name for queue in queues]}
        cause = qmgr.record("scan", (qmgr.name, None, None), rule, program=qmgr.name, detail=detail)
        return sum(self._scan_one(queue, rule, cause) for queue in queues)

    def _scan_one(self, queue: LocalQueue, rule: str, cause: int) -> int:
        now, earliest, expired = self.qmgr.clock.time_us, NEVER, []
        for message in queue.store.in_order():
            if message.expires_us is None or message.holder is not None:
                continue
            if message.expires_us <= now:
                expired.append(message)
            else:
                earliest = min(earliest, message.expires_us)
        queue.earliest_us = earliest
        for message in expired:
            discard(queue, message, self.qmgr.name, cause, rule)
        return len(expired)
