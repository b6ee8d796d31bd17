"""Why something happened, as facts: a case and its typed fields, which rows of the log keep in `why` and `then`.

No class here has a sentence: `because.toml` has those.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict


@dataclass(frozen=True)
class Why:
    """A reason: its `case` names the class in the log; `code` is the AMQ message that an operator would see, or ""."""

    code: ClassVar[str] = ""
    case: ClassVar[str] = ""
    CASES: ClassVar[dict[str, type[Why]]] = {}

    def __init_subclass__(cls) -> None:
        cls.case = re.sub(r"\B([A-Z])", r"-\1", cls.__name__).lower()
        Why.CASES[cls.case] = cls

    @property
    def number(self) -> str:
        """The digits of the code, "" if there is none."""
        return self.code[3:7]

    @property
    def facts(self) -> dict[str, Any]:
        """The case and the fields, as a row keeps them."""
        return {"case": self.case, **vars(self)}


def why_of(detail: dict[str, Any], key: str = "why") -> Why | None:
    """The reason that the detail of a row gives; None if it gives none."""
    facts = detail.get(key)
    if not isinstance(facts, dict):  # a text in rows that are not about channels, as yet
        return None
    case, *values = facts.values()
    return Why.CASES[case](*values)


class Attempt(TypedDict):
    """A partner that a channel called in vain, and how the path to it is: "none", "cut", or "up" (it does not run)."""

    partner: str
    path: str


@dataclass(frozen=True)
class ProgramEnded(Why):
    """The program of the channel was ended."""


@dataclass(frozen=True)
class CalledBy(Why):
    """A sender or server calls this receiver."""

    partner: str


@dataclass(frozen=True)
class RequestedBy(Why):
    """A requester asks this end to send."""

    partner: str


@dataclass(frozen=True)
class Sends(Why):
    """The partner of a requester sends over the same session."""

    partner: str


@dataclass(frozen=True)
class CallsBack(Why):
    """The partner of a requester calls back."""


@dataclass(frozen=True)
class StartChannel(Why):
    """The command START CHANNEL."""


@dataclass(frozen=True)
class StopChannel(Why):
    """The command STOP CHANNEL."""

    mode: str


@dataclass(frozen=True)
class DeleteChannel(Why):
    """The command DELETE CHANNEL."""


@dataclass(frozen=True)
class Idle(Why):
    """There was nothing to send for the disconnect interval."""

    discint: int


@dataclass(frozen=True)
class PutAgain(Why):
    """A receiver waits to put a message again (MRTMR)."""

    reason: int
    interval_ms: int


@dataclass(frozen=True)
class NotInactive(Why):
    """A trigger message came for a channel that is not INACTIVE."""


@dataclass(frozen=True)
class NoChannelCalled(Why):
    """A trigger message names a channel that does not exist, or only receives."""

    name: str


@dataclass(frozen=True)
class NoChannelServes(Why):
    """No channel has the transmission queue of a trigger message."""

    queue: str


@dataclass(frozen=True)
class NoConname(Why):
    """A server without CONNAME cannot call."""

    code = "AMQ9202E"
    channel: str


@dataclass(frozen=True)
class UnknownHost(Why):
    """No queue manager is known by a CONNAME."""

    code = "AMQ9202E"
    conname: str


@dataclass(frozen=True)
class Unreachable(Why):
    """No partner can be reached."""

    code = "AMQ9202E"
    here: str
    tried: list[Attempt]


@dataclass(frozen=True)
class SessionBroken(Why):
    """The session with the partner broke."""

    code = "AMQ9208E"


@dataclass(frozen=True)
class WrapDiffers(Why):
    """The ends have different values of SEQWRAP; the receiver, which says so, compares them."""

    code = "AMQ9505E"
    at: str
    sender: int
    receiver: int


@dataclass(frozen=True)
class SequenceDiffers(Why):
    """The ends have different last sequence numbers; the sender, which says so, compares them."""

    code = "AMQ9526E"
    at: str
    sender: int
    receiver: int
    channel: str


@dataclass(frozen=True)
class OpenRefused(Why):
    """The transmission queue cannot be opened; `error` is for people only."""

    code = "AMQ9509E"
    error: str


@dataclass(frozen=True)
class GetRefused(Why):
    """The transmission queue cannot be read."""

    code = "AMQ9510E"
    error: str


@dataclass(frozen=True)
class GetInhibited(GetRefused):
    """The transmission queue has GET(DISABLED)."""

    code = "AMQ9549E"


@dataclass(frozen=True)
class InUse(Why):
    """The channel of the partner runs already."""

    code = "AMQ9514E"
    channel: str
    at: str


@dataclass(frozen=True)
class InUseWith(Why):
    """The channel runs already with the partner that calls back."""

    code = "AMQ9514E"
    channel: str
    partner: str


@dataclass(frozen=True)
class NotDefined(Why):
    """The partner has no such channel."""

    code = "AMQ9520E"
    channel: str
    at: str


@dataclass(frozen=True)
class NoTransmissionQueue(Why):
    """XMITQ names a queue of another USAGE."""

    code = "AMQ9531E"
    queue: str


@dataclass(frozen=True)
class Undelivered(Why):
    """A receiver cannot put a message, nor dead-letter it: the dead-letter queue `refused` (0: it was not asked)."""

    code = "AMQ9544E"
    queue: str
    reason: int
    refused: int


@dataclass(frozen=True)
class TooLong(Why):
    """A message is longer than the channel takes, and cannot be dead-lettered."""

    code = "AMQ9544E"
    length: int
    longest: int


@dataclass(frozen=True)
class NoHeader(Why):
    """A message has no MQXQH, and cannot be dead-lettered."""

    code = "AMQ9544E"


@dataclass(frozen=True)
class WrongType(Why):
    """The channel of the partner cannot answer one of the type that calls."""

    code = "AMQ9547E"
    channel: str
    chltype: str
    at: str
    calling: str


@dataclass(frozen=True)
class PartnerStopped(Why):
    """The channel of the partner is STOPPED."""

    code = "AMQ9558E"
    channel: str
    at: str


@dataclass(frozen=True)
class UnexpectedError(Why):
    """A call of the agent failed; `error` is for people only."""

    code = "AMQ9999E"
    error: str


@dataclass(frozen=True)
class Again(Why):
    """What follows a failure: another attempt, after SHORTTMR or LONGTMR."""

    seconds: int
    timer: str


@dataclass(frozen=True)
class NoInitiator(Why):
    """What follows a failure: nothing, because no channel initiator runs."""


@dataclass(frozen=True)
class NoRetryLeft(Why):
    """What follows a failure: nothing, because every retry was used."""
