"""Checks of commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...admin.security_records import records
from ...engine.commands.parser import parse
from ...engine.words import catalog
from ..definitions import Place
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check
from ..proofs import Proof

if TYPE_CHECKING:
    from ...engine.commands import CommandReply
    from ...lab.queue_manager import QueueManager
    from ..definitions import Definitions, Part

_EXISTS, _NOT_FOUND, _TOO_LONG = ("AMQ8150", "AMQ8226"), ("AMQ8147", "AMQ8227"), "+QMNAME+"


def _replies(estate: Definitions) -> Iterator[tuple[Part, CommandReply, str]]:
    """Every command: the script, the reply, and the words of the lab about it."""
    for part, reply in zip(estate.parts, estate.replies, strict=True):
        for one in reply.replies:
            yield part, one, " ".join(one.notes)


def _found(part: Part, one: CommandReply, said: str, severity: str = "", proved: bool = True) -> Found:
    """A finding about a command; its proof is the command itself."""
    proof = Proof(f"lab[{part.qmgr!r}].mqsc({one.command!r}).replies[0].code", one.code) if proved else None
    command = " ".join(one.command.split())
    return Found(part.qmgr, one.kind, one.name, said, "", proof, "", "", severity, Place(part.file, one.line), command)


def _about(one: CommandReply) -> str:
    """The command in a few words."""
    return f"{one.verb} {one.kind}({one.name})" if one.kind and one.name else " ".join(one.command.split()[:2])


@check("template-not-filled", WARNING, "A placeholder of a template", "IBM MQ: Rules for naming IBM MQ objects")
def template_not_filled(estate: Definitions) -> Iterator[Found]:
    first: dict[tuple[str, str], list[tuple[Part, CommandReply]]] = {}
    for part, one, _ in _replies(estate):
        if not one.ok and one.case == "placeholder":
            first.setdefault((part.file, one.subject), []).append((part, one))
    for (_, placeholder), there in first.items():
        count = f"{len(there)} commands are" if len(there) > 1 else "a command is"
        said = f"{placeholder} is a placeholder that a template left behind: {count} refused"
        yield _found(*there[0], said)._replace(kind="QMGR", name="", about=placeholder)


@check("not-on-this-platform", ERROR, "A command of another platform", "IBM MQ: MQSC commands reference")
def not_on_this_platform(estate: Definitions) -> Iterator[Found]:
    for part, one, said, more in _by_case(estate, "platform"):
        stated = part.platform or part.script.platform
        ours = {"zos": "z/OS"}.get(estate.lab[part.qmgr].platform, estate.lab[part.qmgr].platform)
        said = f"{_about(one)}{more} refused: {said}, and {part.qmgr} is {ours}"
        yield _found(part, one, said, ERROR if stated else WARNING, not one.ok)


@check("not-at-this-level", ERROR, "A command from a later level", "IBM MQ: MQSC commands reference")
def not_at_this_level(estate: Definitions) -> Iterator[Found]:
    for part, one, said, more in _by_case(estate, "level"):
        level = estate.lab[part.qmgr].level
        yield _found(part, one, f"{_about(one)}{more} refused: {said}, and {part.qmgr} has {level}")


def _by_case(estate: Definitions, case: str) -> Iterator[tuple[Part, CommandReply, str, str]]:
    """The first command of a file with each subject of a case: script, reply, subject, others in words."""
    first: dict[tuple[str, str], list[tuple[Part, CommandReply]]] = {}
    for part, one, _ in _replies(estate):
        if one.case == case:
            first.setdefault((part.file, one.subject), []).append((part, one))
    for (_, said), there in first.items():
        yield *there[0], said, f" and {len(there) - 1} more are" if len(there) > 1 else " is"


@check("defined-twice", WARNING, "Defined twice without REPLACE", "IBM MQ: MQSC commands reference")
def defined_twice(estate: Definitions) -> Iterator[Found]:
    for part, one, _ in _replies(estate):
        if one.code.startswith(_EXISTS) and not one.name.startswith("SYSTEM."):
            definition, grouped = estate.lab[part.qmgr].objects.named(one.kind, one.name), estate.lab[part.qmgr].group
            private = definition is not None and definition.attributes.get("QSGDISP", "QMGR") == "QMGR"
            if grouped is None or (private and one.kind != "CFSTRUCT"):
                said = f"{one.kind} {one.name} is defined already: this DEFINE without REPLACE is refused"
                yield _found(part, one, f"{said}, and what it says does not count")
            elif other := _unlike(estate, grouped.members, part, one):
                said = f"{one.kind} {one.name} has {other}: this DEFINE without REPLACE is refused"
                yield _found(part, one, f"{said}, and what it says does not count")


def _unlike(estate: Definitions, members: Sequence[QueueManager], part: Part, one: CommandReply) -> str:
    """The attributes that a later DEFINE of a group's object sets to other values than the first, in words, or ""."""
    every = (each for each in _replies(estate) if any(each[0].qmgr == member.name for member in members))
    found = ((each, reply) for each, reply, _ in every if reply.verb == "DEFINE" and reply.ok)
    first = next(((each, reply) for each, reply in found if (reply.kind, reply.name) == (one.kind, one.name)), None)
    if first is None:
        return ""
    given, later = (_defines(estate.lab[each.qmgr], reply.command) for each, reply in (first, (part, one)))
    wrong = [key for key in given if key not in ("DESCR", "CUSTOM") and given[key] != later.get(key, given[key])]
    wrong = ["QSGDISP"] if "QSGDISP" in wrong else wrong
    words = [f"{_word(key, given[key])} at {first[0].qmgr}, and {_word(key, later[key])} here" for key in wrong]
    return "; ".join(words[:2]) + (f"; and {len(words) - 2} more such" if len(words) > 2 else "")


