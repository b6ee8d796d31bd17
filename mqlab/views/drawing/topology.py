"""The topology as SVG: a pure function of a frame and a layout, without scripts, ids or outside files."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ..frames.moments import clock, day
from ..frames.topology import NO_MESSAGES, ChannelNow, Outline, Queue, QueueManager, QueueNow, Structure, TopologyFrame
from ..text import MONO_EM, count, cut, escape, mono_width, plural, sans_width, shorten, wrap
from ..theme import style_sheet
from . import svg_shapes as svg
from .boxes import LEFT_OF_NAME, NAME, RIGHT_OF_NAME, Box, Line, Panel, Route
from .layout import Layout, lay_out
from .qmgr_layout import prefix_of, unshared
from .strip import strip_blocks

LINE, LEFT, GAP = 24, 106, 20  # of the legend
LABEL_NAME = 11.5
RADIUS = 9
SCOPE = ".mqlab-topology"
_STYLE = style_sheet(SCOPE, "topology.css", "blocks.css")
_SENDING = ("SDR", "SVR")
_PLATFORMS = {"zos": "z/OS", "everyplace": "MQ Everyplace"}
# For each kind of edge, what the one end does to the other, and its words in the legend.
_EDGES = {
    "puts": ("puts to", "puts"),
    "gets": ("is read by", "gets"),
    "alias": ("is another name for", "other name for"),
    "remote": ("sends by way of", "sends by way of"),
    "backout": ("hands poison messages to", "poison messages to"),
    "initq": ("asks for a program through", "triggers through"),
    "talks": ("sends to", ""),
    "transmits": ("sends to", "sends (MQ Everyplace)"),
    "pulls": ("is pulled from by", "pulls (MQ Everyplace)"),
    "link": ("is linked to", "link without channels"),
}
_SORTS = {"RUNNING": "run", "RETRYING": "retry", "PAUSED": "pause", "STOPPED": "stop", "INACTIVE": "idle"}


def legend(frame: TopologyFrame, width: float) -> tuple[str, float]:
    """Draw the signs that can occur in the picture at hand, to be moved under it: the SVG and its height in pixels."""
    plan = frame.outline
    kinds, drawn = {q.kind for q in plan.queues}, {e.kind for e in plan.edges}
    fill = '<path class="level" d="M4 -7H16V7H4A4 4 0 0 1 0 3V-3A4 4 0 0 1 4 -7z"/>'
    messages = [
        (14, svg.block("live", 0, -4, 5.5, 8) + svg.block("live", 7, -4, 5.5, 8), "can be got"),
        (14, svg.block("uncommitted", 0, -4, 12, 8), "put, not committed"),
        (14, svg.block("expired", 0, -4, 12, 8), "expired, still counted"),
        (28, svg.rect(0, -7, 28, 14, "card", 4) + fill + svg.rect(0, -7, 28, 14, "rim", 4), "fill: depth of MAXDEPTH"),
    ]
    signs = [(18, svg.badge("P", 9, 0), "puts inhibited"), (18, svg.badge("G", 9, 0), "gets inhibited")]
    for kind, (_, words) in _EDGES.items():
        if words and kind in drawn:
            head = svg.arrow(34, 0, f"tip {kind}") if kind != "link" else ""
            signs.append((34, f'<path class="wire {kind}" d="M0 0H28"/>{head}', words))
    states = svg.STATES if any(p.chltype for p in plan.programs) else {}
    rows = {
        "QUEUES": [(20, svg.glyph(k, 10, 0), kind.short) for k, kind in svg.QUEUE_KINDS.items() if k in kinds],
        "MESSAGES": messages,
        "CHANNELS": [(20, svg.state_sign(s, 10, 0), state.words) for s, state in states.items()],
        "SIGNS": signs,
    }
    parts, y = [], 10.0
    for title, items in rows.items():
        if not items:
            continue
        parts.append(svg.text(20, y + 4, title, "heading"))
        x = float(LEFT)
        for wide, drawing, words in items:
            room = wide + 7 + sans_width(words, 11)
            if x + room > width - 20 and x > LEFT:
                x, y = float(LEFT), y + LINE
            said = svg.text(wide + 7, 4, words, "")
            parts.append(f'<g transform="translate({svg.number(x)} {svg.number(y)})">{drawing}{said}</g>')
            x += room + GAP
        y += LINE
    return "".join(parts), y + 2


def state_of(state: str) -> str:
    """The sort of a channel state, for its sign.

    >>> state_of("RUNNING"), state_of("REQUESTING")
    ('run', 'bind')
    """
    return _SORTS.get(state.replace("STOPPING", "STOPPED"), "bind")


def wires(routes: tuple[Route, ...], plan: Outline) -> list[str]:
    """Lines in bundles that belong together, each with a halo so that crossings read as crossings."""
    homes = {id: node.qmgr for id, node in plan.nodes.items()}
    names = {id: node.name for id, node in plan.nodes.items()}
    channels, shared = {p.id for p in plan.programs if p.chltype}, {group.name for group in plan.groups}
    bundles: dict[tuple[str, ...], list[Route]] = {}
    for route in routes:
        if route.inside is not None:
            if not route.inside:
                continue
            route = route._replace(points=route.inside)
        source, target, kind = route.edge
        key: tuple[str, ...] = (kind, source if kind == "puts" else target)
        if {homes.get(source), homes.get(target)} & shared:  # lines of one shared queue run along one track
            key = (kind, target if homes.get(target) in shared else source, "shared")
        bundles.setdefault(key, []).append(route)
    parts = []
    for (kind, _, *apart), bundle in bundles.items():
        # no arrowhead where a wire goes on as a line to another queue manager
        tips = [r.edge.target not in channels and r.edge.kind != "transmits" for r in bundle]
        forks = homes.get(bundle[0].edge.source) in shared if apart else kind == "puts"
        paths = _bundle_paths(bundle, tips, forks)
        parts.append("".join(f'<path class="halo" d="{d}"/>' for d in paths))
        for route, tip, d in zip(bundle, tips, paths, strict=True):
            source, target = route.edge[:2]
            told = f"{names.get(source, source)} {_EDGES[kind][0]} {names.get(target, target)}"
            look = f"{kind} calm" if channels & {source, target} else kind
            x, y = route.points[-1]
            head = svg.arrow(x - 0.5 * route.towards, y, f"tip {look}", route.towards) if tip else ""
            parts.append(f'<g><title>{escape(told)}</title><path class="wire {look}" d="{d}"/>{head}</g>')
    return parts


def _bundle_paths(bundle: list[Route], tips: list[bool], forks: bool) -> list[str]:
    """Path data for each line of a bundle, the common stretch drawn with the first only."""
    drawn: list = []
    paths = []
    for route, tip in zip(bundle, tips, strict=True):
        (x, y) = route.points[-1]
        points = [*route.points[:-1], (x - 6 * route.towards if tip else x, y)]
        points = unshared(points[::-1] if forks else points, drawn)
        drawn += pairwise(points)
        paths.append(svg.line_path(points))
    return paths


def _line(line: Line, people: dict, layout: Layout, frame: TopologyFrame) -> str:
    """A curve from queue manager to queue manager at this moment: a channel with its label, or another line."""
    now, cut = frame.channels.get(line.channel), line.link in frame.cut
    source, target, kind = line.edge or ("", "", "talks")
    sort = state_of(now.state) if now else kind
    look = f"way {sort if now is None else f'is-{sort}'}{' cut' if cut else ''}"
    x, y = line.end
    head = ""
    if kind == "talks" and line.edge:
        head = svg.arrow(x - 9.5 * line.towards, y, f"tip is-{sort}", line.towards)
    elif now is not None and people[line.channel].chltype not in _SENDING:  # it receives from nobody known
        mark = layout.marks[line.channel]
        head = svg.arrow(mark.centre + 9.5, mark.middle, f"tip is-{sort}", -1)
    elif kind == "transmits":
        head = svg.arrow(x - 0.5 * line.towards, y, f"tip {sort}", line.towards)
    body = f'<path class="halo out" d="{line.path}"/><path class="{look}" d="{line.path}"/>{head}'
    if now is not None:
        name = people[line.channel].name
        told = f"{name}: channel to {now.partner}" if now.partner else f"{name}: channel, partner not known"
        told += f", {now.state}" + (f", {now.indoubt} in doubt" if now.indoubt else "")
        body += _label(name, now, line.label, cut) if line.label else ""
    else:
        nodes = frame.outline.nodes
        told = f"{nodes[source].qmgr if source in nodes else source} {_EDGES[kind][0]} "
        told += nodes[target].qmgr if target in nodes else target
        body += svg.pill("CUT", line.middle[0] - 18, line.middle[1]) if cut else ""
    return f"<g><title>{escape(told + (', the link is cut' if cut else ''))}</title>{body}</g>"


def _label(name: str, now: ChannelNow, box: Box, cut: bool) -> str:
    """A channel's name and state on its line."""
    sort = state_of(now.state)
    shown = shorten(name, int((box.width - 36) / (LABEL_NAME * MONO_EM)))
    word = now.state
    if now.indoubt and sans_width(f"{word} · {now.indoubt} in doubt", 10) <= box.width - 36:
        word += f" · {now.indoubt} in doubt"
    parts = [
        svg.rect(*box, f"tag is-{sort}", 8),
        svg.state_sign(sort, box.x + 16, box.middle),
        svg.text(box.x + 30, box.middle - 2, shown, "tagname"),
        svg.text(box.x + 30, box.middle + 10.5, word, f"tagstate is-{sort}"),
    ]
    if now.indoubt:
        parts.append(svg.state_sign("doubt", box.right, box.bottom - 2))
    if cut:
        parts.append(svg.pill("CUT", box.right + 6, box.middle))
    return "".join(parts)


