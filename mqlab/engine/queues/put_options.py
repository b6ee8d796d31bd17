"""MQPUT and MQPUT1 with MQ's own structures: every option, in terms of the engine's put.

A put with ASYNC_RESPONSE is done when it returns, and keeps its refusal for MQSTAT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..words import constants as mq
from ..words.arguments import require
from ..words.errors import LabError, MQError, NotSimulated
from ..words.structures import MD, PMO, as_body, as_identifier
from .logical_order import GROUPED, SEGMENTED, LogicalOrder
from .message import Context, Descriptor, Warned
from .options import at_most_one, bits, names_of, require_version, unit_for
from .properties import asked_by
from .put import Put, describe
from .target import saying

if TYPE_CHECKING:
    from .message import Message
    from .parts import Calls, Handle, UnitOfWork
    from .target import Target

_CONTEXTS = bits(
    "MQPMO_", "DEFAULT_CONTEXT NO_CONTEXT PASS_IDENTITY_CONTEXT PASS_ALL_CONTEXT SET_IDENTITY_CONTEXT SET_ALL_CONTEXT"
)
_KNOWN = _CONTEXTS | bits(
    "MQPMO_",
    "SYNCPOINT NO_SYNCPOINT NEW_MSG_ID NEW_CORREL_ID ALTERNATE_USER_AUTHORITY FAIL_IF_QUIESCING LOGICAL_ORDER "
    "ASYNC_RESPONSE SYNC_RESPONSE RESOLVE_LOCAL_Q",
)
UNACTED = mq.MQPMO_ALTERNATE_USER_AUTHORITY
"""The put options that MQ takes and nothing acts on: the row of a put says them."""
_WITHOUT_QUEUE = bits("MQPMO_", "WARN_IF_NO_SUBS_MATCHED RETAIN SCOPE_QMGR SUPPRESS_REPLYTO NOT_OWN_SUBS")
_NOT_OPEN = {
    mq.MQPMO_PASS_IDENTITY_CONTEXT: mq.MQRC_NOT_OPEN_FOR_PASS_IDENT,
    mq.MQPMO_PASS_ALL_CONTEXT: mq.MQRC_NOT_OPEN_FOR_PASS_ALL,
    mq.MQPMO_SET_IDENTITY_CONTEXT: mq.MQRC_NOT_OPEN_FOR_SET_IDENT,
    mq.MQPMO_SET_ALL_CONTEXT: mq.MQRC_NOT_OPEN_FOR_SET_ALL,
}
"""Context option: the reason code without an open option that allows it. The open options have the same values, in
this order, and each allows the context options before it too."""
_LATER = frozenset(
    {
        mq.MQRC_PUT_INHIBITED,
        mq.MQRC_Q_FULL,
        mq.MQRC_MSG_TOO_BIG_FOR_Q,
        mq.MQRC_MSG_TOO_BIG_FOR_Q_MGR,
        mq.MQRC_PERSISTENT_NOT_ALLOWED,
        mq.MQRC_Q_DELETED,
        mq.MQRC_OBJECT_CHANGED,
        mq.MQRC_Q_SPACE_NOT_AVAILABLE,
    }
)
"""The refusals of an asynchronous put that only MQSTAT reports."""
_FLAGS = GROUPED | SEGMENTED | mq.MQMF_SEGMENTATION_ALLOWED


def descriptor_of(md: MD | None, fields: Mapping[str, tuple[str, Any]], values: Sequence[Any]) -> MD:
    """The MD of a call: the one given, or one made of the keywords of a plain put; LabError for both. `fields` are the
    keywords, each with its field and its value where it is not given."""
    if md is not None:
        require("md", md, MD, "an MD, or None")
        twice = [word for (word, (_, initial)), value in zip(fields.items(), values, strict=True) if value != initial]
        if twice:
            raise LabError(f"md must hold the whole descriptor; got {', '.join(twice)} as well")
        return md
    md = MD()
    for (word, (name, initial)), value in zip(fields.items(), values, strict=True):
        if word == "persistent" and value not in (None, True, False):
            raise LabError(f"persistent must be True, False, or None for the queue's DEFPSIST; got {value!r}")
        if value is not None or initial is not None:
            setattr(md, name, int(value) if word == "persistent" else value)
    return md


def put_as(
    application: Calls,
    target: Target,
    body: bytes | str,
    md: MD,
    pmo: PMO | None,
    unit: UnitOfWork | None,
    handle: Handle | None = None,
    properties: dict[str, Any] | None = None,
) -> Message | None:
    """Put one message as `md` and `pmo` say; both are updated as MQ does, and unchanged if the put fails.

    Its properties are given by name, or are those of the PMO. Without a `handle` the put is an MQPUT1. A put that
    leaves a group unfinished, because it does not ask for logical order, has warning 2241 or 2242. MQError 2026, 2046,
    2047, 2093 to 2098, 2173, 2185, 2241, 2242, 2245, 2249 to 2253, 2365, 2460, 2478, 2535, and those of
    `mqlab.engine.queues.put.put`. With ASYNC_RESPONSE, outside of a unit of work, a refusal of the queue is not raised
    but kept for MQSTAT, and None is returned (MQI-39)."""
    arguments: tuple = (application, target, body, md, pmo, unit, handle, properties)
    options = pmo.Options if isinstance(pmo, PMO) else 0
    if not options & mq.MQPMO_ASYNC_RESPONSE or unit is not None or options & mq.MQPMO_SYNCPOINT:
        return _put(*arguments)
    try:
        done = _put(*arguments)
    except MQError as error:
        if error.reason not in _LATER:
            raise
        application.put_status = application.put_status.failed(error, target)
        return None
    application.put_status = application.put_status.done(getattr(done, "warning", 0), target)
    return done


def _put(
    application: Calls,
    target: Any,
    body: bytes | str,
    md: MD,
    pmo: PMO | None,
    unit: UnitOfWork | None,
    handle: Handle,
    properties: dict[str, Any] | None,
) -> Message | None:
    """Put one message now: see `put_as`."""
    require("pmo", pmo, PMO | None, "a PMO, or None")
    if md.Version < 2 and md.Format == mq.MQFMT_MD_EXTENSION:
        raise NotSimulated("mqlab does not take the fields of an MQMDE from the data. Use an MD of Version 2")
    options, queue, text = 0 if pmo is None else pmo.Options, target.queue, isinstance(body, str)
    body = as_body(body)
    require_version(application, target, "put", md, *(() if pmo is None else (pmo,)))
    if target.queue is None:
        return target.put_as(application, body, md, pmo, unit, handle, properties)
    if kept := names_of("MQPMO_", options & UNACTED, " ").split():
        target = saying(target, kept_only=[*target.kept, *kept])
    request = Put(application, target, body, md.Expiry)
    check_options(request, options, handle)
    request.context = context_for(request, options, md, pmo, handle)
    request.persistent = persistence_of(request, md)
    request.descriptor, ordered = descriptor_for(request, options, md, handle)
    if text and md.CodedCharSetId == mq.MQCCSI_Q_MGR:  # text of Python is UTF-8, whatever CCSID the queue manager has
        request.descriptor = request.descriptor._replace(ccsid=mq.UTF_8)
    request.descriptor = described_with(request, properties, pmo)
    chosen = None if pmo is None else options
    request.unit = unit_for(application, unit, chosen, mq.MQPMO_SYNCPOINT, mq.MQPMO_NO_SYNCPOINT)
    request.msg_id = None if options & mq.MQPMO_NEW_MSG_ID else as_identifier(md.MsgId, "MsgId")
    request.correl_id = as_identifier(md.CorrelId, "CorrelId")
    if options & mq.MQPMO_NEW_CORREL_ID:
        request.correl_id = _new_id(request)
    request.priority = None if md.Priority == mq.MQPRI_PRIORITY_AS_Q_DEF else md.Priority
    flags = request.descriptor.msg_flags
    warning = 0 if ordered or handle is None else handle.order("put").unfinished
    request.rule = "MQI-31" if flags & GROUPED or warning else None if request.context is None else "MQI-28"
    try:
        if ordered:
            _same_as_first(request, handle)
        if flags & mq.MQMF_SEGMENTATION_ALLOWED:
            from .message_groups import put_in_segments

            done = put_in_segments(request, queue)
        else:
            done = (target.put_in_order if ordered else target.put)(request)
    except MQError:
        application.forget_empty_unit()
        raise
    if ordered or warning:
        handle.ask_order()
        if request.unit is not None:
            request.unit.remember(handle.order("put"))
        whole, in_unit = not flags & SEGMENTED, request.unit is not None
        handle.order("put").after(request.descriptor, len(body), whole, done.persistent, in_unit)
    done = Warned(done, warning) if warning and not done.warning else done
    done.describe_in(md)
    if pmo is not None:
        if asked_by(pmo) and pmo.NewMsgHandle:
            pmo.NewMsgHandle.put(request.descriptor)
        remote = target.kind == "QREMOTE" and not options & mq.MQPMO_RESOLVE_LOCAL_Q
        pmo.ResolvedQName, pmo.ResolvedQMgrName = target.destination if remote else (queue.name, queue.subject[0])
        pmo.KnownDestCount, pmo.UnknownDestCount, pmo.InvalidDestCount = 1, 0, 0
    return done


def described_with(request: Put, properties: dict[str, Any] | None, pmo: PMO | None) -> Descriptor:
    """The descriptor of a put with its properties, given by name or in a PMO."""
    descriptor = request.descriptor
    if properties is None and not descriptor.carries and not asked_by(pmo):
        return descriptor
    application = request.application
    return application.qmgr.properties.put(application, request.target, request.body, descriptor, properties, pmo)


def check_options(request: Put, options: int, handle: Handle) -> None:
    """2046 for put options that MQ does not take together, or at all."""
    application, target = request.application, request.target
    if not_here := options & (mq.MQPMO_MD_FOR_OUTPUT_ONLY | (0 if target.queue is None else _WITHOUT_QUEUE)):
        said = f"mqlab does not simulate put options {not_here:#x} (of publications to a queue, or MD_FOR_OUTPUT_ONLY)"
        raise NotSimulated(f"{said}. Leave these options out")
    if unknown := options & ~(_KNOWN | _WITHOUT_QUEUE):
        application.refuse(mq.MQRC_OPTIONS_ERROR, "unknown-put-options", target, "put", unknown=f"{unknown:#x}")
    alone = (_CONTEXTS, mq.MQPMO_SYNCPOINT | mq.MQPMO_NO_SYNCPOINT, mq.MQPMO_ASYNC_RESPONSE | mq.MQPMO_SYNC_RESPONSE)
    at_most_one(application, target, "put", "MQPMO_", options, *alone)
    only = mq.MQPMO_LOGICAL_ORDER if handle is None else mq.MQPMO_ALTERNATE_USER_AUTHORITY
    if options & only:
        case = "not-for-mqput1" if handle is None else "not-for-mqput"
        request.refuse(mq.MQRC_OPTIONS_ERROR, case, options=names_of("MQPMO_", options & only))


def persistence_of(request: Put, md: MD) -> bool | None:
    """True, False, or None for the queue's DEFPSIST; 2047 for a value that is not one of MQPER's values for a queue."""
    kinds = {mq.MQPER_NOT_PERSISTENT: False, mq.MQPER_PERSISTENT: True, mq.MQPER_PERSISTENCE_AS_Q_DEF: None}
    if md.Persistence not in kinds:
        request.refuse(mq.MQRC_PERSISTENCE_ERROR, "unknown", persistence=md.Persistence)
    return kinds[md.Persistence]


def descriptor_for(request: Put, options: int, md: MD, handle: Handle) -> tuple[Descriptor, bool]:
    """The rest of the descriptor, checked, and whether the put is in logical order."""
    application, target = request.application, request.target
    rare = (md.Report, md.MsgType, md.Feedback, md.Format, md.ReplyToQ, md.ReplyToQMgr)
    descriptor = describe(application, target, *rare)
    ccsid = application.qmgr.attributes["CCSID"] if md.CodedCharSetId == mq.MQCCSI_Q_MGR else md.CodedCharSetId
    descriptor = descriptor._replace(encoding=md.Encoding, ccsid=ccsid, version=md.Version)
    ordered = bool(options & mq.MQPMO_LOGICAL_ORDER)
    if md.Version < 2:
        if ordered:
            request.refuse(mq.MQRC_WRONG_MD_VERSION, "logical-order")
        return descriptor, False
    flags = md.MsgFlags
    accepted = _FLAGS | mq.MQMF_ACCEPT_UNSUP_MASK | (mq.MQMF_ACCEPT_UNSUP_IF_XMIT_MASK if target.elsewhere else 0)
    if flags & 0xFFFF_FFFF & ~accepted:
        request.refuse(mq.MQRC_MSG_FLAGS_ERROR, "msgflags", flags=f"{flags:#x}")
    flags |= mq.MQMF_MSG_IN_GROUP if flags & mq.MQMF_LAST_MSG_IN_GROUP else 0
    flags |= mq.MQMF_SEGMENT if flags & mq.MQMF_LAST_SEGMENT else 0
    queue = target.queue
    if flags & SEGMENTED and queue is not None and queue.definition.attributes.get("INDXTYPE") == "GROUPID":
        request.refuse(mq.MQRC_SEGMENTS_NOT_SUPPORTED, "segment", queue=queue.name)
    if flags & SEGMENTED and flags & mq.MQMF_SEGMENTATION_ALLOWED:
        raise NotSimulated("a segment that may itself be split: mqlab does not simulate it. Leave one flag out")
    length = _original_length(request, flags, md) if flags & SEGMENTED else mq.MQOL_UNDEFINED
    place = _next_place(request, flags, handle.order("put")) if ordered else _own_place(request, flags, md)
    return descriptor._replace(msg_flags=flags, original_length=length, **place), ordered


def _original_length(request: Put, flags: int, md: MD) -> int:
    """OriginalLength of a segment: the length of its data, or the field of a report about a segment; 2252, 2253."""
    length, last = len(request.body), flags & mq.MQMF_LAST_SEGMENT
    if md.MsgType == mq.MQMT_REPORT:
        if md.OriginalLength < max(length, 0 if last else 1):
            request.refuse(mq.MQRC_ORIGINAL_LENGTH_ERROR, "out-of-range", originallength=md.OriginalLength)
        return md.OriginalLength
    if not length and not last:
        request.refuse(mq.MQRC_SEGMENT_LENGTH_ZERO, "empty-segment")
    return length


def _next_place(request: Put, flags: int, order: LogicalOrder) -> dict[str, Any]:
    """GroupId, sequence number and offset that logical order gives: 2241 or 2242 where something is unfinished."""
    begun = order.group_id is not None
    if begun and order.segment and not flags & SEGMENTED:
        request.refuse(mq.MQRC_INCOMPLETE_MSG, "next-put")
    if begun and order.grouped and not flags & GROUPED:
        request.refuse(mq.MQRC_INCOMPLETE_GROUP, "next-put")
    if not flags & (GROUPED | SEGMENTED):
        return {}
    group_id = order.group_id if begun else _new_id(request)
    return {"group_id": group_id, "seq_number": order.seq_number, "offset": order.offset}


def _new_id(request: Put) -> bytes:
    """An identifier of the queue manager's making."""
    qmgr = request.target.qmgr
    return qmgr.new_id(qmgr.lab.next_message())


