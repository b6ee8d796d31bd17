"""The trust page: what mqlab models, what it simplifies and what it leaves out, with the source and the test of each.

Generated from the rule book, from two short tables here, from the docstrings of the package and, where the tests stand
beside it, from their rule markers. Nothing on the page is written twice.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .rulebook import RULES

__all__ = ["MODELLED", "NOT_YET", "SIMPLIFIED", "Row", "marked_tests", "page", "readings", "rows"]

MODELLED, SIMPLIFIED, NOT_YET = "modelled", "simplified", "not modelled yet"
PACKAGE = Path(__file__).resolve().parent
TESTS = PACKAGE.parent / "tests"


class Row(NamedTuple):
    """One row: a rule id or an area, a title, its status, where it comes from, the tests that prove it, and a note."""

    what: str
    title: str
    status: str
    source: str
    tests: tuple[str, ...] = ()
    note: str = ""


_SIMPLER = {
    "EXP-06": "The product does not say how coarse it is; the lab's granularity is one number for a queue manager.",
    "EXP-31": "An alias, its base, and the topic of a publication are the whole path yet.",
    "EXP-33": "Which queues are worth a scan is known exactly; the product keeps an estimate.",
    "EXP-35": "The scan is done when the command returns.",
    "TRG-12a": "The product goes round for ever; the lab stops a server that got nothing done 1000 times in a row, and "
    "programs that keep each other busy at one moment.",
    "TRG-16": "Only what is longer than the queue's MAXMSGL is split, and nothing puts segments together again.",
    "MQI-16": "Stopping is immediate and controlled at once; the log of a real queue manager is not modelled.",
    "MQI-17": "Getters that wait look again in the order in which they began to wait.",
    "MQI-19": "A program is a function in this process; APPLTYPE, environment and the operating system play no part.",
}

_LATER = {
    "EXP-03": "Ageing on transmission queues", "EXP-04": "Time in flight", "EXP-05": "Programs that pass messages on",
    "EXP-12": "Lapsing on the way", "EXP-23": "Ageing on the dead-letter queue",
    "EXP-25": "Two Expiry fields on a transmission queue", "EXP-26": "Putting to a transmission queue oneself",
    "EXP-27": "Both Expiry fields count down", "EXP-28": "The outer Expiry decides",
    "EXP-29": "An inner Expiry that is over reads zero", "EXP-30": "Replies of the IMS bridge",
    "EXP-34": "One scanner for a queue-sharing group", "EXP-36": "Reports from whoever discards",
    "EXP-37": "An adapter with two settings",
    "TRG-03b": "Shared queues count committed messages", "TRG-04a": "Monitors on several queue managers",
    "TRG-04b": "Opens within a queue-sharing group",
    "IGQ-01": "A header like any other", "IGQ-02": "Persistent or not", "IGQ-03": "What is lost when the agent ends",
    "IGQ-04": "What is lost when a put fails", "IGQ-05": "In and out of syncpoint",
    "IGQ-06": "A commit each 50 messages",
    "IGQ-07": "The largest message", "IGQ-08": "Where defaults come from", "IGQ-09": "What cannot be delivered",
    "IGQ-10": "No dead-letter queue", "IGQ-11": "A queue manager that ends", "IGQ-12": "A coupling facility that fails",
    "IGQ-13": "Puts to the shared transmission queue", "IGQ-14": "Confirmations", "IGQ-15": "Expiration reports",
    "IGQ-16": "Exception reports",
    "MQE-01": "Checked when added", "MQE-02": "Checked when removed", "MQE-03": "Purged when activated",
    "MQE-04": "Purged when deleted", "MQE-05": "Purged when asked for its size", "MQE-06": "Rules are told",
    "MQE-07": "Lapsing on both sides of a broken link",
}  # fmt: skip
"""Rules of the source documents that are not in the rule book yet, by id; one that is in it is left out here."""

_SOURCES = {
    "EXP": "Expiry in MQMD, product documentation",
    "TRG": "Conditions for a trigger event, product documentation",
    "IGQ": "Intra-group queuing, product documentation of z/OS",
    "MQE": "MQ Everyplace, product documentation",
}

_READ = "product documentation"
_AREAS = (
    ("One queue manager", MODELLED, "MQI reference, product documentation",
     "Local, alias, model and dynamic queues, handles, units of work, programs."),
    ("The clock", SIMPLIFIED, "",
     "Calls take no time; it passes only where a lab or a program lets it, in microseconds."),
    ("MQSC", SIMPLIFIED, "MQSC reference",
     "Commands for what is simulated work; others are checked and kept, or refused by name."),
    ("Storage", SIMPLIFIED, "",
     "Messages are in memory; persistence decides what a restart leaves, and there is no recovery log."),
    ("Security", NOT_YET, "", "Nobody is refused for who they are; CHLAUTH and AUTHREC are read and kept."),
    ("Channels and several queue managers", NOT_YET, _READ, "Remote definitions are kept and shown."),
    ("Queue-sharing groups", NOT_YET, _READ, "Shared queues, intra-group queuing."),
    ("Publish and subscribe", SIMPLIFIED, _READ,
     "Publications reach the queues of administrative subscriptions; no selectors, retained or managed ones."),
    ("Clusters", NOT_YET, _READ, ""),
    ("Events, accounting, statistics of the product", NOT_YET, _READ, "The lab's own event log takes their place."),
)  # fmt: skip


def rows() -> tuple[Row, ...]:
    """Every rule of the book, then what the book does not have yet, then the areas."""
    tests = marked_tests()
    book = [
        Row(rule.id, rule.title, SIMPLIFIED if rule.id in _SIMPLER else MODELLED, rule.source,
            tests.get(rule.id, ()), _SIMPLER.get(rule.id, ""))
        for rule in RULES.values()
    ]  # fmt: skip
    later = [Row(id, title, NOT_YET, _SOURCES[id[:3]]) for id, title in _LATER.items() if id not in RULES]
    areas = [Row("area", title, status, source, note=note) for title, status, source, note in _AREAS]
    return (*book, *later, *areas)


def readings() -> tuple[tuple[str, str], ...]:
    """The sentences that call themselves our reading: pairs of the rule id or file they stand in, and the sentence."""
    found = [(rule.id, rule.text) for rule in RULES.values() if "our reading" in f"{rule.text} {rule.source}"]
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.stem in ("rulebook", "trust"):
            continue
        where = path.relative_to(PACKAGE.parent).as_posix()
        for text in _documentation(path):
            found += [(where, sentence) for sentence in _sentences(text) if "our reading" in sentence.lower()]
    return tuple(found)


@cache
def marked_tests(folder: Path = TESTS) -> dict[str, tuple[str, ...]]:
    """The tests marked with each rule, as "tests/test_x.py::test_y"; empty where no tests stand beside the package."""
    found: dict[str, list[str]] = {}
    if (folder / "test_rulebook.py").exists():
        for path in sorted(folder.rglob("test_*.py")):
            where = path.relative_to(folder.parent).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    for id in _marks(node):
                        found.setdefault(id, []).append(f"{where}::{node.name}")
    return {id: tuple(tests) for id, tests in found.items()}


def page() -> str:
    """The trust page, Markdown: the counts, the table of rules and areas, and our readings."""
    table, tests = rows(), marked_tests()
    count = {status: sum(row.status == status for row in table) for status in (MODELLED, SIMPLIFIED, NOT_YET)}
    lines = [
        "# What mqlab models, and how far to trust it",
        "",
        "Generated from the rule book and its tests. A rule that is modelled is named by the events it causes, and a "
        "test that is marked with it proves it.",
        "",
        ", ".join(f"{number} {status}" for status, number in count.items()) + ".",
        "",
        "| Rule | What | Status | Source | Test |" if tests else "| Rule | What | Status | Source |",
        "|---|---|---|---|---|" if tests else "|---|---|---|---|",
    ]
    for row in table:
        what = f"{row.title}. {row.note}" if row.note else row.title
        cells = [row.what, what, row.status, row.source, *([_proof(row.tests)] if tests else [])]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += ["", "## Our readings", "", "Where the documents leave a question open, mqlab answers it so:", ""]
    lines += [f"- {sentence} ({where})" for where, sentence in readings()]
    return "\n".join(lines) + "\n"


def _proof(tests: tuple[str, ...]) -> str:
    """The first test of a rule, and how many more there are."""
    more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
    return f"`{tests[0]}`{more}" if tests else ""


def _marks(function: ast.FunctionDef) -> list[str]:
    """The rule ids that a test function is marked with."""
    return [
        argument.value
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
        for argument in mark.args
        if isinstance(argument, ast.Constant)
    ]


def _documentation(path: Path) -> list[str]:
    """Every docstring of a module, those of its attributes too, each as one line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return [" ".join(s.value.split()) for s in strings if isinstance(s, ast.Constant) and isinstance(s.value, str)]


def _sentences(text: str) -> list[str]:
    """Text cut behind each full stop that ends a sentence."""
    return re.split(r"(?<=[.)])\s+(?=[A-Z`])", text)
