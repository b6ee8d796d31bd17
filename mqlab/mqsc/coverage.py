"""What mqlab acts on and what it only keeps: the tables that later parts of the project change."""

from __future__ import annotations

from ..mq import catalog
from ..programs.channels.channel import MOVING
from .command import DEFINABLE, Command
from .operating import OPERATED

__all__ = ["ACTED_ON", "ACTING", "FOR_READERS", "NOT_YET", "kept_only", "note", "simulated"]

_QUEUE = (
    "CAPEXPRY CUSTOM DEFPRTY DEFPSIST DEFSOPT GET HARDENBO INITQ MAXDEPTH MAXMSGL MONQ MSGDLVSQ NPMCLASS PROCESS PUT "
    "SHARE TRIGDATA TRIGDPTH TRIGGER TRIGMPRI TRIGTYPE USAGE QSGDISP CFSTRUCT"
)
ACTING = {
    kind: frozenset(keywords.split())
    for kind, keywords in {
        "QLOCAL": _QUEUE,
        "QMODEL": f"{_QUEUE} DEFTYPE",
        "QALIAS": "CAPEXPRY CUSTOM DEFPRTY DEFPSIST GET PUT TARGET TARGTYPE",
        "TOPIC": "CAPEXPRY CUSTOM DEFPRTY DEFPSIST PUB TOPICSTR",
        "SUB": "DEST DESTCLAS DESTQMGR PUBPRTY REQONLY SELECTOR TOPICOBJ TOPICSTR WSCHEMA",
        "QREMOTE": "CAPEXPRY CUSTOM DEFPRTY DEFPSIST PUT RNAME RQMNAME XMITQ",
        "CHANNEL": "BATCHINT BATCHLIM BATCHSZ CHLTYPE CONNAME DISCINT HBINT LONGRTY LONGTMR MAXMSGL MRRTY MRTMR "
        "NPMSPEED SEQWRAP SHORTRTY SHORTTMR USEDLQ XMITQ",
        "CFSTRUCT": "CFLEVEL RECOVER",
        "PROCESS": "APPLICID APPLTYPE ENVRDATA USERDATA",
        "NAMELIST": "",
        "QMGR": "CCSID DEADQ DEFXMITQ SCHINIT EXPRYINT IGQ MAXHANDS MAXMSGL MAXUMSGS MONQ SQQMNAME TRIGINT",
    }.items()
}
"""Kind -> its attributes that something in the lab acts on; CUSTOM as far as CAPEXPRY. A kind that is not here is kept
and shown, and nothing acts on it."""

FOR_READERS = frozenset({"BOQNAME", "BOTHRESH", "DESCR", "NAMES"})
"""Attributes that MQ itself does not act on: they are there for people and programs to read."""

NOT_YET = frozenset({*DEFINABLE, "CLNTCONN"} - set(ACTING))
"""Kinds whose definitions are kept and displayed, while nothing in the lab acts on them."""


ACTED_ON = frozenset(
    {
        ("DISPLAY", "QSTATUS"),
        ("DISPLAY", "CHSTATUS"),
        ("DISPLAY", "CFSTATUS"),
        ("REFRESH", "QMGR", "EXPIRY"),
        ("BACKUP", "CFSTRUCT"),
        ("RECOVER", "CFSTRUCT"),
        ("RESET", "CFSTRUCT"),
        *OPERATED,
    }
)
"""Commands about no kind of object that the lab acts on: verb and object, and the TYPE where only that one is."""


def simulated(qmgr, command: Command) -> bool:
    """Whether the lab acts on the kind of object that this command is about (a channel: on its type), or on the command
    itself."""
    if _kept_type(qmgr, command):
        return False
    if command.kind:
        return command.kind not in NOT_YET
    words = (command.verb, command.object)
    return words in ACTED_ON or (*words, command.options.get("TYPE")) in ACTED_ON


def _kept_type(qmgr, command: Command) -> str:
    """The type of the channel that this command is about where the lab runs none of that type, else ""."""
    if command.object != "CHANNEL":
        return ""
    found = qmgr.objects.get("CHANNEL", command.name)
    chltype = command.attributes.get("CHLTYPE") or (found.attributes["CHLTYPE"] if found is not None else "SDR")
    return "" if chltype in MOVING else chltype


def kept_only(qmgr, command: Command) -> tuple[str, ...]:
    """The attributes that a DEFINE or ALTER sets on this platform while nothing in the lab acts on them, as written.

    What the platform does not have is not kept either, and left out here.
    """
    if command.verb not in ("DEFINE", "ALTER") or not command.kind:
        return ()
    acted = frozenset() if _kept_type(qmgr, command) else ACTING.get(command.kind, frozenset())
    has, acting = catalog.attributes(command.kind), acted | FOR_READERS
    return tuple(
        keyword
        for keyword in command.attributes
        if keyword not in acting and qmgr.platform in has[keyword].platforms and keyword != "CMDSCOPE"
    )


def note(qmgr, command: Command, kept: tuple[str, ...]) -> str:
    """The line a reply adds where not all of it is acted on; `kept` are attributes of a kind that is."""
    kind, chltype = command.kind, _kept_type(qmgr, command)
    if chltype and command.verb not in ("DEFINE", "ALTER"):
        return f"mqlab: the command is accepted, but the lab runs no channel of type {chltype} yet."
    if chltype and chltype != "CLNTCONN":
        return f"mqlab: the definition of a {chltype} channel is kept, but nothing in the lab acts on it yet."
    if kind in ACTING:
        are, them = ("is", "it") if len(kept) == 1 else ("are", "them")
        return f"mqlab: {', '.join(kept)} {are} kept, but nothing in the lab acts on {them} yet."
    if kind:
        return f"mqlab: the {kind} definition is kept, but nothing in the lab acts on it yet."
    return "mqlab: the command is checked and accepted, but not acted on yet."
