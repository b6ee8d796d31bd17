"""The calls of MQ Everyplace applications: put, get and browse, and the confirm and undo of assured ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError, NotSimulated
from ..engine.words.shown import shown
from . import local_queue
from .errors import LinkDown, MQeError
from .message import Message, MessageId
from .queue import Queue
from .remote_queues import exchange, wait_for
from .whys import NotBrowsable, NotKeptHere, NotLocked, PutBefore


class Calls:
    """Calls in the name of `caller`. A queue is named "NAME", or "NAME@OWNER" where another queue manager owns it.

    A call on a synchronous queue flows to the owner at once and takes the time that takes (MQE-12). `confirm_id`, a
    whole number other than 0, makes a put or get assured: locked until `confirm_put` or `confirm_get` (MQE-10).
    """

    qmgr: Any
    caller: str | None = None

    @checked
    def put(
        self,
        queue: str,
        message: Message | bytes | str,
        *,
        priority: int | None = None,
        expire_ms: int | None = None,
        expire_at: datetime | None = None,
        confirm_id: int = 0,
    ) -> Message:
        """Put a message, or bytes as a new one; the message, with the identity it was given. MQeError, LabError.

        An expired message is not added and its queue's rule is notified; the call still succeeds.
        After "no connection" a message whose answer was lost has its identity and may have arrived; one whose request
        was lost is as it was.
        """
        qmgr = self.qmgr
        if not isinstance(message, Message):
            made = qmgr.message(message, priority=priority, expire_ms=expire_ms, expire_at=expire_at)
            return self.put(queue, made, confirm_id=confirm_id)
        if (priority, expire_ms, expire_at) != (None, None, None):
            raise LabError("a Message has its own priority and lifetime; give them to message() or copy()")
        target, destination = qmgr.route(queue, "put", self.caller)
        if message.uid is not None and not message.resend:
            qmgr.refuse(PutBefore(str(message.uid)), target.label, "put", self.caller)
        fresh = message.uid is None
        if fresh:
            message.uid, message.number = qmgr.new_uid(), qmgr.lab.next_message()
            if message.number < len(qmgr.lab.labels):
                qmgr.lab.labels[message.number] = message.body
        try:
            if target.kind == "synchronous":
                self._at_keeper(target, "put", lambda peer, name, who: peer.receive(name, message, confirm_id, who))
            else:
                rule = {"asynchronous": "MQE-13", "store-and-forward": "MQE-14"}.get(target.kind, "MQE-09")
                local_queue.put(target, message, self.caller, destination, confirm_id, rule)
        except (MQeError, NotSimulated) as refused:
            if fresh and getattr(getattr(refused.__cause__, "why", None), "lost", "request") == "request":
                message.uid = message.number = None
            raise
        return message

    @checked
    def get(self, queue: str, *, uid: MessageId | None = None, confirm_id: int = 0) -> Message:
        """Take the first message that is not locked, or the one with this id; MQeError "no matching message".

        Expired messages ahead of it are deleted and the queue's rule is notified of each (MQE-02). An answer that is
        lost takes the message with it, unless the get is assured.
        """
        target = self._source(queue, "get")
        return self._at_keeper(target, "get", lambda peer, name, who: peer.give(name, uid, confirm_id, who))

    def browse(self, queue: str) -> list[Message]:
        """The messages that a get could return, in its order."""
        target, now = self._source(queue, "browse"), self.qmgr.clock.time_us
        if target.kind == "synchronous":
            self.qmgr.refuse(NotBrowsable(target.kind), target.label, "browse", self.caller)
        entries = [entry for entry in target.entries() if entry.lock is None and not entry.expired(now)]
        for entry in entries:
            target.record("browse", entry, self.caller, "MQE-09")
        return [entry.message for entry in entries]

    @checked
    def confirm_put(self, queue: str, uid: MessageId | None) -> None:
        """Confirm an assured put, so that gets find the message. It names the message's id, not the confirm id.
        MQeError "no matching message"."""
        target, _ = self.qmgr.route(queue, "confirm_put", self.caller)
        answer = self._at_keeper(target, "confirm_put", lambda peer, name, who: peer.confirm(name, uid, who))
        self._require_known(answer, target, "confirm_put", uid)

    @checked
    def confirm_get(self, queue: str, uid: MessageId | None) -> None:
        """Delete a message that an assured get took. MQeError "no matching message"."""
        target = self._source(queue, "confirm_get")
        answer = self._at_keeper(target, "confirm_get", lambda peer, name, who: peer.release(name, uid, who))
        self._require_known(answer, target, "confirm_get", uid)

    @checked
    def undo(self, queue: str, confirm_id: int) -> int:
        """Undo the unconfirmed puts and gets that have this confirm id, and return their number."""
        target, _ = self.qmgr.route(queue, "undo", self.caller)
        return self._at_keeper(target, "undo", lambda peer, name, who: peer.take_back(name, confirm_id, who))

    def _source(self, queue: str, call: str) -> Queue:
        """A queue that this call can take from: local, or synchronous."""
        target = self.qmgr.find(queue, call, self.caller)
        if target.kind not in ("local", "synchronous"):
            self.qmgr.refuse(NotKeptHere(call, target.kind), target.label, call, self.caller)
        return target

    def _require_known(self, answer: str, target: Queue, call: str, uid: MessageId | None) -> None:
        if answer == "unknown":
            self.qmgr.refuse(NotLocked(str(uid)), target.label, call, self.caller)

    def _at_keeper(self, target: Queue, call: str, act: Callable[[Any, str, str | None], Any]) -> Any:
        """Return `act(queue manager, queue, program)` of the queue manager that keeps the messages of a queue."""
        # this one, or now (MQE-12) the owner of a synchronous queue; MQeError "no connection"
        qmgr = self.qmgr
        if target.kind != "synchronous":
            return act(qmgr, target.label, self.caller)
        who = self.caller or qmgr.name  # another queue manager always receives a name
        try:
            return wait_for(qmgr.clock, exchange(qmgr, target.owner, lambda peer: act(peer, target.name, who)))
        except LinkDown as broken:
            qmgr.refuse(broken.why, target.label, call, self.caller, broken)


@shown
class Application(Calls):
    """An application of a queue manager: its calls carry its name in the event log."""

    def __init__(self, qmgr: Any, caller: str):
        self.qmgr, self.caller = qmgr, caller

    def __repr__(self) -> str:
        return f"Application({self.caller!r} on {self.qmgr.name})"
