"""DISPLAY QSTATUS, CHSTATUS and CFSTATUS: what goes on at local queues, channels and coupling facility structures now.

Online monitoring of queues (MONQ) says when they were last put to and got from, and how long messages stayed. Nothing
is gathered while messages move: the event log is read when somebody asks. What happened while MONQ was OFF, or before
the queue manager last started, does not count, as in MQ. Sizes of structures are those of the message data; the
product's also count its own. Source: the MQSC command reference of MQ 9.4.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Any

from ..programs.channels.channel import SENDING, Channel
from .command import Command, Where
from .display import where_holds
from .replies import Refused


def _moment(about: Any, time_us: int | None, date: str, time: str) -> dict:
    """A moment as two columns of these names, blank for none; `about` belongs to the lab."""
    if time_us is None:
        return {date: "", time: ""}
    at = about.lab.start + timedelta(microseconds=time_us)
    return {date: at.strftime("%Y-%m-%d"), time: at.strftime("%H.%M.%S")}


# ---------------------------------------------------------------- queues
_QUEUE_MONITORED = ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME")
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
_QUEUE_ALWAYS = {"QUEUE": ("CURDEPTH",), "HANDLE": _HANDLE}
_QUEUE_CHOOSING = ("TYPE", "OPENTYPE", "CMDSCOPE", "QSGDISP", "ALL", "MONITOR", "WHERE")
_NO_FILTER = ("CMDSCOPE", "MONITOR", "OPENTYPE", "QSGDISP", "QTIME", "TYPE", "URID", "WHERE", "ALL")


def queue_status(qmgr: Any, command: Command) -> list[dict]:
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
    _require_queue_shape(command, sort)
    queues = [qmgr.targets[found.name] for found in qmgr.objects.match(("QLOCAL",), command.name)]
    if not queues:
        near = qmgr.objects.near("QLOCAL", command.name)
        said = f"no local queue has this name{f'; did you mean {near[0]}?' if near else ''}"
        raise Refused(8147, said, name=command.name)
    rows = _handle_rows(qmgr, queues, command) if sort == "HANDLE" else _queue_rows(qmgr, queues)
    wanted = _queue_wanted(command, sort, qmgr.platform)
    shown = [
        {key: row[key] for key in ("QUEUE", "TYPE", *_SHOWN[sort]) if key in row and key in wanted}
        for row in rows
        if command.where is None or _holds(command.where, row)
    ]
    if not shown:
        asked = "nobody has it open like that" if sort == "HANDLE" else "none is left by what the command asks for"
        raise Refused(8565, asked, name=command.name)
    return shown


def _require_queue_shape(command: Command, sort: str) -> None:
    """Refuse values in parentheses that choose nothing, and filters that this status has not."""
    for keyword in command.options:
        if keyword not in _QUEUE_CHOOSING:
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


def _queue_wanted(command: Command, sort: str, platform: str) -> set[str]:
    """The columns to show: those asked for, or all of them for one named queue."""
    asked = set(command.wanted)
    if command.options.get("MONITOR"):
        asked.update(_QUEUE_MONITORED)
    everything = command.options.get("ALL") or (
        not asked and not command.name.endswith("*") and (command.where is None or platform == "zos")
    )
    if command.where is not None:
        asked.add(command.where.keyword)
    return {"QUEUE", "TYPE", *_QUEUE_ALWAYS[sort], *(_SHOWN[sort] if everything else asked)}


def _queue_rows(qmgr: Any, queues: list) -> list[dict]:
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


def _uncommitted(qmgr: Any, count: int) -> int | str:
    return ("YES" if qmgr.platform == "zos" else count) if count else "NO"


def _monitored(queue: Any, levels: dict, gathered: Gathered | None) -> dict:
    """The columns that need MONQ."""
    gathered = gathered or Gathered()
    times = gathered.queue_time
    return {
        **_moment(queue.qmgr, gathered.get_us, "LGETDATE", "LGETTIME"),
        **_moment(queue.qmgr, gathered.put_us, "LPUTDATE", "LPUTTIME"),
        "MSGAGE": "" if levels[queue.name] == OFF else _oldest_age(queue),
        "QTIME": " , " if times is None else f"{times[0]},{times[1]}",
    }


def _oldest_age(queue: Any) -> int:
    """How long the oldest message on the queue has been there, in whole seconds; 0 for an empty queue."""
    arrived = min((message.arrived_us for message in queue.store.in_order()), default=queue.clock.time_us)
    return min((queue.clock.time_us - arrived) // 1_000_000, 999_999_999)


def _handle_rows(qmgr: Any, queues: list, command: Command) -> list[dict]:
    """One row for each open handle of these queues that OPENTYPE leaves in."""
    kind = command.options.get("OPENTYPE", "ALL")
    return [
        _handle_row(qmgr, handle)
        for queue in queues
        for handle in qmgr.handles
        if handle.queue is queue and (kind == "ALL" or (handle.input if kind == "INPUT" else handle.can_put))
    ]


def _handle_row(qmgr: Any, handle: Any) -> dict:
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


def _yes(what: object) -> str:
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


# ---------------------------------------------------------------- online monitoring of queues
OFF = "OFF"
_LONGEST = 999_999_999
# how much of the way the two indicators move towards each new value: our reading, IBM does not say
_SHORT, _LONG = 1 / 8, 1 / 64


@dataclass
class Gathered:
    """What monitoring knows of one queue: times in microseconds since the lab's start, None for never.

    `short` and `long` are how long messages got lately stayed on the queue, in microseconds, weighted towards the last
    few and over many.
    """

    put_us: int | None = None
    get_us: int | None = None
    short: float | None = None
    long: float | None = None

    def got(self, now_us: int, stayed_us: int) -> None:
        """A message was got that had stayed so long."""
        self.get_us = now_us
        short, long = (stayed_us, stayed_us) if self.short is None or self.long is None else (self.short, self.long)
        self.short = short + (stayed_us - short) * _SHORT
        self.long = long + (stayed_us - long) * _LONG

    @property
    def queue_time(self) -> tuple[int, int] | None:
        """The two indicators as QTIME shows them, None before the first get."""
        if self.short is None or self.long is None:
            return None
        return min(int(self.short), _LONGEST), min(int(self.long), _LONGEST)


def level(queue_says: str, qmgr_says: str) -> str:
    """The level at which a queue is monitored, from MONQ of the queue and of the queue manager.

    >>> level("QMGR", "LOW"), level("HIGH", "OFF"), level("HIGH", "NONE")
    ('LOW', 'HIGH', 'OFF')
    """
    if qmgr_says == "NONE":
        return OFF
    return qmgr_says if queue_says == "QMGR" else queue_says


def gather(qmgr: Any) -> dict[str, Gathered]:
    """Queue name -> what monitoring has gathered since the queue manager started; only queues with something."""
    monitor = _Monitor()
    for event in qmgr.lab.events:
        if event.reason is None and (event.qmgr == qmgr.name or _shared_here(qmgr, event)):
            monitor.take(event)
    return monitor.found


def _shared_here(qmgr: Any, event: Any) -> bool:
    """Whether it is an event of a shared queue that concerns this member: its own call, or a definition."""
    if qmgr.group is None or event.qmgr != qmgr.group.name:
        return False
    if event.kind in ("define", "alter", "delete"):
        return event.object_type == "QLOCAL"
    return event.detail is not None and json.loads(event.detail).get("member") == qmgr.name


class _Monitor:
    """Reads one queue manager's events in order."""

    def __init__(self) -> None:
        self.queues: dict[str, str] = {}
        self.qmgr = OFF
        self.found: dict[str, Gathered] = {}

    def take(self, event: Any) -> None:
        """Take one more event."""
        kind, name = event.kind, event.object
        if kind == "start":
            self.found.clear()
        elif kind == "delete":
            self.found.pop(name, None)
        elif kind in ("define", "alter"):
            self._define(event)
        elif kind in ("put", "report", "get") and self._level(name) != OFF:
            gathered = self.found.setdefault(name, Gathered())
            if kind == "get":
                gathered.got(event.time_us, event.time_us - event.arrived_us)
            else:
                gathered.put_us = event.time_us

    def _define(self, event: Any) -> None:
        says = json.loads(event.detail).get("MONQ") if event.detail and '"MONQ"' in event.detail else None
        if says is None or event.object_type not in ("QLOCAL", "QMGR"):
            return
        if event.object_type == "QMGR":
            self.qmgr = says
        else:
            self.queues[event.object] = says
        self.found = {name: gathered for name, gathered in self.found.items() if self._level(name) != OFF}

    def _level(self, name: str) -> str:
        return level(self.queues.get(name, "QMGR"), self.qmgr)


