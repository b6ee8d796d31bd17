"""Defining, altering, clearing and deleting objects: what MQSC commands do to a queue manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..extra import extras, of_extras
from ..words import catalog
from ..words import constants as mq
from ..words.errors import LabError
from ..words.objects import QUEUE_KINDS, Definition, legal_name
from ..words.structures import encoded
from ..words.whys import DeleteChannel
from ..world.events import STORED
from . import triggering
from .definition_checks import channels_named, require, require_deletable, require_force, require_idle, require_sound
from .queue import LocalQueue
from .targets import apply, enter, leave, log_change

if TYPE_CHECKING:
    from .parts import QueueManager
    from .target import Target


def install(qmgr: QueueManager) -> None:
    """Give a new queue manager its own attributes and the SYSTEM objects of its platform and level: no events."""
    created = stamp(qmgr, created=True)
    qmid = f"{qmgr.name}_{created['CRDATE']}_{created['CRTIME']}"
    named = {"QMNAME": qmgr.name, "QMID": qmid, "CMDLEVEL": qmgr.level, **created}
    named["CERTLABL"] = catalog.certificate_label(qmgr.name, qmgr.platform)
    qmgr.attributes.update({**catalog.defaults("QMGR", qmgr.platform), **named})
    for (kind, name), (attributes, made) in catalog.system_objects(qmgr.platform, qmgr.level).items():
        definition = Definition(kind, name, {**attributes, **created})
        if made or kind == "QALIAS":
            enter(qmgr, definition)
        else:
            qmgr.objects.add(definition)
            if kind == "QLOCAL":
                qmgr.targets.later[name] = definition


def define(
    qmgr: QueueManager, kind: str, name: str, attributes: dict, *, like: str | None = None, replace: bool = False
) -> Definition:
    """See `QueueManager.define`."""
    qmgr.require_running("define")
    attributes = _as_stored(kind, attributes)
    if kind == "QMGR" or (kind == "CHANNEL" and like is None and "CHLTYPE" not in attributes):
        raise LabError(f"DEFINE needs a channel with CHLTYPE, or a kind other than QMGR; got {kind} {name}")
    if not legal_name(name) and kind not in of_extras("identified_by"):
        qmgr.refuse(mq.MQRC_OBJECT_NAME_ERROR, "no-object-name", None, "define", name, object=name)
    for extra in extras():
        attributes = extra.prepared(qmgr, kind, name, attributes, like)

    def complete() -> dict[str, Any]:
        return {**origin(qmgr, kind, like, attributes), **attributes, **stamp(qmgr, created=True)}

    for extra in extras():
        if (elsewhere := extra.define(qmgr, kind, name, attributes, complete, replace)) is not None:
            return elsewhere
    present = qmgr.objects.named(kind, name)
    if present is not None and present.kind != kind:
        kinds = {"object": name, "kind": present.kind}
        qmgr.refuse(mq.MQRC_OBJECT_TYPE_ERROR, "defined-as-other-kind", None, "define", name, **kinds)
    if present is not None and not replace:
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, "defined-already", None, "define", name, kind=kind, object=name)
    values = {**origin(qmgr, kind, like, attributes), **attributes, **stamp(qmgr, created=present is None)}
    for attribute in catalog.own(kind):
        if attribute.keyword in values:
            values[attribute.keyword] = attributes.get(attribute.keyword, attribute.default)
    require_sound(qmgr, kind, name, values, present, "define")
    for extra in extras():
        extra.complete(qmgr, kind, name, values)
    before = None
    if present is not None:
        require(qmgr, kind, name, "define")
        require_force(qmgr, present, values, False, "define")
        definition, before = present, present.attributes
        definition.attributes = values = values | {key: before[key] for key in ("CRDATE", "CRTIME") if key in before}
        apply(qmgr, definition)
    else:
        definition = Definition(kind, name, values)
        enter(qmgr, definition)
    seq = log_change(qmgr, "define", definition, values)
    _configured(qmgr, definition, "define" if before is None else "alter", seq, before)
    if kind == "CHANNEL":
        qmgr.start_channels()
    if kind == "QLOCAL" and before is not None:
        _reconsider(qmgr.targets[name], before, seq)
    for extra in extras():
        extra.changed(qmgr, definition, "define", values)
    return definition


def alter(qmgr: QueueManager, kind: str, name: str, attributes: dict, *, force: bool = False) -> None:
    """See `QueueManager.alter`."""
    attributes = _as_stored(kind, attributes)
    if kind == "QMGR":
        qmgr.require_running("alter")
        was = dict(qmgr.attributes)
        qmgr.attributes.update({**attributes, **stamp(qmgr, created=False)})
        qmgr.routes.clear()
        for queue in qmgr.queues:
            queue.apply()
        seq = qmgr.record("alter", (qmgr.name, None, kind), "MQI-15", detail=attributes)
        _configured(qmgr, Definition(kind, qmgr.name, qmgr.attributes), "alter", seq, was)
        if "EXPRYINT" in attributes:
            qmgr.scanner.restart()
        return
    definition = require(qmgr, kind, name, "alter")
    require_sound(qmgr, kind, name, {**definition.attributes, **attributes}, definition, "alter")
    require_force(qmgr, definition, attributes, force, "alter")
    before = dict(definition.attributes)
    definition.attributes.update({**attributes, **stamp(qmgr, created=False)})
    apply(qmgr, definition)
    seq = log_change(qmgr, "alter", definition, attributes)
    _configured(qmgr, definition, "alter", seq, before)
    if kind == "QLOCAL":
        _reconsider(qmgr.targets[name], before, seq)
    for extra in extras():
        extra.changed(qmgr, definition, "alter", attributes)


def _as_stored(kind: str, attributes: dict) -> dict:
    """The attributes as an object of this kind stores them; LabError for what MQSC would not take."""
    if kind not in catalog.kinds():
        raise LabError(f"kind must be one of {', '.join(catalog.kinds())}; got {kind!r}")
    known = catalog.attributes(kind)
    encoded("".join(value for value in attributes.values() if isinstance(value, str)), "attributes")
    try:
        return {keyword: known[keyword].check(value) for keyword, value in attributes.items()}
    except KeyError as unknown:
        raise LabError(f"An attribute of a {kind} must be one of {', '.join(known)}; got {unknown}") from None
    except ValueError as error:
        raise LabError(str(error)) from None


def _reconsider(altered: LocalQueue, before: dict, cause: int) -> None:
    """Check the trigger conditions after attributes of a queue changed (TRG-13, 13a, 13b)."""
    now = altered.definition.attributes
    # the depth matters only where the type is DEPTH (TRG-13)
    relevant = ("TRIGTYPE", "TRIGMPRI") + (("TRIGDPTH",) if now["TRIGTYPE"] == "DEPTH" else ())
    for queue in [each for each in altered.instances if each.qmgr.running]:
        triggering.attach(queue)
        if queue.trigger is not None and now["TRIGGER"]:
            if not before["TRIGGER"] or any(now[name] != before[name] for name in relevant):
                queue.trigger.changed(cause, "TRG-13", ("TRG-08",))
            elif before["GET"] == "DISABLED" and now["GET"] == "ENABLED":
                queue.trigger.changed(cause, "TRG-13b", ("TRG-05",))
        if before["PUT"] == "DISABLED" and now["PUT"] == "ENABLED":
            triggering.initiation_queue_changed(queue, cause, "TRG-13a", ())


def clear(qmgr: QueueManager, name: str) -> int:
    """See `QueueManager.clear`."""
    queue = qmgr.targets[require(qmgr, "QLOCAL", name, "clear").name]
    queue.require_usable(qmgr, queue, "clear")
    require_idle(qmgr, queue, "clear")
    number = queue.depth
    _purge(queue)
    return number


def delete(qmgr: QueueManager, kind: str, name: str, *, purge: bool = False) -> None:
    """See `QueueManager.delete`."""
    definition = require_deletable(qmgr, kind, name, purge)
    if kind == "CHANNEL":
        for key, channel in channels_named(qmgr, name).items():
            del qmgr.channels[key]
            if channel.state != "INACTIVE":
                channel.enter("INACTIVE", DeleteChannel())
    target = qmgr.targets.get(name) if kind in QUEUE_KINDS else None
    _forget(qmgr, definition, _purge(target) if isinstance(target, LocalQueue) and target.depth else None)
    for extra in extras():
        extra.changed(qmgr, definition, "delete", {})


def _configured(qmgr: QueueManager, definition: Definition, verb: str, cause: int, before: dict | None = None) -> None:
    for extra in extras():
        extra.configured(qmgr, definition, verb, cause, before)


def _forget(qmgr: QueueManager, definition: Definition, cause: int | None) -> None:
    """Take an object out of the queue manager, with its event."""
    leave(qmgr, definition)
    seq = log_change(qmgr, "delete", definition, cause=cause)
    _configured(qmgr, definition, "delete", seq)


def _purge(queue: LocalQueue) -> int:
    """Remove every message, an event each, also those that units of work have put; the row that leads to this."""
    cause = log_change(queue.qmgr, "clear", queue.definition)
    for unit in (*queue.qmgr.units.values(), *queue.qmgr.pending):
        unit.forget(queue, cause)
    for message in list(queue.store.in_order()):
        queue.vanish(message, "clear", "MQI-15", cause)
    return cause


def remove_dynamic(queue: LocalQueue) -> None:
    """Delete the messages of a dynamic queue, and the queue as soon as it is not open."""
    for instance in queue.instances:
        instance.logically_deleted = True
        instance.qmgr.targets.pop(queue.name, None)
    cause = _purge(queue) if queue.depth else None
    queue.wake()
    if not any(instance.opens for instance in queue.instances):
        _forget(queue.qmgr, queue.definition, cause)
        # a unit of work can still return a message to it, which is none of a new queue of this name
        append, at = queue.log, STORED.index("depth")
        queue.log = lambda row: append((*row[:at], None, *row[at + 1 :]))


def set_attributes(target: Target, checked: dict, caller: str | None) -> None:
    """MQSET: checked attributes of a queue, without touching ALTDATE and ALTTIME; triggering is asked again."""
    definition, qmgr, queue = target.definition, target.qmgr, target.queue
    before = dict(definition.attributes)
    definition.attributes.update(checked)
    apply(qmgr, definition)
    place = queue.subject if queue is not None and target is queue else (qmgr.name, definition.name, definition.kind)
    seq = qmgr.record("alter", place, "MQI-23", program=caller, detail=checked)
    _configured(qmgr, definition, "set", seq, before)
    if queue is not None and definition.kind == "QLOCAL":
        _reconsider(queue, before, seq)


def origin(qmgr: QueueManager, kind: str, like: str | None, attributes: dict) -> dict:
    """The attributes a DEFINE starts from: those of LIKE, else of the default object, else the catalog's."""
    if like is not None:
        return require(qmgr, kind, like, "define").attributes
    default = qmgr.objects.get(kind, catalog.default_object(kind, attributes))
    if default is not None and default.attributes.get("CHLTYPE") == attributes.get("CHLTYPE"):
        return default.attributes
    return catalog.defaults(kind, qmgr.platform, attributes.get("CHLTYPE"))


def stamp(qmgr: QueueManager, created: bool) -> dict:
    now = qmgr.lab.now
    date, time = now.strftime("%Y-%m-%d"), now.strftime("%H.%M.%S")
    return {**({"CRDATE": date, "CRTIME": time} if created else {}), "ALTDATE": date, "ALTTIME": time}
