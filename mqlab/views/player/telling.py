"""A row of the event log as a line that can be read without those around it: what `wording.sentence` tells in a
message's life, with the message named, and the rows that are in no message's life."""

from __future__ import annotations

import json

from ...explain.words import sentence
from ...sim.events import Event

__all__ = ["told"]


def told(row: Event, several: bool = False) -> str:
    """One row in words; `several` tells of which queue manager.

    >>> told(Event(0, 0, "QM1", "start", None, None, *[None] * 14))
    'QM1 started'
    """
    if row.reason is None and row.message is None and row.kind in _TELLS:
        here = row.object or row.qmgr
        where = f"{here} of {row.qmgr}" if several and row.object and row.object_type != "LINK" else here
        return _TELLS[row.kind](row, json.loads(row.detail or "{}"), where)
    words = sentence(row, several)
    return (
        words if row.message is None or f"message {row.message} " in f"{words} " else f"message {row.message}: {words}"
    )


def _who(row: Event) -> str:
    return row.program or "a program"


def _opened(row: Event, detail: dict, where: str) -> str:
    uses = [f"input, {detail['input']}"] if detail.get("input") else []
    uses += list(detail.get("uses", ()))
    return f"{_who(row)} opened {where}" + (f" for {' and '.join(uses)}" if uses else "")


def _program(row: Event, detail: dict, where: str) -> str:
    why = f": {detail['why']}" if "why" in detail else ""
    return f"{_who(row)} {detail.get('state', 'changed')} at {row.qmgr}{why}"


def _trigger(row: Event, detail: dict, where: str) -> str:
    because = f": {detail['because']}" if "because" in detail else ""
    return f"the trigger of {where} {'fired' if detail.get('fired') else 'did not fire'}{because}"


def _fault(row: Event, detail: dict, where: str) -> str:
    if row.object_type == "CFSTRUCT":
        return f"the structure {where} failed"
    if row.object_type != "LINK":
        return f"{where} met a fault" + (f" after {detail['steps']} steps" if "steps" in detail else "")
    if "up" not in detail:
        return f"the link {where} was laid or changed"
    return f"the link {where} {'works' if detail['up'] else 'was cut'}"


def _stopped(row: Event, detail: dict, where: str) -> str:
    return f"{row.qmgr} ended abnormally" if detail.get("abend") else f"{row.qmgr} stopped"


def _altered(row: Event, detail: dict, where: str) -> str:
    values = ", ".join(f"{name}({value})" for name, value in detail.items())
    return f"{where} was altered" + (f": {values}" if 0 < len(values) <= 90 else "")


def _recovered(row: Event, detail: dict, where: str) -> str:
    if row.object_type == "CFSTRUCT":
        return f"{_who(row)} recovered the structure {where}"
    return f"{_who(row)} ended what unit of work {row.uow} of {row.qmgr} had done in shared queues"


def _agent(row: Event, detail: dict, where: str) -> str:
    because = f": {detail['because']}" if detail.get("because") else ""
    return f"the agent of {row.qmgr} became {detail['state']}{because}"


def _scan(row: Event, detail: dict, where: str) -> str:
    queues = detail.get("queues", [])
    more = f" and {len(queues) - 4} more queues" if len(queues) > 4 else ""
    return f"{_who(row)} looked for expired messages on {', '.join(queues[:4]) or 'no queue'}{more}"


def _transmit(row: Event, detail: dict, where: str) -> str:
    if "failed" in detail:
        return f"{row.qmgr} could not go on with {where}: {detail['failed']}"
    return f"{row.qmgr} was told to send what waits"


_TELLS = {
    "open": _opened,
    "close": lambda row, _, where: f"{_who(row)} closed {where}",
    "inquire": lambda row, _, where: f"{_who(row)} inquired about {where}",
    "define": lambda row, _, where: f"{where} was defined",
    "delete": lambda row, _, where: f"{where} was deleted",
    "alter": _altered,
    "start": lambda row, _, where: f"{row.qmgr} started",
    "stop": _stopped,
    "program": _program,
    "trigger": _trigger,
    "fault": _fault,
    "scan": _scan,
    "takeover": lambda row, detail, _: (
        f"{detail['to']} looks for expired messages of {row.qmgr} from now on"
        + (f", as {detail['from']} did before" if detail.get("from") else "")
    ),
    "warning": lambda row, detail, _: f"{_who(row)} warned: {detail.get('because', 'see its detail')}",
    "group": lambda row, detail, where: f"queue-sharing group {row.qmgr} was made of {', '.join(detail['members'])}",
    "allocate": lambda row, _, where: f"{_who(row)} allocated the structure {where}",
    "recover": _recovered,
    "agent": _agent,
    "transmit": _transmit,
}
