"""What became of the messages of every queue."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mqlab.pipeline.charts.shared import NOT_YET, listed, require
from mqlab.pipeline.fate import FATES, MOVED
from mqlab.views.charts.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

__all__ = ["fate_chart"]

FATE_COLOURS = dict(
    zip(
        [name for name in FATES if name != MOVED],
        (
            OKABE_ITO["blue"],
            OKABE_ITO["vermillion"],
            "#6a3d9a",
            OKABE_ITO["black"],
            OKABE_ITO["yellow"],
            OKABE_ITO["purple"],
            OKABE_ITO["orange"],
            "#8c510a",
            OKABE_ITO["green"],
            OKABE_ITO["sky"],
            "#8d98a5",
            "#c9d1d9",
        ),
        strict=True,
    )
)
DARK_FATES = ("got", "discarded", "lost", "rejected", "dead-lettered", "browsed")


def fate_chart(summary: pd.DataFrame) -> alt.HConcatChart:
    """Bars of every queue's messages, and beside them, larger, those that were not got, by fate.

    `summary` holds the rows of `fate_summary`: object, fate, messages; those that moved on are left out, so that each
    message is counted once, where it came to. The title tells the share that was got and where
    most were discarded. LabError if columns are missing.
    """
    require(summary, ("object", "fate", "messages"), "fate_summary")
    data = summary[summary["fate"] != MOVED].groupby(["object", "fate"], as_index=False)["messages"].sum()
    data = data.assign(place=data["fate"].map({name: place for place, name in enumerate(FATES)}))
    data = data.sort_values(["object", "place"])
    rest = data[data["fate"] != "got"]
    rest = rest.assign(middle=rest.groupby("object")["messages"].cumsum() - rest["messages"] / 2)
    total = data.groupby("object")["messages"].sum().to_frame("messages")
    total = total.assign(rest=rest.groupby("object")["messages"].sum()).fillna(0).reset_index()
    order = list(total.sort_values(["rest", "messages"], ascending=False)["object"])
    height = 22 * len(order)
    title = _fate_title(data)
    bars = alt.hconcat(
        _all_bars(total, order).properties(width=170, height=height),
        _rest_bars(rest, total, order).properties(width=WIDTH - 330, height=height),
        spacing=14,
    ).properties(title=title)
    return themed(
        bars, f"{title.text}. " + listed(f"{row.object}: {row.messages} {row.fate}" for row in rest.itertuples())
    )


def _queues(order: list[str], labels: bool) -> alt.Y:
    axis = alt.Axis(labelLimit=260) if labels else alt.Axis(labels=False, ticks=False, domain=False)
    return alt.Y("object:N", scale=alt.Scale(domain=order), title=None, axis=axis)


def _all_bars(total: pd.DataFrame, order: list[str]) -> alt.Chart:
    return (
        alt.Chart(total)
        .mark_bar(color=LIGHT.structure, height=9)
        .encode(
            y=_queues(order, True),
            x=alt.X("messages:Q", title="messages", axis=alt.Axis(tickCount=4)),
            tooltip=["object:N", alt.Tooltip("messages:Q", format=",")],
        )
    )


def _rest_bars(rest: pd.DataFrame, total: pd.DataFrame, order: list[str]) -> alt.LayerChart:
    """The fates other than got, stacked; a count in each segment that has room, and the sum behind the bar."""
    used, y = [name for name in FATES if name in set(rest["fate"])], _queues(order, False)
    colour = alt.Color(
        "fate:N", title="not got, but", scale=alt.Scale(domain=used, range=[FATE_COLOURS[name] for name in used])
    )
    bars = (
        alt.Chart(rest)
        .mark_bar(height=15)
        .encode(
            y=y,
            x=alt.X("messages:Q", title="messages not got", stack="zero"),
            color=colour,
            order="place:Q",
            tooltip=["object:N", "fate:N", alt.Tooltip("messages:Q", format=",")],
        )
    )
    room = 0.06 * total["rest"].max()
    inside = (
        alt.Chart(rest[rest["messages"] >= room])
        .mark_text(fontSize=11, fontWeight=600)
        .encode(
            y=y,
            x="middle:Q",
            text=alt.Text("messages:Q", format=","),
            color=alt.condition(
                alt.FieldOneOfPredicate("fate", list(DARK_FATES)), alt.value("white"), alt.value(LIGHT.ink)
            ),
        )
    )
    crowded = set(rest[rest["messages"] < room]["object"])
    behind = (
        alt.Chart(total[total["object"].isin(crowded)])
        .mark_text(align="left", dx=4, color=LIGHT.muted)
        .encode(y=y, x="rest:Q", text=alt.Text("rest:Q", format=","))
    )
    return bars + inside + behind


def _fate_title(data: pd.DataFrame) -> alt.TitleParams:
    total, by_fate = int(data["messages"].sum()), data.groupby("fate")["messages"].sum()
    got, lapses = int(by_fate.get("got", 0)), data[data["fate"] == "discarded"]
    if not total:
        return alt.TitleParams(NOT_YET)
    text = f"{100 * got / total:.1f} % of {total:,} messages were got, {int(by_fate.get('discarded', 0)):,} discarded"
    subtitle = "Left: every message that came to a queue. Right: those that nobody got"
    if len(lapses):
        worst = lapses.loc[lapses["messages"].idxmax()]
        subtitle = f"Most discarded on {worst['object']}: {int(worst['messages']):,}. {subtitle}"
    return alt.TitleParams(text, subtitle=subtitle)
