"""The data of a chart as a table, for readers who cannot see it: the words that its marks show under the pointer."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ..cards.tables import table
from ..text import capital, escape, plural

_PARTS = ("layer", "concat", "hconcat", "vconcat")
_STYLE = (
    "<style>.mqlab-data{margin:2px 0 10px}.mqlab-data>summary{cursor:pointer;width:fit-content;font-size:12px}</style>"
)

ROWS = 1500
Columns = tuple[str, ...]
Row = tuple[object, ...]


def tables(spec: dict[str, Any]) -> dict[Columns, list[Row]]:
    """Return the rows of a chart's marks by the headings of their tooltips; marks with the same headings share a table.

    `spec` is a Vega-Lite chart, as `chart.to_dict()` makes it. A mark without a tooltip has no row.
    """
    found: dict[Columns, dict[Row, None]] = {}
    for tips, data in _marks(spec, {}, spec.get("datasets", {}), []):
        columns = tuple(capital(str(tip.get("title") or tip["field"].replace("_", " "))) for tip in tips)
        rows = found.setdefault(columns, {})
        rows.update(dict.fromkeys(tuple(_cell(row.get(tip["field"]), tip) for tip in tips) for row in data))
    return {columns: _together(list(rows)) for columns, rows in found.items() if rows}


def data_table(spec: dict[str, Any], title: str) -> tuple[str, str]:
    """Return a chart's data as (text, html): tables, folded away; both are empty for a chart without tooltips.

    A table has at most ROWS rows, evenly spaced in those of the chart."""
    found = tables(spec)
    if not found:
        return "", ""
    most = max(map(len, found.values()))
    count, step = plural(sum(map(len, found.values())), "row"), -(-most // ROWS)
    count = count if step == 1 else f"1 in {step} of {count}"
    shown = "".join(table(title, columns, rows[::step]) for columns, rows in found.items())
    summary = f"<summary>The chart as a table ({escape(count)})</summary>"
    return f"The chart as a table: {count}", f'{_STYLE}<details class="mqlab-data">{summary}{shown}</details>'


def _marks(view: dict[str, Any], encoding: dict, datasets: dict, rows: list[dict]) -> Iterator[tuple[list[dict], list]]:
    """The fields of the tooltip of each mark, and the rows that it draws; a part inherits encoding and data."""
    encoding = {**encoding, **view.get("encoding", {})}
    data = view.get("data") or {}
    if "name" in data or "values" in data:
        values = datasets.get(data["name"], []) if "name" in data else data["values"]
        rows = list(csv.DictReader(io.StringIO(values))) if isinstance(values, str) else values
    parts = [part for name in _PARTS for part in view.get(name, ())]
    for part in [*parts, *filter(None, [view.get("spec")])]:
        yield from _marks(part, encoding, datasets, rows)
    tips = encoding.get("tooltip")
    tips = tips if isinstance(tips, list) else [tips] if isinstance(tips, dict) else []
    if "mark" in view and tips and all("field" in tip and "aggregate" not in tip for tip in tips):
        yield tips, rows


def _cell(value: Any, tip: dict[str, Any]) -> object:
    """A value as its tooltip shows it: a time by its format, a number without needless digits."""
    if tip.get("type") == "temporal" and isinstance(value, str):
        return datetime.fromisoformat(value.removesuffix("Z")).strftime(tip.get("format", "%Y-%m-%d %H:%M:%S"))
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.4g}")
    return value


def _together(rows: list[Row]) -> list[Row]:
    """Rows with those of the same first cell together, in the order in which they were first drawn."""
    order = {first: number for number, first in enumerate(dict.fromkeys(row[0] for row in rows))}
    return sorted(rows, key=lambda row: order[row[0]])
