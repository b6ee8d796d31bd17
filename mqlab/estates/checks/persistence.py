"""Checks of what a queue accepts and keeps: its depth, its lengths, and persistence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check, fault
from ..proofs import Proof, put_to
from ..routes import DELIVERS, Route
from .objects import USUAL, alter, each, put_on, refuses, takes
from .routes import every_route

if TYPE_CHECKING:
    from ..definitions import Definitions

_LONGEST = 64_512
"""The most bytes of a message in a structure of CFLEVEL(3) or below (QSG-04)."""


def _shared(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, Definition]]:
    """Each shared queue of a structure that a script defines, with the structure."""
    for qmgr, queue in each(estate, "QLOCAL"):
        name = queue.attributes["CFSTRUCT"] if queue.attributes.get("QSGDISP") == "SHARED" else ""
        structure = qmgr.objects.get("CFSTRUCT", name) if name and name not in estate.assumed else None
        if structure is not None:
            yield qmgr, queue, structure


@check("persistence-refused", ERROR, "A structure refuses the persistent messages of its queue", "QSG-04")
def refused(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue, structure in _shared(estate):
        has = structure.attributes
        if queue.attributes["DEFPSIST"] == "YES" and has["RECOVER"] == "NO":
            said = f"{queue.name} has DEFPSIST(YES), and its structure {structure.name} CFLEVEL({has['CFLEVEL']}) "
            said += "RECOVER(NO): a put with the default persistence fails with 2048"
            level = f"CFLEVEL({max(has['CFLEVEL'], 3)})"
            fix = f"ALTER CFSTRUCT({quoted(structure.name)}) {level} RECOVER(YES)"
            proof = Proof(put_on(qmgr, queue), "2048 MQRC_PERSISTENT_NOT_ALLOWED")
            proved = proof if takes(qmgr, queue.name, 1_000) else None
            yield fault(qmgr, queue, said, fix, proved, "DEFPSIST")


@check("structure-short", NOTE, "A structure takes only shorter messages than its queues", "QSG-04")
def short(estate: Definitions) -> Iterator[Found]:
    first: dict[str, tuple[QueueManager, Definition, Definition]] = {}
    for qmgr, queue, structure in _shared(estate):
        if structure.attributes["CFLEVEL"] < 4 and _LONGEST < queue.attributes["MAXMSGL"] != USUAL:
            first.setdefault(structure.name, (qmgr, queue, structure))
    for qmgr, queue, structure in first.values():
        level, length = structure.attributes["CFLEVEL"], queue.attributes["MAXMSGL"]
        said = f"structure {structure.name} has CFLEVEL({level}), and {queue.name} in it MAXMSGL({length}): a message "
        said += f"of more than {_LONGEST} bytes fails with 2030"
        line = f"lab[{qmgr.name!r}].put({queue.name!r}, bytes({_LONGEST + 1}), persistent=False)"
        normal = queue.attributes["USAGE"] == "NORMAL" and takes(qmgr, queue.name)
        proof = Proof(line, "2030 MQRC_MSG_TOO_BIG_FOR_Q") if normal else None
        fix = f"ALTER CFSTRUCT({quoted(structure.name)}) CFLEVEL(4)"
        yield fault(qmgr, structure, said, fix, proof, "CFLEVEL")


@check("persistence-decided-by-alias", NOTE, "An alias makes messages nonpersistent", "IGQ-08")
def decided_by_alias(estate: Definitions) -> Iterator[Found]:
    for qmgr, alias in each(estate, "QALIAS"):
        of, base = alias.attributes, qmgr.objects.named("QLOCAL", alias.attributes["TARGET"])
        kind = "" if base is None or of["TARGTYPE"] == "TOPIC" or qmgr.platform == "vse" else base.kind
        if base is None or kind not in ("QLOCAL", "QREMOTE") or "DISABLED" in (of["PUT"], base.attributes["PUT"]):
            continue
        if of["DEFPSIST"] == "YES" or base.attributes["DEFPSIST"] == "NO":
            continue
        said = f"alias {alias.name} has DEFPSIST(NO), and {base.name} behind it DEFPSIST(YES): the alias decides, and "
        said += "a message of the default persistence does not survive a restart"
        proof = Proof(f"{put_to(qmgr.name, alias.name)}.persistent", "False")
        proved = proof if base.kind == "QLOCAL" and takes(qmgr, base.name) else None
        yield fault(qmgr, alias, said, alter(alias, "DEFPSIST(YES)"), proved, "DEFPSIST")


class _Fast(NamedTuple):
    """A remote definition, its route, the queue at its end, where that is, and the channel that moves its messages."""

    qmgr: QueueManager
    remote: Definition
    route: Route
    end: Definition
    there: str
    channel: str


def _fast(estate: Definitions) -> Iterator[_Fast]:
    """The remote definitions with DEFPSIST(NO) of queues with DEFPSIST(YES), whose channel is fast at both ends."""
    for qmgr, remote in each(estate, "QREMOTE"):
        of, found = remote.attributes, every_route(estate)[qmgr.name, remote.name]
        if found.verdict != DELIVERS or not of["RNAME"] or of["DEFPSIST"] == "YES" or qmgr.platform == "vse":
            continue
        there, name = found.end
        end = estate.lab[there].objects.get("QLOCAL", name)
        hops = [hop for hop in found.hops if hop.kind == "CHANNEL"]
        channels = [estate.lab[hop.qmgr].objects.get("CHANNEL", hop.name) for hop in hops]
        fast = len(channels) == 2 and all(channel and channel.attributes["NPMSPEED"] == "FAST" for channel in channels)
        if end is not None and end.attributes["DEFPSIST"] == "YES" and fast:
            yield _Fast(qmgr, remote, found, end, there, hops[0].name)


@check("fast-channel-loses", NOTE, "A channel can lose messages of a queue that would keep them", "CHL-07")
def fast_channel(estate: Definitions) -> Iterator[Found]:
    first: dict[tuple[str, str], list[_Fast]] = {}
    for one in _fast(estate):
        first.setdefault((one.qmgr.name, one.channel), []).append(one)
    for (at, name), through in first.items():
        one = through[0]
        more = f" and {len(through) - 1} more" if len(through) > 1 else ""
        said = f"channel {name} has NPMSPEED(FAST), and {one.remote.name}{more} DEFPSIST(NO) before {one.end.name} of "
        said += f"{one.there}, which has DEFPSIST(YES): when the channel breaks, messages on their way are lost"
        fix = "\n".join(alter(each.remote, "DEFPSIST(YES)") for each in through)
        there, put = one.there, put_to(at, one.remote.name)
        lines = (
            f"lab.link({at!r}, {there!r}, latency=1)",
            *(f"lab[{qmgr!r}].mqsc({command!r})" for qmgr, command in one.route.starts),
            f"{put}\nlab.advance(60)\n{put}\nlab.advance(0.5)",
            f"lab.cut({at!r}, {there!r})\nlab.advance(60)",
            f'lab[{there!r}].status({one.end.name!r})["CURDEPTH"]',
        )
        yield Found(at, "CHANNEL", name, said, fix, Proof("\n".join(lines), "1"), "NPMSPEED")


_MOST = 999_999_999


@check("queue-depth-none", WARNING, "A queue accepts no message", "MQI-09")
def depth_none(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        if queue.attributes["MAXDEPTH"] == 0:
            said = f"{queue.name} has MAXDEPTH(0): every put to it fails with 2053"
            proof = refuses(qmgr, queue, "2053 MQRC_Q_FULL") if queue.attributes["PUT"] == "ENABLED" else None
            yield fault(qmgr, queue, said, alter(queue, "MAXDEPTH(5000)"), proof, "MAXDEPTH")


@check("queue-depth-odd", NOTE, "A queue accepts one message, or as many as the disk does", "MQI-09")
def depth_odd(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        depth, put = queue.attributes["MAXDEPTH"], put_on(qmgr, queue)
        large = queue.attributes["USAGE"] == "XMITQ" or queue.name == qmgr.attributes["DEADQ"]
        if depth != 1 and (depth != _MOST or qmgr.platform == "zos" or large):
            continue
        most = "nothing but its storage limits the queue, and a reader that stops is noticed late"
        said = f"{queue.name} has MAXDEPTH({depth}): {'a second message fails with 2053' if depth == 1 else most}"
        proof = Proof(f"{put}\n{put}", "2053 MQRC_Q_FULL") if depth == 1 and takes(qmgr, queue.name, 1_000) else None
        yield fault(qmgr, queue, said, alter(queue, "MAXDEPTH(5000)"), proof, "MAXDEPTH")


@check("queue-longer-than-qmgr", NOTE, "A queue accepts longer messages than its queue manager", "MQI-10")
def longer(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        length, most = queue.attributes["MAXMSGL"], qmgr.attributes["MAXMSGL"]
        if length > most:
            commands = (command.command.upper() for _, command in estate.ran(qmgr.name) if command.kind == "QMGR")
            known = f"no script here sets MAXMSGL of {qmgr.name} (default {most})"
            if estate.whole(qmgr) or any("MAXMSGL" in text for text in commands):
                known = f"{qmgr.name} MAXMSGL({most})"
            said = f"{queue.name} has MAXMSGL({length}), and {known}: a longer put fails with 2031"
            line = put_on(qmgr, queue, f"bytes({most + 1})")
            proof = Proof(line, "2031 MQRC_MSG_TOO_BIG_FOR_Q_MGR") if takes(qmgr, queue.name, 0) else None
            yield fault(qmgr, queue, said, f"ALTER QMGR MAXMSGL({length})", proof, "MAXMSGL")
