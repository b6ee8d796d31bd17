"""`make trust`: the list of what mqlab models, simplifies, and leaves out, with the source and tests of each rule.

The page is made from the rule book, the tables in trust.toml, the readings.toml of each room, and the rule markers of
the tests if the checkout has tests. Nothing on the page is written twice. The page is printed as Markdown, or written
as Markdown or as one HTML file that opens anywhere.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import mqlab
import mqlab.lab
from mqlab.cli import command_line
from mqlab.engine.commands.coverage import acted_on, moves
from mqlab.engine.words import catalog
from mqlab.engine.words.rulebook import GROUPS, RULES
from mqlab.formats.whole_file import write_whole
from tools import stopped

MODELED, SIMPLIFIED, NOT_MODELED = STATUSES = ("modeled", "simplified", "not modeled")
TITLE = "What mqlab models, and how far to trust it"
LEAD = (
    "Events name the modeled rule that caused them, and tests marked with the rule's ID prove it. A simplified rule "
    "states the simplification. This page is generated from the rule book and the tests; `make trust` generates "
    "it again."
)
READINGS = "If IBM's documentation leaves a question open, mqlab makes an assumption, which we call our reading:"
ACCEPTED = (
    "MQSC accepts and checks all of this, and keeps the definitions. Nothing that moves a message acts on it, and "
    "replies note that. A few attributes affect displays of status: CONTROL, KAINT, MAXFSIZE, PSMODE, and SSLCIPH. "
    "The complete list:"
)
NOWHERE = "mqlab does not simulate these parts of MQ:"
LEFT_OUT = "Some modules leave something out, or refuse it:"
OUTSIDE = "outside"
"""The placeholder for the id of a part of MQ outside mqlab."""
PACKAGE = Path(mqlab.__file__).resolve().parent
TESTS = PACKAGE.parent / "tests"
STYLE = Path(__file__).with_name("templates") / "trust.css"
SEARCH = STYLE.with_name("search.html").read_text(encoding="utf-8")
"""A search box for pages of headings with tables, lists, or sections; it hides the entries that do not match."""
TABLES = Path(__file__).with_name("trust.toml")
"""The scope of the lab ("area") and the parts of MQ outside mqlab (OUTSIDE)."""
SENTENCES = "readings.toml"
"""A room's file of what its modules leave out ("left_out"), and of our readings ("readings", and ids of "rules")."""
_MARKED = re.compile(r"(?m)^@pytest\.mark\.rule\(([^)]*)\)(?=[\s\S]*?^def (\w+))")
MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")


class Row(NamedTuple):
    """One row: a rule id or an area, a title, its text in our words, its status, its source, the tests that prove it,
    and the simplification if it is simplified. `denies` lists the functions that the lab does not have, separated by
    commas: words of `not_acted_on` (a command, a kind of object, a type of channel, a kind and its attribute), MQ names
    such as MQGMO_CONVERT, a command level, and in lower case subjects of no rule. Tests compare each with the code."""

    what: str
    title: str
    words: str
    status: str
    source: str
    tests: tuple[str, ...] = ()
    note: str = ""
    denies: str = ""


def sections() -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """The page's tables, titles and rows: the rules by subject and id, and the scope of the lab as a whole."""
    tests = marked_tests()
    rules = [
        Row(id, title, text, SIMPLIFIED if note else MODELED, source, tests.get(id, ()), note, denies)
        for id, title, source, text, note, denies in sorted(RULES.values())
    ]
    by_subject = ((title, tuple(r for r in rules if r.what.startswith(id))) for id, title in GROUPS.items())
    return (*by_subject, ("The lab as a whole", _written("area")))


def rows() -> tuple[Row, ...]:
    """Return every row of every section, in order, and a row for each part of MQ that is outside mqlab."""
    return (*(row for _, table in sections() for row in table), *_written(OUTSIDE))


@cache
def _written(part: str) -> tuple[Row, ...]:
    """The rows of TABLES under this heading, in order; line ends are spaces."""
    newest = max(each.since for kind in catalog.kinds() for each in catalog.attributes(kind).values())
    text = TABLES.read_text(encoding="utf-8").replace("{newest}", f"{newest}")
    found = []
    for table in tomllib.loads(text)[part]:
        row = {key: " ".join(value.split()) for key, value in table.items()}
        found.append(Row(part, **{"status": NOT_MODELED, "source": ""} | row))
    return tuple(found)


def counts() -> dict[str, int]:
    """Status -> number of rules with it; areas are not counted."""
    table = [row.status for row in rows() if "-" in row.what]
    return {status: table.count(status) for status in (MODELED, SIMPLIFIED)}


