"""Rows for the queue manager itself, in the order DISPLAY QMGR prints them (row format: mqlab.mq.catalog.attribute).

Defaults are those a real 9.4.2 queue manager showed, its developer image's own changes taken out; on z/OS the command
reference's. Selectors are IBM's header values.
"""

_EV = "ENABLED DISABLED"
_MON = "NONE OFF LOW MEDIUM HIGH"
_MAX = 999_999_999

ROWS = (
    ("QMNAME", "name", None, 48, 2015, "read"),               ("ACCTCONO", "choice", "DISABLED", _EV, 136, "mp"),
    ("ACCTINT", "int", 1800, (0, 604_800), 135, "mp"),        ("ACCTMQI", "choice", "OFF", "ON OFF", 133, "mp"),
    ("ACCTQ", "choice", "OFF", "NONE OFF ON", 134, ""),       ("ACTCHL", "int", 200, (1, 9999), 100, "zos"),
    ("ACTIVREC", "choice", "MSG", "DISABLED MSG QUEUE", 138, ""),
    ("ACTVCONO", "choice", "DISABLED", _EV, 239, "mp"),       ("ACTVTRC", "choice", "OFF", "ON OFF", 240, "mp"),
    ("ADOPTCHK", "choice", "ALL", "ALL NETADDR NONE QMNAME", 102, "zos"),
    ("ADOPTMCA", "choice", "ALL", "ALL NO", 103, "zos"),      ("ADVCAP", "choice", "ENABLED", _EV, 273, "read"),
    ("ALTDATE", "text", None, 12, 2027, "read"),              ("ALTTIME", "text", None, 8, 2028, "read"),
    ("AMQPCAP", "choice", "NO", "NO YES", 265, "mp read"),    ("AUTHOREV", "choice", "DISABLED", _EV, 47, "acts"),
    ("BRIDGEEV", "choice", "DISABLED", _EV, 74, "zos acts"),  ("CCSID", "int", 1208, (1, 65_535), 2, "acts"),
    ("CERTLABL", "text", "", 64, 2121, ""),
    ("CERTVPOL", "choice", "ANY", "ANY RFC5280", 252, "mp"),
    ("CHAD", "choice", "DISABLED", _EV, 55, "mp acts"),            ("CHADEV", "choice", "DISABLED", _EV, 56, "mp acts"),
    ("CHADEXIT", "text", "", 128, 2026, "mp"),                ("CHIADAPS", "int", 8, (0, 9999), 101, "zos"),
    ("CHIDISPS", "int", 5, (1, 9999), 105, "zos"),            ("CHISERVP", "text", "", 32, 2076, "zos"),
    ("CHLEV", "choice", "DISABLED", "ENABLED DISABLED EXCEPTION", 73, "acts"),
    ("CHLAUTH", "choice", "ENABLED", _EV, 248, "acts"),           ("CLWLDATA", "text", "", 32, 2034, ""),
    ("CLWLEXIT", "text", "", 128, 2033, ""),                  ("CLWLLEN", "int", 100, (0, _MAX), 58, ""),
    ("CLWLMRUC", "int", _MAX, (1, _MAX), 97, ""),             ("CLWLUSEQ", "choice", "LOCAL", "LOCAL ANY", 98, ""),
    ("CMDEV", "choice", "DISABLED", "ENABLED DISABLED NODISPLAY.701", 99, "mp701 acts"),
    ("CMDLEVEL", "int", None, (0, 9999), 31, "read"),
    ("COMMANDQ", "name", "SYSTEM.ADMIN.COMMAND.QUEUE", 48, 2003, "read"),
    ("CONFIGEV", "choice", "DISABLED", _EV, 51, "mp701 acts"),
    ("CONNAUTH", "name", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", 48, 2125, "acts"),
    ("CPILEVEL", "int", 100, (0, 9999), 27, "zos read"),      ("CRDATE", "text", None, 12, 2004, "mp read"),
    ("CRTIME", "text", None, 8, 2005, "mp read"),             ("CUSTOM", "text", "", 128, 2119, ""),
    ("DEADQ", "name", "", 48, 2006, "acts"),                  ("DEFCLXQ", "choice", "SCTQ", "SCTQ CHANNEL", 250, ""),
    ("DEFXMITQ", "name", "", 48, 2025, "acts"),               ("DESCR", "text", "", 64, 2014, "free inert"),
    ("DISTL", "choice", "YES", "YES NO", 34, "mp read"),      ("DNSGROUP", "text", "", 18, 2071, "zos"),
    ("DNSWLM", "choice", "NO", "NO YES", 106, "zos"),
    ("EXPRYINT", "int", 0, (1, 99_999_999, "OFF=0"), 39, "zos acts"),
    ("IMGINTVL", "int", 60, (1, _MAX, "OFF=0"), 269, "mp"),
    ("IMGLOGLN", "int", 0, (1, _MAX, "OFF=0"), 270, "mp"),    ("IMGRCOVO", "choice", "YES", "YES NO", 271, "mp"),
    ("IMGRCOVQ", "choice", "YES", "YES NO", 272, "mp"),
    ("IMGSCHED", "choice", "MANUAL", "AUTO MANUAL", 268, "mp"),
    ("INHIBTEV", "choice", "DISABLED", _EV, 48, "acts"),          ("INITKEY", "text", "", 256, None, "mp free 930"),
    ("IPADDRV", "choice", "IPV4", "IPV4 IPV6", 93, ""),
    ("LOCALEV", "choice", "DISABLED", _EV, 49, "acts"),           ("LOGGEREV", "choice", "DISABLED", _EV, 94, "mp"),
    ("LSTRTMR", "int", 60, (5, 9999), 107, "zos"),            ("LUGROUP", "text", "", 8, 2072, "zos"),
    ("LUNAME", "text", "", 8, 2073, "zos"),                   ("LU62ARM", "text", "", 2, 2074, "zos"),
    ("LU62CHL", "int", 200, (0, 9999), 108, "zos"),        ("MARKINT", "int", 5000, (0, _MAX, "NOLIMIT=-1"), 68, "700"),
    ("MAXCHL", "int", 200, (1, 9999), 109, "zos"),            ("MAXHANDS", "int", 256, (0, _MAX), 11, "acts"),
    ("MAXMSGL", "int", 4_194_304, (32_768, 104_857_600), 13, "acts"),
    ("MAXPROPL", "int", -1, (0, 104_857_600, "NOLIMIT=-1"), 192, "acts"),
    ("MAXPRTY", "int", 9, (0, 9), 14, "read"),                ("MAXUMSGS", "int", 10_000, (1, _MAX), 33, "acts"),
    ("MONACLS", "choice", "QMGR", "QMGR NONE LOW MEDIUM HIGH", 124, ""),
    ("MONCHL", "choice", "OFF", _MON, 122, "acts"),           ("MONQ", "choice", "OFF", _MON, 123, "acts"),
    ("OPORTMAX", "int", 0, (0, 65_535), 140, "zos"),          ("OPORTMIN", "int", 0, (0, 65_535), 110, "zos"),
    ("OTELPCTL", "choice", None, "MANUAL AUTO", None, "zos 943"),
    ("OTELTRAC", "choice", None, "ON OFF NONE", None, "zos 943"),
    ("PARENT", "name", "", 48, 2102, ""),                     ("PERFMEV", "choice", "DISABLED", _EV, 53, "acts"),
    ("PLATFORM", "choice", None, "UNIX MVS VSE WINDOWSNT OS400 APPLIANCE", 32, "read"),
    ("PSMODE", "choice", "ENABLED", "ENABLED COMPAT DISABLED", 187, ""),
    ("PSCLUS", "choice", "ENABLED", _EV, 249, ""),            ("PSNPMSG", "choice", "DISCARD", "DISCARD KEEP", 203, ""),
    ("PSNPRES", "choice", "NORMAL", "NORMAL SAFE DISCARD KEEP", 205, ""),
    ("PSRTYCNT", "int", 5, (0, _MAX), 206, ""),               ("PSSYNCPT", "choice", "IFPER", "IFPER YES", 207, ""),
    ("QMID", "text", None, 48, 2032, "read"),
    ("RCVTIME", "int", 0, (0, 999_999), 111, "zos"),          ("RCVTMIN", "int", 0, (0, 999_999), 113, "zos"),
    ("RCVTTYPE", "choice", "MULTIPLY", "MULTIPLY ADD EQUAL", 112, "zos"),
    ("REMOTEEV", "choice", "DISABLED", _EV, 50, "acts"),          ("REPOS", "name", "", 48, 2035, ""),
    ("REPOSNL", "name", "", 48, 2036, ""),                    ("REVDNS", "choice", "ENABLED", _EV, 254, "mp"),
    ("ROUTEREC", "choice", "MSG", "DISABLED MSG QUEUE", 137, ""),
    ("SCHINIT", "choice", "QMGR", "QMGR MANUAL", 119, "mp acts"),
    ("SCMDSERV", "choice", "QMGR", "QMGR MANUAL", 120, "mp acts"),
    ("SCYCASE", "choice", "UPPER", "UPPER MIXED", 141, "zos"), ("SPLCAP", "choice", "ENABLED", _EV, 251, "read"),
    ("SSLCRLNL", "name", "", 48, 2050, ""),                   ("SSLCRYP", "text", "", 256, 2051, "mp free"),
    ("SSLEV", "choice", "DISABLED", _EV, 75, ""),             ("SSLFIPS", "choice", "NO", "NO YES", 92, ""),
    ("KEYRPWD", "text", "", 1024, None, "mp free 930"),
    ("SSLKEYR", "text", "", 256, 2049, "free"),               ("SSLRKEYC", "int", 0, (0, _MAX), 76, ""),
    ("SSLTASKS", "int", 0, (0, 9999), 69, "zos"),
    ("STATACLS", "choice", "QMGR", "QMGR NONE LOW MEDIUM HIGH", 130, ""),
    ("STATCHL", "choice", "OFF", _MON, 129, ""),              ("STATINT", "int", 1800, (0, 604_800), 131, "mp"),
    ("STATMQI", "choice", "OFF", "ON OFF", 127, "mp"),        ("STATQ", "choice", "OFF", "NONE OFF ON", 128, ""),
    ("STRSTPEV", "choice", "ENABLED", _EV, 52, "acts"),
    ("SUITEB", "words", ("NONE",), "NONE 128_BIT 192_BIT", 247, "mp"),
    ("SYNCPT", "flag", True, None, 30, "read"),               ("TCPCHL", "int", 200, (0, 9999), 114, "zos"),
    ("TCPKEEP", "choice", "NO", "NO YES", 115, "zos"),        ("TCPNAME", "text", "TCPIP", 8, 2075, "zos"),
    ("TCPSTACK", "choice", "SINGLE", "SINGLE MULTIPLE", 116, "zos"),
    ("TRAXSTR", "choice", "YES", "YES NO", 117, "zos"),       ("TRAXTBL", "int", 2, (0, 2048), 118, "zos"),
    ("TREELIFE", "int", 1800, (0, 604_000), 183, "acts"),     ("TRIGINT", "int", _MAX, (0, _MAX), 25, "acts"),
    ("VERSION", "text", None, 8, 2120, "read"),               ("XRCAP", "choice", "YES", "YES NO", 243, "mp read"),
)  # fmt: skip  # a table of two columns

ON_ZOS = {
    "CCSID": 500,
    "CONNAUTH": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
    "MAXMSGL": 104_857_600,
    "COMMANDQ": "SYSTEM.COMMAND.INPUT",
}
"""Defaults that z/OS has otherwise."""

_GROUPS = {
    "EVENT": " ".join(row[0] for row in ROWS if row[0].endswith("EV")),  # text: a keyword
    "CLUSTER": "CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ DEFCLXQ MONACLS PSCLUS QMID REPOS REPOSNL",
    "PUBSUB": "PARENT PSCLUS PSMODE PSNPMSG PSNPRES PSRTYCNT PSSYNCPT TREELIFE",
    "CHINIT": "ACTCHL ADOPTCHK ADOPTMCA CHADEXIT CHIADAPS CHIDISPS CHISERVP CHLAUTH IPADDRV LSTRTMR LUGROUP LUNAME "
    "LU62ARM LU62CHL MAXCHL MONCHL OPORTMAX OPORTMIN RCVTIME RCVTMIN RCVTTYPE SCHINIT SSLRKEYC SSLTASKS "
    "STATCHL TCPCHL TCPKEEP TCPNAME TCPSTACK TRAXSTR TRAXTBL",
    "SYSTEM": "ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ALTDATE ALTTIME CCSID CMDLEVEL COMMANDQ CRDATE CRTIME CUSTOM "
    "DEADQ DEFXMITQ DESCR DISTL EXPRYINT MARKINT MAXHANDS MAXMSGL MAXPROPL MAXPRTY MAXUMSGS MONQ PLATFORM "
    "ROUTEREC SCMDSERV STATINT STATMQI STATQ SYNCPT TRIGINT VERSION",
}
GROUPS = {word: tuple(keywords.split()) for word, keywords in _GROUPS.items()}
"""DISPLAY QMGR's words for groups of attributes."""


def certificate_label(name: str, platform: str) -> str:
    """Return the CERTLABL that a new queue manager has, "" on z/OS.

    >>> certificate_label("QM1", "distributed")
    'ibmwebspheremqqm1'
    """
    return f"ibmwebspheremq{name.lower()}" if platform == "distributed" else ""


def version(level: int) -> str:
    """Write a command level as VERSION has it.

    >>> version(942)
    '09040200'
    """
    return f"{level // 100:02}{level // 10 % 10:02}{level % 10:02}00"
