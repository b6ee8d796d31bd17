"""Commands on subscriptions: what they refuse, complete, and say beside the definition."""

from __future__ import annotations

from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.replies import Refused
from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from . import subscriptions
from .state import made, state_of
from .topics import topic_named


def check(qmgr: Any, command: Command) -> None:
    """Find the subscription of an ALTER or DELETE, and let a DEFINE with REPLACE leave it with its topic. The queue
    manager has the queue of durable subscriptions open, so that a CLEAR is refused."""
    if command.verb == "CLEAR":
        if command.name == subscriptions.KEPT_ON and command.kind == "QLOCAL":
            qmgr.refuse(mq.MQRC_OBJECT_IN_USE, "keeper", None, "clear", command.name)
    elif command.verb == "DEFINE":
        _require_same_topic(qmgr, command.name, command.attributes)
    else:
        _identify(qmgr, command)


def clear(qmgr: Any, command: Command) -> None:
    """CLEAR TOPICSTR."""
    from .publishing import forget_retained

    gone = forget_retained(qmgr, command.name)
    command.notes.append(f"{'the' if gone else 'no'} publication was retained for {command.name}")


def refresh(qmgr: Any, command: Command) -> None:
    """REFRESH QMGR TYPE(PROXYSUB): say again to others what this queue manager subscribes to."""
    network = state_of(qmgr).network
    if network is None:
        command.notes.append("no cluster topic is known here, so there is nobody to say it to")
    else:
        network.refresh()


def _identify(qmgr: Any, command: Command) -> None:
    """Give ALTER and DELETE SUB with SUBID the name of that subscription. Refused: AMQ8147 if none has it."""
    id = command.options.get("SUBID", "").upper()
    if id:
        keys = [one.key for one in qmgr.objects.match(("SUB",), "*") if one.attributes.get("SUBID") == id]
        if command.name not in ("", *keys) or not keys:
            raise Refused(8147, "no-subid", subid=id, name=command.name or id)
        command.name = keys[0]


def _require_same_topic(qmgr: Any, name: str, wanted: dict) -> None:
    """DEFINE SUB with REPLACE cannot change what a subscription is about (AMQ8000, a number of the lab's own)."""
    present = qmgr.objects.get("SUB", name)
    fixed = ("TOPICOBJ", "TOPICSTR", "WSCHEMA", "SELECTOR", "SUBSCOPE", "DESTCLAS")
    for keyword in fixed if present is not None else ():
        has = present.attributes[keyword]
        if str(wanted.get(keyword, has)).replace("+QMNAME+", qmgr.name) != has:
            raise Refused(8000, "fixed", subscription=name, keyword=keyword, value=has)


def note_missing(qmgr: Any, command: Command, name: str) -> None:
    """Say so where a new subscription lacks what IBM MQ refuses it for; dumps come in any order, and may bring it."""
    has = qmgr.objects.get("SUB", name).attributes
    topic, dest, facts = has["TOPICOBJ"], has["DEST"], []
    if topic and topic_named(qmgr, topic) is None:
        facts.append(f"no topic object is called {topic}, and IBM MQ refuses that")
    if dest and not has["DESTQMGR"] and qmgr.objects.named("QLOCAL", dest) is None:
        facts.append(f"no queue is called {dest}, and IBM MQ refuses that unless a cluster has one")
    command.notes += [f"{one}; the lab keeps the subscription" for one in facts]


def also_displayed(qmgr: Any, definition: Definition, distype: str) -> dict[str, Any]:
    """DISTYPE and SELTYPE of a subscription, and with DISTYPE(RESOLVED) its whole TOPICSTR; or CURDEPTH of the queue
    that keeps durable ones."""
    if definition.kind != "SUB":
        # an alias may have the name, and a queue manager may have deleted its copy of a group's definition
        queue = subscriptions.keeper(qmgr) if definition.kind == "QLOCAL" else None
        return {} if queue is None else {"CURDEPTH": queue.depth + subscriptions.durable(qmgr)}
    values = definition.attributes
    text = values["SELECTOR"]
    sort = "NONE" if not text else "EXTENDED" if qmgr.properties.compiled(text) is None else "STANDARD"
    string = made(qmgr, definition).string if distype == "RESOLVED" else values["TOPICSTR"]
    return {"DISTYPE": distype, "SELTYPE": sort, "TOPICSTR": string}
