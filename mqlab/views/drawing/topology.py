"""The topology as SVG: the frame of a moment, drawn by the scripts of this folder, without outside files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from ..frames.moments import clock, day
from ..frames.topology import NO_MESSAGES, Outline, Program, Queue, QueueNow, TopologyFrame
from ..text import lines_within, sans_width
from ..theme import style_sheet
from . import svg_shapes as svg
from .engine import call


def plan_of(outline: Outline) -> dict[str, Any]:
    """Everything of a topology that stays the same: queue managers, groups, structures, objects, edges."""
    return {
        "qmgrs": [_values(q, id=q.name) for q in outline.qmgrs],
        "groups": [_values(g, id=g.name) for g in outline.groups],
        "structures": [s._asdict() for s in outline.structures],
        "objects": [*map(_queue, outline.queues), *map(_program, outline.programs)],
        "stops": {id: sorted({word for *_, said in stops for word in said}) for id, stops in outline.stops.items()},
        "edges": [list(edge) for edge in outline.edges],
        "links": [list(link) for link in outline.links],
    } | ({"look": outline.look} if outline.look else {})


def _values(row: Any, **more: str) -> dict[str, Any]:
    """The values of a row that say something, and more."""
    return {word: value for word, value in (row._asdict() | more).items() if value}


def _queue(queue: Queue) -> dict[str, Any]:
    own = queue._replace(maxdepth=0, put=False, get=False, description="")  # facts of a moment, and "about"
    return _values(own, kind="queue", type=queue.kind, about=queue.description)


def _program(program: Program) -> dict[str, Any]:
    kind = "topic" if program.topic else "channel" if program.chltype else "program"
    return _values(program._replace(topic=""), kind=kind, type="topic" * bool(program.topic), about=program.topic)


def queue_fact(queue: Queue, now: QueueNow) -> list | None:
    """[depth, expired, uncommitted, MAXDEPTH, PUT, GET, messages, runs, oldest, held, holder] of a queue; None while it
    is not defined yet. `oldest` is the arrival of the message that has been there longest, microseconds; `held` and
    `holder` are there if an uncommitted get holds messages."""
    if not now.defined:
        return None
    fact: list = [now.depth, now.expired, now.uncommitted, now.maxdepth, int(now.put), int(now.get)]
    if queue.kind in NO_MESSAGES or not now.front:
        return fact
    fact += [now.front, now.runs, now.oldest_us]
    return [*fact, now.held, now.holder] if now.held else fact


def facts_of(frame: TopologyFrame) -> dict[str, Any]:
    """The facts at the moment of a frame, by the ids of the plan.

    For a queue its `queue_fact`, for a channel [state, partner, messages in doubt], for a queue manager whether it
    or a program runs, for a structure "FAILED" or "ACTIVE", for a link ("link:A|B") whether it is up, for a line
    (`Edge.id`) as in `TopologyFrame.edges`, for an id of `stops` ("gate:" and this id) the words of now,
    and for an object with traces ("trace:" and its id) these; None for a program or topic that nothing has used yet.
    """
    plan = frame.outline
    facts: dict[str, Any] = {queue.id: queue_fact(queue, frame.queues[queue.id]) for queue in plan.queues}
    facts |= {id: [now.state, now.partner, now.indoubt] for id, now in frame.channels.items()}
    facts |= {q.name: q.name not in frame.stopped for q in plan.qmgrs}
    facts |= {s.id: "FAILED" if s.id in frame.failed else "ACTIVE" for s in plan.structures}
    facts |= {link_key(*link): link not in frame.cut for link in plan.links}
    facts |= {p.id: p.id not in frame.ended for p in plan.programs if not p.chltype}
    facts |= {edge.id: now for edge, now in frame.edges.items()}
    facts |= {f"gate:{id}": frame.halted.get(id, ()) for id in plan.stops}
    for trace in frame.traces:
        facts.setdefault(f"trace:{trace.id}", []).append(trace)
    return facts | dict.fromkeys(frame.waiting)


def link_key(one: str, other: str) -> str:
    """The id of a link in the facts."""
    return "link:" + "|".join(sorted((one, other)))


UPRIGHT = (400, 800)
"""A phone: there a picture goes down."""
SCREEN = (900, 620)
"""The room that a picture has in a notebook, in pixels: what is drawn is legible there."""
HEAD = 64  # pixels: the time, and two lines of what there is
NARROWEST = 480
_STYLE = style_sheet(".mqlab-topology", "topology.css")
_KEY_STYLE = style_sheet(".mqlab-key", "topology.css")


class Places(NamedTuple):
    """Where everything of an outline is: `view` is what is open, `scene` boxes and lines as JSON values; `key` is its
    name in the engine, which made it from the `facts` of a moment."""

    key: str
    outline: Outline
    facts: dict[str, Any]
    view: dict[str, Any]
    scene: dict[str, Any]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels."""
        return self.scene["width"], self.scene["height"]

    @property
    def opens(self) -> bool:
        """Whether anything of it can be opened: not everything is drawn."""
        return any(
            box["type"] not in ("room", "card", "structure", "group", "cluster", "site", "note") or "key" in box
            for box in self.scene["boxes"]
        )

    @property
    def scale(self) -> float:
        """How large it is drawn in a notebook: 1, or less where it is wider than the screen."""
        return min(1.0, SCREEN[0] / max(1, self.size[0]))

    def picture(self, facts: dict, time_us: int, scale: float, rival: dict | None = None) -> str:
        """The picture of a moment (`facts_of`) at these places, as SVG text; `rival` as for `draw_topology`."""
        return self._asked("picture", facts, time_us, k=scale, rival=rival)["svg"]

    def signs(self, facts: dict, time_us: int) -> list[tuple[str, str]]:
        """The signs that a picture of these facts uses, as SVG text, each with its words."""
        return self._asked("signs", facts, time_us)

    def along(self, ways: Sequence[str], shares: Sequence[float]) -> list[tuple[float, float]]:
        """The points at shares of the length of lines, "source>target" each; () if none is drawn."""
        return self._asked("along", {}, 0, ways=ways, shares=shares)

    def exported(
        self, facts: dict, time_us: int, form: str, title: str = "", colors: dict[str, str] | None = None
    ) -> Any:
        """A picture of these facts as other programs take it (`export.js`): "shapes" are its boxes and lines as JSON
        values, "mermaid" and "drawio" texts; `colors` by role, for draw.io."""
        return self._asked("exported", facts, time_us, form=form, title=title, colors=colors)

    def _asked(self, name: str, facts: dict, time_us: int, **values: Any) -> Any:
        if not call("known", key=self.key):  # the engine keeps the last ones
            call("keep", key=self.key, plan=plan_of(self.outline), facts=self.facts, view=self.view, scene=self.scene)
        return call(name, key=self.key, facts=facts, time=time_us, **values)


