"""The story of a recording: its steps, which of them are stops, one for each idea, and what a stop says.

A lab with shots stops at these. In any other, the steps that tell the same are one idea, and the strongest ideas are
stops.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import chain, islice
from typing import Any, NamedTuple

from ...engine.explain.words import member_of
from ...engine.words.constants import code
from ...engine.words.templates import filled
from ...engine.words.whys import StartChannel, why_of
from ...engine.world.event import Event
from ..frames.moments import duration
from ..text import capital, plural

PRESSES = 15
"""A story that is found has no more stops than this."""

FEWEST = 8
"""A story with fewer stops also stops at ordinary events, such as the first message on a queue."""

_WEIGHTS = {"waits": 6, "dead letter": 6, "lost": 6, "discarded": 6, "fault": 6, "restored": 5, "stop": 6, "refused": 5}
_WEIGHTS |= {"backout": 5, "expire": 4, "report": 4, "handler": 4, "queue full": 3, "structure": 3, "agent": 3}
_WEIGHTS |= {"again": 5, "failed": 5, "altered": 4, "started": 4, "command": 3, "first call": 2, "published": 3}
_WEIGHTS |= {"arrived": 5, "changed": 4}
_CALLS = ("put", "get", "browse", "lock", "commit")
_UNLABELED = (*_CALLS, "alter", "start", "program", "transmit", "duplicate", "publish", "cluster")
"""The kinds of steps that can be turns of a story although they have no label."""
_TURNS = ("fault", "restored", "stop", "altered")  # nothing before one of these is the same idea as anything after it
_FLAPS = ("refused", "backout", "queue full")  # what a channel does again and again when a queue is full
_TROUBLE = ("RETRYING", "STOPPED", "PAUSED")
_MORE = {"queue full": ". The queue is full now", "waits": ". It waits there"}
_FOLDS: dict[str, str] = tomllib.loads(files(__package__).joinpath("story.toml").read_text("utf-8"))
_COUNTED = ("commit", "backout", "restore")  # their sentences have a unit of work
_COMMON = {  # of steps with one label, or of one kind: facts that are the same if they mean the same
    "channel": "object",
    "refused": "qmgr object kind reason program gate decided",
    "backout": "qmgr program",
    "published": "seq",
    "changed": "object of name host",
    "first call": "qmgr object kind program",
    "started": "qmgr kind program",
    **dict.fromkeys(("lost", "transmit"), "qmgr alone"),
    **dict.fromkeys(("trigger", "handler", "discarded"), "qmgr object rule fired"),
    "alter": "qmgr object detail",
}
GROWN = 5  # messages: a queue that grows by so many has presses on the way
NAMED = 6  # names that the words of a stop list
LONGEST = 160
"""Two lines of words before a room: a longer sentence of a row goes without its reason, which its details have."""
_NOTHING_THERE = 2033
_START = "START CHANNEL"
ON_THE_WAY = ("INITIALIZING", "BINDING", "REQUESTING", "STARTING", "STOPPING")
"""The states that a channel only passes."""


class Step(NamedTuple):
    """One place of a player: the row `seq` (of the beginning, an expiry or a shot the row before it, -1 for none),
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


class Stop(NamedTuple):
    """One press: the step where it stops, the words, the id of the object that it is about, and all its steps; of a
    shot also the ids of the objects to show, () for everything, its title, and the step from which on that is shown."""

    step: int
    said: str
    about: str
    members: tuple[int, ...]
    focus: tuple[str, ...] = ()
    title: str = ""
    since: int = 0


