"""Checks of commands that a queue manager refuses, and of event messages, which commands turn on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...admin.security_records import records
from ...engine.commands.parser import parse
from ...engine.words import catalog
from ...engine.words.lexer import quoted
from ..definitions import Place
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check, fault
from ..proofs import Proof, put_to
from .objects import alter, each, takes, unset

if TYPE_CHECKING:
    from ...engine.commands import CommandReply
    from ...engine.words.objects import Definition
    from ...lab.queue_manager import QueueManager
    from ..definitions import Definitions, Part

Written = tuple["Part", "CommandReply"]
"""A command of a script, as its reply has it."""

_EXISTS, _NOT_FOUND, _TOO_LONG = ("AMQ8150", "AMQ8226"), ("AMQ8147", "AMQ8227"), "+QMNAME+"


def _found(part: Part, one: CommandReply, said: str, severity: str = "", proved: bool = True, cause: str = "") -> Found:
    """A finding about a command; its proof is the command itself."""
    proof = Proof(f"lab[{part.qmgr!r}].mqsc({one.command!r}).replies[0].code", one.code) if proved else None
    about, place = " ".join(one.command.split()), Place(part.file, one.line)
    cause = f"{part.file} {cause}" if cause else ""
    return Found(part.qmgr, one.kind, one.name, said, "", proof, "", "", severity, place, about, cause)


def _about(one: CommandReply) -> str:
    """The command in a few words."""
    words = f"{one.verb} {one.kind}({one.name})" if one.kind and one.name else " ".join(one.command.split()[:2])
    return words or "a line without a command"


@check("script-without-commands", NOTE, "A script without commands", "IBM MQ: MQSC commands reference")
def without_commands(estate: Definitions) -> Iterator[Found]:
    for part, reply in zip(estate.parts, estate.replies, strict=True):
        if part.file and not (reply.replies or part.notes or part.settings):
            said = f"{part.file} has no commands: nothing in it was checked"
            yield Found(part.qmgr, "QMGR", "", said, place=Place(part.file, 1), about=part.file)


@check("not-read", NOTE, "A part of a file that was not read", "IBM MQ: MQSC commands reference")
def not_read(estate: Definitions) -> Iterator[Found]:
    for part in estate.parts:
        for line, why, damaged in part.notes:
            severity, place, name = WARNING if damaged else NOTE, Place(part.file, line), Path(part.file).name
            yield Found(part.qmgr, "QMGR", name, why, severity=severity, place=place, about=why, cause=why)


@check("one-queue-manager", OPEN, "Scripts that may be of one queue manager", "IBM MQ: MQSC commands reference")
def one_queue_manager(estate: Definitions) -> Iterator[Found]:
    for pair in estate.together:
        file, one = next(part.file for part in estate.parts if part.qmgr == pair.other), pair.definition
        first, *more = pair.names
        said = f"{first}{f' and {len(more)} more' if more else ''}, which no script of {pair.qmgr} defines, "
        said += f"{'are' if more else 'is'} defined in {file}; one queue manager? --qmgr NAME reads both scripts as one"
        yield Found(pair.qmgr, one.kind, one.name, said, keyword=pair.keyword, about=pair.other)


@check("template-not-filled", WARNING, "A placeholder of a template", "IBM MQ: Rules for naming IBM MQ objects")
def template_not_filled(estate: Definitions) -> Iterator[Found]:
    for part, one in estate.ran():
        if not one.ok and one.case == "placeholder":
            said = f"{one.subject} is a placeholder that a template left behind: its commands are refused"
            yield _found(part, one, said, cause="template")._replace(kind="QMGR", name="", about=one.subject)


@check("not-on-this-platform", ERROR, "A command of another platform", "IBM MQ: MQSC commands reference")
def not_on_this_platform(estate: Definitions) -> Iterator[Found]:
    for part, one in estate.ran():
        if one.case == "platform":
            ours = {"zos": "z/OS"}.get(estate.lab[part.qmgr].platform, estate.lab[part.qmgr].platform)
            said = f"{_about(one)} is refused: {one.subject}, and {part.qmgr} is {ours}"
            severity = ERROR if part.platform or part.script.platform else WARNING
            yield _found(part, one, said, severity, not one.ok, one.subject)


@check("not-at-this-level", ERROR, "A command from a later level", "IBM MQ: MQSC commands reference")
def not_at_this_level(estate: Definitions) -> Iterator[Found]:
    for part, one in estate.ran():
        if one.case == "level":
            said = f"{_about(one)} is refused: {one.subject}, and {part.qmgr} has {estate.lab[part.qmgr].level}"
            yield _found(part, one, said, cause=one.subject)


@check("defined-twice", WARNING, "Defined twice without REPLACE", "IBM MQ: MQSC commands reference")
def defined_twice(estate: Definitions) -> Iterator[Found]:
    for part, one in estate.ran():
        if one.code.startswith(_EXISTS) and not one.name.startswith("SYSTEM."):
            definition, grouped = estate.lab[part.qmgr].objects.named(one.kind, one.name), estate.lab[part.qmgr].group
            private = definition is not None and definition.attributes.get("QSGDISP", "QMGR") == "QMGR"
            other = "" if grouped is None else _unlike(estate, grouped.members, part, one)
            problem = "is defined already" if grouped is None or (private and one.kind != "CFSTRUCT") else ""
            if problem or other:
                said = f"{one.kind} {one.name} {problem or f'has {other}'}: this DEFINE without REPLACE is refused, and"
                yield _found(part, one, f"{said} what it says does not count")


def _unlike(estate: Definitions, members: Sequence[QueueManager], part: Part, one: CommandReply) -> str:
    """The attributes that a later DEFINE of a group's object sets to other values than the first, in words, or ""."""
    names = [member.name for member in members]
    every = (each for each in estate.ran() if each[0].qmgr in names and each[1].verb == "DEFINE" and each[1].ok)
    first = next((each for each in every if (each[1].kind, each[1].name) == (one.kind, one.name)), None)
    return "" if first is None else unlike(estate, first, (part, one), f"at {first[0].qmgr}")[1]


