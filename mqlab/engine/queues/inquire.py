"""MQINQ and MQSET: reading the attributes of an open object, and setting those of a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..extra import extras
from ..words import catalog
from ..words import constants as mq
from ..words.errors import LabError
from ..words.objects import Definition, folder_of
from ..words.refusals import Grounds
from . import administration
from .queue import LocalQueue

if TYPE_CHECKING:
    from .parts import Calls, QueueManager
    from .target import Target

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


NAMES = {"QUEUE": 2016, "PROCESS": 2012, "NAMELIST": 2010}
"""The word of a sort of object -> the selector of its name."""

_MAY_OPEN = mq.MQOO_INQUIRE | mq.MQOO_FAIL_IF_QUIESCING | mq.MQOO_ALTERNATE_USER_AUTHORITY | mq.MQOO_RESOLVE_NAMES


class Inquired:
    """An open object that is no queue: the queue manager, a process, or a name list; what can be done is to inquire.

    `kind` is "QMGR", "PROCESS" or "NAMELIST". MQError 2046, 2058, 2085.
    """

    def __init__(self, application: Calls, kind: str, name: str, options: int):
        qmgr = self.qmgr = application.qmgr
        application.require_running("open")
        if kind not in ("QMGR", "PROCESS", "NAMELIST"):
            raise LabError(f"kind must be QMGR, PROCESS, or NAMELIST; got {kind!r}")
        if options & ~_MAY_OPEN or not options & mq.MQOO_INQUIRE:
            application.refuse(
                mq.MQRC_OPTIONS_ERROR, "object-opened", None, "open", name, kind=kind, options=f"{options:#x}"
            )
        if kind == "QMGR" and name not in ("", qmgr.name):
            application.refuse(mq.MQRC_Q_MGR_NAME_ERROR, "connected-to-other", None, "open", name, qmgr=qmgr.name)
        definition = Definition("QMGR", qmgr.name, {}) if kind == "QMGR" else qmgr.objects.get(kind, name)
        if definition is None:
            application.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, "not-defined", None, "open", name, kind=kind, object=name)
        if qmgr.guard is not None:
            qmgr.guard.other(application, "open", kind, definition.name, "INQ")
        application.require_handle(None, "open", name)
        application.others_open += 1
        self.application, self.definition, self.kind, self.name = application, definition, kind, definition.name
        self.target: Inquired | None = self  # what a call on it names, as for a handle on a queue
        self.object, self.via = self, None
        self.subject, self.depth = (qmgr.name, None if kind == "QMGR" else definition.name, kind), None
        self.own_detail: dict[str, Any] = {}
        self.creator = False

    @property
    def attributes(self) -> dict[str, Any]:
        """Its attributes now."""
        if self.kind == "QMGR":
            return qmgr_attributes(self.qmgr)
        found = self.definition.attributes
        return found | {"NAMCOUNT": len(found["NAMES"])} if self.kind == "NAMELIST" else found

    def inquire(self, *keywords: str) -> dict[str, Any]:
        """The values of these attributes, by MQSC keyword or MQI selector; all of them if none is named."""
        self._require_open("inquire")
        return _values(self.application, self, self.attributes, {self.kind: self.name}, frozenset(), keywords)

    def close(self, *, delete: bool = False, purge: bool = False) -> int:
        """Close it (MQCLOSE). MQError 2019, 2045 for options of dynamic queues."""
        self._require_open("close")
        if delete or purge:
            reason, kind = mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, self.kind
            self.application.refuse(reason, "no-dynamic-queue", None, "close", self.name, kind=kind)
        self.target = None
        self.application.others_open -= 1
        return 0

    def _require_open(self, call: str) -> None:
        self.application.require_running(call)
        if self.target is None:
            self.application.refuse(mq.MQRC_HOBJ_ERROR, "object-closed", None, call, self.name)


def qmgr_attributes(qmgr: QueueManager) -> dict[str, Any]:
    """The attributes of the queue manager, with those that follow from its platform and level."""
    values = dict(qmgr.attributes)
    if qmgr.platform == "distributed" and not values["SSLKEYR"]:
        values["SSLKEYR"] = f"/var/mqm/qmgrs/{folder_of(qmgr.name)}/ssl/key"
    for extra in extras():
        values |= extra.values(qmgr)
    values.setdefault("PLATFORM", {"zos": "MVS", "vse": "VSE"}.get(qmgr.platform, "UNIX"))
    values.setdefault("VERSION", catalog.version(qmgr.level))
    return values


def inquire(application: Calls, target: Target, keywords: tuple) -> dict:
    """Attributes of the queue as it was named (an alias's are its own), CURDEPTH, IPPROCS and OPPROCS among them.

    MQError 2067 for an unknown attribute, and 2068, a warning, for one that only other types of queue have.
    """
    known = dict(target.definition.attributes)
    if isinstance(target, LocalQueue):
        queue = target
        known |= {"CURDEPTH": queue.depth, "IPPROCS": queue.inputs, "OPPROCS": queue.outputs}
    local = catalog.attributes("QLOCAL").values()
    others = {"CURDEPTH", "IPPROCS", "OPPROCS"} | {name for a in local for name in (a.keyword, a.selector)} - {None}
    about = {"QUEUE": target.name, "QTYPE": known.get("QTYPE", target.definition.kind)}
    return _values(application, target, known, about, others, keywords)


def _values(application: Calls, target: Any, known: dict, on_request: dict, others: Any, keywords: tuple) -> dict:
    """The values wanted, or all that are `known`; those in `on_request` only where they are named."""
    by_selector = {a.selector: a.keyword for a in catalog.attributes(target.kind).values() if a.selector is not None}
    by_selector |= {selector: word for word, selector in NAMES.items() if word in on_request}
    named: list[Any] = [keyword if isinstance(keyword, int | str) else repr(keyword) for keyword in keywords]
    wanted = [by_selector.get(keyword, keyword) for keyword in named] or list(known)
    known = known | on_request if named else known
    for keyword in wanted:
        if keyword not in known:
            warned = (mq.MQRC_SELECTOR_NOT_FOR_TYPE, mq.MQCC_WARNING)
            reason, comp = warned if keyword in others else (mq.MQRC_SELECTOR_ERROR, mq.MQCC_FAILED)
            grounds = Grounds(reason, "no-attribute", {"attribute": keyword, "kind": target.kind})
            raise application.refusal(grounds, target, "inquire", comp=comp)
    return {keyword: known[keyword] for keyword in wanted}


def set(application: Calls, target: Target, values: dict) -> None:
    """Set attributes of a queue, all or none; an alter event without ALTDATE, and triggering asked again."""
    may = {"QALIAS": ("GET", "PUT"), "QREMOTE": ("PUT",)}.get(target.kind, tuple(SETTABLE))
    checked = {}
    for keyword, value in values.items():
        if keyword not in may:
            fields = {"attribute": keyword, "kind": target.kind, "settable": ", ".join(may)}
            application.refuse(mq.MQRC_SELECTOR_ERROR, "not-settable", target, "set", **fields)
        try:
            checked[keyword] = catalog.check(target.kind, keyword, value, application.qmgr.platform)
        except catalog.CatalogError as error:
            fields = {"problem": str(error), "queue": target.name, "attribute": keyword}
            application.refuse(SETTABLE[keyword], "bad-value", target, "set", **fields)
    administration.set_attributes(target, checked, application.caller)
