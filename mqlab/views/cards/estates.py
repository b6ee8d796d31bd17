"""Cards of the answers to questions about an estate."""

from __future__ import annotations

from typing import Any

from .cards import card
from .tables import Notable, table


def answer_card(answer: Any) -> tuple[str, str]:
    """An answer (`mqlab.estates.answers.Answer`) as (text, html): its title, and its rows as a table."""
    rows = [tuple(Notable("NO") if cell is False else cell for cell in row) for row in answer.rows]
    columns = [name.capitalize() for name in answer.columns]
    body = table(answer.title, columns, rows) if rows else ""
    return str(answer), card(answer.title, failed=answer.failed, body=body)
