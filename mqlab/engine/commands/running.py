"""Running parsed commands on a queue manager: a command that fails changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..extra import extras
from ..words import catalog
from ..words.because import fact
from ..words.errors import LabError, MQError, NotSimulated
from ..words.lexer import read_commands
from ..world.interrupts import let_go_between
from .command import Command
from .control_commands import OPERATED, operate, request
from .coverage import UNREAD, kept_only, note, simulated
from .display import display, layout
from .parser import parse_source
from .replies import CommandReply, Refused, Reply, text_of
from .script import header
from .status import shows

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager

_ACCEPTED = {
    ("START", "CHANNEL"): "AMQ8018I: Start IBM MQ channel accepted.",
    ("STOP", "CHANNEL"): "AMQ8019I: Stop IBM MQ channel accepted.",
    ("PING", "CHANNEL"): "AMQ8020I: Ping IBM MQ channel complete.",
    ("RESET", "CHANNEL"): "AMQ8023I: IBM MQ channel reset.",
    ("RESOLVE", "CHANNEL"): "AMQ8025I: IBM MQ channel resolved.",
    ("START", "LISTENER"): "AMQ8021I: Request to start IBM MQ listener accepted.",
    ("STOP", "LISTENER"): "AMQ8706I: Request to stop IBM MQ listener accepted.",
    ("START", "CHINIT"): "AMQ8024I: IBM MQ channel initiator started.",
    ("STOP", "CHINIT"): "AMQ8000I: IBM MQ channel initiator stopped.",
    ("START", "SERVICE"): "AMQ8733I: Request to start Service accepted.",
    ("STOP", "SERVICE"): "AMQ8732I: Request to stop Service accepted.",
    ("PING", "QMGR"): "AMQ8415I: Ping IBM MQ Queue Manager command complete.",
    ("REFRESH", "SECURITY"): "AMQ8560I: IBM MQ security cache refreshed.",
}
"""The message for a command that is accepted; any other gets AMQ8000I, a number of the lab's own."""

_REASONS = {2085: 8147, 2100: 8150, 2043: 8151, 2055: 8143, 2042: 8148, 2152: 8424, 2035: 8135, 2059: 8146}
_CAP = re.compile(r"\bCAPEXPRY\(\s*([^)]*?)\s*\)", re.IGNORECASE)
_LETTERED = re.compile(r"AMQ[0-9]{4}[A-Z]: ")
_INSERTS = ("+QMNAME+", "+AUTOCL+")


def run(qmgr: QueueManager, text: str) -> Reply:
    """Run MQSC commands on a queue manager.

    `text` holds any number of commands; END, EXIT or QUIT on a line ends them. The `Reply` has one `CommandReply` for
    each command, in order. A command that is refused or fails changes nothing, and those after it are run, as runmqsc
    does; nothing is raised for bad MQSC. LabError when `text` is not a str that UTF-8 can hold.
    """
    if not hasattr(qmgr, "objects"):
        raise LabError(f"queue manager must be one of a lab; got {qmgr!r:.200}")
    sources, after = read_commands(text, qmgr.platform)
    qmgr.clock.passing.require_here()
    replies = []
    for number, source in enumerate(sources, start=1):
        let_go_between(2)
        command = parse_source(source, number, qmgr.platform, qmgr.level)
        if command.verb == "STOP":
            qmgr.clock.passing.require_able()
        wrote = header("\n".join(source.before)).get("name", qmgr.name)
        if wrote != qmgr.name:
            said = f"{wrote} wrote this dump; on {qmgr.name}, names that lead to {wrote} lead elsewhere"
            command.notes.append(said)
        replies.append(_answer(qmgr, command))
        if replies[-1].ok and qmgr.running:
            for extra in extras():
                extra.commanded(qmgr, command.text, command.verb == "DISPLAY")
        parts = replies[-1].parts
        replies[-1].parts = [[_of_level(line, qmgr.level) for line in part] for part in parts]
        replies[-1].text = text_of(replies[-1].parts)
    return Reply(qmgr.name, replies, after, qmgr.platform)


def perform(qmgr: QueueManager, command: Command) -> CommandReply:
    """Run one command that is of no script, and raise what refuses it: Refused, or MQError."""
    return _do(qmgr, command)


def _of_level(line: str, level: int) -> str:
    """A line as a level prints it; a message without the severity letter before 9.0.3, of WebSphere MQ before 9.0."""
    if not _LETTERED.match(line):
        return line
    line = line if level >= 903 else line[:7] + line[8:]
    return line if level >= 900 else line.replace("IBM MQ", "WebSphere MQ")


