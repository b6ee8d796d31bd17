"""The guard against programs that keep each other busy forever while no simulated time passes."""

from __future__ import annotations

from collections import deque
from typing import Any

from ..words.arguments import at_least, require
from ..words.errors import RunawayTrigger

MOMENT_LIMIT = 100_000
"""How many steps of the clock one moment may take while the messages in the lab do not become fewer."""
NAMED = 4


class Guard:
    """Counts the steps of a lab's clock at one moment; half of `limit` at a time it looks whether work gets less.

    However much a person puts at one moment is worked off, for then the messages on the queues become fewer. Programs
    that only answer each other leave as many as before, and are stopped (TRG-12a). `started` names the programs started
    last, each as (queue manager, program).
    """

    def __init__(self, lab: Any, limit: int):
        require("moment_limit", limit, int, "a whole number of steps, 2 or more", at_least(2))
        self._lab, self.limit = lab, limit
        self._steps, self._least = 0, float("inf")
        self.started: deque[tuple[str, str]] = deque(maxlen=NAMED)

    def count(self, moved_on: bool) -> None:
        """Count one step, the first of a moment if time has moved on; RunawayTrigger if nothing gets done."""
        if moved_on:
            self._steps, self._least = 0, float("inf")
        self._steps += 1
        if self._steps > self.limit // 2:
            queues = [queue for qmgr in self._lab.queue_managers for queue in qmgr.queues]
            left = sum(queue.depth for queue in queues)
            # a message that leaves the transmission queues has got somewhere; one that goes round never does
            work = left + sum(q.depth for q in queues if q.definition.attributes["USAGE"] == "XMITQ")
            before, self._steps, self._least = self._least, 0, work
            if work >= before:
                self._least = float("inf")
                self._stop(left)

    def _stop(self, left: int) -> None:
        lab = self._lab
        names = " and ".join(f"{name} on {qmgr}" for qmgr, name in dict.fromkeys(reversed(self.started)))
        qmgr, program = self.started[-1] if self.started else (None, None)
        lab.events.write(
            lab.now_us, "fault", (qmgr, None, None), program=program, rule="TRG-12a", detail={"steps": self.limit}
        )
        raise RunawayTrigger(
            f"{self.limit} steps at {lab.now:%H:%M:%S.%f} and no end: time does not move on, and {left} messages are "
            f"left, no fewer than before (TRG-12a). Started last: {names or 'no program'}. Let one of them take its "
            f"time (lab.advance), stop() it, or ALTER its queue NOTRIGGER; lab.run() then goes on. If all that work is "
            f"meant, Lab(moment_limit=...) allows more"
        )
