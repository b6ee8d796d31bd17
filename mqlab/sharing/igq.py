"""Intra-group queuing: which messages it takes, the route of each, its agents, and what holds a message up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..engine.queues.message import Message, QueuedMessage
from ..engine.queues.queue import Remote
from ..engine.queues.target import Put
from ..engine.queues.transmission import header_length, transmit
from ..engine.words.constants import MQRC_MSG_TOO_BIG_FOR_Q, MQRC_OBJECT_CHANGED
from ..engine.words.headers import MQXQH
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from ..engine.words.structures import as_body
from ..engine.world.clock import SECOND, microseconds
from .igq_agent import FIT, Agent, opened, tag_of, unfit
from .shared_queue import QSG_TRANSMIT_QUEUE

LEGACY_LONGEST = 63 * 1024
"""Bytes of data and header that releases with `legacy_63k` take at most."""
_ByChannel = Callable[[], Any]
_STRUCTURE = "CSQSYSAPPL"
_DELIVERS = "its agent delivers it"
_BY_HAND = "a program that gets it and puts it on its destination queue"


class Waiting(NamedTuple):
    """A message on the shared transmission queue: its number, the rule by which it is there, the fact behind it, and
    what would move it."""

    message: int
    rule: str
    fact: str
    move: str


class IntraGroupQueuing:
    """The intra-group queuing of one group; `agents` are its agents by member.

    With `legacy_63k` longer messages go by channel, as at levels that do not use
    the whole length a structure takes. IGQAUT and IGQUSER are kept: nobody is refused for who they are.
    """

    def __init__(self, group: Any):
        self.group = group
        self.agents: dict[str, Agent] = {}
        self.pace_us, self.legacy_63k = 0, False

    @property
    def pace(self) -> float:
        """The seconds that an agent holds each message between its get and its put: 0, as calls take no time; a fault
        in the middle of a message needs more. LabError unless it is a number of seconds, 0 or more."""
        return self.pace_us / SECOND

    @pace.setter
    def pace(self, seconds: float) -> None:
        self.pace_us = microseconds(seconds, "pace")

    def install(self) -> None:
        """Define SYSTEM.QSG.TRANSMIT.QUEUE, in a structure of its own that is recoverable, and enable IGQ on every
        member."""
        first = self.group.members[0]
        first.define("CFSTRUCT", _STRUCTURE, {"CFLEVEL": 4, "RECOVER": "YES"})
        about = {"CFSTRUCT": _STRUCTURE, "SHARE": True, "DEFSOPT": "SHARED", "MAXDEPTH": 999_999_999}
        first.define("QLOCAL", QSG_TRANSMIT_QUEUE, {**FIT, **about})
        for member in self.group.members:
            member.alter("QMGR", "", {"IGQ": "ENABLED"})

    def serving(self, member: Any) -> Any:
        """The shared transmission queue as a member has it, if messages of the member go by it now: IGQ(ENABLED), and
        the queue is fit for it; else None."""
        fit = member.attributes["IGQ"] == "ENABLED" and unfit(member) is None
        return member.targets[QSG_TRANSMIT_QUEUE] if fit else None

    def longest(self, queue: Any) -> int:
        """How many bytes a message may have with its header: what the shared transmission queue of a member takes."""
        return min(queue.longest, LEGACY_LONGEST) if self.legacy_63k else queue.longest

    def route(
        self, member: Any, name: str, path: list[Definition], destination: tuple[str, str], by_channel: _ByChannel
    ) -> Remote | None:
        """Where a name of a queue of another member leads; None if there is no way."""
        served = self.serving(member)
        conventional: Any = by_channel() if served is None else None
        if served is None and conventional is None:
            return None
        queue = served or conventional.queue
        return InGroup(self, (name, path, queue, destination), served, by_channel)

    def defined(self, member: Any, definition: Definition) -> None:
        """Start the agent of a member with the queue it serves, and then with every start of its queue manager."""
        if definition.name == QSG_TRANSMIT_QUEUE and member.running and member.name not in self.agents:
            self._launch(member, restarted=False)

    def start(self, member: Any) -> None:
        """A member started, and its agent with it, whatever its IGQ says."""
        if member.objects.named("QLOCAL", QSG_TRANSMIT_QUEUE) is not None or member.name in self.agents:
            self._launch(member, restarted=True)

    def _launch(self, member: Any, restarted: bool) -> None:
        self.agents[member.name] = agent = Agent(self, member, restarted)
        agent.launch()

    def why_waiting(self) -> list[Waiting]:
        """Every available message on the shared transmission queue, in order, and why it is there."""
        cores = [core for core in self.group.cores if core.definition.name == QSG_TRANSMIT_QUEUE]
        return [self._why(message) for core in cores for message in core.store.in_order()]

    def placed(self, number: int) -> tuple[str, str, str, str]:
        """Rule, title, fact, and remedy of what a message on the shared transmission queue waits for."""
        why = next(each for each in self.why_waiting() if each.message == number)
        return why.rule, _DELIVERS, why.fact, why.move

    def carried(self, member: Any, by_agent: bool, number: int, whose: str) -> tuple[str, str, str, str] | None:
        """The same for a message that the agent of a member may have got; `whose` are words for its unit of work."""
        if whose and by_agent:
            return "IGQ-06", _DELIVERS, f"{whose} has it and has not committed yet", "time"
        held = (agent.holding for agent in self.agents.values())
        if not whose and any(message is not None and message.number == number for message in held):
            return "IGQ-05", _DELIVERS, f"the agent of {member.name} holds it", "time"
        return None

    def _why(self, message: QueuedMessage) -> Waiting:
        member = next((one for one in self.group.members if tag_of(one.name) == message.correl_id), None)
        if member is None:
            fact = "no agent selects it: its CorrelId names no member, so an application has put it there"
            return Waiting(message.number, "IGQ-13", fact, _BY_HAND)
        if opened(message.body) is None:
            fact = "it has no whole transmission queue header" if not MQXQH.begins(message.body) else "no text in it"
            return Waiting(message.number, "IGQ-13", f"the agent of {member.name} leaves it: {fact}", _BY_HAND)
        restart = f'lab["{member.name}"].start()'
        if not member.running:
            return Waiting(message.number, "IGQ-11", f"{member.name} does not run; its agent starts with it", restart)
        agent = self.agents.get(member.name)
        if agent is None or agent.state == "ENDED":
            fact = f"no agent runs on {member.name}; it starts with {member.name}"
            return Waiting(message.number, "IGQ-11", fact, f'lab["{member.name}"].stop(), then {restart}')
        if agent.state == "RETRYING":
            fact = f"the agent of {member.name} tries again later: {agent.because}"
            return Waiting(message.number, "IGQ-10", fact, "correct that problem, and let time pass")
        return Waiting(message.number, "IGQ-06", f"the agent of {member.name} moves it as time passes", "time")

    def __repr__(self) -> str:
        return f"IntraGroupQueuing({self.group.name!r}, {len(self.agents)} agents)"


class InGroup(Remote):
    """A destination on another member, with what a Remote is made of in `resolved`.

    `served` is the shared transmission queue where intra-group queuing takes its messages, None if it does not;
    `by_channel()` is the Remote of the conventional way, None if there is none.
    The way is chosen for each message, so that the order of long and short ones is not kept.
    """

    def __init__(self, igq: Any, resolved: tuple[str, list, Any, tuple[str, str]], served: Any, by_channel: _ByChannel):
        super().__init__(*resolved)
        self.igq, self.served, self.by_channel = igq, served, by_channel
        if served is not None:
            self.tag = tag_of(self.destination[1])
            self.rules = ("IGQ-01", "IGQ-08" if self.path else "IGQ-01")

    def put(self, request: Put) -> Message:
        """Put one message, by the way that is right for its length."""
        body = as_body(request.body)
        way = self.choose(request.application, header_length(request.descriptor) + len(body))
        return transmit(request.but(target=way, body=body), way)

    def choose(self, application: Any, length: int) -> Remote:
        """The way of a message that has `length` bytes with its header.

        MQError 2030 where it is too long for the shared transmission queue and no other way is there (IGQ-07), 2041
        where IGQ was altered, or the shared transmission queue redefined, since the name was resolved, 2373.
        """
        if self.igq.serving(self.queue.qmgr) is not self.served:
            application.refuse(MQRC_OBJECT_CHANGED, "igq-altered", self, "put")
        if self.served is None:
            return self
        if not self.served.ready:
            self.served.make_ready(application, self, "put")
        way = self.way(length)
        if way is not None:
            return way
        fields = {"length": length, "queue": self.queue.name, "limit": self.igq.longest(self.served)}
        fields["destination"] = self.destination[1]
        raise application.refusal(Grounds(MQRC_MSG_TOO_BIG_FOR_Q, "with-header", fields), self, "put")

    def way(self, length: int) -> Remote | None:
        """The way of a message that has `length` bytes with its header, by the definitions; None for none."""
        if self.served is None or length <= self.igq.longest(self.served):
            return self
        other: Remote | None = self.by_channel()
        if other is not None:
            other.rules = ("IGQ-07", "IGQ-07")
        return other
