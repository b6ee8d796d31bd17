"""Charts of expired messages: when they expired and were discarded, and which readers were too slow."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import START, clock, heading, listed, long, part, require
from mqlab.pipeline.questions.expiry import AWAY, LAGS, LONGEST, NOBODY, SLOW, WHYS
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["expiry_chart", "lag_chart", "slow_chart"]


def expiry_chart(
    counts: pd.DataFrame, every_minutes: int = 60, start: str = START, between: tuple[str, str] | None = None
) -> alt.LayerChart:
    """When messages expired (bars) and when they were discarded (diamonds).

    `counts` holds the rows of `expiry_over_time` for the same `every_minutes`; `start` is the lab's start (UTC);
    `between` shows a part, as in `depth_chart`. The title compares the two in the interval with most discards.
    """
    require(counts, ("time_us", "what", "messages"), "expiry_over_time")
    width = pd.Timedelta(minutes=every_minutes)
    begin = clock(counts["time_us"], start)
    data = part(counts.assign(begin=begin, end=begin + width, middle=begin + width / 2), "begin", between)
    scale = alt.Undefined
    if len(data):
        scale = alt.Scale(domain=[each.isoformat() for each in (data["begin"].min(), data["end"].max())], nice=False)
    time = {
        "scale": scale,
        "title": f"time of day (UTC), {every_minutes} minutes each",
        "axis": alt.Axis(format="%H:%M", labelOverlap=True, tickCount=12),
    }
    names = {"domain": ["expired", "discarded"]}
    colour = alt.Color("what:N", title=None, scale=alt.Scale(**names, range=[LIGHT.expired, OKABE_ITO["black"]]))
    shape = alt.Shape("what:N", title=None, scale=alt.Scale(**names, range=["square", "diamond"]))
    tips = [alt.Tooltip("begin:T", format="%H:%M"), "what:N", alt.Tooltip("messages:Q", format=",")]
    count = alt.Y("messages:Q", title="messages")
    expired, discarded = data[data["what"] == "expired"], data[data["what"] == "discarded"]
    bars = (
        alt.Chart(expired)
        .mark_bar(binSpacing=1)
        .encode(x=alt.X("begin:T", **time), x2="end:T", y=count, y2=alt.datum(0), color=colour, tooltip=tips)
    )
    marks = (
        alt.Chart(discarded)
        .mark_point(size=80, filled=True, opacity=1, clip=False)
        .encode(x=alt.X("middle:T", **time), y=count, color=colour, shape=shape, tooltip=tips)
    )
    title = alt.TitleParams("Nothing was discarded")
    if len(discarded):
        worst = discarded.loc[discarded["messages"].idxmax()]
        then = int(expired[expired["begin"] == worst["begin"]]["messages"].sum())
        title = alt.TitleParams(
            f"{worst['begin']:%H:%M} to {worst['end']:%H:%M}: {int(worst['messages']):,} discarded, {then:,} expired",
            subtitle="An expired message stays until a call or a scan reaches it: only then is it discarded",
        )
    return themed(
        alt.layer(bars, marks).properties(width=WIDTH, height=200, title=title),
        f"{title.text}. " + listed(f"{r.begin:%H:%M} {r.what} {r.messages}" for r in data.itertuples()),
    )


def lag_chart(lags: pd.DataFrame) -> alt.Chart:
    """How long messages were expired but counted before a call met them, as bars by queue.

    `lags` holds the rows of `lag_histogram`. The title tells how many lay a minute or more.
    """
    require(lags, ("object", "lag", "order", "messages"), "lag_histogram")
    names = [name for name, _ in LAGS] + [LONGEST]
    queues = list(lags.groupby("object")["messages"].sum().sort_values(ascending=False).index)
    colours = [OKABE_ITO[c] for c in ("vermillion", "sky", "green", "purple", "yellow", "blue", "orange", "black")]
    total, minute = int(lags["messages"].sum()), int(lags[lags["order"] >= 3]["messages"].sum())
    text = f"{minute:,} of {total:,} discarded messages had been expired for a minute or more"
    text = text if total else "Nothing expired"
    bars = (
        alt.Chart(lags)
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "lag:N",
                sort=names,
                scale=alt.Scale(domain=names),
                axis=alt.Axis(labelAngle=0),
                title="time from the end of the lifetime to the discard",
            ),
            y=alt.Y("messages:Q", title="messages"),
            color=alt.Color("object:N", title=None, scale=alt.Scale(domain=queues, range=colours)),
            order=alt.Order("object:N"),
            tooltip=["object:N", "lag:N", alt.Tooltip("messages:Q", format=",")],
        )
        .properties(width=WIDTH, height=200, title=alt.TitleParams(text))
    )
    return themed(bars, f"{text}. " + listed(f"{r.object} {r.lag}: {r.messages}" for r in lags.itertuples()))


COLOURS = {SLOW: LIGHT.live, AWAY: LIGHT.expired, NOBODY: OKABE_ITO["black"]}
SAID = {SLOW: "the reader got others meanwhile", AWAY: "nothing was read meanwhile", NOBODY: "nobody ever reads it"}


def slow_chart(readers: pd.DataFrame, most: int = 15) -> alt.LayerChart:
    """Expired messages by queue and reader, told apart by what that reader did while they could still be got.

    `readers` holds the rows of `slow_readers`; the `most` with most expired are shown. Behind each bar are the paces:
    what arrived and what the reader got, messages a minute.
    """
    require(readers, ("object", "reader", "discarded", "while_reading", "while_away", "gets_a_minute"), "slow_readers")
    data = readers.sort_values(["discarded", "object"], ascending=[False, True]).head(most)
    who = data["reader"].where(data["reader"].notna(), "nobody")
    data = data.assign(label=data["object"] + ", read by " + who, why_nobody=data["reader"].isna() * data["discarded"])
    parts = pd.concat(
        data.assign(why=SAID[why], messages=data[column])[["label", "why", "messages"]]
        for why, column in ((SLOW, "while_reading"), (AWAY, "while_away"), (NOBODY, "why_nobody"))
    )
    parts = parts[parts["messages"] > 0]
    used = [why for why in WHYS if SAID[why] in set(parts["why"])]
    order, names = list(data["label"]), [SAID[why] for why in used]
    y = alt.Y("label:N", sort=None, scale=alt.Scale(domain=order), title=None, axis=alt.Axis(labelLimit=340))
    scale = alt.Scale(domain=names, range=[COLOURS[why] for why in used])
    bars = (
        alt.Chart(parts)
        .mark_bar(height=15, stroke="white")
        .encode(
            y=y,
            x=alt.X("messages:Q", title="messages discarded", stack="zero", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("why:N", title=None, sort=names, scale=scale),
            order=alt.Order("why:N"),
            tooltip=["label:N", "why:N", alt.Tooltip("messages:Q", format=",")],
        )
    )
    paces = data.assign(pace=[_pace(row) for row in data.itertuples()])
    words = (
        alt.Chart(paces)
        .mark_text(align="left", dx=5, color=LIGHT.muted, fontSize=11)
        .encode(y=y, x="discarded:Q", text="pace:N")
    )
    title = _title(data)
    chart = alt.layer(bars, words).properties(width=WIDTH - 320, height=alt.Step(24), title=title)
    return themed(
        chart, f"{title.text}. " + listed(f"{r.label}: {r.discarded} discarded; {r.pace}" for r in paces.itertuples())
    )


def _pace(row) -> str:
    if pd.isna(row.gets_a_minute):
        return f"{row.gets} got"
    pause = "" if pd.isna(row.longest_pause_us) else f", pause {long(row.longest_pause_us)}"
    return f"in {row.arrivals_a_minute:.3g}, got {row.gets_a_minute:.3g} a min{pause}"


def _title(data: pd.DataFrame) -> alt.TitleParams:
    if data.empty:
        return heading("Nothing expired")
    total, away, worst = int(data["discarded"].sum()), int(data["while_away"].sum()), data.iloc[0]
    return heading(
        f"{away:,} of {total:,} expired while nothing was read from their queue",
        f"Most, {int(worst['discarded']):,}: {worst['label']}. In and got: a minute, between its first and last get",
    )
