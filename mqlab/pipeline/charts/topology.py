"""A topology of an execution in Spark: sources above, a box for each stage, and the answer at the bottom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from ...engine.words.errors import LabError
from ...views.charts.axes import WIDTH
from ...views.text import plural, shorten
from ...views.theme import LIGHT
from .shared import coloured, finished, tips

MOST = 40
"""A drawing of more boxes cannot be read."""
ACROSS, GAP, BELOW = 4, 12, 34
WIDE, LINE, LETTERS = (WIDTH - (ACROSS - 1) * GAP) // ACROSS, 15, 24
STEPS = 6

ONCE, AGAIN = "scan", "scan of a source that is read again"
SHUFFLE, BROADCAST, CACHE = "shuffle", "broadcast", "cache"
COLOURS = {ONCE: LIGHT.structure, AGAIN: LIGHT.alarm, SHUFFLE: LIGHT.live, BROADCAST: LIGHT.gets, CACHE: LIGHT.differs}
DASHES = {BROADCAST: [6, 3], CACHE: [2, 2]}
TOLD = {"box": "Box", "steps": "Steps", "reads": "Reads from", "rows": "Rows", "tasks": "Tasks"}
"""The columns of the table about the boxes, each with its heading."""

Node = tuple[str, str | int]
"""("source", its place) or ("stage", Spark's number of it)."""


class Box(NamedTuple):
    """A box of the drawing: its first line, its other lines, whether it costs more than it should, and the words of
    TOLD."""

    head: str
    lines: tuple[str, ...]
    costly: bool
    told: tuple[str, ...]

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return 12 + LINE * (1 + len(self.lines))


def execution_chart(did: Any) -> alt.LayerChart:
    """The stages of an `mqlab.pipeline.execution.Execution` and what they read, drawn from the sources to the answer.

    A source that is read again and a skewed stage are outlined, and say so. LabError for more than 40 boxes.
    """
    if type(did).__name__ != "Execution":
        raise LabError(f"did must be what mqlab.pipeline.execution.why returns; got {did!r:.200}")
    boxes = dict(_boxes(did))
    if len(boxes) > MOST:
        raise LabError(
            f"a drawing must have at most {MOST} boxes; this execution has {len(boxes)}. Choose one query: "
            f"read_execution(path, query=...)"
        )
    links = list(_links(did))
    places, high = _places(boxes, [(a, b) for a, b, _ in links])
    across, down = (alt.Scale(domain=domain, nice=False) for domain in ([0, WIDTH], [high, 0]))

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=across, axis=None)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", scale=down, axis=None)

    rows = []
    for node, box in boxes.items():
        left, top = places[node]
        corners = (left, top, left + WIDE, top + box.height, left + 8, top + 6, top + 6 + LINE)
        rows.append((*corners, box.costly, box.head, "\n".join(box.lines), *box.told))
    edges = ("left", "top", "right", "bottom", "inner", "first", "second")
    drawn = alt.Chart(pd.DataFrame(rows, columns=[*edges, "costly", "head", "lines", *TOLD]))
    edge, ink = (
        alt.condition(alt.datum.costly, alt.value(LIGHT.alarm), alt.value(other))
        for other in (LIGHT.structure, LIGHT.ink)
    )
    frames = drawn.mark_rect(cornerRadius=4, fill=LIGHT.panel, strokeWidth=1.5).encode(
        x=x("left"), y=y("top"), x2="right:Q", y2="bottom:Q", stroke=edge, tooltip=tips(**TOLD)
    )
    look: dict[str, Any] = {"align": "left", "baseline": "top", "lineBreak": "\n", "lineHeight": LINE}
    heads = drawn.mark_text(fontSize=12, fontWeight=600, **look)
    heads = heads.encode(x=x("inner"), y=y("first"), text="head:N", color=ink)
    words = drawn.mark_text(fontSize=11, color=LIGHT.ink, **look)
    words = words.encode(x=x("inner"), y=y("second"), text="lines:N")
    ends = [
        (places[a][0] + WIDE / 2, places[a][1] + boxes[a].height, places[b][0] + WIDE / 2, places[b][1], kind)
        for a, b, kind in links
    ]
    lines = pd.DataFrame(ends, columns=["from_x", "from_y", "to_x", "to_y", "kind"])
    kinds = {kind: COLOURS[kind] for kind in COLOURS if kind in set(lines["kind"])}
    dashes = alt.Scale(domain=list(kinds), range=[DASHES.get(kind, [1, 0]) for kind in kinds])
    dash = alt.StrokeDash("kind:N", scale=dashes, sort=list(kinds), title=None)
    paths = alt.Chart(lines).mark_rule(strokeWidth=1.5)
    paths = paths.encode(
        x=x("from_x"), y=y("from_y"), x2="to_x:Q", y2="to_y:Q", color=coloured("kind", kinds), strokeDash=dash
    )
    title = alt.TitleParams(
        did.title, subtitle="Each box is a stage of Spark; rows go from the sources down to the answer"
    )
    shown = (
        f"{', '.join([box.head, *box.lines])}" + f", from {box.told[2]}" * bool(box.told[2]) for box in boxes.values()
    )
    return finished(alt.layer(paths, frames, heads, words), title, shown, width=WIDTH, height=high)


