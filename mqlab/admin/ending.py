"""The end of a queue manager that its programs notice: quiescing, until all of them have disconnected (endmqm)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.queues.caller import Gate
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.refusals import Grounds
from . import kept

MODES = ("immediate", "controlled", "wait", "preemptive")
"""The modes of endmqm: -i, -c, -w, and -p."""


class Behind(Gate):
    """A gate in front of another one, `before`, that it asks too."""

    def __init__(self, application: Any):
        self.application, self.before = application, application.gate or Gate()

    @property
    def shown(self) -> str:
        """ASTATE of the connection."""
        return self.before.shown

    def require_inside(self, call: str) -> None:
        """Refuse what the other gate refuses."""
        self.before.require_inside(call)

    def require_outside(self, call: str) -> None:
        """Refuse what the other gate refuses."""
        self.before.require_outside(call)

    def shown_of(self, handle: Any) -> str:
        """ASTATE of a handle."""
        return self.before.shown_of(handle)

    def handle_closed(self, handle: Any) -> None:
        """A handle of the connection is closed."""
        self.before.handle_closed(handle)

    def tell(self, reason: int) -> None:
        """The connection ends, for a reason code."""
        self.before.tell(reason)

    def end(self, commit: bool = True) -> None:
        """The connection has ended."""
        self.before.end(commit)


class Ending(Behind):
    """The gate of a connection whose queue manager is quiescing: calls with FAIL_IF_QUIESCING fail with 2161."""

    def require_still(self, call: str, options: int = 0) -> None:
        """Refuse a get that waits, if it asks for that."""
        if options & mq.MQGMO_FAIL_IF_QUIESCING:
            self.require_lasting(call)

    def require_lasting(self, call: str) -> None:
        """Refuse the call."""
        grounds = Grounds(mq.MQRC_Q_MGR_QUIESCING, "qmgr-quiescing", {"qmgr": self.application.qmgr.name})
        raise self.application.refusal(grounds, None, call)

    def left(self) -> None:
        """End the queue manager with its last program."""
        _end_with_last(self.application.qmgr)


def end_qmgr(qmgr: Any, mode: str, reconnect: bool, at_once: Callable[[], object]) -> None:
    """End a queue manager as endmqm does (REC-09): `at_once` ends it in order. With `reconnect` its clients connect
    again, as with -r. MQError 2059; LabError for another mode."""
    require("mode", mode, str, f"one of {', '.join(MODES)}", MODES.__contains__)
    require("reconnect", reconnect, bool)
    qmgr.require_running("stop")
    kept(qmgr).reconnect = reconnect
    if mode in ("immediate", "preemptive"):
        at_once() if mode == "immediate" else qmgr.fail()
        return
    kept(qmgr).ending = at_once
    qmgr.record("quiesce", (qmgr.name, None, None), "REC-09")
    for application in _holding(qmgr):
        if application.gate is not None:
            application.gate.tell(mq.MQRC_Q_MGR_QUIESCING)
        application.gate = Ending(application)
        wake(application)
    _end_with_last(qmgr)
    if mode == "wait" and qmgr.running:
        kept(qmgr).gone = gone = qmgr.clock.event()
        qmgr.clock.wait(gone, None)


def _holding(qmgr: Any) -> list[Any]:
    """The connections of programs that are not MQ's own, in their order."""
    of_programs = [each for each in qmgr.connections if each.runs_as is not None]
    running = [each for each in of_programs if each.program is None or each.program.state == "running"]
    return sorted(running, key=lambda application: application.connection)


def _end_with_last(qmgr: Any) -> None:
    """End a queue manager that is quiescing, if no program is connected any longer."""
    at_once = kept(qmgr).ending
    if at_once is not None and not _holding(qmgr):
        kept(qmgr).ending = None
        at_once()


def wake(application: Any) -> None:
    """Let what waits in a connection, and what it has open, see its new gate."""
    having = application.qmgr.handles.having(application)
    for each in having:
        each.ask_order()
    for queue in dict.fromkeys(each.queue for each in having if each.queue is not None):
        queue.wake()
