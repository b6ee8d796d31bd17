"""SVG by hand: the shapes that Python draws, as text."""

from __future__ import annotations

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


def text(x: float, y: float, words: str, kind: str, anchor: str = "") -> str:
    """Escaped `words` on the baseline at x, y."""
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}"{end}>{escape(words)}</text>'
