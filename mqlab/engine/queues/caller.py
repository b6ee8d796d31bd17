"""A caller of a queue manager: its name in the event log, and the refusal of its calls."""

from __future__ import annotations

from typing import Any, NoReturn

from ..extra import Admission, extras
from ..words import constants as mq
from ..words.errors import LabError, MQError
from ..words.refusals import Grounds
from ..world.interrupts import watch
from .message import Context
from .options import Uses
from .target import QueueTarget, Target
from .unit import Syncpoint, UnitOfWork


class Gate:
    """A gate that lets the calls of a connection through, or refuses them; `state` is whether it makes calls itself."""

    state = "stopped"

    @property
    def shown(self) -> str:
        """ASTATE of the connection, as DISPLAY CONN has it."""
        return "NONE"

    def require_inside(self, call: str) -> None:
        """Refuse a call that may not be made now."""

    def require_still(self, call: str, options: int = 0) -> None:
        """Refuse a call that has waited and may no longer go on; `options` is the sum of its MQGMO options."""

    def require_lasting(self, call: str) -> None:
        """Refuse a call that asks to fail if the queue manager is quiescing."""

    def require_outside(self, call: str) -> None:
        """Refuse the end of the connection."""

    def shown_of(self, handle: Any) -> str:
        """ASTATE of a handle."""
        return "NONE"

    def handle_closed(self, handle: Any) -> None:
        """A handle of the connection is closed."""

    def tell(self, reason: int) -> None:
        """The connection ends, for a reason code."""

    def end(self, commit: bool = True) -> None:
        """The connection has ended."""

    def left(self) -> None:
        """The row of its end is written."""


class Guard:
    """What asks for authority where a call opens something: the name as it is written, before its resolution."""

    def opened(self, caller: Caller, name: str, target: Target | None, uses: Uses, alternate: str | None) -> None:
        """Refuse an open with 2035; `target` is None for a model queue, `alternate` a user to open it for."""

    def named(self, caller: Caller, call: str, name: str, target: Target, need: str, options: int = 0) -> None:
        """Refuse a call that opens something by its name; `options` is a sum of MQPMO options."""

    def other(self, caller: Caller, call: str, kind: str, name: str, need: str) -> None:
        """Refuse a call about an object of another kind."""

    def allowed(self, user: str, kind: str, name: str) -> set[str]:
        """What a user may do with an object, in MQ's own words."""
        return set()

    def commanded(self, caller: Caller, verb: str, kind: str, name: str, user: str) -> None:
        """Refuse a command that came as a message of a user."""

    def created(self, caller: Caller, name: str) -> None:
        """A call has created a dynamic queue."""

    def arrived(self, caller: Caller, channel: Any, user: str, name: str) -> None:
        """Refuse the put of a message, with this UserIdentifier, that a channel brings to a queue."""


