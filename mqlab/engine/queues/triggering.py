"""Triggering: the conditions for a trigger event, and the trigger message that the queue manager writes.

Every condition is one row of CONDITIONS: its rule, when it is asked, and a function that gives its truth and the fact
behind it. The queue manager decides by them, and `why_not_triggered` shows them; there is no second list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..words import whys
from ..words.because import fact
from ..words.constants import MQEI_UNLIMITED, MQFMT_TRIGGER
from ..words.errors import MQError, RunawayTrigger, visible
from ..words.headers import MQTM, TriggerMessage
from ..words.shown import shown
from ..words.whys import Why
from .dead_letter import dead_letter
from .message import Descriptor, QueuedMessage
from .put import Put, put
from .queue import LocalQueue

if TYPE_CHECKING:
    from .parts import UnitOfWork

# the most triggers of a queue by closes after no work; one more counts as a runaway loop
RUNAWAY = 1_000


WHOLE = (0, 1)
"""A message that is not segmented: the first segment of one."""


Fact: TypeAlias = tuple[bool, Why]
"""Whether a condition is met, and the fact behind it: a plain pair, because each put makes five of them."""


class Decision(NamedTuple):
    """Whether a trigger message is written, the rule that says so, the fact behind it, and another one."""

    fires: bool
    rule: str
    why: Why
    then: Why | None = None

    def sentence(self, style: str = "text") -> str:
        """The facts in words."""
        return "; ".join(fact(why, style) for why in (self.why, self.then) if why is not None)


class Condition(NamedTuple):
    """One condition for a trigger event: `rule`, a title, and `test(trigger) -> Fact`."""

    rule: str
    title: str
    test: Callable[[Trigger], Fact]


def _nobody_reads(trigger: Trigger) -> Fact:
    queue = trigger.queue
    if trigger.type == "EVERY":
        return True, whys.EveryAsksNobody()
    return queue.inputs == 0, whys.OpenForInput(queue.name, queue.inputs)


def _gets_allowed(trigger: Trigger) -> Fact:
    queue = trigger.queue
    if queue.qmgr.platform != "zos" and trigger.attributes["USAGE"] != "XMITQ":
        return True, whys.AskedOnZosOnly(queue.qmgr.name, queue.qmgr.platform)
    if queue.out_of_reach is not None:
        return False, queue.out_of_reach
    inhibited = queue.get_inhibited
    return not inhibited, whys.GetAttribute(queue.name, "DISABLED" if inhibited else "ENABLED")


def _process_known(trigger: Trigger) -> Fact:
    queue, name = trigger.queue, trigger.attributes["PROCESS"]
    if name:
        found = queue.qmgr.objects.get("PROCESS", name) is not None
        return found, whys.ProcessNamed(name, found)
    usage = trigger.attributes["USAGE"]
    return usage == "XMITQ", whys.NoProcess(usage)


def _initiation_queue(trigger: Trigger) -> Fact:
    name = trigger.attributes["INITQ"]
    initq = trigger.initiation_queue()
    if not name:
        return False, whys.NoInitq()
    if initq is None:
        return False, whys.InitqNotLocal(name, trigger.queue.qmgr.name)
    usage = (initq.definition.attributes["USAGE"] != "NORMAL", "USAGE(XMITQ)")
    defects = ((initq.get_inhibited, "GET(DISABLED)"), (initq.put_inhibited, "PUT(DISABLED)"), usage)
    wrong = [words for holds, words in defects if holds]
    return not wrong, whys.InitqUnusable(name, wrong) if wrong else whys.InitqUsable(name)


def _monitor_running(trigger: Trigger) -> Fact:
    initq = trigger.initiation_queue()
    if initq is None:
        return False, whys.NoQueueToOpen()
    return initq.inputs > 0, whys.OpenForInput(initq.name, initq.inputs)


def _trigger_on(trigger: Trigger) -> Fact:
    on = trigger.attributes["TRIGGER"]
    return on, whys.TriggerControl(trigger.queue.name, on)


def _type_set(trigger: Trigger) -> Fact:
    return trigger.type != "NONE", whys.TriggerType(trigger.type)


CONDITIONS = (
    Condition("TRG-09", "triggering is on", _trigger_on),
    Condition("TRG-10", "the trigger type is not NONE", _type_set),
    Condition("TRG-04", "nobody has the queue open for input", _nobody_reads),
    Condition("TRG-05", "gets are allowed (z/OS, and transmission queues)", _gets_allowed),
    Condition("TRG-06", "the process is defined", _process_known),
    Condition("TRG-07", "the initiation queue can be used", _initiation_queue),
    Condition("TRG-08", "a trigger monitor has the initiation queue open", _monitor_running),
)
"""The conditions that do not concern the message itself, in the order in which they are asked."""


def _qualifying(number: int) -> str:
    return f"{number} qualifying message{'' if number == 1 else 's'}"


def attach(queue: LocalQueue) -> None:
    """Give a queue its trigger if it is set up for triggering (TRIGGER, INITQ or PROCESS), or take it away."""
    attributes = queue.definition.attributes
    if not (attributes["TRIGGER"] or attributes["INITQ"] or attributes["PROCESS"]):
        queue.trigger = None
    elif queue.trigger is None:
        queue.trigger = _trigger_of(queue)
    else:
        queue.trigger.recount()
    if queue.trigger is not None:
        queue.qmgr.initiation_queues.add(attributes["INITQ"])  # a name that no queue has now does no harm


def _trigger_of(queue: LocalQueue) -> Trigger:
    return (queue.own_trigger or Trigger)(queue)


def initiation_queue_changed(initq: LocalQueue, cause: int | None, rule: str, excluded: tuple[str, ...]) -> None:
    """Something changed at a queue that may be an initiation queue: ask every queue that it serves (TRG-13a, 13c)."""
    if initq.name not in initq.qmgr.initiation_queues:
        return
    for queue in initq.qmgr.queues:
        if queue.trigger is not None and queue.trigger.attributes["INITQ"] == initq.name:
            queue.trigger.changed(cause, rule, excluded)


class Trigger:
    """The trigger state of one queue; `fired` is the row of its last trigger message, None for never.

    `qualifying` counts the messages at or above TRIGMPRI, uncommitted ones too (TRG-02, TRG-03a); `last_us` is when the
    last trigger message was written since the queue manager started, None for never (TRG-11a); `closes` counts the
    closes in a row that left enough messages to trigger.
    """

    conditions: tuple[Condition, ...] = CONDITIONS

    def __init__(self, queue: LocalQueue):
        self.queue = queue
        self.last_us: int | None = None
        self.fired: int | None = None
        self.closes = self._fruitless = self._changes = 0
        self.segments = WHOLE  # which segment of how many is being put (TRG-16)
        self._last_close = (-1, 0, 0)  # when, how many qualified then, how many had come and gone
        self._firing = False
        self.recount()

    @property
    def attributes(self) -> dict:
        """The attributes of the queue."""
        return self.queue.definition.attributes

    @property
    def type(self) -> str:
        """FIRST, EVERY, DEPTH or NONE."""
        return self.attributes["TRIGTYPE"]

    def recount(self) -> None:
        """Count the qualifying messages again, after TRIGMPRI may have changed."""
        self.threshold = self.attributes["TRIGMPRI"]
        messages = [m for m in self.queue.store.in_order() if m.filed >= self.threshold]
        units = self.queue.qmgr.units.values()
        put = [m for unit in units for queue, m in unit.uncommitted if queue is self.queue]
        self.qualifying = len(messages) + sum(m.filed >= self.threshold for m in put)

    def left(self, message: QueuedMessage) -> None:
        """A message left the queue."""
        self.qualifying -= message.filed >= self.threshold
        self._changes += 1

    def returned(self, message: QueuedMessage) -> None:
        """A backed-out get restored a message to the queue."""
        self.qualifying += message.filed >= self.threshold
        self._changes -= 1

    def initiation_queue(self) -> LocalQueue | None:
        """The local queue named in INITQ, or None."""
        found = self.queue.qmgr.targets.get(self.attributes["INITQ"])
        return found if isinstance(found, LocalQueue) else None

    def arrived(self, message: QueuedMessage, unit: UnitOfWork | None, cause: int, rule: str | None = None) -> None:
        """A message was put (TRG-01): write a trigger message if conditions 2 to 10, or 11, hold.

        A message that a queue's own trigger led to does not trigger it again.
        """
        qualifies = message.filed >= self.threshold
        before, self.qualifying = self.qualifying, self.qualifying + qualifies
        self._changes += 1
        with_it, number = self.segments
        if with_it < number - 1:
            return
        own = 0 if unit is None else with_it + 1
        self.act(self.decide(message, before, self.queue.uncommitted - own), cause, unit, rule)

    def decide(self, message: QueuedMessage, before: int, uncommitted: int) -> Decision:
        """Whether a message that came to `before` qualifying ones fires."""
        if message.filed < self.threshold:
            rule = "TRG-14" if self.queue.fifo else "TRG-02"
            return Decision(False, rule, whys.BelowTrigmpri(message.filed, self.threshold))
        if self._firing:
            return Decision(False, "TRG-12a", whys.OwnTrigger())
        failed = self._failing(())
        if failed is not None:
            return Decision(False, *failed)
        return self._count_fires(before, uncommitted, self.segments[0])

    def act(self, decision: Decision, cause: int, unit: UnitOfWork | None, rule: str | None = None) -> None:
        """Write the trigger message that was decided on, by `rule` if that explains more, or the reason against one."""
        if decision.fires:
            by = "TRG-16" if self.segments[0] else rule or decision.rule
            self._fire(by, decision.why, cause, unit, decision.then)
        else:
            self._decline(decision.rule, decision.why, cause, decision.then)

    def _count_fires(self, before: int, uncommitted: int = 0, with_it: int = 0) -> Decision:
        """Whether the number of qualifying messages there were asks for a trigger message (TRG-03, TRG-11)."""
        # the last `with_it` of them are segments of the same put, and any of them may have been the one (TRG-16)
        kind = self.type
        if kind in ("EVERY", "NONE"):
            return Decision(True, "TRG-03", whys.Qualifying(before))
        wanted = 0 if kind == "FIRST" else self.attributes["TRIGDPTH"] - 1
        if before - with_it <= wanted <= before:
            return Decision(True, "TRG-03a" if uncommitted else "TRG-03", whys.Qualifying(before))
        if before < wanted:
            return Decision(False, "TRG-03", whys.QualifyingDepth(before, wanted + 1))
        if kind == "DEPTH":
            return Decision(True, "TRG-11", whys.Qualifying(before))
        interval = self.queue.qmgr.attributes["TRIGINT"]
        if self.last_us is None:
            return Decision(True, "TRG-11a", whys.QualifyingFirst(before))
        passed = self.queue.clock.time_us - self.last_us
        why = whys.QualifyingInterval(before, passed // 1000, interval)
        return Decision(passed >= interval * 1000, "TRG-11", why)

    def closed(self, cause: int) -> None:
        """The last program that had the queue open for input closed it (TRG-12)."""
        if self.type not in ("FIRST", "DEPTH") or not self.attributes["TRIGGER"]:
            return
        if self.qualifying < self._needed():
            self.closes = 0
            if self.queue.depth_in_gets():
                self._decline("TRG-12b", whys.GetsUncommitted(), cause)
            return
        failed = self._failing(("TRG-04", "TRG-05"))
        if failed is not None:
            self._decline(*failed, cause)
            return
        self.closes += 1
        self._guard(self.queue.clock.time_us)
        first = self.queue.store.first()
        rule = "TRG-12b" if first is not None and first.backout_count else "TRG-12a" if self.closes > 1 else "TRG-12"
        self._fire(rule, whys.ClosedWith(self.qualifying), cause, None)

    def changed(self, cause: int, rule: str, excluded: tuple[str, ...]) -> None:
        """An attribute or an open changed (TRG-13 and its cases): write one trigger message if the rest holds."""
        if self.qualifying < self._needed():
            return
        failed = self._failing(excluded)
        if failed is not None:
            self._decline(*failed, cause)
            return
        several = self.type == "EVERY" and self.qualifying > 1
        self._fire("TRG-15" if several else rule, whys.QualifyingWait(self.qualifying), cause, None)

    def _needed(self) -> int:
        return self.attributes["TRIGDPTH"] if self.type == "DEPTH" else 1

    def _failing(self, excluded: tuple[str, ...]) -> tuple[str, Why] | None:
        """The rule of the first condition that is not met, of those not excluded, and the fact behind it."""
        for rule, _, test in self.conditions:
            if rule not in excluded:
                holds, why = test(self)
                if not holds:
                    return rule, why
        return None

    def _decline(self, rule: str, why: Why, cause: int, then: Why | None = None) -> None:
        self._write(False, rule, why, then, cause)

    def _write(self, fired: bool, rule: str, why: Why, then: Why | None, cause: int) -> int:
        queue, qmgr = self.queue, self.queue.qmgr
        detail = {"fired": fired, "case": why.case, **vars(why)}
        if then is not None:
            detail["then"] = then.facts
        about = {"program": qmgr.name, "cause": cause, "detail": detail}
        return qmgr.record("trigger", queue.subject, rule, depth=queue.depth, **about)

    def _fire(self, rule: str, why: Why, cause: int, unit: UnitOfWork | None, then: Why | None = None) -> None:
        """Write the trigger message; in a unit of work it becomes available when that ends (TRG-10a)."""
        # its ReplyToQMgr is this queue manager; one that cannot be put goes to the dead-letter queue at once and in no
        # unit of work
        queue, now, initq = self.queue, self.queue.clock.time_us, self.initiation_queue()
        if initq is None:
            return  # TRG-07 is asked before each trigger message
        self.fired = seq = self._write(True, rule, why, then, cause)
        sender = queue.qmgr.reporter(seq)
        # a trigger message may come to this very queue, where it is the initiation or the dead-letter queue too
        self._firing = True
        work = None if unit is None else unit.hold(self.type != "EVERY")
        put_by = "EXP-24" if unit is None else "TRG-10a"
        about, data = Descriptor(format=MQFMT_TRIGGER, reply_to_qmgr=queue.qmgr.name), MQTM.pack(self.message())
        message = Put(sender, initq, data, MQEI_UNLIMITED, persistent=False, descriptor=about, unit=work, rule=put_by)
        try:
            put(message, initq)
        except MQError as refused:
            # that of the dead-letter queue itself would lead to another one
            elsewhere = queue.name != queue.qmgr.attributes["DEADQ"]
            dead_letter(message.but(unit=None, rule=None), refused.reason, self.attributes["INITQ"], use=elsewhere)
        finally:
            self._firing = False
        self.last_us = now
        if self.type == "DEPTH":
            self.attributes["TRIGGER"] = False
            queue.qmgr.record("alter", queue.subject, "TRG-03", cause=seq, detail={"TRIGGER": False})

    def _guard(self, now: int) -> None:
        """Stop a queue whose server is started again and again and gets nothing done (TRG-12a)."""
        # a close was fruitless if nothing has come or gone since the one before, or if at one moment no fewer messages
        # are left; RunawayTrigger after too many of these in a row
        then, least, changes = self._last_close
        idle = self._changes == changes or (now == then and self.qualifying >= least)
        self._fruitless = self._fruitless + 1 if idle else 1
        self._last_close = (now, self.qualifying, self._changes)
        if self._fruitless > RUNAWAY:
            self._fruitless, queue = 0, self.queue
            queue.qmgr.record("fault", queue.subject, "TRG-12a", depth=queue.depth)
            raise RunawayTrigger(
                f"{queue.name} was triggered {RUNAWAY} times and its server got nothing done: each time it closes the "
                f"queue, {_qualifying(self.qualifying)} left, and it is triggered again (TRG-12a). Let the "
                f"server get every message before it closes, or ALTER QLOCAL({queue.name}) NOTRIGGER",
                (f"QLOCAL({queue.name})", "NOTRIGGER"),
            )

    def message(self) -> TriggerMessage:
        """The contents of a trigger message written now (TRG-06)."""
        attributes, qmgr = self.attributes, self.queue.qmgr
        process = qmgr.objects.get("PROCESS", attributes["PROCESS"]) if attributes["PROCESS"] else None
        if process is None:
            return TriggerMessage(self.queue.name, "", attributes["TRIGDATA"])
        of = process.attributes
        about = (attributes["TRIGDATA"], of["APPLTYPE"], of["APPLICID"], of["ENVRDATA"], of["USERDATA"])
        return TriggerMessage(self.queue.name, process.name, *about)


@shown
class Reasons(NamedTuple):
    """The present conditions: rows of (rule, title, holds, fact), and the conclusion if all are met or one is not;
    `last` says what became of the last attempt, "" if there is nothing to say."""

    queue: str
    rows: tuple[tuple[str, str, bool, str], ...]
    if_all: str = "the next qualifying put triggers"
    if_not: str = "not triggered"
    last: str = ""

    @property
    def missing(self) -> list[str]:
        """The rules that are not met now."""
        return [rule for rule, _, holds, _ in self.rows if not holds]

    def __str__(self) -> str:
        lines = [f"{'yes' if holds else 'NO ':3} {rule:7} {title}: {said}" for rule, title, holds, said in self.rows]
        verdict = f"{self.if_not}: stopped by {', '.join(self.missing)}" if self.missing else self.if_all
        before = [f"{self.queue}: {self.last}"] if self.last else []
        return visible("\n".join([*before, f"{self.queue}: {verdict}", *lines]))


def why_not_triggered(queue: LocalQueue) -> Reasons:
    """Every condition for a trigger event on a queue with its truth now; nothing is changed."""
    trigger = queue.trigger if queue.trigger is not None else _trigger_of(queue)
    number = trigger._count_fires(trigger.qualifying)
    filed, filed_by = f"TRIGMPRI is {trigger.threshold}", "TRG-02"
    if queue.fifo:
        filed, filed_by = f"{filed}, FIFO files by DEFPRTY({queue.defprty})", "TRG-14"
    rows = (
        (filed_by, "a message put now can qualify", not (queue.fifo and queue.defprty < trigger.threshold), filed),
        (number.rule, "the number of qualifying messages asks for it", number.fires, number.sentence("now")),
        *(
            (rule, title, holds, fact(why))
            for rule, title, test in trigger.conditions
            for holds, why in [test(trigger)]
        ),
    )
    return Reasons(queue.name, rows)
