"""The structures of the MQI as bytes: where each field is, and since which version there is one.

A C program passes its structures as memory, and so do ibmmq and pymqi. A `Memory` reads such bytes into a dict of
fields, and writes fields back into them. Character fields are text without the blanks and zeros at their end, and are
written at their full width, filled with blanks; bytes are one character each, so that nothing is lost. Identifiers are
bytes.
"""

from __future__ import annotations

import ctypes
import os
import struct
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ..engine.words import constants as mq
from ..engine.words import layouts
from ..engine.words.errors import Error
from ..engine.words.layouts import LONGEST_STRING, Layout
from ..pubsub import structures as pubsub_layouts

_NULL_TERMINATED = -1


class WrongStructure(Error):
    """Bytes that are not the structure that a call takes: the reason code, and the fact."""

    def __init__(self, reason: int, said: str):
        super().__init__(said)
        self.reason, self.said = reason, said


class Memory:
    """The bytes of a structure as a program passes them, by its layout; `reason` is the code for any other bytes."""

    def __init__(self, layout: Layout, reason: int):
        self.layout, self.reason, self.name = layout, reason, layout.name
        self._packers = [
            layouts.packer((field for field in layout.fields if field.version <= version), "@")
            for version in range(1, layout.versions + 1)
        ]
        self._names = [field.name for field in layout.fields]
        codes = [field.code for field in layout.fields]
        self._places = {name: (at, codes[at]) for at, name in enumerate(self._names)}
        self._texts = [at for at, code in enumerate(codes) if code[-1] == "s"]
        self._letters = [at for at, code in enumerate(codes) if code == "c"]
        self._version = struct.Struct("i"), self.offset("Version")

    def offset(self, name: str) -> int:
        """Where the field of this name begins."""
        fields = self.layout.fields[: self._names.index(name) + 1]
        return layouts.packer(fields, "@").size - layouts.packer(fields[-1:], "@").size

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
        if not data.startswith(self.layout.eye):
            raise WrongStructure(self.reason, f"StrucId {data[:4]!r}, not {self.layout.eye!r}")
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
    if not _NULL_TERMINATED <= length <= LONGEST_STRING:
        raise WrongStructure(reason, f"{name} has length {length}")
    if not length:
        return b""
    if not _has_memory(address, abs(length)):
        raise WrongStructure(reason, f"{name} has address {address:#x}, where the program has no memory")
    return ctypes.string_at(address, length)


def _has_memory(address: int, length: int) -> bool:
    """Whether the program has memory at an address; True where the system does not tell."""
    # without memory, the use of the address would end the process
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


_FIELDS: dict[str, str] = tomllib.loads(files(__package__).joinpath("structures.toml").read_text("utf-8"))
MQMD = Memory(layouts.MQMD, mq.MQRC_MD_ERROR)
MQOD = Memory(Layout("MQOD", _FIELDS["MQOD"]), mq.MQRC_OD_ERROR)
MQGMO = Memory(layouts.MQGMO, mq.MQRC_GMO_ERROR)
MQPMO = Memory(layouts.MQPMO, mq.MQRC_PMO_ERROR)
MQCNO = Memory(Layout("MQCNO", _FIELDS["MQCNO"]), mq.MQRC_CNO_ERROR)
MQCSP = Memory(Layout("MQCSP", _FIELDS["MQCSP"]), mq.MQRC_CSP_ERROR)
MQSTS = Memory(Layout("MQSTS", _FIELDS["MQSTS"], eye="STAT"), mq.MQRC_STS_ERROR)
MQSD = Memory(pubsub_layouts.MQSD, mq.MQRC_SD_ERROR)
MQCMHO = Memory(Layout("MQCMHO", _FIELDS["MQCMHO"]), mq.MQRC_CMHO_ERROR)
MQDMHO = Memory(Layout("MQDMHO", _FIELDS["MQDMHO"]), mq.MQRC_DMHO_ERROR)
MQSMPO = Memory(Layout("MQSMPO", _FIELDS["MQSMPO"]), mq.MQRC_SMPO_ERROR)
MQDMPO = Memory(Layout("MQDMPO", _FIELDS["MQDMPO"]), mq.MQRC_DMPO_ERROR)
MQIMPO = Memory(Layout("MQIMPO", _FIELDS["MQIMPO"]), mq.MQRC_IMPO_ERROR)
MQPD = Memory(Layout("MQPD", _FIELDS["MQPD"]), mq.MQRC_PD_ERROR)
MQSRO = Memory(pubsub_layouts.MQSRO, mq.MQRC_SRO_ERROR)
MQCBD = Memory(pubsub_layouts.MQCBD, mq.MQRC_CBD_ERROR)
MQCTLO = Memory(pubsub_layouts.MQCTLO, mq.MQRC_CTLO_ERROR)
MQCBC = Memory(pubsub_layouts.MQCBC, mq.MQRC_UNEXPECTED_ERROR)
MQCD = Memory(Layout("MQCD", _FIELDS["MQCD"], "ChannelName:20s Version:i", eye=""), mq.MQRC_CD_ERROR)
MQSCO = Memory(Layout("MQSCO", _FIELDS["MQSCO"]), mq.MQRC_SCO_ERROR)

_NOT_HERE = {"bno": 1}
CURRENT = {
    name[2:].lower(): memory.layout.versions for name, memory in list(vars().items()) if isinstance(memory, Memory)
} | _NOT_HERE
"""The newest version of each structure, under the names that ibmmq asks for."""
