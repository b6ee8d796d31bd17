"""Checks of transmission queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.programs.channels.channel import SENDING
from ...engine.programs.channels.initiator import INITQ
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check, fault
from ..proofs import Proof
from .channels import triggered
from .objects import alter, each, owners, put_on, refuses, takes

if TYPE_CHECKING:
    from ..definitions import Definitions


def _transmission_queues(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, list[Definition]]]:
    """Each transmission queue, with the channels that send from it; without those of clusters."""
    # the channels of every member of a group serve a shared queue
    serving: dict[tuple[str, str], list[Definition]] = {}
    for qmgr in estate.queue_managers:
        for one in qmgr.objects.match(("CHANNEL",)):
            if one.attributes["CHLTYPE"] in SENDING:
                serving.setdefault((qmgr.name, one.attributes["XMITQ"]), []).append(one)
    for qmgr in estate.queue_managers:
        for queue in estate.own(qmgr, "QLOCAL"):
            if queue.attributes["USAGE"] == "XMITQ" and not queue.attributes["CLCHNAME"]:
                found = [one for owner in owners(qmgr, queue) for one in serving.get((owner.name, queue.name), [])]
                yield qmgr, queue, list({one.name: one for one in found}.values())


def _waits(qmgr: QueueManager, queue: Definition, channel: str) -> Proof | None:
    """A proof that a message waits on a transmission queue while the channel does not run."""
    if not takes(qmgr, queue.name, 1_000):
        return None
    at = f"lab[{qmgr.name!r}]"
    asked = f"DISPLAY CHSTATUS({quoted(channel)})"
    status = f"{at}.mqsc({asked!r}).replies[0].code"
    if not channel:  # the channels that send from the queue
        sends = f'one.attributes.get("XMITQ") == {queue.name!r}'
        status = f'[one.name for one in {at}.objects.match(("CHANNEL",)) if {sends}]'
    shown = f'{at}.status({queue.name!r})["CURDEPTH"], {status}'
    lines = (put_on(qmgr, queue), "lab.advance(60)", shown)
    return Proof("\n".join(lines), f"(1, {'AMQ8420I' if channel else []!r})")


@check("xmitq-not-triggered", WARNING, "Nothing starts the channel of a transmission queue", "CHL-16")
def not_triggered(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, channels in _transmission_queues(estate):
        of, names = queue.attributes, [one.name for one in channels]
        served = any((qmgr.name, name) in estate.started for name in names)
        if of["TRIGGER"] or served or not channels or channels[0].attributes["CHLTYPE"] == "SVR":
            continue
        said = f"transmission queue {queue.name} does not start channel {names[0]}: messages wait until someone does"
        yield fault(qmgr, queue, said, alter(queue, triggered(names[0])), _waits(qmgr, queue, names[0]), "TRIGGER")


def _misled(qmgr: QueueManager, queue: Definition) -> Definition | None:
    """The channel that TRIGDATA of a triggered transmission queue names, and that sends from another queue, if any."""
    of = queue.attributes
    found = qmgr.objects.get("CHANNEL", of["TRIGDATA"]) if of["TRIGGER"] and of["INITQ"] == INITQ else None
    return found if found is not None and found.attributes.get("XMITQ") != queue.name else None


@check("xmitq-without-channel", WARNING, "A transmission queue has no channel", "CHL-02")
def without_channel(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, channels in _transmission_queues(estate):
        known = channels or queue.attributes["PROCESS"] or estate.refused(qmgr, queue.name)
        if not known and not _misled(qmgr, queue):  # of which xmitq-trigger-data says so
            no = "no channel" if estate.whole(qmgr) else f"no channel of {qmgr.name} in these scripts"
            said = f"{no} sends from transmission queue {queue.name}: its messages wait forever"
            yield fault(qmgr, queue, said, "", _waits(qmgr, queue, ""), "USAGE")


@check("xmitq-two-channels", NOTE, "Two channels send from one transmission queue", "CHL-02")
def two_channels(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, channels in _transmission_queues(estate):
        if len(channels) > 1:
            names = " and ".join(one.name for one in channels)
            said = f"channels {names} send from transmission queue {queue.name}: only one of them can run at a time"
            line = 'lab[{!r}].connect({!r}).open({!r}, input="exclusive")'.format
            lines = [line(qmgr.name, one.name, queue.name) for one in channels[:2]]
            proof = Proof(f"first = {lines[0]}\n{lines[1]}", "2042 MQRC_OBJECT_IN_USE")
            yield fault(qmgr, queue, said, "", proof)


@check("xmitq-trigger-data", ERROR, "A transmission queue starts a channel that does not serve it", "CHL-16")
def trigger_data(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, channels in _transmission_queues(estate):
        name, of = queue.name, queue.attributes
        wanted = of["TRIGDATA"]
        if not of["TRIGGER"] or of["INITQ"] != INITQ or not wanted or wanted in [one.name for one in channels]:
            continue
        found = _misled(qmgr, queue)
        if found is not None and found.attributes["CHLTYPE"] in SENDING:
            nothing = f"which sends from {found.attributes['XMITQ']}"
        elif found is not None:
            nothing = f"which is a {found.attributes['CHLTYPE']} channel and does not send"
        elif channels or estate.whole(qmgr):
            nothing = "which is not defined"
        else:  # xmitq-without-channel says so
            continue
        if estate.refused(qmgr, wanted):
            continue
        said = f"transmission queue {name} starts channel {wanted}, {nothing}: its messages wait"
        right = channels[0].name if channels else ""
        fix = alter(queue, f"TRIGDATA({quoted(right)})") if right else ""
        yield fault(qmgr, queue, said, fix, _waits(qmgr, queue, right), "TRIGDATA")


@check("xmitq-initq", WARNING, "A transmission queue is triggered, and the channel initiator does not hear of it",
       "CHL-16")  # fmt: skip
def initiation_queue(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, channels in _transmission_queues(estate):
        name, of = queue.name, queue.attributes
        usual = of["INITQ"] in (INITQ, "") or of["PROCESS"]
        if not of["TRIGGER"] or usual or not channels or qmgr.objects.get("QLOCAL", of["INITQ"]) is None:
            continue
        said = f"transmission queue {name} has INITQ({of['INITQ']}), and the channel initiator reads {INITQ}"
        fix, severity = alter(queue, f"INITQ({INITQ})"), "" if qmgr.platform == "zos" else NOTE
        yield fault(qmgr, queue, said, fix, _waits(qmgr, queue, channels[0].name), "INITQ", severity=severity)


@check("xmitq-disabled", ERROR, "A transmission queue is disabled", "MQI-11")
def disabled(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, _ in _transmission_queues(estate):
        name, of = queue.name, queue.attributes
        if of["GET"] == "DISABLED":
            said = f"transmission queue {name} has GET(DISABLED): no channel can send its messages"
            proof = Proof(f'lab[{qmgr.name!r}].connect("A.CHANNEL").get({name!r})', "2016 MQRC_GET_INHIBITED")
            yield fault(qmgr, queue, said, alter(queue, "GET(ENABLED)"), proof, "GET")
        if of["PUT"] == "DISABLED":
            said = f"transmission queue {name} has PUT(DISABLED): a put to a queue behind it fails with 2051"
            refused = refuses(qmgr, queue, "2051 MQRC_PUT_INHIBITED")
            yield fault(qmgr, queue, said, alter(queue, "PUT(ENABLED)"), refused, "PUT")


@check("xmitq-short", WARNING, "A transmission queue takes only shorter messages than the queue behind it", "MQI-10")
def short(estate: Definitions) -> Iterator[Found]:
    named = {one.name: one for one in estate.queue_managers}
    for qmgr, remote in each(estate, "QREMOTE"):
        of = remote.attributes
        far, xmitq = named.get(of["RQMNAME"]), qmgr.objects.get("QLOCAL", of["XMITQ"] or of["RQMNAME"])
        target = far.objects.get("QLOCAL", of["RNAME"]) if far is not None else None
        if far is None or target is None or xmitq is None or xmitq.attributes["USAGE"] != "XMITQ":
            continue
        length = xmitq.attributes["MAXMSGL"]
        wanted = min(target.attributes["MAXMSGL"], far.attributes["MAXMSGL"], qmgr.attributes["MAXMSGL"])
        if length < wanted:
            said = f"{remote.name} leads to {target.name}, which takes {target.attributes['MAXMSGL']} bytes, and its "
            said += f"transmission queue {xmitq.name} takes {length}: a longer put fails with 2030"
            fix = alter(xmitq, f"MAXMSGL({qmgr.attributes['MAXMSGL']})")
            line = f"lab[{qmgr.name!r}].put({remote.name!r}, bytes({length + 1}))"
            proof = Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q") if xmitq.attributes["PUT"] == "ENABLED" else None
            yield fault(qmgr, remote, said, fix, proof)
