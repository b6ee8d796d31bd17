"""Links in the prose of notebooks: rules with their text as a tooltip, exercises, other notebooks, and the next one.

Prose contains `[MQI-02]`, `[Q04]`, or `[notebook 05]`. The addresses are at the end of the cell and are not displayed.
"""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.path import STEPS, notebook_file
from mqlab.course.path import link as relative
from mqlab.engine.words.rulebook import RULES

RULE_BOOK = "docs/rules.md"
NEXT = "**Next on the path:** "
_NAMED = re.compile(r"\[?\b([A-Z]{3}-\d\d[a-z]?|[A-Z]\d\d|[Nn]otebook \d\d)\b\]?(?![\]\[(:])")
_CODE = re.compile(r"(```.*?```|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|^#[^\n]*$)", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"^\[[^\]\n]+\]: \S+ \".*\"$\n?", re.MULTILINE)


def books(root: Path) -> list[Path]:
    """The files of the notebooks of a checkout: the path, then the library."""
    return [path for folder in ("notebooks", "notebooks/library") for path in sorted((root / folder).glob("*.ipynb"))]


def link(root: Path, write: bool = True) -> list[str]:
    """Link the prose of all notebooks of a checkout, or only check; returns the files of those that (would) change."""
    found = {path.relative_to(root).as_posix(): json.loads(path.read_text(encoding="utf-8")) for path in books(root)}
    titles = {file: title(book, Path(file).name) for file, book in found.items()}
    changed: list[str] = []
    for file, book in found.items():
        before = changed.copy()
        cells = [cell for cell in book["cells"] if cell["cell_type"] == "markdown"]
        for cell in cells:
            old = "".join(cell["source"])
            new = linked(with_next(old, file, titles) if cell is cells[-1] else old, file, titles)
            if new != old:
                cell["source"] = new.splitlines(keepends=True)
                changed += [file] if changed == before else []
        if write and changed != before:
            (root / file).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return changed


def title(book: Any, otherwise: str) -> str:
    """The first top heading of a notebook, or another title if it has none."""
    prose = "\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "markdown")
    found = re.search(r"^# +(.+)$", prose, re.MULTILINE)
    return found[1].strip() if found else otherwise


def with_next(source: str, file: str, titles: dict[str, str]) -> str:  # text: a notebook
    """The text of the last cell of prose of a notebook, with a link to the next step of the path, if the notebook is on
    it."""
    source = re.sub(rf"\n+{re.escape(NEXT)}.*$", "", _ADDRESS.sub("", source).rstrip(), flags=re.MULTILINE)
    step = dict(pairwise(STEPS)).get(Path(file).stem)
    if step is None:
        return source
    exercise = EXERCISES.get(step)
    after = exercise.file if exercise else notebook_file(step)
    words = f"{step} {exercise.title}" if exercise else titles[after]
    return f"{source}\n\n{NEXT}[{words}]({relative(after, file)})"


def linked(source: str, file: str, titles: dict[str, str]) -> str:  # text: a notebook
    """The text of a cell of prose, with each rule, exercise, and notebook that it names as a link.

    >>> there = {"notebooks/02-message-expiry.ipynb": "Message expiry"}
    >>> print(linked("See notebook 02 (`EXP-02`, E01).", "notebooks/03-triggering.ipynb", there))
    See [notebook 02] (`EXP-02`, [E01]).
    <BLANKLINE>
    [notebook 02]: 02-message-expiry.ipynb "Message expiry"
    [E01]: ../exercises/03-E01-a-queue-full-of-stale-prices.ipynb "A queue full of stale prices"
    """
    source = _ADDRESS.sub("", source).rstrip()
    found: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        to = address(match[1], file, titles)
        if to:
            found.setdefault(match[1], to)
        return f"[{match[1]}]" if to else match[0]

    parts = _CODE.split(source)
    text = "".join(part if place % 2 else _NAMED.sub(named, part) for place, part in enumerate(parts))
    return text + ("\n\n" + "\n".join(f"[{name}]: {to}" for name, to in found.items()) if found else "")


def address(name: str, file: str, titles: dict[str, str]) -> str:
    """The address, for a link in a file, and the tooltip of a rule, an exercise, or a notebook such as "notebook 02";
    "" for other names."""
    if rule := RULES.get(name):
        return f'{relative(RULE_BOOK, file)} "{_plain(f"{rule.title}. {rule.text}")}"'
    if exercise := EXERCISES.get(name):
        return f'{relative(exercise.file, file)} "{_plain(exercise.title)}"'
    number = name[-2:] if name.lower().startswith("notebook ") else ""
    book = next((each for each in titles if number and Path(each).name.startswith(f"{number}-")), "")
    return f'{relative(book, file)} "{_plain(titles[book])}"' if book else ""


def _plain(words: str) -> str:
    return " ".join(words.replace('"', "'").split())
