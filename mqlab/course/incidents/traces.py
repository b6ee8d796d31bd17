"""The view of an administrator of a lab: the traces of trouble, and the settings that open it to all."""

from __future__ import annotations

from typing import Any

from ...engine.queues.queue import LocalQueue
from ...engine.words.constants import code
from ...engine.world.event_kinds import is_dead_letter
from ...estates.traffic import ended_with
from ...lab.lab import Lab

ERROR_LOG = "error log"
WAITING = 2
"""As many messages on a transmission queue are no backlog yet."""
_ADMINISTRATOR = "mqm"


def traces(lab: Lab) -> set[tuple[str, str, str]]:
    """Each trace as a queue manager, an object of it, and what can be seen there, in words."""
    seen: set[tuple[str, str, str]] = set()
    for row in lab.events:
        qmgr, name = row.qmgr or "", row.object or ""
        if row.reason is not None and name:
            seen.add((qmgr, name, code(row.reason)))
        elif is_dead_letter(row):
            reason = row.facts.get("Reason")
            seen.add((qmgr, name, f"undeliverable messages{f', {code(reason)}' if reason else ''}"))
        elif message := ended_with(row):
            seen.add((qmgr, ERROR_LOG, f"{message} about {name}"))
    for here in lab.queue_managers:
        seen |= {
            (here.name, queue.name, "messages wait")
            for queue in here.queues
            if isinstance(queue, LocalQueue) and queue.is_xmitq and queue.depth > WAITING
        }
        rows = here.mqsc("DISPLAY CHSTATUS(*)").rows
        seen |= {(here.name, row["CHANNEL"], row["STATUS"]) for row in rows if row["STATUS"] != "RUNNING"}
    return seen


def opened(lab: Lab) -> set[str]:
    """The settings that open a queue manager to all, each in words; a good repair adds none."""
    return {f"{words} at {qmgr.name}" for qmgr in lab.queue_managers if qmgr.running for words in _of(qmgr)}


def _of(qmgr: Any) -> list[str]:
    """The settings that open one queue manager to all."""

    def rows(command: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = qmgr.mqsc(command).rows  # none at a level or platform without the object
        return found

    has = qmgr.attributes
    found = ["CHLAUTH(DISABLED)"] if has.get("CHLAUTH") == "DISABLED" else []
    found += ["CONNAUTH(' ')"] if has.get("CONNAUTH") == "" else []
    name = has.get("CONNAUTH")
    if name:
        found += [f"{word}(NONE)" for row in rows(f"DISPLAY AUTHINFO({name}) ALL")
                  for word in ("CHCKCLNT", "CHCKLOCL") if row.get(word) == "NONE"]  # fmt: skip
    found += [
        f"{row['CHANNEL']} with MCAUSER({_ADMINISTRATOR})"
        for row in rows("DISPLAY CHANNEL(*) CHLTYPE(SVRCONN) MCAUSER")
        if row.get("MCAUSER") == _ADMINISTRATOR
    ]
    records = rows("DISPLAY CHLAUTH(*) ALL")
    for row in records:
        of = f"the record for {row['CHLAUTH']}"
        found += [f"{of} with MCAUSER({_ADMINISTRATOR})"] if row.get("MCAUSER") == _ADMINISTRATOR else []
        found += [f"{of} that lets in every address"] if _of_all(row) and row["USERSRC"] == "CHANNEL" else []
    if not any(row["CHLAUTH"] == "*" and _of_all(row) and row["USERSRC"] == "NOACCESS" for row in records):
        found.append("no record that refuses all others")
    found += [f"the profile {row['PROFILE']} for {row['ENTITY']}" for row in rows("DISPLAY AUTHREC OBJTYPE(QUEUE) ALL")
              if row["PROFILE"] in ("**", "*") and row["ENTITY"] != _ADMINISTRATOR]  # fmt: skip
    return found


def _of_all(record: dict[str, Any]) -> bool:
    """Whether a channel authentication record is for every address."""
    return record["TYPE"] == "ADDRESSMAP" and record["ADDRESS"] == "*"
