"""Rows for channels, each with the channel types that have it (row format: mqlab.mq.catalog.attribute).

Which type has what, and the defaults, are those a real 9.4.2 queue manager displayed for its SYSTEM.DEF channels
(behaviour notes 4.2); AMQP, MQTT and client-connection channels as the command reference says.
"""

TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP", "MQTT")

_CLUSTER = "CLUSSDR CLUSRCVR"
_OUT = f"SDR SVR {_CLUSTER}"
_MESSAGE = f"{_OUT} RCVR RQSTR"
_IN = "RCVR RQSTR CLUSRCVR"
_CLIENT = "CLNTCONN SVRCONN"
_MCA = f"{_MESSAGE} {_CLIENT}"
_ALL = " ".join(TYPES)
_COMPRESSION = "NONE RLE ZLIBFAST ZLIBHIGH LZ4FAST LZ4HIGH ANY"
_MON = "QMGR OFF LOW MEDIUM HIGH"
_BIG = (0, 999_999_999)


def _text(types: str, keyword: str, length: int, marks: str = "") -> tuple:
    return (types, (keyword, "text", "", length, None, marks))


def _exit(types: str, keyword: str, length: int) -> tuple:
    return (types, (keyword, "names", (), (length, 8), None, "free"))


ROWS = (
    (_ALL, ("CHLTYPE", "choice", None, _ALL, None, "need once =TYPE acts pick")),
    ("CLNTCONN", ("AFFINITY", "choice", "PREFERRED", "PREFERRED NONE", None, "")),
    (_ALL, ("ALTDATE", "text", None, 12, 2027, "read")),
    (_ALL, ("ALTTIME", "text", None, 8, 2028, "read")),
    ("AMQP", ("AMQPKA", "int", -1, (0, 99_999, "AUTO=-1"), None, "")),
    (_ALL, ("AUTOSTART", "choice", None, "ENABLED DISABLED", None, "zos")),
    ("MQTT", ("BACKLOG", "int", 0, _BIG, None, "")),
    (_OUT, ("BATCHHB", "int", 0, (0, 999_999), None, "")),
    (_OUT, ("BATCHINT", "int", 0, _BIG, None, "acts")),
    (_OUT, ("BATCHLIM", "int", 5000, (0, 999_999), None, "acts")),
    (_MESSAGE, ("BATCHSZ", "int", 50, (1, 9999), None, "acts")),
    _text(f"{_MCA} AMQP MQTT", "CERTLABL", 64),
    ("CLNTCONN", ("CLNTWGHT", "int", 0, (0, 99), None, "")),
    (_CLUSTER, ("CLUSNL", "name", "", 48, 2030, "pick")),
    (_CLUSTER, ("CLUSTER", "name", "", 48, 2029, "pick")),
    (_CLUSTER, ("CLWLPRTY", "int", 0, (0, 9), None, "")),
    (_CLUSTER, ("CLWLRANK", "int", 0, (0, 9), None, "")),
    (_CLUSTER, ("CLWLWGHT", "int", 50, (1, 99), None, "")),
    (_MCA, ("COMPHDR", "words", ("NONE",), "NONE SYSTEM", None, "")),
    (_MCA, ("COMPMSG", "words", ("NONE",), _COMPRESSION, None, "")),
    _text(f"{_OUT} RQSTR CLNTCONN", "CONNAME", 264, "acts"),
    (_OUT, ("CONVERT", "choice", "NO", "NO YES", None, "")),
    (_MCA, ("DEFCDISP", "choice", None, "PRIVATE FIXSHARED SHARED", None, "zos")),
    ("CLNTCONN", ("DEFRECON", "choice", "NO", "NO YES QMGR DISABLED", None, "")),
    _text(_ALL, "DESCR", 64, "free inert"),
    (f"{_OUT} SVRCONN", ("DISCINT", "int", 6000, (0, 999_999), None, "acts")),
    (_MCA, ("HBINT", "int", 300, (0, 999_999), None, "acts")),
    _text("MQTT", "JAASCFG", 1024),
    (_MCA, ("KAINT", "int", -1, (0, 99_999, "AUTO=-1"), None, "")),
    _text(f"{_OUT} RQSTR CLNTCONN AMQP MQTT", "LOCLADDR", 48),
    (_OUT, ("LONGRTY", "int", 999_999_999, _BIG, None, "acts")),
    (_OUT, ("LONGTMR", "int", 1200, _BIG, None, "acts")),
    ("SVRCONN AMQP", ("MAXINST", "int", 999_999_999, _BIG, None, "")),
    ("SVRCONN", ("MAXINSTC", "int", 999_999_999, _BIG, None, "")),
    (f"{_MCA} AMQP", ("MAXMSGL", "int", 4_194_304, (0, 104_857_600), 13, "acts")),
    _text(f"{_OUT} RQSTR", "MCANAME", 20),
    (f"{_OUT} RQSTR", ("MCATYPE", "choice", "PROCESS", "PROCESS THREAD", None, "")),
    _text(f"{_MESSAGE} SVRCONN AMQP MQTT", "MCAUSER", 64),
    _text(f"{_OUT} RQSTR CLNTCONN", "MODENAME", 8),
    (f"{_MESSAGE} SVRCONN", ("MONCHL", "choice", "QMGR", _MON, None, "")),
    _text(_IN, "MRDATA", 32, "free"),
    _text(_IN, "MREXIT", 128, "free"),
    (_IN, ("MRRTY", "int", 10, _BIG, None, "acts")),
    (_IN, ("MRTMR", "int", 1000, _BIG, None, "acts")),
    _exit(_MESSAGE, "MSGDATA", 32),
    _exit(_MESSAGE, "MSGEXIT", 999),
    ("CLUSRCVR", ("NETPRTY", "int", 0, (0, 9), None, "")),
    (_MESSAGE, ("NPMSPEED", "choice", "FAST", "FAST NORMAL", None, "acts")),
    _text(f"{_OUT} RQSTR CLNTCONN", "PASSWORD", 12, "free"),
    ("AMQP MQTT", ("PORT", "int", 5672, (0, 65_535), None, "")),
    (_OUT, ("PROPCTL", "choice", "COMPAT", "COMPAT ALL NONE", 190, "")),
    ("MQTT", ("PROTOCOL", "words", ("MQTTV311", "MQTTV3", "HTTP"), "MQTTV3 MQTTV311 HTTP", None, "")),
    (f"{_IN} SVRCONN", ("PUTAUT", "choice", "DEF", "DEF CTX ONLYMCA ALTMCA", None, "")),
    ("CLNTCONN", ("QMNAME", "text", "", 48, None, "")),
    _exit(_MCA, "RCVDATA", 32),
    _exit(_MCA, "RCVEXIT", 999),
    (_MESSAGE, ("RESETSEQ", "choice", None, "NO YES", None, "read")),
    _text(_MCA, "SCYDATA", 32, "free"),
    _text(_MCA, "SCYEXIT", 128, "free"),
    _exit(_MCA, "SENDDATA", 32),
    _exit(_MCA, "SENDEXIT", 999),
    (_MESSAGE, ("SEQWRAP", "int", 999_999_999, (100, 999_999_999), None, "acts")),
    (_CLIENT, ("SHARECNV", "int", 10, _BIG, None, "")),
    (_OUT, ("SHORTRTY", "int", 10, _BIG, None, "acts")),
    (_OUT, ("SHORTTMR", "int", 60, _BIG, None, "acts")),
    ("SDR SVR RCVR RQSTR", ("SPLPROT", "choice", "PASSTHRU", "PASSTHRU REMOVE ASPOLICY", None, "")),
    (
        "SVR RCVR RQSTR SVRCONN CLUSRCVR AMQP MQTT",
        ("SSLCAUTH", "choice", "REQUIRED", "REQUIRED OPTIONAL NEVER", None, ""),
    ),
    _text(_ALL, "SSLCIPH", 256),
    _text("MQTT", "SSLKEYP", 256, "free"),
    _text("MQTT", "SSLKEYR", 256, "free"),
    _text(f"{_MCA} AMQP", "SSLPEER", 1024),
    (_MESSAGE, ("STATCHL", "choice", "QMGR", _MON, None, "")),
    ("AMQP", ("TMPMODEL", "name", "SYSTEM.DEFAULT.MODEL.QUEUE", 48, None, "")),
    ("AMQP", ("TMPQPRFX", "text", "AMQP.*", 33, None, "")),
    _text(f"{_OUT} RQSTR CLNTCONN SVRCONN", "TPNAME", 64),
    ("AMQP", ("TPROOT", "name", "SYSTEM.BASE.TOPIC", 48, None, "")),
    (_ALL, ("TRPTYPE", "choice", "TCP", "TCP LU62 NETBIOS SPX UDP", None, "pick")),
    ("AMQP MQTT", ("USECLTID", "choice", "NO", "NO YES", None, "")),
    (_MESSAGE, ("USEDLQ", "choice", "YES", "YES NO", None, "acts")),
    _text(f"{_OUT} RQSTR CLNTCONN", "USERID", 12, "free"),
    ("SDR SVR", ("XMITQ", "name", "", 48, 2024, "acts")),
    (_ALL, ("QSGDISP", "choice", "QMGR", "QMGR COPY GROUP PRIVATE LIVE ALL", 63, "zos acts pick")),
    (_ALL, ("CMDSCOPE", "text", None, 4, None, "zos pick")),
)
"""(channel types that have it, row), in the order DISPLAY CHANNEL prints them."""

NEEDED = {
    "SDR": ("CONNAME", "XMITQ"),
    "SVR": ("XMITQ",),
    "RQSTR": ("CONNAME",),
    "CLNTCONN": ("CONNAME",),
    "CLUSSDR": ("CONNAME",),
}
"""What DEFINE CHANNEL of a type cannot do without, unless LIKE or the SYSTEM.DEF channel gives it."""
