"""The trigger monitor: a program that gets trigger messages and starts what they name."""

from __future__ import annotations

from typing import Any

from ..queues.application import Application, program_name
from ..queues.dead_letter import set_aside
from ..queues.message import record_of
from ..queues.queue_manager import QueueManager
from ..words import constants as mq
from ..words.headers import MQTM, TriggerMessage
from .program import Program

_MAINFRAME = {mq.MQAT_ZOS, mq.MQAT_IMS, mq.MQAT_CICS_VSE}
_OTHERS = {mq.MQAT_OS2, mq.MQAT_DOS, mq.MQAT_UNIX, mq.MQAT_OS400, mq.MQAT_WINDOWS, mq.MQAT_WINDOWS_NT, mq.MQAT_VMS}
ELSEWHERE = {"distributed": _MAINFRAME, "zos": _OTHERS | {mq.MQAT_CICS_VSE}, "vse": _OTHERS}
"""The types of application (APPLTYPE) that a trigger monitor of each platform cannot start."""


def trigger_monitor(qmgr: QueueManager, initq: str) -> Program:
    """Start a trigger monitor on an initiation queue; `.stop()` ends it."""
    return Program(qmgr, "TRIGGER.MONITOR", _serve, (initq,))


def _serve(app: Application, initq: str) -> None:
    """Get trigger messages forever and start one program for each."""
    with app.open(initq, input="shared") as handle:
        while True:
            _start(app, handle.get(mq.FOR_EVER), initq)


def read_trigger(app: Application, message: Any, initq: str) -> TriggerMessage | None:
    """The contents of a trigger message; None for another message, which goes to the dead-letter queue."""
    try:
        return MQTM.unpack(message.body)
    except ValueError:  # its length or eye-catcher is wrong, or its text cannot be read
        set_aside(app, record_of(message), mq.MQFB_TM_ERROR, initq)
        return None


def _start(app: Application, message: Any, initq: str) -> None:
    """Start the program of one trigger message, or put that on the dead-letter queue if it cannot be."""
    qmgr, trigger = app.qmgr, read_trigger(app, message, initq)
    if trigger is None:
        return
    if trigger.appl_type in ELSEWHERE[qmgr.platform]:
        set_aside(app, record_of(message), mq.MQFB_APPL_TYPE_ERROR, initq)
        return
    function = qmgr.programs.get(trigger.appl_id)
    if function is None:
        set_aside(app, record_of(message), mq.MQFB_APPL_CANNOT_BE_STARTED, initq)
        return
    program = Program(qmgr, program_name(trigger.appl_id), function, (trigger,), qmgr.lab.events.next_seq - 1)
    program.application.runs_as = program.application.context.user
