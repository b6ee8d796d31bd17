"""One row for each kind of object, and the words of MQSC: verbs, kinds, names.

Adding a kind is adding a row, the rows of its attributes in attributes.txt, and the module that acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..extra import extras
from . import qmgr
from .attribute import ALL_PLATFORMS, INSERT, CatalogError, table


class Kind(NamedTuple):
    """One kind of object, or another word that may follow a verb.

    `short` is its synonym, `within` the kind by whose word it is defined or displayed too, `shows` the kind whose
    objects DISPLAY of this word shows. A name has at most `longest` characters, any ones if `free`. `noun` and `said`
    are the answers to DEFINE, ALTER and DELETE, `shown` is the line over each object displayed, all with their message
    numbers. `platforms` and `since`, a level, are those that have the kind or, if it is no object, display it. The lab
    acts on a kind that is `simulated`. `on_zos` are defaults that z/OS has instead. `system` names the SYSTEM objects
    (without that word) of a new queue manager in groups between semicolons. Before the colon of a group are the first
    level that has them, ``zos`` or ``mp`` for the platform, and the attributes in which they differ from others of the
    kind. DEFINE starts from the first of a kind or type. A local queue without a star is set up when a call first names
    it, which makes no difference to programs.
    """

    keyword: str
    short: str = ""
    within: str = ""
    shows: str = ""
    longest: int = 48
    free: bool = False
    noun: str = ""
    said: str = ""
    shown: str = ""
    simulated: bool = False
    platforms: tuple[str, ...] = ALL_PLATFORMS
    since: int = 0
    on_zos: Mapping[str, object] = {}
    system: str = ""

    @property
    def rows(self) -> list[tuple] | None:
        """The rows of its attributes; None if it has none, and DEFINE does not make it."""
        return table().get("CHANNEL" if self.keyword == "CLNTCONN" else self.keyword)


_QUEUE = "8006 created, 8008 changed, 8007 deleted"
_CHANNEL = "8014 created, 8016 changed, 8015 deleted"
_Z, _D, _MP, _ANY = ("zos",), ("distributed",), ("distributed", "vse"), ("distributed", "zos")

_ENGINES_KINDS = (
    Kind("QLOCAL", "QL", "QUEUE", noun="queue", said=_QUEUE, simulated=True,
         on_zos={"DEFSOPT": "EXCL", "MAXDEPTH": 999_999_999, "QDEPTHLO": 40, "SHARE": False},
         system="""*DEFAULT.LOCAL.QUEUE; zos: *COMMAND.INPUT ADMIN.CONFIG.EVENT;
         mp: *ADMIN.COMMAND.QUEUE AUTH.DATA.QUEUE CICS.INITIATION.QUEUE;
         : *CHANNEL.INITQ *CHANNEL.SYNCQ *DEAD.LETTER.QUEUE *DEFAULT.INITIATION.QUEUE ADMIN.CHANNEL.EVENT
         ADMIN.PERFM.EVENT ADMIN.QMGR.EVENT CLUSTER.COMMAND.QUEUE CLUSTER.REPOSITORY.QUEUE PENDING.DATA.QUEUE;
         USAGE=XMITQ INDXTYPE=CORRELID: CLUSTER.TRANSMIT.QUEUE;
         600: ADMIN.ACTIVITY.QUEUE ADMIN.TRACE.ROUTE.QUEUE; 600 zos: ADMIN.COMMAND.EVENT;
         600 mp: ADMIN.ACCOUNTING.QUEUE ADMIN.LOGGER.EVENT ADMIN.STATISTICS.QUEUE;
         700: BROKER.ADMIN.STREAM BROKER.CONTROL.QUEUE BROKER.DEFAULT.STREAM BROKER.INTER.BROKER.COMMUNICATIONS
         HIERARCHY.STATE INTER.QMGR.CONTROL INTER.QMGR.FANREQ INTER.QMGR.PUBS INTERNAL.REPLY.QUEUE;
         700 INDXTYPE=MSGID: RETAINED.PUB.QUEUE; 700 INDXTYPE=CORRELID: DURABLE.SUBSCRIBER.QUEUE;
         700 mp: SELECTION.EVALUATION.QUEUE SELECTION.VALIDATION.QUEUE;
         701: CLUSTER.HISTORY.QUEUE; 701 mp: ADMIN.COMMAND.EVENT ADMIN.CONFIG.EVENT;
         710: ADMIN.PUBSUB.EVENT CHLAUTH.DATA.QUEUE; 710 mp: ADMIN.TRACE.ACTIVITY.QUEUE DOTNET.XARECOVERY.QUEUE;
         750: PROTECTION.ERROR.QUEUE PROTECTION.POLICY.QUEUE; 800: DDELAY.LOCAL.QUEUE;
         900 mp: AMQP.COMMAND.QUEUE; 910: REST.REPLY.QUEUE"""),
    Kind("QALIAS", "QA", "QUEUE", noun="queue", said=_QUEUE, simulated=True,
         system="DEFAULT.ALIAS.QUEUE; zos TARGET=SYSTEM.COMMAND.INPUT: ADMIN.COMMAND.QUEUE"),
    Kind("QREMOTE", "QR", "QUEUE", noun="queue", said=_QUEUE, simulated=True, system="DEFAULT.REMOTE.QUEUE"),
    Kind("QMODEL", "QM", "QUEUE", noun="queue", said=_QUEUE, simulated=True,
         on_zos={"MAXDEPTH": 999_999_999, "QDEPTHLO": 40},
         system="""DEFAULT.MODEL.QUEUE; mp: MQSC.REPLY.QUEUE; zos: COMMAND.REPLY.MODEL JMS.TEMPQ.MODEL;
         600: MQEXPLORER.REPLY.MODEL; 700: NDURABLE.MODEL.QUEUE; 700 DEFTYPE=PERMDYN: DURABLE.MODEL.QUEUE;
         700 zos: BROKER.MODEL.STREAM;
         750 USAGE=XMITQ DEFTYPE=PERMDYN INDXTYPE=CORRELID: CLUSTER.TRANSMIT.MODEL.QUEUE"""),
    Kind("PROCESS", "PRO", noun="process", said="8010 created, 8012 changed, 8011 deleted", simulated=True,
         shown="8407 Display Process details.", on_zos={"APPLTYPE": 2}, system="DEFAULT.PROCESS"),
    Kind("NAMELIST", "NL", noun="namelist", said="8552 created, 8551 changed, 8553 deleted", simulated=True,
         shown="8550 Display namelist details.",
         system="""DEFAULT.NAMELIST; 700 NAMES=SYSTEM.BROKER.DEFAULT.STREAM,SYSTEM.BROKER.ADMIN.STREAM:
         QPUBSUB.QUEUE.NAMELIST; 700 NAMES=SYSTEM.BROKER.DEFAULT.SUBPOINT: QPUBSUB.SUBPOINT.NAMELIST"""),
    Kind("QUEUE", "Q", shows="QUEUE", shown="8409 Display Queue details."),
    Kind("QCLUSTER", "QC", shows="QUEUE"),
    Kind("QMGR", noun="queue manager", said="8005 changed", shown="8408 Display Queue Manager details.",
         simulated=True, on_zos=qmgr.ON_ZOS),
    Kind("QMSTATUS", shown="8705 Display Queue Manager Status Details.", platforms=_D, since=600),
    Kind("QSTATUS", "QS", shown="8450 Display queue status details."), Kind("QSTATS"),
    Kind("CHANNEL", "CHL", longest=20, noun="channel", said=_CHANNEL, shown="8414 Display Channel details.",
         simulated=True, system="""CHLTYPE=SDR: DEF.SENDER; CHLTYPE=SVR: DEF.SERVER; CHLTYPE=RCVR: DEF.RECEIVER;
         mp CHLTYPE=RCVR: AUTO.RECEIVER; CHLTYPE=RQSTR: DEF.REQUESTER; CHLTYPE=SVRCONN: DEF.SVRCONN;
         mp CHLTYPE=SVRCONN: AUTO.SVRCONN; CHLTYPE=CLUSSDR: DEF.CLUSSDR; CHLTYPE=CLUSRCVR: DEF.CLUSRCVR;
         900 mp CHLTYPE=AMQP: DEF.AMQP"""),
    Kind("CHSTATUS", "CHS", shown="8417 Display Channel Status details."), Kind("CHINIT", "CHI", platforms=_Z),
    Kind("CHLAUTH", since=710, shown="8878 Display channel authentication record details."),
    Kind("LISTENER", "LSTR", noun="listener", said="8626 created, 8623 changed, 8628 object deleted",
         shown="8630 Display listener information details.", platforms=_MP, since=600,
         system="DEFAULT.LISTENER.TCP; PORT=1414 CONTROL=QMGR: LISTENER.TCP.1"),
    Kind("LSSTATUS", "LSS", shown="8631 Display listener status details.", platforms=_D, since=600),
    Kind("SERVICE", noun="service", said="8625 created, 8622 changed, 8627 object deleted",
         shown="8629 Display service information details.", platforms=_MP, since=600,
         system="DEFAULT.SERVICE; 700: BROKER; 900: AMQP.SERVICE"),
    Kind("SVSTATUS", shown="8632 Display service status details.", platforms=_D, since=600),
    Kind("AUTHINFO", noun="authentication information", said="8563 object created, 8567 changed, 8564 object deleted",
         shown="8566 Display authentication information details.", simulated=True, since=530,
         system="""AUTHTYPE=CRLLDAP: DEFAULT.AUTHINFO.CRLLDAP; 701 AUTHTYPE=OCSP: DEFAULT.AUTHINFO.OCSP;
         800 AUTHTYPE=IDPWOS: DEFAULT.AUTHINFO.IDPWOS; 800 mp AUTHTYPE=IDPWLDAP: DEFAULT.AUTHINFO.IDPWLDAP"""),
    Kind("AUTHREC", free=True, platforms=_MP, since=710, shown="8864 Display authority record details."),
    Kind("AUTHSERV", platforms=_D, since=710),
    Kind("ENTAUTH", platforms=_MP, since=710, shown="8866 Display entity authority details."),
    Kind("POLICY", platforms=_MP, since=750),
    Kind("SECURITY", "SEC", longest=64, platforms=_Z),
    Kind("COMMINFO", noun="comm info object", said="8682 created, 8681 changed, 8683 deleted",
         shown="8684 Display comm info details.", platforms=_MP, since=710, system="DEFAULT.COMMINFO.MULTICAST"),
    Kind("CONN", free=True, shown="8276 Display Connection details.", platforms=_ANY, since=600),
    Kind("CLUSQMGR"), Kind("CLUSTER"), Kind("CMDSERV", "CS", platforms=_Z),
    Kind("APSTATUS", free=True, platforms=_D, since=912),
    Kind("STGCLASS", "STC", longest=8, shown="8000 Display storage class details.", platforms=_Z),
    Kind("BUFFPOOL", "BP", platforms=_Z), Kind("PSID", platforms=_Z), Kind("USAGE", platforms=_Z),
    Kind("LOG", free=True, platforms=_Z), Kind("ARCHIVE", "ARC", free=True, platforms=_Z), Kind("BSDS"),
    Kind("SYSTEM", platforms=_Z), Kind("TRACE", platforms=_Z), Kind("THREAD", "THD", free=True, platforms=_Z),
    Kind("INDOUBT", "IND"), Kind("GROUP", platforms=_Z),
    Kind("TPIPE"), Kind("MAXSMSGS", platforms=_Z),
    # defined by the word CHANNEL, and a kind of its own beside the channels of the same name
    Kind("CLNTCONN", within="CHANNEL", longest=20, noun="channel", said=_CHANNEL,
         system="CHLTYPE=CLNTCONN: DEF.CLNTCONN"),
)  # fmt: skip  # two or three lines a kind, as in a table of the command reference


def _with_extras() -> tuple[Kind, ...]:
    """The engine's rows, and those of extras, each behind the word that it follows."""
    merged = list(_ENGINES_KINDS)
    for extra in extras():
        for word, given in extra.kinds.items():
            fields = {name: value for name, value in given.items() if name != "after"}
            words = [row.keyword for row in merged]
            place = words.index(given["after"]) + 1 if given.get("after") in words else len(merged)
            merged.insert(place, Kind(word, **fields))
    return tuple(merged)


