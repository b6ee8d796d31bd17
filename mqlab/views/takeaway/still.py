"""Drawings for programs that know no CSS variables: colors and fonts put in, as SVG, PNG, and PDF."""

from __future__ import annotations

import re
from typing import Any

from ...engine.words.arguments import require
from ...engine.words.errors import NotInstalled
from ..theme import DARK, LIGHT, Palette

FONTS = {"sans": '"DejaVu Sans",Verdana,Arial,sans-serif', "mono": '"DejaVu Sans Mono",Menlo,Consolas,monospace'}
SHARP = 2  # pixels of an image for each pixel of a drawing
_THEMES = re.compile(r"@media[^{]*\{[^{}]*\{[^{}]*\}\}|[^{}<>]*\{--mq-[^{}]*\}")
_VARIABLE = re.compile(r"var\(--mq-([\w-]+)(?:,[^()]*)?\)")


def palette_of(dark: bool) -> Palette:
    """The colors of the dark or of the light theme; LabError for anything but True and False."""
    require("dark", dark, bool)
    return DARK if dark else LIGHT


def still(svg: str, dark: bool = False) -> str:
    """A drawing that looks the same everywhere, in light or dark colors.

    >>> still('<svg><style>.a{--mq-ink:red}.a text{fill:var(--mq-ink)}</style></svg>')
    '<svg><style>.a text{fill:#1c2128}</style></svg>'
    """
    colors = {role.replace("_", "-"): color for role, color in palette_of(dark)._asdict().items()} | FONTS
    plain = _VARIABLE.sub(lambda name: colors[name[1]], _THEMES.sub("", svg))
    return plain.replace("font-weight:650", "font-weight:700")  # what lies between is drawn regular


def png(svg: str, dark: bool = False, scale: float = SHARP) -> bytes:
    """One drawing as a PNG image of `scale` pixels for each of its own. LabError if vl-convert is not installed."""
    return _converter("PNG").svg_to_png(still(svg, dark), scale=scale)


def pdf(svg: str, dark: bool = False) -> bytes:
    """One drawing as a PDF page. LabError if vl-convert is not installed."""
    return _converter("PDF").svg_to_pdf(still(svg, dark))


def _converter(form: str) -> Any:
    try:
        import vl_convert
    except ImportError:
        raise NotInstalled(form, "vl-convert-python") from None
    return vl_convert
