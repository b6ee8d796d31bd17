"""Checks of channels and of listeners."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ...engine.programs.channels.channel import CALLING, SENDING, Channel
from ...engine.programs.channels.initiator import INITQ
from ...engine.programs.channels.session import ANSWERS
from ...engine.queues.queue_manager import port_of
from ...engine.words.headers import MQXQH
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, absent, check, fault
from ..proofs import Proof
from ..routes import in_other_case, partner_by_name
from .objects import alter, each

if TYPE_CHECKING:
    from ..definitions import Definitions


class Pair(NamedTuple):
    """A channel that calls, the queue manager that it calls, and the channel of its name there, or None."""

    qmgr: QueueManager
    calls: Definition
    there: QueueManager
    answers: Definition | None


def pairs(estate: Definitions) -> Iterator[Pair]:
    """The channels that call a queue manager of the estate."""
    for qmgr, one in each(estate, "CHANNEL"):
        if one.attributes["CHLTYPE"] in CALLING and one.attributes["CONNAME"]:
            called = partner_by_name(Channel(qmgr, one), one.attributes.get("XMITQ", ""))
            if called:
                there = estate.lab[called]
                yield Pair(qmgr, one, there, there.objects.get("CHANNEL", one.name))


def _start(qmgr: QueueManager, one: Definition, called: str, *more: str) -> str:
    """The start of a program: the channel calls a queue manager, and is started."""
    conname = one.attributes["CONNAME"].partition(",")[0].strip()
    return "\n".join((*more, f"lab.address({conname!r}, {called!r})", _run(f"lab[{qmgr.name!r}]", one)))


def _run(at: str, one: Definition) -> str:
    """The lines of a program that start a channel, and let it run."""
    return f"""{at}.mqsc({f"START CHANNEL('{one.name}')"!r})\nlab.advance(2)"""


def fails(qmgr: QueueManager, one: Definition, called: str, code: str, *more: str) -> Proof:
    """A proof that a channel that is started fails with a message of this number."""
    shown = f"lab[{qmgr.name!r}].channels[{one.name!r}, ''].why.code"
    return Proof(f"{_start(qmgr, one, called, *more)}\n{shown}", code)


FAR_END = "PARTNER"
"""The queue manager at the other end of a channel in a proof."""


def _partner(qmgr: QueueManager, mqsc: str) -> list[str]:
    """The lines that make this queue manager, and run its definitions."""
    lines = [f"partner = lab.queue_manager({FAR_END!r})", f"lab.link({qmgr.name!r}, {FAR_END!r})"]
    return [*lines, f"partner.mqsc({mqsc!r}).require()"]


def _answered(qmgr: QueueManager, one: Definition) -> list[str]:
    """The lines that make a partner which answers a channel."""
    mqsc = f"DEFINE CHANNEL({quoted(one.name)}) CHLTYPE(RCVR) SEQWRAP({one.attributes['SEQWRAP']})"
    return _partner(qmgr, mqsc)


def unanswered(qmgr: QueueManager, channel: Definition) -> Proof:
    """A proof that a sending channel without retries is STOPPED when its partner does not answer once."""
    cut = f"lab.cut({qmgr.name!r}, {FAR_END!r})"
    shown = f"lab.restore({qmgr.name!r}, {FAR_END!r})\nlab.advance(24 * 3600)\n"
    shown += f"lab[{qmgr.name!r}].channels[{channel.name!r}, ''].state"
    return Proof(f"{_start(qmgr, channel, FAR_END, *_answered(qmgr, channel), cut)}\n{shown}", "STOPPED")


def call_in(qmgr: QueueManager, channel: Definition, put: str = "") -> str:
    """The start of a program: a partner calls a channel that receives, with a message for the queue `put`."""
    here = quoted(qmgr.name)
    mqsc = f"DEFINE QLOCAL({here}) USAGE(XMITQ)\nDEFINE CHANNEL({quoted(channel.name)}) CHLTYPE(SDR) XMITQ({here}) "
    mqsc += f"CONNAME({here}) {_as(channel)}"
    puts = [f"partner.put({f'{put}@{qmgr.name}'!r}, b'a message', persistent=True)"] if put else []
    return "\n".join((*_partner(qmgr, mqsc), *puts, _run("partner", channel)))


def _as(one: Definition) -> str:
    """The attributes in which the other end of a sending channel must agree with it."""
    cipher = one.attributes.get("SSLCIPH", "")
    return f"SEQWRAP({one.attributes['SEQWRAP']})" + (f" SSLCIPH({quoted(cipher)})" if cipher else "")


def triggered(channel: str) -> str:
    """The attributes by which a transmission queue starts a channel."""
    return f"TRIGGER TRIGTYPE(FIRST) INITQ({INITQ}) TRIGDATA({quoted(channel)})"


def xmitq_for(qmgr: QueueManager, name: str) -> str:
    """The command that makes a queue a transmission queue, triggered by the channel that sends from it; "" without such
    a channel, because the queue alone helps nobody, and for a queue of the system, which others need as it is."""
    sends = (one for one in qmgr.objects.match(("CHANNEL",)) if one.attributes["CHLTYPE"] in SENDING)
    channel = next((one.name for one in sends if one.attributes["XMITQ"] == name), "")
    found, change = qmgr.objects.get("QLOCAL", name), f"USAGE(XMITQ) {triggered(channel)}"
    if not channel or name.startswith("SYSTEM."):
        return ""
    return f"DEFINE QLOCAL({quoted(name)}) {change}" if found is None else alter(found, change)


def called_by(qmgr: QueueManager, one: Definition, _: str = "", code: str = "AMQ9509E") -> Proof | None:
    """A proof that a sending channel that is started fails with a message of this number; none without a CONNAME."""
    return fails(qmgr, one, FAR_END, code, *_answered(qmgr, one)) if one.attributes["CONNAME"] else None


@check("channel-xmitq-wrong", ERROR, "A channel sends from a queue that is no transmission queue", "CHL-02")
def xmitq_wrong(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        found = qmgr.objects.named("QLOCAL", one.attributes.get("XMITQ", ""))
        if one.attributes["CHLTYPE"] not in SENDING or found is None or found.attributes.get("USAGE") == "XMITQ":
            continue
        what, fix, proof = f"is a {found.kind}", "", None
        if found.kind == "QLOCAL":
            what, fix, proof = "has USAGE(NORMAL)", xmitq_for(qmgr, found.name), called_by(qmgr, one, code="AMQ9531E")
        said = f"channel {one.name} sends from {found.name}, which {what}: the channel does not start"
        yield fault(qmgr, one, said, fix, proof, "XMITQ")


@check("channel-not-answered", ERROR, "A channel has no other end", "CHL-08")
def not_answered(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, there, answers in pairs(estate):
        automatic = there.attributes.get("CHAD") == "ENABLED" and one.attributes["CHLTYPE"] in SENDING
        if answers is not None or automatic or estate.refused(there, one.name):
            continue
        near = in_other_case(there, "CHANNEL", one.name)
        what = f"has no channel of that name{'' if estate.whole(there) else ' in these scripts'}"
        said = f"channel {one.name} calls {there.name}, which {what}"
        said += f"{f' ({near} differs in case only)' if near else ''}: the channel does not start"
        fix, proof = "", None
        if one.attributes["CHLTYPE"] in SENDING:
            fix = f"DEFINE CHANNEL({quoted(one.name)}) CHLTYPE(RCVR) {_as(one)}"
            proof = fails(qmgr, one, there.name, "AMQ9520E")
        severity = ERROR if near else absent(estate, there)
        yield fault(qmgr, one, said, fix, proof, "CONNAME", there.name, severity)


@check("channel-types-differ", ERROR, "The types of both ends of a channel do not go together", "CHL-08")
def types_differ(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, there, answers in pairs(estate):
        mine = one.attributes["CHLTYPE"]
        if answers is None or answers.attributes["CHLTYPE"] in ANSWERS[mine]:
            continue
        other = answers.attributes["CHLTYPE"]
        said = f"channel {one.name} is a {mine} at {qmgr.name} and a {other} at {there.name}: "
        said += "the channel does not start"
        fix = f"DELETE CHANNEL({quoted(one.name)})\nDEFINE CHANNEL({quoted(one.name)}) CHLTYPE({ANSWERS[mine][0]})"
        fix = f"{fix} {_as(one)}" if mine in SENDING else ""
        yield fault(qmgr, one, said, fix, fails(qmgr, one, there.name, "AMQ9547E"), "CHLTYPE", there.name)


@check("channel-seqwrap", ERROR, "SEQWRAP differs at the ends of a channel", "CHL-12")
def sequence_wrap(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, there, answers in pairs(estate):
        if answers is None or one.attributes["CHLTYPE"] not in SENDING:
            continue
        mine, other = one.attributes["SEQWRAP"], answers.attributes.get("SEQWRAP", one.attributes["SEQWRAP"])
        if mine == other or answers.attributes["CHLTYPE"] not in ANSWERS[one.attributes["CHLTYPE"]]:
            continue
        said = f"SEQWRAP of {one.name} is {mine} at {qmgr.name} and {other} at {there.name}: the channel does not start"
        fix, proof = alter(answers, f"SEQWRAP({mine})"), fails(qmgr, one, there.name, "AMQ9505E")
        yield fault(qmgr, one, said, fix, proof, "SEQWRAP", there.name)


@check("channel-shorter-than-xmitq", WARNING, "A channel sends only shorter messages than its queue takes", "MQI-10")
def shorter(estate: Definitions) -> Iterator[Found]:
    called = {(pair.qmgr.name, pair.calls.name): pair for pair in pairs(estate)}
    for qmgr, one in each(estate, "CHANNEL"):
        queue, kind = qmgr.objects.get("QLOCAL", one.attributes.get("XMITQ", "")), one.attributes["CHLTYPE"]
        if kind not in SENDING or queue is None or queue.attributes["USAGE"] != "XMITQ":
            continue
        pair = called.get((qmgr.name, one.name))
        ends = [(qmgr, one)]
        if pair and pair.answers and pair.answers.attributes["CHLTYPE"] in ANSWERS[kind]:
            ends.append((pair.there, pair.answers))
        limits = [end.attributes["MAXMSGL"] or at.attributes["MAXMSGL"] for at, end in ends]
        takes, least = min(queue.attributes["MAXMSGL"], qmgr.attributes["MAXMSGL"]), min(limits)
        for (at, end), limit in zip(ends, limits, strict=True):
            if limit >= takes:
                continue
            where = "" if at is qmgr else at.name
            said = f"channel {one.name} has MAXMSGL({limit}){f' at {where}' if where else ''}, and {queue.name} takes "
            said += f"{takes} bytes: a longer message is dead-lettered, or stops the channel"
            words = alter(end, f"MAXMSGL({takes})")
            fix = words if takes <= at.attributes["MAXMSGL"] else f"ALTER QMGR MAXMSGL({takes})\n{words}"
            starts = len({each.attributes["SEQWRAP"] for _, each in ends}) == 1  # else another check says why not
            there = None if len(ends) == 1 else ends[1][0].name
            proof = _not_sent(qmgr, one, queue, least, there) if starts else None
            yield fault(qmgr, one, said, fix, proof, "MAXMSGL", at.name, about=where)


def _not_sent(qmgr: QueueManager, one: Definition, queue: Definition, least: int, there: str | None) -> Proof | None:
    """A proof that a channel that has agreed on its longest message does not send a longer one."""
    closed = "DISABLED" in (queue.attributes["GET"], queue.attributes["PUT"]) or not queue.attributes["MAXDEPTH"]
    if closed or not one.attributes["CONNAME"]:
        return None
    partner, lines = (FAR_END, _answered(qmgr, one)) if there is None else (there, [])
    length = max(least - MQXQH.LENGTH + 1, 0)
    put = f"lab[{qmgr.name!r}].put({f'A.QUEUE@{queue.name}'!r}, bytes({length}), persistent=True)"
    sent = f"channel = lab[{qmgr.name!r}].channels[{one.name!r}, '']\nchannel.longest, channel.messages"
    return Proof(f"{_start(qmgr, one, partner, *lines, put)}\n{sent}", f"({least}, 0)")


@check("receiver-not-called", NOTE, "No channel calls a receiver", "CHL-08")
def receiver_not_called(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        if one.attributes["CHLTYPE"] != "RCVR":
            continue
        others = [other for other in estate.queue_managers if other is not qmgr]
        if any(other.objects.get("CHANNEL", one.name) is not None for other in others):
            continue
        for other in others:
            if one.name.upper().split(".")[0] == other.name.upper() and not estate.refused(other, one.name):
                near = in_other_case(other, "CHANNEL", one.name)
                said = f"nothing calls receiver {one.name}: {other.name} has no channel of that name"
                said += f", and {near} differs in case only" if near else ""
                command = f"START CHANNEL({quoted(one.name)})"
                proof = Proof(f"lab[{other.name!r}].mqsc({command!r}).replies[0].code", "AMQ8227E")
                yield fault(qmgr, one, said, "", proof)


@check("qmgr-name-twice", NOTE, "Two dumps are of queue managers of one name",
       "IBM MQ: Rules for naming IBM MQ objects")  # fmt: skip
def name_twice(estate: Definitions) -> Iterator[Found]:
    dumps = [part for part in estate.parts if part.script.qmgr == part.qmgr]
    seen = set()
    for first, second in combinations(dumps, 2):
        if first.qmgr == second.qmgr and first.file != second.file and first.qmgr not in seen:
            seen.add(first.qmgr)
            said = f"{first.file} and {second.file} are both dumps of {first.qmgr}: they are read as one queue manager"
            yield Found(first.qmgr, "QMGR", "", said)


_CALLED = ("RCVR", "SVRCONN", "CLUSRCVR", "RQSTR", "SVR")
"""The types of channels that others call by a listener, those that nothing but a call starts first."""


def listeners_of(estate: Definitions, qmgr: QueueManager, transport: str = "TCP") -> list[Definition]:
    """The listeners for a transport that the scripts of a queue manager define, but for the default one."""
    found = [one for one in qmgr.objects.match(("LISTENER",)) if one.attributes["TRPTYPE"] == transport]
    own = [one for one in found if not one.name.startswith("SYSTEM.DEFAULT.")]
    return [one for one in own if estate.place(qmgr.name, "LISTENER", one.name).file]


def _listeners(estate: Definitions) -> Iterator[tuple[QueueManager, list[Definition]]]:
    """The TCP listeners that the dump of a queue manager defines."""
    for qmgr in estate.queue_managers:
        if estate.whole(qmgr) and (written := listeners_of(estate, qmgr)):
            yield qmgr, written


@check("listener-not-started", NOTE, "No listener starts with its queue manager", "IBM MQ: DEFINE LISTENER")
def not_started(estate: Definitions) -> Iterator[Found]:
    for qmgr, listeners in _listeners(estate):
        called = [one for one in estate.own(qmgr, "CHANNEL") if one.attributes["CHLTYPE"] in _CALLED]
        called.sort(key=lambda one: _CALLED.index(one.attributes["CHLTYPE"]))
        started = any((qmgr.name, one.name) in estate.started for one in listeners)
        starting = started or any(one.attributes["CONTROL"] != "MANUAL" for one in listeners)
        if starting or not called or estate.refused(qmgr, "LISTENER"):
            continue
        one = listeners[0]
        said = f"listener {one.name} has CONTROL(MANUAL), and no other listener starts with the queue manager: "
        said += f"channel {called[0].name} cannot be called until an operator starts one"
        asked, at = f"DISPLAY LSSTATUS({quoted(one.name)})", f"lab[{qmgr.name!r}]"
        proof = Proof(f"{at}.stop()\n{at}.start()\n{at}.mqsc({asked!r}).replies[0].code", "AMQ8147E")
        yield fault(qmgr, one, said, alter(one, "CONTROL(QMGR)"), proof, "CONTROL")


@check("listeners-on-one-port", WARNING, "Two listeners have one port", "IBM MQ: DEFINE LISTENER")
def one_port(estate: Definitions) -> Iterator[Found]:
    for qmgr, listeners in _listeners(estate):
        starting = [one for one in listeners if one.attributes["CONTROL"] != "MANUAL"]
        for first, second in combinations(starting, 2):
            ports = [port_of(one) for one in (first, second)]
            addresses = {one.attributes["IPADDR"] for one in (first, second)}
            if ports[0] == ports[1] and (len(addresses) == 1 or "" in addresses):
                said = f"listeners {first.name} and {second.name} both start with the queue manager and have port "
                said += f"{ports[0]}: only one of them gets it"
                yield fault(qmgr, second, said, alter(second, "CONTROL(MANUAL)"), None, "PORT", about=first.name)
