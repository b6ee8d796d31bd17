"""What a layout is made of: boxes, panels, lines with the corners they run through, and the sizes that all share."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..frames.topology import Edge

NAME = 12.5  # a font size
CARD_HEIGHT, PAD, MARGIN = 56, 20, 20
LEFT_OF_NAME, RIGHT_OF_NAME = 36, 12
SCREEN = (1150, 1000)  # what a notebook or a slide shows well: the shape to come near to
Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower side."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The y of the middle."""
        return self.y + self.height / 2

    @property
    def centre(self) -> float:
        """The x of the middle."""
        return self.x + self.width / 2


class Route(NamedTuple):
    """A line of the picture: its edge, the corners it runs through, and for a curved one its path data.

    `towards` is where the arrowhead points: 1 to the right, -1 to the left. `inside` is the stretch that belongs to
    this edge alone, where the rest is a Line that others may share; None where all of it is the edge's own.
    """

    edge: Edge
    points: tuple[Point, ...]
    path: str = ""
    towards: int = 1
    inside: tuple[Point, ...] | None = None


class Line(NamedTuple):
    """A curve between queue managers as it is drawn, called `key`: its edge (None for a channel whose partner is not
    known, which ends somewhere), its channel or "", path data, where it ends and which way, the box of its label or the
    point for a sign, and the link it runs over ("" "" for none)."""

    key: str
    edge: Edge | None
    channel: str
    path: str
    end: Point
    towards: int
    label: Box | None
    middle: Point
    link: tuple[str, str]


class Join(NamedTuple):
    """A line between two queue managers (`target` "" for a channel whose partner is not known): its edges, the keys of
    its ports, and the width of its label, 0 for none."""

    key: str
    source: str
    target: str
    ports: tuple[str, str]
    edges: tuple[Edge, ...]
    label: float

    @property
    def link(self) -> tuple[str, str]:
        """The link it runs over, as `Outline.links` names it; "" "" for none."""
        one, other = sorted((self.source, self.target))
        return (one, other) if self.target else ("", "")


class Panel(NamedTuple):
    """A queue manager's frame and the headings (text, where its baseline begins, room in pixels) inside it."""

    name: str
    box: Box
    headings: tuple[tuple[str, Point, float], ...]


class Layout(NamedTuple):
    """Where everything stands.

    `queues` by id, `programs` by (id, "puts" or "gets"), `marks` the end of each channel on the border of its queue
    manager by the channel's id; `structures` by id, `groups` and `facilities` (the coupling facility's box) by the
    group's name. `routes` has every edge of the outline, those that leave a queue manager with their whole way, so that
    a message can travel it; a channel is the route of its "talks" edge, from mark to mark. `lines` are the curves
    between queue managers: channels, called by their `route_key`; what MQ Everyplace sends and pulls, several edges to
    a line called "HQ>VAN1:transmits"; bare links; and channels without a partner, called by the channel's id and
    ":line".
    """

    width: float
    height: float
    panels: tuple[Panel, ...]
    queues: dict[str, Box]
    programs: dict[tuple[str, str], Box]
    routes: tuple[Route, ...]
    marks: dict[str, Box] = {}
    structures: dict[str, Box] = {}
    groups: dict[str, Box] = {}
    facilities: dict[str, Box] = {}
    lines: tuple[Line, ...] = ()


def moved(part: Any, dx: float, dy: float) -> Any:
    """The same part of a layout elsewhere: every box and every point in it, whatever it is made of."""
    if isinstance(part, Box):
        return Box(part.x + dx, part.y + dy, part.width, part.height)
    if isinstance(part, dict):
        return {key: moved(each, dx, dy) for key, each in part.items()}
    if not isinstance(part, tuple):
        return part
    if len(part) == 2 and isinstance(part[0], float | int):
        return part[0] + dx, part[1] + dy
    pieces = [moved(each, dx, dy) for each in part]
    return type(part)(*pieces) if hasattr(part, "_fields") else tuple(pieces)
