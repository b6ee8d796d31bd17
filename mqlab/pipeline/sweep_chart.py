"""The chart of a sweep: means with their confidence intervals along one parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from mqlab.errors import LabError
from mqlab.views.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO
from mqlab.workloads import MEASURES

if TYPE_CHECKING:
    from mqlab.pipeline.sweep import Sweep

__all__ = ["sweep_chart"]

COLOURS = tuple(OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "orange", "sky", "black"))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")


def sweep_chart(sweep: Sweep, measure: str, x: str | None = None, colour: str | None = None) -> alt.LayerChart:
    """Mean and confidence interval of `measure` for each cell, along `x`, with a line for each value of `colour`.

    `x` is the grid's first parameter and `colour` its second unless given. LabError for a measure or parameter that the
    sweep has not, for more lines than there are marks, and where more parameters vary than the chart shows.
    """
    _require("measure", measure, sweep.measures)
    varied = [name for name in sweep.parameters if sweep.summary[name].nunique() > 1]
    x = x or (varied or sweep.parameters or [None])[0]
    _require("x", x, sweep.parameters)
    colour = colour or next((name for name in varied if name != x), None)
    if colour is not None:
        _require("colour", colour, sweep.parameters)
    more = [name for name in varied if name not in (x, colour)]
    if more:
        raise LabError(f"a sweep of one or two parameters wanted for a chart; {', '.join(more)} varies too: sweep less")
    data = sweep.summary[sweep.summary["measure"] == measure].assign(line="")
    if colour is not None:
        data = data.assign(line=[f"{colour} {value}" for value in data[colour]])
    data = data.assign(low=data["mean"] - data["half_width"], high=data["mean"] + data["half_width"])
    lines = list(dict.fromkeys(data["line"]))
    if len(lines) > len(SHAPES):
        raise LabError(f"at most {len(SHAPES)} values of {colour} wanted, a line each; got {len(lines)}")
    return _draw(sweep, data, measure, x, lines)


def _require(what: str, name: str | None, there: list[str]) -> None:
    if name not in there:
        raise LabError(f"{what} wanted: one of {', '.join(there) or 'none'}; got {name!r}")


def _draw(sweep: Sweep, data: pd.DataFrame, measure: str, x: str, lines: list[str]) -> alt.LayerChart:
    parameter = sweep.workload.parameters[x]
    number = not isinstance(parameter.default, bool | str)
    across = alt.X(
        f"{x}:{'Q' if number else 'N'}",
        title=f"{x}: {parameter.about}" + (f" ({parameter.unit})" if parameter.unit else ""),
        scale=alt.Scale(zero=False, nice=False, padding=18) if number else alt.Undefined,
    )
    legend = alt.Legend() if len(lines) > 1 else None
    tones = alt.Color("line:N", title=None, legend=legend, scale=alt.Scale(domain=lines, range=list(COLOURS)))
    marks = alt.Shape("line:N", title=None, legend=legend, scale=alt.Scale(domain=lines, range=list(SHAPES)))
    title = f"{measure}: {MEASURES[measure]}" if measure in MEASURES else measure
    up = alt.Y("mean:Q", title=measure)
    bars = alt.Chart(data).mark_errorbar(ticks=True).encode(
        x=across, y=alt.Y("low:Q", title=measure), y2="high:Q", color=tones
    )  # fmt: skip
    path = alt.Chart(data).mark_line(strokeWidth=1.2).encode(x=across, y=up, color=tones)
    points = (
        alt.Chart(data)
        .mark_point(filled=True, size=55, opacity=1)
        .encode(x=across, y=up, color=tones, shape=marks, tooltip=[x, "line", "mean", "half_width", "n", "failed"])
    )
    said = (
        f"{sweep.confidence * 100:g} % confidence intervals of the mean, {data['n'].min()} to {data['n'].max()} seeds"
    )
    failed = int(data["failed"].sum())
    subtitle = f"{sweep.workload.name}: {said}" + (f"; {failed} labs failed" if failed else "")
    chart = alt.layer(path, bars, points).properties(
        width=WIDTH - 160, height=230, title=alt.TitleParams(title, subtitle=subtitle, color=LIGHT.ink)
    )
    figures = (f"{row[x]} {row['line']}".strip() + f": {row['mean']:.4g}" for _, row in data.iterrows())
    return themed(chart, f"{title}. {subtitle}. {'; '.join(figures)}")
