"""Rows for the four kinds of queue, in the order DISPLAY prints them (row format: mqlab.mq.catalog.attribute).

Defaults are those of a real queue manager's SYSTEM.DEFAULT objects (behavior notes 3.1 and 5.1); selectors are IBM's
header values. HARDENBO: dumps disagree, V7 and later show HARDENBO. The model queue's DEFTYPE, DEFSOPT and NOSHARE and
what z/OS has otherwise (in `kinds`) are common knowledge, not read in a dump.
"""

from collections.abc import Mapping

_MAX = 999_999_999
_BIG = (0, _MAX)
_ON_OFF = "ENABLED DISABLED"

_ALL_ROWS = (
    ("ACCTQ", "choice", "QMGR", "QMGR ON OFF", 134, ""),      ("ALTDATE", "text", None, 12, 2027, "read"),
    ("ALTTIME", "text", None, 8, 2028, "read"),               ("BOQNAME", "name", "", 48, 2019, "inert"),
    ("BOTHRESH", "int", 0, _BIG, 22, "inert"),
    ("CAPEXPRY", "int", -1, (1, _MAX, "NOLIMIT=-1"), 276, "acts"),
    ("CLCHNAME", "text", "", 20, 2124, ""),
    ("CLUSNL", "name", "", 48, 2030, "pick"),                 ("CLUSTER", "name", "", 48, 2029, "pick"),
    ("CLWLPRTY", "int", 0, (0, 9), 96, ""),                   ("CLWLRANK", "int", 0, (0, 9), 95, ""),
    ("CLWLUSEQ", "choice", "QMGR", "QMGR ANY LOCAL", 98, ""), ("CRDATE", "text", None, 12, 2004, "read"),
    ("CRTIME", "text", None, 8, 2005, "read"),                ("CURDEPTH", "int", None, _BIG, 3, "read"),
    ("CUSTOM", "text", "", 128, 2119, "acts"),
    ("DEFBIND", "choice", "OPEN", "OPEN NOTFIXED GROUP.710", 61, ""),
    ("DEFPRTY", "int", 0, (0, 9), 6, "acts"),                 ("DEFPSIST", "choice", "NO", "NO YES", 5, "acts"),
    ("DEFPRESP", "choice", "SYNC", "SYNC ASYNC", 184, ""),    ("DEFREADA", "choice", "NO", "NO YES DISABLED", 188, ""),
    ("DEFSOPT", "choice", "SHARED", "SHARED EXCL", 4, "acts"),
    ("DEFTYPE", "choice", "PREDEFINED", "PREDEFINED PERMDYN TEMPDYN SHAREDYN.zos", 7, "read"),
    ("DESCR", "text", "", 64, 2013, "free inert"),            ("DISTL", "choice", "NO", "NO YES", 34, "mp"),
    ("GET", "choice", "ENABLED", _ON_OFF, 9, "acts"),         ("HARDENBO", "flag", True, None, 8, "acts"),
    ("IMGRCOVQ", "choice", "QMGR", "QMGR YES NO", 272, "mp"),
    ("INDXTYPE", "choice", "NONE", "NONE MSGID CORRELID GROUPID MSGTOKEN", 57, "zos acts"),
    ("INITQ", "name", "", 48, 2008, "acts"),                  ("IPPROCS", "int", None, _BIG, 17, "read"),
    ("MAXDEPTH", "int", 5000, _BIG, 15, "acts"),
    ("MAXFSIZE", "int", -1, (20, 267_386_880, "DEFAULT=-1"), 274, "mp"),
    ("MAXMSGL", "int", 4_194_304, (0, 104_857_600), 13, "acts"),
    ("MONQ", "choice", "QMGR", "QMGR OFF LOW MEDIUM HIGH", 123, "acts"),
    ("MSGDLVSQ", "choice", "PRIORITY", "PRIORITY FIFO", 16, "acts"),
    ("TRIGGER", "flag", False, None, 24, "acts"),
    ("NPMCLASS", "choice", "NORMAL", "NORMAL HIGH", 78, "mp acts"),
    ("OPPROCS", "int", None, _BIG, 18, "read"),
    ("OTELPCTL", "choice", None, "QMGR MANUAL AUTO", None, "zos 943"),
    ("OTELTRAC", "choice", None, "QMGR ON OFF", None, "zos 943"),
    ("PROCESS", "name", "", 48, 2012, "acts"),
    ("PUT", "choice", "ENABLED", _ON_OFF, 10, "acts"),
    ("PROPCTL", "choice", "COMPAT", "COMPAT ALL FORCE NONE V6COMPAT", 190, "acts"),
    ("PSID", "int", None, (0, 99), 62, "zos read pick"),      ("QDEPTHHI", "int", 80, (0, 100), 40, "acts"),
    ("QDEPTHLO", "int", 20, (0, 100), 41, "acts"),            ("QDPHIEV", "choice", "DISABLED", _ON_OFF, 43, "acts"),
    ("QDPLOEV", "choice", "DISABLED", _ON_OFF, 44, "acts"),   ("QDPMAXEV", "choice", "ENABLED", _ON_OFF, 42, "acts"),
    ("QSVCIEV", "choice", "NONE", "NONE HIGH OK", 46, "acts"),    ("QSVCINT", "int", _MAX, _BIG, 54, "acts"),
    ("RETINTVL", "int", _MAX, _BIG, 21, ""),                  ("RNAME", "name", "", 48, 2018, "acts"),
    ("RQMNAME", "name", "", 48, 2017, "acts"),                ("SCOPE", "choice", "QMGR", "QMGR CELL", 45, "mp"),
    ("SHARE", "flag", True, None, 23, "acts"),                ("STATQ", "choice", "QMGR", "QMGR ON OFF", 128, ""),
    ("STGCLASS", "name", "DEFAULT", 8, 2022, "zos pick"),     ("STREAMQ", "name", "", 48, 2138, "acts"),
    ("STRMQOS", "choice", "BESTEF", "BESTEF MUSTDUP", 275, "acts"),
    ("TARGET", "name", "", 48, 2002, "=TARGQ acts"),
    ("TARGTYPE", "choice", "QUEUE", "QUEUE TOPIC", 193, "acts pick"),
    ("TPIPE", "names", None, (8, 99), 2085, "zos read"),      ("TRIGDATA", "text", "", 64, 2023, "free acts"),
    ("TRIGDPTH", "int", 1, (1, _MAX), 29, "acts"),            ("TRIGMPRI", "int", 0, (0, 9), 26, "acts"),
    ("TRIGTYPE", "choice", "FIRST", "FIRST EVERY DEPTH NONE", 28, "acts"),
    ("USAGE", "choice", "NORMAL", "NORMAL XMITQ", 12, "acts"),
    ("XMITQ", "name", "", 48, 2024, "acts"),
    # seen by DISPLAY QUEUE of a cluster queue, or by DISPLAY on z/OS
    ("CLUSDATE", "text", None, 12, 2037, "read"),             ("CLUSQMGR", "name", None, 48, 2031, "read"),
    ("CLUSQT", "choice", None, "QLOCAL QALIAS QREMOTE QMGR", 59, "read"),
    ("CLUSTIME", "text", None, 8, 2038, "read"),              ("QMID", "text", None, 48, 2032, "read"),
    ("QTYPE", "choice", None, "QLOCAL QALIAS QREMOTE QMODEL QCLUSTER", 20, "read =TYPE pick"),
)  # fmt: skip  # a table of two columns
_EVERY_ROW = {row[0]: row for row in _ALL_ROWS}

