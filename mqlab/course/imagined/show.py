"""A belief and IBM MQ beside each other, and the wrong answers that offer this."""

from __future__ import annotations

from ...views.player.compare import STYLE
from ...views.player.duel import Race
from ...views.text import escape
from ...views.widgets.panel import Duel
from ...views.widgets.stage import Live
from ..lessons import Card
from ..texts import misconceptions
from .variants import both


class Both(Live, Duel):
    """The two labs of a belief on one clock, where they part; `futures` has them, the real one first, and `race` their
    steps."""

    def __init__(self, id: str) -> None:
        self.futures = both(id)
        misconception = misconceptions()[id]
        self.belief = misconception["belief"]
        self.race = Race(*self.futures.labs, self.futures.names)
        self.race.parted = misconception["here"], misconception["yours"]
        first = self.race.after(self.futures.opens or (0, 0))
        super().__init__(self.race, f"The belief: {self.belief}", first)

    def without_kernel(self) -> Card:
        """Both as pictures where they part."""
        pictures = self.futures.pictures(self.race.time_us(self.position))
        title, figures = f"The belief: {self.belief}", ""
        sides = list(zip(self.futures.names, self.race.parted or (), strict=True))
        for kind, (name, words), svg in zip(("real", "imagined"), sides, pictures, strict=True):
            figures += (
                f'<figure class="{kind}"><figcaption>{escape(name)}</figcaption><p>{escape(words)}</p>{svg}</figure>'
            )
        page = f'<p><strong>{escape(title)}</strong></p><div class="futures">{figures}</div>'
        text = [title, *(f"{name}: {words}" for name, words in sides)]
        return Card("\n".join(text), f'<div class="mqlab-compare">{STYLE}{page}</div>')


def show_both(id: str) -> Both:
    """Show a belief, by its id in misconceptions.toml, beside IBM MQ: `show_both("removed-at-deadline")`.

    Both labs run the same short story on one clock, and are shown where they part. LabError for an id that has no
    imagined lab.
    """
    return Both(id)
