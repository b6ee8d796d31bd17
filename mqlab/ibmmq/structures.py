"""The structures of the MQI as bytes: where each field is, and since which version there is one.

A C program passes its structures as memory, and so do ibmmq and pymqi. A `Layout` reads such bytes into a dict of
fields, and writes fields back into them. Character fields are text without the blanks and zeros at their end, and are
written at their full width, filled with blanks; bytes are one character each, so that nothing is lost. Identifiers are
bytes.
"""

from __future__ import annotations

import ctypes
import os
import struct
from functools import lru_cache
from typing import Any

from ..mq import constants as mq

_STRING = "{0}Ptr:P {0}Offset:i {0}BufSize:i {0}Length:i {0}CCSID:i"  # an MQCHARV
_NULL_TERMINATED, _LONGEST = -1, 10_240


class WrongStructure(Exception):
    """Bytes that are not the structure that a call takes: the reason code, and the fact."""

    def __init__(self, reason: int, said: str):
        super().__init__(said)
        self.reason, self.said = reason, said


class Layout:
    """One structure: its eye-catcher, the reason code of a wrong one, and its fields by version.

    `fields` names each field with its format, in order: ``i`` and ``q`` numbers of 32 and 64 bits, ``P`` an address,
    ``20s`` characters, ``24x`` bytes, ``c`` a character that C keeps as a number. A ``|`` begins the next version, and
    ``*Name`` stands for the five fields of a string of variable length.
    """

    def __init__(self, name: str, eye: bytes, reason: int, fields: str, head: str = "StrucId:4s Version:i"):
        self.name, self.eye, self.reason = name, eye, reason
        self.offsets: dict[str, tuple[int, str]] = {}
        self.strings: list[str] = []
        self._packers: list[struct.Struct] = []  # by version, from 1 on
        so_far = ""
        for version in f"{head} {fields}".split("|"):
            for word in version.split():
                if word.startswith("*"):
                    self.strings.append(word[1:])
                for each in (_STRING.format(word[1:]) if word.startswith("*") else word).split():
                    field, kind = each.split(":")
                    code = kind.replace("x", "s").replace("c", "b")
                    so_far += code
                    self.offsets[field] = struct.calcsize(so_far) - struct.calcsize(code), kind
            self._packers.append(struct.Struct(so_far))
        self._names = list(self.offsets)
        kinds = [kind for _, kind in self.offsets.values()]
        self._places = {field: (at, kinds[at]) for at, field in enumerate(self._names)}
        self._texts = [at for at, kind in enumerate(kinds) if kind[-1] == "s"]
        self._letters = [at for at, kind in enumerate(kinds) if kind == "c"]
        self._version = struct.Struct("i"), self.offsets["Version"][0]

    @property
    def lengths(self) -> list[int]:
        """The length in bytes by version, from 1 on."""
        return [each.size for each in self._packers]

    def read(self, data: Any) -> dict[str, Any]:
        """The fields of these bytes; those that their version does not have are left out. WrongStructure for bytes
        that are none."""
        values = list(self._packer(data).unpack_from(data))
        for at in self._texts:
            if at < len(values):
                values[at] = text(values[at])
        for at in self._letters:
            if at < len(values):
                values[at] = chr(values[at] & 0xFF)
        return dict(zip(self._names, values, strict=False))

    def write(self, data: bytes, **fields: Any) -> bytes:
        """The same bytes with these fields in them, as far as their version has these fields."""
        packer = self._packer(data)
        values = list(packer.unpack_from(data))
        for field, value in fields.items():
            at, kind = self._places[field]
            if at < len(values):
                values[at] = value if type(value) is int or kind[-1] == "x" else _packed(value, kind)
        return packer.pack(*values) + data[packer.size :]

    def _packer(self, data: Any) -> struct.Struct:
        """The struct of the version that these bytes have; raises WrongStructure for any other bytes."""
        if not isinstance(data, bytes):
            raise WrongStructure(self.reason, f"the {self.name} must be bytes; got {type(data).__name__}")
        if len(data) < self._packers[0].size:
            said = f"the {self.name} has {len(data)} bytes, and needs {self._packers[0].size}"
            raise WrongStructure(self.reason, said)
        if self.eye and not data.startswith(self.eye):
            raise WrongStructure(self.reason, f"StrucId {data[:4]!r}, not {self.eye!r}")
        number, offset = self._version
        version = number.unpack_from(data, offset)[0]
        if not 1 <= version <= len(self._packers):
            raise WrongStructure(self.reason, f"Version {version}, and there are 1 to {len(self._packers)}")
        packer = self._packers[version - 1]
        if len(data) < packer.size:
            raise WrongStructure(self.reason, f"{len(data)} bytes, and Version {version} has {packer.size}")
        return packer

    def write_string(self, data: bytes, field: str, value: bytes) -> bytes:
        """The same bytes, and `value` where the address of this string of variable length points, as far as its buffer
        reaches; its length is that of the whole value."""
        known = self.read(data)
        address, room = known[f"{field}Ptr"], known[f"{field}BufSize"]
        if address and room > 0 and _has_memory(address, room):
            ctypes.memmove(address, value[:room], min(room, len(value)))
        return self.write(data, **{f"{field}Length": len(value)})


