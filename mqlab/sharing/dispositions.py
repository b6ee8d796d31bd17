"""Which member a command is for (CMDSCOPE), and whose definition it is about (QSGDISP).

QMGR is the queue manager's own definition, COPY its copy of a master, SHARED one definition and one set of messages for
the whole group, GROUP a master. A command that says none is about the queue manager's own objects, so that ALTER,
DELETE, and CLEAR of a shared queue need QSGDISP(SHARED). Source: the MQSC command reference of z/OS.
"""

from __future__ import annotations

from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.replies import Refused
from . import group_of

_GENERAL = {"PRIVATE": ("QMGR", "COPY"), "LIVE": ("QMGR", "COPY", "SHARED"), "ALL": ("QMGR", "COPY", "SHARED", "GROUP")}


def in_scope(qmgr: Any, scope: str) -> list[Any]:
    """The members of a group that a command with this CMDSCOPE is for: itself if it is blank, one by name, or with
    ``*`` all that run. Refused: AMQ8405 for a name that no running member has."""
    running = {qmgr.name: qmgr} if group_of(qmgr) is None else {each.name: each for each in group_of(qmgr).running}
    if scope == "*":
        return list(running.values())
    if scope.strip() and scope not in running:
        raise Refused(8405, "no-member", 0, scope=scope, members=", ".join(running))
    return [running[scope] if scope.strip() else qmgr]


def elsewhere(qmgr: Any, command: Command) -> list[Any] | None:
    """The members that a command is for, if it is not for this one alone; takes CMDSCOPE out of it."""
    for given in (command.options, command.attributes):
        members = in_scope(qmgr, given.pop("CMDSCOPE", ""))
        if members != [qmgr]:
            return members
    return None


def shown_by(asked: str, has: str) -> bool:
    """Whether DISPLAY ... QSGDISP(asked) shows an object with this disposition.

    >>> shown_by("LIVE", "SHARED"), shown_by("LIVE", "GROUP")
    (True, False)
    """
    return has in _GENERAL.get(asked, (asked,))


def alter(qmgr: Any, kind: str, name: str, attributes: dict[str, Any], disposition: str) -> bool:
    """Alter a master; False for any other object, which must have this disposition."""
    if _chosen(qmgr, disposition) == "GROUP":
        group_of(qmgr).masters.alter(qmgr, kind, name, attributes)
        return True
    require_disposition(qmgr, kind, name, disposition)
    return False


def delete(qmgr: Any, command: Command, kind: str) -> bool:
    """Delete a master; False for any other object, which must have the disposition of the command."""
    disposition, purge = command.options.get("QSGDISP", "QMGR"), bool(command.options.get("PURGE"))
    if _chosen(qmgr, disposition) == "GROUP":
        group_of(qmgr).masters.delete(qmgr, kind, command.name, purge)
        return True
    if command.options.get("IGNSTATE") != "YES" or qmgr.objects.match((kind,), command.name):
        require_disposition(qmgr, kind, command.name, disposition)
    return False


def require_disposition(qmgr: Any, kind: str, name: str, disposition: str) -> None:
    """Refuse with AMQ8147 where the object of this name has another disposition than the command is about."""
    _chosen(qmgr, disposition)
    present = qmgr.objects.get(kind, name)
    if group_of(qmgr) is None or present is None:
        return
    has = present.attributes.get("QSGDISP", "QMGR")
    if not shown_by(disposition, has):
        raise Refused(8147, "other-disposition", disposition=has, name=name)


def _chosen(qmgr: Any, disposition: str) -> str:
    """The disposition a command chose; raises Refused (AMQ8405) if it needs a group and there is none."""
    if disposition not in ("QMGR", "PRIVATE") and group_of(qmgr) is None:
        raise Refused(8405, "in-no-group", about=f"QSGDISP({disposition})", qmgr=qmgr.name)
    return disposition
