"""`make site`: the whole course as pages that need no network: notebooks as run, exercises, scenarios, documents."""

import json
import posixpath
import re
import sys
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from mqlab.cli import command_line, near
from mqlab.cli.notebooks import NotebookFailed
from mqlab.cli.tour import page, page_of
from mqlab.course.path import link
from mqlab.engine.words.rulebook import RULES
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import OUTPUT, NotACheckout, checkout
from mqlab.pipeline.spark import laid_over
from tools import course, links, stopped, trust
from tools.notebooks import AS_FOUND, FOLDERS, jobs_for, run_all
from tools.offline import NotSelfContained, external_loads

TITLE = "mqlab: a queue manager you can see inside"
MENU = {
    "index.html": "Contents",
    "docs/README.html": "Documents",
    "rules.html": "Rules",
    "trust.html": "Trust page",
    "players.html": "Scenarios",
}
CHECK = Path(__file__).with_name("templates") / "check.html"

_NO_LINK = re.compile(r'\b(?:role="note"|tabindex="0") ?')


class Made(NamedTuple):
    """One page of the site: its address there, its title, and a sentence about it."""

    address: str
    title: str
    about: str = ""


def menu(depth: int = 0) -> str:
    """The links at the top of every page, for a page `depth` folders deep."""
    links = "".join(f'<a href="{"../" * depth}{address}">{words}</a>' for address, words in MENU.items())
    return f'<nav aria-label="Site">{links}</nav>\n'


def with_menu(html: str, depth: int = 0) -> str:
    """A page made by another tool, with the site's links at its top."""
    return re.sub("<main[^>]*>", lambda found: f"{found[0]}\n{menu(depth)}", html, count=1)


def linked(html: str, depth: int) -> str:
    """A page, `depth` folders deep, whose ids of rules in explanations are links to the rule book."""
    book = f"{'../' * depth}rules.html"
    return re.sub(
        r'<span ([^>]*\bdata-tip="[^>]*)>([A-Z]{3}-\d\d[a-z]?)</span>',
        lambda found: f'<a href="{book}#{found[2]}" {re.sub(_NO_LINK, "", found[1])}>{found[2]}</a>',
        html,
    )


def listed(pages: list[Made]) -> str:
    """Return pages as a list of links, in columns if there is room."""
    items = "".join(
        f'<li><a href="{each.address}">{escape(each.title)}</a>{f": {escape(each.about)}" if each.about else ""}</li>\n'
        for each in pages
    )
    return f'<ul class="listed">\n{items}</ul>\n'


def rules_page(root: Path) -> str:
    """Return the rule book: each rule with its source and the places of the course that show it."""
    places = {
        "Notebooks": [(each, _html(each.name)) for each in course.notebooks(root)],
        "Exercises": [(each, _html(each.name)) for each in course.exercises()],
        "Scenarios": [(each, f"players/{each.name}.html") for each in course.demonstrations()],
    }
    groups = "".join(f'<a href="#{prefix}">{escape(title)}</a>' for prefix, title in trust.GROUPS.items())
    parts = [
        "<p>These rules decide everything that happens in a lab. Every row of an event log names one of them.</p>\n",
        f'<nav aria-label="Groups of rules">{groups}</nav>\n{trust.SEARCH}',
    ]
    for prefix, title in trust.GROUPS.items():
        parts.append(f'<h2 id="{prefix}">{escape(title)}</h2>\n')
        for rule in (each for each in RULES.values() if each.id.startswith(prefix)):
            shown = {
                kind: [f'<a href="{to}">{escape(each.title)}</a>' for each, to in there if rule.id in each.rules]
                for kind, there in places.items()
            }
            parts.append(
                f'<section id="{rule.id}"><h3>{rule.id} {escape(rule.title)}</h3>\n<p>{escape(rule.text)}</p>\n'
                f"<p><small>Source: {escape(rule.source)}</small></p>\n"
                + "".join(f"<p>{kind}: {', '.join(links)}</p>\n" for kind, links in shown.items() if links)
                + "</section>\n"
            )
    return with_menu(trust.document("The rule book", "".join(parts)))


def _html(notebook: str) -> str:
    return notebook.removesuffix(".ipynb") + ".html"


