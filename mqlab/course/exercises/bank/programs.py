"""Programs that several exercises start, and helpers that start them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import import_module
from itertools import islice
from typing import Any

from ....engine.words.errors import LabError, MQError, ProgramDied
from ....lab.lab import Lab
from ...programs import let_go
from ..retold import retold

TURNS = 2000
"""A program for IBM's library that uses more turns of its lab than this is stopped; those of the course use 100."""


class Breakdown(Exception):
    """The failure of a machine that a program uses; the program dies of it."""


def run(lab: Lab, qmgr: str, program: str, given: Any = None, *, seconds: float = 0) -> None:
    """Start the program that is registered under this name, as function(app, given), and let time pass."""
    lab[qmgr].run_program(program, lab[qmgr].programs[program], given)
    let_pass(lab, seconds)


def let_pass(lab: Lab, seconds: float) -> None:
    """Let time pass; a program that dies of an MQError or a Breakdown is only an event in the log.

    Any other exception is a mistake in the program, and is raised.
    """
    until = lab.now_us + round(seconds * 1_000_000)
    while lab.now_us < until:
        try:
            lab.advance_to(until)
        except ProgramDied as died:
            if not isinstance(died.__cause__, (MQError, Breakdown)):
                raise


def run_library(lab: Lab, program: str, *given: Any, seconds: float) -> None:
    """Run the program for IBM's library that is registered under this name, as function(*given), to its end; after so
    many seconds it is killed.

    A program that ends by an error of MQ or a Breakdown is only an event in the log. Any other exception is a mistake
    in the program, and is raised as ProgramDied; LabError for a program that runs in circles.
    """
    with lab.ibmmq(program) as session:
        library = import_module("ibmmq")
        session.turns.limit_us, session.turns.limit_turns = lab.now_us + round(seconds * 1_000_000), TURNS
        session.turns.at_limit = sys.exit
        try:
            lab["QM1"].programs[program](*given)
        except (library.Error, Breakdown) as error:
            let_go(error, session)
        except SystemExit as error:
            session.end()  # while the frames of the program hold its connections: nobody disconnects
            if session.turns.limit_turns is None:
                raise LabError(
                    f"{program} makes the same calls again and again while no time passes. Look at the reason code of "
                    "each error before you try again"
                ) from error
        except LabError:
            raise
        except Exception as error:
            raise ProgramDied(f"{program} on QM1 died: {error}") from error


def monitor(lab: Lab, qmgr: str, initq: str) -> None:
    """Start a trigger monitor, which opens the initiation queue at once; none if a program has the queue open."""
    if not lab[qmgr].status(initq)["IPPROCS"]:
        lab[qmgr].trigger_monitor(initq)
        lab.advance(0)


def seconds_alone(lab: Lab, program: str, given: Callable[[Lab], Any], most: int) -> int:
    """The seconds after which a program ends if it finds QM1's queues empty and nothing arrives, in a lab with the same
    definitions; `most` if it still runs then."""
    trial = retold(lab)
    with closing(trial):
        with suppress(ProgramDied):  # its mistake is a symptom of the load
            run(trial, "QM1", program, given(trial), seconds=most)
        ended = [row for row in trial.events.where(kind="program", program=program) if row.facts["state"] != "started"]
        return int(ended[0].time_us // 1_000_000) if ended else most


def watched(lab: Lab, initq: str, program: str) -> Any:
    """Start a trigger monitor if none runs, and connect a program a second later."""
    monitor(lab, "QM1", initq)
    lab.advance(1)
    return lab["QM1"].connect(program)


def serve(app: Any, trigger: Any) -> None:
    """A well-behaved server: get every message on the queue, then end."""
    with app.open(trigger.queue, input="shared") as queue:
        queue.drain()


def serve_up_to(number: int, again: bool = True) -> Callable[[Any, Any], None]:
    """Return a server that gets up to this many messages, and with `again` turns triggering on before it ends."""

    def take(app: Any, trigger: Any) -> None:
        with app.open(trigger.queue, input="shared", set=again) as queue:
            list(islice(queue.get_each(), number))
            if again:
                queue.set(TRIGGER=True)

    return take
