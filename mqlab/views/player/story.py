"""The story of a recording: its steps, which of them are stops, one for each idea, and what a stop says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...engine.explain.words import member_of, told
from ...engine.words.whys import StartChannel, why_of
from ...engine.world.event import Event
from ..frames.moments import duration
from ..text import plural

PRESSES = 15
"""A story has no more stops than this, unless it has many chapters."""

TOGETHER = 3
"""At most this many ideas of one section share a stop, if a story would have too many stops otherwise."""

FEWEST = 8
"""A story with fewer stops also stops at ordinary events, such as the first message on a queue."""

_WEIGHTS = {"waits": 6, "dead letter": 6, "lost": 6, "discarded": 6, "fault": 6, "restored": 5, "stop": 6, "refused": 5}
_WEIGHTS |= {"backout": 5, "expire": 4, "report": 4, "handler": 4, "queue full": 3, "structure": 3, "agent": 3}
_WEIGHTS |= {"again": 5, "failed": 5, "altered": 4, "started": 4, "command": 3, "first call": 2}
_CALLS = ("put", "get", "browse", "lock", "commit")
_UNLABELED = (*_CALLS, "alter", "start", "program", "transmit", "duplicate")
"""The kinds of steps that can be turns of a story although they have no label."""
_TURNS = ("fault", "restored", "stop")  # nothing before one of these is the same idea as anything after it
_FLAPS = ("refused", "backout", "queue full")  # what a channel does again and again when a queue is full
_TROUBLE = ("RETRYING", "STOPPED", "PAUSED")
_MORE = {"queue full": ". The queue is full now", "waits": ". It waits there"}
_NOTHING_THERE = 2033
_START = "START CHANNEL"
ON_THE_WAY = ("INITIALIZING", "BINDING", "REQUESTING", "STARTING", "STOPPING")
"""The states that a channel only passes."""


class Step(NamedTuple):
    """One place of a player: the row `seq` (of the beginning, an expiry or a chapter the row before it, -1 for none),
    the time in microseconds since the start, what it is about, what is said of it, its rule ("" for none), the step
    that caused it (-1 for none), why it is interesting ("" for not), the message's way over the links, the program that
    acts ("" for none), and of the message's descriptor the priority, Expiry in tenths of a second, put time, unit of
    work, and the destination in the transmission header."""

    seq: int
    time_us: int
    qmgr: str = ""
    kind: str = ""
    object: str = ""
    message: int | None = None
    persistent: bool = False
    said: str = ""
    rule: str = ""
    cause: int = -1
    sort: str = ""
    ways: tuple[str, ...] = ()
    program: str = ""
    mqmd: tuple = ()


_UNIT = re.compile(r"unit of work \d+")


class Stop(NamedTuple):
    """One press: the step where it stops, the words, the id of the object that it is about, all its steps, and the
    names of what its picture shows, () for everything."""

    step: int
    said: str
    about: str
    members: tuple[int, ...]
    focus: tuple[str, ...] = ()


class _Part(NamedTuple):
    """A step of an idea with its number, its row of the log, and the id of the object that it is about."""

    number: int
    step: Step
    row: Event
    about: str
    first: bool = False  # of its program

    @property
    def moment(self) -> tuple[str, int]:
        """Where and when it happened."""
        return self.step.qmgr, self.step.time_us

    @property
    def change(self) -> Mapping[str, Any]:
        """The change of a channel's state, {} for any other step."""
        return self.row.facts if self.step.kind == "channel" else {}

    @property
    def typed(self) -> bool:
        """Whether an operator started a channel."""
        return isinstance(why_of(self.change), StartChannel)

    @property
    def troubles(self) -> bool:
        """Whether a channel got into trouble."""
        return self.change.get("state") in _TROUBLE


