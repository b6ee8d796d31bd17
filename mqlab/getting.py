"""MQGET: which message a get or browse meets, and what becomes of it."""

from __future__ import annotations

from bisect import insort

from .clock import microseconds
from .constants import MQRC_CONNECTION_BROKEN, MQRC_GET_INHIBITED, MQRC_NO_MSG_AVAILABLE, MQRO_COD
from .expiry import discard_met
from .message import PLAIN, Message, QueuedMessage

FOR_EVER = -1
"""A wait interval without end, as MQWI_UNLIMITED."""

__all__ = ["FOR_EVER", "browse", "get", "interval", "refuse_inhibited", "restore", "take"]


def get(application, target, wait_us, msg_id, correl_id, unit, handle=None) -> Message:
    """Take the first message in order that may be got and matches; MQError 2016, 2024 or 2033.

    Lapsed messages it meets on the way are discarded (EXP-08 to EXP-11). With `wait_us` above 0, or FOR_EVER, simulated
    time passes for everybody else until a message comes or the interval is over (MQI-17). `handle` is the handle the
    call is made on: its own lock does not hide a message from it.
    """
    queue = target.queue
    if unit is not None:
        application.require_own(unit)
        unit.admit(target, "get")
    if target.get_inhibited:
        refuse_inhibited(application, target, "get")
    if msg_id is None is correl_id and (message := queue.store.first()) is not None and message.holder is None:
        expires = message.expires_us
        if expires is None or queue.clock.time_us < expires:
            return take(application, target, message, unit)
    if wait_us:
        with queue.clock.unbroken():
            return _wait(application, target, wait_us, msg_id, correl_id, unit, handle)
    message, lapsed = _search(queue, queue.clock.time_us, msg_id, correl_id, None, handle)
    return _finish(application, target, message, lapsed, msg_id, correl_id, unit)


def interval(wait: float) -> int:
    """A wait in seconds as microseconds; infinity is FOR_EVER. LabError for what is neither."""
    return FOR_EVER if wait == float("inf") else microseconds(wait, "wait")


def _finish(application, target, message, lapsed, msg_id, correl_id, unit, waited=False) -> Message:
    """End a get: take the message found or fail with 2033, then discard what it met on the way."""
    queue = target.queue
    if message is None:
        why = _why_none(queue, lapsed, msg_id, correl_id, waited=waited)
        error = application.refusal(MQRC_NO_MSG_AVAILABLE, target, "get", *why)
        _discard_all(application, queue, lapsed, error.seq, msg_id, correl_id, unit)
        raise error
    seq = queue.qmgr.lab.events.next_seq
    found = take(application, target, message, unit)
    _discard_all(application, queue, lapsed, seq, msg_id, correl_id, unit)
    return found


def _wait(application, target, wait_us, msg_id, correl_id, unit, handle) -> Message:
    """Wait for a message that matches, up to `wait_us` microseconds (FOR_EVER: until one comes)."""
    queue = target.queue
    clock = queue.clock
    until = None if wait_us == FOR_EVER else clock.time_us + wait_us
    seq, turn = None, queue.next_turn()
    while True:
        # registered before anything is discarded: a report that this puts on the same queue must wake the wait
        arrival = clock.event()
        insort(queue.waiters, (turn, arrival))
        try:
            message, lapsed = _search(queue, clock.time_us, msg_id, correl_id, None, handle)
            if message is not None or (seq is not None and until is not None and clock.time_us >= until):
                return _finish(application, target, message, lapsed, msg_id, correl_id, unit, waited=True)
            if seq is None:
                seq = _log_wait(application, queue, until)
            _discard_all(application, queue, lapsed, seq, msg_id, correl_id, unit)
            clock.wait(arrival, until)
        finally:
            if (turn, arrival) in queue.waiters:
                queue.waiters.remove((turn, arrival))
        _recheck(application, target, unit, handle)


def _log_wait(application, queue, until: int | None) -> int:
    return queue.qmgr.lab.events.write(
        queue.clock.time_us,
        "wait",
        queue.place,
        program=application.caller,
        depth=queue.depth,
        rule="MQI-17",
        cause=application.cause,
        detail={"until_us": until},
    )


def _recheck(application, target, unit, handle) -> None:
    """Whether a get that waited may go on: much can have happened meanwhile. MQError 2009, 2016, 2024, 2041 or 2255."""
    if not target.queue.qmgr.running or (handle is not None and handle.target is None):
        application.fail(
            MQRC_CONNECTION_BROKEN,
            target,
            "get",
            "MQI-16",
            "the queue manager ended, or the handle was closed, while the get waited",
            "connect and open again",
        )
    if handle is not None:
        handle.require_unchanged("get")
    if unit is not None:
        unit.admit(target, "get")
    if target.get_inhibited:
        refuse_inhibited(application, target, "get")


