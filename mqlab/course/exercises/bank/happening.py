"""What loads let happen, and what checks look for: the same few questions in every exercise."""

from __future__ import annotations

from ....lab.lab import Lab
from ....mq.errors import MQError, ProgramDied
from .seen import done, standing

__all__ = ["bodies", "got", "let_pass", "lost", "refused", "run", "seconds", "sent"]


def run(lab: Lab, qmgr: str, program: str, given=None) -> None:
    """Start the program that is registered under this name, as function(app, given); it runs as time passes."""
    lab[qmgr].run_program(program, lab[qmgr].programs[program], given)


def let_pass(lab: Lab, seconds: float, *, dying: tuple = ()) -> None:
    """Let time pass; a program that dies of an MQError, or of one of `dying`, is a row of the log and no more.

    One that dies of anything else has a mistake in it, which is raised.
    """
    until = lab.now_us + round(seconds * 1_000_000)
    while lab.now_us < until:
        try:
            lab.advance_to(until)
        except ProgramDied as died:
            if not isinstance(died.__cause__, (MQError, *dying)):
                raise


def bodies(lab: Lab, qmgr: str, queue: str) -> list[bytes]:
    """The data of what stands on a queue, in order, [] where there is no such queue; looked at without a call."""
    return [message.body for message in standing(lab, qmgr, queue)]


def sent(lab: Lab, program: str, queue: str | None = None) -> list:
    """The rows of the puts of a program that worked, in order, to one queue or to any."""
    return done(lab, "put", queue, program=program)


def got(lab: Lab, program: str, queue: str | None = None) -> list:
    """The rows of the gets of a program that worked, in order, from one queue or from any."""
    return done(lab, "get", queue, program=program)


def refused(lab: Lab, program: str, *reasons: int) -> list:
    """The rows of a program's calls that were refused, with one of these reasons or with any."""
    rows = lab.events.where(program=program)
    return [row for row in rows if row.reason is not None and (not reasons or row.reason in reasons)]


def lost(lab: Lab, queue: str) -> list:
    """The rows of the messages that were discarded from a queue because they had expired."""
    return lab.events.where(kind="discard", object=queue)


def seconds(row) -> float:
    """When a row was written, in seconds since the lab's start."""
    return row.time_us / 1_000_000
