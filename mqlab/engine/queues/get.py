"""MQGET: the message that a get or browse finds, and its fate."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..words import constants as mq
from ..words.constants import MQFMT_XMIT_Q_HEADER, MQRO_COD
from ..words.errors import LabError, MQError
from ..words.refusals import Grounds
from ..world.clock import TENTH, microseconds
from ..world.interrupts import INTERRUPT, Handler, getsignal
from ..world.passing import caller
from .expiry import discard_met
from .message import PLAIN, Message, QueuedMessage, Warned, hand_over
from .reports import COD, send_report
from .store import Passed
from .transmission import seen

if TYPE_CHECKING:
    from .parts import Calls, Handle, LocalQueue, UnitOfWork
    from .store import Cursor
    from .target import QueueTarget

_CUT = f'{{"warning":{mq.MQRC_TRUNCATED_MSG_ACCEPTED}}}'


class Call(NamedTuple):
    """One MQGET: its application, its target, its selection, and the fate of the message.

    `handle` is the handle the call is made on: its own lock does not hide a message from it. With a `cursor` the call
    browses behind it, and `lock` hides the message from other handles. `fitting(queue, handle)` gives a further test of
    a message, again for each search, and `test` is all that it depends on beside the queue; with `group_id` it fits no
    message of another group. `whole(queue, handle, message)` the messages that make up the one it returns.
    `longest` is the length of the buffer in bytes (None: as long as needed), and `accept` returns a truncated
    message. With `if_persistent` only a get of a persistent message is part of `unit`. `options`, of an MQGMO, and
    `with_handle`, whether a handle takes them, decide how the properties of the message are returned.
    """

    application: Calls
    target: QueueTarget
    wait_us: int = 0
    msg_id: bytes | None = None
    correl_id: bytes | None = None
    unit: UnitOfWork | None = None
    handle: Handle | None = None
    cursor: Cursor | None = None
    lock: bool = False
    fitting: Callable | None = None
    whole: Callable | None = None
    longest: int | None = None
    accept: bool = False
    if_persistent: bool = False
    options: int = 0
    with_handle: bool = True
    test: object = None
    group_id: bytes | None = None

    @property
    def name(self) -> str:
        """Its name in the event log."""
        return "get" if self.cursor is None else "browse"

    @property
    def selective(self) -> bool:
        """Whether it wants less than any message."""
        return self.msg_id is not None or self.correl_id is not None or self.fitting is not None or self.selects

    @property
    def selects(self) -> bool:
        """Whether it is made with a handle that finds only some messages."""
        return self.handle is not None and self.handle.selecting is not None


def get(
    application: Calls,
    target: QueueTarget,
    wait_us: int,
    msg_id: bytes | None,
    correl_id: bytes | None,
    unit: UnitOfWork | None,
    handle: Handle | None = None,
) -> Message:
    """Get the first available message that matches; MQError 2016, 2024 or 2033.

    Expired messages ahead of it are discarded (EXP-08 to EXP-11). With `wait_us` above 0, or MQWI_UNLIMITED,
    time passes for everybody else until a message arrives or the interval ends (MQI-17). `handle` is the handle the
    call is made on: its own lock does not hide a message from it.
    """
    passing = target.queue.clock.passing
    holder = passing.holder
    if (holder is not None and holder != caller()) or type(getsignal(INTERRUPT)) is not Handler:
        passing.require_here()
    if msg_id is None and correl_id is None and not target.get_inhibited:
        queue = target.queue
        message = queue.store.first()
        if message is not None and message.holder is None:
            expires = message.expires_us
            if expires is None or queue.clock.time_us < expires:
                if unit is not None:
                    application.require_own(unit)
                    unit.require_room(target, "get")
                return take(application, target, message, unit, target.via)
    return fetch(Call(application, target, wait_us, msg_id, correl_id, unit, handle))


def fetch(call: Call) -> Message:
    """Answer one call: a get, or a browse; MQError 2016, 2024, 2033, 2206, 2207, or 2080 as a warning.

    A browse returns a copy and leaves the message on its queue (MQI-03); it discards expired messages as a get does.
    """
    call.target.queue.clock.passing.require_here()
    if call.unit is not None:
        call.application.require_own(call.unit)
        call.unit.require_room(call.target, "get")
    if call.target.get_inhibited:
        refuse_inhibited(call.application, call.target, call.name)
    if call.target.queue.indexed:
        call.target.queue.require_index(call)
    if not call.wait_us:
        return _finish(call, *_search(call))
    with call.target.queue.clock.unbroken():
        return _wait(call)


def interval(wait: float) -> int:
    """A wait in seconds as microseconds; FOR_EVER is MQWI_UNLIMITED. LabError for any other value."""
    if wait == mq.MQWI_UNLIMITED:
        raise LabError(f'wait must be seconds, 0 or more, or float("inf") forever; got {wait!r}')
    return mq.MQWI_UNLIMITED if wait == mq.FOR_EVER else microseconds(wait, "wait")


def _finish(call: Call, message: QueuedMessage | None, expired: list, waited: bool = False) -> Message:
    """End a call: serve the message found or fail with 2033, then discard the expired messages it reached."""
    if message is None:
        error = call.application.refusal(_why_none(call, expired, waited), call.target, call.name)
        error.waited = waited
        if call.cursor is not None and call.handle is not None:
            call.handle.found_none(call.cursor)
        if expired:
            discard_met(call, expired, error.seq)
        raise error
    seq = call.target.queue.qmgr.lab.events.next_seq
    try:
        return answer(call, message)
    finally:
        if expired:
            discard_met(call, expired, seq)


def _wait(call: Call) -> Message:
    """Wait for a message that matches, up to the call's interval (MQWI_UNLIMITED: until one comes)."""
    queue, handle = call.target.queue, call.handle
    clock = queue.clock
    until = None if call.wait_us == mq.MQWI_UNLIMITED else clock.time_us + call.wait_us
    seq, turn = None, queue.next_turn() - call.selective * 2**40  # gets that select come first
    while True:
        # registered before anything is discarded: a report that this puts on the same queue must wake the wait
        arrival = clock.event()
        insort(queue.waiters, (turn, arrival))
        try:
            message, expired = _search(call)
            if message is not None or (seq is not None and until is not None and clock.time_us >= until):
                return _finish(call, message, expired, waited=True)
            if seq is None:
                if call.cursor is not None and handle is not None:
                    handle.unlock()
                detail = {"until_us": until, **queue.own_detail}
                seq = call.application.record("wait", queue.subject, "MQI-17", depth=queue.depth, detail=detail)
            discard_met(call, expired, seq)
            if handle is not None:
                handle.waiting = call
            clock.wait(arrival, until, call.application.idle)
        finally:
            if handle is not None:
                handle.waiting = None
            if (turn, arrival) in queue.waiters:
                queue.waiters.remove((turn, arrival))
        try:
            target = _recheck(call)
        except MQError as error:
            error.waited = True
            raise
        if target is not call.target:  # the connection was made again elsewhere
            left = mq.MQWI_UNLIMITED if until is None else max(until - clock.time_us, 0)
            return _wait(call._replace(target=target, wait_us=left))


