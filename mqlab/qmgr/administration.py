"""Defining, altering, clearing and deleting objects: what MQSC commands do to a queue manager."""

from __future__ import annotations

from ..mq import catalog
from ..mq.constants import (
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_Q_NOT_EMPTY,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from ..mq.objects import QUEUE_KINDS, Definition, legal_name
from . import dispositions, triggering
from . import force as forcing
from .queue import Alias, LocalQueue, TopicAlias
from .remote_queue import Remote

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
    "SYSTEM.CHANNEL.SYNCQ",
    "SYSTEM.DEAD.LETTER.QUEUE",
    "SYSTEM.DEFAULT.INITIATION.QUEUE",
)


def install(qmgr) -> None:
    """Give a new queue manager its own attributes and the SYSTEM objects it is born with: no events of the log."""
    created = _stamp(qmgr, created=True)
    qmid = f"{qmgr.name}_{created['CRDATE']}_{created['CRTIME']}"
    named = {"QMNAME": qmgr.name, "QMID": qmid, "CMDLEVEL": qmgr.level, **created}
    qmgr.attributes.update({**catalog.defaults("QMGR", qmgr.platform), **named})
    for kind, name in [*DEFAULT_OBJECTS.items(), *(("QLOCAL", name) for name in _SYSTEM_QUEUES)]:
        _enter(qmgr, Definition(kind, name, {**catalog.defaults(kind, qmgr.platform), **created}))


def define(qmgr, kind: str, name: str, attributes: dict, like: str | None, replace: bool) -> Definition:
    """DEFINE: a new object, or with `replace` new attributes for one that exists. MQError 2043, 2085, 2100, 2152."""
    qmgr.require_running("define")
    if kind != "SUB" and not legal_name(name):  # a subscription may be called anything
        _refuse(
            qmgr,
            MQRC_OBJECT_NAME_ERROR,
            kind,
            name,
            "define",
            f"{name!r} cannot be the name of an object",
            "1 to 48 of A-Z a-z 0-9 . _ / %",
        )
    dispositions.admit(qmgr, kind, name, attributes.get("QSGDISP", "QMGR"))
    if attributes.get("QSGDISP") == "GROUP":
        given = {**_origin(qmgr, kind, like, attributes), **attributes, **_stamp(qmgr, created=True)}
        return qmgr.group.masters.define(qmgr, kind, name, given, replace)
    present = qmgr.objects.named(kind, name)
    if present is not None and present.kind != kind:
        _refuse(
            qmgr,
            MQRC_OBJECT_TYPE_ERROR,
            kind,
            name,
            "define",
            f"{name} is a {present.kind} already",
            f"another name, or DELETE {present.kind}({name}) first",
        )
    if present is not None and not replace:
        _refuse(
            qmgr,
            MQRC_OBJECT_ALREADY_EXISTS,
            kind,
            name,
            "define",
            f"{kind} {name} exists already",
            f"DEFINE {kind}({name}) REPLACE ..., or ALTER",
        )
    given = {**_origin(qmgr, kind, like, attributes), **attributes, **_stamp(qmgr, created=present is None)}
    if "QSGDISP" in given:
        given["QSGDISP"] = attributes.get("QSGDISP", "QMGR")  # LIKE copies no disposition
    dispositions.require_sound(qmgr, kind, name, given, present, "define")
    before = None
    if present is not None:
        forcing.admit(qmgr, present, given, False, "define")
        before = present.attributes
        given = {**given, **{key: present.attributes[key] for key in ("CRDATE", "CRTIME") if key in present.attributes}}
        present.attributes = given
        definition = present
        _apply(qmgr, definition)
    else:
        definition = Definition(kind, name, given)
        _enter(qmgr, definition)
    seq = _log(qmgr, kind, name, "define", given, where=_where(qmgr, definition))
    if kind == "CHANNEL":
        qmgr.start_channels()
    if kind == "QLOCAL" and before is not None:
        _reconsider(qmgr.targets[name], before, seq)
    return definition


