"""The opening of an exercise: the definitions, the predictions, and then a player of the failure.

Door "repair" also shows the commands that made it worse, and door "read" a solution that works.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...engine.words.rulebook import RULES
from ...everyplace.queue import KINDS
from ...lab.lab import Lab
from ...views.cards.cards import card
from ...views.drawing.scene import lab_picture
from ...views.text import escape, plural
from ..lessons import Card
from .checking import MOST, Result, predictions
from .exercise import Exercise, Prediction

_TITLES = {"write": "The failure", "repair": "The failure of the repair", "read": "A solution to read"}


def definitions(lab: Lab) -> str:
    """The definitions of a lab without the system objects, one per line, under the name of each queue manager."""
    parts = []
    for qmgr in lab.queue_managers:
        commands = re.sub(r" \+\n\s*", " ", qmgr.export_mqsc()).splitlines()
        own = [line.removesuffix(" REPLACE") for line in commands if line[:1] not in ("", "*")]
        parts += [f"* {qmgr.name}", *(line for line in own if not re.match(r"\w+ \w+\('SYSTEM\.|ALTER QMGR$", line))]
    for device in lab.everyplace_queue_managers:
        parts.append(f"* {device.name} (MQ Everyplace)")
        for queue in device.queues:
            named = ((name, getattr(queue, name)) for name in KINDS[queue.kind].settings)
            kept = "".join(f", {name}={getattr(value, '__name__', value)}" for name, value in named if value)
            parts.append(f'{queue.kind} "{queue.label}"{kept}')
    return "\n".join(parts)


class Opening:
    """The opening of an exercise by a door: `code`, the commands of this door, and `result`, the check of the lab as
    the learner finds it.

    `said` returns the predictions made so far, by key. `asked` are the predictions that the learner has neither made
    nor skipped; the outcome is folded away until there are none. Door "read" asks no predictions.
    """

    def __init__(
        self, exercise: Exercise, door: str, result: Result, said: Callable[[], dict], asked: list[Prediction]
    ):
        self.exercise, self.door, self.result, self._said = exercise, door, result, said
        self.asked = [] if door == "read" else asked
        self.before = self._before()

    @property
    def code(self) -> str:
        """The solution at door "read", the commands that broke the lab at door "repair", "" at door "write"."""
        if self.door == "write":
            return ""
        return self.exercise.answer if self.door == "read" else self.exercise.defect

    def _before(self) -> Card:
        """The facts that a prediction needs: the code of the door, and folded away the definitions and the rules."""
        words = {
            "write": "Something is wrong in this lab.",
            "repair": "Someone tried to fix it with these commands, and it is still wrong.",
            "read": "This solution passes every check. Read it, and then play what it does.",
        }[self.door]
        defined = definitions(self.exercise.start(self.door))
        code = f"<pre>{escape(self.code)}</pre>" if self.code else ""
        rules = "".join(
            f'<div class="item" role="listitem"><span class="time">{id}</span> '
            f"<span>{escape(RULES[id].title)}. {escape(RULES[id].text)}</span></div>"
            for id in self.exercise.rules
        )
        body = (
            f"{code}<details><summary>Definitions</summary>"
            f"<pre>{escape(defined)}</pre></details>"
            f'<details><summary>The rules behind it</summary><div class="items" role="list">{rules}</div></details>'
        )
        title = f"{self.exercise.id} {self.exercise.title}"
        return Card("\n".join(filter(None, [title, words, self.code, defined])), card(title, lead=words, body=body))

    @property
    def after(self) -> Card:
        """The checks of the lab as it is, to be shown after the predictions were made or skipped."""
        found = self.result
        items = [("failed" if each.seen else "passed", each.told, each.check.rule) for each in found.outcomes]
        rows = len(found.lab.events)
        lead = f"Stopped: {found.stopped}" if found.stopped else ""
        lead += f" The player shows the first {MOST} of {plural(rows, 'event')}." if rows > MOST else ""
        of = f"{found.held} of {plural(len(items), 'check')} pass{'es' if found.held == 1 else ''}"
        title = _TITLES[self.door]
        said = [f"{title}: {of}", lead, *(f"  {word} {told}" for word, told, _ in items)]
        html = card(title, lead=lead.strip(), where=of, items=items, failed=not found.passed)
        for each in predictions(self.exercise, self._said(), found.passed):
            if each.said is not None:
                html += each.html(found.lab.start)
                said += [f"  {each.asked.prompt}", *(f"    {label}: {value}" for label, value in each.facts.items())]
        return Card("\n".join(filter(None, said)), html)

    @property
    def still(self) -> Card:
        """All of it without a kernel; the outcome is folded away while predictions are asked."""
        asks = "".join(f"<li>{escape(each.prompt)}</li>" for each in self.asked)
        words = [f"Predict: {each.prompt}" for each in self.asked]
        picture = lab_picture(self.result.lab)
        outcome = f"{self.after.html}{picture.svg}"
        if self.asked:
            first = f"<p><strong>Predict first.</strong></p><ul>{asks}</ul>"
            outcome = f"{first}<details><summary>What happens</summary>{outcome}</details>"
        text = "\n".join([self.before.text, *words, self.after.text, picture.words])
        return Card(text, self.before.html + outcome)
