"""Percentiles of lengths of time: how long messages were on each queue, and how long they took end to end."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import LONG, NOT_YET, heading, listed, long, require
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT

__all__ = ["queue_time_chart", "route_chart"]

PARTS = ("p50_us", "p95_us", "p99_us", "longest_us")
NAMES = ("half", "95 in 100", "99 in 100", "the longest")
# a bar for the longest, which a mark at the same place does not hide
SHAPES = ("M-0.25,-1.1h0.5v2.2h-0.5Z", "circle", "diamond", "M-0.12,-1.3h0.24v2.6h-0.24Z")
COLOURS = (LIGHT.ink, LIGHT.live, LIGHT.lapsed, LIGHT.structure)
TICKS_US = [10**3, 10**4, 10**5, 10**6, 10**7, 60 * 10**6, 600 * 10**6, 3600 * 10**6, 36_000 * 10**6]
LEAST_US = 1000  # a logarithmic axis has no zero


def queue_time_chart(times: pd.DataFrame, fate: str = "got", most: int = 20) -> alt.LayerChart:
    """How long messages were on each queue before they ended as `fate` says: half, 95 and 99 in 100, and the longest.

    `times` holds the rows of `time_on_queue`; the `most` queues with the longest 95 in 100 are shown. Times under a
    millisecond are drawn as one. The title names the queue where messages stayed longest.
    """
    require(times, ("qmgr", "object", "fate", "messages", *PARTS), "time_on_queue")
    data = times[times["fate"] == fate]
    several = data["qmgr"].nunique() > 1
    data = data.assign(label=data["object"] + ("@" + data["qmgr"] if several else ""))
    data = data.sort_values(["p95_us", "label"], ascending=[False, True]).head(most)
    text = NOT_YET
    if len(data):
        worst = data.iloc[0]
        text = f"{worst['label']}: 5 in 100 messages {fate} had been on it {long(worst['p95_us'])} or more"
    return _ranges(data, "label", heading(text, subtitle="Time from the arrival on a queue to its end there"))


def route_chart(latencies: pd.DataFrame, most: int = 20) -> alt.LayerChart:
    """How long messages took from the first put to the last get, by the queues they went through.

    `latencies` holds the rows of `latency_by_route`; the `most` slowest routes by which messages were got are shown.
    """
    require(latencies, ("route", "messages", "got", *PARTS), "latency_by_route")
    data = latencies[latencies["got"] > 0].sort_values(["p95_us", "route"], ascending=[False, True]).head(most)
    text = NOT_YET
    if len(data):
        worst = data.iloc[0]
        text = f"The slowest way: 5 in 100 took {long(worst['p95_us'])} or more"
    subtitle = "Time from the first put to the last get, by the queues on the way"
    return _ranges(data.assign(label=data["route"], messages=data["got"]), "label", heading(text, subtitle=subtitle))


def _ranges(data: pd.DataFrame, label: str, title: alt.TitleParams) -> alt.LayerChart:
    """A line from half to the longest for each row, with a mark at every percentile."""
    order = list(data[label])
    y = alt.Y(
        f"{label}:N",
        sort=None,
        scale=alt.Scale(domain=order),
        title=None,
        axis=alt.Axis(labelLimit=430, labelPadding=12),
    )
    axis = alt.Axis(labelExpr=LONG, values=TICKS_US, labelOverlap=True, grid=True)
    least = (
        f"; less than {long(LEAST_US)} is drawn as {long(LEAST_US)}"
        if (data[list(PARTS)] < LEAST_US).any(axis=None)
        else ""
    )
    x = {"scale": alt.Scale(type="log", nice=False), "title": f"time, on a logarithmic axis{least}", "axis": axis}
    drawn = data.assign(**{name: data[name].clip(lower=LEAST_US) for name in PARTS})
    marks = drawn.melt([label, "messages"], list(PARTS), "part", "value")
    told = data.melt([label, "messages"], list(PARTS), "part", "value")["value"]
    marks = marks.assign(part=marks["part"].map(dict(zip(PARTS, NAMES, strict=True))), time=told.map(long))
    scales = {"domain": list(NAMES)}
    points = (
        alt.Chart(marks)
        .mark_point(filled=True, size=75, opacity=1)
        .encode(
            x=alt.X("value:Q", **x),
            y=y,
            shape=alt.Shape("part:N", title=None, scale=alt.Scale(**scales, range=list(SHAPES)), sort=list(NAMES)),
            color=alt.Color("part:N", title=None, scale=alt.Scale(**scales, range=list(COLOURS)), sort=list(NAMES)),
            tooltip=[f"{label}:N", "part:N", "time:N", alt.Tooltip("messages:Q", format=",")],
        )
    )
    lines = (
        alt.Chart(drawn)
        .mark_rule(color=LIGHT.edge, strokeWidth=3)
        .encode(y=y, x=alt.X("p50_us:Q", **x), x2="longest_us:Q")
    )
    chart = alt.layer(lines, points).properties(width=WIDTH - 260, height=alt.Step(21), title=title)
    words = (
        f"{row.label}: {row.messages} messages, half {long(row.p50_us)}, 95 in 100 {long(row.p95_us)}, "
        f"longest {long(row.longest_us)}"
        for row in data.itertuples()
    )
    return themed(chart, f"{title.text}. " + listed(words))
