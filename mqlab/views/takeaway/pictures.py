"""A picture as a file: the format is what its name ends in."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from ...engine.words.errors import LabError
from ...formats.whole_file import write_whole
from .graphml import graphml
from .still import palette_of, pdf, png, still

FORMATS: dict[str, Callable[[Any, bool], str | bytes]] = {
    ".svg": lambda picture, dark: still(picture.svg, dark) if dark else picture.svg,
    ".png": lambda picture, dark: png(picture.svg, dark),
    ".pdf": lambda picture, dark: pdf(picture.svg, dark),
    ".html": lambda picture, dark: _page(picture.svg),
    ".htm": lambda picture, dark: _page(picture.svg),
    ".mmd": lambda picture, dark: picture.shapes("mermaid", picture.words),
    ".drawio": lambda picture, dark: picture.shapes("drawio", picture.words, palette_of(dark)._asdict()),
    ".graphml": lambda picture, dark: graphml(picture.shapes("shapes")),
}
"""The content of a file in each format, for a picture in light or dark colors."""
OF_LABS = (".mmd", ".drawio", ".graphml")
"""The formats of boxes and lines, which a row of moments or a chart has not."""


def save_picture(picture: Any, path: str | PathLike, dark: bool) -> None:
    """See `mqlab.views.drawing.scene.Picture.save`."""
    palette_of(dark)
    suffix = suffix_of(path, [each for each in FORMATS if picture.shapes or each not in OF_LABS])
    if suffix not in (".svg", ".html", ".htm", *OF_LABS) and picture.svg.count("<svg ") != 1:
        raise LabError(f"a {suffix} file holds one picture; got several: .html holds them all")
    write_whole(path, FORMATS[suffix](picture, dark))


def suffix_of(path: str | PathLike, possible: list[str], more: str = "") -> str:
    """The end of a file name, in lower case; LabError, with a list of the possible ones, for any other."""
    suffix = Path(path).suffix.lower() if isinstance(path, str | PathLike) else ""
    if suffix not in possible:
        raise LabError(f"path must be a file name that ends in {', '.join(possible)}; got {str(path)!r}{more}")
    return suffix


def _page(svg: str) -> str:
    head = '<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
    return f"<!DOCTYPE html>\n{head}<title>mqlab</title></head><body>{svg}</body></html>\n"
