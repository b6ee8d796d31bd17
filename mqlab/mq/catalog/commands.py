"""Every command that is not DEFINE, ALTER, DELETE or a plain DISPLAY of an object of the tables: its name and keywords.

The key of a row has the verbs, the objects, and the name: ``-`` none · ``name`` must be given · ``any`` may be generic
or left out · ``generic`` must be given, may be generic · ``free`` any text, may be left out. A keyword is written
``WORD`` text in parentheses · ``WORD#`` a number · ``WORD=A|B`` one of these words · ``WORD=*A|B`` a list of these
words · ``WORD&`` a list of texts · ``WORD!`` the word alone; behind a colon each the platform that has it, ``zos`` or
``mp``, the level since which, and ``pick`` where a status is chosen by its value. A command and a value have platform
and level behind a dot. On DISPLAY every keyword may also be given without value, and a status has its columns in the
order of its keywords. Source: the MQSC command references of MQ 8.0 to 9.4, and cmqcfc.h of 5.3, 6.0, 7.0.1, 8.0, 9.0,
and 9.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from ..extra import extras
from .attribute import Attribute, Word, insert, read_rows, read_word

_SHAPES: dict[str, tuple[str, Any]] = {"#": ("int", (0, 999_999_999)), "&": ("names", (1024, 256)), "!": ("flag", None)}
_IGN = "IGNSTATE=YES|NO:mp:911"
_GONE = "IGNSTATE=YES|NO:mp:921"
_OBJTYPE = (
    "OBJTYPE=AUTHINFO|CHANNEL|CLNTCONN|COMMINFO|LISTENER|NAMELIST|PROCESS|QUEUE|QMGR|RQMNAME|SERVICE|TOPIC|ALL:pick"
)
_AUTHORITIES = (
    "*ALL|ALLADM|ALLMQI|NONE|ALTUSR|BROWSE|CHG|CLR|CONNECT|CRT|CTRL|CTRLX|DLT|DSP|GET|INQ|PASSALL|PASSID|"
    "PUB|PUT|RESUME|SET|SETALL|SETID|SUB|SYSTEM"
)
_TRACE = "ACCTG! CHINIT! GLOBAL! STAT! CLASS& COMMENT DEST& DETAIL& IFCID& RMID& TDATA& TNO& TRACE& USERID& ASID& XC&"
_LOGGING = (
    "DEFAULT! ALCUNIT ARCPFX1 ARCPFX2 ARCRETN# ARCWRTC& ARCWTOR BLKSIZE# CATALOG COMPACT PRIQTY# PROTECT "
    "QUIESCE# SECQTY# TSTAMP UNIT UNIT2 COMPLOG DEALLCT# MAXARCH# MAXCNOFF# MAXRTU# OFFLOAD OUTBUFF# TWOACTV "
    "TWOARCH TWOBSDS WRTHRSH# ZHYWRITE ACELIM# CLCACHE CONNSWAP EXCLMSG& EXITLIM# EXITTCB# LOGLOAD# OTMACON& "
    "QINDXBLD RESAUDIT ROUTCDE& SERVICE SMFACCT# SMFSTAT# SPLCAP STATIME# TRACSTR TRACTBL# ACCTIME#"
)
_ONLY_Z = " ".join(f"{word}:zos" for word in _LOGGING.split())
_STATUS = "ALL! WHERE:600"

ROWS = {
    "CLEAR QLOCAL name": "",
    "START CHANNEL name": _IGN,
    "STOP CHANNEL name": f"{_IGN} CONNAME QMNAME MODE=QUIESCE|FORCE|TERMINATE STATUS=STOPPED|INACTIVE",
    "PING CHANNEL name": "DATALEN#",
    "RESET CHANNEL name": "SEQNUM#",
    "RESOLVE CHANNEL name": "ACTION=COMMIT|BACKOUT",
    "PURGE CHANNEL.mp.710 name": "CHLTYPE=MQTT|AMQP.800 CLIENTID",
    "START|STOP LISTENER any": f"""{_IGN} INDISP=QMGR|GROUP:zos IPADDR:zos LUNAME:zos PORT#:zos
        TRPTYPE=TCP|LU62:zos""",
    "START|STOP SERVICE.mp.600 name": _IGN,
    "START CHINIT -": "INITQ:mp ENVPARM:zos",
    "STOP CHINIT.zos -": "SHARED=RESTART|STOP",
    "START|STOP CMDSERV.zos -": "",
    "START QMGR.zos -": "AMSPROD BACKMIG ENVPARM PARM QMGRPROD",
    "STOP QMGR.zos -": "MODE=QUIESCE|FORCE|RESTART",
    "START|STOP|ALTER|DISPLAY TRACE.zos any": _TRACE,
    "STOP CONN.mp.600 name": "EXTCONN",
    "PING QMGR.mp -": "",
    "REFRESH CLUSTER generic": "REPOS=YES|NO",
    "REFRESH QMGR -": "TYPE=CONFIGEV|EARLY.zos|EXPIRY.zos|PROXYSUB.700 NAME OBJECT INCLINT#",
    "REFRESH SECURITY any": """TYPE=AUTHSERV.mp|CLASSES.zos|CONNAUTH.800|SSL.600 MQADMIN!:zos MQNLIST!:zos
        MQPROC!:zos MQQUEUE!:zos MXADMIN!:zos:700 MXNLIST!:zos:700 MXPROC!:zos:700 MXQUEUE!:zos:700 MXTOPIC!:zos:700""",
    "RESET CLUSTER name": "ACTION=FORCEREMOVE QMID QMNAME QUEUES=YES|NO",
    "RESET QMGR.600 -": """TYPE=ADVANCELOG.mp|STATISTICS.mp|PUBSUB.700|ARCHLOG.mp.902|REDUCELOG.mp.902
        ARCHIVED:mp:902 CHILD:700 PARENT:700""",
    "RESET QSTATS.zos generic": "",
    "RESET TPIPE.zos name": "ACTION=COMMIT|BACKOUT RCVSEQ# SENDSEQ# XCFGNAME XCFMNAME",
    "RESOLVE INDOUBT.zos free": "ACTION=COMMIT|BACKOUT NID& QMNAME",
    "RESUME|SUSPEND QMGR -": "CLUSTER CLUSNL FACILITY=DB2|IMSBRIDGE:zos LOG!:zos MODE=QUIESCE|FORCE",
    "RVERIFY SECURITY.zos free": "",
    "RECOVER BSDS.zos -": "",
    "ARCHIVE LOG.zos -": "CANCEL OFFLOAD! MODE=QUIESCE TIME# WAIT=YES|NO",
    "MOVE QLOCAL.zos name": "TOQLOCAL TYPE=MOVE|ADD",
    "SET AUTHREC.mp.710 -": f"""{_OBJTYPE} PROFILE PRINCIPAL& GROUP& SERVCOMP AUTHADD={_AUTHORITIES}
        AUTHRMV={_AUTHORITIES} AUTHLIST={_AUTHORITIES}""",
    "DELETE AUTHREC.mp.710 -": f"{_OBJTYPE} PROFILE PRINCIPAL& GROUP& SERVCOMP {_GONE}",
    "SET CHLAUTH.710 name": """TYPE=BLOCKUSER|BLOCKADDR|SSLPEERMAP|ADDRESSMAP|USERMAP|QMGRMAP ADDRESS ADDRLIST&
        USERLIST& CLNTUSER MCAUSER QMNAME SSLPEER SSLCERTI:800 USERSRC=MAP|NOACCESS|CHANNEL
        CHCKCLNT=ASQMGR|REQUIRED|REQDADM:800 WARN=NO|YES DESCR CUSTOM ACTION=ADD|REPLACE|REMOVE|REMOVEALL""",
    "SET POLICY.mp name": """ACTION=REPLACE|ADD|REMOVE ENCALG=NONE|RC2|DES|3DES|AES128|AES256 ENFORCE! KEYREUSE:900
        RECIP& SIGNALG=NONE|MD5|SHA1|SHA256|SHA384|SHA512 SIGNER& TOLERATE!""",
    "DELETE POLICY.mp name": _GONE,
    "SET LOG -": f"ARCHIVED:mp:902 {_ONLY_Z}",
    "SET ARCHIVE|SYSTEM.zos -": _LOGGING,
    "ALTER SECURITY.zos -": "INTERVAL# TIMEOUT#",
    "DEFINE LOG.zos free": "COPY#",
    "DEFINE MAXSMSGS.zos free": "",
    "DISPLAY ARCHIVE|LOG|SYSTEM|MAXSMSGS|CHINIT|GROUP -": f"{_LOGGING} OBSMSGS",
    "DISPLAY CMDSERV -": "",
    "DISPLAY AUTHSERV -": f"{_STATUS} IFVER UIDSUPP SERVCOMP",
    "DISPLAY AUTHREC -": f"""{_STATUS} {_OBJTYPE} PROFILE:pick PRINCIPAL&:pick GROUP&:pick SERVCOMP:pick
        MATCH=PROFILE|MEMBERSHIP|EXACT:pick ENTITY ENTTYPE AUTHLIST""",
    "DISPLAY ENTAUTH -": f"""{_STATUS} {_OBJTYPE} OBJNAME:pick PRINCIPAL:pick GROUP:pick SERVCOMP:pick AUTHLIST ENTITY
        ENTTYPE""",
    "DISPLAY CHLAUTH any": f"""{_STATUS} TYPE=ALL|BLOCKUSER|BLOCKADDR|SSLPEERMAP|ADDRESSMAP|USERMAP|QMGRMAP:pick
        MATCH=EXACT|GENERIC|RUNCHECK|ALL:pick ADDRESS:pick ADDRLIST USERLIST CLNTUSER:pick MCAUSER QMNAME:pick
        SSLPEER:pick SSLCERTI:pick:800 USERSRC CHCKCLNT:800 WARN DESCR CUSTOM ALTDATE ALTTIME""",
    "DISPLAY POLICY any": f"{_STATUS} ENCALG ENFORCE KEYREUSE:900 RECIP SIGNALG SIGNER TOLERATE",
    "DISPLAY SECURITY -": f"{_STATUS} INTERVAL SWITCHES TIMEOUT",
    "DISPLAY APSTATUS free": f"""{_STATUS} TYPE=APPL|QMGR|LOCAL:pick APPLNAME APPLTAG CLUSTER COUNT MOVCOUNT BALANCED
        CONNTAG CONNS IMMCOUNT IMMDATE IMMREASN IMMTIME LMSGDATE LMSGTIME MOVABLE ACTIVE BALSTATE BALOPTS:924
        BALTMOUT:924 BALTYPE:924""",
    "DISPLAY CHSTATUS generic": f"""{_STATUS} SHORT!:zos MONITOR!:600 CHLTYPE:pick BATCHES# BATCHSZ# BUFSRCVD#
        BUFSSENT# BYTSRCVD# BYTSSENT# CHSTADA CHSTATI COMPHDR:600 COMPMSG:600 COMPRATE:600 COMPTIME:600 CONNAME:pick
        CURLUWID CURMSGS# CURRENT! CURSEQNO# EXITTIME:600 HBINT# INDOUBT JOBNAME KAINT:zos LOCLADDR LONGRTS# LSTLUWID
        LSTMSGDA LSTMSGTI LSTSEQNO# MAXMSGL#:zos MCASTAT MONCHL:600 MSGS# NETTIME:600 NPMSPEED RQMNAME:600 SAVED!
        SHORTRTS# SECPROT:800 SSLCERTI:600 SSLCIPH:911 SSLKEYDA:600 SSLKEYTI:600 SSLPEER SSLRKEYS:600
        STATUS=STARTING|BINDING|INITIALIZING|RUNNING|STOPPING|RETRYING|PAUSED|STOPPED|REQUESTING|SWITCHING STOPREQ
        SUBSTATE:600 XBATCHSZ:600 XMITQ:pick XQTIME:600 RVERSION:710 RPRODUCT:710 AMQPKA:mp:800 CLIENTID:mp:710
        CONNS:mp:710 CURSHCNV:700 DURABLE IINSTS INDISP KEEPALV:mp:710 MAXSHCNV:700 MCAUSER MSGRCVD:mp:710
        MSGSENT:mp:710 PENDOUT:mp:710 PORT PROTOCOL:mp:800 QMNAME:zos RAPPLTAG:600 SPLPROT:zos:913 SSLCERTU:zos:600
        STATCHL:zos:900 TPROOT:mp:800 XQMSGSA:600""",
    "DISPLAY LSSTATUS generic": f"""{_STATUS} STATUS=RUNNING|STARTING|STOPPING PID STARTDA STARTTI DESCR TRPTYPE CONTROL
        IPADDR PORT# SOCKET# ADAPTER# LOCLNAME NTBNAMES# SESSIONS# COMMANDS# TPNAME BACKLOG#""",
    "DISPLAY SVSTATUS generic": f"""{_STATUS} STATUS=RUNNING|STARTING|STOPPING PID SERVTYPE CONTROL STARTCMD STARTARG
        STOPCMD STOPARG DESCR STARTDA STARTTI STDOUT STDERR""",
    "DISPLAY CONN generic": f"""{_STATUS} EXTCONN:pick TYPE=CONN|HANDLE|ALL|*:pick
        URDISP=ALL|GROUP|QMGR:pick:zos:710 PID:mp TID:mp APPLDESC:710 APPLTAG
        APPLTYPE=BATCH|RRSBATCH|CICS|IMS|CHINIT|OS400|SYSTEM|UNIX|USER|WINDOWSNT
        ASTATE=ACTIVE|NONE|STARTED|STARTWAIT|STOPPED|SUSPENDED|SUSPTEMP:700 CHANNEL CLIENTID:mp:710 CONNAME CONNOPTS&
        USERID UOWLOG:mp UOWSTDA UOWSTTI UOWLOGDA UOWLOGTI URTYPE=QMGR|CICS|IMS|RRS|XA EXTURID QMURID
        UOWSTATE=NONE|ACTIVE|PREPARED|UNRESOLVED CONNTAG:mp:930 ASID:zos NID:zos PSBNAME:zos PSTID:zos TASKNO:zos
        TRANSID:zos OBJNAME OBJTYPE=AUTHINFO|CHANNEL|NAMELIST|PROCESS|QMGR|QUEUE|STGCLASS|SUBSCRIPTION|TOPIC
        HSTATE=ACTIVE|INACTIVE OPENOPTS& READA=NO|YES|BACKLOG|INHIBITED:700 DEST:700 DESTQMGR:700 SUBID:700
        SUBNAME:700 TOPICSTR:700""",
    "DISPLAY QSTATUS generic": f"""{_STATUS} TYPE=QUEUE|HANDLE:pick MONITOR!:600 OPENTYPE=ALL|INPUT|OUTPUT:pick
        CURDEPTH# CURFSIZE:mp:915 CURMAXFS:mp:915 IPPROCS# LGETDATE:600 LGETTIME:600 LPUTDATE:600 LPUTTIME:600
        MEDIALOG:mp:600 MONQ=OFF|LOW|MEDIUM|HIGH:600 MSGAGE#:600 OPPROCS# QTIME:600 UNCOM APPLDESC:710 APPLTAG APPLTYPE
        ASID:zos BROWSE=YES|NO CHANNEL CONNAME ASTATE:700 HSTATE:600 INPUT=NO|SHARED|EXCL INQUIRE=YES|NO OUTPUT=YES|NO
        PID:mp PSBNAME:zos PSTID:zos QMURID:600 SET=YES|NO TASKNO:zos TID:mp TRANSID:zos URID
        URTYPE:600 USERID""",
    "DISPLAY QMSTATUS -": f"""{_STATUS} LOG!:902 NHATYPE:940 QMNAME TYPE=QMGR|NATIVEHA|LOG|APPL:pick:940 STATUS
        ARCHLOG:902 ARCHSZ:902 AUTOCLUS:914 CHINIT CHKPTCNT:940 CHKPTOPS:940 CHKPTSZ:940 CMDSERV CONNS# CURRLOG
        DATFSSZ:940 DATFSUSE:940 DATPATH:940 DISKLSN:940 GRPLSN:942 GRPNAME:942 GRPROLE:942 HOSTNAME:800 INSTANCE:940
        INSTDESC:710 INSTNAME:710 INSTPATH:710 LDAPCONN:800 LOGEXTSZ:940 LOGFSSZ:940 LOGFSUSE:940 LOGINUSE:902 LOGPATH
        LOGPRIM:940 LOGSEC:940 LOGSTRDA:940 LOGSTRL:940 LOGSTRTI:940 LOGTYPE:940 LOGUTIL:902 MEDIALOG MEDIASZ:902
        PERMSTBY:701 QMFSSZ:940 QMFSUSE:940 QUORUM:940 RECLOG RECSZ:902 REUSESZ:902 ROLE:920 STANDBY:701 STARTDA:710
        STARTTI:710 UNICLUS:914""",
    "DISPLAY CLUSQMGR any": f"""{_STATUS} CHANNEL:pick CLUSTER:pick ALTDATE ALTTIME CLUSDATE CLUSTIME DEFTYPE
        QMID QMTYPE STATUS SUSPEND VERSION:710 XMITQ:750 BATCHHB BATCHINT BATCHLIM:710 BATCHSZ CLUSNL CLWLPRTY:600
        CLWLRANK:600 CLWLWGHT:600 COMPHDR:600 COMPMSG:600 CONNAME CONVERT DESCR DISCINT HBINT KAINT LOCLADDR LONGRTY
        LONGTMR MAXMSGL MCANAME MCATYPE MCAUSER MODENAME MRDATA MREXIT MRRTY MRTMR MSGDATA MSGEXIT NETPRTY NPMSPEED
        PASSWORD:mp PROPCTL:700 PUTAUT RCVDATA RCVEXIT SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SHORTRTY SHORTTMR
        SSLCAUTH SSLCIPH SSLPEER TPNAME TRPTYPE USEDLQ:710 USERID""",
    "DISPLAY THREAD free": "TYPE=ACTIVE|REGIONS|INDOUBT|* QMNAME",
    "DISPLAY USAGE -": "PSID TYPE=ALL|BUFFPOOL|DATASET|PAGESET|SMDS.710",
}
"""Command -> its keywords; DISPLAY's lists follow the reference and are wider than any one platform's."""


