"""Name resolution: what a queue name, with or without a queue manager name, leads to.

The queue manager name is resolved first. It is the local one, a queue manager alias (a remote definition with a blank
RNAME), a transmission queue, or unknown and left to DEFXMITQ, unless an extra has another way and no definition names
an XMITQ. A queue name is then a local queue, an alias of one or of a remote definition, or a remote definition. Which
reason goes with which mistake is what the product documentation says of each reason code. An alias of the local queue
manager lets a queue be opened for output only (2045).
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn

from ..extra import extras
from ..words import constants as mq
from ..words.errors import NotSimulated
from ..words.objects import Definition, base_kind, legal_name
from ..words.refusals import Grounds
from .queue import LocalQueue, Remote
from .target import QueueTarget, Route, Target

if TYPE_CHECKING:
    from .parts import Calls, QueueManager

_NAMED = (mq.MQRC_UNKNOWN_XMIT_Q, mq.MQRC_XMIT_Q_TYPE_ERROR, mq.MQRC_XMIT_Q_USAGE_ERROR)
_DEFAULT = (mq.MQRC_UNKNOWN_DEF_XMIT_Q, mq.MQRC_DEF_XMIT_Q_TYPE_ERROR, mq.MQRC_DEF_XMIT_Q_USAGE_ERROR)


def resolve(application: Calls, name: object, call: str) -> Target:
    """Resolve `name`, "QUEUE" or "QUEUE@QMGR", to a LocalQueue, an Alias of one, a Remote, or what an
    extra has.

    MQError 2001, 2052, 2057 (a put to a model queue by its name), 2082, 2085, 2086, 2087, 2091, 2092, 2184, 2196
    to 2199.
    """
    if isinstance(name, Target) and name.queue is None:
        target = name
    elif isinstance(name, str):
        target = application.qmgr.routes.get(name) or _Name(application, name, call).target()
    else:
        grounds = Grounds(mq.MQRC_UNKNOWN_OBJECT_NAME, "illegal-queue-name", {"queue": name})
        raise application.refusal(grounds, None, call, str(name))
    # only an open or a put may name a queue elsewhere, or what has no messages; no report goes there (simplified)
    nothing = target.queue is None
    asks = call in ("get", "browse", "inquire")
    beyond = nothing or isinstance(target, Remote) or (asks and own_alias(application.qmgr, name))
    if (nothing and call == "report") or (beyond and asks):
        refuse_input(application, target, call)
    return target


def own_alias(qmgr: QueueManager, name: object) -> bool:
    """Whether a name has an alias of this queue manager in it: a QREMOTE with a blank RNAME that names it, or none."""
    qmgr_name = name.partition("@")[2] if isinstance(name, str) else ""
    definition = qmgr.objects.get("QREMOTE", qmgr_name) if qmgr_name not in ("", qmgr.name) else None
    if definition is None or definition.attributes["RNAME"]:
        return False
    rqmname = definition.attributes["RQMNAME"]
    return rqmname == qmgr.name or not (rqmname or definition.attributes["XMITQ"])


def _through(alias: Definition, target: Target) -> Target:
    """A queue's target behind an alias of this queue manager, which may inhibit, and with its RQMNAME has defaults."""
    if not isinstance(target, QueueTarget):
        return target
    path = [*(target.path or [target.definition])]
    path.insert(0 if alias.attributes["RQMNAME"] else len(path), alias)
    route: QueueTarget = Route(target.name, path, target.queue) if isinstance(target, LocalQueue) else copy(target)
    route.path, route.definition, route.via, route.opens = path, target.definition, target.via, 0
    route.apply()
    return route


def refuse_input(application: Calls, target: Target, call: str) -> None:
    """2045: what a queue elsewhere, a queue named through `own_alias`, or what has no messages cannot be asked for; a
    target can have another reason."""
    case, fields = target.no_input_case()
    application.refuse(target.no_input_reason, case, target, call, **fields)


