"""Proofs: a program of a few lines that shows a finding on a lab, and the rows of the event log that it writes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from ..mq.errors import MQError, ProgramDied, RunawayTrigger
from ..sim.events import Event

if TYPE_CHECKING:
    from ..lab.lab import Lab
    from .definitions import Definitions


class Proof(NamedTuple):
    """A program, and what its last line shows where the finding is true.

    The program is lines of Python about `lab`; its last line is an expression. What it shows is the value as text, or,
    for a call that MQ refuses, the reason: "2082 MQRC_UNKNOWN_ALIAS_BASE_Q". The text is of this package and of names
    that `repr` quotes.
    """

    program: str
    shows: str


class Proved(NamedTuple):
    """What a proof showed: `shown`, whether that is what it should show, the lab, and the rows that it wrote."""

    shown: str
    holds: bool
    lab: Lab
    rows: list[Event]


def put_to(qmgr: str, queue: str) -> str:
    """The line of a program that puts one message."""
    return f'lab[{qmgr!r}].put({queue!r}, b"a message")'


def prove(estate: Definitions, proof: Proof) -> Proved:
    """Run a proof on a new lab with the estate in it."""
    lab = estate.with_commands({}, record=True).lab
    before = len(lab.events)
    shown = _shown(proof.program, {"lab": lab})
    return Proved(shown, shown == proof.shows, lab, lab.events[before:])


def _shown(program: str, names: dict[str, Any]) -> str:
    """Run the lines of a program; what its last line shows."""
    *lines, last = ast.parse(program).body
    if not isinstance(last, ast.Expr):
        raise TypeError(f"the last line of a proof must be an expression; got {ast.unparse(last)}")
    try:  # the text is ours: names that come from a script are in it as literals
        exec(compile(ast.Module(lines, []), "proof", "exec"), names)  # noqa: S102
        return str(eval(compile(ast.Expression(last.value), "proof", "eval"), names))  # noqa: S307
    except MQError as refused:
        return f"{refused.reason} {refused.name}"
    except (ProgramDied, RunawayTrigger) as ended:
        return type(ended).__name__
