"""The refusals of commands that define, alter, clear, and delete objects."""

from __future__ import annotations

import re
from typing import Any

from ..mq import catalog
from ..mq import constants as mq
from ..mq.objects import QUEUE_KINDS, Definition
from . import streaming
from .publishing import topic_values
from .queue import LocalQueue


def require(qmgr: Any, kind: str, name: str, verb: str) -> Definition:
    """The object of this kind and name; MQError 2043, 2059, 2085."""
    qmgr.require_running(verb)
    found = qmgr.objects.named(kind, name)
    if found is None:
        near = qmgr.objects.near(kind, name)
        said = f"no {kind} has this name"
        hint = f"did you mean {' or '.join(near)}?" if near else f"DEFINE {kind}({name})"
        refuse(qmgr, mq.MQRC_UNKNOWN_OBJECT_NAME, name, verb, said, hint)
    if found.kind != kind:
        said, hint = f"{name} is a {found.kind}", f"a {kind}, or DISPLAY {found.kind}({name})"
        refuse(qmgr, mq.MQRC_OBJECT_TYPE_ERROR, name, verb, said, hint)
    return found


def require_deletable(qmgr: Any, kind: str, name: str, purge: bool) -> Definition:
    """Refuse a DELETE that cannot be done, as `delete` does; the definition."""
    definition = require(qmgr, kind, name, "delete")
    if kind == "CFSTRUCT" and qmgr.group is not None:
        qmgr.group.require_quiet(qmgr, name, "delete", "a structure that holds queues cannot go", empty=False)
    target = qmgr.opened(name) if kind in QUEUE_KINDS else None
    if isinstance(target, LocalQueue):
        target.require_usable(qmgr, target, "delete")
        require_idle(qmgr, target, "delete")
        if target.depth and not purge:
            said, hint = f"CURDEPTH is {target.depth}", f"DELETE QLOCAL({name}) PURGE, or get them first"
            refuse(qmgr, mq.MQRC_Q_NOT_EMPTY, name, "delete", said, hint)
    elif target is not None and target.opens:
        _refuse_in_use(qmgr, name, "delete", target.opens)
    elif kind == "CHANNEL":
        _require_ended(qmgr, name)
    return definition


def require_idle(qmgr: Any, queue: LocalQueue, verb: str) -> None:
    """Refuse a command on a queue that is open (2042) or has uncommitted work (2055)."""
    opens = sum(instance.opens for instance in queue.instances)
    if opens:
        _refuse_in_use(qmgr, queue.name, verb, opens, queue)
    if queue.uncommitted or any(instance.depth_in_gets() for instance in queue.instances):
        said, hint = "units of work on it are not ended", "commit or back them out"
        refuse(qmgr, mq.MQRC_Q_NOT_EMPTY, queue.name, verb, said, hint)


def _refuse_in_use(qmgr: Any, name: str, verb: str, opens: int, queue: Any = None) -> None:
    said = f"{opens} handle{' has' if opens == 1 else 's have'} it open"
    programs = [handle.application.program for handle in qmgr.handles if handle.queue is queue]
    agents = [each.name for each in qmgr.channels.values() if each.active and each.program in programs]
    stop = "".join(f", and STOP CHANNEL({agent})" for agent in agents)
    refuse(qmgr, mq.MQRC_OBJECT_IN_USE, name, verb, said, f"close them first{stop}")


def _require_ended(qmgr: Any, name: str) -> None:
    """Refuse with 2042 what cannot be done to a channel that is active or in doubt."""
    for channel in channels_named(qmgr, name).values():
        if channel.active or channel.indoubt is not None:
            said = f"it is {channel.state}" if channel.active else "it is in doubt"
            hint = f"STOP CHANNEL({name})" if channel.active else f"RESOLVE CHANNEL({name}) ACTION(...)"
            refuse(qmgr, mq.MQRC_OBJECT_IN_USE, name, "delete", said, f"{hint} first")


def channels_named(qmgr: Any, name: str) -> dict:
    """The channels there are of this name, by (name, partner)."""
    return {key: channel for key, channel in qmgr.channels.items() if key[0] == name}


_STRUCTURE = re.compile(r"[A-Z][A-Z0-9]{0,11}")


def require_disposition(qmgr: Any, kind: str, name: str, disposition: str) -> None:
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


def require_sound(qmgr: Any, kind: str, name: str, wanted: dict, present: Definition | None, verb: str) -> None:
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
        refuse(qmgr, mq.MQRC_CORREL_ID_ERROR, name, verb, said, hint)
    if kind == "SUB" and verb == "define":
        if name != catalog.default_object(kind) and not wanted["TOPICSTR"] + wanted["TOPICOBJ"]:
            refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "it has no topic", "TOPICSTR(...) or TOPICOBJ(...)")
        topic = topic_values(qmgr, qmgr.objects.subscribed(wanted), ("DURSUB", "SUB"))
        if topic["SUB"] == "DISABLED":
            refuse(qmgr, mq.MQRC_SUB_INHIBITED, name, verb, "its topic has SUB(DISABLED)", "another topic")
        if topic["DURSUB"] == "NO":
            said = "its topic has DURSUB(NO), and a subscription by command is durable"
            refuse(qmgr, mq.MQRC_DURABILITY_NOT_ALLOWED, name, verb, said, "another topic")
    if kind == "TOPIC" and not wanted["TOPICSTR"] and not name.startswith("SYSTEM."):
        refuse(qmgr, mq.MQRC_TOPIC_STRING_ERROR, name, verb, "its topic string is empty", "TOPICSTR(...)")
    for other in qmgr.objects.having("TOPIC", wanted["TOPICSTR"]) if kind == "TOPIC" and wanted["TOPICSTR"] else ():
        if other.name != name:
            said, hint = f"TOPIC({other.name}) has this TOPICSTR", "another topic string, or use that topic"
            refuse(qmgr, mq.MQRCCF_TOPICSTR_ALREADY_EXISTS, name, verb, said, hint)
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


def require_force(qmgr: Any, definition: Definition, wanted: dict, force: bool, verb: str) -> None:
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


def refuse(qmgr: Any, reason: int, name: str, verb: str, said: str, hint: str) -> None:
    """Raise the MQError of a refused command, after its row in the log."""
    qmgr.refuse(reason, None, verb, "MQI-15", said, hint, name=name)