def end_mark(name: str, box: Box, now: ChannelNow, sends: bool) -> str:
    """The end of a channel on its queue manager's border: a ring where it sends, the state's sign where it receives."""
    sort = state_of(now.state)
    way = "to" if sends else "from"
    told = f"{name}: channel {way} {now.partner}, {now.state}" if now.partner else f"{name}: channel, {now.state}"
    x, y = svg.number(box.centre), svg.number(box.middle)
    ring = f'<circle class="ring is-{sort}" cx="{x}" cy="{y}" r="4.5"/>'
    sign = ring if sends else svg.state_sign(sort, box.centre, box.middle)
    return f"<g><title>{escape(told)}</title>{sign}</g>"


def program_pill(name: str, side: str, box: Box) -> str:
    shown = shorten(name, int((box.width - 42) / (NAME * MONO_EM)))
    verb = "puts messages" if side == "puts" else "gets messages"
    x, top, fold = (svg.number(each) for each in (box.x + 13, box.middle - 6.5, box.middle - 2.5))
    icon = f'<path class="icon" d="M{x} {top}h14v13h-14zM{x} {fold}h14"/>'
    left = min(box.x + 34, box.right - 8 - mono_width(shown, NAME))
    return (
        f"<g><title>{escape(f'{name}: application, {verb}')}</title>{svg.rect(*box, 'pill', box.height / 2)}{icon}"
        f"{svg.text(left, box.middle + 4.4, shown, 'name')}</g>"
    )


