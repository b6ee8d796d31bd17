"""SVG by hand: the shapes that Python draws, as text, and the strip of messages that they make."""

from __future__ import annotations

from collections.abc import Iterable

from ..frames.topology import QueueNow
from ..text import escape, plural, thousands
from ..theme import style_sheet


def number(value: float) -> str:
    """A coordinate with at most one decimal.

    >>> number(12.0), number(3.14)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")


def opening(kind: str, words: str, width: float, height: float, style: str, description: str = "") -> str:
    """The start of an SVG element of class `kind` with its description, style sheet included; `</svg>` ends it."""
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


BLOCK_GAP = 1.5


def _blocks(now: QueueNow, room: float) -> str:
    """The messages of a queue: one block for each if they fit, else the share of each state in the strip."""
    x, y, height = 0.0, 1, 16
    size = height * 0.69
    step = size + BLOCK_GAP
    fit = int((room + BLOCK_GAP) // step)
    amounts = (("live", now.live), ("uncommitted", now.uncommitted), ("expired", now.expired))
    if now.depth <= fit:
        parts = [
            block(kind, x + step * i, y, size, height)
            for i, kind in enumerate(kind for kind, amount in amounts for _ in range(amount))
        ]
        free = range(now.depth, now.maxdepth) if 0 < now.maxdepth <= fit else ()
        parts += [rect(x + step * i + 0.5, y + 0.5, size - 1, height - 1, "slot", 1) for i in free]
        return "".join(parts) or rect(x, y + height / 2 - 1, room, 2, "track", 1)
    present = [(kind, amount) for kind, amount in amounts if amount]
    spare = room - BLOCK_GAP * (len(present) - 1) - 6 * len(present)
    parts = []
    for kind, amount in present:
        width = 6 + spare * amount / now.depth
        parts.append(block(kind, x, y, width, height))
        x += width + BLOCK_GAP
    return "".join(parts)


def message_strip(live: int, uncommitted: int, expired: int, maxdepth: int = 0, *, width: float = 300) -> str:
    """The messages of one queue as an SVG element that is `width` pixels wide."""
    depth = live + uncommitted + expired
    now = QueueNow("", depth, expired, uncommitted, maxdepth, True, True)
    words = f"{plural(depth, 'message')}: {thousands(live)} available, {thousands(uncommitted)} not committed"
    words += f", {thousands(expired)} expired"
    begin = opening("mqlab-strip", words, width, 18, style_sheet(".mqlab-strip", "blocks.css"))
    return f"{begin}{_blocks(now, width)}</svg>"
