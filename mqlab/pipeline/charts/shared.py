"""Helpers of the pipeline's charts: times of day, lengths of time in words, and bars with a label each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from ...engine.words import arguments
from ...engine.words.errors import LabError
from ...views.charts.axes import THOUSANDS, WIDTH
from ...views.text import plural, thousands
from ...views.theme import LIGHT
from ..answers import ANSWERS, made_by
from ..labs import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame

    from ...engine.world.event import Column

NOT_YET = "No messages"
WHOLE = alt.Axis(tickMinStep=1, labelExpr=THOUSANDS)
TEXT = re.compile(r"(ID|one of .*)?")  # units of columns that have no numbers
SPOKEN = 200
START = "2025-01-06T00:00:00Z"

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
    return _moment(start) + pd.to_timedelta(time_us, unit="us")


def _moment(text: str) -> pd.Timestamp:
    """The time of a text, in UTC and without its zone; LabError if it is none."""
    if pd.isna(time := pd.to_datetime(text, utc=True, errors="coerce")):
        raise LabError(f'a time must be in UTC, such as "2025-01-06T17:30"; got {text!r}')
    return time.tz_localize(None)


def form(times: pd.Series) -> str:
    """How to write one of these moments: with the day if they are more than a day apart."""
    return "%d %b %H:%M" if len(times) and times.max() - times.min() > pd.Timedelta(days=1) else "%H:%M"


def part(data: pd.DataFrame, column: str, between: tuple[str, str] | None) -> pd.DataFrame:
    """The rows whose time is within `between`, all of them for None."""
    if between is None:
        return data
    if len(between) != 2:
        raise LabError(f"between must be two times; got {between!r:.200}")
    first, last = map(_moment, between)
    return data[(data[column] >= first) & (data[column] <= last)]


def require(
    frame: pd.DataFrame | DataFrame, columns: tuple[str, ...], origin: str, most: int = 1, **words: Sequence[str]
) -> pd.DataFrame:
    """The rows of a question as pandas, with the columns of its answer that are there; LabError unless they have these
    columns, are of one lab, and have values that the answer can have: for some columns, one of their `words`.
    Names of queues are such as ORDERS@QM1 if there are several queue managers, unless `columns` has "qmgr"."""
    arguments.require("most", most, int, "a whole number, 1 or more", arguments.at_least(1))
    answer, there = ANSWERS[origin], {*frame.columns}
    missing, made = [name for name in columns if name not in there], made_by(there)
    others = ANSWERS.get(made or "", {}).keys() - answer.keys() and answer.keys() - there
    if missing or others:
        got = f"missing {', '.join(missing)}" if missing else f"this frame has the columns of {made}"
        raise LabError(f"columns must be those of {origin}(...); {got}")
    rows = (frame if isinstance(frame, pd.DataFrame) else frame.toPandas()).reset_index(drop=True)
    for name in (name for name in KEYS if name in rows.columns and rows[name].nunique() > 1):
        found = rows[name].unique()
        choose = f"choose one, such as {found[0]!r}"
        raise LabError(f"the rows must be those of one lab; {name} has {len(found)} values: {choose}")
    own = [name for name in answer if name in there]
    rows = pd.DataFrame({name: _values(rows[name], answer[name], words.get(name, ()), origin) for name in own})
    if "object" in columns and "qmgr" in {*own} - {*columns} and rows["qmgr"].nunique() > 1:
        return rows.assign(object=rows["object"] + "@" + rows["qmgr"])
    return rows


def _values(values: pd.Series, column: Column, words: Sequence[str], origin: str) -> pd.Series:
    """The values of a column as numbers or text; LabError for a value that the column, or `words`, excludes."""
    wanted, typed = f"one of {', '.join(words)}" if words else "text", values
    if words or TEXT.fullmatch(column.unit):
        fits = values.map(lambda value: isinstance(value, str) and (not words or value in words)).astype(bool)
    else:
        wanted, typed = "a number", pd.to_numeric(values, errors="coerce")
        fits = typed.notna()
        typed = pd.Series(typed.to_numpy()) if fits.all() else typed.astype("float64")
    wrong = values[~fits] if column.null == "never" else values[~fits & values.notna()]
    if len(wrong):
        got = f"got {wrong.tolist()[0]!r:.200} in row {wrong.index[0]}"
        raise LabError(f"{column.name} must be {wanted} in each row of {origin}(...); {got}")
    return typed


def left_out(number: int, what: str) -> str:
    """The end of a subtitle, if a chart has not room for so many of its rows."""
    return f". {plural(number, f'more {what} is', f'more {what}s are')} not drawn" if number else ""


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


def counted(**titles: str) -> list[alt.Tooltip]:
    """The words of a mark, as `tips` has them, and its number of messages."""
    return [*tips(**titles), alt.Tooltip("messages:Q", format=",")]


def bars(data: pd.DataFrame, y: alt.Y, column: str, title: str, words: list[alt.Tooltip], **encoding: Any) -> alt.Chart:
    """Bars of a count, stacked if there are colors, with tooltips of their words and of the count."""
    x = alt.X(f"{column}:Q", title=title, stack="zero", axis=WHOLE)
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