def joined(first: Stop, last: Stop, sort: str) -> Stop:
    """A stop of this label and the next as one, with the words of both if the first matter and fit into two lines."""
    both, members = f"{first.said}. {capital(last.said)}", tuple(sorted({*first.members, *last.members}))
    fits = _WEIGHTS.get(sort, 1) > 2 and len(both) <= LONGEST
    return last._replace(said=both if fits else last.said, members=members)


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

    @property
    def loops(self) -> bool:
        """Whether a program backs out one message again and again."""
        again = Counter(part.step.message for part in self.parts if part.step.kind == "restore")
        return self.sort == "backout" and max(again.values(), default=0) > 1

    def stop(self, tell: Words) -> Stop:
        """It as one stop, at the last of its steps."""
        speaks = self.speaks
        about = self.parts[-1].about if self.sort == "backout" else speaks.about  # the queue of the messages
        tells = {"channel": self._of_channel, "published": self._of_publications}
        words = tells[self.sort](tell) if self.sort in tells else self._repeated(speaks, tell)
        numbers = sorted(part.number for part in self.parts)
        return Stop(numbers[-1], words + _MORE.get(self.sort, ""), about, tuple(numbers))

    def _like(self, part: _Part) -> list[_Part]:
        """The parts of the same kind and label as one of them."""
        kind = part.step.kind, part.step.sort
        return [each for each in self.parts if (each.step.kind, each.step.sort) == kind]

    def _repeated(self, part: _Part, tell: Words) -> str:
        """The words of a part, and how many times the like happened; only the number if their sentences differ."""
        like, words = self._like(part), tell.of(part)
        if self.sort == "fault":
            names = [each.step.object for each in like[1:]]
            return (
                f"{words}, and with it the structure{'s'[: len(names) - 1]} {' and '.join(names)}" if names else words
            )
        if self.discards:
            return f"{words}. The call discarded {plural(self.discards, 'expired message')}"
        if len(like) == 1:
            return words
        objects, messages = ({getattr(each.step, name) for each in like} for name in ("object", "message"))
        if part.step.kind in _COUNTED or len(objects) > 1 or len({tell.alike(each) for each in like}) > 1:
            return self._counted(like, words, tell)
        words = tell.of(part, folded=True)
        if None in messages or len(messages) == 1:
            return f"{words} ({len(like)} times{_span(like)})"
        before = plural(len(messages) - 1, "message")
        # for "failed", only the attempt failed; "and" would say that the messages were lost too
        return f"{words} ({'the same for' if self.sort == 'failed' else 'and'} {before} before it)"

    def _counted(self, like: Sequence[_Part], words: str, tell: Words) -> str:
        """How many times the like happened, and in what they differ, by story.toml."""
        part, kind = like[-1], self.sort
        if self.loops:
            part = next(each for each in reversed(self.parts) if each.step.kind == "restore")
            kind = "trigger loop" if any(each.step.kind == "trigger" for each in self.parts) else "loop"
        elif kind == "trigger" and not part.row.facts["fired"]:
            kind = "no trigger"
        step, names = part.step, ("user", "Reason", "reason", "to", "object")
        differ = [dict.fromkeys(_value(each.row, name) for each in like) for name in names]
        facts = {"count": len(like), "span": _span(like), "message": step.message, "words": words}
        facts |= {"who": step.program or "a program", "queue": step.object or step.qmgr}
        facts["values"] = next((f": {_listed(each)}" for each in differ if len(each) > 1), "")
        text = next(_FOLDS[key] for key in (kind, self.sort, step.kind, "*") if key in _FOLDS)
        return tell.named(step._replace(said=filled(text, facts)))

    def _of_publications(self, tell: Words) -> str:
        """The last publication, with its copies, and how many there were."""
        speaks, message = self.speaks, self.parts[-1].step.message
        like, topic = self._like(speaks), speaks.about.partition("/topic:")[2]
        facts = {"who": speaks.step.program, "message": message, "topic": topic}
        facts["count"] = len(speaks.row.facts["subscriptions"])
        words = filled(_FOLDS["published" if message is None else "copied"], facts)
        if len(like) > 1:
            words = filled(_FOLDS["*"], {"count": len(like), "span": _span(like), "words": words})
        return tell.named(speaks.step._replace(said=words))

    def _of_channel(self, tell: Words) -> str:
        """The troubles of a channel, from the end that had most."""
        changes = [part for part in self.parts if part.step.kind == "channel"]
        channels = dict.fromkeys(part.step.object for part in changes)
        if len(channels) > 1:
            facts = {"count": len(channels), "state": self.speaks.change["state"], "values": _listed(channels)}
            return filled(_FOLDS["channels"], facts)
        troubled = [part for part in changes if part.troubles] or changes
        [(qmgr, _)] = Counter(part.step.qmgr for part in troubled).most_common(1)
        own = [part for part in changes if part.step.qmgr == qmgr]
        channel, state = own[0].step.object, own[-1].change["state"]
        states = dict.fromkeys(part.change["state"] for part in own)
        ends = {part.step.qmgr: part.change["state"] for part in changes}
        words = tell.of(own[-1])
        if "PAUSED" in states and len(own) > 2:
            words = f"{channel} at {qmgr} changed its state {len(own)} times{_span(own)} and is {state}"
        elif self._tries > 1:
            words = f"{channel} at {qmgr} retried {self._tries} times{_span(own)} and is {state}"
        elif len(ends) == 2 and set(ends.values()) == {state}:
            words = f"{channel} became {state} at both ends"
        if any(part.typed for part in changes):
            words = f"{_START}({channel}) was typed: {words}"
        refused = [tell.of(part) for part in self.parts if part.step.sort == "refused"]
        return f"{words}. {refused[0]}, {plural(refused.count(refused[0]), 'time')}" if refused else words


