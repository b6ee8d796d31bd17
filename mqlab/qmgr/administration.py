"""Defining, altering, clearing and deleting objects: what MQSC commands do to a queue manager.

QSGDISP says whose definition an object is: QMGR is the queue manager's own, COPY its copy of a master, SHARED one
definition and one set of messages for the whole queue sharing group, GROUP a master. A CFSTRUCT of a member of a group
is always the group's.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

from ..mq import catalog
from ..mq import constants as mq
from ..mq.arguments import checked
from ..mq.catalog.qmgr import certificate_label
from ..mq.errors import LabError
from ..mq.objects import QUEUE_KINDS, Definition, legal_name
from ..mq.structures import encoded
from . import event_messages, streaming, triggering
from .publishing import topic_values
from .queue import Alias, LocalQueue, Remote, TopicAlias


def install(qmgr: Any) -> None:
    """Give a new queue manager its own attributes and the SYSTEM objects of its platform and level: no events."""
    created = _stamp(qmgr, created=True)
    qmid = f"{qmgr.name}_{created['CRDATE']}_{created['CRTIME']}"
    named = {"QMNAME": qmgr.name, "QMID": qmid, "CMDLEVEL": qmgr.level, **created}
    named["CERTLABL"] = certificate_label(qmgr.name, qmgr.platform)
    qmgr.attributes.update({**catalog.defaults("QMGR", qmgr.platform), **named})
    for (kind, name), (attributes, made) in catalog.system_objects(qmgr.platform, qmgr.level).items():
        definition = Definition(kind, name, {**attributes, **created})
        if made or kind == "QALIAS":
            _enter(qmgr, definition)
        else:
            qmgr.objects.add(definition)
            if kind == "QLOCAL":
                qmgr.targets.later[name] = definition


class Targets(dict):
    """Names of queues -> what they lead to here. A SYSTEM queue is set up, with its `define` event (our reading), when
    something first asks for it by name, so that a new queue manager costs little."""

    def __init__(self, qmgr: Any):
        self.qmgr = qmgr
        self.later: dict[str, Definition] = {}

    def __missing__(self, name: str) -> LocalQueue:
        definition = self.later.pop(name)
        self[name] = LocalQueue(self.qmgr, definition)
        _log(self.qmgr, "define", definition, definition.attributes)
        if name == event_messages.QUEUES[mq.MQCMD_Q_MGR_EVENT] and self.qmgr.running:
            event_messages.started(self.qmgr)
        return self[name]

    def look(self, name: str) -> LocalQueue:
        """The local queue of this name as it is, without setting it up."""
        return LocalQueue(self.qmgr, self.later[name]) if name in self.later else self[name]

    def get(self, name: Any, default: Any = None) -> Any:
        """As a dict's."""
        return dict.get(self, name, default) if name not in self.later else self[name]

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self.later


