"""Find where a message is, why it has not reached its destination, and what would move it.

Every step is asked of live objects (channels, links, queues, units of work); nothing is changed.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from ..extra import extras
from ..programs.channels.channel import Channel
from ..programs.channels.session import answers, hello, unwelcome
from ..queues.dead_letter import HANDLER
from ..queues.get import Call
from ..queues.target import full_name
from ..queues.triggering import why_not_triggered
from ..words.because import fact, hint, reason
from ..words.constants import code
from ..words.errors import LabError, MQError, visible
from ..words.headers import MQDLH
from ..words.objects import Definition
from ..words.shown import shown
from ..words.whys import Again, SequenceDiffers, Undelivered, why_of
from ..world.event import Event
from ..world.event_kinds import ARRIVES, ENDS, HELD_ENDS
from .life import rows_of
from .ways import leads_to, partner_of, serving
from .why_no_message import why_no_message
from .words import member_of, sentence

if TYPE_CHECKING:
    from ..queues.message import QueuedMessage
    from ..queues.queue import LocalQueue
    from ..queues.queue_manager import QueueManager
    from ..queues.target import Lab

_AWAITED = "time, until the partner answers"  # what moves a batch in doubt while its channel runs
_ARRIVALS = (*ARRIVES, "restore")


class Step(NamedTuple):
    """One condition of a delivery: its rule, the condition, whether it is met, the fact, and what would meet it (MQSC
    as "QM1: COMMAND", or a call on the lab; "" if nothing is needed)."""

    rule: str
    title: str
    holds: bool
    said: str
    move: str = ""


@shown
class Delivery(NamedTuple):
    """The fate of message `number`: `place`, where it is, in words; `verdict`; and `rows`, the conditions."""

    number: int
    place: str
    verdict: str
    rows: tuple[Step, ...]

    @property
    def missing(self) -> list[str]:
        """The rules of the conditions that are not met."""
        return [step.rule for step in self.rows if not step.holds]

    @property
    def moves(self) -> list[str]:
        """The steps that would move the message, in order."""
        return list(dict.fromkeys(step.move for step in self.rows if not step.holds and step.move))

    def __str__(self) -> str:
        lines = [f"message {self.number}: {self.verdict}: {self.place}"]
        for rule, title, holds, said, move in self.rows:
            lines.append(f"{'yes' if holds else 'NO ':3} {rule:7} {title}: {said}")
            lines += [f"    move it: {move}"] if move and not holds else []
        return visible("\n".join(lines))


class _Copy(NamedTuple):
    """A message where it is or was, and the unit of work that holds it back (or None), by a get if `got`."""

    queue: Any
    message: Any
    unit: Any
    got: bool


def why_not_delivered(lab: Lab, message: object) -> Delivery:
    """Return where a message is and every reason that holds it there. LabError if the log does not know it."""
    rows = rows_of(lab, message)
    number = rows[0].message or 0
    for extra in extras():
        if (elsewhere := extra.delivery(lab, number, rows)) is not None:
            return elsewhere
    copies = [copy for qmgr in lab.queue_managers for copy in _copies(qmgr, number)]
    ended = [row for row in rows if row.kind in ENDS or row.kind in _ARRIVALS][-1]
    if not copies or (ended.kind in HELD_ENDS and all(copy.got for copy in copies)):
        return _nowhere(lab, ended)
    arrived = {(row.qmgr, row.object): row.seq for row in rows if row.kind in _ARRIVALS}
    # of several queue managers that have the queue in common, one that runs answers for it
    copies.sort(key=lambda copy: (arrived.get(copy.queue.subject[:2], -1), copy.queue.qmgr.running))
    committed = [copy for copy in copies if copy.unit is None]
    return _on_queue(committed[-1], copies) if committed else _held(copies[-1])


def _copies(qmgr: QueueManager, number: int) -> list[_Copy]:
    """Every place of one queue manager where the message is, committed or not."""
    copies = []
    for unit in (*qmgr.units.values(), *qmgr.pending):
        copies += [_Copy(queue, m, unit, False) for queue, m in unit.uncommitted if m.number == number]
        copies += [_Copy(queue, m, unit, True) for queue, m in unit.gets if m.number == number]
    for queue in dict.fromkeys((*qmgr.queues, *(handle.queue for handle in qmgr.handles if handle.queue))):
        copies += [_Copy(queue, m, None, False) for m in queue.store.in_order() if m.number == number]
    return copies


def _on_queue(copy: _Copy, copies: list[_Copy]) -> Delivery:
    """A message that is committed on a queue."""
    queue, message = copy.queue, copy.message
    qmgr, number = queue.qmgr, message.number
    position, steps, now = f"it is on {queue.name} of {queue.subject[0]}", [], qmgr.clock.time_us
    expired = message.expires_us is not None and message.expires_us <= now
    if expired:
        said = f"it expired {(now - message.expires_us) / 1e6:g} s ago; the next call that reaches it discards it"
        steps.append(Step("EXP-02", "it has not expired", False, said, "nothing: put it again with a longer expiry"))
    for extra in extras():
        if (waits := extra.placed(queue, number)) is not None:
            return Delivery(number, position, "not delivered", (*steps, _unmet(waits)))
    if queue.definition.attributes["USAGE"] == "XMITQ":
        more = (Step(*row) for extra in extras() for row in extra.awaited(queue, message))
        steps += [*_transmission_steps(queue, serving(qmgr, queue.name, message.correl_id), message), *more]
        return Delivery(number, position, "not delivered", tuple(steps))
    if queue.name == qmgr.attributes["DEADQ"]:
        return Delivery(number, position, "dead-lettered", (*steps, *_dead_letter_steps(queue, message)))
    steps += [Step(*row) for row in why_no_message(Call(qmgr, queue, msg_id=message.msg_id)).rows if row[0] != "EXP-11"]
    steps += [_in_doubt(each) for each in copies if each.got and each.unit.in_doubt]
    return Delivery(number, position, "expired where it was delivered" if expired else "delivered", tuple(steps))


def _unmet(waits: tuple[str, str, str, str]) -> Step:
    rule, title, fact, move = waits
    return Step(rule, title, False, fact, move)


def _in_doubt(copy: _Copy) -> Step:
    """The sender still keeps the message: its batch is in doubt."""
    qmgr, unit = copy.queue.qmgr, copy.unit
    name = unit.application.caller
    runs = any(channel.indoubt is unit and _awaits_answer(channel) for channel in qmgr.channels.values())
    said = f"{copy.queue.name} of {qmgr.name} keeps it in doubt, unit of work {unit.number} of {name}"
    move = _AWAITED if runs else f"{qmgr.name}: START CHANNEL({name})"
    return Step("CHL-05", "the sender has removed it", False, said, move)


def _held(copy: _Copy) -> Delivery:
    """A message in a unit of work that has not ended: put, got, or got by a channel that sends it."""
    queue, unit = copy.queue, copy.unit
    qmgr, who, number = queue.qmgr, unit.application.caller or "a program", copy.message.number
    whose = f"unit of work {unit.number} of {who} at {qmgr.name}"
    open_now, move = f"{whose} has not ended", f"a {'backout' if copy.got else 'commit'} by {who}"
    if unit in qmgr.pending and not unit.in_doubt:
        open_now = f"{whose} was open when {qmgr.name} failed"
        move = f"nothing: {qmgr.name} backs it out when it starts"
    if queue.logically_deleted:
        move = f"nothing: {queue.name} is deleted, and its messages with it"
    channel = next((each for each in qmgr.channels.values() if each.name == who), None)
    if not copy.got:
        position = f"it is on {queue.name} of {qmgr.name}, not committed"
        step = Step("MQI-05", "its put is committed", False, open_now, move)
        receiving = [] if channel is None else [*_receiver_steps(channel), *_session_steps(channel)]
        return Delivery(number, position, "not delivered", (step, *receiving))
    for extra in extras():
        if (waits := extra.carried(qmgr, who, number, whose)) is not None:
            on = f"it is on its way from {queue.name} of {queue.subject[0]}"
            return Delivery(number, on, "in flight", (_unmet(waits),))
    if channel is None:
        step = Step("MQI-06", "no unit of work holds it", False, open_now, move)
        return Delivery(number, f"{who} got it from {queue.name}", "got, not committed", (step,))
    steps = [] if channel.indoubt is unit else [Step("CHL-02", "its batch is sent", False, open_now)]
    steps += _transmission_steps(queue, [channel])
    verdict = "in doubt" if unit.in_doubt else "in flight"
    return Delivery(number, f"it is on its way from {queue.name} of {qmgr.name}", verdict, tuple(steps))


def _nowhere(lab: Lab, last: Event) -> Delivery:
    """A message that is on no queue: its end, or the channel that has it; `last` is the row by which it left."""
    number = last.message or 0
    qmgr: Any = lab[member_of(last) or ""] if last.kind == "get" else None
    channel = next((each for each in getattr(qmgr, "channels", {}).values() if each.name == last.program), None)
    if qmgr is not None and channel is not None:
        steps = tuple(_transmission_steps(qmgr.targets[last.object], [channel]))
        return Delivery(number, f"it is on its way from {last.object} of {qmgr.name}", "in flight", steps)
    for extra in extras():
        if qmgr is not None and (waits := extra.carried(qmgr, last.program or "", number, "")) is not None:
            on = f"it is on its way from {last.object} of {last.qmgr}"
            return Delivery(number, on, "in flight", (_unmet(waits),))
    from ..words.rulebook import RULES

    title = RULES[last.rule].title if last.rule in RULES else "a program got it"
    got = last.kind == "get"
    said, move = sentence(last, len(lab.queue_managers) > 1), "" if got else "nothing: put it again"
    step = Step(last.rule or "", title, got, said, move)
    return Delivery(number, "it is on no queue", "delivered" if got else ENDS[last.kind], (step,))


def running_step(qmgr: QueueManager) -> Step:
    said = f"{qmgr.name} is {'' if qmgr.running else 'not '}running"
    return Step("MQI-16", "the queue manager runs", qmgr.running, said, f'lab["{qmgr.name}"].start()')


def _transmission_steps(queue: LocalQueue, channels: list[Channel], message: QueuedMessage | None = None) -> list[Step]:
    """The conditions for its put at the other end by one of these channels; no `message` if it has left the queue."""
    qmgr, name, get = queue.qmgr, queue.name, "DISABLED" if queue.get_inhibited else "ENABLED"
    move = f"{qmgr.name}: ALTER QLOCAL({name}) GET(ENABLED)"
    steps = [running_step(qmgr), Step("MQI-11", "gets are allowed", get == "ENABLED", f"{name} has GET({get})", move)]
    if message is not None:
        store = queue.store
        order = store.matching(None, message.correl_id) if _by_tag(channels) else store.in_order()
        ahead = list(takewhile(lambda other: other is not message, order))
        first = f"first what moves message {ahead[0].number}: lab.why_not_delivered({ahead[0].number})" if ahead else ""
        fact_text = f"messages before it on {name}: {len(ahead)}"
        steps.append(Step("CHL-02", "it is the next to be sent", not ahead, fact_text, first))
        fact_text = ", ".join(channel.name for channel in channels) or f"no sender or server channel has XMITQ({name})"
        define = f"{qmgr.name}: DEFINE CHANNEL(...) CHLTYPE(SDR) CONNAME(...) XMITQ({name})"
        steps.append(Step("CHL-02", "a channel serves the queue", bool(channels), fact_text, define))
    for channel in sorted(channels, key=lambda c: not c.active)[:1]:
        steps += [*_agent_steps(channel, queue), *_session_steps(channel)]
    return steps


def _by_tag(channels: list[Channel]) -> bool:
    """Return whether messages name their channel, which starts for them without a trigger."""
    return any("XMITQ" not in channel.definition.attributes for channel in channels)


def _agent_steps(channel: Channel, queue: LocalQueue) -> list[Step]:
    """Return whether the sending agent runs, and if it does not, what keeps it from being started."""
    name, qmgr, state, why = channel.name, channel.qmgr, channel.state, channel.why
    rule, start = "CHL-08", f"{qmgr.name}: START CHANNEL({name})"
    because = f": {reason(why, channel.then)}" if why and state != "RUNNING" else ""
    fact_text, move = f"{name} is {state}{because}", start
    if state == "RETRYING":
        rule = "CHL-09"
        if isinstance(channel.then, Again):
            due = timedelta(microseconds=channel.since_us, seconds=channel.then.seconds)
            fact_text += f"; next at {qmgr.lab.start + due:%H:%M:%S}"
        move = f"what the steps below say, and time; or {start}"
        if isinstance(why, SequenceDiffers):  # no attempt succeeds before the sequence numbers agree
            move = f"{qmgr.name}: RESET CHANNEL({name}) SEQNUM(1)"
    elif channel.chltype == "SVR" and not channel.attributes["CONNAME"]:
        move = f"START CHANNEL({name}) where its requester is"
    steps = [Step(rule, "the channel runs", state == "RUNNING", fact_text, move)]
    if channel.indoubt is not None:
        batch = f"a batch of {len(channel.indoubt.gets)}, unit of work {channel.indoubt.number}, is in doubt"
        steps.append(Step("CHL-05", "no batch is in doubt", False, f"{batch}: it is settled first", _resolve(channel)))
    if state == "RETRYING" and isinstance(why, Undelivered) and partner_of(channel):
        room = _make_room(qmgr.lab[partner_of(channel)], why.queue) or move
        steps.append(Step("CHL-17", "the partner can put it", False, f"when last tried, {fact(why)}", room))
    if state == "INACTIVE":
        initiator = qmgr.channel_initiator is not None
        fact_text, move = f"{qmgr.name} has {'one' if initiator else 'none'}", f"{qmgr.name}: START CHINIT"
        steps.append(Step("CHL-16", "a channel initiator runs", initiator, fact_text, move))
        for rule, title, holds, fact_text in () if _by_tag([channel]) else why_not_triggered(queue).rows:
            steps += [] if holds else [Step(rule, f"{queue.name} is triggered: {title}", False, fact_text, start)]
    return steps


def _session_steps(channel: Channel) -> list[Step]:
    """Return whether the partner can be reached and answers."""
    qmgr, name, partner = channel.qmgr, channel.name, partner_of(channel)
    if not partner:
        conname = channel.attributes.get("CONNAME", "")
        fact_text, move = f"nothing is known by CONNAME({conname})", f"lab.address({conname!r}, queue_manager)"
        return [Step("NET-01", "the partner is known", False, fact_text, move)] if conname else []
    there = qmgr.lab[partner]
    definition = there.objects.get("CHANNEL", name)
    chltype = None if definition is None else definition.attributes["CHLTYPE"]
    wanted = answers(channel.chltype)
    fact_text = f"{name} is {'not defined' if chltype is None else f'a {chltype}'} at {partner}"
    define = f"{partner}: DEFINE CHANNEL({name}) CHLTYPE({wanted[0] if wanted else ''})"
    steps = [
        link_step(qmgr.lab, qmgr.name, partner, "the partner"),
        running_step(there),
        Step("CHL-08", "the partner has the channel", chltype in wanted, fact_text, define),
    ]
    if definition is not None and chltype in wanted:
        steps += _welcome_steps(there, definition, channel)
    found = there.channels.get((name, qmgr.name))
    return steps + ([] if found is None else _receiver_steps(found))


def _welcome_steps(there: QueueManager, definition: Definition, channel: Channel) -> list[Step]:
    """Return why the partner refuses the channel, if it does, as when that calls."""
    why = unwelcome(there, definition, hello(channel))
    rule = getattr(why, "rule", "SEC-02")
    return [] if why is None else [Step(rule, "the partner lets the channel in", False, fact(why), hint(why))]


def link_step(lab: Lab, here: str, there: str, whose: str) -> Step:
    """Return whether one queue manager can reach another."""
    link = lab.network.path(here, there)
    up = link is not None and link.up
    how = "there is none" if link is None else f"up, {link.latency_us / 1000:g} ms" if up else "it is cut"
    move = f'lab.{"link" if link is None else "restore"}("{here}", "{there}")'
    return Step("NET-01", f"there is a link to {whose}", up, f"{here} to {there}: {how}", move)


def _receiver_steps(channel: Channel) -> list[Step]:
    """Return whether the receiving end accepts messages, is stopped, or waits to put one (later ones wait too)."""
    qmgr, name, state = channel.qmgr, channel.name, channel.state
    fact_text, move = f"{name} at {qmgr.name} is {state}", f"{qmgr.name}: START CHANNEL({name})"
    steps = [Step("CHL-08", "the receiving end is not stopped", state != "STOPPED", fact_text, move)]
    if state == "PAUSED":
        refused = qmgr.lab.events.where(kind="put", qmgr=qmgr.name, program=name, message=None)[-1:]
        where = (refused[0].object or "") if refused else ""
        fact_text += f" with a message for {where}: {reason(channel.why)}"
        title = "the receiving end is not in message retry"
        steps.append(Step("CHL-10", title, False, fact_text, _make_room(qmgr, where) or "time"))
    return steps


def _resolve(channel: Channel) -> str:
    """How to end a batch in doubt: by the channel itself or, knowing what the partner committed last, by hand."""
    qmgr, unit = channel.qmgr, channel.indoubt  # type: Any, Any
    if _awaits_answer(channel):  # both commands would be refused
        return _AWAITED
    found = qmgr.lab[partner_of(channel)].channels.get((channel.name, qmgr.name)) if partner_of(channel) else None
    action = "COMMIT" if found is not None and found.luwid == unit.luwid else "BACKOUT"
    return f"{qmgr.name}: START CHANNEL({channel.name}), or RESOLVE CHANNEL({channel.name}) ACTION({action})"


def _awaits_answer(channel: Channel) -> bool:
    """Return whether the agent of a channel is still in session with its partner, which settles a batch in doubt."""
    return channel.active and channel.end is not None and not channel.end.broken


def _destination_steps(qmgr: QueueManager, name: str, length: int = 0) -> list[Step]:
    """Return whether a put of `length` bytes to a queue, "Q" or "Q@QMGR", would work at a queue manager now."""
    try:
        target = leads_to(qmgr, name)
    except MQError as refused:
        fact_text, move = f"{refused.reason} {refused.name}: {refused.said}", f"{qmgr.name}: {refused.hint}"
        return [Step(refused.rule or "MQI-14", "its destination is there", False, fact_text, move)]
    queue, put = target.queue, "DISABLED" if target.put_inhibited else "ENABLED"
    if queue is None:
        move = f"{qmgr.name}: ALTER {target.definition.kind}({target.definition.name}) PUT(ENABLED)"
        return [Step("MQI-11", "puts are allowed", not target.put_inhibited, f"{name} has PUT({put})", move)]
    full = queue.depth >= queue.maxdepth if hasattr(queue, "maxdepth") else False
    alter = f"{qmgr.name}: ALTER QLOCAL({queue.name})"
    fact_text = f"CURDEPTH of {queue.name} is {queue.depth}" + (f" of {queue.maxdepth}" if full else "")
    steps = [
        Step("MQI-11", "puts are allowed", not target.put_inhibited, f"{name} has PUT({put})", f"{alter} PUT(ENABLED)"),
        Step("MQI-09", "its destination has room", not full, fact_text, f"get some, or {alter} MAXDEPTH(...)"),
    ]
    longest = queue.definition.attributes.get("MAXMSGL", length)
    if length > longest:
        fact_text = f"it has {length} bytes; MAXMSGL of {queue.name} is {longest}"
        steps.append(Step("MQI-10", "it is not too long", False, fact_text, f"{alter} MAXMSGL({length})"))
    return steps


def _make_room(qmgr: QueueManager, name: str) -> str:
    """The step that would let a queue accept a message, "" if it already does."""
    steps = _destination_steps(qmgr, name) if name else []
    return "; ".join(step.move for step in steps if not step.holds)


def _dead_letter_steps(queue: LocalQueue, message: QueuedMessage) -> list[Step]:
    """Why it is on the dead-letter queue, whether its destination would accept it now, and what a handler does."""
    qmgr = queue.qmgr
    try:
        header = MQDLH.unpack(message.body)
    except LabError as error:
        return [Step("DLQ-05", "it has a dead-letter header", False, str(error), "a program that gets it")]
    reason = code(header.reason)
    name, handler = full_name(qmgr, header.queue, header.qmgr), f'lab["{qmgr.name}"].dead_letter_handler'
    fact_text = f"{header.appl_name} could not put it to {name}: {reason}"
    steps = [Step("MQI-30", "it could be delivered", False, fact_text, f'{handler}("ACTION(RETRY)"), after that')]
    steps += _destination_steps(qmgr, name, len(message.body) - MQDLH.LENGTH)
    runs = any(program.name == HANDLER for program in qmgr.programs_running)
    fact_text, rule = f"{HANDLER} {'runs' if runs else 'does not run'} at {qmgr.name}", "DLQ-01"
    for decided in [row for row in rows_of(qmgr.lab, message.number) if row.kind == "handler"][-1:]:
        why, rule = why_of(decided.facts), decided.rule or rule
        fact_text += f"; it last decided: ACTION({decided.facts['action']})" + (f", {fact(why)}" if why else "")
    return [*steps, Step(rule, "a dead-letter handler runs", runs, fact_text, f"{handler}(...)")]