def _recheck(call: Call) -> QueueTarget:
    """The target of a get that waited and may go on. MQError 2009, 2016, 2024, 2041, 2161, 2202, or 2255."""
    handle = call.handle
    if call.application.gate is not None:
        call.application.gate.require_still(call.name, call.options)
    target: Any = call.target if handle is None else handle.target
    if target is None or not target.queue.qmgr.running:
        call.application.refuse(mq.MQRC_CONNECTION_BROKEN, "ended-while-waiting", call.target, call.name)
    if handle is not None:
        handle.require_unchanged(call.name)
    if call.unit is not None:
        call.unit.require_room(target, "get")
    if target.get_inhibited:
        refuse_inhibited(call.application, target, call.name)
    return target


def answer(call: Call, message: QueuedMessage) -> Message:
    """Give the call this message: taken or browsed, whole or cut. MQError 2080, a warning, if it does not fit.

    A message that is truncated and not accepted stays on its queue, and cursor and lock stay as they were (MQI-26); the
    error's `message` shows it.
    """
    application, target, unit = call.application, call.target, call.unit
    parts = [message] if call.whole is None else call.whole(target.queue, call.handle, message)
    first = shown = parts[0]
    about = first.descriptor
    if about is not PLAIN and about.carries and about.format != MQFMT_XMIT_Q_HEADER:
        shown = target.queue.qmgr.properties.delivered(first, target, call.options, call.with_handle)
    length = sum(len(part.body) for part in parts[1:]) + len(shown.body)
    cut = call.longest is not None and length > call.longest
    body = (
        None if call.whole is None and not cut else b"".join(part.body for part in (shown, *parts[1:]))[: call.longest]
    )
    if cut and not call.accept:
        raise _too_long(call, shown, body, length)
    if unit is not None:
        unit.require_room(target, "get", len(parts))
    detail = _CUT if cut else target.via
    if call.cursor is not None:
        result = _look(call, call.cursor, parts, detail, shown)
    else:
        taken = []
        for part in parts:
            within = unit if part.persistent or not call.if_persistent else None
            taken.append(take(application, target, part, within, detail, parts, shown if part is first else part))
        result = taken[0]
    return result if body is None else Warned(result, mq.MQRC_TRUNCATED_MSG_ACCEPTED if cut else 0, body, length)


