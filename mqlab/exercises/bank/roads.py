"""The road from a branch to HQ that several exercises share: a link, a transmission queue, and a channel."""

from __future__ import annotations

from ...errors import MQError
from ...lab import Lab
from .seen import done

__all__ = ["SYNCQ", "delivered", "reach", "road"]

SYNCQ = "SYSTEM.CHANNEL.SYNCQ"
"""Where a channel keeps what it needs to start again: no place where messages go astray."""


def road(lab: Lab, branch: str, conname: str = "hq.example(1414)") -> None:
    """A queue manager whose transmission queue TO.HQ is sent to HQ by the channel BRANCH.HQ; HQ is made where it is
    missing, with a dead-letter queue."""
    if "HQ" not in [qmgr.name for qmgr in lab.queue_managers]:
        lab.queue_manager("HQ").mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)")
        lab.address("hq.example(1414)", "HQ")
    lab.queue_manager(branch)
    lab.link(branch, "HQ", latency=0.05)
    lab["HQ"].mqsc(f"DEFINE CHANNEL({branch}.HQ) CHLTYPE(RCVR)")
    lab[branch].mqsc(
        f"DEFINE QLOCAL(TO.HQ) USAGE(XMITQ) TRIGGER TRIGDATA({branch}.HQ) INITQ(SYSTEM.CHANNEL.INITQ)\n"
        f"DEFINE CHANNEL({branch}.HQ) CHLTYPE(SDR) CONNAME('{conname}') XMITQ(TO.HQ)"
    )


def reach(app, name: str, body: bytes, **options) -> None:
    """Put to a name; a refusal is a row of the log, and no more."""
    try:
        app.put(name, body, persistent=True, **options)
    except MQError:
        return


def delivered(lab: Lab, queue: str) -> list:
    """The rows by which messages came to stand on a queue of HQ."""
    return done(lab, "put", queue, qmgr="HQ")
