"""The unit of work: puts and gets that are committed together, or backed out together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ..words.arguments import checked
from ..words.because import Told
from ..words.constants import MQRC_BACKED_OUT, MQRC_SYNCPOINT_LIMIT_REACHED, MQRC_UOW_NOT_AVAILABLE
from ..words.shown import shown
from ..words.whys import Why
from . import get, put
from .message import Message, QueuedMessage

if TYPE_CHECKING:
    from .logical_order import LogicalOrder
    from .parts import Calls, LocalQueue
    from .target import Target


@shown
class UnitOfWork:
    """One unit of work of one application: commits at the end of a ``with`` block, backs out on an exception.

    `number` identifies it in the event log's `uow` column. Ended once, it takes no further calls (2255). `own` is
    whether it is its connection's, ended by MQCMIT or MQBACK (MQI-25); `marked` is the get that a backout leaves out.
    """

    def __init__(self, application: Calls, own: bool = False, number: int | None = None):
        self.application, self.qmgr, self.own = application, application.qmgr, own
        self.number = self.qmgr.lab.next_unit() if number is None else number
        self.marked: tuple[LocalQueue, QueuedMessage] | None = None
        self.subject = (self.qmgr.name, None, None)
        self.puts: list[tuple[LocalQueue, QueuedMessage]] = []
        self.gets: list[tuple[LocalQueue, QueuedMessage]] = []
        self.triggers: list[tuple[LocalQueue, QueuedMessage, bool]] = []  # each with whether a backout keeps it
        self.orders: dict[LogicalOrder, tuple] = {}  # the earlier positions of handles in their groups
        self.limit = self.qmgr.attributes["MAXUMSGS"]
        self.uncounted = 0  # segments that MAXUMSGS does not count, because they were one put
        self.open = True
        self.broken: Why | None = None  # the reason of the backout, if the application did not ask for it
        self.spares_non_persistent = False  # only gets of persistent messages are part of it (SYNCPOINT_IF_PERSISTENT)
        # a unit that a channel has asked its partner to commit: only the partner's answer, or an operator, ends it
        self.in_doubt, self.luwid, self.sequence, self.outlived = False, "", 0, False
        self.qmgr.units[self.number] = self

    def put(self, queue: str, body: bytes | str = b"", **descriptor: Any) -> Message:
        """Put in this unit of work: seen by others at the commit; its lifetime starts now (MQI-05, EXP-14)."""
        return self.application.put(queue, body, unit=self, **descriptor)

    def get(self, queue: str, **options: Any) -> Message | None:
        """Get in this unit of work: it leaves the depth at once, and the queue permanently at the commit (MQI-06)."""
        return self.application.get(queue, unit=self, **options)

    @property
    def uncommitted(self) -> list[tuple[LocalQueue, QueuedMessage]]:
        """Its puts, and the trigger messages that they led to."""
        return [*self.puts, *((queue, message) for queue, message, _ in self.triggers)]

    def require_room(self, target: Target, what: str, number: int = 1) -> None:
        """Refuse `number` more puts or gets (`what`) of `target` if the unit has ended (2255) or is full (2024)."""
        if self.broken and not self.open:
            broken = Told(self.broken.facts)
            self.application.refuse(MQRC_BACKED_OUT, "unit-broken", target, what, broken=broken, number=self.number)
        if not self.open:
            self.application.refuse(MQRC_UOW_NOT_AVAILABLE, "ended", target, what, number=self.number)
        if len(self.puts) + len(self.gets) + len(self.triggers) + number - self.uncounted > self.limit:
            self.application.refuse(MQRC_SYNCPOINT_LIMIT_REACHED, "maxumsgs", target, what, limit=self.limit)

    def remember(self, order: LogicalOrder) -> None:
        """Keep the position of a handle in a group before its first put or get in this unit of work (MQI-31)."""
        self.orders.setdefault(order, order.place())

    def take(self, queue: LocalQueue, message: QueuedMessage) -> None:
        """Hold a message that was put until the unit ends."""
        self.puts.append((queue, message))

    def commit(self, rule: str = "MQI-07") -> None:
        """Make every put available and every get permanent (MQI-07); `rule` is the rule of this commit."""
        seq = self._end("commit", rule)
        for queue, message in self.puts:
            queue.commit_put(message, seq)
        for queue, message, _ in self.triggers:
            queue.commit_put(message, seq)

    def backout(self) -> None:
        """Back out every put and restore every got message to its place, BackoutCount one higher (MQI-08).

        Handles return to their positions in groups before its first put or get (MQI-31). A get with
        MARK_SKIP_BACKOUT is left out: it is then all of a new unit of work of the connection, which goes on under the
        same number and is ended by MQCMIT or MQBACK (MQI-33).
        """
        seq = self._end("backout", "MQI-08")
        for queue, message in reversed(self.puts):
            put.undo(queue, message, self, seq)
        skipped = None if self.broken else self.marked
        for queue, message in reversed(self.gets):
            if (queue, message) != skipped:
                get.restore(queue, message, self, seq)
                if self.outlived and message.seq >= 0 and not (message.persistent or queue.keeps_nonpersistent):
                    queue.vanish(message, "lost", "MQI-16", seq)
        for queue, message, kept in self.triggers:
            if kept:
                put.keep_trigger(queue, message, self, seq)
            else:
                put.undo(queue, message, self, seq)
        for order, place in self.orders.items():
            order.stand(place)
        if skipped is not None:
            self._leave_out(*skipped, seq)

    def _leave_out(self, queue: LocalQueue, message: QueuedMessage, cause: int) -> None:
        """Begin the unit of work that a marked get becomes when this one is backed out."""
        unit = UnitOfWork(self.application, own=True, number=self.number)
        unit.gets.append((queue, message))
        self.application.work = unit
        queue.record("skip", message, self.application.caller, unit.number, "MQI-33", cause)

    def undo_since(self, puts: int, triggers: int, cause: int | None, rule: str = "MQI-08") -> None:
        """Back out all but the first `puts` puts and `triggers` trigger messages, because a call failed."""
        fired = [(queue, message) for queue, message, _ in self.triggers[triggers:]]
        for queue, message in reversed([*self.puts[puts:], *fired]):
            put.undo(queue, message, self, cause, rule)
        del self.puts[puts:], self.triggers[triggers:]

    def forget(self, queue: LocalQueue, cause: int) -> None:
        """Let its puts to a queue go with the queue, which is deleted."""
        for message in [message for owner, message in self.uncommitted if owner is queue]:
            queue.lose(message)
            queue.uncommitted -= 1
            queue.record("clear", message, self.application.caller, self.number, "MQI-15", cause)
        self.puts = [(owner, message) for owner, message in self.puts if owner is not queue]
        self.triggers = [trigger for trigger in self.triggers if trigger[0] is not queue]

    def dissolve(self) -> None:
        """End it without a row: nothing was done in it."""
        self.open = False
        del self.qmgr.units[self.number]

    @checked
    def prepare(self, luwid: str, sequence: int) -> None:
        """Hold the unit in doubt under an id of its own: it outlives its program and its queue manager (CHL-05)."""
        self.in_doubt, self.luwid, self.sequence = True, luwid, sequence
        self.application.record("prepare", self.subject, "CHL-05", uow=self.number, detail={"luwid": luwid})

    def hold(self, kept: bool) -> HeldTrigger:
        """Where a trigger message goes until this unit ends; `kept` if a backout delivers it as well (TRG-10a)."""
        return HeldTrigger(self, kept)

    def _end(self, kind: str, rule: str) -> int:
        self.qmgr.clock.passing.require_here()
        if not self.open:
            if self.application.gate is not None:
                self.application.gate.require_inside(kind)
            case = f"ended-{kind}"
            self.application.refuse(MQRC_UOW_NOT_AVAILABLE, case, None, kind, number=self.number)
        self.open = False
        del self.qmgr.units[self.number]
        return self.application.record(kind, self.subject, "MQI-25" if self.own else rule, uow=self.number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error_type: object, error: object, traceback: object) -> None:
        if self.open:
            self.backout() if error_type else self.commit()
        elif self.broken and error_type is None:
            self.application.refuse(
                MQRC_BACKED_OUT, "unit-broken", None, "commit", broken=Told(self.broken.facts), number=self.number
            )

    def __repr__(self) -> str:
        state = "open" if self.open else "ended"
        return f"UnitOfWork({self.number}, {state}, {len(self.puts)} puts, {len(self.gets)} gets)"


class HeldTrigger(UnitOfWork):
    """A substitute for a unit of work while a trigger message is put: MAXUMSGS counts it and never refuses it."""

    def __init__(self, unit: UnitOfWork, kept: bool):
        self.unit, self.kept, self.number = unit, kept, unit.number

    def require_room(self, target: Target, what: str, number: int = 1) -> None:
        """A trigger message is always admitted."""

    def take(self, queue: LocalQueue, message: QueuedMessage) -> None:
        """Hold the trigger message until the unit ends."""
        self.unit.triggers.append((queue, message, self.kept))

    def hold(self, kept: bool) -> HeldTrigger:
        """Where a trigger message goes that this one leads to: its queue, an initiation queue, can be triggered too."""
        return self.unit.hold(kept)


class Syncpoint:
    """The calls about a connection's own unit of work, `work`, begun by the first call that asks for one (MQI-25)."""

    work: UnitOfWork | None = None
    qmgr: Any
    gate: Any
    refuse: Callable[..., Any]

    def commit(self) -> None:
        """Commit the connection's own unit of work (MQCMIT); without one nothing happens. MQError 2003."""
        self._require_whole("commit")
        work, self.work = self.work, None
        if work is not None and work.open:
            work.commit()

    def backout(self) -> None:
        """Back the connection's own unit of work out (MQBACK); without one nothing happens."""
        if self.gate is not None:
            self.gate.require_inside("backout")
        work, self.work = self.work, None
        if work is not None and work.open:
            work.backout()

    def forget_empty_unit(self) -> None:
        """Forget a unit of work of its own in which nothing was done: a call that fails begins none."""
        work = self.work
        if work is not None and work.open and not (work.puts or work.gets or work.triggers):
            work.dissolve()
            self.work = None

    def _require_whole(self, call: str) -> None:
        """Refuse once with 2003 if the queue manager ended, and backed the connection's unit of work out."""
        if self.gate is not None:
            self.gate.require_inside(call)
        work = self.work
        if work is not None and work.broken:
            self.work = None
            self.refuse(MQRC_BACKED_OUT, "qmgr-ended", None, call, qmgr=self.qmgr.name, number=work.number)
