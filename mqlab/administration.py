"""Defining, altering, clearing and deleting objects: what MQSC commands do to a queue manager."""

from __future__ import annotations

from . import catalogue
from .constants import (
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_Q_NOT_EMPTY,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from .objects import QUEUE_KINDS, Definition, legal_name
from .queue import Alias, LocalQueue

__all__ = ["alter", "clear", "define", "delete", "install"]

DEFAULT_OBJECTS = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "QMODEL": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "PROCESS": "SYSTEM.DEFAULT.PROCESS",
    "NAMELIST": "SYSTEM.DEFAULT.NAMELIST",
}
"""The objects whose attributes DEFINE starts from, by kind; they can be altered like any other."""

_SYSTEM_QUEUES = (
    "SYSTEM.ADMIN.COMMAND.QUEUE",
    "SYSTEM.CHANNEL.INITQ",
    "SYSTEM.DEAD.LETTER.QUEUE",
    "SYSTEM.DEFAULT.INITIATION.QUEUE",
)


def install(qmgr) -> None:
    """Give a new queue manager its own attributes and the SYSTEM objects it is born with: no events of the log."""
    created = _stamp(qmgr, created=True)
    qmid = f"{qmgr.name}_{created['CRDATE']}_{created['CRTIME']}"
    named = {"QMNAME": qmgr.name, "QMID": qmid, "CMDLEVEL": qmgr.level, **created}
    qmgr.attributes.update({**catalogue.defaults("QMGR", qmgr.platform), **named})
    for kind, name in [*DEFAULT_OBJECTS.items(), *(("QLOCAL", name) for name in _SYSTEM_QUEUES)]:
        _enter(qmgr, Definition(kind, name, {**catalogue.defaults(kind, qmgr.platform), **created}))


def define(qmgr, kind: str, name: str, attributes: dict, like: str | None, replace: bool) -> Definition:
    """DEFINE: a new object, or with `replace` new attributes for one that exists. MQError 2043, 2085, 2100, 2152."""
    if kind != "SUB" and not legal_name(name):  # a subscription may be called anything
        _fail(
            qmgr,
            MQRC_OBJECT_NAME_ERROR,
            kind,
            name,
            "define",
            f"{name!r} cannot be the name of an object",
            "1 to 48 of A-Z a-z 0-9 . _ / %",
        )
    present = qmgr.objects.named(kind, name)
    if present is not None and present.kind != kind:
        _fail(
            qmgr,
            MQRC_OBJECT_TYPE_ERROR,
            kind,
            name,
            "define",
            f"{name} is a {present.kind} already",
            f"another name, or DELETE {present.kind}({name}) first",
        )
    if present is not None and not replace:
        _fail(
            qmgr,
            MQRC_OBJECT_ALREADY_EXISTS,
            kind,
            name,
            "define",
            f"{kind} {name} exists already",
            f"DEFINE {kind}({name}) REPLACE ..., or ALTER",
        )
    given = {**_origin(qmgr, kind, like, attributes), **attributes, **_stamp(qmgr, created=present is None)}
    if present is not None:
        given = {**given, **{key: present.attributes[key] for key in ("CRDATE", "CRTIME") if key in present.attributes}}
        present.attributes = given
        definition = present
        _apply(qmgr, definition)
    else:
        definition = Definition(kind, name, given)
        _enter(qmgr, definition)
    _log(qmgr, kind, name, "define", given)
    return definition


def alter(qmgr, kind: str, name: str, attributes: dict) -> None:
    """ALTER: other values for some attributes; kind "QMGR" for the queue manager itself. MQError 2043, 2085."""
    if kind == "QMGR":
        qmgr.attributes.update({**attributes, **_stamp(qmgr, created=False)})
    else:
        definition = _require(qmgr, kind, name, "alter")
        definition.attributes.update({**attributes, **_stamp(qmgr, created=False)})
        _apply(qmgr, definition)
    _log(qmgr, kind, name or None, "alter", attributes)


def clear(qmgr, name: str) -> int:
    """CLEAR QLOCAL: every message gone; how many. MQError 2042 while it is open, 2055 with uncommitted work."""
    queue = qmgr.targets[_require(qmgr, "QLOCAL", name, "clear").name]
    _require_idle(qmgr, queue, "clear")
    return _empty(queue, _log(qmgr, "QLOCAL", name, "clear", None))