def unlike(
    estate: Definitions, first: Written, later: Written, where: str, every: bool = True
) -> tuple[list[str], str]:
    """The attributes that two DEFINEs of an object set to different values, and these in words, the first values with
    where they are; without `every`, only attributes that the first command names."""
    before, here = (_defines(estate.lab[part.qmgr], one.command) for part, one in (first, later))
    named = parse(first[1].command, estate.lab[first[0].qmgr].platform, estate.lab[first[0].qmgr].level)[0].attributes
    wrong = [key for key in before if key not in ("DESCR", "CUSTOM") and before[key] != here.get(key, before[key])]
    wrong = [key for key in sorted(wrong, key=lambda key: key not in named) if every or key in named]
    wrong = ["QSGDISP"] if "QSGDISP" in wrong else wrong
    words = [f"{_word(key, before[key])} {where}, and {_word(key, here[key])} here" for key in wrong]
    return wrong, "; ".join(words[:2]) + (f"; and {len(words) - 2} more such" if len(words) > 2 else "")


def _word(keyword: str, value: Any) -> str:
    """An attribute as MQSC has it."""
    if isinstance(value, bool):
        return keyword if value else f"NO{keyword}"
    return f"{keyword}({quoted('') if value == '' else value})"


def _defines(qmgr: QueueManager, command: str) -> dict[str, Any]:
    """The attributes that a DEFINE gives an object, a copy as its master; those of LIKE are left out."""
    parsed = parse(command, qmgr.platform, qmgr.level)[0]
    usual = {} if "LIKE" in parsed.options else catalog.defaults(parsed.kind, qmgr.platform)
    given = {**usual, **parsed.attributes}
    return given | {"QSGDISP": given.get("QSGDISP", "QMGR").replace("COPY", "GROUP")}


