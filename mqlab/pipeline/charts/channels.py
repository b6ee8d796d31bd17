"""What channels did over time: batches, batches in doubt, and the times when they tried again."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.batches import IN_DOUBT, UNSENT
from mqlab.pipeline.charts.shared import START, clock, listed, long, require
from mqlab.views.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["batch_chart", "retry_chart"]

OUTCOMES = ("committed", "backed out", IN_DOUBT, UNSENT)
COLOURS = (LIGHT.live, LIGHT.lapsed, OKABE_ITO["purple"], LIGHT.structure)
SHAPES = ("circle", "cross", "diamond", "triangle-up")
STATES = ("RETRYING", "PAUSED")


def batch_chart(batches: pd.DataFrame) -> alt.Chart:
    """Every batch by its size and how long it took, a row of dots for each channel.

    `batches` holds the rows of `batches`. A batch without an end is drawn at the time from its first get to the
    question whether to commit, or at zero. The title tells the mean size.
    """
    require(batches, ("qmgr", "channel", "messages", "fast", "outcome", "duration_us", "first_us"), "batches")
    open_us = (batches["asked_us"] - batches["first_us"]).where(batches["asked_us"].notna(), 0)
    seconds = batches["duration_us"].where(batches["duration_us"].notna(), open_us).astype(float) / 1e6
    data = batches.assign(
        label=batches["channel"] + "@" + batches["qmgr"], size=batches["messages"] + batches["fast"], seconds=seconds
    )
    used = [name for name in OUTCOMES if name in set(data["outcome"])]
    text = "No batch was sent"
    if len(data):
        text = f"{len(data):,} batches of {data['size'].mean():.3g} messages; half took {long(data['seconds'].median() * 1e6)}"
    colours = [COLOURS[OUTCOMES.index(name)] for name in used]
    shapes = [SHAPES[OUTCOMES.index(name)] for name in used]
    chart = (
        alt.Chart(data)
        .mark_point(size=70, filled=True, opacity=0.75)
        .encode(
            x=alt.X("seconds:Q", title="seconds from the first get to the commit", scale=alt.Scale(zero=True)),
            y=alt.Y("size:Q", title="messages", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("outcome:N", title=None, sort=used, scale=alt.Scale(domain=used, range=colours)),
            shape=alt.Shape("outcome:N", title=None, sort=used, scale=alt.Scale(domain=used, range=shapes)),
            row=alt.Row("label:N", title=None, header=alt.Header(labelAngle=0, labelAlign="left", labelOrient="top")),
            tooltip=["label:N", "outcome:N", "messages:Q", "fast:Q", "seconds:Q"],
        )
        .properties(width=WIDTH - 60, height=90, title=alt.TitleParams(text, subtitle="A batch is one unit of work"))
    )
    told = data.groupby(["label", "outcome"])["size"].agg(["count", "mean"]).reset_index()
    words = listed(
        f"{r.label}: {r.count} {r.outcome}, {r.mean:.3g} messages on average" for r in told.itertuples(index=False)
    )
    return themed(chart, f"{text}. {words}")


def retry_chart(retries: pd.DataFrame, end_us: int, start: str = START) -> alt.LayerChart:
    """When channels tried again, a bar for each stretch; one that still tries goes on to `end_us`, the end of the log.

    `retries` holds the rows of `retries`; `start` is the lab's start (UTC). The number is that of the attempts.
    """
    require(retries, ("qmgr", "channel", "state", "from_us", "to_us", "attempts"), "retries")
    to_us = retries["to_us"].where(retries["to_us"].notna(), end_us)
    data = retries.assign(
        label=retries["channel"] + "@" + retries["qmgr"],
        begin=clock(retries["from_us"], start),
        end=clock(to_us.astype("int64"), start),
        length=to_us - retries["from_us"],
    )
    y = alt.Y("label:N", title=None, axis=alt.Axis(labelLimit=260))
    time = alt.X("begin:T", title="time of day (UTC)", axis=alt.Axis(format="%H:%M:%S", tickCount=8, labelOverlap=True))
    scale = alt.Scale(domain=list(STATES), range=[LIGHT.lapsed, LIGHT.structure])
    bars = (
        alt.Chart(data)
        .mark_bar(height=12, stroke=LIGHT.ink, strokeWidth=0.6, minBandSize=2)
        .encode(
            x=time,
            x2="end:T",
            y=y,
            yOffset=alt.YOffset("state:N", scale=alt.Scale(domain=list(STATES))),
            color=alt.Color("state:N", title=None, scale=scale),
            tooltip=["label:N", "state:N", "attempts:Q", "because:N"],
        )
    )
    counts = (
        alt.Chart(data[data["state"] == "RETRYING"])
        .mark_text(align="left", dx=4, color=LIGHT.muted)
        .encode(x="end:T", y=y, yOffset="state:N", text=alt.Text("attempts:Q", format=","))
    )
    title = _retry_title(data)
    chart = alt.layer(bars, counts).properties(width=WIDTH - 160, height=alt.Step(20), title=title)
    words = listed(f"{r.label} {r.state} for {long(r.length)}, {r.attempts} attempts" for r in data.itertuples())
    return themed(chart, f"{title.text}. {words}")


def _retry_title(data: pd.DataFrame) -> alt.TitleParams:
    failed, paused = data[data["state"] == "RETRYING"], data[data["state"] == "PAUSED"]
    if data.empty:
        return alt.TitleParams("No channel had to try again")
    text = f"Channels tried {int(failed['attempts'].sum()):,} times to reach their partner, in {long(failed['length'].sum())}"
    if failed.empty:
        text = "Every channel reached its partner at once"
    said = (
        f"and paused {len(paused):,} times for a message that could not be put"
        if len(paused)
        else "The number: attempts"
    )
    return alt.TitleParams(text, subtitle=said)
