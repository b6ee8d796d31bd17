"""The parts of a scenario, and the few functions that the stories share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...engine.words.errors import MQError


class Scenario(NamedTuple):
    """A named, ready demonstration: `tell(lab)` plays it in an empty lab, shot by shot.

    `about` is a sentence or two, `question` what to ask before it is shown, `takeaways` what to remember afterwards,
    and `rules` the ids of the rules that it shows: each of them is the rule of some row of its event log. `story` is
    what happens in between.
    """

    name: str
    title: str
    about: str
    question: str
    takeaways: tuple[str, ...]
    rules: tuple[str, ...]
    story: Callable[[Any], None]

    def tell(self, lab: Any) -> None:
        """Play its title, its story, and the takeaways in a lab, each a shot."""
        lab.shot(self.title, f"{self.about} {self.question}")
        self.story(lab)
        lab.shot("To remember", " ".join(self.takeaways))

    def __repr__(self):
        return f"Scenario({self.name!r}, {self.title!r}, {self.question!r})"


def story(
    title: str, summary: str, question: str, takeaways: str, rules: str
) -> Callable[[Callable[[Any], None]], Scenario]:
    """Make a Scenario of a story: the function's name is the scenario's; `takeaways` has one on each line."""

    def scenario_of(tell: Callable[[Any], None]) -> Scenario:
        lines = tuple(line.strip() for line in takeaways.splitlines())
        name = tell.__name__.replace("_", "-")
        return Scenario(name, title, " ".join(summary.split()), question, lines, tuple(rules.split()), tell)

    return scenario_of


def answer(get: Callable[..., Any], *args: Any, **options: Any) -> str:
    """Return the result of a get or browse in words for a shot: the message data, or the reason of the failure."""
    try:
        return repr(get(*args, **options).body.decode("utf-8", "replace"))
    except MQError as refused:
        return f"{refused.reason} {refused.name}"


def outcome(put: Callable[..., Any], *args: Any, **options: Any) -> str:
    """Return the result of a put in words for a shot: no error, or the reason of the failure."""
    try:
        put(*args, **options)
    except MQError as refused:
        return f"{refused.reason} {refused.name}"
    return "no error"


def state_of(qmgr: Any, channel: str) -> str:
    """The state of a channel of a queue manager; a channel with no status is INACTIVE (CHL-08)."""
    return next((each.state for (name, _), each in qmgr.channels.items() if name == channel), "INACTIVE")


def starts(lab: Any, program: str, qmgr: str | None = None) -> int:
    """How many times a program was started up to now, anywhere or on one queue manager."""
    rows = lab.events.where(kind="program", program=program)
    return sum(row.facts["state"] == "started" for row in rows if qmgr in (None, row.qmgr))


def serve(seconds: float, replies: str | None = None) -> Callable[[Any, Any], None]:
    """A server for a PROCESS: it takes message after message until none is left, each `seconds` of work, and puts an
    answer on the queue `replies` where that is given."""

    def server(app: Any, trigger: Any) -> None:
        with app.open(trigger.queue, input="shared") as handle:
            for message in handle.get_each():
                app.qmgr.lab.advance(seconds)
                if replies is not None:
                    app.put(replies, message.body)

    return server
