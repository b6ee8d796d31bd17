"""A sample server: what a PROCESS may start, written as IBM advises, and the only thing that acts on BOTHRESH."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.queues.application import Application
from ..engine.queues.forward import pass_on
from ..engine.queues.handle import Handle
from ..engine.words.arguments import require
from ..engine.words.constants import MQRC_NO_MSG_AVAILABLE
from ..engine.words.errors import MQError
from ..engine.words.headers import TriggerMessage
from ..engine.world.interrupts import interruptible

KEPT_WHOLE = True
"""Ctrl-C takes effect after a step of the clock, as in the engine: `mqlab.engine.world.interrupts`."""


def sample_server(work: Callable[..., Any], wait: float = 0) -> Callable[[Application, TriggerMessage], None]:
    """A function for `QueueManager.program`: it serves the queue of its trigger message until no message is left.

    It gets each message in a unit of work and calls `work(app, message, unit)`. If that returns False, the unit is
    backed out and the server ends, to be triggered again by its close (TRG-12b). A message whose BackoutCount has
    reached BOTHRESH is moved to BOQNAME instead (TRG-12c): the queue manager itself does nothing about either. `wait`
    is the wait interval of its gets in seconds. LabError for `work` that cannot be called.
    """
    require("work", work, Callable, "a function called as work(app, message, unit)")

    def serve(app: Application, trigger: TriggerMessage) -> None:
        with app.open(trigger.queue, input="shared", inquire=True) as handle:
            limits = handle.inquire("BOTHRESH", "BOQNAME")
            while _serve_one(app, handle, limits, work, wait):
                pass

    return serve


def _serve_one(app: Application, handle: Handle, limits: dict, work: Callable[..., Any], wait: float) -> bool:
    """Serve one message; whether the server goes on."""
    unit = app.unit_of_work()
    try:
        message: Any = handle.get(wait, unit=unit)
    except MQError as error:
        unit.dissolve()
        if error.reason != MQRC_NO_MSG_AVAILABLE:
            raise
        return False
    poisoned = limits["BOQNAME"] and limits["BOTHRESH"] and message.backout_count >= limits["BOTHRESH"]
    if poisoned:
        pass_on(app, message, limits["BOQNAME"], expiry=message.expiry, unit=unit)
    elif interruptible(work, app, message, unit) is False:
        unit.backout()
        return False
    unit.commit()
    return True