def take(application, target, message: QueuedMessage, unit) -> Message:
    """Take a message off its queue: for good, or until the unit of work ends. A lock on it is gone."""
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
        left, rule = message.tenths_left(now), "EXP-07"
    if unit is None:
        number = None
    else:
        number = unit.number
        unit.gets.append((queue, message))
        if left is None:
            rule = "MQI-06"
    seq = queue.log(
        (
            now,
            "get",
            queue.place,
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
            target.via,
        )
    )
    if message.descriptor is not PLAIN and message.descriptor.report & MQRO_COD:
        queue.qmgr.confirm_delivery(queue, message, seq, unit)
    return Message(message, left, queue.qmgr)


def browse(application, target, cursor, msg_id, correl_id, handle=None, lock=False) -> Message:
    """A copy of the next message behind `cursor` that matches, left on its queue (MQI-03); MQError 2016 or 2033.

    Lapsed messages it meets are discarded, as by a get. With `lock` the message is hidden from other handles.
    """
    queue = target.queue
    qmgr = queue.qmgr
    now = qmgr.clock.time_us
    if target.get_inhibited:
        refuse_inhibited(application, target, "browse")
    message, lapsed = _search(queue, now, msg_id, correl_id, cursor, handle)
    if message is None:
        error = application.refusal(
            MQRC_NO_MSG_AVAILABLE, target, "browse", *_why_none(queue, lapsed, msg_id, correl_id, browsing=True)
        )
        _discard_all(application, queue, lapsed, error.seq, msg_id, correl_id, None, browsing=True)
        raise error
    left = message.tenths_left(now)
    rule = "MQI-03" if left is None else "EXP-07"
    detail = '{"lock":true}' if lock else None
    seq = queue.record("browse", message, application.caller, None, rule, message.seq, detail)
    cursor.stand_on(message, queue.store.buckets[message.filed])
    if lock:
        message.holder = handle
    _discard_all(application, queue, lapsed, seq, msg_id, correl_id, None, browsing=True)
    return Message(message, left, qmgr)


def restore(queue, message: QueuedMessage, unit, cause: int) -> None:
    """Return a got message to its old place, BackoutCount one higher (MQI-08); it has gone on ageing (EXP-20)."""
    message.backout_count += 1
    queue.depth += 1
    if queue.trigger is not None:
        queue.trigger.returned(message)
    left = message.tenths_left(queue.clock.time_us)
    rule = "EXP-20" if left is not None and left <= 0 else "TRG-12c" if queue.trigger is not None else "MQI-08"
    queue.record("restore", message, unit.application.caller, unit.number, rule, cause)
    queue.admit(message)


def _search(
    queue, now: int, msg_id, correl_id, cursor=None, handle=None
) -> tuple[QueuedMessage | None, list[QueuedMessage]]:
    """The first live message that matches and is nobody else's, and the lapsed ones met before it."""
    lapsed: list[QueuedMessage] = []
    selective = msg_id is not None or correl_id is not None
    store = queue.store
    for message in store.matching(msg_id, correl_id, cursor) if selective else store.in_order(cursor):
        if message.holder is not None and message.holder is not handle:
            continue
        expires = message.expires_us
        if expires is None or now < expires:
            return message, lapsed
        lapsed.append(message)
    return None, lapsed


def _discard_all(application, queue, lapsed, cause, msg_id, correl_id, unit, browsing=False) -> None:
    if lapsed:
        selective = msg_id is not None or correl_id is not None
        discard_met(queue, lapsed, application.caller, cause, selective, browsing, unit is not None)


def _why_none(queue, lapsed, msg_id, correl_id, browsing=False, waited=False) -> tuple[str, str, str]:
    """Rule, what was found and a hint for a 2033 that leaves a queue as it now is."""
    left = queue.depth - len(lapsed)
    selective = msg_id is not None or correl_id is not None
    again = "browse_first() begins again" if browsing else "wait longer" if waited else "wait: get(..., wait=seconds)"
    if lapsed:
        matched = " that matched" if selective else ""
        others = f"; the {left} left cannot be got now" if left and not selective and not browsing else ""
        return (
            "EXP-11",
            f"{_count(len(lapsed), 'message')}{matched} lapsed and discarded{others}",
            "get sooner, or let the putter set a longer expiry",
        )
    if selective:
        passed = queue.lapsed_witness(queue.clock.time_us) is not None
        where = " behind the cursor" if browsing else ""
        return (
            "EXP-08" if passed else "MQI-04",
            f"none of {queue.depth} matches the identifier asked for{where}",
            "browse the queue to see the identifiers it holds",
        )
    if left and browsing:
        return "MQI-12", f"CURDEPTH is {left}, and none that can be browsed is behind the cursor", again
    if left:
        return (
            "MQI-12",
            f"CURDEPTH is {left}, and none can be got now",
            "end the unit of work or the lock that holds them",
        )
    return "MQI-12", "the queue is empty", again


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def refuse_inhibited(application, target, call: str) -> None:
    """Raise 2016 for a queue, or an alias, with GET(DISABLED) (MQI-11)."""
    closed = target.queue if target.queue.get_inhibited else target
    application.fail(
        MQRC_GET_INHIBITED,
        target,
        call,
        "MQI-11",
        f"{closed.name} has GET(DISABLED)",
        f"ALTER {closed.kind}({closed.name}) GET(ENABLED)",
    )