def queue_card(queue: Queue, now: QueueNow, box: Box, dim: bool) -> str:
    """One queue: sign and name, and for a queue that holds messages the level, the strip and the figures."""
    holds = queue.kind not in NO_MESSAGES
    group = "<g>" if now.defined else '<g class="ghost">'
    parts = [f"{group}<title>{escape(_queue_title(queue, now))}</title>", svg.rect(*box, "card", RADIUS)]
    if holds and now.depth:
        parts += _level(now, box)
    parts.append(svg.rect(*box, "rim over" if now.full else "rim", RADIUS))
    middle = box.y + (18 if holds else 14.5)
    parts += [svg.glyph(queue.kind, box.x + 19, middle), _name(queue.name, box, middle + 4.3, dim)]
    x, room = box.x + LEFT_OF_NAME, box.width - LEFT_OF_NAME - RIGHT_OF_NAME
    if holds:
        words = _figures(now, room) if now.defined else "not defined yet"
        parts += [strip_blocks(now, x, box.y + 29.5, room), _small(x, box.y + 49.5, words)]
    else:
        parts.append(_small(x, box.y + 32, _leads(queue, room)))
    edge = box.right - 16
    if now.full:
        parts.append(svg.pill("FULL", edge - 30, box.y))
        edge -= 48
    for letter, allowed in (("G", now.get), ("P", now.put)):
        if not allowed and queue.kind != "model":
            parts.append(svg.badge(letter, edge, box.y))
            edge -= 21
    return "".join(parts) + "</g>"