class Words(NamedTuple):
    """The words of steps: `named` gives a sentence the names that the picture shows, `briefly` makes that of a row."""

    named: Callable[[Step], str]
    briefly: Callable[..., str]

    def of(self, part: _Part, folded: bool = False) -> str:
        """The words of a part; if others are folded into it, without what they need not have in common."""
        if part.step.kind == "expire":  # no row says it
            return self.named(part.step)
        row = part.row if part.step.kind in _COUNTED else part.row._replace(uow=None)
        row = _common_row(row) if folded else row
        full, bare = (self.named(part.step._replace(said=self.briefly(row, bare=bare))) for bare in (False, True))
        return full if len(full) <= LONGEST else bare

    def alike(self, part: _Part) -> str:
        """The sentence of a part, but for its message and queue: equal ones may share a stop."""
        row = _common_row(part.row)._replace(message=part.row.message and 0, object="")
        return "" if part.step.kind == "expire" else self.briefly(row)


def _common_row(row: Event) -> Event:
    """A row without its unit of work, the time that its message waited, and the lifetime that is left to it."""
    return row._replace(uow=None, put_us=None, expiry_left=row.expiry_left if row.kind == "discard" else None)


def _value(row: Event, name: str) -> str:
    """A fact or column of a row as a word: a reason code with its name."""
    value = row.facts.get(name, getattr(row, name, None))
    return code(value) if isinstance(value, int) else str(value)


def _listed(names: Iterable[str]) -> str:
    """Names with commas, an ellipsis for those that are too many."""
    return ", ".join([*islice(names, NAMED), *["…"] * (len([*names]) > NAMED)])


def _span(parts: Sequence[_Part]) -> str:
    """How long several steps took, in words; "" for a moment."""
    lasts = round(parts[-1].step.time_us - parts[0].step.time_us, -6)
    return f" in {duration(lasts)}" if lasts else ""


def story(
    steps: Sequence[Step], events: Sequence[Event], drawn: Container[str], transmission: Container[str], tell: Words
) -> list[Stop]:
    """The stops of a recording without shots, in their order.

    `events` has the rows of the steps; `drawn` are the ids of everything in the picture: a step about an object that is
    not drawn is no stop. `transmission` are the ids of transmission queues, whose triggers start channels.
    """
    found = list(_ideas(steps, events, drawn, transmission))
    strong = [idea for idea in found if idea.weight > 1]
    ranked = sorted(_together(found) if len(strong) > PRESSES else found, key=lambda idea: (-idea.weight, idea.end))
    strong = [idea for idea in ranked if idea.weight > 1]
    weak = [idea for idea in ranked if idea.weight == 1][: max(0, FEWEST - len(strong))]
    return sorted(idea.stop(tell) for idea in (*strong[:PRESSES], *weak))


