"""The chart of a queue's depth over time, split so that what expired and still counts can be seen."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from typing import Any

import altair as alt

from ...engine.words.errors import LabError
from ..frames.lifecycle_rows import DepthFrame, DepthPoint, depth_frame
from ..frames.moments import SECOND, At, Lab, clock, duration, moment_us
from ..text import plural, thousands
from ..theme import LIGHT
from .axes import THOUSANDS, WIDTH, layered, moment, time_axis

_PARTS = {"expired": "expired, still counted", "uncommitted": "put, not committed", "live": "available"}
_AREAS: dict[str, tuple[Any, str, str, float, str]] = {  # its foot and its top, its fill, its opacity, and its outline
    "live": (alt.datum(0), "live", LIGHT.live, 0.9, LIGHT.live),
    "uncommitted": ("live", "settled", LIGHT.uncommitted, 0.55, LIGHT.uncommitted_line),
    "expired": ("settled", "depth", LIGHT.expired_ground, 1.0, LIGHT.expired),
}


def expired_chart(lab: Lab, queue: str, qmgr: str | None = None, *, start: At = None, end: At = None) -> alt.LayerChart:
    """The depth of a queue over time, split into available, uncommitted, and expired messages.

    `qmgr` may be left out if only one queue manager has the queue; `start` and `end` are "HH:MM:SS", an ISO time, a
    datetime or seconds since the lab's start. LabError for a queue the log does not know, or that several have.
    """
    rows = lab.events.where(object=queue) if qmgr is None else lab.events.where(qmgr=qmgr, object=queue)
    names = list(dict.fromkeys(row.qmgr for row in rows if row.qmgr and row.object_type not in ("QMGR", "CHANNEL")))
    if not names:
        raise LabError(f"queue must be one that {qmgr or 'the lab'} has defined; got {queue!r}")
    if len(names) > 1:
        raise LabError(f"qmgr must be one of {', '.join(names)}, which all have {queue}; got None")
    [name] = names
    start_us = 0 if start is None else moment_us(lab.start, start)
    end_us = lab.now_us if end is None else moment_us(lab.start, end)
    frame = depth_frame(lab.events, name, queue, start_us=start_us, end_us=end_us)
    maxdepth = lab.state(at=end_us).queue(name, queue).attributes.get("MAXDEPTH")
    return draw_depths(frame, lab.start, queue, maxdepth)


def draw_depths(frame: DepthFrame, start: datetime, queue: str, maxdepth: int | None = None) -> alt.LayerChart:
    """A depth frame as a stacked step chart; MAXDEPTH is drawn when the queue came near it.

    Its data have a row for each stretch of time, "from" and "to" a moment: "queue", "depth", and its parts "live",
    "uncommitted", and "expired"; "settled" is the sum of the first two.
    """
    points = [*frame.points, frame.points[-1]._replace(time_us=frame.end_us)]
    deepest = max(p.depth for p in points)
    limit = maxdepth if maxdepth and deepest >= maxdepth / 3 else None
    x = time_axis(start, points[0].time_us, max(points[-1].time_us, points[0].time_us + 1000), whole=True)
    rows = [
        {
            "queue": queue,
            "from": moment(start, p.time_us),
            "to": moment(start, q.time_us),
            "at": clock(start, p.time_us),
        }
        | {"depth": p.depth, "settled": p.live + p.uncommitted}
        | {part: getattr(p, part) for part in _PARTS}
        for p, q in zip(points, [*points[1:], points[-1]], strict=True)
    ]
    base = alt.Chart(rows).encode(x=x)
    layers = [_area(base, part, any(getattr(p, part) for p in points)) for part in _AREAS]
    lines = alt.Chart(_uprights(points, start, queue)).encode(x=x, y=_count("settled"), y2="depth")
    layers.append(lines.mark_rule(stroke=LIGHT.expired, strokeWidth=1, opacity=0.75, tooltip=None, aria=False))
    line = base.mark_line(interpolate="step-after", stroke=LIGHT.ink, strokeWidth=1.2, tooltip=None)
    layers.append(line.encode(y=_count("depth")))  # CURDEPTH itself, on top
    tips = [alt.Tooltip("at:N", title="from"), alt.Tooltip("depth:Q", title="CURDEPTH", format=",")]
    tips += [alt.Tooltip(f"{part}:Q", title=words, format=",") for part, words in _PARTS.items()]
    unseen = base.mark_rect(opacity=0, aria=False)  # has the figures under the pointer
    layers.append(unseen.encode(x2="to:T", y=_count("depth"), y2=alt.datum(0), tooltip=tips))
    if limit:
        once = alt.Chart(rows).transform_aggregate(**{"from": "min(from)"})
        once = once.transform_calculate(limit=f"{limit}", word=f"'MAXDEPTH {limit}'").encode(y=_count("limit"))
        words = once.mark_text(align="left", baseline="bottom", dx=6, dy=-3, color=LIGHT.alarm, fontWeight=600)
        layers.append(once.mark_rule(stroke=LIGHT.alarm, strokeDash=[6, 4], strokeWidth=1.5))
        layers.append(words.encode(x=x, text="word:N"))
    found, subtitle = _words(frame, start, deepest, maxdepth)
    title = f"{queue}: {found}"
    shown = alt.TitleParams(title if len(title) <= 75 else [queue, found], subtitle=subtitle)
    chart = layered(*layers).resolve_scale(fill="independent")
    return chart.properties(width=WIDTH, height=260, title=shown, description=f"{title}. {subtitle}.")


def _words(frame: DepthFrame, start: datetime, deepest: int, maxdepth: int | None) -> tuple[str, str]:
    """The title, without the queue, and the subtitle."""
    worst, told = frame.worst, []
    full = [at for at, p in enumerate(frame.points) if maxdepth and p.depth >= maxdepth]
    if full:
        stays = len(full) == len(frame.points) - full[0]
        told.append(f"full {'since' if stays else 'at'} {clock(start, frame.points[full[0]].time_us)[:8]}")
    if worst.expired:
        expired = f"{thousands(worst.expired)} of {plural(worst.depth, 'message')} had expired"
        told.append(f"{expired} at {clock(start, worst.time_us)[:8]} and still counted")
    subtitle = f"CURDEPTH and what it is made of; at most {thousands(deepest)}"
    subtitle += f" of MAXDEPTH {maxdepth}" if maxdepth else ""
    if frame.step_us:
        subtitle += f"; the deepest moment of each {duration(frame.step_us // SECOND * SECOND or frame.step_us)}"
    return "; ".join(told) or f"at most {plural(deepest, 'message')}, and none expired", subtitle


def _count(field: str) -> alt.Y:
    axis = alt.Axis(tickCount=5, labelExpr=THOUSANDS, tickMinStep=1)
    return alt.Y(f"{field}:Q", title="messages", axis=axis, scale=alt.Scale(zero=True))


def _area(base: alt.Chart, part: str, known: bool) -> alt.Chart:
    """One part of the depth, in the legend if it is `known`: the data that a reader may give instead can have all."""
    low, high, fill, opacity, line = _AREAS[part]
    square = {"symbolType": "square", "symbolStrokeColor": line, "symbolStrokeWidth": 1.2, "symbolOpacity": opacity}
    key, scale = alt.Legend(title=None, **square) if known else None, alt.Scale(domain=[_PARTS[part]], range=[fill])
    area = base.mark_area(interpolate="step-after", fillOpacity=opacity).transform_calculate(part=f"'{_PARTS[part]}'")
    return area.encode(y=_count(high), y2=low, fill=alt.Fill("part:N", scale=scale, legend=key))


def _uprights(points: list[DepthPoint], start: datetime, queue: str) -> list[dict[str, Any]]:
    """Thin uprights through the expired part, so that it needs no color."""
    first, last = points[0].time_us, points[-1].time_us
    rows = []
    for t in range(first, last, max(1, (last - first) * 5 // WIDTH)):
        point = points[bisect_right(points, t, key=lambda p: p.time_us) - 1]
        if point.expired:
            low = point.live + point.uncommitted
            rows.append({"queue": queue, "from": moment(start, t), "settled": low, "depth": point.depth})
    return rows
