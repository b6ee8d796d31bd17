"""Why something happened with shared queues and agents: the cases that only these have, as in
`mqlab.engine.words.whys`."""

from __future__ import annotations

from ..engine.words.whys import OfTrigger, Refused, Why


class ExclusiveInput(OfTrigger):
    """Another program has the queue open exclusively, on one of the members."""

    queue: str
    qmgr: str


class EveryAsksExclusive(OfTrigger):
    """TRIGTYPE(EVERY) asks only whether the queue is open exclusively."""


class OpenForInputOn(OfTrigger):
    """How many handles of a member have the queue open for input."""

    queue: str
    qmgr: str
    inputs: int


class StructureFailed(OfTrigger):
    """The structure of a queue has failed."""

    structure: str
    queue: str


class FirstWhileOpen(OfTrigger):
    """Other members have the queue open for input, so TRIGTYPE is FIRST and TRIGMPRI 0 here."""

    readers: list[str]


class NotCommitted(OfTrigger):
    """A message on a shared queue counts when it is committed."""


class AnotherMemberFired(OfTrigger):
    """Another member wrote a trigger message to the same shared initiation queue."""

    initq: str


class OneValue(Why):
    """The members of a group have different values of an attribute."""


class EndedAbnormally(Why):
    """The agent ended abnormally and starts itself again."""


class Started(Why):
    """The agent starts with its queue manager; so many messages waited for it."""

    qmgr: str
    messages: int


class NoWholeHeader(Why):
    """A message on the shared transmission queue has no whole header."""

    message: int


class QueueNotDefined(Why):
    """The shared transmission queue does not exist."""

    queue: str


class QueueUnfit(Why):
    """The shared transmission queue lacks attributes."""

    queue: str
    lacks: list[str]


class CallRefused(Why):
    """A call of the agent failed, on these grounds."""

    reason: int
    name: str
    call: Refused


class BatchBackedOut(Why):
    """The batch of the agent was backed out, for the reason of which these are the facts; a text in version 1."""

    broken: Refused


class StructureBroke(Why):
    """A structure failed, and what was not committed on its queues was backed out."""

    structure: str


class PutFailed(Why):
    """A put failed for a reason that no put should have."""

    queue: str
    reason: int


class NotDelivered(Why):
    """A message can be put neither to its queue nor to the dead-letter queue, which `refused` it."""

    queue: str
    reason: int
    refused: int | None


class ReportLost(Why):
    """The exception report about a message can be put nowhere."""

    queue: str


class AgainIn(Why):
    """Another attempt follows a failure."""

    seconds: int
