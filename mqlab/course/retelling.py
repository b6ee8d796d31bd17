"""A notebook as a story: its labs before a cell that runs again, and the cells above a section that run quietly."""

from __future__ import annotations

import json
import re
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display
from IPython.utils.capture import capture_output

from ..engine.words.errors import LabError
from ..lab.checkout import checkout
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
        self._loaded = shell.extension_manager.loaded
        shell.events.register("pre_run_cell", self.before)

    def before(self, cell: Any) -> None:
        """Called before each cell: note its text and where the labs are, and go back there if it has run already."""
        self._loaded.discard("mqlab")  # IPython prints three lines when a cell that loads mqlab runs again
        id = cell.cell_id or ""
        if EXERCISE.fullmatch(id):
            return
        if not OWN.fullmatch(id):
            if any(map(OWN.fullmatch, self._told)):
                return
            id = cell.raw_cell
        first = id if id in self._told else min((told for told in self._told if told > id), default=None)
        before = self._told[first][1] if first else {}
        if before and before != self._labs():
            if id == cell.raw_cell and id == first:
                note("The labs have changed since this cell first ran. The text below describes the first run.")
            elif id != cell.raw_cell:
                self._go_back(id)
                note("The cells above ran again, so this cell starts as it did the first time.")
        self._told[id] = cell.raw_cell, self._labs() if before or id not in self._told else {}

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


def catch_up(notebook: str, section: int) -> Card:
    """Run the code cells of a notebook above a section, such as section 3 of "02", in the notebook that calls this.

    Widgets and output are left out, and no prediction is recorded. Raises LabError if there is no such notebook or
    section, or if a cell fails.
    """
    shell: Any = get_ipython()
    if shell is None:
        raise LabError("catch_up runs cells of a notebook: call it in a notebook")
    cells, before = _cells(notebook), shell.user_ns.get("interactive", True)
    titles = {number: line[3:] for number, line in enumerate(map(_first_line, cells)) if line.startswith("## ")}
    end = next((number for number, title in titles.items() if title.startswith(f"{section}.")), None)
    if end is None:
        raise LabError(
            f"section must be the number of one of {', '.join(titles.values()) or 'no sections'}; got {section!r}"
        )
    above = [cell for cell in cells[:end] if cell["cell_type"] == "code" and OWN.fullmatch(cell["id"])]
    try:
        for cell in above:
            source = "".join(cell["source"]).replace("interactive: bool = True", "interactive = False")
            with capture_output():
                ran = shell.run_cell(source, store_history=False, cell_id=cell["id"])
            if not ran.success:
                raise LabError(
                    f"{cell['id']} of notebook {notebook} failed: {ran.error_in_exec or ran.error_before_exec}"
                )
    finally:
        shell.user_ns["interactive"] = before
    words = f"{len(above)} cells of notebook {notebook} have run. Continue with section {titles[end]}"
    return Card(words, f"<small>{words}</small>")


def _first_line(cell: dict) -> str:
    """The first line of a text cell, "" for a code cell."""
    return "".join(cell["source"]).partition("\n")[0] if cell["cell_type"] == "markdown" else ""


def _cells(notebook: str) -> list[dict]:
    """The cells of the notebook whose file starts with this number."""
    named = {path.name[:2]: path for path in sorted((checkout() / "notebooks").rglob("??-*.ipynb"), reverse=True)}
    if notebook not in named:
        raise LabError(f"notebook must be a number of the course, one of {', '.join(sorted(named))}; got {notebook!r}")
    return json.loads(named[notebook].read_text("utf-8"))["cells"]