@check("names-the-unknown", NOTE, "A command about an unknown object", "IBM MQ: MQSC commands reference")
def names_the_unknown(estate: Definitions) -> Iterator[Found]:
    refused = {(part.qmgr, one.name) for part, one in estate.ran() if one.verb == "DEFINE" and not one.ok}
    for part, one in estate.ran():
        if not one.code.startswith(_NOT_FOUND) or one.verb not in ("ALTER", "START", "DEFINE"):
            continue
        like = re.search(r"(?i)\bLIKE\(\s*'?([^')]*)", one.command) if one.verb == "DEFINE" else None
        name, qmgr = like[1] if like else one.name, estate.lab[part.qmgr]
        known = name.startswith("SYSTEM.") or estate.asked_of(qmgr, name)
        if not known and (like or (part.qmgr, name) not in refused):
            said = f"no script of {qmgr.name} defines {name} before {_about(one)}, which fails without it"
            cause = f"LIKE {name}" if like else "names"
            yield _found(part, one, said, absent(estate, qmgr) if like else NOTE, False, cause)


@check("command-refused", ERROR, "A command that IBM MQ refuses", "IBM MQ: MQSC commands reference")
def command_refused(estate: Definitions) -> Iterator[Found]:
    run = ""  # of lines without a verb that follow each other
    for part, one in estate.ran():
        run = (run or one.subject or str(one.line)) if not one.ok and not one.verb else ""
        yield from _refusal(estate, part, one, run or one.subject)


def _as_new(qmgr: QueueManager, one: CommandReply) -> bool:
    """Whether a command adds a channel authentication record as a new queue manager has it already."""
    if not one.code.startswith("AMQ8883"):
        return False
    command = parse(one.command, qmgr.platform, qmgr.level)[0]
    wanted = {key: value for key, value in command.options.items() if key not in ("ACTION", "CUSTOM", "DESCR", "WARN")}
    rows = [row for key, row in records(qmgr).items() if key[:2] == ("CHLAUTH", command.name)]
    rows = [row for row in rows if row["DESCR"].startswith("Default rule")]
    return any(all(row.get(key) == value for key, value in wanted.items()) for row in rows)


def _refusal(estate: Definitions, part: Part, one: CommandReply, cause: str) -> Iterator[Found]:
    """The finding about a command that is refused, if none of the other checks says so."""
    named = one.code.startswith((*_EXISTS, *_NOT_FOUND)) or one.case in ("placeholder", "platform", "level")
    sets = one.syntax or one.verb in ("DEFINE", "ALTER", "SET")
    if one.ok or named or not sets or _as_new(estate.lab[part.qmgr], one):
        return
    if _TOO_LONG in one.command and part.script.qmgr is None and not one.syntax:
        said = f"{_TOO_LONG} is the name of the queue manager, which the file does not say: --qmgr NAME"
        yield _found(part, one, said, OPEN)
        return
    severity = ERROR if one.verb in ("", "DEFINE", "ALTER", "SET") else WARNING
    said = f"{_about(one)} is refused with {one.code}: {' '.join(one.notes).rstrip('.')}"
    yield _found(part, one, said, severity, cause=cause)


_DEPTH = {"QDPHIEV": "DISABLED", "QDPLOEV": "DISABLED", "QSVCIEV": "NONE"}
"""The performance events that someone must turn on, and their value when they are off."""

_PAGE, _SERVICE = "IBM MQ: Queue depth events", "IBM MQ: Queue service interval events"
_QUEUES = {
    "PERFM": "PERFMEV",
    "CHANNEL": "CHLEV SSLEV BRIDGEEV CHADEV",
    "CONFIG": "CONFIGEV",
    "COMMAND": "CMDEV",
    "QMGR": "AUTHOREV INHIBTEV LOCALEV REMOTEEV STRSTPEV",
    "LOGGER": "LOGGEREV",
}
"""The event queues, SYSTEM.ADMIN.*.EVENT, and the attributes that send events to each."""


