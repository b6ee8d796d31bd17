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
