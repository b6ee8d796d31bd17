"""Charts of any length: of many rows along an axis, those that its pixels can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ...views.charts.axes import WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame


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


def collected(frame: DataFrame, along: str, drawn: Sequence[str], pixels: int = WIDTH) -> pd.DataFrame:
    """The rows of a Spark DataFrame from which `thinned` picks the same picture, however many it has.

    Of equal values, the first and the last are kept, so that a moment read from these rows is exact."""
    from pyspark.sql import functions as F

    first, last = frame.agg(F.min(along), F.max(along)).first() or (None, None)
    if first is None:
        return frame.toPandas()
    row, pixel = F.struct(*frame.columns), F.floor((F.col(along) - first) * pixels / (last - first + 1))
    kept = [F.min_by(row, along), F.max_by(row, along)]
    for name in drawn:
        kept.append(F.min_by(row, F.struct(name, along)))
        kept += (F.max_by(row, F.struct(F.col(name), sign * F.col(along))) for sign in (1, -1))
    rows = frame.groupBy(pixel.alias("pixel")).agg(F.array_distinct(F.array(*kept)).alias("kept"))
    return rows.select(F.inline("kept")).toPandas()
