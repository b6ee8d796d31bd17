"""The queue of commands."""

from __future__ import annotations

from typing import Any


def queue_name(qmgr: Any) -> str:
    """The queue that the command server of a queue manager serves; on z/OS its other name is an alias."""
    return "SYSTEM.COMMAND.INPUT" if qmgr.platform == "zos" else "SYSTEM.ADMIN.COMMAND.QUEUE"
