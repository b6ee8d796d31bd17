"""Rows for the other objects DEFINE makes (row format: mqlab.mq.catalog.attribute).

Processes and name lists are whole. The rest carry their real keywords with the shape of each value, so a misspelled one
is refused and a right one kept; their defaults follow the DEFINE pages of IBM's command reference. Authentication
information is ordered as real queue managers displayed IDPWOS.
"""

from __future__ import annotations

_MAX = 999_999_999
_BIG = (0, _MAX)
_SEEN = (("ALTDATE", "text", None, 12, 2027, "read"), ("ALTTIME", "text", None, 8, 2028, "read"))
_CONTROL = ("CONTROL", "choice", "MANUAL", "MANUAL QMGR STARTONLY", 139, "")
_LDAP, _IDPW = "@IDPWLDAP", "@IDPWOS,IDPWLDAP"
_PARENT = "ASPARENT NO YES"
_SWITCH = "ASPARENT ENABLED DISABLED"
_DELIVER = "ASPARENT ALL ALLAVAIL ALLDUR"
# DEF in MQSC is the platform's own sort of program
_APPLICATIONS = (
    "CICS=1 MVS=2 IMS=3 OS2=4 DOS=5 UNIX=6 QMGR=7 OS400=8 WINDOWS=9 CICS_VSE=10 WINDOWSNT=11 VMS=12 "
    "GUARDIAN=13 NSK=13 VOS=14 NOTESAGENT=22 USER=25 BROKER=26 JAVA=28 DEF=6"
)


def _descr(selector: int | None) -> tuple:
    return ("DESCR", "text", "", 64, selector, "free inert")


def _text(keyword: str, length: int, selector: int | None = None, marks: str = "") -> tuple:
    return (keyword, "text", "", length, selector, marks)


