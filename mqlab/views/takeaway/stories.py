"""The story of a lab as a file: slides of its stops, or a film of a chapter."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from ...engine.words.arguments import require
from ...engine.words.errors import LabError
from ...formats.whole_file import write_whole
from ..frames.moments import Lab
from ..player.player import LEVELS
from .film import film
from .pictures import suffix_of
from .slides import slides
from .still import palette_of
from .story import Story

MOST_SLIDES = 120


def save_story(
    lab: Lab, path: str | PathLike, chapter: int | str | None, title: str | None, dark: bool, **chosen: Any
) -> Path:
    """See `mqlab.Lab.save_story`."""
    suffix = suffix_of(path, [".pptx", ".gif"], '. lab.save_player("demo.html") writes a page that plays')
    palette = palette_of(dark)
    require("title", title, str | None, "a few words")
    story = Story(lab, LEVELS[2] if suffix == ".gif" else LEVELS[0], **chosen)
    name = title or (story.chapters[0][1] if story.chapters else "What happened")
    part = story.part(chapter)
    if suffix == ".gif":
        write_whole(path, film(story, part, palette))
        return Path(path)
    stops = [n for n in story.stops if n in part]
    if len(stops) > MOST_SLIDES:
        raise LabError(
            f"a story must have at most {MOST_SLIDES} stops, one for each slide; got {len(stops)}. Choose a part: "
            f'lab.save_story(path, chapter=1), start="09:00:00", end="09:05:00", or messages=[1, 2]'
        )
    write_whole(path, slides(story, stops, name, palette))
    return Path(path)
