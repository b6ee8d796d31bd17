"""The chart of messages' lives, as an altair object; every state and every end has a colour and a shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime

import altair as alt

from ..errors import LabError
from .axes import WIDTH, moment, themed, time_axis
from .inline import plot_area, with_titles
from .lives import MARKS, STATES, LifecycleFrame, lifecycle_frame, rule_title
from .moments import clock, day, moment_us, start_of
from .renderer import picture
from .text import plural
from .theme import LIGHT

__all__ = ["draw_lives", "lifecycle_chart", "lifecycle_svg"]

ROW, MOST_STROKES = 22, 1500
# state: fill, fill opacity, outline, height, dash; no two alike even without colour
_BARS = {
    STATES[0]: (LIGHT.uncommitted, 0.25, LIGHT.uncommitted_line, 0.36, [3, 2]),
    STATES[1]: (LIGHT.live, 1.0, LIGHT.live, 0.62, [1, 0]),
    STATES[2]: (LIGHT.lapsed_ground, 1.0, LIGHT.lapsed, 0.62, [1, 0]),
    STATES[3]: (LIGHT.gets, 0.18, LIGHT.gets, 0.2, [1, 0]),
}
# mark: vega shape, turned by degrees, colour, filled
_SIGNS = {
    "got": ("circle", 0, LIGHT.gets, True),
    "discarded": ("cross", 45, LIGHT.lapsed, True),
    "still there": ("triangle-right", 0, LIGHT.ink, False),
    "moved on": ("triangle-right", 0, LIGHT.gets, True),
    "put taken back": ("square", 0, LIGHT.uncommitted_line, False),
    "returned by backout": ("triangle-left", 0, LIGHT.uncommitted_line, True),
    "cleared": ("square", 0, LIGHT.ink, True),
    "lost": ("diamond", 0, LIGHT.alarm, True),
    "undeliverable": ("diamond", 0, LIGHT.alarm, False),
    "report": ("triangle-up", 0, LIGHT.ink, True),
}
_SHAPES = {
    "circle": "circle",
    "cross": "M-1 -.45L-.45 -1L0 -.55L.45 -1L1 -.45L.55 0L1 .45L.45 1L0 .55L-.45 1L-1 .45L-.55 0Z",
}


def lifecycle_chart(
    lab, messages=None, *, queue: str | None = None, qmgr: str | None = None, start=None, end=None, limit: int = 200
) -> alt.LayerChart:
    """What became of some messages: a row each, from put to end, with the rule and a sentence under the pointer.

    Parameters
    ----------
    messages : iterable of Message or int, optional
        Which ones; otherwise those that arrived on `queue` (any queue if not given) between `start` and `end`.
    start, end : optional
        "HH:MM:SS", an ISO time, a datetime or seconds since the lab's start.
    limit : int
        At most so many rows; the chart says how many it left out and how to choose.

    LabError when there is no such message.
    """
    frame = _frame_of(lab, messages, queue, qmgr, start, end, limit)
    return draw_lives(frame, start_of(lab))


def lifecycle_svg(lab, messages=None, **options) -> tuple[str, Callable[[int], float]]:
    """The chart of `lifecycle_chart` as SVG for a page, and the x of a time in it.

    The SVG follows the page's light or dark theme. Its root tells the time scale, so that a script can draw a line at
    any moment: data-from-us and data-to-us (microseconds since the lab's start) stand at data-x0 and data-x1, between
    data-y0 and data-y1 (SVG user units). `options` are those of `lifecycle_chart`; the function takes microseconds.
    """
    chosen = {"queue": None, "qmgr": None, "start": None, "end": None, "limit": 200} | options
    frame = _frame_of(lab, messages, **chosen)
    first, last = _stretch(frame)
    svg = with_titles(picture(draw_lives(frame, start_of(lab)).to_dict()))
    x0, y0, x1, y1 = plot_area(svg)
    scale = {"from-us": first, "to-us": last, "x0": x0, "x1": x1, "y0": y0, "y1": y1}
    told = "".join(f' data-{name}="{value:.10g}"' for name, value in scale.items())
    return svg.replace("<svg", f"<svg{told}", 1), lambda time_us: x0 + (x1 - x0) * (time_us - first) / (last - first)


def _frame_of(lab, messages, queue, qmgr, start, end, limit) -> LifecycleFrame:
    """The rows of the chart that was asked for."""
    begin = start_of(lab)
    start_us = 0 if start is None else moment_us(begin, start)
    end_us = lab.now_us if end is None else moment_us(begin, end)
    if messages is not None and not hasattr(messages, "__iter__"):
        messages = [messages]
    frame = lifecycle_frame(lab.events, messages, queue=queue, qmgr=qmgr, start_us=start_us, end_us=end_us, limit=limit)
    if not frame.messages:
        raise LabError(
            f"messages wanted: at least one{f' on {queue}' if queue else ''} between {clock(begin, start_us)} and "
            f"{clock(begin, end_us)}; got none. lab.events.where(kind='put') lists what was put"
        )
    return frame


def _stretch(frame: LifecycleFrame) -> tuple[int, int]:
    """The times at both ends of the x axis, in microseconds since the lab's start."""
    first = min([s.from_us for s in frame.segments] + [m.time_us for m in frame.marks])
    open_end = frame.end_us if any(m.kind == "still there" for m in frame.marks) else 0
    last = max([open_end] + [s.to_us for s in frame.segments] + [m.time_us for m in frame.marks])
    return first, last + max(1000, (last - first) // 40)


def draw_lives(frame: LifecycleFrame, start: datetime) -> alt.LayerChart:
    """A lifecycle frame as a chart."""
    labels = _labels(frame)
    first, last = _stretch(frame)
    row = ROW if len(frame.messages) <= 60 else 12 if len(frame.messages) <= 120 else 8
    y = alt.Y(
        "row:N",
        sort=[labels[n] for n in frame.messages],
        title=None,
        scale=alt.Scale(paddingInner=0, paddingOuter=0.3),
        axis=alt.Axis(
            labelFontSize=11 if row > 10 else 8,
            labelPadding=8,
            labelLimit=260,
            grid=False,
            labels=row > 6,
            labelOverlap="parity" if row < ROW else False,
        ),
    )
    x = time_axis(start, first, last)
    layers = [
        _bars(frame, state, labels, start, x, y, row)
        for state in STATES
        if any(s.state == state for s in frame.segments)
    ]
    layers += _strokes(frame, labels, start, x, y, first, last)
    layers.append(_signs(frame, labels, start, y, (last - first) * 9 // WIDTH))
    title, sentence = _lives_words(frame, start, first, last)
    chart = (
        alt.layer(*layers)
        .resolve_scale(fill="independent", stroke="independent", shape="independent")
        .properties(width=WIDTH, height=row * len(frame.messages) + 12, title=alt.TitleParams(title, subtitle=sentence))
    )
    return themed(chart, f"{title}. {' '.join(sentence)}")


def _labels(frame: LifecycleFrame) -> dict[int, str]:
    """What stands left of each row: the message's number, and where there are several queues, those it came to."""
    came: dict[int, list] = {n: [] for n in frame.messages}
    for r in sorted((*frame.segments, *frame.marks), key=lambda r: r.from_us if hasattr(r, "from_us") else r.time_us):
        came[r.message] += [] if r.queue in came[r.message] else [r.queue]
    queue = {n: " → ".join(queues) for n, queues in came.items()}
    reports = {m.message: m.queue for m in frame.marks if m.kind == "report"}
    several = len({q for n, q in queue.items() if n not in reports}) > 1
    return {
        n: f"report {n} · {reports[n]}"
        if n in reports
        else f"message {n}" + (f" · {queue.get(n, '')}" if several else "")
        for n in frame.messages
    }


def _bars(frame, state: str, labels: dict, start: datetime, x: alt.X, y: alt.Y, row: int) -> alt.Chart:
    fill, opacity, line, height, dash = _BARS[state]
    rows = [
        {
            "row": labels[s.message],
            "from": moment(start, s.from_us),
            "to": moment(start, s.to_us),
            "state": s.state,
            "what": s.reason,
            "rule": rule_title(s.rule),
            "span": f"{clock(start, s.from_us)} to {clock(start, s.to_us)}",
        }
        for s in frame.segments
        if s.state == state
    ]
    words = alt.Scale(domain=[state], range=[fill])
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(
            size=row * height,
            stroke=line,
            strokeWidth=1,
            strokeDash=dash,
            fillOpacity=opacity,
            cornerRadius=2,
            strokeOpacity=1,
        )
        .encode(
            x=x,
            x2="to:T",
            y=y,
            description="what:N",
            fill=alt.Fill(
                "state:N",
                scale=words,
                legend=alt.Legend(
                    title=None,
                    symbolType="square",
                    symbolStrokeColor=line,
                    symbolStrokeWidth=1.2,
                    symbolDash=dash,
                    symbolFillColor=fill,
                    symbolOpacity=1 if opacity == 1 else opacity + 0.1,
                ),
            ),
            tooltip=_tips("span", "state"),
        )
    )


def _tips(when: str, what: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("row:N", title="message"),
        alt.Tooltip(f"{what}:N", title="state"),
        alt.Tooltip(f"{when}:N", title="time"),
        alt.Tooltip("what:N", title="what happened"),
        alt.Tooltip("rule:N", title="rule"),
    ]


def _strokes(frame, labels: dict, start: datetime, x: alt.X, y: alt.Y, first: int, last: int) -> list[alt.Chart]:
    """Slanting strokes over what has lapsed, as in the topology, further apart where there is much of it."""
    total = sum(s.to_us - s.from_us for s in frame.segments if s.state == STATES[2])
    step = max(1, (last - first) * 6 // WIDTH, total // MOST_STROKES)
    rows = [
        {"row": labels[s.message], "from": moment(start, t)}
        for s in frame.segments
        if s.state == STATES[2]
        for t in range(s.from_us + step, s.to_us - step // 2, step)
    ]
    if not rows:
        return []
    return [
        alt.Chart(alt.Data(values=rows))
        .mark_point(
            shape="M-.5,1L.5,-1", size=70, stroke=LIGHT.lapsed, strokeWidth=1.3, opacity=1, tooltip=None, aria=False
        )
        .encode(x=x, y=y)
    ]


def _signs(frame, labels: dict, start: datetime, y: alt.Y, nudge: int) -> alt.Chart:
    """The ends and turns of lives; `nudge` microseconds keep the sign of an open end off its bar."""
    rows = [
        {
            "row": labels[m.message],
            "from": moment(start, m.time_us + (nudge if m.kind == "still there" else 0)),
            "end": m.kind,
            "what": m.reason,
            "rule": rule_title(m.rule),
            "at": clock(start, m.time_us),
        }
        for m in frame.marks
    ]
    present = [k for k in MARKS if any(m.kind == k for m in frame.marks)]
    shape = alt.Scale(domain=present, range=[_SHAPES.get(_SIGNS[k][0], _SIGNS[k][0]) for k in present])
    legend = alt.Legend(title=None, symbolStrokeWidth=1.6, orient="bottom", columns=6)
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_point(size=95, strokeWidth=1.8, opacity=1)
        .encode(
            x=alt.X("from:T"),
            y=y,
            description="what:N",
            shape=alt.Shape("end:N", scale=shape, legend=legend),
            stroke=alt.Stroke(
                "end:N", scale=alt.Scale(domain=present, range=[_SIGNS[k][2] for k in present]), legend=legend
            ),
            fill=alt.Fill(
                "end:N",
                scale=alt.Scale(domain=present, range=[_SIGNS[k][2] if _SIGNS[k][3] else LIGHT.paper for k in present]),
                legend=legend,
            ),
            tooltip=_tips("at", "end"),
        )
    )


def _lives_words(frame: LifecycleFrame, start: datetime, first: int, last: int) -> tuple[str, list[str]]:
    reports = {m.message for m in frame.marks if m.kind == "report"}
    fates = Counter(m.kind for m in frame.marks if m.message not in reports)
    queues = list(dict.fromkeys(r.queue for r in (*frame.segments, *frame.marks) if r.message not in reports))
    where = f" on {queues[0]}" if len(queues) == 1 else f" on {len(queues)} queues"
    asked = len(frame.messages) - len(reports)
    told = [
        f"{fates[k]} {w}"
        for k, w in (
            ("got", "got"),
            (
                "discarded",
                "discarded after their lifetime" if fates["discarded"] > 1 else "discarded after its lifetime",
            ),
            ("put taken back", "taken back"),
            ("cleared", "cleared"),
            ("lost", "lost"),
            ("undeliverable", "undeliverable"),
            ("still there", "still there"),
        )
        if fates[k]
    ]
    title = f"What became of {plural(asked, 'message')}{where}"
    lines = [
        ", ".join(told) + (f"; {plural(len(reports), 'report')} sent" if reports else ""),
        f"{clock(start, first)[:8]} to {clock(start, last)[:8]} UTC, {day(start, first)}, simulated time",
    ]
    if frame.left_out:
        how = "choose with queue=, start=, end= or messages=, or raise limit="
        lines.append(f"{frame.left_out:,} later messages are not shown: {how}")
    return title, lines
