"""The intra-group queuing agent of a member: gets what is for it from the shared transmission queue and delivers it."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from ..engine.queues import get
from ..engine.queues.forward import put_arrived
from ..engine.queues.message import Message, QueuedMessage, record_of
from ..engine.queues.reports import UNDELIVERED, give_up, undeliverable
from ..engine.queues.transmission import Enclosed, Opener, arrived
from ..engine.words import constants as mq
from ..engine.words.because import fact, refused_on
from ..engine.words.errors import LabError, MQError
from ..engine.words.whys import Why
from ..engine.world.clock import SECOND
from . import whys
from .shared_queue import QSG_TRANSMIT_QUEUE

NAME = "IGQ.AGENT"
BATCH = 50
"""Persistent messages in a batch."""
SHORT_RETRIES, SHORT_INTERVAL, LONG_INTERVAL = 10, 60, 1200
"""How many times it tries again after 60 seconds before that becomes 1200; the 999 999 999 long retries outlast the
calendar."""
UNEXPECTED = (mq.MQRC_RESOURCE_PROBLEM, mq.MQRC_UNEXPECTED_ERROR)
"""The reasons by which a put of the agent fails unexpectedly, as IGQ-04 has it."""
FIT = {"QSGDISP": "SHARED", "USAGE": "XMITQ", "INDXTYPE": "CORRELID"}
"""The attributes that the shared transmission queue must have."""
_RULES = ("IGQ-09", "IGQ-16")
_REPORTS = {mq.MQFB_COA: "IGQ-14", mq.MQFB_COD: "IGQ-14", mq.MQFB_EXPIRATION: "IGQ-15"}


class _Held(Exception):
    """The agent cannot go on: it backs out its batch and tries again later. `rule` and `why` say why."""

    def __init__(self, rule: str, why: Why):
        super().__init__(rule, why)
        self.rule, self.why = rule, why


class _Abend(Exception):
    """Raised in an agent that is to end abnormally."""


def tag_of(member: str) -> bytes:
    """Return the CorrelId by which the agent of a member selects its messages. The CorrelId of a member is its name, or
    a hash of a name of more than 24 characters."""
    name = member.encode()
    return name.ljust(24, b"\0") if len(name) <= 24 else blake2b(name, digest_size=24).digest()


def unfit(member: Any) -> Why | None:
    """Why the shared transmission queue, as a member has it, cannot serve intra-group queuing; None if it can."""
    definition = member.objects.named("QLOCAL", QSG_TRANSMIT_QUEUE)
    if definition is None:
        return whys.QueueNotDefined(QSG_TRANSMIT_QUEUE)
    wrong = [f"{key}({value})" for key, value in FIT.items() if definition.attributes.get(key) != value]
    return whys.QueueUnfit(QSG_TRANSMIT_QUEUE, wrong) if wrong else None


def opened(body: bytes, opener: Opener | None = None) -> Enclosed | None:
    """The header of a message on a transmission queue; None if it is not whole or cannot be read."""
    try:
        return (opener or Opener()).open(body)
    except ValueError:
        return None


class Agent:
    """The agent of one member. `state` is "STARTING", "RUNNING", "RETRYING" or "ENDED", `why` what it waits for.

    It gets and puts nonpersistent messages outside syncpoint, and persistent ones in a unit of work that it commits
    every 50 of them and when no more are available (IGQ-05, IGQ-06).
    """

    def __init__(self, igq: Any, qmgr: Any, restarted: bool):
        self.igq, self.qmgr = igq, qmgr
        self._restarted = restarted  # whether it starts with its queue manager, and has not looked at the queue yet
        self.tag, self.opener = tag_of(qmgr.name), Opener()
        self.state = "ENDED"
        self.why: Why | None = None
        self.program: Any = None
        self.unit: Any = None
        self.handle: Any = None
        self.holding: QueuedMessage | None = None  # a nonpersistent message that is on no queue
        self.retries = 0
        self._left: set[int] = set()  # the messages it has said it leaves
        self._faults: list[int] = []

    @property
    def because(self) -> str:
        """The reason why the agent waits, in a sentence; "" if it does not wait."""
        return fact(self.why) if self.why is not None else ""

    def launch(self) -> None:
        """Start it as a program."""
        self.state = "STARTING"
        self.program = self.qmgr.run_program(NAME, self._run)

    def fail(self) -> None:
        """Let it end abnormally where it is; it starts itself again (IGQ-03). LabError if it does not run."""
        if self.program is None or self.program.state != "running":
            raise LabError(f"the IGQ agent of {self.qmgr.name} must be running, and is not: start the queue manager")
        if self.state != "STARTING":
            self.program.interrupt(_Abend())

    def fail_next_put(self, reason: int = mq.MQRC_UNEXPECTED_ERROR) -> None:
        """Let the next put of a message fail with `reason`, an MQRC: an unexpected one (2102, 2195) or any other."""
        MQError(reason)  # LabError for an unknown reason code
        self._faults.append(reason)

    def _run(self, app: Any) -> None:
        app.idle, app.discard_rule, app.get_rule = True, "IGQ-15", "IGQ-05"
        try:
            while True:
                try:
                    self._serve(app)
                except _Held as held:
                    self._retry(held)
        except _Abend:
            self._tell("FAILED", "IGQ-03", whys.EndedAbnormally())
            self.launch()
        finally:
            if self.state != "STARTING":
                self.state = "ENDED"

    def _serve(self, app: Any) -> None:
        """Get and deliver for as long as nothing holds it up."""
        try:
            self._open(app)
            while True:
                message = self._next(app)
                if message is not None:
                    self._move(app, message)
        except MQError as error:
            raise _Held("IGQ-10", whys.CallRefused(error.reason, error.name, refused_on(error.grounds))) from error
        finally:
            self._leave()

    def _open(self, app: Any) -> None:
        why = unfit(self.qmgr)
        if why is not None:
            raise _Held("IGQ-10", why)
        self.handle = app.open(QSG_TRANSMIT_QUEUE, input="shared")
        self.state, self.why = "RUNNING", None
        waiting, self._restarted = sum(1 for _ in self._own()) if self._restarted else 0, False
        if waiting:
            self._tell("RUNNING", "IGQ-11", whys.Started(self.qmgr.name, waiting))

    def _own(self) -> Any:
        """The messages for this agent with a header it can read, in order."""
        queue = self.handle.queue
        return (message for message in queue.store.matching(None, self.tag) if self._fits(message))

    def _fits(self, message: QueuedMessage) -> bool:
        """Whether it can deliver a message; it leaves one without a whole header where it is and says so once."""
        fits = opened(message.body, self.opener) is not None
        if not fits and message.number not in self._left:
            self._left.add(message.number)
            self._tell("RUNNING", "IGQ-13", whys.NoWholeHeader(message.number))
        return fits

    def _next(self, app: Any) -> Any:
        """The next message; commits what is in the batch before it waits. None if only expired ones were left."""
        if self.unit is None:
            self.unit = app.unit_of_work()
            self.unit.spares_non_persistent = True
        wait = 0
        if next(self._own(), None) is None:
            if self.unit.gets:
                self._commit()
                return None
            self.retries, wait = 0, mq.MQWI_UNLIMITED
        about = (app, self.handle.target, wait, None, self.tag, self.unit, self.handle)
        try:
            return get.fetch(get.Call(*about, fitting=lambda queue, handle: self._fits))
        except MQError as error:
            if error.reason != mq.MQRC_NO_MSG_AVAILABLE:
                raise
            return None

    def _move(self, app: Any, message: Message) -> None:
        """Deliver one message, and commit when the batch is full."""
        outer, unit = record_of(message), self.unit if message.persistent else None
        if unit is None:
            self.holding = outer
        header = self.opener.open(message.body)
        inner = arrived(header, outer, self.qmgr.clock.time_us)
        if self.igq.pace_us:
            clock = self.qmgr.clock
            clock.advance_to(clock.time_us + self.igq.pace_us)
            if unit is not None and not unit.open:
                raise _Held("IGQ-12", whys.BatchBackedOut(unit.broken.facts))
        self._deliver(app, inner, header, unit)
        self.holding = None
        if unit is None:
            self.retries = 0
        elif len(unit.gets) >= BATCH:
            self._commit()

    def _deliver(self, app: Any, message: QueuedMessage, header: Enclosed, unit: Any) -> None:
        """Put a message on the queue in its header, or dispose of it."""
        # if a put fails that should not, a nonpersistent message is lost and a persistent one is tried again (IGQ-04)
        expired = message.expires_us is not None and message.expires_us <= self.qmgr.clock.time_us
        try:
            if not expired:
                self._put(app, message, header, unit)
                return
            reason = 0
        except MQError as error:
            reason = error.reason
        if reason in UNEXPECTED and unit is not None:
            raise _Held("IGQ-04", whys.PutFailed(header.queue, reason))
        if reason in UNEXPECTED:
            self.handle.queue.record("lost", self.holding, NAME, None, "IGQ-04", app.cause)
            return
        fate = undeliverable(app, message, reason, header.queue, header.qmgr, unit, True, _RULES)
        if fate.outcome == UNDELIVERED and unit is None:
            fate = give_up(app, message, reason, header.queue, None, ("IGQ-10", "IGQ-16"))
        elif fate.outcome == UNDELIVERED:
            raise _Held("IGQ-10", whys.NotDelivered(header.queue, reason, fate.refused))
        if fate.report_lost and unit is not None:
            raise _Held("IGQ-16", whys.ReportLost(header.queue))

    def _put(self, app: Any, message: QueuedMessage, header: Enclosed, unit: Any) -> None:
        if self._faults:
            app.refuse(self._faults.pop(0), "fail-next-put", None, "put", header.queue)
        put_arrived(app, message, header.queue, header.qmgr, unit, _rule(message))

    def _commit(self) -> None:
        self.unit.commit("IGQ-06")
        self.unit, self.retries = None, 0

    def _leave(self) -> None:
        """Back out the batch, lose the messages it holds outside it, and close the queue."""
        unit, self.unit = self.unit, None
        if unit is not None and unit.open:
            unit.backout() if unit.gets else unit.dissolve()
        held, self.holding = self.holding, None
        if held is not None:
            self.handle.queue.record("lost", held, NAME, None, "IGQ-03", self.program.seq)
        handle, self.handle = self.handle, None
        if handle is not None and handle.target is not None:
            handle.close()

    def _retry(self, problem: _Held) -> None:
        """Wait for the next attempt: 60 seconds ten times, then 1200."""
        seconds = SHORT_INTERVAL if self.retries < SHORT_RETRIES else LONG_INTERVAL
        self.retries += 1
        self.why = problem.why
        self._tell("RETRYING", problem.rule, problem.why, whys.AgainIn(seconds))
        clock = self.qmgr.clock
        clock.wait(clock.event(), clock.time_us + seconds * SECOND, True)

    def _tell(self, state: str, rule: str, why: Why, then: Why | None = None) -> int:
        """Be in a state, and write the `agent` row that says so; its seq."""
        self.state = state
        place = (self.qmgr.name, QSG_TRANSMIT_QUEUE, None)
        detail = {"state": state, "why": why.facts, **({"then": then.facts} if then else {})}
        return self.qmgr.record("agent", place, rule, program=NAME, cause=self.program.seq, detail=detail)

    def __repr__(self) -> str:
        return f"Agent({self.qmgr.name!r}, {self.state})"


def _rule(message: QueuedMessage) -> str:
    """The rule of the agent's put of a message: what it delivers a report or an aging message by."""
    about = message.descriptor
    if about.msg_type == mq.MQMT_REPORT:
        return _REPORTS.get(about.feedback, "IGQ-16")
    return "IGQ-02" if message.expires_us is None else "EXP-03"