def alter(qmgr, kind: str, name: str, attributes: dict, force: bool = False) -> None:
    """ALTER: other values for some attributes; kind "QMGR" for the queue manager itself. MQError 2042, 2043, 2085."""
    if kind == "QMGR":
        qmgr.require_running("alter")
        qmgr.attributes.update({**attributes, **_stamp(qmgr, created=False)})
        qmgr.routes.clear()
        for queue in qmgr.queues:
            queue.apply()
        where = None
    else:
        definition = _require(qmgr, kind, name, "alter")
        where = _where(qmgr, definition)
        dispositions.require_sound(qmgr, kind, name, {**definition.attributes, **attributes}, definition, "alter")
        forcing.admit(qmgr, definition, attributes, force, "alter")
        before = dict(definition.attributes)
        definition.attributes.update({**attributes, **_stamp(qmgr, created=False)})
        _apply(qmgr, definition)
    seq = _log(qmgr, kind, name or None, "alter", attributes, where=where)
    if kind == "QMGR" and "EXPRYINT" in attributes:
        qmgr.scanner.restart()
    if kind == "QLOCAL":
        _reconsider(qmgr.targets[name], before, seq)


def _relevant(attributes: dict) -> tuple[str, ...]:
    """The attributes whose change asks for a trigger: the depth only where the type is DEPTH (TRG-13)."""
    return ("TRIGTYPE", "TRIGMPRI") + (("TRIGDPTH",) if attributes["TRIGTYPE"] == "DEPTH" else ())


def _reconsider(queue: LocalQueue, before: dict, cause: int) -> None:
    """Ask for a trigger after attributes of a queue changed (TRG-13, 13a, 13b)."""
    for instance in queue.instances:
        if instance.qmgr.running:
            _reconsider_here(instance, before, cause)


def _reconsider_here(queue: LocalQueue, before: dict, cause: int) -> None:
    now = queue.definition.attributes
    triggering.attach(queue)
    if queue.trigger is not None and now["TRIGGER"]:
        if not before["TRIGGER"] or any(now[name] != before[name] for name in _relevant(now)):
            queue.trigger.changed(cause, "TRG-13", ("TRG-08",))
        elif before["GET"] == "DISABLED" and now["GET"] == "ENABLED":
            queue.trigger.changed(cause, "TRG-13b", ("TRG-05",))
    if before["PUT"] == "DISABLED" and now["PUT"] == "ENABLED":
        triggering.initiation_queue_changed(queue, cause, "TRG-13a", ())


def clear(qmgr, name: str) -> int:
    """CLEAR QLOCAL: every message gone; how many. MQError 2042 while it is open, 2055 with uncommitted work."""
    queue = qmgr.targets[_require(qmgr, "QLOCAL", name, "clear").name]
    queue.require_usable(qmgr, queue, "clear")
    _require_idle(qmgr, queue, "clear")
    return _empty(queue, _log(qmgr, "QLOCAL", name, "clear", None, where=_where(qmgr, queue.definition)))


def delete(qmgr, kind: str, name: str, purge: bool) -> None:
    """DELETE: the object gone. For a local queue MQError 2042 while open, 2055 if not empty (unless `purge`)."""
    definition = require_deletable(qmgr, kind, name, purge)
    target, cause = qmgr.targets.get(name) if kind in QUEUE_KINDS else None, None
    if kind == "CHANNEL":
        _end_channel(qmgr, name)
    if isinstance(target, LocalQueue) and target.depth:
        cause = _log(qmgr, kind, name, "clear", None, where=_where(qmgr, definition))
        _empty(target, cause)
    _forget(qmgr, definition, cause)


def require_deletable(qmgr, kind: str, name: str, purge: bool) -> Definition:
    """Refuse a DELETE that cannot be done, as `delete` does; the definition."""
    definition = _require(qmgr, kind, name, "delete")
    if kind == "CFSTRUCT" and qmgr.group is not None:
        qmgr.group.require_quiet(qmgr, name, "delete", "a structure that holds queues cannot go", empty=False)
    target = qmgr.opened(name) if kind in QUEUE_KINDS else None
    if isinstance(target, LocalQueue):
        target.require_usable(qmgr, target, "delete")
        _require_idle(qmgr, target, "delete")
        if target.depth and not purge:
            _refuse(
                qmgr,
                MQRC_Q_NOT_EMPTY,
                kind,
                name,
                "delete",
                f"CURDEPTH is {target.depth}",
                f"DELETE QLOCAL({name}) PURGE, or get them first",
            )
    elif target is not None and target.opens:
        _fail_in_use(qmgr, kind, name, "delete", target.opens)
    elif kind == "CHANNEL":
        _require_ended(qmgr, name)
    return definition


