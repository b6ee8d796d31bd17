"""What the signs of the topology mean: only those that can occur in the picture at hand."""

from __future__ import annotations

from ..frames.frames import TopologyFrame
from ..text import sans_width
from .outlines import KINDS
from .svg_shapes import arrow, badge, glyph, hatch, number, rect, state_sign, text

__all__ = ["legend"]

LINE, LEFT, GAP = 24, 106, 20
_WORDS = {
    "local": "local",
    "alias": "alias",
    "remote": "remote definition",
    "model": "model",
    "transmission": "transmission",
    "backout": "backout",
    "dead-letter": "dead-letter",
    "initiation": "initiation",
    "synchronous": "called at once",
    "asynchronous": "asynchronous (outgoing)",
    "home-server": "home-server",
    "store-and-forward": "store-and-forward",
}
_STATES = {
    "run": "running",
    "bind": "binding, starting",
    "retry": "retrying",
    "pause": "paused",
    "stop": "stopped",
    "idle": "inactive",
    "doubt": "batch in doubt",
}
_LINES = {
    "puts": "puts",
    "gets": "gets",
    "alias": "other name for",
    "remote": "sends by way of",
    "backout": "poison messages to",
    "initq": "triggers through",
    "transmits": "sends (MQ Everyplace)",
    "pulls": "pulls (MQ Everyplace)",
    "link": "link without channels",
}


def legend(frame: TopologyFrame, width: float) -> tuple[str, float]:
    """The legend as SVG, to be moved under the picture, and its height in pixels."""
    kinds = {q.kind for q in frame.outline.queues}
    drawn = {e.kind for e in frame.outline.edges}
    channels = any(p.chltype for p in frame.outline.programs)
    rows = [
        ("Queues", [(20, glyph(k, 10, 0), _WORDS[k]) for k in KINDS if k in kinds]),
        (
            "Messages",
            [
                (14, rect(0, -4, 5.5, 8, "live", 1.2) + rect(7, -4, 5.5, 8, "live", 1.2), "can be got"),
                (14, rect(0.5, -3.5, 11, 7, "uncommitted", 1), "put, not committed"),
                (
                    14,
                    rect(0.5, -3.5, 11, 7, "lapsed", 1) + f'<path class="hatch" d="{hatch(0.5, -3.5, 11, 7)}"/>',
                    "lapsed, still counted",
                ),
                (
                    28,
                    rect(0, -7, 28, 14, "card", 4)
                    + '<path class="level" d="M4 -7H16V7H4A4 4 0 0 1 0 3V-3A4 4 0 0 1 4 -7z"/>'
                    + rect(0, -7, 28, 14, "rim", 4),
                    "fill: depth of MAXDEPTH",
                ),
            ],
        ),
        ("Channels", [(20, state_sign(s, 10, 0), _STATES[s]) for s in _STATES] if channels else []),
        (
            "Signs",
            [(18, badge("P", 9, 0), "puts inhibited"), (18, badge("G", 9, 0), "gets inhibited")]
            + [
                (
                    34,
                    f'<path class="wire {k}" d="M0 0H28"/>' + (arrow(34, 0, f"tip {k}") if k != "link" else ""),
                    _LINES[k],
                )
                for k in _LINES
                if k in drawn
            ],
        ),
    ]
    parts, y = [], 10.0
    for title, items in rows:
        if not items:
            continue
        parts.append(text(20, y + 4, title.upper(), "heading"))
        x = float(LEFT)
        for wide, drawing, words in items:
            room = wide + 7 + sans_width(words, 11)
            if x + room > width - 20 and x > LEFT:
                x, y = float(LEFT), y + LINE
            parts.append(
                f'<g transform="translate({number(x)} {number(y)})">{drawing}{text(wide + 7, 4, words, "")}</g>'
            )
            x += room + GAP
        y += LINE
    return "".join(parts), y + 2
