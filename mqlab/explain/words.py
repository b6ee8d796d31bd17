"""One row of the event log as a sentence, without its time and rule."""

from __future__ import annotations

import json

from ..everyplace.words import words as everyplace_words
from ..mq.constants import REASONS
from ..sim.event_kinds import is_dead_letter
from ..sim.events import Event

__all__ = ["sentence"]

_IGQ_LOSSES = {"IGQ-03": "the agent ended while it held it", "IGQ-04": "its put failed unexpectedly"}
_OUTCOMES = {
    "CHL-04": "{who} heard that the batch, unit of work {unit}, is {outcome} at the other end",
    "CHL-06": "{who} asked what became of the batch in doubt, unit of work {unit}: it is {outcome}",
    "CHL-13": "an operator ended the batch in doubt, unit of work {unit}, of {who}: it is {outcome}",
    "CHL-17": "{who} heard that the other end cannot take the batch, unit of work {unit}: it is {outcome}",
}


def _seconds(number: float) -> str:
    """Seconds in figures that are read at once: 100,000,000 s and not 1e+08 s."""
    return f"{number:,.0f} s" if number >= 1000 and number == round(number) else f"{number:g} s"


def sentence(row: Event, several: bool = False, noun: str = "message") -> str:
    """One event in words; `several` tells of which queue manager, `noun` is what a message that is put is called."""
    if (row.object_type or "").startswith("MQE."):
        return everyplace_words(row) or f"{row.kind} {row.object}"
    who, queue = row.program or "a program", row.object or row.qmgr
    here = _member(row)
    if several and row.rule != "QSG-07":  # whose program is the queue manager that did it
        who = f"{who} at {here}"
    if row.reason is not None and row.message is None:
        return _failed(row, who)
    there = f"{queue} of {row.qmgr}" if several and row.object else queue
    life = "" if row.expiry_left is None else f", {_seconds(row.expiry_left / 10)} to live"
    unit = "" if row.uow is None else f" in unit of work {row.uow}"
    held = "" if row.put_us is None else f" after {_seconds((row.time_us - row.put_us) / 1e6)}"
    words = {
        "put": f"{who} put {noun} {row.message} {_onto(row)}{unit}, priority {row.priority}{life}",
        "publish": f"{who} published to {row.object or 'a topic'}{unit}",
        "report": f"{here} sent report message {row.message} to {_reply(row)}",
        "deliver": f"it could be got although unit of work {row.uow} was backed out",
        "unlock": f"{who} gave up its lock on it",
        "get": f"{who} got it from {queue}{unit}{held}{life}",
        "browse": f"{who} browsed it on {queue}{life}",
        "discard": _discarded(row, who, here, there),
        "commit": f"{who} committed unit of work {row.uow}",
        "backout": f"{who} backed out unit of work {row.uow}",
        "prepare": f"{who} asked the other end to commit the batch: unit of work {row.uow} is in doubt until then",
        "restore": f"it went back to its place on {there}, BackoutCount one higher",
        "undo": f"its put on {there} was taken back",
        "clear": f"it was cleared from {there}" if row.message else f"{there} was cleared",
        "lost": _lost(row, who),
        "reject": f"{who} could not deliver it to {queue} and discarded it, as its putter asked",
        "skip": f"the backout left it out: it is in unit of work {row.uow} of {who} still",
        "wait": f"{who} began to wait for a message on {queue}",
        "handler": f"{who} looked at it on {queue}: {_said(row.detail)}",
        "forward": f"{who} forwarded it to {queue}: {_said(row.detail)}",
        "adapter": f"{who} is to put a message on {queue}: {_said(row.detail)}",
        "channel": _channel(row, who),
        "trigger": _trigger(row, there),
        "program": _program(row, who),
        "define": f"{there} was defined",
        "delete": f"{there} was deleted",
        "alter": f"{there} was altered: {_said(row.detail)}",
        "start": f"{row.qmgr} started",
        "stop": f"{row.qmgr} {'failed' if row.rule == 'QSG-06' else 'ended'}",
        "fault": _fault(row, there),
    }
    return words.get(row.kind) or f"{row.kind} {queue}"