def places_of(frame: TopologyFrame, screen: tuple[int, int] = SCREEN, route: Sequence[str] | None = None) -> Places:
    """Place a frame's outline on a screen of this size in pixels, with its most important parts open, or only the
    objects of a `route`.

    LabError if this process cannot draw.
    """
    plan, facts = plan_of(frame.outline), facts_of(frame)
    key = sha256(json.dumps([plan, facts, screen, route]).encode()).hexdigest()
    found = call("places", key=key, plan=plan, facts=facts, screen=screen, route=route)
    return Places(key, frame.outline, facts, **found)


def draw_topology(
    frame: TopologyFrame, places: Places | None = None, facts: dict | None = None, rival: dict | None = None
) -> str:
    """The picture of a frame as one SVG element, `class="mqlab-topology"`; `facts` are those of `facts_of`, and what
    differs from `rival`, the facts of another future, is marked and has a badge.

    The same frame and places give the same bytes. Every name is escaped; colors come from CSS variables, so the
    picture follows JupyterLab's theme, or else the reader's setting. LabError if this process
    cannot draw.
    """
    places = places or places_of(frame)
    (width, height), scale = places.size, places.scale
    drawn = places.picture(facts or facts_of(frame), frame.time_us, scale, rival)
    wide = max(width * scale, NARROWEST)
    high = HEAD + height * scale
    busy = [f"{q.name} {frame.queues[q.id].depth}" for q in frame.outline.queues if frame.queues[q.id].depth]
    depths = "Depth of each queue that is not empty: " + (", ".join(busy) or "none") + "."
    left = (wide - width * scale) / 2
    return (
        svg.opening("mqlab-topology", frame.sentence, wide, high, _STYLE, depths)
        + svg.rect(0, 0, wide, high, "paper", 12)
        + head(frame, wide)
        + f'<g transform="translate({svg.number(left)} {HEAD}) scale({scale:.4f})">{drawn}</g></svg>'
    )


def draw_key(frame: TopologyFrame, places: Places) -> str:
    """The signs that a picture uses and their words, as an SVG element of its own; "" for an empty picture."""
    signs = places.signs(facts_of(frame), frame.time_us)
    if not signs:
        return ""
    rows, wide = -(-len(signs) // 3), 290
    words = "Signs: " + ", ".join(said for _, said in signs)
    parts = [svg.opening("mqlab-key", words, 3 * wide, rows * 26 + 8, _KEY_STYLE)]
    for place, (sign, said) in enumerate(signs):
        x, y = place // rows * wide + 8, place % rows * 26 + 6
        parts.append(f'<g transform="translate({x} {y})">{sign}{svg.text(34, 14.5, said, "said")}</g>')
    return "".join(parts) + "</svg>"


def head(frame: TopologyFrame, width: float) -> str:
    """The time of a frame and what there is, in two lines at most."""
    time = clock(frame.start, frame.time_us // 1000 * 1000)  # microseconds would only be noise here
    lines = lines_within(frame.summary, width - 28, 13, 2)
    date = svg.text(14 + sans_width(time, 20, True) + 10, 24, f"UTC · {day(frame.start, frame.time_us)}", "day")
    said = "".join(svg.text(14, 42 + 16 * i, words, "said") for i, words in enumerate(lines))
    return svg.text(14, 24, time, "clock") + date + said