_ROWS = _with_extras()
KINDS: dict[str, Kind] = {row.keyword: row for row in _ROWS}
"""Keyword -> its row. The numbers of the answers to DEFINE, ALTER, DELETE and DISPLAY were read in real output or in
IBM's lists for queues, channels, processes, the queue manager, and 8094, 8096, 8099, 8276, 8450, 8550 to 8552, 8563,
8567, 8625, 8626, 8630 to 8633, 8690, 8691, 8705, 8864, and 8878."""

OBJECTS = {row.keyword: row.short for row in _ROWS if row.within != "CHANNEL"}
"""Word that may follow a verb -> its synonym, "" if it has none."""

DEFINABLE = tuple(word for word in OBJECTS if KINDS[word].rows is not None and word != "QMGR")
"""Kinds that DEFINE makes and keeps, by their own word."""

_VERBS = (
    "ALTER/ALT ARCHIVE/ARC BACKUP CLEAR DEFINE/DEF DELETE DISPLAY/DIS MOVE PING PURGE RECOVER/REC REFRESH/REF RESET "
    "RESOLVE/RES RESUME RVERIFY/REV SET START/STA STOP SUSPEND"
)
VERBS = {verb: short for verb, _, short in (word.partition("/") for word in _VERBS.split())}
"""Verb -> its synonym, "" if it has none. DELETE has none, so that a mistyped DEF deletes nothing."""