ROWS = {
    "PROCESS": (
        *_SEEN,                                               _text("APPLICID", 256, 2001, "free acts"),
        # a number of one's own (65536 and up) is as good as a word
        ("APPLTYPE", "int", 6, (0, _MAX, _APPLICATIONS), 1, "acts"),
        _descr(2011),                                         _text("ENVRDATA", 128, 2007, "free acts"),
        _text("USERDATA", 128, 2021, "free acts"),
    ),
    "NAMELIST": (
        ("NAMCOUNT", "int", None, (0, 256), 19, "read"),      ("NAMES", "names", (), (48, 256), 2020, "inert"),
        _descr(2009),                                         *_SEEN,
        ("NLTYPE", "choice", "NONE", "NONE QUEUE Q CLUSTER AUTHINFO", 72, "zos pick"),
    ),
    "LISTENER": (
        _CONTROL,
        ("TRPTYPE", "choice", "TCP", "TCP LU62 NETBIOS.mp SPX.mp", None, "need pick"),
        ("PORT", "int", 0, (0, 65_535), None, "@TCP"),        _text("IPADDR", 48, None, "@TCP"),
        ("SOCKET", "int", 0, _BIG, None, "mp @SPX"),          ("BACKLOG", "int", 0, _BIG, None, "mp @TCP,NETBIOS,SPX"),
        ("ADAPTER", "int", 0, (0, 255), None, "mp @NETBIOS"), _text("LOCLNAME", 8, None, "@NETBIOS"),
        ("NTBNAMES", "int", 0, _BIG, None, "mp @NETBIOS"),    ("SESSIONS", "int", 0, _BIG, None, "mp @NETBIOS"),
        ("COMMANDS", "int", 0, _BIG, None, "mp @NETBIOS"),    _text("TPNAME", 64, None, "@LU62"),
        _descr(None),                                         *_SEEN,
    ),
    "SERVICE": (
        *_SEEN,                                               _CONTROL,
        _descr(2078),
        ("SERVTYPE", "choice", "COMMAND", "COMMAND SERVER", 121, ""),
        _text("STARTARG", 255, 2080, "free"),                 _text("STARTCMD", 255, 2079, "free"),
        _text("STDERR", 255, 2084, "free"),                   _text("STDOUT", 255, 2083, "free"),
        _text("STOPARG", 255, 2082, "free"),                  _text("STOPCMD", 255, 2081, "free"),
    ),
    "TOPIC": (
        ("TYPE", "choice", "LOCAL", "LOCAL CLUSTER ALL", 208, "pick"),
        _text("TOPICSTR", 10_240, 2094, "var need once acts pick"),
        _descr(2093),
        ("CAPEXPRY", "int", -2, (1, _MAX, "NOLIMIT=-1 ASPARENT=-2"), 276, "acts"),
        ("CLROUTE", "choice", "DIRECT", "DIRECT TOPICHOST", 255, ""),
        ("CLUSTER", "name", "", 48, 2029, "pick"),
        ("COMMINFO", "name", "SYSTEM.DEFAULT.COMMINFO.MULTICAST", 48, 2110, "mp"),
        _text("CUSTOM", 128, 2119, "acts"),                   ("DEFPRTY", "int", -1, (0, 9, "ASPARENT=-1"), 6, "acts"),
        ("DEFPSIST", "choice", "ASPARENT", _PARENT, 185, "acts"),
        ("DEFPRESP", "choice", "ASPARENT", "ASPARENT SYNC ASYNC", 184, ""),
        ("DURSUB", "choice", "ASPARENT", _PARENT, 175, "acts"),
        ("MCAST", "choice", "ASPARENT", "ASPARENT DISABLED ENABLED ONLY", 176, "mp 710"),
        ("MDURMDL", "name", "", 48, 2096, "acts"),            ("MNDURMDL", "name", "", 48, 2097, "acts"),
        ("NPMSGDLV", "choice", "ASPARENT", _DELIVER, 196, "acts"),
        ("PMSGDLV", "choice", "ASPARENT", _DELIVER, 195, "acts"),
        ("PROXYSUB", "choice", "FIRSTUSE", "FIRSTUSE FORCE", 199, ""),
        ("PUB", "choice", "ASPARENT", _SWITCH, 181, "acts"),
        ("PUBSCOPE", "choice", "ASPARENT", "ASPARENT QMGR ALL", 219, ""),
        ("SUB", "choice", "ASPARENT", _SWITCH, 182, "acts"),
        ("SUBSCOPE", "choice", "ASPARENT", "ASPARENT QMGR ALL", 218, ""),
        ("USEDLQ", "choice", "ASPARENT", _PARENT, 234, "acts"),
        ("WILDCARD", "choice", "PASSTHRU", "PASSTHRU BLOCK", 216, "acts"),
        *_SEEN,                                               ("CLSTATE", "text", None, 12, 256, "read"),
        ("CLUSDATE", "text", None, 12, 2037, "read"),         ("CLUSQMGR", "name", None, 48, 2031, "read"),
        ("CLUSTIME", "text", None, 8, 2038, "read"),          ("QMID", "text", None, 48, 2032, "read"),
    ),
    "SUB": (
        ("SUBID", "text", None, 48, None, "read pick"),       ("SUBNAME", "text", None, 10_240, None, ""),
        _text("TOPICSTR", 10_240, 2094, "var once acts pick"), ("TOPICOBJ", "name", "", 48, 2092, "once acts"),
        ("DEST", "name", "", 48, None, "acts"),
        ("DESTCLAS", "choice", "PROVIDED", "PROVIDED MANAGED", None, "once acts"),
        _text("DESTCORL", 48, None, "acts"),                  ("DESTQMGR", "name", "", 48, None, "acts"),
        ("DISTYPE", "choice", None, "RESOLVED DEFINED", 262, "read pick"),
        ("DURABLE", "choice", None, "YES NO", None, "read pick"),
        ("EXPIRY", "int", -1, (0, _MAX, "UNLIMITED=-1"), None, "acts"),
        ("PSPROP", "choice", "MSGPROP", "NONE COMPAT RFH2 MSGPROP", None, ""),
        _text("PUBACCT", 64, None, "acts"),                   _text("PUBAPPID", 32, None, "acts"),
        ("PUBPRTY", "int", -3, (0, 9, "ASPUB=-3 ASQDEF=-1"), None, "acts"),
        ("REQONLY", "choice", "NO", "NO YES", None, "acts"),  _text("SELECTOR", 10_240, None, "var once free acts"),
        ("SELTYPE", "choice", None, "NONE STANDARD EXTENDED", None, "read"),
        ("SUBLEVEL", "int", 1, (0, 9), None, "once acts"),    ("SUBSCOPE", "choice", "ALL", "ALL QMGR", 218, "once"),
        ("SUBTYPE", "choice", None, "ADMIN API PROXY USER ALL", None, "read pick"),
        _text("SUBUSER", 12, None, "acts"),                   _text("USERDATA", 10_240, None, "var free"),
        ("VARUSER", "choice", "ANY", "ANY FIXED", None, ""),
        ("WSCHEMA", "choice", "TOPIC", "TOPIC CHAR", None, "once acts"),
        *_SEEN,                                               ("CRDATE", "text", None, 12, 2004, "read"),
        ("CRTIME", "text", None, 8, 2005, "read"),
    ),
    "AUTHINFO": (
        ("AUTHTYPE", "choice", None, "CRLLDAP OCSP.701 IDPWOS.800 IDPWLDAP.mp.800", 66, "need once pick acts"),
        ("ADOPTCTX", "choice", "YES", "YES NO", 260, f"acts {_IDPW}"),  _descr(2046),
        _text("CONNAME", 264, 2053, f"{_LDAP},CRLLDAP"),
        ("CHCKCLNT", "choice", "REQDADM", "NONE OPTIONAL REQUIRED REQDADM", 258, f"acts {_IDPW}"),
        ("CHCKLOCL", "choice", "OPTIONAL", "NONE OPTIONAL REQUIRED REQDADM", 257, f"acts {_IDPW}"),
        _text("CLASSGRP", 128, 2133, _LDAP),                  _text("CLASSUSR", 128, 2128, _LDAP),
        ("FAILDLAY", "int", 1, (0, 60), 259, _IDPW),          ("AUTHENMD", "choice", "OS", "OS PAM", 266, "mp @IDPWOS"),
        _text("BASEDNG", 1024, 2132, _LDAP),                  _text("BASEDNU", 1024, 2126, _LDAP),
        _text("FINDGRP", 128, 2135, _LDAP),                   _text("GRPFIELD", 128, 2134, _LDAP),
        _text("LDAPUSER", 1024, 2047, f"{_LDAP},CRLLDAP"),    _text("LDAPPWD", 256, 2048, f"free {_LDAP},CRLLDAP"),
        _text("OCSPURL", 256, 2109, "@OCSP"),                 _text("SHORTUSR", 128, 2127, _LDAP),
        _text("USRFIELD", 128, 2129, _LDAP),                  ("NESTGRP", "choice", "NO", "NO YES", 264, f"mp {_LDAP}"),
        ("AUTHORMD", "choice", "OS", "OS SEARCHGRP SEARCHUSR SRCHGRPSN", 263, f"mp {_LDAP}"),
        ("SECCOMM", "choice", "NO", "NO YES ANON", 261, f"mp {_LDAP}"),
        *_SEEN,
    ),
    "COMMINFO": (
        ("TYPE", "choice", "MULTICAST", "MULTICAST", 223, "pick"),
        *_SEEN,
        ("BRIDGE", "choice", "ENABLED", "ENABLED DISABLED", 233, ""),
        ("CCSID", "int", -4, (1, 65_535, "ASPUB=-4"), 2, ""),
        ("COMMEV", "choice", "DISABLED", "DISABLED ENABLED EXCEPTION", 232, ""),
        _descr(2111),
        ("ENCODING", "int", -1, (0, _MAX, "ASPUB=-1 NORMAL=273 REVERSED=546 S390=785 TNS=1041"), None, ""),
        _text("GRPADDR", 264),                                ("MCHBINT", "int", 2000, _BIG, None, ""),
        ("MCPROP", "choice", "ALL", "ALL COMPAT NONE REPLY USER", None, ""),
        ("MONINT", "int", 60, _BIG, 81, ""),                  ("MSGHIST", "int", 100, (-1, _MAX), None, ""),
        ("NSUBHIST", "choice", "NONE", "NONE ALL", None, ""), ("PORT", "int", 1414, (0, 65_535), None, ""),
    ),
    "STGCLASS": (
        *_SEEN,                                               _descr(2042),
        ("PSID", "int", 0, (0, 99), 62, "zos pick"),          _text("PASSTKTA", 8, 2086, "zos"),
        _text("XCFGNAME", 8, 2043, "zos"),                    _text("XCFMNAME", 16, 2044, "zos"),
    ),
    "BUFFPOOL": (
        ("BUFFERS", "int", 1000, (4, _MAX), None, "zos"),
        ("LOCATION", "choice", "BELOW", "BELOW ABOVE SWITCHABLE", None, "zos 800 =LOC"),
        ("PAGECLAS", "choice", "4KB", "4KB FIXED4KB", None, "zos 800"),
    ),
    "PSID": (
        ("BUFFPOOL", "int", 0, (0, 99), None, "zos"),         _text("DSN", 44, None, "zos"),
        ("EXPAND", "choice", "USER", "USER SYSTEM NONE", None, "zos"),
    ),
}  # fmt: skip  # a table of two columns
"""Kind of object -> its rows."""

AUTHINFO_NEEDS = {"OCSP": ("OCSPURL",), "CRLLDAP": ("CONNAME",)}
"""Attributes that DEFINE AUTHINFO of a type needs, unless LIKE gives them."""
