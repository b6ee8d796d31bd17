"""The calls an application makes of a queue manager: open, put, get, browse, and units of work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..mq import constants as mq
from ..mq.errors import LabError
from ..mq.structures import CBC, CBD, GMO, MD, PMO, SD, as_identifier, encoded
from . import dynamic_queues, get, get_options, names, put_options, resolution
from . import forward as forwarding
from .caller import Caller
from .handle import Handle, until_none
from .inquire import Inquired
from .message import Message, identifiers_of_answer, record_of
from .message_groups import put_in_segments
from .options import Uses, like, uses_of
from .properties import MessageHandle, copied, create_handle, selection, with_properties
from .put import Put, describe
from .queue import Remote, TopicAlias
from .reports import Fate, undeliverable
from .store import Cursor
from .triggering import initiation_queue_changed
from .unit import UnitOfWork

if TYPE_CHECKING:
    from .consuming import Consumer
    from .publishing import Publications, TopicString
    from .subscribing import Subscription


class Calls(Caller):
    """The calls of an application, or of the queue manager itself."""

    put_status = put_options.PutStatus()
    """How its asynchronous puts ended since the last `status_of_puts`."""

    def open(
        self,
        queue: str,
        *,
        input: str | None = None,
        browse: bool = False,
        output: bool = False,
        inquire: bool = False,
        set: bool = False,
        dynamic_name: str = "AMQ.*",
        options: int = 0,
        alternate_user: str = "",
        save_all_context: bool = False,
        pass_identity: bool = False,
        pass_all: bool = False,
        set_identity: bool = False,
        set_all: bool = False,
        fail_if_quiescing: bool = False,
        selector: str = "",
    ) -> Handle:
        """Open a queue (MQOPEN): `input` is None, "shared", "exclusive" or "as_q_def".

        `save_all_context` to `set_all` are about context (MQI-28); `options` is a sum of MQOO options that says the
        same under MQ's names (MQI-27): see `mqlab.qmgr.options`. Opening a model queue makes a dynamic queue called
        `dynamic_name`, whose end ``*`` the queue manager completes; `.name` of the handle is the result. With a
        `selector` its gets and browses find only messages whose properties satisfy that condition (PRP-07).
        MQError 2011, 2017, 2042, 2046, 2082, 2085, 2459, 2504, 2516, 2519.
        """
        access = (browse, output, inquire, set, save_all_context, fail_if_quiescing)
        context = (pass_identity, pass_all, set_identity, set_all)
        uses = uses_of(self, str(queue), input, (*access, *context), options)
        checked_user(alternate_user, "alternate_user")
        selecting = None if selector == "" else selection(self, str(queue), selector, uses)
        qmgr = self.qmgr
        model = qmgr.objects.get("QMODEL", queue) if qmgr.running and isinstance(queue, str) else None
        target = None if model is not None else self.resolve(queue, "open")
        self._require_handle(target, "open", queue)
        if model is not None:
            target = dynamic_queues.create(self, model, dynamic_name)
        elif (own := resolution.own_alias(qmgr, queue)) or isinstance(target, TopicAlias | Remote):
            topic = isinstance(target, TopicAlias)  # only the definition that was named has attributes to set
            foreign = own or (isinstance(target, Remote) and target.definition.name != queue)
            if (
                uses.input is not None
                or uses.browse
                or (uses.set and topic)
                or (foreign and (uses.set or uses.inquire))
            ):
                resolution.refuse_input(self, target, "open")
        elif uses.input is not None:
            self._require_input(target, uses.input, "open")
        handle = Handle(self, target, uses)
        handle.creator = model is not None
        if selecting is not None:
            handle.select(selecting)
        return handle

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
        from .publishing import TopicString, require_enabled, require_topic_string

        self.require_running()
        context = (pass_identity, pass_all, set_identity, set_all, False)
        flags = (False, options == 0, False, False, False, fail_if_quiescing, *context[:4])
        target = TopicString(self.qmgr, topic_string, topic)
        uses = uses_of(self, target.name, None, flags, options)
        checked_user(alternate_user, "alternate_user")
        if uses != Uses(output=True, context=uses.context):
            resolution.refuse_input(self, target, "open")
        require_topic_string(self, target, "open")
        require_enabled(self, target, "open")
        self._require_handle(target, "open", target.name)
        target.about = {"topic": target.string}
        return Handle(self, target, uses)

    def open_object(self, kind: str, name: str = "", options: int = mq.MQOO_INQUIRE) -> Inquired:
        """Open the queue manager ("QMGR"), a PROCESS or a NAMELIST to inquire (MQOPEN). MQError 2046, 2058, 2085."""
        return Inquired(self, kind, name, options)

    def put(
        self,
        queue: str | TopicString,
        body: bytes | str = b"",
        *,
        expiry: int = mq.MQEI_UNLIMITED,
        priority: int | None = None,
        persistent: bool | None = None,
        msg_id: bytes | str | None = None,
        correl_id: bytes | str | None = None,
        report: int = 0,
        reply_to_q: str = "",
        reply_to_qmgr: str = "",
        format: str = "",
        msg_type: int | None = None,
        feedback: int = 0,
        unit: UnitOfWork | None = None,
        segmentation: bool = False,
        md: MD | None = None,
        pmo: PMO | None = None,
        properties: dict[str, Any] | None = None,
    ) -> Any:
        """Put one message (MQPUT1); the message as put. `segmentation` lets it be put as several if it is too long.

        `properties` are names and values, such as ``{"colour": "red"}`` (PRP-01). `md` and `pmo` say everything under
        MQ's names and are updated: see `mqlab.qmgr.put_options`. `expiry` is in tenths of a second, -1 unlimited;
        `priority` 0 to 9 and `persistent` come from the queue when None; `report` is a sum of MQRO options.
        MQError: 2013, 2027, 2029, 2030, 2050, 2051, 2053, 2061, 2085.
        """
        target = self.resolve(queue, "put")
        if self.qmgr.handles:
            self._require_handle(target, "put")
        if md is not None or pmo is not None:
            about = (report, msg_type, feedback, format, reply_to_q, reply_to_qmgr)
            if segmentation:
                raise LabError("segmentation must be MQMF_SEGMENTATION_ALLOWED in the MD's MsgFlags; got both forms")
            md = put_options.descriptor_of(md, expiry, priority, persistent, msg_id, correl_id, *about)
            return put_options.put(self, target, body, md, pmo, unit, properties=properties)
        descriptor = describe(self, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr)
        if format or properties is not None:
            descriptor = with_properties(self, target, body, descriptor, properties)
        self.require_own(unit)
        given = Put(self, target, body, expiry, priority, persistent, msg_id, correl_id, descriptor, unit)
        put = put_in_segments if segmentation and not target.published else target.put
        return put(given)

    def reply(
        self, request: Message, body: bytes | str = b"", *, expiry: Any = "remaining", unit: UnitOfWork | None = None
    ) -> Any:
        """Reply to a request as IBM's samples do: to its ReplyToQ, CorrelId its MsgId, its persistence and priority.

        `expiry` is "remaining" (the expiry time that the request had left at its get), tenths of a second, or -1
        (EXP-22).
        """
        if not isinstance(request, Message):
            raise LabError(f"request must be a message that a get returned; got {request!r}")
        target = self.resolve(names.full_name(self.qmgr, request.reply_to_q, request.reply_to_qmgr), "put")
        left = request.expiry if expiry == "remaining" else expiry
        msg_id, correl_id = identifiers_of_answer(request)
        descriptor = describe(self, target, 0, mq.MQMT_REPLY, 0, request.format, "", "")
        if request.descriptor.properties:
            descriptor = descriptor._replace(properties=copied(request.descriptor.properties, mq.MQCOPY_REPLY))
        self.require_own(unit)
        kept = (request.priority, request.persistent, msg_id, correl_id)
        given = Put(self, target, body, left, *kept, descriptor, unit, rule="EXP-22")
        return target.put(given)

    forward = forwarding.forward

    @like(put)
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
        **options: Any,
    ) -> Publications:
        """Publish one message to a topic string (MQPUT1): the copies as put, see `mqlab.qmgr.publishing.publish`.

        `topic` names a topic object; its topic string comes first. `retain` keeps the publication for subscriptions to
        come, `suppress_reply_to` hides ReplyToQ and ReplyToQMgr from the subscribers, `not_own_subscriptions` leaves
        those of this connection out, and with `warn_if_no_subscription` the result has `warning` 2550 if none matched.
        Of the subscriptions, those of the highest level up to `level` get a copy (MQI-42). The other options are those
        of `put`. MQError: 2013, 2027, 2029, 2050, 2051, 2061, 2173, 2425, 2479.
        """
        from .publishing import TopicString

        flags = (retain, suppress_reply_to, not_own_subscriptions, warn_if_no_subscription)
        target = TopicString(self.qmgr, topic_string, topic)
        if any(flag is not False for flag in flags) or level != 9:
            options["pmo"] = put_options.publishing(options.get("pmo"), options.get("unit"), flags, level)
        copies: Publications = self.put(target, body, **options)
        return copies

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
        `sd` says everything under MQ's names, and is updated: see `mqlab.qmgr.subscribing.subscribe`.
        """
        from . import subscribing

        if queue is not None and not isinstance(queue, Handle):
            raise LabError(f"queue must be an open handle, or None for a managed queue; got {queue!r}")
        if sd is not None:
            if not isinstance(sd, SD):
                raise LabError(f"sd must be an SD, or None; got {sd!r}")
            return subscribing.subscribe(self, sd, queue)
        flags = {
            mq.MQSO_DURABLE: durable,
            mq.MQSO_PUBLICATIONS_ON_REQUEST: on_request,
            mq.MQSO_NEW_PUBLICATIONS_ONLY: new_only,
            mq.MQSO_MANAGED: queue is None,
        }
        fields = {"ObjectName": topic, "SubName": name, "SubExpiry": expiry, "PubPriority": priority}
        fields |= {"SubCorrelId": correl_id, "SubUserData": user_data, "SelectionString": selector, "SubLevel": level}
        described = subscribing.described(topic_string, how, wildcards, flags, fields)
        return subscribing.subscribe(self, described, queue)

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
        if gmo is None:
            milliseconds = mq.MQWI_UNLIMITED if wait == mq.FOR_EVER else get.interval(wait) // 1000
            gmo = GMO(Options=mq.MQGMO_WAIT | mq.MQGMO_NO_SYNCPOINT, WaitInterval=milliseconds)
        handle = queue if isinstance(queue, Handle) else getattr(queue, "queue", None)
        if not isinstance(handle, Handle):
            raise LabError(f"queue must be an open handle or a subscription; got {queue!r}")
        return self._register(handle, function, options, md, gmo, cbd)

    def handle_events(self, function: Callable[[Message | None, CBC], object], *, options: int = 0) -> Consumer:
        """Register a function for events of the connection (MQCB, MQCBT_EVENT_HANDLER): `function(None, context)`."""
        cbd = CBD(CallbackType=mq.MQCBT_EVENT_HANDLER, Options=options)
        return self._register(None, function, 0, None, GMO(), cbd)

    def _register(self, handle: Any, function: Any, options: int, md: Any, gmo: GMO, cbd: CBD | None) -> Consumer:
        if not callable(function):
            raise LabError(f"function must be callable as function(message, context); got {function!r}")
        for given, kind in ((md, MD), (gmo, GMO), (cbd, CBD)):
            if not isinstance(given, kind | None):
                raise LabError(f"md, gmo and cbd must be an MD, a GMO and a CBD, or None; got {given!r}")
        if cbd is not None and options:
            raise LabError("cbd must hold all the options; got options as well")
        cbd = CBD(Options=options) if cbd is None else cbd
        from . import consuming

        found = consuming.consumers_of(self)
        return found.register(handle, cbd, lambda message, context, *_: function(message, context), md or MD(), gmo)

    def control(self, operation: str) -> None:
        """Control the consumers of the connection (MQCTL): "start", "start and wait", "stop", "suspend" or "resume".

        Started, a program of the lab calls them as messages arrive; any other call of the connection then fails with
        2500, but "stop" and "suspend". MQError 2012, 2446, 2500, 2521 (a warning), 2534.
        """
        from . import consuming

        consuming.consumers_of(self).control(consuming.operation_of(operation))

    def get(
        self,
        queue: str,
        *,
        wait: float = 0,
        msg_id: bytes | str | None = None,
        correl_id: bytes | str | None = None,
        unit: UnitOfWork | None = None,
        md: MD | None = None,
        gmo: GMO | None = None,
        buffer_length: int | None = None,
        accept_truncated: bool = False,
    ) -> Message | None:
        """Open, get one message, close; `wait` is in seconds. MQError: 2016, 2033 (nothing it may take), 2042, 2085.

        With `md`, `gmo` or `buffer_length` as `mqlab.qmgr.handle.Handle.get`.
        """
        target = self.resolve(queue, "get")
        if self.qmgr.handles:
            self._require_handle(target, "get")
        self.require_own(unit)
        if md is not None or gmo is not None or buffer_length is not None:
            # asked before anything is opened: a close can trigger
            get_options.options_of(md, gmo, wait, msg_id, correl_id, accept_truncated)
            get_options.length_of(self, target, buffer_length)
            browsing = gmo is not None and bool(gmo.Options & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT))
            with self.open(queue, input=None if browsing else "as_q_def", browse=browsing) as handle:
                return handle.get(wait, msg_id, correl_id, unit, md, gmo, buffer_length, accept_truncated)
        self._require_input(target, "as_q_def", "get")
        wait_us, at = get.interval(wait), target.queue
        msg_id, correl_id = as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id")
        if wait_us:
            clock = self.qmgr.clock
            with clock.unbroken(), Handle(self, target, Uses("as_q_def")) as handle:
                return get.get(self, target, wait_us, msg_id, correl_id, unit, handle)
        # without a wait nothing can come between open and close, so they need no rows of their own
        at.inputs += 1
        if at.inputs == 1 and at.name in at.qmgr.initiation_queues:
            initiation_queue_changed(at, self.cause, "TRG-13c", ("TRG-08",))
        try:
            return get.get(self, target, 0, msg_id, correl_id, unit)
        finally:
            at.inputs -= 1
            if at.trigger is not None and not at.inputs:
                at.trigger.closed(at.qmgr.lab.events.next_seq - 1)

    @like(get)
    def get_each(self, queue: str, **options: Any) -> Iterator[Message]:
        """Get and yield messages until no message is left (2033). Options as `get`."""
        return until_none(partial(self.get, queue, **options))

    @like(get)
    def drain(self, queue: str, **options: Any) -> list[Message]:
        """Get until no message is left (2033) and return the messages. Options as `get`."""
        return list(self.get_each(queue, **options))

    def browse(self, queue: str, *, msg_id: bytes | str | None = None, correl_id: bytes | str | None = None) -> Message:
        """A copy of the first message that matches, left on the queue. MQError: 2016, 2033, 2085."""
        target = self.resolve(queue, "browse")
        wanted = as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id")
        return get.fetch(get.Call(self, target, 0, *wanted, cursor=Cursor()))

    def reject(
        self, message: Message, reason: int, *, queue: str | None = None, unit: UnitOfWork | None = None
    ) -> Fate:
        """Dispose of a message that cannot be processed as its sender asked; return its outcome.

        As IBM's sample servers do: discarded if it carries MQRO_DISCARD_MSG, else put on the dead-letter queue, and an
        exception report with `reason` (an MQRC or MQFB) if the sender requested one (MQI-29, MQI-30). `queue` is its
        intended queue, or None for the queue in the log. An outcome "undelivered" means that nothing was done.
        """
        record = record_of(message)
        self.require_running("put")
        self.require_own(unit)
        if type(reason) is not int or not 0 < reason < 2**31:
            raise LabError(f"reason must be an MQRC or MQFB such as 2053; got {reason!r}")
        events = self.qmgr.lab.events
        known = queue is None and 0 <= record.seq < len(events)
        meant = (events[record.seq].object or "") if known else queue or ""
        return undeliverable(self, record, reason, meant, "", unit)

    def message_handle(self, validate: bool = True) -> MessageHandle:
        """Create a message handle (MQCRTMH), for the properties of a message that is put or got with it (PRP-02).

        `validate` is whether names of properties are checked. MQError 2059.
        """
        return create_handle(self, validate)

    def unit_of_work(self) -> UnitOfWork:
        """Begin a unit of work: ``with app.unit_of_work() as uow: uow.get(...); uow.put(...)``."""
        self.require_running()
        return UnitOfWork(self)

    def status_of_puts(self) -> put_options.PutStatus:
        """How the asynchronous puts since the last call ended (MQSTAT); the count begins again (MQI-39)."""
        self.require_running("stat")
        status, self.put_status = self.put_status, put_options.PutStatus()
        return status

    def depth(self, queue: str) -> int:
        """CURDEPTH: every message on the queue, expired and uncommitted ones too (EXP-17). MQError 2085."""
        return self.resolve(queue, "inquire").queue.depth


def checked_user(user: str, what: str) -> str:
    """A user identifier; LabError for one of more than 12 characters."""
    if not isinstance(user, str) or len(user) > 12:
        raise LabError(f"{what} must be a user identifier of up to 12 characters; got {user!r}")
    encoded(user, what)
    return user
