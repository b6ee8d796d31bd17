"""Checks of definitions that say two things about one object, and of subscriptions that are there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...engine.commands import CommandReply
from ...engine.commands.parser import parse
from ...engine.words import constants as mq
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ...pubsub.topics import wanted_string
from ..definitions import Part, Place
from ..findings import ERROR, NOTE, WARNING, Found, absent, check, spellings
from ..proofs import Proof, put_to
from ..routes import route
from .commands import Written, unlike
from .objects import alter, each, usable

if TYPE_CHECKING:
    from ..definitions import Definitions

_PAGE = "IBM MQ: MQSC commands reference"


def _again(estate: Definitions) -> Iterator[tuple[Written, Written, str]]:
    """Every two definitions of one object that both count, in order, and its queue sharing group, or ""."""
    last: dict[tuple[str, str, str], Written] = {}
    for part, reply in zip(estate.parts, estate.replies, strict=True):
        qmgr = estate.lab[part.qmgr]
        for one in reply.replies:
            if not one.ok or one.verb not in ("DEFINE", "DELETE") or one.name.startswith("SYSTEM."):
                continue
            parsed = parse(one.command, qmgr.platform, qmgr.level)[0]
            shared = one.kind == "CFSTRUCT" or parsed.attributes.get("QSGDISP", "QMGR") in ("SHARED", "GROUP")
            copied = qmgr.group is not None and not shared and _is_copy(part, one)
            group = qmgr.group.name if qmgr.group is not None and (shared or copied) else ""
            key = (group or qmgr.name, one.kind, one.name)
            if one.verb == "DEFINE" and key in last:
                yield last[key], (part, one), group
            if one.verb == "DEFINE":
                last[key] = (part, one)
            else:
                last.pop(key, None)


def _is_copy(part: Part, one: CommandReply) -> bool:
    """Whether a command as it is written is about a copy, which is read as the queue manager's own."""
    rest = part.script.text.splitlines()[one.line - 1 :]
    end = one.source.line_at(len(one.command) - 1) if one.source is not None else one.line
    return re.search(r"(?i)\bQSGDISP\s*\( *'?COPY\b", "\n".join(rest[: end - one.line + 1])) is not None


def _differs(estate: Definitions, members: bool) -> Iterator[Found]:
    """The findings about two definitions with different values: those of two members of a group, or the others."""
    for first, (part, one), group in _again(estate):
        if members != (first[0].qmgr != part.qmgr):
            continue
        where = (
            f"in line {first[1].line}" if first[0].file == part.file else f"in {Place(first[0].file, first[1].line)}"
        )
        wrong, words = unlike(estate, first, (part, one), f"at {first[0].qmgr}" if members else where, members)
        if wrong:
            what = f"{one.kind} {one.name}" + (f" of group {group}" if members else "")
            counts = f"DISPLAY {one.kind}({quoted(one.name)}) {wrong[0]}"
            shown = f"lab[{part.qmgr!r}].mqsc({counts!r}).rows[0][{wrong[0]!r}]"
            now = estate.lab[part.qmgr].objects.get(one.kind, one.name)
            proof = Proof(shown, str(now.attributes[wrong[0]])) if now is not None else None
            severity = NOTE if not members and first[0].file != part.file else ""
            cause = f"{first[0].file} {part.file}"
            said = f"{what} has {words}: the later definition counts"
            place = Place(part.file, one.line)
            yield Found(part.qmgr, one.kind, one.name, said, "", proof, wrong[0], "", severity, place, cause=cause)


@check("defined-differently", WARNING, "An object is defined twice, with different values", _PAGE)
def defined_differently(estate: Definitions) -> Iterator[Found]:
    yield from _differs(estate, False)


@check(
    "shared-definitions-differ",
    WARNING,
    "Members of a queue sharing group define a shared object differently",
    "QSG-03",
)
def shared_definitions_differ(estate: Definitions) -> Iterator[Found]:
    yield from _differs(estate, True)


def _subscriptions(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, str]]:
    """Each subscription of a script that sends to a queue, with its topic string; "" if that is not known."""
    for qmgr, one in each(estate, "SUB"):
        if one.attributes["DESTCLAS"] == "PROVIDED" and one.attributes["DEST"]:
            yield qmgr, one, wanted_string(qmgr, one.attributes)


_SAME = ("DEST", "SELECTOR", "SUBLEVEL", "WSCHEMA")


