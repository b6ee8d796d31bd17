"""The layouts of MQ's structures, each written once: its fields in order, their formats, and their initial values.

The rest follows from them: the structures that programs fill in (`engine/words/structures.py`), the headers in the data
of messages (`engine/words/headers.py`), the descriptor that a message keeps
(`engine/queues/message.py`), and the bytes that programs in MQ's own words pass."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import constants as mq

_STRING = "-{0}Ptr:P -{0}Offset:i -{0}BufSize:i -{0}Length:i -{0}CCSID:i"  # an MQCHARV
LONGEST_STRING = 10_240
"""How many characters a string of variable length can have."""


class Field(NamedTuple):
    """One field: its name in MQ, its format, its initial value, and the first version of the structure that has it.

    The formats are `i` and `q` for numbers of 32 and 64 bits, `P` for an address, `48s` for text that blanks fill up,
    `24x` for bytes, `c` for a character that C keeps as a number, and `v` for a string of variable length. An initial
    value of None is for an object of the lab, which C knows by a number or an address.
    """

    name: str
    code: str
    initial: Any
    version: int

    @property
    def size(self) -> int | None:
        """The bytes or characters that it has room for: None for a number, and 0 for an object of the lab."""
        if self.initial is None:
            return 0
        if self.code[-1] in "sx":
            return int(self.code[:-1])
        return {"c": 1, "v": LONGEST_STRING}.get(self.code)


class Layout:
    """A structure of MQ. `fields` are in the order of memory; `kept` are those that mqlab's own structure has too.

    A field is written ``Name:format`` or ``Name:format=initial``; the initial value is a constant of MQ, a number, or
    None. A ``-`` before it marks a field that only memory has, a ``|`` begins the next version, and ``*Name`` is a
    string of variable length, which has five fields in memory.
    """

    def __init__(self, name: str, fields: str, head: str = "StrucId:4s Version:i", eye: str | None = None):
        self.name = name
        self.eye = (name[2:].ljust(4) if eye is None else eye).encode()
        versions = fields.split("|")
        self.versions = len(versions)
        self.fields: list[Field] = [_field(word, 1, 1) for word in head.split()]
        self.kept: list[Field] = [Field("Version", "i", self.versions, 1)]
        for version, words in enumerate(versions, 1):
            for word in words.split():
                if word.startswith("*"):
                    self.kept.append(Field(word[1:], "v", "", version))
                    self.fields += (_field(part, version) for part in _STRING.format(word[1:]).split())
                else:
                    self.fields.append(_field(word, version))
                    if not word.startswith("-"):
                        self.kept.append(self.fields[-1])
        self.strings = [field.name for field in self.kept if field.code == "v"]

    def initial_values(self) -> dict[str, tuple[Any, int | None]]:
        """Name of each field that mqlab's own structure has: its initial value and its size."""
        return {field.name: (field.initial, field.size) for field in self.kept}


def _field(word: str, version: int, number: int = 0) -> Field:
    """The field that a word of a layout describes; `number` is the initial value of one that names none."""
    name, code = word.lstrip("-").split(":")
    code, separator, initial = code.partition("=")
    if separator:
        value = None if initial == "None" else vars(mq)[initial] if initial.startswith("MQ") else int(initial)
    else:
        value = {"s": "", "x": b"", "c": " "}.get(code[-1], number)
        value = value if value != b"" else bytes(int(code[:-1]))
    return Field(name, code, value, version)


def packer(fields: Iterable[Field], order: str = "<") -> struct.Struct:
    """The packer of these fields as they are in memory, little-endian unless `order` says otherwise."""
    return struct.Struct(order + "".join(field.code for field in fields).translate(_IN_MEMORY))


_IN_MEMORY = str.maketrans("xc", "sb")
_WORDS = {
    "CodedCharSetId": "ccsid",
    "MsgSeqNumber": "seq_number",
    "Persistence": "persistent",
    "UserIdentifier": "user",
}


def keyword_of(name: str) -> str:
    """The keyword of Python for a field of MQ: that of a put, and of what a message keeps.

    >>> keyword_of("ReplyToQMgr"), keyword_of("CodedCharSetId")
    ('reply_to_qmgr', 'ccsid')
    """
    return _WORDS.get(name) or re.sub("(?<=[a-z])(?=[A-Z])", "_", name.replace("QMgr", "Qmgr")).lower()


MQMD = Layout(
    "MQMD",
    "Report:i MsgType:i=MQMT_DATAGRAM Expiry:i=MQEI_UNLIMITED Feedback:i Encoding:i=MQENC_NATIVE CodedCharSetId:i "
    "Format:8s Priority:i=MQPRI_PRIORITY_AS_Q_DEF Persistence:i=MQPER_PERSISTENCE_AS_Q_DEF MsgId:24x CorrelId:24x "
    "BackoutCount:i ReplyToQ:48s ReplyToQMgr:48s UserIdentifier:12s AccountingToken:32x ApplIdentityData:32s "
    "PutApplType:i PutApplName:28s PutDate:8s PutTime:8s ApplOriginData:4s "
    "| GroupId:24x MsgSeqNumber:i=1 Offset:i MsgFlags:i OriginalLength:i=MQOL_UNDEFINED",
)
EXTENSION = [field for field in MQMD.kept if field.version == 2]
"""The fields that version 2 of MQMD adds; an MQMDE has them too."""

# the options of calls
MQGMO = Layout(
    "MQGMO",
    "Options:i WaitInterval:i -Signal1:i -Signal2:i ResolvedQName:48s "
    "| MatchOptions:i=3 GroupStatus:c SegmentStatus:c Segmentation:c -Reserved1:c "
    "| MsgToken:16x ReturnedLength:i=-1 | -Reserved2:i MsgHandle:q=None",
)
MQPMO = Layout(
    "MQPMO",
    "Options:i Timeout:i=-1 Context:i=None KnownDestCount:i UnknownDestCount:i InvalidDestCount:i ResolvedQName:48s "
    "ResolvedQMgrName:48s | -RecsPresent:i -PutMsgRecFields:i -PutMsgRecOffset:i -ResponseRecOffset:i "
    "-PutMsgRecPtr:P -ResponseRecPtr:P | OriginalMsgHandle:q=None NewMsgHandle:q=None Action:i=MQACTP_NEW PubLevel:i=9",
)

# headers in the data of messages
MQMDE = Layout(
    "MQMDE",
    "StrucLength:i Encoding:i CodedCharSetId:i Format:8s Flags:i "
    + " ".join(f"{field.name}:{field.code}" for field in EXTENSION),
)
_DESCRIPTOR = packer(field for field in MQMD.fields if field.version == 1).size
MQXQH = Layout("MQXQH", f"RemoteQName:48s RemoteQMgrName:48s MsgDesc:{_DESCRIPTOR}x")
MQDLH = Layout(
    "MQDLH",
    "Reason:i DestQName:48s DestQMgrName:48s Encoding:i CodedCharSetId:i Format:8s PutApplType:i PutApplName:28s "
    "PutDate:8s PutTime:8s",
)
MQTM = Layout("MQTM", "QName:48s ProcessName:48s TriggerData:64s ApplType:i ApplId:256s EnvData:128s UserData:128s")
MQIIH = Layout(
    "MQIIH",
    "StrucLength:i Encoding:i CodedCharSetId:i Format:8s Flags:i LTermOverride:8s MFSMapName:8s ReplyToFormat:8s "
    "Authenticator:8s TranInstanceId:16x TranState:1s CommitMode:1s SecurityScope:1s Reserved:1s",
)
