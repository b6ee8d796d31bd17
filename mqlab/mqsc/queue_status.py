"""DISPLAY QSTATUS: what goes on at local queues now, and who has them open."""

from __future__ import annotations

from datetime import timedelta

from .command import Command, Where
from .display import where_holds
from .monitoring import OFF, Gathered, gather, level
from .refusal import Refused

__all__ = ["queue_status"]

_MONITORED = ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME")
_HANDLE = ("APPLTAG", "APPLTYPE", "BROWSE", "INPUT", "INQUIRE", "OUTPUT", "SET")
_SHOWN = {
    "QUEUE": (
        "CURDEPTH",
        "IPPROCS",
        "LGETDATE",
        "LGETTIME",
        "LPUTDATE",
        "LPUTTIME",
        "MEDIALOG",
        "MONQ",
        "MSGAGE",
        "OPPROCS",
        "QTIME",
        "UNCOM",
    ),
    "HANDLE": _HANDLE,
}
_ALWAYS = {"QUEUE": ("CURDEPTH",), "HANDLE": _HANDLE}
_CHOOSING = ("TYPE", "OPENTYPE", "CMDSCOPE", "QSGDISP", "ALL", "MONITOR", "WHERE")
_NO_FILTER = ("CMDSCOPE", "MONITOR", "OPENTYPE", "QSGDISP", "QTIME", "TYPE", "URID", "WHERE", "ALL")


def queue_status(qmgr, command: Command) -> list[dict]:
    """The rows of DISPLAY QSTATUS, by queue name and, for TYPE(HANDLE), in the order of the opens.

    Columns of TYPE(QUEUE): QUEUE, TYPE, CURDEPTH, IPPROCS, OPPROCS (int), UNCOM (int or "NO"; on z/OS "YES" or "NO"),
    MONQ, MEDIALOG, and, "" unless MONQ is on: LGETDATE, LGETTIME, LPUTDATE, LPUTTIME, MSGAGE (seconds, int) and QTIME
    ("short,long", microseconds). Of TYPE(HANDLE): APPLTAG, APPLTYPE, BROWSE, INPUT (EXCL, SHARED, NO), INQUIRE, OUTPUT
    and SET.

    Raises
    ------
    Refused
        AMQ8147 when no local queue has the name, AMQ8565 when none has such a status, AMQ8569 for a bad filter.
    """
    sort = command.options.get("TYPE", "QUEUE")
    _require_shape(command, sort)
    queues = [qmgr.targets[found.name] for found in qmgr.objects.match(("QLOCAL",), command.name)]
    if not queues:
        near = qmgr.objects.near("QLOCAL", command.name)
        said = f"no local queue has this name{f'; did you mean {near[0]}?' if near else ''}"
        raise Refused(8147, said, name=command.name)
    rows = _handle_rows(qmgr, queues, command) if sort == "HANDLE" else _queue_rows(qmgr, queues)
    wanted = _wanted(command, sort, qmgr.platform)
    shown = [
        {key: row[key] for key in ("QUEUE", "TYPE", *_SHOWN[sort]) if key in row and key in wanted}
        for row in rows
        if command.where is None or _holds(command.where, row)
    ]
    if not shown:
        asked = "nobody has it open like that" if sort == "HANDLE" else "none is left by what the command asks for"
        raise Refused(8565, asked, name=command.name)
    return shown


def _require_shape(command: Command, sort: str) -> None:
    """Refuse values in parentheses that choose nothing, and filters that this status has not."""
    for keyword in command.options:
        if keyword not in _CHOOSING:
            said = f"DISPLAY asks for {keyword} without parentheses; choose by its value with WHERE({keyword} EQ value)"
            raise Refused(8405, said, command.text.upper().find(keyword))
    if "OPENTYPE" in command.options and sort != "HANDLE":
        raise Refused(8405, "OPENTYPE goes with TYPE(HANDLE)", command.text.upper().find("OPENTYPE"))
    where = command.where
    if where is not None and (where.keyword in _NO_FILTER or where.keyword not in _SHOWN[sort]):
        raise Refused(
            8569,
            f"WHERE: {where.keyword} cannot be compared in a status of TYPE({sort}); wanted one of "
            + ", ".join(keyword for keyword in _SHOWN[sort] if keyword not in _NO_FILTER),
        )