@checked
def define(
    qmgr: Any, kind: str, name: str, attributes: dict, *, like: str | None = None, replace: bool = False
) -> Definition:
    """DEFINE an object from checked `attributes`, or with `replace` give one that exists new ones. MQError 2043, 2085,
    2100, 2152."""
    qmgr.require_running("define")
    attributes = _as_stored(kind, attributes)
    if kind == "QMGR" or (kind == "CHANNEL" and like is None and "CHLTYPE" not in attributes):
        raise LabError(f"DEFINE needs a channel with CHLTYPE, or a kind other than QMGR; got {kind} {name}")
    if kind != "SUB" and not legal_name(name):  # a subscription may be called anything
        said, hint = f"{name!r} cannot be the name of an object", "1 to 48 of A-Z a-z 0-9 . _ / %"
        _refuse(qmgr, mq.MQRC_OBJECT_NAME_ERROR, name, "define", said, hint)
    _require_disposition(qmgr, kind, name, attributes.get("QSGDISP", "QMGR"))
    if attributes.get("QSGDISP") == "GROUP":
        given = {**_origin(qmgr, kind, like, attributes), **attributes, **_stamp(qmgr, created=True)}
        return qmgr.group.masters.define(qmgr, kind, name, given, replace)
    present = qmgr.objects.named(kind, name)
    if present is not None and present.kind != kind:
        said, hint = f"{name} is a {present.kind} already", f"another name, or DELETE {present.kind}({name}) first"
        _refuse(qmgr, mq.MQRC_OBJECT_TYPE_ERROR, name, "define", said, hint)
    if present is not None and not replace:
        said, hint = f"{kind} {name} exists already", f"DEFINE {kind}({name}) REPLACE ..., or ALTER"
        _refuse(qmgr, mq.MQRC_OBJECT_ALREADY_EXISTS, name, "define", said, hint)
    given = {**_origin(qmgr, kind, like, attributes), **attributes, **_stamp(qmgr, created=present is None)}
    if "QSGDISP" in given:
        given["QSGDISP"] = attributes.get("QSGDISP", "QMGR")  # LIKE copies no disposition
    _require_sound(qmgr, kind, name, given, present, "define")
    if kind == "SUB" and name != catalog.default_object(kind):  # which subscribes to nothing
        _identify(qmgr, name, given)
    before = None
    if present is not None:
        _require_force(qmgr, present, given, False, "define")
        definition, before = present, present.attributes
        definition.attributes = given = {**given, **{key: before[key] for key in ("CRDATE", "CRTIME") if key in before}}
        _apply(qmgr, definition)
    else:
        definition = Definition(kind, name, given)
        _enter(qmgr, definition)
    seq = _log(qmgr, "define", definition, given)
    event = mq.MQRC_CONFIG_CREATE_OBJECT if before is None else mq.MQRC_CONFIG_CHANGE_OBJECT
    event_messages.configured(qmgr, definition, event, seq, before)
    if kind == "CHANNEL":
        qmgr.start_channels()
    if kind == "QLOCAL" and before is not None:
        _reconsider(qmgr.targets[name], before, seq)
    return definition


@checked
def alter(qmgr: Any, kind: str, name: str, attributes: dict, *, force: bool = False) -> None:
    """ALTER an object, or the queue manager itself (kind "QMGR"). MQError 2042, 2043, 2085.

    A change that would disturb open handles (USAGE, NOSHARE, an alias's TARGET) fails with 2042 unless `force` is
    given; calls with those handles then fail with 2041.
    """
    attributes = _as_stored(kind, attributes)
    if kind == "QMGR":
        qmgr.require_running("alter")
        was = dict(qmgr.attributes)
        qmgr.attributes.update({**attributes, **_stamp(qmgr, created=False)})
        qmgr.routes.clear()
        for queue in qmgr.queues:
            queue.apply()
        seq = qmgr.record("alter", (qmgr.name, None, kind), "MQI-15", detail=attributes)
        whole = Definition(kind, qmgr.name, qmgr.attributes)
        event_messages.configured(qmgr, whole, mq.MQRC_CONFIG_CHANGE_OBJECT, seq, was)
        if "EXPRYINT" in attributes:
            qmgr.scanner.restart()
        return
    definition = _require(qmgr, kind, name, "alter")
    _require_sound(qmgr, kind, name, {**definition.attributes, **attributes}, definition, "alter")
    _require_force(qmgr, definition, attributes, force, "alter")
    before = dict(definition.attributes)
    definition.attributes.update({**attributes, **_stamp(qmgr, created=False)})
    _apply(qmgr, definition)
    seq = _log(qmgr, "alter", definition, attributes)
    event_messages.configured(qmgr, definition, mq.MQRC_CONFIG_CHANGE_OBJECT, seq, before)
    if kind == "QLOCAL":
        _reconsider(qmgr.targets[name], before, seq)


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


def subscription(qmgr: Any, name: str, attributes: dict) -> Definition:
    """Enter a subscription that a program makes, without an event; what `attributes` leave open is the default's."""
    given = {**_origin(qmgr, "SUB", None, {}), **attributes, **_stamp(qmgr, created=True)}
    own = {"DURABLE": given["DURABLE"], "SUBTYPE": "API", "DESTCORL": given.get("DESTCORL", "")}
    _identify(qmgr, name or f"\0{qmgr.next_dynamic()}", given)
    definition = Definition("SUB", name, {**given, **own, "DESTCORL": own["DESTCORL"] or given["SUBID"]})
    qmgr.objects.add(definition)
    return definition


