"""A picture in two: the scaffold, drawn once, and the parts of it that change from moment to moment, by key.

Whoever shows a picture that changes (the player, the widget) draws the scaffold once and then hands over parts only.
"""

from __future__ import annotations

from typing import NamedTuple

from ..text import escape

__all__ = ["Drawing", "part"]

_END = '"></g>'


def part(key: str) -> str:
    """The empty place of a part in a scaffold.

    >>> part("QM1/ORDERS")
    '<g data-part="QM1/ORDERS"></g>'
    """
    return f'<g data-part="{escape(key)}{_END}'


class Drawing(NamedTuple):
    """An SVG text with an empty place for each part, and what belongs there.

    >>> Drawing("<svg>" + part("a") + "</svg>", {"a": "<b/>"}).svg
    '<svg><g data-part="a"><b/></g></svg>'
    """

    scaffold: str
    parts: dict[str, str]

    @property
    def svg(self) -> str:
        """The whole picture."""
        pieces = self.scaffold.split('<g data-part="')
        whole = [pieces[0]]
        places = {escape(key): text for key, text in self.parts.items()}
        for piece in pieces[1:]:
            key, rest = piece.split(_END, 1)
            whole.append(f'<g data-part="{key}">{places.get(key, "")}</g>{rest}')
        return "".join(whole)
