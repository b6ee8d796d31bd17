"""The calls an application makes of a queue manager: open, put, get, browse, and units of work."""

from __future__ import annotations

from . import getting, putting
from .clock import microseconds
from .constants import (
    MQEI_UNLIMITED,
    MQRC_OBJECT_IN_USE,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_Q_MGR_NOT_AVAILABLE,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from .errors import LabError, MQError, NotSimulated
from .handle import Handle
from .message import Message, as_identifier
from .objects import legal_name
from .store import Cursor
from .unit import UnitOfWork

__all__ = ["Application", "Calls"]


class Calls:
    """The calls; `qmgr` is the queue manager that answers, `program` the name the event log gives the caller, and
    `cause` the event row that started it (None for a program that a person started)."""

    def open(self, queue: str, *, input=None, browse=False, output=False, inquire=False, set=False) -> Handle:
        """Open a queue (MQOPEN): `input` is None, "shared", "exclusive" or "as_q_def". MQError 2042, 2082, 2085."""
        if input not in (None, "shared", "exclusive", "as_q_def"):
            raise LabError(f'input wanted: None, "shared", "exclusive" or "as_q_def"; got {input!r}')
        target = self.resolve(queue, "open")
        if input is not None:
            self._admit_input(target, input, "open")
        return Handle(self, target, input, browse, output, inquire, set)

    def put(
        self,
        queue: str,
        body=b"",
        *,
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
        """Put one message (MQPUT1); the message as put.

        `expiry` is in tenths of a second, -1 unlimited; `priority` 0 to 9 and `persistent` come from the queue when
        None; `report` is a sum of MQRO options. MQError: 2013, 2027, 2029, 2030, 2050, 2051, 2053, 2061, 2085.
        """
        target = self.resolve(queue, "put")
        descriptor = putting.describe(self, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr)
        return putting.put(self, target, body, expiry, priority, persistent, msg_id, correl_id, descriptor, unit)

    def get(self, queue: str, *, wait=0, msg_id=None, correl_id=None, unit=None) -> Message:
        """Open, get one message, close; `wait` is in seconds. MQError: 2016, 2033 (nothing it may take), 2042, 2085."""
        target = self.resolve(queue, "get")
        self._admit_input(target, "as_q_def", "get")
        return getting.get(
            self,
            target,
            microseconds(wait, "wait"),
            as_identifier(msg_id, "msg_id"),
            as_identifier(correl_id, "correl_id"),
            unit,
        )

    def browse(self, queue: str, *, msg_id=None, correl_id=None) -> Message:
        """A copy of the first message that matches, left on the queue. MQError: 2016, 2033, 2085."""
        return getting.browse(
            self,
            self.resolve(queue, "browse"),
            Cursor(),
            as_identifier(msg_id, "msg_id"),
            as_identifier(correl_id, "correl_id"),
        )

    def unit_of_work(self) -> UnitOfWork:
        """Begin a unit of work: ``with app.unit_of_work() as uow: uow.get(...); uow.put(...)``."""
        self._require_running()
        return UnitOfWork(self)

    def depth(self, queue: str) -> int:
        """CURDEPTH: every message on the queue, lapsed and uncommitted ones too (EXP-17). MQError 2085."""
        return self.resolve(queue, "inquire").queue.depth

    def resolve(self, name: str, call: str):
        """The queue a name leads to: a local queue, or an alias of one. MQError 2082, 2085, 2152."""
        qmgr = self.qmgr
        if qmgr.running:
            target = qmgr.targets.get(name)
            if target is not None:
                return target
        self._require_running()
        if not legal_name(name):
            self.fail(
                MQRC_OBJECT_NAME_ERROR,
                None,
                call,
                "MQI-14",
                f"{name!r} cannot be the name of a queue",
                "1 to 48 of A-Z a-z 0-9 . _ / %",
                name=str(name),
            )
        definition = qmgr.objects.named("QLOCAL", name)
        if definition is None:
            near = qmgr.objects.near("QLOCAL", name)
            self.fail(
                MQRC_UNKNOWN_OBJECT_NAME,
                None,
                call,
                "MQI-14",
                "no queue has this name",
                f"did you mean {' or '.join(near)}?" if near else f"DEFINE QLOCAL({name})",
                name=name,
            )
        if definition.kind == "QALIAS":
            base = definition.attributes["TARGET"]
            if qmgr.objects.named("QLOCAL", base) is None:
                self.fail(
                    MQRC_UNKNOWN_ALIAS_BASE_Q,
                    None,
                    call,
                    "MQI-14",
                    f"its TARGET {base!r} is not defined",
                    f"DEFINE QLOCAL({base}), or ALTER QALIAS({name}) TARGET(...)",
                    name=name,
                )
        raise NotSimulated(
            f"{definition.kind} {name}: its definition is kept and shown, but mqlab does not simulate "
            f"opening it yet. Use a local queue, or an alias of one"
        )

    def fail(self, reason, target, call, rule, said, hint, name=None):
        """Raise the MQError of a refused call, after its row in the log."""
        raise self.refusal(reason, target, call, rule, said, hint, name)

    def refusal(self, reason, target, call, rule, said, hint, name=None) -> MQError:
        """The MQError of a refused call; its row is written to the log."""
        qmgr, lab = self.qmgr, self.qmgr.lab
        queue = target.queue if target is not None else None
        place = queue.place if queue is not None else (qmgr.name, name, None)
        seq = lab.events.write(
            qmgr.clock.time_us,
            call,
            place,
            program=self.program,
            reason=reason,
            rule=rule,
            depth=queue.depth if queue is not None else None,
            cause=self.cause,
        )
        shown = target.name if target is not None else name or ""
        return MQError(reason, shown, qmgr.name, said, hint, rule, seq, known=lambda: lab.facts(place, seq))

    def _admit_input(self, target, mode: str, call: str) -> None:
        queue = target.queue
        if queue.inputs and (why := queue.refuse_input(mode)):
            self.fail(MQRC_OBJECT_IN_USE, target, call, "MQI-14", why, "wait until it is closed, or open it shared")

    def _require_running(self) -> None:
        if not self.qmgr.running:
            self.fail(
                MQRC_Q_MGR_NOT_AVAILABLE,
                None,
                "open",
                "MQI-16",
                f"{self.qmgr.name} is not running",
                f'lab["{self.qmgr.name}"].start()',
            )


class Application(Calls):
    """One application connected to a queue manager by name (MQCONN): the same calls, made in its name."""

    def __init__(self, qmgr, program: str | None, cause: int | None = None):
        self.qmgr, self.program, self.cause = qmgr, program, cause

    def __repr__(self):
        return f"Application({self.program!r} on {self.qmgr.name})"