def _channels(qmgr, name: str) -> list[tuple]:
    """The keys of the channels there are of this name."""
    return [key for key in qmgr.channels if key[0] == name]


def _require_ended(qmgr, name: str) -> None:
    """Refuse with 2042 what cannot be done to a channel that is active or in doubt."""
    for channel in [qmgr.channels[key] for key in _channels(qmgr, name)]:
        if channel.active or channel.indoubt is not None:
            said = f"it is {channel.state}" if channel.active else "it is in doubt"
            hint = f"STOP CHANNEL({name})" if channel.active else f"RESOLVE CHANNEL({name}) ACTION(...)"
            _refuse(qmgr, MQRC_OBJECT_IN_USE, "CHANNEL", name, "delete", said, f"{hint} first")


def _end_channel(qmgr, name: str) -> None:
    """Forget what a channel was doing, for its deletion.

    Our reading: what SYSTEM.CHANNEL.SYNCQ holds of it stays, so one defined anew by this name goes on with its numbers.
    """
    for key in _channels(qmgr, name):
        channel = qmgr.channels.pop(key)
        if channel.state != "INACTIVE":
            channel.enter("INACTIVE", "DELETE CHANNEL")


def _forget(qmgr, definition: Definition, cause: int | None) -> None:
    """Take an object out of the queue manager, with its event."""
    for holder in dispositions.holders(qmgr, definition):
        if definition.kind in QUEUE_KINDS:
            _disconnect(holder, definition.name)
        holder.objects.remove(definition)
        _reconnect(holder)
    if dispositions.common(qmgr, definition):
        qmgr.group.forget(definition)
    _log(qmgr, definition.kind, definition.name, "delete", None, cause, where=_where(qmgr, definition))


def remove_dynamic(queue: LocalQueue) -> None:
    """Delete a dynamic queue that nobody has open any more, with whatever is on it."""
    cause = None
    if queue.depth:
        cause = _log(queue.qmgr, "QLOCAL", queue.name, "clear", None)
        _empty(queue, cause)
    _forget(queue.qmgr, queue.definition, cause)


def set_attributes(queue: LocalQueue, checked: dict, caller: str | None) -> None:
    """MQSET: checked attributes of a local queue, without touching ALTDATE and ALTTIME; triggering is asked again."""
    before = dict(queue.definition.attributes)
    queue.definition.attributes.update(checked)
    _apply(queue.qmgr, queue.definition)
    seq = queue.qmgr.lab.events.write(
        queue.clock.time_us, "alter", queue.place, program=caller, rule="MQI-23", detail=checked
    )
    _reconsider(queue, before, seq)


def _origin(qmgr, kind: str, like: str | None, attributes: dict) -> dict:
    """The attributes a DEFINE starts from: those of LIKE, else of the default object, else the catalogue's."""
    if like is not None:
        return _require(qmgr, kind, like, "define").attributes
    default = qmgr.objects.get(kind, DEFAULT_OBJECTS.get(kind, ""))
    return default.attributes if default is not None else catalog.defaults(kind, qmgr.platform)


def _enter(qmgr, definition: Definition) -> None:
    common = dispositions.common(qmgr, definition)
    if common and definition.kind == "CFSTRUCT":
        qmgr.group.enter_structure(definition)
    for holder in dispositions.holders(qmgr, definition):
        holder.objects.add(definition)
        if definition.kind == "QLOCAL":
            queue = holder.group.shared_queue(holder, definition) if common else LocalQueue(holder, definition)
            holder.targets[definition.name] = queue
            triggering.attach(queue)
        _reconnect(holder)


def _apply(qmgr, definition: Definition) -> None:
    """Let the running queue, or the structure, take over its definition."""
    if definition.kind == "QLOCAL":
        for queue in qmgr.targets[definition.name].instances:
            queue.apply()
            queue.wake()
    if definition.kind == "CFSTRUCT" and qmgr.group is not None:
        qmgr.group.structures[definition.name].refresh()
    for holder in dispositions.holders(qmgr, definition):
        _reconnect(holder)
        if definition.kind == "QALIAS":  # gets may wait by its name
            for queue in holder.queues:
                queue.wake()


