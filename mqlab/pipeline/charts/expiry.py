"""Charts of expired messages: when they expired and were discarded, and which readers were too slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from ...engine.words import arguments
from ...views.charts.axes import WIDTH, layered
from ...views.text import thousands
from ...views.theme import LIGHT, OKABE_ITO
from ..questions.expiry import AWAY, LAGS, LONGEST, NOBODY, SLOW
from . import shared

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

REST = "other queues"
MARKS = {"expired": (LIGHT.expired, "square"), "discarded": (OKABE_ITO["black"], "diamond")}
WHYS = {  # by reason: its words, its color, and the column that counts it
    SLOW: ("the reader got others meanwhile", LIGHT.live, "while_reading"),
    AWAY: ("nothing was read meanwhile", LIGHT.expired, "while_away"),
    NOBODY: ("nobody ever reads it", OKABE_ITO["black"], "why_nobody"),
}


def expiry_chart(
    counts: pd.DataFrame | DataFrame,
    every_minutes: int = 60,
    start: str = shared.START,
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """When messages expired (bars) and when they were discarded (diamonds), from the rows of `expiry_over_time` for the
    same `every_minutes`; `start` is the lab's start (UTC); `between` shows a part, as in `depth_chart`."""
    counts = shared.require(counts, ("time_us", "what", "messages"), "expiry_over_time", what=[*MARKS])
    arguments.require("every_minutes", every_minutes, int, "a whole number, 1 or more", arguments.at_least(1))
    width = pd.Timedelta(minutes=every_minutes)
    begin = shared.clock(counts["time_us"], start)
    data = shared.part(counts.assign(begin=begin, end=begin + width, middle=begin + width / 2), "begin", between)
    when, scale = shared.form(data["begin"]), alt.Undefined
    if len(data):
        scale = alt.Scale(domain=[each.isoformat() for each in (data["begin"].min(), data["end"].max())], nice=False)
    time = {
        "scale": scale,
        "title": f"time of day (UTC), {every_minutes} minutes each",
        "axis": alt.Axis(format=when, labelOverlap=True, tickCount=12),
    }
    shapes = alt.Scale(domain=list(MARKS), range=[shape for _, shape in MARKS.values()])
    look = {
        "y": alt.Y("messages:Q", title="messages", axis=shared.WHOLE),
        "color": shared.coloured("what", {name: colour for name, (colour, _) in MARKS.items()}),
        "tooltip": [alt.Tooltip("begin:T", title="From", format=when), *shared.counted(what="What happened")],
    }
    expired, discarded = (data[data["what"] == what] for what in MARKS)
    spans = alt.Chart(shared.thinned(expired, "begin", ("messages",))).mark_bar(binSpacing=1)
    marks = alt.Chart(shared.thinned(discarded, "begin", ("messages",))).mark_point(size=80, filled=True, opacity=1)
    chart = layered(
        spans.encode(x=alt.X("begin:T", **time), x2="end:T", y2=alt.datum(0), **look),
        marks.encode(x=alt.X("middle:T", **time), shape=alt.Shape("what:N", title=None, scale=shapes), **look),
    )
    title = alt.TitleParams("Nothing was discarded")
    if len(discarded):
        worst = discarded.loc[discarded["messages"].idxmax()]
        then = int(expired[expired["begin"] == worst["begin"]]["messages"].sum())
        title = alt.TitleParams(
            f"{worst['begin']:{when}} to {worst['end']:%H:%M}: {thousands(int(worst['messages']))} discarded, "
            f"{thousands(then)} expired",
            subtitle="An expired message stays until a call or a scan reaches it: only then is it discarded",
        )
    shown = (f"{row.begin:{when}} {row.what} {row.messages}" for row in data.itertuples())
    return shared.finished(chart, title, shown, width=WIDTH, height=200)


