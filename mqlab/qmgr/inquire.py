"""MQINQ and MQSET: reading and setting the attributes of an open queue."""

from __future__ import annotations

from typing import Any

from ..mq import catalog
from ..mq import constants as mq
from . import administration

SETTABLE = {
    "GET": mq.MQRC_INHIBIT_VALUE_ERROR,
    "PUT": mq.MQRC_INHIBIT_VALUE_ERROR,
    "TRIGGER": mq.MQRC_TRIGGER_CONTROL_ERROR,
    "TRIGTYPE": mq.MQRC_TRIGGER_TYPE_ERROR,
    "TRIGDPTH": mq.MQRC_TRIGGER_DEPTH_ERROR,
    "TRIGMPRI": mq.MQRC_TRIGGER_MSG_PRIORITY_ERR,
    "TRIGDATA": mq.MQRC_SELECTOR_ERROR,
    "DISTL": mq.MQRC_SELECTOR_ERROR,
}
"""The attributes that MQSET may set, with the reason of a value that they cannot have: all of a local queue, of an
alias GET and PUT, of the definition of a remote queue PUT."""


def inquire(application: Any, target: Any, keywords: tuple) -> dict:
    """Attributes of the queue as it was named (an alias's are its own), CURDEPTH, IPPROCS and OPPROCS among them.

    MQError 2067 for an unknown attribute, and 2068, a warning, for one that only other types of queue have.
    """
    known = dict(target.definition.attributes)
    if target.kind == "QLOCAL":
        known |= {"CURDEPTH": target.depth, "IPPROCS": target.inputs, "OPPROCS": target.outputs}
    by_selector = {a.selector: a.keyword for a in catalog.attributes(target.kind).values() if a.selector is not None}
    local = catalog.attributes("QLOCAL").values()
    others = {"CURDEPTH", "IPPROCS", "OPPROCS"} | {name for a in local for name in (a.keyword, a.selector)} - {None}
    named: list[Any] = [each if isinstance(each, int | str) else repr(each) for each in keywords]
    wanted = [by_selector.get(each, each) for each in named] or list(known)
    for each in wanted:
        if each not in known:
            warned = (mq.MQRC_SELECTOR_NOT_FOR_TYPE, mq.MQCC_WARNING)
            reason, comp = warned if each in others else (mq.MQRC_SELECTOR_ERROR, mq.MQCC_FAILED)
            said = f"{each!r} is no attribute of a {target.kind}"
            hint = "MQSC keywords such as CURDEPTH, or MQI selectors, of what this queue has"
            raise application.refusal(reason, target, "inquire", "MQI-23", said, hint, comp=comp)
    return {each: known[each] for each in wanted}


def set(application: Any, target: Any, values: dict) -> None:
    """Set attributes of a queue, all or none; an alter event without ALTDATE, and triggering asked again."""
    may = {"QALIAS": ("GET", "PUT"), "QREMOTE": ("PUT",)}.get(target.kind, tuple(SETTABLE))
    checked = {}
    for keyword, value in values.items():
        if keyword not in may:
            said = f"{keyword!r} cannot be set by MQSET on a {target.kind}"
            hint = ", ".join(may)
            application.refuse(mq.MQRC_SELECTOR_ERROR, target, "set", "MQI-23", said, hint)
        try:
            checked[keyword] = catalog.check(target.kind, keyword, value, application.qmgr.platform)
        except catalog.CatalogError as error:
            hint = f"DISPLAY QLOCAL({target.name}) {keyword}"
            application.refuse(SETTABLE[keyword], target, "set", "MQI-23", str(error), hint)
    administration.set_attributes(target, checked, application.caller)
