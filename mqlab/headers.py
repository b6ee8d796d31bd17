"""Structures that travel in the data of a message, built and read byte for byte."""

from __future__ import annotations

import struct
from typing import NamedTuple

from .errors import LabError

__all__ = ["MQDLH", "MQTM", "TriggerMessage"]

MQAT_UNKNOWN, MQAT_QMGR = -1, 7
_TM = struct.Struct("<4si48s48s64si256s128s128s")
_DLH = struct.Struct("<4sii48s48sii8si28s8s8s")


class TriggerMessage(NamedTuple):
    """What a trigger message tells: MQTM without its StrucId and Version. Names are without their blanks."""

    queue: str
    process: str = ""
    trigger_data: str = ""
    appl_type: int = MQAT_UNKNOWN
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


class MQTM:
    """The trigger message structure, version 1: 684 bytes, little-endian, names blank-padded."""

    LENGTH = _TM.size

    @staticmethod
    def pack(trigger: TriggerMessage) -> bytes:
        """The structure as the queue manager writes it."""
        queue, process, data, appl_type, appl_id, env, user = trigger
        texts = ((queue, 48), (process, 48), (data, 64), (appl_id, 256), (env, 128), (user, 128))
        queue, process, data, appl_id, env, user = (blank_padded(text, size) for text, size in texts)
        return _TM.pack(b"TM  ", 1, queue, process, data, appl_type, appl_id, env, user)

    @staticmethod
    def unpack(body: bytes) -> TriggerMessage:
        """Read it; LabError if the data is not an MQTM."""
        if len(body) != _TM.size or body[:4] != b"TM  ":
            raise LabError(f"MQTM wanted: {_TM.size} bytes that begin with 'TM  '; got {len(body)}, {body[:4]!r}")
        _, _, queue, process, data, appl_type, appl_id, env, user = _TM.unpack(body)
        return TriggerMessage(text(queue), text(process), text(data), appl_type, text(appl_id), text(env), text(user))


class MQDLH:
    """The dead-letter header, version 1: 172 bytes before the data of the message."""

    LENGTH = _DLH.size

    @staticmethod
    def pack(reason: int, queue: str, qmgr: str, format: str, program: str, moment) -> bytes:
        """The header: why it is here, where it was going, what follows, who put it here and when (UTC)."""
        return _DLH.pack(
            b"DLH ", 1, reason, blank_padded(queue, 48), blank_padded(qmgr, 48), 546, 1208, blank_padded(format, 8),
            MQAT_QMGR, blank_padded(program, 28), moment.strftime("%Y%m%d").encode(), mq_time(moment),
        )  # fmt: skip


def mq_time(moment) -> bytes:
    """A time as MQ writes PutTime: HHMMSSTH."""
    return f"{moment:%H%M%S}{moment.microsecond // 10_000:02}".encode()


def blank_padded(value: str, size: int) -> bytes:
    """Text as a fixed field: cut or padded with blanks."""
    whole = value.encode()[:size].decode(errors="ignore")  # a character is kept or left out, never halved
    return whole.encode().ljust(size)


def text(field: bytes) -> str:
    """A fixed field as text, without its padding."""
    return field.rstrip(b" \0").decode()
