"""What PCF adds to the engine: a command server that starts with each queue manager."""

from __future__ import annotations

from typing import Any

from ..mq.extra import Extra
from .command_server import CommandServer


def _operate(qmgr: Any, command: Any) -> str:
    """START and STOP CMDSERV."""
    (qmgr.command_server.start if command.verb == "START" else qmgr.command_server.stop)()
    return f"CSQ9022I: ' {command.verb} CMDSERV' NORMAL COMPLETION"


class Commands(Extra):
    """Commands as messages."""

    name = "pcf"
    commands = {("START", "CMDSERV"): _operate, ("STOP", "CMDSERV"): _operate}

    def started(self, qmgr: Any) -> None:
        """Let the command server start with the queue manager, as SCMDSERV says (PCF-01)."""
        qmgr.command_server = qmgr.command_server or CommandServer(qmgr)
        qmgr.command_server.started_with()


EXTRA = Commands()