def _answer(qmgr: QueueManager, command: Command) -> CommandReply:
    try:
        if command.refused is not None:
            raise command.refused
        return _do(qmgr, command)
    except MQError as error:
        fact = f"{error.reason} {error.name}: {error.said}" + (f". Try: {error.hint}" if error.hint else "")
        number = _REASONS.get(error.reason, 8101)
        if command.kind in ("CHANNEL", "CLNTCONN"):
            number = {2042: 9514, 2085: 8227, 2100: 8226}.get(error.reason, number)
        fields: dict[str, Any] = {"reason": f"{error.reason:X}", "name": error.object or command.name, "words": fact}
        if error.only_there:
            refused = Refused(number, "platform", there=error.only_there, **fields)
        else:
            refused = Refused(number, "in-words", **fields)
    except Refused as wrong:
        refused = wrong
    except NotSimulated as error:
        refused = Refused(8000, "in-words", words=str(error))
    segment = [_segment(command, refused.position)] if refused.number == 8405 else []
    where = command.line if refused.position is None else command.source.line_at(refused.position)
    fact = _sentence(refused.said)
    lines = [refused.headline, *segment, f"mqlab: line {where}: {fact}"]
    why: dict[str, Any] = {"notes": [fact], "case": refused.grounds.case, "subject": refused.grounds.subject}
    why |= {"syntax": refused.syntax, "simulated": simulated(qmgr, command)}
    return _reply(command, refused.code, [lines], ok=False, **why)


def _reply(command: Command, code: str, parts: list[list[str]], **more: Any) -> CommandReply:
    about: dict[str, Any] = {"source": command.source, "verb": command.verb, "kind": command.kind, "name": command.name}
    return CommandReply(command.text, command.number, command.line, code, text_of(parts), parts=parts, **about, **more)


def _sentence(text: str) -> str:
    return text if text.endswith(("?", ".")) else text + "."  # text: any note; only its end is completed


def _segment(command: Command, position: int | None) -> str:
    """The command up to the end of the word at `position`, on one line."""
    text = command.text
    end = len(text) if position is None else position + 1
    while end < len(text) and text[end] not in " \t,()":
        end += 1
    return " ".join(text[:end].split())


def in_scope(qmgr: QueueManager, scope: str) -> list[Any]:
    """The queue managers that a command with this scope is for. Refused: AMQ8405 for one that does
    not run."""
    found = (extra.members(qmgr, scope) for extra in extras())
    return next((members for members in found if members is not None), [qmgr])


def _everywhere(members: list[Any], command: Command) -> CommandReply:
    """The answers of several members, or of another one, as one answer."""
    answers = {member.name: _answer(member, replace(command, notes=[*command.notes])) for member in members}
    answer = next((own for own in answers.values() if not own.ok), answers[members[0].name])
    named = ([[f"mqlab: {name} answers", *own.parts[0]], *own.parts[1:]] for name, own in answers.items())
    answer.parts = [part for parts in named for part in parts]
    answer.text = text_of(answer.parts)
    answer.notes = [note for name, own in answers.items() for note in (name, *own.notes)]
    answer.rows = [row for own in answers.values() for row in own.rows]
    return answer


def _do(qmgr: QueueManager, command: Command) -> CommandReply:
    for extra in extras():
        if (members := extra.elsewhere(qmgr, command)) is not None:
            return _everywhere(members, command)
    if command.verb == "DISPLAY" or not command.kind:  # the others ask for themselves
        qmgr.require_running("inquire")
    if command.verb == "DISPLAY":
        return _display(qmgr, command)
    if not command.kind:
        return _accept(qmgr, command)
    act = {"DEFINE": _define, "ALTER": _alter, "DELETE": _delete, "CLEAR": _clear}[command.verb]
    return _said(qmgr, command, [[act(qmgr, command)]])


def _said(qmgr: QueueManager, command: Command, parts: list[list[str]], rows: Iterable[dict] = ()) -> CommandReply:
    """The answer to a command that is done, with its notes."""
    kept = kept_only(qmgr, command)
    acted = simulated(qmgr, command) and not kept
    own = [_sentence(one) for one in command.notes]
    notes = [f"mqlab: {one}" for one in own] + ([] if acted else [note(qmgr, command, kept)])
    code = parts[0][0].split(":")[0] if parts else ""  # text: the number before a colon
    last = parts[-1] if parts else [""]
    parts = [*parts[:-1], [*last, *notes]]
    why: dict[str, Any] = {"notes": own, "case": command.case, "subject": command.subject}
    return _reply(command, code, parts, rows=list(rows), simulated=acted, kept_only=kept, **why)


