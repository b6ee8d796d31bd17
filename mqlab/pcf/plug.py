"""The additions of PCF to the engine: a command server that starts with each queue manager, and carries out the
commands on the command queue (PCF-01)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra
from ..engine.words.constants import FOR_EVER
from ..engine.words.errors import MQError

if TYPE_CHECKING:
    from ..engine.commands.command import Command
    from ..engine.programs.program import Program
    from ..engine.queues.application import Application
    from ..engine.queues.queue_manager import QueueManager

NAME = "COMMAND.SERVER"


def queue_name(qmgr: QueueManager) -> str:
    """The queue that the command server of a queue manager serves; on z/OS its other name is an alias."""
    return "SYSTEM.COMMAND.INPUT" if qmgr.platform == "zos" else "SYSTEM.ADMIN.COMMAND.QUEUE"


class CommandServer:
    """The command server of a queue manager. `enabled` is whether it runs, or would with the next command."""

    def __init__(self, qmgr: Any):
        self.qmgr, self.enabled = qmgr, False
        self.program: Program | None = None
        self.tally: Any = None  # the counts of its queues, once someone has asked

    def start(self) -> None:
        """Start the command server (strmqcsv, START CMDSERV); no effect if it runs."""
        self.enabled = True
        self._attend()

    def stop(self) -> None:
        """End the command server (endmqcsv, STOP CMDSERV): commands stay on its queue."""
        self.enabled = False
        if self.program is not None:
            self.program.stop()

    def started_with(self) -> None:
        """Start with the queue manager, unless SCMDSERV is MANUAL; a program of an earlier run has ended."""
        self.program, self.enabled = None, self.qmgr.attributes.get("SCMDSERV", "QMGR") == "QMGR"
        if self.enabled:
            self._attend()

    def _attend(self) -> None:
        """Begin when a message is on the queue: at once, or as a waiter that its next put wakes."""
        queue = self.qmgr.targets.get(queue_name(self.qmgr))
        if self.program is not None or queue is None:
            return
        if queue.depth - queue.uncommitted:
            self.succeed()
        elif all(one is not self for _, one in queue.waiters):
            queue.waiters.insert(0, (0, self))

    def succeed(self) -> None:
        """Run as a program, now that a put has woken it."""
        if self.enabled and self.qmgr.running and self.program is None:
            from ..engine.programs.program import Program

            self.program = Program(self.qmgr, NAME, self._serve, (), at_end=self._ended)
            self.program.product_name = "amqpcsea"

    def _ended(self) -> None:
        self.program = None

    def _serve(self, app: Application) -> None:
        """Carry out commands until the queue cannot be read."""
        from .server import serve_one

        queue = queue_name(self.qmgr)
        try:
            with app.open(queue, input="shared") as handle:
                while True:
                    message: Any = handle.get(FOR_EVER)
                    serve_one(app, queue, message)
        except MQError:
            return  # the refusal is a row of the log


def server_of(qmgr: QueueManager) -> CommandServer:
    """The command server of a queue manager."""
    if (server := qmgr.kept.get("pcf")) is None:
        server = qmgr.kept["pcf"] = CommandServer(qmgr)
    return server


def _operate(qmgr: QueueManager, command: Command) -> str:
    """START and STOP CMDSERV."""
    (server_of(qmgr).start if command.verb == "START" else server_of(qmgr).stop)()
    return f"CSQ9022I: ' {command.verb} CMDSERV' NORMAL COMPLETION"


class Commands(Extra):
    """Commands as messages."""

    name = "pcf"
    commands = {("START", "CMDSERV"): _operate, ("STOP", "CMDSERV"): _operate}

    def started(self, qmgr: QueueManager, again: bool) -> None:
        """Let the command server start with the queue manager, as SCMDSERV says (PCF-01)."""
        server_of(qmgr).started_with()


EXTRA = Commands()
