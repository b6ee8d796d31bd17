"""Routes: every hop of a put, from the name that a program uses to the queue where the message ends.

Names are resolved as the engine resolves them. The rest of a route is what the definitions say: who gets from a
transmission queue, what starts the channel, which queue manager answers it, and what that does with the message.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from ..engine.explain.ways import channels_of, leads_to
from ..engine.programs.channels.channel import SENDING, Channel
from ..engine.programs.channels.initiator import INITQ
from ..engine.programs.channels.session import ANSWERS, hello, unwelcome
from ..engine.queues.queue import LocalQueue, Remote
from ..engine.queues.target import full_name
from ..engine.queues.triggering import Reasons, why_not_triggered
from ..engine.words import constants as mq
from ..engine.words.because import fact
from ..engine.words.errors import MQError
from ..engine.words.headers import MQXQH
from ..engine.words.lexer import as_name
from ..engine.words.objects import QUEUE_KINDS, Definition
from ..pubsub.publishing import Topic
from ..sharing.igq import InGroup
from ..topology.clusters import joined
from ..topology.graph import key_of
from ..topology.routes import partner_by_name
from .answers import Answer
from .clustered import in_cluster, instead
from .definitions import Place

if TYPE_CHECKING:
    from ..lab.queue_manager import QueueManager
    from .definitions import Definitions

DELIVERS, DEAD_LETTERED, BROKEN, UNKNOWN = "delivers", "dead-lettered", "broken", "cannot judge"
VERDICTS = (DELIVERS, DEAD_LETTERED, BROKEN, UNKNOWN)

_MISSING = ("TRG-08", "TRG-05")  # conditions of a trigger that are asked of the initiator, and of the queue, apart


class Hop(NamedTuple):
    """A hop of a route. It has the queue manager, the object, whether the object lets a message pass (None if that
    cannot be judged), the rule, the fact in a sentence, and where the object is defined.

    `longest` is the most bytes of a message that pass it, None for no limit of its own. `reason` is the reason
    code of a refused put to the name, 0 if it is not refused; `case` names some facts: "qmgr-alias", "get-disabled".
    """

    qmgr: str
    kind: str
    name: str
    holds: bool | None
    rule: str
    said: str
    place: Place = Place()
    longest: int | None = None
    reason: int = 0
    case: str = ""


class Route(Answer):
    """Where a put to `name` at `at` ends.

    - `verdict`: one of VERDICTS; `why`: the reason in a sentence.
    - `hops`: every `Hop`, in order.
    - `starts`: the commands that an operator must give, as (queue manager, MQSC), because nothing else starts these
      channels.
    - `longest`: the most bytes of a message that every hop lets pass.
    - `loops`: whether the message goes round.
    - `beyond`: for a route that is followed past what holds its messages up, the first such fact; "" for none.
    """

    what = "Hops"
    columns = ("qmgr", "kind", "name", "holds", "rule", "fact", "place")

    def __init__(self, name: str, at: str, walk: _Walk, ended: _Ended):
        super().__init__(walk.estate)
        self.name, self.at, self.verdict, self.why, self.loops = name, at, ended.verdict, ended.why, ended.loops
        self.hops, self.starts, self.beyond = tuple(walk.hops), tuple(walk.starts), walk.passed

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name, and where it leads."""
        return f"{self.name} at {self.at}: {self.verdict}: {self.why}"

    @property
    def failed(self) -> bool:  # type: ignore[override]
        """Whether no message reaches the queue that it is for."""
        return self.verdict != DELIVERS

    @property
    def longest(self) -> int:
        """The most bytes of a message that every hop lets pass."""
        return min((hop.longest for hop in self.hops if hop.longest is not None), default=0)

    @property
    def end(self) -> tuple[str, str]:
        """The queue manager and the object at which it ends."""
        return (self.hops[-1].qmgr, self.hops[-1].name) if self.hops else (self.at, self.name)

    @property
    def rows(self) -> list[tuple]:
        """A row for each hop."""
        return [(hop.qmgr, hop.kind, hop.name, hop.holds, hop.rule, hop.said, str(hop.place)) for hop in self.hops]

    @property
    def facts(self) -> dict[str, Any]:
        """The name, the verdict, the commands of an operator, and the longest message."""
        starts = [f"{qmgr}: {command}" for qmgr, command in self.starts]
        named = {"name": self.name, "at": self.at, "verdict": self.verdict, "why": self.why}
        return named | {"starts": starts, "longest": self.longest}

    @property
    def objects(self) -> list[str]:
        """The keys of its hops in `Lab.topology`."""
        lab = self._estate.lab
        return list(dict.fromkeys(key_of(lab[hop.qmgr], hop.kind, hop.name) for hop in self.hops))


