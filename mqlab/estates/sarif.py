"""A report as SARIF 2.1.0, the format that code hosts and editors read findings in."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..engine.words.rulebook import RULES
from .findings import CHECKS, ERROR, NOTE, OPEN, WARNING, Check
from .report import Entry, Report

FINGERPRINT = "mqlab/v2"
"""The name of a finding's fingerprint; the number changes with how it is made."""

_LEVELS = {ERROR: "error", WARNING: "warning", NOTE: "note", OPEN: "none"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report, root: Path | None = None) -> dict[str, Any]:
    """A report as JSON values of SARIF; files are named relative to the folder `root`, the current one if None."""
    root = (root or Path.cwd()).resolve()
    used = {one.check for one in report.findings}
    rules = [each for each in CHECKS.values() if each.id in used]
    place_of = {each.id: place for place, each in enumerate(rules)}
    first = {part.qmgr: part.file for part in reversed(report.estate.parts)}
    results = [_result(entry, place_of, first, root) for entry in report.entries]
    driver = {"name": "mqlab", "semanticVersion": _version(), "rules": [_rule(each) for each in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def source_words(source: str) -> str:
    """Where a check comes from: a rule with its title and text, or the page of IBM's documentation."""
    rule = RULES.get(source)
    return f"{rule.id} {rule.title}: {rule.text}" if rule else source


def _rule(check: Check) -> dict[str, Any]:
    """A check as a rule of SARIF."""
    return {
        "id": check.id,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.about},
        "help": {"text": f"{check.about}\n\n{source_words(check.source)}"},
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
    }


def _result(entry: Entry, rules: Mapping[str, int], first: Mapping[str, str], root: Path) -> dict[str, Any]:
    """A finding as a result of SARIF; without a place, it is at the first line of the queue manager's file."""
    one, proved = entry.finding, entry.proved
    words = [f"{one.qmgr}: {one.said}."]
    at = f" on {one.fix_at}" if one.fix_at != one.qmgr else ""
    words += [f"Fix{at}:\n{one.fix}"] if one.fix else []
    if one.proof is not None:
        holds = "" if proved is None else f"\nIt showed {proved.shown}" + ("." if proved.holds else ", so it failed.")
        words.append(f"Proof:\n{one.proof.program}\nshows {one.proof.shows}{holds}")
    words += [f"Traffic: {entry.figure.said}."] if entry.figure else []
    file, line = one.place if one.place.file else (first.get(one.qmgr, ""), 1)
    where: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": f"{one.qmgr}/{one.kind}({one.name})", "kind": "object"}]
    }
    if file:
        where["physicalLocation"] = {
            "artifactLocation": {"uri": _uri(Path(file), root)},
            "region": {"startLine": max(1, line)},
        }
    return {
        "ruleId": one.check,
        "ruleIndex": rules[one.check],
        "kind": "open" if one.severity == OPEN else "fail",
        "level": _LEVELS[one.severity],
        "message": {"text": "\n".join(words)},
        "locations": [where],
        "partialFingerprints": {FINGERPRINT: entry.fingerprint},
    }


def _uri(file: Path, root: Path) -> str:
    """The address of a file: relative to the folder if it is in that, else absolute."""
    path = file.resolve()
    return quote(path.relative_to(root).as_posix()) if path.is_relative_to(root) else path.as_uri()


def _version() -> str:
    try:
        return version("mqlab")
    except PackageNotFoundError:  # it runs from a folder that is not installed
        return "0.0.0"