@cache
def _commands() -> tuple[tuple[str, str], ...]:
    """The rows of ROWS, and those of extras, each behind the command that it follows."""
    rows = list(ROWS.items())
    for extra in extras():
        for key, words in extra.grammar.items():
            key, _, before = key.partition(" > ")
            names = [" ".join(row.split()[:2]).partition(".")[0] for row, _ in rows]
            rows.insert(names.index(before) + 1 if before in names else len(rows), (key, words))
    return tuple(rows)


def others() -> tuple[tuple[str, str], ...]:
    """Verb and object of every command of this table."""
    return tuple((verb, name) for verbs, names, _, _ in _parted() for verb in verbs for name in names)


@cache
def keywords(verb: str, name: str) -> tuple[str, Word, dict[str, Attribute]] | None:
    """The way in which this command takes a name, the levels that have it, and its keywords; None if it is not in the
    table.

    >>> keywords("PING", "CHANNEL")[0], keywords("SET", "AUTHREC")[1].since
    ('name', 710)
    """
    for verbs, names, key, words in _parted():
        if verb in verbs and name in names:
            objects, how = key.split()[1:]
            return how, replace(read_word(objects), keyword=f"{verb} {name}"), _read(f"{verb} {name}", words)
    return None


def _parted() -> Iterator[tuple[list[str], list[str], str, str]]:
    """The verbs, objects, key, and keywords of each row."""
    for key, words in _commands():
        verbs, objects, _ = key.split()
        yield verbs.split("|"), objects.partition(".")[0].split("|"), key, words


def _read(command: str, words: str) -> dict[str, Attribute]:
    rows = [_row(entry) for entry in words.split()]
    for extra in extras():
        for entry, commands in extra.keywords.items():
            if command in commands.split(", "):
                insert(rows, _row(entry), 0)
    return read_rows(rows)


def _row(entry: str) -> tuple:
    word, *marks = entry.split(":")
    keyword, equals, values = word.partition("=")
    if equals:
        shape, limits = "words" if values[0] == "*" else "choice", values.lstrip("*").replace("|", " ")
    else:
        keyword = word.rstrip("#&!")
        shape, limits = _SHAPES.get(word[-1], ("text", 10_240))
    free = ["free"] if keyword in ("DESCR", "COMMENT", "CUSTOM") else []
    return keyword, shape, None, limits, None, " ".join(marks + free)