class Caller(Syncpoint):
    """A caller; `qmgr` is the queue manager that answers, `caller` the name the event log gives the caller, `cause`
    the event row that started it (None for a program that a person started), and `context` what its messages carry.

    `discard_rule` is the rule that its discards are named by where it is a program of MQ's own (EXP-36).
    """

    qmgr: Any
    caller: str | None
    cause: int | None
    client: tuple[str, int] | None = None  # of a client: its SVRCONN channel, and since when it is connected
    context: Context
    discard_rule: str | None = None
    get_rule = "CHL-02"
    """The rule of the gets of such a program from a transmission queue."""
    idle = False
    """Whether `Lab.run` need not wait for the end of its waits: for agents that wait for work."""
    program: Any = None
    """The Program that it is the application of, None for a person's calls."""
    gate: Gate | None = None
    """The gate that each of its calls must pass, if something has the connection or has broken it."""
    client_traffic: list[int] | None = None
    """The counts of a client that uses MQ's calls: calls, and bytes received from it and sent to it; None
    for clients whose calls are Python calls of the lab."""
    admission: Admission | None = None
    """What the extra that let its connection in knows of it."""
    runs_as: str | None = None
    """The user whose authority counts; None for a person, and for programs of MQ's own, which may do everything."""
    others_open = 0
    """How many handles it has on objects that no messages are put to."""
    connection = 0
    """The number of its connection; 0 for the queue manager's own calls."""

    def require_own(self, unit: UnitOfWork | None) -> None:
        """Raise LabError for a unit of work of another queue manager."""
        if unit is not None and (not isinstance(unit, UnitOfWork) or unit.qmgr is not self.qmgr):
            raise LabError(f"unit must be a unit of work of {self.qmgr.name}, from unit_of_work(); got {unit!r}")

    def refuse(
        self, reason: int, case: str, target: Target | None, call: str, name: str | None = None, **fields: object
    ) -> NoReturn:
        """Write the row of a refused call, then raise its MQError; `fields` are the fields of the case."""
        raise self.refusal(Grounds(reason, case, fields), target, call, name)

    def refusal(
        self,
        grounds: Grounds,
        target: Target | None,
        call: str,
        name: str | None = None,
        *,
        comp: int = mq.MQCC_FAILED,
        detail: dict | None = None,
        rule: str | None = None,
    ) -> MQError:
        """Log a call that is refused on these grounds, or that ends with a warning, and return its MQError. The row
        has `detail` if the call reached no queue. A `rule` replaces the rule of the case."""
        reason, rule = grounds.reason, rule or grounds.rule
        qmgr, lab = self.qmgr, self.qmgr.lab
        opened = None if target is None else target.object
        subject = (qmgr.name, name, None) if opened is None else opened.subject
        about = {"detail": detail} if opened is None else {"depth": opened.depth, "detail": opened.own_detail or None}
        seq = self.record(call, subject, rule, reason=reason, **about)
        for extra in extras():
            extra.refused(self, reason, target, name or subject[1] or "", call, seq, detail)
        shown = target.name if target is not None else name or ""
        inputs = opened.inputs if opened is not None and call == "get" else None

        def facts() -> dict:
            known = lab.facts(subject, seq)
            # a get by the name of its queue opens it, without a row in the log
            return known if inputs is None or not known else known | {"IPPROCS": inputs}

        return MQError(reason, shown, qmgr.name, rule, seq, facts, comp, grounds)

    def record(self, kind: str, subject: tuple, rule: str | None, **columns: object) -> int:
        """Write an event in the caller's name and with its cause, unless `columns` of the log give others; its seq."""
        columns = {"program": self.caller, "cause": self.cause, **columns}
        return self.qmgr.lab.events.write(self.qmgr.clock.time_us, kind, subject, rule=rule, **columns)

    def _require_input(self, target: QueueTarget, mode: str, call: str) -> None:
        if grounds := target.queue.why_no_input(mode):
            raise self.refusal(grounds, target, call)

    def require_handle(self, target: Target | None, call: str, name: str | None = None) -> None:
        """Refuse an open, and a call that opens a queue by its name, with 2017 if more than MAXHANDS handles would be
        open, on objects of all kinds."""
        most, handles = self.qmgr.attributes["MAXHANDS"], self.qmgr.handles
        free = most - self.others_open
        if len(handles) >= free and sum(handle.application is self for handle in handles) >= free:
            self.refuse(mq.MQRC_HANDLE_NOT_AVAILABLE, "maxhands", target, call, name, maxhands=most)

    def require_running(self, call: str = "open") -> None:
        """Refuse the call with 2059 if the queue manager is not running, or let its gate do so."""
        watch()
        if self.gate is not None and call not in ("callback", "control"):
            self.gate.require_inside(call)
        if not self.qmgr.running:
            self.refuse(mq.MQRC_Q_MGR_NOT_AVAILABLE, "not-running", None, call, qmgr=self.qmgr.name)
