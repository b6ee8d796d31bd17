"""How far learners got with each exercise."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import heading, listed, require
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["progress_chart"]

ENDS = {"alone": "done", "helped": "done with a hint or the solution", "open": "not done"}
COLOURS = [OKABE_ITO["blue"], OKABE_ITO["sky"], LIGHT.lapsed]


def progress_chart(report: pd.DataFrame) -> alt.LayerChart:
    """Learners by exercise: how many got it done, how many of these with help, and how many did not.

    `report` holds the rows of `exercise_report`. The numbers stand in the bars, so that colour says nothing alone. The
    title names the exercise that most learners have not done.
    """
    require(report, ("exercise", "learners", *ENDS), "exercise_report")
    data = report.melt(["exercise", "learners"], list(ENDS), "end", "count").query("count > 0")
    data = data.astype({"count": int})
    data = data.assign(place=data["end"].map(list(ENDS).index), end=data["end"].map(ENDS)).sort_values(
        ["exercise", "place"]
    )
    data["last"] = data.groupby("exercise")["count"].cumsum()
    data["middle"] = data["last"] - data["count"] / 2
    data["first"] = data["last"] - data["count"]
    y = alt.Y("exercise:N", sort=None, title=None)
    scale = alt.Scale(domain=list(ENDS.values()), range=COLOURS)
    x = alt.X("first:Q", title="learners who began it", axis=alt.Axis(tickMinStep=1, format="d"))
    bars = (
        alt.Chart(data)
        .mark_bar(height=17)
        .encode(
            y=y,
            x=x,
            x2="last:Q",
            color=alt.Color("end:N", scale=scale, legend=alt.Legend(title=None, orient="top", labelLimit=300)),
            tooltip=["exercise:N", "end:N", "count:Q"],
        )
    )
    ink = alt.condition(alt.datum.end == ENDS["helped"], alt.value(LIGHT.ink), alt.value("white"))
    numbers = alt.Chart(data).mark_text(fontWeight=600).encode(y=y, x="middle:Q", text=alt.Text("count:Q"), color=ink)
    text = "Nobody has begun"
    if len(report):
        hardest = report.sort_values(["open", "exercise"], ascending=[False, True]).iloc[0]
        text = "Everybody got done what they began"
        if hardest["open"]:
            text = f"{hardest['exercise']} is not done by {hardest['open']} of {hardest['learners']} who began it"
    chart = alt.layer(bars, numbers).properties(width=WIDTH - 120, height=alt.Step(24), title=heading(text))
    said = listed(f"{row.exercise}: {row.count} {row.end}" for row in data.itertuples(index=False))
    return themed(chart, f"{text}. {said}")