def readings() -> tuple[tuple[str, str], ...]:
    """The sentences that name our reading: pairs of the rule id or file, and the sentence."""
    ours = {id for _, table in _tables() for id in table.get("rules", ())}
    return (*((id, rule.text) for id, rule in RULES.items() if id in ours), *sentences("readings"))


@cache
def _tables() -> tuple[tuple[Path, dict], ...]:
    """The file of sentences of every room: its folder, and what it holds."""
    return tuple((path.parent, tomllib.loads(path.read_text("utf-8"))) for path in sorted(PACKAGE.rglob(SENTENCES)))


@cache
def sentences(part: str) -> tuple[tuple[str, str], ...]:
    """The sentences of every room about its modules, "left_out" or "readings": pairs of the file and the sentence."""
    found = [
        (folder / module, sentence)
        for folder, table in _tables()
        for module, several in table.get(part, {}).items()
        for sentence in several
    ]
    found.sort(key=lambda pair: pair[0])
    return tuple((module.relative_to(PACKAGE.parent).as_posix(), sentence) for module, sentence in found)


def not_acted_on() -> dict[str, tuple[str, ...]]:
    """Everything that MQSC accepts while nothing in the lab acts on it, as the catalog has it: heading -> words."""
    idle = tuple(kind for kind in catalog.kinds() if not catalog.KINDS[kind].simulated)
    found = {"Kinds of object": idle, "Types of channel": tuple(one for one in catalog.CHANNEL_TYPES if not moves(one))}
    for kind in [each for each in catalog.kinds() if each not in idle]:
        given = catalog.attributes(kind).values()
        found[f"Attributes of {kind}"] = tuple(a.keyword for a in given if a.settable and not (a.acts or a.inert))
    acting = {key[:2] for key in acted_on()} | {("CLEAR", "QLOCAL")}
    return found | {"Commands": tuple(" ".join(words) for words in catalog.others() if words not in acting)}


def lists() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """The page's lists after its tables: a title, a sentence before the list, and its items."""
    accepted = tuple(f"{heading}: {', '.join(words)}" for heading, words in not_acted_on().items())
    left_out = tuple(f"{sentence} ({module})" for module, sentence in sentences("left_out"))
    outside = tuple(f"{row.title}: {row.words} Not simulated: {row.denies}." for row in _written(OUTSIDE))
    return (
        ("Outside mqlab", NOWHERE, outside),
        ("Accepted, but not acted on", ACCEPTED, accepted),
        ("Left out by a module", LEFT_OUT, left_out),
        ("Our readings", READINGS, tuple(f"{sentence} ({subject})" for subject, sentence in readings())),
    )


@cache
def marked_tests(folder: Path = TESTS) -> dict[str, tuple[str, ...]]:
    """The tests marked with each rule, as "tests/test_x.py::test_y"; empty if the package comes without its tests."""
    found: dict[str, list[str]] = {}
    if (folder / "conftest.py").exists():
        for path in sorted(folder.rglob("test_*.py")):
            where = path.relative_to(folder.parent).as_posix()
            for ids, name in _MARKED.findall(path.read_text(encoding="utf-8")):
                for id in re.findall(r'"(.*?)"', ids):
                    found.setdefault(id, []).append(f"{where}::{name}")
    return {id: tuple(tests) for id, tests in found.items()}


def _columns(table: tuple[Row, ...]) -> list[str]:
    """The columns of a table: rules have one for their id, and one for their tests if there are tests."""
    rules = "-" in table[0].what
    tests = ["Tests"] if rules and marked_tests() else []
    return [*(["Rule"] if rules else []), "Title", "In our words", "Status", "Source", *tests]


def page() -> str:
    """The trust page as Markdown: the counts, a table for each subject, and the lists."""
    number = counts()
    tally = ", ".join(f"{many} are {status}" for status, many in number.items())
    lines = [f"# {TITLE}", "", LEAD, "", f"Of {sum(number.values())} rules {tally}."]
    for title, table in sections():
        columns = _columns(table)
        lines += ["", f"## {title}", "", _line(columns), "|" + "---|" * len(columns)]
        for row in table:
            words = f"{row.words} Simplified: {row.note}" if row.note else row.words
            more = f" and {len(row.tests) - 1} more" if len(row.tests) > 1 else ""
            proof = f"`{row.tests[0]}`{more}" if row.tests else ""
            cells = {"Rule": row.what, "Title": row.title, "In our words": words, "Status": row.status}
            cells |= {"Source": row.source, "Tests": proof}
            lines.append(_line(cells[column] for column in columns))
    for title, lead, items in lists():
        lines += ["", f"## {title}", "", lead, "", *(f"- {item}" for item in items)]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    """One line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def document(title: str, body: str) -> str:
    """An HTML document in the style of the trust page; it loads nothing."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}</main>\n</body>\n</html>\n"
    )


