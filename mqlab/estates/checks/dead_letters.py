"""Checks of queues for messages that cannot be delivered or processed: dead-letter and backout queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, WARNING, Found, check, fault
from ..proofs import Proof, put_to
from .objects import MOST_CALLS, USUAL, alter, each, put_on, refuses, takes, unset, usable

if TYPE_CHECKING:
    from ..definitions import Definitions


def _poisoned(qmgr: QueueManager, queue: Definition, times: int) -> list[str]:
    """The lines of a program that backs a message out, so many times."""
    # on a shared queue a nonpersistent one, because its structure may refuse another
    name, persistent = queue.name, queue.attributes.get("QSGDISP") != "SHARED"
    return [
        f'reader = lab[{qmgr.name!r}].connect("A.READER")',
        f'reader.put({name!r}, b"poison", persistent={persistent})',
        f"for _ in range({times}):",
        "    unit = reader.unit_of_work()",
        f"    reader.get({name!r}, unit=unit)",
        "    unit.backout()",
    ]


def _asked(qmgr: QueueManager, queue: str) -> str:
    """The expression with which a program asks a queue for its backout queue."""
    return f'lab[{qmgr.name!r}].connect("A.READER").open({queue}, inquire=True).inquire("BOTHRESH", "BOQNAME")'


def define_backout(_: QueueManager, queue: Definition, boq: str) -> str:
    """The command that defines a backout queue with the disposition of its queue, for messages as long."""
    of = queue.attributes
    groups = {"SHARED": f" QSGDISP(SHARED) CFSTRUCT({of.get('CFSTRUCT')})", "COPY": " QSGDISP(GROUP)"}
    group = groups.get(of.get("QSGDISP", ""), "")
    return f"DEFINE QLOCAL({quoted(boq)}){group}" + (f" MAXMSGL({of['MAXMSGL']})" if of["MAXMSGL"] > USUAL else "")


def fix_at(qmgr: QueueManager, queue: Definition) -> str:
    """The queue manager that fixes a queue: for a copy the first member, which alone needs to change the master."""
    copy = queue.attributes.get("QSGDISP") == "COPY" and qmgr.group is not None
    return qmgr.group.members[0].name if copy and qmgr.group else qmgr.name


@check("backout-without-queue", WARNING, "A backout threshold has no backout queue", "TRG-12c")
def without_queue(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, times = queue.name, queue.attributes["BOTHRESH"]
        if not times or queue.attributes["BOQNAME"]:
            continue
        said = f"{name} has BOTHRESH({times}) and no BOQNAME: a program that gives up on a message has no queue for it"
        boq = f"{name[:44]}.BOQ"
        fix = alter(queue, f"BOQNAME({quoted(boq)})")
        if qmgr.objects.named("QLOCAL", boq) is None:
            fix = f"{define_backout(qmgr, queue, boq)}\n{fix}"
        proof = Proof("\n".join((*_poisoned(qmgr, queue, times), f"reader.get({name!r}).backout_count")), str(times))
        proved = proof if times < MOST_CALLS and usable(qmgr, queue) else None
        yield fault(qmgr, queue, said, fix, proved, "BOTHRESH", fix_at(qmgr, queue))


@check("backout-without-threshold", WARNING, "A backout queue is never used", "TRG-12c")
def without_threshold(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, boq = queue.name, queue.attributes["BOQNAME"]
        if boq and not queue.attributes["BOTHRESH"]:
            said = f"{name} has BOQNAME({boq}) and BOTHRESH(0): no program moves a message there, "
            said += "however often it fails"
            behind = _local(qmgr, boq)
            back = behind is not None and queue in _path(qmgr, behind)[0]  # a threshold would close a loop
            fix = alter(queue, "BOQNAME(' ')" if back else "BOTHRESH(3)")
            proof = Proof(_asked(qmgr, repr(name)), f"{{'BOTHRESH': 0, 'BOQNAME': {boq!r}}}")
            yield fault(qmgr, queue, said, fix, proof, "BOQNAME")


@check("backout-queue-unfit", ERROR, "A backout queue does not take what fails", "MQI-11")
def unfit(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        boq = qmgr.objects.named("QLOCAL", queue.attributes["BOQNAME"])
        if boq is None:
            continue
        said, fix, proof, severity, line = "", "", None, ERROR, put_to(qmgr.name, boq.name)
        lengths = [one.attributes["MAXMSGL"] for one in (queue, boq) if "MAXMSGL" in one.attributes]
        if boq.kind == "QMODEL":
            said, proof = "is a model queue", Proof(line, "2057 MQRC_Q_TYPE_ERROR")
            fix = f"DELETE QMODEL({quoted(boq.name)})\nDEFINE QLOCAL({quoted(boq.name)})"
        elif boq.attributes["PUT"] == "DISABLED":
            said, fix = "has PUT(DISABLED)", alter(boq, "PUT(ENABLED)")
            proof = refuses(qmgr, boq, "2051 MQRC_PUT_INHIBITED") if boq.kind == "QLOCAL" else None
        elif boq.attributes.get("USAGE") == "XMITQ":
            said, fix = "is a transmission queue", alter(queue, "BOTHRESH(0) BOQNAME(' ')")
        elif boq.kind == "QLOCAL" and lengths[1] < min(lengths[0], qmgr.attributes["MAXMSGL"]):
            said, severity = f"takes {lengths[1]} bytes, and {queue.name} {lengths[0]}", WARNING
            fix = alter(boq, f"MAXMSGL({lengths[0]})")
            line = put_on(qmgr, boq, f"bytes({lengths[1] + 1})")
            proof = Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q") if takes(qmgr, boq.name, 0) else None
        if said:
            said = f"backout queue {boq.name} of {queue.name} {said}: "
            said += "a program that gives up on a message cannot move it"
            yield fault(qmgr, queue, said, fix, proof, "BOQNAME", severity=severity)


def _next(qmgr: QueueManager, queue: Definition) -> Definition | None:
    """The local queue to which a program moves a message that fails too many times, also through an alias."""
    return _local(qmgr, queue.attributes["BOQNAME"]) if queue.attributes["BOTHRESH"] else None


def _local(qmgr: QueueManager, name: str) -> Definition | None:
    """The local queue to which a name leads, also through an alias."""
    found = qmgr.objects.named("QLOCAL", name)
    if found is not None and found.kind == "QALIAS":
        found = qmgr.objects.get("QLOCAL", found.attributes["TARGET"])
    return found if found is not None and found.kind == "QLOCAL" else None


def _path(qmgr: QueueManager, queue: Definition) -> tuple[list[Definition], Definition | None]:
    """The backout queues of a queue, one behind the other, from itself on, and that to which the last leads back."""
    path = [queue]
    while (onward := _next(qmgr, path[-1])) is not None and onward not in path:
        path.append(onward)
    return path, onward


@check("backout-loop", WARNING, "Backout queues lead back to where they began", "TRG-12c")
def loop(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        path, onward = _path(qmgr, queue)
        names = [one.name for one in path]
        if onward is not queue or queue.name != min(names):
            continue
        said = f"the backout queues of {' and '.join(names)} form a loop: a message that always fails never leaves it"
        lines = [f"queue = {names[0]!r}"] + [f'queue = {_asked(qmgr, "queue")}["BOQNAME"]'] * len(names)
        direct = all(one.attributes["BOQNAME"] in names for one in path)
        proof = Proof("\n".join((*lines, "queue")), names[0]) if direct else None
        fix = alter(path[-1], "BOTHRESH(0) BOQNAME(' ')")
        yield fault(qmgr, queue, said, fix, proof, "BOQNAME")


@check("backout-count-lost", WARNING, "A restart forgets how many times a message failed", "MQI-32")
def count_lost(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, of = queue.name, queue.attributes
        if qmgr.platform != "zos" or not of["BOTHRESH"] or of["HARDENBO"] or of["QSGDISP"] == "SHARED":
            continue
        said = f"{name} has BOTHRESH and NOHARDENBO: after a restart, each BackoutCount begins at 0 again"
        lines = [*_poisoned(qmgr, queue, 1), f"lab[{qmgr.name!r}].stop()", f"lab[{qmgr.name!r}].start()"]
        shown = f"lab[{qmgr.name!r}].get({name!r}).backout_count"
        proof = Proof("\n".join((*lines, shown)), "0") if usable(qmgr, queue) else None
        yield fault(qmgr, queue, said, alter(queue, "HARDENBO"), proof, "NOHARDENBO")


_MOVING = ("RCVR", "RQSTR", "CLUSRCVR", "SDR", "SVR", "CLUSSDR")
_RECEIVING = {"RCVR": "SDR", "RQSTR": "SVR"}
_DEFAULT = "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"


def _channels(estate: Definitions, qmgr: QueueManager) -> list[Definition]:
    """The channels that move messages; those that receive come first, because they need the queue most."""
    channels = [channel for channel in estate.own(qmgr, "CHANNEL") if channel.attributes["CHLTYPE"] in _MOVING]
    return sorted(channels, key=lambda channel: _MOVING.index(channel.attributes["CHLTYPE"]))


def _stops(qmgr: QueueManager, channel: Definition) -> Proof | None:
    """A proof that a message for an unknown queue ends a receiving channel, whose sender then tries again."""
    sending = _RECEIVING.get(channel.attributes["CHLTYPE"])
    if sending is None:
        return None
    name, sender = channel.name, "SENDER" if qmgr.name != "SENDER" else "SENDER2"
    mqsc = (
        f"DEFINE QLOCAL({quoted(qmgr.name)}) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\n"
        f"DEFINE CHANNEL({quoted(name)}) CHLTYPE({sending}) XMITQ({quoted(qmgr.name)}) CONNAME('proof') "
        f"SEQWRAP({channel.attributes['SEQWRAP']}) SSLCIPH({quoted(channel.attributes['SSLCIPH'])})"
    )
    lines = (
        f"sender = lab.queue_manager({sender!r})",
        f"lab.link({sender!r}, {qmgr.name!r})",
        f'lab.address("proof", {qmgr.name!r})',
        f"sender.mqsc({mqsc!r}).require()",
        f'sender.put({"NO.SUCH.QUEUE@" + qmgr.name!r}, b"a message", persistent=True)',
        "lab.advance(30)",
        f'sender.channels[{name!r}, ""].state, sender.status({qmgr.name!r})["CURDEPTH"]',
    )
    return Proof("\n".join(lines), "('RETRYING', 1)")


@check("dead-letter-queue-none", WARNING, "A queue manager has no dead-letter queue", "CHL-17")
def none(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        channels = _channels(estate, qmgr)
        triggered = [queue for queue in estate.own(qmgr, "QLOCAL") if queue.attributes["TRIGGER"]]
        if qmgr.attributes["DEADQ"] or not (channels or triggered) or not estate.whole(qmgr):
            continue  # crtmqm -u can set DEADQ too
        proof = _stops(qmgr, channels[0]) if channels else None
        if channels:
            problem = f"channel {channels[0].name} stops at a persistent message that it cannot deliver"
        else:
            problem = f"a trigger message for {triggered[0].name} that its initiation queue does not take is lost"
        position = unset(estate, qmgr, "DEADQ", (channels or triggered)[0])
        yield Found(qmgr.name, "QMGR", "", f"DEADQ is blank: {problem}", _DEFAULT, proof, "DEADQ", place=position)


def _found(
    estate: Definitions, qmgr: QueueManager, queue: Definition, problem: str, fix: str, *more: Any, **keywords: Any
) -> Found:
    """A finding about a dead-letter queue, at the queue; for one that no script defines, at DEADQ."""
    system = queue.name.startswith("SYSTEM.") and not estate.place(qmgr.name, queue.kind, queue.name).line
    place = estate.place(qmgr.name, "QMGR", "", "DEADQ") if system else None
    return fault(qmgr, queue, problem, fix, *more, **keywords)._replace(place=place)


def _dead_letter_queues(estate: Definitions, fit: bool) -> Iterator[tuple[QueueManager, Definition]]:
    """The dead-letter queues that are local queues for messages, or those that are not."""
    for qmgr in estate.queue_managers:
        queue = qmgr.objects.named("QLOCAL", qmgr.attributes["DEADQ"])
        if queue is not None and fit == (queue.kind == "QLOCAL" and queue.attributes["USAGE"] == "NORMAL"):
            yield qmgr, queue


@check("dead-letter-queue-not-local", ERROR, "The dead-letter queue is no local queue for messages", "CHL-17")
def not_local(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _dead_letter_queues(estate, False):
        what = "a transmission queue, whose channel cannot send a dead letter"
        what = what if queue.kind == "QLOCAL" else f"a {queue.kind}"
        problem = f"DEADQ names {queue.name}, which is {what}; it must be a local queue with USAGE(NORMAL)"
        put = put_to(qmgr.name, queue.name)
        proof = Proof(put, "2057 MQRC_Q_TYPE_ERROR") if queue.kind == "QMODEL" else None
        yield Found(qmgr.name, "QMGR", "", problem, _DEFAULT, proof, "DEADQ")


@check("dead-letter-queue-disabled", ERROR, "The dead-letter queue does not take messages, or does not give them",
       "MQI-11")  # fmt: skip
def disabled(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _dead_letter_queues(estate, True):
        name, attributes = queue.name, queue.attributes
        if attributes["PUT"] == "DISABLED":
            problem = f"dead-letter queue {name} has PUT(DISABLED): a channel stops at a message that it cannot deliver"
            proof = refuses(qmgr, queue, "2051 MQRC_PUT_INHIBITED")
            yield _found(estate, qmgr, queue, problem, alter(queue, "PUT(ENABLED)"), proof, "PUT")
        if attributes["GET"] == "DISABLED":
            problem = f"dead-letter queue {name} has GET(DISABLED): no dead-letter handler can take a message from it"
            proof = Proof(f"lab[{qmgr.name!r}].get({name!r})", "2016 MQRC_GET_INHIBITED")
            yield _found(estate, qmgr, queue, problem, alter(queue, "GET(ENABLED)"), proof, "GET", severity=WARNING)


@check("dead-letter-queue-small", WARNING, "The dead-letter queue is too small for what a channel brings", "MQI-10")
def small(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _dead_letter_queues(estate, True):
        receiving = [channel for channel in _channels(estate, qmgr) if channel.attributes["CHLTYPE"] in _MOVING[:3]]
        if not receiving:
            continue
        name, attributes, most = queue.name, queue.attributes, qmgr.attributes["MAXMSGL"]
        lengths = {channel.name: min(channel.attributes["MAXMSGL"] or most, most) for channel in receiving}
        longest = max(lengths, key=lambda channel: lengths[channel])
        full = max(receiving, key=lambda channel: channel.attributes["BATCHSZ"])
        if attributes["MAXMSGL"] < lengths[longest]:
            problem = f"dead-letter queue {name} takes {attributes['MAXMSGL']} bytes, and channel {longest} brings up "
            problem += f"to {lengths[longest]}: the channel stops at a longer message that it cannot deliver"
            line = put_on(qmgr, queue, f"bytes({attributes['MAXMSGL'] + 1})")
            proof = Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q") if takes(qmgr, name, 0) else None
            yield _found(estate, qmgr, queue, problem, alter(queue, f"MAXMSGL({most})"), proof, "MAXMSGL")
        if attributes["MAXDEPTH"] < full.attributes["BATCHSZ"]:
            some = f"{attributes['MAXDEPTH']} message{'s' * (attributes['MAXDEPTH'] != 1)}"
            problem = f"dead-letter queue {name} takes {some}, fewer than one batch of channel {full.name} "
            problem += f"(BATCHSZ {full.attributes['BATCHSZ']}): when it is full, the channel stops"
            put = put_to(qmgr.name, name)
            proof = Proof(f"for _ in range({attributes['MAXDEPTH']}): {put}\n{put}", "2053 MQRC_Q_FULL")
            proved = proof if attributes["MAXDEPTH"] < MOST_CALLS and takes(qmgr, name) else None
            yield _found(estate, qmgr, queue, problem, alter(queue, "MAXDEPTH(5000)"), proved, "MAXDEPTH")