# ---------------------------------------------------------------- channels
_CHANNEL_ALWAYS = ("CHANNEL", "CHLTYPE", "CONNAME", "CURRENT", "SAVED", "RQMNAME", "STATUS", "SUBSTATE", "XMITQ")
_BATCH = ("CURLUWID", "CURMSGS", "CURSEQNO", "INDOUBT", "LSTLUWID", "LSTSEQNO")
_NOW_WORDS = (
    "BATCHES BATCHSZ BYTSRCVD BYTSSENT CHSTADA CHSTATI HBINT LONGRTS LSTMSGDA LSTMSGTI MAXMSGL MCASTAT MONCHL "
    "MSGS NPMSPEED SHORTRTS STOPREQ"
)
_NOW = tuple(_NOW_WORDS.split())
_CHANNEL_MONITORED = ("CHSTADA", "CHSTATI", "LSTMSGDA", "LSTMSGTI", "MONCHL", "MSGS")
_FILTERS = ("CONNAME", "XMITQ", "CHLTYPE")
"""Keywords that choose by their value."""
_CHANNEL_CHOOSING = (*_FILTERS, "ALL", "CURRENT", "SAVED", "SHORT", "MONITOR", "CMDSCOPE", "CHLDISP")
_CHANNEL_NO_FILTER = ("CURRENT", "SAVED")


