"""The links of clients: cutting one breaks the connections that go through it (NET-02)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..words import constants as mq
from ..words.because import Told
from ..words.errors import LabError
from ..words.refusals import Grounds
from ..words.whys import LinkCut
from .caller import Gate

if TYPE_CHECKING:
    from ..world.network import Network
    from .parts import Calls, QueueManager


class Broken(Gate):
    """The gate of a broken connection: every call with it fails with 2009, on these grounds."""

    def __init__(self, application: Calls, grounds: Grounds):
        self.application, self._grounds = application, grounds

    def require_inside(self, call: str) -> None:
        """Refuse any call."""
        raise self.application.refusal(self._grounds, None, call)

    def end(self, commit: bool = True) -> None:
        """Refuse MQDISC."""
        self.require_inside("disconnect")


def cut(network: Network, qmgr: QueueManager, program: str) -> None:
    """Cut the link between a client program and its queue manager: its connections break, and their units of work are
    backed out. LabError if no client of that name is connected, or the link is cut already."""
    clients = [
        connected for connected in qmgr.connections if connected.client is not None and connected.caller == program
    ]
    if (program, qmgr.name) in network.cut_clients:
        raise LabError(f"the link must be up; {program} - {qmgr.name} is cut already")
    if not clients:
        known = (
            ", ".join(
                sorted({connected.caller or "" for connected in qmgr.connections if connected.client is not None})
            )
            or "none"
        )
        raise LabError(
            f"program must be a client of {qmgr.name}, connected through a SVRCONN channel: {known}; got {program!r}"
        )
    cause = network.log_client(qmgr.name, program, up=False)
    for application in sorted(clients, key=lambda connected: connected.connection):
        lose(application, cause)


def restore(network: Network, qmgr: QueueManager, program: str) -> None:
    """Restore the link of a client, which can then connect again. LabError if it is not cut."""
    if (program, qmgr.name) not in network.cut_clients:
        raise LabError(f"the link must be cut; {program} - {qmgr.name} is up")
    network.log_client(qmgr.name, program, up=True)


def break_off(application: Calls, end: Callable[[], object], grounds: Grounds) -> None:
    """End a connection from outside by `end`; its program notices when its next call, or its waiting call, fails."""
    handles = [handle for handle in application.qmgr.handles if handle.application is application]
    queues = {handle.queue: None for handle in handles if handle.queue is not None}
    again = None if application.admission is None else application.admission.broken(application, grounds)
    if again is None:
        if application.gate is not None:
            application.gate.tell(mq.MQRC_CONNECTION_BROKEN)
        end()
    application.gate = again or Broken(application, grounds)
    for queue in queues:
        queue.wake()


def lose(application: Any, cause: int) -> None:
    """Break the connection of a client whose link was cut, or fell silent."""
    why = LinkCut(False)
    before, application.cause = application.cause, cause
    grounds = Grounds(mq.MQRC_CONNECTION_BROKEN, "link-cut", {"why": Told(why.facts)})
    break_off(application, lambda: application.disconnect(False, why), grounds)
    application.cause = before
