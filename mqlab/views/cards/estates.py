"""Cards of an estate, and of the answers to questions about it."""

from __future__ import annotations

from typing import Any

from .cards import card
from .tables import Notable, table


def estate_card(estate: Any) -> tuple[str, str]:
    """An estate (`mqlab.estates.Estate`) as (text, html): its queue managers, with objects and counts of findings."""
    report = estate.report()
    columns = ["Queue manager", "Platform", "Level", "Objects", *(name.capitalize() for name in report.counts)]
    rows = []
    for qmgr in estate.queue_managers:
        found = [one.severity for one in report.findings if one.qmgr == qmgr.name]
        objects = sum(1 for _ in estate.own(qmgr))
        rows.append((qmgr.name, qmgr.platform, qmgr.level, objects, *map(found.count, report.counts)))
    words = f"{estate!r}: {report.summary} estate.findings() lists them."
    lead = f"{report.summary} estate.findings() lists them, and mqlab check --html draws them."
    return words, card("Estate", lead=lead, failed=bool(report.counts["error"]), body=table("Estate", columns, rows))


def answer_card(answer: Any) -> tuple[str, str]:
    """An answer (`mqlab.estates.answers.Answer`) as (text, html): its title, and a table of its rows."""
    rows = [tuple(Notable("NO") if cell is False else cell for cell in row) for row in answer.rows]
    columns = ["Queue manager" if name == "qmgr" else name.capitalize() for name in answer.columns]
    body = table(answer.what, columns, rows) if rows else ""
    return str(answer), card(answer.title, failed=answer.failed, body=body)
