"""The refusals of commands that define, alter, clear, and delete objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..extra import extras
from ..words import constants as mq
from ..words.objects import QUEUE_KINDS, Definition
from ..words.refusals import Grounds
from .queue import LocalQueue

if TYPE_CHECKING:
    from .parts import QueueManager


def require(qmgr: QueueManager, kind: str, name: str, verb: str) -> Definition:
    """The object of this kind and name; MQError 2043, 2052, 2059, 2085."""
    qmgr.require_running(verb)
    present: Any = qmgr.objects.named(kind, name)
    if present is None:
        if near := qmgr.objects.near(kind, name):
            names = " or ".join(near)
            qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "misspelled", None, verb, name, kind=kind, near=names)
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-object", None, verb, name, kind=kind, object=name)
    if present.kind != kind:
        kinds = {"object": name, "kind": present.kind, "wanted": kind}
        qmgr.refuse(mq.MQRC_OBJECT_TYPE_ERROR, "other-kind", None, verb, name, **kinds)
    if kind == "QLOCAL" and name not in qmgr.targets:
        qmgr.refuse(mq.MQRC_Q_DELETED, "still-open", None, verb, name)
    return present


def require_deletable(qmgr: QueueManager, kind: str, name: str, purge: bool) -> Definition:
    """Refuse a DELETE that cannot be done, as `delete` does; the definition."""
    definition = require(qmgr, kind, name, "delete")
    for extra in extras():
        extra.check_delete(qmgr, kind, name)
    target = qmgr.opened(name) if kind in QUEUE_KINDS else None
    if isinstance(target, LocalQueue):
        target.require_usable(qmgr, target, "delete")
        require_idle(qmgr, target, "delete")
        if target.depth and not purge:
            qmgr.refuse(mq.MQRC_Q_NOT_EMPTY, "has-messages", None, "delete", name, depth=target.depth, object=name)
    elif target is not None and target.opens:
        _refuse_in_use(qmgr, name, "delete", target.opens)
    elif kind == "CHANNEL":
        _require_ended(qmgr, name)
    return definition


def require_idle(qmgr: QueueManager, queue: LocalQueue, verb: str) -> None:
    """Refuse a command on a queue that is open (2042) or has uncommitted work (2055)."""
    opens = sum(instance.opens for instance in queue.instances)
    if opens:
        _refuse_in_use(qmgr, queue.name, verb, opens, queue)
    if queue.uncommitted or any(instance.depth_in_gets() for instance in queue.instances):
        qmgr.refuse(mq.MQRC_Q_NOT_EMPTY, "in-units", None, verb, queue.name)


def _refuse_in_use(qmgr: QueueManager, name: str, verb: str, opens: int, queue: LocalQueue | None = None) -> None:
    programs = [handle.application.program for handle in qmgr.handles if handle.queue is queue]
    agents = [each.name for each in qmgr.channels.values() if each.active and each.program in programs]
    stop = "".join(f", and STOP CHANNEL({agent})" for agent in agents)
    qmgr.refuse(mq.MQRC_OBJECT_IN_USE, "open", None, verb, name, opens=opens, stop=stop)


def _require_ended(qmgr: QueueManager, name: str) -> None:
    """Refuse with 2042 a command that a channel does not allow while it is active or in doubt."""
    for channel in channels_named(qmgr, name).values():
        if channel.active or channel.indoubt is not None:
            case = "channel-active" if channel.active else "channel-in-doubt"
            qmgr.refuse(mq.MQRC_OBJECT_IN_USE, case, None, "delete", name, channel=name, state=channel.state)


def channels_named(qmgr: QueueManager, name: str) -> dict:
    """The channels there are of this name, by (name, partner)."""
    return {key: channel for key, channel in qmgr.channels.items() if key[0] == name}


def require_sound(
    qmgr: QueueManager, kind: str, name: str, wanted: dict, present: Definition | None, verb: str
) -> None:
    """Refuse attributes that an object cannot have.

    MQError 2045, 2085, 2100, 2207, 2346, 2366, 2425, 2436, 2503, 3300.
    """
    for extra in extras():
        extra.check(qmgr, kind, name, wanted, present, verb)


def require_force(qmgr: QueueManager, definition: Definition, wanted: dict, force: bool, verb: str) -> None:
    """Refuse attributes that need FORCE (MQError 2042); with `force`, calls with open handles fail with 2041 from now
    on."""
    grounds = _needs_force(qmgr, definition, wanted)
    if grounds is None:
        return
    if not force:
        raise qmgr.refusal(grounds, None, verb, definition.name)
    target, by = qmgr.opened(definition.name), _resolved_by(qmgr, definition)
    for handle in by:
        handle.changed = True
    for one in target.instances if target is not None else ():
        for handle in one.qmgr.handles.having(one):
            handle.changed = True


def _resolved_by(qmgr: QueueManager, definition: Definition) -> list:
    """The handles on a queue elsewhere whose name was resolved by this definition."""
    return [handle for handle in qmgr.handles if handle.target is not None and definition in handle.target.path]


def _needs_force(qmgr: QueueManager, definition: Definition, wanted: dict) -> Grounds | None:
    """The reason why these attributes need FORCE, None if they do not."""

    def grounds(case: str, **fields: object) -> Grounds:
        return Grounds(mq.MQRC_OBJECT_IN_USE, case, {"kind": definition.kind, "object": definition.name, **fields})

    target = qmgr.opened(definition.name)
    altered = {keyword for keyword, value in wanted.items() if definition.attributes.get(keyword) != value}
    if definition.kind == "QREMOTE" and altered & {"RNAME", "RQMNAME", "XMITQ"}:
        handles = len(_resolved_by(qmgr, definition))
        return grounds("route-needs-force", handles=handles) if handles else None
    if target is None:
        return None
    instances, depth = target.instances, target.object.depth
    number, inputs = sum(one.opens for one in instances), sum(one.object.inputs for one in instances)
    if definition.kind == "QALIAS" and altered & {"TARGET", "TARGTYPE"} and number:
        return grounds("target-needs-force", opens=number)
    if definition.kind != "QLOCAL":
        return None
    if "USAGE" in altered and number:
        return grounds("usage-needs-force", opens=number)
    if "USAGE" in altered and depth:
        return grounds("usage-needs-force-with-messages", depth=depth)
    if "SHARE" in altered and not wanted["SHARE"] and inputs:
        return grounds("noshare-needs-force", inputs=inputs)
    return None
