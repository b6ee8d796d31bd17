"""A link of a client that falls silent: nobody is told, and heartbeats that do not come tell both ends (REC-07)."""

from __future__ import annotations

from typing import Any

from ..engine.queues.broken import lose
from ..engine.world.clock import SECOND
from .ending import Behind

_GRACE = 60
"""The most seconds after HBINT in which a heartbeat may still come."""


def cut(qmgr: Any, program: str) -> None:
    """Let the link between a client program and its queue manager fall silent."""
    qmgr.lab.network.log_client(qmgr.name, program, up=False, silent=True)
    for application in sorted(qmgr.connections, key=lambda connected: connected.connection):
        if application.client is not None and application.caller == program:
            application.gate = Silent(application)


def restore(qmgr: Any, program: str) -> None:
    """Let the connections of a program go on that have not noticed the silence."""
    for application in sorted(qmgr.connections, key=lambda connected: connected.connection):
        if application.caller == program and isinstance(application.gate, Silent):
            application.gate.heard()


class Silent(Behind):
    """The gate of a connection whose link is silent: calls wait until it is restored, or both ends notice."""

    def __init__(self, application: Any):
        super().__init__(application)
        definition = application.qmgr.objects.get("CHANNEL", application.client[0])
        interval = 300 if definition is None else definition.attributes["HBINT"]
        self._done, self._until_us = application.qmgr.clock.event(), None
        if interval:  # HBINT(0) switches heartbeats off, so that nobody ever notices
            patience_us = (interval + min(_GRACE, interval)) * SECOND
            self._until_us = application.qmgr.clock.time_us + patience_us
            timer = application.qmgr.clock.timeout(patience_us)
            application.qmgr.clock.idle(timer)
            timer.callbacks.append(lambda _: self._notice())

    def require_inside(self, call: str) -> None:
        """Let the call wait, and then ask the gate from before, or that of a broken connection."""
        application = self.application
        application.qmgr.clock.wait(self._done, self._until_us)
        self._notice()
        if application.gate is not None:
            application.gate.require_inside(call)

    def require_still(self, call: str, options: int = 0) -> None:
        """Let a get that waits, wait on."""
        self.require_inside(call)

    def heard(self) -> None:
        """The link is restored in time: the connection goes on as before."""
        if not self._done.triggered:
            self.application.gate = self.before
            self._done.succeed()

    def _notice(self) -> None:
        """Nothing was heard for too long: the connection is broken."""
        if not self._done.triggered and self.application.gate is self:
            self.application.gate = self.before
            lose(self.application, self.application.cause)
            self._done.succeed()
