"""Name resolution: what a queue name, with or without a queue manager name, leads to (behaviour notes 5.3).

The queue manager name is resolved first. It is the local one, a queue manager alias (a remote definition with a blank
RNAME), a transmission queue, or unknown and left to DEFXMITQ; that of another member of its queue-sharing group may go
by intra-group queuing, unless a definition names an XMITQ (our reading). A queue name is then a local queue, an alias
of one or of a remote definition, or a remote definition. Which reason goes with which mistake is what the product
documentation says of each reason code. Our reading: an alias of the local queue manager gives the queue nothing but
another name.
"""

from __future__ import annotations

from typing import Any

from ..mq.constants import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_DEF_XMIT_Q_TYPE_ERROR,
    MQRC_DEF_XMIT_Q_USAGE_ERROR,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_Q_DELETED,
    MQRC_REMOTE_Q_NAME_ERROR,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_DEF_XMIT_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_OBJECT_Q_MGR,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRC_UNKNOWN_XMIT_Q,
    MQRC_XMIT_Q_TYPE_ERROR,
    MQRC_XMIT_Q_USAGE_ERROR,
)
from ..mq.errors import NotSimulated
from ..mq.objects import Definition, legal_name
from .queue import LocalQueue, Remote

_NAMED = (MQRC_UNKNOWN_XMIT_Q, MQRC_XMIT_Q_TYPE_ERROR, MQRC_XMIT_Q_USAGE_ERROR)
_DEFAULT = (MQRC_UNKNOWN_DEF_XMIT_Q, MQRC_DEF_XMIT_Q_TYPE_ERROR, MQRC_DEF_XMIT_Q_USAGE_ERROR)


def resolve(application: Any, name: str, call: str) -> Any:
    """What `name`, "QUEUE" or "QUEUE@QMGR", leads to: a LocalQueue, an Alias of one, or a Remote.

    MQError 2001, 2052, 2082, 2085, 2086, 2087, 2091, 2092, 2152, 2184, 2196 to 2199.
    """
    qmgr = application.qmgr
    known = qmgr.routes.get(name) if isinstance(name, str) else None
    if known is not None:
        return _for_output(application, known, call)
    queue, at, elsewhere = name.partition("@") if isinstance(name, str) else (name, "", "")
    if at and not legal_name(elsewhere):
        said = f"{elsewhere!r} cannot name a queue manager"
        hint = "1 to 48 of A-Z a-z 0-9 . _ / %; nothing behind the queue name for this queue manager"
        _refuse(application, call, name, MQRC_UNKNOWN_OBJECT_Q_MGR, said, hint)
    if at and not queue and elsewhere != qmgr.name:
        _refuse(application, call, name, MQRC_REMOTE_Q_NAME_ERROR, "no queue is named", f"QUEUE@{elsewhere}")
    if not legal_name(queue):
        said, hint = f"{queue!r} cannot be the name of a queue", "1 to 48 of A-Z a-z 0-9 . _ / %"
        _refuse(application, call, name, MQRC_OBJECT_NAME_ERROR, said, hint)
    if not at or _means_here(qmgr, queue, elsewhere):
        return _here(application, queue, name, call)
    return _elsewhere(application, queue, elsewhere, name, call)


def full_name(qmgr: Any, queue: str, at: str) -> str:
    """A queue's name as a call on `qmgr` takes it: "QUEUE", or "QUEUE@QMGR" where it is another queue manager's."""
    return queue if at == qmgr.name or not at else f"{queue}@{at}"


def reply_to(qmgr: Any, queue: str, at: str) -> tuple[str, str]:
    """ReplyToQ and ReplyToQMgr as a put fills them in where the queue manager is left blank: a local definition of a
    remote queue (a reply-to alias) gives its RNAME and RQMNAME, any other name goes with this queue manager's."""
    if at or not queue:
        return queue, at or qmgr.name
    found = qmgr.objects.get("QREMOTE", queue)
    if found is None:
        return queue, qmgr.name
    return found.attributes["RNAME"], found.attributes["RQMNAME"]


def refuse_input(application: Any, target: Any, call: str) -> None:
    """2045: what a queue elsewhere, or an alias of a topic, cannot be asked for."""
    topic = target.kind == "QALIAS"
    said = f"its TARGET {target.base.name} is a topic" if topic else f"it leads to {'@'.join(target.destination)}"
    application.refuse(
        MQRC_OPTION_NOT_VALID_FOR_TYPE,
        target,
        call,
        "MQI-34" if topic else "CHL-01",
        said,
        "open or put, for output only",
    )


