"""MQGET with MQ's own structures: every option, in terms of the engine's get and browse.

Warnings: a call that completes with a warning returns its message, with the reason in `warning` (2079, as 2049 and 2104
of a put); a call that a warning stops raises MQError with `comp` 1 (2080, with the truncated data in `message`, and
2209).

A message put together from segments has the descriptor of the first, is the only segment in MsgFlags and SegmentStatus,
and is confirmed by one COD.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..words import constants as mq
from ..words.arguments import require
from ..words.errors import LabError, MQError, NotSimulated
from ..words.structures import GMO, MD, as_identifier
from . import options as checks
from .get import Call, answer, fetch, interval
from .logical_order import LogicalOrder
from .message import Message, QueuedMessage, Warned
from .message_groups import Wholes, status
from .store import Cursor
from .transmission import extension_of

if TYPE_CHECKING:
    from .logical_order import LogicalOrder
    from .message import Descriptor
    from .parts import Calls, Handle, LocalQueue, UnitOfWork
    from .target import QueueTarget, Target

_BROWSES = mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT | mq.MQGMO_BROWSE_MSG_UNDER_CURSOR
_UNDER_CURSOR = mq.MQGMO_BROWSE_MSG_UNDER_CURSOR | mq.MQGMO_MSG_UNDER_CURSOR
_SYNCPOINTS = mq.MQGMO_SYNCPOINT | mq.MQGMO_NO_SYNCPOINT | mq.MQGMO_SYNCPOINT_IF_PERSISTENT
_WHOLES = mq.MQGMO_COMPLETE_MSG | mq.MQGMO_ALL_MSGS_AVAILABLE | mq.MQGMO_ALL_SEGMENTS_AVAILABLE
_ORDERS = _WHOLES | mq.MQGMO_LOGICAL_ORDER
_OTHERS = mq.MQGMO_WAIT | mq.MQGMO_LOCK | mq.MQGMO_UNLOCK | mq.MQGMO_ACCEPT_TRUNCATED_MSG | mq.MQGMO_MARK_SKIP_BACKOUT
_PROPERTIES = mq.MQGMO_PROPERTIES | mq.MQGMO_NO_PROPERTIES
_FAILS, _CONVERT = mq.MQGMO_FAIL_IF_QUIESCING, mq.MQGMO_CONVERT
_NOT_HERE = mq.MQGMO_SET_SIGNAL | mq.MQGMO_MARKS
_KNOWN = _BROWSES | _UNDER_CURSOR | _SYNCPOINTS | _ORDERS | _OTHERS | _PROPERTIES | _CONVERT | _FAILS | _NOT_HERE
_NEVER_WITH = (
    (mq.MQGMO_SYNCPOINT, _BROWSES | mq.MQGMO_LOCK | mq.MQGMO_UNLOCK),
    (mq.MQGMO_SYNCPOINT_IF_PERSISTENT, _BROWSES | mq.MQGMO_COMPLETE_MSG | mq.MQGMO_UNLOCK),
    (mq.MQGMO_MARK_SKIP_BACKOUT, _BROWSES | mq.MQGMO_LOCK | mq.MQGMO_UNLOCK),
    (mq.MQGMO_WAIT, mq.MQGMO_SET_SIGNAL),
    (mq.MQGMO_LOCK, mq.MQGMO_MSG_UNDER_CURSOR),
    (mq.MQGMO_UNLOCK, _KNOWN & ~(mq.MQGMO_UNLOCK | mq.MQGMO_NO_SYNCPOINT)),
)
_DEFAULT_MATCH = mq.MQMO_MATCH_MSG_ID | mq.MQMO_MATCH_CORREL_ID
_V2_MATCH = mq.MQMO_MATCH_GROUP_ID | mq.MQMO_MATCH_MSG_SEQ_NUMBER | mq.MQMO_MATCH_OFFSET


def options_of(
    md: MD | None,
    gmo: GMO | None,
    wait: float,
    msg_id: bytes | str | None,
    correl_id: bytes | str | None,
    accept_truncated: bool,
) -> tuple[MD, GMO]:
    """The MD and GMO of a call, made of the keywords of a plain get where they are not given; LabError for both."""
    require("md", md, MD | None, "an MD, or None")
    require("gmo", gmo, GMO | None, "a GMO, or None")
    if md is not None and (msg_id is not None or correl_id is not None):
        raise LabError("md must hold the whole selection; got msg_id or correl_id as well")
    if gmo is not None and (wait or accept_truncated):
        raise LabError("gmo must hold all the options; got wait or accept_truncated as well")
    if md is None:
        ids = {"MsgId": msg_id, "CorrelId": correl_id}
        md = MD(**{field: value for field, value in ids.items() if value is not None})
    if gmo is None:
        wait_us = interval(wait) if wait else 0
        milliseconds = mq.MQWI_UNLIMITED if wait_us == mq.MQWI_UNLIMITED else wait_us // 1000
        options = mq.MQGMO_WAIT if wait else 0
        options |= mq.MQGMO_ACCEPT_TRUNCATED_MSG if accept_truncated else 0
        gmo = GMO(Options=options, WaitInterval=milliseconds)
    return md, gmo


def length_of(application: Calls, target: Target, buffer_length: int | None) -> int | None:
    """The length of a buffer in bytes; None for one as long as needed. 2005 for a negative one."""
    if buffer_length is None:
        return None
    require("buffer_length", buffer_length, int, "a number of bytes, or None")
    if buffer_length < 0:
        application.refuse(mq.MQRC_BUFFER_LENGTH_ERROR, "negative", target, "get", buffer_length=buffer_length)
    return buffer_length


def get(
    handle: Handle, md: MD, gmo: GMO, buffer_length: int | None, unit: UnitOfWork | None, with_options: bool
) -> Message | None:
    """Get or browse one message as `md` and `gmo` say; None for UNLOCK. Both structures are updated as MQ does.

    `with_options` is whether options were given; if not, the platform's default for syncpoint applies. A get that
    leaves a group unfinished, because it does not ask for logical order, has warning 2241 or 2242. MQError 2005, 2026,
    2046, 2062, 2090, 2186, 2209 (a warning), 2247, 2256, 2257, 2259, 2394, 2460, and those of
    `mqlab.engine.queues.get.fetch`."""
    application, options = handle.application, gmo.Options
    browsing = bool(options & _BROWSES)
    target = handle.require_open_for("browse" if browsing or options & (_UNDER_CURSOR | mq.MQGMO_UNLOCK) else "get")
    if options & mq.MQGMO_MSG_UNDER_CURSOR:
        handle.require_open_for("get")
    checks.require_version(application, target, "get", md, gmo)
    _check(application, target, gmo)
    if options & mq.MQGMO_UNLOCK:
        handle.give_up_lock()
        return None
    length = length_of(application, target, buffer_length)
    by_default = md.CodedCharSetId in (mq.MQCCSI_Q_MGR, mq.MQCCSI_APPL)
    wanted = md.Encoding, handle.qmgr.attributes["CCSID"] if by_default else md.CodedCharSetId
    properties = gmo.MsgHandle if with_options and gmo.Version >= 4 else None
    with_handle = not with_options or bool(properties)
    if (with_handle and with_options) or options & mq.MQGMO_PROPERTIES_IN_HANDLE:
        handle.qmgr.properties.require_handle(application, properties, target, "get", "MsgHandle of the GMO")
    match = _match(application, target, md, gmo)
    order = handle.order("browse" if browsing else "get")
    if options & mq.MQGMO_BROWSE_FIRST:
        order.end()
    logical = bool(options & mq.MQGMO_LOGICAL_ORDER)
    if options & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT):
        handle.browse_in(logical, bool(options & mq.MQGMO_BROWSE_FIRST))
    if logical and order.group_id is not None and match:
        _require_next(application, handle, order, md, match)
    inside = mq.MQGMO_SYNCPOINT | mq.MQGMO_SYNCPOINT_IF_PERSISTENT
    if browsing and unit is not None:
        raise LabError("unit must be None for a browse, which removes nothing; got a unit of work")
    chosen = options if with_options else None
    work: Any = None if browsing else checks.unit_for(application, unit, chosen, inside, mq.MQGMO_NO_SYNCPOINT)
    begun = order.group_id is not None
    try:
        _check_mark(application, target, options, work)
        complete = bool(options & mq.MQGMO_COMPLETE_MSG)
        call = Call(
            application,
            target,
            _wait_of(application, target, gmo),
            as_identifier(md.MsgId, "MsgId") if match & mq.MQMO_MATCH_MSG_ID else None,
            as_identifier(md.CorrelId, "CorrelId") if match & mq.MQMO_MATCH_CORREL_ID else None,
            work,
            handle,
            _cursor(handle, options, order) if browsing else None,
            bool(options & mq.MQGMO_LOCK),
            _fitting(options, order, md, match),
            (lambda queue, handle, message: Wholes(queue, handle).parts(message)) if complete else None,
            length,
            bool(options & mq.MQGMO_ACCEPT_TRUNCATED_MSG),
            bool(options & mq.MQGMO_SYNCPOINT_IF_PERSISTENT),
            options,
            with_handle,
            (options, match, md.GroupId, md.MsgSeqNumber, md.Offset, order.place()),
            _group_of(options, order, md, match),
        )
        if options & _UNDER_CURSOR:
            answered = answer(call, handle.under_cursor(target, call.name, work))
        else:
            answered = fetch(call)
    except MQError as error:
        application.forget_empty_unit()
        if error.message is not None:
            _update(handle, error.message, md, gmo, complete)
        raise
    if options & mq.MQGMO_MARK_SKIP_BACKOUT:
        work.marked = work.gets[-1]
    warning = 0 if browsing or logical else order.unfinished
    if logical or warning:
        handle.ask_order()
        if browsing and not begun:
            handle.group_cursor.stand_on(handle.cursor.message, target.queue.store.buckets[handle.cursor.filed])
        if work is not None:
            work.remember(order)
        order.after(answered.descriptor, answered.length, complete, answered.persistent, work is not None)
    about = answered.descriptor
    if options & _CONVERT and answered.body and wanted != (about.encoding, about.ccsid):
        answered = handle.qmgr.properties.converted(
            answered, *wanted, length, bool(options & mq.MQGMO_ACCEPT_TRUNCATED_MSG)
        )
    if warning:
        answered = Warned(answered, answered.warning or warning, answered.body, answered.length)
    if not browsing:
        handle.keep_context(answered)
    if properties:
        properties.fill(answered, target, options)
    _update(handle, answered, md, gmo, complete)
    if md.Version < 2 and (more := extension_of(answered.descriptor)):  # the fields of version 2 come before the data
        answered = Warned(answered, answered.warning, (more + answered.body)[:length], len(more) + answered.length)
        md.Format, gmo.ReturnedLength = mq.MQFMT_MD_EXTENSION, len(answered.body)
    return answered


def asked(target: QueueTarget, handle: Handle | None, md: MD, gmo: GMO) -> Call:
    """What a get with these structures searches for, for a question about it: nothing is checked or changed. `handle`
    is the handle that it is made on, None for any."""
    options, match = gmo.Options, gmo.MatchOptions if gmo.Version >= 2 else _DEFAULT_MATCH
    browsing, goes_on = bool(options & _BROWSES), bool(options & mq.MQGMO_BROWSE_NEXT)
    order = LogicalOrder()
    if handle is not None and not options & mq.MQGMO_BROWSE_FIRST:
        order = handle.orders.get("browse" if browsing else "get", order)
    return Call(
        target.qmgr,
        target,
        msg_id=as_identifier(md.MsgId, "MsgId") if match & mq.MQMO_MATCH_MSG_ID else None,
        correl_id=as_identifier(md.CorrelId, "CorrelId") if match & mq.MQMO_MATCH_CORREL_ID else None,
        handle=handle,
        cursor=handle.cursor if handle is not None and goes_on else Cursor() if browsing else None,
        fitting=_fitting(options, order, md, match),
        group_id=_group_of(options, order, md, match),
    )


def _cursor(handle: Handle, options: int, order: LogicalOrder) -> Cursor:
    """Where a browse begins: in logical order the search for a group covers the whole queue."""
    # what follows is behind the group's first message
    if options & mq.MQGMO_BROWSE_FIRST:
        handle.group_cursor.reset()
        return Cursor()
    if not options & mq.MQGMO_LOGICAL_ORDER:
        return handle.cursor
    return Cursor() if order.group_id is not None else handle.group_cursor


def _check(application: Calls, target: QueueTarget, gmo: GMO) -> None:
    """2046 for get options that MQ does not take together, or at all; 2394 for groups on z/OS without their index."""
    options, platform = gmo.Options, application.qmgr.platform
    unknown = options & ~_KNOWN
    if unknown:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "unknown-get-options", target, "get", unknown=f"{unknown:#x}")
    groups = (_SYNCPOINTS, _BROWSES | mq.MQGMO_MSG_UNDER_CURSOR, _PROPERTIES)
    checks.at_most_one(application, target, "get", "MQGMO_", options, *groups)
    checks.never_with(application, target, "get", "MQGMO_", options, _NEVER_WITH)
    if options & _ORDERS and gmo.Version < 2:
        application.refuse(
            mq.MQRC_WRONG_GMO_VERSION,
            "old-version",
            target,
            "get",
            options=checks.names_of("MQGMO_", options & _ORDERS),
        )
    if options & mq.MQGMO_LOCK and not options & _BROWSES:
        application.refuse(mq.MQRC_OPTIONS_ERROR, "lock-without-browse", target, "get")
    if options & mq.MQGMO_MARK_SKIP_BACKOUT and not (options & mq.MQGMO_SYNCPOINT and platform == "zos"):
        application.refuse(
            mq.MQRC_OPTIONS_ERROR, "mark-skip-backout", target, "get", platform=platform, options=f"{options:#x}"
        )
    if options & _NOT_HERE:
        said = checks.names_of("MQGMO_", options & _NOT_HERE)
        raise NotSimulated(f"{said}: mqlab does not simulate signals and marks of a browse. Leave them out")
    index = target.queue.definition.attributes.get("INDXTYPE")
    if platform == "zos" and options & _ORDERS and index != "GROUPID":
        application.refuse(
            mq.MQRC_Q_INDEX_TYPE_ERROR,
            "groups-need-index",
            target,
            "get",
            options=checks.names_of("MQGMO_", options & _ORDERS),
            queue=target.queue.name,
            index=index,
        )
    if options & _UNDER_CURSOR and options & _ORDERS:
        raise NotSimulated(
            "mqlab does not simulate a group or a whole message under the cursor. Use MQGMO_BROWSE_NEXT, or leave "
            "LOGICAL_ORDER, COMPLETE_MSG and ALL_..._AVAILABLE out"
        )


def _wait_of(application: Calls, target: Target, gmo: GMO) -> int:
    """The wait in microseconds, MQWI_UNLIMITED as it is; 2090 for another negative number."""
    if not gmo.Options & mq.MQGMO_WAIT:
        return 0
    if gmo.WaitInterval < mq.MQWI_UNLIMITED:
        application.refuse(mq.MQRC_WAIT_INTERVAL_ERROR, "negative", target, "get", waitinterval=gmo.WaitInterval)
    return mq.MQWI_UNLIMITED if gmo.WaitInterval == mq.MQWI_UNLIMITED else gmo.WaitInterval * 1000


def _match(application: Calls, target: QueueTarget, md: MD, gmo: GMO) -> int:
    """The match options in force; 2247 or 2257 for those that cannot be."""
    # 2247: unknown, or not supported by an index; 2257: it needs an MD of version 2
    match = gmo.MatchOptions if gmo.Version >= 2 else _DEFAULT_MATCH
    unknown = match & ~(_DEFAULT_MATCH | _V2_MATCH | mq.MQMO_MATCH_MSG_TOKEN)
    if unknown:
        application.refuse(mq.MQRC_MATCH_OPTIONS_ERROR, "match-options", target, "get", unknown=f"{unknown:#x}")
    if match & mq.MQMO_MATCH_MSG_TOKEN:
        raise NotSimulated("MQMO_MATCH_MSG_TOKEN: mqlab does not simulate message tokens. Match another field")
    queue = target.queue
    by_group = match & mq.MQMO_MATCH_GROUP_ID and md.GroupId != mq.MQGI_NONE
    if by_group and (grounds := queue.why_no_groups()) is not None:
        raise application.refusal(grounds, target, "get")
    if md.Version < 2 and (match & _V2_MATCH or gmo.Options & _ORDERS):
        application.refuse(mq.MQRC_WRONG_MD_VERSION, "groups", target, "get")
    return match


def _matches(descriptor: Descriptor, md: MD, match: int) -> bool:
    """Whether a descriptor has the group, sequence number and offset that are asked for; no GroupId matches any."""
    return (
        (not match & mq.MQMO_MATCH_GROUP_ID or md.GroupId in (mq.MQGI_NONE, descriptor.group_id))
        and (not match & mq.MQMO_MATCH_MSG_SEQ_NUMBER or md.MsgSeqNumber == descriptor.seq_number)
        and (not match & mq.MQMO_MATCH_OFFSET or md.Offset == descriptor.offset)
    )


def _fitting(
    options: int, order: LogicalOrder, md: MD, match: int
) -> Callable[[LocalQueue, Handle], Callable[[QueuedMessage], bool]] | None:
    """The test of a message beyond its identifiers, made again for each search; None if there is none."""
    ordered, complete = options & mq.MQGMO_LOGICAL_ORDER, options & mq.MQGMO_COMPLETE_MSG
    if not options & _ORDERS and not match & _V2_MATCH:
        return None
    begun = ordered and order.group_id is not None

    def fitting(queue: LocalQueue, handle: Handle) -> Callable[[QueuedMessage], bool]:
        now = queue.clock.time_us
        views = cache(lambda expired: Wholes(queue, handle, expired))

        def fits(message: QueuedMessage) -> bool:
            descriptor, expired = message.descriptor, message.expires_us is not None and message.expires_us <= now
            if not _matches(descriptor, md, match) or (ordered and not order.fits(descriptor)):
                return False
            if complete and descriptor.offset and not expired:
                return False
            wholes: Any = views(expired) if options & _WHOLES else None
            if options & mq.MQGMO_ALL_MSGS_AVAILABLE and not begun and not wholes.has_all_messages(message):
                return False
            segments = options & (mq.MQGMO_COMPLETE_MSG | mq.MQGMO_ALL_SEGMENTS_AVAILABLE)
            return not segments or (begun and order.segment) or wholes.has_all_segments(message)

        return fits

    return fitting


def _group_of(options: int, order: LogicalOrder, md: MD, match: int) -> bytes | None:
    """The GroupId that a message must have, None for any."""
    if match & mq.MQMO_MATCH_GROUP_ID and md.GroupId != mq.MQGI_NONE:
        return md.GroupId
    return order.group_id if options & mq.MQGMO_LOGICAL_ORDER else None


def _require_next(application: Calls, handle: Handle, order: LogicalOrder, md: MD, match: int) -> None:
    """2247 where the next message in logical order is not the one that the match options ask for."""
    for message in handle.source.store.in_order():
        descriptor = message.descriptor
        if order.fits(descriptor):
            same = (
                _matches(descriptor, md, match)
                and (not match & mq.MQMO_MATCH_MSG_ID or md.MsgId in (mq.MQMI_NONE, message.msg_id))
                and (not match & mq.MQMO_MATCH_CORREL_ID or md.CorrelId in (mq.MQCI_NONE, message.correl_id))
            )
            if not same:
                application.refuse(mq.MQRC_MATCH_OPTIONS_ERROR, "next-of-group", handle.target, "get")
            return


def _check_mark(application: Calls, target: Target, options: int, work: Any) -> None:
    """2062: one get in a unit of work may be left out of its backout."""
    if options & mq.MQGMO_MARK_SKIP_BACKOUT and work.marked is not None:
        application.refuse(mq.MQRC_SECOND_MARK_NOT_ALLOWED, "marked-already", target, "get")


def _update(handle: Handle, message: Message, md: MD, gmo: GMO, complete: bool) -> None:
    """Write what the call returns into its structures."""
    message.describe_in(md)
    md.Expiry, md.BackoutCount = message.expiry, message.backout_count
    gmo.ResolvedQName, gmo.ReturnedLength = handle.source.name, len(message.body)
    flags = message.msg_flags
    if complete and flags & mq.MQMF_SEGMENT:
        md.MsgFlags = flags = flags | mq.MQMF_LAST_SEGMENT
    gmo.GroupStatus, gmo.SegmentStatus = status(flags)
    if handle.qmgr.platform == "zos":
        gmo.SegmentStatus = " "
    gmo.Segmentation = "A" if message.msg_flags & mq.MQMF_SEGMENTATION_ALLOWED else " "