class _Name:
    """The name of a queue in one call: it finds the target that the name leads to, or refuses the call."""

    def __init__(self, application: Calls, name: str, call: str):
        self.application, self.qmgr, self.name, self.call = application, application.qmgr, name, call

    def give_up(
        self, reason: int, case: str, fields: dict[str, Any], rests_on: tuple[str, ...] = (), **detail: object
    ) -> NoReturn:
        """Refuse the call; the row has `detail`."""
        grounds = Grounds(reason, case, fields)
        more: dict[str, Any] = {"detail": detail} if detail else {}
        error = self.application.refusal(grounds, None, self.call, str(self.name), **more)
        error.rests_on = rests_on
        raise error

    def found(self, kind: str, name: str) -> Target | None:
        """What an extra has under a name that is not defined here."""
        found = (extra.found(self.application, kind, name, self.name, self.call) for extra in extras())
        return next((target for target in found if target is not None), None)

    def target(self) -> Target:
        """The target of the name by the present definitions."""
        name = self.name
        queue, separator, qmgr_name = name.partition("@")
        if separator and not legal_name(qmgr_name):
            self.give_up(mq.MQRC_UNKNOWN_OBJECT_Q_MGR, "illegal-name", {"qmgr": qmgr_name})
        if separator and not queue and qmgr_name != self.qmgr.name:
            self.give_up(mq.MQRC_REMOTE_Q_NAME_ERROR, "no-queue-named", {"qmgr": qmgr_name})
        if not legal_name(queue):
            self.give_up(mq.MQRC_UNKNOWN_OBJECT_NAME, "illegal-queue-name", {"queue": queue})
        if not separator:
            return self.here(queue)
        if qmgr_name == self.qmgr.name or any(one.means_here(self.qmgr, queue, qmgr_name) for one in extras()):
            return self.here(queue).alone
        return self.of_qmgr(qmgr_name, queue)

    def here(self, queue: str) -> Target:
        """A queue name of this queue manager."""
        qmgr = self.qmgr
        if (target := qmgr.targets.get(queue)) is not None:
            return target
        definition = qmgr.objects.named("QLOCAL", queue)
        if definition is None:
            if (found := self.found("QLOCAL", queue)) is not None:
                return found
            if near := qmgr.objects.near("QLOCAL", queue):
                self.give_up(mq.MQRC_UNKNOWN_OBJECT_NAME, "misspelled-queue", {"near": " or ".join(near)})
            self.give_up(mq.MQRC_UNKNOWN_OBJECT_NAME, "no-queue", {"queue": queue})
        if definition.kind == "QLOCAL":
            self.give_up(mq.MQRC_Q_DELETED, "still-open", {})
        if definition.kind == "QREMOTE":
            return self.remote(definition, [definition])
        if definition.kind == "QALIAS":
            return self.alias(definition)
        if self.call in ("put", "report", "open"):  # an open that names no queue manager makes a dynamic queue instead
            self.give_up(mq.MQRC_Q_TYPE_ERROR, "model-queue", {"queue": queue})
        why = "a model queue is opened, which makes a dynamic queue; it cannot be used by name"
        raise NotSimulated(f"QMODEL {queue}: {why}")

    def alias(self, alias: Definition) -> Target:
        """An alias that does not lead to a local queue: to a remote definition, what an extra has, or nowhere."""
        if (other := self.qmgr.other_aliases.get(alias.name)) is not None:
            return other
        base, kind = alias.attributes["TARGET"], base_kind(alias)
        base_definition = self.qmgr.objects.named(kind, base)
        if base_definition is None:
            if base and (found := self.found(kind, base)) is not None:
                return found
            case, fields = ("not-defined", {"kind": kind}) if base else ("blank", {})
            fields |= {"base": base, "alias": alias.name}
            self.give_up(mq.MQRC_UNKNOWN_ALIAS_BASE_Q, case, fields, ("TARGET", base), base=base)
        if base_definition.kind != "QREMOTE":
            fields, rests_on = {"base": base, "kind": base_definition.kind}, ("TARGET", base)
            more = {"base": base, "type": base_definition.kind}
            self.give_up(mq.MQRC_ALIAS_BASE_Q_TYPE_ERROR, "other-type", fields, rests_on, **more)
        return self.remote(base_definition, [alias, base_definition])

    def remote(self, definition: Definition, path: list[Definition]) -> Target:
        """A local definition of a remote queue."""
        rname, rqmname, xmitq = (definition.attributes[key] for key in ("RNAME", "RQMNAME", "XMITQ"))
        rests_on = (definition.name, "RNAME", "RQMNAME", rqmname)
        if not rname:
            self.give_up(mq.MQRC_REMOTE_Q_NAME_ERROR, "rname-blank", {"remote": definition.name}, rests_on)
        if rqmname in ("", self.qmgr.name):
            fields = {"remote": definition.name, "rqmname": rqmname or "blank"}
            self.give_up(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, "rqmname", fields, rests_on)
        return self.route(path, xmitq, (rname, rqmname))

    def of_qmgr(self, qmgr_name: str, queue: str) -> Target:
        """A queue name with the name of another queue manager."""
        definition: Any = self.qmgr.objects.named("QLOCAL", qmgr_name)
        kind = None if definition is None else definition.kind
        if kind == "QREMOTE" and not definition.attributes["RNAME"]:
            rqmname = definition.attributes["RQMNAME"]
            if own_alias(self.qmgr, self.name):  # a blank one names no queue manager, so that a cluster chooses one
                target = self.here(queue).alone if rqmname else resolve(self.application, queue, self.call)
                self.qmgr.routes[self.name] = target = _through(definition, target)
                return target
            return self.route([definition], definition.attributes["XMITQ"], (queue, rqmname or qmgr_name))
        if kind in ("QREMOTE", "QMODEL"):
            case = "remote-queue" if kind == "QREMOTE" else "model-queue"
            fields = {"qmgr": qmgr_name, "rname": definition.attributes.get("RNAME")}
            self.give_up(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, case, fields, (qmgr_name,))
        return self.route([], "", (queue, qmgr_name))

    def route(self, path: list[Definition], named: str, destination: tuple[str, str]) -> Target:
        """The Remote of the name, kept until a definition changes: as an extra has it, else by the
        transmission queue that is `named` or found."""
        qmgr, name, qmgr_name = self.qmgr, self.name, destination[1]

        def by_channel() -> Remote | None:
            queue = self.transmission_queue(named, qmgr_name, direct=not path)
            return None if queue is None else Remote(name, path, queue, destination)

        asked = (self.application, name, path, destination, by_channel)
        ways = (extra.route(*asked) for extra in extras() if not named)
        way = next((way for way in ways if way is not None), None)
        route: Any = by_channel() if way is None else way[0]
        if route is None:
            rests_on = (qmgr_name, "DEFXMITQ")
            self.give_up(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, "no-way", {"qmgr": qmgr_name}, rests_on)
        qmgr.routes[name] = route
        return route

    def transmission_queue(self, named: str, rqmname: str, direct: bool) -> LocalQueue | None:
        """The transmission queue: the one named, else the one that has the queue manager's name, else DEFXMITQ; None
        for none. An alias of that name is no hindrance if the application named the queue manager itself (`direct`)."""
        if named:
            return self.checked(named, _NAMED, f"XMITQ {named}")
        own = self.qmgr.objects.named("QLOCAL", rqmname)
        if own is not None and not (direct and own.kind == "QALIAS"):
            return self.checked(rqmname, _NAMED, f"the local queue {rqmname}")
        default = self.qmgr.attributes["DEFXMITQ"]
        return self.checked(default, _DEFAULT, f"DEFXMITQ {default}") if default else None

    def checked(self, xmitq: str, reasons: tuple[int, int, int], subject: str) -> LocalQueue:
        """A queue that a definition names as transmission queue, if it is one."""
        definition = self.qmgr.objects.named("QLOCAL", xmitq)
        unknown, bad_type, bad_usage = reasons
        rests_on = (xmitq, "DEFXMITQ" if reasons is _DEFAULT else "XMITQ")
        fields = {"subject": subject, "xmitq": xmitq}
        if definition is None or (definition.kind == "QLOCAL" and xmitq not in self.qmgr.targets):
            self.give_up(unknown, "not-defined", fields, rests_on, xmitq=xmitq)
        if definition.kind != "QLOCAL":
            kind = definition.kind
            self.give_up(bad_type, "not-local", {**fields, "kind": kind}, rests_on, xmitq=xmitq, type=kind)
        if definition.attributes["USAGE"] != "XMITQ":
            self.give_up(bad_usage, "usage-normal", fields, rests_on, xmitq=xmitq)
        return self.qmgr.targets[xmitq]