_MODEL_ROWS = {
    "DEFTYPE": ("DEFTYPE", "choice", "TEMPDYN", "TEMPDYN PERMDYN SHAREDYN.zos", 7, "acts"),
    "DEFSOPT": ("DEFSOPT", "choice", "EXCL", "EXCL SHARED", 4, "acts"),
    "SHARE": ("SHARE", "flag", False, None, 23, "acts"),
}

_EVERY = "ALTDATE ALTTIME CAPEXPRY CUSTOM DEFPRTY DEFPSIST DEFPRESP DESCR PUT QTYPE"
_CLUSTERED = "CLUSNL CLUSTER CLWLPRTY CLWLRANK DEFBIND SCOPE CLUSDATE CLUSQMGR CLUSQT CLUSTIME QMID"
_STORED = (
    "ACCTQ BOQNAME BOTHRESH CLCHNAME CRDATE CRTIME DEFREADA DEFSOPT DEFTYPE DISTL GET HARDENBO "
    "IMGRCOVQ INDXTYPE INITQ MAXDEPTH MAXFSIZE MAXMSGL MONQ MSGDLVSQ TRIGGER NPMCLASS OTELPCTL OTELTRAC PROCESS "
    "PROPCTL QDEPTHHI QDEPTHLO QDPHIEV QDPLOEV QDPMAXEV QSVCIEV QSVCINT RETINTVL SHARE STATQ STGCLASS STREAMQ "
    "STRMQOS TRIGDATA TRIGDPTH TRIGMPRI TRIGTYPE USAGE"
)


def _kind(keywords: str, instead: Mapping[str, tuple] = {}) -> tuple:
    wanted = set(keywords.split())
    return tuple(instead.get(keyword, row) for keyword, row in _EVERY_ROW.items() if keyword in wanted)


ROWS = {
    "QLOCAL": _kind(f"{_EVERY} {_CLUSTERED} {_STORED} CLWLUSEQ CURDEPTH IPPROCS OPPROCS PSID TPIPE"),
    "QMODEL": _kind(f"{_EVERY} {_STORED}", _MODEL_ROWS),
    "QALIAS": _kind(f"{_EVERY} {_CLUSTERED} DEFREADA GET PROPCTL TARGET TARGTYPE"),
    "QREMOTE": _kind(f"{_EVERY} {_CLUSTERED} RNAME RQMNAME XMITQ OTELPCTL OTELTRAC"),
}
"""Kind of queue -> its rows."""
