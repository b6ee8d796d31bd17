"""Checks of expiry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.queues.target import cap_of
from ...engine.words.constants import EXPIRY_MAXIMUM
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check, fault
from ..proofs import Proof
from .objects import alter, each, put_on, takes, unset

if TYPE_CHECKING:
    from ..definitions import Definitions

_WRITTEN = re.compile(r"(?i)\bCAP[A-Z]*EXP[A-Z]*\b\s*(?:\(\s*([^)]*?)\s*\))?\s*")
_GIVEN = re.compile(r"\bCAPEXPRY\(\s*0*([1-9][0-9]*|NOLIMIT|ASPARENT)\s*\)")
_QUEUES = ("QALIAS", "QLOCAL", "QREMOTE")
_TENTHS = "tenths of a second"


def _custom(one: Definition) -> int | None:
    """The limit in CUSTOM, None for no valid one."""
    found = _WRITTEN.search(one.attributes["CUSTOM"])
    said = found[1] or "" if found and found[0].upper().startswith("CAPEXPRY") else ""
    return int(said) if said.isdecimal() and 1 <= int(said) <= EXPIRY_MAXIMUM else None


def _cap(qmgr: QueueManager, one: Definition | None) -> int | None:
    """The limit that a definition sets, as the queue manager takes it."""
    if one is None or qmgr.platform == "vse" or "CUSTOM" not in one.attributes:
        return None
    return cap_of(one.attributes, qmgr.level)


def _lives(qmgr: QueueManager, one: Definition, cap: int | None) -> Proof:
    """A proof of the Expiry that a put of an unlimited lifetime gets."""
    return Proof(f"{put_on(qmgr, one)}.expiry", str(-1 if cap is None else cap))


def _without(one: Definition, but: str = "") -> str:
    """The command that takes every limit out of CUSTOM, but for one."""
    rest = " ".join(f"{_WRITTEN.sub('', one.attributes['CUSTOM'])} {but}".split())
    return alter(one, f"CUSTOM({quoted(rest)})")


def _unlimited(qmgr: QueueManager, one: Definition) -> str:
    """The command that takes the limit away in both spellings."""
    return f"{_without(one)} CAPEXPRY(NOLIMIT)" if qmgr.level >= 931 else _without(one)


@check("expiry-cap-invalid", ERROR, "CAPEXPRY in CUSTOM is no lifetime", "EXP-31")
def invalid(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, *_QUEUES, "QMODEL", "TOPIC"):
        found = _WRITTEN.search(one.attributes["CUSTOM"])
        if found is None or _custom(one) is not None or (found[1] or "").upper() in ("NOLIMIT", "ASPARENT"):
            continue
        said = f"CUSTOM of {one.name} has {found[0].strip()}, which limits nothing; CAPEXPRY(50) is 5 seconds"
        lives = takes(qmgr, one.name, 1_000) and cap_of(one.attributes, qmgr.level) is None
        proof = _lives(qmgr, one, None) if lives and one.kind == "QLOCAL" else None
        yield fault(qmgr, one, said, _without(one), proof, "CUSTOM")


@check("expiry-cap-ignored", ERROR, "A queue manager does not know CAPEXPRY", "EXP-31")
def ignored(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, *_QUEUES):
        if _custom(one) is None or (qmgr.level >= 800 and qmgr.platform != "vse"):
            continue
        why = "on VSE/ESA every lifetime is unlimited" if qmgr.platform == "vse" else "CAPEXPRY needs command level 800"
        said = f"CUSTOM of {one.name} has CAPEXPRY({_custom(one)}), which limits nothing: {why}"
        proof = _lives(qmgr, one, None) if takes(qmgr, one.name, 1_000) else None
        yield fault(qmgr, one, said, _without(one), proof, "CUSTOM")


@check("expiry-cap-twice", WARNING, "CAPEXPRY is given twice, with two values", "EXP-31")
def twice(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, *_QUEUES):
        attribute, custom = one.attributes.get("CAPEXPRY", -1), _custom(one)
        given = [f"CAPEXPRY({value})" for value in dict.fromkeys(_GIVEN.findall(one.attributes["CUSTOM"].upper()))]
        plays = custom is not None and _cap(qmgr, one) == custom and one.kind == "QLOCAL"
        proof = _lives(qmgr, one, custom) if plays and takes(qmgr, one.name, 1_000) else None
        if len(given) > 1:
            said = f"CUSTOM of {one.name} has {' and '.join(given)}, {_TENTHS}: leave all but one out"
            yield fault(qmgr, one, said, _without(one, given[0] if attribute < 0 else ""), proof, "CUSTOM")
        elif attribute >= 0 and custom not in (None, attribute):
            said = f"{one.name} has CAPEXPRY({attribute}) and CUSTOM('CAPEXPRY({custom})'), {_TENTHS}: leave one out"
            yield fault(qmgr, one, said, _without(one), proof, "CAPEXPRY")


def _onward(qmgr: QueueManager, one: Definition) -> Definition | None:
    """The definition to which an alias or a remote definition of a queue leads next."""
    of = one.attributes
    if one.kind == "QALIAS":
        return None if of["TARGTYPE"] == "TOPIC" else qmgr.objects.named("QLOCAL", of["TARGET"])
    xmitq = qmgr.objects.get("QLOCAL", of["XMITQ"] or of["RQMNAME"]) if of["RNAME"] and of["RQMNAME"] else None
    return xmitq if xmitq is not None and xmitq.attributes["USAGE"] == "XMITQ" else None


@check("expiry-cap-hidden", WARNING, "A limit to lifetimes never counts", "EXP-31")
def hidden(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "QALIAS", "QREMOTE"):
        onward = _onward(qmgr, one)
        cap, lower = _cap(qmgr, one), _cap(qmgr, onward)
        if onward is None or cap is None or lower is None or cap <= lower:
            continue
        said = f"{one.name} has CAPEXPRY({cap}), and {onward.name} behind it {lower}, {_TENTHS}: the lower counts"
        open_ = one.attributes["PUT"] == "ENABLED" and onward.kind == "QLOCAL"
        proof = _lives(qmgr, one, lower) if open_ and takes(qmgr, onward.name, 1_000) else None
        yield fault(qmgr, one, said, _unlimited(qmgr, one), proof, "CAPEXPRY")


def _capped(qmgr: QueueManager, queue: Definition, said: str, severity: str = "") -> Iterator[Found]:
    """A finding about the limit of a queue, if the queue has one; {} in `said` is the limit."""
    cap = _cap(qmgr, queue)
    if cap is not None:
        proof = _lives(qmgr, queue, cap) if takes(qmgr, queue.name, 1_000) else None
        said = said.format(f"CAPEXPRY({cap}), {_TENTHS}")
        yield fault(qmgr, queue, said, _unlimited(qmgr, queue), proof, "CAPEXPRY", severity=severity)


@check("expiry-cap-in-transit", NOTE, "Every message to another queue manager expires", "EXP-28")
def in_transit(estate: Definitions) -> Iterator[Found]:
    for qmgr, queue in each(estate, "QLOCAL"):
        if queue.attributes["USAGE"] == "XMITQ":
            said = f"transmission queue {queue.name} has {{}}: it limits every message that passes it"
            yield from _capped(qmgr, queue, said)


@check("expiry-cap-set-aside", WARNING, "A message that was set aside expires", "EXP-23")
def set_aside(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        dead = qmgr.attributes["DEADQ"]
        aside = {dead, *(one.attributes["BOQNAME"] for one in estate.own(qmgr, "QLOCAL"))}
        system = [qmgr.objects.get("QLOCAL", dead)] if dead.startswith("SYSTEM.") else []
        for queue in (*filter(None, system), *estate.own(qmgr, "QLOCAL")):
            if queue.name in aside:
                what = "dead-letter" if queue.name == dead else "backout"
                said = f"{what} queue {queue.name} has {{}}: a message expires before anyone looks"
                yield from _capped(qmgr, queue, said)


_MAY = re.compile(r"SYSTEM\.(ADMIN\.(.*EVENT|ACC|STAT|.*ACTIVITY|TRACE)|(FTE|JMS|BROKER|MQEXPLORER|MQSC)\.|.*REPLY)")
"""The queues of the system whose messages may well expire: events, statistics, replies, and other products."""
_OWN = re.compile(r"SYSTEM\.(CHANNEL|CLUSTER|INTER|HIERARCHY|DURABLE|RETAINED|AUTH|CHLAUTH|PROTECTION|PENDING|QSG)\b")
"""The queues with messages that IBM MQ itself needs."""


@check("expiry-cap-system", NOTE, "Messages of the system expire", "EXP-31")
def system(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for queue in qmgr.objects.match((*_QUEUES, "QMODEL")):
            name, default = queue.name, queue.name.startswith("SYSTEM.DEFAULT.")
            if name.startswith("SYSTEM.") and not _MAY.match(name) and name != qmgr.attributes["DEADQ"]:
                own = _OWN.match(name)
                sentence = "what IBM MQ keeps there for itself expires" if own else "each message there expires"
                sentence = "each queue that is defined without CAPEXPRY gets it" if default else sentence
                yield from _capped(qmgr, queue, f"{name} has {{}}: {sentence}", WARNING if own else "")


@check("expiry-scan-off", WARNING, "Expired messages stay until a get reaches them", "EXP-33")
def scan_off(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        if qmgr.platform != "zos" or qmgr.attributes["EXPRYINT"]:
            continue
        members = () if qmgr.group is None else qmgr.group.members
        scanned = any(member.attributes["EXPRYINT"] for member in members)
        capped = [one for one in estate.own(qmgr, "QLOCAL") if _cap(qmgr, one) is not None]
        capped = [one for one in capped if not (scanned and one.attributes["QSGDISP"] == "SHARED")]
        if not capped:
            continue
        queue = capped[0]
        said = f"EXPRYINT is OFF, and messages on {queue.name} expire: they take up room until a get reaches them"
        week = f"{put_on(qmgr, queue)}\nlab.advance(7 * 24 * 3600)"
        soon = takes(qmgr, queue.name, 1_000) and (_cap(qmgr, queue) or 0) < 7 * 24 * 36_000
        proof = Proof(f'{week}\nlab[{qmgr.name!r}].status({queue.name!r})["CURDEPTH"]', "1") if soon else None
        place = unset(estate, qmgr, "EXPRYINT", queue)
        yield Found(qmgr.name, "QMGR", "", said, "ALTER QMGR EXPRYINT(60)", proof, "EXPRYINT", place=place)