class Senders(dict[str, list[Channel]]):
    """Transmission queue, by its key in `Lab.topology` -> the channels that send from it, of every member for a shared
    queue; and what routes of the same estate have in common: `tails`, and `reasons` of queues that trigger."""

    def __init__(self, channels: Mapping[str, list[Channel]] = MappingProxyType({})) -> None:
        super().__init__(channels)
        self.tails: dict[tuple[Any, ...], _Tail] = {}
        self.reasons: dict[LocalQueue, Reasons] = {}


def senders_of(estate: Definitions) -> Senders:
    """The channels of every transmission queue, for many routes of one estate."""
    found = Senders()
    for qmgr in estate.queue_managers:
        for each in qmgr.objects.match(("CHANNEL",)):
            if each.attributes["CHLTYPE"] in SENDING:
                key = key_of(qmgr, "QLOCAL", each.attributes["XMITQ"])
                found.setdefault(key, []).extend(channels_of(qmgr, each))
    return found


def route(
    estate: Definitions,
    name: str,
    at: str = "",
    senders: Senders | None = None,
    beyond: bool = False,
    down: frozenset[str] = frozenset(),
) -> Route:
    """The route of a put to `name`, "Q" or "Q@QMGR", at a queue manager, or at the only one that has Q; LabError for
    one that is not in the estate.

    The message has no length, the default priority and persistence, and no report options. `senders` are those of the
    estate. With `beyond` it goes on past a channel that does not start or get, as if that were fixed. `down` are keys
    of objects and queue managers in `Lab.topology`, and links such as "QM1 - QM2", that let no message pass.
    """
    at = estate.at(at, name.partition("@")[0], "QLOCAL")
    walk = _Walk(estate, senders, beyond, down)
    try:
        walk.put(estate.lab[at], name)
    except _Ended as ended:
        return Route(name, at, walk, ended)
    raise AssertionError("a walk ends with its verdict")


def routes_of(estate: Definitions) -> dict[tuple[str, str], Route]:
    """The route of every queue name of the estate's people: (queue manager, name) -> `Route`."""
    names, senders = [], senders_of(estate)
    for qmgr in estate.queue_managers:
        for queue in estate.own(qmgr, "QLOCAL", "QALIAS", "QREMOTE"):
            alias = not queue.attributes.get("RNAME", "a queue")  # of a queue manager
            if queue.attributes.get("USAGE") != "XMITQ" and not alias:
                names.append((qmgr.name, queue.name))
    return {(at, name): route(estate, name, at, senders) for at, name in names}


class _Agent(NamedTuple):
    """The fate of a message that an agent cannot put: whether it puts it on the dead-letter queue, and, if that
    cannot be, the rule and the fact."""

    dead_letters: bool
    rule: str
    else_: str


_IGQ_AGENT = _Agent(True, "IGQ-10", "a nonpersistent message is lost, and the agent tries any other again")


class _Ended(Exception):
    """The end of a route: its verdict, the reason in a sentence, and whether the message goes round."""

    def __init__(self, verdict: str, why: str, loops: bool = False):
        super().__init__(verdict, why)
        self.verdict, self.why, self.loops = verdict, why, loops


class _Tail(NamedTuple):
    """The way of a message from the put of an agent on: the places it comes by, and what a walk adds there."""

    places: frozenset[tuple[str, str]]
    hops: list[Hop]
    starts: list[tuple[str, str]]
    passed: str
    verdict: str
    why: str


