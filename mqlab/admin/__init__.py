"""Administration: event messages, security, connections, the error log, and export: an extra."""

from __future__ import annotations

from typing import Any


class Kept:
    """The state that administration keeps for a queue manager."""

    def __init__(self) -> None:
        self.telling = False  # whether it puts an event message now
        self.gate: tuple[str, dict[str, Any]] = ("", {})  # the name and attributes of the AUTHINFO object in force
        self.records: dict[tuple[str, ...], dict] | None = None  # security records, once someone has asked


def kept(qmgr: Any) -> Kept:
    """The state that administration keeps for this queue manager, made at the first call."""
    found: Kept = qmgr.kept.setdefault("admin", Kept())
    return found


def read_gate(qmgr: Any, command: object = None) -> None:
    """Read CONNAUTH and its AUTHINFO object, as a start and REFRESH SECURITY do (SEC-01): what changes later waits for
    the next refresh."""
    name = qmgr.attributes["CONNAUTH"] if qmgr.level >= 800 else ""  # the level that brought CONNAUTH
    found = qmgr.objects.get("AUTHINFO", name) if name else None
    kept(qmgr).gate = (name, dict(found.attributes) if found is not None else {})
