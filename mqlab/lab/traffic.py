"""Steady traffic: a program that puts messages at a rate, to see what queues, channels, and programs make of it."""

from __future__ import annotations

from ..engine.programs.program import Program
from ..engine.queues.application import Application
from ..engine.queues.queue_manager import QueueManager
from ..engine.words.arguments import checked
from ..engine.words.errors import LabError, MQError

KEPT_WHOLE = True
"""Ctrl-C takes effect after a step of the clock, as in the engine: `mqlab.engine.world.interrupts`."""
MOST = 1_000_000  # messages


@checked
def start_traffic(qmgr: QueueManager, queue: str, rate: float, seconds: float, program: str = "TRAFFIC") -> Program:
    """Start a program that puts `rate` messages a second to a queue for `seconds` of simulated time, one at a time.

    A put that fails is in the event log, and the next one follows at its time. LabError for a rate or a time that is
    not more than 0, or for more than a million messages; a Program.
    """
    if not (0 < rate <= 10_000 and seconds > 0) or rate * seconds > MOST:
        raise LabError(
            f"rate and seconds must be more than 0, with at most 10,000 a second and {MOST:,} messages in all; "
            f"got {rate!r} a second for {seconds!r} s"
        )
    return Program(qmgr, program, _puts, (queue, rate, max(1, round(rate * seconds))))


def _puts(app: Application, queue: str, rate: float, count: int) -> None:
    start = app.qmgr.clock.time_us
    for number in range(count):
        due = start + round(number / rate * 1_000_000)
        app.qmgr.lab.advance_to(due)
        try:
            app.put(queue, f"{number + 1} of {count}".encode())
        except MQError:
            continue  # its row says why