def _small(x: float, y: float, words: Any) -> str:
    return f'<g class="small">{svg.text(x, y, words, "")}</g>'


def _queue_title(queue: Queue, now: QueueNow) -> str:
    words = f"{queue.name}: {svg.QUEUE_KINDS[queue.kind].words}"
    words += f" for {queue.target}" if queue.target else ""
    words += f" ({queue.description})" if queue.description else ""
    limit = f"{now.maxdepth:,}" if now.maxdepth else "any number"
    if queue.kind not in NO_MESSAGES:
        words += f". {plural(now.depth, 'message')} of {limit}: {now.live:,} can be got, "
        words += f"{now.uncommitted:,} not committed, {now.expired:,} expired and still counted"
    words += "" if now.put else ". Puts are inhibited"
    return words + ("" if now.get else ". Gets are inhibited") + "."


def _name(name: str, box: Box, y: float, dim: bool) -> str:
    shown = shorten(name, int((box.width - LEFT_OF_NAME - RIGHT_OF_NAME + 2) / (NAME * MONO_EM)))
    stem = prefix_of(name) + "."
    pieces = [("stem", stem), ("", shown[len(stem) :])] if dim and shown.startswith(stem) else [("", shown)]
    return svg.text(box.x + LEFT_OF_NAME, y, pieces, "name")


def _level(now: QueueNow, box: Box) -> list[str]:
    """The fill behind the card: depth as a share of MAXDEPTH, at least a sliver when there is anything."""
    share = min(1.0, now.depth / now.maxdepth) if now.maxdepth else 0
    width = max(2.5, share * box.width)
    line = max(0.0, min(width, box.width - RADIUS) - RADIUS)
    x, y = svg.number(box.x + RADIUS), svg.number(box.bottom - 1)
    foot = f'<path class="foot" d="M{x} {y}h{svg.number(line)}"/>' if line else ""
    return [f'<path class="level" d="{svg.rounded_left(box.x, box.y, width, box.height, box.width, RADIUS)}"/>', foot]


def _figures(now: QueueNow, room: float) -> list[tuple[str, str]]:
    """Depth, MAXDEPTH and how much has expired or is not committed, as fully as the room allows; expired goes last."""
    for of, word in ((" of ", "uncommitted"), (" of ", "uncom."), ("/", "uncom."), ("/", "")):
        limit = of + count(now.maxdepth) if now.maxdepth else ", no limit" if word else ""
        pieces = [("strong" if now.depth else "", count(now.depth)), ("", limit)]
        pieces += [("", " · "), ("warn", f"{count(now.expired)} expired")] if now.expired else []
        pieces += [("", f" · {count(now.uncommitted)} {word}")] if now.uncommitted and word else []
        if sans_width("".join(w for _, w in pieces), 11) <= room:
            break
    return pieces


def _leads(queue: Queue, room: float) -> list[tuple[str, str]]:
    if not queue.target:
        return [("", svg.QUEUE_KINDS[queue.kind].words)]
    verb = {"alias": "for ", "home-server": "pulls from ", "synchronous": "calls "}.get(queue.kind, "to ")
    return [("", verb), ("code", shorten(queue.target, int((room - sans_width(verb, 11)) / (11 * MONO_EM))))]


