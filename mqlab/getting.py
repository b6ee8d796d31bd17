"""MQGET: which message a get or browse meets, and what becomes of it."""

from __future__ import annotations

from .constants import MQRC_GET_INHIBITED, MQRC_NO_MSG_AVAILABLE
from .expiry import discard
from .message import Message, QueuedMessage

__all__ = ["browse", "get", "restore", "take"]


def get(application, target, wait_us, msg_id, correl_id, unit) -> Message:
    """Take the first message in order that may be got and matches; MQError 2016, 2024 or 2033.

    Lapsed messages it meets on the way are discarded (EXP-08 to EXP-11). With `wait_us` above 0 simulated time passes
    for everybody else until a message comes or the interval is over (MQI-17).
    """
    queue = target.queue
    if unit is not None:
        unit.admit(target, "get")
    if target.get_inhibited:
        _refuse_inhibited(application, target, "get")
    if msg_id is None is correl_id and (message := queue.store.first()) is not None and message.holder is None:
        expires = message.expires_us
        if expires is None or queue.clock.time_us < expires:
            return take(application, queue, message, unit)
    message, lapsed = _search(queue, queue.clock.time_us, msg_id, correl_id)
    if message is None and wait_us:
        return _wait(application, target, wait_us, msg_id, correl_id, unit, lapsed)
    return _finish(application, target, message, lapsed, msg_id, correl_id, unit)


def _finish(application, target, message, lapsed, msg_id, correl_id, unit) -> Message:
    """End a get: take the message found or fail with 2033, then discard what it met on the way."""
    if message is None:
        error = application.refusal(
            MQRC_NO_MSG_AVAILABLE, target, "get", *_why_none(target.queue, lapsed, msg_id, correl_id)
        )
        _discard_all(application, target.queue, lapsed, error.seq, msg_id, correl_id, unit)
        raise error
    seq = target.queue.qmgr.lab.events.next_seq
    found = take(application, target.queue, message, unit)
    _discard_all(application, target.queue, lapsed, seq, msg_id, correl_id, unit)
    return found


def _wait(application, target, wait_us, msg_id, correl_id, unit, lapsed) -> Message:
    """Wait for a message that matches, up to `wait_us` microseconds."""
    queue = target.queue
    qmgr = queue.qmgr
    until = qmgr.clock.time_us + wait_us
    seq = qmgr.lab.events.write(
        qmgr.clock.time_us,
        "wait",
        queue.place,
        program=application.program,
        depth=queue.depth,
        rule="MQI-17",
        cause=application.cause,
        detail={"until_us": until},
    )
    _discard_all(application, queue, lapsed, seq, msg_id, correl_id, unit)
    while True:
        arrival = qmgr.clock.event()
        queue.waiters.append(arrival)
        qmgr.clock.wait(arrival, until)
        if not arrival.triggered:
            queue.waiters.remove(arrival)
        if target.get_inhibited:
            _refuse_inhibited(application, target, "get")
        message, lapsed = _search(queue, qmgr.clock.time_us, msg_id, correl_id)
        if message is not None or not arrival.triggered:
            return _finish(application, target, message, lapsed, msg_id, correl_id, unit)
        _discard_all(application, queue, lapsed, seq, msg_id, correl_id, unit)


def take(application, queue, message: QueuedMessage, unit) -> Message:
    """Take a message off its queue: for good, or until the unit of work ends."""
    now = queue.clock.time_us
    queue.store.remove(message)
    queue.depth = depth = queue.depth - 1
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
    queue.log(
        (
            now,
            "get",
            queue.place,
            message.number,
            message.msg_id,
            application.program,
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
            None,
        )
    )
    return Message(message, left, queue.qmgr)


def browse(application, target, cursor, msg_id, correl_id, handle=None, lock=False) -> Message:
    """A copy of the next message behind `cursor` that matches, left on its queue (MQI-03); MQError 2016 or 2033.

    Lapsed messages it meets are discarded, as by a get. With `lock` the message is hidden from other handles.
    """
    queue = target.queue
    qmgr = queue.qmgr
    now = qmgr.clock.time_us
    if target.get_inhibited:
        _refuse_inhibited(application, target, "browse")
    message, lapsed = _search(queue, now, msg_id, correl_id, cursor, handle)
    if message is None:
        error = application.refusal(
            MQRC_NO_MSG_AVAILABLE, target, "browse", *_why_none(queue, lapsed, msg_id, correl_id)
        )
        _discard_all(application, queue, lapsed, error.seq, msg_id, correl_id, None)
        raise error
    left = message.tenths_left(now)
    rule = "MQI-03" if left is None else "EXP-07"
    detail = '{"lock":true}' if lock else None
    seq = queue.record("browse", message, application.program, None, rule, message.seq, detail)
    cursor.stand_on(message, queue.store.buckets[message.filed])
    if lock:
        message.holder = handle
    _discard_all(application, queue, lapsed, seq, msg_id, correl_id, None)
    return Message(message, left, qmgr)


def restore(queue, message: QueuedMessage, unit, cause: int) -> None:
    """Return a got message to its old place, BackoutCount one higher (MQI-08); it has gone on ageing (EXP-20)."""
    message.backout_count += 1
    queue.depth += 1
    left = message.tenths_left(queue.clock.time_us)
    rule = "MQI-08" if left is None or left > 0 else "EXP-20"
    queue.record("restore", message, unit.application.program, unit.number, rule, cause)
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


def _discard_all(application, queue, lapsed, cause, msg_id, correl_id, unit) -> None:
    selective = msg_id is not None or correl_id is not None
    for message in lapsed:
        discard(queue, message, application, cause, selective, unit is not None)


def _why_none(queue, lapsed, msg_id, correl_id) -> tuple[str, str, str]:
    """Rule, what was found and a hint for a 2033 that leaves a queue as it now is."""
    left = queue.depth - len(lapsed)
    if msg_id is not None or correl_id is not None:
        passed = queue.lapsed_witness(queue.qmgr.clock.time_us)
        rule = "EXP-11" if lapsed else "EXP-08" if passed is not None else "MQI-04"
        return (
            rule,
            f"none of {queue.depth} matches the identifier asked for",
            "browse the queue to see the identifiers it holds",
        )
    if lapsed:
        others = f", and the {left} left cannot be got now" if left else ""
        return (
            "EXP-11",
            f"{len(lapsed)} had lapsed and {'is' if len(lapsed) == 1 else 'are'} discarded{others}",
            "get sooner, or let the putter set a longer expiry",
        )
    if left:
        return "MQI-12", f"CURDEPTH is {left}, and none of them can be got now", "commit or back out whoever holds them"
    return "MQI-12", "the queue is empty", "wait for a message: get(..., wait=seconds)"


def _refuse_inhibited(application, target, call: str) -> None:
    closed = target.queue if target.queue.get_inhibited else target
    application.fail(
        MQRC_GET_INHIBITED,
        target,
        call,
        "MQI-11",
        f"{closed.name} has GET(DISABLED)",
        f"ALTER {closed.kind}({closed.name}) GET(ENABLED)",
    )