def lag_chart(lags: pd.DataFrame | DataFrame) -> alt.Chart:
    """How long messages were expired but counted before a call reached them, as bars of up to eight queues, from the
    rows of `lag_histogram`."""
    names = [name for name, _ in LAGS] + [LONGEST]
    lags = shared.require(lags, ("object", "lag", "order", "messages"), "lag_histogram", lag=names)
    colours = [OKABE_ITO[c] for c in ("vermillion", "sky", "green", "purple", "yellow", "blue", "orange", "black")]
    queues = list(lags.groupby("object")["messages"].sum().sort_values(ascending=False).index)
    if len(queues) > len(colours):
        rest = lags["object"].where(lags["object"].isin(queues[: len(colours) - 1]), REST)
        lags = lags.assign(object=rest).groupby(["object", "lag", "order"], as_index=False)["messages"].sum()
        queues = [*queues[: len(colours) - 1], REST]
    total, minute = int(lags["messages"].sum()), int(lags[lags["order"] >= 3]["messages"].sum())
    text = f"{thousands(minute)} of {thousands(total)} discarded messages had been expired for a minute or more"
    title = "time from the end of the lifetime to the discard"
    x = alt.X("lag:N", sort=names, scale=alt.Scale(domain=names), axis=alt.Axis(labelAngle=0), title=title)
    chart = alt.Chart(lags).mark_bar(stroke="white", strokeWidth=0.5)
    chart = chart.encode(
        x=x,
        y=alt.Y("messages:Q", title="messages", axis=shared.WHOLE),
        order=alt.Order("object:N"),
        color=alt.Color("object:N", title=None, scale=alt.Scale(domain=queues, range=colours)),
        tooltip=shared.counted(object="Queue", lag="From the deadline to the discard"),
    )
    shown = (f"{row.object} {row.lag}: {row.messages}" for row in lags.itertuples())
    return shared.finished(chart, alt.TitleParams(text if total else "Nothing expired"), shown, width=WIDTH, height=200)


def slow_chart(readers: pd.DataFrame | DataFrame, most: int = 15) -> alt.LayerChart:
    """Discarded messages by queue and reader, grouped by the activity of that reader before they expired, from the rows
    of `slow_readers`; behind each bar are arrivals and gets of the reader, in messages a minute."""
    counts = ("discarded", "while_reading", "while_away", "gets")
    columns = ("object", "reader", *counts, "arrivals_a_minute", "gets_a_minute", "longest_pause_us")
    readers = shared.require(readers, columns, "slow_readers", most)
    data = readers.sort_values(["discarded", "object"], ascending=[False, True]).head(most)
    who = data["reader"].where(data["reader"].notna(), "nobody")
    data = data.assign(
        label=data["object"] + ", read by " + who,
        why_nobody=data["reader"].isna() * data["discarded"],
        pace=[_pace(row) for row in data.itertuples()],
    )
    parts = pd.concat(
        data.assign(why=words, messages=data[column])[["label", "why", "messages"]]
        for words, _, column in WHYS.values()
    )
    parts = parts[parts["messages"] > 0]
    colours = {words: colour for words, colour, _ in WHYS.values() if words in set(parts["why"])}
    y, colour = shared.labels(data["label"], 340), shared.coloured("why", colours)
    order = {"order": alt.Order("why:N"), "stroke": alt.value("white")}
    words = shared.tips(label="Queue and reader", why="Before the deadline")
    drawn = shared.bars(parts, y, "messages", "messages discarded", words, color=colour, **order)
    chart = layered(drawn, shared.behind(data, y, "discarded", "pace", dx=5, fontSize=11))
    title = shared.heading("Nothing expired")
    if len(data):
        total, worst = int(readers["discarded"].sum()), data.iloc[0]
        away = total - int(readers["while_reading"].sum())  # nobody reads some queues
        more = shared.left_out(len(readers) - len(data), "line")
        most_of = f"Most, {thousands(int(worst['discarded']))}: {worst['label']}"
        title = shared.heading(
            f"{thousands(away)} of {thousands(total)} expired while nothing was read from their queue",
            f"{most_of}. In and got: a minute, between its first and last get{more}",
        )
    shown = (f"{row.label}: {row.discarded} discarded; {row.pace}" for row in data.itertuples())
    return shared.finished(chart, title, shown, width=WIDTH - 320, height=alt.Step(24))


def _pace(row: Any) -> str:
    if pd.isna(row.gets_a_minute):
        return f"{row.gets} got"
    pause = "" if pd.isna(row.longest_pause_us) else f", pause {shared.long(row.longest_pause_us)}"
    return f"in {row.arrivals_a_minute:.3g}, got {row.gets_a_minute:.3g} a min{pause}"
