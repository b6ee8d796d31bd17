"""Strips: the messages of one queue as blocks, and a row of small pictures of the whole topology."""

from __future__ import annotations

import math

from ...mq.errors import LabError
from ..frames.moments import clock
from ..frames.topology import QueueNow, TopologyFrame
from ..text import count, plural
from ..theme import style_sheet
from .boxes import Box, Layout
from .layout import lay_out
from .svg_shapes import block, number, opening, rect, text

BLOCK_GAP, HEIGHT = 1.5, 8
MINI, MINI_GAP = 196, 18


def strip_blocks(now: QueueNow, x: float, y: float, room: float, height: float = HEIGHT) -> str:
    """The messages of a queue: one block each while they fit, then each state's share of the whole strip."""
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
    """One queue's messages as an SVG element of its own, `width` pixels wide."""
    depth = live + uncommitted + expired
    now = QueueNow("", depth, expired, uncommitted, maxdepth, True, True)
    words = f"{plural(depth, 'message')}: {live:,} live, {uncommitted:,} not committed, {expired:,} expired"
    begin = opening("mqlab-strip", words, width, 18, style_sheet(".mqlab-strip", "blocks.css"))
    return f"{begin}{strip_blocks(now, 0, 1, width, 16)}</svg>"


def draw_moments(frames: list[TopologyFrame], layout: Layout | None = None, columns: int = 5) -> str:
    """A row of small pictures of one topology at several moments, to see what fills and empties.

    Each card is filled by depth against MAXDEPTH on a logarithmic scale, so that a few messages can be seen. LabError
    without a column, and for what is no frame.
    """
    if columns < 1 or not all(isinstance(frame, TopologyFrame) for frame in frames):
        raise LabError(f"frames wanted: of topology_frame, in 1 column or more; got {frames!r:.200} in {columns}")
    if not frames:
        return ""
    layout = layout or lay_out(frames[0].outline)
    boxes = [p.box for p in layout.panels] or [Box(0, 0, MINI, MINI / 2)]
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    wide, high = max(b.right for b in boxes) - left, max(b.bottom for b in boxes) - top
    scale = min(MINI / wide, 180 / high)
    cell = (max(wide * scale, 172) + MINI_GAP, high * scale + 46)
    rows = -(-len(frames) // columns)
    width, height = min(len(frames), columns) * cell[0] - MINI_GAP + 24, rows * cell[1] + 16
    words = "The same topology at " + ", ".join(
        f"{clock(f.start, f.time_us)}: {plural(f.totals[0], 'message')}" for f in frames
    )
    parts = [opening("mqlab-moments", words, width, height, style_sheet(".mqlab-moments", "moments.css"))]
    parts.append(rect(0, 0, width, height, "paper", 12))
    for i, frame in enumerate(frames):
        x, y = 12 + i % columns * cell[0], 8 + i // columns * cell[1]
        depth, expired, _ = frame.totals
        when, many = clock(frame.start, frame.time_us)[:8], f"  {count(depth)} message{'' if depth == 1 else 's'}"
        gone = f"{count(expired)} expired" if expired else "none expired"
        parts.append(text(x, y + 14, [("strong", when), ("", many)], "said"))
        parts.append(text(x, y + 28, gone, "warn" if expired else "quiet"))
        corner = f"translate({number(x)} {number(y + 36)}) scale({scale:.4f}) translate({number(-left)} {number(-top)})"
        parts.append(f'<g transform="{corner}">')
        parts += [rect(*p.box, "panel", 14) for p in layout.panels]
        parts += [_mini(frame.queues[id], layout.queues[id]) for id in layout.queues]
        parts.append("</g>")
    return "".join(parts) + "</svg>"


def _mini(now: QueueNow, box: Box) -> str:
    """A card of a few pixels: no words, its fill in the shares of what is on the queue."""
    parts = [rect(*box, "card", 9)]
    if now.depth and now.id:
        full = math.log1p(now.depth) / math.log1p(max(now.maxdepth, now.depth))
        x, room = box.x + 2, (box.width - 4) * max(full, 0.05)
        for kind, amount in (("live", now.live), ("uncommitted", now.uncommitted), ("expired", now.expired)):
            width = room * amount / now.depth
            parts.append(rect(x, box.y + 2, width, box.height - 4, kind) if amount else "")
            if kind == "expired" and amount:
                # at this size upright strokes tell what expired apart without colour
                strokes = (number(x + 6 + 16 * i) for i in range(int((width + 4) // 16)))
                path = "".join(f"M{stroke} {number(box.y + 2)}v{number(box.height - 4)}" for stroke in strokes)
                parts.append(f'<path class="hatch" d="{path}"/>')
            x += width
    return "".join(parts)
