"""Administration: event messages, security, connections, the error log, and export: an extra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Kept:
    """The state that administration keeps for a queue manager."""

    def __init__(self) -> None:
        self.telling = False  # whether it puts an event message now
        self.ending: Callable[[], object] | None = None  # ends it, once all programs have left, while it is quiescing
        self.gone: Any = None  # the event that endmqm -w waits for
        self.reconnect: bool | None = None  # whether its end lets clients connect again; None: only a failure does
        self.records: dict[tuple[str, ...], dict] | None = None  # security records, once someone has asked


def kept(qmgr: Any) -> Kept:
    """The state that administration keeps for this queue manager, made at the first call."""
    found: Kept = qmgr.kept.setdefault("admin", Kept())
    return found
