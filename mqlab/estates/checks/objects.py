"""Questions of checks about objects: which ones the estate's people made, and how a finding reports a missing name."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, absent
from ..proofs import Proof
from ..routes import in_other_case

if TYPE_CHECKING:
    from ..definitions import Definitions, Place

MOST_CALLS = 1_000
"""The most calls that a proof makes."""
USUAL = 4_194_304
"""The default of MAXMSGL, which nobody chose."""

_SENTENCES = tomllib.loads(files(__package__).joinpath("sentences.toml").read_text("utf-8"))


def say(which: str, **facts: object) -> str:
    """A sentence of sentences.toml with facts in it."""
    sentence: str = _SENTENCES[which]
    return sentence.format(**facts)


def each(estate: Definitions, *kinds: str) -> Iterator[tuple[QueueManager, Definition]]:
    """Each object of these kinds that belongs to the people of the estate, with its queue manager."""
    return ((qmgr, one) for qmgr in estate.queue_managers for one in estate.own(qmgr, *kinds))


def owners(qmgr: QueueManager, queue: Definition) -> tuple[QueueManager, ...]:
    """The queue managers that have a queue: every member of the group for a shared one, of which `qmgr` is the
    first."""
    return tuple(qmgr.group.members) if queue.attributes.get("QSGDISP") == "SHARED" and qmgr.group else (qmgr,)


def nothing(estate: Definitions, qmgr: QueueManager, name: str) -> str:
    """The name, and in words that nothing has it."""
    elsewhere = any(each.objects.named("QLOCAL", name) for each in estate.queue_managers)
    scripts = f"no script of {qmgr.name} defines" if elsewhere else "no script here defines"
    return f"{name}, which {'is not defined' if estate.whole(qmgr) else scripts}"


class Unknown(NamedTuple):
    """A name that nothing has: in words, the object whose name differs in case only, or "", and the severity, because
    such an object makes a mistake certain."""

    said: str
    near: str
    severity: str


def unknown(estate: Definitions, qmgr: QueueManager, kind: str, name: str, *, fits: Callable = bool) -> Unknown:
    """The words about a name that nothing has; `fits` is whether an object can be the one that is meant."""
    near = in_other_case(qmgr, kind, name)
    near = near if near and fits(qmgr.objects.named(kind, near)) else ""
    said = nothing(estate, qmgr, name) + (f" ({near} differs in case only)" if near else "")
    return Unknown(said, near, ERROR if near else absent(estate, qmgr))


def unset(estate: Definitions, qmgr: QueueManager, keyword: str, needs: Definition) -> Place:
    """Where an attribute of a queue manager is set, or else the definition of the object that needs another value."""
    place = estate.place(qmgr.name, "QMGR", "", keyword)
    return place if place.file else estate.place(qmgr.name, needs.kind, needs.name)


def records_unsure(estate: Definitions, qmgr: QueueManager, sort: str) -> bool:
    """Whether a SET command of a queue manager about its records, CHLAUTH or AUTHREC, was refused."""
    return any(not command.ok and sort in command.command.upper() for _, command in estate.ran(qmgr.name))


def alter(one: Definition, change: str) -> str:
    """The command that changes an object, for its type or disposition; that of a copy changes the master."""
    if one.kind == "QMGR":
        return f"ALTER QMGR {change}"
    disposition = {"SHARED": " QSGDISP(SHARED)", "COPY": " QSGDISP(GROUP)"}.get(one.attributes.get("QSGDISP", ""), "")
    needed = {"CHANNEL": "CHLTYPE", "CLNTCONN": "CHLTYPE", "LISTENER": "TRPTYPE"}.get(one.kind)
    sort = f" {needed}({one.attributes[needed]})" if needed else ""
    kind = one.kind.replace("CLNTCONN", "CHANNEL")
    return f"ALTER {kind}({quoted(one.name)}){sort}{disposition} {change}"


def put_on(qmgr: QueueManager, queue: Definition, data: str = 'b"a message"') -> str:
    """The line of a program that puts one message on a local queue: on a transmission queue, for a queue behind it."""
    name = f"A.QUEUE@{queue.name}" if queue.attributes.get("USAGE") == "XMITQ" else queue.name
    return f"lab[{qmgr.name!r}].put({name!r}, {data})"


def refuses(qmgr: QueueManager, queue: Definition, shows: str) -> Proof | None:
    """A proof that a local queue refuses a put; none for a queue to which even the short message of a proof is too
    long, or does not come."""
    comes = queue.attributes["MAXMSGL"] >= 1_000 and not passed_by(qmgr, queue.name)
    return Proof(put_on(qmgr, queue), shows) if comes else None


def passed_by(qmgr: QueueManager, name: str) -> bool:
    """Whether intra-group queuing takes the messages for another member past the transmission queue of its name."""
    group = qmgr.group if name != qmgr.name else None
    return group is not None and group.has(name) and group.igq.serving(qmgr) is not None


def takes(qmgr: QueueManager, name: str, length: int = 10) -> bool:
    """Whether a queue that leads to a local queue takes a message of this length, so that a proof can put it there."""
    found = qmgr.targets.get(name)
    room, queue = getattr(found, "room", 0), getattr(found, "queue", None)
    fits = room > 0 and queue is not None and queue.longest >= length and queue.stream is None
    return fits and not passed_by(qmgr, name)


def usable(qmgr: QueueManager, queue: Definition) -> bool:
    """Whether a proof can put a short message on a local queue and get it back."""
    of = queue.attributes
    return takes(qmgr, queue.name) and of["GET"] == "ENABLED" and of["USAGE"] == "NORMAL"