@check("events-off", WARNING, "Performance events of queues are on, and those of the queue manager off", _PAGE)
def off(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        own = list(estate.own(qmgr, "QLOCAL"))
        on = [one for one in own if any(one.attributes[event] != none for event, none in _DEPTH.items())]
        if on and qmgr.attributes["PERFMEV"] == "DISABLED":
            others = f" and {len(on) - 1} other queue{'s' if len(on) > 2 else ''}" if len(on) > 1 else ""
            silent = "PERFMEV is DISABLED" if estate.whole(qmgr) else "no script here sets PERFMEV(ENABLED)"
            said = f"{on[0].name}{others} would send performance events, but {silent}"
            place = unset(estate, qmgr, "PERFMEV", on[0])
            proof = next((_silent(qmgr.name, one) for one in on if _can_fill(one) and takes(qmgr, one.name)), None)
            yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR PERFMEV(ENABLED)", proof, "PERFMEV", place=place)


def _can_fill(queue: Definition) -> bool:
    """Whether one message can make a queue full enough for an event that someone turned on."""
    has = queue.attributes
    return (has["QDPHIEV"], has["PUT"], has["USAGE"]) == ("ENABLED", "ENABLED", "NORMAL")


def _silent(qmgr: str, queue: Definition) -> Proof:
    """The proof that a queue as deep as it can be sends no event."""
    name = queue.name
    lines = (
        f"qm = lab[{qmgr!r}]",
        f"qm.alter('QLOCAL', {name!r}, {{'MAXDEPTH': 1}})",
        f"qm.put({name!r}, b'a message')",
        f"[each.name for each in qm.event_messages() if each.object == {name!r}]",
    )
    return Proof("\n".join(lines), "[]")


@check("events-depths-crossed", WARNING, "A queue is full enough and empty enough at once", _PAGE)
def crossed(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        high, low = (queue.attributes[key] for key in ("QDEPTHHI", "QDEPTHLO"))
        both = "DISABLED" not in (queue.attributes["QDPHIEV"], queue.attributes["QDPLOEV"])
        if high < low or (both and high == low):
            said = f"{queue.name} has QDEPTHHI({high}), which is not above QDEPTHLO({low}): its depth events "
            said += "mean nothing"
            yield fault(qmgr, queue, said, alter(queue, "QDEPTHHI(80) QDEPTHLO(20)"), keyword="QDEPTHHI")


@check("events-interval-huge", NOTE, "A service interval never passes", _SERVICE)
def interval(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        event, length = queue.attributes["QSVCIEV"], queue.attributes["QSVCINT"]
        if event != "NONE" and length >= 86_400_000:
            said = f"{queue.name} has QSVCIEV({event}) and QSVCINT({length}), milliseconds: no event comes in time"
            yield fault(qmgr, queue, said, alter(queue, "QSVCINT(60000)"), keyword="QSVCINT")


@check("events-without-queue", WARNING, "Event messages are lost", "MQI-11")
def without_queue(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for name, keywords in _QUEUES.items():
            on = [key for key in keywords.split() if qmgr.attributes.get(key, "DISABLED") != "DISABLED"]
            queue = f"SYSTEM.ADMIN.{name}.EVENT"
            found = qmgr.objects.named("QLOCAL", queue)
            if not on or (found is not None and found.attributes.get("PUT") != "DISABLED"):
                continue
            shown = "2085 MQRC_UNKNOWN_OBJECT_NAME" if found is None else "2051 MQRC_PUT_INHIBITED"
            gone = "is not defined" if found is None else "has PUT(DISABLED)"
            said = f"{on[0]} is on, and {queue} {gone}: the queue manager discards its event messages"
            fix = f"DEFINE QLOCAL({queue})" if found is None else f"ALTER {found.kind}({queue}) PUT(ENABLED)"
            yield Found(qmgr.name, "QMGR", "", said, fix, Proof(put_to(qmgr.name, queue), shown), on[0])
