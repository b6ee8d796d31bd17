"""Charts of channels: the sizes of their batches, and the times when they tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from ...engine.words.errors import LabError
from ...views.charts.axes import WIDTH, layered
from ...views.text import plural
from ...views.theme import LIGHT, OKABE_ITO
from ..questions.channels import IN_DOUBT, UNSENT
from .shared import START, WHOLE, behind, clock, coloured, finished, form, heading, long, require, tips

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OUTCOMES = {
    "committed": (LIGHT.live, "circle"),
    "backed out": (LIGHT.expired, "cross"),
    IN_DOUBT: (OKABE_ITO["purple"], "diamond"),
    UNSENT: (LIGHT.structure, "triangle-up"),
}
SIZES, STRETCHES, ROWS = 50, 500, 4800
"""A chart has no more sizes of batches, and joins no stretches up to so many, unless it has more than ROWS rows."""
STATES = {"RETRYING": LIGHT.expired, "PAUSED": LIGHT.structure}


def batch_chart(batches: pd.DataFrame | DataFrame, most: int = 20) -> alt.LayerChart:
    """How large the batches of the `most` busiest channels were, from the rows of `batches`: a disc for each size, the
    larger the more batches had it. Beside each channel is the duration of its batches."""
    columns = ("qmgr", "channel", "messages", "fast", "outcome", "duration_us")
    batches = require(batches, columns, "batches", most, outcome=[*OUTCOMES])
    data = batches.assign(label=batches["channel"] + "@" + batches["qmgr"], size=batches["messages"] + batches["fast"])
    drawn = data[data["label"].isin(data["label"].value_counts().sort_index(kind="stable").nlargest(most).index)]
    used = {name: OUTCOMES[name] for name in OUTCOMES if name in set(drawn["outcome"])}
    shapes = alt.Scale(domain=list(used), range=[shape for _, shape in used.values()])
    alike = ["label", "outcome", "size"]
    step = 1 if drawn.groupby(alike).ngroups <= ROWS else int(drawn["size"].max()) // SIZES + 1
    steps = f", in steps of {step}" if step > 1 else ""
    drawn = drawn.assign(size=drawn["size"] // step * step)
    sizes = drawn.groupby(alike).agg(batches=("uow", "count")).reset_index()
    y = alt.Y("label:N", title=None, axis=alt.Axis(labelLimit=260, labelPadding=10))
    powers = range(len(str(sizes["batches"].max()))) if len(sizes) else range(1)
    words = "format(datum.value, ',') + (datum.value == 1 ? ' batch' : ' batches')"
    legend = alt.Legend(values=[10**power for power in powers], labelExpr=words)
    discs = (
        alt.Chart(sizes)
        .mark_point(filled=True, opacity=0.8, stroke="white")
        .encode(
            x=alt.X("size:Q", title=f"messages of a batch{steps}", axis=WHOLE),
            y=y,
            size=alt.Size("batches:Q", title=None, scale=alt.Scale(range=[30, 300]), legend=legend),
            color=coloured("outcome", {name: colour for name, (colour, _) in used.items()}),
            shape=alt.Shape("outcome:N", title=None, sort=list(used), scale=shapes),
            tooltip=tips(label="Channel", outcome="Outcome", size="Messages of a batch", batches="Batches"),
        )
    )
    ended = {"half": ("duration_us", _median), "most": ("duration_us", "max"), "number": ("uow", "count")}
    took = drawn.groupby("label").agg(**ended).reset_index()
    took = took.assign(words=[f"half {_took(row.half)}, longest {_took(row.most)}" for row in took.itertuples()])
    beside = alt.Chart(took).mark_text(align="left", color=LIGHT.muted, fontSize=11)
    text = "No batch was sent"
    if len(data):
        half, many = _took(_median(data["duration_us"])), plural(len(data), "batch", "batches")
        text = f"{many} of {data['size'].mean():.3g} messages on average; half took {half} or less"
    return finished(
        layered(discs, beside.encode(y=y, x=alt.value(WIDTH - 350), text="words:N")),
        heading(text, "A batch is a unit of work; at the right, the time from its first get to its end"),
        (f"{row.label}: {plural(row.number, 'batch', 'batches')}, {row.words}" for row in took.itertuples()),
        width=WIDTH - 360,
        height=alt.Step(36),
    )


def _median(times: pd.Series) -> float:
    return times.dropna().median() if times.notna().any() else float("nan")


def _took(time_us: float) -> str:
    return "not ended" if pd.isna(time_us) else long(time_us)


def retry_chart(retries: pd.DataFrame | DataFrame, end_us: int, start: str = START, most: int = 20) -> alt.LayerChart:
    """When the `most` busiest channels tried again, a bar for each row of `retries`, with the number of attempts; one
    that still tries goes on to `end_us`, the end of the log. `start` is the lab's start (UTC)."""
    columns = ("qmgr", "channel", "state", "from_us", "to_us", "attempts")
    retries = require(retries, columns, "retries", most, state=[*STATES])
    to_us = retries["to_us"].where(retries["to_us"].notna(), end_us)
    if (to_us < retries["from_us"]).any():
        raise LabError(f"end_us must be the end of the log, after each from_us; got {end_us}. Pass lab.now_us")
    data = retries.assign(
        label=retries["channel"] + "@" + retries["qmgr"],
        begin=clock(retries["from_us"], start),
        end=clock(to_us.astype("int64"), start),
        length=to_us - retries["from_us"],
    )
    lasting, paused = data[data["state"] == "RETRYING"], int((data["state"] != "RETRYING").sum())
    drawn = _of_pixels(data[data["label"].isin(data["label"].value_counts().sort_index().nlargest(most).index)])
    y = alt.Y("label:N", title=None, axis=alt.Axis(labelLimit=260))
    short = len(data) and (data["end"].max() - data["begin"].min()) <= pd.Timedelta(minutes=8)
    when = "%H:%M:%S" if short else form(data["begin"])
    axis = alt.Axis(format=when, tickCount=8, labelOverlap=True)
    time = alt.X("begin:T", title="time of day (UTC)", axis=axis, scale=alt.Scale(padding=8))
    scale = alt.Scale(domain=list(STATES), range=list(STATES.values()))
    words, ends = tips(label="Channel", state="State"), {"begin": "From", "end": "To"}
    times = [alt.Tooltip(f"{end}:T", title=title, format="%H:%M:%S") for end, title in ends.items()]
    why = {"because": "Because"} if "because" in drawn else {}
    bars = (
        alt.Chart(drawn)
        .mark_bar(height=12, strokeWidth=1)
        .encode(
            x=time,
            x2="end:T",
            y=y,
            color=coloured("state", STATES),
            stroke=alt.Stroke("state:N", title=None, sort=list(STATES), scale=scale),
            tooltip=[*words, *times, *tips(attempts="Attempts", **why)],
        )
    )
    tries, beside = drawn[drawn["state"] == "RETRYING"], "a bar: the attempts"
    if len(data) > STRETCHES:  # whose numbers would hide each other
        tries = tries.groupby("label").agg(end=("end", "max"), attempts=("attempts", "sum")).reset_index()
        beside = "the last bar of a channel: all of its attempts"
    counts = behind(tries, y, "attempts").encode(x="end:T")
    shown = (
        f"{row.label} {row.state} for {long(row.length)}, {plural(int(row.attempts), 'attempt')}"
        for row in lasting.itertuples()
    )
    said = f"The number beside {beside}"
    text = "Every channel reached its partner at once"
    if len(lasting):
        tried, length = int(lasting["attempts"].sum()), long(lasting["length"].sum())
        text = f"Channels tried {plural(tried, 'time')} to reach their partner, for {length} in all"
    if paused:
        said = f"{said}. {plural(paused, 'pause')} for a message that could not be put at once"
    title = heading(text, said) if len(data) else heading("No channel had to try again")
    return finished(layered(bars, counts), title, shown, width=WIDTH - 160, height=alt.Step(26))


def _of_pixels(data: pd.DataFrame) -> pd.DataFrame:
    """The stretches of channels, if they are many those that begin in the same pixel as one, with all attempts."""
    columns = ["label", "state", "begin", "end", "attempts", *(["because"] if "because" in data else [])]
    labels = max(1, 2 * data["label"].nunique())
    if len(data) <= STRETCHES:
        return data[columns]
    since = data["begin"] - data["begin"].min()
    pixel = (since / since.max() * min(WIDTH, ROWS // labels)).astype("int64")
    merged = {"begin": ("begin", "min"), "end": ("end", "max"), "attempts": ("attempts", "sum")}
    if "because" in data:
        merged["because"] = ("because", "first")
    return data.groupby(["label", "state", pixel.rename("pixel")]).agg(**merged).reset_index()[columns]