class _Idea:
    """The steps of a section that tell one thing; `key` is what they have in common."""

    def __init__(self, key: tuple) -> None:
        self.key, self.parts = key, list[_Part]()

    @property
    def sort(self) -> str:
        """The label of its steps."""
        return self.parts[0].step.sort

    @property
    def news(self) -> tuple[str, str]:
        """The key of a fact that the reader knows afterwards."""
        return self.sort, self.parts[0].step.rule

    @property
    def end(self) -> int:
        """The last of its steps."""
        return max(part.number for part in self.parts)

    @property
    def discards(self) -> int:
        """How many messages a call in vain discarded."""
        return sum(part.step.sort == "discarded" for part in self.parts) if self.sort == "refused" else 0

    @property
    def weight(self) -> int:
        """How much it explains: 6 for the most, 1 for an ordinary event."""
        row = self.parts[-1].row
        if self.sort == "refused":
            in_vain = row.reason == _NOTHING_THERE and (row.kind == "browse" or not row.depth)
            in_vain = in_vain and not any(part.first for part in self.parts)
            return 1 if in_vain and not self.discards else 5
        if self.sort == "trigger":
            channel = self.parts[0].first  # the channel's own rows show the result
            return 1 if channel else 3 if self.parts[0].row.facts["fired"] else 4
        if self.sort == "channel":
            return 7 if self._tries > 1 else 5 if any(part.troubles or part.typed for part in self.parts) else 2
        if self.sort == "backout" and len(self.parts) == 1:
            return 1  # of no message
        if self.sort == "started" and self.parts[0].step.kind == "program":
            return 2
        if self.sort == "failed" and self.parts[0].step.message is None:
            return 1  # a poll
        return _WEIGHTS.get(self.sort, 1)

    @property
    def _tries(self) -> int:
        """How many times a channel tried to run in vain."""
        return sum(part.troubles and part.change["was"] in ON_THE_WAY for part in self.parts)

    @property
    def speaks(self) -> _Part:
        """The part whose words tell it."""
        if self.sort == "fault":
            return self.parts[0]
        return next((part for part in self.parts if part.troubles or part.typed), None) or self._like(self.parts[0])[-1]

    def stop(self, named: Callable[[Step], str], briefly: Callable[[Event], str]) -> Stop:
        """It as one stop, at the last of its steps."""
        speaks = self.speaks
        words = self._of_channel(briefly) if self.sort == "channel" else self._repeated(speaks, named(speaks.step))
        numbers = sorted(part.number for part in self.parts)
        about = self.parts[-1].about if self.sort == "backout" else speaks.about  # the queue of the messages
        return Stop(numbers[-1], words, about, tuple(numbers))

    def _like(self, part: _Part) -> list[_Part]:
        """The parts of the same kind and label as one of them."""
        kind = part.step.kind, part.step.sort
        return [each for each in self.parts if (each.step.kind, each.step.sort) == kind]

    def _repeated(self, part: _Part, words: str) -> str:
        """The words of a part, and how many times the like happened."""
        like, words = self._like(part), words + _MORE.get(self.sort, "")
        if self.sort == "fault":
            names = [each.step.object for each in like[1:]]
            return (
                f"{words}, and with it the structure{'s'[: len(names) - 1]} {' and '.join(names)}" if names else words
            )
        if self.discards:
            return f"{words}. The call discarded {plural(self.discards, 'expired message')}"
        if len(like) == 1:
            return words
        messages = {each.step.message: each.step.object for each in like}
        if None in messages or len(messages) == 1:
            words = words if len({each.row.uow for each in like}) == 1 else _UNIT.sub("a unit of work", words)
            return f"{words} ({len(like)} times{_span(like)})"
        del messages[part.step.message]
        if self.sort == "failed":  # only the attempt failed; "and" would say that the messages were lost too
            return f"{words} (the same for {plural(len(messages), 'message')} before it)"
        queues = Counter(messages.values())
        if set(queues) == {part.step.object}:
            return f"{words} (and {plural(len(messages), 'message')} before it)"
        others = " and ".join(f"{plural(count, 'message')} of {queue}" for queue, count in queues.items())
        return f"{words} (and {others} before it)"

    def _of_channel(self, briefly: Callable[[Event], str]) -> str:
        """The troubles of a channel, from the end that had most."""
        changes = [part for part in self.parts if part.step.kind == "channel"]
        troubled = [part for part in changes if part.troubles] or changes
        [(qmgr, _)] = Counter(part.step.qmgr for part in troubled).most_common(1)
        own = [part for part in changes if part.step.qmgr == qmgr]
        channel, state = own[0].step.object, own[-1].change["state"]
        states = dict.fromkeys(part.change["state"] for part in own)
        ends = {part.step.qmgr: part.change["state"] for part in changes}
        words = briefly(own[-1].row)
        if "PAUSED" in states and len(own) > 2:
            words = f"{channel} at {qmgr} changed its state {len(own)} times{_span(own)} and is {state}"
        elif self._tries > 1:
            words = f"{channel} at {qmgr} retried {self._tries} times{_span(own)} and is {state}"
        elif len(ends) == 2 and set(ends.values()) == {state}:
            words = f"{channel} became {state} at both ends"
        if any(part.typed for part in changes):
            words = f"{_START}({channel}) was typed: {words}"
        refused = [part.step.said for part in self.parts if part.step.sort == "refused"]
        return f"{words}. {refused[0]}, {plural(refused.count(refused[0]), 'time')}" if refused else words


