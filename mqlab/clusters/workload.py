"""The workload algorithm: the steps that leave out instances of a cluster queue until one is left.

One list decides, and explains. Each step gets the candidates that the steps before it left, and returns those that
stay; a step that would leave none leaves all. The last step chooses. Levels before 8.0 ask for PUT and for the local
instance before they ask for ranks (CLU-34). No step asks for the depth or the readers of a queue (CLU-38).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from ..engine.words.errors import visible
from ..engine.words.shown import shown
from .repository import Record

CLASSES = (
    ("INACTIVE", "RUNNING", "local"),
    ("BINDING", "INITIALIZING", "STARTING", "STOPPING"),
    ("RETRYING",),
    ("REQUESTING", "PAUSED", "STOPPED", "SWITCHING"),
)
"""States of a cluster-sender channel, the best first (CLU-44); no channel leads to the local instance."""

_NETPRTY = methodcaller("of", "channel", "NETPRTY")
_CLASS = {state: number for number, states in enumerate(CLASSES) for state in states}
EQUAL = 50
"""CLWLWGHT of a channel to which nobody gave one."""


class Candidate(NamedTuple):
    """One instance and one channel to it: the facts of the queue, without attributes if a queue manager was named; the
    record of its queue manager; and whether it is here."""

    facts: dict[str, Any]
    member: Record
    local: bool

    @property
    def qmgr(self) -> str:
        """The queue manager that it is on."""
        return self.member.qmgr

    @property
    def channel(self) -> str:
        """The channel to its queue manager; for the local instance, the CLUSRCVR channel here."""
        return self.member.facts["channel"]

    @property
    def put(self) -> str:
        """PUT of the queue: whether it allows puts."""
        return self.facts.get("PUT", "ENABLED")

    def of(self, what: str, keyword: str) -> int:
        """An attribute of the "queue", or of the "channel": of its CLUSRCVR."""
        has = self.facts if what == "queue" else self.member.facts["attributes"]
        return has.get(keyword, EQUAL if keyword == "CLWLWGHT" else 0)

    def __str__(self) -> str:
        return f"{self.qmgr} by {self.channel}" if not self.local else f"{self.qmgr}, here"


class Asking(NamedTuple):
    """One choice: for a queue, or for a queue manager, of this name, `arrived` if a cluster channel put the message.
    `local_only` is CLWLUSEQ(LOCAL) of the queue here."""

    manager: Any
    name: str
    local_only: bool
    arrived: bool


Kept = list[Candidate]
Fact = Callable[[Candidate, Asking], str]


class Step(NamedTuple):
    """One step: its rule, its title, the test, and the fact of a candidate that the test compares."""

    rule: str
    title: str
    test: Callable[[Kept, Asking], Kept]
    fact: Fact


def _best(rule: str, title: str, score: Callable[[Candidate, Asking], int], fact: Fact) -> Step:
    """The step that keeps the candidates with the highest score."""

    def test(left: Kept, asking: Asking) -> Kept:
        scores = [score(candidate, asking) for candidate in left]
        best = max(scores)
        return [candidate for candidate, its in zip(left, scores, strict=True) if its == best]

    return Step(rule, title, test, fact)


def _said(keyword: str, value: Callable[[Candidate], Any]) -> Fact:
    return lambda candidate, _: f"{keyword}({value(candidate)})"


def _highest(rule: str, keyword: str, owner: str) -> Step:
    """The step that keeps the highest value of an attribute."""
    value = methodcaller("of", owner, keyword)
    return _best(rule, f"highest {keyword} of the {owner}", lambda it, _: value(it), _said(keyword, value))


def _suspension(candidate: Candidate, _: Asking) -> str:
    return "suspended" if candidate.member.facts["suspended"] else "not suspended"


def _state(candidate: Candidate, asking: Asking) -> str:
    return "local" if candidate.local else asking.manager.channels.state(candidate.channel)


def _one_channel_each(left: Kept, _: Asking) -> Kept:
    best = {candidate.member.qmid: _NETPRTY(candidate) for candidate in sorted(left, key=_NETPRTY)}
    return [candidate for candidate in left if _NETPRTY(candidate) == best[candidate.member.qmid]]


def _turn(candidate: Candidate, asking: Asking) -> int:
    """The last choice that took the channel of a candidate; 0 for none."""
    return asking.manager.factors["channel", candidate.channel][1]


def _recent(left: Kept, asking: Asking) -> Kept:
    most = asking.manager.qmgr.attributes["CLWLMRUC"]
    turns = sorted({turn for candidate in left if (turn := _turn(candidate, asking))}, reverse=True)
    if len(turns) < most:
        return left
    return [candidate for candidate in left if candidate.local or _turn(candidate, asking) >= turns[most - 1]]


def _last(candidate: Candidate, asking: Asking) -> str:
    turn = _turn(candidate, asking)
    return f"last chosen by choice {turn}" if turn else "not chosen yet"


def _counted(left: Kept, candidate: Candidate, asking: Asking) -> tuple[str, ...]:
    """The key that a choice is counted by: the channel, if any weight is not 50, else queue and channel (CLU-49)."""
    if any(one.of("channel", "CLWLWGHT") != EQUAL for one in left):
        return ("channel", candidate.channel)
    return ("queue", asking.name, candidate.qmgr, candidate.channel)


def _least(left: Kept, asking: Asking) -> Kept:
    def place(candidate: Candidate) -> tuple[Any, ...]:
        return (*asking.manager.factors[_counted(left, candidate, asking)], candidate.qmgr, candidate.channel)

    return [min(left, key=place)]


def _use(candidate: Candidate, asking: Asking) -> str:
    """How much and when a candidate was chosen."""
    factors, weight = asking.manager.factors, candidate.of("channel", "CLWLWGHT")
    factor, turn = factors[_counted([candidate], candidate, asking)]
    if not turn:
        factor, turn = factors["channel", candidate.channel]
    last = f"last by choice {turn}" if turn else "not chosen yet"
    return f"CLWLWGHT({weight}), counter {factor}, {last}"


def _where(candidate: Candidate, _: Asking) -> str:
    return "here" if candidate.local else "not here"


def _stays(rule: str, title: str, when: Callable[[Asking], bool]) -> Step:
    """The step that keeps the local instance, if it allows puts."""
    return _best(rule, title, lambda it, asking: when(asking) and it.local and it.put == "ENABLED", _where)


_ARRIVED = _stays("CLU-36", "what came over a cluster channel stays", lambda asking: asking.arrived)
_RANKS = tuple(_highest("CLU-35", "CLWLRANK", of) for of in ("channel", "queue"))
_OPEN = (
    _best("CLU-37", "puts are allowed", lambda it, _: it.put == "ENABLED", _said("PUT", attrgetter("put"))),
    _stays("CLU-36", "the local instance, by CLWLUSEQ", lambda asking: asking.local_only),
)
_AFTER = (
    _best("CLU-43", "not suspended", lambda it, _: not it.member.facts["suspended"], _suspension),
    _best("CLU-44", "best state of the channel", lambda it, asking: -_CLASS[_state(it, asking)], _state),
    Step("CLU-45", "highest NETPRTY to its queue manager", _one_channel_each, _said("NETPRTY", _NETPRTY)),
    *(_highest("CLU-46", "CLWLPRTY", of) for of in ("channel", "queue")),
    Step("CLU-47", "among the CLWLMRUC channels that were chosen last", _recent, _last),
    Step("CLU-48", "least used for its CLWLWGHT, then least recently", _least, _use),
)


def steps(level: int) -> tuple[Step, ...]:
    """The steps of a queue manager of this command level, in order (CLU-34)."""
    first = (*_RANKS, *_OPEN) if level >= 800 else (*_OPEN, *_RANKS)
    return (_ARRIVED, *first, *_AFTER)


class Row(NamedTuple):
    """One step as it was taken: its rule, its title, and what it left out and kept, each with the fact compared; "" for
    a step that left nothing out."""

    rule: str
    title: str
    dropped: tuple[tuple[str, str], ...]
    kept: tuple[tuple[str, str], ...]


@shown
class Choice(NamedTuple):
    """One choice: the name, the steps as rows, and the candidate, None if there was none; `time_us` is when. `alone` is
    whether the queue is here, and this queue manager knows no other instance."""

    name: str
    rows: tuple[Row, ...]
    chosen: Candidate | None
    time_us: int
    counted: tuple[str, ...] = ()
    alone: bool = False

    @property
    def missing(self) -> str:
        """Why there was nothing to choose, in words."""
        alone = "It is the queue here: no other instance is known in a cluster."
        return alone if self.alone else "There is no instance."

    @property
    def decided(self) -> str:
        """The first step that left out instances, and what it left out, in words."""
        first = next((row for row in self.rows if row.dropped), None)
        if first is None:
            return "it is the only instance"
        left = ", ".join(f"{who} ({fact})" for who, fact in first.dropped)
        return f"{first.title} ({first.rule}) leaves out {left}"

    def __str__(self) -> str:
        if self.chosen is None:
            return visible(f"{self.name}: {self.missing}")
        lines = [f"{self.name}: {self.chosen}"]
        for row in self.rows:
            left = "; ".join(f"{who}: {fact}" for who, fact in row.dropped)
            kept = ", ".join(who for who, _ in row.kept)
            then = f"without {left}; {len(row.kept)} left" if left else f"all stay ({kept})"
            lines.append(f"{row.rule:7} {row.title}: {then}")
        return visible("\n".join(lines))


def choose(candidates: Sequence[Candidate], asking: Asking) -> Choice:
    """Let the steps choose; nothing is counted before `count`."""
    left, rows, names = list(candidates), [], {id(candidate): str(candidate) for candidate in candidates}
    counted: tuple[str, ...] = ()
    for step in steps(asking.manager.qmgr.level) if left else ():
        kept = step.test(left, asking)
        if step.test is _least:
            counted = _counted(left, kept[0], asking)
        stay, fact = {id(one) for one in kept}, step.fact if len(kept) < len(left) else lambda *_: ""
        dropped = tuple((names[id(one)], fact(one, asking)) for one in left if id(one) not in stay)
        rows.append(Row(step.rule, step.title, dropped, tuple((names[id(one)], fact(one, asking)) for one in kept)))
        left = kept
    chosen = left[0] if left else None
    return Choice(asking.name, tuple(rows), chosen, asking.manager.clock.time_us, counted)


def count(choice: Choice, chosen: Candidate, manager: Any) -> None:
    """Count a choice: the factor of the chosen instance grows by 1000 / CLWLWGHT (CLU-48)."""
    manager.turn += 1
    for key in {choice.counted, ("channel", chosen.channel)}:
        factor = manager.factors[key]
        factor[0] += 1000 // chosen.of("channel", "CLWLWGHT")
        factor[1] = manager.turn
    manager.choices[choice.name] = choice
