"""The data of a message in words: text where it can be read, else hex, and the headers that MQ puts before it."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import NamedTuple

from ...mq.constants import (
    MQEI_UNLIMITED,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_IMS,
    MQFMT_TRIGGER,
    MQFMT_XMIT_Q_HEADER,
    REASONS,
)
from ...mq.headers import MQDLH, MQIIH, MQMDE, MQTM, MQXQH

__all__ = ["Header", "first_bytes", "headers", "printable", "tenths"]

HEAD = 4096
"""Bytes of a message's data that are looked at."""

_DEEP = 5  # headers in front of each other that are read


class Header(NamedTuple):
    """One structure in the data: its name, its fields as (name, value), and what it says in a few words."""

    name: str
    fields: tuple[tuple[str, object], ...]
    said: str


def printable(data: bytes, whole: bool = True) -> str | None:
    """The data as text if all of it can be shown, None if not; unless it is `whole`, a character may be cut off.

    >>> printable(b"hello"), printable(bytes(3))
    ('hello', None)
    """
    try:
        text = getincrementaldecoder("utf-8")().decode(data, final=whole)
    except UnicodeDecodeError:
        return None
    return text if all(c.isprintable() or c in "\t\r\n" for c in text) else None


def first_bytes(body: bytes, limit: int = 24) -> str:
    """The beginning of the data for a small place, … where there is more of it.

    >>> first_bytes(b"one two three", 7), first_bytes(b"\\0\\1"), first_bytes(b"")
    ('one two…', 'hex 00 01', 'no data')
    """
    if not body:
        return "no data"
    more = "…" if len(body) > limit else ""
    text = printable(body[:limit], whole=not more)
    if text:
        return " ".join(text.split()) + more if text.split() else f"blanks{more}"
    few = max(4, limit // 3)
    return f"hex {body[:few].hex(' ')}" + ("…" if len(body) > few else "")


def tenths(expiry: int | None) -> str:
    """A lifetime in tenths of a second in words.

    >>> tenths(45), tenths(-1), tenths(None)
    ('4.5 s', 'unlimited', 'unlimited')
    """
    return "unlimited" if expiry is None or expiry == MQEI_UNLIMITED else f"{expiry / 10:,g} s"


def headers(body: bytes, format: str) -> tuple[list[Header], bytes]:
    """The headers before the data that the format names, each by the one before it, and the beginning of what is left.

    What is not such a header, or only the beginning of one, is left as data.
    """
    found, rest = [], body[:HEAD]
    while format in _READERS and len(found) < _DEEP:
        try:
            header, format, rest = _READERS[format](rest)
        except ValueError:  # not that structure, or text in it that is none
            break
        found.append(header)
    return found, rest


def _dead_letter(data: bytes):
    told = MQDLH.unpack(data)
    why = f"{told.reason} {REASONS.get(told.reason, 'a feedback code')}"
    fields = (
        ("Reason", why),
        ("DestQName", told.queue),
        ("DestQMgrName", told.qmgr),
        ("Format", told.format),
        ("PutApplName", told.appl_name),
        ("PutDate", told.put_date),
        ("PutTime", told.put_time),
    )
    said = f"it was meant for {told.queue} of {told.qmgr} and could not be delivered: {why}"
    return Header("MQDLH", fields, said), told.format, data[MQDLH.LENGTH :]


def _transmission(data: bytes):
    told = MQXQH.unpack(data)
    md = told.md
    fields = (
        ("RemoteQName", told.queue),
        ("RemoteQMgrName", told.qmgr),
        ("Expiry", tenths(md.expiry)),
        ("Priority", md.priority),
        ("Persistence", md.persistence),
        ("MsgId", md.msg_id.hex()),
        ("ReplyToQ", md.reply_to_q),
        ("ReplyToQMgr", md.reply_to_qmgr),
        ("Format", md.format),
        ("PutApplName", md.appl_name),
    )
    if told.extension is not None:
        fields += (
            (
                MQMDE.__name__,
                f"sequence {told.extension.seq_number}, offset {told.extension.offset:,}, "
                f"MsgFlags {told.extension.msg_flags}",
            ),
        )
    return Header("MQXQH", fields, f"it is on its way to {told.queue} of {told.qmgr}"), md.format, told.body


def _trigger(data: bytes):
    told = MQTM.unpack(data)
    names = ("QName", "ProcessName", "TriggerData", "ApplType", "ApplId", "EnvData", "UserData")
    said = f"it is a trigger message: {told.queue} wants process {told.process or 'without a name'}"
    return Header("MQTM", tuple(zip(names, told, strict=True)), said), "", b""


def _ims(data: bytes):
    told = MQIIH.unpack(data)
    fields = (
        ("Format", told.format),
        ("Flags", told.flags),
        ("LTermOverride", told.terminal),
        ("MFSMapName", told.map_name),
        ("ReplyToFormat", told.reply_format),
        ("Authenticator", "not shown" if told.authenticator else ""),
        ("TranInstanceId", told.instance.hex()),
        ("TranState", told.state),
        ("CommitMode", told.commit_mode),
        ("SecurityScope", told.security),
    )
    return Header("MQIIH", fields, "it is for IMS"), told.format, data[MQIIH.LENGTH :]


_READERS = {
    MQFMT_DEAD_LETTER_HEADER: _dead_letter,
    MQFMT_XMIT_Q_HEADER: _transmission,
    MQFMT_TRIGGER: _trigger,
    MQFMT_IMS: _ims,
}