def _identify(qmgr: Any, name: str, given: dict) -> None:
    """Give a subscription its SUBID, also used as DESTCORL if the definition has none. The SUBID comes from the name,
    so that each run gives a subscription the same one (our reading)."""
    number = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
    id = qmgr.new_id(number).hex().upper()
    generated = given["DESTCORL"] in ("", given.get("SUBID"))
    given |= {"SUBID": id, "DESTCORL": id if generated else given["DESTCORL"], "DURABLE": "YES", "SUBTYPE": "ADMIN"}


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


@checked
def clear(qmgr: Any, name: str) -> int:
    """CLEAR QLOCAL: every message gone; how many. MQError 2042 while it is open, 2055 with uncommitted work."""
    queue = qmgr.targets[_require(qmgr, "QLOCAL", name, "clear").name]
    queue.require_usable(qmgr, queue, "clear")
    _require_idle(qmgr, queue, "clear")
    return _empty(queue, _log(qmgr, "clear", queue.definition))


@checked
def delete(qmgr: Any, kind: str, name: str, *, purge: bool = False) -> None:
    """DELETE: the object gone. For a local queue MQError 2042 while open, 2055 if not empty (unless `purge`).

    Our reading: SYSTEM.CHANNEL.SYNCQ keeps the record of a deleted channel, so a new channel of this name continues its
    sequence numbers.
    """
    definition = require_deletable(qmgr, kind, name, purge)
    target, cause = qmgr.targets.get(name) if kind in QUEUE_KINDS else None, None
    if kind == "CHANNEL":
        for key, channel in _channels(qmgr, name).items():
            del qmgr.channels[key]
            if channel.state != "INACTIVE":
                channel.enter("INACTIVE", "DELETE CHANNEL")
    if isinstance(target, LocalQueue) and target.depth:
        cause = _log(qmgr, "clear", definition)
        _empty(target, cause)
    _forget(qmgr, definition, cause)


def require_deletable(qmgr: Any, kind: str, name: str, purge: bool) -> Definition:
    """Refuse a DELETE that cannot be done, as `delete` does; the definition."""
    definition = _require(qmgr, kind, name, "delete")
    if kind == "CFSTRUCT" and qmgr.group is not None:
        qmgr.group.require_quiet(qmgr, name, "delete", "a structure that holds queues cannot go", empty=False)
    target = qmgr.opened(name) if kind in QUEUE_KINDS else None
    if isinstance(target, LocalQueue):
        target.require_usable(qmgr, target, "delete")
        _require_idle(qmgr, target, "delete")
        if target.depth and not purge:
            said, hint = f"CURDEPTH is {target.depth}", f"DELETE QLOCAL({name}) PURGE, or get them first"
            _refuse(qmgr, mq.MQRC_Q_NOT_EMPTY, name, "delete", said, hint)
    elif target is not None and target.opens:
        _refuse_in_use(qmgr, name, "delete", target.opens)
    elif kind == "CHANNEL":
        _require_ended(qmgr, name)
    return definition


def _channels(qmgr: Any, name: str) -> dict:
    """The channels there are of this name, by (name, partner)."""
    return {key: channel for key, channel in qmgr.channels.items() if key[0] == name}


def _require_ended(qmgr: Any, name: str) -> None:
    """Refuse with 2042 what cannot be done to a channel that is active or in doubt."""
    for channel in _channels(qmgr, name).values():
        if channel.active or channel.indoubt is not None:
            said = f"it is {channel.state}" if channel.active else "it is in doubt"
            hint = f"STOP CHANNEL({name})" if channel.active else f"RESOLVE CHANNEL({name}) ACTION(...)"
            _refuse(qmgr, mq.MQRC_OBJECT_IN_USE, name, "delete", said, f"{hint} first")


def _forget(qmgr: Any, definition: Definition, cause: int | None) -> None:
    """Take an object out of the queue manager, with its event."""
    for holder in _holders(qmgr, definition):
        if definition.kind in QUEUE_KINDS:
            _disconnect(holder, definition.name)
        holder.objects.remove(definition)
        _reconnect(holder, definition)
    if _is_common(qmgr, definition):
        qmgr.group.forget(definition)
    seq = _log(qmgr, "delete", definition, cause=cause)
    event_messages.configured(qmgr, definition, mq.MQRC_CONFIG_DELETE_OBJECT, seq)


def remove_dynamic(queue: LocalQueue) -> None:
    """Delete a dynamic queue that is no longer open, and its messages."""
    cause = None
    if queue.depth:
        cause = _log(queue.qmgr, "clear", queue.definition)
        _empty(queue, cause)
    _forget(queue.qmgr, queue.definition, cause)