@lru_cache(4096)
def text(raw: bytes) -> str:
    """The characters of a field: up to the first zero, without the blanks at the end, one for each byte."""
    return raw.partition(b"\0")[0].rstrip(b" ").decode("latin-1")


@lru_cache(4096)
def _packed(value: str | bytes, kind: str) -> bytes | int:
    """The characters of a field of this kind, filled with blanks; of a single one, its number."""
    if kind == "c":
        return ord(value)
    raw = value if isinstance(value, bytes) else value.encode("latin-1", "replace")
    return raw[: int(kind[:-1])].ljust(int(kind[:-1]))


def string(fields: dict[str, Any], name: str, reason: int = mq.MQRC_OBJECT_STRING_ERROR) -> bytes:
    """The bytes of a string of variable length, up to a zero if its length is -1; raises WrongStructure for an
    impossible length or address."""
    address, length = fields.get(f"{name}Ptr", 0), fields.get(f"{name}Length", 0)
    if not address:
        if length > 0:
            raise WrongStructure(reason, f"{name} has length {length} and no address")
        return b""
    if not _NULL_TERMINATED <= length <= _LONGEST:
        raise WrongStructure(reason, f"{name} has length {length}")
    if not length:
        return b""
    if not _has_memory(address, abs(length)):
        raise WrongStructure(reason, f"{name} has address {address:#x}, where the program has no memory")
    return ctypes.string_at(address, length)


def _has_memory(address: int, length: int) -> bool:
    """Whether the program has memory at an address; True where the system does not tell. Without memory, the use
    of the address would end the process."""
    try:
        memory = os.open("/proc/self/mem", os.O_RDONLY)
    except OSError:
        return True
    try:
        return len(os.pread(memory, length, address)) == length
    except (OSError, OverflowError):
        return False
    finally:
        os.close(memory)


