"""The findings of an estate as a table, and the card of a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...engine.words.errors import visible
from .cards import card
from .tables import Code, Notable, table


def findings_table(findings: Any, proved: Any = ()) -> tuple[str, str]:
    """Findings (`mqlab.estates.findings.Finding`) as (text, html), one in each line or row; `proved` has what the proof
    of each showed, if any was run."""
    rows = []
    for place, one in enumerate(findings):
        severity = Notable(one.severity) if one.severity == "error" else one.severity
        where = f"{Path(one.place.file).name}:{one.place.line}" if one.place.file else ""
        showed = proved[place] if any(proved) else None
        said = "" if showed is None else showed.shown if showed.holds else Notable(f"DOES NOT HOLD: {showed.shown}")
        rows.append((severity, one.qmgr, one.said, where, Code(one.fix), *([said] if any(proved) else [])))
    columns = ["Severity", "Queue manager", "Finding", "Place", "MQSC that fixes it"]
    columns += ["Proof shows"] if any(proved) else []
    return visible("\n".join(map(str, findings)) or "No findings"), table("Findings, the worst first", columns, rows)


def findings_card(report: Any) -> tuple[str, str]:
    """A report (`mqlab.estates.report.Report`) as (text, html): its counts, and its findings as a table."""
    body = findings_table(report.findings, [entry.proved for entry in report.entries])[1] if report.entries else ""
    failed = bool(report.counts["error"] or report.failed)
    return str(report), card("What was found", lead=report.summary, failed=failed, body=body)
