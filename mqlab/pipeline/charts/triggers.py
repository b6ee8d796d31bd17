"""Which chances of a trigger message were taken, and which condition stopped the others."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import heading, listed, require
from mqlab.pipeline.triggers import FIRED, NOT_ASKED, PREVENTED
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT

__all__ = ["trigger_chart"]

AXIS = alt.Axis(labelLimit=420)
ORDER = (FIRED, PREVENTED, NOT_ASKED)
COLOURS = {FIRED: LIGHT.gets, PREVENTED: LIGHT.lapsed, NOT_ASKED: LIGHT.structure}


def trigger_chart(summary: pd.DataFrame) -> alt.LayerChart:
    """How often each rule fired or stopped a trigger event, one bar a rule.

    `summary` holds the rows of `trigger_summary`; put the rows of one queue in to see that queue alone. The title tells
    how many chances were prevented, and by which condition most.
    """
    require(summary, ("object", "outcome", "rule", "title", "times"), "trigger_summary")
    data = summary.groupby(["outcome", "rule", "title"], as_index=False)["times"].sum()
    data = data.assign(
        place=data["outcome"].map({name: place for place, name in enumerate(ORDER)}),
        label=[f"{row.outcome}: {_because(row)} ({row.rule})" for row in data.itertuples()],
    ).sort_values(["place", "times", "rule"], ascending=[True, False, True])
    y = alt.Y(
        "label:N", sort=None, scale=alt.Scale(domain=list(data["label"])), title=None, axis=alt.Axis(labelLimit=420)
    )
    scale = alt.Scale(domain=list(ORDER), range=[COLOURS[name] for name in ORDER])
    bars = (
        alt.Chart(data)
        .mark_bar(height=15)
        .encode(
            y=y,
            x=alt.X("times:Q", title="chances of a trigger message", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("outcome:N", title=None, scale=scale, sort=list(ORDER)),
            tooltip=["rule:N", "title:N", "outcome:N", alt.Tooltip("times:Q", format=",")],
        )
    )
    counts = (
        alt.Chart(data)
        .mark_text(align="left", dx=4, color=LIGHT.muted)
        .encode(y=y, x="times:Q", text=alt.Text("times:Q", format=","))
    )
    title = _title(data)
    chart = alt.layer(bars, counts).properties(width=WIDTH - 330, height=alt.Step(22), title=title)
    return themed(chart, f"{title.text}. " + listed(f"{row.label}: {row.times}" for row in data.itertuples()))


def _because(row) -> str:
    """The rule by which it fired, or that was not met."""
    return row.title if row.outcome == FIRED else f"not \u201c{row.title}\u201d"


def _title(data: pd.DataFrame) -> alt.TitleParams:
    total, fired = int(data["times"].sum()), int(data[data["outcome"] == FIRED]["times"].sum())
    stopped = data[data["outcome"] == PREVENTED]
    if not total:
        return heading("Nothing could have triggered")
    text = f"{fired:,} of {total:,} chances of a trigger message were taken, {int(stopped['times'].sum()):,} prevented"
    if stopped.empty:
        return heading(text, subtitle="No condition stood in the way")
    worst = stopped.iloc[0]
    return heading(text, f"What most often did not hold: \u201c{worst['title']}\u201d ({worst['rule']})")
