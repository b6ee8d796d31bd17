"""The gates of a connection as a picture: open ones, the closed one with the program before it, and those behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..theme import style_sheet
from .svg_shapes import number, opening, rect, text

if TYPE_CHECKING:
    from ...gates.answer import Answer

_WIDTH, _TOP, _HEIGHT = 740, 26, 46
_STYLE = style_sheet(".mqlab-gates", "gates.css")


def gates_svg(answer: Answer) -> str:
    """The gates of an answer of `lab.why_refused` as an SVG text, from the program to the queue manager."""
    gates, labels = answer.rows, 2 if len(answer.rows) > 9 else 1
    step = (_WIDTH - 130) / max(1, len(gates))
    closed = next((i for i, row in enumerate(gates) if row.state == "refused"), len(gates))
    said = f"{answer.program} stands before the gate {answer.refused.gate}" if answer.refused else "all gates are open"
    parts = [opening("mqlab-gates", said, _WIDTH, _TOP + _HEIGHT + 16 * labels + 10, _STYLE)]
    ground = _TOP + _HEIGHT
    parts.append(f'<path class="ground" d="M0 {ground}H{_WIDTH}"/>')
    for i, row in enumerate(gates):
        x = 66 + step * i + step / 2
        parts += [*_gate(x, row.state), text(x, ground + 16 + 15 * (i % labels), row.gate, row.state, "middle")]
    parts += [rect(_WIDTH - 58, _TOP + 6, 54, _HEIGHT - 6, "qmgr", 4)]
    parts.append(text(_WIDTH - 31, ground - 16, answer.qmgr[:8], "name", "middle"))
    before = 66 + step * closed + (step / 2 - 24 if closed < len(gates) else -8)
    parts += [f'<circle class="who" cx="{number(before)}" cy="{number(ground - 27)}" r="6"/>',
              f'<path class="who" d="M{number(before - 8)} {ground}v-9a8 9 0 0 1 16 0v9z"/>']  # fmt: skip
    x, anchor = min(max(before, 4.0), _WIDTH - 60), "middle" if before > 40 else "start"
    return "".join([*parts, text(x, _TOP - 8, answer.program, "name", anchor)]) + "</svg>"


def _gate(x: float, state: str) -> list[str]:
    """A gate at x: two posts, and its door, open or closed."""
    kind = {"passed": "open", "refused": "closed"}.get(state, "far")
    left, right, top, ground = number(x - 13), number(x + 13), _TOP + 6, _TOP + _HEIGHT
    frame = f'<path class="{kind} frame" d="M{left} {ground}V{top}H{right}V{ground}"/>'
    if kind == "open":
        return [frame, f'<path class="open door" d="M{left} {ground}V{top}l8 5V{ground + 5}z"/>']
    door = rect(x - 11, top + 2, 22, _HEIGHT - 8, f"{kind} door")
    return [frame, door, f'<circle class="{kind} knob" cx="{number(x + 6)}" cy="{number(ground - 18)}" r="1.6"/>']
