"""The traces of trouble in a lab: what an administrator who looks there can see."""

from __future__ import annotations

from ...engine.queues.queue import LocalQueue
from ...engine.words.constants import code
from ...engine.world.event_kinds import is_dead_letter
from ...estates.traffic import ended_with
from ...lab.lab import Lab

ERROR_LOG = "error log"
WAITING = 2
"""As many messages on a transmission queue are no backlog yet."""


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
