"""Cards of messages: the descriptor, the headers in the data, and the data as text if it is readable, else as hex."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...engine.words import constants as mq
from ...engine.words.headers import MQDLH, MQMDE, MQTM, MQXQH
from ..frames.moments import clock
from ..text import capital, plural, printable, thousands
from .cards import card
from .tables import Code, table

HEAD = 4096
"""Bytes of a message's data that a card reads."""

_DEEP = 5  # headers in front of each other that are read


class Header(NamedTuple):
    """One structure in the data: its name, its fields as (name, value), and its meaning in a few words."""

    name: str
    fields: tuple[tuple[str, object], ...]
    said: str


def first_bytes(body: bytes, limit: int = 24) -> str:
    """The beginning of the data for a small place, with … if there is more.

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
    return "unlimited" if expiry is None or expiry == mq.MQEI_UNLIMITED else f"{expiry / 10:,g} s"


def headers(body: bytes, format: str) -> tuple[list[Header], bytes]:
    """The headers before the data, each named by the format of the one before it, and the beginning of the remaining
    data.

    Bytes that are no such header, or only the beginning of one, are data.
    """
    found: list[Header] = []
    rest = body[:HEAD]
    while format in _READERS and len(found) < _DEEP:
        try:
            header, format, rest = _READERS[format](rest)
        except ValueError:  # another structure, or invalid text in it
            break
        found.append(header)
    return found, rest


def _fields(told: Any, names: str) -> tuple[tuple[str, object], ...]:
    """Fields of a structure that was read, given as name=attribute; bytes as hex."""
    pairs = (pair.split("=") for pair in names.split())
    values = ((name, getattr(told, attribute)) for name, attribute in pairs)
    return tuple((name, value.hex() if isinstance(value, bytes) else value) for name, value in values)


def _dead_letter(data: bytes) -> Any:
    told = MQDLH.unpack(data)
    why = mq.code(told.reason)
    names = "DestQName=queue DestQMgrName=qmgr Format=format PutApplName=appl_name PutDate=put_date PutTime=put_time"
    said = f"its destination was {told.queue} of {told.qmgr}, but it could not be delivered: {why}"
    return Header("MQDLH", (("Reason", why), *_fields(told, names)), said), told.format, data[MQDLH.LENGTH :]


def _transmission(data: bytes) -> Any:
    told = MQXQH.unpack(data)
    md = told.md
    names = ("Priority", "Persistence", "MsgId", "ReplyToQ", "ReplyToQMgr", "Format", "PutApplName")
    fields = _fields(told, "RemoteQName=queue RemoteQMgrName=qmgr")
    fields += (("Expiry", tenths(md.Expiry)), *_fields(md, " ".join(f"{name}={name}" for name in names)))
    if md.Version == 2:
        said = f"sequence {md.MsgSeqNumber}, offset {thousands(md.Offset)}, MsgFlags {md.MsgFlags}"
        fields += ((MQMDE.__name__, said),)
    return Header("MQXQH", fields, f"it is on its way to {told.queue} of {told.qmgr}"), md.Format, told.body


def _trigger(data: bytes) -> Any:
    told = MQTM.unpack(data)
    names = ("QName", "ProcessName", "TriggerData", "ApplType", "ApplId", "EnvData", "UserData")
    said = f"it is a trigger message of {told.queue} for process {told.process or 'without a name'}"
    return Header("MQTM", tuple(zip(names, told, strict=True)), said), "", b""


def _ims(data: bytes) -> Any:
    from ...bridges.headers import MQIIH

    told = MQIIH.unpack(data)
    names = (
        "Format=format Flags=flags LTermOverride=terminal MFSMapName=map_name ReplyToFormat=reply_format "
        "Authenticator=authenticator TranInstanceId=instance TranState=state CommitMode=commit_mode "
        "SecurityScope=security"
    )
    fields = _fields(told._replace(authenticator="not shown" if told.authenticator else ""), names)
    return Header("MQIIH", fields, "it is for IMS"), told.format, data[MQIIH.LENGTH :]


_READERS = {
    mq.MQFMT_DEAD_LETTER_HEADER: _dead_letter,
    mq.MQFMT_XMIT_Q_HEADER: _transmission,
    mq.MQFMT_TRIGGER: _trigger,
    mq.MQFMT_IMS: _ims,
}

TEXT, BYTES = 1000, 256
"""Bytes of a message's data that are shown: as text, and as hex."""

