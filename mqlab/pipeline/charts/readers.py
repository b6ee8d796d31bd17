"""Which readers were too slow for what expired."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import heading, listed, long, require
from mqlab.pipeline.readers import AWAY, NOBODY, SLOW, WHYS
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["slow_chart"]

COLOURS = {SLOW: LIGHT.live, AWAY: LIGHT.lapsed, NOBODY: OKABE_ITO["black"]}
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
