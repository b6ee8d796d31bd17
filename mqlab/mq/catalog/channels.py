"""Rows for channels, each with the channel types that have it (row format: mqlab.mq.catalog.attribute).

Which type has what, and the defaults, are those a real 9.4.2 queue manager displayed for its SYSTEM.DEF channels
(behavior notes 4.2); AMQP, MQTT and client-connection channels as the command reference says.
"""

from collections.abc import Iterator

from .attribute import with_extras

TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP", "MQTT")

_CLUSTER = "CLUSSDR CLUSRCVR"
_OUT = f"SDR SVR {_CLUSTER}"
_MESSAGE = f"{_OUT} RCVR RQSTR"
_IN = "RCVR RQSTR CLUSRCVR"
_CALLER = f"{_OUT} RQSTR CLNTCONN"
_CLIENT = "CLNTCONN SVRCONN"
_MCA = f"{_MESSAGE} {_CLIENT}"
_LABELED = f"SDR SVR {_IN} {_CLIENT}"
_ALL, _MCA_TYPES = " ".join(TYPES), " ".join(TYPES[:-2])
_COMPRESSION = "NONE RLE ZLIBFAST ZLIBHIGH LZ4FAST.940 LZ4HIGH.940 ANY"
_MON = "QMGR OFF LOW MEDIUM HIGH"
_MAX = 999_999_999
_BIG = (0, _MAX)

