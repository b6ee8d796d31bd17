"""Triggering of a shared queue: each member decides for itself, by committed messages and by who reads it where."""

from __future__ import annotations

from ..message import QueuedMessage
from ..triggering import CONDITIONS, Condition, Fact, Trigger

__all__ = ["SharedTrigger"]


def _nobody_reads_here(trigger) -> Fact:
    queue = trigger.queue
    exclusive = next((one for one in queue.instances if one.exclusive), None)
    if exclusive is not None:
        return Fact(False, f"{queue.name} is open for input exclusively on {exclusive.qmgr.name}")
    if trigger.type == "EVERY":
        return Fact(True, "TRIGTYPE(EVERY) asks for exclusive opens only")
    return Fact(
        queue.inputs == 0, f"{queue.name} is open for input {queue.inputs} times on {queue.qmgr.name} (IPPROCS)"
    )


class SharedTrigger(Trigger):
    """What one member keeps for a shared queue.

    While another member has it open for shared input, the type here is FIRST and every priority counts (TRG-04a); NONE
    stays NONE (our reading). Messages count when they are committed (TRG-03b).
    """

    conditions = tuple(
        Condition("TRG-04b", "this member does not read it, and none exclusively", _nobody_reads_here)
        if condition.rule == "TRG-04"
        else condition
        for condition in CONDITIONS
    )

    @property
    def elsewhere(self) -> list[str]:
        """The other members that have it open for shared input."""
        return [
            one.qmgr.name for one in self.queue.instances if one is not self.queue and one.inputs and not one.exclusive
        ]

    @property
    def type(self) -> str:
        """FIRST, EVERY, DEPTH or NONE, as it counts here now."""
        kind = self.attributes["TRIGTYPE"]
        return "FIRST" if kind != "NONE" and self.elsewhere else kind

    @property
    def threshold(self) -> int:
        """TRIGMPRI, as it counts here now."""
        return 0 if self.elsewhere else self.attributes["TRIGMPRI"]

    @property
    def qualifying(self) -> int:
        """How many committed messages count."""
        return self.queue.store.at_least(self.threshold)

    @property
    def segments(self) -> tuple[int, int]:
        """Which segment of how many is being put, by whichever member."""
        return self.queue.core.segments

    @segments.setter
    def segments(self, segments: tuple[int, int]) -> None:
        self.queue.core.segments = segments

    def recount(self) -> None:
        """Nothing to count: the store counts what is committed."""

    def left(self, message: QueuedMessage) -> None:
        """A message is no longer on the queue."""
        self._changes += 1

    def returned(self, message: QueuedMessage) -> None:
        """A got message is on the queue again, as if it had never left."""
        self._changes -= 1

    def before(self, message: QueuedMessage) -> int:
        """How many qualifying messages there were before `message`, which is there now."""
        return self.qualifying - (message.filed >= self.threshold)

    def arrived(self, message: QueuedMessage, unit, cause: int, rule: str | None = None) -> None:
        """A message was put on this member: it counts now, or at the commit (TRG-03b)."""
        self._changes += 1
        with_it, number = self.segments
        if unit is not None:
            self._decline("TRG-03b", "not committed: on a shared queue it counts at the commit", cause)
        elif with_it == number - 1:
            self.queue.core.ask_triggers(message, cause, rule)

    def _count_fires(self, before: int, uncommitted: int = 0, with_it: int = 0) -> tuple[bool, str, str]:
        """As for any queue; while another member reads it, by TRG-04a."""
        fires, rule, said = super()._count_fires(before, 0, with_it)
        readers = self.elsewhere
        if readers:
            return fires, "TRG-04a", f"{said}; FIRST and TRIGMPRI(0) while {' and '.join(readers)} has it open"
        return fires, rule, said