def _too_long(call: Call, message: QueuedMessage, body: bytes | None, length: int) -> MQError:
    """The warning 2080 of a call whose buffer is too short."""
    qmgr = call.target.queue.qmgr
    grounds = Grounds(mq.MQRC_TRUNCATED_MSG_FAILED, "buffer", {"length": length, "buffer": call.longest})
    error = call.application.refusal(grounds, call.target, call.name, comp=mq.MQCC_WARNING)
    left = message.tenths_left(qmgr.clock.time_us)
    error.message = Warned(hand_over(message, left, qmgr), mq.MQRC_TRUNCATED_MSG_FAILED, body, length)
    return error


def take(
    application: Calls,
    target: QueueTarget,
    message: QueuedMessage,
    unit: UnitOfWork | None,
    detail: str | None,
    parts: list | None = None,
    shown: QueuedMessage | None = None,
) -> Message:
    """Remove a message from its queue, permanently or until the unit of work ends. Its lock is released.

    The application gets it as `shown`, or else with its properties as the queue says. Where it is one of the `parts` of
    a message that is put together, one report confirms the delivery of them all.
    """
    queue = target.queue
    now = queue.clock.time_us
    message.holder = None
    queue.store.remove(message)
    queue.depth = depth = queue.depth - 1
    if queue.trigger is not None:
        queue.trigger.left(message)
    if message.expires_us is None:
        left, rule = None, "MQI-02"
    else:
        left, rule = -((now - message.expires_us) // TENTH), "EXP-07"
    returned, descriptor = message if shown is None else shown, message.descriptor
    if descriptor is not PLAIN:
        if descriptor.format == MQFMT_XMIT_Q_HEADER:
            returned, rule = seen(message, now, "MQI-02" if application.discard_rule is None else application.get_rule)
        elif shown is None and descriptor.carries:
            returned = queue.qmgr.properties.delivered(message, target, 0, True)
    if unit is not None and (message.persistent or not unit.spares_non_persistent):
        number = unit.number
        unit.gets.append((queue, message))
        if rule == "MQI-02":
            rule = "MQI-06"
    else:
        number = unit = None
    log = queue.log
    seq = log(
        (
            now,
            "get",
            queue.subject,
            message.number,
            message.msg_id,
            application.caller,
            number,
            message.priority,
            message.persistent,
            left,
            depth,
            message.put_us,
            message.arrived_us,
            None,
            rule,
            message.seq,
            detail,
        )
    )
    if descriptor is not PLAIN and descriptor.report & MQRO_COD and (parts is None or message is parts[-1]):
        send_report(COD, queue, message if parts is None else _joined(parts), seq, "MQI-22", unit)
    handed = Message()  # as hand_over, without the cost of its call
    handed._of = returned
    handed._qmgr = queue.qmgr
    handed._expiry = left
    handed._backout_count = message.backout_count
    return handed


def _joined(parts: list[QueuedMessage]) -> QueuedMessage:
    """A message put together from its segments: the first one's descriptor, and all the data."""
    whole, descriptor = parts[0].copy(), parts[0].descriptor
    whole.body = b"".join(part.body for part in parts)
    last = mq.MQMF_LAST_SEGMENT if descriptor.msg_flags & mq.MQMF_SEGMENT else 0
    whole.descriptor = descriptor._replace(msg_flags=descriptor.msg_flags | last, original_length=mq.MQOL_UNDEFINED)
    return whole


def _look(call: Call, cursor: Cursor, parts: list[QueuedMessage], detail: str | None, shown: QueuedMessage) -> Message:
    """Browse a message, as `shown`: the cursor moves to it, and the handle's earlier lock is released."""
    queue, handle, message = call.target.queue, call.handle, parts[0]
    left = message.tenths_left(queue.clock.time_us)
    if handle is not None:
        handle.unlock()
        if cursor is not handle.cursor:
            cursor = handle.cursor
            cursor.reset()
    rule, returned = "MQI-03" if left is None else "EXP-07", shown
    if message.descriptor.format == MQFMT_XMIT_Q_HEADER:
        returned, rule = seen(message, queue.clock.time_us, "MQI-03")
    detail = '{"lock":true}' if call.lock else detail
    queue.record("browse", message, call.application.caller, None, rule, message.seq, detail)
    cursor.stand_on(message, queue.store.buckets[message.filed])
    if call.lock and handle is not None:
        handle.lock(parts)
    return hand_over(returned, left, queue.qmgr)


def restore(queue: LocalQueue, message: QueuedMessage, unit: UnitOfWork, cause: int) -> None:
    """Return a got message to its old place, BackoutCount one higher (MQI-08); it has gone on aging (EXP-20)."""
    message.backout_count += 1
    queue.depth += 1
    if queue.trigger is not None:
        queue.trigger.returned(message)
    left = message.tenths_left(queue.clock.time_us)
    rule = "EXP-20" if left is not None and left <= 0 else "TRG-12c" if queue.trigger is not None else "MQI-08"
    queue.record("restore", message, unit.application.caller, unit.number, rule, cause)
    queue.make_available(message, cause)


def _search(call: Call) -> tuple[QueuedMessage | None, list[QueuedMessage]]:
    """The first available message that matches, and the expired ones ahead of it."""
    expired: list[QueuedMessage] = []
    queue, handle = call.target.queue, call.handle
    now, store = queue.clock.time_us, queue.store
    fits = None if call.fitting is None else call.fitting(queue, handle)
    selecting = handle.selecting if handle is not None else None
    reaches = selecting is not None and queue.qmgr.platform == "zos"  # also expired messages that it does not select
    passing: Passed | None = None
    if call.msg_id is not None or call.correl_id is not None or call.group_id is not None:
        candidates = store.matching(call.msg_id, call.correl_id, call.cursor, call.group_id)
    elif call.cursor is not None:
        candidates = store.in_order(call.cursor)
    else:
        timed = now if fits is not None or (selecting is not None and (selecting.timed or reaches)) else None
        wanted = selecting, call.test, fits and store.grouped, timed
        alike = wanted == (None, None, None, None) and (handle is None or handle.locked is None)
        passing = store.passed if alike or handle is None else handle.passed
        candidates = passing.messages(store, wanted)
    passed: dict[int, QueuedMessage] = {}  # the last message of each priority before the first eligible message
    stopped = -1
    for message in candidates:
        if (
            (message.holder is not None and message.holder is not handle)
            or (fits is not None and not fits(message))
            or (selecting is not None and not selecting.matches(queue.qmgr.properties.values(message, queue.qmgr)))
        ):
            if reaches and message.holder is None and message.expires_us is not None and message.expires_us <= now:
                expired.append(message)
                stopped = message.filed
            elif message.filed != stopped:
                passed[message.filed] = message
            continue
        expires = message.expires_us
        if expires is None or now < expires:
            break
        expired.append(message)
        stopped = message.filed
    else:
        message = None
    if passing is not None:
        for last in passed.values():
            passing.passed(store, last)
    return message, expired


def _why_none(call: Call, expired: list[QueuedMessage], waited: bool) -> Grounds:
    """The reason why a get finds no message (2033) on a queue now."""
    queue, selective, browsing = call.target.queue, call.selective, call.cursor is not None
    left, depth = queue.depth - len(expired), queue.depth
    if expired:
        all_met = call.selects and queue.qmgr.platform == "zos"
        matched = "-that-matched" if selective and not all_met else ""
        others = "-others-left" if left and not selective and not browsing else ""
        return _none(f"expired{matched}{others}", expired=len(expired), **({"left": left} if others else {}))
    if call.handle is not None and call.handle.selecting is not None and left:
        return call.handle.selecting.none_of(depth)
    if call.fitting is not None and left:
        return _none("not-fitting", depth=depth)
    if selective and left:
        position = "-behind-cursor" if browsing else ""
        beside = "" if queue.expired_witness(queue.clock.time_us) is None else "-beside-expired"
        return _unavailable_match(call) or _none(f"not-matching{position}{beside}", depth=depth)
    if left:
        return _none("behind-cursor" if browsing else "not-available", left=left)
    nothing = "empty-for-identifier" if selective else "empty"
    return _none(f"{nothing}{'-browsed' if browsing else '-waited' if waited else ''}")


def _none(case: str, **fields: object) -> Grounds:
    """A case of 2033."""
    return Grounds(mq.MQRC_NO_MSG_AVAILABLE, case, fields)


def _unavailable_match(call: Call) -> Grounds | None:
    """The case of a message that has the identifier asked for but is not committed, or locked by a browse."""
    queue = call.target.queue
    ids = call.msg_id, call.correl_id

    def fits(message: QueuedMessage) -> bool:
        return all(want in (None, has) for want, has in zip(ids, (message.msg_id, message.correl_id), strict=True))

    units = [unit for one in queue.instances for unit in one.qmgr.units.values()] if queue.uncommitted else []
    puts = [message for unit in units for owner, message in unit.puts if owner in queue.instances and fits(message)]
    matching = queue.store.matching(call.msg_id, call.correl_id, call.cursor)
    locked = [message for message in matching if message.holder is not None]
    if not puts and not locked:
        return None
    case = "match-not-committed" if not locked else "match-locked-or-not-committed" if puts else "match-locked"
    fields = {"puts": len(puts)} if puts else {}
    return _none(
        case,
        matching=len(puts) + len(locked),
        depth=queue.depth,
        **fields,
        **({"locked": len(locked)} if locked else {}),
    )


def refuse_inhibited(application: Calls, target: QueueTarget, call: str) -> None:
    """Raise 2016 for a queue, or an alias, with GET(DISABLED) (MQI-11)."""
    target.queue.require_usable(application, target, call)
    closed: QueueTarget = target.queue if target.queue.get_inhibited else target
    application.refuse(mq.MQRC_GET_INHIBITED, "disabled", target, call, closed=closed.name, kind=closed.kind)