def channel_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY CHSTATUS, by channel name and partner: of current channels, or with SAVED of all that moved a
    batch in a unit of work.

    Columns: CHANNEL, CHLTYPE, CONNAME, CURRENT or SAVED (flag), RQMNAME, STATUS, SUBSTATE, XMITQ (of those that send),
    and on request or with ALL CURLUWID, CURMSGS, CURSEQNO, INDOUBT, LSTLUWID, LSTSEQNO and, of current channels,
    BATCHES, BATCHSZ, BYTSSENT or BYTSRCVD, CHSTADA, CHSTATI, HBINT (seconds), LONGRTS, SHORTRTS (of those that send),
    LSTMSGDA, LSTMSGTI, MAXMSGL, MCASTAT, MONCHL, MSGS, NPMSPEED, STOPREQ. Any other column is not kept, and a note of
    the reply says so. SHORT gives the columns that are always shown (our reading).

    Raises
    ------
    Refused
        AMQ8420 when no channel of this name has a status, AMQ8569 for a filter of a column that there is not, AMQ8405
        for values in parentheses that choose nothing and for more than one of CURRENT, SAVED and SHORT.
    """
    _require_channel_shape(qmgr, command)
    saved = bool(command.options.get("SAVED"))
    columns = (*_CHANNEL_ALWAYS, *_BATCH) if saved else (*_CHANNEL_ALWAYS, *_BATCH, *_NOW)
    where = command.where
    if where is not None and (where.keyword not in columns or where.keyword in _CHANNEL_NO_FILTER):
        wanted = ", ".join(keyword for keyword in columns if keyword not in _CHANNEL_NO_FILTER)
        raise Refused(8569, f"WHERE: {where.keyword} cannot be compared in this status; wanted one of {wanted}")
    found = [each for each in qmgr.channels.values() if fnmatchcase(each.name, command.name)]
    found.sort(key=lambda each: (each.name, each.partner))
    rows = [_channel_row(each, saved) for each in found if _has_status(each, saved)]
    chosen = [row for row in rows if _chosen(command, row) and (where is None or where_holds(where, row))]
    if not chosen:
        said = f"no channel called {command.name} {'has saved a status' if saved else 'is current'}"
        raise Refused(8420, "none is left by what the command asks for" if rows else said, name=command.name)
    missing = [keyword for keyword in command.wanted if keyword not in columns]
    if missing:
        command.notes.append(f"the lab does not keep {', '.join(missing)} of this status")
    return [{key: row[key] for key in row if key in _channel_wanted(command)} for row in chosen]


def _require_channel_shape(qmgr: Any, command: Command) -> None:
    """Refuse values that choose nothing, and more than one sort of status."""
    for keyword in command.options:
        if keyword not in _CHANNEL_CHOOSING:
            said = f"DISPLAY asks for {keyword} without parentheses; choose by its value with WHERE({keyword} EQ value)"
            raise Refused(8405, said, command.text.upper().find(keyword))
    sorts = [sort for sort in ("CURRENT", "SAVED", "SHORT") if command.options.get(sort)]
    if len(sorts) > 1:
        raise Refused(8405, f"wanted one of CURRENT, SAVED and SHORT; got {' and '.join(sorts)}")
    if sorts == ["SHORT"] and qmgr.platform != "zos":
        raise Refused(
            8405,
            f"SHORT is for z/OS queue managers; {qmgr.name} is {qmgr.platform}",
            command.text.upper().find("SHORT"),
        )


def _has_status(channel: Channel, saved: bool) -> bool:
    return bool(channel.luwid or channel.sequence) if saved else channel.state != "INACTIVE"


def _chosen(command: Command, row: dict) -> bool:
    """Whether CONNAME, XMITQ and CHLTYPE, each generic if it ends in an asterisk, leave this row in."""
    return all(
        fnmatchcase(str(row.get(keyword, "")), str(command.options[keyword]))
        for keyword in _FILTERS
        if keyword in command.options
    )


def _channel_wanted(command: Command) -> set[str]:
    """The columns to show: those always shown and those asked for, or all of them with ALL."""
    options, where = command.options, command.where
    asked = {*_CHANNEL_ALWAYS, *command.wanted, *([where.keyword] if where else [])}
    if options.get("SHORT"):
        return asked
    if options.get("SAVED"):
        asked.update(_BATCH)
    if options.get("ALL"):
        asked.update((*_BATCH, *_NOW))
    return asked | set(_CHANNEL_MONITORED) if options.get("MONITOR") else asked


def _channel_row(channel: Channel, saved: bool) -> dict:
    """Every column of one channel."""
    sends, unit = channel.chltype in SENDING, channel.indoubt
    about = {
        "CHANNEL": channel.name,
        "CHLTYPE": channel.chltype,
        "CONNAME": channel.attributes.get("CONNAME", "") or channel.partner,
        ("SAVED" if saved else "CURRENT"): True,
        "RQMNAME": channel.partner or channel.remote,
        "STATUS": channel.state,
    }
    if not saved:
        about["SUBSTATE"] = _substate(channel)
    if sends:
        about["XMITQ"] = channel.attributes["XMITQ"]
    about |= {
        "CURLUWID": unit.luwid if unit else channel.luwid,
        "CURMSGS": len(unit.gets) if unit else channel.in_batch if channel.active else 0,
        "CURSEQNO": unit.sequence if unit else channel.sequence,
        "INDOUBT": "YES" if unit else "NO",
        "LSTLUWID": channel.luwid,
        "LSTSEQNO": channel.sequence,
    }
    return about if saved else about | _now(channel, sends)


def _now(channel: Channel, sends: bool) -> dict:
    """The columns of a current channel only."""
    retries = {"LONGRTS": channel.long_left, "SHORTRTS": channel.short_left} if sends else {}
    monitored = channel.attributes["MONCHL"]
    return {
        "BATCHES": channel.batches,
        "BATCHSZ": channel.batch_size,
        ("BYTSSENT" if sends else "BYTSRCVD"): channel.bytes,
        **_moment(channel.qmgr, channel.started_us, "CHSTADA", "CHSTATI"),
        "HBINT": channel.heartbeat,
        **_moment(channel.qmgr, channel.last_us, "LSTMSGDA", "LSTMSGTI"),
        "MAXMSGL": channel.longest,
        "MCASTAT": "RUNNING" if channel.active else "STOPPED",
        "MONCHL": channel.qmgr.attributes["MONCHL"] if monitored == "QMGR" else monitored,
        "MSGS": channel.messages,
        "NPMSPEED": "FAST" if channel.fast else "NORMAL",
        **retries,
        "STOPREQ": "YES" if channel.stop_mode else "NO",
    }


def _substate(channel: Channel) -> str:
    if channel.state != "RUNNING":
        return ""
    if channel.chltype not in SENDING:
        return "RECEIVE"
    return "MQGET" if channel.waiting else "SEND"


# ---------------------------------------------------------------- structures
_ADMINISTRATION = "CSQ_ADMIN"


def structure_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY CFSTATUS: TYPE(SUMMARY), the default, TYPE(CONNECT) or TYPE(BACKUP).

    Columns of SUMMARY: CFSTATUS, TYPE, CFTYPE (APPL, ADMIN), STATUS (ACTIVE, FAILED, NEW), SIZEUSED (KB), ENTSUSED,
    FAILDATE and FAILTIME; of CONNECT, a row for each running member: QMNAME, STATUS; of BACKUP: STATUS, BKUPDATE,
    BKUPTIME, BKUPSIZE (KB). The administration structure is in the summary, and never fails (our reading).

    Raises
    ------
    Refused
        AMQ8147 when no structure has the name, AMQ8405 for another TYPE or where there is no group.
    """
    require_group(qmgr, command)
    sort = command.options.get("TYPE", "SUMMARY")
    if sort not in _STRUCTURE_ROWS:
        raise Refused(8405, f"TYPE({sort}) is not modelled; wanted SUMMARY, CONNECT or BACKUP")
    return [row for structure in named_structures(qmgr, command) for row in _STRUCTURE_ROWS[sort](structure)] + (
        [_administration()] if sort == "SUMMARY" and _matches(_ADMINISTRATION, command.name or "*") else []
    )


