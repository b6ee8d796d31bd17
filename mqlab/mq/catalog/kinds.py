"""One row for each kind of object, and the words of MQSC: verbs, kinds, names.

A row says what a kind is called and how long its names may be, which rows of attributes it has, who has it since which
level, which DISPLAY command shows its status, what runmqsc says of it, whether the lab acts on it, and which SYSTEM
objects of it a new queue manager has. Adding a kind is adding a row, its attributes, and the module that acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from . import channels, definitions, qmgr, queues
from .attribute import ALL_PLATFORMS, INSERT, CatalogueError


class Kind(NamedTuple):
    """One kind of object, or another word that may follow a verb.

    `short` is its synonym, `within` the kind by whose word it is defined or displayed too, `shows` the kind whose
    objects DISPLAY of this word shows. `rows` are its attributes (`None`: it has none, and DEFINE does not make it) and
    `on_zos` defaults that z/OS has instead. A name has at most `longest` characters, any ones if `free`. `noun` and
    `said` are the answers to DEFINE, ALTER and DELETE, numbers first, `shown` is the line over each object displayed,
    and `status` the command that shows what it does now. The lab acts on a kind that is `simulated`. `system` are the
    names of SYSTEM objects, by what they have otherwise than others of the kind; every queue manager is made with those
    behind a star, the first of which DEFINE starts from, and a command brings the others into being.
    """

    keyword: str
    short: str = ""
    rows: tuple | None = None
    on_zos: Mapping[str, object] = {}
    platforms: tuple[str, ...] = ALL_PLATFORMS
    since: int = 0
    within: str = ""
    shows: str = ""
    longest: int = 48
    free: bool = False
    noun: str = ""
    said: tuple[str, str, str] | tuple[()] = ()
    shown: str = ""
    status: str = ""
    simulated: bool = False
    system: Mapping[str, str] = {}


_QUEUE = ("8006 created", "8008 changed", "8007 deleted")
_CHANNEL = ("8014 created", "8016 changed", "8015 deleted")
_Z, _MP = ("zos",), ("distributed", "vse")

# Message numbers read in real output or IBM's message lists: queues, channels, processes, the queue manager, 8408,
# 8409, 8414, 8450, 8550 to 8552, 8563, 8567, 8625, 8626, 8690, 8691, 8094; the others are our reading.
_ROWS = (
    Kind(
        "QLOCAL",
        "QL",
        queues.ROWS["QLOCAL"],
        {"DEFSOPT": "EXCL", "MAXDEPTH": 999_999_999, "QDEPTHLO": 40, "SHARE": False},
        within="QUEUE",
        noun="queue",
        said=_QUEUE,
        status="QSTATUS",
        simulated=True,
        system={
            "": """
            *SYSTEM.DEFAULT.LOCAL.QUEUE SYSTEM.ADMIN.ACCOUNTING.QUEUE SYSTEM.ADMIN.ACTIVITY.QUEUE
            SYSTEM.ADMIN.CHANNEL.EVENT SYSTEM.ADMIN.COMMAND.EVENT *SYSTEM.ADMIN.COMMAND.QUEUE SYSTEM.ADMIN.CONFIG.EVENT
            SYSTEM.ADMIN.LOGGER.EVENT SYSTEM.ADMIN.PERFM.EVENT SYSTEM.ADMIN.PUBSUB.EVENT SYSTEM.ADMIN.QMGR.EVENT
            SYSTEM.ADMIN.STATISTICS.QUEUE SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE SYSTEM.ADMIN.TRACE.ROUTE.QUEUE
            SYSTEM.AMQP.COMMAND.QUEUE SYSTEM.AUTH.DATA.QUEUE SYSTEM.BROKER.ADMIN.STREAM SYSTEM.BROKER.CONTROL.QUEUE
            SYSTEM.BROKER.DEFAULT.STREAM SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS *SYSTEM.CHANNEL.INITQ
            *SYSTEM.CHANNEL.SYNCQ SYSTEM.CHLAUTH.DATA.QUEUE SYSTEM.CICS.INITIATION.QUEUE SYSTEM.CLUSTER.COMMAND.QUEUE
            SYSTEM.CLUSTER.HISTORY.QUEUE SYSTEM.CLUSTER.REPOSITORY.QUEUE SYSTEM.CLUSTER.TRANSMIT.QUEUE
            SYSTEM.COMMAND.INPUT SYSTEM.DDELAY.LOCAL.QUEUE *SYSTEM.DEAD.LETTER.QUEUE *SYSTEM.DEFAULT.INITIATION.QUEUE
            SYSTEM.DOTNET.XARECOVERY.QUEUE SYSTEM.DURABLE.SUBSCRIBER.QUEUE SYSTEM.HIERARCHY.STATE
            SYSTEM.INTER.QMGR.CONTROL SYSTEM.INTER.QMGR.FANREQ SYSTEM.INTER.QMGR.PUBS SYSTEM.INTERNAL.REPLY.QUEUE
            SYSTEM.PENDING.DATA.QUEUE SYSTEM.PROTECTION.ERROR.QUEUE SYSTEM.PROTECTION.POLICY.QUEUE
            SYSTEM.QSG.TRANSMIT.QUEUE SYSTEM.REST.REPLY.QUEUE SYSTEM.RETAINED.PUB.QUEUE
            SYSTEM.SELECTION.EVALUATION.QUEUE SYSTEM.SELECTION.VALIDATION.QUEUE"""
        },
    ),
    Kind(
        "QALIAS",
        "QA",
        queues.ROWS["QALIAS"],
        within="QUEUE",
        noun="queue",
        said=_QUEUE,
        simulated=True,
        system={"": "*SYSTEM.DEFAULT.ALIAS.QUEUE"},
    ),
    Kind(
        "QREMOTE",
        "QR",
        queues.ROWS["QREMOTE"],
        within="QUEUE",
        noun="queue",
        said=_QUEUE,
        simulated=True,
        system={"": "*SYSTEM.DEFAULT.REMOTE.QUEUE"},
    ),
    Kind(
        "QMODEL",
        "QM",
        queues.ROWS["QMODEL"],
        {"MAXDEPTH": 999_999_999, "QDEPTHLO": 40},
        within="QUEUE",
        noun="queue",
        said=_QUEUE,
        simulated=True,
        system={
            "": """
            *SYSTEM.DEFAULT.MODEL.QUEUE SYSTEM.BROKER.MODEL.STREAM SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE
            SYSTEM.COMMAND.REPLY.MODEL SYSTEM.DURABLE.MODEL.QUEUE SYSTEM.JMS.TEMPQ.MODEL SYSTEM.MQEXPLORER.REPLY.MODEL
            SYSTEM.MQSC.REPLY.QUEUE SYSTEM.NDURABLE.MODEL.QUEUE"""
        },
    ),
    Kind(
        "PROCESS",
        "PRO",
        definitions.ROWS["PROCESS"],
        {"APPLTYPE": 2},
        noun="process",
        said=("8010 created", "8012 changed", "8011 deleted"),
        shown="8407 Display Process details.",
        simulated=True,
        system={"": "*SYSTEM.DEFAULT.PROCESS"},
    ),
    Kind(
        "NAMELIST",
        "NL",
        definitions.ROWS["NAMELIST"],
        noun="namelist",
        said=("8552 created", "8551 changed", "8553 deleted"),
        shown="8550 Display namelist details.",
        simulated=True,
        system={"": "*SYSTEM.DEFAULT.NAMELIST SYSTEM.QPUBSUB.QUEUE.NAMELIST SYSTEM.QPUBSUB.SUBPOINT.NAMELIST"},
    ),
    Kind("QUEUE", "Q", shows="QUEUE", shown="8409 Display Queue details."),
    Kind("QCLUSTER", "QC", shows="QUEUE"),
    Kind(
        "QMGR",
        rows=qmgr.ROWS,
        on_zos=qmgr.ON_ZOS,
        noun="queue manager",
        said=("", "8005 changed", ""),
        shown="8408 Display Queue Manager details.",
        status="QMSTATUS",
        simulated=True,
    ),
    Kind("QMSTATUS"),
    Kind("QSTATUS", "QS", shown="8450 Display queue status details."),
    Kind("QSTATS"),
    Kind(
        "CHANNEL",
        "CHL",
        channels.ROWS,
        longest=20,
        noun="channel",
        said=_CHANNEL,
        shown="8414 Display Channel details.",
        status="CHSTATUS",
        simulated=True,
        system={
            "CHLTYPE=SDR": "SYSTEM.DEF.SENDER",
            "CHLTYPE=SVR": "SYSTEM.DEF.SERVER",
            "CHLTYPE=RCVR": "SYSTEM.DEF.RECEIVER SYSTEM.AUTO.RECEIVER",
            "CHLTYPE=RQSTR": "SYSTEM.DEF.REQUESTER",
            "CHLTYPE=SVRCONN": "SYSTEM.DEF.SVRCONN SYSTEM.AUTO.SVRCONN",
            "CHLTYPE=CLUSSDR": "SYSTEM.DEF.CLUSSDR",
            "CHLTYPE=CLUSRCVR": "SYSTEM.DEF.CLUSRCVR",
            "CHLTYPE=AMQP": "SYSTEM.DEF.AMQP",
        },
    ),
    Kind("CHSTATUS", "CHS", shown="8417 Display Channel Status details."),
    Kind("CHINIT", "CHI"),
    Kind("CHLAUTH"),
    Kind(
        "LISTENER",
        "LSTR",
        definitions.ROWS["LISTENER"],
        noun="listener",
        said=("8626 created", "8623 changed", "8628 object deleted"),
        shown="8630 Display listener information details.",
        status="LSSTATUS",
        system={"": "SYSTEM.DEFAULT.LISTENER.TCP SYSTEM.LISTENER.TCP.1"},
        platforms=_MP,
        since=600,
    ),
    Kind("LSSTATUS", "LSS"),
    Kind(
        "SERVICE",
        rows=definitions.ROWS["SERVICE"],
        noun="service",
        said=("8625 created", "8622 changed", "8627 object deleted"),
        shown="8629 Display service information details.",
        status="SVSTATUS",
        system={"": "SYSTEM.DEFAULT.SERVICE SYSTEM.AMQP.SERVICE SYSTEM.BROKER SYSTEM.MQXR.SERVICE"},
        platforms=_MP,
        since=600,
    ),
    Kind("SVSTATUS"),
    Kind(
        "TOPIC",
        rows=definitions.ROWS["TOPIC"],
        noun="topic",
        said=("8690 created", "8691 changed", "8692 deleted"),
        shown="8633 Display topic details.",
        status="TPSTATUS",
        simulated=True,
        system={
            "": """
            SYSTEM.DEFAULT.TOPIC SYSTEM.ADMIN.TOPIC SYSTEM.BASE.TOPIC SYSTEM.BROKER.ADMIN.STREAM.TOPIC
            SYSTEM.BROKER.DEFAULT.STREAM.TOPIC SYSTEM.BROKER.DEFAULT.SUBPOINT"""
        },
        since=700,
    ),
    Kind("TOPICSTR", longest=10_240, free=True),
    Kind("TPSTATUS", "TPS", free=True),
    Kind("TCLUSTER", "TC", shows="TOPIC"),
    Kind(
        "SUB",
        rows=definitions.ROWS["SUB"],
        longest=10_240,
        free=True,
        noun="subscription",
        said=("8094 created", "8095 changed", "8097 deleted"),
        shown="8096 IBM MQ subscription inquired.",
        status="SBSTATUS",
        simulated=True,
        system={"": "SYSTEM.DEFAULT.SUB"},
        since=700,
    ),
    Kind("SBSTATUS", free=True),
    Kind("PUBSUB"),
    Kind(
        "AUTHINFO",
        rows=definitions.ROWS["AUTHINFO"],
        noun="authentication information",
        said=("8563 object created", "8567 changed", "8564 object deleted"),
        shown="8566 Display authentication information details.",
        system={
            "AUTHTYPE=IDPWOS": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
            "AUTHTYPE=IDPWLDAP": "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP",
            "AUTHTYPE=CRLLDAP": "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP",
            "AUTHTYPE=OCSP": "SYSTEM.DEFAULT.AUTHINFO.OCSP",
        },
        since=530,
    ),
    Kind("AUTHREC", free=True),
    Kind("AUTHSERV"),
    Kind("ENTAUTH"),
    Kind("POLICY"),
    Kind("SECURITY", "SEC", longest=64),
    Kind(
        "COMMINFO",
        rows=definitions.ROWS["COMMINFO"],
        noun="comm info object",
        said=("8682 created", "8681 changed", "8683 deleted"),
        shown="8684 Display comm info details.",
        system={"": "SYSTEM.DEFAULT.COMMINFO.MULTICAST"},
        platforms=_MP,
        since=710,
    ),
    Kind("CONN", free=True),
    Kind("CLUSQMGR"),
    Kind("CLUSTER"),
    Kind("CMDSERV", "CS"),
    Kind("APSTATUS", free=True),
    Kind(
        "STGCLASS",
        "STC",
        definitions.ROWS["STGCLASS"],
        platforms=_Z,
        longest=8,
        shown="8000 Display storage class details.",
    ),
    Kind(
        "CFSTRUCT",
        rows=definitions.ROWS["CFSTRUCT"],
        longest=12,
        shown="8000 Display CF structure details.",
        status="CFSTATUS",
        simulated=True,
        platforms=_Z,
    ),
    Kind("CFSTATUS", shown="8000 Display CF structure status details."),
    Kind("SMDS"),
    Kind("SMDSCONN"),
    Kind("BUFFPOOL", "BP", definitions.ROWS["BUFFPOOL"], platforms=_Z),
    Kind("PSID", rows=definitions.ROWS["PSID"], platforms=_Z),
    Kind("USAGE"),
    Kind("LOG", free=True),
    Kind("ARCHIVE", "ARC", free=True),
    Kind("BSDS"),
    Kind("SYSTEM"),
    Kind("TRACE"),
    Kind("THREAD", "THD", free=True),
    Kind("INDOUBT", "IND"),
    Kind("GROUP"),
    Kind("TPIPE"),
    Kind("MAXSMSGS"),
    # defined by the word CHANNEL, and a kind of its own beside the channels of the same name
    Kind(
        "CLNTCONN",
        rows=channels.ROWS,
        within="CHANNEL",
        longest=20,
        noun="channel",
        said=_CHANNEL,
        system={"CHLTYPE=CLNTCONN": "SYSTEM.DEF.CLNTCONN"},
    ),
)

KINDS: dict[str, Kind] = {row.keyword: row for row in _ROWS}
"""Keyword -> its row."""

OBJECTS: dict[str, tuple[str, ...]] = {
    row.keyword: (row.short,) if row.short else () for row in _ROWS if row.within != "CHANNEL"
}
"""Word that may follow a verb -> its synonyms."""

DEFINABLE = tuple(word for word in OBJECTS if KINDS[word].rows is not None and word != "QMGR")
"""Kinds that DEFINE makes and keeps, by their own word."""

VERBS = {
    "ALTER": ("ALT",),
    "ARCHIVE": ("ARC",),
    "BACKUP": (),
    "CLEAR": (),
    "DEFINE": ("DEF",),
    "DELETE": (),
    "DISPLAY": ("DIS",),
    "MOVE": (),
    "PING": (),
    "PURGE": (),
    "RECOVER": ("REC",),
    "REFRESH": ("REF",),
    "RESET": (),
    "RESOLVE": ("RES",),
    "RESUME": (),
    "RVERIFY": ("REV",),
    "SET": (),
    "START": ("STA",),
    "STOP": (),
    "SUSPEND": (),
}
"""Verb -> its synonyms. DELETE has none, so that nobody deletes who meant DEF."""

END_WORDS = ("END", "EXIT", "QUIT")
"""A line of one of these ends the input."""

_SPELLED_VERBS = {spelling: verb for verb, short in VERBS.items() for spelling in (verb, *short)}
_SPELLED_OBJECTS = {spelling: name for name, short in OBJECTS.items() for spelling in (name, *short)}


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


def headline(kind: str) -> str:
    """The line that runmqsc prints over each object of this kind, "" if it shows none."""
    row = KINDS[kind]
    number, _, text = (row.shown or KINDS[row.within or kind].shown).partition(" ")
    return f"AMQ{number}I: {text}" if text else ""


def answer(kind: str, verb: str) -> str:
    """What runmqsc says after DEFINE, ALTER or DELETE of an object of this kind.

    >>> answer("PROCESS", "DELETE")
    'AMQ8011I: IBM MQ process deleted.'
    """
    row, place = KINDS[kind], ("DEFINE", "ALTER", "DELETE").index(verb)
    if not row.said:
        return f"AMQ8000I: {kind} {('created', 'changed', 'deleted')[place]}."
    number, _, done = row.said[place].partition(" ")
    return f"AMQ{number}I: IBM MQ {row.noun} {done}."


# ---------------------------------------------------------------- SYSTEM objects
def _system_objects() -> dict[str, tuple[str, dict[str, str]]]:
    """Name -> kind, and what it has otherwise than others of its kind."""
    found = {}
    for row in _ROWS:
        for otherwise, names in row.system.items():
            given = dict([otherwise.split("=")]) if otherwise else {}
            found.update({name.lstrip("*"): (row.keyword, given) for name in names.split()})
    return found


_SYSTEM = _system_objects()


def system_object(name: str) -> tuple[str, dict[str, str]] | None:
    """The kind of a SYSTEM object of a new queue manager and what its attributes differ in; None for other names.

    The names are those of crtmqm's list, z/OS's common ones among them. SYSTEM.ADMIN.SVRCONN is not: sites define it.
    """
    return _SYSTEM.get(name)


def installed() -> tuple[tuple[str, str], ...]:
    """(kind, name) of each object that every queue manager is made with, those that DEFINE starts from first."""
    made = [(row.keyword, name[1:]) for row in _ROWS for name in row.system.get("", "").split() if name[0] == "*"]
    return tuple(sorted(made, key=lambda each: default_object(each[0]) != each[1]))


def default_object(kind: str) -> str:
    """The object whose attributes DEFINE of this kind starts from; it can be altered like any other. "" if none."""
    first = KINDS[kind].system.get("", " ").split()[:1] if kind in KINDS else []
    return first[0][1:] if first and first[0][0] == "*" else ""


# ---------------------------------------------------------------- names
_LEGAL = re.compile(r"[A-Za-z0-9./_%]+", re.ASCII)


def check_name(kind: str, name: str, generic: bool = False) -> str:
    """Give the name if an object of this kind can have it.

    Parameters
    ----------
    name : str
        It may hold inserts such as ``+QMNAME+``, which the queue manager fills in.
    generic : bool
        Allow ``*`` at the end, as DISPLAY does.

    Raises
    ------
    CatalogueError
        ``sort`` is "name".
    """
    row = KINDS.get(kind, Kind(kind))
    stem = INSERT.sub("_", name[:-1] if generic and name.endswith("*") else name)
    if not stem:
        if generic and name == "*":
            return name
        raise CatalogueError(
            "name", f"{kind}: wanted a name of 1 to {row.longest} characters; got nothing between the parentheses"
        )
    if not row.free and not _LEGAL.fullmatch(stem):
        bad = " ".join(dict.fromkeys(c for c in stem if not _LEGAL.fullmatch(c))) or "blank"
        bad = bad.strip() or "a blank"
        text = f"{kind}: {_brief(name)} is not a legal MQ name: {bad} cannot stand in one. Use A-Z a-z 0-9 . / _ %"
        tried = re.sub(r"[^A-Za-z0-9./_%]+", ".", stem).strip(".")
        raise CatalogueError("name", text + (f", for example {tried}" if tried else ""))
    if len(stem) > row.longest:
        raise CatalogueError(
            "name",
            f"{kind}: wanted a name of at most {row.longest} characters; {_brief(name)} has "
            f"{len(stem)}. Take {len(stem) - row.longest} off",
        )
    return name


def _brief(name: str) -> str:
    return repr(name) if len(name) <= 60 else repr(name[:57] + "...")