def _member(row: Event) -> str:
    """The queue manager that acted: a row of a shared queue is at the group and tells its member in the detail."""
    return json.loads(row.detail or "{}").get("member", row.qmgr)


def _failed(row: Event, who: str) -> str:
    """A call that was refused."""
    where, why = row.object or row.qmgr, f"{row.reason} {REASONS.get(row.reason, '')}".strip()
    if row.kind == "lost":
        return f"{who} lost a message that could not be put on {where}: {why}"
    return f"{who} failed to {'send a report to' if row.kind == 'report' else f'{row.kind} on'} {where}: {why}"


def _via(row: Event) -> str:
    """The destination of what was put on a transmission queue, "" for another queue."""
    return json.loads(row.detail).get("to", "") if row.detail else ""


def _onto(row: Event) -> str:
    """Where a message was put, and what kind of queue that is."""
    if to := _via(row):
        return f"for {to} on transmission queue {row.object}"
    return f"on {'the dead-letter queue ' if is_dead_letter(row) else ''}{row.object}"


def _reply(row: Event) -> str:
    to = _via(row)
    return f"{to} by transmission queue {row.object}" if to else str(row.object)


def _discarded(row: Event, who: str, here: str, there: str) -> str:
    late = f"{_seconds(-(row.expiry_left or 0) / 10)} after its lifetime ended"
    if row.object_type is None:
        return f"{who} held it and discarded it on its way to {there}, {late}"
    return f"{here} discarded it from {there}: a call of {row.program or 'a program'} met it {late}"


def _lost(row: Event, who: str) -> str:
    if row.rule == "CHL-07":
        return f"it was lost on its way: {who} had sent it in no unit of work when the session broke"
    if row.rule in ("MQI-30", "IGQ-10"):
        why = f"{row.reason} {REASONS.get(row.reason, 'a feedback code')}"
        return f"it was lost: {who} could put it neither to {row.object} ({why}) nor anywhere else"
    if row.rule in _IGQ_LOSSES:
        return f"it was lost in the hands of {who}: {_IGQ_LOSSES[row.rule]}, and it was not persistent"
    if row.rule is not None and row.rule.startswith(("QSG", "IGQ-12")):
        what = "" if row.persistent else ": it was not persistent"
        return f"it was lost from {row.object} with the structure that held it{what}"
    return f"it was lost from {row.object} when {row.qmgr} ended: it was not persistent"


def _channel(row: Event, who: str) -> str:
    """A channel that ends a batch, or changes its state."""
    told = json.loads(row.detail or "{}") if row.kind == "channel" else {}
    if "batch" in told:
        return _OUTCOMES[row.rule].format(who=who, unit=int(told["batch"], 16), outcome=told["outcome"])
    because = f": {told['because']}" if "because" in told else ""
    return f"{who} became {told['state']}{because}" if "state" in told else f"{who} stayed as it was{because}"


def _trigger(row: Event, queue: str) -> str:
    """A trigger event that was considered."""
    told = json.loads(row.detail or "{}") if row.kind == "trigger" else {}
    why = f": {told['because']}" if told.get("because") else ""
    return f"{queue} {'triggered' if told.get('fired') else 'did not trigger'}{why}"


def _program(row: Event, who: str) -> str:
    """A program that begins or ends."""
    told = json.loads(row.detail or "{}") if row.kind == "program" else {}
    why = f": {told['why']}" if "why" in told else ""
    return f"{who} {'was started' if told.get('state') == 'started' else told.get('state')}{why}"


def _fault(row: Event, there: str) -> str:
    """Something that broke, or a line that was laid or mended."""
    told = json.loads(row.detail or "{}") if row.object_type == "LINK" else {}
    if "link" not in told:
        return f"fault {there}"
    return f"the line {told['link']} was {'laid' if 'up' not in told else 'mended' if told['up'] else 'cut'}"


def _said(detail: str | None) -> str:
    """The names and values of a row's detail, in words."""
    return ", ".join(f"{name} {value}" for name, value in json.loads(detail or "{}").items())
