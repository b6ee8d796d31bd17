"""Charts of messages: what became of them, depths, times, dead letters, and chances of a trigger message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from ...engine.words.errors import LabError
from ...views.charts.axes import WIDTH, layered
from ...views.text import plural, thousands
from ...views.theme import LIGHT, OKABE_ITO
from ..questions.stays import FATES, LEFT, MOVED
from ..questions.triggers import FIRED, NOT_ASKED, PREVENTED
from . import shared

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NAMED = ("blue", "vermillion", "#6a3d9a", "black", "yellow", "purple", "orange", "#8c510a", "green", "sky")
FATE_COLOURS = dict(
    zip(
        [name for name in FATES if name != MOVED],
        [*(OKABE_ITO.get(name, name) for name in _NAMED), "#8d98a5", "#c9d1d9"],
        strict=True,
    )
)
DARK_FATES = ("got", "discarded", "lost", "rejected", "dead-lettered", "browsed")


def fate_chart(summary: pd.DataFrame | DataFrame, most: int = 30) -> alt.LayerChart:
    """The messages that no program got, by queue and fate; beside the name of each queue is the number of all messages.

    `summary` holds the rows of `fate_summary`; those that moved on are left out, so that each message counts once. The
    `most` queues with most messages that no program got are shown. LabError if columns are missing.
    """
    summary = shared.require(summary, ("object", "fate", "messages"), "fate_summary", most, fate=FATES)
    data = summary[summary["fate"] != MOVED].groupby(["object", "fate"], as_index=False)["messages"].sum()
    data = data.assign(place=data["fate"].map(FATES.index)).sort_values(["object", "place"])
    rest = data[data["fate"] != "got"]
    rest = rest.assign(middle=rest.groupby("object")["messages"].cumsum() - rest["messages"] / 2)
    total = data.groupby("object")["messages"].sum().to_frame("messages")
    total = total.assign(rest=rest.groupby("object")["messages"].sum()).fillna(0).reset_index()
    total = total.sort_values(["rest", "messages"], ascending=False).head(most)
    total = total.assign(label=[f"{row.object} ({thousands(int(row.messages))})" for row in total.itertuples()])
    rest = rest.merge(total[["object", "label"]], on="object")
    chart = layered(*_rest_bars(rest, total, shared.labels(total["label"], 300)))
    title = _fate_title(data)
    if more := data["object"].nunique() - len(total):
        title.subtitle += shared.left_out(more, "queue")
    shown = (f"{row.object}: {row.messages} {row.fate}" for row in rest.itertuples())
    return shared.finished(chart, title, shown, width=WIDTH - 200, height=alt.Step(22))


def _rest_bars(rest: pd.DataFrame, total: pd.DataFrame, y: alt.Y) -> list[alt.Chart]:
    """The fates other than got, stacked; a count in each segment that has room, and the sum behind the bar."""
    used = {name: colour for name, colour in FATE_COLOURS.items() if name in set(rest["fate"])}
    colour = alt.Color("fate:N", title="not got, but", scale=alt.Scale(domain=list(used), range=list(used.values())))
    x = alt.X("messages:Q", title="messages not got", stack="zero", axis=shared.WHOLE)
    look = {"y": y, "color": colour, "order": "place:Q", "tooltip": shared.counted(object="Queue", fate="Fate")}
    room = 0.06 * total["rest"].max()
    shown = rest[rest["messages"] >= room].assign(count=lambda data: data["messages"].map(thousands))
    inside = alt.Chart(shown).mark_text(fontSize=11, fontWeight=600)
    dark = alt.FieldOneOfPredicate("fate", list(DARK_FATES))
    ink = alt.condition(dark, alt.value("white"), alt.value(LIGHT.ink))
    numbers = inside.encode(y=y, x="middle:Q", text=alt.Text("count:N"), color=ink)
    crowded = set(rest[rest["messages"] < room]["object"])
    drawn = alt.Chart(rest).mark_bar(height=15).encode(x=x, **look)
    every = alt.Chart(total).mark_bar(opacity=0).encode(y=y, x="rest:Q", tooltip=shared.counted(object="Queue"))
    return [drawn, numbers, shared.behind(total[total["object"].isin(crowded)], y, "rest"), every]


def _fate_title(data: pd.DataFrame) -> alt.TitleParams:
    total, by_fate = int(data["messages"].sum()), data.groupby("fate")["messages"].sum()
    got, discards = int(by_fate.get("got", 0)), data[data["fate"] == "discarded"]
    if not total:
        return alt.TitleParams(shared.NOT_YET)
    discarded = thousands(int(by_fate.get("discarded", 0)))
    text = f"{100 * got / total:.1f} % of {thousands(total)} messages were retrieved, {discarded} discarded"
    subtitle = "Beside a queue: its messages. A bar: those that no program got"
    if len(discards):
        worst = discards.loc[discards["messages"].idxmax()]
        subtitle = f"Most discarded on {worst['object']}: {thousands(int(worst['messages']))}. {subtitle}"
    return alt.TitleParams(text, subtitle=subtitle)


LIVE, HELD, EXPIRED = "live", "not committed", "expired, still counted"
STEP = "step-after"  # a depth stays until the next one that is known
DEPTH_COLOURS = {LIVE: LIGHT.live, HELD: LIGHT.uncommitted, EXPIRED: LIGHT.expired}


def depth_chart(
    depths: pd.DataFrame | DataFrame,
    queue: str,
    start: str = shared.START,
    maxdepth: int | None = None,
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """Depth of one queue over time: live messages, above them those not committed, and on top the expired ones.

    `depths` holds the rows of `depth`; `start` is the lab's start (UTC); `maxdepth` draws that limit; `between`, two
    times such as "2025-01-06T17:30", shows a part. `queue` is such as "ORDERS@QM1" if several queue managers have it.
    LabError if there is no row of that queue.
    """
    depths = shared.require(depths, ("object", "time_us", "depth", "expired", "uncommitted", "live"), "depth")
    data = depths[(depths["object"] + "@").str.startswith(f"{queue}@")].sort_values("time_us")
    if data["object"].nunique() != 1:
        names = sorted((depths if data.empty else data)["object"].unique())
        raise LabError(f"queue must be one of {', '.join(names) or 'none'}; got {queue!r}")
    data = shared.part(data.assign(time=shared.clock(data["time_us"], start)), "time", between)
    data = data.assign(settled=data["live"] + data["uncommitted"], bottom=0)
    layers_of = ((LIVE, "bottom", "live"), (HELD, "live", "settled"), (EXPIRED, "settled", "depth"))
    shown = [each for each in layers_of if each[0] != HELD or data["uncommitted"].any()]
    names = [name for name, *_ in shown]
    axis = alt.Axis(format=shared.form(data["time"]), tickCount=12, labelOverlap=True)
    time = alt.X("time:T", title="time of day (UTC)", axis=axis)
    colour = shared.coloured("part", {name: DEPTH_COLOURS[name] for name in names})
    y = alt.Y("low:Q", title="messages on the queue", axis=shared.WHOLE)
    layers: list[alt.Chart] = []
    for name, low, high in shown:
        drawn = shared.thinned(data, "time_us", (low, high)).assign(part=name)[["time", "part", low, high]]
        area = alt.Chart(drawn.rename(columns={low: "low", high: "high"})).mark_area(opacity=0.75, interpolate=STEP)
        layers.append(area.encode(x=time, y=y, y2="high:Q", color=colour))
    for name, below, dash in ((HELD, "live", [1, 2]), (EXPIRED, "settled", [3, 3])):
        if name in names:
            edge = alt.Chart(shared.thinned(data, "time_us", (below,))[["time", below]])
            edge = edge.mark_line(color=LIGHT.ink, strokeWidth=1, strokeDash=dash, interpolate=STEP)
            layers.append(edge.encode(x=time, y=f"{below}:Q"))
    parts_of = shared.tips(depth="Depth", live="Live", uncommitted="Not committed", expired="Expired, still counted")
    top = alt.Chart(shared.thinned(data, "time_us", ("depth",))[["time", "depth", "live", "uncommitted", "expired"]])
    top = top.mark_line(color=LIGHT.ink, strokeWidth=1.2, interpolate=STEP)
    moment = alt.Tooltip("time:T", title="Time", format=f"{shared.form(data['time'])}:%S")
    layers.append(top.encode(x=time, y="depth:Q", tooltip=[moment, *parts_of]))
    if maxdepth is not None:
        limit = alt.Chart(pd.DataFrame({"limit": [maxdepth], "text": [f"MAXDEPTH {maxdepth}"]}))
        label = limit.mark_text(color=LIGHT.alarm, align="left", dy=-7, dx=4, x=0)
        rule = limit.mark_rule(color=LIGHT.alarm, strokeDash=[6, 3])
        layers += [rule.encode(y="limit:Q"), label.encode(y="limit:Q", text="text:N")]
    title = _depth_title(data, queue, maxdepth)
    return shared.finished(layered(*layers), title, [title.subtitle], width=WIDTH, height=230)


def _depth_title(data: pd.DataFrame, queue: str, maxdepth: int | None) -> alt.TitleParams:
    if data.empty:
        return alt.TitleParams(shared.NOT_YET, subtitle=queue)
    worst, most = data.loc[data["depth"].idxmax()], data.loc[data["expired"].idxmax()]
    when = shared.form(data["time"])
    text = f"{queue}: at most {plural(int(worst['depth']), 'message')}, {worst['time']:{when}}"
    full = data[data["depth"] >= maxdepth] if maxdepth is not None else data.iloc[:0]
    if len(full):
        first, last = full["time"].iloc[[0, -1]]
        always = len(full) == data["time"].between(first, last).sum()
        text = f"{queue} was full {'' if always else 'at times '}from {first:{when}} to {last:{when}}"
    subtitle = "Nothing on it had expired at the end of any interval"
    if most["expired"]:
        expired = f"{thousands(int(most['expired']))} of its {thousands(int(most['depth']))} messages had expired"
        subtitle = f"At {most['time']:{when}}, {expired}: nobody could get them, and they counted"
    return alt.TitleParams(text, subtitle=subtitle)


# by column: its words, its color, and its shape; a bar for the longest, which a mark at the same place does not hide
PERCENTILES = {
    "p50_us": ("half", LIGHT.ink, "M-0.25,-1.1h0.5v2.2h-0.5Z"),
    "p95_us": ("95 in 100", LIGHT.live, "circle"),
    "p99_us": ("99 in 100", LIGHT.expired, "diamond"),
    "longest_us": ("the longest", LIGHT.structure, "M-0.12,-1.3h0.24v2.6h-0.24Z"),
}
TICKS_US = [10**3, 10**4, 10**5, 10**6, 10**7, 60 * 10**6, 600 * 10**6, 3600 * 10**6, 36_000 * 10**6]
LEAST_US = 1000  # a logarithmic axis has no zero


def queue_time_chart(times: pd.DataFrame | DataFrame, fate: str = "got", most: int = 20) -> alt.LayerChart:
    """How long messages were on each queue before they ended as `fate` says: half, 95 and 99 in 100, and the longest.

    `times` holds the rows of `time_on_queue`; the `most` queues with the longest 95 in 100 are shown.
    """
    times = shared.require(times, ("object", "fate", "messages", *PERCENTILES), "time_on_queue", most)
    if fate not in (*FATES, LEFT):
        raise LabError(f"fate must be one of {', '.join((*FATES, LEFT))}; got {fate!r}")
    data = times[times["fate"] == fate].rename(columns={"object": "label"})
    text = f"{{label}}: 5 in 100 messages {fate} had been on it {{time}} or more"
    return _ranges(data, most, text, "Time from the arrival on a queue to its end there")


def route_chart(latencies: pd.DataFrame | DataFrame, most: int = 20) -> alt.LayerChart:
    """How long messages took from the first put to the last get, by the queues they went through.

    `latencies` holds the rows of `latency_by_route`; the `most` slowest routes with a retrieved message are shown.
    """
    latencies = shared.require(latencies, ("route", "messages", "got", *PERCENTILES), "latency_by_route", most)
    data = latencies[latencies["got"] > 0]
    data = data.assign(label=data["route"], messages=data["got"])
    subtitle = "Time from the first put to the last get, by the queues on the way"
    return _ranges(data, most, "The slowest way: 5 in 100 took {time} or more", subtitle, "Route")


def _ranges(data: pd.DataFrame, most: int, text: str, subtitle: str, what: str = "Queue") -> alt.LayerChart:
    # `text` is the title, with places for the label and the time of the slowest
    data = data.dropna(subset=[*PERCENTILES]).sort_values(["p95_us", "label"], ascending=[False, True]).head(most)
    if len(data):
        text = text.format(label=data["label"].iloc[0], time=shared.long(data["p95_us"].iloc[0]))
    title = shared.heading(text if len(data) else shared.NOT_YET, subtitle)
    y, columns = shared.labels(data["label"], 430, labelPadding=12), list(PERCENTILES)
    axis = alt.Axis(labelExpr=shared.LONG, values=TICKS_US, labelOverlap=True, grid=True)
    few = (data[columns] < LEAST_US).any(axis=None)
    least = f"; less than {shared.long(LEAST_US)} is drawn as {shared.long(LEAST_US)}" if few else ""
    x = {"scale": alt.Scale(type="log", nice=False), "title": f"time, on a logarithmic axis{least}", "axis": axis}
    drawn = data.assign(**{name: data[name].clip(lower=LEAST_US) for name in columns})
    marks, exact = (each.melt(["label", "messages"], columns, "part", "value") for each in (drawn, data))
    marks = marks.assign(part=[PERCENTILES[name][0] for name in marks["part"]], time=exact["value"].map(shared.long))
    names = [name for name, *_ in PERCENTILES.values()]
    shapes = alt.Scale(domain=names, range=[shape for *_, shape in PERCENTILES.values()])
    points = alt.Chart(marks).mark_point(filled=True, size=75, opacity=1)
    points = points.encode(
        x=alt.X("value:Q", **x),
        y=y,
        shape=alt.Shape("part:N", title=None, scale=shapes, sort=names),
        color=shared.coloured("part", {name: colour for name, colour, _ in PERCENTILES.values()}),
        tooltip=shared.counted(label=what, part="Share", time="Time at most"),
    )
    lines = alt.Chart(drawn).mark_rule(color=LIGHT.edge, strokeWidth=3)
    chart = layered(lines.encode(y=y, x=alt.X("p50_us:Q", **x), x2="longest_us:Q"), points)
    shown = (
        f"{row.label}: {row.messages} messages, half {shared.long(row.p50_us)}, 95 in 100 {shared.long(row.p95_us)}, "
        f"longest {shared.long(row.longest_us)}"
        for row in data.itertuples()
    )
    return shared.finished(chart, title, shown, width=WIDTH - 260, height=alt.Step(21))


OUTCOMES = {FIRED: LIGHT.gets, PREVENTED: LIGHT.expired, NOT_ASKED: LIGHT.structure}


def dead_letter_chart(reasons: pd.DataFrame | DataFrame, most: int = 15) -> alt.LayerChart:
    """Dead-lettered messages by reason and by where they were going, from the `most` frequent rows of
    `dead_letter_reasons`."""
    columns = ("qmgr", "object", "program", "wanted", "reason", "name", "messages")
    reasons = shared.require(reasons, columns, "dead_letter_reasons", most)
    data = reasons.sort_values(["messages", "qmgr", "object"], ascending=[False, True, True])
    code = data["reason"].astype("Int64").astype("string").fillna("")
    data = data.assign(
        why=(code + " " + data["name"]).str.strip(),
        label=data["wanted"].fillna("?") + ", by " + data["program"].fillna("a program"),
        place=data["object"] + "@" + data["qmgr"],
    )
    data = data.assign(line=data["why"] + " | " + data["label"] + " | to " + data["place"])
    few = data.head(most)
    y = shared.labels(few["line"], 520, "line")
    words = shared.tips(place="Dead-letter queue", why="Reason", label="Destination")
    drawn = shared.bars(few, y, "messages", "messages dead-lettered", words).encode(color=alt.value(LIGHT.expired))
    chart = layered(drawn, shared.behind(few, y, "messages"))
    text = "Nothing was dead-lettered"
    if len(data):
        by = data.groupby("why")["messages"].sum().sort_values(ascending=False)
        largest, whole = thousands(int(by.iloc[0])), thousands(int(data["messages"].sum()))
        text = f"{largest} of {whole} messages were dead-lettered for {by.index[0]}"
    said = "The reason, where it was going, and the program that could not put it there"
    title = shared.heading(text, said + shared.left_out(len(data) - len(few), "line"))
    shown = (f"{row.line}: {row.messages}" for row in few.itertuples())
    return shared.finished(chart, title, shown, width=WIDTH - 420, height=alt.Step(22))


def trigger_chart(summary: pd.DataFrame | DataFrame) -> alt.LayerChart:
    """How many times each rule fired or stopped a trigger event, a bar for each rule, from the rows of
    `trigger_summary`, of all queues or of one."""
    columns = ("object", "outcome", "rule", "title", "times")
    summary = shared.require(summary, columns, "trigger_summary", outcome=[*OUTCOMES])
    data = summary.groupby(["outcome", "rule", "title"], as_index=False)["times"].sum()
    data = data.assign(
        place=data["outcome"].map(list(OUTCOMES).index),
        label=[
            f"{row.outcome}: {row.title if row.outcome == FIRED else f'not “{row.title}”'} ({row.rule})"
            for row in data.itertuples()
        ],
    ).sort_values(["place", "times", "rule"], ascending=[True, False, True])
    y, title = shared.labels(data["label"], 420), "chances of a trigger message"
    words = shared.tips(outcome="Outcome", rule="Rule", title="Condition")
    drawn = shared.bars(data, y, "times", title, words, color=shared.coloured("outcome", OUTCOMES))
    shown = (f"{row.label}: {row.times}" for row in data.itertuples())
    times, stopped = data.groupby("outcome")["times"].sum(), data[data["outcome"] == PREVENTED]
    taken, prevented = (int(times.get(outcome, 0)) for outcome in (FIRED, PREVENTED))
    chances = f"{thousands(taken)} of {thousands(int(times.sum()))} chances of a trigger message"
    text = f"{chances} were taken, {thousands(prevented)} prevented"
    said = "No condition prevented a trigger"
    if len(stopped):
        said = f"Most often not met: “{stopped.iloc[0]['title']}” ({stopped.iloc[0]['rule']})"
    heard = shared.heading(text, said) if len(data) else shared.heading("Nothing could have triggered")
    return shared.finished(
        layered(drawn, shared.behind(data, y, "times")), heard, shown, width=WIDTH - 330, height=alt.Step(22)
    )
