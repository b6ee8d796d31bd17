"""Bars with their counts: dead-lettered messages, chances of a trigger message, and learners."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import heading, listed, require
from mqlab.pipeline.questions.triggers import FIRED, NOT_ASKED, PREVENTED
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["dead_letter_chart", "progress_chart", "trigger_chart"]


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
        .mark_bar(height=15, color=LIGHT.expired)
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


AXIS = alt.Axis(labelLimit=420)
ORDER = (FIRED, PREVENTED, NOT_ASKED)
COLOURS = {FIRED: LIGHT.gets, PREVENTED: LIGHT.expired, NOT_ASKED: LIGHT.structure}


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


ENDS = {"alone": "done", "helped": "done with a hint or the solution", "open": "not done"}
END_COLOURS = [OKABE_ITO["blue"], OKABE_ITO["sky"], LIGHT.expired]


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
    scale = alt.Scale(domain=list(ENDS.values()), range=END_COLOURS)
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