_ROWS = (
    (_ALL, "CHLTYPE", "choice", None, f"{_MCA_TYPES} AMQP.mp.800 MQTT.mp.710", "need once =TYPE acts pick"),
    ("CLNTCONN", "AFFINITY", "choice", "PREFERRED", "PREFERRED NONE", ""),
    (_ALL, "ALTDATE", "text", None, 12, "read"),              (_ALL, "ALTTIME", "text", None, 8, "read"),
    (_ALL, "AUTOSTART", "choice", None, "ENABLED DISABLED", "zos"),
    ("MQTT", "BACKLOG", "int", 0, _BIG, ""),                  (_OUT, "BATCHHB", "int", 0, (0, 999_999), ""),
    (_OUT, "BATCHINT", "int", 0, _BIG, "acts"),               (_OUT, "BATCHLIM", "int", 5000, (0, 999_999), "acts"),
    (_MESSAGE, "BATCHSZ", "int", 50, (1, 9999), "acts"),      (f"{_LABELED} AMQP MQTT", "CERTLABL", "text", "", 64, ""),
    ("CLNTCONN", "CLNTWGHT", "int", 0, (0, 99), ""),          (_CLUSTER, "CLUSNL", "name", "", 48, "pick"),
    (_CLUSTER, "CLUSTER", "name", "", 48, "pick"),            (_CLUSTER, "CLWLPRTY", "int", 0, (0, 9), ""),
    (_CLUSTER, "CLWLRANK", "int", 0, (0, 9), ""),             (_CLUSTER, "CLWLWGHT", "int", 50, (1, 99), ""),
    (_MCA, "COMPHDR", "words", ("NONE",), "NONE SYSTEM", ""), (_MCA, "COMPMSG", "words", ("NONE",), _COMPRESSION, ""),
    (_CALLER, "CONNAME", "text", "", 264, "acts"),            (_OUT, "CONVERT", "choice", "NO", "NO YES", ""),
    ("CLNTCONN", "DEFRECON", "choice", "NO", "NO YES QMGR DISABLED", ""),
    (_ALL, "DESCR", "text", "", 64, "free inert"),            ("AMQP", "AMQPKA", "int", -1, (0, 99_999, "AUTO=-1"), ""),
    (f"{_OUT} SVRCONN", "DISCINT", "int", 6000, (0, 999_999), "acts"),
    (_MCA, "HBINT", "int", 300, (0, 999_999), "acts"),        ("MQTT", "JAASCFG", "text", "", 1024, ""),
    (_MCA, "KAINT", "int", -1, (0, 99_999, "AUTO=-1"), ""),
    (f"{_OUT} RQSTR CLNTCONN AMQP MQTT", "LOCLADDR", "text", "", 48, ""),
    (_OUT, "LONGRTY", "int", _MAX, _BIG, "acts"),             (_OUT, "LONGTMR", "int", 1200, _BIG, "acts"),
    ("SVRCONN AMQP", "MAXINST", "int", _MAX, _BIG, ""),       ("SVRCONN", "MAXINSTC", "int", _MAX, _BIG, ""),
    (f"{_MCA} AMQP", "MAXMSGL", "int", 4_194_304, (0, 104_857_600), "acts"),
    (f"{_OUT} RQSTR", "MCANAME", "text", "", 20, ""),
    (f"{_OUT} RQSTR", "MCATYPE", "choice", "PROCESS", "PROCESS THREAD", ""),
    (f"{_MESSAGE} SVRCONN AMQP MQTT", "MCAUSER", "text", "", 64, ""),
    (_CALLER, "MODENAME", "text", "", 8, ""),
    (f"{_MESSAGE} SVRCONN", "MONCHL", "choice", "QMGR", _MON, "acts"),
    (_IN, "MRDATA", "text", "", 32, "free"),                  (_IN, "MREXIT", "text", "", 128, "free"),
    (_IN, "MRRTY", "int", 10, _BIG, "acts"),                  (_IN, "MRTMR", "int", 1000, _BIG, "acts"),
    (_MESSAGE, "MSGDATA", "names", (), (32, 8), "free"),      (_MESSAGE, "MSGEXIT", "names", (), (999, 8), "free"),
    ("CLUSRCVR", "NETPRTY", "int", 0, (0, 9), ""),
    (_MESSAGE, "NPMSPEED", "choice", "FAST", "FAST NORMAL", "acts"),
    (_CALLER, "PASSWORD", "text", "", 12, "free"),            ("AMQP MQTT", "PORT", "int", 5672, (0, 65_535), ""),
    (_OUT, "PROPCTL", "choice", "COMPAT", "COMPAT ALL NONE", "acts"),
    ("MQTT", "PROTOCOL", "words", ("MQTTV311", "MQTTV3", "HTTP"), "MQTTV3 MQTTV311 HTTP", ""),
    ("SVRCONN", "PUTAUT", "choice", "DEF", "DEF CTX ONLYMCA ALTMCA", "zos"),
    (_IN, "PUTAUT", "choice", "DEF", "DEF CTX ONLYMCA.zos ALTMCA.zos", ""),
    ("CLNTCONN", "QMNAME", "text", "", 48, ""),               (_MCA, "RCVDATA", "names", (), (32, 8), "free"),
    (_MCA, "RCVEXIT", "names", (), (999, 8), "free"),
    (_MESSAGE, "RESETSEQ", "choice", "NO", "NO YES", "mp read"),
    (_MCA, "SCYDATA", "text", "", 32, "free"),                (_MCA, "SCYEXIT", "text", "", 128, "free"),
    (_MCA, "SENDDATA", "names", (), (32, 8), "free"),         (_MCA, "SENDEXIT", "names", (), (999, 8), "free"),
    (_MESSAGE, "SEQWRAP", "int", _MAX, (100, _MAX), "acts"),  (_CLIENT, "SHARECNV", "int", 10, _BIG, ""),
    (_OUT, "SHORTRTY", "int", 10, _BIG, "acts"),              (_OUT, "SHORTTMR", "int", 60, _BIG, "acts"),
    ("SDR SVR RCVR RQSTR", "SPLPROT", "choice", "PASSTHRU", "PASSTHRU REMOVE ASPOLICY", "zos"),
    ("SVR RCVR RQSTR SVRCONN CLUSRCVR AMQP MQTT", "SSLCAUTH", "choice", "REQUIRED", "REQUIRED OPTIONAL NEVER", ""),
    (_ALL, "SSLCIPH", "text", "", 256, ""),                   ("MQTT", "SSLKEYP", "text", "", 256, "free"),
    ("MQTT", "SSLKEYR", "text", "", 256, "free"),             (f"{_MCA} AMQP", "SSLPEER", "text", "", 1024, ""),
    (_MESSAGE, "STATCHL", "choice", "QMGR", _MON, ""),
    ("AMQP", "TPROOT", "name", "SYSTEM.BASE.TOPIC", 48, ""),
    ("AMQP", "TMPMODEL", "name", "SYSTEM.DEFAULT.MODEL.QUEUE", 48, ""),
    ("AMQP", "TMPQPRFX", "text", "AMQP.*", 33, ""),
    ("SVRCONN", "TPNAME", "text", "", 64, "zos"),             (f"{_OUT} RQSTR CLNTCONN", "TPNAME", "text", "", 64, ""),
    (f"{_MCA} MQTT", "TRPTYPE", "choice", "TCP", "TCP LU62 NETBIOS.mp SPX.mp UDP.mp", "pick"),
    ("AMQP MQTT", "USECLTID", "choice", "NO", "NO YES", ""),  (_MESSAGE, "USEDLQ", "choice", "YES", "YES NO", "acts"),
    (_CALLER, "USERID", "text", "", 12, "free"),              ("SDR SVR", "XMITQ", "name", "", 48, "acts"),
)  # fmt: skip  # a table of two columns
ROWS = with_extras("CHANNEL", _ROWS, column=1)
"""Channel types that have it, keyword, shape, default, limits, marks; in the order of DISPLAY CHANNEL."""