def _usable(copy: Path, source: Path) -> bool:
    """Whether a notebook's executed copy is whole, came to its end, and is newer than the notebook and the package."""
    if not copy.is_file() or copy.stat().st_mtime < max(source.stat().st_mtime, _package_changed()):
        return False
    try:
        cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    except ValueError:  # the disk was full when it was written
        return False
    return not any(output["output_type"] == "error" for cell in cells for output in cell.get("outputs", ()))


@cache
def _package_changed() -> float:
    """When a module, an explanation, a style sheet, or a script of the package was last written, in seconds."""
    parts = (path for path in trust.PACKAGE.rglob("*") if path.suffix in (".py", ".md", ".css", ".js"))
    return max(path.stat().st_mtime for path in parts)


def executed_copies(sources: list[Path], executed: Path) -> dict[Path, Path]:
    """Return the executed copy of each notebook, as a learner finds it: the copy in `executed`, which is made again if
    it is not usable.

    Raises NotebookFailed.
    """
    copies, jobs = {}, []
    for job in jobs_for(sources, executed, AS_FOUND):
        copies[job.source] = job.target
        if not _usable(job.target, job.source):
            jobs.append(job)
    for ran in run_all(jobs):
        if ran.problem:
            raise NotebookFailed(ran.problem)
        print(f"  ran {ran.path.name}", flush=True)
    return copies


def books(root: Path) -> dict[str, Path]:
    """The notebooks and exercises of a checkout, by their places in it."""
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*.ipynb"))
    return {path.relative_to(root).as_posix(): path for path in found}


def seen_from(file: str, pages: dict[str, str]) -> dict[str, str]:
    """The addresses of files and of their pages, for the links of a file."""
    return {link(each, file): link(to, file) for each, to in pages.items()}


