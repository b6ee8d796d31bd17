"""The topology as SVG: a pure function of a frame and a layout, without scripts, ids or outside files."""

from __future__ import annotations

from ..frames.frames import TopologyFrame
from ..frames.moments import clock, day
from ..text import cut, plural, sans_width, shorten, wrap
from ..theme import style_sheet
from .drawing import Drawing, part
from .grid import prefix_of
from .layout import Layout, lay_out, route_key, route_paths
from .legend import legend
from .lines import end_mark, line_between, program_pill, wires
from .outlines import QueueManager
from .queuecards import queue_card
from .svg_shapes import number, opening, pill, rect, text

__all__ = ["draw_topology", "route_key", "route_paths", "topology_drawing", "topology_parts", "topology_scaffold"]

SCOPE = ".mqlab-topology"
_STYLE = style_sheet(SCOPE, "topology.css", "blocks.css")
_SENDING = ("SDR", "SVR")
_PLATFORMS = {"zos": "z/OS", "everyplace": "MQ Everyplace"}


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
    people = {p.id: p for p in frame.outline.programs}
    names = {q.id: q.name for q in frame.outline.queues} | {p.id: p.name for p in frame.outline.programs}
    names |= {q.name: q.name for q in frame.outline.qmgrs}
    homes = {each.id: each.qmgr for each in (*frame.outline.queues, *frame.outline.programs)}
    notes, note_height = legend(frame, layout.width)
    height = layout.height + note_height
    parts = [
        opening("mqlab-topology", frame.sentence, layout.width, height, _STYLE, _description(frame)),
        rect(0, 0, layout.width, height, "paper", 12),
        part("head"),
    ]
    for name, box in layout.groups.items():
        parts += [rect(*box, "group", 16), part(name)]
        parts += [rect(*layout.facilities[name], "facility", 12), part(f"{name}/facility")]
    parts += [part(id) for id in layout.structures]
    parts += [part(line.key) for line in layout.lines if line.label is None]
    for panel in layout.panels:
        parts += [rect(*panel.box, "panel", 12), part(panel.name)]
    channels = {id for id, p in people.items() if p.chltype}
    parts += wires(layout.routes, names, homes, channels, {g.name for g in frame.outline.groups})
    parts += [part(line.key) for line in layout.lines if line.label is not None]
    parts += [part(id) for id in layout.queues]
    parts += [program_pill(people[id].name, side, box) for (id, side), box in layout.programs.items()]
    parts += [part(id) for id in layout.marks]
    parts.append(f'<g class="small" transform="translate(0 {number(layout.height)})">{notes}</g></svg>')
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
        left = min((layout.queues[q].x for q in getattr(structures.get(id), "queues", ())), default=box.x + 12)
        makers[id] = (_structure, structures.get(id), box, left, frame)
    people = {p.id: p for p in plan.programs}
    ends = {each.id: each.qmgr for each in (*plan.queues, *plan.programs)} if layout.lines else {}
    makers |= {line.key: (_line, line, people, ends, layout, frame) for line in layout.lines}
    for id, box in layout.marks.items():
        makers[id] = (end_mark, people[id].name, box, frame.channels[id], people[id].chltype in _SENDING)
    headings = {prefix_of(t) for p in layout.panels for t, *_ in p.headings}
    for queue in plan.queues:
        if queue.id in layout.queues and (only is None or queue.id in only):
            dim = prefix_of(queue.name) in headings
            makers[queue.id] = (queue_card, queue, frame.queues[queue.id], layout.queues[queue.id], dim)
    return {key: make(*about) for key, (make, *about) in makers.items() if only is None or key in only}


def _description(frame: TopologyFrame) -> str:
    busy = [f"{q.name} {frame.queues[q.id].depth}" for q in frame.outline.queues if frame.queues[q.id].depth]
    return "Depth of each queue that is not empty: " + (", ".join(busy) or "none") + "."


