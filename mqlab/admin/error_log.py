"""The error log of a queue manager: AMQERR01.LOG, on z/OS the job logs of queue manager and channel initiator.

It is read from the event log alone. Identifiers, severities, and inserts are IBM's, the texts are ours: error_log.txt
beside this module has them all. The trust page names the identifiers and letters that no page confirmed to us.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import Any, NamedTuple

from ..engine.extra import extras
from ..engine.programs.channels.channel import ACTIVE
from ..engine.queues.dead_letter import HANDLER
from ..engine.words import whys
from ..engine.words.because import because, fact
from ..engine.words.errors import LabError
from ..engine.words.shown import shown
from ..engine.words.whys import Why, why_of
from ..engine.world.event import Event
from ..engine.world.event_kinds import is_dead_letter
from .whys import ChannelRefused

_INITIATOR, _REPOSITORY_MANAGER = "CHANNEL.INITIATOR", "REPOSITORY.MANAGER"  # as rows call them
_PROGRAMS = {
    "qmgr": ("amqzxma0", ""),
    "initiator": ("runmqchi", "CSQXSUPR"),
    "caller": ("runmqchl", "CSQXRCTL"),
    "responder": ("amqrmppa", "CSQXRESP"),
    "handler": ("runmqdlq", ""),
    "listener": ("runmqlsr", ""),
    "agent": ("amqzlaa0", ""),
    "repository": ("amqrrmfa", "CSQXREPO"),
}
"""Kind of program -> the program of Multiplatforms, the csect of z/OS."""
_OPENERS = {_INITIATOR: ("8024", "initiator"), HANDLER: ("8708", "handler")}
"""Programs that say that they have started when they open their queue: the message, and the kind of program."""
_INDENT = " " * 20


class _Message(NamedTuple):
    """A message: its identifiers on Multiplatforms and z/OS, the variable in each numbered insert, and our words."""

    amq: str
    csq: str
    inserts: dict[str, str]
    text: str
    why: str
    action: str


@cache
def _messages() -> dict[str, _Message]:
    """The messages of error_log.txt, by their key."""
    by_key = {}
    for block in files(__package__).joinpath("error_log.txt").read_text("utf-8").split("\n\n")[1:]:
        head, text, *more = block.strip().splitlines()
        key, amq, csq, *inserts = head.split()
        named = (each.replace("A", "ArithInsert").replace("C", "CommentInsert").split("=") for each in inserts)
        by_key[key] = _Message(amq, csq, dict(named), text, *(*more, *(text, "None.")[len(more) :]))
    return by_key


def line(code: str, **values: str) -> str:
    """The first line of a message with this identifier of Multiplatforms, as another program than a queue manager
    writes it."""
    return f"{code}: {_messages()[code[3:7]].text.format(**values)}"


class Entry(NamedTuple):
    """A message of an error log: when, its identifier as that level shows it, the letter of its severity ("" if we do
    not know it), its inserts by IBM's name (on z/OS, which numbers none, by their meaning), its text, the `seq` of the
    event that caused it, and all of it as written in the log.
    """

    time: datetime
    id: str
    severity: str
    inserts: dict[str, int | str]
    text: str
    seq: int
    entry: str

    def __str__(self) -> str:
        return self.entry


@shown
class ErrorLog(list[Entry]):
    """The messages of an error log, in order; `str` is the text of the log."""

    def __str__(self) -> str:
        return "\n".join(each.entry for each in self)


def error_log(qmgr: Any) -> ErrorLog:
    """Return what the error log of a queue manager holds. LabError on VSE/ESA.

    In the text the host of a queue manager has its name, so has its command prefix on z/OS, and the number of a process
    is that of the event that started it: a lab has none of them.
    """
    if qmgr.platform == "vse":
        raise LabError(f"The error log is that of a queue manager on Multiplatforms or z/OS; {qmgr.name} is on VSE/ESA")
    reader = _Reader(qmgr)
    for row in qmgr.lab.events:
        reader.read(row)
    return ErrorLog(reader.entries + reader.last)


class _Reader:
    """The facts about a lab so far: the definitions of channels, the caller of each channel, and how each end ended.

    An end of a channel is (queue manager, channel, partner), the partner being "" for one that sends.
    """

    def __init__(self, qmgr: Any):
        self.qmgr, self.name, self.zos = qmgr, qmgr.name, qmgr.platform == "zos"
        self.entries: list[Entry] = []
        self.last: list[Entry] = []  # of a queue manager that is ending: what it writes when its programs have ended
        self.process = 0  # the row that started it
        self.definitions: dict[tuple[str, str], dict] = {}
        self.openers: dict[int | None, str] = {}  # the row that started a program of _OPENERS -> its name
        self.agents: dict[int | None, tuple[str, str]] = {}  # the row that started an agent -> channel, program
        self.answers: dict[tuple[str, str], str] = {}  # (queue manager, channel) that calls -> who answers
        self.triggers: set[int | None] = set()  # the rows of trigger events here
        self.ends: dict[tuple[str, str, str], tuple[str, Why | None]] = {}  # how an end ended: a number or a case; why
        self.stopped: set[str] = set()  # queue managers that were ended in order
        self.refused: dict[tuple[int | None, str], Event] = {}  # the last refused call, by its cause and kind
        self.report: Event | None = None  # the row before, if it is a refused report

    def read(self, row: Event) -> None:
        """Read the next row."""
        detail = row.facts if row.detail and (row.kind != "put" or row.reason is not None) else {}
        here, qmgr, name, cause = row.qmgr == self.name, row.qmgr or "", row.object or "", row.cause
        for key in [key for extra in extras() if (key := extra.logged(row))]:
            kind = "repository" if row.program == _REPOSITORY_MANAGER else "qmgr"
            written = row.program == self.name or (here and (detail.get("state") in (None, "started") or self.last))
            if key == "9427":  # written where the channel is that leads to the wrong queue manager
                written = detail["name"] == self.name
            if written:
                self._say(key, kind, row, structure=name, cluster=name, subject=detail.get("name", ""), at=qmgr)
        match row.kind:
            case "start" | "stop":
                self._life(row, here, in_order=row.kind == "stop" and not detail.get("abend"))
            case "define" | "alter" if row.object_type == "CHANNEL":
                self.definitions.setdefault((qmgr, name), {}).update(detail)
            case "delete" if row.object_type == "CHANNEL":
                self.definitions.pop((qmgr, name), None)
            case "program" if here and detail["state"] == "started" and row.program in _OPENERS:
                self.openers[row.seq] = row.program
            case "open" if row.reason is None and cause in self.openers:
                self._say(*_OPENERS[self.openers.pop(cause)], row, queue=name)
            case "put" if row.reason is None and self.report is not None:
                queue, _, at = (self.report.object or "").partition("@")
                self._say("7310", "agent", self.report, queue=queue, at=at or qmgr, reason=self.report.reason)
            case "put" if row.reason is not None and cause in self.triggers:
                self._say("7305", "agent", row, queue=name, reason=row.reason)
            case "put" if row.reason is None and cause in self.agents and is_dead_letter(row):
                channel, kind = self.agents[cause]
                self._say("9544", kind, row, channel=channel, queue=name, location=1)
            case "channel":
                self._channel(row, detail)
            case "trigger" if here and detail["fired"]:
                self.triggers.add(row.seq)
            case "fault" if here and row.object_type == "LISTENER":
                self._say("9218", "listener", row, port=detail["port"])
        if here and row.reason is not None and detail.get("code"):
            self._refused(row, detail)
        if row.reason is not None:
            self.refused[cause, row.kind] = row
        self.report = row if row.kind == "report" and row.reason is not None and row.program == self.name else None

    def _refused(self, row: Event, detail: Mapping[str, Any]) -> None:
        """A gate refuses a program: its messages, in their order."""
        kind = "agent" if detail["gate"] in ("password", "CHCKCLNT", "connect", "open") else "responder"
        name = row.object or ""
        values = {"channel": name, "user": detail["user"], "program": row.program, "because": because(detail)}
        values |= {name: detail.get(name, "") for name in ("entity", "opened", "missing", "active")}
        values |= {"host": detail.get("address", ""), "transport": "TCP/IP"}
        for code in (detail["code"], *detail.get("also", ())):
            self._say(code[3:7], kind, row, **values)

    def _life(self, row: Event, here: bool, in_order: bool) -> None:
        """A queue manager starts, fails, or ends in order."""
        (self.stopped.add if in_order else self.stopped.discard)(row.qmgr or "")
        if here and row.kind == "start":
            self.entries += self.last
            self.last, self.process = [], row.seq
            self._say("8003", "qmgr", row, version=_version(self.qmgr.level))
        elif here:
            self._say("ending" if in_order else "abend", "qmgr", row)
            if in_order:
                self._say("8004", "qmgr", row, to=self.last)

    def _channel(self, row: Event, detail: Mapping[str, Any]) -> None:
        """A change of a channel's state: it starts, or it ends."""
        state, was, why = detail.get("state"), detail.get("was"), why_of(detail)
        qmgr, channel, partner = row.qmgr or "", row.object or "", detail.get("partner", "")
        if row.program == _INITIATOR:
            if isinstance(why, whys.NoChannelCalled) and qmgr == self.name and (qmgr, why.name) not in self.definitions:
                self._say("9519", "initiator", row, channel=why.name)
        elif was is not None:
            called = isinstance(why, whys.CalledBy | whys.RequestedBy)
            if row.cause is not None and qmgr == self.name:
                self.agents.setdefault(row.cause, (channel, "responder" if called else "caller"))
            if state in ("BINDING", "REQUESTING") and not isinstance(why, whys.Sends):
                self.ends.pop((qmgr, channel, partner), None)
                if partner:
                    self.answers[partner, channel] = qmgr
                self._tell(["9002"], row, partner)
            elif row.rule == "CHL-15":
                self.ends[qmgr, channel, partner] = whys.Idle.case, why
                self._tell(["9545"], row, partner)
            elif was in ACTIVE and state not in ACTIVE:
                self._ended(row, why, partner)

    def _ended(self, row: Event, why: Why | None, partner: str) -> None:
        """An end of a channel ends: what it says depends on why, and on how the other end ended before it."""
        qmgr, channel, numbers, how = row.qmgr or "", row.object or "", [], why.case if why else ""
        other = (partner, channel, "") if partner else (self.answers.get((qmgr, channel), ""), channel, qmgr)
        theirs, their_why = self.ends.get(other, ("", None))
        if why is None:
            numbers = ["9545", "9001"] if partner and theirs == whys.Idle.case else ["9001"]
            how = self.ends.get((qmgr, channel, partner), ("",))[0]
        elif why.code:
            how = why.number
            numbers = [*self._failure(how, row, theirs, other[0]), "9999"]
        elif isinstance(why, whys.StopChannel):
            numbers = ["9528"]
        elif isinstance(why, whys.ProgramEnded):
            numbers = ["9542"] if qmgr in self.stopped else []
        self.ends[qmgr, channel, partner] = how, why
        self._tell(numbers, row, partner, why, their_why)
        if isinstance(why, ChannelRefused) and why.partner == self.name and why.there:
            inserts = {"host": qmgr, "transport": "TCP/IP", "because": fact(why)}
            refusal: Any = why.refusal
            inserts["active"] = refusal["fields"].get("active", "")
            self._say(why.there[3:7], "responder", row, None, channel=channel, **inserts)
        if isinstance(why, whys.NotDefined) and why.at == self.name:
            self._say("9519", "responder", row, channel=channel)

    def _failure(self, number: str, row: Event, theirs: str, other: str) -> list[str]:
        """The explanation of an end's failure, before the failure itself."""
        if number == "9208" and theirs:  # the conversation broke: why, the other end may know
            ended = ["9525" if other in self.stopped else "9208"]
            return {"9208": ["9208"], "9526": ["9526"], whys.ProgramEnded.case: ended}.get(theirs, [])
        if number == "9544":
            refused = self.refused.get((row.cause, "put"))
            return ["9506"] if refused is None else [] if refused.object else ["9565"]
        return [number] if number in _messages() and number != "9999" else []

    def _tell(self, numbers: list[str], row: Event, partner: str, *reasons: Why | None) -> None:
        """Write messages about a channel of this queue manager."""
        if row.qmgr != self.name:
            return
        attributes = self.definitions.get((self.name, row.object or ""), {})
        refused = self.refused.get((row.cause, "open" if "9509" in numbers else "get"))
        host, reason = partner or attributes.get("CONNAME", ""), refused.reason if refused else 0
        values: dict[str, Any] = {"channel": row.object, "host": host, "transport": "TCP/IP", "reason": reason}
        values["queue"] = attributes.get("XMITQ", "")
        for why in reasons:
            if isinstance(why, ChannelRefused):
                values["because"] = fact(why)
            if isinstance(why, whys.SequenceDiffers | whys.WrapDiffers):
                own, other = (why.receiver, why.sender) if partner else (why.sender, why.receiver)
                wrap = attributes.get("SEQWRAP", 999_999_999)
                values |= {"own": own, "other": other}
                values |= {"sent": why.sender % wrap + 1, "expected": why.receiver % wrap + 1}
        for number in numbers:
            self._say(number, self.agents.get(row.cause, ("", "caller"))[1], row, **values)

    def _say(self, number: str, kind: str, row: Event, to: list[Entry] | None = None, **values: Any) -> None:
        """Write a message of a program of this kind, unless this platform has no such message."""
        message, program, values["qmgr"] = _messages()[number], _PROGRAMS[kind][self.zos], self.name
        id, text = message.csq if self.zos else message.amq, message.text
        if id == "-":
            return
        moment, severity = self.qmgr.lab.start + timedelta(microseconds=row.time_us), id[7:]
        if self.zos:
            text += f" {message.why}" if "{" in message.why and message.why != text else ""
            inserts = {name: values[name] for name in re.findall(r"{(\w+)}", text)}
            head = f"{moment:%H.%M.%S} {'+' if program else ''}{id} !{self.name}"  # + is for problem programs
            entry = " ".join(filter(None, (head, program, text.format(**values))))
        else:
            inserts = {name: values[value] for name, value in message.inserts.items()}
            process = self.process if kind == "qmgr" else row.seq if row.cause is None else row.cause
            id = id if self.qmgr.level >= 903 else id[:7]
            parts = (f"{id}: {text}", message.why, message.action)
            text_lines, why, action = (fill(each.format(**values), 79) for each in parts)
            lines = [*self._header(moment, process, program, inserts), "", text_lines, "", "EXPLANATION:", why]
            entry = "\n".join([*lines, "ACTION:", action, "-" * 79])
        said = Entry(moment, id, severity, inserts, text.format(**values), row.seq, entry)
        (self.entries if to is None else to).append(said)

    def _header(self, moment: datetime, process: int, program: str, inserts: dict) -> list[str]:
        """The lines above a message, as its level has them."""
        clock = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
        lines = [
            (0, f"{moment:%m/%d/%y %H:%M:%S} - Process({process}.1) User(mqm) Program({program})"),
            (710, f"{_INDENT}Host({self.name}) Installation(Installation1)"),
            (710, f"{_INDENT}VRMF({_version(self.qmgr.level)}) QMgr({self.name})"),
            *((910, f"{_INDENT}{name}({value})") for name, value in {"Time": clock, **inserts}.items()),
        ]
        return [line for since, line in lines if self.qmgr.level >= since]


def _version(level: int) -> str:
    """A command level as version, release, modification, and fix."""
    return f"{level // 100}.{level // 10 % 10}.{level % 10}.0"