def require_group(qmgr: Any, command: Command) -> None:
    if qmgr.group is None:
        raise Refused(8405, f"{command.verb} {command.object}: {qmgr.name} is in no queue-sharing group")


def named_structures(qmgr: Any, command: Command) -> list:
    """The structures of this name, which may be generic, by name."""
    name = command.name or "*"
    found = [one for each, one in sorted(qmgr.group.structures.items()) if _matches(each, name)]
    if not found and not (command.verb == "DISPLAY" and _matches(_ADMINISTRATION, name)):
        known = ", ".join(sorted(qmgr.group.structures)) or "none yet"
        raise Refused(8147, f"the group has no structure of this name; it has {known}", name=name)
    return found


def _matches(name: str, generic: str) -> bool:
    return name.startswith(generic[:-1]) if generic.endswith("*") else name == generic


def _summary(structure: Any) -> list[dict]:
    return [
        {
            "CFSTATUS": structure.name,
            "TYPE": "SUMMARY",
            "CFTYPE": "APPL",
            "STATUS": structure.status,
            "SIZEUSED": -(-structure.size // 1024),
            "ENTSUSED": structure.entries,
            **_moment(structure.group, structure.failed_us, "FAILDATE", "FAILTIME"),
        }
    ]


def _administration() -> dict:
    return {"CFSTATUS": _ADMINISTRATION, "TYPE": "SUMMARY", "CFTYPE": "ADMIN", "STATUS": "ACTIVE"}


def _connect(structure: Any) -> list[dict]:
    state = "FAILED" if structure.failed else "ACTIVE"
    return [
        {"CFSTATUS": structure.name, "TYPE": "CONNECT", "QMNAME": member.name, "STATUS": state}
        for member in structure.group.running
    ]


def _backup(structure: Any) -> list[dict]:
    return [
        {
            "CFSTATUS": structure.name,
            "TYPE": "BACKUP",
            "STATUS": structure.status,
            **_moment(structure.group, structure.backup_us, "BKUPDATE", "BKUPTIME"),
            "BKUPSIZE": -(-structure.backup_bytes // 1024),
        }
    ]


_STRUCTURE_ROWS = {"SUMMARY": _summary, "CONNECT": _connect, "BACKUP": _backup}


STATUS = {"QSTATUS": queue_status, "CHSTATUS": channel_status, "CFSTATUS": structure_status}
"""Word after DISPLAY -> what gives the rows of this status."""
