"""What the pipeline's charts share: times of day, lengths of time in words, and the columns wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from mqlab.mq.errors import LabError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LONG", "NOT_YET", "START", "clock", "heading", "listed", "long", "part", "require"]

NOT_YET = "No messages"
START = "2025-01-06T00:00:00Z"

LONG = (
    "datum.value < 1e3 ? format(datum.value, '.3~r') + ' \u00b5s'"
    " : datum.value < 1e6 ? format(datum.value / 1e3, '.3~r') + ' ms'"
    " : datum.value < 6e7 ? format(datum.value / 1e6, '.3~r') + ' s'"
    " : datum.value < 3.6e9 ? format(datum.value / 6e7, '.3~r') + ' min' : format(datum.value / 3.6e9, '.3~r') + ' h'"
)
"""A Vega expression: the label of an axis of microseconds."""


def long(time_us: float) -> str:
    """A length of time in microseconds, in words.

    >>> long(90_000_000), long(40_000), long(7_200_000_000)
    ('1.5 min', '40 ms', '2 h')
    """
    for unit, size in (("h", 3.6e9), ("min", 6e7), ("s", 1e6), ("ms", 1e3)):
        if time_us >= size:
            return f"{time_us / size:.3g} {unit}"
    return f"{time_us:.0f} \u00b5s"


def heading(text: str, subtitle: str = "") -> alt.TitleParams:
    """A title that begins where the labels of the y axis begin, for charts with long ones."""
    return alt.TitleParams(text, subtitle=subtitle, anchor="start", frame="bounds")


def clock(time_us: pd.Series, start: str) -> pd.Series:
    """Times of day, UTC without a zone, so that no browser shifts them to its own."""
    return pd.Timestamp(start).tz_localize(None) + pd.to_timedelta(time_us, unit="us")


def part(data: pd.DataFrame, column: str, between: tuple[str, str] | None) -> pd.DataFrame:
    """The rows whose time is within `between`, all of them for None."""
    if between is None:
        return data
    first, last = (pd.Timestamp(time) for time in between)
    return data[(data[column] >= first) & (data[column] <= last)]


def listed(parts: Iterable[str]) -> str:
    """What a chart shows, for readers who hear it."""
    return "; ".join(parts)


def require(frame: pd.DataFrame, columns: tuple[str, ...], origin: str) -> None:
    """LabError, naming what is missing, unless `frame` has the columns that a question gives."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise LabError(f"columns wanted: those of {origin}(...).toPandas(); missing {', '.join(missing)}")
