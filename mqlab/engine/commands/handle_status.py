"""The programs that use the queues of a queue manager: rows of DISPLAY QSTATUS TYPE(HANDLE) and of DISPLAY CONN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..programs.channels.channel import sends
from .command import Command

if TYPE_CHECKING:
    from ..queues.calls import Calls
    from ..queues.queue import LocalQueue
    from ..queues.queue_manager import QueueManager
    from ..queues.unit import UnitOfWork

_YES = {True: "YES", False: "NO"}


def identifier(qmgr: QueueManager, application: Calls, part: int = 1) -> tuple[str, str]:
    """Return EXTCONN and CONN of an application: its connection identifier of 24 bytes, in hexadecimal digits."""
    name = qmgr.name[:12].ljust(12)
    first = f"CSQC{name}".encode("cp037") if qmgr.platform == "zos" else f"AMQC{name}".encode()
    return first.hex().upper(), f"{application.connection:08X}{part:08X}"


def opener(qmgr: QueueManager, application: Calls) -> dict:
    """APPLTAG, APPLTYPE, APPLDESC, CHANNEL, CONNAME, and USERID of an application; an agent and the channel initiator
    have the names of MQ's own programs."""
    zos, program, columns = qmgr.platform == "zos", application.program, {"CHANNEL": "", "CONNAME": ""}
    agents = (each for each in qmgr.channels.values() if each.active and each.program is program)
    channel = next(agents, None) if program is not None else None
    columns["APPLDESC"] = f"{'IBM' if qmgr.level >= 900 else 'WebSphere'} MQ Channel"
    if channel is not None:
        tag = "runmqchl" if sends(channel.chltype) else "amqrmppa"
        columns |= {"CHANNEL": channel.name, "CONNAME": channel.attributes.get("CONNAME", "") or channel.partner}
    elif program is not None and program is qmgr.channel_initiator:
        tag, columns["APPLDESC"] = "runmqchi", f"{columns['APPLDESC']} Initiator"
    elif tag := getattr(program, "product_name", ""):
        columns["APPLDESC"] = ""
    else:
        columns |= {"APPLDESC": "", "USERID": application.context.user}
        if application.client:
            near = application.admission
            columns |= {"CHANNEL": application.client[0], "CONNAME": near.address if near else ""}
        return {"APPLTAG": application.caller or "", "APPLTYPE": "BATCH" if zos else "USER", **columns}
    columns["USERID"] = "" if zos else "mqm"
    return {"APPLTAG": f"{qmgr.name}CHIN" if zos else tag, "APPLTYPE": "CHINIT" if zos else "SYSTEM", **columns}


def work_of(qmgr: QueueManager, unit: UnitOfWork | None) -> dict:
    """QMURID, URID, and URTYPE of a unit of work, None for none."""
    number, xa = 0 if unit is None else unit.number, "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]"
    if qmgr.platform == "zos":
        return {"QMURID": f"{number:0{16 if qmgr.level >= 800 else 12}X}", "URID": "", "URTYPE": "QMGR"}
    urid = xa if qmgr.level >= 800 else xa.replace("[]", "[00000000]", 1)
    return {"QMURID": f"0.{number}", "URID": urid, "URTYPE": "QMGR"}


def handle_rows(qmgr: QueueManager, queues: list[LocalQueue], command: Command) -> list[dict]:
    """One row for each open handle of these queues that OPENTYPE leaves in."""
    kind = command.options.get("OPENTYPE", "ALL")
    units = sorted((unit for unit in qmgr.units.values() if unit.puts or unit.gets), key=lambda unit: unit.number)
    return [
        {
            "QUEUE": queue.name,
            "TYPE": "HANDLE",
            **opener(qmgr, handle.application),
            **work_of(qmgr, next((unit for unit in units if unit.application is handle.application), None)),
            **dict.fromkeys(("PID", "TID", "ASID"), ""),
            "ASTATE": "NONE",
            "HSTATE": "ACTIVE" if handle.waiting else "INACTIVE",
            "BROWSE": _YES[handle.can_browse],
            "INPUT": {"exclusive": "EXCL", "shared": "SHARED"}.get(handle.input or "", "NO"),
            "INQUIRE": _YES[handle.can_inquire],
            "OUTPUT": _YES[handle.can_put],
            "SET": _YES[handle.can_set],
        }
        for queue in queues
        for handle in qmgr.handles
        if handle.queue is queue and (kind == "ALL" or (handle.input if kind == "INPUT" else handle.can_put))
    ]