def write_notebooks(root: Path, out: Path, executed: Path) -> tuple[list[Made], list[Made]]:
    """Every notebook as run and every exercise, as pages, those of the path and those of the library; raises
    NotebookFailed."""
    places = {place.name: place for place in (*course.notebooks(root), *course.exercises())}
    sources = books(root)
    order = [*dict.fromkeys([*course.path(), *places, *sorted(sources)])]
    copies = executed_copies([*sources.values()], executed)
    there = {file: _html(file) for file in sources} | documents(root)
    there[links.RULE_BOOK] = "rules.html"  # where each rule leads to the places that show it
    made: list[Made] = []
    for file in sorted(sources, key=order.index):
        target = out / _html(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        depth = file.count("/")
        write_whole(target, with_menu(linked(page(copies[sources[file]], seen_from(file, there)), depth), depth))
        made.append(Made(_html(file), places[file].title if file in places else Path(file).stem))
    library = [each for each in made if "/library/" in each.address]
    return [each for each in made if each not in library], library


def documents(root: Path) -> dict[str, str]:
    """The page of each document, both as paths of the checkout and of the site; docs/rules.md is the trust page."""
    files = [file for folder in ("", "docs", "datasets") for file in sorted((root / folder).glob("*.md"))]
    pages = {path.relative_to(root).as_posix(): path for path in files}
    return {file: f"{file.removesuffix('.md')}.html" for file in pages} | {"docs/rules.md": "trust.html"}


def write_documents(root: Path, out: Path) -> list[Made]:
    """Write every document as a page whose links lead to other pages; returns those that docs/README.md lists, as it
    does.
    """
    from nbformat import v4

    pages = documents(root)
    there = pages | {file: _html(file) for file in books(root)}
    for file, address in pages.items():
        if address == "trust.html":
            continue
        text, folder = (root / file).read_text(encoding="utf-8"), posixpath.dirname(file)
        book = v4.new_notebook(cells=[v4.new_markdown_cell(text)])
        html = page_of(book, root / file, seen_from(file, there))
        # Headings have the addresses that code hosts give them.
        html = re.sub(r'(<h\d id="|class="anchor-link" href="#)([^"]*)', lambda h: h[1] + _anchor(h[2]), html)
        (out / folder).mkdir(parents=True, exist_ok=True)
        write_whole(out / address, with_menu(html, depth=file.count("/")))
    rows = re.findall(
        r"^\| \[(.+)\]\((.+)\) \| (.+) \|$", (root / "docs" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    return [Made(pages[posixpath.normpath(f"docs/{file}")], title, about) for title, file, about in rows]


def _anchor(heading: str) -> str:  # text: a heading, for its address
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def write_players(out: Path) -> list[Made]:
    """A player for each scenario, which leads back to a gallery of all of them."""
    from mqlab.cli.play import page as player
    from mqlab.lab.scenarios import scenarios

    (out / "players").mkdir(parents=True, exist_ok=True)
    write_whole(out / "players.html", with_menu(player(scenarios())))
    made = []
    for each in scenarios():
        write_whole(out / "players" / f"{each.name}.html", player([each], home="../players.html"))
        made.append(Made(f"players/{each.name}.html", each.title, each.question))
    return made


def write_site(root: Path, out: Path, executed: Path) -> list[Path]:
    """Write the whole site into `out` and return its pages; raises NotebookFailed, NotSelfContained, LookupError for a
    link that leads nowhere."""
    out.mkdir(parents=True, exist_ok=True)
    steps, library = write_notebooks(root, out, executed)
    players = write_players(out)
    pages_to_read = write_documents(root, out)
    write_whole(out / "rules.html", rules_page(root))
    write_whole(out / "trust.html", with_menu(trust.html()))
    check = trust.document("Check your own estate", CHECK.read_text(encoding="utf-8"))
    write_whole(out / "check.html", with_menu(check))
    body = (
        "<p>This is the course as it ran, with every picture. Nothing here needs a network. To work through it "
        "yourself, run <code>make lab</code> in a checkout.</p>\n<h2>The path</h2>\n"
        "<p>The core of the course takes five hours. The exercises are shown before they are solved: to do one, open "
        "its notebook in JupyterLab.</p>\n"
        + listed(steps)
        + "<h2>The library</h2>\n<p>More notebooks and exercises, for a question that you have.</p>\n"
        + listed(library)
        + "<h2>Scenarios</h2>\n<p>Each scenario starts with a question. Press Space for the next step, F for full"
        " screen, and Escape for the list of scenarios.</p>\n"
        + listed(players)
        + "<h2>Documents</h2>\n"
        + listed(pages_to_read)
        + "<h2>Reference</h2>\n"
        + listed(
            [
                Made("rules.html", "The rule book"),
                Made("check.html", "Check your own estate", "drop your dumps, and get the command for them"),
            ]
        )
    )
    write_whole(out / "index.html", with_menu(trust.document(TITLE, body)))
    pages = sorted(out.rglob("*.html"))
    for each in pages:
        _check(each, out)
    return pages


def _check(path: Path, out: Path) -> None:
    """Raise NotSelfContained or LookupError if a page fetches something or has a link that leads nowhere."""
    html = path.read_text(encoding="utf-8")
    if loads := external_loads(html):
        raise NotSelfContained(f"{path.name} would fetch {loads[0]} from the network when opened")
    for address, part in re.findall(r'<a [^>]*href="([^"#:]+\.html)(?:#([^"]*))?"', html):
        there = (path.parent / address).resolve()
        if not there.is_file() or (part and part not in _parts(there)):
            raise LookupError(f"{path.relative_to(out)} links to {address}{part and f'#{part}'}, which is not there")


@cache
def _parts(page: Path) -> set[str]:
    """The addresses of the parts of a page."""
    return set(re.findall(r'\bid="([^"]*)"', page.read_text(encoding="utf-8")))


def main(argv: list[str] | None = None) -> int:
    """Write the site; return 0, or 1 with the reason in one sentence on stderr."""
    parser = command_line(
        "python -m tools.site",
        "Write the course as pages into build/site/: executed notebooks, exercises, scenarios, and rules.",
        "examples:\n  python -m tools.site\n  python -m tools.site --out course-site",
        checkout=True,
    )
    parser.add_argument("--out", type=Path, help="folder for the site (default build/site of the checkout)")
    parser.add_argument("--executed", type=Path, help="folder of executed notebooks (default build/notebooks)")
    options = parser.parse_args(argv)
    try:
        root = checkout(options.dir)
        out = (options.out or root / OUTPUT / "site").resolve()
        with laid_over({"MQLAB_STATIC": "1"}):
            pages = write_site(root, out, (options.executed or root / OUTPUT / "notebooks").resolve())
    except (NotACheckout, NotebookFailed, NotSelfContained, LookupError, OSError) as problem:
        return stopped("site", problem)
    size = sum(path.stat().st_size for path in pages) / 1e6
    print(f"{len(pages)} pages, {size:.0f} MB: open {near(out / 'index.html')}; it needs no network")
    return 0


if __name__ == "__main__":
    sys.exit(main())
