"""The calls of an application, or of a queue manager, that extras answer; each loads its room when it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from ..engine.queues import application
from ..engine.queues.calls import Calls
from ..engine.queues.handle import Handle
from ..engine.queues.message import Message
from ..engine.queues.options import keywords_of
from ..engine.queues.put_keywords import PutKeywords
from ..engine.words import constants as mq
from ..engine.words.structures import GMO, MD
from .extras import room

if TYPE_CHECKING:
    from ..properties.messages import MessageHandle
    from ..pubsub.consuming import Consumer
    from ..pubsub.publishing import Publications
    from ..pubsub.structures import CBC, CBD, SD
    from ..pubsub.subscribing import Subscription


class ExtraCalls(Calls):
    """The calls beside those of `Calls`."""

    def open_topic(
        self,
        topic_string: str = "",
        *,
        topic: str = "",
        options: int = 0,
        alternate_user: str = "",
        pass_identity: bool = False,
        pass_all: bool = False,
        set_identity: bool = False,
        set_all: bool = False,
        fail_if_quiescing: bool = False,
    ) -> Handle:
        """Open a topic to publish to (MQOPEN of an MQOT_TOPIC): each put with the handle is published.

        `topic` names a topic object; its topic string comes before `topic_string`. The rest as `open`. MQError 2017,
        2045 for a use other than output, 2046, 2085, 2425, 2531.
        """
        with room("pubsub"):
            from ..pubsub import calls
        context = (pass_identity, pass_all, set_identity, set_all)
        return calls.open_topic(self, topic_string, topic, options, alternate_user, context, fail_if_quiescing)

    @keywords_of(Calls.put)
    def publish(
        self,
        topic_string: str,
        body: bytes | str = b"",
        *,
        topic: str = "",
        retain: bool = False,
        suppress_reply_to: bool = False,
        not_own_subscriptions: bool = False,
        warn_if_no_subscription: bool = False,
        level: int = 9,
        **options: Unpack[PutKeywords],
    ) -> Publications:
        """Publish one message to a topic string (MQPUT1): the copies as put, see `mqlab.pubsub.publishing.publish`.

        `topic` names a topic object; its topic string comes first. `retain` keeps the publication for subscriptions to
        come, `suppress_reply_to` hides ReplyToQ and ReplyToQMgr from the subscribers, `not_own_subscriptions` leaves
        those of this connection out, and with `warn_if_no_subscription` the result has `warning` 2550 if none matched.
        Of the subscriptions, those of the highest level up to `level` get a copy (MQI-42). The other options are those
        of `put`. MQError: 2013, 2027, 2029, 2050, 2051, 2061, 2173, 2425, 2479.
        """
        with room("pubsub"):
            from ..pubsub import calls
        flags = (retain, suppress_reply_to, not_own_subscriptions, warn_if_no_subscription)
        return calls.publish(self, topic_string, body, topic, flags, level, options)

    def subscribe(
        self,
        topic_string: str = "",
        *,
        topic: str = "",
        queue: Handle | None = None,
        name: str = "",
        durable: bool = False,
        how: str = "create",
        wildcards: str = "topic",
        on_request: bool = False,
        new_only: bool = False,
        expiry: int = mq.MQEI_UNLIMITED,
        priority: int = mq.MQPRI_PRIORITY_AS_PUBLISHED,
        correl_id: bytes | str | None = None,
        user_data: str = "",
        selector: str = "",
        level: int = 1,
        sd: SD | None = None,
    ) -> Subscription:
        """Subscribe to the topics that a topic string matches (MQSUB): an object with get, request, and close.

        `topic` names a topic object; its topic string comes first. `queue` is an open queue, or None for one that the
        queue manager makes and removes (MQSO_MANAGED). `how` is "create", "resume", "create or resume", "alter" or
        "create or alter"; only a subscription with a `name` can be `durable` or resumed. `wildcards` are of a "topic"
        level (``+`` and ``#``) or of a "character" (``?`` and ``*``). With `on_request` only retained publications are
        sent, when `request` asks; with `new_only` no retained one is sent at first. `expiry` is in tenths of a second.
        `sd` says everything under MQ's names, and is updated: see `mqlab.pubsub.subscribing.subscribe`.
        """
        with room("pubsub"):
            from ..pubsub import calls
        flags = (durable, on_request, new_only)
        fields = (topic_string, topic, name, expiry, priority, correl_id, user_data, selector, level)
        return calls.subscribe(self, queue, how, wildcards, flags, fields, sd)

    def consume(
        self,
        queue: Handle | Subscription,
        function: Callable[[Message | None, CBC], object],
        *,
        wait: float = mq.FOR_EVER,
        options: int = 0,
        md: MD | None = None,
        gmo: GMO | None = None,
        cbd: CBD | None = None,
    ) -> Consumer:
        """Register a function for the messages of an open queue (MQCB): `control("start")` then calls it with each.

        `function(message, context)` gets an MQCBC; where its CallType is not of a message, `message` is None. After
        `wait` seconds without a message it is called with reason 2033. `options` is a sum of MQCBDO options; `md`,
        `gmo` and `cbd` say everything under MQ's names. Closing the result, or the queue, deregisters it.
        """
        with room("pubsub"):
            from ..pubsub import calls
        return calls.consume(self, queue, function, wait, options, md, gmo, cbd)

    def handle_events(self, function: Callable[[Message | None, CBC], object], *, options: int = 0) -> Consumer:
        """Register a function for events of the connection (MQCB, MQCBT_EVENT_HANDLER): `function(None, context)`."""
        with room("pubsub"):
            from ..pubsub import calls
        return calls.handle_events(self, function, options)

    def control(self, operation: str) -> None:
        """Control the consumers of the connection (MQCTL): "start", "start and wait", "stop", "suspend" or "resume".

        Started, a program of the lab calls them as messages arrive; any other call of the connection then fails with
        2500, but "stop" and "suspend". MQError 2012, 2446, 2500, 2521 (a warning), 2534.
        """
        with room("pubsub"):
            from ..pubsub import calls
        calls.control(self, operation)

    def message_handle(self, validate: bool = True) -> MessageHandle:
        """Create a message handle (MQCRTMH), for the properties of a message that is put or got with it (PRP-02).

        `validate` is whether names of properties are checked. MQError 2059.
        """
        with room("properties"):
            from ..properties import messages
        return messages.create_handle(self, validate)


class Application(ExtraCalls, application.Application):
    """An application with all calls: see `mqlab.engine.queues.application.Application`."""
