"""Name resolution: what a queue name, with or without a queue manager name, leads to (behavior notes 5.3).

The queue manager name is resolved first. It is the local one, a queue manager alias (a remote definition with a blank
RNAME), a transmission queue, or unknown and left to DEFXMITQ, unless an
extra has another way and no definition names an XMITQ. A queue name is then a local queue, an alias
of one or of a remote definition, or a remote definition. Which reason goes with which mistake is what the product
documentation says of each reason code. NotSimulated: a get from a model queue that is not opened first. An alias of the
local queue manager lets a queue be opened for output only (2045). Our reading: IBM MQ looks for a queue manager in its
clusters before it takes DEFXMITQ.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..mq import constants as mq
from ..mq.errors import NotSimulated
from ..mq.extra import extras
from ..mq.objects import Definition, legal_name
from .clusters import elsewhere, joined
from .queue import LocalQueue, Remote, TopicAlias

_NAMED = (mq.MQRC_UNKNOWN_XMIT_Q, mq.MQRC_XMIT_Q_TYPE_ERROR, mq.MQRC_XMIT_Q_USAGE_ERROR)
_DEFAULT = (mq.MQRC_UNKNOWN_DEF_XMIT_Q, mq.MQRC_DEF_XMIT_Q_TYPE_ERROR, mq.MQRC_DEF_XMIT_Q_USAGE_ERROR)
_OWN = (mq.MQRC_UNKNOWN_OBJECT_NAME, mq.MQRC_UNKNOWN_ALIAS_BASE_Q, mq.MQRC_ALIAS_BASE_Q_TYPE_ERROR)
_RULES = {**dict.fromkeys(_OWN, "MQI-14"), mq.MQRC_Q_DELETED: "MQI-24", mq.MQRC_Q_TYPE_ERROR: "MQI-24"}
"""The rule that each reason goes by, where that is not CHL-01."""
_INSTEAD = "call the queue manager that has it; or, in the lab, let a QREMOTE({}) and a channel replace the cluster"


def resolve(application: Any, name: str, call: str) -> Any:
    """Resolve `name`, "QUEUE" or "QUEUE@QMGR", to a LocalQueue, an Alias of one, a TopicAlias, or a Remote.

    MQError 2001, 2052, 2057 (a put to a model queue by its name), 2082, 2085, 2086, 2087, 2091, 2092, 2184, 2196
    to 2199.
    """
    known = application.qmgr.routes.get(name) if isinstance(name, str) else None
    target = _Name(application, name, call).target() if known is None else known
    # only an open or a put may name a queue elsewhere or a topic; reports are not published (simplified)
    topic = isinstance(target, TopicAlias)
    asks = call in ("get", "browse", "inquire")
    beyond = topic or isinstance(target, Remote) or (asks and own_alias(application.qmgr, name))
    if (topic and call == "report") or (beyond and asks):
        refuse_input(application, target, call)
    return target


def own_alias(qmgr: Any, name: Any) -> bool:
    """Whether a name has an alias of this queue manager in it: a QREMOTE with a blank RNAME and its own RQMNAME."""
    at = name.partition("@")[2] if isinstance(name, str) else ""
    found = qmgr.objects.get("QREMOTE", at) if at not in ("", qmgr.name) else None
    return found is not None and not found.attributes["RNAME"] and found.attributes["RQMNAME"] == qmgr.name


def refuse_input(application: Any, target: Any, call: str) -> None:
    """2045: what a queue elsewhere, a queue named through `own_alias`, or an alias of a topic cannot be asked for."""
    topic, said = isinstance(target, TopicAlias), "it is named through an alias of this queue manager"
    if target.kind == "TOPIC":
        topic, said = True, "it is a topic"
    elif topic or isinstance(target, Remote):
        said = f"its TARGET {target.base.name} is a topic" if topic else f"it leads to {'@'.join(target.destination)}"
    rule, hint = "MQI-34" if topic else "CHL-01", "open or put, for output only"
    application.refuse(mq.MQRC_OPTION_NOT_VALID_FOR_TYPE, target, call, rule, said, hint)


def _means_here(qmgr: Any, queue: str, at: str) -> bool:
    """Return True if a queue manager name means this one, because it is its own name, or an extra says so."""
    return at == qmgr.name or any(extra.means_here(qmgr, queue, at) for extra in extras())


class _Name:
    """The name of a queue in one call: it finds the target that the name leads to, or refuses the call."""

    def __init__(self, application: Any, name: Any, call: str):
        self.application, self.qmgr, self.name, self.call = application, application.qmgr, name, call

    def refuse(self, reason: int, said: str, hint: str, clustered: str = "", **detail: str) -> NoReturn:
        """Refuse the call with `reason`; the row has `detail`, and what `clustered` says of a name in a cluster."""
        rule = _RULES.get(reason, "CHL-01")
        said = f"{said}; {clustered}" if clustered else said
        detail |= {"because": said} if clustered else {}
        more: dict[str, Any] = {"detail": detail} if detail else {}
        raise self.application.refusal(reason, None, self.call, rule, said, hint, name=str(self.name), **more)

    def target(self) -> Any:
        """The target of the name by the present definitions."""
        name = self.name
        queue, at, elsewhere = name.partition("@") if isinstance(name, str) else (name, "", "")
        if at and not legal_name(elsewhere):
            said = f"{elsewhere!r} cannot name a queue manager"
            hint = "1 to 48 of A-Z a-z 0-9 . _ / %; nothing behind the queue name for this queue manager"
            self.refuse(mq.MQRC_UNKNOWN_OBJECT_Q_MGR, said, hint)
        if at and not queue and elsewhere != self.qmgr.name:
            self.refuse(mq.MQRC_REMOTE_Q_NAME_ERROR, "no queue is named", f"QUEUE@{elsewhere}")
        if not legal_name(queue):
            said, hint = f"{queue!r} cannot be the name of a queue", "1 to 48 of A-Z a-z 0-9 . _ / %"
            self.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, said, hint)
        return self.here(queue) if not at or _means_here(self.qmgr, queue, elsewhere) else self.at(elsewhere, queue)

    def here(self, queue: str) -> Any:
        """A queue name of this queue manager."""
        qmgr = self.qmgr
        target = qmgr.targets.get(queue)
        if target is not None:
            return target
        found = qmgr.objects.named("QLOCAL", queue)
        if found is None:
            near, clustered = qmgr.objects.near("QLOCAL", queue), elsewhere(qmgr, "QLOCAL", queue)
            hint = f"did you mean {' or '.join(near)}?" if near else f"DEFINE QLOCAL({queue})"
            said, hint = "no queue has this name", _INSTEAD.format(queue) if clustered else hint
            self.refuse(mq.MQRC_UNKNOWN_OBJECT_NAME, said, hint, clustered)
        if found.kind == "QLOCAL":
            self.refuse(mq.MQRC_Q_DELETED, "the queue has been deleted", "wait until every handle on it is closed")
        if found.kind == "QREMOTE":
            return self.remote(found, [found])
        if found.kind == "QALIAS":
            return self.alias(found)
        if self.call in ("put", "report", "open"):  # an open that names no queue manager makes a dynamic queue instead
            said = f"{queue} is a model queue"
            hint = "open it, which makes a dynamic queue to put to, or define a queue of that name"
            self.refuse(mq.MQRC_Q_TYPE_ERROR, said, hint)
        raise NotSimulated(
            f"{found.kind} {queue}: a model queue is opened, which makes a dynamic queue; it cannot be used by name"
        )

    def alias(self, alias: Definition) -> Any:
        """An alias that does not lead to a local queue: to a remote definition, a topic, or nowhere."""
        topic = self.qmgr.topic_aliases.get(alias.name)
        if topic is not None:
            return topic
        base, kind = alias.attributes["TARGET"], "TOPIC" if alias.attributes["TARGTYPE"] == "TOPIC" else "QLOCAL"
        found = self.qmgr.objects.named(kind, base)
        if found is None:
            hint = f"ALTER QALIAS({alias.name}) TARGET(...)"
            said, hint = f"its TARGET {base!r} is not defined", f"DEFINE {kind}({base}), or {hint}" if base else hint
            clustered = elsewhere(self.qmgr, kind, base)
            hint = _INSTEAD.format(base) if clustered else hint
            self.refuse(mq.MQRC_UNKNOWN_ALIAS_BASE_Q, said, hint, clustered, base=base)
        if found.kind != "QREMOTE":
            said, hint = f"its TARGET {base} is a {found.kind}", "an alias leads to a local or a remote queue"
            self.refuse(mq.MQRC_ALIAS_BASE_Q_TYPE_ERROR, said, hint, base=base, type=found.kind)
        return self.remote(found, [alias, found])

    def remote(self, found: Definition, path: list[Definition]) -> Remote:
        """A local definition of a remote queue."""
        rname, rqmname, xmitq = (found.attributes[key] for key in ("RNAME", "RQMNAME", "XMITQ"))
        if not rname or not rqmname or rqmname == self.qmgr.name:
            wrong = "RNAME is blank" if not rname else f"RQMNAME is {rqmname or 'blank'}"
            reason = mq.MQRC_UNKNOWN_REMOTE_Q_MGR if rname else mq.MQRC_REMOTE_Q_NAME_ERROR
            hint = f"ALTER QREMOTE({found.name}) RNAME(queue) RQMNAME(another queue manager)"
            self.refuse(reason, f"{found.name}: {wrong}", hint)
        return self.route(path, xmitq, (rname, rqmname))

    def at(self, at: str, queue: str) -> Any:
        """A queue name with the name of another queue manager."""
        found = self.qmgr.objects.named("QLOCAL", at)
        kind = None if found is None else found.kind
        if kind == "QREMOTE" and not found.attributes["RNAME"]:
            rqmname = found.attributes["RQMNAME"] or at
            if rqmname == self.qmgr.name:
                return self.here(queue)
            return self.route([found], found.attributes["XMITQ"], (queue, rqmname))
        if kind in ("QREMOTE", "QMODEL"):
            remote = kind == "QREMOTE"
            what = f"a remote definition with RNAME({found.attributes['RNAME']})" if remote else "a model queue"
            hint = "a queue manager, an alias of one (a QREMOTE with a blank RNAME), or a transmission queue"
            self.refuse(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, f"{at} is {what}", hint)
        return self.route([], "", (queue, at))

    def route(self, path: list[Definition], named: str, destination: tuple[str, str]) -> Remote:
        """The Remote of the name, kept until a definition changes: as an extra has it, else by the
        transmission queue that is `named` or found."""
        qmgr, name, at = self.qmgr, self.name, destination[1]

        def by_channel() -> Remote | None:
            found = self.transmission_queue(named, at, direct=not path)
            if found is None:
                return None
            default = not named and found.name != at  # DEFXMITQ, which IBM MQ takes after its clusters
            return Remote(name, path, found, destination, elsewhere(qmgr, "QMGR", at, joined(qmgr)) if default else "")

        ways = (extra.route(qmgr, name, path, destination, by_channel) for extra in extras() if not named)
        way = next((way for way in ways if way is not None), None)
        route: Any = by_channel() if way is None else way[0]
        if route is None:
            said = f"no transmission queue is called {at}, and DEFXMITQ is blank"
            hint = f"DEFINE QLOCAL({at}) USAGE(XMITQ), or a QREMOTE that names an XMITQ"
            clustered = elsewhere(qmgr, "QMGR", at)
            hint = f"in the lab, {hint}, and its channel" if clustered else hint
            self.refuse(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, said, hint, clustered)
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

    def checked(self, xmitq: str, reasons: tuple[int, int, int], said: str) -> LocalQueue:
        """A queue that a definition names as transmission queue, if it is one."""
        found = self.qmgr.objects.named("QLOCAL", xmitq)
        unknown, bad_type, bad_usage = reasons
        if found is None or (found.kind == "QLOCAL" and xmitq not in self.qmgr.targets):
            self.refuse(unknown, f"{said} is not defined", f"DEFINE QLOCAL({xmitq}) USAGE(XMITQ)", xmitq=xmitq)
        if found.kind != "QLOCAL":
            hint = "a local queue with USAGE(XMITQ)"
            self.refuse(bad_type, f"{said} is a {found.kind}", hint, xmitq=xmitq, type=found.kind)
        if found.attributes["USAGE"] != "XMITQ":
            self.refuse(bad_usage, f"{said} has USAGE(NORMAL)", f"ALTER QLOCAL({xmitq}) USAGE(XMITQ)", xmitq=xmitq)
        return self.qmgr.targets[xmitq]
