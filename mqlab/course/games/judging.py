"""One round of *Be the queue manager*: a lab with named messages, a call, and the verdict of the engine on it.

Nobody writes an answer down. The fates, the reason code, the triggers, and the reasons of all of them are read from
the event log, so that any lab and any call can be a round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...engine.explain.replay import QueueState
from ...engine.words.because import because
from ...engine.words.constants import REASONS
from ...engine.words.errors import LabError, MQError
from ...engine.world.event import Event
from ...lab.lab import Lab
from ...views.text import capital

START = "2025-01-06T09:00:00Z"
FATES = {"returned": "returned", "discarded": "discarded", "stays": "stays"}
BROWSED = {"returned": "copy returned", "discarded": "discarded", "stays": "stays"}
FIRES = {"fires": "fires", "quiet": "does not fire"}
Act = tuple[tuple[str, ...], Callable[[], Any]]
"""The facts of a step, and the function that does it."""
Step = tuple[str, tuple[str, ...], Callable[[], Any]]


class Card(NamedTuple):
    """A message, or a step, that is asked about: `facts` are what the player sees of it, `answer` is what the engine
    made of it, and `why` is the reason, by `rule`. `look` is "held" for a message in a unit of work, else ""."""

    name: str
    facts: tuple[str, ...]
    answer: str
    why: str
    rule: str
    look: str = ""


class Question(NamedTuple):
    """A question about the call: its `options` by value, the `answer` of the engine, and why, by a rule."""

    label: str
    options: Mapping[str, str]
    answer: str
    why: str
    rule: str


class Round(NamedTuple):
    """One round to play. `choices` are offered for each card, and `chosen` is the one to begin with, "" for none."""

    key: str
    title: str
    story: str
    shown: str
    call: str
    order: str
    choices: Mapping[str, str]
    chosen: str
    cards: tuple[Card, ...]
    questions: tuple[Question, ...]

    @property
    def answer(self) -> dict[str, str]:
        """The right answer: by the name of each card, and by the label of each question."""
        cards = {card.name: card.answer for card in self.cards}
        return cards | {question.label: question.answer for question in self.questions}

    def wrong(self, said: Mapping[str, str]) -> list[str]:
        """Return the cards and questions that `said` answers wrongly or not at all; LabError for a name that the round
        does not have."""
        if unknown := [name for name in said if name not in self.answer]:
            raise LabError(f"said must name cards or questions, {', '.join(self.answer)}; got {unknown[0]!r}")
        return [name for name, right in self.answer.items() if said.get(name) != right]

    @property
    def rules(self) -> dict[str, str]:
        """The rule that decides each answer, by the name of its card or question; answers by no rule are left out."""
        cards = {card.name: card.rule for card in self.cards if card.rule}
        return cards | {question.label: question.rule for question in self.questions if question.rule}

    def judged(self, said: Mapping[str, str]) -> dict[str, bool]:
        """Return of each rule whether every answer that it decides is right in `said`; LabError as `wrong`."""
        wrong = self.wrong(said)
        missed = {self.rules.get(name) for name in wrong}
        return {rule: rule not in missed for rule in dict.fromkeys(self.rules.values())}


class Scene:
    """A lab that is set up for a round: its queue, and the names of the messages that are put on it.

    `define` is the MQSC that the player sees. With `group` the queue is shared by the `members` of that queue sharing
    group, and the last of them serves the call.
    """

    def __init__(
        self, define: str, queue: str = "ORDERS", group: str = "", members: tuple[str, ...] = ("SHOP",)
    ) -> None:
        self.lab = Lab(start=START)
        if group:
            self.lab.queue_sharing_group(group, list(members))
        else:
            self.lab.queue_manager(members[0])
        self.qmgr = self.lab[members[-1]]
        self.queue, self.shown, self.place = queue, define, group or members[0]
        self.qmgr.mqsc(define).require()
        self.names: dict[int, str] = {}
        self.selectors: dict[int, str] = {}
        self.sizes: dict[int, int] = {}
        self.selected: str | None = None
        self.open: list[Any] = []  # handles that nobody closes

    def put(
        self, name: str, by: Any = None, *, seconds: int | None = None, selector: str = "", size: int = 0, **how: Any
    ) -> None:
        """Put a message by an application or in a unit of work, which expires after so many `seconds`, and let one
        second pass. `selector` is its CorrelId as a letter, `size` the length of its data in bytes."""
        owner = by or self.qmgr.connect("TILL")
        how |= {"correl_id": selector.encode().ljust(24, b"\0")} if selector else {}
        body = b"x" * size if size else name.encode()
        number = owner.put(self.queue, body, expiry=-1 if seconds is None else 10 * seconds, **how).number
        self.names[number], self.sizes[number] = name, size
        self.selectors[number] = selector
        self.lab.advance(1)

    def state(self) -> QueueState:
        """The queue now, replayed from the event log."""
        return self.lab.state().queue(self.place, self.queue)

    @property
    def now(self) -> str:
        """The time of day in the lab."""
        return f"{self.lab.now:%H:%M:%S}"

    def _clock(self, time_us: int) -> str:
        seconds = time_us // 1_000_000
        return f"09:{seconds // 60:02d}:{seconds % 60:02d}"

    def call(
        self,
        key: str,
        title: str,
        story: str,
        words: str,
        do: Callable[[], Any],
        codes: tuple[int, ...] = (0, 2016, 2033),
        browse: bool = False,
    ) -> Round:
        """Return the round that asks for a get, or a `browse`, `do`: the fate of each message, and the reason code."""
        before, first = self.state(), len(self.lab.events)
        facts = self._facts(before)
        reason, said, rule = outcome(do)
        rows = [row for row in self.lab.events[first:] if row.object == self.queue]
        took = {row.message: row for row in rows if row.kind in ("get", "browse") and row.message is not None}
        took = {} if reason == 2080 else took
        fates = {row.message: ("discarded", row) for row in rows if row.kind == "discard"}
        fates |= {number: ("returned", row) for number, row in took.items()}
        blocking = next(iter(took), 0)
        cards = []
        for number in facts:  # earlier calls have removed the others
            fate, row = fates.get(number, ("stays", None))
            message = before.messages.get(number)
            why, by = self._why(number, row, before, reason, blocking)
            look = "held" if message is None or message.uow is not None else ""
            cards.append(Card(self.names[number], facts[number], fate, why, by, look))
        if reason == 0:
            got = self.names.get(blocking, "a message")
            said, rule = f"The call returns {got}.", next(iter(took.values())).rule or ""
        code = Question("Reason code", coded(codes), str(reason), said, rule)
        order = "Shown in the order in which they were put, the first on the left."
        choices = BROWSED if browse else FATES
        return Round(key, title, story, self.shown, words, order, choices, "stays", tuple(cards), (code,))

    def _facts(self, before: QueueState) -> dict[int, tuple[str, ...]]:
        """Return the facts of each message that the player sees: those that differ among the messages."""
        there = {**before.messages, **{number: held.message for number, held in before.held.items()}}
        put = {row.message: row for row in self.lab.events.where(kind="put") if row.message in there}
        several = len({row.priority for row in put.values()}) > 1
        kept = len({row.persistent for row in put.values()}) > 1
        timed = any(row.expiry_left is not None for row in put.values())
        found = {}
        for number, row in put.items():
            message, held = before.messages.get(number), before.held.get(number)
            facts = [f"priority {row.priority}"] if several else []
            facts += ["persistent" if row.persistent else "nonpersistent"] if kept else []
            if timed:
                end = None if row.expiry_left is None else row.expiry_left // 10
                facts += [
                    f"put at {self._clock(row.time_us)}",
                    "no expiry" if end is None else f"expires after {end} s",
                ]
            facts += [f"CorrelId {self.selectors[number]}"] if self.selectors[number] else []
            facts += [f"{self.sizes[number]} bytes"] if self.sizes[number] else []
            facts += [f"got by {held.program}, not committed"] if held else []
            if message is not None:
                facts += [f"put by {row.program}, not committed"] if message.uow is not None else []
                facts += [f"BackoutCount {message.backout_count}"] if message.backout_count else []
            found[number] = tuple(facts)
        return found

    def _why(self, number: int, row: Event | None, before: QueueState, reason: int, took: int) -> tuple[str, str]:
        """Return the reason for the fate of a message, and its rule; `took` is the message that the call returned."""
        message = before.messages.get(number)
        if message is None:
            program = before.held[number].program
            return f"{program} got it in a unit of work that is not committed, so it is not available.", "MQI-06"
        ends = message.expires_us
        if row is not None and row.kind == "discard":
            return f"It expired at {self._clock(ends or 0)}. The call reached it and discarded it.", row.rule or ""
        if row is not None:
            asked = f" with CorrelId {self.selected}" if self.selected else ""
            copied = " The call returns a copy, and the message stays." if row.kind == "browse" else ""
            again = " A backout restored it to its position." if message.backout_count else ""
            return f"It is the first available message{asked} in the order of the queue.{again}{copied}", row.rule or ""
        if reason == 2016:
            return "Gets are inhibited, so the call does not search the queue.", "MQI-11"
        if message.uow is not None:
            return "It was put in a unit of work that is not committed: it counts, but it is not available.", "MQI-05"
        expired = message.expired(self.lab.now_us)
        if self.selected is not None and self.selectors[number] != self.selected:
            also = " Although it expired, this call would not have returned it." if expired else ""
            return f"The call asks for another CorrelId.{also}", "EXP-08" if expired else "MQI-04"
        if expired:
            rule = "EXP-09" if before.attributes.get("MSGDLVSQ") == "FIFO" else "EXP-10"
            return f"It expired at {self._clock(ends or 0)}, but the call did not reach it. It still counts.", rule
        if reason == 2080 and self._first(before) == number:
            return "It is the first available message, but the buffer is too short for it.", "MQI-26"
        first = self.names.get(self._first(before) or 0 if reason == 2080 else took, "another message")
        return f"{capital(first)} comes before it in the order of the queue.", "MQI-02"

    def _first(self, before: QueueState) -> int | None:
        """The first message in order that a get with the round's CorrelId can return."""
        there = (each for each in before.in_order() if each.uow is None and not each.expired(self.lab.now_us))
        return next((each.number for each in there if self.selected in (None, self.selectors[each.number])), None)

    def steps(
        self, key: str, title: str, story: str, steps: Sequence[Step], words: str, codes: tuple[int, ...] = ()
    ) -> Round:
        """Return the round that asks of each step, one after another, whether it fires a trigger, or, if there are
        `codes`, which reason code it gives. A step has a name, facts, and a function that does it."""
        cards = []
        for name, facts, do in steps:
            first = len(self.lab.events)
            reason, said, rule = outcome(do)
            rows = self.lab.events[first:]
            if codes:
                put = next((row for row in rows if row.kind == "put"), None)
                said = said or "The put completes: none of the limits is reached."
                cards.append(Card(name, facts, str(reason), said, rule or (put and put.rule) or ""))
            else:
                cards.append(Card(name, facts, *_fired(rows)))
            self.lab.advance(1)
        choices = {str(code): str(code) for code in codes} or FIRES
        named = "".join(f" {each}." for each in coded(codes).values())
        order = f"In the order in which they happen, the first on the left.{named}"
        return Round(key, title, story, self.shown, words, order, choices, "", tuple(cards), ())


def outcome(do: Callable[..., Any], *arguments: Any) -> tuple[int, str, str]:
    """Make a call; return its reason code, and for a failure or a warning why and the rule."""
    try:
        result = do(*arguments)
    except MQError as refused:
        return refused.reason, capital(refused.said or str(refused)) + ".", refused.rule or ""
    if reason := getattr(result, "warning", 0):
        return reason, "The buffer is too short, and the call accepts a truncated message.", "MQI-26"
    return 0, "", ""


def coded(codes: tuple[int, ...]) -> dict[str, str]:
    """Reason codes to choose from, in words."""
    return {str(code): f"{code} {REASONS[code]}" if code else "0, the call completes" for code in codes}


def _fired(rows: list[Event]) -> tuple[str, str, str]:
    """Return whether the rows of a step have a trigger that fired, the reason, and its rule."""
    decided = sorted((row for row in rows if row.kind == "trigger"), key=lambda row: not row.facts["fired"])
    for row in decided:
        return "fires" if row.facts["fired"] else "quiet", f"{capital(because(row.facts))}.", row.rule or ""
    return "quiet", "The queue manager does not check the trigger conditions at this step.", ""
