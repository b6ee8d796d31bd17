"""DISPLAY QSTATUS and CHSTATUS: what goes on at local queues and channels now.

Online monitoring of queues (MONQ) shows the times of the last put and the last get, and how long messages stayed
(`monitoring`). Source: the MQSC command reference of MQ 9.4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ..extra import extras
from ..programs.channels.channel import Channel, sends
from ..queues.definition_checks import require
from ..words import catalog
from .command import Command, Where, grammar
from .display import LONGEST, matches, moment, where_holds
from .replies import Refused

if TYPE_CHECKING:
    from ..queues.queue import LocalQueue
    from ..queues.queue_manager import QueueManager

_YES = {True: "YES", False: "NO"}


def shown(
    qmgr: QueueManager,
    command: Command,
    rows: list[dict],
    always: Collection[str],
    none: Refused,
    *,
    whole: bool | None = None,
    holds: Callable[[Where, dict], bool] = where_holds,
    unmeasured: str = "",
) -> list[dict]:
    """Return the rows that the command chooses; of each the name, columns `always` shown, and those asked for.

    They are in the order of the keywords, if platform and level have them. All are shown with ALL, and where
    the command asks for nothing and is about one thing (`whole`; None for: it names one or, on z/OS, has a filter).
    Notes name what is asked for and not there, and blank columns that are `unmeasured`. Refused: `none` if no row is
    left, AMQ8569 for a filter of another column.
    """
    rules, where, wanted = grammar("DISPLAY", command.object), command.where, command.wanted
    known, has = rules.options if rules is not None else {}, dict.fromkeys(key for row in rows for key in row)
    if where is not None and rows and where.keyword not in has:
        case = "not-in-status-of-type" if "TYPE" in command.options else "not-in-status"
        fields = {"type": command.options["TYPE"]} if "TYPE" in command.options else {}
        raise Refused(8569, case, keyword=where.keyword, columns=", ".join(has), **fields)
    given = {key: command.options[key] for key in has if key in command.options and known[key].picks and key != "TYPE"}
    given = {key: one for key, one in given.items() if known[key].shape != "choice" or one not in ("ALL", "USER")}
    left = [row for row in rows if all(matches(str(row.get(key, "")), one) for key, one in given.items())]
    left = [row for row in left if where is None or holds(where, row)]
    if not left:
        raise none
    if whole is None:
        whole = not command.name.endswith("*") if where is None else qmgr.platform == "zos"
    there = [key for key in known if key in has and known[key].had_by(qmgr.platform, qmgr.level)]
    if not command.options.get("ALL") and not (whole and not wanted):
        there = [key for key in there if key in {*always, *wanted, *([where.keyword] if where else [])}]
    if missing := [key for key in wanted if key not in has and known[key].had_by(qmgr.platform, qmgr.level)]:
        command.notes.append(f"the lab has no {', '.join(missing)} to show here")
    if blank := [key for key in there if key in unmeasured.split() and any(row.get(key) == "" for row in left)]:
        command.notes.append(f"the lab does not measure every {', '.join(blank)}; those are blank")
    name = [key for key in list(has)[:1] if key not in known]
    return [{key: row[key] for key in (*name, *there) if key in row} for row in left]


_QUEUE_MONITORED = ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME")
_HANDLE_WHOSE = ("TYPE", "APPLTAG", "APPLTYPE", "CHANNEL", "CONNAME", "PID", "TID", "USERID")
_HANDLE_ALWAYS = (*_HANDLE_WHOSE, "BROWSE", "INPUT", "INQUIRE", "OUTPUT", "SET")


def queue_status(qmgr: QueueManager, command: Command) -> list[dict]:
    """The rows of DISPLAY QSTATUS, by queue name and, for TYPE(HANDLE), in the order of the opens.

    Columns of TYPE(QUEUE): QUEUE, TYPE, CURDEPTH, CURFSIZE, CURMAXFS, IPPROCS, OPPROCS (int), UNCOM (int or "NO";
    on z/OS "YES" or "NO"), MONQ, MEDIALOG, and, "" unless MONQ is on: LGETDATE, LGETTIME, LPUTDATE, LPUTTIME,
    MSGAGE (seconds, int) and QTIME ("short,long", microseconds). Of TYPE(HANDLE): BROWSE, INPUT (EXCL, SHARED, NO),
    INQUIRE, OUTPUT, SET, ASTATE, HSTATE, and those that DISPLAY CONN shows of the connection.

    Refused: AMQ8147 when no local queue has the name, AMQ8565 when none has such a status, AMQ8569 for a bad filter.
    """
    sort = command.options.setdefault("TYPE", "QUEUE")
    if "OPENTYPE" in command.options and sort != "HANDLE":
        raise Refused(8405, "opentype", command.text.upper().find("OPENTYPE"))
    matching = [found.name for found in qmgr.objects.match(("QLOCAL",), command.name)]
    queues = [qmgr.targets.look(name) for name in matching if name in qmgr.targets]
    if not queues:
        if matching:
            require(qmgr, "QLOCAL", matching[0], "display")  # refused: it is logically deleted, and still open
        other, near = qmgr.objects.named("QLOCAL", command.name), qmgr.objects.near("QLOCAL", command.name)
        if other:
            raise Refused(8147, "no-local-queue-but-other", other=other.name, kind=other.kind, name=command.name)
        if near:
            raise Refused(8147, "no-local-queue-but-near", near=near[0], name=command.name)
        raise Refused(8147, "no-local-queue", name=command.name)
    if sort == "HANDLE":
        from .handle_status import handle_rows

        rows = handle_rows(qmgr, queues, command)
    else:
        rows = _queue_rows(qmgr, queues)
    if command.options.get("MONITOR"):
        command.wanted += _QUEUE_MONITORED
    always = _HANDLE_ALWAYS if sort == "HANDLE" else ("TYPE", "CURDEPTH")
    none = Refused(8565, "not-open-like-that" if sort == "HANDLE" else "none-left")
    return shown(qmgr, command, rows, always, none, holds=_holds, unmeasured="PID TID ASID")


def _queue_rows(qmgr: Any, queues: list) -> list[dict]:
    levels, gathered = {}, {}
    if not {qmgr.attributes["MONQ"], *(q.definition.attributes["MONQ"] for q in queues)} <= {"OFF", "NONE", "QMGR"}:
        from .monitoring import gather, level

        levels = {q.name: level(q.definition.attributes["MONQ"], qmgr.attributes["MONQ"]) for q in queues}
        gathered = gather(qmgr)
    zos = qmgr.platform == "zos"
    return [
        {
            "QUEUE": queue.name,
            "TYPE": "QUEUE",
            **status,
            "MEDIALOG": "",
            **_file_sizes(queue),
            "UNCOM": ("YES" if zos else status["UNCOM"]) if status["UNCOM"] else "NO",
            "MONQ": levels.get(queue.name, "OFF"),
            **moment(qmgr, gathered_here.get_us if gathered_here else None, "LGETDATE", "LGETTIME"),
            **moment(qmgr, gathered_here.put_us if gathered_here else None, "LPUTDATE", "LPUTTIME"),
            "MSGAGE": "" if levels.get(queue.name, "OFF") == "OFF" else _oldest_age(queue),
            "QTIME": gathered_here.queue_time if gathered_here else " , ",
        }
        for queue in queues
        for status, gathered_here in [(qmgr.status(queue.name), gathered.get(queue.name))]
    ]


def _file_sizes(queue: LocalQueue) -> dict:
    """CURFSIZE and CURMAXFS of a queue file, in megabytes: the data of its messages, rounded up, and MAXFSIZE."""
    size, attributes = sum(len(message.body) for message in queue.store.in_order()), queue.definition.attributes
    limit = attributes.get("MAXFSIZE", -1)
    return {"CURFSIZE": max(1, -(-size // 1_048_576)), "CURMAXFS": 2_088_960 if limit < 0 else limit}


def _oldest_age(queue: LocalQueue) -> int:
    """Return how many whole seconds the oldest message has been on the queue; 0 for an empty queue."""
    arrived = min((message.arrived_us for message in queue.store.in_order()), default=queue.clock.time_us)
    return min((queue.clock.time_us - arrived) // 1_000_000, LONGEST)


def _holds(where: Where, row: dict) -> bool:
    """Whether a row passes the filter; UNCOM is compared as a number, where NO is 0 and YES 1."""
    if where.keyword != "UNCOM":
        return where_holds(where, row)
    number = _number(str(where.value))
    if number is None or where.operator not in ("EQ", "NE", "LT", "GT", "LE", "GE"):
        raise Refused(8569, "uncom", value=where.value)
    return where_holds(Where("UNCOM", where.operator, number), {"UNCOM": _number(str(row["UNCOM"]))})


def _number(text: str) -> int | None:
    return {"NO": 0, "YES": 1}.get(text, int(text) if text.isdecimal() else None)


_CHANNEL_ALWAYS = ("CHANNEL", "CHLTYPE", "CONNAME", "CURRENT", "SAVED", "RQMNAME", "STATUS", "SUBSTATE", "XMITQ")
_BATCH = ("CURLUWID", "CURMSGS", "CURSEQNO", "INDOUBT", "LSTLUWID", "LSTSEQNO")
_UNMEASURED = "BUFSRCVD BUFSSENT BYTSRCVD BYTSSENT MSGS JOBNAME LOCLADDR NETTIME SECPROT XBATCHSZ XQTIME"
"""Columns that are blank if the lab has no value for them; a note of the reply says so."""
_CHANNEL_MONITORED = ("CHSTADA", "CHSTATI", "LSTMSGDA", "LSTMSGTI", "MONCHL", "MSGS")


def channel_status(qmgr: QueueManager, command: Command) -> list[dict]:
    """The rows of DISPLAY CHSTATUS, by channel name and partner, then of clients: of current channels, or with SAVED of
    all that are STOPPED, RETRYING, or in doubt, or moved a batch in a unit of work.

    Columns: CHANNEL, CHLTYPE, CONNAME, CURRENT or SAVED (flag), RQMNAME, STATUS, SUBSTATE, XMITQ (of those that send),
    and on request or with ALL the others that the platform has. A column that the lab does not measure is blank or
    absent, and a note of the reply says so. SHORT of CHSTATUS gives those always shown.

    Refused: AMQ8420 when no channel of this name has a status, AMQ8569 for a filter of a column that there is not,
    AMQ8405 for values in parentheses that choose nothing and for more than one of CURRENT, SAVED and SHORT.
    """
    options = command.options
    sorts = [sort for sort in ("CURRENT", "SAVED", "SHORT") if options.get(sort)]
    if len(sorts) > 1:
        raise Refused(8405, "more-than-one", given=" and ".join(sorts))
    if sorts == ["SHORT"]:
        options["ALL"] = False
    saved = sorts == ["SAVED"]
    found = sorted(qmgr.channels.values(), key=lambda channel: (channel.name, channel.partner))
    found = [each for each in found if (_has_saved(each) if saved else each.state != "INACTIVE")]
    rows = [_channel_row(each, saved) for each in found]
    if not saved:
        rows += [row for extra in extras() for row in extra.instances(qmgr)]
    rows = [row for row in rows if fnmatchcase(row["CHANNEL"], command.name)]
    none = Refused(8420, "none-left" if rows else "none-saved" if saved else "none-current", channel=command.name)
    always = {*_CHANNEL_ALWAYS, *(_BATCH if saved else ()), *(_CHANNEL_MONITORED if options.get("MONITOR") else ())}
    return shown(qmgr, command, rows, always, none, whole=False, unmeasured=_UNMEASURED)


def _has_saved(channel: Channel) -> bool:
    """Whether a channel has a saved status: a batch committed or in doubt, or a state that is saved as it begins."""
    return bool(channel.luwid or channel.sequence or channel.indoubt or channel.state in ("STOPPED", "RETRYING"))


def _channel_row(channel: Channel, saved: bool) -> dict:
    """Every column of one channel."""
    sending, unit, attributes = sends(channel.chltype), channel.indoubt, channel.attributes
    monitored = channel.qmgr.attributes["MONCHL"] if attributes["MONCHL"] == "QMGR" else attributes["MONCHL"]
    known = {each.name: each for each in channel.qmgr.lab.queue_managers}
    partner = known.get(channel.partner or channel.remote) if channel.active else None
    doing = "RECEIVE" if not sending else "MQGET" if channel.waiting else "SEND"
    row = {
        "CHANNEL": channel.name,
        "CHLTYPE": channel.chltype,
        "CONNAME": attributes.get("CONNAME", "") or channel.partner,
        "SAVED" if saved else "CURRENT": True,
        "RQMNAME": channel.partner or channel.remote,
        "STATUS": channel.state,
        "SUBSTATE": doing if channel.state == "RUNNING" else "",
        "XMITQ": attributes.get("XMITQ"),
        "CURLUWID": unit.luwid if unit else channel.luwid,
        "CURMSGS": len(unit.gets) if unit else channel.in_batch if channel.active else 0,
        "CURSEQNO": unit.sequence if unit else channel.sequence,
        "INDOUBT": "YES" if unit else "NO",
        "LSTLUWID": channel.luwid,
        "LSTSEQNO": channel.sequence,
        "BATCHES": channel.batches,
        "BATCHSZ": channel.batch_size,
        **dict.fromkeys(("BUFSRCVD", "BUFSSENT", "BYTSRCVD", "BYTSSENT"), ""),
        "BYTSSENT" if sending else "BYTSRCVD": channel.bytes,
        **dict.fromkeys(("COMPHDR", "COMPMSG"), "NONE,NONE"),
        **dict.fromkeys(("COMPRATE", "COMPTIME", "EXITTIME"), "0,0"),
        **dict.fromkeys(("NETTIME", "XBATCHSZ", "XQTIME"), "0,0" if monitored == "OFF" else ""),
        **dict.fromkeys(("JOBNAME", "LOCLADDR", "SSLCERTI", "SSLKEYDA", "SSLKEYTI", "SSLPEER"), ""),
        "SSLCIPH": attributes["SSLCIPH"],
        "SSLRKEYS": 0,
        "SECPROT": "" if attributes["SSLCIPH"] else "NONE",
        "KAINT": attributes["HBINT"] + 60 if attributes["KAINT"] < 0 else attributes["KAINT"],
        "RVERSION": catalog.version(partner.level) if partner else "",
        "RPRODUCT": ("MQMV" if partner.platform == "zos" else "MQMM") if partner else "",
        **moment(channel.qmgr, channel.started_us, "CHSTADA", "CHSTATI"),
        "HBINT": channel.heartbeat,
        **moment(channel.qmgr, channel.last_us, "LSTMSGDA", "LSTMSGTI"),
        "MAXMSGL": channel.longest,
        "MCASTAT": "RUNNING" if channel.active else "NOT RUNNING",
        "MONCHL": monitored,
        "MSGS": channel.messages,
        "NPMSPEED": "FAST" if channel.fast else "NORMAL",
        "LONGRTS": channel.long_left,
        "SHORTRTS": channel.short_left,
        "STOPREQ": "YES" if channel.stop_mode else "NO",
    } | channel.columns
    left_out = set() if sending else {"XMITQ", "LONGRTS", "SHORTRTS", "NETTIME", "XBATCHSZ", "XQTIME"}
    if channel.qmgr.platform == "zos":  # takes the keywords, and ignores them
        left_out |= {"JOBNAME", "MCASTAT"}
    kept = {*_CHANNEL_ALWAYS, *_BATCH} - {"SUBSTATE"} if saved else {*row}
    return {key: row[key] for key in row if key in kept and key not in left_out}


_SHOWS = {"QSTATUS": queue_status, "CHSTATUS": channel_status}


def shows() -> dict[str, Callable[[Any, Command], list[dict[str, Any]]]]:
    """Word after DISPLAY -> the function that returns rows about something other than definitions, of extras too."""
    return _SHOWS | {word: function for extra in extras() for word, function in extra.shows.items()}
