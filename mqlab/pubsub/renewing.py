"""The open handles and subscriptions of a connection that is made again: how each is opened again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..engine.queues.handle import Handle
from ..engine.words import constants as mq
from .calls import open_topic
from .state import state_of
from .structures import SD
from .subscribing import Subscription, subscribe

Openings = list[tuple[Handle, Callable[[], Handle]]]


def openings(application: Any) -> tuple[Openings, list[Callable[[], None]]]:
    """What a connection has open: its handles, each with a function that opens it again, and a function for each
    subscription that makes it again."""
    subscriptions = [made for made in state_of(application.qmgr).subscriptions if made.application is application]
    managed = [subscription.queue for subscription in subscriptions if subscription.opened]
    handles = [handle for handle in application.qmgr.handles.having(application) if handle not in managed]
    renewals: list[Callable[[], None]] = [partial(_again, made, _descriptor(made)) for made in subscriptions]
    return [(handle, _opening(handle)) for handle in handles], renewals


def _opening(handle: Handle) -> Callable[[], Handle]:
    """A function that opens a handle again, by its name."""
    application, opened = handle.application, handle.object
    uses = (
        (handle.can_browse, mq.MQOO_BROWSE),
        (handle.can_put, mq.MQOO_OUTPUT),
        (handle.can_inquire, mq.MQOO_INQUIRE),
    )
    options = handle.context_options | (mq.MQOO_SET if handle.can_set else 0) | sum(bit for may, bit in uses if may)
    inputs = {"shared": mq.MQOO_INPUT_SHARED, "exclusive": mq.MQOO_INPUT_EXCLUSIVE}
    options |= inputs.get(handle.input or "", 0)
    if handle.target is not None and handle.target.kind == "TOPIC" and handle.target is opened:
        return partial(open_topic, application, handle.name, "", options, "", (False,) * 4, False)
    has = {} if handle.queue is None else handle.queue.definition.attributes

    def again() -> Handle:
        qmgr, temporary = application.qmgr, handle.creator and has.get("DEFTYPE") == "TEMPDYN"
        if temporary and handle.name not in qmgr.targets:
            given = {keyword: value for keyword, value in has.items() if keyword[3:] not in ("DATE", "TIME")}
            qmgr.define("QLOCAL", handle.name, given)
            if qmgr.guard is not None:
                qmgr.guard.created(application, handle.name)
        made: Handle = application.open(handle.name, options=options)
        made.creator = handle.creator
        return made

    return again


def become(handle: Handle, opened: Handle) -> None:
    """Let the handle that a program has be the one that was just opened."""
    opened.qmgr.handles.remove(opened)
    vars(handle).update(vars(opened))
    handle.qmgr.handles.add(handle)


def _again(subscription: Any, sd: Any) -> None:
    """Make a subscription again, or resume a durable one."""
    handle = subscription.queue
    made: Any = subscribe(subscription.application, sd, None if subscription.opened else handle)
    if made.opened:
        become(handle, made.queue)
        made.queue = handle
    known = state_of(made.qmgr).subscriptions
    known[known.index(made)] = subscription
    vars(subscription).update(vars(made))


def _descriptor(subscription: Subscription) -> SD:
    """The MQSD that makes a subscription again, or resumes it."""
    has, name = subscription.definition.attributes, subscription.name
    managed = mq.MQSO_MANAGED if subscription.opened and has["DESTCLAS"] == "MANAGED" else 0
    if has["DURABLE"] == "YES":
        return SD(Options=mq.MQSO_RESUME | mq.MQSO_DURABLE | managed, SubName=name)
    options = managed | mq.MQSO_CREATE
    options |= mq.MQSO_WILDCARD_CHAR if has["WSCHEMA"] == "CHAR" else mq.MQSO_WILDCARD_TOPIC
    options |= mq.MQSO_PUBLICATIONS_ON_REQUEST if has["REQONLY"] == "YES" else 0
    options |= mq.MQSO_GROUP_SUB if has["SUBID"] in state_of(subscription.qmgr).grouped else 0
    sd = SD(Options=options, ObjectString=subscription.topic_string, SubName=name, SelectionString=has["SELECTOR"])
    sd.SubUserData, sd.SubLevel = has["USERDATA"], has["SUBLEVEL"]
    sd.SubExpiry, sd.PubPriority = has["EXPIRY"], has["PUBPRTY"]
    if has["DESTCORL"] != has["SUBID"]:
        sd.Options, sd.SubCorrelId = sd.Options | mq.MQSO_SET_CORREL_ID, bytes.fromhex(has["DESTCORL"])
    return sd
