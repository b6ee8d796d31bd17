"""Charts of messages: what became of them, how deep queues were, and how long messages took."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.mq.errors import LabError
from mqlab.pipeline.charts.shared import LONG, NOT_YET, START, clock, heading, listed, long, part, require
from mqlab.pipeline.questions.stays import FATES, MOVED
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["depth_chart", "fate_chart", "queue_time_chart", "route_chart"]

FATE_COLOURS = dict(
    zip(
        [name for name in FATES if name != MOVED],
        (
            OKABE_ITO["blue"],
            OKABE_ITO["vermillion"],
            "#6a3d9a",
            OKABE_ITO["black"],
            OKABE_ITO["yellow"],
            OKABE_ITO["purple"],
            OKABE_ITO["orange"],
            "#8c510a",
            OKABE_ITO["green"],
            OKABE_ITO["sky"],
            "#8d98a5",
            "#c9d1d9",
        ),
        strict=True,
    )
)
DARK_FATES = ("got", "discarded", "lost", "rejected", "dead-lettered", "browsed")


def fate_chart(summary: pd.DataFrame) -> alt.HConcatChart:
    """Bars of every queue's messages, and beside them, larger, those that were not got, by fate.

    `summary` holds the rows of `fate_summary`: object, fate, messages; those that moved on are left out, so that each
    message is counted once, where it came to. The title tells the share that was got and where
    most were discarded. LabError if columns are missing.
    """
    require(summary, ("object", "fate", "messages"), "fate_summary")
    data = summary[summary["fate"] != MOVED].groupby(["object", "fate"], as_index=False)["messages"].sum()
    data = data.assign(place=data["fate"].map({name: place for place, name in enumerate(FATES)}))
    data = data.sort_values(["object", "place"])
    rest = data[data["fate"] != "got"]
    rest = rest.assign(middle=rest.groupby("object")["messages"].cumsum() - rest["messages"] / 2)
    total = data.groupby("object")["messages"].sum().to_frame("messages")
    total = total.assign(rest=rest.groupby("object")["messages"].sum()).fillna(0).reset_index()
    order = list(total.sort_values(["rest", "messages"], ascending=False)["object"])
    height = 22 * len(order)
    title = _fate_title(data)
    bars = alt.hconcat(
        _all_bars(total, order).properties(width=170, height=height),
        _rest_bars(rest, total, order).properties(width=WIDTH - 330, height=height),
        spacing=14,
    ).properties(title=title)
    return themed(
        bars, f"{title.text}. " + listed(f"{row.object}: {row.messages} {row.fate}" for row in rest.itertuples())
    )


def _queues(order: list[str], labels: bool) -> alt.Y:
    axis = alt.Axis(labelLimit=260) if labels else alt.Axis(labels=False, ticks=False, domain=False)
    return alt.Y("object:N", scale=alt.Scale(domain=order), title=None, axis=axis)


def _all_bars(total: pd.DataFrame, order: list[str]) -> alt.Chart:
    return (
        alt.Chart(total)
        .mark_bar(color=LIGHT.structure, height=9)
        .encode(
            y=_queues(order, True),
            x=alt.X("messages:Q", title="messages", axis=alt.Axis(tickCount=4)),
            tooltip=["object:N", alt.Tooltip("messages:Q", format=",")],
        )
    )


def _rest_bars(rest: pd.DataFrame, total: pd.DataFrame, order: list[str]) -> alt.LayerChart:
    """The fates other than got, stacked; a count in each segment that has room, and the sum behind the bar."""
    used, y = [name for name in FATES if name in set(rest["fate"])], _queues(order, False)
    colour = alt.Color(
        "fate:N", title="not got, but", scale=alt.Scale(domain=used, range=[FATE_COLOURS[name] for name in used])
    )
    bars = (
        alt.Chart(rest)
        .mark_bar(height=15)
        .encode(
            y=y,
            x=alt.X("messages:Q", title="messages not got", stack="zero"),
            color=colour,
            order="place:Q",
            tooltip=["object:N", "fate:N", alt.Tooltip("messages:Q", format=",")],
        )
    )
    room = 0.06 * total["rest"].max()
    inside = (
        alt.Chart(rest[rest["messages"] >= room])
        .mark_text(fontSize=11, fontWeight=600)
        .encode(
            y=y,
            x="middle:Q",
            text=alt.Text("messages:Q", format=","),
            color=alt.condition(
                alt.FieldOneOfPredicate("fate", list(DARK_FATES)), alt.value("white"), alt.value(LIGHT.ink)
            ),
        )
    )
    crowded = set(rest[rest["messages"] < room]["object"])
    behind = (
        alt.Chart(total[total["object"].isin(crowded)])
        .mark_text(align="left", dx=4, color=LIGHT.muted)
        .encode(y=y, x="rest:Q", text=alt.Text("rest:Q", format=","))
    )
    return bars + inside + behind


def _fate_title(data: pd.DataFrame) -> alt.TitleParams:
    total, by_fate = int(data["messages"].sum()), data.groupby("fate")["messages"].sum()
    got, discards = int(by_fate.get("got", 0)), data[data["fate"] == "discarded"]
    if not total:
        return alt.TitleParams(NOT_YET)
    text = f"{100 * got / total:.1f} % of {total:,} messages were got, {int(by_fate.get('discarded', 0)):,} discarded"
    subtitle = "Left: every message that came to a queue. Right: those that nobody got"
    if len(discards):
        worst = discards.loc[discards["messages"].idxmax()]
        subtitle = f"Most discarded on {worst['object']}: {int(worst['messages']):,}. {subtitle}"
    return alt.TitleParams(text, subtitle=subtitle)


LIVE, HELD, EXPIRED = "live", "not committed", "expired, still counted"
DEPTH_COLOURS = {LIVE: LIGHT.live, HELD: LIGHT.uncommitted, EXPIRED: LIGHT.expired}


def depth_chart(
    depths: pd.DataFrame,
    queue: str,
    start: str = START,
    maxdepth: int | None = None,
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """Depth of one queue over time: live messages, above them those not committed, and on top the expired ones.

    `depths` holds rows of `depth`; `start` is the lab's start (UTC); `maxdepth` draws that limit; `between`, two times
    such as "2025-01-06T17:30", shows a part. The title tells the greatest depth and how much of it had expired.
    LabError if the frame has no row of that queue.
    """
    require(depths, ("object", "time_us", "depth", "expired", "uncommitted", "live"), "depth")
    data = depths[depths["object"] == queue].sort_values("time_us")
    if data.empty:
        raise LabError(f"queue wanted: one of {', '.join(sorted(depths['object'].unique())) or 'none'}; got {queue!r}")
    data = part(data.assign(time=clock(data["time_us"], start)), "time", between)
    data = data.assign(settled=data["live"] + data["uncommitted"])
    layers_of = ((LIVE, 0, "live"), (HELD, "live", "settled"), (EXPIRED, "settled", "depth"))
    shown = [each for each in layers_of if each[0] != HELD or data["uncommitted"].any()]
    parts = pd.concat(
        data.assign(part=name, low=data[low] if low else 0, high=data[high])[["time", "part", "low", "high"]]
        for name, low, high in shown
    )
    names = [name for name, *_ in shown]
    time = alt.X("time:T", title="time of day (UTC)", axis=alt.Axis(format="%H:%M", tickCount=12))
    colour = alt.Color(
        "part:N", title=None, scale=alt.Scale(domain=names, range=[DEPTH_COLOURS[name] for name in names])
    )
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
            tooltip=[alt.Tooltip("time:T", format="%H:%M:%S"), "depth:Q", "live:Q", "uncommitted:Q", "expired:Q"],
        )
    )
    edges = [
        alt.Chart(data).mark_line(color=LIGHT.ink, strokeWidth=1, strokeDash=dash).encode(x=time, y=f"{below}:Q")
        for name, below, dash in ((HELD, "live", [1, 2]), (EXPIRED, "settled", [3, 3]))
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
    worst, most = data.loc[data["depth"].idxmax()], data.loc[data["expired"].idxmax()]
    text = f"{queue}: at most {int(worst['depth']):,} messages, {worst['time']:%H:%M}"
    full = data[data["depth"] >= maxdepth] if maxdepth is not None else data.iloc[:0]
    if len(full):
        text = f"{queue} was full from {full['time'].iloc[0]:%H:%M} to {full['time'].iloc[-1]:%H:%M}"
    if not most["expired"]:
        return alt.TitleParams(text, subtitle="Nothing on it had expired at the end of any interval")
    return alt.TitleParams(
        text,
        subtitle=(
            f"At {most['time']:%H:%M}, {int(most['expired']):,} of its {int(most['depth']):,} messages had expired: "
            "nobody could get them, and they counted"
        ),
    )


PARTS = ("p50_us", "p95_us", "p99_us", "longest_us")
NAMES = ("half", "95 in 100", "99 in 100", "the longest")
# a bar for the longest, which a mark at the same place does not hide
SHAPES = ("M-0.25,-1.1h0.5v2.2h-0.5Z", "circle", "diamond", "M-0.12,-1.3h0.24v2.6h-0.24Z")
COLOURS = (LIGHT.ink, LIGHT.live, LIGHT.expired, LIGHT.structure)
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
