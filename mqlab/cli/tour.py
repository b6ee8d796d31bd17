"""The guided tour: run its notebook with a progress bar and write one HTML file that opens anywhere."""

import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mqlab.cli import command_of, near, opening, stopped
from mqlab.cli.notebooks import NotebookFailed, execute
from mqlab.course import games
from mqlab.engine.words.rulebook import RULES
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import OUTPUT, TOUR, checkout
from mqlab.pipeline.spark import laid_over

TEMPLATES = Path(__file__).with_name("templates")
# Richest first, and nothing that needs a kernel or a script.
SHOWN = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")

_ANCHOR = re.compile(r'<a href="([^":#]+\.(?:ipynb|md))(#[^"]*)?"([^>]*)>(.*?)</a>', re.DOTALL)


def heading(cells: Iterable[Any]) -> str | None:
    """Return the first top heading of a notebook's prose."""
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    found = re.search(r"^# +(.+)$", prose, re.MULTILINE)
    return found[1].strip() if found else None


def page(notebook: Path, pages: dict[str, str] | None = None) -> str:
    """Return an executed notebook as one page, whose policy lets a browser fetch nothing.

    Links to other notebooks and files lead to their `pages`, as for `on_a_page`.
    """
    import nbformat

    return page_of(nbformat.read(notebook, as_version=4), notebook, pages)


def page_of(book: Any, notebook: Path, pages: dict[str, str] | None = None) -> str:
    """Return `book`, which is or might be the file `notebook`, as `page` does."""
    from nbconvert import HTMLExporter
    from traitlets.config import Config

    for cell in book.cells:
        if cell.metadata.get("jupyter", {}).get("source_hidden"):  # folded away in JupyterLab: hidden here too
            cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "hide-input"]
    book.metadata.setdefault("title", heading(book.cells) or notebook.stem)
    config = Config()
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_cell_tags = {"remove-cell", "injected-parameters"}
    config.TagRemovePreprocessor.remove_input_tags = {"hide-input", "remove-input"}
    config.TagRemovePreprocessor.remove_all_outputs_tags = {"hide-output", "remove-output"}
    config.NbConvertBase.display_data_priority = list(SHOWN)
    place = {"template_name": "mqlab", "extra_template_basedirs": [str(TEMPLATES)]}
    exporter = HTMLExporter(config=config, embed_images=True, **place)
    style = (TEMPLATES / "mqlab" / "page.css").read_text(encoding="utf-8")
    resources = {"mqlab_css": style, "metadata": {"name": notebook.stem, "path": str(notebook.parent)}}
    html, _ = exporter.from_notebook_node(book, resources=resources)
    return on_a_page(games.page(html), pages or {})


def on_a_page(html: str, pages: dict[str, str]) -> str:
    """Return a notebook's page with its links changed to other pages: `pages` gives the address of a page by that of a
    file, both relative to the page. A link to a file without a page becomes plain text; a rule keeps its tooltip.

    >>> on_a_page('<a href="01-one.ipynb">One</a>, <a href="two.md">two</a>', {"01-one.ipynb": "01-one.html"})
    '<a href="01-one.html">One</a>, two'
    """

    def led(match: re.Match[str]) -> str:
        to, part, rest, words = pages.get(match[1], ""), match[2] or "", match[3], match[4]
        if to:
            return f'<a href="{to}{f"#{words}" if words in RULES else part}"{rest}>{words}</a>'
        return f"<abbr{rest}>{words}</abbr>" if words in RULES else words

    return _ANCHOR.sub(led, html)


def run(root: Path, out: Path) -> Path:
    """Run the tour notebook of a checkout and write the page; returns its path, raises NotebookFailed."""
    notebook = (root / TOUR).resolve()
    # Relative to the notebook: no machine's path reaches the page.
    beside = {"interactive": False, "spark": True, "out_dir": os.path.relpath(out / "tour", notebook.parent)}
    (out / "tour").mkdir(parents=True, exist_ok=True)
    target = out / "tour.html"
    executed = out / "tour.ipynb"
    start = time.monotonic()
    opening.write(out / "opening.html")
    with laid_over({"MQLAB_STATIC": "1"}):
        cells = execute(notebook, executed, beside, progress=True)
    write_whole(target, page(executed))
    report(cells, time.monotonic() - start, target, executed, notebook)
    return target


def report(cells: int, seconds: float, target: Path, executed: Path, notebook: Path) -> None:
    """Print the result of the tour, the path of its page, and the next steps."""
    left = sorted(path.name for path in (target.parent / "tour").iterdir())
    size = target.stat().st_size / 1e6
    print(f"\nThe guided tour ran: {cells} cells in {seconds:.0f} s, on this machine only.")
    print(f"  Read it:      {near(target)} ({size:.1f} MB, one file that any browser opens without a network)")
    print(f"  Executed:     {near(executed)}")
    if left:
        print(f"  Data:         {near(target.parent / 'tour')}: {', '.join(left)}")
    print(f"  Play with it: make lab                        opens JupyterLab on {near(notebook)}")
    print("                make lab ARGS=--no-browser      serves it and prints the address to open")
    print("                (without make: mqlab lab)")


def earlier(out: Path) -> int:
    """Say if the page is that of an earlier run, and return 1."""
    if (out / "tour.html").exists():
        print(f"{near(out / 'tour.html')} is from an earlier run.", file=sys.stderr)
    return 1


def main(argv: list[str] | None = None) -> int:
    """Run the tour; return 0, or 1 with the reason in one sentence on stderr."""
    parser = command_of("tour", checkout=True)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(argv)
    try:
        root = checkout(options.dir)
        out = (options.out or root / OUTPUT).resolve()
        run(root, out)
    except NotebookFailed as failed:
        print(f"\nThe tour did not finish: {failed}", file=sys.stderr)
        print(f"The run until then: {near(out / 'tour.ipynb')}. `mqlab doctor` checks this machine.", file=sys.stderr)
        return earlier(out)
    except OSError as problem:
        stopped("tour", problem)
        return earlier(out)
    return 0
