"""SVG by hand: the shapes that every drawing is made of, and the places of its parts that can change, as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..text import escape, sans_width


def number(value: float) -> str:
    """A coordinate with at most one decimal.

    >>> number(12.0), number(3.14)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")


def opening(kind: str, words: str, width: float, height: float, style: str, description: str = "") -> str:
    """The start of an SVG element of class `kind` that says what it shows, style sheet included; `</svg>` ends it."""
    size = f"{number(width)} {number(height)}"
    said = escape(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" aria-label="{said}" viewBox="0 0 {size}" '
        f'width="{number(width)}" height="{number(height)}" style="max-width:100%;height:auto"><title>{said}</title>'
        + (f"<desc>{escape(description)}</desc>" if description else "")
        + f"<style>{style}</style>"
    )


def rect(x: float, y: float, width: float, height: float, kind: str, radius: float = 0) -> str:
    """A rectangle of the style class `kind`."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{kind}" {place}' + (f' rx="{number(radius)}"/>' if radius else "/>")


def text(x: float, y: float, words: str | Iterable[tuple[str, str]], kind: str, anchor: str = "") -> str:
    """Escaped `words` on the baseline at x, y. Pieces given as (class, words) pairs keep their own style."""
    end = f' text-anchor="{anchor}"' if anchor else ""
    inner = (
        escape(words)
        if isinstance(words, str)
        else "".join(f'<tspan class="{c}">{escape(w)}</tspan>' if c else escape(w) for c, w in words)
    )
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}"{end}>{inner}</text>'


def line_path(points: Iterable[tuple[float, float]], radius: float = 7) -> str:
    """Path data through `points` with rounded corners."""
    points = list(points)
    parts = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        before, after = abs(bx - ax) + abs(by - ay), abs(cx - bx) + abs(cy - by)
        r = min(radius, before / 2, after / 2)
        if not r:
            continue
        x1, y1 = bx - (bx - ax) / before * r, by - (by - ay) / before * r
        x2, y2 = bx + (cx - bx) / after * r, by + (cy - by) / after * r
        parts.append(f"L{number(x1)} {number(y1)}Q{number(bx)} {number(by)} {number(x2)} {number(y2)}")
    return "".join(parts) + f"L{number(points[-1][0])} {number(points[-1][1])}"


def arrow(x: float, y: float, kind: str, towards: int = 1) -> str:
    """An arrowhead with its tip at x, y, pointing right, or left where `towards` is -1."""
    back = "-7.5" if towards > 0 else "7.5"
    return f'<path class="{kind}" d="M{number(x)} {number(y)}l{back} -3.6v7.2z"/>'


def pill(word: str, x: float, y: float) -> str:
    """A word of alarm on a pill whose left end is at x and whose middle is at y."""
    width = sans_width(word, 10, True) + 10
    return rect(x, y - 8, width, 16, "fullpill", 8) + text(x + width / 2, y + 3.6, word, "fulltext", "middle")


def rounded_left(x: float, y: float, width: float, height: float, full: float, radius: float) -> str:
    """Path data of the left `width` pixels of a rounded card that is `full` pixels wide."""

    def inset(across: float) -> float:
        """How far the rounded outline has come down at `across` pixels from the nearer side."""
        return radius - (radius * radius - (radius - across) ** 2) ** 0.5 if across < radius else 0.0

    bend = f"A{number(radius)} {number(radius)} 0 0 1 "
    left, right = min(width, radius), max(width, radius) if width < full - radius else full - radius
    dip = inset(left if width < radius else full - width)
    corners = [f"M{number(x + left)} {number(y + inset(left))}"]
    if width > radius:
        corners.append(f"H{number(x + right)}" + (f"{bend}{number(x + width)} {number(y + dip)}" if dip else ""))
    corners.append(f"V{number(y + height - dip)}")
    if width > radius:
        corners.append((f"{bend}{number(x + right)} {number(y + height)}" if dip else "") + f"H{number(x + left)}")
    corners.append(f"{bend}{number(x)} {number(y + height - radius)}V{number(y + radius)}")
    return "".join(corners) + f"{bend}{number(x + left)} {number(y + inset(left))}z"


def hatch(x: float, y: float, width: float, height: float) -> str:
    """Path data of slanting lines that fill a box; drawn out, so that no two pictures of a page can share an id."""
    parts = []
    step = 4.0
    start = x + step / 2 - height
    while start < x + width:
        x1, y1 = max(start, x), y + height - max(0.0, x - start)
        x2 = min(start + height, x + width)
        y2 = y + max(0.0, start + height - (x + width))
        if x2 - x1 > 0.4:
            parts.append(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
        start += step
    return "".join(parts)


def block(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Messages of one state (live, uncommitted or expired): full, dashed, or hatched."""
    if kind == "live":
        return rect(x, y, width, height, kind, 1.2)
    inside = (x + 0.5, y + 0.5, width - 1, height - 1)
    return rect(*inside, kind, 1) + (f'<path class="hatch" d="{hatch(*inside)}"/>' if kind == "expired" else "")