END_WORDS = ("END", "EXIT", "QUIT")
"""A line of one of these ends the input."""

_SPELLED_VERBS, _SPELLED_OBJECTS = (
    {spelling: word for word, short in words.items() for spelling in (word, short) if spelling}
    for words in (VERBS, OBJECTS)
)


def verb_word(word: str) -> str | None:
    """The verb this word spells, None if none.

    >>> verb_word("dis"), verb_word("del")
    ('DISPLAY', None)
    """
    return _SPELLED_VERBS.get(word.upper())


def object_word(word: str) -> str | None:
    """The kind of object this word spells, None if none."""
    return _SPELLED_OBJECTS.get(word.upper())


def family(kind: str) -> tuple[str, ...]:
    """The kinds of object that a DISPLAY of this kind shows.

    >>> family("QUEUE"), family("PROCESS")
    (('QLOCAL', 'QALIAS', 'QREMOTE', 'QMODEL'), ('PROCESS',))
    """
    return tuple(row.keyword for row in _ROWS if row.rows is not None and kind in (row.keyword, row.within))


QUEUE_KINDS = family("QUEUE")
"""The four kinds of queue, whose names share one space."""


def headline(kind: str) -> str:  # text: a column of the table
    """The line that runmqsc prints over each object of this kind, "" if it shows none."""
    row = KINDS[kind]
    number, _, text = (row.shown or KINDS[row.within or kind].shown).partition(" ")
    return f"AMQ{number}I: {text}" if text else ""


