"""Commands about coupling facility structures: DISPLAY CFSTATUS, BACKUP, RECOVER and RESET CFSTRUCT.

Source: the MQSC command reference of z/OS. Sizes are those of the message data; the product's also count its own.
"""

from __future__ import annotations

from datetime import timedelta

from .command import Command
from .refusal import Refused

__all__ = ["structure_request", "structure_status"]

_ADMINISTRATION = "CSQ_ADMIN"
_REQUESTS = ("BACKUP", "RECOVER", "RESET")


def structure_status(qmgr, command: Command) -> list[dict]:
    """The rows of DISPLAY CFSTATUS: TYPE(SUMMARY), the default, TYPE(CONNECT) or TYPE(BACKUP).

    Columns of SUMMARY: CFSTATUS, TYPE, CFTYPE (APPL, ADMIN), STATUS (ACTIVE, FAILED, NEW), SIZEUSED (KB), ENTSUSED,
    FAILDATE and FAILTIME; of CONNECT, a row for each running member: QMNAME, STATUS; of BACKUP: STATUS, BKUPDATE,
    BKUPTIME, BKUPSIZE (KB). The administration structure is in the summary, and never fails (our reading).

    Raises
    ------
    Refused
        AMQ8147 when no structure has the name, AMQ8405 for another TYPE or where there is no group.
    """
    _require_group(qmgr, command)
    sort = command.options.get("TYPE", "SUMMARY")
    if sort not in _ROWS:
        raise Refused(8405, f"TYPE({sort}) is not modelled; wanted SUMMARY, CONNECT or BACKUP")
    return [row for structure in _named(qmgr, command) for row in _ROWS[sort](structure)] + (
        [_administration()] if sort == "SUMMARY" and _matches(_ADMINISTRATION, command.name or "*") else []
    )


def structure_request(qmgr, command: Command) -> str | None:
    """Do BACKUP, RECOVER or RESET CFSTRUCT and give the answer; None for any other command.

    Raises
    ------
    Refused
        AMQ8147 when no structure has the name, AMQ8405 where its state, its RECOVER or the lack of a group does not
        allow the command.
    """
    if command.object != "CFSTRUCT" or command.verb not in _REQUESTS:
        return None
    _require_group(qmgr, command)
    qmgr.require_running(command.verb.lower())
    structures = _named(qmgr, command)
    for structure in structures:
        why = _why_not(structure, command)
        if why is not None:
            raise Refused(8405, f"CFSTRUCT({structure.name}): {why}")
    for structure in structures:
        _do(qmgr, structure, command)
    return f"CSQ9022I: ' {command.verb} CFSTRUCT' NORMAL COMPLETION"


def _require_group(qmgr, command: Command) -> None:
    if qmgr.group is None:
        raise Refused(8405, f"{command.verb} {command.object}: {qmgr.name} is in no queue-sharing group")


def _why_not(structure, command: Command) -> str | None:
    """Why a request cannot be done to a structure, None if it can."""
    if command.verb == "RESET":
        return "it has failed already" if structure.failed else None
    if not structure.recoverable:
        return f"it has RECOVER(NO), and {command.verb} needs RECOVER(YES)"
    if command.verb == "BACKUP":
        return "it has failed; RECOVER it first" if structure.failed else None
    if command.options.get("TYPE") == "PURGE":
        return None
    return None if structure.failed else f"it is {structure.status}, and only one that has failed is recovered"


def _do(qmgr, structure, command: Command) -> None:
    if command.verb == "BACKUP":
        structure.backup(qmgr.name)
    elif command.verb == "RESET":
        structure.fail(None)
    elif command.options.get("TYPE") == "PURGE":
        structure.purge(qmgr.name)
    else:
        structure.recover(qmgr.name)


def _named(qmgr, command: Command) -> list:
    """The structures of this name, which may be generic, by name."""
    name = command.name or "*"
    found = [one for each, one in sorted(qmgr.group.structures.items()) if _matches(each, name)]
    if not found and not (command.verb == "DISPLAY" and _matches(_ADMINISTRATION, name)):
        known = ", ".join(sorted(qmgr.group.structures)) or "none yet"
        raise Refused(8147, f"the group has no structure of this name; it has {known}", name=name)
    return found


def _matches(name: str, generic: str) -> bool:
    return name.startswith(generic[:-1]) if generic.endswith("*") else name == generic


def _summary(structure) -> list[dict]:
    return [
        {
            "CFSTATUS": structure.name,
            "TYPE": "SUMMARY",
            "CFTYPE": "APPL",
            "STATUS": structure.status,
            "SIZEUSED": -(-structure.size // 1024),
            "ENTSUSED": structure.entries,
            **_moment(structure, structure.failed_us, "FAIL"),
        }
    ]


def _administration() -> dict:
    return {"CFSTATUS": _ADMINISTRATION, "TYPE": "SUMMARY", "CFTYPE": "ADMIN", "STATUS": "ACTIVE"}


def _connect(structure) -> list[dict]:
    state = "FAILED" if structure.failed else "ACTIVE"
    return [
        {"CFSTATUS": structure.name, "TYPE": "CONNECT", "QMNAME": member.name, "STATUS": state}
        for member in structure.group.running
    ]


def _backup(structure) -> list[dict]:
    return [
        {
            "CFSTATUS": structure.name,
            "TYPE": "BACKUP",
            "STATUS": structure.status,
            **_moment(structure, structure.backup_us, "BKUP"),
            "BKUPSIZE": -(-structure.backup_bytes // 1024),
        }
    ]


def _moment(structure, time_us: int | None, which: str) -> dict:
    if time_us is None:
        return {f"{which}DATE": "", f"{which}TIME": ""}
    at = structure.group.lab.start + timedelta(microseconds=time_us)
    return {f"{which}DATE": at.strftime("%Y-%m-%d"), f"{which}TIME": at.strftime("%H.%M.%S")}


_ROWS = {"SUMMARY": _summary, "CONNECT": _connect, "BACKUP": _backup}