def _wanted(command: Command, sort: str, platform: str) -> set[str]:
    """The columns to show: those asked for, or all of them for one named queue."""
    asked = set(command.wanted)
    if command.options.get("MONITOR"):
        asked.update(_MONITORED)
    everything = command.options.get("ALL") or (
        not asked and not command.name.endswith("*") and (command.where is None or platform == "zos")
    )
    if command.where is not None:
        asked.add(command.where.keyword)
    return {"QUEUE", "TYPE", *_ALWAYS[sort], *(_SHOWN[sort] if everything else asked)}


def _queue_rows(qmgr, queues) -> list[dict]:
    levels = {q.name: level(q.definition.attributes["MONQ"], qmgr.attributes["MONQ"]) for q in queues}
    gathered = gather(qmgr) if any(one != OFF for one in levels.values()) else {}
    rows = []
    for queue in queues:
        status = qmgr.status(queue.name)
        row = {"QUEUE": queue.name, "TYPE": "QUEUE", **status, "UNCOM": _uncommitted(qmgr, status["UNCOM"])}
        if qmgr.platform != "zos":
            row["MEDIALOG"] = ""
        rows.append({**row, "MONQ": levels[queue.name], **_monitored(queue, levels, gathered.get(queue.name))})
    return rows


def _uncommitted(qmgr, count: int):
    return ("YES" if qmgr.platform == "zos" else count) if count else "NO"


def _monitored(queue, levels: dict, gathered: Gathered | None) -> dict:
    """The columns that need MONQ."""
    gathered = gathered or Gathered()
    times = gathered.queue_time
    return {
        **_moment(queue, gathered.get_us, "LGET"),
        **_moment(queue, gathered.put_us, "LPUT"),
        "MSGAGE": "" if levels[queue.name] == OFF else _oldest_age(queue),
        "QTIME": " , " if times is None else f"{times[0]},{times[1]}",
    }


def _moment(queue, time_us: int | None, which: str) -> dict:
    if time_us is None:
        return {f"{which}DATE": "", f"{which}TIME": ""}
    at = queue.qmgr.lab.start + timedelta(microseconds=time_us)
    return {f"{which}DATE": at.strftime("%Y-%m-%d"), f"{which}TIME": at.strftime("%H.%M.%S")}


def _oldest_age(queue) -> int:
    """How long the oldest message on the queue has been there, in whole seconds; 0 for an empty queue."""
    arrived = min((message.arrived_us for message in queue.store.in_order()), default=queue.clock.time_us)
    return min((queue.clock.time_us - arrived) // 1_000_000, 999_999_999)


def _handle_rows(qmgr, queues, command: Command) -> list[dict]:
    """One row for each open handle of these queues that OPENTYPE leaves in."""
    kind = command.options.get("OPENTYPE", "ALL")
    return [
        _handle_row(qmgr, handle)
        for queue in queues
        for handle in qmgr.handles
        if handle.queue is queue and (kind == "ALL" or (handle.input if kind == "INPUT" else handle.can_put))
    ]


def _handle_row(qmgr, handle) -> dict:
    return {
        "QUEUE": handle.queue.name,
        "TYPE": "HANDLE",
        "APPLTAG": handle.application.caller or "",
        "APPLTYPE": "BATCH" if qmgr.platform == "zos" else "USER",
        "BROWSE": _yes(handle.can_browse),
        "INPUT": {"exclusive": "EXCL", "shared": "SHARED"}.get(handle.input, "NO"),
        "INQUIRE": _yes(handle.can_inquire),
        "OUTPUT": _yes(handle.can_put),
        "SET": _yes(handle.can_set),
    }


def _yes(what) -> str:
    return "YES" if what else "NO"


def _holds(where: Where, row: dict) -> bool:
    """Whether a row passes the filter; UNCOM is compared as a number, where NO is 0 and YES 1."""
    if where.keyword != "UNCOM":
        return where_holds(where, row)
    number = _number(str(where.value))
    if number is None or where.operator not in ("EQ", "NE", "LT", "GT", "LE", "GE"):
        raise Refused(
            8569, f"WHERE(UNCOM ...): wanted EQ, NE, LT, GT, LE or GE and a number, YES or NO; got {where.value}"
        )
    return where_holds(Where("UNCOM", where.operator, number), {"UNCOM": _number(str(row["UNCOM"]))})


def _number(text: str) -> int | None:
    return {"NO": 0, "YES": 1}.get(text, int(text) if text.isdecimal() else None)
