"""Strips: the messages of one queue as blocks."""

from __future__ import annotations

from ..frames.topology import QueueNow
from ..text import plural, thousands
from ..theme import style_sheet
from .svg_shapes import block, opening, rect

BLOCK_GAP, HEIGHT = 1.5, 8


def strip_blocks(now: QueueNow, x: float, y: float, room: float, height: float = HEIGHT) -> str:
    """The messages of a queue: one block for each if they fit, else the share of each state in the strip."""
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
    return f"{begin}{strip_blocks(now, 0, 1, width, 16)}</svg>"
