"""Streaming queues: a duplicate of each message that is put to a queue with STREAMQ goes to another queue (STQ-01).

The duplicate has the data, the identifiers, the priority, the persistence, and the context of the original. Its
lifetime is unlimited, but for CAPEXPRY of the stream queue, and it asks for no reports (STQ-02).
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..engine.queues.message import Message
from ..engine.queues.put import Put, put
from ..engine.queues.queue import LocalQueue
from ..engine.queues.unit import UnitOfWork
from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds

_SOURCES = (
    "DEFAULT.LOCAL.QUEUE DEFAULT.MODEL.QUEUE JMS.TEMPQ.MODEL ADMIN.ACCOUNTING.QUEUE ADMIN.ACTIVITY.QUEUE "
    "ADMIN.CHANNEL.EVENT ADMIN.COMMAND.EVENT ADMIN.CONFIG.EVENT ADMIN.LOGGER.EVENT ADMIN.PERFM.EVENT "
    "ADMIN.PUBSUB.EVENT ADMIN.QMGR.EVENT ADMIN.STATISTICS.QUEUE"
)
_SYSTEM_SOURCES = frozenset(f"SYSTEM.{name}" for name in _SOURCES.split())
"""The SYSTEM queues that may have a STREAMQ."""


def attach(queue: LocalQueue) -> None:
    """Let a queue stream as its definition says now."""
    attributes = queue.definition.attributes
    name = attributes.get("STREAMQ")
    queue.stream = Stream(queue, name, attributes["STRMQOS"] == "MUSTDUP") if name else None


class Stream:
    """The two puts of each put to a queue with STREAMQ: the original, and its duplicate on the queue called `name`.

    With `must` (STRMQOS(MUSTDUP)) both are put or neither is (STQ-03); else the original is put whatever becomes of the
    duplicate (STQ-04).
    """

    __slots__ = ("must", "name", "queue")

    def __init__(self, queue: LocalQueue, name: str, must: bool) -> None:
        self.queue, self.name, self.must = queue, name, must

    def bound(self, target: Any, handle: Any) -> Any:
        """The target itself: its puts stay here."""
        return target

    def alone(self, target: Any) -> Any:
        """The target itself: its puts stay here."""
        return target

    def put(self, request: Put) -> Message:
        """Put a message and its duplicate in one unit of work; the original as put.

        Without a unit of work the queue manager begins and commits one, if it must (STQ-05). MQError as
        `mqlab.engine.queues.put.put`, or with `must` the reason for which the duplicate cannot be put.
        """
        application, unit, own = request.application, request.unit, None
        persistent = request.target.defpsist if request.persistent is None else request.persistent
        if unit is None and (self.must or persistent):
            unit = request.unit = own = UnitOfWork(application)
        puts, triggers = (len(unit.puts), len(unit.triggers)) if unit is not None else (0, 0)
        try:
            message = put(request, self.queue)
            refused = self._duplicate(application, message, unit)
            if refused is not None and unit is not None and self.must:
                self._refuse(request, unit, refused, puts, triggers)
        except BaseException:
            if own is not None:
                own.undo_since(0, 0, application.cause)  # what stopped it was no refusal
                own.dissolve()
            raise
        finally:
            if own is not None:
                request.unit = None
        if own is not None:
            own.commit("STQ-05")
        return message

    def _duplicate(self, application: Any, message: Message, unit: UnitOfWork | None) -> MQError | None:
        """Put the duplicate of a message, which is not counted for MAXUMSGS; return the error if it cannot be put."""
        record, cause, before = message._of, application.cause, None
        descriptor, rule = record.descriptor, "STQ-01" if record.expires_us is None else "STQ-02"
        if descriptor.report & mq.REPORTS_OF_THE_ORIGINAL:
            descriptor, rule = descriptor._replace(report=descriptor.report & ~mq.REPORTS_OF_THE_ORIGINAL), "STQ-02"
        if unit is not None:
            before, unit.limit = (unit.limit, len(unit.puts)), float("inf")
        application.cause = record.seq
        try:
            target = application.resolve(self.name, "put")
            same = (record.priority, record.persistent, record.msg_id, record.correl_id, descriptor, unit)
            copy = Put(application, target, record.body, mq.MQEI_UNLIMITED, *same)
            copy.rule, copy.context = rule, record.context
            if target.queue is not None and target.queue.stream is not None:
                put(copy, target.queue)  # by an alias that was pointed here: a duplicate is not duplicated
            else:
                target.put(copy)
        except MQError as refused:
            return refused
        finally:
            application.cause = cause
            if before is not None and unit is not None:
                unit.limit = before[0] + len(unit.puts) - before[1]
        return None

    def _refuse(self, request: Put, unit: UnitOfWork, refused: MQError, puts: int, triggers: int) -> NoReturn:
        """Undo the put of the original, and refuse it for the reason of the duplicate's refusal (STQ-03)."""
        # all of its unit of work beyond `puts` and `triggers`
        application = request.application
        unit.undo_since(puts, triggers, refused.seq or 0, "STQ-03")
        fields = {"stream": self.name, "problem": refused.said, "remedy": refused.hint, "queue": self.queue.name}
        cause, application.cause = application.cause, refused.seq
        try:
            request.refuse(refused.reason, "no-duplicate", **fields)
        finally:
            application.cause = cause


