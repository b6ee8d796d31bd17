"""The story of a lab: its stops, what is seen at each, and what a speaker says."""

from __future__ import annotations

from typing import Any

from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ..frames.moments import Lab, clock
from ..player.player_steps import PlayerSteps
from ..player.story import Step
from ..text import capital

CAUSES = 3  # of a step that its notes name


class Story:
    """The steps of a lab, what is seen at each on one layout, and what there is to say of it; options as for
    `PlayerSteps`."""

    def __init__(self, lab: Lab, without: frozenset[str], **chosen: Any) -> None:
        self.source = PlayerSteps(lab, without=without, **chosen)
        self.steps, self.places, self.start = self.source.steps, self.source.places(), lab.start
        self.chapters: list[Any] = self.source.chapters

    @property
    def stops(self) -> list[int]:
        """The steps at which a player stops (`mqlab.views.player.story`)."""
        return [stop.step for stop in self.source.stops] or [len(self.steps) - 1]

    def part(self, chapter: int | str | None) -> range:
        """The steps of a chapter, by its number (from 1) or its title; all for None. Raises LabError with the list of
        chapters if there is no such chapter."""
        if chapter is None:
            return range(len(self.steps))
        titles = [title for _, title, _ in self.chapters]
        place = titles.index(chapter) + 1 if chapter in titles else chapter
        if type(place) is not int or not 1 <= place <= len(titles):
            there = ", ".join(f"{number} ({title})" for number, title in enumerate(titles, 1)) or "none"
            raise LabError(f"chapter must be one of {there}; got {chapter!r}")
        ends = [*(step for step, *_ in self.chapters), len(self.steps)]
        return range(ends[place - 1], ends[place])

    def chapter(self, n: int) -> tuple[str, str]:
        """The title and the text of the chapter that step `n` belongs to, "" for none."""
        _, title, text = max((each for each in self.chapters if each[0] <= n), default=(0, "", ""))
        return title, text

    def shapes(self, n: int) -> dict[str, Any]:
        """The boxes and lines at step `n` (`mqlab.views.drawing.topology.Places.exported`)."""
        return self.places.exported(self.source.facts_at(n), self.steps[n].time_us, "shapes")

    def drawing(self, n: int) -> str:
        """The picture at step `n` as SVG text without a style, at its scale in a notebook."""
        return self.places.picture(self.source.facts_at(n), self.steps[n].time_us, self.places.scale)

    def time(self, n: int) -> str:
        """The time of day of step `n`, to the second."""
        return clock(self.start, self.steps[n].time_us)[:8]

    def said(self, n: int) -> str:
        """The words of step `n`: the text of a chapter, the words for all events of a stop, the sentence of any other
        step."""
        step = self.steps[n]
        words = next((stop.said for stop in self.source.stops if stop.step == n), step.said)
        return self.chapter(n)[1] if step.kind == "chapter" else sentence(words)

    def notes(self, n: int) -> str:
        """The speaker's notes of step `n`: the chapter, the sentence, the rule, and what led to it."""
        step, (title, text) = self.steps[n], self.chapter(n)
        told = [
            f"{title}. {text}" if title else "",
            "" if step.kind == "chapter" else f"{self.time(n)}: {self.said(n)}",
        ]
        told.append(f"Rule {step.rule}: {RULES[step.rule].title}." if step.rule in RULES else "")
        told += [f"Because, at {self.time(at)}: {self.said(at)}" for at in self._causes(step)]
        return "\n\n".join(filter(None, told))

    def _causes(self, step: Step) -> list[int]:
        """The steps that led to one, the nearest first."""
        found: list[int] = []
        while step.cause >= 0 and len(found) < CAUSES:
            found.append(step.cause)
            step = self.steps[step.cause]
        return found


def sentence(words: str) -> str:  # text: any, for its first letter
    """Words as a sentence: a capital at the front, if a plain word is first, and a full stop.

    >>> sentence("message 1 expired"), sentence("QM1 ends"), sentence("")
    ('Message 1 expired.', 'QM1 ends.', '')
    """
    first = words.partition(" ")[0]
    return words and (capital(words) if first.isalpha() and first.islower() else words).rstrip(".") + "."
