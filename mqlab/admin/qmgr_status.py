"""DISPLAY QMSTATUS, LSSTATUS and SVSTATUS: the queue manager, and the listeners and services that run beside it.

A service of SERVTYPE(COMMAND) has no status. Source: the MQSC command reference, and what a queue manager of 9.4.2
displayed.
"""

from __future__ import annotations

from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.display import moment
from ..engine.commands.replies import Refused
from ..engine.commands.status import shown
from ..engine.programs.channels.initiator import initiates
from ..engine.words import catalog
from ..engine.words.objects import folder_of
from . import kept
from .connections import connected

_ALWAYS_SO = """TYPE=QMGR AUTOCLUS=NONE GRPROLE=NOTCONFIG INSTNAME=Installation1 INSTPATH=/opt/mqm
    LDAPCONN=INACTIVE LOGPRIM=3 LOGSEC=2 LOGTYPE=CIRCULAR STANDBY=NOPERMIT GRPLSN= GRPNAME= INSTANCE= INSTDESC= QUORUM=
    UNICLUS="""
_UNMEASURED = """CHKPTCNT CHKPTOPS CHKPTSZ DATFSSZ DATFSUSE DISKLSN HOSTNAME LOGEXTSZ LOGFSSZ LOGFSUSE LOGINUSE LOGSTRDA
    LOGSTRL LOGSTRTI LOGUTIL PID QMFSSZ QMFSUSE REUSESZ"""


def qmgr_status(qmgr: Any, command: Command) -> list[dict]:
    """The row of DISPLAY QMSTATUS, with "" for values that are not measured.

    Refused: AMQ8000 for another TYPE than QMGR, AMQ8569 for a bad filter, AMQ8147 where the filter leaves nothing.
    """
    if command.options.setdefault("TYPE", "QMGR") != "QMGR":
        raise Refused(8000, "other-status", type=command.options["TYPE"])
    folder = folder_of(qmgr.name)
    started = [event.time_us for event in qmgr.lab.events.where(qmgr=qmgr.name, kind="start")]
    row: dict[str, Any] = dict.fromkeys(_UNMEASURED.replace("PID ", "").split(), "")
    row |= {"QMNAME": qmgr.name} | dict(each.split("=") for each in _ALWAYS_SO.split())
    row |= {"DATPATH": f"/var/mqm/qmgrs/{folder}", "LOGPATH": f"/var/mqm/log/{folder}/active/"}
    row |= {"CONNS": sum(1 for _ in connected(qmgr)), **moment(qmgr, max(started, default=None), "STARTDA", "STARTTI")}
    row["CHINIT"] = "RUNNING" if initiates(qmgr) else "STOPPED"
    row["CMDSERV"] = "RUNNING" if "pcf" in qmgr.kept and qmgr.kept["pcf"].enabled else "STOPPED"
    row["STATUS"] = "RUNNING" if kept(qmgr).ending is None else "QUIESCING"
    none = Refused(8147, "left-out", name=qmgr.name)
    return shown(qmgr, command, [row], ("QMNAME", "TYPE", "STATUS"), none, whole=False, unmeasured=_UNMEASURED)


def beside_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY LSSTATUS and SVSTATUS, by name: of each listener, or service of SERVTYPE(SERVER), that runs.

    Refused: AMQ8147 if none of this name runs, AMQ8569 for a bad filter.
    """
    wanted, rows = "LISTENER" if command.object == "LSSTATUS" else "SERVICE", []
    for definition in [each for each in qmgr.objects.match((wanted,), command.name) if each in qmgr.started]:
        attributes, has = definition.attributes, catalog.attributes(wanted)
        row = {wanted: definition.name, "STATUS": "RUNNING", "PID": ""}
        sort = attributes.get("TRPTYPE")
        row |= {key: attributes[key] for key in has if key in attributes and sort in (has[key].only_of or (sort,))}
        row |= moment(qmgr, qmgr.started[definition], "STARTDA", "STARTTI")
        if sort == "TCP":
            row |= {"IPADDR": row["IPADDR"] or "*", "PORT": row["PORT"] or 1414, "BACKLOG": row["BACKLOG"] or 100}
        rows += [row] if attributes.get("SERVTYPE") != "COMMAND" else []
    none = Refused(8147, "none-runs", kind=wanted, name=command.name)
    return shown(qmgr, command, rows, ("STATUS", "PID"), none, unmeasured=_UNMEASURED)
