"""The opening: one queue, played before any Python, and every state that it can be in, walked by the engine."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ...engine.words.arguments import checked
from ...engine.words.constants import REASONS
from ...engine.words.errors import MQError
from ...engine.words.rulebook import RULES
from ...engine.world.event import Event
from ...engine.world.event_kinds import LEAVES
from ...lab.lab import Lab
from ...views.cards.tables import table
from .playing import Still

LIFETIMES = (5, 10, 15, None)
"""Seconds that the slider offers; None is unlimited."""
TICK, MAXDEPTH = 5, 3
ACTIONS = (*(f"put:{place}" for place in range(len(LIFETIMES))), "get", "browse", "tick")
GOALS = (
    ("full", "Make a put fail: find reason 2053."),
    ("none", "Make a get fail: find reason 2033."),
    ("expired", "Make a get fail with 2033 although CURDEPTH is not 0."),
)
LESSON = (
    "CURDEPTH counts the messages on a queue. A get needs a message that it can return. ",
    "These are two different questions, and most surprises with queues come from mixing them up. (This queue manager "
    "does not scan for expired messages by itself. A current one does so every five minutes.)",
)
SHORTEST = ("get", "put:0", "put:0", "put:0", "put:0", "tick", "get")
"""Calls that find all three."""


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
    """Every state of the queue, the empty one first, and what each of ACTIONS does in it, as the engine does it.

    `states` are the seconds that each message has left. An edge is the next state, the reason code, the place of the
    message returned, the places of those discarded, and the place of its rule in `rules`.
    """
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


@cache
def graph() -> dict[str, list]:
    """Return the result of `walk`, as it is stored in the package."""
    return json.loads(files(__package__).joinpath("opening.json").read_text("utf-8"))


def spec() -> dict[str, Any]:
    """Everything that a page needs to play the opening."""
    told = {rule: [rule, RULES[rule].title, RULES[rule].text] for rule in graph()["rules"] if rule}
    return {
        "kind": "opening",
        "lifetimes": LIFETIMES,
        "tick": TICK,
        "maxdepth": MAXDEPTH,
        "actions": ACTIONS,
        "goals": GOALS,
        "lesson": LESSON,
        **graph(),
        "rules": [told.get(rule) for rule in graph()["rules"]],
    }


def still() -> Still:
    """The opening for readers who cannot play it: calls that find all three, as a table."""
    rows, state, seconds = [], 0, 0
    for action in SHORTEST:
        depth = len(graph()["states"][state])
        state, reason, _, discarded, _ = graph()["edges"][state][ACTIONS.index(action)]
        seconds += TICK if action == "tick" else 0
        verb, _, place = action.partition(":")
        said = {"put": f"put, {LIFETIMES[int(place or 0)]} s to live", "tick": f"wait {TICK} s"}.get(verb, verb)
        result = "" if verb == "tick" else f"{reason} {REASONS[reason]}" if reason else "completes"
        after = len(graph()["states"][state])
        rows.append((f"09:00:{seconds:02d}", said, depth, result, len(discarded), after))
    heads = ("Time", "Call", "CURDEPTH before", "Result", "Discarded", "CURDEPTH after")
    words = f"One queue, ORDERS, with MAXDEPTH({MAXDEPTH}): a put that fails, and two gets that fail"
    text = "\n".join([words, *("  ".join(map(str, row)) for row in (heads, *rows))])
    return Still("opening", text, table(words, heads, rows))


@checked
def opening(interactive: bool = True) -> Any:
    """Return one queue to play with, ORDERS: put, get, browse, a lifetime, a clock, and three things to find.

    With `interactive=False` it is a table of the calls that find them.

    >>> print(opening(interactive=False))
    One queue, ORDERS, with MAXDEPTH(3): a put that fails, and two gets that fail
    Time  Call  CURDEPTH before  Result  Discarded  CURDEPTH after
    09:00:00  get  0  2033 MQRC_NO_MSG_AVAILABLE  0  0
    09:00:00  put, 5 s to live  0  completes  0  1
    09:00:00  put, 5 s to live  1  completes  0  2
    09:00:00  put, 5 s to live  2  completes  0  3
    09:00:00  put, 5 s to live  3  2053 MQRC_Q_FULL  0  3
    09:00:05  wait 5 s  3    0  3
    09:00:05  get  3  2033 MQRC_NO_MSG_AVAILABLE  3  0
    """
    if not interactive:
        return still()
    from .widget import Playing

    return Playing(spec(), still())
