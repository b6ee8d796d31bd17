"""Where a message is now, what keeps it from its destination, and what would move it."""

from __future__ import annotations

import json
from typing import NamedTuple

from ..mq.constants import REASONS
from ..mq.errors import LabError
from ..mq.headers import MQDLH
from ..mq.rulebook import RULES
from ..qmgr.resolution import full_name
from ..qmgr.sharing.igq_agent import NAME as AGENT
from ..qmgr.sharing.shared_queue import QSG_TRANSMIT_QUEUE
from ..sim.event_kinds import ARRIVES, ENDS, HELD_ENDS
from ..sim.events import Event
from .delivery_steps import (
    AWAITED,
    Step,
    awaits_answer,
    destination_steps,
    on_transmission_queue,
    receiver_steps,
    running,
    session_steps,
)
from .life import rows_of
from .why_no_message import why_no_message
from .words import sentence

__all__ = ["Delivery", "why_not_delivered"]

_HANDLER = "RUNMQDLQ"  # the name `mqlab.programs.dead_letter_handler` runs its handler by
_ARRIVALS = (*ARRIVES, "restore")


class Delivery(NamedTuple):
    """What became of message `number`: `place`, where it is, in words; `verdict`; `rows`, what it was told by: tuples
    of (rule, title, whether it holds, fact, what would move it)."""

    number: int
    place: str
    verdict: str
    rows: tuple[Step, ...]

    @property
    def missing(self) -> list[str]:
        """The rules that stand against it now."""
        return [step.rule for step in self.rows if not step.holds]

    @property
    def moves(self) -> list[str]:
        """What would move it, in order."""
        return list(dict.fromkeys(step.move for step in self.rows if not step.holds and step.move))

    def __str__(self):
        lines = [f"message {self.number}: {self.verdict}: {self.place}"]
        for rule, title, holds, said, move in self.rows:
            lines.append(f"{'yes' if holds else 'NO ':3} {rule:7} {title}: {said}")
            lines += [f"    move it: {move}"] if move and not holds else []
        return "\n".join(lines)


class _Copy(NamedTuple):
    """A message where it stands or stood: its queue, its record, and the unit of work that holds it back (or None)."""

    queue: object
    message: object
    unit: object
    got: bool


def why_not_delivered(lab, message) -> Delivery:
    """Where a message is and every reason that holds it there; nothing is changed. LabError if it is not known."""
    rows = rows_of(lab, message)
    number = rows[0].message
    entries = [
        (queue, entry)
        for qmgr in lab.everyplace_queue_managers
        for queue in qmgr.queues
        for entry in queue.entries()
        if entry.message.number == number
    ]
    if entries:  # two where it is handed over halfway: the one that can be got says most, else the one that sends it
        return _everyplace(
            lab, *max(entries, key=lambda pair: 1 if _onward(pair[0]) else 2 * (pair[1].lock is None)), rows
        )
    copies = [copy for qmgr in lab.queue_managers for copy in _copies(qmgr, number)]
    ended = [row for row in rows if row.kind in ENDS or row.kind in _ARRIVALS][-1]
    if not copies or ended.kind in HELD_ENDS:
        return _nowhere(lab, ended)
    arrived = {(row.qmgr, row.object): row.seq for row in rows if row.kind in _ARRIVALS}
    # of the members that have a shared queue one that runs answers for it
    copies.sort(key=lambda copy: (arrived.get(copy.queue.place[:2], -1), copy.queue.qmgr.running))
    standing = [copy for copy in copies if copy.unit is None]
    return _held(lab, copies[-1], rows) if not standing else _standing(standing[-1], copies)


def _copies(qmgr, number: int) -> list[_Copy]:
    """Every place of one queue manager where the message is, committed or not."""
    found = []
    for unit in qmgr.units.values():
        found += [_Copy(queue, m, unit, False) for queue, m in unit.puts if m.number == number]
        found += [_Copy(queue, m, unit, True) for queue, m in unit.gets if m.number == number]
    for queue in qmgr.queues:
        found += [_Copy(queue, m, None, False) for m in queue.store.in_order() if m.number == number]
    return found


def _standing(copy: _Copy, copies: list[_Copy]) -> Delivery:
    """A message that is committed on a queue."""
    queue, message = copy.queue, copy.message
    qmgr, number = queue.qmgr, message.number
    expired = message.expires_us is not None and message.expires_us <= qmgr.clock.time_us
    place = f"it is on {queue.name} of {queue.place[0]}"
    life = [_expired(message, qmgr)] if expired else []
    if queue.structure is not None and queue.name == QSG_TRANSMIT_QUEUE:
        return Delivery(number, place, "not delivered", (*life, _for_agent(qmgr.group, number)))
    doubt = [_in_doubt(each) for each in copies if each.got and each.unit.in_doubt]
    if queue.definition.attributes["USAGE"] == "XMITQ":
        steps = life + on_transmission_queue(queue, message)
        return Delivery(number, place, "not delivered", tuple(steps))
    if queue.name == qmgr.attributes["DEADQ"]:
        return Delivery(number, place, "dead-lettered", tuple(life + _dead_lettered(queue, message)))
    seen = why_no_message(queue, message.msg_id).rows
    rows = tuple(life + [Step(*row) for row in seen if row[0] != "EXP-11"] + doubt)
    return Delivery(number, place, "expired where it was delivered" if expired else "delivered", rows)


