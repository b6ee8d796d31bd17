"""QSGDISP in commands: which of the objects of a name ALTER, DELETE and CLEAR act on, and which DISPLAY shows.

Source: the MQSC command reference of z/OS. A command that says no QSGDISP is about the queue manager's own objects,
so that ALTER, DELETE and CLEAR of a shared queue need QSGDISP(SHARED).
"""

from __future__ import annotations

from ..mq.objects import Definition
from .command import Command
from .refusal import Refused

__all__ = ["chosen", "masters", "require_disposition", "shown_by"]

_GENERAL = {"PRIVATE": ("QMGR", "COPY"), "LIVE": ("QMGR", "COPY", "SHARED"), "ALL": ("QMGR", "COPY", "SHARED", "GROUP")}


def shown_by(asked: str, has: str) -> bool:
    """Whether DISPLAY ... QSGDISP(asked) shows an object with this disposition.

    >>> shown_by("LIVE", "SHARED"), shown_by("LIVE", "GROUP")
    (True, False)
    """
    return has in _GENERAL.get(asked, (asked,))


def masters(qmgr, kinds: tuple[str, ...], command: Command) -> list[Definition]:
    """The masters of the group that a DISPLAY asks for by QSGDISP(GROUP) or QSGDISP(ALL)."""
    if qmgr.group is None or command.attributes.get("QSGDISP") not in ("GROUP", "ALL"):
        return []
    return qmgr.group.masters.objects.match(kinds, command.name)


def chosen(qmgr, disposition: str) -> str:
    """The disposition a command chose; Refused (AMQ8405) for one that needs a group where there is none."""
    if disposition not in ("QMGR", "PRIVATE") and qmgr.group is None:
        raise Refused(8405, f"QSGDISP({disposition}): {qmgr.name} is in no queue-sharing group")
    return disposition


def require_disposition(qmgr, kind: str, name: str, disposition: str) -> None:
    """Refuse with AMQ8147 where the object of this name has another disposition than the command is about."""
    chosen(qmgr, disposition)
    present = qmgr.objects.get(kind, name)
    if qmgr.group is None or present is None:
        return
    has = present.attributes.get("QSGDISP", "QMGR")
    if not shown_by(disposition, has):
        raise Refused(8147, f"it has QSGDISP({has}); say so in the command: QSGDISP({has})", name=name)
