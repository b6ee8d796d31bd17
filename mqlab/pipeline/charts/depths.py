"""The depth of one queue over time."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.mq.errors import LabError
from mqlab.pipeline.charts.shared import NOT_YET, START, clock, part, require
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT

__all__ = ["depth_chart"]

LIVE, HELD, LAPSED = "live", "not committed", "lapsed, still counted"
COLOURS = {LIVE: LIGHT.live, HELD: LIGHT.uncommitted, LAPSED: LIGHT.lapsed}


def depth_chart(
    depths: pd.DataFrame,
    queue: str,
    start: str = START,
    maxdepth: int | None = None,
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """Depth of one queue over time: live messages, above them those not committed, and on top the lapsed ones.

    `depths` holds rows of `depth`; `start` is the lab's start (UTC); `maxdepth` draws that limit; `between`, two times
    such as "2025-01-06T17:30", shows a part. The title tells the greatest depth and how much of it had lapsed. LabError
    if the frame has no row of that queue.
    """
    require(depths, ("object", "time_us", "depth", "lapsed", "uncommitted", "live"), "depth")
    data = depths[depths["object"] == queue].sort_values("time_us")
    if data.empty:
        raise LabError(f"queue wanted: one of {', '.join(sorted(depths['object'].unique())) or 'none'}; got {queue!r}")
    data = part(data.assign(time=clock(data["time_us"], start)), "time", between)
    data = data.assign(settled=data["live"] + data["uncommitted"])
    layers_of = ((LIVE, 0, "live"), (HELD, "live", "settled"), (LAPSED, "settled", "depth"))
    shown = [each for each in layers_of if each[0] != HELD or data["uncommitted"].any()]
    parts = pd.concat(
        data.assign(part=name, low=data[low] if low else 0, high=data[high])[["time", "part", "low", "high"]]
        for name, low, high in shown
    )
    names = [name for name, *_ in shown]
    time = alt.X("time:T", title="time of day (UTC)", axis=alt.Axis(format="%H:%M", tickCount=12))
    colour = alt.Color("part:N", title=None, scale=alt.Scale(domain=names, range=[COLOURS[name] for name in names]))
    areas = (
        alt.Chart(parts)
        .mark_area(opacity=0.75)
        .encode(x=time, y=alt.Y("low:Q", title="messages on the queue"), y2="high:Q", color=colour)
    )
    top = (
        alt.Chart(data)
        .mark_line(color=LIGHT.ink, strokeWidth=1.2)
        .encode(
            x=time,
            y="depth:Q",
            tooltip=[alt.Tooltip("time:T", format="%H:%M:%S"), "depth:Q", "live:Q", "uncommitted:Q", "lapsed:Q"],
        )
    )
    edges = [
        alt.Chart(data).mark_line(color=LIGHT.ink, strokeWidth=1, strokeDash=dash).encode(x=time, y=f"{below}:Q")
        for name, below, dash in ((HELD, "live", [1, 2]), (LAPSED, "settled", [3, 3]))
        if name in names
    ]
    layers = [areas, *edges, top]
    if maxdepth is not None:
        limit = alt.Chart(pd.DataFrame({"limit": [maxdepth], "text": [f"MAXDEPTH {maxdepth:,}"]}))
        label = limit.mark_text(color=LIGHT.alarm, align="left", dy=-7, dx=4, x=0)
        layers += [
            limit.mark_rule(color=LIGHT.alarm, strokeDash=[6, 3]).encode(y="limit:Q"),
            label.encode(y="limit:Q", text="text:N"),
        ]
    title = _depth_title(data, queue, maxdepth)
    return themed(
        alt.layer(*layers).properties(width=WIDTH, height=230, title=title), f"{title.text}. {title.subtitle}"
    )


def _depth_title(data: pd.DataFrame, queue: str, maxdepth: int | None) -> alt.TitleParams:
    if data.empty:
        return alt.TitleParams(NOT_YET, subtitle=queue)
    worst, most = data.loc[data["depth"].idxmax()], data.loc[data["lapsed"].idxmax()]
    text = f"{queue}: at most {int(worst['depth']):,} messages, {worst['time']:%H:%M}"
    full = data[data["depth"] >= maxdepth] if maxdepth is not None else data.iloc[:0]
    if len(full):
        text = f"{queue} was full from {full['time'].iloc[0]:%H:%M} to {full['time'].iloc[-1]:%H:%M}"
    if not most["lapsed"]:
        return alt.TitleParams(text, subtitle="Nothing on it had lapsed at the end of any interval")
    return alt.TitleParams(
        text,
        subtitle=(
            f"At {most['time']:%H:%M}, {int(most['lapsed']):,} of its {int(most['depth']):,} messages had lapsed: "
            "nobody could get them, and they counted"
        ),
    )
