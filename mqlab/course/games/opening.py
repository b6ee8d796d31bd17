"""The opening: one queue, played before any Python. The engine has walked every state that it can be in."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ...engine.words.arguments import checked
from ...engine.words.constants import REASONS
from ...engine.words.rulebook import RULES
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


@cache
def graph() -> dict[str, list]:
    """Every state of the queue, the empty one first, and what each of ACTIONS does in it, as the engine did it.

    `states` are the seconds that each message has left. An edge is the next state, the reason code, the place of the
    message returned, the places of those discarded, and the place of its rule in `rules`. `tools.opening` writes it.
    """
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
