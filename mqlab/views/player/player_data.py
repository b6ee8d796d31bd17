"""A reel as the page takes it: columns of steps, a track and the distinct drawings of each part, the ways of messages.

A page has what was sent before a step and is given what came since: each track and each list of drawings says where it
goes on.
"""

from __future__ import annotations

from bisect import bisect_left

from ...mq.rulebook import RULES
from ..drawing.layout import Layout, route_paths
from ..drawing.svg import topology_scaffold

EDGE = 26  # how far outside its queue manager a message of a nameless program comes into sight

__all__ = ["columns"]


def columns(reel, since: int = 0) -> dict:
    """The reel (`mqlab.views.player.player_steps.Reel`) from step `since` on as JSON values; from 0 on with what
    never changes.

    `tracks` has (step, number of the drawing), `figures` (step, depth, lapsed, uncommitted, MAXDEPTH), end to end;
    `fragments` of a part begins with how many drawings of it are known already; `chapters` are step, title and text.
    """
    steps = reel.steps[since:]
    used = sorted({step.rule for step in steps if step.rule in RULES})
    ways = sorted({key for step in steps for key in step.ways})
    paths = route_paths(reel.layout)
    places = [n for n, step in enumerate(reel.steps) if step.kind == "chapter"]
    told = [reel.lab.chapters[number] for number in reel.chapters]
    found = {
        "since": since,
        "steps": {name: [getattr(step, name) for step in steps] for name in reel.steps[0]._fields},
        "rules": {id: RULES[id].title for id in used},
        "tracks": {part: _flat(track, since) for part, track in reel.tracks.items()},
        "fragments": {part: _drawings(reel, part, since) for part in reel.tracks},
        "figures": {id: _flat(track, since) for id, track in reel.figures.items()},
        "routes": {key: paths[key] if key in paths else _hop(reel.layout, key) for key in ways},
        "chapters": [[n, one.title, one.text] for n, one in zip(places, told, strict=True) if n >= since],
        "left_out": reel.left_out,
    }
    return found if since else found | _standing(reel)


def _standing(reel) -> dict:
    """What is the same at every step."""
    return {
        "start": reel.scene.start.isoformat(),
        "scaffold": topology_scaffold(reel.frame(0), reel.layout),
        "queues": [[q.id, q.qmgr, q.name, q.kind] for q in reel.outline.queues],
        "managers": [q.name for q in reel.outline.qmgrs],
    }


def _flat(track: list[tuple], since: int) -> list[int]:
    """A track from a step on, its tuples end to end."""
    place = bisect_left(track, since, key=lambda entry: entry[0])
    return [value for entry in track[place:] for value in entry]


def _drawings(reel, part: str, since: int) -> list:
    """How many drawings of a part were known before a step, and those that came since."""
    known = max((place for number, place in reel.tracks[part] if number < since), default=-1) + 1
    return [known, *reel.fragments[part][known:]]


def _hop(layout: Layout, key: str) -> str:
    """Path data of a way that no line shows: an arc from card to card, or straight from the queue manager's edge to a
    card, or back; "" where the picture has not both."""
    ends = key.split(">", 1)
    if not all(end in layout.queues for end in ends):
        panels = {panel.name: panel.box for panel in layout.panels}
        (source, target), cards = ends, layout.queues
        if source in panels and target in cards:
            return _straight(panels[source].x - EDGE, cards[target].x, cards[target].middle)
        if source in cards and target in panels:
            return _straight(cards[source].right, panels[target].right + EDGE, cards[source].middle)
        return ""
    one, other = (layout.queues[end] for end in ends)
    ax, bx = one.x + one.width / 2, other.x + other.width / 2
    lift = min(one.y, other.y) - 24
    return f"M{ax:.1f} {one.middle:.1f}C{ax:.1f} {lift:.1f} {bx:.1f} {lift:.1f} {bx:.1f} {other.middle:.1f}"


def _straight(start: float, end: float, height: float) -> str:
    return f"M{start:.1f} {height:.1f}L{end:.1f} {height:.1f}"
