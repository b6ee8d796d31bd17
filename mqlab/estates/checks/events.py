"""Checks of event messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..findings import NOTE, WARNING, Found, check
from ..proofs import Proof, put_to
from .objects import alter, each, takes, unset

if TYPE_CHECKING:
    from ...engine.words.objects import Definition
    from ..definitions import Definitions

_DEPTH = {"QDPHIEV": "DISABLED", "QDPLOEV": "DISABLED", "QSVCIEV": "NONE"}
"""The performance events that someone must turn on, and their value when they are off."""

_PAGE, _SERVICE = "IBM MQ: Queue depth events", "IBM MQ: Queue service interval events"
_QUEUES = {
    "PERFM": "PERFMEV",
    "CHANNEL": "CHLEV SSLEV BRIDGEEV CHADEV",
    "CONFIG": "CONFIGEV",
    "COMMAND": "CMDEV",
    "QMGR": "AUTHOREV INHIBTEV LOCALEV REMOTEEV STRSTPEV",
    "LOGGER": "LOGGEREV",
}
"""The event queues, SYSTEM.ADMIN.*.EVENT, and the attributes that send events to each."""


@check("events-off", WARNING, "Performance events of queues are on, and those of the queue manager off", _PAGE)
def off(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        own = list(estate.own(qmgr, "QLOCAL"))
        on = [one for one in own if any(one.attributes[event] != none for event, none in _DEPTH.items())]
        if on and qmgr.attributes["PERFMEV"] == "DISABLED":
            others = f" and {len(on) - 1} other queue{'s' if len(on) > 2 else ''}" if len(on) > 1 else ""
            silent = "PERFMEV is DISABLED" if estate.whole(qmgr) else "no script here sets PERFMEV(ENABLED)"
            said = f"{on[0].name}{others} would send performance events, but {silent}"
            place = unset(estate, qmgr, "PERFMEV", on[0])
            proof = next((_silent(qmgr.name, one) for one in on if _can_fill(one) and takes(qmgr, one.name)), None)
            yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR PERFMEV(ENABLED)", proof, "PERFMEV", place=place)


def _can_fill(queue: Definition) -> bool:
    """Whether one message can make a queue full enough for an event that someone turned on."""
    has = queue.attributes
    return (has["QDPHIEV"], has["PUT"], has["USAGE"]) == ("ENABLED", "ENABLED", "NORMAL")


def _silent(qmgr: str, queue: Definition) -> Proof:
    """The proof that a queue as deep as it can be sends no event."""
    name = queue.name
    lines = (
        f"qm = lab[{qmgr!r}]",
        f"qm.alter('QLOCAL', {name!r}, {{'MAXDEPTH': 1}})",
        f"qm.put({name!r}, b'a message')",
        f"[each.name for each in qm.event_messages() if each.object == {name!r}]",
    )
    return Proof("\n".join(lines), "[]")


@check("events-depths-crossed", WARNING, "A queue is full enough and empty enough at once", _PAGE)
def crossed(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        high, low = (queue.attributes[key] for key in ("QDEPTHHI", "QDEPTHLO"))
        both = "DISABLED" not in (queue.attributes["QDPHIEV"], queue.attributes["QDPLOEV"])
        if high < low or (both and high == low):
            said = (
                f"{queue.name} has QDEPTHHI({high}), which is not above QDEPTHLO({low}): its depth events mean nothing"
            )
            fix = alter(queue, "QDEPTHHI(80) QDEPTHLO(20)")
            yield Found(qmgr.name, "QLOCAL", queue.name, said, fix, keyword="QDEPTHHI")


@check("events-interval-huge", NOTE, "A service interval never passes", _SERVICE)
def interval(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        event, length = queue.attributes["QSVCIEV"], queue.attributes["QSVCINT"]
        if event != "NONE" and length >= 86_400_000:
            said = f"{queue.name} has QSVCIEV({event}) and QSVCINT({length}), milliseconds: no event comes in time"
            fix = alter(queue, "QSVCINT(60000)")
            yield Found(qmgr.name, "QLOCAL", queue.name, said, fix, keyword="QSVCINT")


@check("events-without-queue", WARNING, "Event messages are lost", "MQI-11")
def without_queue(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for name, keywords in _QUEUES.items():
            on = [key for key in keywords.split() if qmgr.attributes.get(key, "DISABLED") != "DISABLED"]
            queue = f"SYSTEM.ADMIN.{name}.EVENT"
            found = qmgr.objects.named("QLOCAL", queue)
            if not on or (found is not None and found.attributes.get("PUT") != "DISABLED"):
                continue
            shown = "2085 MQRC_UNKNOWN_OBJECT_NAME" if found is None else "2051 MQRC_PUT_INHIBITED"
            gone = "is not defined" if found is None else "has PUT(DISABLED)"
            said = f"{on[0]} is on, and {queue} {gone}: the queue manager discards its event messages"
            fix = f"DEFINE QLOCAL({queue})" if found is None else f"ALTER {found.kind}({queue}) PUT(ENABLED)"
            yield Found(qmgr.name, "QMGR", "", said, fix, Proof(put_to(qmgr.name, queue), shown), on[0])
