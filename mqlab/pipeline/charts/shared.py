"""Helpers of the pipeline's charts: times of day, lengths of time in words, and bars with a label each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from ...engine.words.errors import LabError
from ...views.charts.axes import WIDTH
from ...views.text import thousands
from ...views.theme import LIGHT
from ..labs import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame


NOT_YET = "No messages"
SPOKEN = 200
START = "2025-01-06T00:00:00Z"
COUNT = alt.Tooltip("messages:Q", format=",")

# A Vega expression: the label of an axis of microseconds.
LONG = (
    "datum.value < 1e3 ? format(datum.value, '.3~r') + ' \u00b5s'"
    " : datum.value < 1e6 ? format(datum.value / 1e3, '.3~r') + ' ms'"
    " : datum.value < 6e7 ? format(datum.value / 1e6, '.3~r') + ' s'"
    " : datum.value < 3.6e9 ? format(datum.value / 6e7, '.3~r') + ' min' : format(datum.value / 3.6e9, '.3~r') + ' h'"
)


def long(time_us: float) -> str:
    """A length of time in microseconds, in words, such as "1.5 min"."""
    for unit, size in (("h", 3.6e9), ("min", 6e7), ("s", 1e6), ("ms", 1e3)):
        if time_us >= size:
            return f"{time_us / size:.3g} {unit}"
    return f"{time_us:.0f} \u00b5s"


def clock(time_us: pd.Series, start: str) -> pd.Series:
    """Times of day, UTC without a zone, so that no browser shifts them to its own."""
    return pd.Timestamp(start).tz_localize(None) + pd.to_timedelta(time_us, unit="us")


def form(times: pd.Series) -> str:
    """How to write one of these moments: with the day if they are more than a day apart."""
    return "%d %b %H:%M" if len(times) and times.max() - times.min() > pd.Timedelta(days=1) else "%H:%M"


def part(data: pd.DataFrame, column: str, between: tuple[str, str] | None) -> pd.DataFrame:
    """The rows whose time is within `between`, all of them for None."""
    if between is None:
        return data
    first, last = (pd.Timestamp(time) for time in between)
    return data[(data[column] >= first) & (data[column] <= last)]


def require(frame: pd.DataFrame | DataFrame, columns: tuple[str, ...], origin: str) -> pd.DataFrame:
    """The rows of a question as pandas; LabError, naming what is missing, unless they have its columns, for one lab.
    Names of queues are such as ORDERS@QM1 if there are several queue managers, unless `columns` has "qmgr"."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise LabError(f"columns must be those of {origin}(...); missing {', '.join(missing)}")
    rows = frame if isinstance(frame, pd.DataFrame) else frame.toPandas()
    for name in (name for name in KEYS if name in rows.columns and rows[name].nunique() > 1):
        found = rows[name].unique()
        raise LabError(
            f"the rows must be those of one lab; {name} has {len(found)} values: choose one, such as {found[0]!r}"
        )
    if "object" in columns and "qmgr" in {*rows.columns} - {*columns} and rows["qmgr"].nunique() > 1:
        return rows.assign(object=rows["object"] + "@" + rows["qmgr"])
    return rows


def heading(text: str, subtitle: str = "") -> alt.TitleParams:
    """A title that begins where the labels of the y axis begin, for charts with long ones."""
    return alt.TitleParams(text, subtitle=subtitle, anchor="start", frame="bounds")


def labels(order: Sequence[str], limit: int, column: str = "label", **axis: int) -> alt.Y:
    """A y axis with a label for each bar, in this order, each at most `limit` pixels long."""
    scale = alt.Scale(domain=list(order))
    return alt.Y(f"{column}:N", sort=None, scale=scale, title=None, axis=alt.Axis(labelLimit=limit, **axis))


def coloured(column: str, colours: Mapping[str, str], **legend: object) -> alt.Color:
    """The color of each of some words, and their order in the legend."""
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{column}:N", sort=list(colours), scale=scale, **{"title": None, **legend})


def tips(**titles: str) -> list[alt.Tooltip]:
    """The words of a mark under the pointer, and of its row in the chart's table: the heading of each field."""
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in titles.items()]


def bars(data: pd.DataFrame, y: alt.Y, column: str, title: str, words: list[alt.Tooltip], **encoding: Any) -> alt.Chart:
    """Bars of a count, stacked if there are colors, with tooltips of their words and of the count."""
    x = alt.X(f"{column}:Q", title=title, stack="zero", axis=alt.Axis(tickMinStep=1))
    tooltip = [*words, alt.Tooltip(f"{column}:Q", format=",")]
    return alt.Chart(data).mark_bar(height=15).encode(y=y, x=x, tooltip=tooltip, **encoding)


def behind(data: pd.DataFrame, y: alt.Y, x: str, text: str | None = None, **mark: float) -> alt.Chart:
    """A text behind each bar that ends at `x`: the count itself, or a column of words."""
    words = alt.Text(f"{x}:Q", format=",") if text is None else f"{text}:N"
    mark = {"dx": 4, **mark}
    return alt.Chart(data).mark_text(align="left", color=LIGHT.muted, **mark).encode(y=y, x=f"{x}:Q", text=words)


def finished(
    chart: alt.TopLevelMixin, title: alt.TitleParams, shown: Iterable[str], **size: object
) -> alt.TopLevelMixin:
    """A chart with its title and size in the look of mqlab; `shown` describes its marks for screen readers."""
    marks = list(shown)
    more = [f"and {thousands(len(marks) - SPOKEN)} more"] if len(marks) > SPOKEN else []
    return chart.properties(title=title, description=f"{title.text}. {'; '.join([*marks[:SPOKEN], *more])}", **size)


def thinned(data: pd.DataFrame, along: str, drawn: Sequence[str], pixels: int = WIDTH) -> pd.DataFrame:
    """The rows that draw the same picture: of each pixel along an axis, the first and the last row, and those with the
    least and the greatest value of each column that is `drawn`. All rows, if there are too few to leave any out."""
    if len(data) <= (2 + 2 * len(drawn)) * pixels:
        return data
    data = data.sort_values(along, kind="stable").reset_index(drop=True)
    place = data[along].astype("int64")
    first, span = int(place.iloc[0]), int(place.iloc[-1]) - int(place.iloc[0]) + 1
    pixel = ((place - first) / span * pixels).astype("int64")
    kept = {*data.index[~pixel.duplicated()], *data.index[~pixel.duplicated(keep="last")]}
    for name in drawn:
        values = data[name].fillna(data[name].mean()).fillna(0).groupby(pixel)
        kept.update(values.idxmin(), values.idxmax())
    return data.loc[sorted(kept)]
