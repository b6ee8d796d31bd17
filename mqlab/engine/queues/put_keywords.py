"""The put of an application: its keywords, the same for a handle and for a name, and how asynchronous puts ended."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from ..words import constants as mq
from ..words.errors import LabError, MQError
from .message import KEYWORDS
from .put import Put, describe

if TYPE_CHECKING:
    from ..words.structures import MD, PMO
    from .message import Message
    from .parts import Calls, Handle, UnitOfWork
    from .target import Target

_FIELD_OF = {word: field for field, word in KEYWORDS.items()}


class PutStatus(NamedTuple):
    """How the asynchronous puts since the last MQSTAT ended: counts, and the first failure, or warning, with its
    target."""

    succeeded: int = 0
    warned: int = 0
    refused: int = 0
    comp: int = mq.MQCC_OK
    reason: int = mq.MQRC_NONE
    target: Target | None = None

    @property
    def queue(self) -> str:
        """The name of the target."""
        return "" if self.target is None else str(self.target.name)

    def done(self, warning: int, target: Target) -> PutStatus:
        """This status after another successful put, with a warning if there is a reason."""
        if not warning:
            return self._replace(succeeded=self.succeeded + 1)
        first = self if self.comp else self._replace(comp=mq.MQCC_WARNING, reason=warning, target=target)
        return first._replace(warned=self.warned + 1)

    def failed(self, error: MQError, target: Target) -> PutStatus:
        """This status after another refused put."""
        first: dict = (
            {} if self.comp == mq.MQCC_FAILED else {"comp": error.comp, "reason": error.reason, "target": target}
        )
        return self._replace(refused=self.refused + 1, **first)


class RareKeywords(TypedDict, total=False):
    """The keywords of a put that most puts leave out: see `put`."""

    report: int
    reply_to_q: str
    reply_to_qmgr: str
    format: str
    msg_type: int | None
    feedback: int
    unit: UnitOfWork | None
    segmentation: bool
    md: MD | None
    pmo: PMO | None
    properties: dict[str, Any] | None


class PutKeywords(RareKeywords, total=False):
    """The keywords of every put: see `put`."""

    expiry: int
    priority: int | None
    persistent: bool | None
    msg_id: bytes | str | None
    correl_id: bytes | str | None


def put(
    application: Calls,
    target: Target,
    body: bytes | str,
    handle: Handle | None = None,
    /,
    *,
    expiry: int = mq.MQEI_UNLIMITED,
    priority: int | None = None,
    persistent: bool | None = None,
    msg_id: bytes | str | None = None,
    correl_id: bytes | str | None = None,
    report: int = 0,
    reply_to_q: str = "",
    reply_to_qmgr: str = "",
    format: str = "",
    msg_type: int | None = None,
    feedback: int = 0,
    unit: UnitOfWork | None = None,
    segmentation: bool = False,
    md: MD | None = None,
    pmo: PMO | None = None,
    properties: dict[str, Any] | None = None,
) -> Message | None:
    """Put one message as an application asks for it, by an open handle or by name; the message as put.

    `expiry` is in tenths of a second, -1 unlimited; `priority` 0 to 9 and `persistent` come from the queue when None;
    `report` is a sum of MQRO options; `segmentation` lets the message be put as several if it is too long; `properties`
    are names and values, such as ``{"colour": "red"}`` (PRP-01). `md` and `pmo` say everything under MQ's names and are
    updated: see `mqlab.engine.queues.put_options.put_as`.
    """
    if md is not None or pmo is not None or (handle is not None and handle.asks_order):
        if segmentation:
            raise LabError("segmentation must be MQMF_SEGMENTATION_ALLOWED in the MD's MsgFlags; got both forms")
        identity = (expiry, priority, persistent, msg_id, correl_id)
        rest = (report, reply_to_q, reply_to_qmgr, format, msg_type, feedback)
        from .put_options import descriptor_of, put_as

        md = descriptor_of(md, _FIELDS, (*identity, *rest))
        return put_as(application, target, body, md, pmo, unit, handle, properties)
    descriptor = describe(application, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr)
    if properties is not None or descriptor.carries:
        descriptor = application.qmgr.properties.put(application, target, body, descriptor, properties, None)
    application.require_own(unit)
    request = Put(application, target, body, expiry, priority, persistent, msg_id, correl_id, descriptor, unit)
    if segmentation and (queue := target.queue) is not None:
        from .message_groups import put_in_segments

        return put_in_segments(request, queue)
    return target.put(request)


_FIELDS = {
    word: (field, parameter.default)
    for word, parameter in signature(put).parameters.items()
    if (field := _FIELD_OF.get(word)) is not None
}
"""The keywords of a put that are fields of an MD, in order, each with its field and its value where it is not given;
None leaves the field as it is at first."""
