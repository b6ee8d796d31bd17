"""DISPLAY CHSTATUS: what channels do now, and what they have saved."""

from __future__ import annotations

from datetime import timedelta
from fnmatch import fnmatchcase

from ..programs.channels.channel import SENDING, Channel
from .command import Command
from .display import where_holds
from .refusal import Refused

__all__ = ["channel_status"]

_ALWAYS = ("CHANNEL", "CHLTYPE", "CONNAME", "CURRENT", "SAVED", "RQMNAME", "STATUS", "SUBSTATE", "XMITQ")
_BATCH = ("CURLUWID", "CURMSGS", "CURSEQNO", "INDOUBT", "LSTLUWID", "LSTSEQNO")
_NOW = (
    "BATCHES",
    "BATCHSZ",
    "BYTSRCVD",
    "BYTSSENT",
    "CHSTADA",
    "CHSTATI",
    "HBINT",
    "LONGRTS",
    "LSTMSGDA",
    "LSTMSGTI",
    "MAXMSGL",
    "MCASTAT",
    "MONCHL",
    "MSGS",
    "NPMSPEED",
    "SHORTRTS",
    "STOPREQ",
)
_MONITORED = ("CHSTADA", "CHSTATI", "LSTMSGDA", "LSTMSGTI", "MONCHL", "MSGS")
_FILTERS = ("CONNAME", "XMITQ", "CHLTYPE")
"""Keywords that choose by their value."""
_CHOOSING = (*_FILTERS, "ALL", "CURRENT", "SAVED", "SHORT", "MONITOR", "CMDSCOPE", "CHLDISP")
_NO_FILTER = ("CURRENT", "SAVED")


def channel_status(qmgr, command: Command) -> list[dict]:
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
    _require_shape(qmgr, command)
    saved = bool(command.options.get("SAVED"))
    columns = (*_ALWAYS, *_BATCH) if saved else (*_ALWAYS, *_BATCH, *_NOW)
    where = command.where
    if where is not None and (where.keyword not in columns or where.keyword in _NO_FILTER):
        wanted = ", ".join(keyword for keyword in columns if keyword not in _NO_FILTER)
        raise Refused(8569, f"WHERE: {where.keyword} cannot be compared in this status; wanted one of {wanted}")
    found = [each for each in qmgr.channels.values() if fnmatchcase(each.name, command.name)]
    rows = [
        _row(each, saved) for each in sorted(found, key=lambda each: (each.name, each.partner)) if _has(each, saved)
    ]
    chosen = [row for row in rows if _chosen(command, row) and (where is None or where_holds(where, row))]
    if not chosen:
        said = f"no channel called {command.name} {'has saved a status' if saved else 'is current'}"
        raise Refused(8420, "none is left by what the command asks for" if rows else said, name=command.name)
    missing = [keyword for keyword in command.wanted if keyword not in columns]
    if missing:
        command.notes.append(f"the lab does not keep {', '.join(missing)} of this status")
    return [{key: row[key] for key in row if key in _wanted(command)} for row in chosen]


def _require_shape(qmgr, command: Command) -> None:
    """Refuse values that choose nothing, and more than one sort of status."""
    for keyword in command.options:
        if keyword not in _CHOOSING:
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


def _has(channel: Channel, saved: bool) -> bool:
    return bool(channel.luwid or channel.sequence) if saved else channel.state != "INACTIVE"


def _chosen(command: Command, row: dict) -> bool:
    """Whether CONNAME, XMITQ and CHLTYPE, each generic if it ends in an asterisk, leave this row in."""
    return all(
        fnmatchcase(str(row.get(keyword, "")), str(command.options[keyword]))
        for keyword in _FILTERS
        if keyword in command.options
    )


def _wanted(command: Command) -> set[str]:
    """The columns to show: those always shown and those asked for, or all of them with ALL."""
    options, where = command.options, command.where
    asked = {*_ALWAYS, *command.wanted, *([where.keyword] if where else [])}
    if options.get("SHORT"):
        return asked
    if options.get("SAVED"):
        asked.update(_BATCH)
    if options.get("ALL"):
        asked.update((*_BATCH, *_NOW))
    return asked | set(_MONITORED) if options.get("MONITOR") else asked


def _row(channel: Channel, saved: bool) -> dict:
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
        **_moment(channel, channel.started_us, "CHSTA"),
        "HBINT": channel.heartbeat,
        **_moment(channel, channel.last_us, "LSTMSG"),
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


def _moment(channel: Channel, time_us: int | None, which: str) -> dict:
    if time_us is None:
        return {f"{which}DA": "", f"{which}TI": ""}
    at = channel.qmgr.lab.start + timedelta(microseconds=time_us)
    return {f"{which}DA": at.strftime("%Y-%m-%d"), f"{which}TI": at.strftime("%H.%M.%S")}
