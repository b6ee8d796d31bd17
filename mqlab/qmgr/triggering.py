"""Triggering: the conditions for a trigger event, and the trigger message that the queue manager writes.

Every condition is one row of CONDITIONS: its rule, when it is asked, and a function that gives its truth and the fact
behind it. The queue manager decides by them, and `why_not_triggered` shows them; there is no second list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..mq.constants import MQEI_UNLIMITED, MQFMT_TRIGGER
from ..mq.errors import MQError, RunawayTrigger, visible
from ..mq.headers import MQTM, TriggerMessage
from ..mq.shown import shown
from .dead_letter import dead_letter
from .message import Descriptor, QueuedMessage
from .put import Put, put

# the most triggers of a queue by closes after no work; one more counts as a runaway loop
RUNAWAY = 1_000


WHOLE = (0, 1)
"""A message that is not segmented: the first segment of one."""


class Fact(NamedTuple):
    """Whether a condition is met, and the fact behind it."""

    holds: bool
    said: str


class Condition(NamedTuple):
    """One condition for a trigger event: `rule`, a title, and `test(trigger) -> Fact`."""

    rule: str
    title: str
    test: Callable[[Trigger], Fact]


def open_for_input(queue: Any, where: str = "") -> str:
    """Return whether a program has a queue open for input, in words, with IPPROCS."""
    return f"{queue.name} is {'' if queue.inputs else 'not '}open for input{where} (IPPROCS {queue.inputs})"


def _nobody_reads(trigger: Trigger) -> Fact:
    queue = trigger.queue
    if trigger.type == "EVERY":
        return Fact(True, "TRIGTYPE(EVERY) does not ask who has the queue open")
    return Fact(queue.inputs == 0, open_for_input(queue))


def _gets_allowed(trigger: Trigger) -> Fact:
    queue = trigger.queue
    if queue.qmgr.platform != "zos":
        return Fact(True, f"asked on z/OS only; {queue.qmgr.name} is {queue.qmgr.platform}")
    if queue.out_of_reach:
        return Fact(False, queue.out_of_reach)
    return Fact(not queue.get_inhibited, f"{queue.name} has GET({'DISABLED' if queue.get_inhibited else 'ENABLED'})")


def _process_known(trigger: Trigger) -> Fact:
    queue, name = trigger.queue, trigger.attributes["PROCESS"]
    if name:
        found = queue.qmgr.objects.get("PROCESS", name) is not None
        return Fact(found, f"PROCESS({name}) is {'' if found else 'not '}defined")
    usage = trigger.attributes["USAGE"]
    return Fact(usage == "XMITQ", f"PROCESS is blank and USAGE is {usage}")


def _initiation_queue(trigger: Trigger) -> Fact:
    name = trigger.attributes["INITQ"]
    initq = trigger.initiation_queue()
    if not name:
        return Fact(False, "INITQ is blank")
    if initq is None:
        return Fact(False, f"INITQ({name}) is not a local queue of {trigger.queue.qmgr.name}")
    usage = (initq.definition.attributes["USAGE"] != "NORMAL", "USAGE(XMITQ)")
    defects = ((initq.get_inhibited, "GET(DISABLED)"), (initq.put_inhibited, "PUT(DISABLED)"), usage)
    wrong = [words for holds, words in defects if holds]
    return Fact(not wrong, f"{name} has {' and '.join(wrong) or 'gets and puts allowed and USAGE(NORMAL)'}")


def _monitor_running(trigger: Trigger) -> Fact:
    initq = trigger.initiation_queue()
    if initq is None:
        return Fact(False, "there is no initiation queue to have open")
    return Fact(initq.inputs > 0, open_for_input(initq))


def _trigger_on(trigger: Trigger) -> Fact:
    on = trigger.attributes["TRIGGER"]
    return Fact(on, f"{trigger.queue.name} has {'TRIGGER' if on else 'NOTRIGGER'}")


def _type_set(trigger: Trigger) -> Fact:
    return Fact(trigger.type != "NONE", f"TRIGTYPE({trigger.type})")


CONDITIONS = (
    Condition("TRG-09", "triggering is on", _trigger_on),
    Condition("TRG-10", "the trigger type is not NONE", _type_set),
    Condition("TRG-04", "nobody has the queue open for input", _nobody_reads),
    Condition("TRG-05", "gets are allowed (z/OS)", _gets_allowed),
    Condition("TRG-06", "the process is defined", _process_known),
    Condition("TRG-07", "the initiation queue can be used", _initiation_queue),
    Condition("TRG-08", "a trigger monitor has the initiation queue open", _monitor_running),
)
"""The conditions that do not concern the message itself, in the order in which they are asked."""


def _qualifying(number: int) -> str:
    return f"{number} qualifying message{'' if number == 1 else 's'}"


def attach(queue: Any) -> None:
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


def _trigger_of(queue: Any) -> Trigger:
    return (queue.own_trigger or Trigger)(queue)


def initiation_queue_changed(initq: Any, cause: int | None, rule: str, excluded: tuple[str, ...]) -> None:
    """Something changed at a queue that may be an initiation queue: ask every queue that it serves (TRG-13a, 13c)."""
    if initq.name not in initq.qmgr.initiation_queues:
        return
    for queue in initq.qmgr.queues:
        if queue.trigger is not None and queue.trigger.attributes["INITQ"] == initq.name:
            queue.trigger.changed(cause, rule, excluded)


class Trigger:
    """The trigger state of one queue.

    `qualifying` counts the messages at or above TRIGMPRI, uncommitted ones too (TRG-02, TRG-03a); `last_us` is when the
    last trigger message was written since the queue manager started, None for never (TRG-11a); `closes` counts the
    closes in a row that left enough messages to trigger.
    """

    conditions: tuple[Condition, ...] = CONDITIONS

    def __init__(self, queue: Any):
        self.queue = queue
        self.last_us: int | None = None
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
        held = [m for m in self.queue.store.in_order() if m.filed >= self.threshold]
        units = self.queue.qmgr.units.values()
        put = [m for unit in units for queue, m, *_ in (*unit.puts, *unit.triggers) if queue is self.queue]
        self.qualifying = len(held) + sum(m.filed >= self.threshold for m in put)

    def left(self, message: QueuedMessage) -> None:
        """A message is no longer on the queue."""
        self.qualifying -= message.filed >= self.threshold
        self._changes += 1

    def returned(self, message: QueuedMessage) -> None:
        """A got message is on the queue again, as if it had never left."""
        self.qualifying += message.filed >= self.threshold
        self._changes -= 1

    def initiation_queue(self) -> Any:
        """The local queue named in INITQ, or None."""
        found = self.queue.qmgr.targets.get(self.attributes["INITQ"])
        return found if found is not None and found.kind == "QLOCAL" else None

    def arrived(self, message: QueuedMessage, unit: Any, cause: int, rule: str | None = None) -> None:
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

    def decide(self, message: QueuedMessage, before: int, uncommitted: int) -> tuple[bool, str, str]:
        """Whether a message that came to `before` qualifying ones fires, the rule that says so, and the fact behind."""
        if message.filed < self.threshold:
            rule = "TRG-14" if self.queue.fifo else "TRG-02"
            return False, rule, f"filed at priority {message.filed}, TRIGMPRI is {self.threshold}"
        if self._firing:
            return False, "TRG-12a", "the message is what this queue's own trigger led to"
        failed = self._failing(())
        if failed is not None:
            return False, failed.rule, failed.test(self).said
        return self._count_fires(before, uncommitted, self.segments[0])

    def act(self, decision: tuple[bool, str, str], cause: int, unit: Any, rule: str | None = None) -> None:
        """Write the trigger message that was decided on, by `rule` if that explains more, or the reason against one."""
        fires, decided_by, said = decision
        if fires:
            self._fire("TRG-16" if self.segments[0] else rule or decided_by, said, cause, unit)
        else:
            self._decline(decided_by, said, cause)

    def _count_fires(self, before: int, uncommitted: int = 0, with_it: int = 0) -> tuple[bool, str, str]:
        """Whether the number of qualifying messages there were asks for a trigger message (TRG-03, TRG-11)."""
        # the last `with_it` of them are segments of the same put, and any of them may have been the one (TRG-16)
        kind = self.type
        said = f"{_qualifying(before)} before this one"
        if kind in ("EVERY", "NONE"):
            return True, "TRG-03", said
        wanted = 0 if kind == "FIRST" else self.attributes["TRIGDPTH"] - 1
        if before - with_it <= wanted <= before:
            return True, "TRG-03a" if uncommitted else "TRG-03", said
        if before < wanted:
            return False, "TRG-03", f"{said}; TRIGDPTH is {wanted + 1}"
        if kind == "DEPTH":
            return True, "TRG-11", said
        interval = self.queue.qmgr.attributes["TRIGINT"]
        if self.last_us is None:
            return True, "TRG-11a", f"{said}; no trigger message since the queue manager started"
        passed = self.queue.clock.time_us - self.last_us
        if passed >= interval * 1000:
            return True, "TRG-11", f"{said}; {passed // 1000} ms since the last trigger message, TRIGINT is {interval}"
        return False, "TRG-11", f"{said}; {passed // 1000} ms since the last trigger message, TRIGINT is {interval}"

    def closed(self, cause: int) -> None:
        """The last program that had the queue open for input closed it (TRG-12)."""
        if self.type not in ("FIRST", "DEPTH") or not self.attributes["TRIGGER"]:
            return
        if self.qualifying < self._needed():
            self.closes = 0
            if self.queue.depth_in_gets():
                self._decline("TRG-12b", "the gets that emptied it are not yet committed or backed out", cause)
            return
        failed = self._failing(("TRG-04", "TRG-05"))
        if failed is not None:
            self._decline(failed.rule, failed.test(self).said, cause)
            return
        self.closes += 1
        self._guard(self.queue.clock.time_us)
        first = self.queue.store.first()
        rule = "TRG-12b" if first is not None and first.backout_count else "TRG-12a" if self.closes > 1 else "TRG-12"
        self._fire(rule, f"closed with {_qualifying(self.qualifying)} left", cause, None)

    def changed(self, cause: int, rule: str, excluded: tuple[str, ...]) -> None:
        """An attribute or an open changed (TRG-13 and its cases): write one trigger message if the rest holds."""
        if self.qualifying < self._needed():
            return
        failed = self._failing(excluded)
        if failed is not None:
            self._decline(failed.rule, failed.test(self).said, cause)
            return
        several = self.type == "EVERY" and self.qualifying > 1
        self._fire("TRG-15" if several else rule, f"{_qualifying(self.qualifying)} wait", cause, None)

    def _needed(self) -> int:
        return self.attributes["TRIGDPTH"] if self.type == "DEPTH" else 1

    def _failing(self, excluded: tuple[str, ...]) -> Condition | None:
        """The first condition that is not met, of those not excluded."""
        for condition in self.conditions:
            if condition.rule not in excluded and not condition.test(self).holds:
                return condition
        return None

    def _decline(self, rule: str, said: str, cause: int) -> None:
        self._write(rule, {"fired": False, "because": said}, cause)

    def _write(self, rule: str, detail: dict, cause: int) -> int:
        queue, qmgr = self.queue, self.queue.qmgr
        about = {"program": qmgr.name, "cause": cause, "detail": detail}
        return qmgr.record("trigger", queue.place, rule, depth=queue.depth, **about)

    def _fire(self, rule: str, said: str, cause: int, unit: Any) -> None:
        """Write the trigger message; in a unit of work it becomes available when that ends (TRG-10a)."""
        # its ReplyToQMgr is this queue manager; one that cannot be put goes to the dead-letter queue at once and in no
        # unit of work
        queue, now = self.queue, self.queue.clock.time_us
        seq = self._write(rule, {"fired": True, "because": said}, cause)
        sender = queue.qmgr.reporter(seq)
        # a trigger message may come to this very queue, where it is the initiation or the dead-letter queue too
        self._firing = True
        held = None if unit is None else unit.hold(self.type != "EVERY")
        put_by = "EXP-24" if unit is None else "TRG-10a"
        about, data = Descriptor(format=MQFMT_TRIGGER, reply_to_qmgr=queue.qmgr.name), MQTM.pack(self.message())
        message = Put(sender, None, data, MQEI_UNLIMITED, persistent=False, descriptor=about, unit=held, rule=put_by)
        try:
            message.target = self.initiation_queue()
            put(message)
        except MQError as refused:
            dead_letter(message.but(unit=None, rule=None), refused.reason, self.attributes["INITQ"])
        finally:
            self._firing = False
        self.last_us = now
        if self.type == "DEPTH":
            self.attributes["TRIGGER"] = False
            queue.qmgr.record("alter", queue.place, "TRG-03", cause=seq, detail={"TRIGGER": False})

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
            queue.qmgr.record("fault", queue.place, "TRG-12a", depth=queue.depth)
            raise RunawayTrigger(
                f"{queue.name} was triggered {RUNAWAY} times and its server got nothing done: each time it closes the "
                f"queue, {_qualifying(self.qualifying)} left, and it is triggered again (TRG-12a). Let the "
                f"server get every message before it closes, or ALTER QLOCAL({queue.name}) NOTRIGGER"
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
    """The present conditions: rows of (rule, title, holds, fact), and the conclusion if all are met or one is not."""

    queue: str
    rows: tuple[tuple[str, str, bool, str], ...]
    if_all: str = "the next qualifying put triggers"
    if_not: str = "not triggered"

    @property
    def missing(self) -> list[str]:
        """The rules that are not met now."""
        return [rule for rule, _, holds, _ in self.rows if not holds]

    def __str__(self) -> str:
        lines = [f"{'yes' if holds else 'NO ':3} {rule:7} {title}: {said}" for rule, title, holds, said in self.rows]
        verdict = f"{self.if_not}: stopped by {', '.join(self.missing)}" if self.missing else self.if_all
        return visible("\n".join([f"{self.queue}: {verdict}", *lines]))


def why_not_triggered(queue: Any) -> Reasons:
    """Every condition for a trigger event on a queue with its truth now; nothing is changed."""
    trigger = queue.trigger if queue.trigger is not None else _trigger_of(queue)
    fires, rule, said = trigger._count_fires(trigger.qualifying)
    filed, by = f"TRIGMPRI is {trigger.threshold}", "TRG-02"
    if queue.fifo:
        filed, by = f"{filed}, FIFO files by DEFPRTY({queue.defprty})", "TRG-14"
    rows = (
        (by, "a message put now can qualify", not (queue.fifo and queue.defprty < trigger.threshold), filed),
        (rule, "the number of qualifying messages asks for it", fires, said.replace("before this one", "there")),
        *((condition.rule, condition.title, *condition.test(trigger)) for condition in trigger.conditions),
    )
    return Reasons(queue.name, rows)
