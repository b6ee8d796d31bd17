"""SVG by hand: the shapes that Python draws, as text."""

from __future__ import annotations

from collections.abc import Iterable

from ..text import escape


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