class _Walk:
    """The way of one message: its hops so far, and the commands that an operator gives on the way."""

    def __init__(self, estate: Definitions, senders: Senders | None, beyond: bool, down: frozenset[str]):
        self.down = down
        self.estate, self.lab, self.senders = estate, estate.lab, senders
        self.beyond, self.passed = beyond, ""
        self.hops: list[Hop] = []
        self.starts: list[tuple[str, str]] = []
        self.priority: int | None = None
        self.persistent: bool | None = None  # None before the first definition has decided
        self.agent: _Agent | None = None  # that has the message; None for the program's own put
        self.seen: dict[tuple[str, str], None] = {}  # in the order of the way

    def hop(
        self, qmgr: QueueManager, kind: str, name: str, holds: bool | None, rule: str, said: str, **more: Any
    ) -> None:
        """Add a `Hop`; raises _Ended if it is down."""
        if self.down and not self.down.isdisjoint((qmgr.name, key_of(qmgr, kind, name))):
            raise _Ended(BROKEN, f"{name} of {qmgr.name} is down")
        place = self.estate.place(qmgr.name, kind, name)
        self.hops.append(Hop(qmgr.name, kind, name, holds, rule, said, place, **more))

    def put(self, qmgr: QueueManager, name: str) -> None:
        """Follow a put to a name; raises _Ended."""
        if (qmgr.name, name) in self.seen:
            self.hop(qmgr, "QUEUE", name, False, "CHL-01", f"the message has been at {qmgr.name} for {name} before")
            raise _Ended(BROKEN, f"the message goes round and comes back to {qmgr.name}", loops=True)
        if self.agent is None or self.senders is None:  # of the program itself
            self._follow(qmgr, name)
            return
        tails = self.senders.tails
        state = (self.beyond, qmgr.name, name, self.priority, self.persistent, self.agent)
        tail = tails.get(state)
        if tail is not None and tail.places.isdisjoint(self.seen):
            self.hops += tail.hops
            self.starts += tail.starts
            self.passed = self.passed or tail.passed
            raise _Ended(tail.verdict, tail.why)
        seen, hops, starts, passed = len(self.seen), len(self.hops), len(self.starts), self.passed
        self.passed = ""
        try:
            self._follow(qmgr, name)
        except _Ended as ended:
            if not ended.loops:
                places = frozenset([*self.seen][seen:])
                more = self.hops[hops:], self.starts[starts:], self.passed
                tails[state] = _Tail(places, *more, ended.verdict, ended.why)
            raise
        finally:
            self.passed = passed or self.passed

    def _follow(self, qmgr: QueueManager, name: str) -> None:
        """Follow a put to a name where the message has not been; raises _Ended."""
        self.seen[qmgr.name, name] = None
        try:
            target = leads_to(qmgr, name)
            if isinstance(target, InGroup):
                target = target.way(MQXQH.LENGTH) or target
        except MQError as refused:
            self._no_target(qmgr, name, refused)
        self._path(qmgr, name, target)
        if isinstance(target, Topic):
            from ..pubsub.topics import inherited

            pub, governing = inherited(qmgr, target.string, "PUB", "ENABLED")
            shut = f"{governing.name} has PUB(DISABLED)" if pub == "DISABLED" and governing is not None else ""
            said = shut or f"its topic string is {target.string!r}"
            self.hop(qmgr, "TOPIC", target.base.name, not shut, "MQI-11" if shut else "MQI-34", said)
            if shut:
                self._refused(qmgr, target.base.name, mq.MQRC_PUT_INHIBITED, shut)
            raise _Ended(DELIVERS, f"published to topic {target.base.name} of {qmgr.name}")
        if self.persistent is None:
            self.priority, self.persistent = target.defprty, target.defpsist
        if isinstance(target, Remote):
            self._transmit(qmgr, target)
        elif target.queue is not None:
            self._local(qmgr, target.queue)

    def _no_target(self, qmgr: QueueManager, name: str, refused: MQError) -> None:
        """The name leads to nothing: the put is refused, unless the scripts leave that open."""
        names = (*name.split("@"), *refused.rests_on)
        clustered = instead(qmgr, name, refused)
        unsure = "cluster" if clustered else self.estate.unsure(qmgr, *names)
        known = qmgr.objects.named("QLOCAL", name.partition("@")[0])
        base = qmgr.objects.get("QREMOTE", known.attributes["TARGET"]) if known and known.kind == "QALIAS" else None
        if base is not None and base.attributes["RNAME"] and "@" not in name:
            self.hop(qmgr, "QALIAS", name, True, "MQI-14", f"alias of {base.name}")
            known = base
        unsure = unsure or self.estate.unsure_of_igq(qmgr, _sought(qmgr, name, known))
        kind, shown = (known.kind, known.name) if known and "@" not in name else ("QUEUE", name)
        said = f"{refused.reason} {refused.name}: {refused.said}" + (f"; {clustered.said}" if clustered else "")
        rule, reason = refused.rule or "MQI-14", refused.reason
        self.hop(qmgr, kind, shown, None if unsure else False, rule, said, reason=reason)
        if unsure:
            raise _Ended(UNKNOWN, unsure)
        self._refused(qmgr, name, refused.reason, refused.said)

    def _path(self, qmgr: QueueManager, name: str, target: Any) -> None:
        """The definitions between a name and the queue, or the topic, that it leads to."""
        path = list(target.path)
        at = name.partition("@")[2]
        alias = qmgr.objects.get("QREMOTE", at) if at != qmgr.name else None
        if alias is not None and not alias.attributes["RNAME"] and alias not in path:
            path.insert(0, alias)
        for each in path:
            has, case = each.attributes, ""
            if each.kind == "QALIAS":
                said, rule = f"alias of {has['TARGET']}", "MQI-14"
            elif has["RNAME"]:
                said, rule = f"remote definition of {has['RNAME']} at {has['RQMNAME']}", "CHL-01"
            else:
                said, rule, case = f"alias of queue manager {has['RQMNAME'] or each.name}", "CHL-01", "qmgr-alias"
            open_ = has["PUT"] == "ENABLED"
            said += "" if open_ else "; PUT(DISABLED)"
            self.hop(qmgr, each.kind, each.name, open_, rule if open_ else "MQI-11", said, case=case)
            if not open_:
                self._refused(qmgr, name, mq.MQRC_PUT_INHIBITED, f"{each.name} has PUT(DISABLED)")

    def _takes(self, qmgr: QueueManager, queue: Any, said: str, rule: str, header: int = 0) -> None:
        """The hop of a local queue, which must take the message behind a header of so many bytes."""
        reason, why = 0, ""
        if queue.put_inhibited:
            reason, rule, why = mq.MQRC_PUT_INHIBITED, "MQI-11", f"{queue.name} has PUT(DISABLED)"
        elif queue.maxdepth == 0:
            reason, rule, why = mq.MQRC_Q_FULL, "MQI-09", f"{queue.name} has MAXDEPTH(0)"
        elif queue.longest < header:
            reason, rule, why = mq.MQRC_MSG_TOO_BIG_FOR_Q, "MQI-10", f"MAXMSGL of {queue.name} is {queue.longest}"
        elif queue.temporary and self.persistent:
            reason = mq.MQRC_PERSISTENT_NOT_ALLOWED
            grounds = queue.why_no_persistent()
            rule, why = grounds.rule or "", grounds.said
        self.hop(qmgr, "QLOCAL", queue.name, not reason, rule, why or said, longest=queue.longest - header)
        if reason:
            self._refused(qmgr, queue.name, reason, why)
        if queue.stream is not None and queue.stream.must:
            self._duplicated(qmgr, queue)

    def _duplicated(self, qmgr: QueueManager, queue: Any) -> None:
        """The stream queue of a queue with STRMQOS(MUSTDUP), which must take the duplicate too."""
        name = queue.stream.name
        reason, why, clustered = 0, "", None
        try:
            target = leads_to(qmgr, name)
            if target.put_inhibited or (target.queue is not None and not target.queue.maxdepth):
                reason = mq.MQRC_PUT_INHIBITED if target.put_inhibited else mq.MQRC_Q_FULL
                why = f"{name} has {'PUT(DISABLED)' if target.put_inhibited else 'MAXDEPTH(0)'}"
        except MQError as refused:
            reason, why, clustered = refused.reason, refused.said, instead(qmgr, name, refused)
        why = clustered.said if clustered else why
        said = f"STREAMQ of {queue.name}, with STRMQOS(MUSTDUP)"
        self.hop(qmgr, "QLOCAL", name, None if clustered else not reason, "STQ-03", f"{why}; {said}" if why else said)
        if clustered:
            raise _Ended(UNKNOWN, "cluster")
        if reason:
            self._refused(qmgr, queue.name, reason, f"its duplicate is refused: {why}")

    def _local(self, qmgr: QueueManager, queue: LocalQueue) -> None:
        """The queue at which the route ends."""
        self._takes(qmgr, queue, f"local queue; MAXDEPTH is {queue.maxdepth}", "MQI-14")
        if queue.is_xmitq:
            unheaded = f"{queue.name} is a transmission queue: a program that puts to it by name must make the MQXQH"
            raise _Ended(UNKNOWN, unheaded)
        raise _Ended(DELIVERS, f"on {queue.name} of {qmgr.name}")

    def _refused(self, qmgr: QueueManager, name: str, reason: int, said: str) -> None:
        """A put that is refused: to the program, or to an agent, which dead-letters the message."""
        said = f"{reason} {mq.REASONS[reason]} at {qmgr.name}: {said}"
        if self.agent is None:
            raise _Ended(BROKEN, said)
        dead, uses = qmgr.attributes["DEADQ"], self.agent.dead_letters
        target = qmgr.targets.get(dead) if dead else None
        if uses and dead and target is None and (unsure := self.estate.unsure(qmgr, dead)):
            raise _Ended(UNKNOWN, f"{unsure}; the message would be dead-lettered: {said}")
        keeps = target is not None and not (self.persistent and target.queue.temporary)
        if uses and target is not None and keeps and not target.put_inhibited and target.queue.maxdepth:
            longest = target.queue.longest
            self.hop(qmgr, "QLOCAL", dead, True, "MQI-30", f"dead-letter queue; {said}", longest=longest)
            raise _Ended(DEAD_LETTERED, said)
        why = f"DEADQ({dead}) cannot take it" if dead and uses else "DEADQ is blank" if uses else "USEDLQ(NO)"
        self.hop(qmgr, "QMGR", dead, False, self.agent.rule, f"{why}: {self.agent.else_}")
        raise _Ended(BROKEN, f"{said}; {why}")

    def _transmit(self, qmgr: QueueManager, target: Remote) -> None:
        """A transmission queue, its channel or the agent of a group, and the put at the other end."""
        queue, (name, at) = target.queue, target.destination
        if isinstance(target, InGroup) and target.served is not None:
            self._within_group(qmgr, target)
        named = any(each.kind == "QREMOTE" and each.attributes["XMITQ"] for each in target.path)
        if not named and (unsure := self.estate.unsure_of_igq(qmgr, at)):
            self.hop(qmgr, "QLOCAL", queue.name, None, "IGQ-01", f"transmission queue for {at}; {unsure}")
            raise _Ended(UNKNOWN, unsure)
        by_default = queue.name == qmgr.attributes["DEFXMITQ"] != at
        clustered = in_cluster(qmgr, "QMGR", at, joined(qmgr)) if by_default and not named else None
        if queue.name.startswith("SYSTEM.") or clustered or (by_default and self.estate.unsure(qmgr)):
            words = clustered.said if clustered else f"{queue.name} is served by cluster"
            self.hop(qmgr, "QLOCAL", queue.name, None, "CHL-01", words)
            raise _Ended(UNKNOWN, "cluster")
        to = f"{name} at {at}" if name else at
        self._takes(qmgr, queue, f"transmission queue for {to}", "CHL-01", MQXQH.LENGTH)
        self._gives(qmgr, queue)
        if self.senders is None:
            self.senders = senders_of(self.estate)
        served = self.senders.get(key_of(qmgr, "QLOCAL", queue.name), [])
        if not served:
            unsure = self.estate.unsure(qmgr, queue.name)
            said = f"no sender or server channel has XMITQ({queue.name})"
            self.hops[-1] = self.hops[-1]._replace(holds=None if unsure else False, said=said)
            raise _Ended(UNKNOWN if unsure else BROKEN, unsure or f"{said}: the message stays there")
        partner, has = self._sent(qmgr, queue.name, served, at)
        self.agent = _Agent(has["USEDLQ"] == "YES", "CHL-17", "a fast message is lost, and any other ends the channel")
        self.put(partner, full_name(partner, name, at))

    def _sent(self, qmgr: QueueManager, xmitq: str, served: list[Channel], at: str) -> tuple[QueueManager, dict]:
        """The partner of the channel that sends the message, and its channel."""
        # for a shared queue that of the first member whose channel starts
        members = sorted(dict.fromkeys(each.qmgr.name for each in served), key=lambda name: name != qmgr.name)
        failed: list[tuple[_Ended, list[Hop], list]] = []
        for member in (self.lab[name] for name in members):
            hops, starts = list(self.hops), list(self.starts)
            try:
                own = [each for each in served if each.qmgr is member]
                return self._called(self._started(member, member.targets[xmitq], own), xmitq, at)
            except _Ended as ended:
                if ended.verdict != BROKEN:
                    raise
                failed.append((ended, self.hops, self.starts))
                self.hops, self.starts = hops, starts
        first, self.hops, self.starts = failed[0]
        raise first

    def _within_group(self, qmgr: QueueManager, target: InGroup) -> None:
        """The shared transmission queue of a group, and the put of the destination's agent."""
        queue, (name, at) = target.queue, target.destination
        said = f"intra-group queuing to {at}"
        with suppress(MQError):
            said += "; longer messages go by channel" if target.by_channel() else ""
        self._takes(qmgr, queue, said, "IGQ-01", MQXQH.LENGTH)
        self._gives(qmgr, queue)
        running = qmgr.group is not None and qmgr.group.igq.agents[at].state == "RUNNING"
        if not running and not queue.definition.attributes["SHARE"]:
            said = f"{queue.name} has NOSHARE, and no page of IBM's says whether every agent can open it then"
            self.hops[-1] = self.hops[-1]._replace(holds=None, rule="IGQ-10", said=said)
            raise _Ended(UNKNOWN, said)
        partner, self.agent = self.lab[at], _IGQ_AGENT
        self.put(partner, full_name(partner, name, at))

    def _gives(self, qmgr: QueueManager, queue: LocalQueue) -> None:
        """A transmission queue, the last hop so far, from which an agent must be able to get the message."""
        if queue.get_inhibited:
            said = f"{queue.name} has GET(DISABLED)"
            self.hops[-1] = self.hops[-1]._replace(holds=False, rule="MQI-11", said=said, case="get-disabled")
            self._held(f"the message stays on {queue.name} of {qmgr.name}, which has GET(DISABLED)")

    def _held(self, why: str) -> None:
        """The last hop holds a message up: the route ends, or goes on beyond it with the reason noted."""
        if not self.beyond:
            raise _Ended(BROKEN, why)
        self.hops[-1] = self.hops[-1]._replace(holds=None)
        self.passed = self.passed or why

    def _started(self, qmgr: QueueManager, queue: LocalQueue, served: list[Channel]) -> Channel:
        """The channel that gets the message, and what starts it."""
        has = queue.definition.attributes
        if not has["TRIGGER"]:  # an operator takes the one that works
            channel = min(served, key=lambda each: not partner_by_name(each, queue.name))
            if channel.attributes["CONNAME"]:
                self.starts.append((qmgr.name, f"START CHANNEL({as_name(channel.name)})"))
            return channel
        known = Senders() if self.senders is None else self.senders
        why = known.reasons.get(queue) or known.reasons.setdefault(queue, why_not_triggered(queue))
        stuck = [said for rule, _, holds, said in why.rows if not holds and rule not in _MISSING]
        if not queue.fifo and self.priority is not None and self.priority < has["TRIGMPRI"]:
            stuck.append(f"TRIGMPRI is {has['TRIGMPRI']}, and the message has priority {self.priority}")
        process = qmgr.objects.get("PROCESS", has["PROCESS"])
        named = has["TRIGDATA"] or (process.attributes["USERDATA"] if process else "")
        found = qmgr.objects.get("CHANNEL", named) if named else served[0].definition
        starts = next((each for each in served if each.definition is found), None)
        if starts is None:
            stuck.append(f"its trigger starts {named}, which is no channel that has XMITQ({queue.name})")
        if stuck or starts is None:
            unsure = self.estate.unsure(qmgr, has["INITQ"], has["PROCESS"], named)
            said = f"one message does not start a channel of {queue.name}: {'; '.join(stuck)}"
            unsure = "" if unsure == "cluster" else unsure
            self.hops[-1] = self.hops[-1]._replace(holds=None if unsure else False, rule="CHL-16", said=said)
            if unsure:
                raise _Ended(UNKNOWN, unsure)
            self._held(said)
            return starts or served[0]
        if "TRG-08" in why.missing:
            more = "" if has["INITQ"] == INITQ else f" INITQ({as_name(has['INITQ'])})"
            self.starts.append((qmgr.name, f"START CHINIT{more}"))
        return starts

    def _called(self, channel: Channel, xmitq: str, at: str) -> tuple[QueueManager, dict]:
        """The queue manager that a channel calls, and its channel of the same name, which must go together."""
        qmgr, name, has = self.lab[channel.qmgr.name], channel.name, channel.attributes
        conname = has["CONNAME"]
        partner = partner_by_name(channel, xmitq if xmitq == at else "")
        said = f"{has['CHLTYPE']} to {partner or conname or 'its requester'}"
        limit = has["MAXMSGL"] or qmgr.attributes["MAXMSGL"]
        self.hop(qmgr, "CHANNEL", name, True if partner else None, "CHL-08", said, longest=limit)
        if not partner:
            missing = at if at not in self.estate.names else f"the partner of {name}, CONNAME({conname}),"
            raise _Ended(UNKNOWN, f"{missing} is not in the estate")
        if " - ".join(sorted((qmgr.name, partner))) in self.down:
            raise _Ended(BROKEN, f"the link between {qmgr.name} and {partner} is down")
        there = self.lab[partner]
        found = there.objects.get("CHANNEL", name)
        if found is None and there.attributes.get("CHAD") == "ENABLED":
            found = there.objects.get("CHANNEL", "SYSTEM.AUTO.RECEIVER")
        if found is None:
            unsure = self.estate.unsure(there, name)
            unsure = "" if unsure == "cluster" else unsure
            near = in_other_case(there, "CHANNEL", name)
            said = f"{name} is not defined at {partner}" + (f", and {near} is" if near else "")
            self.hop(there, "CHANNEL", name, None if unsure else False, "CHL-08", said)
            if unsure:
                raise _Ended(UNKNOWN, unsure)
            self._held(f"{said}: the channel does not start")
            return there, {"USEDLQ": "YES"}
        other = found.attributes
        ciphers = {has.get("SSLCIPH", ""), other.get("SSLCIPH", "")}
        wrong = ""
        if other["CHLTYPE"] not in ANSWERS[has["CHLTYPE"]] and not conname == "" != other["CHLTYPE"]:
            wrong = f"{name} is a {other['CHLTYPE']} at {partner}, and a {has['CHLTYPE']} at {qmgr.name}"
        elif other["SEQWRAP"] != has["SEQWRAP"]:
            wrong = f"SEQWRAP of {name} is {has['SEQWRAP']} at {qmgr.name}, and {other['SEQWRAP']} at {partner}"
        elif len(ciphers) > 1:
            why = unwelcome(there, found, hello(channel))
            wrong = "" if why is None else fact(why)
        limit = other["MAXMSGL"] or there.attributes["MAXMSGL"]
        said = f"{other['CHLTYPE']} that {qmgr.name} calls"
        self.hop(there, "CHANNEL", name, not wrong, "CHL-08", wrong or said, longest=limit)
        if wrong:
            self._held(f"{wrong}: the channel does not start")
        if not conname:
            self.starts.append((partner, f"START CHANNEL({as_name(name)})"))
        return there, {"USEDLQ": "YES"} | other


