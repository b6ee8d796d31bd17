"""Helpers of the charts: the look as a theme of altair, layers that share a table, the time axis, and moments."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from typing import Any

import altair as alt

from ..frames.moments import day
from ..theme import altair_theme

WIDTH = 700
"""Pixels of a chart's plot: with its labels it fits a cell of JupyterLab at 1280 pixels with the side bar open."""
THOUSANDS = "datum.value % 1 ? '' : format(datum.value, datum.value < 10000 ? 'd' : ',d')"
"""The labels of an axis of whole numbers, with a comma from 10,000 on, as `thousands` writes them; none between two."""
TICKS = 8
"""At most so many steps between the ticks of a time axis."""
_SECOND, _MINUTE, _HOUR = 1_000_000, 60_000_000, 3_600_000_000
_STEPS = (
    *(power * step for power in (1_000, 10_000, 100_000) for step in (1, 2, 5)),
    *(unit * step for unit in (_SECOND, _MINUTE) for step in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * step for step in (1, 2, 3, 6, 12, 24, 48, 168, 720)),
)


THEME = "mqlab"
"""The name of the look in altair."""
# A look in `config` would forbid a reader to join, layer, or facet a chart. A reader's own theme stays enabled.
alt.theme.register(THEME, enable=alt.theme.active == "default")(lambda: alt.theme.ThemeConfig(**altair_theme()))


def layered(*layers: alt.Chart) -> alt.LayerChart:
    """Charts on top of each other, whose data are rows or pandas frames, over one table that a reader can facet or
    replace: each layer draws the rows that have its number under `layer`, or all rows if the layers have the same."""
    data = list({id(each.data): each.data for each in layers}.values())
    frames = alt.utils.sanitize_pandas_dataframe
    found = [each if isinstance(each, list) else frames(each).to_dict("records") for each in data]
    numbers = {id(each): number for number, each in enumerate(data)}
    rows = [{"layer": number, **row} for number, each in enumerate(found) for row in each]
    drawn = []
    for each in layers:
        copy, steps = each.copy(deep=False), [] if each.transform is alt.Undefined else each.transform
        copy.data = alt.Undefined
        if len(data) > 1:
            own = alt.FieldEqualPredicate(field="layer", equal=numbers[id(each.data)])
            copy.transform = [alt.FilterTransform(own), *steps]
        drawn.append(copy)
    return alt.layer(*drawn, data=table(rows) if len(data) > 1 or isinstance(data[0], list) else data[0])


def moment(start: datetime, time_us: int) -> str:
    """A moment as Vega-Lite reads it: ISO, UTC."""
    return (start + timedelta(microseconds=time_us)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def table(rows: list[dict]) -> alt.InlineData:
    """Rows as data of a chart: numbers, text, and moments, those of Vega-Lite's notation under "from" and "to".

    As CSV in one string: a third of the size of objects, and nothing that altair has to validate row by row.
    """
    text, first = io.StringIO(), dict[str, Any]()
    for row in rows:
        first |= {key: value for key, value in row.items() if first.get(key) is None}
    writer = csv.DictWriter(text, list(first), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    parse = {key: "number" for key, value in first.items() if not isinstance(value, str)}
    parse |= {key: "date" for key in ("from", "to") if key in first}
    return alt.InlineData(values=text.getvalue(), format=alt.CsvDataFormat(type="csv", parse=parse))


def time_axis(start: datetime, from_us: int, to_us: int, whole: bool = False) -> alt.X:
    """The x axis: simulated clock time, with ticks at whole steps; rows carry it as `from`. With `whole`, the stretch
    is that of the rows, and of the rows that a reader may give it instead."""
    span = max(to_us - from_us, 1000)
    step = next((step for step in _STEPS if span <= TICKS * step), span // TICKS)
    form = "%H:%M:%S.%L" if step < _SECOND else "%H:%M:%S" if step < _MINUTE else "%H:%M"
    form = form if span < 48 * _HOUR else "%d %b %H:%M"
    began_us = round(start.timestamp() * 1_000_000)  # ticks are whole on the clock, not since the start
    first = -(-(began_us + from_us) // step) * step
    ticks = [tick / 1000 for tick in range(first, began_us + from_us + span + 1, step)]  # Vega counts milliseconds
    ends = [moment(start, from_us), moment(start, from_us + span)]
    axis = alt.Axis(format=form, **({"tickCount": TICKS} if whole else {"values": ticks}), labelFlush=True, grid=True)
    title = f"simulated time, UTC, {day(start, from_us)}"
    scale = alt.Scale(type="utc", nice=False, **({} if whole else {"domain": ends}))
    return alt.X("from:T", scale=scale, title=title, axis=axis)
