"""Helpers of the charts: the time axis, the look, and moments in Vega-Lite's notation."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta

import altair as alt

from ..frames.moments import day
from ..theme import altair_theme

WIDTH = 760  # of every chart, in pixels


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
    """The x axis: simulated clock time, as fine as the stretch needs; rows carry it as `from`."""
    span = to_us - from_us
    forms = ((8_000_000, "%H:%M:%S.%L"), (1_800_000_000, "%H:%M:%S"), (172_800_000_000, "%H:%M"))
    form = next((form for limit, form in forms if span < limit), "%d %b %H:%M")
    ends = [moment(start, from_us), moment(start, max(to_us, from_us + 1000))]
    axis = alt.Axis(format=form, tickCount=8, labelFlush=True, grid=True)
    title = f"simulated time, UTC, {day(start, from_us)}"
    return alt.X("from:T", scale=alt.Scale(type="utc", domain=ends, nice=False), title=title, axis=axis)
