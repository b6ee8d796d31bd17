"""Catching up in a notebook of the course: the cells above a section run quietly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.utils.capture import capture_output

from ..engine.words.errors import LabError
from .lessons import Card
from .retelling import OWN


def catch_up(notebook: str, section: int) -> Card:
    """Run the code cells of a notebook above a section, such as section 3 of "02", in the notebook that calls this.

    Widgets and output are left out, and no prediction is recorded. The file must be in the current folder, in its
    subfolder `notebooks`, or in a folder `notebooks` next to it. Raises LabError if there is no such notebook or
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
            source = "".join(cell["source"]).replace("interactive = True", "interactive = False")
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
    here = Path.cwd()
    found = [
        path for folder in (here, here / "notebooks", here.parent / "notebooks") for path in folder.glob("??-*.ipynb")
    ]
    named = {path.name[:2]: path for path in reversed(found)}
    if notebook not in named:
        known = ", ".join(sorted(named)) or "none in this folder"
        raise LabError(f"notebook must be the number of a notebook of the course, one of {known}; got {notebook!r}")
    return json.loads(named[notebook].read_text("utf-8"))["cells"]
