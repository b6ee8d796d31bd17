"""DISPLAY CFSTATUS, and BACKUP, RECOVER, and RESET CFSTRUCT: the structures of the coupling facility.

Sizes are those of the message data; the product's also count its own. Source: the MQSC command reference of MQ 9.4.
"""

from __future__ import annotations

from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.display import matches, moment
from ..engine.commands.replies import Refused
from . import group_of

_ADMINISTRATION = "CSQ_ADMIN"


def structure_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY CFSTATUS: TYPE(SUMMARY), the default, TYPE(CONNECT) or TYPE(BACKUP).

    Columns of SUMMARY: CFSTATUS, TYPE, CFTYPE (APPL, ADMIN), STATUS (ACTIVE, FAILED, NEW), SIZEUSED (KB), ENTSUSED,
    FAILDATE and FAILTIME; of CONNECT, a row for each running member: QMNAME, STATUS; of BACKUP: STATUS, BKUPDATE,
    BKUPTIME, BKUPSIZE (KB).

    Refused: AMQ8147 when no structure has the name, AMQ8405 for another TYPE or if there is no group.
    """
    _require_group(qmgr, command)
    sort, name = command.options.get("TYPE", "SUMMARY"), command.name or "*"
    if sort not in ("SUMMARY", "CONNECT", "BACKUP"):
        raise Refused(8405, "other-status", type=sort)
    rows = [row for structure in _named_structures(qmgr, command) for row in _structure_rows(structure, sort)]
    if sort == "SUMMARY" and matches(_ADMINISTRATION, name):
        rows.append({"CFSTATUS": _ADMINISTRATION, "TYPE": "SUMMARY", "CFTYPE": "ADMIN", "STATUS": "ACTIVE"})
    return rows


def _structure_rows(structure: Any, sort: str) -> list[dict]:
    columns, group, status = {"CFSTATUS": structure.name, "TYPE": sort}, structure.group, structure.status
    if sort == "CONNECT":
        status = "FAILED" if structure.failed else "ACTIVE"
        return [columns | {"QMNAME": member.name, "STATUS": status} for member in group.running]
    if sort == "BACKUP":
        taken = moment(group, structure.backup_us, "BKUPDATE", "BKUPTIME")
        return [columns | {"STATUS": status} | taken | {"BKUPSIZE": -(-structure.backup_bytes // 1024)}]
    columns |= {"CFTYPE": "APPL", "STATUS": status, "SIZEUSED": -(-structure.size // 1024)}
    failed = moment(group, structure.failed_us, "FAILDATE", "FAILTIME")
    return [columns | {"ENTSUSED": structure.entries} | failed]


def _require_group(qmgr: Any, command: Command) -> None:
    if group_of(qmgr) is None:
        raise Refused(8405, "in-no-group", about=f"{command.verb} {command.object}", qmgr=qmgr.name)


def _named_structures(qmgr: Any, command: Command) -> list:
    """The structures of this name, which may be generic, by name."""
    name = command.name or "*"
    structures = [one for each, one in sorted(group_of(qmgr).structures.items()) if matches(each, name)]
    if not structures and not (command.verb == "DISPLAY" and matches(_ADMINISTRATION, name)):
        known = ", ".join(sorted(group_of(qmgr).structures)) or "none yet"
        raise Refused(8147, "no-structure", known=known, name=name)
    return structures


def structure_request(qmgr: Any, command: Command) -> str:
    """Do BACKUP, RECOVER or RESET CFSTRUCT and give the answer.

    Refused: AMQ8147 when no structure has the name, AMQ8405 where its state, its RECOVER or the lack of a group does
    not allow the command.
    """
    _require_group(qmgr, command)
    qmgr.require_running(command.verb.lower())
    structures = _named_structures(qmgr, command)
    for structure in structures:
        case = _why_not_now(structure, command)
        if case is not None:
            raise Refused(8405, case, structure=structure.name, verb=command.verb, status=structure.status)
    for structure in structures:
        _do(qmgr, structure, command)
    return f"CSQ9022I: ' {command.verb} CFSTRUCT' NORMAL COMPLETION"


def _why_not_now(structure: Any, command: Command) -> str | None:
    """The case of a request that cannot be done to a structure, None if it can."""
    if command.verb == "RESET":
        return "failed-already" if structure.failed else None
    if not structure.recoverable:
        return "not-recoverable"
    if command.verb == "BACKUP":
        return "failed-at-backup" if structure.failed else None
    if command.options.get("TYPE") == "PURGE":
        return None
    return None if structure.failed else "not-failed"


def _do(qmgr: Any, structure: Any, command: Command) -> None:
    if command.verb == "BACKUP":
        structure.backup(qmgr.name)
    elif command.verb == "RESET":
        structure.fail(None)
    elif command.options.get("TYPE") == "PURGE":
        structure.purge(qmgr.name)
    else:
        structure.recover(qmgr.name)
