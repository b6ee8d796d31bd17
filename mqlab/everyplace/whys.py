"""Why MQ Everyplace refused a call or could not send a message: the cases that only it has, as in
`mqlab.engine.words.whys`."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.words.whys import Why


class OfCall(Why, several=True):
    """A reason why a call is refused: `what` is the sort of refusal, one of REFUSALS, and `rule` the rule behind it."""

    what: ClassVar[str] = ""
    rule: ClassVar[str] = ""


class NotRunning(OfCall):
    """The queue manager has ended."""

    what, rule = "not running", "MQE-08"


class NoSuchQueue(OfCall):
    """The queue manager has no queue of this name, only these."""

    what, rule = "unknown queue", "MQE-08"
    queue: str
    queues: list[str]


class NowhereToArrive(OfCall):
    """A message was pulled for a queue that the client does not have, and there is no dead-letter queue."""

    what, rule = "unknown queue", "MQE-14"
    uid: str


class NotForApplications(OfCall):
    """Applications do not name a queue of this kind."""

    what, rule = "not supported", "MQE-08"
    kind: str


class NotKeptHere(OfCall):
    """A queue of this kind keeps no messages for a call that takes them."""

    what, rule = "not supported", "MQE-08"
    call: str
    kind: str


class NotBrowsable(OfCall):
    """A queue of this kind cannot be browsed from here."""

    what, rule = "not supported", "MQE-08"
    kind: str


class KeepsForNobody(OfCall):
    """A client asks for its messages at a queue of a kind that keeps none for it."""

    what, rule = "not supported", "MQE-14"
    kind: str


class QueueFull(OfCall):
    """A queue holds as many messages as it may."""

    what, rule = "queue full", "MQE-09"
    depth: int
    max_depth: int


class StillHolds(OfCall):
    """A queue cannot be deleted because it holds messages."""

    what, rule = "queue not empty", "MQE-04"
    depth: int
    locked: int


class NoneAvailable(OfCall):
    """A queue has no message for a get, whatever its depth."""

    what, rule = "no matching message", "MQE-09"
    depth: int


class NotLocked(OfCall):
    """A confirm names a message that is not locked for it."""

    what, rule = "no matching message", "MQE-10"
    uid: str


class PutBefore(OfCall):
    """A message was put before, and is not marked as sent again."""

    what, rule = "duplicate message", "MQE-15"
    uid: str


class OfFlow(OfCall, several=True):
    """A reason why a flow from `qmgr` to `owner` broke: `lost` is "request", or "answer" if only that was lost."""

    what, rule = "no connection", "MQE-12"
    qmgr: str
    owner: str
    lost: str


class NoLink(OfFlow):
    """There is no link between the two."""


class LinkIsDown(OfFlow):
    """The link between the two is down."""


class NotEveryplace(OfFlow):
    """The other end is not a queue manager of MQ Everyplace."""


class EndNotRunning(OfFlow):
    """One of the two, `end`, is not running."""

    end: str


class RefusedThere(Why):
    """A flow was refused, as the `refused` call of its row says, on these grounds."""

    refused: str
    queue: str
    qmgr: str
    grounds: dict[str, Any]