def _where(qmgr, definition: Definition) -> str | None:
    """The group whose definition this is, None for one of the queue manager's own."""
    return qmgr.group.name if dispositions.common(qmgr, definition) else None


def _reconnect(qmgr) -> None:
    """Let every alias lead to the local queue or topic that its definition names now, or nowhere.

    An alias with another base is another alias: handles opened before keep the old one, and answer 2041. Names of
    queues elsewhere are resolved anew; handles keep their route.
    """
    qmgr.routes.clear()
    for handle in qmgr.handles:
        if isinstance(handle.target, Remote):
            handle.target.apply()
    for definition in qmgr.objects.match(("QALIAS",)):
        base, present = _base(qmgr, definition), qmgr.opened(definition.name)
        if present is not None and present.base is base:
            present.apply(base)
            continue
        _disconnect(qmgr, definition.name)
        if isinstance(base, LocalQueue):
            qmgr.targets[definition.name] = Alias(definition, base)
        elif base is not None:
            qmgr.topic_aliases[definition.name] = TopicAlias(qmgr, definition, base)
        for handle in qmgr.handles:
            handle.changed = handle.changed or handle.target is present


def _base(qmgr, definition: Definition):
    """The local queue, or the definition of the topic, that an alias names; None if there is none."""
    target = definition.attributes["TARGET"]
    if definition.attributes["TARGTYPE"] == "TOPIC":
        return qmgr.objects.get("TOPIC", target)
    base = qmgr.targets.get(target)
    return base if isinstance(base, LocalQueue) else None


def _disconnect(qmgr, name: str) -> None:
    """Let a name lead nowhere."""
    qmgr.targets.pop(name, None)
    qmgr.topic_aliases.pop(name, None)


def _require(qmgr, kind: str, name: str, verb: str) -> Definition:
    qmgr.require_running(verb)
    found = qmgr.objects.named(kind, name)
    if found is None:
        near = qmgr.objects.near(kind, name)
        _refuse(
            qmgr,
            MQRC_UNKNOWN_OBJECT_NAME,
            kind,
            name,
            verb,
            f"no {kind} has this name",
            f"did you mean {' or '.join(near)}?" if near else f"DEFINE {kind}({name})",
        )
    if found.kind != kind:
        _refuse(
            qmgr,
            MQRC_OBJECT_TYPE_ERROR,
            kind,
            name,
            verb,
            f"{name} is a {found.kind}",
            f"a {kind}, or DISPLAY {found.kind}({name})",
        )
    return found


def _require_idle(qmgr, queue: LocalQueue, verb: str) -> None:
    opens = sum(instance.opens for instance in queue.instances)
    if opens:
        _fail_in_use(qmgr, "QLOCAL", queue.name, verb, opens)
    if queue.uncommitted or any(instance.depth_in_gets() for instance in queue.instances):
        _refuse(
            qmgr,
            MQRC_Q_NOT_EMPTY,
            "QLOCAL",
            queue.name,
            verb,
            "units of work on it are not ended",
            "commit or back them out",
        )


def _fail_in_use(qmgr, kind: str, name: str, verb: str, opens: int) -> None:
    said = f"{opens} handle{' has' if opens == 1 else 's have'} it open"
    _refuse(qmgr, MQRC_OBJECT_IN_USE, kind, name, verb, said, "close them first")


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


def _log(
    qmgr, kind: str, name: str | None, verb: str, detail: dict | None, cause: int | None = None, where=None
) -> int:
    """The event of a command; `where` is the group whose definition it is about, by which member is its program."""
    place, member = (where or qmgr.name, name, kind), qmgr.name if where else None
    rule = "QSG-02" if where else "MQI-15"
    log = qmgr.lab.events
    return log.write(qmgr.clock.time_us, verb, place, program=member, rule=rule, cause=cause, detail=detail)


def _refuse(qmgr, reason: int, kind: str, name: str, verb: str, said: str, hint: str) -> None:
    qmgr.refuse(reason, None, verb, "MQI-15", said, hint, name=name)
