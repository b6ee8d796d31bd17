"""What may not be altered under an application that has the queue open, unless the command says FORCE.

The conditions are those of the FORCE parameter in the command reference of ALTER queues. What they let pass without
FORCE (inhibits, trigger attributes, limits) never disturbs an open handle.
"""

from __future__ import annotations

from ..mq.constants import MQRC_OBJECT_IN_USE
from ..mq.objects import Definition

__all__ = ["admit"]


def admit(qmgr, definition: Definition, wanted: dict, force: bool, verb: str) -> None:
    """Refuse attributes that need FORCE (MQError 2042); with `force`, let open handles answer 2041 from now on."""
    why = _needs_force(qmgr, definition, wanted)
    if why is None:
        return
    if not force:
        name, hint = definition.name, f"close it first, or ALTER {definition.kind}({definition.name}) ... FORCE"
        qmgr.refuse(MQRC_OBJECT_IN_USE, None, verb, "MQI-15", why, hint, name=name)
    target, by = qmgr.opened(definition.name), _by(qmgr, definition)
    for handle in by:
        handle.changed = True
    for one in target.instances if definition.kind == "QLOCAL" else (target,) if target is not None else ():
        for handle in one.queue.qmgr.handles:
            if handle.target is one or handle.queue is one:
                handle.changed = True


def _by(qmgr, definition: Definition) -> list:
    """The handles on a queue elsewhere whose name was resolved by this definition."""
    return [handle for handle in qmgr.handles if definition in getattr(handle.target, "path", ())]


def _needs_force(qmgr, definition: Definition, wanted: dict) -> str | None:
    """Why these attributes cannot be taken over without FORCE, None if they can."""
    target = qmgr.opened(definition.name)
    altered = {keyword for keyword, value in wanted.items() if definition.attributes.get(keyword) != value}
    if definition.kind == "QREMOTE" and altered & {"RNAME", "RQMNAME", "XMITQ"}:
        opens = len(_by(qmgr, definition))
        return f"another route needs FORCE: open {opens} times" if opens else None
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
