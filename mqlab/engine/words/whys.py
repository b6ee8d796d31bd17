"""Why something happened, as facts: a case and its typed fields, which rows of the log keep in `why` and `then`.

No class here has a sentence: `because.toml` has those.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, TypedDict, dataclass_transform, get_type_hints

from ..extra import extras
from .errors import LabError


@dataclass_transform()
class Why:
    """A reason: its `case` names the class in the log; `code` is the AMQ message that an operator would see, or "".
    Each reason is a dataclass.

    Nobody changes them, but they are not frozen: that takes three times as long, in every put that may trigger.
    """

    code: ClassVar[str] = ""
    case: ClassVar[str] = ""
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, several: bool = False) -> None:
        dataclass(cls)
        cls.case = "" if several else re.sub(r"\B([A-Z])", r"-\1", cls.__name__).lower()

    @property
    def number(self) -> str:
        """The digits of the code, "" if there is none."""
        return self.code[3:7]

    @property
    def facts(self) -> dict[str, Any]:
        """The case and the fields, as a row keeps them."""
        return {"case": self.case, **vars(self)}


class OfChannel(Why, several=True):
    """A reason that rows about channels give."""


class OfTrigger(Why, several=True):
    """A reason that rows about triggers give."""


def cases_in(module: ModuleType) -> dict[str, type[Why]]:
    """The reasons that a module defines, by case."""
    kinds = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Why)]
    return {kind.case: kind for kind in kinds if kind.__module__ == module.__name__ and kind.case}


def cases() -> dict[str, type[Why]]:
    """Every reason by case, of this module and of the extras that are there."""
    by_case = cases_in(sys.modules[__name__])
    for extra in extras():
        by_case |= extra.cases()
    return by_case


def types_of(kind: type[Why]) -> dict[str, Any]:
    """The fields of a reason and their types, in order."""
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__match_args__}


@cache
def _kind_of(case: str) -> tuple[type[Why], tuple[str, ...]]:
    """The reason of a case, and the names of its fields."""
    own = cases_in(sys.modules[__name__])
    kind = own[case] if case in own else cases().get(case)
    if kind is None:
        raise LabError(f"the reason of a row must be one that mqlab, with its extras, knows; got {case!r}")
    return kind, kind.__match_args__


def why_of(detail: Mapping[str, Any], key: str = "why") -> Why | None:
    """The reason that the detail of a row gives; None if it gives none.

    A row about a trigger has the case and the fields of its reason beside its other facts, because such rows are many.
    """
    facts = detail.get(key)
    if facts is None and key == "why" and "case" in detail:
        facts = detail
    if facts is None:
        return None
    kind, names = _kind_of(facts["case"])
    return kind(*[facts[name] for name in names])


class Attempt(TypedDict):
    """A partner that a channel called in vain, and how the path to it is: "none", "cut", "up" (it does not run), or
    "deaf" (no listener runs there)."""

    partner: str
    path: str


Refused = dict[str, Any] | str
"""A refusal: its reason code, case, and fields, and its object and qmgr for a whole error; a text in version 1."""


class ProgramEnded(OfChannel):
    """The program of the channel was ended."""


class CalledBy(OfChannel):
    """A sender or server calls this receiver."""

    partner: str


class RequestedBy(OfChannel):
    """A requester asks this end to send."""

    partner: str


class Sends(OfChannel):
    """The partner of a requester sends over the same session."""

    partner: str


class CallsBack(OfChannel):
    """The partner of a requester calls back."""


class StartChannel(OfChannel):
    """The command START CHANNEL."""


class StopChannel(OfChannel):
    """The command STOP CHANNEL."""

    mode: str


class DeleteChannel(OfChannel):
    """The command DELETE CHANNEL."""


class Idle(OfChannel):
    """There was nothing to send for the disconnect interval."""

    discint: int


class PutAgain(OfChannel):
    """A receiver waits to put a message again (MRTMR)."""

    reason: int
    interval_ms: int


class NotInactive(OfChannel):
    """A trigger message names a channel that is not INACTIVE."""


class NoChannelCalled(OfChannel):
    """A trigger message names a channel that does not exist, or only receives."""

    name: str


class NoChannelServes(OfChannel):
    """No channel has the transmission queue of a trigger message."""

    queue: str


class NoConname(OfChannel):
    """A server without CONNAME cannot call."""

    code = "AMQ9202E"
    channel: str


class UnknownHost(OfChannel):
    """No queue manager is known by a CONNAME."""

    code = "AMQ9202E"
    conname: str


class Unreachable(OfChannel):
    """No partner can be reached."""

    code = "AMQ9202E"
    here: str
    tried: list[Attempt]


class SessionBroken(OfChannel):
    """The session with the partner broke."""

    code = "AMQ9208E"


class WrapDiffers(OfChannel):
    """The ends have different values of SEQWRAP; the receiver, which says so, compares them."""

    code = "AMQ9505E"
    at: str
    sender: int
    receiver: int


class SequenceDiffers(OfChannel):
    """The ends have different last sequence numbers; the sender, which says so, compares them."""

    code = "AMQ9526E"
    at: str
    sender: int
    receiver: int
    channel: str


class OpenRefused(OfChannel):
    """The transmission queue cannot be opened."""

    code = "AMQ9509E"
    call: Refused


class GetRefused(OfChannel):
    """The transmission queue cannot be read."""

    code = "AMQ9510E"
    call: Refused


class GetInhibited(GetRefused):
    """The transmission queue has GET(DISABLED)."""

    code = "AMQ9549E"


class InUse(OfChannel):
    """The channel of the partner runs already."""

    code = "AMQ9514E"
    channel: str
    at: str


class NotHeard(OfChannel):
    """The partner was not heard for longer than HBINT allows."""

    code = "AMQ9259E"
    seconds: int


class Adopted(OfChannel):
    """The partner calls again, and the agent of its broken session is ended."""

    partner: str


class InUseWith(OfChannel):
    """The channel runs already with the partner that calls back."""

    code = "AMQ9514E"
    channel: str
    partner: str


class NotDefined(OfChannel):
    """The partner has no such channel."""

    code = "AMQ9520E"
    channel: str
    at: str


class NoTransmissionQueue(OfChannel):
    """XMITQ names a queue of another USAGE."""

    code = "AMQ9531E"
    queue: str


class Undelivered(OfChannel):
    """A receiver cannot put a message, nor dead-letter it: the dead-letter queue `refused` (0: it was not asked)."""

    code = "AMQ9544E"
    queue: str
    reason: int
    refused: int


class TooLong(OfChannel):
    """A message is longer than the channel takes, and cannot be dead-lettered."""

    code = "AMQ9544E"
    length: int
    longest: int


class NoHeader(OfChannel):
    """A message has no MQXQH, and cannot be dead-lettered."""

    code = "AMQ9544E"


class WrongType(OfChannel):
    """The channel of the partner cannot answer one of the type that calls."""

    code = "AMQ9547E"
    channel: str
    chltype: str
    at: str
    calling: str


class PartnerStopped(OfChannel):
    """The channel of the partner is STOPPED."""

    code = "AMQ9558E"
    channel: str
    at: str


class UnexpectedError(OfChannel):
    """A call of the agent failed."""

    code = "AMQ9999E"
    call: Refused


class Again(OfChannel):
    """The sequel of a failure: another attempt, after SHORTTMR or LONGTMR."""

    seconds: int
    timer: str


class NoInitiator(OfChannel):
    """The sequel of a failure: nothing, because no channel initiator runs."""


class NoRetryLeft(OfChannel):
    """The sequel of a failure: nothing, because every retry was used."""


class EveryAsksNobody(OfTrigger):
    """TRIGTYPE(EVERY) does not ask who reads the queue."""


class OpenForInput(OfTrigger):
    """How many handles have a queue open for input."""

    queue: str
    inputs: int


class AskedOnZosOnly(OfTrigger):
    """A condition of z/OS, on another platform."""

    qmgr: str
    platform: str


class GetAttribute(OfTrigger):
    """The value of GET of a queue."""

    queue: str
    get: str


class ProcessNamed(OfTrigger):
    """PROCESS names a process."""

    process: str
    defined: bool


class NoProcess(OfTrigger):
    """PROCESS is blank, which is enough for a transmission queue."""

    usage: str


class NoInitq(OfTrigger):
    """INITQ is blank."""


class InitqNotLocal(OfTrigger):
    """INITQ names no local queue."""

    initq: str
    qmgr: str


class InitqUsable(OfTrigger):
    """The initiation queue can take a trigger message."""

    initq: str


class InitqUnusable(OfTrigger):
    """The initiation queue cannot take a trigger message, because of these attributes."""

    initq: str
    wrong: list[str]


class NoQueueToOpen(OfTrigger):
    """There is no initiation queue that a trigger monitor could have open."""


class TriggerControl(OfTrigger):
    """The value of TRIGGER of a queue."""

    queue: str
    trigger: bool


class TriggerType(OfTrigger):
    """The value of TRIGTYPE of a queue."""

    trigtype: str


class BelowTrigmpri(OfTrigger):
    """The priority under which a message is filed is below TRIGMPRI."""

    priority: int
    trigmpri: int


class OwnTrigger(OfTrigger):
    """The trigger of this very queue led to the message."""


class Qualifying(OfTrigger):
    """How many qualifying messages there were before."""

    before: int


class QualifyingDepth(OfTrigger):
    """TRIGTYPE(DEPTH) waits for more messages."""

    before: int
    trigdpth: int


class QualifyingFirst(OfTrigger):
    """The queue was not empty, and the queue manager has written no trigger message yet."""

    before: int


class QualifyingInterval(OfTrigger):
    """The queue was not empty; how long after the last trigger message that was, in milliseconds."""

    before: int
    passed_ms: int
    trigint: int


class GetsUncommitted(OfTrigger):
    """The gets that emptied the queue are neither committed nor backed out."""


class ClosedWith(OfTrigger):
    """The last reader closed the queue and left qualifying messages."""

    left: int


class QualifyingWait(OfTrigger):
    """Qualifying messages wait on the queue."""

    waiting: int


class NoReconnect(Why):
    """A program asked for automatic reconnection: in logs of older versions, which did not simulate it."""


class Failed(Why):
    """A program ended abnormally; `error` is the text of its exception, which is nobody's here."""

    error: str


class Interrupted(Why):
    """A program was interrupted from outside."""


class LinkCut(Why):
    """The link of a client was cut; `reconnects` is false, but in logs of older versions."""

    reconnects: bool


class QmgrEnded(Why):
    """A queue manager ended, or failed, and backed out what was not committed."""

    qmgr: str
    abend: bool


class PortTaken(Why):
    """Another listener has the port of a listener that starts."""

    listener: str
    port: int | None


class NoRuleLeft(Why):
    """No rule of a dead-letter handler is left that matches a message."""


class IgnoredByRule(Why):
    """A rule of a dead-letter handler leaves a message where it is."""

    line: int


class HandlerRefused(Why):
    """The call of a dead-letter handler failed."""

    reason: int
    name: str


class HandlerFailed(Why):
    """The lab cannot do what a rule of a dead-letter handler says; `error` is the text for the one who wrote it."""

    error: str


class NoDeadLetterHeader(Why):
    """A message on a dead-letter queue has no dead-letter header: its length, and the bytes that it begins with."""

    length: int
    begins: str


class AlreadyThere(Why):
    """A rule of a dead-letter handler forwards a message to the queue that it is on, which `to` leads to."""

    queue: str
    to: str
