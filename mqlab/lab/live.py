"""The engine of a page in which a story goes on: its questions and answers are JSON, and each change makes a future."""

from __future__ import annotations

import base64
import json
from functools import partial
from typing import Any, NamedTuple

from ..engine.world.clock import SECOND, microseconds
from ..views.frames.moments import clock
from ..views.player.calls import REFUSALS, Call, calls_on, described, html_of, on_qmgr, switches, traffic_call
from ..views.player.duel import Futures, Race
from ..views.player.player_steps import PlayerSteps
from .branching import go_on
from .lab import Lab

TOLD = "the original story"


class Future(NamedTuple):
    """The story with some changes; each change has a time, in microseconds, and a text."""

    lab: Lab
    changes: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> str:
        """The changes in words."""
        told = (f"{clock(self.lab.start, at_us)} {words}" for at_us, words in self.changes)
        return "; ".join(told) or TOLD


class LivePage:
    """A scenario and its `futures`, of which `shown` is the one that the page plays.

    `answer` takes a question as JSON, {"ask": the name of a method below, and its arguments}, and returns
    {"found": what it returns}, or {"refused": the HTML of a card}. A `step` is one of the player; a change there is
    made in a branch of the story, after all events of that moment.
    """

    def __init__(self) -> None:
        self.futures: list[Future] = []
        self.shown = 0
        self._calls: dict[str, Call] = {}  # the calls that were offered, by their Python source

    def answer(self, question: str) -> str:
        """Answer one question."""
        asked = json.loads(question)
        try:
            return json.dumps({"found": getattr(self, asked.pop("ask"))(**asked)})
        except REFUSALS as refused:
            return json.dumps({"refused": html_of(refused)})

    def tell(self, name: str) -> dict:
        """Tell a scenario; the labs of the one before end."""
        for future in self.futures:
            future.lab.close()
        lab = Lab()
        lab.scenario(name)
        self.futures, self._calls = [Future(lab)], {}
        return self.show(0)

    def show(self, number: int, row: int | None = None) -> dict:
        """Show a future: its recording, the step of a row of its log, and all futures in words."""
        self.shown = number
        self.steps = PlayerSteps(self.lab)
        return {
            "recording": base64.b64encode(self.steps.packed()).decode("ascii"),
            "step": 0 if row is None else self.steps.step_of_row(row),
            "shown": number,
            "futures": [future.words for future in self.futures],
        }

    @property
    def lab(self) -> Lab:
        """The lab of the future that is shown."""
        return self.futures[self.shown].lab

    def _at(self, step: int) -> int:
        """The moment of a step, in microseconds since the start: for the last, which may be long ago, now."""
        return self.lab.now_us if step == len(self.steps.steps) - 1 else self.steps.steps[step].time_us

    def offer(self, step: int, object: str = "", body: str = "", message: int | None = None) -> dict:
        """Return the calls that are possible at a step, also those on an object of the picture and on a message."""
        at_us = self._at(step)
        state = self.lab.state(at=at_us)
        described_object = described(self.lab, object)
        calls = {"history": "explain", "why not delivered?": "why_not_delivered"}
        asked = [(title, Call(method, (message,))) for title, method in calls.items()]
        return {
            "clock": clock(self.lab.start, at_us),
            "switches": [each._asdict() | {"calls": self._offered(each.calls)} for each in switches(self.lab, state)],
            "object": described_object
            and {"name": described_object[0], "about": described_object[1], "queue": described_object[2]},
            "calls": self._offered(calls_on(self.lab, object, state, body)) if described_object else [],
            "message": self._offered(asked) if message else [],
            "qmgrs": [qmgr.name for qmgr in self.lab.queue_managers],
        }

    def _offered(self, calls: Any) -> list[tuple[str, str]]:
        """Labels and calls for buttons."""
        self._calls |= {str(call): call for _, call in calls}
        return [(label, str(call)) for label, call in calls]

    def do(self, step: int, call: str) -> dict:
        """Make a call that was offered, at a step."""
        return self._try(step, self._calls[call])

    def mqsc(self, step: int, qmgr: str, text: str) -> dict:
        """Run MQSC commands on a queue manager, at a step."""
        return self._try(step, on_qmgr(qmgr, "mqsc", text))

    def traffic(self, step: int, object: str, rate: float, seconds: float) -> dict:
        """Send steady traffic to a queue of the picture, from a step on: `rate` messages a second."""
        return self._try(step, traffic_call(object, rate, seconds), seconds)

    def _try(self, step: int, call: Call, seconds: float = 0) -> dict:
        """Make a call in a branch, which lasts `seconds` more at least."""
        # a branch that is like the lab is no new future, as its call only asked
        at_us, answers, before = self._at(step), list[str](), self.futures[self.shown]
        other = before.lab.branch(at_us, partial(_answered, call, answers))
        go_on(other, max(other.now_us, at_us + microseconds(seconds)))
        answer = {"call": str(call), "html": "".join(answers)}
        ours, theirs = list(other.events), list(before.lab.events)
        if ours == theirs:
            other.close()
            return answer
        if other.broken_off is not None:
            words = "After this change, a later step of the story fails, and the story ends there:"
            answer["html"] += f"<p>{words}</p>{html_of(other.broken_off)}"
        earlier = tuple(change for change in before.changes if change[0] <= at_us)
        self.futures.append(Future(other, (*earlier, (at_us, call.words))))
        differ = (row for row, (one, other_one) in enumerate(zip(ours, theirs, strict=False)) if one != other_one)
        return answer | self.show(len(self.futures) - 1, next(differ, min(len(ours), len(theirs))))

    def advance(self, step: int, seconds: float | None = None) -> dict:
        """Let time pass from a step on, or until nothing is left to happen; "until" is the step then, and there is a
        recording if the story had to go on."""
        lab, before_us = self.lab, self.lab.now_us
        call = Call("run") if seconds is None else Call("advance", (seconds,))
        until_us = None if seconds is None else self._at(step) + microseconds(seconds)
        if until_us is None:
            lab.run()
        else:
            lab.advance_to(max(until_us, lab.now_us))
        found = self.show(self.shown) if lab.now_us > before_us else {}
        until = self.steps.step_at((lab.now_us if until_us is None else until_us) / SECOND)
        return found | {"call": str(call), "step": step, "until": until}

    def compare(self) -> dict:
        """The future that is shown beside the original story, for a duel."""
        original, future = self.futures[0].lab, self.futures[self.shown]
        longer = original.now_us < future.lab.now_us
        if longer:
            original = original.branch(original.now_us, lambda lab: None)
            original.advance_to(future.lab.now_us)
        both = Futures(original, future.lab, future.words, TOLD)
        race = Race(original, future.lab, both.names)
        answer = {"race": base64.b64encode(race.packed(both.title, race.alike(both.frame.first_seq))).decode("ascii")}
        if longer:
            original.close()
        return answer

    def log(self) -> str:
        """The event log of the future that is shown: a row of JSON for each event, identifiers in hex."""
        return "".join(f"{json.dumps(event._asdict(), default=bytes.hex)}\n" for event in self.lab.events)


def _answered(call: Call, answers: list[str], lab: Lab) -> None:
    """Make a call, and keep the HTML of its result or of its refusal."""
    try:
        answers.append(html_of(call(lab)))
    except REFUSALS as refused:
        answers.append(html_of(refused))
