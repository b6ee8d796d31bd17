"""Why a get finds no message: every possible reason, its rule, and whether it applies to a queue now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..queues.triggering import Reasons

if TYPE_CHECKING:
    from ..queues.queue import LocalQueue


def why_no_message(queue: LocalQueue, msg_id: bytes | None = None, correl_id: bytes | None = None) -> Reasons:
    """Return why a get of `queue` with these identifiers (24 bytes, None for any) would find no message now.

    Each row is (rule, condition, whether a message passes it, the fact); nothing is changed. Each row judges only the
    messages that passed the rows above it. If no message is left, the row passes.
    """
    now, qmgr = queue.clock.time_us, queue.qmgr
    here = list(queue.store.in_order())
    matching = [m for m in here if msg_id in (None, m.msg_id) and correl_id in (None, m.correl_id)]
    free = [m for m in matching if m.holder is None]
    live = [m for m in free if m.expires_us is None or m.expires_us > now]
    put = [
        unit for one in queue.instances for unit in one.qmgr.units.values() for owner, _ in unit.puts if owner is one
    ]
    whose = sorted({f"{unit.application.caller or 'a program'} in unit of work {unit.number}" for unit in put})
    unsettled = f"{_some(len(put), 'put')} not committed" + (f", by {' and '.join(whose)}" if whose else "")
    closed = queue.why_no_input("shared") if len(queue.instances) > 1 else None
    exclusively = queue.exclusive or closed is not None
    holders = sorted({m.holder.application.caller or "a program" for m in matching if m.holder is not None})
    have = "has" if queue.inputs == 1 else "have"
    inputs = f"{_some(queue.inputs, 'handle')} {have}" if queue.inputs else "no program has"
    exclusive = (
        closed.said if closed else f"{inputs} {queue.name} open for input{', exclusively' if queue.exclusive else ''}"
    )
    got = queue.depth_in_gets()
    out = f", {got} got but not committed" if got else ""
    selected = msg_id is not None or correl_id is not None
    committed = bool(here) or not queue.depth
    chosen = f"{len(matching)} of {len(here)} match" if selected else "a get with no selection"
    broken = queue.obstacles()  # which inhibit gets, whatever GET says
    inhibited = queue.definition.attributes["GET"] == "DISABLED" if broken else queue.get_inhibited
    get, run = "DISABLED" if inhibited else "ENABLED", "" if qmgr.running else "not "
    locked = len(matching) - len(free)
    locks = f"{len(free)} of {len(matching)}; {_some(locked, 'message')} locked by {' and '.join(holders)}"
    locks = locks if holders else "no message is locked"
    expired = f"{len(live)} of {len(free)}; {len(free) - len(live)} expired"
    rows = (
        ("MQI-16", "the queue manager runs", qmgr.running, f"{qmgr.name} is {run}running"),
        ("MQI-11", "gets are allowed", not inhibited, f"GET({get})"),
        *broken,
        ("MQI-14", "no program has it open exclusively", not exclusively, exclusive),
        ("MQI-12", "the queue has a message", queue.depth > 0, f"CURDEPTH is {queue.depth}{out}"),
        ("MQI-05", "one of these is committed", committed, f"{len(here)} of {queue.depth}; {unsettled}"),
        ("MQI-04", "one of these matches", bool(matching) or not here, chosen),
        ("MQI-03", "one of these is not locked", bool(free) or not matching, locks),
        ("EXP-11", "one of these is not expired", bool(live) or not free, expired),
    )
    return Reasons(queue.name, rows, "a get returns a message", "a get fails")


def _some(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
