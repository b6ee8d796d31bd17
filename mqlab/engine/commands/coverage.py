"""The remark of a reply to a command that has no effect, or only some, in the lab; the marks are in the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extra import extras, of_extras
from ..programs.channels.channel import moves
from ..words import catalog
from .command import Command
from .control_commands import OPERATED
from .status import shows

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager

_ACTED_ON = frozenset(
    {
        *((verb, word) for verb in ("START", "STOP") for word in ("LISTENER", "SERVICE")),
        ("REFRESH", "QMGR", "EXPIRY"),
        *OPERATED,
    }
)
"""Commands about no kind of object that the lab acts on: verb and object, and the TYPE where only that one is."""


def acted_on() -> frozenset[tuple[str | None, ...]]:
    """Commands about no kind of object that the lab acts on: verb and object, and the TYPE where only that one is."""
    displayed = (("DISPLAY", word) for word in shows())
    done = (key for extra in extras() for key in extra.commands if None not in key)
    return frozenset((*_ACTED_ON, *displayed, *done))


_STARTED = {"LISTENER": "LSSTATUS", "SERVICE": "SVSTATUS"}
"""Kind whose objects start and stop as programs -> the word that displays the running programs."""
UNREAD = frozenset({"DATALEN", "ENVPARM", "SERVCOMP", "SHARED"}.union(*(e.unread for e in extras())))
"""Keywords that commands accept and that change nothing; a value that asks for nothing else needs no note."""


def simulated(qmgr: QueueManager, command: Command) -> bool:
    """Whether the lab acts on the kind of object that this command is about (a channel: on its type), or on the command
    itself."""
    if _kept_type(qmgr, command):
        return False
    if command.kind:
        return command.kind == "QUEUE" or catalog.KINDS[command.kind].simulated
    words = (command.verb, command.object)
    return not acted_on().isdisjoint((words, (*words, command.options.get("TYPE"))))


def _kept_type(qmgr: QueueManager, command: Command) -> str:
    """The type of the channel that this command is about where the lab runs none of that type, else ""."""
    if command.object != "CHANNEL":
        return ""
    found = qmgr.objects.get("CHANNEL", command.name)
    chltype = command.attributes.get("CHLTYPE") or (found.attributes["CHLTYPE"] if found is not None else "SDR")
    return "" if moves(chltype) or chltype in of_extras("run_types") else chltype


def kept_only(qmgr: QueueManager, command: Command) -> tuple[str, ...]:
    """The parts of a command without effect in the lab, as written: attributes that a DEFINE or ALTER sets, and
    keywords that are `UNREAD`.

    Attributes that the platform does not have are not kept, and not listed.
    """
    given = (command.options | command.attributes).items()
    unread = tuple(word for word, value in given if word in UNREAD and value not in (False, "", "PRIVATE", qmgr.name))
    if command.verb not in ("DEFINE", "ALTER") or not command.kind:
        return unread
    acting = catalog.KINDS[command.kind].simulated and not _kept_type(qmgr, command)
    has, chltype = catalog.attributes(command.kind), command.attributes.get("CHLTYPE")
    if (own := of_extras("run_types").get(chltype)) is not None:
        return unread + tuple(word for word in command.attributes if word not in own and not has[word].inert)
    return unread + tuple(
        keyword
        for keyword in command.attributes
        if not (has[keyword].inert or (acting and has[keyword].acts))
        and has[keyword].had_by(qmgr.platform, qmgr.level)
        and keyword not in UNREAD
    )


def note(qmgr: QueueManager, command: Command, kept: tuple[str, ...]) -> str:
    """The line a reply adds where not all of it is acted on; `kept` are attributes of a kind that is."""
    kind, chltype = command.kind, _kept_type(qmgr, command)
    if chltype and command.verb not in ("DEFINE", "ALTER"):
        return f"mqlab: the command is accepted, but the lab runs no channel of type {chltype} yet."
    if chltype and chltype != "CLNTCONN":
        return f"mqlab: the definition of a {chltype} channel is kept, but nothing in the lab acts on it yet."
    if kept and simulated(qmgr, command):
        are, them = ("is", "it") if len(kept) == 1 else ("are", "them")
        done = "kept" if command.verb in ("DEFINE", "ALTER") else "accepted"
        return f"mqlab: {', '.join(kept)} {are} {done}, but nothing in the lab acts on {them} yet."
    if kind in _STARTED:
        moves = "; messages move whether it runs or not" if kind == "SERVICE" else ""
        return f"mqlab: the {kind} definition is kept. START, STOP, and DISPLAY {_STARTED[kind]} act on it{moves}."
    if kind:
        return f"mqlab: the {kind} definition is kept, but nothing in the lab acts on it yet."
    return "mqlab: the command is checked and accepted, but not acted on yet."
