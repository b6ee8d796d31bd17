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
from ..findings import ERROR, NOTE, WARNING, Found, absent, check, fault, spellings
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
        for command in reply.replies:
            if command.ok and command.verb in ("DEFINE", "DELETE") and not command.name.startswith("SYSTEM."):
                end = command.source.line_at(len(command.command) - 1) if command.source is not None else command.line
                written = "" if group is None else "\n".join(lines[command.line - 1 : end])
                shared = group is not None and (command.kind == "CFSTRUCT" or _OF_GROUP.search(written))
                key = (group.name if group is not None and shared else part.qmgr, command.kind, command.name)
                if command.verb == "DEFINE" and key in last:
                    yield last[key], (part, command), key[0] if shared else ""
                last[key] = (part, command)
                if command.verb == "DELETE":
                    del last[key]


def _differs(estate: Definitions, members: bool) -> Iterator[Found]:
    """The findings about two definitions with different values: those of two members of a group, or the others."""
    for first, (part, command), group in _again(estate):
        if members != (first[0].qmgr != part.qmgr):
            continue
        before, spot = Place(first[0].file, first[1].line), Place(part.file, command.line)
        same = before.file == spot.file
        where = f"at {first[0].qmgr}" if members else f"in line {before.line}" if same else f"in {before}"
        wrong, words = unlike(estate, first, (part, command), where, members)
        if wrong:
            what = f"{command.kind} {command.name}{f' of group {group}' if members else ''}"
            sentence = say("differently", what=what, words=words)
            asked = f"DISPLAY {command.kind}({quoted(command.name)}) {wrong[0]}"
            now = estate.lab[part.qmgr].objects.get(command.kind, command.name)
            shown = f"lab[{part.qmgr!r}].mqsc({asked!r}).rows[0][{wrong[0]!r}]"
            proof = Proof(shown, str(now.attributes[wrong[0]])) if now is not None else None
            severity, cause = "" if members or same else NOTE, f"{first[0].file} {part.file}"
            subject = part.qmgr, command.kind, command.name
            yield Found(*subject, sentence, "", proof, wrong[0], "", severity, spot, cause=cause)


@check("defined-differently", WARNING, "An object is defined twice, with different values", _PAGE)
def defined_differently(estate: Definitions) -> Iterator[Found]:
    yield from _differs(estate, False)


@check("shared-definitions-differ", WARNING, "Members of a queue sharing group define a shared object differently",
       "QSG-03")  # fmt: skip
def shared_definitions_differ(estate: Definitions) -> Iterator[Found]:
    yield from _differs(estate, True)


def _subscriptions(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, str]]:
    """Each subscription of a script that sends to a queue, with its topic string; "" if that is not known."""
    for qmgr, subscription in each(estate, "SUB"):
        if subscription.attributes["DESTCLAS"] == "PROVIDED" and subscription.attributes["DEST"]:
            yield qmgr, subscription, wanted_string(qmgr, subscription.attributes)


_SAME = ("DEST", "SELECTOR", "SUBLEVEL", "WSCHEMA")


@check("subscription-doubled", WARNING, "Two subscriptions put each publication on one queue", "MQI-42")
def doubled(estate: Definitions) -> Iterator[Found]:
    first: dict[tuple, Definition] = {}
    for qmgr, subscription, topic in _subscriptions(estate):
        host = subscription.attributes["DESTQMGR"] or qmgr.name
        same = (qmgr.name, topic, host, *(subscription.attributes[key] for key in _SAME))
        other = first.setdefault(same, subscription)
        if other is not subscription and topic:
            queue = subscription.attributes["DEST"]
            sentence = say("doubled", other=other.name, name=subscription.name, topic=topic, queue=queue)
            local = qmgr.objects.get("QLOCAL", queue) if host == qmgr.name else None
            plain = not re.search("[#+*?]", topic) and not subscription.attributes["SELECTOR"]
            lines = f"lab[{qmgr.name!r}].publish({topic!r}, b'news')\nlab[{qmgr.name!r}].depth({queue!r}) > 1"
            proof = Proof(lines, "True") if local and plain and usable(qmgr, local) else None
            fix = f"DELETE SUB({quoted(subscription.name)})"
            yield fault(qmgr, subscription, sentence, fix, proof, "DEST", about=other.name)


