"""What kind of place each queue is, and which gets are a channel's, read from the event log alone."""

from __future__ import annotations

import json
from bisect import bisect_left

from ...sim.event_kinds import ARRIVES, DEAD_LETTER_RULES

__all__ = ["CARRIED", "DEAD_LETTER", "QUEUE", "TRANSMISSION", "Homes", "lock_of"]

QUEUE, TRANSMISSION, DEAD_LETTER = "on the queue", "on a transmission queue", "on a dead-letter queue"
CARRIED = "IGQ-"  # the rules of the intra-group queuing agent begin so
ON_THE_WAY = ("MQE.ASYNC", "MQE.FORWARD")  # our reading: what MQ Everyplace keeps there is on its way, as on an XMITQ
MOVING = ("RUNNING", "PAUSED")  # states of a channel in which what it got is on its way


class Homes:
    """The queues a log tells of: transmission queues, dead-letter queues, and the channels that take from the former.

    A queue counts as what it was last: USAGE(XMITQ), or named by some queue manager's DEADQ at any time.
    """

    def __init__(self, events):
        self._transmission: set[tuple] = set()
        self._dead: set[tuple] = set()
        self._breaks: dict[str, list[tuple[int, int]]] = {}
        for row in events.where(kind=("define", "alter", "channel")):
            if row.kind == "channel":
                self._state(row)
            elif row.object_type in ("QLOCAL", "QMGR") and row.detail:
                self._definition(row, json.loads(row.detail))

    def _definition(self, row, told: dict) -> None:
        if told.get("USAGE"):
            (self._transmission.add if told["USAGE"] == "XMITQ" else self._transmission.discard)((row.qmgr, row.object))
        if row.object_type == "QMGR" and (told.get("DEADQ") or "").strip():
            self._dead.add((row.qmgr, told["DEADQ"].strip()))

    def _state(self, row) -> None:
        """Note when a channel stopped moving what it had got; the row of a receiving end names its partner."""
        told, breaks = json.loads(row.detail or "{}"), self._breaks.setdefault(row.object, [])
        if "partner" not in told and told.get("state", MOVING[0]) not in MOVING:
            breaks.append((row.seq, row.time_us))

    def home(self, row) -> str:
        """The state of a message that can be got, by the row of its arrival: QUEUE, TRANSMISSION or DEAD_LETTER."""
        place = (row.qmgr, row.object)
        onward = row.kind in ARRIVES and row.detail is not None and "to" in json.loads(row.detail)
        if onward or place in self._transmission or row.object_type in ON_THE_WAY:
            return TRANSMISSION
        return DEAD_LETTER if place in self._dead or row.rule in DEAD_LETTER_RULES else QUEUE

    def carries(self, row, home: str) -> bool:
        """Whether a get from a place of kind `home` is a channel's, or the intra-group queuing agent's: no end."""
        agent = row.program in self._breaks or (row.rule or "").startswith(CARRIED)
        return home == TRANSMISSION and agent

    def broken(self, row) -> int | None:
        """When the channel that did the get `row` first stopped moving messages after it; None for never."""
        breaks = self._breaks.get(row.program, [])
        place = bisect_left(breaks, (row.seq, 0))
        return breaks[place][1] if place < len(breaks) else None


def lock_of(row) -> bool | None:
    """Whether a row locks its message (True) or frees it (False): browses with lock, MQ Everyplace's assured calls."""
    if row.kind in ("unlock", "confirm"):
        return False
    held = row.kind in ("browse", "lock", "put") and row.detail is not None and "lock" in json.loads(row.detail)
    return True if held else None
