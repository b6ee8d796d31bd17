"""The numbers that the MQI has for the words of MQSC: TRIGTYPE(FIRST) is 1 for MQINQ, MQSET, and PCF."""

from __future__ import annotations

from typing import Any

_WORDS: dict[str, int] = {
    "DISABLED": 0,
    "ENABLED": 1,
    "EXCEPTION": 2,
    "NODISPLAY": 3,
    "NO": 0,
    "YES": 1,
    "QMGR": -3,
    "NONE": -1,
    "OFF": 0,
    "ON": 1,
    "LOW": 17,
    "MEDIUM": 33,
    "HIGH": 65,
}
"""What most attributes mean by these words."""

_OF: dict[str, dict[str, int]] = {
    "GET": {"ENABLED": 0, "DISABLED": 1},
    "PUT": {"ENABLED": 0, "DISABLED": 1},
    "TRIGTYPE": {"NONE": 0, "FIRST": 1, "EVERY": 2, "DEPTH": 3},
    "MSGDLVSQ": {"PRIORITY": 0, "FIFO": 1},
    "DEFSOPT": {"SHARED": 2, "EXCL": 4},
    "USAGE": {"NORMAL": 0, "XMITQ": 1},
    "QTYPE": {"QLOCAL": 1, "QMODEL": 2, "QALIAS": 3, "QREMOTE": 6, "QCLUSTER": 7},
    "DEFTYPE": {"PREDEFINED": 1, "PERMDYN": 2, "TEMPDYN": 3, "SHAREDYN": 4},
    "SCOPE": {"QMGR": 1, "CELL": 2},
    "DEFBIND": {"OPEN": 0, "NOTFIXED": 1, "GROUP": 2},
    "NPMCLASS": {"NORMAL": 0, "HIGH": 10},
    "QSVCIEV": {"NONE": 0, "HIGH": 1, "OK": 2},
    "PROPCTL": {"COMPAT": 0, "NONE": 1, "ALL": 2, "FORCE": 3, "V6COMPAT": 4},
    "DEFREADA": {"NO": 0, "YES": 1, "DISABLED": 2},
    "DEFPRESP": {"SYNC": 1, "ASYNC": 2},
    "INDXTYPE": {"NONE": 0, "MSGID": 1, "CORRELID": 2, "MSGTOKEN": 4, "GROUPID": 5},
    "CLWLUSEQ": {"LOCAL": 0, "ANY": 1, "QMGR": -3},
    "STRMQOS": {"BESTEF": 0, "MUSTDUP": 1},
    "TARGTYPE": {"QUEUE": 1, "TOPIC": 8},
    "PLATFORM": {"MVS": 1, "UNIX": 3, "OS400": 4, "WINDOWSNT": 11, "VSE": 27, "APPLIANCE": 28},
    "ACTIVREC": {"DISABLED": 0, "QUEUE": 1, "MSG": 2},
    "ROUTEREC": {"DISABLED": 0, "QUEUE": 1, "MSG": 2},
    "PSMODE": {"DISABLED": 0, "COMPAT": 1, "ENABLED": 2},
    "PSNPMSG": {"DISCARD": 1, "KEEP": 2},
    "PSNPRES": {"NORMAL": 0, "SAFE": 1, "DISCARD": 2, "KEEP": 3},
    "PSSYNCPT": {"YES": 0, "IFPER": 1},
    "REVDNS": {"ENABLED": 0, "DISABLED": 1},
    "SCHINIT": {"QMGR": 0, "MANUAL": 2},
    "SCMDSERV": {"QMGR": 0, "MANUAL": 2},
    "IPADDRV": {"IPV4": 0, "IPV6": 1},
    "DEFCLXQ": {"SCTQ": 0, "CHANNEL": 1},
    "CERTVPOL": {"ANY": 0, "RFC5280": 1},
    "IMGSCHED": {"MANUAL": 0, "AUTO": 1},
}


def number(keyword: str, value: Any) -> int:
    """The number that the MQI has for the value of this attribute.

    >>> number("TRIGTYPE", "FIRST"), number("TRIGGER", True), number("MAXDEPTH", 5000)
    (1, 1, 5000)
    """
    if not isinstance(value, str):
        return int(value)
    return _OF.get(keyword, _WORDS)[value]


def word(keyword: str, value: int) -> Any:
    """The word of MQSC for a number of the MQI; the number itself where there is none.

    >>> word("GET", 1), word("TRIGDPTH", 3)
    ('DISABLED', 3)
    """
    return {code: each for each, code in _OF.get(keyword, {}).items()}.get(value, value)
