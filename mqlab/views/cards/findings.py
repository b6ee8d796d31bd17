"""The card of a report: what was found in an estate, with the counts and a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .cards import card
from .tables import Code, Notable, table


def findings_card(report: Any) -> tuple[str, str]:
    """A report (`mqlab.estates.report.Report`) as (text, html): its counts, and its findings as a table."""
    rows = []
    for entry in report.entries:
        one, proved = entry.finding, entry.proved
        severity = Notable(one.severity) if one.severity == "error" else one.severity
        where = f"{Path(one.place.file).name}:{one.place.line}" if one.place.file else ""
        what = (severity, one.qmgr, one.said, where, Code(one.mend))
        shown = () if proved is None else (proved.shown if proved.holds else Notable(f"DOES NOT HOLD: {proved.shown}"),)
        rows.append(what + shown)
    columns = ["Severity", "Queue manager", "Finding", "Place", "MQSC that mends it"]
    columns += ["Proof shows"] if any(len(row) > len(columns) for row in rows) else []
    body = table("Findings, the worst first", columns, rows) if rows else ""
    failed = bool(report.counts["error"] or report.failed)
    return str(report), card("What was found", lead=report.summary, failed=failed, body=body)