def _for_agent(group, number: int) -> Step:
    """What the intra-group queuing agent of its member does with a message on the shared transmission queue."""
    why = next(each for each in group.igq.why_waiting() if each.message == number)
    return Step(why.rule, "its agent delivers it", False, why.fact, why.move)


def _expired(message, qmgr) -> Step:
    late = (qmgr.clock.time_us - message.expires_us) / 1e6
    return Step(
        "EXP-02",
        "its lifetime is not over",
        False,
        f"it expired {late:g} s ago; the next call that reaches it discards it",
        "nothing: put it again with a longer expiry",
    )


def _dead_lettered(queue, message) -> list[Step]:
    """Why it is on the dead-letter queue, whether its destination would take it now, and what a handler does."""
    qmgr = queue.qmgr
    try:
        header = MQDLH.unpack(message.body)
    except LabError as error:
        return [Step("DLQ-05", "it has a dead-letter header", False, str(error), "a program that gets it")]
    reason = f"{header.reason} {REASONS.get(header.reason, 'a feedback code')}"
    name = full_name(qmgr, header.queue, header.qmgr)
    steps = [
        Step(
            "MQI-30",
            "it could be delivered",
            False,
            f"{header.appl_name} could not put it to {name}: {reason}",
            f'lab["{qmgr.name}"].dead_letter_handler("ACTION(RETRY)"), once what follows holds',
        )
    ]
    steps += destination_steps(qmgr, name, len(message.body) - MQDLH.LENGTH)
    runs = any(program.name == _HANDLER for program in qmgr.programs_running)
    said = f"{_HANDLER} {'runs' if runs else 'does not run'} at {qmgr.name}"
    decided = [row for row in rows_of(qmgr.lab, message.number) if row.kind == "handler"][-1:]
    said += f"; it last decided: {_because(decided[0])}" if decided else ""
    rule = decided[0].rule if decided else "DLQ-01"
    return [
        *steps,
        Step(rule, "a dead-letter handler runs", runs, said, f'lab["{qmgr.name}"].dead_letter_handler(...)'),
    ]


def _because(row: Event) -> str:
    told = json.loads(row.detail or "{}")
    return f"ACTION({told.get('action')})" + (f", {told['because']}" if "because" in told else "")


def _in_doubt(copy: _Copy) -> Step:
    """The sender still keeps what it sent: its batch is in doubt."""
    qmgr, unit = copy.queue.qmgr, copy.unit
    name = unit.application.caller
    runs = any(channel.indoubt is unit and awaits_answer(channel) for channel in qmgr.channels.values())
    return Step(
        "CHL-05",
        "the sender has let go of it",
        False,
        f"{copy.queue.name} of {qmgr.name} keeps it in doubt, unit of work {unit.number} of {name}",
        AWAITED if runs else f"{qmgr.name}: START CHANNEL({name})",
    )


def _held(lab, copy: _Copy, rows: list[Event]) -> Delivery:
    """A message in a unit of work that has not ended: put, got, or got by a channel that sends it."""
    queue, unit = copy.queue, copy.unit
    qmgr, who, number = queue.qmgr, unit.application.caller or "a program", copy.message.number
    whose = f"unit of work {unit.number} of {who} at {qmgr.name}"
    channel = next((each for each in qmgr.channels.values() if each.name == who), None)
    if not copy.got:
        place = f"it is on {queue.name} of {qmgr.name}, not committed"
        step = Step("MQI-05", "its put is committed", False, f"{whose} has not ended", f"a commit by {who}")
        return Delivery(number, place, "not delivered", (step, *_receiving(lab, channel)))
    if who == AGENT and qmgr.group is not None:
        step = Step("IGQ-06", "its agent delivers it", False, f"{whose} has it and has not committed yet", "time")
        return Delivery(number, f"it is on its way from {queue.name} of {queue.place[0]}", "in flight", (step,))
    if channel is None:
        step = Step("MQI-06", "nobody holds it", False, f"{whose} got it and has not ended", f"a backout by {who}")
        return Delivery(number, f"it was got from {queue.name}", "got, not committed", (step,))
    steps = [] if channel.indoubt is unit else [Step("CHL-02", "its batch is sent", False, f"{whose} has not ended")]
    steps += _of_channel(channel, queue, copy.message)
    return Delivery(number, f"it is on its way from {queue.name} of {qmgr.name}", _way(unit), tuple(steps))


def _way(unit) -> str:
    return "in doubt" if unit.in_doubt else "in flight"


