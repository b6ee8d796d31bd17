"""The lines of the topology: wires inside queue managers, and what runs between them with its label and state."""

from __future__ import annotations

from itertools import pairwise

from ..frames.frames import ChannelNow
from ..text import MONO_EM, escape, mono_width, sans_width, shorten
from .boxes import NAME, Box, Line, Route
from .routing import unshared
from .svg_shapes import arrow, line_path, number, pill, rect, state_sign, text

__all__ = ["end_mark", "line_between", "program_pill", "state_of", "wires"]

LABEL_NAME = 11.5
_VERBS = {
    "puts": "puts to",
    "gets": "is read by",
    "alias": "is another name for",
    "remote": "sends by way of",
    "backout": "hands poison messages to",
    "initq": "asks for a program through",
    "talks": "sends to",
    "transmits": "sends to",
    "pulls": "is pulled from by",
    "link": "is linked to",
}
_STATES = {
    "RUNNING": "run",
    "RETRYING": "retry",
    "PAUSED": "pause",
    "STOPPED": "stop",
    "STOPPING": "stop",
    "INACTIVE": "idle",
}


def state_of(state: str) -> str:
    """The sort of a channel state, for its sign.

    >>> state_of("RUNNING"), state_of("REQUESTING")
    ('run', 'bind')
    """
    return _STATES.get(state, "bind")


def wires(
    routes: tuple[Route, ...], names: dict[str, str], homes: dict[str, str], channels: set[str], shared: set[str]
) -> list[str]:
    """Lines in bundles that belong together, each with a halo so that crossings read as crossings."""
    bundles: dict[tuple[str, ...], list[Route]] = {}
    for route in routes:
        if route.inside is not None:
            if not route.inside:
                continue
            route = route._replace(points=route.inside)
        source, target, kind = route.edge
        key = (kind, source if kind == "puts" else target)
        if {homes.get(source), homes.get(target)} & shared:  # lines of one shared queue run along one track
            key = (kind, target if homes.get(target) in shared else source, "shared")
        bundles.setdefault(key, []).append(route)
    parts = []
    for (kind, _, *apart), bundle in bundles.items():
        tips = [_tip(route, channels) for route in bundle]
        forks = homes.get(bundle[0].edge.source) in shared if apart else kind == "puts"
        paths = _bundle_paths(bundle, tips, forks)
        parts.append("".join(f'<path class="halo" d="{d}"/>' for d in paths))
        for route, tip, d in zip(bundle, tips, paths, strict=True):
            source, target = route.edge[:2]
            told = f"{names[source]} {_VERBS[kind]} {names[target]}"
            look = f"{kind} calm" if channels & {source, target} else kind
            x, y = route.points[-1]
            head = arrow(x - 0.5 * route.towards, y, f"tip {look}", route.towards) if tip else ""
            parts.append(f'<g><title>{escape(told)}</title><path class="wire {look}" d="{d}"/>{head}</g>')
    return parts


def _tip(route: Route, channels: set[str]) -> bool:
    """Whether a wire ends in an arrowhead: not where it goes on as a line to another queue manager."""
    return route.edge.target not in channels and route.edge.kind != "transmits"


def _bundle_paths(bundle: list[Route], tips: list[bool], forks: bool) -> list[str]:
    """Path data for each line of a bundle, the common stretch drawn with the first only."""
    drawn: list = []
    paths = []
    for route, tip in zip(bundle, tips, strict=True):
        (x, y) = route.points[-1]
        points = [*route.points[:-1], (x - 6 * route.towards if tip else x, y)]
        points = unshared(points[::-1] if forks else points, drawn)
        drawn += pairwise(points)
        paths.append(line_path(points))
    return paths


def line_between(
    line: Line, name: str, ends: tuple[str, str], now: ChannelNow | None, cut: bool, mark: Box | None = None
) -> str:
    """A curve from queue manager to queue manager as it is now: a channel with its label, or another line.

    `mark` is the end of a channel that receives from nobody known.
    """
    kind = line.edge.kind if line.edge else "talks"
    sort = state_of(now.state) if now else kind
    look = f"way {sort if now is None else f'is-{sort}'}{' cut' if cut else ''}"
    told = f"{ends[0]} {_VERBS[kind]} {ends[1]}" if now is None else _told(name, now)
    x, y = line.end
    head = ""
    if kind == "talks" and line.edge:
        head = arrow(x - 9.5 * line.towards, y, f"tip is-{sort}", line.towards)
    elif mark is not None:
        head = arrow(mark.centre + 9.5, mark.middle, f"tip is-{sort}", -1)
    elif kind == "transmits":
        head = arrow(x - 0.5 * line.towards, y, f"tip {sort}", line.towards)
    body = f'<path class="halo out" d="{line.path}"/><path class="{look}" d="{line.path}"/>{head}'
    if now is not None and line.label is not None:
        body += _label(name, now, line.label, cut)
    elif cut:
        body += pill("CUT", line.middle[0] - 18, line.middle[1])
    return f"<g><title>{escape(told + (', the link is cut' if cut else ''))}</title>{body}</g>"


def _told(name: str, now: ChannelNow) -> str:
    words = f"{name}: channel to {now.partner}" if now.partner else f"{name}: channel, partner not known"
    return f"{words}, {now.state}" + (f", {now.indoubt} in doubt" if now.indoubt else "")


def _label(name: str, now: ChannelNow, box: Box, cut: bool) -> str:
    """A channel's name and state on its line."""
    sort = state_of(now.state)
    shown = shorten(name, int((box.width - 36) / (LABEL_NAME * MONO_EM)))
    word = now.state
    if now.indoubt and sans_width(f"{word} · {now.indoubt} in doubt", 10) <= box.width - 36:
        word += f" · {now.indoubt} in doubt"
    parts = [
        rect(*box, f"tag is-{sort}", 8),
        state_sign(sort, box.x + 16, box.middle),
        text(box.x + 30, box.middle - 2, shown, "tagname"),
        text(box.x + 30, box.middle + 10.5, word, f"tagstate is-{sort}"),
    ]
    if now.indoubt:
        parts.append(state_sign("doubt", box.right, box.bottom - 2))
    if cut:
        parts.append(pill("CUT", box.right + 6, box.middle))
    return "".join(parts)


def end_mark(name: str, box: Box, now: ChannelNow, sends: bool) -> str:
    """The end of a channel on its queue manager's border: a ring where it sends, the state's sign where it receives."""
    sort = state_of(now.state)
    way = "to" if sends else "from"
    told = f"{name}: channel {way} {now.partner}, {now.state}" if now.partner else f"{name}: channel, {now.state}"
    x, y = number(box.centre), number(box.middle)
    sign = (
        f'<circle class="ring is-{sort}" cx="{x}" cy="{y}" r="4.5"/>'
        if sends
        else state_sign(sort, box.centre, box.middle)
    )
    return f"<g><title>{escape(told)}</title>{sign}</g>"


def program_pill(name: str, side: str, box: Box) -> str:
    x, y = box.x + 13, box.middle
    shown = shorten(name, int((box.width - 42) / (NAME * MONO_EM)))
    verb = "puts messages" if side == "puts" else "gets messages"
    icon = f'<path class="icon" d="M{number(x)} {number(y - 6.5)}h14v13h-14zM{number(x)} {number(y - 2.5)}h14"/>'
    width = mono_width(shown, NAME)
    return (
        f"<g><title>{escape(f'{name}: application, {verb}')}</title>{rect(*box, 'pill', box.height / 2)}{icon}"
        f"{text(min(x + 21, box.right - 8 - width), y + 4.4, shown, 'name')}</g>"
    )
