"""DISPLAY PUBSUB, SBSTATUS and TPSTATUS: publish/subscribe, its subscriptions, and the nodes of the topic tree now.

Publications are counted from the event log, since the queue manager started and, for a subscription, since its DEFINE.
There are no hierarchies. Source: the MQSC command reference of MQ 9.4.
"""

from __future__ import annotations

from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.display import matches, moment
from ..engine.commands.handle_status import identifier
from ..engine.commands.replies import Refused
from ..engine.commands.status import shown
from ..engine.words import catalog
from .publishing import retained
from .state import state_of, topic_tree
from .topics import SYSTEM_BRANCH, at_or_below, topic_values

_COME_DOWN = """CLUSTER COMMINFO MDURMDL MNDURMDL DEFPSIST DEFPRTY DEFPRESP DURSUB PUB SUB PMSGDLV NPMSGDLV PUBSCOPE
    SUBSCOPE MCAST CLROUTE USEDLQ"""
_Counts = dict[tuple[str | None, str | None], tuple[int, int | None]]
_Users = dict[Any, tuple[Any, int | None]]


def pubsub_status(qmgr: Any, command: Command) -> list[dict]:
    """The row of DISPLAY PUBSUB: QMNAME, TYPE(LOCAL), STATUS, SUBCOUNT, TPCOUNT. Refused (AMQ8147): CHILD, PARENT."""
    tree = topic_tree(qmgr, "#", _recent(qmgr, _counted(qmgr)))
    row = {"QMNAME": qmgr.name, "TYPE": "LOCAL", "TPCOUNT": len(tree), "SUBCOUNT": sum(map(len, tree.values()))}
    row["STATUS"] = {"ENABLED": "ACTIVE", "COMPAT": "COMPAT"}.get(qmgr.attributes["PSMODE"], "INACTIVE")
    none = Refused(8147, "no-hierarchy", name=qmgr.name)
    rows = [row] if command.options.get("TYPE", "ALL") in ("ALL", "LOCAL") else []
    return shown(qmgr, command, rows, ("QMNAME", "TYPE"), none, whole=True)


