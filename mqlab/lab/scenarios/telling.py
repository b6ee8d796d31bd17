"""The parts of a scenario, and the few functions that the stories share."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple

from ...engine.words.errors import MQError

Tell = Callable[..., None]
"""Makes a shot by its title, in the words of the scenario's .toml; what they call by a name is given by that name."""

TEXTS: dict[str, dict[str, Any]] = {
    name: table
    for file in files(__package__).iterdir()
    if file.name.endswith(".toml")
    for name, table in tomllib.loads(file.read_text("utf-8")).items()
}
"""The words of each scenario. In a shot, {SHOP/ORDERS} is CURDEPTH of a queue, and {SHOP:SHOP.DEPOT} the state of a
channel, at that moment."""


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
    story: Callable[[Any, Tell], None]

    def tell(self, lab: Any) -> None:
        """Play its title, its story, and the takeaways in a lab, each a shot."""

        def shot(title: str, **facts: object) -> None:
            lab.shot(title, re.sub(r"\{(.+?)\}", lambda match: _fact(lab, facts, match[1]), shots[title]))

        shots = TEXTS[self.name]["shots"]
        lab.shot(self.title, f"{self.about} {self.question}")
        self.story(lab, shot)
        lab.shot("To remember", " ".join(self.takeaways))

    def __repr__(self):
        return f"Scenario({self.name!r}, {self.title!r}, {self.question!r})"


def _fact(lab: Any, facts: dict[str, object], name: str) -> str:
    """The meaning of a name in the words of a shot."""
    if name in facts:
        return str(facts[name])
    qmgr, kind, target = re.split("([/:])", name, maxsplit=1)
    return str(lab[qmgr].depth(target)) if kind == "/" else state_of(lab[qmgr], target)


def story(tell: Callable[[Any, Tell], None]) -> Scenario:
    """Make a Scenario of a story: the scenario has the function's name, and its words are in a .toml."""
    name = tell.__name__.replace("_", "-")
    words = TEXTS[name]
    about, question = (" ".join(words[key].split()) for key in ("about", "question"))
    takeaways, rules = tuple(words["takeaways"].splitlines()), tuple(words["rules"].split())
    return Scenario(name, words["title"], about, question, takeaways, rules, tell)


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