def answer(kind: str, verb: str) -> str:  # text: a column of the table
    """The message of runmqsc after DEFINE, ALTER or DELETE of an object of this kind.

    >>> answer("PROCESS", "DELETE")
    'AMQ8011I: IBM MQ process deleted.'
    """
    done = {"DEFINE": "created", "ALTER": "changed", "DELETE": "deleted"}[verb]
    for said in KINDS[kind].said.split(", "):
        if said.endswith(done):
            number, _, words = said.partition(" ")
            return f"AMQ{number}I: IBM MQ {KINDS[kind].noun} {words}."
    return f"AMQ8000I: {kind} {done}."


class SystemObject(NamedTuple):
    """One SYSTEM object: `given` are its words KEYWORD=VALUE, `made` is whether its queue is set up at once."""

    kind: str
    name: str
    since: int
    platforms: tuple[str, ...]
    given: dict[str, str]
    made: bool


def _system_objects() -> Iterator[SystemObject]:
    for row in _ROWS:
        for group in row.system.split(";") if row.system else ():
            head, _, names = group.rpartition(":")
            marks = head.split()
            given = dict(mark.split("=") for mark in marks if "=" in mark)
            since = max([row.since, *(int(mark) for mark in marks if mark.isdecimal())])
            platforms = _Z if "zos" in marks else _MP if "mp" in marks else row.platforms
            for name in names.split():
                yield SystemObject(row.keyword, f"SYSTEM.{name.lstrip('*')}", since, platforms, given, name[0] == "*")


