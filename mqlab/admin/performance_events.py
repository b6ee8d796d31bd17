"""Performance events: a queue is full, its depth is high or low, or its messages wait too long (EVT-01 to EVT-04).

An event of a queue turns itself off, and others on: QDPHIEV, QDPLOEV, QDPMAXEV, and QSVCIEV of the queue change, with
an `alter` row, so that DISPLAY shows which alarm is armed. A queue is watched while PERFMEV is ENABLED; shared queues
and the event queues are not. A clear or an expired message that is discarded counts as a get. Source: Performance
events, Queue depth events, Rules for queue service interval events, product documentation.
"""

from __future__ import annotations

from typing import Any

from ..engine.words import constants as mq
from . import event_messages
from .event_messages import pcf

_PUTS, _GETS = ("put", "report"), ("get", "discard", "clear")
_ARMS: dict[int, tuple[str, dict[str, str]]] = {
    mq.MQRC_Q_DEPTH_HIGH: ("EVT-01", {"QDPHIEV": "DISABLED", "QDPLOEV": "ENABLED", "QDPMAXEV": "ENABLED"}),
    mq.MQRC_Q_DEPTH_LOW: ("EVT-02", {"QDPLOEV": "DISABLED", "QDPHIEV": "ENABLED", "QDPMAXEV": "ENABLED"}),
    mq.MQRC_Q_FULL: ("EVT-03", {"QDPMAXEV": "DISABLED", "QDPLOEV": "ENABLED"}),
    mq.MQRC_Q_SERVICE_INTERVAL_HIGH: ("EVT-04", {"QSVCIEV": "OK"}),
    mq.MQRC_Q_SERVICE_INTERVAL_OK: ("EVT-04", {"QSVCIEV": "HIGH"}),
}
"""Event -> its rule, and the attributes that it leaves."""


def watch_of(queue: Any) -> Watch | None:
    """The writer of the rows of a queue's messages while performance events are on; None for the log itself.

    A lab without a log cannot count messages, and sends no performance events.
    """
    qmgr = queue.qmgr
    if not queue.watched or not qmgr.lab.events.recording or queue.name in event_messages.QUEUES.values():
        return None
    return queue.log if isinstance(queue.log, Watch) else Watch(queue)


class Watch:
    """Writes the rows of one queue's messages, and reports performance events.

    `timer_us` is the service timer: when the queue was last put to while empty, or last got from; None while it is
    empty.
    """

    def __init__(self, queue: Any):
        self.queue, self.append = queue, queue.qmgr.lab.events.append
        self.timer_us = queue.clock.time_us if queue.depth else None

    def __call__(self, row: tuple) -> int:
        """Write a row, and report the events that it causes; return the number of the row."""
        seq: int = self.append(row)
        kind, depth, attributes = row[1], row[10], self.queue.definition.attributes
        if kind in _PUTS:
            self._service(row[0], depth, attributes["QSVCIEV"], seq, put=True)
            if attributes["QDPHIEV"] == "ENABLED" and depth * 100 >= attributes["QDEPTHHI"] * attributes["MAXDEPTH"]:
                self._tell(mq.MQRC_Q_DEPTH_HIGH, seq)
        elif kind in _GETS:
            self._service(row[0], depth, attributes["QSVCIEV"], seq, put=False)
            if attributes["QDPLOEV"] == "ENABLED" and depth * 100 <= attributes["QDEPTHLO"] * attributes["MAXDEPTH"]:
                self._tell(mq.MQRC_Q_DEPTH_LOW, seq)
        return seq

    def full(self, seq: int) -> None:
        """Tell that row `seq` refused a put because the queue is full."""
        if self.queue.definition.attributes["QDPMAXEV"] == "ENABLED":
            self._tell(mq.MQRC_Q_FULL, seq)

    def _service(self, now: int, depth: int, armed: str, seq: int, put: bool) -> None:
        """Compare the service timer with QSVCINT (milliseconds), and set it again."""
        if armed != "NONE" and self.timer_us is not None:
            late = now - self.timer_us > self.queue.definition.attributes["QSVCINT"] * 1000
            if late and armed == "HIGH":
                self._tell(mq.MQRC_Q_SERVICE_INTERVAL_HIGH, seq)
            elif not (late or put) and armed == "OK":
                self._tell(mq.MQRC_Q_SERVICE_INTERVAL_OK, seq)
        if not put or self.timer_us is None:
            self.timer_us = now if depth else None

    def _tell(self, reason: int, cause: int) -> None:
        """Put an event message with the statistics of the queue, which begin again, and arm the other events."""
        queue, qmgr = self.queue, self.queue.qmgr
        rule, arms = _ARMS[reason]
        from ..pcf.statistics import tally

        statistics = tally(qmgr).reset(queue, None, cause, rule)
        names = {mq.MQCA_Q_MGR_NAME: qmgr.name, mq.MQCA_BASE_OBJECT_NAME: queue.name}
        parameters = [pcf.string(id, name, 48) for id, name in names.items()]
        ids = (mq.MQIA_TIME_SINCE_RESET, mq.MQIA_HIGH_Q_DEPTH, mq.MQIA_MSG_ENQ_COUNT, mq.MQIA_MSG_DEQ_COUNT)
        seconds = (queue.clock.time_us - statistics.since_us) // 1_000_000
        counts = (seconds, statistics.high, statistics.enqueued, statistics.dequeued)
        parameters += [pcf.integer(id, value) for id, value in zip(ids, counts, strict=True)]
        attributes = queue.definition.attributes
        changed = {keyword: value for keyword, value in arms.items() if attributes[keyword] != value}
        attributes.update(changed)
        seq = event_messages.tell(qmgr, mq.MQCMD_PERFM_EVENT, reason, parameters, rule, cause)
        qmgr.record("alter", queue.subject, rule, cause=cause if seq < 0 else seq, detail=changed)
