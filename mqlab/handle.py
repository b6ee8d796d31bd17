"""Object handles: a queue opened by an application, and the calls it then makes."""

from __future__ import annotations

from . import getting, putting
from .clock import microseconds
from .constants import (
    MQEI_UNLIMITED,
    MQRC_HOBJ_ERROR,
    MQRC_NO_MSG_UNDER_CURSOR,
    MQRC_NOT_OPEN_FOR_BROWSE,
    MQRC_NOT_OPEN_FOR_INPUT,
    MQRC_NOT_OPEN_FOR_OUTPUT,
)
from .expiry import discard
from .message import PLAIN, Message, as_identifier
from .store import Cursor

__all__ = ["Handle"]


class Handle:
    """An open queue (MQOPEN gives it, `close` ends it); also a ``with`` block that closes."""

    def __init__(self, application, target, input, browse, output, inquire, set):
        queue = target.queue
        self.application, self.target, self.name, self.qmgr = application, target, target.name, queue.qmgr
        self.input = None if input is None else queue.input_mode(input)
        self.can_browse, self.can_put, self.can_inquire, self.can_set = browse, output, inquire, set
        self.cursor = Cursor()
        if self.input:
            queue.inputs += 1
            queue.exclusive = self.input == "exclusive"
        queue.outputs += output
        queue.opens += 1
        if browse:
            queue.store.cursors.append(self.cursor)
        self.qmgr.handles.append(self)
        self._log("open")

    def put(
        self,
        body=b"",
        expiry=MQEI_UNLIMITED,
        priority=None,
        persistent=None,
        msg_id=None,
        correl_id=None,
        report=0,
        reply_to_q="",
        reply_to_qmgr="",
        format="",
        msg_type=None,
        feedback=0,
        unit=None,
    ) -> Message:
        """Put one message (MQPUT): as `QueueManager.put`, and MQError 2039 when not open for output."""
        target = self.target
        if target is None or not self.can_put:
            self._refuse("put", MQRC_NOT_OPEN_FOR_OUTPUT, "output=True")
        if report or reply_to_q or reply_to_qmgr or format or feedback or msg_type is not None:
            descriptor = putting.describe(
                self.application, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr
            )
        else:
            descriptor = PLAIN
        return putting.put(
            self.application, target, body, expiry, priority, persistent, msg_id, correl_id, descriptor, unit
        )

    def get(self, wait=0, msg_id=None, correl_id=None, unit=None) -> Message:
        """Get one message (MQGET); `wait` in seconds. MQError 2016, 2033, and 2037 when not open for input."""
        target = self.target
        if target is None or self.input is None:
            self._refuse("get", MQRC_NOT_OPEN_FOR_INPUT, 'input="shared"')
        return getting.get(
            self.application,
            target,
            microseconds(wait, "wait") if wait else 0,
            None if msg_id is None else as_identifier(msg_id, "msg_id"),
            None if correl_id is None else as_identifier(correl_id, "correl_id"),
            unit,
        )

    def browse_first(self, *, msg_id=None, correl_id=None, lock=False) -> Message:
        """A copy of the first message that matches; the cursor then stands on it. MQError 2016, 2033, 2036."""
        self._require_browse()
        self._unlock()
        self.cursor.reset()
        return self._browse(msg_id, correl_id, lock)

    def browse_next(self, *, msg_id=None, correl_id=None, lock=False) -> Message:
        """A copy of the next message behind the cursor that matches; 2033 at the end."""
        self._require_browse()
        self._unlock()
        return self._browse(msg_id, correl_id, lock)

    def get_under_cursor(self, *, unit=None) -> Message:
        """Get the message last browsed; MQError 2034 if it has gone, or has lapsed meanwhile and is discarded now."""
        self._require_browse()
        if self.input is None:
            self._refuse("get", MQRC_NOT_OPEN_FOR_INPUT, 'input="shared", browse=True')
        message, now = self.cursor.message, self.qmgr.clock.time_us
        free = message is not None and message.holder in (None, self)
        if free and (message.expires_us is None or now < message.expires_us):
            if unit is not None:
                unit.admit(self.target, "get")
            return getting.take(self.application, self.target.queue, message, unit)
        error = self.application.refusal(
            MQRC_NO_MSG_UNDER_CURSOR,
            self.target,
            "get",
            "EXP-11" if free else "MQI-03",
            "the message under the cursor has lapsed" if free else "no message is under the cursor",
            "browse again first",
        )
        if free:
            discard(self.target.queue, message, self.application, error.seq, True, unit is not None)
        raise error

    def close(self) -> None:
        """Close the handle (MQCLOSE): its lock and cursor are gone. A closed handle answers 2019."""
        if self.target is None:
            self._refuse("close", MQRC_HOBJ_ERROR, "")
        self._unlock()
        queue = self.target.queue
        if self.input:
            queue.inputs -= 1
            queue.exclusive = False
        queue.outputs -= self.can_put
        queue.opens -= 1
        if self.can_browse:
            queue.store.cursors.remove(self.cursor)
        self.qmgr.handles.remove(self)
        self._log("close")
        self.target = None

    def _browse(self, msg_id, correl_id, lock) -> Message:
        return getting.browse(
            self.application,
            self.target,
            self.cursor,
            as_identifier(msg_id, "msg_id"),
            as_identifier(correl_id, "correl_id"),
            self,
            lock,
        )

    def _unlock(self) -> None:
        message = self.cursor.message
        if message is not None and message.holder is self:
            message.holder = None

    def _require_browse(self) -> None:
        if self.target is None or not self.can_browse:
            self._refuse("browse", MQRC_NOT_OPEN_FOR_BROWSE, "browse=True")

    def _refuse(self, call: str, reason: int, option: str) -> None:
        if self.target is None:
            self.application.fail(
                MQRC_HOBJ_ERROR, None, call, "MQI-14", "the handle is closed", "open the queue again", name=self.name
            )
        self.application.fail(
            reason, self.target, call, "MQI-14", f"opened without {option}", f"open({self.name!r}, {option})"
        )

    def _log(self, kind: str) -> None:
        queue = self.target.queue
        uses = [
            name
            for name, has in (
                ("browse", self.can_browse),
                ("output", self.can_put),
                ("inquire", self.can_inquire),
                ("set", self.can_set),
            )
            if has
        ]
        self.qmgr.lab.events.write(
            self.qmgr.clock.time_us,
            kind,
            queue.place,
            program=self.application.program,
            depth=queue.depth,
            rule="MQI-14",
            cause=self.application.cause,
            detail={"input": self.input, "uses": uses},
        )

    def __enter__(self):
        return self

    def __exit__(self, error_type, error, traceback):
        if self.target is not None:
            self.close()

    def __repr__(self):
        return f"Handle({self.name!r}, {'closed' if self.target is None else 'open'})"