SYSTEM = tuple(_system_objects())
"""Every SYSTEM object of crtmqm's list and of z/OS's samples; SYSTEM.ADMIN.SVRCONN is not one: sites define it. Levels
are those of lists that real queue managers of 701 and 750 displayed and of IBM's tables.
"""


def _type(given: Mapping[str, Any]) -> str:
    return given.get("CHLTYPE") or given.get("AUTHTYPE") or ""


_STARTS = {(one.kind, _type(one.given)): one.name for one in reversed(SYSTEM)}


def default_object(kind: str, attributes: Mapping[str, Any] = {}) -> str:
    """The object that DEFINE of this kind (and CHLTYPE or AUTHTYPE) starts from; it can be altered. "" if none.

    >>> default_object("CHANNEL", {"CHLTYPE": "SDR"})
    'SYSTEM.DEF.SENDER'
    """
    return _STARTS.get((kind, _type(attributes)), "")


_LEGAL = re.compile(r"[A-Za-z0-9./_%]+", re.ASCII)


def check_name(kind: str, name: str, generic: bool = False) -> str:
    """Give the name if an object of this kind can have it.

    The name may hold inserts such as ``+QMNAME+``, which the queue manager fills in; with `generic` it may end in
    ``*``, as DISPLAY allows. CatalogError of sort "name" for any other.
    """
    row = KINDS.get(kind, Kind(kind))
    stem = INSERT.sub("_", name[:-1] if generic and name.endswith("*") else name)
    if not stem:
        if generic and name == "*":
            return name
        raise CatalogError(
            "name", f"{kind}: wanted a name of 1 to {row.longest} characters; got nothing between the parentheses"
        )
    if not row.free and not _LEGAL.fullmatch(stem):
        bad = " ".join(dict.fromkeys(c for c in stem if not _LEGAL.fullmatch(c))) or "blank"
        bad = bad.strip() or "a blank"
        text = f"{kind}: {_brief(name)} is not a legal MQ name: {bad} is not allowed in one. Use A-Z a-z 0-9 . / _ %"
        if generic and "*" in bad.split():
            text += "; a * is only at the end, as in ORD*"
        tried = re.sub(r"[^A-Za-z0-9./_%]+", ".", stem).strip(".")
        raise CatalogError("name", text + (f", for example {tried}" if tried else ""))
    if len(stem) > row.longest:
        raise CatalogError(
            "name",
            f"{kind}: wanted a name of at most {row.longest} characters; {_brief(name)} has "
            f"{len(stem)}. Take {len(stem) - row.longest} off",
        )
    return name


def _brief(name: str) -> str:
    return repr(name) if len(name) <= 60 else repr(name[:57] + "...")
