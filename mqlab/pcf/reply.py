"""The answer to a command as parameters: rows of a DISPLAY by their numbers, and refusals by their reasons.

Source: Definitions of the Programmable Command Formats, product documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.commands.replies import Refused
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.catalog import Attribute
from ..engine.words.errors import MQError
from . import format as pcf
from . import numbers
from .commands import NAME_LISTS
from .format import Parameter

ALWAYS = {
    "QUEUE": ("QTYPE",),
    "CHANNEL": ("CHLTYPE",),
    "AUTHINFO": ("AUTHTYPE",),
    "SUB": ("SUBID",),
    "QSTATUS": ("TYPE",),
    "CONN": ("TYPE",),
    "CHSTATUS": ("CHLTYPE", "CONNAME", "INSTANCE", "RQMNAME", "STATUS", "STOPREQ", "SUBSTATE", "XMITQ"),
}
"""Section -> the keywords that every answer has, besides the name."""
_LENGTHS = {"DATE": 12, "TIME": 8, "CHANNEL_NAME": 20, "CONNECTION_NAME": 264, "APPL_TAG": 28, "APPL_DESC": 64,
            "USER_IDENTIFIER": 64, "CIPHER_SPEC": 32, "LUWID": 16, "JOB_NAME": 28, "Q_MGR_NAME": 48, "Q_NAME": 48,
            "LISTENER_NAME": 48, "SERVICE_NAME": 48, "Q_MGR_IDENTIFIER": 48, "VERSION": 8,
            "PRODUCT": 4}  # fmt: skip  # a table: ends of names
_LONGEST_FIXED = 264
_LISTED = ("AUTHLIST", "COMPHDR", "COMPMSG", "PROTOCOL", "SUITEB")
"""Keywords whose words are a list of integers, if only of one."""
_REASONS = {
    mq.MQRC_OBJECT_ALREADY_EXISTS: mq.MQRCCF_OBJECT_ALREADY_EXISTS,
    mq.MQRC_OBJECT_TYPE_ERROR: mq.MQRCCF_OBJECT_WRONG_TYPE,
    mq.MQRC_OBJECT_IN_USE: mq.MQRCCF_OBJECT_OPEN,
    mq.MQRC_OBJECT_NAME_ERROR: mq.MQRCCF_OBJECT_NAME_ERROR,
}
_CHANNEL_REASONS = {
    mq.MQRC_OBJECT_ALREADY_EXISTS: mq.MQRCCF_CHANNEL_ALREADY_EXISTS,
    mq.MQRC_UNKNOWN_OBJECT_NAME: mq.MQRCCF_CHANNEL_NOT_FOUND,
    mq.MQRC_OBJECT_IN_USE: mq.MQRCCF_CHANNEL_IN_USE,
    mq.MQRC_OBJECT_NAME_ERROR: mq.MQRCCF_CHANNEL_NAME_ERROR,
}
_OF_NUMBERS = {
    8135: mq.MQRC_NOT_AUTHORIZED,
    8143: mq.MQRC_Q_NOT_EMPTY,
    8146: mq.MQRC_Q_MGR_NOT_AVAILABLE,
    8147: mq.MQRC_UNKNOWN_OBJECT_NAME,
    8148: mq.MQRCCF_OBJECT_OPEN,
    8150: mq.MQRCCF_OBJECT_ALREADY_EXISTS,
    8151: mq.MQRCCF_OBJECT_WRONG_TYPE,
    8152: mq.MQRCCF_LIKE_OBJECT_WRONG_TYPE,
    8214: mq.MQRCCF_MISSING_CONN_NAME,
    8215: mq.MQRCCF_XMIT_Q_NAME_ERROR,
    8226: mq.MQRCCF_CHANNEL_ALREADY_EXISTS,
    8227: mq.MQRCCF_CHANNEL_NOT_FOUND,
    8242: mq.MQRCCF_SSL_CIPHER_SPEC_ERROR,
    8405: mq.MQRCCF_ATTR_VALUE_ERROR,
    8412: mq.MQRCCF_ATTR_VALUE_ERROR,
    8413: mq.MQRCCF_CFST_STRING_LENGTH_ERR,
    8420: mq.MQRCCF_CHL_STATUS_NOT_FOUND,
    8421: mq.MQRCCF_PARM_MISSING,
    8424: mq.MQRCCF_OBJECT_NAME_ERROR,
    8461: mq.MQRCCF_CONNECTION_ID_ERROR,
    8565: mq.MQRCCF_Q_STATUS_NOT_FOUND,
    8730: mq.MQRCCF_LISTENER_RUNNING,
    8731: mq.MQRCCF_LISTENER_NOT_STARTED,
    8737: mq.MQRCCF_SERVICE_RUNNING,
    8883: mq.MQRCCF_CHLAUTH_ALREADY_EXISTS,
    8884: mq.MQRCCF_CHLAUTH_NOT_FOUND,
    8885: mq.MQRCCF_WRONG_CHLAUTH_ACTION,
    8886: mq.MQRCCF_WRONG_CHLAUTH_TYPE,
    9202: mq.MQRCCF_HOST_NOT_AVAILABLE,
    9502: mq.MQRCCF_WRONG_CHANNEL_TYPE,
    9507: mq.MQRCCF_CHANNEL_INDOUBT,
    9514: mq.MQRCCF_CHANNEL_IN_USE,
    9520: mq.MQRCCF_UNKNOWN_REMOTE_CHANNEL,
}
_NOT_FOUND = {
    "CHANNEL": mq.MQRCCF_CHANNEL_NOT_FOUND,
    "SUB": mq.MQRC_NO_SUBSCRIPTION,
    "SBSTATUS": mq.MQRC_NO_SUBSCRIPTION,
    "LSSTATUS": mq.MQRCCF_LSTR_STATUS_NOT_FOUND,
    "SVSTATUS": mq.MQRCCF_SERV_STATUS_NOT_FOUND,
    "TPSTATUS": mq.MQRCCF_TOPIC_STRING_NOT_FOUND,
}


def reason_of(error: Refused | MQError, section: str) -> int:
    """The reason code that PCF has for a refusal of MQSC."""
    if isinstance(error, MQError):
        known = {"CHANNEL": _CHANNEL_REASONS, "SUB": {mq.MQRC_UNKNOWN_OBJECT_NAME: mq.MQRC_NO_SUBSCRIPTION}}
        return known.get(section, {}).get(error.reason) or _REASONS.get(error.reason, error.reason)
    if error.number == 8147 and section in _NOT_FOUND:
        return _NOT_FOUND[section]
    if error.number == 8424 and section == "CHANNEL":
        return mq.MQRCCF_CHANNEL_NAME_ERROR
    return _OF_NUMBERS.get(error.number, mq.MQRCCF_COMMAND_FAILED)


def answer(section: str, row: dict, wanted: frozenset[int] | None) -> list[Parameter]:
    """A row of a DISPLAY as parameters: the name, the parameters of every reply, and those wanted (None: all)."""
    if section == "QUEUE":
        row = {"QTYPE" if keyword == "TYPE" else keyword: value for keyword, value in row.items()}
    if section == "CHSTATUS":
        row["INSTANCE"] = "SAVED" if row.pop("SAVED", False) else "CURRENT"
        row.pop("CURRENT", None)
    if section == "CONN":
        row = {"CONN": row.pop("EXTCONN") + row.pop("CONN"), **row}
    known = numbers.parameters(section)
    always = {next(iter(row)), *ALWAYS.get(section, ())}
    told = [one for one in row if one in known and (one in always or wanted is None or known[one] in wanted)]
    return [made for keyword in told for made in _parameter(section, keyword, known[keyword], row[keyword])]


def names(section: str, rows: Iterable[dict]) -> list[Parameter]:
    """The answer to a command that inquires names: a list of names, and a list of their types if MQ returns it."""
    rows = list(rows)
    id, keyword, types = NAME_LISTS[section]
    parameters = [pcf.strings(id, [next(iter(row.values())) for row in rows], 20 if section == "CHANNEL" else 48)]
    if keyword:
        sort = "QTYPE" if section == "QUEUE" else keyword
        parameters.append(pcf.integers(types, [numbers.words(section, sort)[row[keyword]] for row in rows]))
    return parameters


def _parameter(section: str, keyword: str, id: int, value: Any) -> Iterator[Parameter]:
    """One column of a row as the parameter with this number."""
    if id >= 7001:
        yield pcf.byte_string(id, _bytes(value))
    elif id >= 2001:
        yield _text(section, keyword, id, value)
    elif isinstance(value, int):
        yield pcf.integer(id, int(value))
    elif isinstance(value, tuple) or keyword in _LISTED or (isinstance(value, str) and "," in value):
        items = value if isinstance(value, tuple) else [part.strip() for part in value.split(",")]
        listed = [_number(section, keyword, item) for item in items]
        if keyword in ("CONNOPTS", "OPENOPTS"):
            yield pcf.integer(id, sum(item for item in listed if item is not None))
        else:
            yield pcf.integers(id, [-1 if item is None else item for item in listed])
    else:
        number = _number(section, keyword, value)
        yield pcf.integer(id, -1 if number is None else number)


def _number(section: str, keyword: str, text: str) -> int | None:
    """The number of a word, or of digits; None for neither."""
    known = numbers.words(section, keyword).get(text)
    if known is None and text.startswith("MQ"):
        known = mq.named("MQOO_").get(text, {"MQCNO_SHARED_BINDING": 256}.get(text, 0))
    if known is None and text.strip().lstrip("-").isdecimal():
        known = int(text)
    return known


def _bytes(value: Any) -> bytes:
    text = str(value)
    try:
        return bytes.fromhex(text)
    except ValueError:  # a unit of work as 0.12, or a name of an XA transaction
        number = text.partition(".")[2]
        return int(number).to_bytes(8, "big") if number.isdecimal() else b""


def _text(section: str, keyword: str, id: int, value: Any) -> Parameter:
    width = _width(section, keyword)
    if isinstance(value, tuple) and (len(value) > 1 or keyword in ("NAMES", "ADDRLIST", "USERLIST")):
        return pcf.strings(id, value, width)
    text = (value[0] if value else "") if isinstance(value, tuple) else str(value)
    return pcf.string(id, text, width)


def _width(section: str, keyword: str) -> int:
    """The length that a text is filled up to; 0 for one that is as long as it is."""
    kind = "CHANNEL" if section == "CLUSQMGR" else section if section in (*catalog.kinds(), "QUEUE") else ""
    attribute: Attribute | None = catalog.attributes(kind).get(keyword) if kind else None
    if keyword == "SSLCIPH":
        return 32
    if attribute is not None and attribute.shape in ("text", "name", "names") and not attribute.trailing_blanks:
        return attribute.length if attribute.length <= _LONGEST_FIXED else 0
    if keyword == section == kind:
        return catalog.KINDS[kind].longest if catalog.KINDS[kind].longest <= 48 else 0
    name = numbers.table()[0].get(section, {}).get(keyword)
    ends = [length for end, length in _LENGTHS.items() if name is not None and name.name.endswith(end)]
    return max(ends, default=0)
