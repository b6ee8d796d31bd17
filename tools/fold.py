"""Fold the cells of notebooks that a learner need not read: `python -m tools.fold`.

These are the settings, which are the cell tagged `parameters`, and the questions.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mqlab.cli import command_line
from mqlab.cli.grading import text as as_text
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import NotACheckout, checkout
from tools import stopped


def folded(text: str) -> str:
    """Return the text of a notebook with these cells folded."""
    book = json.loads(text)
    for cell in book["cells"]:
        if "parameters" in cell["metadata"].get("tags", ()) or "".join(cell["source"]).startswith("%%predict"):
            cell["metadata"]["jupyter"] = {"source_hidden": True}
    return as_text(book)


def main(argv: list[str] | None = None) -> int:
    """Fold the cells of the named notebooks, or of all in notebooks/ of the checkout."""
    parser = command_line("python -m tools.fold", __doc__.partition("\n\n")[2], checkout=True)
    parser.add_argument("notebooks", nargs="*", type=Path, help="notebooks to fold (default: all in notebooks/)")
    options = parser.parse_args(argv)
    try:
        found = options.notebooks or sorted((checkout(options.dir) / "notebooks").rglob("*.ipynb"))
    except NotACheckout as problem:
        return stopped("fold", problem)
    for path in found:
        if (text := path.read_text("utf-8")) != (now := folded(text)):
            write_whole(path, now)
            print(f"folded {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
