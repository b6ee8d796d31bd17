"""Checks of triggers that can never fire.

A condition that only run time can meet, such as a trigger monitor that runs, is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...engine.programs.channels.initiator import INITQ
from ...engine.words.headers import MQTM
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, absent, check, fault
from ..proofs import Proof
from ..routes import in_other_case
from .objects import MOST_CALLS, USUAL, alter, each, nothing, owners, put_on, takes, usable

if TYPE_CHECKING:
    from ..definitions import Definitions

_PROGRAMS = "SYSTEM.DEFAULT.INITIATION.QUEUE"


def _process(qmgr: QueueManager, queue: Definition) -> str:
    """A process of the name that the queue gives, or of the name of the queue."""
    name = queue.attributes["PROCESS"] or queue.name
    near = in_other_case(qmgr, "PROCESS", name)
    if near:
        return alter(queue, f"PROCESS({quoted(near)})")
    defined = qmgr.objects.get("PROCESS", name) is not None
    lines = [] if defined else [f"DEFINE PROCESS({quoted(name)}) APPLICID('PROGRAM')"]
    return "\n".join([*lines, *([] if queue.attributes["PROCESS"] else [alter(queue, f"PROCESS({quoted(name)})")])])


def _initq(qmgr: QueueManager, queue: Definition) -> str:
    """The initiation queue defined or enabled, or else the default one in its place."""
    name = queue.attributes["INITQ"]
    found = qmgr.objects.named("QLOCAL", name)
    if queue.attributes["USAGE"] == "XMITQ" and found is None:
        return alter(queue, f"INITQ({INITQ})")
    if name and found is None:
        near = in_other_case(qmgr, "QLOCAL", name)
        return alter(queue, f"INITQ({quoted(near)})") if near else f"DEFINE QLOCAL({quoted(name)})"
    if found is not None and found.kind == "QLOCAL" and found.attributes["USAGE"] == "NORMAL":
        return alter(found, "GET(ENABLED) PUT(ENABLED)")
    return alter(queue, f"INITQ({INITQ if queue.attributes['USAGE'] == 'XMITQ' else _PROGRAMS})")


_NEVER: dict[str, tuple[str, str, str, str | Callable[[QueueManager, Definition], str]]] = {
    "TRG-14": ("priority", "The priority of a FIFO queue is below TRIGMPRI", "TRIGMPRI", "TRIGMPRI({DEFPRTY})"),
    "TRG-10": ("type", "A trigger has no type", "TRIGTYPE", "TRIGTYPE(FIRST)"),
    "TRG-05": ("gets-disabled", "A triggered queue of z/OS has GET(DISABLED)", "GET", "GET(ENABLED)"),
    "TRG-06": ("process", "A trigger has no process", "PROCESS", _process),
    "TRG-07": ("initiation-queue", "A trigger has no initiation queue that can be used", "INITQ", _initq),
}
"""The rule of a condition that definitions decide -> its check, title, and attribute, and the change that fixes it."""


def _unknown(qmgr: QueueManager, queue: Definition, rule: str) -> tuple[str, str]:
    """The name that the attribute gives and nothing has, and that which differs in case only; "" for none."""
    kind, keyword = {"TRG-06": ("PROCESS", "PROCESS"), "TRG-07": ("QLOCAL", "INITQ")}.get(rule, ("", ""))
    name = queue.attributes[keyword] if keyword else ""
    if not name or qmgr.objects.named(kind, name) is not None:
        return "", ""
    return name, in_other_case(qmgr, kind, name)


def _never_fires(rule: str) -> Callable[[Definitions], Iterator[Found]]:
    """The check that asks for one condition."""
    _, _, keyword, fix = _NEVER[rule]

    def never(estate: Definitions) -> Iterator[Found]:
        for qmgr, queue in each(estate, "QLOCAL"):
            if not queue.attributes["TRIGGER"] or queue.name not in qmgr.targets:
                continue
            if rule == "TRG-05" and queue.attributes["USAGE"] == "XMITQ":
                continue  # xmitq-disabled says so
            known = estate.kept.setdefault("reasons", {})  # by every check of a trigger
            if queue not in known:
                known[queue] = [one.why_not_triggered(queue.name).rows for one in owners(qmgr, queue)]
            reasons = known[queue]
            because = [[said for by, _, holds, said in rows if by == rule and not holds] for rows in reasons]
            if not all(because):
                continue
            unknown, near = _unknown(qmgr, queue, rule)
            if estate.refused(qmgr, unknown):
                continue
            why_not = f"its {keyword} is {nothing(estate, qmgr, unknown)}" if unknown else because[0][0]
            said = f"{queue.name} is never triggered: {why_not}{f', and {near} differs in case only' if near else ''}"
            put = [put_on(qmgr, queue)] if takes(qmgr, queue.name, 1_000) else []
            why = f"lab[{qmgr.name!r}].why_not_triggered({queue.name!r}).rows"
            shown = f"[said for rule, _, holds, said in {why} if rule == {rule!r}]"
            proof = Proof("\n".join((*put, shown)), str(because[0]))
            severity = absent(estate, qmgr) if unknown and not near else ""
            command = fix(qmgr, queue) if callable(fix) else alter(queue, fix.format_map(queue.attributes))
            yield fault(qmgr, queue, said, command, proof, keyword, severity=severity)

    return never


for _rule, (_id, _title, *_) in _NEVER.items():
    check(f"trigger-{_id}", ERROR, _title, _rule)(_never_fires(_rule))


@check("trigger-depth-unreachable", ERROR, "TRIGDPTH is more than the queue can hold", "TRG-03")
def depth_unreachable(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, of = queue.name, queue.attributes
        if not of["TRIGGER"] or of["TRIGTYPE"] != "DEPTH" or of["TRIGDPTH"] <= of["MAXDEPTH"]:
            continue
        said = f"{name} is never triggered: it is full with {of['MAXDEPTH']} messages, and TRIGDPTH is {of['TRIGDPTH']}"
        put = put_on(qmgr, queue)
        proof = Proof(f"for _ in range({of['MAXDEPTH']}): {put}\n{put}", "2053 MQRC_Q_FULL")
        fix = alter(queue, f"TRIGDPTH({of['MAXDEPTH']})") if of["MAXDEPTH"] else ""
        proved = proof if of["MAXDEPTH"] < MOST_CALLS and takes(qmgr, queue.name, 1_000) else None
        yield fault(qmgr, queue, said, fix, proved, "TRIGDPTH")


@check("trigger-on-itself", ERROR, "A queue is its own initiation queue", "TRG-04")
def on_itself(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, of = queue.name, queue.attributes
        if not of["TRIGGER"] or of["INITQ"] != name or of["TRIGTYPE"] not in ("FIRST", "DEPTH"):
            continue
        said = f"{name} is never triggered: it is its own INITQ, and a trigger monitor that reads it has it open"
        lines = [f"lab[{qmgr.name!r}].trigger_monitor({name!r})", "lab.advance(1)"]
        missed = f"lab[{qmgr.name!r}].why_not_triggered({name!r}).missing"
        proof = Proof("\n".join((*lines, f'"TRG-04" in {missed}')), "True") if usable(qmgr, queue) else None
        yield fault(qmgr, queue, said, alter(queue, f"INITQ({_PROGRAMS})"), proof, "INITQ")


@check("initiation-queue-short", ERROR, "An initiation queue does not take trigger messages", "MQI-10")
def short(estate: Definitions) -> Iterator[Found]:
    seen = set()
    for qmgr, queue in each(estate, "QLOCAL"):
        has, initq = queue.attributes, qmgr.objects.get("QLOCAL", queue.attributes["INITQ"])
        if not has["TRIGGER"] or initq is None or initq.attributes["MAXMSGL"] >= MQTM.LENGTH or initq in seen:
            continue
        seen.add(initq)
        sentence = f"initiation queue {initq.name} has MAXMSGL({initq.attributes['MAXMSGL']}), and a trigger message "
        sentence += f"has {MQTM.LENGTH} bytes: {queue.name} starts nothing, and its trigger messages are dead-lettered"
        at = f"lab[{qmgr.name!r}]"
        lines = [] if has["USAGE"] == "XMITQ" else [f"{at}.trigger_monitor({initq.name!r})", "lab.advance(1)"]
        rows = f"[row.reason for row in lab.events if row.object == {initq.name!r} and row.reason]"
        fires = has["TRIGTYPE"] in ("FIRST", "EVERY") and {*qmgr.why_not_triggered(queue.name).missing} <= {"TRG-08"}
        proof = Proof("\n".join((*lines, put_on(qmgr, queue), rows)), "[2030]")
        proved = proof if fires and takes(qmgr, queue.name, 1_000) and usable(qmgr, queue) else None
        fix = alter(initq, f"MAXMSGL({min(USUAL, qmgr.attributes['MAXMSGL'])})")
        yield fault(qmgr, initq, sentence, fix, proved, "MAXMSGL")


_MONITOR = re.compile(r"(?i)\brunmqtrm\b")
_READS, _SERVES = (re.compile(rf"""(?<![^\s"'])-{flag}\s*(["']?)([\w./%+]+)\1""") for flag in "qm")


def _monitors(estate: Definitions, qmgr: QueueManager) -> dict[Definition, str]:
    """The services that start a trigger monitor of their queue manager -> the initiation queue that it reads."""
    monitors = {}
    for service in qmgr.objects.match(("SERVICE",)):
        line = f"{service.attributes['STARTCMD']} {service.attributes['STARTARG']}"
        of, reads = _SERVES.search(line), _READS.search(line)
        if _MONITOR.search(line) and (of is None or of[2] == qmgr.name or of[2] not in estate.names):
            name = reads[2] if reads else _PROGRAMS
            alias = qmgr.objects.get("QALIAS", name)
            monitors[service] = alias.attributes["TARGET"] if alias else name
    return monitors


@check("trigger-monitor-elsewhere", WARNING, "A trigger monitor reads another initiation queue", "TRG-08")
def elsewhere(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        queues = [queue for queue in estate.own(qmgr, "QLOCAL") if queue.attributes["USAGE"] == "NORMAL"]
        named = {queue.attributes["INITQ"]: queue for queue in reversed(queues) if queue.attributes["TRIGGER"]}
        monitors = _monitors(estate, qmgr)
        unread = [name for name in named if name not in ("", INITQ, *monitors.values())]
        for service, name in monitors.items():
            if name in named or not unread or estate.refused(qmgr, name, service.name):
                continue
            there, queue = qmgr.objects.named("QLOCAL", name), named[unread[0]]
            what = "which is not the INITQ of any queue" if there else "which is not defined"
            sentence = f"service {service.name} starts a trigger monitor that reads {name}, {what}, and nothing here "
            sentence += f"reads {unread[0]}, the INITQ of {queue.name}"
            args = service.attributes["STARTARG"]
            args = _READS.sub(f"-q {unread[0]}", args) if _READS.search(args) else f"{args} -q {unread[0]}".strip()
            fix = alter(service, f"STARTARG({quoted(args)})") if len(unread) == 1 else ""
            lines = [f"lab[{qmgr.name!r}].trigger_monitor({name!r})", "lab.advance(1)"] if there else []
            shown = f'"TRG-08" in lab[{qmgr.name!r}].why_not_triggered({queue.name!r}).missing'
            known = qmgr.objects.get("QLOCAL", unread[0]) is not None and (there is None or usable(qmgr, there))
            proof = Proof("\n".join((*lines, shown)), "True") if known else None
            yield fault(qmgr, service, sentence, fix, proof, "STARTARG")


@check("trigger-every-exclusive", NOTE, "A trigger starts programs that cannot all open the queue", "MQI-14")
def every_exclusive(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, of = queue.name, queue.attributes
        if of["TRIGGER"] and of["TRIGTYPE"] == "EVERY" and of["USAGE"] == "NORMAL" and not of["SHARE"]:
            said = f"{name} has TRIGTYPE(EVERY) and NOSHARE: while one program has it open, the next fails with 2042"
            line = 'lab[{!r}].connect({!r}).open({!r}, input="shared")'.format
            lines = f"first = {line(qmgr.name, 'FIRST', name)}\n{line(qmgr.name, 'SECOND', name)}"
            proof = Proof(lines, "2042 MQRC_OBJECT_IN_USE")
            yield fault(qmgr, queue, said, alter(queue, "SHARE DEFSOPT(SHARED)"), proof, "NOSHARE")


@check("trigger-off", NOTE, "A queue is set up for triggering, and triggering is off", "TRG-09")
def off(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        name, of = queue.name, queue.attributes
        complete = of["INITQ"] and of["PROCESS"] and of["TRIGTYPE"] in ("FIRST", "EVERY")
        if of["TRIGGER"] or not complete or of["USAGE"] == "XMITQ":
            continue
        said = f"{name} has INITQ({of['INITQ']}) and NOTRIGGER: a message on it starts nothing"
        put = [put_on(qmgr, queue)] if takes(qmgr, queue.name, 1_000) else []
        shown = f'"TRG-09" in lab[{qmgr.name!r}].why_not_triggered({name!r}).missing'
        yield fault(qmgr, queue, said, alter(queue, "TRIGGER"), Proof("\n".join((*put, shown)), "True"))
