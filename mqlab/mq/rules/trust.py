"""The trust page: what mqlab models, what it simplifies and what it leaves out, with the source and the tests of each.

Generated from the rule book, from short tables here, from the docstrings of the package and, where the tests stand
beside it, from their rule markers. Nothing on the page is written twice. `mqlab trust` writes it, as Markdown or HTML.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .rulebook import RULES

__all__ = [
    "LEAD",
    "MODELLED",
    "NOT_MODELLED",
    "OUTSIDE",
    "READINGS",
    "SIMPLIFIED",
    "STATUSES",
    "TITLE",
    "Row",
    "counts",
    "marked_tests",
    "page",
    "readings",
    "rows",
    "sections",
]

MODELLED, SIMPLIFIED, NOT_MODELLED = STATUSES = ("modelled", "simplified", "not modelled")
TITLE = "What mqlab models, and how far to trust it"
LEAD = (
    "A rule that is modelled is named by the events it causes, and tests that are marked with its id prove it. One "
    "that is simplified says in what; one that is not modelled yet has only its id and a title. This page is made from "
    "the rule book and from the tests: `make trust` makes it again."
)
READINGS = "Where the documents leave a question open, mqlab answers it so:"
OUTSIDE = "outside"
"""What stands for the id of a part of MQ that no part of mqlab is about."""
PACKAGE = Path(__file__).resolve().parents[2]
TESTS = PACKAGE.parent / "tests"


class Row(NamedTuple):
    """One row: a rule id or an area, a title, what it says in our words, its status, its source, the tests that prove
    it, and for a rule that is simplified, in what."""

    what: str
    title: str
    words: str
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
    "QSG-07": "Every running member is connected to every structure; units of work are never in doubt.",
    "QSG-08": "The administration structure never fails; in the product, members have to be started again after that.",
    "QSG-09": "The lab needs no backup to recover a structure, and recovers it at once.",
    "IGQ-04": "The lab puts fail unexpectedly only where it is asked to.",
    "IGQ-10": "The long retries have no end.",
    "MQI-16": "Stopping is immediate and controlled at once; the log of a real queue manager is not modelled.",
    "MQI-17": "Getters that wait look again in the order in which they began to wait.",
    "MQI-19": "A program is a function in this process; APPLTYPE, environment and the operating system play no part.",
}

_LATER = {
    "EXP-03": "Ageing on transmission queues",
    "EXP-04": "Time in flight",
    "EXP-05": "Programs that pass messages on",
    "EXP-12": "Lapsing on the way",
    "EXP-23": "Ageing on the dead-letter queue",
    "EXP-25": "Two Expiry fields on a transmission queue",
    "EXP-26": "Putting to a transmission queue oneself",
    "EXP-27": "Both Expiry fields count down",
    "EXP-28": "The outer Expiry decides",
    "EXP-29": "An inner Expiry that is over reads zero",
    "EXP-30": "Replies of the IMS bridge",
    "EXP-36": "Reports from whoever discards",
    "EXP-37": "An adapter with two settings",
    "MQE-01": "Checked when added",
    "MQE-02": "Checked when removed",
    "MQE-03": "Purged when activated",
    "MQE-04": "Purged when deleted",
    "MQE-05": "Purged when asked for its size",
    "MQE-06": "Rules are told",
    "MQE-07": "Lapsing on both sides of a broken link",
}
"""Rules of the source documents that are not in the rule book yet, by id; one that is in it is left out here."""

_SOURCES = {
    "EXP": "Expiry in MQMD, product documentation",
    "TRG": "Conditions for a trigger event, product documentation",
    "MQE": "MQ Everyplace, product documentation",
}

_READ = "product documentation"
_AREAS = (
    (
        "One queue manager",
        MODELLED,
        "MQI reference, product documentation",
        "Local, alias, model and dynamic queues, handles, units of work, programs.",
    ),
    (
        "The clock",
        SIMPLIFIED,
        "",
        "Calls take no time; it passes only where a lab or a program lets it, in microseconds.",
    ),
    (
        "MQSC",
        SIMPLIFIED,
        "MQSC reference",
        "Commands for what is simulated work; others are checked and kept, or refused by name. A reply names the "
        "attributes that are kept while nothing acts on them.",
    ),
    (
        "VSE/ESA",
        SIMPLIFIED,
        "Expiry in MQMD, product documentation of version 5.3",
        "Every lifetime is unlimited and CAPEXPRY does nothing; in all else such a queue manager is a distributed one.",
    ),
    (
        "The dead-letter handler, the IMS bridge, the xCoupler",
        SIMPLIFIED,
        _READ,
        "Programs of the lab; PUTAUT is read and changes nothing, and an IMS transaction is a Python function.",
    ),
    (
        "Storage",
        SIMPLIFIED,
        "",
        "Messages are in memory; persistence decides what a restart leaves, and there is no recovery log.",
    ),
    (
        "Channels",
        SIMPLIFIED,
        _READ,
        "Sender, server, receiver and requester, with a protocol of their own; no clusters, exits, conversion, TLS.",
    ),
    (
        "Queue-sharing groups",
        SIMPLIFIED,
        _READ,
        "Shared queues, triggering, expiry, failures and recovery; no sizes of structures, no offloading, and no log.",
    ),
    (
        "Intra-group queuing",
        SIMPLIFIED,
        _READ,
        "An agent on each member; it selects by CorrelId. IGQAUT and IGQUSER are kept: nobody is refused for who they "
        "are.",
    ),
    (
        "Publish and subscribe",
        SIMPLIFIED,
        _READ,
        "Publications reach the queues of administrative subscriptions; no selectors, retained or managed ones.",
    ),
)

_OUTSIDE = (
    ("Clusters", "Cluster attributes are kept and shown; no queue of a cluster is ever found, no work is spread."),
    ("Who may do what", "Nobody is refused for who they are; SET AUTHREC and SET CHLAUTH are checked, then forgotten."),
    ("Exits", "No channel, API, cluster workload or data-conversion exit is called."),
    ("TLS and message protection", "There is no network to protect; SSL attributes are kept and shown."),
    ("Data conversion", "Bodies are bytes and stay what they are; CCSID and encoding play no part."),
    ("Logging and recovery", "No log, no media image, no disk that fills or fails; a restart loses only what MQ says."),
    ("Two-phase commit", "A unit of work is the queue manager's own; no other resource manager takes part."),
    ("Groups, properties, distribution lists", "No message groups, message properties or lists of destinations."),
    ("Clients and their protocols", "A program is a function in this process: no client, AMQP, MQTT or REST."),
    ("High availability", "No multi-instance or replicated queue managers."),
    ("Event messages, accounting, statistics", "The lab's own event log takes their place."),
    ("Speed", "Simulated time is not a measure of how fast a real queue manager is."),
)
"""Parts of MQ that no part of mqlab is about: titles and what that means here."""

_GROUPS = {
    "EXP": "Message expiry",
    "TRG": "Triggering",
    "MQI": "The message queue interface",
    "CHL": "Name resolution and message channels",
    "NET": "The network of a lab",
    "QSG": "Queue-sharing groups",
    "IGQ": "Intra-group queuing",
    "DLQ": "The dead-letter handler",
    "IMS": "The IMS bridge",
    "MQE": "MQ Everyplace",
}


def sections() -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """The page's tables, titles and rows: the rules by subject and id, what the lab does at large, what is outside."""
    tests = marked_tests()
    book = [
        Row(
            rule.id,
            rule.title,
            rule.text,
            SIMPLIFIED if rule.id in _SIMPLER else MODELLED,
            rule.source,
            tests.get(rule.id, ()),
            _SIMPLER.get(rule.id, ""),
        )
        for rule in RULES.values()
    ]
    later = [Row(id, title, "", NOT_MODELLED, _SOURCES[id[:3]]) for id, title in _LATER.items() if id not in RULES]
    rules = sorted((*book, *later), key=lambda row: row.what)
    areas = tuple(Row("area", title, words, status, source) for title, status, source, words in _AREAS)
    outside = tuple(Row(OUTSIDE, title, words, NOT_MODELLED, "") for title, words in _OUTSIDE)
    by_subject = ((title, tuple(r for r in rules if r.what.startswith(id))) for id, title in _GROUPS.items())
    return (*by_subject, ("The lab at large", areas), ("Outside mqlab", outside))