def html() -> str:
    """The trust page as one HTML document, with every test of every rule."""
    number = counts()
    tally = ", ".join(f"{_badge(status)} {many}" for status, many in number.items())
    tables = "".join(_section(title, table) for title, table in sections())
    titles = [*(title for title, _ in sections()), *(title for title, _, _ in lists())]
    links = "".join(f'<a href="#{_anchor(title)}">{escape(title)}</a>' for title in titles)
    listed = "".join(
        f'<h2 id="{_anchor(title)}">{escape(title)}</h2>\n<p>{escape(lead)}</p>\n'
        f"<ul>{''.join(f'<li>{_prose(item)}</li>' for item in items)}</ul>\n"
        for title, lead, items in lists()
    )
    return document(
        TITLE,
        f'<p>{_prose(LEAD)}</p>\n<p class="tally">{sum(number.values())} rules: {tally}</p>\n'
        f"<nav>{links}</nav>\n{SEARCH}{tables}{listed}",
    )


def _section(title: str, table: tuple[Row, ...]) -> str:  # text: the key of a column
    """One table with its heading."""
    columns = _columns(table)
    head = "".join(f"<th>{column}</th>" for column in columns)
    body = "\n".join(_row(row, columns) for row in table)
    return (
        f'<h2 id="{_anchor(title)}">{escape(title)}</h2>\n'
        f'<div class="wide"><table class="{"rules" if "Rule" in columns else "areas"}">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>\n"
    )


def _row(row: Row, columns: list[str]) -> str:  # text: the key of a column
    note = f'<p class="note">Simplified: {_prose(row.note)}</p>' if row.note else ""
    cells = {
        "Rule": f'<td class="id">{escape(row.what)}</td>',
        "Title": f'<td class="title">{escape(row.title)}</td>',
        "In our words": f"<td>{_prose(row.words)}{note}</td>",
        "Status": f"<td>{_badge(row.status)}</td>",
        "Source": f"<td>{escape(row.source)}</td>",
        "Tests": f"<td>{_tests(row.tests)}</td>",
    }
    anchor = f' id="{escape(row.what)}"' if "Rule" in columns else ""
    return f"<tr{anchor}>{''.join(cells[column] for column in columns)}</tr>"


def _tests(tests: tuple[str, ...]) -> str:
    """One test as text; several tests folded behind their number."""
    lines = "".join(
        f"<li><code>{escape(test).replace('::', '::<wbr>').replace('_', '_<wbr>')}</code></li>" for test in tests
    )
    if len(tests) < 2:
        return f"<ul>{lines}</ul>" if tests else ""
    return f"<details><summary>{len(tests)} tests</summary><ul>{lines}</ul></details>"


def _badge(status: str) -> str:
    return f'<span class="status {_anchor(status)}">{escape(status)}</span>'


def _anchor(title: str) -> str:  # text: a heading, for its address
    return re.sub(r"[^a-z]+", "-", title.lower())


def _prose(text: str) -> str:
    """Text with its `code` shown as code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text))


def main(argv: list[str] | None = None) -> int:
    """Write or print the page; return 0, or 1 with one sentence on stderr if a file cannot be written."""
    parser = command_line(
        "python -m tools.trust",
        "List what mqlab models, simplifies, and leaves out, rule by rule.",
        "Without --output, the page is printed as Markdown. In a checkout, `make trust` writes build/trust.html\n"
        "and the committed docs/rules.md. The page names the tests of the checkout.\n\n"
        "examples:\n  python -m tools.trust | less\n  python -m tools.trust --output trust.html",
    )
    endings = "write HTML or Markdown to FILE, by its ending (.html, .md); can be repeated"
    parser.add_argument("--output", type=Path, metavar="FILE", action="append", default=[], help=endings)
    options = parser.parse_args(argv)
    for file in options.output:
        if file.suffix.lower() not in MARKDOWN + HTML:
            parser.error(f"--output must be a file that ends in .html or .md; got {file}")
    if not options.output:
        # Unbuffered, Python would drop everything beyond 64 KiB of one write.
        sys.stdout.writelines(page().splitlines(keepends=True))
    for file in options.output:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, html() if file.suffix.lower() in HTML else page())
        except OSError as error:
            return stopped("trust", f"cannot write {file}: {error.strerror}")
        print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