def _span(parts: Sequence[_Part]) -> str:
    """How long several steps took, in words; "" for a moment."""
    lasts = round(parts[-1].step.time_us - parts[0].step.time_us, -6)
    return f" in {duration(lasts)}" if lasts else ""


def story(
    steps: Sequence[Step],
    events: Sequence[Event],
    drawn: Container[str],
    named: Callable[[Step], str] = lambda step: step.said,
    transmission: Container[str] = (),
    briefly: Callable[[Event], str] = lambda row: told(row, then=False),
) -> list[Stop]:
    """The stops of a recording's steps, in their order.

    Every chapter is a stop. Between two chapters the steps that tell the same are one idea, and the strongest ideas are
    stops; where these are too many, neighbors in one section share a stop. `events` has the rows of
    the steps; `drawn` are the ids of everything in the picture: a step about an object that is not drawn is no stop.
    `named` gives the sentence of a step for its stop, with the names that the picture shows; `transmission` are the ids
    of transmission queues, whose triggers start channels. `briefly` gives the sentence of a row without what follows.

    >>> story([], [], ())
    []
    """
    chapters = [n for n, step in enumerate(steps) if step.kind == "chapter"]
    room = max(PRESSES - len(chapters), len(chapters) // 2)
    found, told = list[tuple[float, int, _Idea]](), Counter[tuple[str, str]]()
    section_of: dict[int, int] = {}
    for section, ideas in enumerate(_sections(steps, events, drawn, transmission)):
        for rank, idea in enumerate(sorted(ideas, key=lambda idea: -idea.weight)):
            found.append((1.5 * rank + min(2, told[idea.news]) - idea.weight, idea.parts[-1].number, idea))
            section_of[id(idea)] = section
        told.update(idea.news for idea in ideas)
    ranked = [idea for *_, idea in sorted(found, key=lambda entry: entry[:2])]
    strong = [idea for idea in ranked if idea.weight > 1]
    weak = [idea for idea in ranked if idea.weight == 1][: max(0, FEWEST - len(chapters) - len(strong))]
    if chapters:
        groups = _together(strong[: TOGETHER * room], section_of, room)
    else:
        groups = [[idea] for idea in strong]
    ranks = {id(idea): rank for rank, idea in enumerate(ranked)}
    groups = sorted(groups, key=lambda group: min(ranks[id(idea)] for idea in group))
    leading = {section_of[id(group[0])]: group for group in reversed(groups)}
    groups = sorted(groups, key=lambda group: leading[section_of[id(group[0])]] is not group or not chapters)[:room]
    stops = [_told(group, named, briefly) for group in (*groups, *([idea] for idea in weak))]
    return sorted([*stops, *(Stop(n, steps[n].said, "", (n,)) for n in chapters)])


def _together(ideas: Sequence[_Idea], section_of: dict[int, int], room: int) -> list[list[_Idea]]:
    """Ideas in the order of their ends, the nearest ones of a section together, so that all have room if possible."""
    groups = [[idea] for idea in sorted(ideas, key=lambda idea: idea.end)]
    while len(groups) > room:
        near = []
        crowd = Counter(section_of[id(group[0])] for group in groups)
        for n, (one, other) in enumerate(pairwise(groups)):
            if section_of[id(one[0])] == section_of[id(other[0])] and len(one) + len(other) <= TOGETHER:
                gap = min(part.step.time_us for part in other[0].parts) - max(p.step.time_us for p in one[-1].parts)
                near.append((-crowd[section_of[id(one[0])]], len(one) + len(other), max(0, gap), n))
        if not near:
            return groups
        n = min(near)[-1]
        groups[n : n + 2] = [groups[n] + groups[n + 1]]
    return groups


def _told(ideas: Sequence[_Idea], named: Callable[[Step], str], briefly: Callable[[Event], str]) -> Stop:
    """Ideas as one stop, at the last of their steps, about what explains most."""
    ideas = sorted(ideas, key=lambda idea: idea.speaks.number)
    stops = [idea.stop(named, briefly) for idea in ideas]
    first, *others = (stop.said for stop in stops)
    said = ". ".join([first, *(words[:1].upper() + words[1:] for words in others)])
    [*_, about] = (stop.about for idea, stop in sorted(zip(ideas, stops, strict=True), key=lambda pair: pair[0].weight))
    members = sorted(number for stop in stops for number in stop.members)
    return Stop(members[-1], said, about, tuple(members))


def _sections(
    steps: Sequence[Step], events: Sequence[Event], drawn: Container[str], transmission: Container[str]
) -> Iterator[list[_Idea]]:
    """The ideas between two chapters, section by section."""
    ideas: dict[tuple, _Idea] = {}
    idea_of: dict[int, _Idea] = {}
    turn, last = 0, None
    handlers = {step.program for step in steps if step.kind in ("handler", "agent")}
    calls, failed, made, begun = set[tuple](), set[tuple](), set[int | None](), False
    for number, step in enumerate(steps):
        if step.kind == "chapter":
            yield _joined(ideas)
            ideas, last = {}, None
        if step.seq < 0 or (not step.sort and step.kind not in _UNLABELED):
            continue
        about = _about(step, drawn)
        if not about:
            continue
        of_qmgr, first = step.program == step.qmgr, False
        own = not step.program or f"{step.qmgr}/app:{step.program}" in drawn
        if not (own or of_qmgr):  # on a shared queue: the row has the member
            member = member_of(events[step.seq])
            of_qmgr, own = step.program == member, f"{member}/app:{step.program}" in drawn
        own = own and step.program not in handlers
        if step.kind in _CALLS:
            if step.kind == "put" and of_qmgr:
                made.add(step.message)
            fails, alone = step.sort == "refused", not step.mqmd or step.mqmd[3] is None
            call = (step.qmgr, step.program, step.kind)
            again = (*call, step.object) in failed and not fails
            new = call not in calls if fails else (*call, alone) not in calls
            first = own and step.message not in made and (new or again)
            calls |= {call, (*call, alone)}
            (failed.add if fails else failed.discard)((*call, step.object))
            begun = True
        row = events[step.seq]
        with_qmgr = last is not None and last.sort == "started" and last.parts[-1].moment == (step.qmgr, step.time_us)
        setup = (step.kind == "allocate" and not turn) or (step.kind == "program" and with_qmgr)
        sort = "" if setup else _sort(step, row, own, first, begun)
        sort = "first call" if not sort and (turn, "first call", *_common(step, row)) in ideas else sort
        if not sort and last is not None and last.sort == "handler" and step.program in handlers:
            if last.parts[-1].moment == (step.qmgr, step.time_us) and step.kind in ("put", "commit"):
                last.parts.append(_Part(number, step, row, about))  # what the handler did
            continue
        if not sort:
            continue
        first = about in transmission if sort == "trigger" else first
        cause = idea_of.get(step.cause)
        step = step._replace(sort=sort)
        if sort == "discarded" and last is not None and last.sort == "refused" and _led_to(last, step):
            idea = last
        elif sort in ("backout", "fault") and cause is not None and cause.sort == sort:
            idea = cause
        else:
            turn += sort in _TURNS
            key = (turn, sort, *_common(step, row))
            idea = ideas.setdefault(key, _Idea(key))
        idea.parts.append(_Part(number, step, row, about, first))
        idea_of[number] = last = idea
    yield _joined(ideas)


def _sort(step: Step, row: Event, own: bool, first: bool, begun: bool) -> str:
    """The label of a step in the story, "" if it is no part of it: that of the step, or one of its own for a turn."""
    # `own` says that no part of a queue manager made it, `first` that it is the first call of its kind by its program,
    # and `begun` that there was a call before it
    if step.sort and not (step.sort == "first message" and own):
        return step.sort
    if first or step.sort:
        return "first call"
    if not begun or step.kind == "expire":
        return ""
    if step.kind == "alter":
        return "altered"
    if step.kind == "start" or (
        own and step.kind == "program" and row.cause is None and row.facts["state"] == "started"
    ):
        return "started"
    if step.kind == "transmit" and {"why", "because"} & row.facts.keys():
        return "failed"
    if step.kind == "transmit" and "triggered" in row.facts:
        return "command"
    return "again" if step.kind == "duplicate" else ""


def _joined(ideas: dict[tuple, _Idea]) -> list[_Idea]:
    """The ideas of a section; what a channel that pauses again and again does is one with its changes of state."""
    channels = {idea.key[2]: idea for idea in ideas.values() if idea.sort == "channel"}
    paused = {
        name: idea for name, idea in channels.items() if any(p.change.get("state") == "PAUSED" for p in idea.parts)
    }
    left = []
    for idea in ideas.values():
        channel = paused.get(idea.parts[0].step.program) if idea.sort in _FLAPS else None
        if channel is None:
            left.append(idea)
        else:
            channel.parts.extend(idea.parts)
    return left


def _led_to(idea: _Idea, step: Step) -> bool:
    """Whether the last call of an idea made a step: it happened to the same queue at the same moment."""
    call = idea.parts[-1].step
    return (call.time_us, call.qmgr, call.object) == (step.time_us, step.qmgr, step.object)


def _common(step: Step, row: Event) -> tuple:
    """The common part of steps with one label, if they mean the same."""
    if step.sort == "channel":
        return (step.object,)
    if step.sort == "refused":
        return step.qmgr, step.object, step.kind, row.reason, step.program
    if step.sort == "backout":
        return step.qmgr, step.program
    if step.sort in ("first call", "") and step.kind in _CALLS:
        return step.qmgr, step.object, step.kind, step.program
    if step.sort == "started":
        return step.qmgr, step.kind, step.program
    if step.sort == "lost" or step.kind == "transmit":
        return step.qmgr, step.message is None
    if step.sort in ("trigger", "handler", "discarded"):
        return step.qmgr, step.object, step.rule, row.facts.get("fired", True)
    if step.kind == "alter":
        return step.qmgr, step.object, row.detail
    return step.qmgr, step.object


def _about(step: Step, drawn: Container[str]) -> str:
    """The id of what a step is about; "" if it is not drawn."""
    if not step.object or step.kind in ("fault", "allocate", "recover"):
        return f"{step.qmgr}/structure:{step.object}" if f"{step.qmgr}/structure:{step.object}" in drawn else step.qmgr
    names = (step.object, f"channel:{step.object}", f"structure:{step.object}")
    found = next((f"{step.qmgr}/{name}" for name in names if f"{step.qmgr}/{name}" in drawn), "")
    unknown = step.sort == "refused" and not step.object.startswith("SYSTEM.")
    return found or (step.qmgr if unknown else "")
