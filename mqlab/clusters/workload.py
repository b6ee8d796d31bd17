"""The workload algorithm: the steps that leave out instances of a cluster queue until one is left.

One list decides, and explains. Each step gets the candidates that the steps before it left, and returns those that
stay; a step that would leave none leaves all. The last step chooses. Levels before 8.0 ask for PUT and for the local
instance before they ask for ranks (CLU-34). No step asks for the depth or the readers of a queue (CLU-38).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..engine.words.errors import visible
from ..engine.words.shown import shown
from .repository import Record

CLASSES = (
    ("INACTIVE", "RUNNING"),
    ("BINDING", "INITIALIZING", "STARTING", "STOPPING"),
    ("RETRYING",),
    ("REQUESTING", "PAUSED", "STOPPED", "SWITCHING"),
)
"""States of a cluster-sender channel, the best first (CLU-44)."""

EQUAL = 50
"""CLWLWGHT of a channel to which nobody gave one."""


class Candidate(NamedTuple):
    """One instance and one channel to it: the record of the queue, or None for a queue manager that was named; its
    facts now; the record of its queue manager; and whether it is here."""

    instance: Record | None
    facts: dict[str, Any]
    member: Record
    local: bool

    @property
    def qmgr(self) -> str:
        """The queue manager that it is on."""
        return self.member.qmgr

    @property
    def channel(self) -> str:
        """The channel that leads there; for the local one, its CLUSRCVR."""
        name: str = self.member.facts["channel"]
        return name

    def of_channel(self, keyword: str) -> Any:
        """An attribute of the CLUSRCVR."""
        return self.member.facts["attributes"].get(keyword, EQUAL if keyword == "CLWLWGHT" else 0)

    def __str__(self) -> str:
        return f"{self.qmgr} by {self.channel}" if not self.local else f"{self.qmgr}, here"


@dataclass
class Asking:
    """One choice: for a queue, or for a queue manager, of this name, `arrived` if the message came over a cluster
    channel. `local_only` is CLWLUSEQ(LOCAL) of the queue here."""

    manager: Any
    name: str
    local_only: bool = True
    arrived: bool = False
    state: Callable[[str], str] = field(default=lambda channel: "INACTIVE")


Kept = list[Candidate]
Test = Callable[[Kept, Asking], Kept]


class Step(NamedTuple):
    """One step: its rule, its title, the test, and the fact of a candidate that the test compares."""

    rule: str
    title: str
    test: Test
    fact: Callable[[Candidate, Asking], str]


def _highest(value: Callable[[Candidate], int]) -> Test:
    def test(left: Kept, asking: Asking) -> Kept:
        best = max(value(candidate) for candidate in left)
        return [candidate for candidate in left if value(candidate) == best]

    return test


def _of_queue(keyword: str) -> Callable[[Candidate], int]:
    return lambda candidate: int(candidate.facts.get(keyword, 0))


def _of_channel(keyword: str) -> Callable[[Candidate], int]:
    return lambda candidate: int(candidate.of_channel(keyword))


def _arrived(left: Kept, asking: Asking) -> Kept:
    return (
        [candidate for candidate in left if candidate.local and _enabled(candidate, asking)] if asking.arrived else left
    )


def _enabled(candidate: Candidate, asking: Asking) -> bool:
    return candidate.facts.get("PUT", "ENABLED") == "ENABLED"


def _put(left: Kept, asking: Asking) -> Kept:
    return [candidate for candidate in left if _enabled(candidate, asking)]


def _local(left: Kept, asking: Asking) -> Kept:
    return (
        [candidate for candidate in left if candidate.local and _enabled(candidate, asking)]
        if asking.local_only
        else left
    )


def _not_suspended(left: Kept, asking: Asking) -> Kept:
    return [candidate for candidate in left if not candidate.member.facts["suspended"]]


def _class(candidate: Candidate, asking: Asking) -> int:
    if candidate.local:
        return 0
    return next(number for number, states in enumerate(CLASSES) if asking.state(candidate.channel) in states)


def _status(left: Kept, asking: Asking) -> Kept:
    best = min(_class(candidate, asking) for candidate in left)
    return [candidate for candidate in left if _class(candidate, asking) == best]


def _one_channel_each(left: Kept, asking: Asking) -> Kept:
    best: dict[str, int] = {}
    for candidate in left:
        best[candidate.member.qmid] = max(best.get(candidate.member.qmid, 0), candidate.of_channel("NETPRTY"))
    return [
        candidate
        for candidate in left
        if candidate.local or candidate.of_channel("NETPRTY") == best[candidate.member.qmid]
    ]


def _recent(left: Kept, asking: Asking) -> Kept:
    most = asking.manager.qmgr.attributes["CLWLMRUC"]
    turns = {
        candidate.channel: asking.manager.factors.get(("channel", candidate.channel), [0, 0])[1] for candidate in left
    }
    used = sorted((channel for channel, turn in turns.items() if turn), key=lambda name: -turns[name])
    if len(used) < most:
        return left
    return [candidate for candidate in left if candidate.local or candidate.channel in used[:most]]


def _counted(left: Kept, candidate: Candidate, asking: Asking) -> tuple[str, ...]:
    """The key that a choice is counted by: the channel, if any weight is not 50, else queue and channel (CLU-49)."""
    if any(candidate.of_channel("CLWLWGHT") != EQUAL for candidate in left):
        return ("channel", candidate.channel)
    return ("queue", asking.name, candidate.qmgr, candidate.channel)


def _least(left: Kept, asking: Asking) -> Kept:
    factors = asking.manager.factors

    def place(candidate: Candidate) -> tuple[Any, ...]:
        factor, turn = factors.get(_counted(left, candidate, asking), (0, 0))
        return factor, turn, candidate.qmgr, candidate.channel

    return [min(left, key=place)]


def _state(candidate: Candidate, asking: Asking) -> str:
    return "local" if candidate.local else asking.state(candidate.channel)


def _said(keyword: str, value: Callable[[Candidate], Any]) -> Callable[[Candidate, Asking], str]:
    return lambda candidate, _: f"{keyword}({value(candidate)})"


def _ranked(keyword: str, rule: str) -> tuple[Step, Step]:
    """The steps for the highest value of a keyword, of channels and then of queues."""
    channel, queue = _of_channel(keyword), _of_queue(keyword)
    return (
        Step(rule, f"highest {keyword} of the channel", _highest(channel), _said(keyword, channel)),
        Step(rule, f"highest {keyword} of the queue", _highest(queue), _said(keyword, queue)),
    )


def _where(candidate: Candidate, _: Asking) -> str:
    return "here" if candidate.local else "not here"


def _suspension(candidate: Candidate, _: Asking) -> str:
    return "suspended" if candidate.member.facts["suspended"] else "not suspended"


def _last(candidate: Candidate, asking: Asking) -> str:
    turn = asking.manager.factors.get(("channel", candidate.channel), (0, 0))[1]
    return f"last chosen by choice {turn}" if turn else "not chosen yet"


def _use(candidate: Candidate, asking: Asking) -> str:
    """How much and when a candidate was chosen."""
    by_queue = asking.manager.factors.get(("queue", asking.name, candidate.qmgr, candidate.channel), (0, 0))
    by_channel = asking.manager.factors.get(("channel", candidate.channel), (0, 0))
    factor, turn = by_queue if candidate.of_channel("CLWLWGHT") == EQUAL and by_queue[1] else by_channel
    last = f"last by choice {turn}" if turn else "not chosen yet"
    return f"CLWLWGHT({candidate.of_channel('CLWLWGHT')}), counter {factor}, {last}"


_PUT = Step("CLU-37", "puts are allowed", _put, _said("PUT", lambda candidate: candidate.facts.get("PUT", "ENABLED")))
_HERE = Step("CLU-36", "the local instance, by CLWLUSEQ", _local, _where)
_ARRIVED = Step("CLU-36", "what came over a cluster channel stays", _arrived, _where)
_RANKS = _ranked("CLWLRANK", "CLU-35")
_AFTER = (
    Step("CLU-43", "not suspended", _not_suspended, _suspension),
    Step("CLU-44", "best state of the channel", _status, _state),
    Step("CLU-45", "highest NETPRTY to its queue manager", _one_channel_each, _said("NETPRTY", _of_channel("NETPRTY"))),
    *_ranked("CLWLPRTY", "CLU-46"),
    Step("CLU-47", "among the CLWLMRUC channels that were chosen last", _recent, _last),
    Step("CLU-48", "least used for its CLWLWGHT, then least recently", _least, _use),
)


def steps(level: int) -> tuple[Step, ...]:
    """The steps of a queue manager of this command level, in order (CLU-34)."""
    first = (*_RANKS, _PUT, _HERE) if level >= 800 else (_PUT, _HERE, *_RANKS)
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
            lines.append(
                f"{row.rule:7} {row.title}: "
                + (f"without {left}; {len(row.kept)} left" if left else f"all stay ({kept})")
            )
        return visible("\n".join(lines))


def choose(candidates: Sequence[Candidate], asking: Asking) -> Choice:
    """Let the steps choose; nothing is counted before `count`."""
    left, rows, names = list(candidates), [], {id(candidate): str(candidate) for candidate in candidates}
    counted: tuple[str, ...] = ()
    for step in steps(asking.manager.qmgr.level) if left else ():
        kept = step.test(left, asking) or left
        if step.test is _least:
            counted = _counted(left, kept[0], asking)
        dropped: tuple[tuple[str, str], ...] = ()
        stay = tuple((names[id(candidate)], "") for candidate in kept)
        if len(kept) < len(left):
            stays = {id(candidate) for candidate in kept}
            dropped = tuple(
                (names[id(candidate)], step.fact(candidate, asking)) for candidate in left if id(candidate) not in stays
            )
            stay = tuple((names[id(candidate)], step.fact(candidate, asking)) for candidate in kept)
        rows.append(Row(step.rule, step.title, dropped, stay))
        left = kept
    chosen = left[0] if left else None
    return Choice(asking.name, tuple(rows), chosen, asking.manager.clock.time_us, counted)


def count(choice: Choice, manager: Any) -> None:
    """Count a choice: the factor of the chosen instance grows by 1000 / CLWLWGHT (CLU-48)."""
    candidate = choice.chosen
    if candidate is None:
        return
    manager.turn += 1
    for key in {choice.counted, ("channel", candidate.channel)}:
        factor = manager.factors.setdefault(key, [0, 0])
        factor[0] += 1000 // candidate.of_channel("CLWLWGHT")
        factor[1] = manager.turn
    manager.choices[choice.name] = choice