_TYPES = {1: "request", 2: "reply", 4: "report", mq.MQMT_DATAGRAM: "datagram"}
# the strongest of a family first: they are nested sets of bits
_REPORTS = sorted(
    ((value, name) for name, value in vars(mq).items() if name.startswith("MQRO_") and value and "MASK" not in name),
    reverse=True,
)
_FLAGS = {
    mq.MQMF_SEGMENTATION_ALLOWED: "segmentation allowed",
    mq.MQMF_SEGMENT: "segment",
    mq.MQMF_LAST_SEGMENT: "last segment",
    mq.MQMF_MSG_IN_GROUP: "in a group",
    mq.MQMF_LAST_MSG_IN_GROUP: "last in its group",
}


def message_card(message: Any) -> tuple[str, str]:
    """A message as (text, html); looking reads nothing but the message."""
    start = message._qmgr.lab.start
    found, rest = headers(message.body, message.format)
    title, lead = f"Message {message.number}", _sentence(message, start, found)
    body = table("Its descriptor", ("Field", "Value", "In words"), _descriptor(message, start))
    for header in found:
        fields = [(name, Code(value)) for name, value in header.fields if value not in ("", None)]
        body += table(f"{header.name}: {header.said}", ("Field", "Value"), fields)
    body += _data(len(message.body) - len(message.body[:HEAD]) + len(rest), rest)
    shown = card(title, where=f"from {message._qmgr.name}", lead=capital(lead), body=body)
    return f"{title}: {lead}", shown


def everyplace_message_card(message: Any) -> tuple[str, str]:
    """A message of MQ Everyplace as (text, html)."""
    number, life = "that was not put yet" if message.number is None else message.number, "a lifetime set by its queue"
    if message.expire_ms is not None:
        life = f"a lifetime of {thousands(message.expire_ms)} ms from its creation"
    elif message.expire_at is not None:
        life = f"a lifetime until {message.expire_at:%Y-%m-%d %H:%M:%S}"
    lead = f"{plural(len(message.body), 'byte')}, priority {message.priority}, with {life}. {_preview(message.body)}"
    rows = [
        ("uid", message.uid, "where and when it was first put"),
        ("priority", message.priority, ""),
        ("expire_ms", message.expire_ms, "milliseconds since it was created"),
        ("expire_at", None if message.expire_at is None else message.expire_at.isoformat(), ""),
        ("resend", "yes" if message.resend else "no", "yes: it can be put again"),
    ]
    rows = [(field, Code(value), words) for field, value, words in rows if value is not None]
    body = table("Its fields", ("Field", "Value", "In words"), rows)
    title, data = f"Message {number}", _data(len(message.body), message.body[:HEAD])
    return f"{title}: {lead}", card(title, where="of MQ Everyplace", lead=capital(lead), body=body + data)


def _sentence(message: Any, start: Any, found: Any) -> str:
    """A description of the message in one or two sentences, without its number."""
    kind = _TYPES.get(message.msg_type, f"message of type {message.msg_type}")
    lasting = "persistent" if message.persistent else "nonpersistent"
    words = f"a {lasting} {kind} of {plural(message.length, 'byte')}"
    words += f" (cut to {thousands(len(message.body))} here)" if message.length != len(message.body) else ""
    words += f", priority {message.priority}, first put at {clock(start, message.put_us)}"
    words += f" by {message.put_appl_name}" if message.put_appl_name else ""
    words += f", {_life(message.expiry)}."
    if message.warning:
        words += f" Returned with warning {message.warning} {mq.REASONS.get(message.warning, '')}."
    words += "".join(f" {capital(header.said)}." for header in found)
    names = ", ".join(header.name for header in found)
    return words + (f" Before its data: {names}." if found else f" {_preview(message.body)}")


