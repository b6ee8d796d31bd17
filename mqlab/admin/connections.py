"""DISPLAY CONN: the applications that are connected, the unit of work of each, and what each has open.

An application is connected from MQCONN, `connect` or the start of a program, as long as it runs or someone holds it.
When its unit of work began, and when the unit first wrote to the recovery log, is read from the event log. Source: the
MQSC command reference of MQ 9.4, and what real queue managers displayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress, groupby
from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.display import columns_of, matches, moment
from ..engine.commands.handle_status import identifier, opener, work_of
from ..engine.commands.replies import Refused
from ..engine.commands.status import shown
from ..engine.queues.broken import break_off
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.refusals import Grounds

_HEAD = ("CONN", "EXTCONN", "TYPE")
_HANDLE = ("OBJNAME", "OBJTYPE", "QSGDISP", "ASTATE", "HSTATE", "OPENOPTS", "READA", "TOPICSTR")
_ZOS = """CONN EXTCONN TYPE CONNOPTS UOWLOGDA UOWLOGTI UOWSTDA UOWSTTI UOWSTATE NID EXTURID QMURID URTYPE USERID
    APPLTAG ASID APPLTYPE APPLDESC ASTATE CHANNEL CONNAME OBJNAME OBJTYPE QSGDISP HSTATE OPENOPTS READA TOPICSTR"""
_IN_BOTH = (("ASTATE", "CONN"), ("ASTATE", "*"))  # a column of connections, and of handles too
_CONTEXT = "SAVE_ALL PASS_IDENTITY PASS_ALL SET_IDENTITY SET_ALL"


def connections(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY CONN, in the order of the MQCONNs and, for TYPE(HANDLE) and TYPE(ALL), of the opens.

    Columns: CONN, EXTCONN, TYPE and, of TYPE(CONN), those of the connection and its unit of work, of TYPE(HANDLE), a
    row for each handle, those of _HANDLE, of TYPE(ALL) both, as far as platform and level have them. UOWSTDA to
    UOWLOGTI are "" for none; CONNOPTS and OPENOPTS are tuples. Refused: AMQ8461 when no connection has the identifier
    or is left by the command, AMQ8569 for a bad filter.
    """
    rows: list[dict] = []
    sort = command.options.setdefault("TYPE", "CONN").replace("ALL", "*")
    for columns, handles in () if command.options.get("URDISP") == "GROUP" else connected(qmgr):
        if matches(columns["CONN"], command.name):
            columns["TYPE"] = sort
            own = {key: columns[key] for key in _HEAD} if sort == "HANDLE" else columns
            opened = [own | _handle(each) for each in handles] if sort != "CONN" else []
            rows += opened if opened or sort == "HANDLE" else [columns]
    some = any(True for _ in connected(qmgr))
    none = Refused(8461, "no-connection-left" if some else "no-program", qmgr=qmgr.name)
    found = shown(qmgr, command, rows, (*_HEAD, *_HANDLE[:3]), none, unmeasured="PID TID UOWLOG ASID")
    return [{key: row[key] for key in _ZOS.split() if key in row} for row in found] if qmgr.platform == "zos" else found