def rows() -> tuple[Row, ...]:
    """Every row of every section, in order."""
    return tuple(row for _, table in sections() for row in table)


def counts() -> dict[str, int]:
    """Status -> how many rules have it; areas are not counted."""
    table = [row.status for row in rows() if "-" in row.what]
    return {status: table.count(status) for status in STATUSES}


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
    if (folder / "conftest.py").exists():
        for path in sorted(folder.rglob("test_*.py")):
            where = path.relative_to(folder.parent).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    for id in _marks(node):
                        found.setdefault(id, []).append(f"{where}::{node.name}")
    return {id: tuple(tests) for id, tests in found.items()}


def page() -> str:
    """The trust page, Markdown: the counts, a table for each subject, and our readings."""
    tests = bool(marked_tests())
    number = counts()
    lines = [
        f"# {TITLE}",
        "",
        LEAD,
        "",
        f"Of {sum(number.values())} rules "
        + ", ".join(f"{many} are {status}" for status, many in number.items())
        + ".",
    ]
    for title, table in sections():
        if table[0].what == OUTSIDE:
            lines += ["", f"## {title}", "", *(f"- {row.title}: {row.words}" for row in table)]
            continue
        rules = any("-" in row.what for row in table)
        head = (["Rule"] if rules else []) + ["What", "In our words", "Status", "Source"]
        head += ["Tests"] if tests and rules else []
        lines += ["", f"## {title}", "", _line(head), "|" + "---|" * len(head)]
        for row in table:
            words = f"{row.words} Simplified: {row.note}" if row.note else row.words
            cells = ([row.what] if rules else []) + [row.title, words, row.status, row.source]
            lines.append(_line(cells + ([_proof(row.tests)] if tests and rules else [])))
    lines += ["", "## Our readings", "", READINGS, ""]
    lines += [f"- {sentence} ({where})" for where, sentence in readings()]
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    """One line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


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
