"""Where a message on a queue of MQ Everyplace is, and every reason that holds it there."""

from __future__ import annotations

from typing import Any

from ..engine.explain.why_not_delivered import Delivery, Step, link_step, running_step
from ..engine.words.because import because
from ..engine.world.event import Event


def delivery(lab: Any, number: int, rows: list[Event]) -> Delivery | None:
    """Where the message is, if it is on a queue of MQ Everyplace."""
    queues = [queue for qmgr in lab.everyplace_queue_managers for queue in qmgr.queues]
    entries = [(queue, entry) for queue in queues for entry in queue.entries() if entry.message.number == number]
    if not entries:
        return None
    # two while it is handed over: one that is available says most, then the one that sends it
    entries.sort(key=lambda pair: 1 if _onward(pair[0]) else 2 if pair[1].lock is None else 0)
    return _on_queue(lab, *entries[-1], rows)


def _onward(queue: Any) -> list[str]:
    """The queue managers that a queue of MQ Everyplace sends to or keeps messages for."""
    return [queue.owner] if queue.kind == "asynchronous" else list(queue.targets)


def _on_queue(lab: Any, queue: Any, entry: Any, rows: list[Event]) -> Delivery:
    """A message on a queue of MQ Everyplace: where it goes next, and what its last transmission said."""
    qmgr, onward = queue.qmgr, _onward(queue)
    expired, locked = entry.expired(qmgr.clock.time_us), entry.lock is not None
    fact, move = "it has expired" if expired else "not yet", "nothing: the call that reaches it discards it"
    lock = f"a {entry.lock} is not confirmed" if locked else "no lock"
    steps = [
        running_step(qmgr),
        Step("MQE-02", "it has not expired", not expired, fact, move),
        Step("MQE-10", "it is not locked", not locked, lock, "a confirm, or an undo"),
    ]
    if queue.kind == "store-and-forward":
        steps += _client_steps(lab, queue, lab[entry.destination[0]])
    elif onward:
        owner = lab[queue.owner]
        failed = [because(row.facts) for row in rows if row.kind == "transmit"]
        last = next((why for why in reversed(failed) if why), "nothing sends it now")
        sent = Step("MQE-13", "it is being sent", queue.busy, last, f'lab["{qmgr.name}"].trigger_transmission()')
        steps += [link_step(lab, qmgr.name, owner.name, "its owner"), running_step(owner), sent]
    place = f"it is on {queue.label} of {qmgr.name}"
    return Delivery(entry.message.number, place, "not delivered" if onward or locked else "delivered", tuple(steps))


def _client_steps(lab: Any, queue: Any, client: Any) -> list[Step]:
    """The reason why a message on a store-and-forward queue, which sends nothing, has not reached its client."""
    label, name = f"{queue.name}@{queue.qmgr.name}", client.name
    home = next((each for each in client.queues if each.kind == "home-server" and each.label == label), None)
    if home is None:
        fact = f"{name} has no home-server queue {label}"
        move = f'lab["{name}"].define("home-server", "{label}", poll_ms=1000)'
        return [Step("MQE-14", "its owner asks for it", False, fact, move)]
    how = f"asks every {home.poll_ms} ms while it polls" if home.poll_ms else "asks when triggered"
    fact, move = f"{label} of {name} {how}", f'lab["{name}"].trigger_transmission()'
    asks = Step("MQE-14", "its owner asks for it", home.busy, fact, move)
    return [link_step(lab, name, queue.qmgr.name, "its owner"), running_step(client), asks]