def _own_place(request: Put, flags: int, md: MD) -> dict[str, Any]:
    """GroupId, sequence number and offset as the application gives them; a GroupId is made where it gives none."""
    if not flags & (GROUPED | SEGMENTED):
        return {}
    if not 1 <= md.MsgSeqNumber <= 999_999_999:
        request.refuse(mq.MQRC_MSG_SEQ_NUMBER_ERROR, "out-of-range", msgseqnumber=md.MsgSeqNumber)
    if not 0 <= md.Offset <= 999_999_999:
        request.refuse(mq.MQRC_OFFSET_ERROR, "out-of-range", offset=md.Offset)
    group_id = _new_id(request) if md.GroupId == mq.MQGI_NONE else md.GroupId
    return {"group_id": group_id, "seq_number": md.MsgSeqNumber, "offset": md.Offset if flags & SEGMENTED else 0}


def _same_as_first(request: Put, handle: Handle) -> None:
    """2185 and 2245: the messages of a group are all persistent or none, all in a unit of work or none."""
    order = handle.order("put")
    if order.group_id is None:
        return
    persistent = request.target.defpsist if request.persistent is None else request.persistent
    if order.persistent != persistent:
        request.refuse(
            mq.MQRC_INCONSISTENT_PERSISTENCE, "persistence-differs", persistent=persistent, first=order.persistent
        )
    if order.in_unit != (request.unit is not None):
        request.refuse(mq.MQRC_INCONSISTENT_UOW, "unit-differs")