def _accept(qmgr: QueueManager, command: Command) -> CommandReply:
    word = command.object
    if word == "LISTENER" and command.name and qmgr.platform == "zos":
        raise Refused(8405, "listener-on-zos", 0)
    if word in ("LISTENER", "SERVICE"):
        beside = qmgr.objects.get(word, command.name or "SYSTEM.DEFAULT.LISTENER.TCP")
        if beside is None and command.name:
            raise Refused(8147, "not-defined", object=word, name=command.name)
        _require_change(qmgr, command, beside)
        if command.verb == "START" and beside is not None:
            if why := qmgr.start_service(beside):
                command.notes.append(f"{beside.name} does not run, because {fact(why)}: the error log has AMQ9218E")
        elif beside is not None:
            qmgr.started.pop(beside, None)
        if word == "SERVICE":
            command.notes.append("messages move whether a service runs or not")
    words = command.verb, command.object
    if words in OPERATED:
        done = operate(qmgr, command)
    else:
        done = request(qmgr, command)
    return _said(qmgr, command, [[done or _ACCEPTED.get(words, "AMQ8000I: command accepted.")]])


def _require_change(qmgr: QueueManager, command: Command, beside: Any) -> None:
    """Refuse START of a listener or service that runs, and STOP of a listener or service that does not."""
    # IGNSTATE(YES) ignores both, and a service of SERVTYPE(COMMAND) may be started any number of times
    runs, starts = beside in qmgr.started, command.verb == "START"
    if beside is None or runs != starts or command.options.get("IGNSTATE") == "YES":
        return
    if beside.attributes.get("SERVTYPE") != "COMMAND":
        number = {"LISTENER": (8731, 8730), "SERVICE": (8000, 8737)}[command.object][starts]
        raise Refused(number, "runs-already" if runs else "does-not-run", service=beside.name)


def _display(qmgr: QueueManager, command: Command) -> CommandReply:
    has, ours = catalog.KINDS[command.object].platforms, qmgr.platform
    if ours not in has and command.kind and not qmgr.objects.match((command.kind,)):
        raise Refused(8405, "platform", 0, keyword=command.object, theirs=has[0], ours=ours)
    if show := shows().get(command.object):
        rows = show(qmgr, command)
        others = (extra.displayed(qmgr, command, rows) for extra in extras())
        parts = next((parts for parts in others if parts is not None), None)
        return _said(qmgr, command, layout(rows, command.object) if parts is None else parts, rows)
    if not command.kind:
        return _said(qmgr, command, [[f"AMQ8000I: DISPLAY {command.object} is not simulated, so nothing is shown."]])
    rows = display(qmgr, command)
    return _said(qmgr, command, layout(rows, command.kind), rows)


def _define(qmgr: QueueManager, command: Command) -> str:
    for extra in extras():
        extra.asked(qmgr, command)
    name, attributes = _filled(qmgr, command)
    _require_cipher(qmgr, attributes)
    _require_sense(attributes, {})
    like, replace = command.options.get("LIKE"), bool(command.options.get("REPLACE"))
    if command.kind == "CHANNEL" and replace:
        _require_same_type(qmgr, command, name)
    if like is not None:
        source = qmgr.objects.named(command.kind, like)
        has, wanted = source and source.attributes.get("CHLTYPE"), attributes.get("CHLTYPE")
        if source is not None and (source.kind != command.kind or wanted not in (None, has)):
            raise Refused(8152, "other-type", like=like, type=has or source.kind, wanted=wanted or command.kind)
        if command.kind == "QLOCAL":
            attributes["DEFTYPE"] = "PREDEFINED"  # also where the queue copied is a dynamic one
    qmgr.define(command.kind, name, attributes, like=like, replace=replace)
    for extra in extras():
        extra.commented(qmgr, command, name)
    return catalog.answer(command.kind, command.verb)


def _alter(qmgr: QueueManager, command: Command) -> str:
    for extra in extras():
        extra.asked(qmgr, command)
    name, attributes = _filled(qmgr, command)
    _require_cipher(qmgr, attributes)
    present = qmgr.objects.get(command.kind, name)
    has = qmgr.attributes if command.kind == "QMGR" else present.attributes if present is not None else {}
    _require_sense(attributes, has)
    if command.kind == "CHANNEL":
        _require_same_type(qmgr, command, name)
    if present is not None and attributes.get("AUTHTYPE", has.get("AUTHTYPE")) != has.get("AUTHTYPE"):
        raise Refused(8151, "authtype", object=name, type=has.get("AUTHTYPE"))
    if not any(extra.alter(qmgr, command.kind, name, attributes) for extra in extras()):
        qmgr.alter(command.kind, name, attributes, force=bool(command.options.get("FORCE")))
    return catalog.answer(command.kind, command.verb)