def _life(expiry: int) -> str:
    """The lifetime that was left when the call returned the message."""
    if expiry == mq.MQEI_UNLIMITED:
        return "with an unlimited lifetime"
    return f"with {tenths(expiry)} of its lifetime left then" if expiry > 0 else "expired by then"


def _preview(body: bytes) -> str:
    return f"Data: {first_bytes(body, 60)}" if body else "It has no data."


def _descriptor(message: Any, start: Any) -> list[tuple]:
    """The fields of its MQMD that say something, those that every message has first."""
    md = message.md
    rows = [
        ("MsgType", md.MsgType, _TYPES.get(md.MsgType, "")),
        ("Expiry", md.Expiry, tenths(md.Expiry) + (" left then" if md.Expiry >= 0 else "")),
        ("Priority", md.Priority, ""),
        ("Persistence", md.Persistence, "persistent" if md.Persistence else "nonpersistent"),
        ("MsgId", md.MsgId.hex(), _said(md.MsgId)),
        ("PutDate, PutTime", f"{md.PutDate} {md.PutTime}".strip(), f"{clock(start, message.put_us)} UTC"),
    ]
    reports, flags = _bits(md.Report), ", ".join(word for bit, word in _FLAGS.items() if message.msg_flags & bit)
    set_only = [
        ("Report", md.Report, reports),
        ("Feedback", md.Feedback, mq.FEEDBACKS.get(md.Feedback) or mq.REASONS.get(md.Feedback, "")),
        ("Format", md.Format, ""),
        ("CorrelId", md.CorrelId.hex() if any(md.CorrelId) else "", _said(md.CorrelId)),
        ("BackoutCount", md.BackoutCount, f"its gets were backed out {plural(md.BackoutCount, 'time')}"),
        ("ReplyToQ", md.ReplyToQ, ""),
        ("ReplyToQMgr", md.ReplyToQMgr, ""),
        ("UserIdentifier", md.UserIdentifier, ""),
        ("PutApplName", md.PutApplName, ""),
        ("GroupId", message.group_id.hex() if any(message.group_id) else "", ""),
        ("MsgSeqNumber", message.seq_number if message.seq_number != 1 else 0, "its position in its group"),
        ("Offset", message.offset, "the start of its data in the whole message"),
        ("MsgFlags", message.msg_flags, flags),
    ]
    kept = rows + [row for row in set_only if row[1]]
    return [(field, Code(value), words) for field, value, words in kept]


def _said(identifier: bytes) -> str:
    """An identifier as text, where it is text filled up with zeros."""
    return printable(identifier.rstrip(b"\0")) or ""


def _bits(report: int) -> str:
    """The report options by name."""
    names, left = [], report
    for bits, name in _REPORTS:
        if left & bits == bits:
            names.append(name)
            left &= ~bits
    return ", ".join([*names, *([f"and {left:#x}"] if left else [])])


def _data(size: int, rest: bytes) -> str:
    """The first bytes of `size` bytes of data as a table: text as text, else offset, hex, and characters."""
    if not size:
        return ""
    text = printable(rest[:TEXT], whole=size <= TEXT)
    if text is not None:
        shown = min(size, TEXT)
        of = "" if shown == size else f", the first {thousands(shown)} of them"
        rows = [(number, Code(line)) for number, line in enumerate(text.splitlines() or [""], 1)]
        return table(f"Its data: {plural(size, 'byte')} of text{of}", ("Line", "Text"), rows)
    few = rest[:BYTES]
    of = "" if len(few) == size else f", the first {thousands(len(few))} of them"
    dump = []
    for at in range(0, len(few), 16):
        line = few[at : at + 16]
        dump.append((f"{at:04x}", Code(line.hex(" ")), Code(re.sub(r"[^ -~]", ".", line.decode("latin-1")))))
    return table(f"Its data: {plural(size, 'byte')}{of}", ("Offset", "Hex", "Characters"), dump)
