"""The topology as SVG: a pure function of a frame and a layout, without scripts, ids or outside files."""

from __future__ import annotations

from itertools import pairwise

from .drawing import Drawing, part
from .frames import NO_MESSAGES, ChannelNow, Queue, QueueManager, QueueNow, TopologyFrame
from .grid import prefix_of
from .ink import arrow, badge, glyph, line_path, number, opening, rect, rounded_left, text
from .layout import LEFT_OF_NAME, NAME, RIGHT_OF_NAME, Box, Layout, Route, lay_out
from .legend import legend
from .moments import clock, day
from .routing import unshared
from .strip import strip_blocks
from .text import MONO_EM, count, escape, mono_width, plural, sans_width, shorten, wrap
from .theme import style_sheet

__all__ = ["draw_topology", "route_key", "topology_drawing", "topology_parts", "topology_scaffold"]

SCOPE = ".mqlab-topology"
RADIUS = 9
_STYLE = style_sheet(SCOPE, "topology.css", "blocks.css")

_VERBS = {
    "puts": "puts to",
    "gets": "is read by",
    "alias": "is another name for",
    "remote": "sends by way of",
    "backout": "hands poison messages to",
    "initq": "asks for a program through",
    "talks": "sends to",
}
_KIND_WORDS = {
    "local": "local queue",
    "alias": "alias queue",
    "remote": "remote queue definition",
    "model": "model queue",
    "transmission": "transmission queue",
    "backout": "backout queue",
    "dead-letter": "dead-letter queue",
    "initiation": "initiation queue",
}


def draw_topology(frame: TopologyFrame, layout: Layout | None = None) -> str:
    """The picture of a frame as one SVG element, `class="mqlab-topology"`.

    The same frame and layout give the same bytes. Every name is escaped; colours come from CSS variables, so the
    picture follows JupyterLab's theme, or the reader's setting where there is none.
    """
    return topology_drawing(frame, layout).svg


def topology_drawing(frame: TopologyFrame, layout: Layout | None = None) -> Drawing:
    """The picture of a frame, what never changes apart from the parts that do."""
    layout = layout or lay_out(frame.outline)
    return Drawing(topology_scaffold(frame, layout), topology_parts(frame, layout))


def topology_scaffold(frame: TopologyFrame, layout: Layout) -> str:
    """Everything that depends on outline and layout alone, but for the words a reader hears."""
    names = {q.id: q for q in frame.outline.queues}
    people = {p.id: p.name for p in frame.outline.programs}
    notes, note_height = legend(frame, layout.width)
    height = layout.height + note_height
    parts = [
        opening("mqlab-topology", frame.sentence, layout.width, height, _STYLE, _description(frame)),
        rect(0, 0, layout.width, height, "paper", 12),
        part("head"),
    ]
    for panel in layout.panels:
        parts += [rect(*panel.box, "panel", 12), part(panel.name)]
    parts += _wires(layout.routes, {**{i: q.name for i, q in names.items()}, **people})
    parts += [part(route_key(r.edge)) for r in layout.routes if r.edge.kind == "talks"]
    parts += [part(id) for id in layout.queues]
    for (id, side), box in layout.programs.items():
        parts.append(part(f"{id}:{side}") if id in frame.channels else _program(people[id], side, box))
    parts.append(f'<g class="small" transform="translate(0 {number(layout.height)})">{notes}</g></svg>')
    return "".join(parts)


def route_key(edge) -> str:
    """What a line of the picture is called: `source>target`, the ids of what it joins."""
    return f"{edge.source}>{edge.target}"


def topology_parts(frame: TopologyFrame, layout: Layout, only: frozenset[str] | None = None) -> dict[str, str]:
    """The parts of the picture by key, those in `only` or all: "head", a queue manager's name, a node's id, a channel's
    id with its side, and the `route_key` of a session."""
    names = {q.id: q for q in frame.outline.queues}
    people = {p.id: p.name for p in frame.outline.programs}
    managers = {m.name: m for m in frame.outline.qmgrs}
    headings = {prefix_of(t) for p in layout.panels for t, *_ in p.headings}
    makers = {"head": lambda: "".join(_head(frame, layout))}
    for panel in layout.panels:
        makers[panel.name] = lambda panel=panel: "".join(_panel_words(managers[panel.name], panel, frame))
    for route in layout.routes:
        if route.edge.kind == "talks":
            cut = not frame.channels[route.edge.source].up
            makers[route_key(route.edge)] = lambda route=route, cut=cut: _cut(route) if cut else ""
    for id, box in layout.queues.items():
        makers[id] = lambda id=id, box=box: _card(
            names[id], frame.queues[id], box, prefix_of(names[id].name) in headings
        )
    for (id, side), box in layout.programs.items():
        if id in frame.channels:
            makers[f"{id}:{side}"] = lambda id=id, side=side, box=box: _channel(
                people[id], side, box, frame.channels[id]
            )
    return {key: make() for key, make in makers.items() if only is None or key in only}