def _sought(qmgr: QueueManager, name: str, known: Definition | None) -> str:
    """The queue manager for whose messages a name, of a `known` object, names no transmission queue; "" for none."""
    at = name.partition("@")[2]
    remote = qmgr.objects.get("QREMOTE", at) if at else known
    if remote is None or remote.kind != "QREMOTE":
        return at
    return "" if remote.attributes["XMITQ"] else remote.attributes["RQMNAME"]


def in_other_case(qmgr: Any, kind: str, name: str) -> str:
    """The object whose name differs from a name in case only, "" for none; `kind` is QLOCAL for a queue of any kind."""
    now = qmgr.lab.events.next_seq
    if _names.get(qmgr, (None,))[0] != now:
        _names[qmgr] = now, {}
    kinds, spelled = QUEUE_KINDS if kind == "QLOCAL" else (kind,), _names[qmgr][1]
    if kinds not in spelled:
        spelled[kinds] = {}
        for one in qmgr.objects.match(kinds):
            spelled[kinds].setdefault(one.name.upper(), []).append(one.name)
    return next((near for near in spelled[kinds].get(name.upper(), ()) if near != name), "")


_names: WeakKeyDictionary[Any, tuple[int, dict]] = WeakKeyDictionary()
"""Queue manager -> its rows of the log so far, and the names of objects by kinds and by their capitals."""
