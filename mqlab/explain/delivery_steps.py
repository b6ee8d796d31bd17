"""What can stand between a message on a transmission queue and its destination: a step for each, with its fact.

Every step is asked of live objects (channels, paths, queues, units of work) and of the last rows that a channel wrote.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import NamedTuple

from ..mq.errors import MQError, NotSimulated
from ..programs.channels.channel import Channel
from ..programs.channels.session import ANSWERS
from ..qmgr.triggering import why_not_triggered
from .lookups import leads_to, partner_of, path_to, serving

__all__ = [
    "AWAITED",
    "Step",
    "awaits_answer",
    "destination_steps",
    "on_transmission_queue",
    "receiver_steps",
    "running",
    "session_steps",
]

AWAITED = "time, until the partner answers"
"""What moves a batch in doubt while its channel runs."""


class Step(NamedTuple):
    """One thing that may hold a message: the rule, what should be, whether it is so, the fact, and what would move it
    (MQSC as "QM1: COMMAND", or a call on the lab; "" where nothing is needed)."""

    rule: str
    title: str
    holds: bool
    said: str
    move: str = ""


def running(qmgr) -> Step:
    """Whether a queue manager runs."""
    said = f"{qmgr.name} is {'' if qmgr.running else 'not '}running"
    return Step("MQI-16", "the queue manager runs", qmgr.running, said, f'lab["{qmgr.name}"].start()')


def on_transmission_queue(queue, message) -> list[Step]:
    """Everything that a message committed on a transmission queue needs to be sent and put at the other end."""
    qmgr = queue.qmgr
    ahead = _ahead(queue, message)
    get = "DISABLED" if queue.get_inhibited else "ENABLED"
    steps = [
        running(qmgr),
        Step(
            "MQI-11",
            "gets are allowed",
            not queue.get_inhibited,
            f"{queue.name} has GET({get})",
            f"{qmgr.name}: ALTER QLOCAL({queue.name}) GET(ENABLED)",
        ),
        Step(
            "CHL-02",
            "it is the next to be sent",
            not ahead,
            f"messages before it on {queue.name}: {len(ahead)}",
            f"first what moves message {ahead[0].number}: lab.why_not_delivered({ahead[0].number})" if ahead else "",
        ),
    ]
    channels = serving(qmgr, queue.name)
    said = ", ".join(channel.name for channel in channels) or f"no sender or server channel has XMITQ({queue.name})"
    steps.append(
        Step(
            "CHL-02",
            "a channel serves the queue",
            bool(channels),
            said,
            f"{qmgr.name}: DEFINE CHANNEL(...) CHLTYPE(SDR) CONNAME(...) XMITQ({queue.name})",
        )
    )
    for channel in sorted(channels, key=lambda c: not c.active)[:1]:
        steps += _sending(channel, queue)
        steps += session_steps(channel)
    return steps


def _ahead(queue, message) -> list:
    """The messages that a channel would get before this one; none where it is not on the queue any more."""
    waiting = list(queue.store.in_order())
    return waiting[: next((i for i, each in enumerate(waiting) if each is message), 0)]


def _sending(channel: Channel, queue) -> list[Step]:
    """Whether the sending agent runs, and if it does not, what keeps it from being started."""
    name, qmgr, state = channel.name, channel.qmgr, channel.state
    seq, because = _last_state(channel)
    rule, move, said = "CHL-08", f"{qmgr.name}: START CHANNEL({name})", f"{name} is {state}"
    said += f": {because}" if because and state != "RUNNING" else ""
    if state == "RETRYING":
        rule, after = "CHL-09", re.search(r"tried again in (\d+) s", because)
        due = qmgr.lab.events[seq].time_us + int(after[1]) * 1_000_000 if after else None
        said += "" if due is None else f"; next at {qmgr.lab.start + timedelta(microseconds=due):%H:%M:%S}"
        move = f"what the steps below say, and time; or {move}"
        if because.startswith("AMQ9526E"):  # no attempt succeeds before the sequence numbers agree
            move = f"{qmgr.name}: RESET CHANNEL({name}) SEQNUM(1)"
    elif channel.chltype == "SVR" and not channel.attributes["CONNAME"]:
        move = f"START CHANNEL({name}) where its requester is"
    steps = [Step(rule, "the channel runs", state == "RUNNING", said, move)]
    if channel.indoubt is not None:
        number = len(channel.indoubt.gets)
        said = f"a batch of {number}, unit of work {channel.indoubt.number}, is in doubt: it is settled first"
        steps.append(Step("CHL-05", "no batch is in doubt", False, said, _resolve(channel)))
    homeless = re.match(r"AMQ9544E: (a message for (\S+) cannot be put: .*?)(;[^;]*in \d+ s.*)?$", because)
    if state == "RETRYING" and homeless and partner_of(channel):
        there = qmgr.lab[partner_of(channel)]
        steps.append(
            Step(
                "CHL-17",
                "there is a place at the partner",
                False,
                f"when last tried, {homeless[1]}",
                _make_room(there, homeless[2]) or move,
            )
        )
    if state == "INACTIVE":
        initiator = qmgr.channel_initiator is not None
        steps.append(
            Step(
                "CHL-16",
                "a channel initiator runs",
                initiator,
                f"{qmgr.name} has {'one' if initiator else 'none'}",
                f"{qmgr.name}: START CHINIT",
            )
        )
        steps += [
            Step(rule, f"{queue.name} is triggered: {title}", False, said, f"{qmgr.name}: START CHANNEL({name})")
            for rule, title, holds, said in why_not_triggered(queue).rows
            if not holds
        ]
    return steps


def session_steps(channel: Channel) -> list[Step]:
    """Whether the partner can be reached and answers."""
    qmgr, name = channel.qmgr, channel.name
    lab, here = qmgr.lab, qmgr.name
    partner = partner_of(channel)
    if not partner:
        conname = channel.attributes.get("CONNAME", "")
        if not conname:
            return []
        said = f"nothing is known by CONNAME({conname})"
        return [Step("NET-01", "the partner is known", False, said, f"lab.address({conname!r}, queue_manager)")]
    path, there = path_to(channel, partner), lab[partner]
    how = "there is none" if path is None else f"up, {path.latency_us / 1000:g} ms" if path.up else "it is cut"
    mend = f'lab.{"link" if path is None else "restore"}("{here}", "{partner}")'
    steps = [
        Step(
            "NET-01",
            "there is a path to the partner",
            path is not None and path.up,
            f"{here} to {partner}: {how}",
            mend,
        ),
        running(there),
    ]
    definition = there.objects.get("CHANNEL", name)
    chltype = None if definition is None else definition.attributes["CHLTYPE"]
    wanted = ANSWERS.get(channel.chltype, ())
    said = f"{name} is {'not defined' if chltype is None else f'a {chltype}'} at {partner}"
    steps.append(
        Step(
            "CHL-08",
            "the partner has the channel",
            chltype in wanted,
            said,
            f"{partner}: DEFINE CHANNEL({name}) CHLTYPE({wanted[0] if wanted else ''})",
        )
    )
    found = there.channels.get((name, here))
    return steps + ([] if found is None else receiver_steps(found))


def receiver_steps(channel: Channel) -> list[Step]:
    """Whether the receiving end takes messages, or is stopped, or waits to put one (everything behind it waits too)."""
    qmgr, name, state = channel.qmgr, channel.name, channel.state
    steps = [
        Step(
            "CHL-08",
            "the receiving end is not stopped",
            state != "STOPPED",
            f"{name} at {qmgr.name} is {state}",
            f"{qmgr.name}: START CHANNEL({name})",
        )
    ]
    if state == "PAUSED":
        refused = qmgr.lab.events.where(kind="put", qmgr=qmgr.name, program=name, message=None)[-1:]
        where = refused[0].object if refused else ""
        _, because = _last_state(channel)
        steps.append(
            Step(
                "CHL-10",
                "the receiving end is not in message retry",
                False,
                f"{name} at {qmgr.name} is PAUSED with a message for {where}: {because}",
                _make_room(qmgr, where) or "time",
            )
        )
    return steps


def destination_steps(qmgr, name: str, length: int = 0) -> list[Step]:
    """Whether a put of `length` bytes to a queue, "Q" or "Q@QMGR", would work at a queue manager now."""
    try:
        target = leads_to(qmgr, name)
    except MQError as refused:
        said = f"{refused.reason} {refused.name}: {refused.said}"
        return [Step(refused.rule or "MQI-14", "its destination is there", False, said, f"{qmgr.name}: {refused.hint}")]
    except NotSimulated as refused:  # a model queue: nobody puts to one by name
        return [Step("MQI-14", "its destination is there", False, str(refused), f"{qmgr.name}: a queue of that name")]
    queue = target.queue
    full = queue.depth >= queue.maxdepth if hasattr(queue, "maxdepth") else False
    put = "DISABLED" if target.put_inhibited else "ENABLED"
    return [
        Step(
            "MQI-11",
            "its destination takes messages",
            not target.put_inhibited,
            f"{name} has PUT({put})",
            f"{qmgr.name}: ALTER QLOCAL({queue.name}) PUT(ENABLED)",
        ),
        Step(
            "MQI-09",
            "its destination has room",
            not full,
            f"CURDEPTH of {queue.name} is {queue.depth}" + (f" of {queue.maxdepth}" if full else ""),
            f"get some, or {qmgr.name}: ALTER QLOCAL({queue.name}) MAXDEPTH(...)",
        ),
        *_too_long(qmgr, queue, length),
    ]


def _too_long(qmgr, queue, length: int) -> list[Step]:
    """A step for a message that is longer than its queue takes, none for any other."""
    longest = queue.definition.attributes.get("MAXMSGL", length)
    said = f"it has {length} bytes; MAXMSGL of {queue.name} is {longest}"
    move = f"{qmgr.name}: ALTER QLOCAL({queue.name}) MAXMSGL({length})"
    return [] if length <= longest else [Step("MQI-10", "its destination takes one as long", False, said, move)]


def _make_room(qmgr, name: str) -> str:
    """What would let a queue take a message, "" if nothing stands against it."""
    steps = destination_steps(qmgr, name) if name else []
    return "; ".join(step.move for step in steps if not step.holds)


def _resolve(channel: Channel) -> str:
    """How to end a batch in doubt: by the channel itself or, knowing what the partner committed last, by hand."""
    qmgr, unit = channel.qmgr, channel.indoubt
    if awaits_answer(channel):  # both commands would be refused
        return AWAITED
    found = qmgr.lab[partner_of(channel)].channels.get((channel.name, qmgr.name)) if partner_of(channel) else None
    action = "COMMIT" if found is not None and found.luwid == unit.luwid else "BACKOUT"
    return f"{qmgr.name}: START CHANNEL({channel.name}), or RESOLVE CHANNEL({channel.name}) ACTION({action})"


def awaits_answer(channel: Channel) -> bool:
    """Whether the agent of a channel is still in session with its partner, which settles what is in doubt."""
    return channel.active and channel.end is not None and not channel.end.broken


def _last_state(channel: Channel) -> tuple[int, str]:
    """The row in which a channel entered its state, and what it said."""
    for row in reversed(channel.qmgr.lab.events.where(kind="channel", qmgr=channel.qmgr.name, object=channel.name)):
        said = json.loads(row.detail)
        if "was" in said and said.get("partner", "") == channel.partner:
            return row.seq, said.get("because", "")
    return -1, ""
