"""The words of MQSC: verbs, sorts of object, and their shorter spellings."""

from __future__ import annotations

__all__ = ["END_WORDS", "OBJECTS", "VERBS", "object_word", "verb_word"]

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

OBJECTS = {
    "QLOCAL": ("QL",),
    "QALIAS": ("QA",),
    "QREMOTE": ("QR",),
    "QMODEL": ("QM",),
    "QUEUE": ("Q",),
    "QCLUSTER": ("QC",),
    "QMGR": (),
    "QMSTATUS": (),
    "QSTATUS": ("QS",),
    "QSTATS": (),
    "CHANNEL": ("CHL",),
    "CHSTATUS": ("CHS",),
    "CHINIT": ("CHI",),
    "CHLAUTH": (),
    "LISTENER": ("LSTR",),
    "LSSTATUS": ("LSS",),
    "SERVICE": (),
    "SVSTATUS": (),
    "PROCESS": ("PRO",),
    "NAMELIST": ("NL",),
    "TOPIC": (),
    "TOPICSTR": (),
    "TPSTATUS": ("TPS",),
    "TCLUSTER": ("TC",),
    "SUB": (),
    "SBSTATUS": (),
    "PUBSUB": (),
    "AUTHINFO": (),
    "AUTHREC": (),
    "AUTHSERV": (),
    "ENTAUTH": (),
    "POLICY": (),
    "SECURITY": ("SEC",),
    "COMMINFO": (),
    "CONN": (),
    "CLUSQMGR": (),
    "CLUSTER": (),
    "CMDSERV": ("CS",),
    "APSTATUS": (),
    "STGCLASS": ("STC",),
    "CFSTRUCT": (),
    "CFSTATUS": (),
    "SMDS": (),
    "SMDSCONN": (),
    "BUFFPOOL": ("BP",),
    "PSID": (),
    "USAGE": (),
    "LOG": (),
    "ARCHIVE": ("ARC",),
    "BSDS": (),
    "SYSTEM": (),
    "TRACE": (),
    "THREAD": ("THD",),
    "INDOUBT": ("IND",),
    "GROUP": (),
    "TPIPE": (),
    "MAXSMSGS": (),
}
"""Sort of object -> its synonyms."""

END_WORDS = ("END", "EXIT", "QUIT")
"""A line of one of these ends the input."""

_VERBS = {spelling: verb for verb, short in VERBS.items() for spelling in (verb, *short)}
_OBJECTS = {spelling: name for name, short in OBJECTS.items() for spelling in (name, *short)}


def verb_word(word: str) -> str | None:
    """The verb this word spells, None if none.

    >>> verb_word("dis"), verb_word("del")
    ('DISPLAY', None)
    """
    return _VERBS.get(word.upper())


def object_word(word: str) -> str | None:
    """The sort of object this word spells, None if none."""
    return _OBJECTS.get(word.upper())