def _boxes(did: Any) -> Iterator[tuple[Node, Box]]:
    """The sources, then the stages, each with its box."""
    named = {scan.place: scan.source for scan in did.scans}
    for place, name in named.items():
        scans = [scan for scan in did.scans if scan.place == place]
        times = "read once" if len(scans) == 1 else f"read {len(scans)} times"
        rows = plural(sum(scan.rows for scan in scans), "row")
        yield ("source", place), Box(shorten(name, LETTERS), (times, rows), len(scans) > 1, (name, times, "", rows, ""))
    for stage in did.stages:
        scans = [scan for scan in did.scans if scan.stage == stage.number]
        sent = sorted({each.rows for each in did.links if each.sender == stage.number and each.kind == SHUFFLE})
        rows = f"{plural(sum(scan.rows for scan in scans), 'row')} read" if scans else ""
        shuffled = ", ".join(f"{plural(each, 'row')} shuffled" for each in sent)
        skew = f"longest {stage.longest:.1f} s, median {stage.median:.1f} s" if stage.skewed else ""
        steps = list(_steps(stage))
        more = [f"and {len(steps) - STEPS + 1} more steps"] if len(steps) > STEPS else []
        lines = [*(steps[: STEPS - 1] if more else steps), *more, plural(stage.tasks, "task"), skew, rows, shuffled]
        senders = sorted({each.sender for each in did.links if each.receiver == stage.number})
        reads = [*dict.fromkeys(scan.source for scan in scans), *(f"stage {each}" for each in senders)]
        head, counts = f"stage {stage.number}, job {stage.job}", ", ".join(filter(None, [rows, shuffled]))
        told = (head, ", ".join(steps), ", ".join(reads), counts, str(stage.tasks))
        yield ("stage", stage.number), Box(head, tuple(filter(None, lines)), stage.skewed, told)


def _steps(stage: Any) -> Iterator[str]:
    """The steps of a stage, each once with how many there are."""
    for name, times in Counter(stage.steps).items():
        number = f" ×{times}" if times > 1 else ""
        yield shorten(name, LETTERS - len(number)) + number


def _links(did: Any) -> Iterator[tuple[Node, Node, str]]:
    """The lines between boxes, with their kinds."""
    often = Counter(scan.place for scan in did.scans)
    for scan in (scan for scan in did.scans if scan.stage is not None):
        yield ("source", scan.place), ("stage", scan.stage), AGAIN if often[scan.place] > 1 else ONCE
    for link in did.links:
        yield ("stage", link.sender), ("stage", link.receiver), link.kind


def _places(boxes: dict[Node, Box], links: Iterable[tuple[Node, Node]]) -> tuple[dict[Node, tuple[float, int]], int]:
    """The left and upper edge of each box, and the height of all: each below what it reads, and near it."""
    # a box without a link is at the end
    import networkx as nx  # half of the time that `import mqlab` would take

    graph = nx.DiGraph((a, b) for a, b in links if a[0] != b[0] or a < b)
    alone = [node for node in boxes if node not in graph]
    places: dict[Node, tuple[float, int]] = {}
    order = {node: number for number, node in enumerate(boxes)}

    def middle(node: Node) -> tuple[float, int]:
        above = [places[each][0] for each in graph.predecessors(node)]
        return sum(above) / max(1, len(above)), order[node]

    top = 0
    for nodes in (*nx.topological_generations(graph), alone):
        ordered = nodes if nodes is alone else sorted(nodes, key=middle)
        for row in (ordered[first : first + ACROSS] for first in range(0, len(ordered), ACROSS)):
            left = (WIDTH - len(row) * WIDE - (len(row) - 1) * GAP) / 2
            places |= {node: (left + number * (WIDE + GAP), top) for number, node in enumerate(row)}
            top += max(boxes[node].height for node in row) + BELOW
    return places, max(top - BELOW, LINE)