def _description(frame: TopologyFrame) -> str:
    busy = [f"{q.name} {frame.queues[q.id].depth}" for q in frame.outline.queues if frame.queues[q.id].depth]
    return "Depth of each queue that is not empty: " + (", ".join(busy) or "none") + "."


def _head(frame: TopologyFrame, layout: Layout) -> list[str]:
    time = clock(frame.start, frame.time_us // 1000 * 1000)  # microseconds would only be noise here
    lines = wrap(frame.summary, layout.width - 40, 13)
    return [
        text(20, 32, time, "clock"),
        text(20 + sans_width(time, 24, True) + 10, 32, f"UTC · {day(frame.start, frame.time_us)}", "day"),
        *(text(20, 53 + 17 * i, line, "said") for i, line in enumerate(lines[:2])),
    ]


def _panel_words(manager: QueueManager, panel, frame: TopologyFrame) -> list[str]:
    box = panel.box
    mine = [frame.queues[q.id] for q in frame.outline.queues if q.qmgr == manager.name]
    stopped = manager.name in frame.stopped
    words = [plural(len(mine), "queue"), plural(sum(q.depth for q in mine), "message")]
    words = next(
        w
        for w in (" · ".join(filter(None, [manager.platform, *words])), " · ".join(words), "")
        if sans_width(w, 11) <= box.width - 40
    )
    return [
        text(box.x + 20, box.y + 27, manager.name, "qmgr"),
        _pill("STOPPED", box.x + 30 + sans_width(manager.name, 17, True), box.y + 21) if stopped else "",
        f'<g class="small">{text(box.x + 20, box.y + 43, words, "")}</g>',
        *(text(x, y, shorten(title.upper(), int(room / 9)), "heading") for title, x, y, room in panel.headings),
    ]


def _wires(routes: tuple[Route, ...], names: dict[str, str]) -> list[str]:
    """Lines in bundles that belong together, each with a halo so that crossings read as crossings."""
    bundles: dict[tuple[str, str], list[Route]] = {}
    for route in routes:
        bundles.setdefault(
            (route.edge.kind, route.edge.source if route.edge.kind == "puts" else route.edge.target), []
        ).append(route)
    parts = []
    for (kind, _), bundle in bundles.items():
        paths = _bundle_paths(bundle, forks=kind == "puts")
        parts.append("".join(f'<path class="halo" d="{d}"/>' for d in paths))
        for route, d in zip(bundle, paths, strict=True):
            told = f"{names[route.edge.source]} {_VERBS[kind]} {names[route.edge.target]}"
            parts.append(
                f'<g><title>{escape(told)}</title><path class="wire {kind}" d="{d}"/>'
                f"{arrow(route.points[-1][0] - 0.5, route.points[-1][1], f'tip {kind}')}</g>"
            )
    return parts


def _bundle_paths(bundle: list[Route], forks: bool) -> list[str]:
    """Path data for each line of a bundle, the common stretch drawn with the first only."""
    drawn: list = []
    paths = []
    for route in bundle:
        points = [*route.points[:-1], (route.points[-1][0] - 6, route.points[-1][1])]
        points = unshared(points[::-1] if forks else points, drawn)
        drawn += pairwise(points)
        paths.append(line_path(points))
    return paths


def _card(queue: Queue, now: QueueNow, box: Box, dim: bool) -> str:
    """One queue: sign and name, and for a queue that holds messages the level, the strip and the figures."""
    holds = queue.kind not in NO_MESSAGES
    group = "<g>" if now.defined else '<g class="ghost">'
    parts = [f"{group}<title>{escape(_told(queue, now))}</title>", rect(*box, "card", RADIUS)]
    if holds and now.depth:
        parts += _level(now, box)
    parts.append(rect(*box, "rim over" if now.full else "rim", RADIUS))
    middle = box.y + (18 if holds else 14.5)
    parts += [glyph(queue.kind, box.x + 19, middle), _name(queue.name, box, middle + 4.3, dim)]
    x, room = box.x + LEFT_OF_NAME, box.width - LEFT_OF_NAME - RIGHT_OF_NAME
    if holds:
        parts += [
            strip_blocks(now, x, box.y + 29.5, room),
            '<g class="small">',
            text(x, box.y + 49.5, _figures(now, room) if now.defined else "not defined yet", ""),
            "</g>",
        ]
    else:
        parts += ['<g class="small">', text(x, box.y + 32, _leads(queue, room), ""), "</g>"]
    edge = box.right - 16
    if now.full:
        parts.append(_pill("FULL", edge - 30, box.y))
        edge -= 48
    for letter, allowed in (("G", now.get), ("P", now.put)):
        if not allowed and queue.kind != "model":
            parts.append(badge(letter, edge, box.y))
            edge -= 21
    return "".join(parts) + "</g>"


def _pill(word: str, x: float, y: float) -> str:
    """A word of alarm on a pill whose left end is at x and whose middle is at y."""
    width = sans_width(word, 10, True) + 10
    return rect(x, y - 8, width, 16, "fullpill", 8) + text(x + width / 2, y + 3.6, word, "fulltext", "middle")


def _told(queue: Queue, now: QueueNow) -> str:
    words = f"{queue.name}: {_KIND_WORDS[queue.kind]}"
    words += f" for {queue.target}" if queue.target else ""
    words += f" ({queue.description})" if queue.description else ""
    if queue.kind not in NO_MESSAGES:
        words += f". {plural(now.depth, 'message')} of {now.maxdepth:,}: {now.live:,} can be got, "
        words += f"{now.uncommitted:,} not committed, {now.lapsed:,} lapsed and still counted"
    words += "" if now.put else ". Puts are inhibited"
    return words + ("" if now.get else ". Gets are inhibited") + "."


def _name(name: str, box: Box, y: float, dim: bool) -> str:
    shown = shorten(name, int((box.width - LEFT_OF_NAME - RIGHT_OF_NAME + 2) / (NAME * MONO_EM)))
    stem = prefix_of(name) + "."
    pieces = [("stem", stem), ("", shown[len(stem) :])] if dim and shown.startswith(stem) else [("", shown)]
    return text(box.x + LEFT_OF_NAME, y, pieces, "name")


def _level(now: QueueNow, box: Box) -> list[str]:
    """The fill behind the card: depth as a share of MAXDEPTH, at least a sliver when there is anything."""
    share = min(1.0, now.depth / now.maxdepth) if now.maxdepth else 0
    width = max(2.5, share * box.width)
    line = max(0.0, min(width, box.width - RADIUS) - RADIUS)
    foot = f'<path class="foot" d="M{number(box.x + RADIUS)} {number(box.bottom - 1)}h{number(line)}"/>' if line else ""
    return [f'<path class="level" d="{rounded_left(box.x, box.y, width, box.height, box.width, RADIUS)}"/>', foot]


def _figures(now: QueueNow, room: float) -> list[tuple[str, str]]:
    """Depth, MAXDEPTH and how much has lapsed or is not committed, as fully as the room allows; lapsed goes last."""
    for of, word, full in (
        (" of ", "uncommitted", True),
        (" of ", "uncom.", True),
        ("/", "uncom.", True),
        ("/", "", False),
    ):
        pieces = [("strong" if now.depth else "", count(now.depth)), ("", of + count(now.maxdepth))]
        pieces += [("", " · "), ("warn", f"{count(now.lapsed)} lapsed")] if now.lapsed else []
        pieces += [("", f" · {count(now.uncommitted)} {word}")] if now.uncommitted and full else []
        if sans_width("".join(w for _, w in pieces), 11) <= room:
            break
    return pieces


def _leads(queue: Queue, room: float) -> list[tuple[str, str]]:
    if not queue.target:
        return [("", _KIND_WORDS[queue.kind])]
    verb = "for " if queue.kind == "alias" else "to "
    return [("", verb), ("code", shorten(queue.target, int((room - sans_width(verb, 11)) / (11 * MONO_EM))))]


def _cut(route: Route) -> str:
    """A pill on the line between two channels whose path is cut."""
    (ax, ay), (bx, by) = max(pairwise(route.points), key=lambda ends: abs(ends[0][0] - ends[1][0]))
    return _pill("CUT", (ax + bx) / 2 - 18, (ay + by) / 2)


def _channel(name: str, side: str, box: Box, now: ChannelNow) -> str:
    """The end of a channel: its name, its state, and whom it talks to."""
    x, y = box.x + 13, box.middle
    there = f"{'to' if side == 'gets' else 'from'} {now.partner}" if now.partner else ""
    there_and_back = f"M{number(x)} {number(y - 3)}h13l-3.5 -3.5M{number(x + 14)} {number(y + 3)}h-13l3.5 3.5"
    icon = f'<path class="icon" d="{there_and_back}"/>'
    room = box.width - 42
    shown, whom = shorten(name, int(room / (NAME * MONO_EM))), shorten(f" · {there}" if there else "", 20)
    state = [("warn" if now.state in ("RETRYING", "STOPPED", "PAUSED") else "", now.state)]
    state += [("", whom)] if sans_width(now.state + whom, 11) <= room + 8 else []
    return (
        f"<g><title>{escape(f'{name}: channel {there}, {now.state}')}</title>{rect(*box, 'pill', box.height / 2)}{icon}"
        f'{text(x + 21, y - 1.5, shown, "name")}<g class="small">{text(x + 21, y + 11, state, "")}</g></g>'
    )


def _program(name: str, side: str, box: Box) -> str:
    x, y = box.x + 13, box.middle
    shown = shorten(name, int((box.width - 42) / (NAME * MONO_EM)))
    verb = "puts messages" if side == "puts" else "gets messages"
    icon = f'<path class="icon" d="M{number(x)} {number(y - 6.5)}h14v13h-14zM{number(x)} {number(y - 2.5)}h14"/>'
    width = mono_width(shown, NAME)
    return (
        f"<g><title>{escape(f'{name}: application, {verb}')}</title>{rect(*box, 'pill', box.height / 2)}{icon}"
        f"{text(min(x + 21, box.right - 8 - width), y + 4.4, shown, 'name')}</g>"
    )
