"""MQGMO_CONVERT: a message whose data a get returns in another encoding and character set."""

from __future__ import annotations

from ..mq import constants as mq
from ..qmgr.message import Message, Warned, hand_over
from .conversion import Form, NotConverted, convert


def converted(found: Message, encoding: int, ccsid: int, longest: int | None, accept: bool) -> Message:
    """A message with its data converted (PRP-08), or as it is, with the warning 2110 to 2120 that says why not."""
    about, body, wanted = found.descriptor, found.body, Form(encoding, ccsid)
    has, cut = Form(about.encoding, about.ccsid), found.warning == mq.MQRC_TRUNCATED_MSG_ACCEPTED
    try:
        data = convert(body, about.format, has, wanted, cut)
    except NotConverted as error:
        return Warned(found, found.warning or error.reason, body, found.length)
    if longest is not None and len(data) > longest and not accept:
        return Warned(found, found.warning or mq.MQRC_CONVERTED_MSG_TOO_BIG, body, found.length)
    record, too_long = found._of.copy(), longest is not None and len(data) > longest
    record.body, record.descriptor = data, about._replace(encoding=wanted.encoding, ccsid=wanted.ccsid)
    warning = mq.MQRC_TRUNCATED_MSG_ACCEPTED if too_long else found.warning
    whole = hand_over(record, None if found.expiry == mq.MQEI_UNLIMITED else found.expiry, found._qmgr)
    whole._backout_count = found.backout_count
    return Warned(whole, warning, data[:longest], found.length if cut else len(data))
