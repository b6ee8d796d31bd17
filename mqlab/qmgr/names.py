"""Names of queues, and what a put makes of a reply-to queue."""

from __future__ import annotations

from typing import Any


def full_name(qmgr: Any, queue: str, at: str) -> str:
    """A queue's name as a call on `qmgr` takes it: "QUEUE", or "QUEUE@QMGR" where it is another queue manager's."""
    return queue if at == qmgr.name or not at else f"{queue}@{at}"


def reply_to(qmgr: Any, queue: str, at: str) -> tuple[str, str]:
    """ReplyToQ and ReplyToQMgr as a put fills them in where the queue manager is left blank: a local definition of a
    remote queue (a reply-to alias) gives its RNAME and RQMNAME, any other name goes with this queue manager's."""
    if at or not queue:
        return queue, at or qmgr.name
    found = qmgr.objects.get("QREMOTE", queue)
    if found is None:
        return queue, qmgr.name
    return found.attributes["RNAME"], found.attributes["RQMNAME"]