def draw_topology(frame: TopologyFrame, layout: Layout | None = None) -> str:
    """The picture of a frame as one SVG element, `class="mqlab-topology"`.

    The same frame and layout give the same bytes. Every name is escaped; colours come from CSS variables, so the
    picture follows JupyterLab's theme, or the reader's setting where there is none.
    """
    layout = layout or lay_out(frame.outline)
    parts = {escape(key): drawn for key, drawn in topology_parts(frame, layout).items()}
    scaffold = topology_scaffold(frame, layout)
    return re.sub('<g data-part="([^"]*)">', lambda place: place[0] + parts.get(place[1], ""), scaffold)


def topology_scaffold(frame: TopologyFrame, layout: Layout) -> str:
    """Everything that depends on outline and layout alone, but for the words a reader hears."""
    people = {p.id: p for p in frame.outline.programs}
    notes, note_height = legend(frame, layout.width)
    height = layout.height + note_height
    busy = [f"{q.name} {frame.queues[q.id].depth}" for q in frame.outline.queues if frame.queues[q.id].depth]
    depths = "Depth of each queue that is not empty: " + (", ".join(busy) or "none") + "."
    parts = [
        svg.opening("mqlab-topology", frame.sentence, layout.width, height, _STYLE, depths),
        svg.rect(0, 0, layout.width, height, "paper", 12),
        svg.part("head"),
    ]
    for name, box in layout.groups.items():
        parts += [svg.rect(*box, "group", 16), svg.part(name)]
        parts += [svg.rect(*layout.facilities[name], "facility", 12), svg.part(f"{name}/facility")]
    parts += [svg.part(id) for id in layout.structures]
    parts += [svg.part(line.key) for line in layout.lines if line.label is None]
    for panel in layout.panels:
        parts += [svg.rect(*panel.box, "panel", 12), svg.part(panel.name)]
    parts += wires(layout.routes, frame.outline)
    parts += [svg.part(line.key) for line in layout.lines if line.label is not None]
    parts += [svg.part(id) for id in layout.queues]
    parts += [program_pill(people[id].name, side, box) for (id, side), box in layout.programs.items()]
    parts += [svg.part(id) for id in layout.marks]
    parts.append(f'<g class="small" transform="translate(0 {svg.number(layout.height)})">{notes}</g></svg>')
    return "".join(parts)


def topology_parts(frame: TopologyFrame, layout: Layout, only: frozenset[str] | None = None) -> dict[str, str]:
    """The parts of the picture by key, those in `only` or all.

    "head"; a queue manager's or a group's name, the group's name and "/facility", a structure's id; a queue's id; a
    channel's id for its mark on the border; and the key of a line between queue managers (see `Layout`), which for a
    channel is the `route_key` of its "talks" edge.
    """
    plan = frame.outline
    makers: dict = {"head": (_head, frame, layout)}
    managers = {m.name: m for m in plan.qmgrs}
    for panel in layout.panels:
        makers[panel.name] = (_panel_words, managers[panel.name], panel, frame)
    for group in plan.groups:
        if group.name in layout.groups:
            makers[group.name] = (_group_words, group, layout.groups[group.name], frame)
            makers[f"{group.name}/facility"] = (_facility_words, group, layout.facilities[group.name], frame)
    structures = {s.id: s for s in plan.structures}
    for id, box in layout.structures.items():
        left = min((layout.queues[q].x for q in structures[id].queues), default=box.x + 12)
        makers[id] = (_structure, structures[id], box, left, frame)
    people = {p.id: p for p in plan.programs}
    makers |= {line.key: (_line, line, people, layout, frame) for line in layout.lines}
    for id, box in layout.marks.items():
        makers[id] = (end_mark, people[id].name, box, frame.channels[id], people[id].chltype in _SENDING)
    headings = {prefix_of(t) for p in layout.panels for t, *_ in p.headings}
    for queue in plan.queues:
        if queue.id in layout.queues and (only is None or queue.id in only):
            dim = prefix_of(queue.name) in headings
            makers[queue.id] = (queue_card, queue, frame.queues[queue.id], layout.queues[queue.id], dim)
    return {key: make(*about) for key, (make, *about) in makers.items() if only is None or key in only}


