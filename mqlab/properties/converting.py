"""MQGMO_CONVERT: a message whose data a get returns in another encoding and character set."""

from __future__ import annotations

from ..engine.queues.message import Message, Warned, hand_over
from ..engine.words import constants as mq
from .conversion import Form, NotConverted, convert


def converted(message: Message, encoding: int, ccsid: int, longest: int | None, accept: bool) -> Message:
    """A message with its data converted (PRP-08), or as it is, with the warning 2110 to 2120 that says why not."""
    descriptor, body, wanted = message.descriptor, message.body, Form(encoding, ccsid)
    has, cut = Form(descriptor.encoding, descriptor.ccsid), message.warning == mq.MQRC_TRUNCATED_MSG_ACCEPTED
    try:
        data = convert(body, descriptor.format, has, wanted, cut)
    except NotConverted as error:
        return Warned(message, message.warning or error.reason, body, message.length)
    if longest is not None and len(data) > longest and not accept:
        return Warned(message, message.warning or mq.MQRC_CONVERTED_MSG_TOO_BIG, body, message.length)
    record, too_long = message._of.copy(), longest is not None and len(data) > longest
    record.body, record.descriptor = data, descriptor._replace(encoding=wanted.encoding, ccsid=wanted.ccsid)
    warning = mq.MQRC_TRUNCATED_MSG_ACCEPTED if too_long else message.warning
    whole = hand_over(record, None if message.expiry == mq.MQEI_UNLIMITED else message.expiry, message._qmgr)
    whole._backout_count = message.backout_count
    return Warned(whole, warning, data[:longest], message.length if cut else len(data))