def set_attributes(target: Any, checked: dict, caller: str | None) -> None:
    """MQSET: checked attributes of a queue, without touching ALTDATE and ALTTIME; triggering is asked again."""
    definition, qmgr, local = target.definition, target.queue.qmgr, target is target.queue
    before = dict(definition.attributes)
    definition.attributes.update(checked)
    _apply(qmgr, definition)
    place = target.queue.place if local else (qmgr.name, definition.name, definition.kind)
    seq = qmgr.record("alter", place, "MQI-23", program=caller, detail=checked)
    event_messages.configured(qmgr, definition, mq.MQRC_CONFIG_CHANGE_OBJECT, seq, before, mq.MQEVO_MQSET)
    if definition.kind == "QLOCAL":
        _reconsider(target, before, seq)


def _origin(qmgr: Any, kind: str, like: str | None, attributes: dict) -> dict:
    """The attributes a DEFINE starts from: those of LIKE, else of the default object, else the catalog's."""
    if like is not None:
        return _require(qmgr, kind, like, "define").attributes
    default = qmgr.objects.get(kind, catalog.default_object(kind, attributes))
    if default is not None:
        return default.attributes
    return catalog.defaults(kind, qmgr.platform, attributes.get("CHLTYPE"))


def _enter(qmgr: Any, definition: Definition) -> None:
    common = _is_common(qmgr, definition)
    if common and definition.kind == "CFSTRUCT":
        qmgr.group.enter_structure(definition)
    for holder in _holders(qmgr, definition):
        holder.objects.add(definition)
        if definition.kind == "QLOCAL":
            queue = holder.group.shared_queue(holder, definition) if common else LocalQueue(holder, definition)
            holder.targets[definition.name] = queue
            triggering.attach(queue)
            streaming.attach(queue)
        _reconnect(holder, definition)


def _apply(qmgr: Any, definition: Definition) -> None:
    """Let the running queue, or the structure, take over its definition."""
    if definition.kind == "QLOCAL":
        for queue in qmgr.targets[definition.name].instances:
            queue.apply()
            streaming.attach(queue)
            queue.wake()
    if definition.kind == "CFSTRUCT" and qmgr.group is not None:
        qmgr.group.structures[definition.name].refresh()
    for holder in _holders(qmgr, definition):
        holder.objects.index(definition)
        _reconnect(holder, definition)
        if definition.kind == "QALIAS":  # gets may wait by its name
            for queue in holder.queues:
                queue.wake()


def _reconnect(qmgr: Any, definition: Definition) -> None:
    """Let each alias that this definition concerns lead to the local queue or topic that it names now, or nowhere.

    An alias with another base is another alias: handles opened before keep the old one, and their calls fail with 2041.
    Names of queues elsewhere are resolved again; handles keep their route.
    """
    qmgr.routes.clear()
    for handle in qmgr.handles:
        if isinstance(handle.target, Remote):
            handle.target.apply()
    alone = definition.kind == "QALIAS" and qmgr.objects.get("QALIAS", definition.name) is definition
    for alias in [definition] if alone else qmgr.objects.having("QALIAS", definition.name):
        base, present = _base(qmgr, alias), qmgr.opened(alias.name)
        if present is not None and present.base is base:
            present.apply(base)
            continue
        _disconnect(qmgr, alias.name)
        if isinstance(base, LocalQueue):
            qmgr.targets[alias.name] = Alias(alias, base)
        elif base is not None:
            qmgr.topic_aliases[alias.name] = TopicAlias(qmgr, alias, base)
        for handle in qmgr.handles:
            handle.changed = handle.changed or handle.target is present


def _base(qmgr: Any, definition: Definition) -> Any:
    """The local queue, or the definition of the topic, that an alias names; None if there is none."""
    target = definition.attributes["TARGET"]
    if definition.attributes["TARGTYPE"] == "TOPIC":
        return qmgr.objects.get("TOPIC", target)
    base = qmgr.targets.get(target)
    return base if isinstance(base, LocalQueue) else None


def _disconnect(qmgr: Any, name: str) -> None:
    """Let a name lead nowhere."""
    qmgr.targets.pop(name, None)
    qmgr.topic_aliases.pop(name, None)


