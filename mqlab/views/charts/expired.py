"""The chart of a queue's depth over time, split so that what expired and still counts can be seen."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime

import altair as alt

from ...engine.words.errors import LabError
from ..frames.lifecycle_rows import DepthFrame, DepthPoint, depth_frame
from ..frames.moments import SECOND, At, Lab, clock, duration, moment_us
from ..text import plural, thousands
from ..theme import LIGHT
from .axes import THOUSANDS, WIDTH, moment, themed, time_axis

_PARTS = {"expired": "expired, still counted", "uncommitted": "put, not committed", "live": "available"}


def expired_chart(lab: Lab, queue: str, qmgr: str | None = None, *, start: At = None, end: At = None) -> alt.LayerChart:
    """The depth of a queue over time, split into available, uncommitted, and expired messages.

    `qmgr` may be left out where the lab has one queue manager; `start` and `end` are "HH:MM:SS", an ISO time, a
    datetime or seconds since the lab's start. LabError for a queue the log does not know.
    """
    name = qmgr or (lab.queue_managers[0].name if lab.queue_managers else "")
    if not lab.events.where(qmgr=name, object=queue):
        raise LabError(f"queue must be one that {name or 'the lab'} has defined; got {queue!r}")
    start_us = 0 if start is None else moment_us(lab.start, start)
    end_us = lab.now_us if end is None else moment_us(lab.start, end)
    frame = depth_frame(lab.events, name, queue, start_us=start_us, end_us=end_us)
    maxdepth = lab.state(at=end_us).queue(name, queue).attributes.get("MAXDEPTH")
    return draw_depths(frame, lab.start, queue, maxdepth)


def draw_depths(frame: DepthFrame, start: datetime, queue: str, maxdepth: int | None = None) -> alt.LayerChart:
    """A depth frame as a stacked step chart; MAXDEPTH is drawn when the queue came near it."""
    points = [*frame.points, frame.points[-1]._replace(time_us=frame.end_us)]
    deepest, worst = max(p.depth for p in points), frame.worst
    limit = maxdepth if maxdepth and deepest >= maxdepth / 3 else None
    top = max(limit or 0, deepest, 1)
    x = time_axis(start, points[0].time_us, max(points[-1].time_us, points[0].time_us + 1000))
    y = alt.Scale(domain=[0, top * 1.08], nice=False)
    present = [part for part in DepthPoint._fields[1:] if any(getattr(p, part) for p in points)]
    layers = [_area(points, part, start, x, y) for part in present]
    layers += _expired_lines(points, start, x, y)
    depths = [{"from": moment(start, p.time_us), "depth": p.depth} for p in points]
    look = {"interpolate": "step-after", "stroke": LIGHT.ink, "strokeWidth": 1.2, "tooltip": None}
    outline = alt.Chart(alt.Data(values=depths)).mark_line(**look)  # CURDEPTH itself, on top
    layers += [outline.encode(x=x, y=alt.Y("depth:Q", scale=y)), _reader(points, start, x, y)]
    if limit:
        row = {"y": limit, "from": moment(start, points[0].time_us), "word": f"MAXDEPTH {limit}"}
        line, height = alt.Chart(alt.Data(values=[row])), alt.Y("y:Q", scale=y)
        words = line.mark_text(align="left", baseline="bottom", dx=6, dy=-3, color=LIGHT.alarm, fontWeight=600)
        layers.append(line.mark_rule(stroke=LIGHT.alarm, strokeDash=[6, 4], strokeWidth=1.5).encode(y=height))
        layers.append(words.encode(x=x, y=height, text="word:N"))
    told = f"{thousands(worst.expired)} of {plural(worst.depth, 'message')} had expired"
    told += f" at {clock(start, worst.time_us)[:8]}"
    found = f"{told} and still counted" if worst.expired else "no message expired while it waited"
    title = f"{queue}: {found}"
    subtitle = f"CURDEPTH and what it is made of; at most {thousands(deepest)}"
    subtitle += f" of MAXDEPTH {maxdepth}" if maxdepth else ""
    if frame.step_us:
        subtitle += f"; the deepest moment of each {duration(frame.step_us // SECOND * SECOND or frame.step_us)}"
    chart = (
        alt.layer(*layers)
        .resolve_scale(fill="independent")
        .properties(
            width=WIDTH,
            height=260,
            title=alt.TitleParams(title if len(title) <= 75 else [queue, found], subtitle=subtitle),
        )
    )
    return themed(chart, f"{title}. {subtitle}.")


def _floor(point: DepthPoint, part: str) -> int:
    return {"live": 0, "uncommitted": point.live, "expired": point.live + point.uncommitted}[part]


def _area(points: list[DepthPoint], part: str, start: datetime, x: alt.X, y: alt.Scale) -> alt.Chart:
    fill, opacity, line = {
        "live": (LIGHT.live, 0.9, LIGHT.live),
        "uncommitted": (LIGHT.uncommitted, 0.55, LIGHT.uncommitted_line),
        "expired": (LIGHT.expired_ground, 1.0, LIGHT.expired),
    }[part]
    rows = [
        {"from": moment(start, p.time_us), "low": low, "high": low + getattr(p, part), "part": _PARTS[part]}
        for p in points
        for low in [_floor(p, part)]
    ]
    square = {"symbolType": "square", "symbolStrokeColor": line, "symbolStrokeWidth": 1.2, "symbolOpacity": opacity}
    key, scale = alt.Legend(title=None, **square), alt.Scale(domain=[_PARTS[part]], range=[fill])
    axis = alt.Axis(tickCount=5, labelExpr=THOUSANDS, tickMinStep=1)
    area = alt.Chart(alt.Data(values=rows)).mark_area(interpolate="step-after", fillOpacity=opacity)
    height = alt.Y("low:Q", scale=y, title="messages", axis=axis)
    return area.encode(x=x, y=height, y2="high:Q", fill=alt.Fill("part:N", scale=scale, legend=key))


def _expired_lines(points: list[DepthPoint], start: datetime, x: alt.X, y: alt.Scale) -> list[alt.Chart]:
    """Thin uprights through the expired part, so that it needs no color."""
    first, last = points[0].time_us, points[-1].time_us
    step = max(1, (last - first) * 5 // WIDTH)
    rows = []
    for t in range(first, last, step):
        point = points[bisect_right(points, t, key=lambda p: p.time_us) - 1]
        if point.expired:
            rows.append({"from": moment(start, t), "low": _floor(point, "expired"), "high": point.depth})
    lines = alt.Chart(alt.Data(values=rows)).mark_rule(
        stroke=LIGHT.expired, strokeWidth=1, opacity=0.75, tooltip=None, aria=False
    )
    return [lines.encode(x=x, y=alt.Y("low:Q", scale=y), y2="high:Q")] if rows else []


def _reader(points: list[DepthPoint], start: datetime, x: alt.X, y: alt.Scale) -> alt.Chart:
    """Unseen bars that carry the figures under the pointer."""
    rows = []
    for p, q in zip(points, [*points[1:], points[-1]], strict=True):
        stretch = {"from": moment(start, p.time_us), "to": moment(start, q.time_us), "at": clock(start, p.time_us)}
        rows.append(stretch | {"depth": p.depth} | {part: getattr(p, part) for part in _PARTS})
    tips = [alt.Tooltip("at:N", title="from"), alt.Tooltip("depth:Q", title="CURDEPTH", format=",")]
    tips += [alt.Tooltip(f"{part}:Q", title=words, format=",") for part, words in _PARTS.items()]
    bars = alt.Chart(alt.Data(values=rows)).mark_rect(opacity=0, aria=False)
    return bars.encode(x=x, x2="to:T", y=alt.Y("depth:Q", scale=y), y2=alt.datum(0), tooltip=tips)