def subscription_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY SBSTATUS, by name. Refused: AMQ8147 if none is left, AMQ8569 for a bad filter."""
    counts, name = _counted(qmgr), command.name or "*"
    users = _users(qmgr)
    every = [(subscription, string) for string, found in topic_tree(qmgr, "#", ()).items() for subscription in found]
    rows = [
        {"SUB": subscription.name, **_subscription(qmgr, subscription, counts, users), "TOPICSTR": string}
        for subscription, string in sorted(every, key=lambda row: row[0].name)
        if matches(subscription.name, name)
    ]
    none = Refused(8147, "no-subscription-left", name=name)
    return shown(qmgr, command, rows, ("SUBID",), none)


def topic_status(qmgr: Any, command: Command) -> list[dict]:
    """The rows of DISPLAY TPSTATUS, by topic string: TYPE(TOPIC) of nodes of the topic tree, TYPE(SUB) of subscriptions
    there, TYPE(PUB) of open handles that publish there. Refused: AMQ8147 if none is left, AMQ8569 for a bad filter."""
    sort, counts, name = command.options.setdefault("TYPE", "TOPIC"), _counted(qmgr), command.name
    handles = [handle for handle in qmgr.handles if handle.target.queue is None and handle.can_put]
    has = catalog.attributes("TOPIC")
    come_down = [key for key in _COME_DOWN.split() if qmgr.platform in has[key].platforms]
    topics = (*state_of(qmgr).topics.values(), *reversed(qmgr.objects.match(("TOPIC",))))
    admin = {topic.attributes["TOPICSTR"]: topic.name for topic in topics}
    rows: list[dict] = []
    published = _recent(qmgr, counts) | {handle.target.string for handle in handles}
    users = _users(qmgr) if sort == "SUB" else {}
    for string, subscriptions in topic_tree(qmgr, name, published).items():
        if at_or_below(string, SYSTEM_BRANCH) and not at_or_below(name, SYSTEM_BRANCH):
            continue  # a wildcard above $SYS/MQ matches nothing in that branch
        publishers = [handle for handle in handles if handle.target.string == string]
        if sort == "SUB":
            of_string = (_subscription(qmgr, subscription, counts, users) for subscription in subscriptions)
            rows += [{"TOPICSTR": string, **row} for row in of_string]
        elif sort == "PUB":
            rows += [{"TOPICSTR": string, **_publisher(qmgr, handle, counts)} for handle in publishers]
        else:
            row = {"TOPICSTR": string, "ADMIN": admin.get(string, "")}
            row["RETAINED"] = "YES" if string in dict(retained(qmgr, string)) else "NO"
            row |= {"PUBCOUNT": len(publishers), "SUBCOUNT": len(subscriptions)}
            row |= topic_values(qmgr, string, come_down)
            rows.append(row if row["CLUSTER"] else row | {"CLROUTE": "NONE"})
    generic = {"#", "+"} & {*name.split("/")} and command.where is None
    none = Refused(8147, "no-topic-left", name=name)
    return shown(qmgr, command, rows, ("SUBID",) if sort == "SUB" else (), none, whole=False if generic else None)


def _users(qmgr: Any) -> _Users:
    """By the key of a subscription, the program that has it open, and when one last made or resumed it, if any did."""
    rows = qmgr.lab.events.where(qmgr=qmgr.name, kind="subscribe", reason=None)
    resumed = {row.object: row.time_us for row in rows}
    opened = {each.definition.key: each.application for each in reversed(state_of(qmgr).subscriptions)}
    return {key: (opened.get(key), resumed.get(key)) for key in (*resumed, *opened)}


def _subscription(qmgr: Any, subscription: Any, counts: _Counts, users: _Users) -> dict:
    count, last = counts.get((None, subscription.key), (0, None))
    user, resumed = users.get(subscription.key, (None, None))
    row = {key: subscription.attributes[key] for key in ("SUBID", "SUBUSER", "DURABLE", "SUBTYPE")}
    if resumed is None:
        row |= {"RESMDATE": subscription.attributes["CRDATE"], "RESMTIME": subscription.attributes["CRTIME"]}
    else:
        row |= moment(qmgr, resumed, "RESMDATE", "RESMTIME")
    row["ACTCONN"] = "0" * 48
    if user is not None:
        row["ACTCONN"] = "".join(identifier(qmgr, user))
    return row | moment(qmgr, last, "LMSGDATE", "LMSGTIME") | {"MCASTREL": " , ", "NUMMSGS": count}


def _publisher(qmgr: Any, handle: Any, counts: _Counts) -> dict:
    count, last = counts.get((handle.target.string, handle.application.caller), (0, None))
    row = {"ACTCONN": "".join(identifier(qmgr, handle.application)), "MCASTREL": " , ", "NUMPUBS": count}
    return row | moment(qmgr, last, "LPUBDATE", "LPUBTIME")


def _counted(qmgr: Any) -> _Counts:
    """How many publications there were, and when the last was, by topic string and by (None, subscription)."""
    counts: _Counts = {}
    for event in qmgr.lab.events.where(qmgr=qmgr.name, kind=("start", "publish", "delete"), reason=None):
        if event.kind == "start":
            counts.clear()
        elif event.kind == "delete":
            counts.pop((None, event.object if event.object_type == "SUB" else None), None)
        else:
            about = event.facts
            for key in ((about["topic"], event.program), *((None, name) for name in about["subscriptions"])):
                counts[key] = counts.get(key, (0, None))[0] + 1, event.time_us
    return counts


def _recent(qmgr: Any, counts: _Counts) -> set[str]:
    """The topic strings that publications of the last TREELIFE seconds keep in the tree; 0 forever."""
    life = qmgr.attributes["TREELIFE"] * 1_000_000
    since = qmgr.clock.time_us - life if life else 0
    return {topic for (topic, _), (_, last) in counts.items() if topic is not None and (last or 0) >= since}
