"""The calls an application makes of a queue manager: open, put, get, browse, and units of work."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..words import constants as mq
from ..words.arguments import require, within
from ..words.structures import GMO, MD, as_identifier
from ..world.interrupts import watch
from . import get, put_keywords, resolution
from .caller import Caller
from .handle import Handle, until_none
from .message import Message, discards, identifiers_of_answer, record_of
from .options import Uses, keywords_of, like, uses_of
from .put import Put, describe
from .put_keywords import PutKeywords
from .queue import Remote
from .reports import Fate, undeliverable
from .store import Cursor
from .target import QueueTarget, Target, full_name, saying
from .triggering import initiation_queue_changed
from .unit import UnitOfWork

if TYPE_CHECKING:
    from .inquire import Inquired


class Calls(Caller):
    """The calls of an application, or of the queue manager itself."""

    put_status = put_keywords.PutStatus()
    """How its asynchronous puts ended since the last `status_of_puts`."""

    @overload
    def resolve(self, name: object, call: Literal["get", "browse", "inquire"]) -> QueueTarget: ...

    @overload
    def resolve(self, name: object, call: str) -> Target: ...

    def resolve(self, name: object, call: str) -> Target:
        """Resolve a name, "QUEUE" or "QUEUE@QMGR": see `mqlab.engine.queues.resolution`."""
        watch()
        if self.gate is not None:
            self.gate.require_inside(call)
        qmgr = self.qmgr
        if qmgr.running and isinstance(name, str):
            target = qmgr.targets.get(name)
            if target is not None:
                if not target.ready:
                    target.queue.make_ready(self, target, call)
                return target
        self.require_running(call)
        return resolution.resolve(self, name, call)

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
        same under MQ's names (MQI-27): see `mqlab.engine.queues.options`. Opening a model queue makes a dynamic queue
        called `dynamic_name`, whose end ``*`` the queue manager completes; `.name` of the handle is the result. With a
        `selector` its gets and browses find only messages whose properties satisfy that condition (PRP-07). MQError
        2011, 2017, 2042, 2046, 2082, 2085, 2459, 2504, 2516, 2519."""
        access = (browse, output, inquire, set, save_all_context, fail_if_quiescing)
        context = (pass_identity, pass_all, set_identity, set_all)
        self.require_running("open")
        uses = uses_of(self, str(queue), input, (*access, *context), options)
        if checked_user(alternate_user, "alternate_user"):
            uses = uses._replace(unacted=uses.unacted | mq.MQOO_ALTERNATE_USER_AUTHORITY)
        asked = (self, "open", str(queue), selector, uses)
        selecting = None if selector == "" else self.qmgr.properties.selection(*asked)
        qmgr = self.qmgr
        named = queue.removesuffix(f"@{qmgr.name}") if qmgr.running and isinstance(queue, str) else None
        model = None if named is None else qmgr.objects.get("QMODEL", named)
        target: Any = None if model is not None else self.resolve(queue, "open")
        if qmgr.guard is not None:
            asks = alternate_user if uses.unacted & mq.MQOO_ALTERNATE_USER_AUTHORITY or alternate_user else None
            qmgr.guard.opened(self, queue, target, uses, asks)
        self.require_handle(target, "open", queue)
        if model is not None:
            from .dynamic_queues import create

            target = create(self, model, dynamic_name)
        elif (own := resolution.own_alias(qmgr, queue)) or target.queue is None or isinstance(target, Remote):
            foreign = own or (isinstance(target, Remote) and target.definition.name != queue)
            removes = uses.input is not None or uses.browse
            sets = uses.set and (target.queue is None or target.chooses)  # only a named definition has attributes
            if removes or sets or (foreign and (uses.set or uses.inquire)):
                resolution.refuse_input(self, target, "open")
        elif uses.input is not None:
            self._require_input(target, uses.input, "open")
        handle = Handle(self, target, uses)
        handle.creator = model is not None
        if selecting is not None:
            handle.select(selecting)
        return handle

    def open_object(self, kind: str, name: str = "", options: int = mq.MQOO_INQUIRE) -> Inquired:
        """Open the queue manager ("QMGR"), a PROCESS or a NAMELIST to inquire (MQOPEN). MQError 2046, 2058, 2085."""
        from .inquire import Inquired

        return Inquired(self, kind, name, options)

    @keywords_of(put_keywords.put)
    def put(self, queue: str, body: bytes | str = b"", **keywords: Unpack[PutKeywords]) -> Any:
        """Put one message (MQPUT1); the message as put. `segmentation` lets it be put as several if it is too long.

        `properties` are names and values, such as ``{"colour": "red"}`` (PRP-01). `md` and `pmo` say everything under
        MQ's names and are updated: see `mqlab.engine.queues.put_options`. `expiry` is in tenths of a second, -1
        unlimited; `priority` 0 to 9 and `persistent` come from the queue when None; `report` is a sum of MQRO options.
        Text is sent in UTF-8, and the CodedCharSetId is 1208 also if CCSID of the queue manager is another one: then
        give an `md`. MQError: 2013, 2017, 2027, 2029, 2030, 2050, 2051, 2053, 2061, 2085."""
        target = self.resolve(queue, "put")
        if self.qmgr.guard is not None:
            pmo = keywords.get("pmo")
            self.qmgr.guard.named(self, "put", queue, target, "PUT", 0 if pmo is None else pmo.Options)
        if self.qmgr.handles or self.others_open:
            self.require_handle(target, "put")
        target = saying(target, kept_only=target.kept) if target.kept else target
        return put_keywords.put(self, target, body, **keywords)

    def reply(
        self, request: Message, body: bytes | str = b"", *, expiry: Any = "remaining", unit: UnitOfWork | None = None
    ) -> Message:
        """Reply to a request as IBM's samples do: to its ReplyToQ, CorrelId its MsgId, its persistence and priority.

        `expiry` is "remaining" (the expiry time that the request had left at its get), tenths of a second, or -1
        (EXP-22).
        """
        require("request", request, Message, "a message that a get returned")
        name = full_name(self.qmgr, request.reply_to_q, request.reply_to_qmgr)
        target = self.resolve(name, "put")
        if self.qmgr.guard is not None:
            self.qmgr.guard.named(self, "put", name, target, "PUT")
        target = saying(target, kept_only=target.kept) if target.kept else target
        left = request.expiry if expiry == "remaining" else expiry
        msg_id, correl_id = identifiers_of_answer(request)
        report = mq.MQRO_DISCARD_MSG if discards(request.report) else mq.MQRO_NONE
        descriptor = describe(self, target, report, mq.MQMT_REPLY, 0, request.format, "", "")
        if kept := request.descriptor.copied(mq.MQCOPY_REPLY).properties:
            descriptor = descriptor._replace(properties=kept)
        self.require_own(unit)
        kept = (request.priority, request.persistent, msg_id, correl_id)
        given = Put(self, target, body, left, *kept, descriptor, unit, rule="EXP-22")
        return target.put(given)

    def forward(
        self, message: Message, queue: str, deduct: bool = True, unit: UnitOfWork | None = None
    ) -> Message | None:
        """Put a message that this application got to another queue; return it as put, or None if it has expired.

        With `deduct` the time since the get is taken off, so that the deadline stays what it was; a message whose
        deadline has passed meanwhile is discarded by the program, with its report, and in no unit of work (EXP-36).
        Without, its Expiry is copied as the get returned it, and its deadline moves by the time it was held: the
        `forward` row has the difference in tenths of a second. The new message has its own number in the lab, and the
        context of the first. MQError as any put.
        """
        from .forward import forward

        return forward(self, message, queue, deduct, unit)

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

        With `md`, `gmo` or `buffer_length` as `mqlab.engine.queues.handle.Handle.get`.
        """
        target = self.resolve(queue, "get")
        if self.qmgr.handles or self.others_open:
            self.require_handle(target, "get")
        self.require_own(unit)
        if md is not None or gmo is not None or buffer_length is not None:
            from . import get_options

            # asked before anything is opened: a close can trigger
            get_options.options_of(md, gmo, wait, msg_id, correl_id, accept_truncated)
            get_options.length_of(self, target, buffer_length)
            browsing = gmo is not None and bool(gmo.Options & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT))
            with self.open(queue, input=None if browsing else "as_q_def", browse=browsing) as handle:
                return handle.get(wait, msg_id, correl_id, unit, md, gmo, buffer_length, accept_truncated)
        if self.qmgr.guard is not None:
            self.qmgr.guard.named(self, "get", queue, target, "GET")
        self._require_input(target, "as_q_def", "get")
        wait_us, opened = get.interval(wait), target.queue
        msg_id, correl_id = as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id")
        if wait_us:
            clock = self.qmgr.clock
            with clock.unbroken(), Handle(self, target, Uses("as_q_def")) as handle:
                return get.get(self, target, wait_us, msg_id, correl_id, unit, handle)
        # without a wait nothing can come between open and close, so they need no rows of their own
        opened.inputs += 1
        if opened.inputs == 1 and opened.name in opened.qmgr.initiation_queues:
            initiation_queue_changed(opened, self.cause, "TRG-13c", ("TRG-08",))
        try:
            target = saying(target, kept_only=target.kept) if target.kept else target
            return get.get(self, target, 0, msg_id, correl_id, unit)
        finally:
            opened.inputs -= 1
            if opened.trigger is not None and not opened.inputs:
                opened.trigger.closed(opened.qmgr.lab.events.next_seq - 1)

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
        if self.qmgr.guard is not None:
            self.qmgr.guard.named(self, "browse", queue, target, "BROWSE")
        target = saying(target, kept_only=target.kept) if target.kept else target
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
        require("reason", reason, int, "an MQRC or MQFB such as 2053", within(1, 2**31 - 1))
        events = self.qmgr.lab.events
        known = queue is None and 0 <= record.seq < len(events)
        meant = (events[record.seq].object or "") if known else queue or ""
        return undeliverable(self, record, reason, meant, "", unit)

    def unit_of_work(self) -> UnitOfWork:
        """Begin a unit of work: ``with app.unit_of_work() as uow: uow.get(...); uow.put(...)``."""
        self.require_running()
        return UnitOfWork(self)

    def own_unit(self) -> UnitOfWork:
        """The connection's own unit of work, begun now if there is none (MQI-25)."""
        self._require_whole("begin")
        if self.work is None or not self.work.open:
            self.work = UnitOfWork(self, own=True)
        return self.work

    def status_of_puts(self) -> put_keywords.PutStatus:
        """How the asynchronous puts since the last call ended (MQSTAT); the count begins again (MQI-39)."""
        self.require_running("stat")
        status, self.put_status = self.put_status, put_keywords.PutStatus()
        return status

    def depth(self, queue: str) -> int:
        """CURDEPTH: every message on the queue, expired and uncommitted ones too (EXP-17). MQError 2085."""
        target = self.resolve(queue, "inquire")
        if self.qmgr.guard is not None:
            self.qmgr.guard.named(self, "inquire", queue, target, "INQ")
        return target.queue.depth


def checked_user(user: str, what: str) -> str:
    """A user identifier; LabError for one of more than 12 characters."""
    require(what, user, str, "a user identifier of up to 12 characters", lambda text: len(text) <= 12)
    return user
