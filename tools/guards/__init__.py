"""The guards of a notebook: code in tools/guards/NN.py that holds its prose to what the engine does, cell by cell.

A section begins with ``# %% after PLACE``: a prediction's key, such as tart, or a cell's id. Lines ``# says "..."``
quote sentences that must be in the notebook or its explanations. The code runs in a copy of the notebook, after that
cell.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mqlab.course.predictions.pages import explanations
from mqlab.engine.words.errors import LabError

_SECTION = re.compile(r"^# %% after (\S+)\n", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]+)\](?![(:])")
_SAYS = re.compile(r'^# says "(.+)"$', re.MULTILINE)


def guards_of(notebook: Path) -> Path:
    """The file that guards a notebook of a checkout; it need not exist."""
    folder = notebook.parent.parent if notebook.parent.name == "library" else notebook.parent
    name = number(notebook) if folder.name == "notebooks" else notebook.stem  # an exercise has none
    return folder.parent / "tools" / "guards" / f"{name}.py"


def number(notebook: Path) -> str:
    """The number of a notebook, as in its name: "01"; the name of one that has no number."""
    return notebook.stem.partition("-")[0]


def guarded(notebook: Path) -> Any:
    """A notebook with its guards in it, each after its cell and tagged remove-cell; as it is if it has no guards.

    Raises LabError if a guard names a cell that does not exist or quotes a sentence that is nowhere.
    """
    import nbformat

    book, file = nbformat.read(notebook, as_version=4), guards_of(notebook)
    if not file.is_file():
        return book
    prose = _squeezed("\n".join([*(cell.source for cell in book.cells), *explanations(number(notebook)).values()]))
    _, *sections = _SECTION.split(file.read_text("utf-8"))
    for place, code in zip(sections[::2], sections[1::2], strict=True):
        here = f"{file.name}, after {place}"
        for said in _SAYS.findall(code):
            if _squeezed(said) not in prose:
                raise LabError(f"{here}: the quoted sentence must be in {notebook.name} or its answers; got {said!r}.")
        asks = f"%%predict {number(notebook)}/{place}"
        at = next((n for n, cell in enumerate(book.cells) if cell.id == place or _first(cell.source) == asks), None)
        if at is None:
            raise LabError(f"{here}: the place must be a prediction or a cell of {notebook.name}; it has none such.")
        guard = nbformat.v4.new_code_cell(f"# {here}\n{code.strip()}", metadata={"tags": ["remove-cell", "guard"]})
        book.cells.insert(at + 1, guard)
    return book


def _first(source: str) -> str:
    return source.partition("\n")[0].strip()


def _squeezed(text: str) -> str:
    return " ".join(_LINK.sub(r"\1", text).split())
