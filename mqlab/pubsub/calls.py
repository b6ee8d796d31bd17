"""The calls of publish/subscribe, and of consumers, from the keywords of an application's methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.queues import get, resolution
from ..engine.queues.calls import checked_user
from ..engine.queues.handle import Handle
from ..engine.queues.message import Message
from ..engine.queues.options import Uses, uses_of
from ..engine.queues.put_keywords import PutKeywords
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError
from ..engine.words.structures import GMO, MD
from ..engine.world.interrupts import interruptible
from . import consuming, subscribing
from .consuming import Consumer
from .publish_options import publishing
from .publishing import Publications, Published
from .structures import CBC, CBD, SD
from .subscribing import Subscription
from .targets import TopicString
from .topics import require_enabled, require_topic_string


def open_topic(
    application: Any,
    topic_string: str,
    topic: str,
    options: int,
    alternate_user: str,
    context: tuple[bool, bool, bool, bool],
    fail_if_quiescing: bool,
) -> Handle:
    """Open a topic to publish to (MQOPEN of an MQOT_TOPIC)."""
    application.require_running()
    target = TopicString(application.qmgr, topic_string, topic)
    flags = (False, options == 0, False, False, False, fail_if_quiescing, *context)
    uses = uses_of(application, target.name, None, flags, options)
    if checked_user(alternate_user, "alternate_user"):
        uses = uses._replace(unacted=uses.unacted | mq.MQOO_ALTERNATE_USER_AUTHORITY)
    if uses != Uses(output=True, context=uses.context, unacted=uses.unacted):
        resolution.refuse_input(application, target, "open")
    require_topic_string(application, target, "open")
    if application.qmgr.guard is not None:
        application.qmgr.guard.other(application, "open", "TOPIC", target.string, "PUB")
    require_enabled(application, target, "open")
    application.require_handle(target, "open", target.name)
    target.own_detail = {"topic": target.string}
    return Handle(application, target, uses)


def publish(
    application: Any,
    topic_string: str,
    body: bytes | str,
    topic: str,
    flags: tuple[bool, ...],
    level: int,
    options: PutKeywords,
) -> Publications:
    """Publish one message to a topic string (MQPUT1); `flags` are the options of publications, `options` those of a
    put."""
    target = TopicString(application.qmgr, topic_string, topic)
    if any(flag is not False for flag in flags) or level != 9:
        options["pmo"] = publishing(options.get("pmo"), options.get("unit"), flags, level)
    published: Published | None = application.put(target, body, **options)
    return Publications() if published is None else published.copies


def subscribe(
    application: Any,
    queue: Handle | None,
    how: str,
    wildcards: str,
    flags: tuple[bool, bool, bool],
    fields: tuple[Any, ...],
    sd: SD | None,
) -> Subscription:
    """Subscribe to the topics that a topic string matches (MQSUB), as `sd` says, or the other arguments."""
    require("queue", queue, Handle | None, "an open handle, or None for a managed queue")
    if sd is not None:
        require("sd", sd, SD, "an SD, or None")
        return subscribing.subscribe(application, sd, queue)
    managed = queue is None and "create" in str(how)
    if queue is None and how == "alter":
        present = application.qmgr.objects.get("SUB", fields[2])
        managed = present is not None and present.attributes["DESTCLAS"] == "MANAGED"
    described = subscribing.described(how, wildcards, (*flags, managed), fields)
    return subscribing.subscribe(application, described, queue)


def consume(
    application: Any,
    queue: Handle | Subscription,
    function: Callable[[Message | None, CBC], object],
    wait: float,
    options: int,
    md: MD | None,
    gmo: GMO | None,
    cbd: CBD | None,
) -> Consumer:
    """Register a function for the messages of an open queue (MQCB)."""
    if gmo is None:
        milliseconds = mq.MQWI_UNLIMITED if wait == mq.FOR_EVER else get.interval(wait) // 1000
        gmo = GMO(Options=mq.MQGMO_WAIT | mq.MQGMO_NO_SYNCPOINT, WaitInterval=milliseconds)
    handle = queue if isinstance(queue, Handle) else getattr(queue, "queue", None)
    if not isinstance(handle, Handle):
        raise LabError(f"queue must be an open handle or a subscription; got {queue!r}")
    return _register(application, handle, function, options, md, gmo, cbd)


def handle_events(application: Any, function: Callable[[Message | None, CBC], object], options: int) -> Consumer:
    """Register a function for events of the connection (MQCB, MQCBT_EVENT_HANDLER)."""
    cbd = CBD(CallbackType=mq.MQCBT_EVENT_HANDLER, Options=options)
    return _register(application, None, function, 0, None, GMO(), cbd)


def _register(
    application: Any, handle: Any, function: Any, options: int, md: Any, gmo: GMO, cbd: CBD | None
) -> Consumer:
    """Check the arguments, and register the function."""
    require("function", function, Callable, "callable as function(message, context)")
    for given, kind in ((md, MD), (gmo, GMO), (cbd, CBD)):
        require("md, gmo and cbd", given, kind | None, "an MD, a GMO and a CBD, or None")
    if cbd is not None and options:
        raise LabError("cbd must hold all the options; got options as well")
    cbd = CBD(Options=options) if cbd is None else cbd
    consumers = consuming.consumers_of(application)

    def call(message: Message | None, context: CBC, *_: object) -> object:
        return interruptible(function, message, context)

    return consumers.register(handle, cbd, call, md or MD(), gmo)


def control(application: Any, operation: str) -> None:
    """Control the consumers of the connection (MQCTL)."""
    consuming.consumers_of(application).control(consuming.operation_of(operation))
