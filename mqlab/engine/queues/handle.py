"""Object handles: a queue opened by an application, and the calls it then makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, NoReturn, Self, Unpack

from ..words import constants as mq
from ..words.arguments import require
from ..words.errors import LabError, MQError
from ..words.refusals import Grounds
from ..words.shown import shown
from ..words.structures import GMO, MD, as_identifier
from ..world.interrupts import watch
from . import get, put_keywords
from .expiry import discard
from .message import PLAIN, Context, Message, QueuedMessage
from .options import BINDS, Uses, keywords_of, like, names_of
from .properties import Selecting
from .put_keywords import PutKeywords, RareKeywords
from .store import Cursor, Passed
from .target import Put, QueueTarget, Route
from .triggering import initiation_queue_changed

if TYPE_CHECKING:
    from .logical_order import LogicalOrder
    from .parts import Calls, LocalQueue, UnitOfWork
    from .target import Target

new = object.__new__


def until_none(get: Callable[[], Any]) -> Iterator[Message]:
    """Yield what each call of `get` returns, until one ends with 2033; any other refusal is raised."""
    while True:
        try:
            message = get()
        except MQError as refused:
            if refused.reason != mq.MQRC_NO_MSG_AVAILABLE:
                raise
            return
        yield message


@shown
class Handle:
    """An open queue (MQOPEN gives it, `close` ends it); also a ``with`` block that closes.

    `queue` is the local queue its name led to when it was opened, None if it led to none; `object` is what counts its
    open; `locked` the message it has locked by a browse;
    `changed` is whether the definition was altered under it (2041), `waiting` the get that waits on it now.
    `context_options` is the sum of the MQOO options about context; with MQOO_SAVE_ALL_CONTEXT `saved_context` is
    the context of the last message got (MQI-28).
    """

    def __init__(self, application: Calls, target: Target, uses: Uses):
        input, self.can_browse, self.can_put, self.can_inquire, self.can_set, self.context_options, unacted = uses
        target.qmgr.clock.passing.require_here()
        self.application, self.binding = application, unacted & BINDS
        if self.can_put and not (input or self.can_browse or self.can_set):
            target = target.bound(self)
        queue, opened = target.queue, target.object
        self.queue, self.object = queue, opened
        self.target: Target | None = target  # None when it is closed
        self.name, self.qmgr = target.name, target.qmgr
        self.input = None if input is None or queue is None else queue.input_mode(input)
        self.cursor = Cursor()
        self.passed = Passed()  # messages that do not satisfy its conditions
        self.group_cursor = Cursor()  # on the first message of the group that is browsed in logical order
        self.locked: QueuedMessage | None = None
        self.locked_with: list[QueuedMessage] = []  # the other segments of the logical message that is locked
        self.creator = self._changed = self.asks_order = False  # to see whether a call leaves a group unfinished
        self.waiting: get.Call | None = None
        self._browses_logically: bool | None = None  # None before the first browse
        self.saved_context: Context | None = None
        self.orders: dict[str, LogicalOrder] = {}
        self.selecting: Selecting | None = None
        # what a put and a get go to while they may: one look instead of three on the hottest calls
        self._put_to = target if self.can_put else None
        gets = input is not None and not self.saves_context
        self._get_from = target if gets and isinstance(target, QueueTarget) else None
        if self.input and queue is not None:
            queue.inputs += 1
            queue.exclusive = self.input == "exclusive"
        opened.outputs += self.can_put
        opened.opens += 1
        if target is not opened:
            target.opens += 1
        if application.gate is not None:
            self.ask_order()
        self.qmgr.handles.add(self)
        unacted -= self.binding if target.chooses else 0
        seq = self._log("open", kept=[*names_of("MQOO_", unacted, " ").split(), *target.kept])
        if self.input and queue is not None and queue.inputs == 1:
            initiation_queue_changed(queue, seq, "TRG-13c", ("TRG-08",))

    def ask_order(self) -> None:
        """Let every put and get from now on see whether it leaves a group unfinished (2241, 2242)."""
        self.asks_order, self._put_to, self._get_from = True, None, None

    def order(self, call: str) -> LogicalOrder:
        """Its position in a group, for its puts, its gets, or its browses in logical order, as `call` says."""
        if call not in self.orders:
            from .logical_order import LogicalOrder

            self.orders[call] = LogicalOrder()
        return self.orders[call]

    def select(self, selecting: Selecting) -> None:
        """Let gets and browses find only messages that it selects."""
        self.selecting, self._get_from = selecting, None

    def browse_in(self, logical: bool, first: bool) -> None:
        """Begin to browse, or go on; 2259 for another order than before, logical or physical, but on z/OS (MQI-31)."""
        if not first and self._browses_logically not in (None, logical) and self.qmgr.platform != "zos":
            case = "logical-now" if logical else "logical-before"
            self.application.refuse(mq.MQRC_INCONSISTENT_BROWSE, case, self.target, "browse")
        self._browses_logically = logical

    def put_to(self) -> Target | None:
        """Where an agent may put over it: None if it is not open for output, or its queue is altered or has failed."""
        return self._put_to if self.queue is None or self.queue.ready else None

    @property
    def source(self) -> LocalQueue:
        """The queue that it gets or browses from."""
        if self.queue is None:
            raise LabError(f"{self.name} has no messages; open a queue")
        return self.queue

    @keywords_of(put_keywords.put)
    def put(
        self,
        body: bytes | str = b"",
        expiry: int = mq.MQEI_UNLIMITED,
        priority: int | None = None,
        persistent: bool | None = None,
        msg_id: bytes | str | None = None,
        correl_id: bytes | str | None = None,
        **rare: Unpack[RareKeywords],
    ) -> Message | None:
        """Put one message (MQPUT): as `QueueManager.put`, and MQError 2039 when not open for output."""
        target = self._put_to
        # The Put is filled in by hand: with its constructor the pair of a put and a get takes 0.67 of SimPy's pair
        # instead of 0.63, and with a lifetime 0.71 instead of 0.67. Five keywords are named here because that, too, is
        # quicker.
        if target is not None and not rare:
            request = new(Put)
            request.application = self.application
            request.target = target
            request.body = body
            request.expiry = expiry
            request.priority = priority
            request.persistent = persistent
            request.msg_id = msg_id
            request.correl_id = correl_id
            request.descriptor = PLAIN
            request.kind = "put"
            request.unit = request.rule = request.context = request.continues = None
            return target.put(request)
        if target is None:
            self._require_free("put")
            target = self.target
            if target is None or not self.can_put or self.changed:
                self._refuse("put", mq.MQRC_NOT_OPEN_FOR_OUTPUT, "MQOO_OUTPUT (output=True)", self.can_put)
        named: PutKeywords = {"expiry": expiry, "priority": priority, "persistent": persistent}
        keywords: PutKeywords = {**named, "msg_id": msg_id, "correl_id": correl_id, **rare}
        return put_keywords.put(self.application, target, body, self, **keywords)

    def get(
        self,
        wait: float = 0,
        msg_id: bytes | str | None = None,
        correl_id: bytes | str | None = None,
        unit: UnitOfWork | None = None,
        md: MD | None = None,
        gmo: GMO | None = None,
        buffer_length: int | None = None,
        accept_truncated: bool = False,
    ) -> Message | None:
        """Get one message (MQGET); `wait` in seconds. MQError 2016, 2033, and 2037 when not open for input.

        A message longer than `buffer_length` bytes is 2080, a warning that is raised with the message in it, or with
        `accept_truncated` returned cut, its `warning` 2079 (MQI-26). `md` and `gmo` give every other option, browses
        among them, and are updated; UNLOCK returns None.
        """
        target = self._get_from
        if target is None or md is not None or gmo is not None or buffer_length is not None:
            from . import get_options

            given: tuple = (md, gmo, wait, msg_id, correl_id, accept_truncated)
            return get_options.get(self, *get_options.options_of(*given), buffer_length, unit, gmo is not None)
        return get.get(
            self.application,
            target,
            get.interval(wait) if wait else 0,
            None if msg_id is None else as_identifier(msg_id, "msg_id"),
            None if correl_id is None else as_identifier(correl_id, "correl_id"),
            unit,
            self,
        )

    @like(get)
    def get_each(self, **options: Any) -> Iterator[Message]:
        """Get and yield messages until no message is left (2033): the loop of a server. Options as `get`."""
        return until_none(partial(self.get, **options))

    @like(get)
    def drain(self, **options: Any) -> list[Message]:
        """Get until no message is left (2033) and return the messages. Options as `get`.

        >>> from mqlab import Lab
        >>> qm = Lab().queue_manager("QM1")
        >>> reply = qm.mqsc("DEFINE QLOCAL(ORDERS)").require()
        >>> for body in (b"tea", b"cake"):
        ...     _ = qm.put("ORDERS", body)
        >>> with qm.open("ORDERS", input="shared") as orders:
        ...     [message.body for message in orders.drain()]
        [b'tea', b'cake']
        """
        return list(self.get_each(**options))

    def browse_first(
        self, *, msg_id: bytes | str | None = None, correl_id: bytes | str | None = None, lock: bool = False
    ) -> Message:
        """A copy of the first message that matches; the cursor moves to it. MQError 2016, 2033, 2036."""
        return self._browse(msg_id, correl_id, lock, Cursor())

    def browse_next(
        self, *, msg_id: bytes | str | None = None, correl_id: bytes | str | None = None, lock: bool = False
    ) -> Message:
        """A copy of the next message behind the cursor that matches; 2033 at the end."""
        return self._browse(msg_id, correl_id, lock, self.cursor)

    def get_under_cursor(self, *, unit: UnitOfWork | None = None) -> Message:
        """Get the message last browsed; MQError 2034 if it has gone, or has expired meanwhile and is discarded now."""
        self.require_open_for("browse")
        target = self.require_open_for("get")
        message = self.under_cursor(target, "get", unit)
        taken = get.take(self.application, target, message, unit, target.via)
        self.keep_context(taken)
        return taken

    def under_cursor(self, target: QueueTarget, call: str, unit: UnitOfWork | None = None) -> QueuedMessage:
        """The message last browsed, for a call that gets or browses it; MQError 2016, 2034."""
        message, now = self.cursor.message, self.qmgr.clock.time_us
        if target.get_inhibited:
            get.refuse_inhibited(self.application, target, call)
        if unit is not None:
            self.application.require_own(unit)
            unit.require_room(target, "get")
        case, expired = "nothing", None
        if message is not None:
            if message.holder not in (None, self):
                case = "locked"
            elif message.expires_us is None or now < message.expires_us:
                return message
            else:
                case, expired = "expired", message
        error = self.application.refusal(Grounds(mq.MQRC_NO_MSG_UNDER_CURSOR, case, {}), target, call)
        if expired is not None:
            self.locked = None if expired is self.locked else self.locked
            discard(target.queue, expired, self.application.caller, error.seq or 0, "EXP-21", unit is not None)
        raise error

    def inquire(self, *keywords: str) -> dict[str, Any]:
        """The values of these attributes (MQINQ), by MQSC keyword or MQI selector; all of them if none is named.

        MQError 2038 when not open for inquire, 2067 for an unknown attribute. An alias returns its own attributes.
        """
        self._require_free("inquire")
        if self.target is None or not self.can_inquire:
            self._refuse("inquire", mq.MQRC_NOT_OPEN_FOR_INQUIRE, "MQOO_INQUIRE (inquire=True)", self.can_inquire)
        from .inquire import inquire

        return inquire(self.application, self.target, keywords)

    def set(self, **values: object) -> None:
        """Set attributes (MQSET), all of them or none: GET PUT TRIGGER TRIGTYPE TRIGDPTH TRIGMPRI TRIGDATA DISTL.

        MQError 2040 when not open for set, 2067 for another attribute, 2020 and 2075 to 2078 for a bad value. ALTDATE
        and ALTTIME stay; triggering is asked again (TRG-13).
        """
        self._require_free("set")
        if self.target is None or not self.can_set:
            self._refuse("set", mq.MQRC_NOT_OPEN_FOR_SET, "MQOO_SET (set=True)", self.can_set)
        from .inquire import set

        set(self.application, self.target, values)

    def close(self, *, delete: bool = False, purge: bool = False) -> int:
        """Close the handle (MQCLOSE), its lock, and its cursor. Later calls with the handle fail with 2019.

        Returns 0, or the warning of leaving a group or a logical message that it put or got unfinished: 2241, 2242.
        `delete` and `purge` also delete a dynamic queue (MQCO_DELETE, MQCO_DELETE_PURGE): MQError 2045, 2046, or 2055.
        """
        self.qmgr.clock.passing.require_here()
        self._require_free("close")
        if self.target is None:
            self._refuse("close", mq.MQRC_HOBJ_ERROR, "", True)
        if delete or purge:
            from .dynamic_queues import require_deletable

            require_deletable(self, delete, purge)
        self.unlock()
        if self.application.gate is not None:
            self.application.gate.handle_closed(self)
        queue, target, opened = self.queue, self.target, self.object
        if self.input and queue is not None:
            queue.inputs -= 1
            queue.exclusive = False
        opened.outputs -= self.can_put
        opened.opens -= 1
        if target is not opened:
            target.opens -= 1
        if self.can_browse:
            self.cursor.reset()
            self.group_cursor.reset()
        self.passed.forget()
        self.qmgr.handles.remove(self)
        warning = max((order.unfinished for call, order in self.orders.items() if call != "browse"), default=0)
        seq = self._log("close", warning)
        self.target = self._put_to = self._get_from = None
        if self.input and queue is not None and not queue.inputs and queue.trigger is not None:
            queue.trigger.closed(seq)
        if delete or purge or self.creator or opened.logically_deleted or opened.deleted_when_closed:
            from .dynamic_queues import after_close

            after_close(self, delete, purge)
        return warning

    @property
    def changed(self) -> bool:
        """Whether the definition was altered with FORCE, or the queue deleted, under this handle (2041, 2052)."""
        return self._changed

    @changed.setter
    def changed(self, changed: bool) -> None:
        if changed:
            self._changed = True
            self._put_to = self._get_from = None

    def require_unchanged(self, call: str) -> None:
        """Refuse the call if the definition was altered, or the queue deleted, under this handle (2041, 2052)."""
        if self.object.logically_deleted:
            self.application.refuse(mq.MQRC_Q_DELETED, "deleted", self.target, call)
        if self.changed:
            self.application.refuse(mq.MQRC_OBJECT_CHANGED, "altered-with-force", self.target, call)

    @property
    def saves_context(self) -> bool:
        """Whether its gets save the context of their messages (MQOO_SAVE_ALL_CONTEXT)."""
        return bool(self.context_options & mq.MQOO_SAVE_ALL_CONTEXT)

    def keep_context(self, message: Message) -> None:
        """Save the context of a message just got, if the handle was opened for that."""
        if self.saves_context:
            self.saved_context = message.context

    def found_none(self, cursor: Cursor) -> None:
        """A browse behind `cursor` ended with 2033: the earlier lock is released, and no message is under the
        cursor."""
        self.unlock()
        if cursor is not self.cursor:
            self.cursor.reset()
        self.cursor.message = None

    def unlock(self) -> None:
        """Give up the lock of a browse, if there is one."""
        messages, self.locked, self.locked_with = [self.locked, *self.locked_with], None, []
        for message in messages:
            if message is not None and message.holder is self:
                message.holder = None
                self.queue.store.freed(message)
                self.queue.record("unlock", message, self.application.caller, None, "MQI-03", self.application.cause)
                self.queue.expect(message.expires_us)
                if self.queue.waiters:
                    self.queue.wake()

    def lock(self, parts: list[QueuedMessage]) -> None:
        """Hide a message just browsed, with all its segments, from other handles."""
        self.locked, *self.locked_with = parts
        for message in parts:
            message.holder = self

    def give_up_lock(self) -> None:
        """MQGMO_UNLOCK: MQError 2209, a warning, if the handle has no message locked."""
        if self.locked is None or self.locked.holder is not self:
            grounds = Grounds(mq.MQRC_NO_MSG_LOCKED, "nothing-locked", {})
            raise self.application.refusal(grounds, self.target, "browse", comp=mq.MQCC_WARNING)
        self.unlock()

    def require_open_for(self, call: str) -> QueueTarget:
        """Its target, for a call that it was opened for and whose queue it has not lost; 2037 for another get, 2036 for
        another browse."""
        reason, option, may = (
            (mq.MQRC_NOT_OPEN_FOR_INPUT, 'MQOO_INPUT_SHARED (input="shared")', self.input is not None)
            if call == "get"
            else (mq.MQRC_NOT_OPEN_FOR_BROWSE, "MQOO_BROWSE (browse=True)", self.can_browse)
        )
        self._require_free(call)
        if not isinstance(self.target, QueueTarget) or not may or self.changed:
            self._refuse(call, reason, option, may)
        return self.target

    def _require_free(self, call: str) -> None:
        """Refuse the call that the gate of the connection does not let through."""
        watch()
        if self.application.gate is not None:
            self.application.gate.require_inside(call)

    def _browse(self, msg_id: bytes | str | None, correl_id: bytes | str | None, lock: bool, cursor: Cursor) -> Message:
        """Browse behind `cursor`; whether it finds a message or ends with 2033, the earlier lock is released."""
        target = self.require_open_for("browse")
        self.browse_in(False, cursor is not self.cursor)
        require("lock", lock, bool)
        msg_id, correl_id = as_identifier(msg_id, "msg_id"), as_identifier(correl_id, "correl_id")
        return get.fetch(get.Call(self.application, target, 0, msg_id, correl_id, None, self, cursor, lock))

    def _refuse(self, call: str, reason: int, option: str, opened_for_it: bool) -> NoReturn:
        if self.target is None:
            self.application.require_running(call)
            raise self.application.refusal(Grounds(mq.MQRC_HOBJ_ERROR, "queue-closed", {}), None, call, self.name)
        if opened_for_it:
            self.require_unchanged(call)
        fields = {"option": option.partition(" ")[0], "keyword": option}
        raise self.application.refusal(Grounds(reason, "not-opened-for-it", fields), self.target, call)

    def _log(self, kind: str, warning: int = 0, kept: Sequence[str] = ()) -> int:
        opened, may = self.object, (self.can_browse, self.can_put, self.can_inquire, self.can_set)
        uses = list(compress(("browse", "output", "inquire", "set"), may))
        detail = {"input": self.input, "uses": uses, **opened.own_detail}
        more = {"via": self.name if self.target is not opened else "", "warning": warning, "kept_only": kept}
        detail |= {name: value for name, value in more.items() if value}
        rule = "MQI-31" if warning else "MQI-14"
        return self.application.record(kind, opened.subject, rule, depth=opened.depth, detail=detail)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.target is not None:
            self.close()

    def __repr__(self) -> str:
        return f"Handle({self.name!r}, {'closed' if self.target is None else 'open'})"


class OpenHandles:
    """The open handles of a queue manager in the order of their opens, found by their subjects and owners."""

    def __init__(self) -> None:
        self._handles: dict[Handle, None] = {}
        self._having: dict[int, dict[Handle, None]] = {}

    def add(self, handle: Handle) -> None:
        """Enter a handle that was opened."""
        self._handles[handle] = None
        for key in self._keys(handle):
            self._having.setdefault(key, {})[handle] = None

    def remove(self, handle: Handle) -> None:
        """Take out a handle that is about to be closed."""
        del self._handles[handle]
        for key in self._keys(handle):
            handles = self._having[key]
            del handles[handle]
            if not handles:
                del self._having[key]

    def having(self, subject: object) -> list[Handle]:
        """The handles on this object, by this target, or of this application; for the type Route, those of a Route."""
        return list(self._having.get(id(subject), ()))

    def __len__(self) -> int:
        return len(self._handles)

    def __iter__(self) -> Iterator[Handle]:
        return iter(self._handles)

    @staticmethod
    def _keys(handle: Handle) -> set[int]:
        keys = {id(handle.target), id(handle.object), id(handle.queue), id(handle.application)}
        return keys | {id(Route)} if isinstance(handle.target, Route) else keys
