"""What became of the last trigger message of a queue, and then the conditions for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..queues import triggering
from ..queues.triggering import Reasons
from ..words.whys import NoChannelCalled, NoChannelServes, why_of
from ..world.event import Event
from ..world.event_kinds import ARRIVES, is_dead_letter
from .words import told

if TYPE_CHECKING:
    from ..queues.queue import LocalQueue
    from ..queues.target import Lab


def why_not_triggered(queue: LocalQueue) -> Reasons:
    """Every condition for a trigger event on a queue with its truth now, after what became of the last trigger message
    if no program was started by it; nothing is changed."""
    reasons, fired = triggering.why_not_triggered(queue), queue.trigger and queue.trigger.fired
    end = None if fired is None else end_of_trigger(queue.qmgr.lab, fired)
    if end is None:
        return reasons
    waits = end.kind in ARRIVES and not is_dead_letter(end)
    words = f"nobody has got it from {end.object}" if waits else told(end)
    if queue.qmgr.platform == "zos" and queue.definition.attributes["TRIGTYPE"] == "FIRST":
        words += "; IBM MQ for z/OS may write another one as a backstop, and mqlab does not"
    return reasons._replace(last=f"the last trigger message started nothing (row {end.seq} of the log): {words}")


def end_of_trigger(lab: Lab, fired: int) -> Event | None:
    """The row that says why a trigger message started nothing, or that its program died: `fired` is the row of the
    trigger event. None if it started something."""
    led = lab.events.caused_by(fired)
    lost = [row for row in led if row.kind == "lost"]
    put = [row.message for row in led if row.kind in ARRIVES and row.message is not None]
    if lost or not put:
        return lost[-1] if lost else None
    rows = [row for row in lab.events.of_message(put[-1]) if row.kind not in ("browse", "deliver", "handler")]
    end = next((row for row in rows if is_dead_letter(row)), rows[-1])
    if end.kind != "get":
        return end
    for row in lab.events.caused_by(end.seq):
        if isinstance(why_of(row.facts), NoChannelCalled | NoChannelServes):
            return row
        if row.kind == "program":
            return next((each for each in lab.events.caused_by(row.seq) if each.facts.get("state") == "died"), None)
    return None