def delete(qmgr, kind: str, name: str, purge: bool) -> None:
    """DELETE: the object gone. For a local queue MQError 2042 while open, 2055 if not empty (unless `purge`)."""
    definition = _require(qmgr, kind, name, "delete")
    target = qmgr.targets.get(name) if kind in QUEUE_KINDS else None
    if isinstance(target, LocalQueue):
        _require_idle(qmgr, target, "delete")
        if target.depth and not purge:
            _fail(
                qmgr,
                MQRC_Q_NOT_EMPTY,
                kind,
                name,
                "delete",
                f"it holds {target.depth} messages",
                f"DELETE QLOCAL({name}) PURGE, or get them first",
            )
        _empty(target, qmgr.lab.events.next_seq)
    if target is not None:
        del qmgr.targets[name]
    qmgr.objects.remove(definition)
    _reconnect(qmgr)
    _log(qmgr, kind, name, "delete", None)


def _origin(qmgr, kind: str, like: str | None, attributes: dict) -> dict:
    """The attributes a DEFINE starts from: those of LIKE, else of the default object, else the catalogue's."""
    if like is not None:
        return _require(qmgr, kind, like, "define").attributes
    default = qmgr.objects.get(kind, DEFAULT_OBJECTS.get(kind, ""))
    return default.attributes if default is not None else catalogue.defaults(kind, qmgr.platform)


def _enter(qmgr, definition: Definition) -> None:
    qmgr.objects.add(definition)
    if definition.kind == "QLOCAL":
        qmgr.targets[definition.name] = LocalQueue(qmgr, definition)
    _reconnect(qmgr)


def _apply(qmgr, definition: Definition) -> None:
    """Let the running queue take over its definition."""
    if definition.kind == "QLOCAL":
        queue = qmgr.targets[definition.name]
        queue.apply()
        queue.wake()
    _reconnect(qmgr)


def _reconnect(qmgr) -> None:
    """Let every alias lead to the local queue that its definition names now, or nowhere."""
    for definition in qmgr.objects.match(("QALIAS",)):
        base = qmgr.targets.get(definition.attributes["TARGET"])
        if isinstance(base, LocalQueue):
            qmgr.targets.setdefault(definition.name, Alias(definition, base)).apply(base)
        else:
            qmgr.targets.pop(definition.name, None)


def _require(qmgr, kind: str, name: str, verb: str) -> Definition:
    found = qmgr.objects.named(kind, name)
    if found is None:
        near = qmgr.objects.near(kind, name)
        _fail(
            qmgr,
            MQRC_UNKNOWN_OBJECT_NAME,
            kind,
            name,
            verb,
            f"no {kind} has this name",
            f"did you mean {' or '.join(near)}?" if near else f"DEFINE {kind}({name})",
        )
    if found.kind != kind:
        _fail(
            qmgr,
            MQRC_OBJECT_TYPE_ERROR,
            kind,
            name,
            verb,
            f"{name} is a {found.kind}",
            f"{verb.upper()} {found.kind}({name})",
        )
    return found


def _require_idle(qmgr, queue: LocalQueue, verb: str) -> None:
    if queue.opens:
        _fail(
            qmgr,
            MQRC_OBJECT_IN_USE,
            "QLOCAL",
            queue.name,
            verb,
            f"{queue.opens} handles have it open",
            "close them first",
        )
    if queue.uncommitted or any(q is queue for unit in qmgr.units.values() for q, _ in unit.gets):
        _fail(
            qmgr,
            MQRC_Q_NOT_EMPTY,
            "QLOCAL",
            queue.name,
            verb,
            "units of work on it are not ended",
            "commit or back them out",
        )


def _empty(queue: LocalQueue, cause: int) -> int:
    """Remove every message, an event each; how many there were."""
    messages = list(queue.store.in_order())
    for message in messages:
        queue.qmgr.vanish(queue, message, "clear", "MQI-15", cause)
    return len(messages)


def _stamp(qmgr, created: bool) -> dict:
    now = qmgr.lab.now
    date, time = now.strftime("%Y-%m-%d"), now.strftime("%H.%M.%S")
    return {**({"CRDATE": date, "CRTIME": time} if created else {}), "ALTDATE": date, "ALTTIME": time}


def _log(qmgr, kind: str, name: str | None, verb: str, detail: dict | None) -> int:
    return qmgr.lab.events.write(qmgr.clock.time_us, verb, (qmgr.name, name, kind), rule="MQI-15", detail=detail)


def _fail(qmgr, reason: int, kind: str, name: str, verb: str, said: str, hint: str) -> None:
    qmgr.fail(reason, None, verb, "MQI-15", said, hint, name=name)
