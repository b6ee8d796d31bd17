"""Links in the prose of notebooks: rules with their text as a tooltip, exercises, other notebooks, and the next one.

Prose contains `[MQI-02]`, `[Q04]`, or `[notebook 05]`. The addresses are at the end of the cell and are not displayed.
"""

import json
import re
from pathlib import Path
from typing import Any

from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES

RULE_BOOK = "../docs/rules.md"
NEXT = "**Next notebook:** "
ASIDE = ("panel",)
"""The starts of the names of notebooks that are not part of a learner's path."""
_NAMED = re.compile(r"\[?\b([A-Z]{3}-\d\d[a-z]?|[A-Z]\d\d|[Nn]otebook \d\d)\b\]?(?![\]\[(:])")
_CODE = re.compile(r"(```.*?```|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|^#[^\n]*$)", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"^\[[^\]\n]+\]: \S+ \".*\"$\n?", re.MULTILINE)


def link(root: Path, write: bool = True) -> list[str]:
    """Link the prose of all notebooks of a checkout, or only check; returns the names of those that (would) change."""
    paths = sorted((root / "notebooks").glob("*.ipynb"))
    books = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    titles = {name: title(book, name) for name, book in books.items()}
    changed: list[str] = []
    for path in paths:
        book, before = books[path.name], changed.copy()
        cells = [cell for cell in book["cells"] if cell["cell_type"] == "markdown"]
        for cell in cells:
            old = "".join(cell["source"])
            new = linked(with_next(old, path.name, titles) if cell is cells[-1] else old, titles)
            if new != old:
                cell["source"] = new.splitlines(keepends=True)
                changed += [path.name] if changed == before else []
        if write and changed != before:
            path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return changed


def title(book: Any, otherwise: str) -> str:
    """The first top heading of a notebook, or another title if it has none."""
    prose = "\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "markdown")
    found = re.search(r"^# +(.+)$", prose, re.MULTILINE)
    return found[1].strip() if found else otherwise


def with_next(source: str, name: str, titles: dict[str, str]) -> str:  # text: a notebook
    """The text of a notebook's last cell of prose, with a link to the notebook after it in `titles`, if one follows
    and the text has none."""
    source = re.sub(rf"\n+{re.escape(NEXT)}.*$", "", _ADDRESS.sub("", source).rstrip(), flags=re.MULTILINE)
    after = [each for each in titles if each > name and not each.startswith(ASIDE)]
    if name.startswith(ASIDE) or not after or f"]({after[0]})" in source:
        return source
    return f"{source}\n\n{NEXT}[{titles[after[0]]}]({after[0]})"


def linked(source: str, titles: dict[str, str]) -> str:  # text: a notebook
    """The text of a cell of prose, with each rule, exercise, and notebook that it names as a link.

    >>> print(linked("See notebook 02 (`EXP-02`, E01).", {"02-message-expiry.ipynb": "Message expiry"}))
    See [notebook 02] (`EXP-02`, [E01]).
    <BLANKLINE>
    [notebook 02]: 02-message-expiry.ipynb "Message expiry"
    [E01]: ../exercises/E01-a-queue-full-of-stale-prices.ipynb "A queue full of stale prices"
    """
    source = _ADDRESS.sub("", source).rstrip()
    found: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        to = address(match[1], titles)
        if to:
            found.setdefault(match[1], to)
        return f"[{match[1]}]" if to else match[0]

    parts = _CODE.split(source)
    text = "".join(part if place % 2 else _NAMED.sub(named, part) for place, part in enumerate(parts))
    return text + ("\n\n" + "\n".join(f"[{name}]: {to}" for name, to in found.items()) if found else "")


def address(name: str, titles: dict[str, str]) -> str:
    """The address and the tooltip of a rule, an exercise, or a notebook such as "notebook 02"; "" for other names."""
    if rule := RULES.get(name):
        return f'{RULE_BOOK} "{_plain(f"{rule.title}. {rule.text}")}"'
    if exercise := EXERCISES.get(name):
        return f'../exercises/{exercise.file} "{_plain(exercise.title)}"'
    number = name[-2:] if name.lower().startswith("notebook ") else ""
    book = next((each for each in titles if number and each.startswith(f"{number}-")), "")
    return f'{book} "{_plain(titles[book])}"' if book else ""


def _plain(words: str) -> str:
    return " ".join(words.replace('"', "'").split())
