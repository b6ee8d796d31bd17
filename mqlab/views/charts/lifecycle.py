"""The chart of messages' lives, as an altair object; every state and every end has a color and a shape."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

import altair as alt

from ...engine.explain.words import rule_title
from ...engine.words.errors import LabError
from ..frames.lifecycle_rows import ENDS, MARKS, SLOWEST, STATES, LifecycleFrame, Mark, Segment, lifecycle_frame
from ..frames.moments import At, Lab, clock, day, moment_us
from ..text import label_of, plural, sans_width, thousands
from ..theme import LIGHT
from .axes import WIDTH, layered, moment, time_axis
from .lifecycle_groups import MOST, Bar, Row, grouped_rows, single_rows
from .renderer import plot_area, themed_svg


class Style(NamedTuple):
    """The bar of a state: its fill and outline, its share of the row's height, the dash of the outline, and the texture
    over it. The texture is a path between -1 and 1, drawn like the outline every `every` pixels; "" for none."""

    fill: str
    line: str
    height: float
    dash: tuple[int, int]
    texture: str = ""
    every: int = 0


class Shape(NamedTuple):
    """A mark's sign: a shape of Vega's or a path between -1 and 1, its color, and whether it is filled."""

    shape: str
    colour: str
    filled: bool


_SOLID, _DASHED, _DOTTED = (1, 0), (3, 2), (1, 2)
BARS = {
    "not committed": Style(LIGHT.uncommitted_ground, LIGHT.uncommitted_line, 0.36, _DASHED, "M-.2,0H.2", 7),
    "on the queue": Style(LIGHT.live, LIGHT.live, 0.62, _SOLID),
    "on a transmission queue": Style(LIGHT.level, LIGHT.live, 0.62, _SOLID, "M-.4,-.8L.4,0L-.4,.8", 9),
    "in flight": Style(LIGHT.panel, LIGHT.structure, 0.32, _DOTTED, "M-.9,0H.9M.3,-.6L.9,0L.3,.6", 14),
    "locked": Style(LIGHT.level, LIGHT.live, 0.62, _SOLID, "M0,-1V1", 5),
    "on a dead-letter queue": Style(LIGHT.panel, LIGHT.alarm, 0.62, _SOLID, "M-.6,-.6L.6,.6M-.6,.6L.6,-.6", 11),
    "expired, still counted": Style(LIGHT.expired_ground, LIGHT.expired, 0.62, _SOLID, "M-.5,1L.5,-1", 6),
    "got, not committed": Style(LIGHT.held, LIGHT.gets, 0.26, _SOLID, "M-.9,0H.9", 10),
}
_CROSS = "M-1 -.45L-.45 -1L0 -.55L.45 -1L1 -.45L.55 0L1 .45L.45 1L0 .55L-.45 1L-1 .45L-.55 0Z"
SIGNS = {
    "got": Shape("circle", LIGHT.gets, True),
    "discarded": Shape(_CROSS, LIGHT.expired, True),
    "rejected": Shape(_CROSS, LIGHT.ink, False),
    "lost": Shape("diamond", LIGHT.alarm, True),
    "cleared": Shape("square", LIGHT.ink, True),
    "backed out": Shape("square", LIGHT.uncommitted_line, False),
    "still there": Shape("triangle-right", LIGHT.ink, False),
    "moved on": Shape("triangle-right", LIGHT.gets, True),
    "returned by backout": Shape("triangle-left", LIGHT.uncommitted_line, True),
    "report": Shape("triangle-up", LIGHT.ink, True),
    "report sent": Shape("triangle-up", LIGHT.ink, False),
}
LEGEND_WORDS = {
    "discarded": "discarded: it had expired",
    "rejected": "rejected: undeliverable, discarded",
    "backed out": "its put was backed out",
    "report": "a report message",
}

MOST_STROKES = 1500
WHOLE = 755  # pixels of the plot and its labels: what a prediction has beside the side bar, 1280 pixels wide
_SPOKEN = (
    "datum.who + ', ' + datum.state + ', ' + datum.time + ': ' + datum.what + (datum.rule ? '. ' + datum.rule : '')"
)
_WORDS = {"who": "message", "state": "state", "time": "time", "what": "what happened", "rule": "rule"}
_TIPS = [alt.Tooltip(f"{field}:N", title=title) for field, title in _WORDS.items()]
_CHANNELS = {"shape": alt.Shape, "fill": alt.Fill, "stroke": alt.Stroke, "strokeDash": alt.StrokeDash}


def lifecycle_chart(
    lab: Lab,
    messages: Any = None,
    *,
    queue: str | None = None,
    qmgr: str | None = None,
    start: At = None,
    end: At = None,
    limit: int = 2000,
    group: bool | None = None,
) -> alt.LayerChart:
    """The lives of some messages, each on a row, from put to end, with the rule and a sentence under the pointer.

    The messages are `messages` (Message or number), or those that arrived on `queue` (any queue if not given) between
    `start` and `end`, each "HH:MM:SS", an ISO time, a datetime or seconds since the lab's start. At most `limit` are
    drawn; the chart says how many it left out and how to choose. With `group` a row stands for messages that fared
    alike; by default, if there are more than 60.

    LabError when there is no such message.
    """
    frame = _frame_of(lab, messages, start, end, queue=queue, qmgr=qmgr, limit=limit)
    return draw_lifecycles(frame, lab.start, group)


def lifecycle_svg(lab: Lab, messages: Any = None, **options: Any) -> tuple[str, Callable[[int], float]]:
    """The chart of `lifecycle_chart` as SVG for a page, and the x of a time in it.

    The SVG follows the page's light or dark theme. Its root has the time scale, so that a script can draw a line at
    any moment: data-from-us and data-to-us (microseconds since the lab's start) are at data-x0 and data-x1, between
    data-y0 and data-y1 (SVG user units). `options` are those of `lifecycle_chart`; the function takes microseconds.
    """
    group = options.pop("group", None)
    frame = _frame_of(lab, messages, **options)
    first, last = _stretch(frame, _grouped(frame, group))
    svg = themed_svg(draw_lifecycles(frame, lab.start, group))
    x0, y0, x1, y1 = plot_area(svg)
    scale = {"from-us": first, "to-us": last, "x0": x0, "x1": x1, "y0": y0, "y1": y1}
    told = "".join(f' data-{name}="{value:.15g}"' for name, value in scale.items())
    return svg.replace("<svg", f"<svg{told}", 1), lambda time_us: x0 + (x1 - x0) * (time_us - first) / (last - first)


def _frame_of(lab: Lab, messages: Any, start: At = None, end: At = None, **options: Any) -> LifecycleFrame:
    """The rows of the chart; `options` are those of `lifecycle_frame`."""
    start_us = 0 if start is None else moment_us(lab.start, start)
    end_us = lab.now_us if end is None else moment_us(lab.start, end)
    frame = lifecycle_frame(lab.events, messages, start_us=start_us, end_us=end_us, **options)
    if not frame.messages:
        where = f" on {options['queue']}" if options.get("queue") else ""
        where += f" between {clock(lab.start, start_us)} and {clock(lab.start, end_us)}"
        raise LabError(
            f"messages must be at least one{where}; got none. lab.events.where(kind='put') lists what was put"
        )
    return frame._replace(labels={number: label_of(lab, number) for number in frame.messages})


def _grouped(frame: LifecycleFrame, group: bool | None) -> bool:
    return len(frame.messages) > MOST if group is None else group


def _stretch(frame: LifecycleFrame, grouped: bool = False) -> tuple[int, int]:
    """The times at both ends of the x axis, in microseconds since the lab's start."""
    first = min([s.from_us for s in frame.segments] + [m.time_us for m in frame.marks])
    last = max([s.to_us for s in frame.segments] + [m.time_us for m in frame.marks])
    return first, last + max(1000, (last - first) // (12 if grouped else 30))


def draw_lifecycles(frame: LifecycleFrame, start: datetime, group: bool | None = None) -> alt.LayerChart:
    """A lifecycle frame as a chart; `group` as for `lifecycle_chart`."""
    grouped = _grouped(frame, group)
    first, last = _stretch(frame, grouped)
    heights = {state: style.height for state, style in BARS.items()}
    rows = grouped_rows(frame, first, last) if grouped else single_rows(frame, heights)
    drawing = _Drawing(rows, start, first, last, grouped)
    title, sentence = _words(frame, start, first, grouped, sum(row.slow for row in rows))
    return (
        layered(*drawing.layers())
        .resolve_scale(fill="independent", stroke="independent", shape="independent", strokeDash="independent")
        .properties(width=drawing.width, height=drawing.height * len(rows))
        .properties(title=alt.TitleParams(title, subtitle=sentence), description=f"{title}. {' '.join(sentence)}")
    )


class _Drawing:
    """The layers of a chart: row i is drawn between y = i and y = i + 1."""

    def __init__(self, rows: list[Row], start: datetime, first: int, last: int, grouped: bool) -> None:
        self.rows, self.start, self.first, self.last, self.grouped = rows, start, first, last, grouped
        many = len(rows)
        self.height = 24 if grouped else 22 if many <= MOST else 12 if many <= 120 else 8 if many <= 500 else 4
        self.pad = 0.08 if grouped else 0.0
        self.letters = 8 if self.height < 22 else 11
        widest = max(sans_width(row.label, self.letters) for row in rows)
        self.width = round(min(WIDTH, WHOLE - widest))
        self.pixel = (last - first) / self.width  # in microseconds
        self.x = time_axis(start, first, last)

    def layers(self) -> list[alt.Chart]:
        """All layers, from the lowest to the highest."""
        found = []
        if self.grouped:  # the foot of each group's row
            line = alt.Chart([{"y": self._at(i, 0)} for i in range(len(self.rows))])
            line = line.mark_rule(stroke=LIGHT.grid, strokeWidth=1, tooltip=None, aria=False)
            found.append(line.encode(y=self._y("y")))
        states = [state for state in STATES if any(b.state == state for row in self.rows for b in row.bars)]
        found += [self._bars(state) for state in states]
        found += [layer for state in states if BARS[state].texture for layer in self._texture(state)]
        if states:
            found.append(self._legend(states))
        return [*found, *self._signs()]

    def _y(self, field: str) -> alt.Y:
        names = json.dumps([row.label for row in self.rows])
        labels = {
            "labelExpr": f"{names}[floor(datum.value)]",
            "labelFontSize": self.letters,
            "labels": self.height >= 8,
        }
        labels |= {"labelPadding": 8, "labelLimit": 0, "labelOverlap": "parity" if self.height < 22 else False}
        axis = alt.Axis(values=[i + 0.5 for i in range(len(self.rows))], grid=False, **labels)
        scale = alt.Scale(domain=[len(self.rows), 0], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=axis, title=None)

    def _at(self, i: int, share: float) -> float:
        """The y of a share of a row's height, counted from its foot."""
        return round(i + 1 - self.pad - share * (1 - 2 * self.pad), 4)

    def _bars(self, state: str) -> alt.Chart:
        """The bars of one state."""
        look = BARS[state]
        rows = [
            {
                "who": row.name,
                "from": moment(self.start, bar.from_us),
                "to": moment(self.start, bar.to_us),
                "low": self._at(i, bar.low),
                "high": self._at(i, bar.high),
                "state": state,
                "time": f"{clock(self.start, bar.from_us)} to {clock(self.start, bar.to_us)}",
                "what": bar.reason,
                "rule": rule_title(bar.rule),
                "edge": edge,
            }
            for i, row in enumerate(self.rows)
            for bar, edge in self._edged([bar for bar in row.bars if bar.state == state], look)
        ]
        dash = {} if self.grouped else {"strokeDash": list(look.dash)}
        bars = alt.Chart(rows).mark_rect(
            fill=look.fill, strokeWidth=0.5 if self.grouped else 1, description={"expr": _SPOKEN}, **dash
        )
        edges = alt.Stroke("edge:N", scale=None)
        return bars.encode(x=self.x, x2="to:T", y=self._y("low"), y2="high:Q", stroke=edges, tooltip=_TIPS)

    def _edged(self, bars: list[Bar], look: Style) -> Any:
        """Bars of one state and row with the color of their outline."""
        # a group's bars are cut into steps that outlines would take apart: only where they are too short to be seen
        # without, they have one
        first = 0
        for i, bar in enumerate(bars):
            if i + 1 < len(bars) and bars[i + 1].from_us == bar.to_us:
                continue
            short = bar.to_us - bars[first].from_us < 8 * self.pixel
            edge = look.line if short or not self.grouped else look.fill
            yield from ((each, edge) for each in bars[first : i + 1])
            first = i + 1

    def _texture(self, state: str) -> list[alt.Chart]:
        """The strokes over the bars of one state, further apart on large ones."""
        look = BARS[state]
        found = [(i, [b for b in row.bars if b.state == state]) for i, row in enumerate(self.rows)]
        total = sum(b.to_us - b.from_us for _, bars in found for b in bars)
        step = max(look.every * self.pixel, total / MOST_STROKES, 1)
        rows = [stroke for i, bars in found for stroke in self._strokes(i, bars, step)]
        if not rows:
            return []
        strokes = alt.Chart(rows).mark_point(
            shape=look.texture, stroke=look.line, strokeWidth=1.2, filled=False, opacity=1, tooltip=None, aria=False
        )
        return [strokes.encode(x=self.x, y=self._y("y"), size=alt.Size("size:Q", scale=None))]

    def _strokes(self, i: int, bars: list[Bar], step: float) -> Any:
        """The places of a texture over the bars of one state in row `i`, not where they are too low or too short."""
        room, due = self.height * (1 - 2 * self.pad), 0.0
        for bar in bars:
            high = (bar.high - bar.low) * room
            due = max(due, min(bar.from_us + step / 2, (bar.from_us + bar.to_us) / 2))
            while due < bar.to_us:
                if high >= 3 and (self.grouped or bar.to_us - bar.from_us >= 4 * self.pixel):
                    yield {
                        "from": moment(self.start, int(due)),
                        "y": self._at(i, (bar.low + bar.high) / 2),
                        "size": round((min(high, 12) * 0.68) ** 2, 1),
                    }
                due += step

    def _legend(self, states: list[str]) -> alt.Chart:
        """Unseen points that carry the legend of the states, each with its texture."""
        bars = [BARS[state] for state in states]
        looks: dict[str, list] = {
            "shape": ["M-1,-.8H1V.8H-1Z" + bar.texture for bar in bars],
            "fill": [bar.fill for bar in bars],
            "stroke": [bar.line for bar in bars],
            "strokeDash": [list(bar.dash) for bar in bars],
        }
        legend = alt.Legend(title=None, columns=4, symbolOpacity=1, symbolStrokeWidth=1.2, symbolSize=170)
        rows = [{"from": moment(self.start, self.first), "y": 0, "state": state} for state in states]
        points = alt.Chart(rows).mark_point(opacity=0, tooltip=None, aria=False)
        return points.encode(x=self.x, y=self._y("y"), **_looks("state", states, looks, legend))

    def _signs(self) -> list[alt.Chart]:
        """The ends and turns of lives, with how many they stand for."""
        rows = [told for i, row in enumerate(self.rows) for told in self._signs_of(i, row)]
        if not rows:
            return []
        present = [kind for kind in MARKS if any(row["kind"] == kind for row in rows)]
        size = 1.0 if self.height >= 22 else 0.5 if self.height >= 8 else 0.15
        words = f"{json.dumps(LEGEND_WORDS)}[datum.label] || datum.label"
        legend = alt.Legend(
            title=None, symbolStrokeWidth=1.6, orient="bottom", columns=5, labelExpr=words, symbolSize=95
        )
        shapes = [SIGNS[kind] for kind in present]
        looks = {
            "shape": [sign.shape for sign in shapes],
            "stroke": [sign.colour for sign in shapes],
            "fill": [sign.colour if sign.filled else LIGHT.paper for sign in shapes],
        }
        signs = (
            alt.Chart([row | {"size": row["size"] * size} for row in rows])
            .mark_point(strokeWidth=1.8 if size == 1 else 1, opacity=1, description={"expr": _SPOKEN})
            .encode(x=self.x, y=self._y("y"), size=alt.Size("size:Q", scale=None), tooltip=_TIPS)
            .encode(**_looks("kind", present, looks, legend))
        )
        counted = [row for row in rows if row["count"]]
        if not counted:
            return [signs]
        counts = alt.Chart(counted).mark_text(
            align="left", baseline="middle", dx=8, fontSize=10, color=LIGHT.ink, tooltip=None, aria=False
        )
        return [signs, counts.encode(x=self.x, y=self._y("y"), text="count:N")]

    def _signs_of(self, i: int, row: Row) -> Any:
        """The signs of one row; signs that would overlap, or that are at an open end, are moved aside."""
        free = float("-inf")
        for sign in sorted(row.signs, key=lambda s: (s.time_us, MARKS.index(s.kind))):
            at = sign.time_us + (9 * self.pixel if sign.kind == "still there" else 0)
            if (self.grouped and sign.kind in ENDS) or sign.kind == "report sent":
                at = max(at, free)
            count = f"×{thousands(sign.count)}" if sign.count > 1 and sign.kind in ENDS else ""
            free = at + (14 + 6.5 * len(count)) * self.pixel
            yield {
                "who": row.name,
                "from": moment(self.start, int(at)),
                "y": i + 0.5,
                "kind": sign.kind,
                "size": 95 if sign.kind in ENDS else 50,
                "state": LEGEND_WORDS.get(sign.kind, sign.kind),
                "count": count,
                "time": clock(self.start, sign.time_us),
                "what": sign.reason,
                "rule": rule_title(sign.rule),
            }


def _looks(field: str, values: list[str], looks: dict[str, list], legend: alt.Legend) -> dict[str, Any]:
    """The look of each value of a field, in every channel of `looks`, with one legend for all."""
    return {
        channel: _CHANNELS[channel](f"{field}:N", scale=alt.Scale(domain=values, range=each), legend=legend)
        for channel, each in looks.items()
    }


def _words(frame: LifecycleFrame, start: datetime, first: int, grouped: bool, slow: int) -> tuple[str, list[str]]:
    """The title and the subtitle."""
    fates = Counter(m.kind for m in frame.marks if m.message not in frame.reports)
    rows: list[Segment | Mark] = [*frame.segments, *frame.marks]
    queues = {(r.qmgr, r.queue) for r in rows if r.message not in frame.reports}
    where = f" on {next(iter(queues))[1]}" if len(queues) == 1 else f" on {len(queues)} queues"
    asked, last = len(frame.messages) - len(frame.reports), _stretch(frame)[1]
    told = [f"{thousands(fates[kind])} {kind}" for kind in ENDS if fates[kind]]
    title = f"What became of {plural(asked, 'message')}{where}" if asked else "What became of reports"
    reports = f"; {plural(len(frame.reports), 'report')} sent" if frame.reports else ""
    lines = [
        ", ".join(told) + reports,
        f"{clock(start, first)[:8]} to {clock(start, last)[:8]} UTC, {day(start, first)}, simulated time",
    ]
    if grouped:
        lines.append(
            "a row is messages with the same life; the height of a color is their number in that state; ×14: 14 of them"
        )
    if slow:
        lines.append(
            f"the {slow} slowest messages have rows of their own, at the top"
            if slow > 1
            else "the slowest message is at the top"
        )
    if frame.left_out:
        others = "others" if asked >= SLOWEST else "later messages"
        lines.append(f"{thousands(frame.left_out)} {others} are not shown")
        lines.append("choose with queue=, start=, end= or messages=, or raise limit=")
    return title, lines