def _head(frame: TopologyFrame, layout: Layout) -> str:
    time = clock(frame.start, frame.time_us // 1000 * 1000)  # microseconds would only be noise here
    first, *rest = wrap(frame.summary, layout.width - 40, 13)
    lines = [first, rest[0] if len(rest) == 1 else cut(" ".join(rest), layout.width - 40, 13)] if rest else [first]
    date = svg.text(20 + sans_width(time, 24, True) + 10, 32, f"UTC · {day(frame.start, frame.time_us)}", "day")
    said = "".join(svg.text(20, 51 + 15 * i, words, "said") for i, words in enumerate(lines))
    return svg.text(20, 32, time, "clock") + date + said


def _panel_words(manager: QueueManager, panel: Panel, frame: TopologyFrame) -> str:
    box = panel.box
    mine = [frame.queues[q.id] for q in frame.outline.queues if q.qmgr == manager.name]
    stopped = manager.name in frame.stopped
    depth = sum(q.depth for q in mine)
    words = [plural(len(mine), "queue"), plural(depth, "message")]
    platform = _PLATFORMS.get(manager.platform, manager.platform)
    fuller = [" · ".join(filter(None, [platform, *words])), "" if depth else f"{platform} · {words[0]}"]
    tries = [w for w in (*fuller, " · ".join(words)) if w and sans_width(w, 11) <= box.width - 40]
    parts = [svg.rect(*box, "rim over down", 12)] if stopped else []
    parts.append(svg.text(box.x + 20, box.y + 27, manager.name, "qmgr"))
    parts += [svg.pill("STOPPED", box.right - 92, box.y)] if stopped else []
    parts.append(_small(box.x + 20, box.y + 43, tries[0] if tries else ""))
    for title, (x, y), room in panel.headings:
        parts.append(svg.text(x, y, shorten(title.upper(), int(room / 9)), "heading"))
    return "".join(parts)


def _group_words(group: Any, box: Box, frame: TopologyFrame) -> str:
    """What a queue-sharing group is and how many of its members run."""
    running = sum(member not in frame.stopped for member in group.members)
    words = f"queue-sharing group · {plural(len(group.members), 'member')}, {running} running"
    return svg.text(box.x + 20, box.y + 27, group.name, "qmgr") + _small(box.x + 20, box.y + 43, words)


def _facility_words(group: Any, box: Box, frame: TopologyFrame) -> str:
    """What the coupling facility is, at its foot; it is said to have failed when every structure in it has."""
    mine = [s for s in frame.outline.structures if s.group == group.name]
    depth = sum(q.depth for id, q in frame.queues.items() if any(id in s.queues for s in mine))
    failed = [s for s in mine if s.id in frame.failed]
    words = f"{plural(len(mine), 'structure')} · {plural(depth, 'message')}"
    title = "COUPLING FACILITY"
    end = box.x + 14 + sans_width(title, 11, True) * 1.12
    down = bool(failed) and len(failed) == len(mine)
    return (
        (svg.rect(*box, "rim over down", 12) + svg.pill("! FAILED", box.right - 84, box.bottom - 14) if down else "")
        + svg.text(box.x + 14, box.bottom - 10, title, "heading")
        + _small(end + 10, box.bottom - 10, words)
    )


def _structure(structure: Structure, box: Box, left: float, frame: TopologyFrame) -> str:
    """One coupling facility structure: what it is called, whether it can be recovered, and whether it has failed."""
    failed = structure.id in frame.failed
    words = "can be recovered" if structure.recoverable else "cannot be recovered"
    return (
        svg.rect(*box, "structure", 10)
        + (svg.rect(*box, "rim over down", 10) if failed else "")
        + svg.text(left, box.y + 21, structure.name, "structurename")
        + _small(left + 8 + sans_width(structure.name, 13, True), box.y + 21, words)
        + (svg.pill("! FAILED", box.right - 70, box.y) if failed else "")
    )
