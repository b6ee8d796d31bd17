"""The graph of the opening: the engine walks every state of one queue, and mqlab/course/games/opening.json keeps it."""

from __future__ import annotations

import json
from pathlib import Path

from mqlab.course.games.opening import ACTIONS, LIFETIMES, MAXDEPTH, TICK
from mqlab.engine.words.errors import MQError
from mqlab.engine.world.event import Event
from mqlab.engine.world.event_kinds import LEAVES
from mqlab.formats.whole_file import write_whole
from mqlab.lab.lab import Lab


class Desk:
    """The queue ORDERS of a lab and one program; `do` makes one call and returns the fate of each message."""

    def __init__(self) -> None:
        self.lab = Lab(start="2025-01-06T09:00:00Z")
        qmgr = self.lab.queue_manager("SHOP", expiry_interval=0)
        qmgr.mqsc(f"DEFINE QLOCAL(ORDERS) MAXDEPTH({MAXDEPTH})").require()
        self.you = qmgr.connect("YOU")
        self.ends: dict[int, int | None] = {}  # by message, in order: when it expires, in microseconds

    def left(self) -> tuple[int | None, ...]:
        """The seconds that each message has left, in the order of the queue; None is unlimited."""
        now = self.lab.now_us
        return tuple(None if end is None else max(0, (end - now) // 1_000_000) for end in self.ends.values())

    def do(self, action: str) -> tuple[int, int | None, list[int], str]:
        """Do one of ACTIONS; return the reason code, the place of the message that is returned (None for none), the
        places of those that are discarded, and the rule."""
        there, first = list(self.ends), len(self.lab.events)
        verb, _, place = action.partition(":")
        reason, returned, rule = 0, None, ""
        try:
            if verb == "put":
                seconds = LIFETIMES[int(place)]
                message = self.you.put("ORDERS", b"order", expiry=-1 if seconds is None else 10 * seconds)
                self.ends[message.number] = None if seconds is None else self.lab.now_us + seconds * 1_000_000
            elif verb == "tick":
                self.lab.advance(TICK)
            else:
                returned = there.index(getattr(self.you, verb)("ORDERS").number)
        except MQError as refused:
            reason, rule = refused.reason, refused.rule or ""
        rows = [row for row in self.lab.events[first:] if row.object == "ORDERS" and row.rule]
        discarded = [row.message for row in rows if row.kind == "discard"]
        self.ends = {number: end for number, end in self.ends.items() if not self._left_by(number, rows)}
        last = (rows[-1].rule if rows else "") or ""
        return reason, returned, [place for place, one in enumerate(there) if one in discarded], rule or last

    @staticmethod
    def _left_by(number: int, rows: list[Event]) -> bool:
        return any(row.message == number and row.kind in LEAVES for row in rows)


def walk() -> dict[str, list]:
    """Every state of the queue, and what each of ACTIONS does in it: see `mqlab.course.games.opening.graph`."""
    states: list[tuple[int | None, ...]] = [()]
    paths: list[tuple[str, ...]] = [()]
    edges, rules = [], [""]
    for path in paths:  # which grows meanwhile
        row = []
        for action in ACTIONS:
            desk = Desk()
            for before in path:
                desk.do(before)
            reason, returned, discarded, rule = desk.do(action)
            if (left := desk.left()) not in states:
                states.append(left)
                paths.append((*path, action))
            if rule not in rules:
                rules.append(rule)
            row.append([states.index(left), reason, returned, discarded, rules.index(rule)])
        edges.append(row)
    return {"states": [list(state) for state in states], "edges": edges, "rules": rules}


if __name__ == "__main__":
    write_whole(Path("mqlab/course/games/opening.json"), json.dumps(walk(), separators=(",", ":")) + "\n")
