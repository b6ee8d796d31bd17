"""Checks of dead-letter queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check
from ..proofs import Proof, put_to
from .objects import MOST_CALLS, alter, put_on, refuses, takes, unknown, unset

if TYPE_CHECKING:
    from ..definitions import Definitions

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


def _lost(triggered: Definition) -> str:
    return f"a trigger message for {triggered.name} that its initiation queue does not take is lost"


@check("dead-letter-queue-none", WARNING, "A queue manager has no dead-letter queue", "CHL-17")
def none(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        channels = _channels(estate, qmgr)
        triggered = [queue for queue in estate.own(qmgr, "QLOCAL") if queue.attributes["TRIGGER"]]
        if qmgr.attributes["DEADQ"] or not (channels or triggered) or estate.refused(qmgr, "DEADQ"):
            continue
        proof = _stops(qmgr, channels[0]) if channels else None
        stops = f"channel {channels[0].name} stops at a persistent message that it cannot deliver" if channels else ""
        blank = "DEADQ is blank" if estate.whole(qmgr) else "no script here sets DEADQ"
        problem = f"{blank}: {stops or _lost(triggered[0])}"
        position = unset(estate, qmgr, "DEADQ", (channels or triggered)[0])
        severity = "" if estate.whole(qmgr) else NOTE
        yield Found(qmgr.name, "QMGR", "", problem, _DEFAULT, proof, "DEADQ", severity=severity, place=position)


@check("dead-letter-queue-missing", ERROR, "The dead-letter queue is not defined", "CHL-17")
def undefined(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        name = qmgr.attributes["DEADQ"]
        if name and qmgr.objects.named("QLOCAL", name) is None and not estate.refused(qmgr, name):
            what, near, severity = unknown(estate, qmgr, "QLOCAL", name, fits=_fits)
            problem = f"DEADQ names {what}: a channel stops at a message that it cannot deliver"
            proof = Proof(put_to(qmgr.name, name), "2085 MQRC_UNKNOWN_OBJECT_NAME")
            fix = f"ALTER QMGR DEADQ({quoted(near)})" if near else f"DEFINE QLOCAL({quoted(name)})"
            yield Found(qmgr.name, "QMGR", "", problem, fix, proof, "DEADQ", severity=severity)


def _found(
    estate: Definitions, qmgr: QueueManager, queue: Definition, problem: str, fix: str, *more: Any, **keywords: Any
) -> Found:
    """A finding about a dead-letter queue, at the queue; for one that no script defines, at DEADQ."""
    scripted = estate.place(qmgr.name, queue.kind, queue.name).file
    subject = (queue.kind, queue.name) if scripted else ("QMGR", "")
    return Found(qmgr.name, *subject, problem, fix, *more, **keywords)


def _dead_letter_queues(estate: Definitions, fit: bool) -> Iterator[tuple[QueueManager, Definition]]:
    """The dead-letter queues that are local queues for messages, or those that are not."""
    for qmgr in estate.queue_managers:
        queue = qmgr.objects.named("QLOCAL", qmgr.attributes["DEADQ"])
        if queue is not None and _fits(queue) == fit:
            yield qmgr, queue


def _fits(queue: Definition) -> bool:
    """Whether it is a local queue for messages."""
    return queue.kind == "QLOCAL" and queue.attributes["USAGE"] == "NORMAL"


@check("dead-letter-queue-not-local", ERROR, "The dead-letter queue is no local queue for messages", "CHL-17")
def not_local(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in _dead_letter_queues(estate, False):
        what = "a transmission queue, whose channel cannot send a dead letter"
        what = what if queue.kind == "QLOCAL" else f"a {queue.kind}"
        problem = f"DEADQ names {queue.name}, which is {what}; it must be a local queue with USAGE(NORMAL)"
        refused = queue.kind == "QMODEL"
        proof = Proof(put_to(qmgr.name, queue.name), "2057 MQRC_Q_TYPE_ERROR") if refused else None
        yield Found(qmgr.name, "QMGR", "", problem, _DEFAULT, proof, "DEADQ")


@check(
    "dead-letter-queue-disabled", ERROR, "The dead-letter queue does not take messages, or does not give them", "MQI-11"
)
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
            fix = alter(queue, "GET(ENABLED)")
            yield _found(estate, qmgr, queue, problem, fix, proof, "GET", severity=WARNING)


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
            problem = (
                f"dead-letter queue {name} takes {attributes['MAXMSGL']} bytes, and channel {longest} brings up to "
                f"{lengths[longest]}: the channel stops at a longer message that it cannot deliver"
            )
            fix = alter(queue, f"MAXMSGL({most})")
            line = put_on(qmgr, queue, f"bytes({attributes['MAXMSGL'] + 1})")
            proof = Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q") if takes(qmgr, name, 0) else None
            yield _found(estate, qmgr, queue, problem, fix, proof, "MAXMSGL")
        if attributes["MAXDEPTH"] < full.attributes["BATCHSZ"]:
            some = f"{attributes['MAXDEPTH']} message{'s' * (attributes['MAXDEPTH'] != 1)}"
            problem = (
                f"dead-letter queue {name} takes {some}, fewer than one batch of channel "
                f"{full.name} (BATCHSZ {full.attributes['BATCHSZ']}): when it is full, the channel stops"
            )
            put = put_to(qmgr.name, name)
            proof = Proof(f"for _ in range({attributes['MAXDEPTH']}): {put}\n{put}", "2053 MQRC_Q_FULL")
            proved = proof if attributes["MAXDEPTH"] < MOST_CALLS and takes(qmgr, name) else None
            yield _found(estate, qmgr, queue, problem, alter(queue, "MAXDEPTH(5000)"), proved, "MAXDEPTH")
