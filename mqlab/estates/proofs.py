"""Proofs: a program of a few lines that shows a finding on a lab, and the rows of the event log that it writes."""

from __future__ import annotations

import ast
import gc
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..engine.words.errors import MQError, ProgramDied, RunawayTrigger
from ..engine.world.event import Event

if TYPE_CHECKING:
    from ..lab.lab import Lab
    from .definitions import Definitions

Estate = TypeVar("Estate", bound="Definitions")
Result = TypeVar("Result")


class Proof(NamedTuple):
    """A program, and what its last line shows where the finding is true.

    The program is lines of Python about `lab`; its last line is an expression. It shows the value as text, or,
    for a call that MQ refuses, the reason: "2082 MQRC_UNKNOWN_ALIAS_BASE_Q". The text is of this package and of names
    that `repr` quotes.
    """

    program: str
    shows: str


class Proved(NamedTuple):
    """The result of a proof: `shown`, whether that is what it should show, the rows that it wrote, and whether its lab
    has several queue managers, so that words about a row must name its own."""

    shown: str
    holds: bool
    rows: list[Event]
    several: bool


def put_to(qmgr: str, queue: str) -> str:
    """The line of a program that puts one message."""
    return f'lab[{qmgr!r}].put({queue!r}, b"a message")'


def lab_of(estate: Definitions) -> Lab:
    """A new lab with the estate in it, for one proof."""
    return estate.with_commands({}).lab


def rested(estate: Estate) -> Estate:
    """The estate itself while its lab is at rest, else a new one of its scripts."""
    return estate if estate.at_rest else estate.with_commands({})


def on_a_copy(estate: Estate, work: Callable[[Estate], Result]) -> Result:
    """The result of work on a copy of an estate at rest, which the work may change.

    The copy is a process forked from this one. The scripts are read again if they are short, if the system cannot fork,
    if the estate has a queue sharing group, and if the work failed in the other process.
    """
    forks = hasattr(os, "fork") and sys.platform != "emscripten"
    large = sum(len(reply.replies) for reply in estate.replies) > SHORT
    alone = all(qmgr.group is None for qmgr in estate.queue_managers)
    done = _in_a_fork(partial(work, estate)) if forks and large and alone and estate.at_rest else None
    return work(estate.with_commands({})) if done is None else done


SHORT = 50
"""So many commands are read again sooner than a process is forked."""


def run_proof(lab: Lab, proof: Proof) -> Proved:
    """Run a proof on a lab, which is another one after it."""
    before = len(lab.events)
    shown = _shown(proof.program, {"lab": lab})
    return Proved(shown, shown == proof.shows, lab.events[before:], len(lab.queue_managers) > 1)


def prove(estate: Definitions, proof: Proof) -> Proved:
    """Run a proof on a new lab with the estate in it."""
    return run_proof(lab_of(estate), proof)


def prove_all(estate: Definitions, proofs: Iterable[Proof]) -> dict[Proof, Proved]:
    """The result of each proof, as `prove` returns it, each on a copy of the estate."""
    wanted = dict.fromkeys(proofs)
    base = rested(estate) if wanted else estate
    return {proof: on_a_copy(base, partial(_prove, proof)) for proof in wanted}


def _prove(proof: Proof, estate: Definitions) -> Proved:
    return run_proof(estate.lab, proof)


def small(estate: Definitions, proof: Proof, proved: Proved) -> tuple[Lab, Proved]:  # text: Python
    """A lab on which a proof has run, and its result, with only the objects that it needs; if the same rows do not
    happen there, with the whole estate."""
    told = [word for row in proved.rows for word in (row.object, row.program, *row.facts.values())]
    names = {name for each in (*told, *_LITERAL.findall(proof.program)) for name in str(each).split("@")}
    lab = estate.only(names).lab
    again = run_proof(lab, proof)
    if again.shown != proved.shown or list(map(_happened, again.rows)) != list(map(_happened, proved.rows)):
        lab = lab_of(estate)
        again = run_proof(lab, proof)
    return lab, again


_LITERAL = re.compile(r"'([^']*)'")


def _happened(row: Event) -> tuple:
    """The facts of a row that do not depend on the number of rows before it."""
    return row.time_us, row.kind, row.qmgr, row.object, row.program, row.reason


def _in_a_fork(work: Callable[[], Result]) -> Result | None:
    """The result of work in a process forked from this one, in which nothing changes; None if the work failed there."""
    here, there = os.pipe()
    with open(here, "rb") as answer:
        child = os.fork()
        if not child:
            code = 1
            try:
                gc.freeze()  # a collection would write to all the memory that is shared with the other process
                with open(there, "wb") as out:
                    pickle.dump(work(), out)
                code = 0
            finally:
                os._exit(code)  # what else this process would do at its end is the other's to do
        os.close(there)
        data = answer.read()
    return pickle.loads(data) if os.waitpid(child, 0)[1] == 0 else None


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
    except (ProgramDied, RunawayTrigger, LookupError) as ended:  # a row that should be there is not
        return type(ended).__name__
