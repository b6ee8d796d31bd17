"""`mqlab trust`: the trust page as Markdown or as one HTML file that opens anywhere."""

import argparse
import re
import sys
from html import escape
from pathlib import Path

from mqlab.mq.rules import trust

STYLE = Path(__file__).with_name("templates") / "trust.css"
MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")


def html() -> str:
    """The trust page as one HTML document, with every test of every rule; it loads nothing and runs nothing."""
    number = trust.counts()
    tally = ", ".join(f"{_badge(status)} {many}" for status, many in number.items())
    tables = "".join(_section(title, rows) for title, rows in trust.sections())
    readings = "".join(f"<li>{_prose(said)} <small>{escape(where)}</small></li>" for where, said in trust.readings())
    links = "".join(f'<a href="#{_anchor(title)}">{escape(title)}</a>' for title, _ in trust.sections())
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(trust.TITLE)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(trust.TITLE)}</h1>\n<p>{_prose(trust.LEAD)}</p>\n"
        f'<p class="tally">{sum(number.values())} rules: {tally}</p>\n'
        f'<nav>{links}<a href="#readings">Our readings</a></nav>\n{tables}'
        f'<h2 id="readings">Our readings</h2>\n<p>{escape(trust.READINGS)}</p>\n<ul>{readings}</ul>\n'
        "</main>\n</body>\n</html>\n"
    )


def _section(title: str, rows) -> str:
    """One table with its heading; rules have a column for their id, and for their tests where those are there. What is
    outside is a list."""
    heading = f'<h2 id="{_anchor(title)}">{escape(title)}</h2>\n'
    if rows[0].what == trust.OUTSIDE:
        items = "".join(f"<li><b>{escape(row.title)}</b>: {_prose(row.words)}</li>\n" for row in rows)
        return f"{heading}<ul>\n{items}</ul>\n"
    rules = any("-" in row.what for row in rows)
    tests = ["Tests"] if rules and trust.marked_tests() else []
    cells = [*(["Rule"] if rules else []), "What", "In our words", "Status", "Source", *tests]
    head = "".join(f"<th>{cell}</th>" for cell in cells)
    body = "\n".join(_row(row, rules, bool(tests)) for row in rows)
    return (
        f'{heading}<div class="wide"><table class="{"rules" if rules else "areas"}">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>\n"
    )


def _row(row, rules: bool, tests: bool) -> str:
    note = f'<p class="note">Simplified: {_prose(row.note)}</p>' if row.note else ""
    cells = [f'<td class="id">{escape(row.what)}</td>'] if rules else []
    cells += [
        f'<td class="title">{escape(row.title)}</td>',
        f"<td>{_prose(row.words)}{note}</td>",
        f"<td>{_badge(row.status)}</td>",
        f"<td>{escape(row.source)}</td>",
    ]
    cells += [f"<td>{_tests(row.tests)}</td>"] if tests else []
    anchor = f' id="{escape(row.what)}"' if rules else ""
    return f"<tr{anchor}>{''.join(cells)}</tr>"


def _tests(tests: tuple[str, ...]) -> str:
    """One test as it is; several folded behind their number."""
    lines = "".join(
        f"<li><code>{escape(test).replace('::', '::<wbr>').replace('_', '_<wbr>')}</code></li>" for test in tests
    )
    if len(tests) < 2:
        return f"<ul>{lines}</ul>" if tests else ""
    return f"<details><summary>{len(tests)} tests</summary><ul>{lines}</ul></details>"


def _badge(status: str) -> str:
    return f'<span class="status {_anchor(status)}">{escape(status)}</span>'


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _prose(text: str) -> str:
    """Text with its `code` shown as code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text))


def build_parser() -> argparse.ArgumentParser:
    """Return the command line of the trust page."""
    parser = argparse.ArgumentParser(
        prog="mqlab trust",
        description="Say what mqlab models, what it simplifies and what it leaves out, rule by rule.",
        epilog="Without --output the page is printed as Markdown. In a checkout `make trust` writes build/trust.html\n"
        "and the committed TRUST.md; where the tests are not beside the package, the page does not name them.\n\n"
        "examples:\n  mqlab trust | less\n  mqlab trust --output trust.html",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        action="append",
        help="write it to FILE instead, HTML or Markdown by its ending (.html, .md); may be given again",
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Write the page or print it; return 0, or 1 with one sentence on stderr where a file cannot be written."""
    parser = build_parser()
    options = parser.parse_args(argv)
    for file in options.output or ():
        if file.suffix.lower() not in MARKDOWN + HTML:
            parser.error(f"--output wanted: a file that ends in .html or .md; got {file}")
    if not options.output:
        sys.stdout.write(trust.page())
    for file in options.output or ():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html() if file.suffix.lower() in HTML else trust.page(), encoding="utf-8")
        except OSError as error:
            print(f"mqlab trust: cannot write {file}: {error.strerror}", file=sys.stderr)
            return 1
        print(f"wrote {file}")
    return 0