@check("subscription-astray", ERROR, "A subscription sends to a queue that is not there", "MQI-30")
def astray(estate: Definitions) -> Iterator[Found]:
    for qmgr, subscription, _ in _subscriptions(estate):
        host, queue = subscription.attributes["DESTQMGR"], subscription.attributes["DEST"]
        way = route(estate, f"{queue}@{host}", qmgr.name) if host not in ("", qmgr.name) else None
        stop = next((hop for hop in way.hops if hop.holds is False), None) if way is not None else None
        if stop is None or stop.reason not in (mq.MQRC_UNKNOWN_REMOTE_Q_MGR, mq.MQRC_UNKNOWN_OBJECT_NAME):
            continue
        here, lacks, there = stop.qmgr == qmgr.name, stop.reason == mq.MQRC_UNKNOWN_OBJECT_NAME, estate.lab[stop.qmgr]
        if not here and not lacks and not estate.whole(there):
            continue  # which may be of the name DESTQMGR
        near = "" if host in estate.names else close(estate.names, host)
        case, facts = "dest-missing" if lacks else "dest-unknown", {"queue": queue, "at": host, "there": stop.qmgr}
        sentence = say(case, name=subscription.name, **facts) + (f"; is {near} meant?" if near else "")
        fix = alter(subscription, f"DEST({quoted(queue)}) DESTQMGR({quoted(near)})") if near else ""
        fix = f"DEFINE QLOCAL({quoted(queue)})" if lacks and not near else fix
        shown = f"{stop.reason} {mq.REASONS[stop.reason]}"
        proof = Proof(put_to(qmgr.name, f"{queue}@{host}"), shown) if here else None
        spot, severity = stop.qmgr if lacks and not near else qmgr.name, absent(estate, there)
        cause = f"{host} {lacks and queue}"
        yield fault(qmgr, subscription, sentence, fix, proof, "DESTQMGR", spot, severity, cause=cause)


@check("client-qmgr-unknown", NOTE, "A client channel is for a queue manager of another name", "IBM MQ: QMNAME")
def client_qmgr_unknown(estate: Definitions) -> Iterator[Found]:
    for qmgr, client in each(estate, "CLNTCONN"):
        name = client.attributes["QMNAME"]
        group = sum(other.attributes["QMNAME"] == name for other in estate.own(qmgr, "CLNTCONN")) > 1
        if not name or name in estate.names or group or name.startswith("*"):
            continue
        near = close(estate.names, name)
        ends = [other for other in estate.queue_managers if other.objects.get("CHANNEL", client.name) is not None]
        if not near and not (len(ends) == 1 and known(estate, ends[0].name, True)):
            continue
        end = ends[0].name if len(ends) == 1 else near
        sentence = say(f"client-{'misspelled' if near else 'elsewhere'}", name=client.name, at=name, near=near, end=end)
        proof = Proof(f"lab[{end!r}].connect('A.PROGRAM').open_object('QMGR', {name!r})", "2058 MQRC_Q_MGR_NAME_ERROR")
        fix = f"ALTER CHANNEL({quoted(client.name)}) CHLTYPE(CLNTCONN) QMNAME({quoted(near)})" if near else ""
        yield fault(qmgr, client, sentence, fix, proof, "QMNAME", severity=WARNING if near else "")


def close(names: Sequence[str], name: str) -> str:
    """The only one of some names that is a spelling of a name, or differs in case only; "" for none, or several."""
    spelled = {*spellings(name)}
    alike = [other for other in names if other in spelled or (other != name and other.upper() == name.upper())]
    return alike[0] if len(alike) == 1 else ""
