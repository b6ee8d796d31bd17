"""MQCB and MQCTL: functions that a connection calls with each message that arrives, and with events (MQI-40).

A started connection calls its consumers in a program of the lab, each with the message that arrived first; a consumer
of a queue where the same message is not the first by priority gets the first. Events go to the consumer they are about,
those of the whole connection to its event handler. The option FAIL_IF_QUIESCING has no effect; the rows of a
registration and of a start say which other options, and whether a CallbackName, have none.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any

from ..engine.queues.caller import Gate
from ..engine.queues.handle import Handle
from ..engine.queues.message import Message
from ..engine.queues.options import names_of
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import MQError
from ..engine.words.refusals import Grounds
from ..engine.words.structures import GMO, MD
from ..engine.world.interrupts import interruptible
from .structures import CBC, CBD, CTLO

Function = Callable[[Message | None, CBC, MD | None, GMO | None], object]
"""The function of a consumer: its arguments are the message, the context, and the structures of its MQGET."""

_OPERATIONS = {
    "start": mq.MQOP_START,
    "start and wait": mq.MQOP_START_WAIT,
    "stop": mq.MQOP_STOP,
    "suspend": mq.MQOP_SUSPEND,
    "resume": mq.MQOP_RESUME,
}
"""The operation of MQCTL for each word of `Application.control`."""
_WORDS = {number: word for word, number in _OPERATIONS.items()}
_CALLS = {number: name.removeprefix("MQCBCT_") for name, number in mq.named("MQCBCT_").items()}
_OPTIONS = sum(mq.named("MQCBDO_").values())
_UNACTED = mq.MQCBDO_EVENT_CALL | mq.MQCBDO_MC_EVENT_CALL
_TEMPORARY, _NEEDS_ACTION, _SUSPENDED = 1, 2, 3
"""The states of a consumer, MQCS."""


class Consumer:
    """One registered function: of a queue, or with `handle` None the event handler of the connection.

    `suspended` is whether it gets no messages or events now; `close` deregisters it.
    """

    def __init__(self, consumers: Consumers, handle: Handle | None, cbd: CBD, function: Function, md: MD, gmo: GMO):
        self.consumers, self.handle, self.cbd, self.function = consumers, handle, cbd, function
        self.md, self.gmo, self.suspended = md, gmo, False
        self.due_us: int | None = None  # when its wait interval ends
        self._idle = self._inhibited = self._started = False
        self._turn: tuple[int, Any] | None = None  # its place among those who wait for the queue

    def suspend(self) -> None:
        """Let it get no messages until `resume` (MQCB, MQOP_SUSPEND)."""
        self.consumers.change(self, mq.MQOP_SUSPEND)

    def resume(self) -> None:
        """Let it get messages again (MQCB, MQOP_RESUME)."""
        self.consumers.change(self, mq.MQOP_RESUME)

    def close(self) -> None:
        """Deregister it (MQCB, MQOP_DEREGISTER)."""
        self.consumers.change(self, mq.MQOP_DEREGISTER)

    def call(
        self,
        sort: int,
        reason: int = 0,
        comp: int = mq.MQCC_OK,
        state: int = 0,
        message: Message | None = None,
        md: MD | None = None,
        gmo: GMO | None = None,
        cause: int | None = None,
    ) -> None:
        """Call the function, after its row, whose cause is the row of the MQGET."""
        application, handle = self.consumers.application, self.handle
        length = 0 if message is None else len(message.body)
        context = CBC(CallType=sort, Hobj=handle, CallbackArea=self.cbd.CallbackArea, Reason=reason, CompCode=comp)
        context.ConnectionArea, context.State, context.BufferLength = self.consumers.area, state, length
        context.DataLength = 0 if message is None else message.length
        subject = (application.qmgr.name, None, None) if handle is None else handle.object.subject
        detail = {"call": _CALLS[sort], **({"returned": reason} if reason else {})}
        number = None if message is None else message.number
        led = {} if cause is None else {"cause": cause}
        application.record("callback", subject, "MQI-40", message=number, detail=detail, **led)
        interruptible(self.function, message, context, md, gmo)

    def call_if_asked(self, sort: int, option: int) -> None:
        """Call the function for a start, a stop, and so on, if its options ask for that."""
        if self.cbd.Options & option:
            self.call(sort)

    def begin(self) -> None:
        """Begin to consume: once after each start of the connection."""
        if not self._started:
            self._started = True
            self.begin_wait()
            if self.handle is not None:
                self.call_if_asked(mq.MQCBCT_START_CALL, mq.MQCBDO_START_CALL)

    def stop(self) -> None:
        """End to consume, until the next start."""
        if self._started and self.handle is not None:
            self.call_if_asked(mq.MQCBCT_STOP_CALL, mq.MQCBDO_STOP_CALL)
        self._started, self.due_us = False, None
        self.leave()

    def begin_wait(self) -> None:
        """Begin its wait interval again."""
        wait = self.gmo.WaitInterval if self.gmo.Options & mq.MQGMO_WAIT else 0
        now = self.consumers.clock.time_us
        self.due_us = None if wait == mq.MQWI_UNLIMITED or self.handle is None else now + wait * 1000

    @property
    def arrived(self) -> float:
        """The event row of the arrival of the first message on its queue; infinite for none, or none to try again."""
        if self.handle is None or self.suspended or self._idle:
            return float("inf")
        first = self.handle.source.store.first()
        return float("inf") if first is None else first.seq

    def take(self) -> bool:
        """Get a message and call the function with it, or with the reason why that failed; whether it was called."""
        handle = self.handle
        assert handle is not None
        self._wait_for_queue()
        queue = handle.source
        if not queue.store.mask and not queue.get_inhibited and queue.ready:
            self._idle = True
            return False
        md, gmo = self.md.copy(), self.gmo.copy()
        gmo.Options &= ~mq.MQGMO_WAIT
        longest = None if self.cbd.MaxMsgLength < 0 else self.cbd.MaxMsgLength
        browsing = bool(gmo.Options & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT))
        seq = self.consumers.qmgr.lab.events.next_seq
        try:
            message = handle.get(md=md, gmo=gmo, buffer_length=longest)
        except MQError as refused:
            return self._refused(refused, md, gmo)
        self._inhibited = False
        if gmo.Options & mq.MQGMO_BROWSE_FIRST:
            self.gmo.Options += mq.MQGMO_BROWSE_NEXT - mq.MQGMO_BROWSE_FIRST
        sort = mq.MQCBCT_MSG_NOT_REMOVED if browsing else mq.MQCBCT_MSG_REMOVED
        warning = 0 if message is None else message.warning
        self.call(sort, warning, mq.MQCC_WARNING if warning else mq.MQCC_OK, 0, message, md, gmo, seq)
        self.begin_wait()
        return True

    def tell_none(self) -> None:
        """Say that no message came within the wait interval."""
        self.begin_wait()
        if self.due_us == self.consumers.clock.time_us:
            self.due_us = None  # an interval of 0 is reported once
        self.call(mq.MQCBCT_EVENT_CALL, mq.MQRC_NO_MSG_AVAILABLE, mq.MQCC_FAILED)

    def leave(self) -> None:
        """Wait for the queue no longer."""
        if self._turn is not None and self.handle is not None and self._turn in self.handle.source.waiters:
            self.handle.source.waiters.remove(self._turn)
        self._turn, self._idle = None, False

    def _wait_for_queue(self) -> None:
        """Stand among those who wait for the queue, so that an arrival lets the consumer try again."""
        if self._turn is None and self.handle is not None:
            queue, event = self.handle.source, self.consumers.clock.event()
            event.callbacks.append(lambda _: self._woken())
            self._turn = queue.next_turn(), event
            insort(queue.waiters, self._turn)

    def _woken(self) -> None:
        self._turn, self._idle = None, False
        self.consumers.changed()

    def _refused(self, refused: MQError, md: MD, gmo: GMO) -> bool:
        """Handle the MQGET that failed; whether the function was called."""
        reason = refused.reason
        if reason == mq.MQRC_NO_MSG_AVAILABLE:
            self._idle = True
            return False
        if reason == mq.MQRC_GET_INHIBITED:
            self._idle, was_inhibited, self._inhibited = True, self._inhibited, True
            if not was_inhibited:
                self.call(mq.MQCBCT_EVENT_CALL, reason, mq.MQCC_FAILED, _TEMPORARY)
            return not was_inhibited
        self.suspended = True
        if refused.message is not None:
            self.call(mq.MQCBCT_MSG_NOT_REMOVED, reason, refused.comp, _NEEDS_ACTION, refused.message, md, gmo)
        else:
            self.call(mq.MQCBCT_EVENT_CALL, reason, refused.comp, _SUSPENDED)
        return True


class Consumers(Gate):
    """The registered functions of one connection, and whether it calls them: `state` is "stopped", "started",
    "suspended", or "lost" while the connection is being made again. `area` is the ConnectionArea of its start."""

    def __init__(self, application: Any):
        self.application, self.qmgr, self.clock = application, application.qmgr, application.qmgr.clock
        self.all: list[Consumer] = []
        self.state, self.area = "stopped", None
        self._stopping = self._waits = False
        self._park: Any = None  # how the caller of the functions waits: who else calls is outside
        self._program: Any = None
        self._change, self._ended = self.clock.event(), self.clock.event()

    def require_inside(self, call: str) -> None:
        """Refuse a call from outside a consumer while the connection is started: 2500, or 2219 during START_WAIT."""
        if self.state != "started" or self._inside:
            return
        reason = mq.MQRC_CALL_IN_PROGRESS if self._waits else mq.MQRC_HCONN_ASYNC_ACTIVE
        self.application.refuse(reason, "consumers-have-it", None, call)

    def require_outside(self, call: str) -> None:
        """Refuse a call of a consumer of this connection, with 2219."""
        if self._inside:
            self.application.refuse(mq.MQRC_CALL_IN_PROGRESS, "from-consumer", None, call)

    @property
    def _inside(self) -> bool:
        return self._park is not None and self.clock.park == self._park[0]

    @property
    def shown(self) -> str:
        """ASTATE of the connection, as DISPLAY CONN has it."""
        started = "STARTWAIT" if self._waits else "STARTED"
        state = {"stopped": "STOPPED", "started": started}.get(self.state, "SUSPENDED")
        return state if self.all else "NONE"

    def shown_of(self, handle: Handle) -> str:
        """ASTATE of a handle, as DISPLAY CONN TYPE(HANDLE) has it."""
        consumer = self._of(handle)
        if consumer is None:
            return "NONE"
        return "SUSPENDED" if consumer.suspended else "ACTIVE" if self.state == "started" else "INACTIVE"

    # MQCB

    def register(self, handle: Handle | None, cbd: CBD, function: Function, md: MD, gmo: GMO) -> Consumer:
        """Register a function for a queue, or with `handle` None for events, in the place of one before. MQError 2019,
        2036, 2037, 2046, 2090, 2483 to 2486, 2500."""
        application = self.application
        self._check(handle, cbd, gmo)
        if not callable(function):
            self._refuse(mq.MQRC_CALLBACK_ROUTINE_ERROR, "no-function", "callback", handle)
        consumer = Consumer(self, handle, cbd.copy(), function, md.copy(), gmo.copy())
        before = self._of(handle)
        if before is not None:
            before.leave()
            self.all.remove(before)
        self.all.append(consumer)
        if handle is not None:
            handle.ask_order()
        kept = names_of("MQCBDO_", cbd.Options & _UNACTED, " ").split()
        kept += ["CallbackName"] if cbd.CallbackName else []
        self._record("register", handle, kept)
        application.gate = self
        if before is None:
            consumer.call_if_asked(mq.MQCBCT_REGISTER_CALL, mq.MQCBDO_REGISTER_CALL)
        self.changed()
        return consumer

    def change(self, consumer: Consumer | None, operation: int, handle: Handle | None = None) -> None:
        """Deregister, suspend or resume a consumer. MQError 2448 if it is not registered, 2488, 2500."""
        self.application.require_running("callback")
        self.require_inside("callback")
        if consumer is None or consumer not in self.all:
            self._refuse(mq.MQRC_CALLBACK_NOT_REGISTERED, "not-registered", "callback", handle)
        elif operation == mq.MQOP_DEREGISTER:
            self._record("deregister", consumer.handle)
            self._drop(consumer)
        elif operation in (mq.MQOP_SUSPEND, mq.MQOP_RESUME):
            consumer.suspended = operation == mq.MQOP_SUSPEND
            self._record("suspend" if consumer.suspended else "resume", consumer.handle)
            consumer.begin_wait()
        else:
            wrong = {"operation": f"{operation:#x}"}
            self._refuse(mq.MQRC_OPERATION_ERROR, "registering-operation", "callback", consumer.handle, **wrong)
        self.changed()

    def of(self, handle: Handle | None, operation: int) -> None:
        """Change the consumer of this handle, as `change` does."""
        self.change(self._of(handle), operation, handle)

    def handle_closed(self, handle: Handle) -> None:
        """Deregister the consumer of a handle that is closed."""
        consumer = self._of(handle)
        if consumer is not None:
            self._drop(consumer)

    def _drop(self, consumer: Consumer) -> None:
        consumer.stop()
        self.all.remove(consumer)
        consumer.call_if_asked(mq.MQCBCT_DEREGISTER_CALL, mq.MQCBDO_DEREGISTER_CALL)

    def _of(self, handle: Handle | None) -> Consumer | None:
        return next((one for one in self.all if one.handle is handle), None)

    def _check(self, handle: Handle | None, cbd: CBD, gmo: GMO) -> None:
        """Refuse what cannot be registered."""
        application = self.application
        application.require_running("callback")
        self.require_inside("callback")
        kinds = (mq.MQCBT_MESSAGE_CONSUMER, mq.MQCBT_EVENT_HANDLER)
        if cbd.CallbackType not in kinds:
            self._refuse(mq.MQRC_CALLBACK_TYPE_ERROR, "callbacktype", "callback", handle, callbacktype=cbd.CallbackType)
        if cbd.Options & ~_OPTIONS:
            self._refuse(mq.MQRC_CBD_OPTIONS_ERROR, "options", "callback", handle, options=f"{cbd.Options:#x}")
        if cbd.MaxMsgLength < mq.MQCBD_FULL_MSG_LENGTH:
            wrong = {"maxmsglength": cbd.MaxMsgLength}
            self._refuse(mq.MQRC_MAX_MSG_LENGTH_ERROR, "maxmsglength", "callback", handle, **wrong)
        if cbd.CallbackType == mq.MQCBT_EVENT_HANDLER:
            return
        if not isinstance(handle, Handle) or handle.target is None or handle.application is not application:
            self._refuse(mq.MQRC_HOBJ_ERROR, "no-open-queue", "callback", None, handle=f"{handle!r:.60}")
            return
        browsing = gmo.Options & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT)
        handle.require_open_for("browse" if browsing else "get")
        if gmo.Options & (mq.MQGMO_MSG_UNDER_CURSOR | mq.MQGMO_UNLOCK | mq.MQGMO_SET_SIGNAL):
            self._refuse(mq.MQRC_OPTIONS_ERROR, "get-options", "callback", handle, options=f"{gmo.Options:#x}")
        if gmo.Options & mq.MQGMO_WAIT and gmo.WaitInterval < mq.MQWI_UNLIMITED:
            self._refuse(mq.MQRC_WAIT_INTERVAL_ERROR, "waitinterval", "callback", handle, waitinterval=gmo.WaitInterval)

    # MQCTL

    def control(self, operation: int, ctlo: CTLO | None = None) -> None:
        """Start, stop, suspend or resume to call the functions. MQError 2012, 2046, 2446, 2488, 2500, 2521 (a
        warning), 2534."""
        self.application.require_running("control")
        word = _WORDS.get(operation)
        if word is None:
            self._refuse(mq.MQRC_OPERATION_ERROR, "operation", "control", operation=f"{operation:#x}")
        if word in ("start", "start and wait", "resume"):
            self.require_inside("control")
        options = 0 if ctlo is None else ctlo.Options
        if unknown := options & ~sum(mq.named("MQCTLO_").values()):
            self._refuse(mq.MQRC_OPTIONS_ERROR, "unknown-options", "control", unknown=f"{unknown:#x}", kind="MQCTLO")
        kept = names_of("MQCTLO_", options & mq.MQCTLO_THREAD_AFFINITY, " ").split()
        detail = {"operation": word, **({"kept_only": kept} if kept else {})}
        self._require_possible(operation)
        place = (self.qmgr.name, None, None)
        self.application.record("control", place, "MQI-41", detail=detail)
        self.application.gate = self
        if operation == mq.MQOP_STOP:
            self._stop()
        elif operation in (mq.MQOP_SUSPEND, mq.MQOP_RESUME):
            self.state = "suspended" if operation == mq.MQOP_SUSPEND else "started"
            self.changed()
            if self._ended.triggered:  # suspended out of START_WAIT
                self._wait_on()
        elif self.state == "started":
            self._stopping = False  # a start in a consumer takes back a stop
        else:
            self._start(operation, ctlo)

    def _require_possible(self, operation: int) -> None:
        """2534 for what the state does not allow, 2012 for START_WAIT in a consumer."""
        if operation == mq.MQOP_START_WAIT and self._inside:
            self._refuse(mq.MQRC_ENVIRONMENT_ERROR, "waits-in-consumer", "control")
        starts, goes_on = (mq.MQOP_START, mq.MQOP_START_WAIT), (mq.MQOP_SUSPEND, mq.MQOP_RESUME)
        if operation in {"suspended": starts, "stopped": goes_on}.get(self.state, ()):
            self._refuse(mq.MQRC_OPERATION_NOT_ALLOWED, self.state, "control")

    def _start(self, operation: int, ctlo: CTLO | None) -> None:
        self.area = None if ctlo is None else ctlo.ConnectionArea
        self.state, self._stopping, self._ended = "started", False, self.clock.event()
        self._waits = operation == mq.MQOP_START_WAIT
        for handle in [each for each in self.qmgr.handles if each.application is self.application]:
            handle.ask_order()
        if not self._waits:
            name = self.application.caller or "CONSUMERS"
            self._program = self.qmgr.run_program(name, lambda app: self._serve())
            self.qmgr.connections.discard(self._program.application)  # it calls in the name of this connection
        else:
            self._wait_on()

    def _wait_on(self) -> None:
        """Call the functions here, as START_WAIT does. MQError 2446, 2521 (a warning)."""
        self._ended = self.clock.event()
        reason = self._serve()
        if reason:
            suspended = reason == mq.MQRC_CONNECTION_SUSPENDED
            comp = mq.MQCC_WARNING if suspended else mq.MQCC_FAILED
            grounds = Grounds(reason, "by-consumer" if suspended else "no-consumer-left", {})
            raise self.application.refusal(grounds, None, "control", comp=comp)

    def _stop(self) -> None:
        """Stop: in a consumer when that returns; from outside, wait until then."""
        if self.state == "stopped":
            return
        self._stopping = True
        self.changed()
        if self._ended.triggered:
            for consumer in list(self.all):
                consumer.stop()
            self.state = "stopped"
        elif not self._inside:
            self.clock.wait(self._ended, None)

    def end(self, notify: bool = True) -> None:
        """End with the connection: each consumer is stopped and deregistered, and `notify` unless the program died."""
        program, self._program = self._program, None
        if self.state != "stopped" and program is not None:
            program.stop()
        for consumer in list(self.all):
            if notify:
                self._drop(consumer)
            consumer.leave()
        self.all.clear()
        self.state = "stopped"

    def tell(self, reason: int, comp: int = mq.MQCC_FAILED) -> None:
        """Tell the event handler what happens to the connection."""
        handler = self._of(None)
        if handler is not None and not handler.suspended:
            handler.call(mq.MQCBCT_EVENT_CALL, reason, comp)

    def lose(self) -> None:
        """Call no consumer until `regain`, because the connection broke and is made again."""
        self.state = "lost" if self.state == "started" else self.state
        for consumer in self.all:
            consumer.leave()

    def regain(self, again: bool) -> None:
        """The connection is made again: go on, if with `again` the consumers had been started."""
        self.qmgr = self.application.qmgr
        for handle in [each for each in self.qmgr.handles if again and each.application is self.application]:
            handle.ask_order()
        if self.state == "lost":
            self.state = "started"
            self.changed()
        elif again:  # its program ended with the queue manager
            self._start(mq.MQOP_START, None if self.area is None else CTLO(ConnectionArea=self.area))

    def changed(self) -> None:
        """Let the loop look again."""
        if not self._change.triggered:
            self._change.succeed()

    def _serve(self) -> int:
        """Call the functions until someone stops it; the reason code of a START_WAIT that cannot go on, else 0."""
        self._park, reason = (self.clock.park,), 0
        try:
            while not self._stopping:
                if self.state == "started" and self._one():
                    continue
                if self._waits and self.state == "suspended":
                    return mq.MQRC_CONNECTION_SUSPENDED
                active = [consumer for consumer in self.all if not consumer.suspended]
                if self._waits and all(consumer.handle is None for consumer in active):
                    reason = mq.MQRC_NO_CALLBACKS_ACTIVE
                    break
                self._change = self.clock.event()
                due = [consumer.due_us for consumer in active if consumer.due_us is not None]
                until = min(due, default=None) if self.state == "started" else None
                self.clock.wait(self._change, until, True)
            for consumer in list(self.all):
                consumer.stop()
        finally:
            if self.state != "suspended" or not self._waits:
                self.state = "stopped"
            self._park = None
            if not self._ended.triggered:
                self._ended.succeed()
        return reason

    def _one(self) -> bool:
        """Call one function, with the message that arrived first or because none did; return False if none is due."""
        for consumer in list(self.all):
            consumer.begin()
        waiting = [one for one in self.all if one.handle is not None and not one.suspended and not one._idle]
        for consumer in sorted(waiting, key=lambda waiter: waiter.arrived):
            if consumer.take():
                return True
        now = self.clock.time_us
        for consumer in self.all:
            if consumer.due_us is not None and consumer.due_us <= now and not consumer.suspended:
                consumer.tell_none()
                return True
        return False

    def _record(self, operation: str, handle: Handle | None, kept: Sequence[str] = ()) -> None:
        place = (self.qmgr.name, None, None) if handle is None else handle.object.subject
        detail = {"operation": operation, **({"kept_only": kept} if kept else {})}
        self.application.record("consumer", place, "MQI-40", detail=detail)

    def _refuse(self, reason: int, case: str, call: str, opened: Handle | None = None, **fields: object) -> None:
        target = None if opened is None else opened.target
        raise self.application.refusal(Grounds(reason, case, fields), target, call)


def consumers_of(application: Any) -> Consumers:
    """The consumers of a connection, none at first. MQError 2009 if the connection broke."""
    if application.gate is not None and not isinstance(application.gate, Consumers):
        application.gate.require_inside("callback")
    return application.gate if isinstance(application.gate, Consumers) else Consumers(application)


def operation_of(word: str) -> int:
    """The operation of MQCTL that a word says; LabError for another word."""
    require("operation", word, str, f"one of {', '.join(_OPERATIONS)}", _OPERATIONS.__contains__)
    return _OPERATIONS[word]
