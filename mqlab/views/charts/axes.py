"""Helpers of the charts: the time axis, the look, and moments in Vega-Lite's notation."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta

import altair as alt

from ..frames.moments import day
from ..theme import altair_theme

WIDTH = 700
"""Pixels of a chart's plot: with its labels it fits a cell of JupyterLab at 1280 pixels with the side bar open."""
THOUSANDS = "format(datum.value, datum.value < 10000 ? 'd' : ',d')"
"""The labels of an axis of whole numbers, with a comma from 10,000 on, as `thousands` writes them."""
TICKS = 8
"""At most so many steps between the ticks of a time axis."""
_SECOND, _MINUTE, _HOUR = 1_000_000, 60_000_000, 3_600_000_000
_STEPS = (
    *(power * step for power in (1_000, 10_000, 100_000) for step in (1, 2, 5)),
    *(unit * step for unit in (_SECOND, _MINUTE) for step in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * step for step in (1, 2, 3, 6, 12, 24, 48, 168, 720)),
)


def themed(chart: alt.TopLevelMixin, description: str) -> alt.TopLevelMixin:
    """The chart in the look of `mqlab.views.theme`, with `description` for readers who hear it."""
    return chart.configure(**altair_theme()["config"]).properties(description=description)


def moment(start: datetime, time_us: int) -> str:
    """A moment as Vega-Lite reads it: ISO, UTC."""
    return (start + timedelta(microseconds=time_us)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def table(rows: list[dict]) -> alt.InlineData:
    """Rows of equal keys as data of a chart: numbers, text, and moments under "from" and "to".

    As CSV in one string: a third of the size of objects, and nothing that altair has to validate row by row.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    parse = {
        key: "date" if key in ("from", "to") else "string" if isinstance(value, str) else "number"
        for key, value in rows[0].items()
    }
    return alt.InlineData(values=text.getvalue(), format=alt.CsvDataFormat(type="csv", parse=parse))


def time_axis(start: datetime, from_us: int, to_us: int) -> alt.X:
    """The x axis: simulated clock time, with ticks at whole steps; rows carry it as `from`."""
    span = max(to_us - from_us, 1000)
    step = next((step for step in _STEPS if span <= TICKS * step), span // TICKS)
    form = "%H:%M:%S.%L" if step < _SECOND else "%H:%M:%S" if step < _MINUTE else "%H:%M"
    form = form if span < 48 * _HOUR else "%d %b %H:%M"
    began_us = round(start.timestamp() * 1_000_000)  # ticks are whole on the clock, not since the start
    first = -(-(began_us + from_us) // step) * step
    ticks = [tick / 1000 for tick in range(first, began_us + from_us + span + 1, step)]  # Vega counts milliseconds
    ends = [moment(start, from_us), moment(start, from_us + span)]
    axis = alt.Axis(format=form, values=ticks, labelFlush=True, grid=True)
    title = f"simulated time, UTC, {day(start, from_us)}"
    return alt.X("from:T", scale=alt.Scale(type="utc", domain=ends, nice=False), title=title, axis=axis)