class QueueKind(NamedTuple):
    """A kind of queue: its letter, the outline of its sign in a box of 20 by 20 around 0, 0, and its words."""

    letter: str
    outline: str
    short: str
    words: str


QUEUE_KINDS = {
    "alias": QueueKind("A", "M-9 -7.5H3L9 0L3 7.5H-9z", "alias", "alias queue"),
    "remote": QueueKind("R", "M-9.5 0L0 -9.5L9.5 0L0 9.5z", "remote definition", "remote queue definition"),
    "model": QueueKind("M", "M-5 -8H5Q8 -8 8 -5V5Q8 8 5 8H-5Q-8 8 -8 5V-5Q-8 -8 -5 -8z", "model", "model queue"),
    "local": QueueKind("L", "M-8 -8H8V8H-8z", "local", "local queue"),
    "transmission": QueueKind("X", "M-9.5 0L-5 -8.2H5L9.5 0L5 8.2H-5z", "transmission", "transmission queue"),
    "backout": QueueKind("B", "M-9 -8H9L5 8H-5z", "backout", "backout queue"),
    "dead-letter": QueueKind("D", "M-4 -9H4L9 -4V4L4 9H-4L-9 4V-4z", "dead-letter", "dead-letter queue"),
    "initiation": QueueKind("I", "M-8.8 0A8.8 8.8 0 1 1 8.8 0A8.8 8.8 0 1 1 -8.8 0z", "initiation", "initiation queue"),
    "synchronous": QueueKind(
        "S", "M-9.5 -5H9.5V5H-9.5z", "called at once", "remote queue, used while its owner can be reached"
    ),
    "asynchronous": QueueKind(
        "O", "M-9 -8H9V5L0 9.5L-9 5z", "asynchronous (outgoing)", "remote queue, kept here until it can be sent"
    ),
    "home-server": QueueKind(
        "H", "M-8.5 9V-2L0 -9.5L8.5 -2V9z", "home-server", "home-server queue, which pulls what waits there"
    ),
    "store-and-forward": QueueKind(
        "F", "M-9.5 -8H5L9.5 0L5 8H-9.5L-5.5 0z", "store-and-forward", "store-and-forward queue"
    ),
}


def glyph(kind: str, x: float, y: float) -> str:
    """The sign of a kind of queue, shape and letter, its middle at x, y."""
    letter, outline, *_ = QUEUE_KINDS[kind]
    dashed = " dash" if kind == "model" else ""
    return (
        f'<g transform="translate({number(x)} {number(y)})"><path class="sign{dashed}" d="{outline}"/>'
        f'<text class="letter" x="0" y="3.7" text-anchor="middle">{letter}</text></g>'
    )


def badge(letter: str, x: float, y: float) -> str:
    """A round no-entry sign around a letter."""
    return (
        f'<g transform="translate({number(x)} {number(y)})"><circle class="stop" r="8.2"/>'
        f'<text class="stopletter" x="0" y="3.6" text-anchor="middle">{letter}</text>'
        f'<path class="slash" d="M-5.6 -5.6L5.6 5.6"/></g>'
    )


class StateSign(NamedTuple):
    """A sort of channel state: its letter, the outline of its sign in a box of 18 by 18 around 0, 0, and its words."""

    letter: str
    outline: str
    words: str


STATES = {
    "run": StateSign("R", "M-8.5 0A8.5 8.5 0 1 1 8.5 0A8.5 8.5 0 1 1 -8.5 0z", "running"),
    "bind": StateSign("B", "M0 -9.5L9.5 0L0 9.5L-9.5 0z", "binding, starting"),
    "retry": StateSign("Y", "M0 -10L10 7.5H-10z", "retrying"),
    "pause": StateSign("P", "M-8 -8H8V8H-8z", "paused"),
    "stop": StateSign("S", "M-3.7 -9H3.7L9 -3.7V3.7L3.7 9H-3.7L-9 3.7V-3.7z", "stopped"),
    "idle": StateSign("I", "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0z", "inactive"),
    "doubt": StateSign("D", "M-5 -8.7H5L10 0L5 8.7H-5L-10 0z", "batch in doubt"),
}


def state_sign(state: str, x: float, y: float) -> str:
    """The sign of a channel's state, one of STATES: shape, letter and colour, its middle at x, y."""
    letter, outline, _ = STATES[state]
    down = 5.2 if state == "retry" else 3.6
    return (
        f'<g class="state is-{state}" transform="translate({number(x)} {number(y)})"><path d="{outline}"/>'
        f'<text x="0" y="{down:g}" text-anchor="middle">{letter}</text></g>'
    )


def part(key: str) -> str:
    """The empty place of a part in a scaffold.

    >>> part("QM1/ORDERS")
    '<g data-part="QM1/ORDERS"></g>'
    """
    return f'<g data-part="{escape(key)}"></g>'