MQMD = Layout(
    "MQMD",
    b"MD  ",
    mq.MQRC_MD_ERROR,
    "Report:i MsgType:i Expiry:i Feedback:i Encoding:i CodedCharSetId:i Format:8s Priority:i Persistence:i MsgId:24x "
    "CorrelId:24x BackoutCount:i ReplyToQ:48s ReplyToQMgr:48s UserIdentifier:12s AccountingToken:32x "
    "ApplIdentityData:32s PutApplType:i PutApplName:28s PutDate:8s PutTime:8s ApplOriginData:4s "
    "| GroupId:24x MsgSeqNumber:i Offset:i MsgFlags:i OriginalLength:i",
)
MQOD = Layout(
    "MQOD",
    b"OD  ",
    mq.MQRC_OD_ERROR,
    "ObjectType:i ObjectName:48s ObjectQMgrName:48s DynamicQName:48s AlternateUserId:12s "
    "| RecsPresent:i KnownDestCount:i UnknownDestCount:i InvalidDestCount:i ObjectRecOffset:i ResponseRecOffset:i "
    "ObjectRecPtr:P ResponseRecPtr:P | AlternateSecurityId:40x ResolvedQName:48s ResolvedQMgrName:48s "
    "| *ObjectString *SelectionString *ResObjectString ResolvedType:i",
)
MQGMO = Layout(
    "MQGMO",
    b"GMO ",
    mq.MQRC_GMO_ERROR,
    "Options:i WaitInterval:i Signal1:i Signal2:i ResolvedQName:48s "
    "| MatchOptions:i GroupStatus:c SegmentStatus:c Segmentation:c Reserved1:c "
    "| MsgToken:16x ReturnedLength:i | Reserved2:i MsgHandle:q",
)
MQPMO = Layout(
    "MQPMO",
    b"PMO ",
    mq.MQRC_PMO_ERROR,
    "Options:i Timeout:i Context:i KnownDestCount:i UnknownDestCount:i InvalidDestCount:i ResolvedQName:48s "
    "ResolvedQMgrName:48s | RecsPresent:i PutMsgRecFields:i PutMsgRecOffset:i ResponseRecOffset:i PutMsgRecPtr:P "
    "ResponseRecPtr:P | OriginalMsgHandle:q NewMsgHandle:q Action:i PubLevel:i",
)
MQCNO = Layout(
    "MQCNO",
    b"CNO ",
    mq.MQRC_CNO_ERROR,
    "Options:i | ClientConnOffset:i ClientConnPtr:P | ConnTag:128x | SSLConfigPtr:P SSLConfigOffset:i "
    "| ConnectionId:24x SecurityParmsOffset:i SecurityParmsPtr:P | CCDTUrlPtr:P CCDTUrlOffset:i CCDTUrlLength:i "
    "Reserved:q | ApplName:28s Reserved2:i | BalanceParmsPtr:P BalanceParmsOffset:i Reserved3:i",
)
MQCSP = Layout(
    "MQCSP",
    b"CSP ",
    mq.MQRC_CSP_ERROR,
    "AuthenticationType:i Reserved1:i UserIdPtr:P UserIdOffset:i UserIdLength:i Reserved2:q PasswordPtr:P "
    "PasswordOffset:i PasswordLength:i | Reserved3:q InitialKeyPtr:P InitialKeyOffset:i InitialKeyLength:i "
    "| Reserved4:q TokenPtr:P TokenOffset:i TokenLength:i",
)
MQSTS = Layout(
    "MQSTS",
    b"STAT",
    mq.MQRC_STS_ERROR,
    "CompCode:i Reason:i PutSuccessCount:i PutWarningCount:i PutFailureCount:i ObjectType:i ObjectName:48s "
    "ObjectQMgrName:48s ResolvedObjectName:48s ResolvedQMgrName:48s "
    "| *ObjectString *SubName OpenOptions:i SubOptions:i",
)
MQSD = Layout(
    "MQSD",
    b"SD  ",
    mq.MQRC_SD_ERROR,
    "Options:i ObjectName:48s AlternateUserId:12s AlternateSecurityId:40x SubExpiry:i *ObjectString *SubName "
    "*SubUserData SubCorrelId:24x PubPriority:i PubAccountingToken:32x PubApplIdentityData:32s *SelectionString "
    "SubLevel:i *ResObjectString",
)
MQCMHO = Layout("MQCMHO", b"CMHO", mq.MQRC_CMHO_ERROR, "Options:i")
MQDMHO = Layout("MQDMHO", b"DMHO", mq.MQRC_DMHO_ERROR, "Options:i")
MQSMPO = Layout("MQSMPO", b"SMPO", mq.MQRC_SMPO_ERROR, "Options:i ValueEncoding:i ValueCCSID:i")
MQDMPO = Layout("MQDMPO", b"DMPO", mq.MQRC_DMPO_ERROR, "Options:i")
MQIMPO = Layout(
    "MQIMPO",
    b"IMPO",
    mq.MQRC_IMPO_ERROR,
    "Options:i RequestedEncoding:i RequestedCCSID:i ReturnedEncoding:i ReturnedCCSID:i Reserved1:i *ReturnedName "
    "TypeString:8s",
)
MQPD = Layout("MQPD", b"PD  ", mq.MQRC_PD_ERROR, "Options:i Support:i Context:i CopyOptions:i")
MQSRO = Layout("MQSRO", b"SRO ", mq.MQRC_SRO_ERROR, "Options:i NumPubs:i")
MQCBD = Layout(
    "MQCBD",
    b"CBD ",
    mq.MQRC_CBD_ERROR,
    "CallbackType:i Options:i CallbackArea:P CallbackFunction:P CallbackName:128s MaxMsgLength:i",
)
MQCTLO = Layout("MQCTLO", b"CTLO", mq.MQRC_CTLO_ERROR, "Options:i Reserved:i ConnectionArea:P")
MQCBC = Layout(
    "MQCBC",
    b"CBC ",
    mq.MQRC_UNEXPECTED_ERROR,
    "CallType:i Hobj:i CallbackArea:P ConnectionArea:P CompCode:i Reason:i State:i DataLength:i BufferLength:i Flags:i "
    "| ReconnectDelay:i Reserved1:i",
)
_CD_FIRST = (
    "ChannelType:i TransportType:i Desc:64s QMgrName:48s XmitQName:48s ShortConnectionName:20s MCAName:20s ModeName:8s "
    "TpName:64s BatchSize:i DiscInterval:i ShortRetryCount:i ShortRetryInterval:i LongRetryCount:i LongRetryInterval:i "
    "SecurityExit:128s MsgExit:128s SendExit:128s ReceiveExit:128s SeqNumberWrap:i MaxMsgLength:i PutAuthority:i "
    "DataConversion:i SecurityUserData:32s MsgUserData:32s SendUserData:32s ReceiveUserData:32s UserIdentifier:12s "
    "Password:12s MCAUserIdentifier:12s MCAType:i ConnectionName:264s RemoteUserIdentifier:12s RemotePassword:12s"
)
MQCD = Layout("MQCD", b"", mq.MQRC_CD_ERROR, _CD_FIRST + "|" * 12, "ChannelName:20s Version:i")
"""The fields of a channel that no later version has changed; its versions 2 to 13 add to them."""

CURRENT = {
    "od": 4,
    "md": 2,
    "gmo": 4,
    "pmo": 3,
    "cno": 8,
    "csp": 3,
    "cd": 13,
    "sco": 7,
    "bno": 1,
    "sd": 1,
    "sts": 2,
    "sro": 1,
    "cbd": 1,
    "cbc": 2,
    "ctlo": 1,
    "cmho": 1,
    "dmho": 1,
    "smpo": 1,
    "dmpo": 1,
    "impo": 1,
    "pd": 1,
}
"""The newest version of each structure, under the names that ibmmq asks for."""
