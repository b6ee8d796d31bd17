"""Checks of definitions that say two things about one object, and of subscriptions that are there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...engine.words import constants as mq
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ...pubsub.topics import wanted_string
from ..definitions import Place
from ..findings import ERROR, NOTE, WARNING, Found, absent, check, spellings
from ..proofs import Proof, put_to
from ..routes import route
from ..together import known
from .commands import Written, unlike
from .objects import alter, each, say, usable

if TYPE_CHECKING:
    from ..definitions import Definitions

_PAGE = "IBM MQ: MQSC commands reference"


_OF_GROUP = re.compile(r"(?i)\bQSGDISP\s*\( *'?(?:SHARED|GROUP|COPY)")


def _again(estate: Definitions) -> Iterator[tuple[Written, Written, str]]:
    """Every two definitions of one object that both count, in order, and its queue sharing group, or ""."""
    last: dict[tuple[str, str, str], Written] = {}
    for part, reply in zip(estate.parts, estate.replies, strict=True):
        group = estate.lab[part.qmgr].group
        lines = [] if group is None else part.script.text.splitlines()  # a copy may be read as its member's own
        for one in reply.replies:
            if one.ok and one.verb in ("DEFINE", "DELETE") and not one.name.startswith("SYSTEM."):
                end = one.source.line_at(len(one.command) - 1) if one.source is not None else one.line
                written = "" if group is None else "\n".join(lines[one.line - 1 : end])
                shared = group is not None and (one.kind == "CFSTRUCT" or _OF_GROUP.search(written))
                key = (group.name if group is not None and shared else part.qmgr, one.kind, one.name)
                if one.verb == "DEFINE" and key in last:
                    yield last[key], (part, one), key[0] if shared else ""
                last[key] = (part, one)
                if one.verb == "DELETE":
                    del last[key]


def _differs(estate: Definitions, members: bool) -> Iterator[Found]:
    """The findings about two definitions with different values: those of two members of a group, or the others."""
    for first, (part, one), group in _again(estate):
        if members != (first[0].qmgr != part.qmgr):
            continue
        before, same, place = (
            Place(first[0].file, first[1].line),
            first[0].file == part.file,
            Place(part.file, one.line),
        )
        where = f"at {first[0].qmgr}" if members else f"in line {before.line}" if same else f"in {before}"
        wrong, words = unlike(estate, first, (part, one), where, members)
        if wrong:
            said = say(
                "differently", what=f"{one.kind} {one.name}{f' of group {group}' if members else ''}", words=words
            )
            command = f"DISPLAY {one.kind}({quoted(one.name)}) {wrong[0]}"
            now = estate.lab[part.qmgr].objects.get(one.kind, one.name)
            shown = f"lab[{part.qmgr!r}].mqsc({command!r}).rows[0][{wrong[0]!r}]"
            proof = Proof(shown, str(now.attributes[wrong[0]])) if now is not None else None
            severity, cause = "" if members or same else NOTE, f"{first[0].file} {part.file}"
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
            said = say("doubled", other=other.name, name=one.name, topic=topic, queue=queue)
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
        said = say("dest-missing" if lacks else "dest-unknown", name=one.name, queue=queue, at=at, there=stop.qmgr)
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
        if not near and not (len(ends) == 1 and known(estate, ends[0].name, True)):
            continue
        end = ends[0].name if len(ends) == 1 else near
        said = say(f"client-{'misspelled' if near else 'elsewhere'}", name=one.name, at=name, near=near, end=end)
        proof = Proof(f"lab[{end!r}].connect('A.PROGRAM').open_object('QMGR', {name!r})", "2058 MQRC_Q_MGR_NAME_ERROR")
        fix = f"ALTER CHANNEL({quoted(one.name)}) CHLTYPE(CLNTCONN) QMNAME({quoted(near)})" if near else ""
        yield Found(qmgr.name, "CLNTCONN", one.name, said, fix, proof, "QMNAME", severity=WARNING if near else "")


def close(names: Sequence[str], name: str) -> str:
    """The only one of some names that is a spelling of a name, or differs in case only; "" for none, or several."""
    spelled = {*spellings(name)}
    found = [one for one in names if one in spelled or (one != name and one.upper() == name.upper())]
    return found[0] if len(found) == 1 else ""
