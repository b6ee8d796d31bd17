"""Charts of the pipeline's answers: altair charts from small pandas frames, each titled with what its data say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from mqlab.errors import LabError
from mqlab.pipeline.expired import LAGS, LONGEST
from mqlab.pipeline.fate import FATES, MOVED
from mqlab.views.axes import WIDTH, themed
from mqlab.views.theme import LIGHT, OKABE_ITO

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["depth_chart", "expired_chart", "fate_chart", "lag_chart"]

FATE_COLOURS = dict(
    zip(
        [name for name in FATES if name != MOVED],
        (
            OKABE_ITO["blue"],
            OKABE_ITO["vermillion"],
            OKABE_ITO["purple"],
            OKABE_ITO["yellow"],
            OKABE_ITO["black"],
            "#6a3d9a",
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
DARK_FATES = ("got", "expired", "lost", "discarded", "dead-lettered", "browsed")
LIVE, LAPSED = "live", "lapsed, still counted"
NOT_YET = "No messages"


def fate_chart(summary: pd.DataFrame) -> alt.HConcatChart:
    """Bars of every queue's messages, and beside them, larger, those that were not got, by fate.

    `summary` holds the rows of `fate_summary`: object, fate, messages; those that moved on are left out, so that each
    message is counted once, where it came to. The title tells the share that was got and where
    most expired. LabError if columns are missing.
    """
    _require(summary, ("object", "fate", "messages"), "fate_summary")
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
        bars, f"{title.text}. " + _list(f"{row.object}: {row.messages} {row.fate}" for row in rest.itertuples())
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
    got, lapses = int(by_fate.get("got", 0)), data[data["fate"] == "expired"]
    if not total:
        return alt.TitleParams(NOT_YET)
    text = f"{100 * got / total:.1f} % of {total:,} messages were got, {int(by_fate.get('expired', 0)):,} expired"
    subtitle = "Left: every message that came to a queue. Right: those that nobody got"
    if len(lapses):
        worst = lapses.loc[lapses["messages"].idxmax()]
        subtitle = f"Most expired on {worst['object']}: {int(worst['messages']):,}. {subtitle}"
    return alt.TitleParams(text, subtitle=subtitle)


def depth_chart(
    depths: pd.DataFrame,
    queue: str,
    start: str = "2025-01-06T00:00:00Z",
    maxdepth: int | None = None,
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """Depth of one queue over time, live messages below and those that had lapsed and still counted above.

    `depths` holds rows of `depth`; `start` is the lab's start (UTC); `maxdepth` draws that limit; `between`, two times
    such as "2025-01-06T17:30", shows a part. The title tells the greatest depth and how much of it had lapsed. LabError
    if the frame has no row of that queue.
    """
    _require(depths, ("object", "time_us", "depth", "lapsed", "live"), "depth")
    data = depths[depths["object"] == queue].sort_values("time_us")
    if data.empty:
        raise LabError(f"queue wanted: one of {', '.join(sorted(depths['object'].unique())) or 'none'}; got {queue!r}")
    data = _part(data.assign(time=_clock(data["time_us"], start)), "time", between)
    parts = pd.concat(
        [
            data.assign(part=LIVE, low=0, high=data["live"])[["time", "part", "low", "high"]],
            data.assign(part=LAPSED, low=data["live"], high=data["depth"])[["time", "part", "low", "high"]],
        ]
    )
    time = alt.X("time:T", title="time of day (UTC)", axis=alt.Axis(format="%H:%M", tickCount=12))
    colour = alt.Color("part:N", title=None, scale=alt.Scale(domain=[LIVE, LAPSED], range=[LIGHT.live, LIGHT.lapsed]))
    areas = (
        alt.Chart(parts)
        .mark_area(opacity=0.75)
        .encode(x=time, y=alt.Y("low:Q", title="messages on the queue"), y2="high:Q", color=colour)
    )
    top = (
        alt.Chart(data)
        .mark_line(color=LIGHT.ink, strokeWidth=1.2)
        .encode(
            x=time, y="depth:Q", tooltip=[alt.Tooltip("time:T", format="%H:%M:%S"), "depth:Q", "live:Q", "lapsed:Q"]
        )
    )
    edge = alt.Chart(data).mark_line(color=LIGHT.ink, strokeWidth=1, strokeDash=[3, 3]).encode(x=time, y="live:Q")
    layers = [areas, edge, top]
    if maxdepth is not None:
        limit = alt.Chart(pd.DataFrame({"limit": [maxdepth], "text": [f"MAXDEPTH {maxdepth:,}"]}))
        label = limit.mark_text(color=LIGHT.alarm, align="left", dy=-7, dx=4, x=0)
        layers += [
            limit.mark_rule(color=LIGHT.alarm, strokeDash=[6, 3]).encode(y="limit:Q"),
            label.encode(y="limit:Q", text="text:N"),
        ]
    title = _depth_title(data, queue, maxdepth)
    return themed(
        alt.layer(*layers).properties(width=WIDTH, height=230, title=title), f"{title.text}. {title.subtitle}"
    )


def _depth_title(data: pd.DataFrame, queue: str, maxdepth: int | None) -> alt.TitleParams:
    if data.empty:
        return alt.TitleParams(NOT_YET, subtitle=queue)
    worst, most = data.loc[data["depth"].idxmax()], data.loc[data["lapsed"].idxmax()]
    text = f"{queue}: at most {int(worst['depth']):,} messages, {worst['time']:%H:%M}"
    full = data[data["depth"] >= maxdepth] if maxdepth is not None else data.iloc[:0]
    if len(full):
        text = f"{queue} was full from {full['time'].iloc[0]:%H:%M} to {full['time'].iloc[-1]:%H:%M}"
    if not most["lapsed"]:
        return alt.TitleParams(text, subtitle="Nothing on it had lapsed at the end of any interval")
    return alt.TitleParams(
        text,
        subtitle=(
            f"At {most['time']:%H:%M}, {int(most['lapsed']):,} of its {int(most['depth']):,} messages had lapsed: "
            "nobody could get them, and they counted"
        ),
    )


def expired_chart(
    counts: pd.DataFrame,
    every_minutes: int = 60,
    start: str = "2025-01-06T00:00:00Z",
    between: tuple[str, str] | None = None,
) -> alt.LayerChart:
    """When messages lapsed (bars) and when they were discarded (diamonds).

    `counts` holds the rows of `expired_over_time` for the same `every_minutes`; `start` is the lab's start (UTC);
    `between` shows a part, as in `depth_chart`. The title compares the two in the interval with most discards.
    """
    _require(counts, ("time_us", "what", "messages"), "expired_over_time")
    width = pd.Timedelta(minutes=every_minutes)
    begin = _clock(counts["time_us"], start)
    data = _part(counts.assign(begin=begin, end=begin + width, middle=begin + width / 2), "begin", between)
    time = {
        "title": f"time of day (UTC), {every_minutes} minutes each",
        "axis": alt.Axis(format="%H:%M", labelOverlap=True, tickCount=12),
    }
    names = {"domain": ["lapsed", "discarded"]}
    colour = alt.Color("what:N", title=None, scale=alt.Scale(**names, range=[LIGHT.lapsed, OKABE_ITO["black"]]))
    shape = alt.Shape("what:N", title=None, scale=alt.Scale(**names, range=["square", "diamond"]))
    tips = [alt.Tooltip("begin:T", format="%H:%M"), "what:N", alt.Tooltip("messages:Q", format=",")]
    count = alt.Y("messages:Q", title="messages")
    lapsed, discarded = data[data["what"] == "lapsed"], data[data["what"] == "discarded"]
    bars = (
        alt.Chart(lapsed)
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
        then = int(lapsed[lapsed["begin"] == worst["begin"]]["messages"].sum())
        title = alt.TitleParams(
            f"{worst['begin']:%H:%M} to {worst['end']:%H:%M}: {int(worst['messages']):,} discarded, {then:,} lapsed",
            subtitle="A message that has lapsed stays until a get or browse meets it: only then is it discarded",
        )
    return themed(
        alt.layer(bars, marks).properties(width=WIDTH, height=200, title=title),
        f"{title.text}. " + _list(f"{r.begin:%H:%M} {r.what} {r.messages}" for r in data.itertuples()),
    )


def lag_chart(lags: pd.DataFrame) -> alt.Chart:
    """How long messages lay lapsed but counted before a call met them, as bars by queue.

    `lags` holds the rows of `lag_histogram`. The title tells how many lay a minute or more.
    """
    _require(lags, ("object", "lag", "order", "messages"), "lag_histogram")
    names = [name for name, _ in LAGS] + [LONGEST]
    queues = list(lags.groupby("object")["messages"].sum().sort_values(ascending=False).index)
    colours = [OKABE_ITO[c] for c in ("vermillion", "sky", "green", "purple", "yellow", "blue", "orange", "black")]
    total, minute = int(lags["messages"].sum()), int(lags[lags["order"] >= 3]["messages"].sum())
    text = f"{minute:,} of {total:,} expired messages had lain there lapsed for a minute or more"
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
    return themed(bars, f"{text}. " + _list(f"{r.object} {r.lag}: {r.messages}" for r in lags.itertuples()))


def _clock(time_us: pd.Series, start: str) -> pd.Series:
    """Times of day, UTC without a zone, so that no browser shifts them to its own."""
    return pd.Timestamp(start).tz_localize(None) + pd.to_timedelta(time_us, unit="us")


def _part(data: pd.DataFrame, column: str, between: tuple[str, str] | None) -> pd.DataFrame:
    if between is None:
        return data
    first, last = (pd.Timestamp(time) for time in between)
    return data[(data[column] >= first) & (data[column] <= last)]


def _list(parts: Iterable[str]) -> str:
    return "; ".join(parts)


def _require(frame: pd.DataFrame, columns: tuple[str, ...], origin: str) -> None:
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise LabError(f"columns wanted: those of {origin}(...).toPandas(); missing {', '.join(missing)}")