def require_streamable(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    """Refuse a STREAMQ that MQ does not support: chains and loops, SYSTEM and model queues, transmission queues, the
    STREAMQ of a dynamic queue, and a subscription whose destination streams (STQ-06). MQError 3384 to 3387."""
    if kind == "SUB":
        if (dest := wanted.get("DEST")) and _streams(qmgr, dest):
            _refuse(mq.MQRCCF_STREAMQ_CONFLICT, "destination-streams", qmgr, name, verb, dest=dest)
        return
    to = wanted.get("STREAMQ")
    if kind not in ("QLOCAL", "QMODEL") or not to:
        return
    if name.startswith("SYSTEM.") and name not in _SYSTEM_SOURCES:
        _refuse(mq.MQRCCF_STREAMQ_NOT_SUPPORTED, "of-system-queue", qmgr, name, verb)
    has = present.attributes if present is not None and kind == "QLOCAL" else {}
    if has.get("DEFTYPE", "PREDEFINED") != "PREDEFINED" and has["STREAMQ"] != to:
        _refuse(mq.MQRCCF_STREAMQ_NOT_SUPPORTED, "dynamic-queue", qmgr, name, verb)
    if wanted["USAGE"] == "XMITQ":
        _refuse(mq.MQRCCF_STREAMQ_CONFLICT, "transmission-queue", qmgr, name, verb)
    if to.startswith("SYSTEM.") and to != "SYSTEM.DEFAULT.LOCAL.QUEUE":
        _refuse(mq.MQRCCF_STREAMQ_DEST_NOT_SUPP, "to-system-queue", qmgr, name, verb, to=to)
    target = qmgr.objects.named("QLOCAL", to)
    if target is not None and target.kind == "QMODEL":
        _refuse(mq.MQRCCF_STREAMQ_DEST_NOT_SUPP, "to-model-queue", qmgr, name, verb, to=to)
    if to == name or _streams(qmgr, to):
        _refuse(mq.MQRCCF_STREAMQ_DEST_CONFLICT, "chain", qmgr, name, verb, to=to)
    for definition in qmgr.objects.match(("QLOCAL", "QMODEL")):
        if definition.attributes.get("STREAMQ") == name:
            source = definition.name
            _refuse(mq.MQRCCF_STREAMQ_CONFLICT, "destination-of-stream", qmgr, name, verb, source=source, to=name)
    for definition in qmgr.objects.match(("SUB",)):
        if definition.attributes.get("DEST") == name:
            key = definition.name
            _refuse(mq.MQRCCF_STREAMQ_CONFLICT, "destination-of-subscription", qmgr, name, verb, key=key)


def _streams(qmgr: Any, name: str) -> bool:
    """Whether the queue of this name, or the base of an alias of this name, has a STREAMQ."""
    queue = qmgr.objects.named("QLOCAL", name)
    if queue is not None and queue.kind == "QALIAS" and queue.attributes["TARGTYPE"] == "QUEUE":
        queue = qmgr.objects.named("QLOCAL", queue.attributes["TARGET"])
    return queue is not None and bool(queue.attributes.get("STREAMQ"))


def _refuse(reason: int, case: str, qmgr: Any, name: str, verb: str, **fields: object) -> NoReturn:
    raise qmgr.refusal(Grounds(reason, case, fields), None, verb, name)
