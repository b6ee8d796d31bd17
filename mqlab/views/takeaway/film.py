"""A film of some steps of a story (GIF): the picture at each, its sentence below, and messages on their way."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import Any

from ...engine.words.errors import LabError, NotInstalled
from ..drawing import svg_shapes as svg
from ..drawing.topology import NARROWEST
from ..text import wrap
from ..theme import DARK, Palette, style_sheet
from .still import png
from .story import Story

LIMIT = 2_000_000
"""No film is larger than this many bytes."""
MOST = 40  # steps of a film: of more, those that explain least are left out
FOOT = 74  # pixels: the time, and two lines of words
COLORS = 64
FLIES = 5  # pictures of a message on its way
Point = tuple[float, float]


def film(story: Story, part: Sequence[int], palette: Palette) -> bytes:
    """Some steps of a story as an animated GIF of under 2 MB. LabError if Pillow or vl-convert is not installed, and
    for a picture too large for a film."""
    try:
        from PIL import Image
    except ImportError:
        raise NotInstalled("GIF", "Pillow") from None
    pictures, lasting = zip(*_frames(story, _chosen(story, part), palette), strict=True)
    sheet = Image.new("RGB", (pictures[0].width, pictures[0].height * 3))
    for place, picture in enumerate((pictures[0], pictures[len(pictures) // 2], pictures[-1])):
        sheet.paste(picture, (0, place * picture.height))
    for share in (1, 0.75, 0.5):
        size = (round(pictures[0].width * share), round(pictures[0].height * share))
        colors = sheet.quantize(COLORS, Image.Quantize.MEDIANCUT)
        flat = [each.resize(size, Image.Resampling.LANCZOS).quantize(palette=colors, dither=0) for each in pictures]
        file = io.BytesIO()
        flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=lasting, loop=0, optimize=False)
        if file.tell() <= LIMIT:
            return file.getvalue()
    raise LabError(
        f"a film must have at most {LIMIT:,} bytes; got {file.tell():,} bytes. Choose a part: chapter=1, or a stretch "
        'from start="09:00:00" to end="09:01:00"'
    )


def _chosen(story: Story, part: Sequence[int]) -> list[int]:
    """The steps to show: those at which something moves, changes, or is explained, evenly thinned where too many."""
    stops = set(story.stops)
    told = [n for n in part if n in stops or story.steps[n].ways] or list(part)[:1]
    if len(told) > MOST:
        told = [n for n in told if n in stops] or told
    return [told[place * len(told) // min(MOST, len(told))] for place in range(min(MOST, len(told)))]


def _frames(story: Story, steps: list[int], palette: Palette) -> Iterator[tuple[Any, int]]:
    """The pictures, and how long each is seen, in milliseconds."""
    before = None
    for n in steps:
        now = _picture(story, n, palette)
        way = _way(story, n)
        for place in range(FLIES if before is not None and len(way) > 1 else 0):
            yield _flying(before, _along(way, (place + 1) / (FLIES + 1)), story, n, palette), 110
        yield now, 3200 if story.steps[n].kind == "chapter" else 2200 if story.steps[n].sort else 1000
        before = now


def _wide(story: Story) -> float:
    return max(story.places.size[0] * story.places.scale, NARROWEST)


def _picture(story: Story, n: int, palette: Palette) -> Any:
    """The picture at a step with its time and its sentence, as pixels."""
    from PIL import Image

    (width, height), scale, wide = story.places.size, story.places.scale, _wide(story)
    title, _ = story.chapter(n)
    lines, high = wrap(story.said(n), wide - 28, 13)[:2], height * scale + FOOT
    parts = [svg.opening("mqlab-topology", "", wide, high, style_sheet(".mqlab-topology", "topology.css"))]
    parts.append(svg.rect(0, 0, wide, high, "paper"))
    parts.append(f'<g transform="translate({svg.number((wide - width * scale) / 2)} 0) scale({scale:.4f})">')
    parts.append(f"{story.drawing(n)}</g>")
    foot = height * scale + 20
    parts.append(svg.text(14, foot, [("", f"{story.time(n)}  "), ("mute", title)], "said strong"))
    parts += [svg.text(14, foot + 21 + 18 * row, line, "said") for row, line in enumerate(lines)]
    return Image.open(io.BytesIO(png("".join(parts) + "</svg>", palette == DARK, 1))).convert("RGB")


def _way(story: Story, n: int) -> list[Point]:
    """The corners of the lines that a message travels at a step, as pixels of the picture; [] if none is drawn."""
    scene, scale = story.places.scene, story.places.scale
    lines = {line["id"]: line for line in scene["lines"]}
    points: list[Point] = []
    for source, _, target in (key.partition(">") for key in story.steps[n].ways):
        a, b = (scene["where"].get(end, end) for end in (source, target))
        found = lines.get(f"{a}>{b}", {"points": []})["points"]
        back = lines.get(f"{b}>{a}", {})
        points += [
            (x, y) for x, y in (found or (back["points"][::-1] if back.get("both") or back.get("pulled") else []))
        ]
    left = (_wide(story) - story.places.size[0] * scale) / 2
    return [(left + x * scale, y * scale) for x, y in points]


def _along(way: list[Point], share: float) -> Point:
    """The point at a share of the length of a line with corners."""
    left = share * sum(hypot(x - ox, y - oy) for (ox, oy), (x, y) in pairwise(way))
    for (ox, oy), (x, y) in pairwise(way):
        long = hypot(x - ox, y - oy)
        if left <= long and long:
            return ox + (x - ox) * left / long, oy + (y - oy) * left / long
        left -= long
    return way[-1]


def _flying(before: Any, at: Point, story: Story, n: int, palette: Palette) -> Any:
    """The picture before a step with its message on the way: an ellipse, of a persistent one a box, with its number."""
    from PIL import ImageDraw, ImageFont

    picture, step = before.copy(), story.steps[n]
    pen, number = ImageDraw.Draw(picture), str(step.message)
    wide = 8 + 4 * len(number)
    outline = (at[0] - wide, at[1] - 10, at[0] + wide, at[1] + 10)
    (pen.rectangle if step.persistent else pen.ellipse)(outline, fill=palette.ink, outline=palette.paper, width=2)
    pen.text(at, number, fill=palette.paper, font=ImageFont.load_default(12), anchor="mm")
    return picture
