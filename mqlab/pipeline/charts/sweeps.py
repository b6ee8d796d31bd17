"""The chart of a sweep: means with their confidence intervals along one parameter."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from ...engine.words.arguments import checked
from ...engine.words.errors import LabError
from ...views.charts.axes import WIDTH, layered
from ...views.text import plural
from ...views.theme import LIGHT, OKABE_ITO
from ..workloads import MEASURES
from .shared import finished, thinned, tips

if TYPE_CHECKING:
    from ..workloads import Parameter

COLOURS = tuple(OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "orange", "sky", "black"))
FAR = 100  # times the least gap between two values: a wider scale would hide the least
TICKS, ROWS = 60, 4800
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")


@checked
def sweep_chart(sweep: Any, measure: str, x: str | None = None, colour: str | None = None) -> alt.LayerChart:
    """Mean and confidence interval of a Sweep's `measure` along the parameter `x` (the first of the grid), with a line
    for each value of `colour` (the second). LabError for unknown names, more lines than marks, and more parameters."""
    if not hasattr(sweep, "summary"):
        raise LabError(f"sweep must be the result of mqlab.pipeline.sweep.sweep; got {sweep!r:.200}")
    _require("measure", measure, sweep.measures)
    varied = [name for name in sweep.parameters if sweep.summary[name].nunique() > 1]
    x = x or (varied or sweep.parameters or [None])[0]
    _require("x", x, sweep.parameters)
    colour = colour or next((name for name in varied if name != x), None)
    if colour is not None:
        _require("colour", colour, sweep.parameters)
    more = [name for name in varied if name not in (x, colour)]
    if more:
        raise LabError(f"a chart needs a sweep of one or two parameters; {', '.join(more)} varies too: sweep fewer")
    data = sweep.summary[sweep.summary["measure"] == measure].assign(line="")
    if colour is not None:
        data = data.assign(line=[f"{colour} {value}" for value in data[colour]])
    data = data.assign(low=data["mean"] - data["half_width"], high=data["mean"] + data["half_width"])
    if (pd.Series(sweep.table[measure].drop_null().to_pylist(), dtype=float) >= 0).all():
        data["low"] = data["low"].clip(lower=0)  # a count has no values below 0, although its interval has
    lines = list(dict.fromkeys(data["line"]))
    if len(lines) > len(SHAPES):
        raise LabError(f"{colour} must have at most {len(SHAPES)} values, one for each line; got {len(lines)}")
    return _draw(sweep, data, measure, x, lines)


def _require(what: str, name: str | None, there: list[str]) -> None:
    if name not in there:
        raise LabError(f"{what} must be one of {', '.join(there) or 'none'}; got {name!r}")


def _draw(sweep: Any, data: pd.DataFrame, measure: str, x: str, lines: list[str]) -> alt.LayerChart:
    number = not isinstance(sweep.workload.parameters[x].default, bool | str)
    pixels = min(WIDTH, ROWS // (6 * len(lines)))
    ranked = data.assign(rank=data[x].rank(method="dense") if number else data[x].map(list(data[x].unique()).index))
    lots = (thinned(lot, "rank", ("low", "high"), pixels) for _, lot in ranked.groupby("line", sort=False))
    drawn = pd.concat(lots).drop(columns="rank")
    place = {"x": _across(sweep.workload.parameters[x], set(drawn[x]) if number else None)}
    if not number and len(lines) > 1:
        place["xOffset"] = alt.XOffset("line:N", scale=alt.Scale(domain=lines))
    legend = alt.Legend() if len(lines) > 1 else None
    tones = alt.Color("line:N", title=None, legend=legend, scale=alt.Scale(domain=lines, range=list(COLOURS)))
    marks = alt.Shape("line:N", title=None, legend=legend, scale=alt.Scale(domain=lines, range=list(SHAPES)))
    line = {"line": "Line"} if len(lines) > 1 else {}
    words = tips(**{x: x}, **line, mean="Mean", half_width="Half of the interval", n="Seeds", failed="Failed labs")
    mean = alt.Y("mean:Q", title=measure)
    base = alt.Chart(drawn).encode(**place, color=tones)
    linear = place["x"]["shorthand"].endswith(":Q")  # a line between values that are not to scale would tell a slope
    layers = [base.mark_line(strokeWidth=1.2).encode(y=mean)] if linear else []
    layers += [
        base.mark_rule(strokeWidth=1.8).encode(y=alt.Y("low:Q", title=measure), y2="high:Q"),
        base.mark_point(filled=True, size=60, opacity=1).encode(y=mean, shape=marks, tooltip=words),
    ]
    text, subtitle = _title(sweep, data, measure)
    title = alt.TitleParams(text, subtitle=subtitle, color=LIGHT.ink)
    means = data["mean"].map("{:.4g}".format).where(data["mean"].notna(), "no value")
    figures = (f"{row[x]} {row['line']}".strip() + f": {means[at]}" for at, row in data.iterrows())
    shown = [f"{subtitle}. {next(figures, '')}", *figures]
    return finished(layered(*layers), title, shown, width=WIDTH - 160, height=230)


def _across(parameter: Parameter, numbers: set | None) -> alt.X:
    """The x axis, marked at the values that were tried (None: words); values far apart are evenly spaced."""
    title = f"{parameter.name}: {parameter.about}" + (f" ({parameter.unit})" if parameter.unit else "")
    if numbers is None:
        return alt.X(f"{parameter.name}:N", title=title, axis=alt.Axis(labelAngle=0))
    unlimited = {-1} & numbers if parameter.low == -1 else set()
    rising = sorted(numbers - unlimited)
    gaps = [after - before for before, after in pairwise(rising)]
    if (unlimited and rising) or (gaps and max(gaps) > FAR * min(gaps)):
        order = [*rising, *unlimited]
        axis = alt.Axis(labelAngle=0, labelOverlap=True, ticks=len(order) <= TICKS)
        return alt.X(f"{parameter.name}:O", title=f"{title}; not to scale", sort=order, axis=axis)
    few = {"values": rising} if len(rising) <= TICKS else {}
    axis = alt.Axis(**few, labelExpr="datum.value", labelOverlap=True)
    return alt.X(f"{parameter.name}:Q", title=title, axis=axis, scale=alt.Scale(zero=False, nice=False, padding=18))


def _title(sweep: Any, data: pd.DataFrame, measure: str) -> tuple[str, str]:
    few, many, failed = data["n"].min(), data["n"].max(), int(data["failed"].sum())
    seeds = plural(many, "seed") if few == many else f"{few} to {many} seeds"
    said = f"{sweep.workload.name}: mean and {sweep.confidence * 100:g} % confidence interval, {seeds}"
    about = f"{measure}: {MEASURES[measure]}" if measure in MEASURES else measure
    return about, said + (f"; {plural(failed, 'lab')} failed" if failed else "")