def _require(qmgr: Any, kind: str, name: str, verb: str) -> Definition:
    qmgr.require_running(verb)
    found = qmgr.objects.named(kind, name)
    if found is None:
        near = qmgr.objects.near(kind, name)
        said = f"no {kind} has this name"
        hint = f"did you mean {' or '.join(near)}?" if near else f"DEFINE {kind}({name})"
        _refuse(qmgr, mq.MQRC_UNKNOWN_OBJECT_NAME, name, verb, said, hint)
    if found.kind != kind:
        said, hint = f"{name} is a {found.kind}", f"a {kind}, or DISPLAY {found.kind}({name})"
        _refuse(qmgr, mq.MQRC_OBJECT_TYPE_ERROR, name, verb, said, hint)
    return found


def _require_idle(qmgr: Any, queue: LocalQueue, verb: str) -> None:
    opens = sum(instance.opens for instance in queue.instances)
    if opens:
        _refuse_in_use(qmgr, queue.name, verb, opens, queue)
    if queue.uncommitted or any(instance.depth_in_gets() for instance in queue.instances):
        said, hint = "units of work on it are not ended", "commit or back them out"
        _refuse(qmgr, mq.MQRC_Q_NOT_EMPTY, queue.name, verb, said, hint)


def _refuse_in_use(qmgr: Any, name: str, verb: str, opens: int, queue: Any = None) -> None:
    said = f"{opens} handle{' has' if opens == 1 else 's have'} it open"
    programs = [handle.application.program for handle in qmgr.handles if handle.queue is queue]
    agents = [each.name for each in qmgr.channels.values() if each.active and each.program in programs]
    stop = "".join(f", and STOP CHANNEL({agent})" for agent in agents)
    _refuse(qmgr, mq.MQRC_OBJECT_IN_USE, name, verb, said, f"close them first{stop}")


def _empty(queue: LocalQueue, cause: int) -> int:
    """Remove every message, an event each; how many there were."""
    messages = list(queue.store.in_order())
    for message in messages:
        queue.vanish(message, "clear", "MQI-15", cause)
    return len(messages)


def _stamp(qmgr: Any, created: bool) -> dict:
    now = qmgr.lab.now
    date, time = now.strftime("%Y-%m-%d"), now.strftime("%H.%M.%S")
    return {**({"CRDATE": date, "CRTIME": time} if created else {}), "ALTDATE": date, "ALTTIME": time}


def _log(qmgr: Any, verb: str, definition: Definition, detail: dict | None = None, cause: int | None = None) -> int:
    """The event of a command. About a definition of the whole group it names the group, and the member as program."""
    name, member, rule = qmgr.name, None, "MQI-15"
    if _is_common(qmgr, definition):
        name, member, rule = qmgr.group.name, qmgr.name, "QSG-02"
    place = (name, definition.key, definition.kind)
    return qmgr.record(verb, place, rule, program=member, cause=cause, detail=detail)


def _refuse(qmgr: Any, reason: int, name: str, verb: str, said: str, hint: str) -> None:
    qmgr.refuse(reason, None, verb, "MQI-15", said, hint, name=name)


_STRUCTURE = re.compile(r"[A-Z][A-Z0-9]{0,11}")


def _is_common(qmgr: Any, definition: Definition) -> bool:
    """Whether a definition is one for the whole group: a shared queue, or a structure of a member."""
    shared = definition.kind == "CFSTRUCT" or definition.attributes.get("QSGDISP") == "SHARED"
    return shared and qmgr.group is not None


def _holders(qmgr: Any, definition: Definition) -> tuple:
    """The queue managers that have this definition."""
    return qmgr.group.members if _is_common(qmgr, definition) else (qmgr,)