@check("subscription-doubled", WARNING, "Two subscriptions put each publication on one queue", "MQI-42")
def doubled(estate: Definitions) -> Iterator[Found]:
    first: dict[tuple, Definition] = {}
    for qmgr, one, topic in _subscriptions(estate):
        at = one.attributes["DESTQMGR"] or qmgr.name
        other = first.setdefault((qmgr.name, topic, at, *(one.attributes[key] for key in _SAME)), one)
        if other is not one and topic:
            queue = one.attributes["DEST"]
            said = f"subscriptions {other.name} and {one.name} have topic string {topic} and DEST({queue}): each "
            said += "publication arrives twice"
            local = qmgr.objects.get("QLOCAL", queue) if at == qmgr.name else None
            plain = local and usable(qmgr, local) and not re.search("[#+*?]", topic) and not one.attributes["SELECTOR"]
            lines = (f"lab[{qmgr.name!r}].publish({topic!r}, b'news')", f"lab[{qmgr.name!r}].depth({queue!r}) > 1")
            proof = Proof("\n".join(lines), "True") if plain else None
            yield Found(
                qmgr.name, "SUB", one.name, said, f"DELETE SUB({quoted(one.name)})", proof, "DEST", about=other.name
            )


@check("subscription-astray", ERROR, "A subscription sends to a queue that is not there", "MQI-30")
def astray(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, _ in _subscriptions(estate):
        at, queue = one.attributes["DESTQMGR"], one.attributes["DEST"]
        found = route(estate, f"{queue}@{at}", qmgr.name) if at not in ("", qmgr.name) else None
        stop = next((hop for hop in found.hops if hop.holds is False), None) if found is not None else None
        if stop is None or stop.reason not in (mq.MQRC_UNKNOWN_REMOTE_Q_MGR, mq.MQRC_UNKNOWN_OBJECT_NAME):
            continue
        here, lacks, there = stop.qmgr == qmgr.name, stop.reason == mq.MQRC_UNKNOWN_OBJECT_NAME, estate.lab[stop.qmgr]
        if not here and not lacks and not estate.whole(there):
            continue  # which may be of the name DESTQMGR
        near = "" if at in estate.names else close(estate.names, at)
        what = f"{queue}, which {stop.qmgr} does not have" if lacks else f"{queue} of queue manager {at}"
        said = f"subscription {one.name} sends to {what}" + (
            "" if lacks else f", to which nothing leads from {stop.qmgr}"
        )
        said += f"; is {near} meant?" if near else ""
        fix = alter(one, f"DEST({quoted(queue)}) DESTQMGR({quoted(near)})") if near else ""
        fix = f"DEFINE QLOCAL({quoted(queue)})" if lacks and not near else fix
        proof = Proof(put_to(qmgr.name, f"{queue}@{at}"), f"{stop.reason} {mq.REASONS[stop.reason]}") if here else None
        place, severity = stop.qmgr if lacks and not near else qmgr.name, absent(estate, there)
        yield Found(
            qmgr.name, "SUB", one.name, said, fix, proof, "DESTQMGR", place, severity, cause=f"{at} {lacks and queue}"
        )


@check("client-qmgr-unknown", NOTE, "A client channel is for a queue manager of another name", "IBM MQ: QMNAME")
def client_qmgr_unknown(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CLNTCONN"):
        name = one.attributes["QMNAME"]
        group = sum(other.attributes["QMNAME"] == name for other in estate.own(qmgr, "CLNTCONN")) > 1
        if not name or name in estate.names or group or name.startswith("*"):
            continue
        near = close(estate.names, name)
        ends = [other for other in estate.queue_managers if other.objects.get("CHANNEL", one.name) is not None]
        if not near and not (len(ends) == 1 and estate.whole(ends[0])):
            continue
        end = ends[0].name if len(ends) == 1 else near
        said = f"client channel {one.name} is for queue manager {name}, "
        said += f"which no script is of; is {near} meant?" if near else f"and {end} alone has channel {one.name}"
        proof = Proof(f"lab[{end!r}].connect('A.PROGRAM').open_object('QMGR', {name!r})", "2058 MQRC_Q_MGR_NAME_ERROR")
        fix = f"ALTER CHANNEL({quoted(one.name)}) CHLTYPE(CLNTCONN) QMNAME({quoted(near)})" if near else ""
        yield Found(qmgr.name, "CLNTCONN", one.name, said, fix, proof, "QMNAME", severity=WARNING if near else "")


def close(names: Sequence[str], name: str) -> str:
    """The only one of some names that is a spelling of a name, or differs in case only; "" for none, or several."""
    spelled = {*spellings(name)}
    found = [one for one in names if one in spelled or (one != name and one.upper() == name.upper())]
    return found[0] if len(found) == 1 else ""
