"""The IMS bridge: a program on z/OS that hands requests to IMS transactions and puts their replies.

An IMS transaction is a Python function of the lab. The bridge gets a request, calls it with the segments of its data,
the first of which begins with the transaction code, and puts what it returns on the reply-to queue: bytes, a list of
segments, or None for no reply. Lab time that it lets pass (`lab.advance`) is the bridge's processing time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.extra import extras
from ..engine.programs.program import Program
from ..engine.queues.application import Application
from ..engine.queues.forward import pass_on
from ..engine.queues.message import identifiers_of_answer
from ..engine.queues.put import Put, describe
from ..engine.queues.queue_manager import QueueManager
from ..engine.queues.unit import UnitOfWork
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError, MQError
from ..engine.world.interrupts import interruptible
from .headers import MQDLH, MQIIH, BadSegments, ImsHeader, join_segments, split_segments

NAME = "IMS.BRIDGE"


class ImsRejected(Exception):
    """Raised by a transaction: IMS refuses the message with this sense code, 1 to 99 (not 26, whose own codes the lab
    does not have)."""

    def __init__(self, sense: int):
        require("sense", sense, int, "1 to 99, and not 26", lambda code: 1 <= code <= 99 and code != 0x1A)
        super().__init__(f"IMS refused the message with sense code {sense:#06x}")
        self.sense = sense


def ims_bridge(qmgr: QueueManager, queue: str, transaction: Callable[[list[bytes]], Any]) -> Program:
    """Start the bridge on a bridge queue; `transaction(segments)` is what IMS runs for each request; `.stop()` ends it.

    LabError on a platform other than z/OS, which alone has the bridge; MQError 2085 for an unknown queue.
    """
    if qmgr.platform != "zos":
        raise LabError(
            f'platform must be "zos", the only one with the IMS bridge; got {qmgr.platform!r}. Send the requests '
            f"to a queue manager on z/OS"
        )
    require("transaction", transaction, Callable, "something to call with (segments)")
    qmgr.resolve(queue, "open")

    def tell() -> None:
        for extra in extras():
            extra.bridge_changed(qmgr, NAME, bridge.state, bridge.seq)

    bridge = Program(qmgr, NAME, _serve, (queue, transaction), at_end=tell)
    tell()
    return bridge


def _serve(app: Application, queue: str, transaction: Callable[[list[bytes]], Any]) -> None:
    """Serve requests forever, each in a unit of work of its own."""
    # The queue is open for this bridge alone. A request that can go neither to IMS nor to the dead-letter queue goes
    # back to the bridge queue, and the bridge ends.
    with app.open(queue, input="exclusive") as handle:
        while True:
            with app.unit_of_work() as unit:
                request: Any = handle.get(mq.FOR_EVER, unit=unit)
                try:
                    header, segments = _read(request)
                except ValueError as bad:
                    feedback = bad.feedback if isinstance(bad, BadSegments) else mq.MQFB_IIH_ERROR
                    _refuse(app, request, feedback, queue, unit)
                    continue
                try:
                    answer = interruptible(transaction, segments)
                except ImsRejected as rejected:
                    _refuse(app, request, mq.MQFB_IMS_ERROR + rejected.sense, queue, unit)
                    continue
                if answer is not None and request.reply_to_q:
                    _reply(app, request, header, answer, unit)


def _read(request: Any) -> tuple[ImsHeader | None, list[bytes]]:
    """The MQIIH of a request (None if its format is not MQIMS) and its segments."""
    # BadSegments where these are wrong; ValueError where the header is wrong, or its text cannot be read
    header, data = None, request.body
    if request.format == mq.MQFMT_IMS:
        header, data = MQIIH.unpack(data), data[MQIIH.LENGTH :]
    return header, split_segments(data)


def _reply(app: Application, request: Any, header: ImsHeader | None, answer: Any, unit: UnitOfWork | None) -> None:
    """Put the reply: lifetime unlimited, or with PASS_EXPIRATION the rest of the request's at its get (EXP-30)."""
    # Then it has the request's expiration report options too, and the request's ReplyToQ for such a report to go to.
    # Its identifiers go by the request's report options; priority and persistence are the request's. A reply that
    # cannot be put goes to the dead-letter queue with all of that; MQError of that put, by which the bridge ends, if it
    # refuses too.
    passed = header is not None and bool(header.flags & mq.MQIIH_PASS_EXPIRATION)
    expiry = request.expiry if passed else mq.MQEI_UNLIMITED
    report = request.report & mq.MQRO_EXPIRATION_WITH_FULL_DATA if passed else 0
    data = join_segments(*(answer if isinstance(answer, list) else [answer]))
    body = data
    if header is not None:
        format = "" if header.flags & mq.MQIIH_REPLY_FORMAT_NONE else header.reply_format
        header_and_descriptor = ImsHeader(format, terminal=header.terminal, commit_mode=header.commit_mode, security="")
        body = MQIIH.pack(header_and_descriptor) + data
    msg_id, correl_id = identifiers_of_answer(request)
    qmgr_name = request.reply_to_qmgr
    name = f"{request.reply_to_q}@{qmgr_name}" if qmgr_name else request.reply_to_q
    back = (request.reply_to_q, qmgr_name) if report else ("", "")
    kept = (request.priority, request.persistent)

    def send(to: str, body: bytes, format: str) -> None:
        target = app.resolve(to, "put")
        about = describe(app, target, report, mq.MQMT_REPLY, 0, format, *back)
        target.put(Put(app, target, body, expiry, *kept, msg_id, correl_id, about, unit, rule="EXP-30"))

    try:
        send(name, body, request.format)
    except MQError as refused:
        why = _dead(app, refused.reason, request.reply_to_q, qmgr_name, request.format)
        send(app.qmgr.attributes["DEADQ"], why + body, mq.MQFMT_DEAD_LETTER_HEADER)


def _refuse(app: Application, request: Any, feedback: int, queue: str, unit: UnitOfWork | None) -> None:
    """Put a request on the dead-letter queue, all of it as it was but for the header that says why (IMS-01)."""
    body = _dead(app, feedback, queue, app.qmgr.name, request.format) + request.body
    about = {"rule": "IMS-01", "format": mq.MQFMT_DEAD_LETTER_HEADER}
    pass_on(app, request, app.qmgr.attributes["DEADQ"], expiry=request.expiry, body=body, unit=unit, **about)


def _dead(app: Application, reason: int, queue: str, qmgr: str, format: str) -> bytes:
    """The MQDLH of a message that could not go to `queue` at `qmgr`."""
    return MQDLH.pack(reason, queue, qmgr, format, NAME, app.qmgr.lab.now)