def _require_disposition(qmgr: Any, kind: str, name: str, disposition: str) -> None:
    """Refuse a DEFINE whose QSGDISP this queue manager or this kind of object cannot have: 2045, 2085, 2152."""
    if kind == "CFSTRUCT" and not _STRUCTURE.fullmatch(name):
        said, hint = f"{name!r} cannot be the name of a structure", "1 to 12 of A-Z 0-9, a letter first"
        qmgr.refuse(mq.MQRC_OBJECT_NAME_ERROR, None, "define", "QSG-03", said, hint, name=name)
    if disposition == "QMGR":
        return
    wrong = None
    if disposition not in ("COPY", "GROUP", "SHARED"):
        wrong = f"QSGDISP({disposition}) chooses what DISPLAY shows", "QMGR, COPY, GROUP or SHARED"
    elif qmgr.group is None:
        wrong = f"{qmgr.name} is in no queue sharing group", f'lab.queue_sharing_group("QSG1", ["{qmgr.name}", ...])'
    elif disposition == "SHARED" and kind != "QLOCAL":
        wrong = f"a {kind} cannot be shared", "QSGDISP(GROUP), which gives each member a copy"
    if wrong is not None:
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, "define", "QSG-02", *wrong, name=name)
    if disposition == "COPY" and qmgr.group.masters.objects.get(kind, name) is None:
        said, hint = "there is no master to copy", f"DEFINE {kind}({name}) QSGDISP(GROUP)"
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, None, "define", "QSG-02", said, hint, name=name)


def _require_sound(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    """Refuse attributes that a structure or a shared queue cannot have, or that ask for another QSGDISP.

    A shared queue needs a CFSTRUCT that is defined, keeps it, and has a name that no member uses for a queue of its own
    (the last two our reading). Two topics cannot have one TOPICSTR. An administrative subscription is
    durable. MQError 2045, 2085, 2100, 2207, 2346, 2366, 2425, 2436, 2503, 3300.
    """
    if kind == "CFSTRUCT":
        _require_structure(qmgr, name, wanted, present, verb)
        return
    streaming.require_streamable(qmgr, kind, name, wanted, present, verb)
    if kind == "SUB" and not re.fullmatch("([0-9A-Fa-f]{2})*", wanted["DESTCORL"]):
        said, hint = f"DESTCORL {wanted['DESTCORL']!r} is no identifier", "up to 48 hexadecimal digits, two a byte"
        _refuse(qmgr, mq.MQRC_CORREL_ID_ERROR, name, verb, said, hint)
    if kind == "SUB" and verb == "define":
        if name != catalog.default_object(kind) and not wanted["TOPICSTR"] + wanted["TOPICOBJ"]:
            _refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "it has no topic", "TOPICSTR(...) or TOPICOBJ(...)")
        topic = topic_values(qmgr, qmgr.objects.subscribed(wanted), ("DURSUB", "SUB"))
        if topic["SUB"] == "DISABLED":
            _refuse(qmgr, mq.MQRC_SUB_INHIBITED, name, verb, "its topic has SUB(DISABLED)", "another topic")
        if topic["DURSUB"] == "NO":
            said = "its topic has DURSUB(NO), and a subscription by command is durable"
            _refuse(qmgr, mq.MQRC_DURABILITY_NOT_ALLOWED, name, verb, said, "another topic")
    if kind == "TOPIC" and not wanted["TOPICSTR"] and not name.startswith("SYSTEM."):
        _refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "its topic string is empty", "TOPICSTR(...)")
    for other in qmgr.objects.having("TOPIC", wanted["TOPICSTR"]) if kind == "TOPIC" and wanted["TOPICSTR"] else ():
        if other.name != name:
            said, hint = f"TOPIC({other.name}) has this TOPICSTR", "another topic string, or use that topic"
            _refuse(qmgr, mq.MQRCCF_TOPICSTR_ALREADY_EXISTS, name, verb, said, hint)
    disposition = wanted.get("QSGDISP", "QMGR")
    has = None if present is None else present.attributes.get("QSGDISP", "QMGR")
    if has is not None and has != disposition:
        said, hint = f"it has QSGDISP({has})", f"QSGDISP({has}), or delete it first"
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, None, verb, "QSG-02", said, hint, name=name)
    if disposition == "SHARED":
        _require_shared(qmgr, name, wanted["CFSTRUCT"], present, verb)