def _here(application: Any, queue: str, name: str, call: str) -> Any:
    """A queue name of this queue manager."""
    qmgr = application.qmgr
    target = qmgr.targets.get(queue)
    if target is not None:
        return target
    found = qmgr.objects.named("QLOCAL", queue)
    if found is None:
        near = qmgr.objects.near("QLOCAL", queue)
        hint = f"did you mean {' or '.join(near)}?" if near else f"DEFINE QLOCAL({queue})"
        _refuse(application, call, name, MQRC_UNKNOWN_OBJECT_NAME, "no queue has this name", hint)
    if found.kind == "QLOCAL":
        said, hint = "the queue has been deleted", "wait until every handle on it is closed"
        _refuse(application, call, name, MQRC_Q_DELETED, said, hint, "MQI-24")
    if found.kind == "QREMOTE":
        return _for_output(application, _remote(application, found, [found], name, call), call)
    if found.kind == "QALIAS":
        return _for_output(application, _alias(application, found, name, call), call)
    raise NotSimulated(
        f"{found.kind} {queue}: a model queue is opened, which makes a dynamic queue; it cannot be used by name"
    )


def _means_here(qmgr: Any, queue: str, at: str) -> bool:
    """Whether a queue manager name means this one: its own, its group's (our reading: for any queue), or with
    SQQMNAME(IGNORE) that of another member, where the queue is a shared one."""
    group = qmgr.group
    if at == qmgr.name or group is None:
        return at == qmgr.name
    found = qmgr.targets.get(queue)
    shared = isinstance(found, LocalQueue) and found.structure is not None
    return at == group.name or (shared and qmgr.attributes["SQQMNAME"] == "IGNORE" and group.has(at))


def _for_output(application: Any, target: Any, call: str) -> Any:
    """A target that only an open or a put may name; reports are not published (simplified)."""
    if call in ("get", "browse", "inquire") or (call == "report" and target.kind == "QALIAS"):
        refuse_input(application, target, call)
    return target


def _alias(application: Any, alias: Definition, name: str, call: str) -> Any:
    """An alias that does not lead to a local queue: to a remote definition, a topic, or nowhere."""
    topic = application.qmgr.topic_aliases.get(alias.name)
    if topic is not None:
        return topic
    base, kind = alias.attributes["TARGET"], "TOPIC" if alias.attributes["TARGTYPE"] == "TOPIC" else "QLOCAL"
    found = application.qmgr.objects.named(kind, base)
    if found is None:
        hint = f"ALTER QALIAS({alias.name}) TARGET(...)"
        said, hint = f"its TARGET {base!r} is not defined", f"DEFINE {kind}({base}), or {hint}" if base else hint
        _refuse(application, call, name, MQRC_UNKNOWN_ALIAS_BASE_Q, said, hint)
    if found.kind != "QREMOTE":
        said, hint = f"its TARGET {base} is a {found.kind}", "an alias leads to a local or a remote queue"
        _refuse(application, call, name, MQRC_ALIAS_BASE_Q_TYPE_ERROR, said, hint)
    return _remote(application, found, [alias, found], name, call)


def _remote(application: Any, found: Definition, path: list[Definition], name: str, call: str) -> Remote:
    """A local definition of a remote queue."""
    rname, rqmname, xmitq = (found.attributes[key] for key in ("RNAME", "RQMNAME", "XMITQ"))
    if not rname or not rqmname or rqmname == application.qmgr.name:
        wrong = "RNAME is blank" if not rname else f"RQMNAME is {rqmname or 'blank'}"
        reason = MQRC_UNKNOWN_REMOTE_Q_MGR if rname else MQRC_REMOTE_Q_NAME_ERROR
        said = f"{found.name}: {wrong}"
        hint = f"ALTER QREMOTE({found.name}) RNAME(queue) RQMNAME(another queue manager)"
        _refuse(application, call, name, reason, said, hint)
    return _route(application, name, path, xmitq, (rname, rqmname), call)