def _head(frame: TopologyFrame, layout: Layout) -> str:
    time = clock(frame.start, frame.time_us // 1000 * 1000)  # microseconds would only be noise here
    first, *rest = wrap(frame.summary, layout.width - 40, 13)
    lines = [first, rest[0] if len(rest) == 1 else cut(" ".join(rest), layout.width - 40, 13)] if rest else [first]
    return "".join(
        [
            text(20, 32, time, "clock"),
            text(20 + sans_width(time, 24, True) + 10, 32, f"UTC · {day(frame.start, frame.time_us)}", "day"),
            *(text(20, 51 + 15 * i, line, "said") for i, line in enumerate(lines)),
        ]
    )


def _panel_words(manager: QueueManager, panel, frame: TopologyFrame) -> str:
    box = panel.box
    mine = [frame.queues[q.id] for q in frame.outline.queues if q.qmgr == manager.name]
    stopped = manager.name in frame.stopped
    depth = sum(q.depth for q in mine)
    words = [plural(len(mine), "queue"), plural(depth, "message")]
    platform = _PLATFORMS.get(manager.platform, manager.platform)
    fuller = [" · ".join(filter(None, [platform, *words])), "" if depth else f"{platform} · {words[0]}"]
    tries = [w for w in (*fuller, " · ".join(words)) if w and sans_width(w, 11) <= box.width - 40]
    return "".join(
        [
            rect(*box, "rim over down", 12) if stopped else "",
            text(box.x + 20, box.y + 27, manager.name, "qmgr"),
            pill("STOPPED", box.right - 92, box.y) if stopped else "",
            f'<g class="small">{text(box.x + 20, box.y + 43, tries[0] if tries else "", "")}</g>',
            *(text(x, y, shorten(title.upper(), int(room / 9)), "heading") for title, x, y, room in panel.headings),
        ]
    )


def _group_words(group, box, frame: TopologyFrame) -> str:
    """What a queue-sharing group is and how many of its members run."""
    running = sum(member not in frame.stopped for member in group.members)
    words = f"queue-sharing group · {plural(len(group.members), 'member')}, {running} running"
    return text(box.x + 20, box.y + 27, group.name, "qmgr") + (
        f'<g class="small">{text(box.x + 20, box.y + 43, words, "")}</g>'
    )


def _facility_words(group, box, frame: TopologyFrame) -> str:
    """What the coupling facility is, at its foot; it is said to have failed when every structure in it has."""
    mine = [s for s in frame.outline.structures if s.group == group.name]
    depth = sum(q.depth for id, q in frame.queues.items() if any(id in s.queues for s in mine))
    failed = [s for s in mine if s.id in frame.failed]
    words = f"{plural(len(mine), 'structure')} · {plural(depth, 'message')}"
    title = "COUPLING FACILITY"
    end = box.x + 14 + sans_width(title, 11, True) * 1.12
    down = bool(failed) and len(failed) == len(mine)
    return (
        (rect(*box, "rim over down", 12) + pill("! FAILED", box.right - 84, box.bottom - 14) if down else "")
        + text(box.x + 14, box.bottom - 10, title, "heading")
        + f'<g class="small">{text(end + 10, box.bottom - 10, words, "")}</g>'
    )


def _structure(structure, box, left: float, frame: TopologyFrame) -> str:
    """One coupling facility structure: what it is called, whether it can be recovered, and whether it has failed."""
    failed = structure is not None and structure.id in frame.failed
    parts = [rect(*box, "structure", 10), rect(*box, "rim over down", 10) if failed else ""]
    if structure is None:
        return "".join(parts)
    width = sans_width(structure.name, 13, True)
    words = "can be recovered" if structure.recoverable else "cannot be recovered"
    parts.append(text(left, box.y + 21, structure.name, "structurename"))
    parts.append(f'<g class="small">{text(left + 8 + width, box.y + 21, words, "")}</g>')
    if failed:
        parts.append(pill("! FAILED", box.right - 70, box.y))
    return "".join(parts)


def _line(line, people: dict, ends: dict, layout: Layout, frame: TopologyFrame) -> str:
    """A line between queue managers at this moment."""
    now = frame.channels.get(line.channel)
    name = people[line.channel].name if now else ""
    source, target = (ends.get(end, end) for end in line.edge[:2]) if line.edge else ("", "")
    receives = now is not None and line.edge is None and people[line.channel].chltype not in _SENDING
    mark = layout.marks[line.channel] if receives else None
    return line_between(line, name, (source, target), now, line.link in frame.cut, mark)