def _ideas(
    steps: Sequence[Step], events: Sequence[Event], drawn: Container[str], transmission: Container[str]
) -> Iterable[_Idea]:
    """The ideas of all steps: those that tell the same between two turns of the story are one."""
    ideas: dict[tuple, _Idea] = {}
    idea_of: dict[int, _Idea] = {}
    turn, last = 0, None
    handlers = {step.program for step in steps if step.kind in ("handler", "agent")}
    bursts: dict[tuple, tuple] = {}
    calls, failed, made, begun = set[tuple](), set[tuple](), set[int | None](), False
    waited = set[int | None]()  # messages that a cut link or a channel held up
    for number, step in enumerate(steps):
        if step.seq < 0 or (not step.sort and step.kind not in _UNLABELED):
            continue
        about = _about(step, drawn)
        if step.kind == "publish" and not about:
            about = next(filter(drawn.__contains__, [f"{step.qmgr}/topic:{events[step.seq].facts['topic']}"]), "")
        if not about:
            continue
        of_qmgr, first = step.program == step.qmgr, False
        own = not step.program or f"{step.qmgr}/app:{step.program}" in drawn
        if not (own or of_qmgr):  # on a shared queue: the row has the member
            member = member_of(events[step.seq])
            of_qmgr, own = step.program == member, f"{member}/app:{step.program}" in drawn
        own = own and step.program not in handlers
        cause = idea_of.get(step.cause)
        copied = step.kind == "put" and step.sort in ("", "first message")
        if copied and cause is not None and cause.sort == "published":
            cause.parts.append(_Part(number, step, events[step.seq], about))
            idea_of[number] = cause
            continue
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
        if sort == "waits":
            waited.add(step.message)
        elif step.kind == "put" and step.message in waited and about not in transmission and sort in ("", "first call"):
            sort = "arrived"
        sort = "first call" if not sort and (turn, "first call", *_common(step, row)) in ideas else sort
        if not sort and last is not None and last.sort == "handler" and step.program in handlers:
            if last.parts[-1].moment == (step.qmgr, step.time_us) and step.kind in ("put", "commit"):
                last.parts.append(_Part(number, step, row, about))  # what the handler did
            continue
        if not sort:
            continue
        first = about in transmission if sort == "trigger" else first
        step = step._replace(sort=sort)
        if sort == "discarded" and last is not None and last.sort == "refused" and _led_to(last, step):
            idea = last
        elif sort in ("backout", "fault") and cause is not None and cause.sort == sort:
            idea = cause
        else:
            known = ideas.get((turn, sort, *_common(step, row)))  # a change of a cluster comes to each member once
            if sort == "changed" and (not known or step.qmgr in {part.about for part in known.parts}):
                turn += 1
                calls.clear()  # the next of a program shows what the change did
            turn += sort in _TURNS
            key = (turn, sort, *_common(step, row))
            if step.kind == "put" and sort in ("first call", "waits"):  # of one program at one moment
                key = bursts.setdefault((turn, sort, step.qmgr, step.program, step.time_us), key)
            idea = ideas.setdefault(key, _Idea(key))
        idea.parts.append(_Part(number, step, row, about, first))
        idea_of[number] = last = idea
    return chain.from_iterable(map(_grown, _joined(ideas)))