def _elsewhere(application: Any, queue: str, at: str, name: str, call: str) -> Any:
    """A queue name with the name of another queue manager."""
    qmgr = application.qmgr
    found = qmgr.objects.named("QLOCAL", at)
    kind = None if found is None else found.kind
    if kind == "QREMOTE" and not found.attributes["RNAME"]:
        rqmname = found.attributes["RQMNAME"] or at
        if rqmname == qmgr.name:
            return _here(application, queue, name, call)
        route = _route(application, name, [found], found.attributes["XMITQ"], (queue, rqmname), call)
        return _for_output(application, route, call)
    if kind in ("QREMOTE", "QMODEL"):
        what = f"a remote definition with RNAME({found.attributes['RNAME']})" if kind == "QREMOTE" else "a model queue"
        said = f"{at} is {what}"
        hint = "a queue manager, an alias of one (a QREMOTE with a blank RNAME), or a transmission queue"
        _refuse(application, call, name, MQRC_UNKNOWN_REMOTE_Q_MGR, said, hint)
    return _for_output(application, _route(application, name, [], "", (queue, at), call), call)


def _transmission_queue(
    application: Any, named: str, rqmname: str, name: str, call: str, direct: bool
) -> LocalQueue | None:
    """The transmission queue: the one named, else the one that has the queue manager's name, else DEFXMITQ; None for
    none. An alias of that name is no hindrance where the application named the queue manager itself (`direct`)."""
    if named:
        return _checked(application, named, _NAMED, f"XMITQ {named}", name, call)
    own = application.qmgr.objects.named("QLOCAL", rqmname)
    if own is not None and not (direct and own.kind == "QALIAS"):
        return _checked(application, rqmname, _NAMED, f"the local queue {rqmname}", name, call)
    return _default_queue(application, name, call)


def _default_queue(application: Any, name: str, call: str) -> LocalQueue | None:
    """The transmission queue for queue managers that have none of their own: DEFXMITQ."""
    default = application.qmgr.attributes["DEFXMITQ"]
    if default:
        return _checked(application, default, _DEFAULT, f"DEFXMITQ {default}", name, call)
    return None


def _checked(
    application: Any, xmitq: str, reasons: tuple[int, int, int], said: str, name: str, call: str
) -> LocalQueue:
    """A queue that a definition names as transmission queue, if it is one."""
    qmgr = application.qmgr
    found = qmgr.objects.named("QLOCAL", xmitq)
    unknown, bad_type, bad_usage = reasons
    if found is None or (found.kind == "QLOCAL" and xmitq not in qmgr.targets):
        _refuse(application, call, name, unknown, f"{said} is not defined", f"DEFINE QLOCAL({xmitq}) USAGE(XMITQ)")
    if found.kind != "QLOCAL":
        _refuse(application, call, name, bad_type, f"{said} is a {found.kind}", "a local queue with USAGE(XMITQ)")
    if found.attributes["USAGE"] != "XMITQ":
        _refuse(application, call, name, bad_usage, f"{said} has USAGE(NORMAL)", f"ALTER QLOCAL({xmitq}) USAGE(XMITQ)")
    return qmgr.targets[xmitq]


def _route(
    application: Any, name: str, path: list[Definition], named: str, destination: tuple[str, str], call: str
) -> Remote:
    """The Remote of a name, kept until a definition changes: within the group if it may go so, else by the
    transmission queue that is `named` or found."""
    qmgr, at = application.qmgr, destination[1]

    def by_channel() -> Remote | None:
        found = _transmission_queue(application, named, at, name, call, direct=not path)
        return None if found is None else Remote(name, path, found, destination)

    within = qmgr.group is not None and not named and qmgr.group.has(at)
    route: Any = qmgr.group.igq.route(qmgr, name, path, destination, by_channel) if within else by_channel()
    if route is None:
        said = f"no transmission queue is called {at}, and DEFXMITQ is blank"
        hint = f"DEFINE QLOCAL({at}) USAGE(XMITQ), or a QREMOTE that names an XMITQ"
        _refuse(application, call, name, MQRC_UNKNOWN_REMOTE_Q_MGR, said, hint)
    qmgr.routes[name] = route
    return route


def _refuse(application: Any, call: str, name: str, reason: int, said: str, hint: str, rule: str = "CHL-01") -> None:
    raise _refusal(application, call, name, reason, said, hint, rule)


def _refusal(application: Any, call: str, name: str, reason: int, said: str, hint: str, rule: str = "CHL-01") -> Any:
    rule = (
        "MQI-14"
        if reason
        in (MQRC_UNKNOWN_OBJECT_NAME, MQRC_OBJECT_NAME_ERROR, MQRC_UNKNOWN_ALIAS_BASE_Q, MQRC_ALIAS_BASE_Q_TYPE_ERROR)
        else rule
    )
    return application.refusal(reason, None, call, rule, said, hint, name=str(name))