def applications(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY APSTATUS: the connections of each application name, and how many of them could be moved to
    another queue manager. Nothing moves them: uniform clusters are not simulated. Refused: AMQ8147 if none is left."""
    admitted = {identifier(qmgr, one)[1]: one.admission for one in qmgr.connections}
    names: dict[str, dict[str, bool]] = {}
    for columns, _ in connected(qmgr) if command.options.setdefault("TYPE", "APPL") == "APPL" else ():
        admission = admitted.get(columns["CONN"])
        names.setdefault(columns["APPLTAG"], {})[columns["CONN"]] = admission is not None and admission.anywhere
    rows: list[dict] = [
        {"APPLNAME": name, "CLUSTER": "", "COUNT": len(each), "MOVCOUNT": sum(each.values()), "BALANCED": "NOTAPPLIC"}
        for name, each in sorted(names.items())
        if matches(name, command.name or "*")
    ]
    none = Refused(8147, "no-application", name=command.name or "*")
    found = shown(qmgr, command, rows, ("APPLNAME", "CLUSTER", "COUNT", "MOVCOUNT", "BALANCED"), none)
    command.notes.append("uniform clusters are not simulated, so no connection is moved to balance applications")
    return found


def connected(qmgr: Any) -> Iterator[tuple[dict, list]]:
    """The columns of TYPE(CONN) of each connection, and its handles."""
    units = sorted((owner for owner in qmgr.units.values() if owner.puts or owner.gets), key=lambda owner: owner.number)
    times = _times(qmgr, {owner.number for owner in units})
    running = {owner for owner in qmgr.connections if owner.program is None or owner.program.state == "running"}
    handles: dict[Any, list] = {}
    works: dict[Any, list] = {}
    for handle in qmgr.handles:
        handles.setdefault(handle.application, []).append(handle)
    for unit in units:
        works.setdefault(unit.application, []).append(unit)
    for application in sorted({*running, *handles, *works}, key=lambda owner: owner.connection):
        first, *more = works.get(application) or [None]
        yield _connection(qmgr, application, first, times, 1), handles.get(application, [])
        for unit in more:
            yield _connection(qmgr, application, unit, times, unit.number), []


def stop_connection(qmgr: Any, command: Command) -> str:
    """End a connection: back out its units of work, and close its handles (STOP CONN).

    Its program goes on and gets 2009; a program of the lab's own (`run_program`) ends. Refused: AMQ8461 when no
    connection has the identifier, AMQ8000 for a message channel agent.
    """
    name, extended = command.name, command.options.get("EXTCONN")
    for columns, _ in connected(qmgr):
        if columns["CONN"] == name and extended in (None, columns["EXTCONN"]):
            break
    else:
        raise Refused(8461, "no-connection")
    known = {*qmgr.connections, *(candidate.application for candidate in (*qmgr.handles, *qmgr.units.values()))}
    stopped = next(candidate for candidate in known if identifier(qmgr, candidate)[1][:8] == columns["CONN"][:8])
    if stopped.discard_rule is not None:
        raise Refused(8000, "of-a-channel")

    def end() -> None:
        for unit in [each for each in qmgr.units.values() if each.application is stopped and not each.in_doubt]:
            unit.backout()
        if stopped.program is not None:
            stopped.program.stop()
        qmgr.close_all(stopped)
        qmgr.connections.discard(stopped)

    if stopped is qmgr:  # a person's calls by the queue manager itself
        end()
    else:
        break_off(stopped, end, Grounds(mq.MQRC_CONNECTION_BROKEN, "stopped", {}))
    return "AMQ8457I: IBM MQ connection stopped."


def _times(qmgr: Any, numbers: set[int]) -> dict[int, tuple[int, int | None]]:
    """Number of a unit of work -> when it began and when it first wrote to the recovery log, None for not yet."""
    by_unit: dict[int, tuple[int, int | None]] = {}
    events = qmgr.lab.events
    for seq, number in enumerate(events.column("uow") if numbers else ()):
        event = events[seq] if number in numbers else None
        if event is not None and event.kind == "backout":  # a get with MARK_SKIP_BACKOUT goes on under the number
            by_unit.pop(number, None)
        elif event is not None and event.reason is None:
            began, logged = by_unit.get(number, (event.time_us, None))
            by_unit[number] = began, event.time_us if logged is None and event.persistent else logged
    return by_unit


def _connection(qmgr: Any, application: Any, unit: Any, times: dict, part: int) -> dict:
    """Every column of TYPE(CONN) of a connection, of any platform."""
    (long, short), who, zos = identifier(qmgr, application, part), opener(qmgr, application), qmgr.platform == "zos"
    number, state = (0, "NONE") if unit is None else (unit.number, "PREPARED" if unit.in_doubt else "ACTIVE")
    began, logged = times.get(number, (None, None))
    row = {"CONN": short, "EXTCONN": long, **who, **work_of(qmgr, unit)}
    row["ASTATE"] = "NONE" if application.gate is None else application.gate.shown
    row |= dict.fromkeys(("PID", "TID", "ASID", "CLIENTID", "UOWLOG", "NID"), "")
    row["CONNOPTS"] = ("MQCNO_STANDARD_BINDING" if zos else "MQCNO_SHARED_BINDING",)
    row["EXTURID"] = row.pop("URID")
    row |= moment(qmgr, began, "UOWSTDA", "UOWSTTI") | moment(qmgr, logged, "UOWLOGDA", "UOWLOGTI")
    return row | {"UOWSTATE": state, "CONNTAG": f"MQCT{short}{qmgr.attributes['QMID']}{who['APPLTAG']}"}


def _handle(handle: Any) -> dict:
    """Every column of TYPE(HANDLE) but those of the connection."""
    opened, context = handle.object, handle.context_options
    topic = opened.base if opened.kind == "QALIAS" else opened.definition if opened.kind == "TOPIC" else None
    may = (handle.can_browse, handle.can_put, handle.can_inquire, handle.can_set)
    options = [f"INPUT_{handle.input.upper()}"] if handle.input else []
    options += compress(("BROWSE", "OUTPUT", "INQUIRE", "SET"), may)
    options += [f"{each}_CONTEXT" for each in _CONTEXT.split() if context & getattr(mq, f"MQOO_{each}_CONTEXT")]
    row = {"OPENOPTS": tuple(f"MQOO_{each}" for each in options), "READA": "NO"}
    consumers = handle.application.gate
    row["ASTATE"] = "NONE" if consumers is None else consumers.shown_of(handle)
    row["HSTATE"] = "ACTIVE" if handle.waiting else "INACTIVE"
    row["QSGDISP"] = (topic or opened.definition).attributes.get("QSGDISP", "QMGR")
    if topic is None:
        return row | {"OBJNAME": opened.name, "OBJTYPE": "QUEUE"}
    return row | {"OBJNAME": topic.name, "OBJTYPE": "TOPIC", "TOPICSTR": opened.string}


def layout_connections(rows: list[dict]) -> list[list[str]]:
    """The rows as runmqsc prints them: each connection once, and below it a paragraph for each of its handles."""
    connections = []
    for _, group in groupby(rows, key=lambda row: row["CONN"]):
        first, *more = group
        own = [key for key in first if key not in (*_HEAD, *_HANDLE) or (key, first["TYPE"]) in _IN_BOTH]
        parts = [(first, _HEAD), (first, own), *((row, _HANDLE) for row in (first, *more) if "OBJNAME" in row)]
        lines = [catalog.headline("CONN")]
        for row, columns in parts:
            lines += [""] if columns is _HANDLE else []
            lines += columns_of({key: row[key] for key in columns if key in row}, {})
        connections.append(lines)
    return connections