def _sort(step: Step, row: Event, own: bool, first: bool, begun: bool) -> str:
    """The label of a step in the story, "" if it is no part of it: that of the step, or one of its own for a turn."""
    # `own` says that no part of a queue manager made it, `first` that it is the first call of its kind by its program,
    # and `begun` that there was a call before it
    if step.sort and not (step.sort == "first message" and own):
        return step.sort
    if first or step.sort:
        return "first call"
    if step.kind == "expire" or not (begun or step.kind == "publish"):
        return ""
    if step.kind in ("alter", "publish"):
        return {"alter": "altered", "publish": "published"}[step.kind]
    if step.kind == "cluster":
        return "changed" if row.facts["did"] == "changed" else ""
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
    """The ideas, some of them joined: to a channel that pauses, to a loop, or to a channel like it."""
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
    for loop in [idea for idea in left if idea.loops]:  # it goes through calls and triggers
        own = [part.number for part in loop.parts]
        about = {part.about for part in loop.parts if part.step.kind == "restore"}
        for idea in left:
            if idea.parts and idea.key[0] == loop.key[0] and idea.sort in ("trigger", "first call"):
                ends = max(own) + (idea.sort == "trigger") * len(own)
                within = [part for part in idea.parts if part.about in about and min(own) < part.number <= ends]
                idea.parts = [part for part in idea.parts if part not in within]
                loop.parts += within
    together: dict[tuple, _Idea] = {}
    left = [idea for idea in left if idea.parts]
    for idea in left:
        if idea.sort == "channel" and idea.weight < 7 and not any(part.typed for part in idea.parts):
            now = idea.key[0], idea.parts[-1].step.time_us, idea.speaks.change["state"]
            first = together.setdefault(now, idea)
            if first is not idea:
                first.parts, idea.parts = sorted([*first.parts, *idea.parts]), []
    return [idea for idea in left if idea.parts]


def _grown(idea: _Idea) -> list[_Idea]:
    """An idea; three, for the first message, half of them, and all, if a queue grows by its puts."""
    depths = [part.row.depth or 0 for part in idea.parts]
    if idea.sort != "first call" or idea.parts[0].step.kind != "put" or depths[-1] - depths[0] < GROWN:
        return [idea]
    half = next(n for n, depth in enumerate(depths, 1) if 2 * depth >= depths[-1])
    parts, found = idea.parts, [idea, _Idea(idea.key), _Idea(idea.key)]
    for each, own in zip(found, (parts[:1], parts[1:half], parts[half:]), strict=True):
        each.parts = own
    return [each for each in found if each.parts]


def _together(ideas: Iterable[_Idea]) -> list[_Idea]:
    """The ideas, those that are like others between two turns told once, and then together."""
    kept, like = list[_Idea](), dict[tuple, _Idea]()
    told = set[tuple]()
    for idea in ideas:
        step = idea.parts[0].step
        key = idea.key[0], idea.sort, step.kind, idea.weight, step.kind == "channel" or step.program
        if idea.weight > 3 or key not in told:
            kept.append(idea)
        elif key in like:
            like[key].parts += idea.parts
        else:
            kept.append(idea)
            like[key] = idea
        told.add(key)
    return kept


def _led_to(idea: _Idea, step: Step) -> bool:
    """Whether the last call of an idea made a step: it happened to the same queue at the same moment."""
    call = idea.parts[-1].step
    return (call.time_us, call.qmgr, call.object) == (step.time_us, step.qmgr, step.object)


def _common(step: Step, row: Event) -> tuple:
    """The common part of steps with one label, if they mean the same."""
    why = row.facts.get("why") or {}
    facts: dict[str, Any] = {**row._asdict(), **row.facts, **step._asdict(), "alone": step.message is None}
    facts["decided"] = tuple(map(why.get, ("case", "type", "profile")))
    names = _COMMON.get(step.sort or "first call") or _COMMON.get(step.kind, "qmgr object")
    return tuple(map(facts.get, names.split()))


def _about(step: Step, drawn: Container[str]) -> str:
    """The id of what a step is about; "" if it is not drawn."""
    if not step.object or step.kind in ("fault", "allocate", "recover", "cluster"):
        return f"{step.qmgr}/structure:{step.object}" if f"{step.qmgr}/structure:{step.object}" in drawn else step.qmgr
    names = (step.object, f"channel:{step.object}", f"structure:{step.object}", f"topic:{step.object}")
    found = next((f"{step.qmgr}/{name}" for name in names if f"{step.qmgr}/{name}" in drawn), "")
    unknown = step.sort == "refused" and not step.object.startswith("SYSTEM.")
    return found or (step.qmgr if unknown else "")