def context_for(request: Put, options: int, md: MD, pmo: PMO | None, handle: Handle) -> Context | None:
    """The context the options ask for (MQI-28); None for the application's own."""
    asked = options & _CONTEXTS
    if pmo is None or asked in (0, mq.MQPMO_DEFAULT_CONTEXT):
        return None
    if asked == mq.MQPMO_NO_CONTEXT:
        return Context(put_date="", put_time="")
    allowed = sum(option for option in _NOT_OPEN if option >= asked)
    if handle is not None and not handle.context_options & allowed:
        uses = names_of("MQOO_", allowed, " or ")
        request.refuse(_NOT_OPEN[asked], "not-opened-for-it", options=names_of("MQPMO_", asked), uses=uses)
    own: Context = request.application.context
    if asked & (mq.MQPMO_PASS_IDENTITY_CONTEXT | mq.MQPMO_PASS_ALL_CONTEXT):
        saved = _saved(request, pmo.Context)
        return saved if asked == mq.MQPMO_PASS_ALL_CONTEXT else own.with_identity_of(saved)
    identity = (md.UserIdentifier, md.AccountingToken, md.ApplIdentityData)
    if asked == mq.MQPMO_SET_IDENTITY_CONTEXT:
        return own.with_identity_of(Context(*identity))
    return Context(*identity, md.PutApplType, md.PutApplName, md.ApplOriginData, md.PutDate, md.PutTime)


def _saved(request: Put, source: Handle) -> Context:
    """The context saved by the handle in PMO.Context: 2097 if it is no such handle, 2098 before its first get."""
    if getattr(source, "target", None) is None or not getattr(source, "saves_context", False):
        request.refuse(mq.MQRC_CONTEXT_HANDLE_ERROR, "no-handle", source=repr(source))
    if source.saved_context is None:
        request.refuse(mq.MQRC_CONTEXT_NOT_AVAILABLE, "nothing-got")
    return source.saved_context