def _word(keyword: str, value: Any) -> str:
    """An attribute as MQSC has it."""
    return f"{'' if value else 'NO'}{keyword}" if isinstance(value, bool) else f"{keyword}({value})"


def _defines(qmgr: QueueManager, command: str) -> dict[str, Any]:
    """The attributes that a DEFINE gives an object, a copy as its master; those of LIKE are left out."""
    parsed = parse(command, qmgr.platform, qmgr.level)[0]
    usual = {} if "LIKE" in parsed.options else catalog.defaults(parsed.kind, qmgr.platform)
    given = {**usual, **parsed.attributes}
    return given | {"QSGDISP": given.get("QSGDISP", "QMGR").replace("COPY", "GROUP")}


@check("names-the-unknown", NOTE, "A command about an unknown object", "IBM MQ: MQSC commands reference")
def names_the_unknown(estate: Definitions) -> Iterator[Found]:
    refused = {(part.qmgr, one.name) for part, one, _ in _replies(estate) if one.verb == "DEFINE" and not one.ok}
    first: dict[tuple[str, str, bool], list[tuple[Part, CommandReply, str]]] = {}
    for part, one, _ in _replies(estate):
        if not one.code.startswith(_NOT_FOUND) or one.verb not in ("ALTER", "START", "DEFINE"):
            continue
        like = re.search(r"(?i)\bLIKE\(\s*'?([^')]*)", one.command) if one.verb == "DEFINE" else None
        name = like[1] if like else one.name
        if not name.startswith("SYSTEM.") and (like or (part.qmgr, name) not in refused):
            first.setdefault((part.file, name if like else "", bool(like)), []).append((part, one, name))
    for (_, _, copies), there in first.items():
        part, one, _ = there[0]
        names = list(dict.fromkeys(name for _, _, name in there))
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        others = f" and {len(there) - 1} more, which fail" if len(there) > 1 else ", which fails"
        said = f"no script defines {names[0]}{more} before {_about(one)}{others} without it"
        yield _found(part, one, said, absent(estate, estate.lab[part.qmgr]) if copies else NOTE, False)


@check("command-refused", ERROR, "A command that IBM MQ refuses", "IBM MQ: MQSC commands reference")
def command_refused(estate: Definitions) -> Iterator[Found]:
    strays: dict[tuple[str, object], list[Found]] = {}
    for (file, stray), run in groupby(
        _replies(estate), lambda each: (each[0].file, not each[1].ok and not each[1].verb)
    ):
        found = [(one, reply) for part, reply, said in run for one in _refusal(estate, part, reply, said)]
        for each, reply in found:
            first, leads = found[0] if stray else (each, reply)
            if stray or leads.subject:  # which kind of text it is, if it is no MQSC
                strays.setdefault((file, leads.subject or first.place), []).append(each)
            else:
                yield each
    for first, *others in strays.values():
        more = f"so are {len(others)} lines" if len(others) > 1 else "so is a line"
        yield first._replace(said=f"{first.said}; {more} after it") if others else first


def _as_new(qmgr: QueueManager, one: CommandReply) -> bool:
    """Whether a command adds a channel authentication record as a new queue manager has it already."""
    if not one.code.startswith("AMQ8883"):
        return False
    command = parse(one.command, qmgr.platform, qmgr.level)[0]
    wanted = {key: value for key, value in command.options.items() if key not in ("ACTION", "CUSTOM", "DESCR", "WARN")}
    rows = [row for key, row in records(qmgr).items() if key[:2] == ("CHLAUTH", command.name)]
    rows = [row for row in rows if row["DESCR"].startswith("Default rule")]
    return any(all(row.get(key) == value for key, value in wanted.items()) for row in rows)


def _refusal(estate: Definitions, part: Part, one: CommandReply, said: str) -> Iterator[Found]:
    """The finding about a command that is refused, if none of the other checks says so."""
    named = one.code.startswith((*_EXISTS, *_NOT_FOUND)) or one.case in ("placeholder", "platform", "level")
    if (
        one.ok
        or named
        or _as_new(estate.lab[part.qmgr], one)
        or not (one.syntax or one.verb in ("DEFINE", "ALTER", "SET"))
    ):
        return
    if _TOO_LONG in one.command and part.script.qmgr is None and not one.syntax:
        said = f"{_TOO_LONG} is the name of the queue manager, which the file does not say: --qmgr NAME"
        yield _found(part, one, said, OPEN)
        return
    severity = ERROR if one.verb in ("", "DEFINE", "ALTER", "SET") else WARNING
    yield _found(part, one, f"{_about(one)} is refused with {one.code}: {said.rstrip('.')}", severity)