def _require_cipher(qmgr: QueueManager, attributes: dict) -> None:
    """Refuse an SSLCIPH that is no CipherSpec of this level (AMQ8242); z/OS also takes its number in hexadecimal."""
    # a deprecated CipherSpec is accepted, as after AllowWeakCipherSpec=Yes in qm.ini, and a telemetry channel accepts
    # any
    cipher = attributes.get("SSLCIPH", "")
    if not cipher or attributes.get("CHLTYPE") == "MQTT":
        return
    from ..words.catalog.ciphers import CIPHERS

    if cipher in CIPHERS:
        since = CIPHERS[cipher][qmgr.platform == "zos"]
        if qmgr.level < since:
            raise Refused(8242, "level", keyword=cipher, since=since, level=qmgr.level)
    elif qmgr.platform != "zos" or not re.fullmatch("([0-9A-F]{2}){1,2}", cipher):
        near = catalog.nearest(cipher, CIPHERS)
        raise Refused(8242, "no-cipher-but-near" if near else "no-cipher", cipher=cipher, near=near)


def _require_sense(wanted: dict, has: Mapping) -> None:
    """Refuse attributes that do not go together, in what is given or with what the object has (AMQ8000)."""
    for keyword, other in (("REPOS", "REPOSNL"), ("CLUSTER", "CLUSNL")):
        both = {**has, **wanted}
        if {keyword, other} & {*wanted} and both.get(keyword) and both.get(other):
            raise Refused(8000, "both-set", keyword=keyword, other=other)
    if wanted.get("DEFXMITQ") == "SYSTEM.CLUSTER.TRANSMIT.QUEUE":
        raise Refused(8000, "defxmitq-of-clusters")


def _require_same_type(qmgr: QueueManager, command: Command, name: str) -> None:
    """ALTER and DEFINE REPLACE cannot make a channel one of another type, nor give it what its type has not."""
    present = qmgr.objects.get("CHANNEL", name)
    if present is None:
        return
    chltype = present.attributes.get("CHLTYPE")
    wanted = command.attributes.get("CHLTYPE", chltype)
    if wanted != chltype:
        raise Refused(8151, "channel-type", channel=name, type=chltype, wanted=wanted)
    for keyword in command.attributes:
        if keyword not in catalog.attributes("CHANNEL", chltype):
            raise Refused(8405, "not-of-channel-type", keyword=keyword, type=chltype, channel=name)


def _delete(qmgr: QueueManager, command: Command) -> str:
    for extra in extras():
        extra.asked(qmgr, command)
    kind = command.kind
    if kind == "CHANNEL" and (
        command.options.get("CHLTABLE") == "CLNTTBL"
        or (qmgr.objects.get("CHANNEL", command.name) is None and qmgr.objects.get("CLNTCONN", command.name))
    ):
        kind = "CLNTCONN"
    if any(extra.delete(qmgr, command, kind) for extra in extras()):
        return catalog.answer(kind, command.verb)
    if command.options.get("IGNSTATE") != "YES" or qmgr.objects.match((kind,), command.name):
        qmgr.delete(kind, command.name, purge=bool(command.options.get("PURGE")))
        for extra in extras():
            extra.deleted_by(qmgr, command, kind)
    return catalog.answer(kind, command.verb)


def _clear(qmgr: QueueManager, command: Command) -> str:
    for extra in extras():
        extra.asked(qmgr, command)
    qmgr.clear(command.name)
    return "AMQ8022I: IBM MQ queue cleared."


def _filled(qmgr: QueueManager, command: Command) -> tuple[str, dict]:
    """Name and attributes: those this platform has, with the inserts of automatic configuration filled in."""
    # a service keeps its inserts
    name, has = command.name, catalog.attributes(command.kind)
    attributes = {
        keyword: value
        for keyword, value in command.attributes.items()
        if has[keyword].had_by(qmgr.platform, qmgr.level) and keyword not in UNREAD
    }
    _note_cap(command, attributes.get("CUSTOM", ""))
    used = [insert for insert in _INSERTS if insert in name or any(insert in str(v) for v in attributes.values())]
    if not used or command.kind == "SERVICE":
        return name, attributes
    values = {"+QMNAME+": qmgr.name, "+AUTOCL+": "AUTOCL"}
    if "+AUTOCL+" in used:
        command.notes.append("+AUTOCL+ is AUTOCL here: uniform clusters, which qm.ini makes, are not simulated")

    def fill(text: object) -> Any:
        for insert in used:
            text = text.replace(insert, values[insert]) if isinstance(text, str) else text
        return text

    try:
        filled = name and catalog.check_name(command.kind, fill(name))
    except catalog.CatalogError as error:
        raise Refused(8424, "in-words", words=str(error)) from error
    return filled, {keyword: fill(value) for keyword, value in attributes.items()}


def _note_cap(command: Command, custom: str) -> None:
    """Say so where CUSTOM holds a CAPEXPRY that is none; refusing it would be more than the documents say."""
    for found in _CAP.finditer(custom):
        if not 1 <= int(found[1] if found[1].isdecimal() else 0) <= 999_999_999:
            command.notes.append(f"{found[0]} in CUSTOM is not CAPEXPRY(1) to CAPEXPRY(999999999), tenths of a second")