_NEW = {
    600: "CLWLPRTY CLWLRANK CLWLWGHT COMPHDR COMPMSG MONCHL STATCHL",
    700: "AFFINITY CLNTWGHT MAXINST MAXINSTC PROPCTL SHARECNV",
    710: "BACKLOG BATCHLIM DEFRECON JAASCFG PORT RESETSEQ SSLKEYP SSLKEYR USECLTID USEDLQ",
    800: "AMQPKA CERTLABL PROTOCOL TPROOT",
    913: "SPLPROT",
    921: "TMPMODEL TMPQPRFX",
}
_SINCE = {keyword: str(level) for level, keywords in _NEW.items() for keyword in keywords.split()}

_NEEDED = {"SDR": "CONNAME XMITQ", "SVR": "XMITQ", "RQSTR": "CONNAME", "CLNTCONN": "CONNAME", "CLUSSDR": "CONNAME"}
NEEDED = {chltype: tuple(keywords.split()) for chltype, keywords in _NEEDED.items()}
"""Attributes that DEFINE CHANNEL of a type needs, unless LIKE or the SYSTEM.DEF channel gives them."""

_ECDHE = (
    "AES_128_CBC_SHA256 AES_256_CBC_SHA384 AES_128_GCM_SHA256 AES_256_GCM_SHA384 3DES_EDE_CBC_SHA256 RC4_128_SHA256 "
    "NULL_SHA256"
)
_TLS10 = "DES_CBC_SHA 3DES_EDE_CBC_SHA RC4_128_MD5 NULL_MD5 NULL_NULL NULL_SHA"
_TLS12 = "AES_128_CBC_SHA256 AES_256_CBC_SHA256 AES_128_GCM_SHA256 AES_256_GCM_SHA384 RC4_128_SHA256 NULL_SHA256"
_BY_LEVEL = {
    (0, 0): "AES_SHA_US TRIPLE_DES_SHA_US NULL_MD5 NULL_SHA RC2_MD5_EXPORT RC4_MD5_EXPORT RC4_MD5_US RC4_SHA_US "
    "RC4_56_SHA_EXPORT1024 DES_SHA_EXPORT DES_SHA_EXPORT1024 TLS_RSA_WITH_AES_128_CBC_SHA TLS_RSA_WITH_AES_256_CBC_SHA",
    (600, 600): "FIPS_WITH_DES_CBC_SHA FIPS_WITH_3DES_EDE_CBC_SHA TLS_RSA_EXPORT_WITH_RC2_40_MD5 "
    f"TLS_RSA_EXPORT_WITH_RC4_40_MD5 {' '.join(f'TLS_RSA_WITH_{rest}' for rest in _TLS10.split())}",
    (710, 800): " ".join(f"TLS_RSA_WITH_{rest}" for rest in _TLS12.split())
    + "".join(f" ECDHE_{key}_{rest}" for key in ("ECDSA", "RSA") for rest in _ECDHE.split()),
    (911, 920): "ANY_TLS12",
    (914, 920): "ANY ANY_TLS12_OR_HIGHER ANY_TLS13 ANY_TLS13_OR_HIGHER TLS_CHACHA20_POLY1305_SHA256 "
    "TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_AES_128_CCM_SHA256 TLS_AES_128_CCM_8_SHA256",
}
CIPHERS = {name: levels for levels, names in _BY_LEVEL.items() for name in names.split()}
"""CipherSpec -> the levels since which distributed and z/OS queue managers have it: all of IBM's tables "Enabling
CipherSpecs" and "Deprecated CipherSpecs", and ANY ones. CipherSpecs of TLS 1.3 have IBM's level."""


def rows(chltype: str | None) -> Iterator[tuple]:
    """The rows of one type of channel, or of all if None, in the columns of other kinds; MQINQ selects none."""
    for types, keyword, *columns, marks in ROWS:
        if chltype is None or chltype in types.split():
            yield keyword, *columns, None, f"{marks} {_SINCE.get(keyword, '')}"