def _of_channel(channel, queue, message) -> list[Step]:
    """What a channel needs to go on with what it has got, without what concerns messages that wait behind."""
    steps = on_transmission_queue(queue, message)
    return [step for step in steps if step.title not in ("it is the next to be sent", "a channel serves the queue")]


def _receiving(lab, channel) -> list[Step]:
    """What keeps the receiving end of a channel from committing its batch."""
    return [] if channel is None else [*receiver_steps(channel), *session_steps(channel)]


def _nowhere(lab, last: Event) -> Delivery:
    """A message that is on no queue: its end, or the channel that has it; `last` is the row by which it left."""
    number = last.message
    # rows of shared queues are at the group and name the member in their detail
    qmgr = lab[json.loads(last.detail or "{}").get("member", last.qmgr)] if last.kind == "get" else None
    channel = next((each for each in getattr(qmgr, "channels", {}).values() if each.name == last.program), None)
    if channel is not None:
        steps = (running(qmgr), *_of_channel(channel, qmgr.targets[last.object], None))
        return Delivery(number, f"it is on its way from {last.object} of {qmgr.name}", "in flight", steps)
    agents = {} if getattr(qmgr, "group", None) is None else qmgr.group.igq.agents
    if any(each.holding is not None and each.holding.number == number for each in agents.values()):
        step = Step("IGQ-05", "its agent delivers it", False, f"the agent of {qmgr.name} has it in its hands", "time")
        return Delivery(number, f"it is on its way from {last.object} of {last.qmgr}", "in flight", (step,))
    title = RULES[last.rule].title if last.rule in RULES else "it was taken"
    step = Step(last.rule or "", title, last.kind == "get", sentence(last, len(lab.queue_managers) > 1))
    if last.kind != "get":
        step = step._replace(move="nothing: put it again")
    return Delivery(number, "it is on no queue", "delivered" if last.kind == "get" else ENDS[last.kind], (step,))


def _onward(queue) -> list[str]:
    """The queue managers that a queue of MQ Everyplace sends to or keeps messages for."""
    return [queue.owner] if queue.kind == "asynchronous" else list(queue.targets)


def _path(lab, sender, receiver) -> Step:
    """Whether one queue manager of MQ Everyplace can reach another."""
    path = lab.network.path(sender.name, receiver.name)
    up = path is not None and path.up
    said = f"{sender.name} to {receiver.name}: {'up' if up else 'there is none' if path is None else 'it is cut'}"
    mend = f'lab.{"link" if path is None else "restore"}("{sender.name}", "{receiver.name}")'
    return Step("NET-01", "there is a path to its owner", up, said, mend)


def _fetched(lab, queue, client) -> list[Step]:
    """What keeps a message on a store-and-forward queue, which sends nothing, from the client that it is for."""
    label, name = f"{queue.name}@{queue.qmgr.name}", client.name
    home = next((each for each in client.queues if each.kind == "home-server" and each.label == label), None)
    if home is None:
        return [
            Step(
                "MQE-14",
                "its owner asks for it",
                False,
                f"{name} has no home-server queue {label}",
                f'lab["{name}"].define("home-server", "{label}", poll_ms=1000)',
            )
        ]
    how = f"looks every {home.poll_ms} ms while it polls" if home.poll_ms else "looks when triggered"
    asks = Step(
        "MQE-14",
        "its owner asks for it",
        home.busy,
        f"{label} of {name} {how}",
        f'lab["{name}"].trigger_transmission()',
    )
    return [_path(lab, client, queue.qmgr), running(client), asks]


def _everyplace(lab, queue, entry, rows: list[Event]) -> Delivery:
    """A message on a queue of MQ Everyplace: where it is to go, and what its last transmission said."""
    qmgr, onward = queue.qmgr, _onward(queue)
    expired, locked = entry.expired(qmgr.clock.time_us), entry.lock is not None
    steps = [
        running(qmgr),
        Step(
            "MQE-02",
            "its lifetime is not over",
            not expired,
            "it has expired" if expired else "it lives",
            "nothing: the call that meets it deletes it",
        ),
        Step(
            "MQE-10",
            "it is not locked",
            not locked,
            f"a {entry.lock} is not confirmed" if locked else "no lock",
            "a confirm, or an undo",
        ),
    ]
    failed = [json.loads(row.detail)["failed"] for row in rows if row.kind == "transmit" and '"failed"' in row.detail]
    if queue.kind == "store-and-forward":
        steps += _fetched(lab, queue, lab[entry.destination[0]])
    elif onward:
        steps += [
            _path(lab, qmgr, lab[queue.owner]),
            running(lab[queue.owner]),
            Step(
                "MQE-13",
                "it is being sent",
                queue.busy,
                (failed or ["nothing sends it now"])[-1],
                f'lab["{qmgr.name}"].trigger_transmission()',
            ),
        ]
    place = f"it is on {queue.label} of {qmgr.name}"
    return Delivery(entry.message.number, place, "not delivered" if onward or locked else "delivered", tuple(steps))
