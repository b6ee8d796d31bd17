"""A notebook as a story: a cell that runs again finds its labs as they were before it first ran."""

from __future__ import annotations

import re
from typing import Any

from IPython.display import display
from IPython.utils.capture import capture_output

from ..lab.lab import Lab
from .lessons import Card

EXERCISE = re.compile(r"[a-z]\d\d-\d\d")
"""The ids of the cells of an exercise, which are made to run again and again: nothing is retold there."""
OWN = re.compile(r"cell-\d\d")
"""The ids of the cells that a notebook of the course comes with, in order; a cell that a reader adds has another."""


class Retelling:
    """Runs the notebook's cells above one that is run again, or for the first time after cells below it, unless the
    labs are as they were: labs are deterministic, so the sentence below it stays true. A cell that a reader adds simply
    runs, and no retelling includes it.

    Some front ends, such as VS Code, do not pass the ids of cells. There only the requested cell runs, and a note says
    that the labs have changed since the same text ran before.
    """

    def __init__(self, shell: Any):
        self._names, self._run = shell.user_ns, shell.run_cell
        self._told: dict[str, tuple[str, dict]] = {}
        shell.events.register("pre_run_cell", self.before)

    def before(self, cell: Any) -> None:
        """Called before each cell: note its text and where the labs are, and go back there if it has run already."""
        id = cell.cell_id or ""
        if EXERCISE.fullmatch(id):
            return
        if not OWN.fullmatch(id):
            if any(map(OWN.fullmatch, self._told)):
                return
            id = cell.raw_cell
        first = id if id in self._told else min((told for told in self._told if told > id), default=None)
        if first and self._told[first][1] != self._labs():
            if id == cell.raw_cell and id == first:
                note("The labs have changed since this cell first ran. The text below describes the first run.")
            elif id != cell.raw_cell:
                self._go_back(id)
                cells = "You ran this cell before" if id == first else "You ran cells below this one before"
                note(f"{cells}: the cells above it ran again first, so that its labs are as they were.")
        self._told[id] = cell.raw_cell, self._labs()

    def _labs(self) -> dict[str, tuple[int, int]]:
        """The number of events and the time of each lab, by each name of the lab or of a queue manager in it."""
        named = {name: getattr(value, "lab", value) for name, value in self._names.items()}
        return {name: (it.events.next_seq, it.now_us) for name, it in named.items() if isinstance(it, Lab)}

    def _go_back(self, to: str) -> None:
        for name in self._labs():
            del self._names[name]
        with capture_output():
            for id in sorted(self._told):
                if id < to:
                    self._run(self._told[id][0], silent=True)


def note(said: str) -> None:
    """Show a sentence above what a cell shows."""
    display(Card(said, f"<small>{said}</small>"))
