"""Why a get finds no message: every possible reason, its rule, and whether it applies to a queue now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..queues.triggering import Reasons

if TYPE_CHECKING:
    from ..queues.get import Call
    from ..queues.message import QueuedMessage


def why_no_message(call: Call) -> Reasons:
    """Return why a get or a browse would find no message now: `call` is the one that a get searches with.

    Each row is (rule, condition, whether a message passes it, the fact); nothing is changed. Each row judges only the
    messages that passed the rows above it. If no message is left, the row passes.
    """
    queue, handle, msg_id, correl_id = call.target.queue, call.handle, call.msg_id, call.correl_id
    now, qmgr = queue.clock.time_us, queue.qmgr
    here = list(queue.store.in_order())
    behind = here if call.cursor is None else list(queue.store.in_order(call.cursor))
    matching = [m for m in behind if msg_id in (None, m.msg_id) and correl_id in (None, m.correl_id)]
    more, matching = _narrowed(call, behind, matching)
    free = [m for m in matching if m.holder in (None, handle)]
    live = [m for m in free if m.expires_us is None or m.expires_us > now]
    put = [unit for one in queue.instances for unit in one.qmgr.units.values() for on, _ in unit.puts if on is one]
    whose = sorted({f"{unit.application.caller or 'a program'} in unit of work {unit.number}" for unit in put})
    unsettled = f"{_some(len(put), 'put')} not committed" + (f", by {' and '.join(whose)}" if whose else "")
    closed = queue.why_no_input("shared") if len(queue.instances) > 1 else None
    exclusively = queue.exclusive or closed is not None
    holders = sorted(
        {
            m.holder.application.caller or "a program"
            for m in matching
            if m.holder is not None and m.holder is not handle
        }
    )
    have = "has" if queue.inputs == 1 else "have"
    inputs = f"{_some(queue.inputs, 'handle')} {have}" if queue.inputs else "no program has"
    exclusive = (
        closed.said if closed else f"{inputs} {queue.name} open for input{', exclusively' if queue.exclusive else ''}"
    )
    got = queue.depth_in_gets()
    out = f", {got} got but not committed" if got else ""
    selected = msg_id is not None or correl_id is not None
    committed = bool(here) or not queue.depth
    matched = sum(msg_id in (None, m.msg_id) and correl_id in (None, m.correl_id) for m in behind)
    chosen = f"{matched} of {len(behind)} match" if selected else "a get with no selection"
    broken = queue.obstacles()  # which inhibit gets, whatever GET says
    inhibited = queue.definition.attributes["GET"] == "DISABLED" if broken else queue.get_inhibited
    get, run = "DISABLED" if inhibited else "ENABLED", "" if qmgr.running else "not "
    locked = len(matching) - len(free)
    locks = f"{len(free)} of {len(matching)}; {_some(locked, 'message')} locked by {' and '.join(holders)}"
    locks = locks if holders else "no message is locked"
    expired = f"{len(live)} of {len(free)}; {len(free) - len(live)} expired"
    ahead = f"{len(behind)} of {len(here)}; the others are before it, or at it"
    behind_cursor = ("MQI-03", "one of these is behind the cursor", bool(behind) or not here, ahead)
    rows = (
        ("MQI-16", "the queue manager runs", qmgr.running, f"{qmgr.name} is {run}running"),
        ("MQI-11", "gets are allowed", not inhibited, f"GET({get})"),
        *broken,
        ("MQI-14", "no program has it open exclusively", not exclusively, exclusive),
        ("MQI-12", "the queue has a message", queue.depth > 0, f"CURDEPTH is {queue.depth}{out}"),
        ("MQI-05", "one of these is committed", committed, f"{len(here)} of {queue.depth}; {unsettled}"),
        *((behind_cursor,) if call.cursor is not None and call.cursor.filed is not None else ()),
        ("MQI-04", "one of these matches", bool(matched) or not behind, chosen),
        *more,
        ("MQI-03", "one of these is not locked", bool(free) or not matching, locks),
        ("EXP-11", "one of these is not expired", bool(live) or not free, expired),
    )
    return Reasons(queue.name, rows, "a get returns a message", "a get fails")


def _narrowed(
    call: Call, behind: list[QueuedMessage], matching: list[QueuedMessage]
) -> tuple[list[tuple[str, str, bool, str]], list[QueuedMessage]]:
    """The conditions of the handle and of the options of a call beyond identifiers, and the messages that pass them."""
    queue, handle = call.target.queue, call.handle
    rows: list[tuple[str, str, bool, str]] = []
    if handle is not None and (selecting := handle.selecting) is not None:
        values, before = queue.qmgr.properties.values, matching
        matching = [m for m in matching if selecting.matches(values(m, queue.qmgr))]
        grounds = selecting.none_of(len(before))
        counted = f"{len(matching)} of {len(before)} are" if matching else grounds.said
        rows.append((grounds.rule or "", "one of these is selected", bool(matching) or not before, counted))
    if call.fitting is not None:
        fits, before = call.fitting(queue, handle), matching
        matching = [m for m in matching if fits(m)]
        counted = (
            f"{len(matching)} of {len(before)} fit GroupId, MsgSeqNumber, Offset, logical order, and what is complete"
        )
        rows.append(("MQI-31", "one of these fits the match and group options", bool(matching) or not before, counted))
    return rows, matching


def _some(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
