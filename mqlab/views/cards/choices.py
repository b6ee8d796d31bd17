"""The choice among the instances of a cluster queue as a card: a sieve, with one row for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..text import plural
from .cards import card
from .tables import Gap, Quiet, Struck, Wrapped, table

if TYPE_CHECKING:
    from ...clusters.workload import Choice

LEFT_OUT = "✕ "
"""The sign of an instance at the step that leaves it out, beside its line through."""


def choice_card(choice: Choice) -> tuple[str, str]:
    """The choice of an instance as (text, html): what each step compared, and which instances it left out. Steps that
    left out nothing are quiet (`mqlab.clusters.workload.Choice`)."""
    name, rows = choice.name, choice.rows
    if choice.chosen is None:
        return str(choice), card(name, lead=choice.missing, failed=not choice.alone)
    named = list(dict.fromkeys(who for row in rows[:1] for who, _ in (*row.dropped, *row.kept)))
    order = sorted(named, key=lambda who: _stays(who, rows), reverse=True)
    deciding = [number for number, row in enumerate(rows) if row.dropped]
    last = deciding[-1] if deciding else -1
    shown: list[Any] = [_row(row, order) for row in rows[: last + 1]]
    shown += (
        [Gap(f"{plural(len(rows) - last - 1, 'more step')}: only {choice.chosen} is left")] if rows[last + 1 :] else []
    )
    heads = [Wrapped(f"{who} ✓" if who == str(choice.chosen) else who) for who in order]
    sieve = table("The steps of the workload algorithm", ("step", *heads), shown)
    lead = "It is the only instance."
    if deciding:
        steps = ", ".join(dict.fromkeys(rows[number].title for number in deciding))
        lead = f"{plural(len(named), 'instance')}. Steps that left out some: {steps}."
    return str(choice), card(f"{name} → {choice.chosen}", lead=lead, body=sieve)


def _stays(who: str, rows: Any) -> int:
    """How many steps keep an instance."""
    return sum(who in dict(row.kept) for row in rows)


def _row(row: Any, order: list[str]) -> tuple:
    """One step: the fact of each instance that reached it."""
    kept, dropped = dict(row.kept), dict(row.dropped)
    cells: list[Any] = []
    for who in order:
        if who in kept:
            cells.append(kept[who] if dropped else Quiet(kept[who]))
        else:
            cells.append(Struck(LEFT_OUT + dropped[who]) if who in dropped else None)
    title = f"{row.rule} {row.title}"
    return (Wrapped(title) if dropped else Quiet(title), *cells)
