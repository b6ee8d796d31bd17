"""The unit of work: puts and gets that become final together, or not at all."""

from __future__ import annotations

from . import getting, putting
from .constants import MQRC_BACKED_OUT, MQRC_SYNCPOINT_LIMIT_REACHED, MQRC_UOW_NOT_AVAILABLE
from .message import Message

__all__ = ["UnitOfWork"]


class HeldTrigger:
    """Stands in for a unit of work while a trigger message is put: it does not count towards MAXUMSGS."""

    def __init__(self, unit, kept: bool):
        self.unit, self.kept, self.number, self.puts = unit, kept, unit.number, self

    def admit(self, target, what: str) -> None:
        """A trigger message is always admitted."""

    def append(self, put: tuple) -> None:
        """Keep the trigger message until the unit ends."""
        self.unit.triggers.append((*put, self.kept))


class UnitOfWork:
    """One unit of work of one application: commits at the end of a ``with`` block, backs out on an exception.

    `number` identifies it in the event log's `uow` column. Ended once, it takes no further calls (2255).
    """

    def __init__(self, application):
        self.application, self.qmgr = application, application.qmgr
        self.number = self.qmgr.lab.next_unit()
        self.place = (self.qmgr.name, None, None)
        self.puts: list = []
        self.gets: list = []
        self.triggers: list = []
        self.limit = self.qmgr.attributes["MAXUMSGS"]
        self.open, self.broken = True, False
        self.qmgr.units[self.number] = self

    def put(self, queue: str, body=b"", **descriptor) -> Message:
        """Put in this unit of work: seen by others at the commit; its lifetime starts now (MQI-05, EXP-14)."""
        return self.application.put(queue, body, unit=self, **descriptor)

    def get(self, queue: str, **options) -> Message:
        """Get in this unit of work: gone from the depth at once, for good at the commit (MQI-06)."""
        return self.application.get(queue, unit=self, **options)

    def admit(self, target, what: str, number: int = 1) -> None:
        """Refuse `number` more puts or gets (`what`) of `target` if the unit has ended (2255) or is full (2024)."""
        if not self.open:
            self.application.fail(
                MQRC_UOW_NOT_AVAILABLE,
                target,
                what,
                "MQI-07",
                f"unit of work {self.number} has ended",
                "begin another one with unit_of_work()",
            )
        if len(self.puts) + len(self.gets) + number > self.limit:
            self.application.fail(
                MQRC_SYNCPOINT_LIMIT_REACHED,
                target,
                what,
                "MQI-18",
                f"{self.limit} uncommitted puts and gets is MAXUMSGS",
                "commit more often, or ALTER QMGR MAXUMSGS(...)",
            )

    def commit(self) -> None:
        """Make every put visible and every get final (MQI-07)."""
        self._end("commit", "MQI-07")
        for queue, message in self.puts:
            putting.settle(queue, message)
        for queue, message, _ in self.triggers:
            putting.settle(queue, message)

    def backout(self) -> None:
        """Take every put back and return every got message to its place, BackoutCount one higher (MQI-08)."""
        seq = self._end("backout", "MQI-08")
        for queue, message in reversed(self.puts):
            putting.undo(queue, message, self, seq)
        for queue, message in reversed(self.gets):
            getting.restore(queue, message, self, seq)
        for queue, message, kept in self.triggers:
            if kept:
                putting.deliver(queue, message, self, seq)
            else:
                putting.undo(queue, message, self, seq)

    def hold(self, kept: bool) -> HeldTrigger:
        """Where a trigger message goes until this unit ends; `kept` if a backout delivers it all the same (TRG-10a)."""
        return HeldTrigger(self, kept)

    def _end(self, kind: str, rule: str) -> int:
        if not self.open:
            self.application.fail(
                MQRC_UOW_NOT_AVAILABLE,
                None,
                kind,
                rule,
                f"unit of work {self.number} has ended",
                "begin another one with unit_of_work()",
            )
        self.open = False
        del self.qmgr.units[self.number]
        return self.qmgr.lab.events.write(
            self.qmgr.clock.time_us,
            kind,
            self.place,
            uow=self.number,
            rule=rule,
            program=self.application.caller,
            cause=self.application.cause,
        )

    def __enter__(self):
        return self

    def __exit__(self, error_type, error, traceback):
        if self.open:
            self.backout() if error_type else self.commit()
        elif self.broken and error_type is None:
            self.application.fail(
                MQRC_BACKED_OUT,
                None,
                "commit",
                "MQI-16",
                f"{self.qmgr.name} ended and backed unit of work {self.number} out",
                "start the queue manager and do the work again",
            )

    def __repr__(self):
        state = "open" if self.open else "ended"
        return f"UnitOfWork({self.number}, {state}, {len(self.puts)} puts, {len(self.gets)} gets)"
