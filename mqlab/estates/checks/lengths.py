"""Checks of the limits of queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...lab.queue_manager import QueueManager
from ..findings import NOTE, WARNING, Found, check
from ..proofs import Proof
from .objects import alter, each, put_on, refuses, takes

if TYPE_CHECKING:
    from ..definitions import Definitions

_MOST = 999_999_999


@check("queue-depth-none", WARNING, "A queue accepts no message", "MQI-09")
def depth_none(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        if queue.attributes["MAXDEPTH"] == 0:
            said = f"{queue.name} has MAXDEPTH(0): every put to it fails with 2053"
            open_ = queue.attributes["PUT"] == "ENABLED"
            proof = refuses(qmgr, queue, "2053 MQRC_Q_FULL") if open_ else None
            fix = alter(queue, "MAXDEPTH(5000)")
            yield Found(qmgr.name, "QLOCAL", queue.name, said, fix, proof, "MAXDEPTH")


@check("queue-depth-odd", NOTE, "A queue accepts one message, or as many as the disk does", "MQI-09")
def depth_odd(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        depth, put = queue.attributes["MAXDEPTH"], put_on(qmgr, queue)
        large = queue.attributes["USAGE"] == "XMITQ" or queue.name == qmgr.attributes["DEADQ"]
        if depth != 1 and (depth != _MOST or qmgr.platform == "zos" or large):
            continue
        most = "nothing but its storage limits the queue, and a reader that stops is noticed late"
        said = f"{queue.name} has MAXDEPTH({depth}): {'a second message fails with 2053' if depth == 1 else most}"
        proof = Proof(f"{put}\n{put}", "2053 MQRC_Q_FULL") if depth == 1 and takes(qmgr, queue.name, 1_000) else None
        fix = alter(queue, "MAXDEPTH(5000)")
        yield Found(qmgr.name, "QLOCAL", queue.name, said, fix, proof, "MAXDEPTH")


def _given(estate: Definitions, qmgr: QueueManager) -> bool:
    """Whether the scripts contain MAXMSGL of a queue manager."""
    replies = zip(estate.parts, estate.replies, strict=True)
    commands = (one for part, all_ in replies if part.qmgr == qmgr.name for one in all_.replies if one.kind == "QMGR")
    return estate.whole(qmgr) or any("MAXMSGL" in one.command.upper() for one in commands)


@check("queue-longer-than-qmgr", NOTE, "A queue accepts longer messages than its queue manager", "MQI-10")
def longer(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        length, most = queue.attributes["MAXMSGL"], qmgr.attributes["MAXMSGL"]
        if length > most:
            known = f"{qmgr.name} MAXMSGL({most})"
            known = known if _given(estate, qmgr) else f"no script here sets MAXMSGL of {qmgr.name} (default {most})"
            said = f"{queue.name} has MAXMSGL({length}), and {known}: a longer put fails with 2031"
            line = put_on(qmgr, queue, f"bytes({most + 1})")
            proof = Proof(line, "2031 MQRC_MSG_TOO_BIG_FOR_Q_MGR") if takes(qmgr, queue.name, 0) else None
            yield Found(qmgr.name, "QLOCAL", queue.name, said, f"ALTER QMGR MAXMSGL({length})", proof, "MAXMSGL")
