"""Why messages came to dead-letter queues."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import heading, listed, require
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT

__all__ = ["dead_letter_chart"]


def dead_letter_chart(reasons: pd.DataFrame, most: int = 15) -> alt.LayerChart:
    """Dead-lettered messages by reason and by where they were going, a panel for each dead-letter queue.

    `reasons` holds the rows of `dead_letter_reasons`; the `most` frequent are shown. The title names the first reason.
    """
    require(reasons, ("qmgr", "object", "program", "wanted", "reason", "name", "messages"), "dead_letter_reasons")
    data = reasons.sort_values(["messages", "qmgr", "object"], ascending=[False, True, True]).head(most)
    code = data["reason"].astype("Int64").astype("string").fillna("")
    data = data.assign(
        why=(code + " " + data["name"]).str.strip(),
        label=data["wanted"].fillna("?") + ", by " + data["program"].fillna("a program"),
        place=data["object"] + "@" + data["qmgr"],
    )
    data = data.assign(line=(data["why"] + " | " + data["label"] + " | to " + data["place"]))
    order = list(data["line"])
    y = alt.Y("line:N", sort=None, scale=alt.Scale(domain=order), title=None, axis=alt.Axis(labelLimit=520))
    bars = (
        alt.Chart(data)
        .mark_bar(height=15, color=LIGHT.lapsed)
        .encode(
            y=y,
            x=alt.X("messages:Q", title="messages dead-lettered", axis=alt.Axis(tickMinStep=1)),
            tooltip=["place:N", "why:N", "label:N", alt.Tooltip("messages:Q", format=",")],
        )
    )
    counts = (
        alt.Chart(data)
        .mark_text(align="left", dx=4, color=LIGHT.muted)
        .encode(y=y, x="messages:Q", text=alt.Text("messages:Q", format=","))
    )
    text = "Nothing was dead-lettered"
    if len(data):
        by = data.groupby("why")["messages"].sum().sort_values(ascending=False)
        text = f"{int(by.iloc[0]):,} of {int(data['messages'].sum()):,} messages were dead-lettered for {by.index[0]}"
    subtitle = "The reason, where it was going, and the program that could not put it there"
    chart = alt.layer(bars, counts).properties(
        width=WIDTH - 420, height=alt.Step(22), title=heading(text, subtitle=subtitle)
    )
    return themed(chart, f"{text}. " + listed(f"{row.line}: {row.messages}" for row in data.itertuples()))
