"""Bars with their counts: dead-lettered messages, and chances of a trigger message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from ...views.charts.axes import WIDTH
from ...views.text import thousands
from ...views.theme import LIGHT
from ..questions.triggers import FIRED, NOT_ASKED, PREVENTED
from .shared import bars, behind, coloured, finished, heading, labels, require, tips

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OUTCOMES = {FIRED: LIGHT.gets, PREVENTED: LIGHT.expired, NOT_ASKED: LIGHT.structure}


def dead_letter_chart(reasons: pd.DataFrame | DataFrame, most: int = 15) -> alt.LayerChart:
    """Dead-lettered messages by reason and by where they were going, from the `most` frequent rows of
    `dead_letter_reasons`."""
    columns = ("qmgr", "object", "program", "wanted", "reason", "name", "messages")
    reasons = require(reasons, columns, "dead_letter_reasons")
    data = reasons.sort_values(["messages", "qmgr", "object"], ascending=[False, True, True]).head(most)
    code = data["reason"].astype("Int64").astype("string").fillna("")
    data = data.assign(
        why=(code + " " + data["name"]).str.strip(),
        label=data["wanted"].fillna("?") + ", by " + data["program"].fillna("a program"),
        place=data["object"] + "@" + data["qmgr"],
    )
    data = data.assign(line=data["why"] + " | " + data["label"] + " | to " + data["place"])
    y = labels(data["line"], 520, "line")
    words = tips(place="Dead-letter queue", why="Reason", label="Destination")
    chart = bars(data, y, "messages", "messages dead-lettered", words).encode(color=alt.value(LIGHT.expired)) + behind(
        data, y, "messages"
    )
    text = "Nothing was dead-lettered"
    if len(data):
        by = data.groupby("why")["messages"].sum().sort_values(ascending=False)
        largest, whole = thousands(int(by.iloc[0])), thousands(int(data["messages"].sum()))
        text = f"{largest} of {whole} messages were dead-lettered for {by.index[0]}"
    title = heading(text, "The reason, where it was going, and the program that could not put it there")
    shown = (f"{row.line}: {row.messages}" for row in data.itertuples())
    return finished(chart, title, shown, width=WIDTH - 420, height=alt.Step(22))


def trigger_chart(summary: pd.DataFrame | DataFrame) -> alt.LayerChart:
    """How many times each rule fired or stopped a trigger event, a bar for each rule, from the rows of
    `trigger_summary`, of all queues or of one."""
    summary = require(summary, ("object", "outcome", "rule", "title", "times"), "trigger_summary")
    data = summary.groupby(["outcome", "rule", "title"], as_index=False)["times"].sum()
    data = data.assign(
        place=data["outcome"].map(list(OUTCOMES).index),
        label=[
            f"{row.outcome}: {row.title if row.outcome == FIRED else f'not “{row.title}”'} ({row.rule})"
            for row in data.itertuples()
        ],
    ).sort_values(["place", "times", "rule"], ascending=[True, False, True])
    y, title = labels(data["label"], 420), "chances of a trigger message"
    words = tips(outcome="Outcome", rule="Rule", title="Condition")
    drawn = bars(data, y, "times", title, words, color=coloured("outcome", OUTCOMES))
    shown = (f"{row.label}: {row.times}" for row in data.itertuples())
    times, stopped = data.groupby("outcome")["times"].sum(), data[data["outcome"] == PREVENTED]
    taken, prevented = (int(times.get(outcome, 0)) for outcome in (FIRED, PREVENTED))
    chances = f"{thousands(taken)} of {thousands(int(times.sum()))} chances of a trigger message"
    text = f"{chances} were taken, {thousands(prevented)} prevented"
    said = "No condition prevented a trigger"
    if len(stopped):
        said = f"Most often not met: “{stopped.iloc[0]['title']}” ({stopped.iloc[0]['rule']})"
    heard = heading(text, said) if len(data) else heading("Nothing could have triggered")
    return finished(drawn + behind(data, y, "times"), heard, shown, width=WIDTH - 330, height=alt.Step(22))