def _require_shared(qmgr: Any, name: str, structure: str, present: Definition | None, verb: str) -> None:
    if present is not None:
        if structure != present.attributes["CFSTRUCT"]:
            said, hint = f"it is in {present.attributes['CFSTRUCT']}", "delete it, and define it in the other structure"
            qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, verb, "QSG-02", said, hint, name=name)
        return
    if not structure:
        said, hint = "a shared queue needs a CFSTRUCT", f"DEFINE QLOCAL({name}) QSGDISP(SHARED) CFSTRUCT(name)"
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, verb, "QSG-02", said, hint, name=name)
    if structure not in qmgr.group.structures:
        said, hint = f"no CFSTRUCT {structure} is defined", f"DEFINE CFSTRUCT({structure})"
        qmgr.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, None, verb, "QSG-02", said, hint, name=structure)
    tables = {**{each.name: each.objects for each in qmgr.group.members}, qmgr.group.name: qmgr.group.masters.objects}
    taken = [owner for owner, objects in tables.items() if objects.named("QLOCAL", name) is not None]
    if taken:
        said, hint = f"{' and '.join(taken)} has a queue of this name", "another name"
        qmgr.refuse(mq.MQRC_OBJECT_ALREADY_EXISTS, None, verb, "QSG-02", said, hint, name=name)


def _require_structure(qmgr: Any, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
    if qmgr.platform != "zos":
        said = f"{qmgr.name} is {qmgr.platform}; only z/OS has structures"
        hint = 'lab.queue_manager(..., platform="zos")'
        qmgr.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, None, verb, "QSG-03", said, hint, name=name)
    if wanted["RECOVER"] == "YES" and wanted["CFLEVEL"] < 3:
        said, hint = f"CFLEVEL({wanted['CFLEVEL']}) cannot have RECOVER(YES)", "CFLEVEL(3) or above"
        qmgr.refuse(mq.MQRC_WRONG_CF_LEVEL, None, verb, "QSG-04", said, hint, name=name)
    if present is None or qmgr.group is None:
        return
    has = present.attributes
    if wanted["CFLEVEL"] < has["CFLEVEL"] or wanted["RECOVER"] < has["RECOVER"]:
        qmgr.group.require_quiet(qmgr, name, verb, "a lower CFLEVEL, or RECOVER(NO), needs idle queues", empty=True)


def _require_force(qmgr: Any, definition: Definition, wanted: dict, force: bool, verb: str) -> None:
    """Refuse attributes that need FORCE (MQError 2042); with `force`, calls with open handles fail with 2041 from now
    on."""
    why = _needs_force(qmgr, definition, wanted)
    if why is None:
        return
    if not force:
        name, hint = definition.name, f"close it first, or ALTER {definition.kind}({definition.name}) ... FORCE"
        qmgr.refuse(mq.MQRC_OBJECT_IN_USE, None, verb, "MQI-15", why, hint, name=name)
    target, by = qmgr.opened(definition.name), _resolved_by(qmgr, definition)
    for handle in by:
        handle.changed = True
    for one in target.instances if definition.kind == "QLOCAL" else (target,) if target is not None else ():
        for handle in one.queue.qmgr.handles:
            if handle.target is one or handle.queue is one:
                handle.changed = True


def _resolved_by(qmgr: Any, definition: Definition) -> list:
    """The handles on a queue elsewhere whose name was resolved by this definition."""
    return [handle for handle in qmgr.handles if definition in getattr(handle.target, "path", ())]


def _needs_force(qmgr: Any, definition: Definition, wanted: dict) -> str | None:
    """Why these attributes cannot be taken over without FORCE, None if they can."""
    target = qmgr.opened(definition.name)
    altered = {keyword for keyword, value in wanted.items() if definition.attributes.get(keyword) != value}
    if definition.kind == "QREMOTE" and altered & {"RNAME", "RQMNAME", "XMITQ"}:
        handles = len(_resolved_by(qmgr, definition))
        return f"another route needs FORCE: open {handles} times" if handles else None
    if target is None:
        return None
    instances = target.instances if definition.kind == "QLOCAL" else (target,)
    number, inputs = sum(one.opens for one in instances), sum(one.queue.inputs for one in instances)
    opens = f"{number} handle{' has' if number == 1 else 's have'} it open"
    if definition.kind == "QALIAS" and altered & {"TARGET", "TARGTYPE"} and number:
        return f"another TARGET needs FORCE: {opens}"
    if definition.kind != "QLOCAL":
        return None
    if "USAGE" in altered and (number or target.depth):
        return f"another USAGE needs FORCE: {opens if number else f'CURDEPTH is {target.depth}'}"
    if "SHARE" in altered and not wanted["SHARE"] and inputs:
        return f"NOSHARE needs FORCE: it is open for input {inputs} times"
    return None
