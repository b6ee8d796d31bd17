"""The story of a lab as a file: slides of its stops, with what a speaker says, or a film of a shot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from os import PathLike
from pathlib import Path
from typing import Any

from ...engine.words.arguments import require
from ...engine.words.errors import LabError, NotInstalled
from ...engine.words.rulebook import RULES
from ...formats.whole_file import write_whole
from ..drawing import svg_shapes as svg
from ..drawing.scene import palette_of, png, suffix_of
from ..drawing.topology import NARROWEST
from ..frames.moments import Lab, clock
from ..text import capital, shorten, wrap
from ..theme import DARK, Palette, style_sheet
from .player import LEVELS
from .player_steps import PlayerSteps
from .story import Step

CAUSES = 3  # of a step that its notes name


class Story:
    """The steps of a lab, what is seen at each on one layout, and what there is to say of it; options as for
    `PlayerSteps`."""

    def __init__(self, lab: Lab, without: frozenset[str], **chosen: Any) -> None:
        self.source = PlayerSteps(lab, without=without, **chosen)
        self.steps, self.places, self.start = self.source.steps, self.source.places(), lab.start
        self.shots = [(stop.step, stop.title, stop.said) for stop in self.source.shots]

    @property
    def stops(self) -> list[int]:
        """The steps at which a player stops (`mqlab.views.player.story`)."""
        return [stop.step for stop in self.source.stops] or [len(self.steps) - 1]

    def part(self, shot: int | str | None) -> range:
        """The steps of a shot, by its number (from 1) or its title; all for None. Raises LabError with the list of
        shots if there is no such shot."""
        if shot is None:
            return range(len(self.steps))
        titles = [title for _, title, _ in self.shots]
        place = titles.index(shot) + 1 if shot in titles else shot
        if type(place) is not int or not 1 <= place <= len(titles):
            there = ", ".join(f"{number} ({title})" for number, title in enumerate(titles, 1)) or "none"
            raise LabError(f"shot must be one of {there}; got {shot!r}")
        ends = [0, *(step + 1 for step, *_ in self.shots)]
        return range(ends[place - 1], ends[place])

    def shot(self, n: int) -> tuple[str, str]:
        """The title and the words of the last shot up to step `n`, "" for none."""
        _, title, say = max((each for each in self.shots if each[0] <= n), default=(0, "", ""))
        return title, say

    def shapes(self, n: int) -> dict[str, Any]:
        """The boxes and lines at step `n` (`mqlab.views.drawing.topology.Places.exported`)."""
        return self.places.exported(self.source.facts_at(n), self.steps[n].time_us, "shapes")

    def drawing(self, n: int) -> str:
        """The picture at step `n` as SVG text without a style, at its scale in a notebook."""
        return self.places.picture(self.source.facts_at(n), self.steps[n].time_us, self.places.scale)

    def time(self, n: int) -> str:
        """The time of day of step `n`, to the second."""
        return clock(self.start, self.steps[n].time_us)[:8]

    def said(self, n: int) -> str:
        """The words of step `n`: those of a shot, the words for all events of a stop, the sentence of any other
        step."""
        step = self.steps[n]
        words = next((stop.said for stop in self.source.stops if stop.step == n), step.said)
        return self.shot(n)[1] if step.kind == "shot" else sentence(words)

    def notes(self, n: int) -> str:
        """The speaker's notes of step `n`: the shot, the sentence, the rule, and what led to it."""
        step, (title, text) = self.steps[n], self.shot(n)
        told = [f"{title}. {text}" if title else "", "" if step.kind == "shot" else f"{self.time(n)}: {self.said(n)}"]
        told.append(f"Rule {step.rule}: {RULES[step.rule].title}." if step.rule in RULES else "")
        told += [f"Because, at {self.time(at)}: {self.said(at)}" for at in self._causes(step)]
        return "\n\n".join(filter(None, told))

    def _causes(self, step: Step) -> list[int]:
        """The steps that led to one, the nearest first."""
        found: list[int] = []
        while step.cause >= 0 and len(found) < CAUSES:
            found.append(step.cause)
            step = self.steps[step.cause]
        return found


def sentence(words: str) -> str:  # text: any, for its first letter
    """Words as a sentence: a capital at the front, if a plain word is first, and a full stop.

    >>> sentence("message 1 expired"), sentence("QM1 ends"), sentence("")
    ('Message 1 expired.', 'QM1 ends.', '')
    """
    first = words.partition(" ")[0]
    return words and (capital(words) if first.isalpha() and first.islower() else words).rstrip(".") + "."


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
        f"a film must have at most {LIMIT:,} bytes; got {file.tell():,} bytes. Choose a part: shot=1, or a stretch "
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
        yield now, 3200 if story.steps[n].kind == "shot" else 2200 if story.steps[n].sort else 1000
        before = now


def _wide(story: Story) -> float:
    return max(story.places.size[0] * story.places.scale, NARROWEST)


def _picture(story: Story, n: int, palette: Palette) -> Any:
    """The picture at a step with its time and its sentence, as pixels."""
    from PIL import Image

    (width, height), scale, wide = story.places.size, story.places.scale, _wide(story)
    title, _ = story.shot(n)
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


POINT = 12_700  # of PowerPoint's units, EMU
INCH = 72 * POINT
WIDE, HIGH = 13.333, 7.5  # inches
ROOM = (0.4, 1.5, 12.53, 5.6)  # of the picture, in inches: from the left, from the top, width, height
LARGEST = 1.25  # points for a pixel of the picture
SMALLEST = 7  # points


def slides(story: Story, stops: list[int], title: str, palette: Palette) -> bytes:
    """A slide for each stop after one with the title. LabError if python-pptx is not installed."""
    try:
        from pptx import Presentation
    except ImportError:
        raise NotInstalled("PPTX", "python-pptx") from None
    deck = Presentation()
    deck.slide_width, deck.slide_height = round(WIDE * INCH), round(HIGH * INCH)
    deck.core_properties.title, deck.core_properties.author = title, "mqlab"
    page = _Page(deck, palette)
    names = ", ".join(q.name for q in story.source.outline.qmgrs)
    page.words(title, (0.9, 2.6, 11.5, 1.4), 40, bold=True)
    page.words(names, (0.9, 4.0, 11.5, 0.8), 20, "muted")
    for n in stops:
        page = _Page(deck, palette)
        heading, said = story.shot(n)[0], story.said(n)
        page.words(heading or said, (0.4, 0.2, 10.9, 0.6), 24, bold=True)
        page.words(said if heading else "", (0.4, 0.78, 12.5, 0.7), 16)
        page.words(story.time(n), (11.4, 0.25, 1.53, 0.5), 16, "muted")
        page.picture(story.shapes(n))
        page.slide.notes_slide.notes_text_frame.text = story.notes(n)
    file = io.BytesIO()
    deck.save(file)
    return _undated(file)


class _Page:
    """A slide to draw on."""

    def __init__(self, deck: Any, palette: Palette) -> None:
        self.slide, self.palette = deck.slides.add_slide(deck.slide_layouts[6]), palette
        self.slide.background.fill.solid()
        self.slide.background.fill.fore_color.rgb = self.color("paper")

    def color(self, role: str) -> Any:
        """The color of a role."""
        from pptx.dml.color import RGBColor

        return RGBColor.from_string(getattr(self.palette, role).removeprefix("#"))

    def words(self, text: str, place: tuple[float, ...], size: float, role: str = "ink", *, bold: bool = False) -> None:
        """A text box at a place in inches; nothing for no words."""
        if not text:
            return
        frame = self.slide.shapes.add_textbox(*(round(each * INCH) for each in place)).text_frame
        frame.word_wrap = True
        self.paragraph(frame.paragraphs[0], text, size, role, bold)

    def paragraph(self, paragraph: Any, text: str, size: float, role: str, bold: bool) -> None:
        """Words of one size and color."""
        run = paragraph.add_run()
        run.text, run.font.size, run.font.bold = text, round(size * POINT), bold
        run.font.color.rgb = self.color(role)

    def picture(self, shapes: dict[str, Any]) -> None:
        """Boxes and lines, as large as there is room for: what holds boxes, the lines, and the boxes over them."""
        left, top, wide, high = (each * INCH for each in ROOM)
        scale = min(wide / max(1, shapes["width"]), high / max(1, shapes["height"]), LARGEST * POINT)
        x0, y0 = left + (wide - shapes["width"] * scale) / 2, top + (high - shapes["height"] * scale) / 2
        for box in (each for each in shapes["boxes"] if each["holds"]):
            self.box(box, x0, y0, scale)
        for line in shapes["lines"]:
            self.line(line, [(round(x0 + x * scale), round(y0 + y * scale)) for x, y in line["points"]], scale)
            if line["label"]:
                wide, high = 150 * scale / INCH, 22 * scale / INCH
                x, y = ((at * scale + origin) / INCH for at, origin in zip(line["at"], (x0, y0), strict=True))
                size = max(SMALLEST, 10 * scale / POINT)
                self.words(line["label"], (x - wide / 2, y - high, wide, high), size, line["color"])
        for box in (each for each in shapes["boxes"] if not each["holds"]):
            self.box(box, x0, y0, scale)

    def box(self, box: dict[str, Any], x0: float, y0: float, scale: float) -> None:
        """A box with its name and its words, as one shape."""
        from pptx.enum.dml import MSO_LINE
        from pptx.enum.shapes import MSO_SHAPE
        from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

        kinds = {"rectangle": MSO_SHAPE.RECTANGLE, "arrow": MSO_SHAPE.PENTAGON}
        place = (x0 + box["x"] * scale, y0 + box["y"] * scale, box["w"] * scale, box["h"] * scale)
        shape = self.slide.shapes.add_shape(
            kinds.get(box["shape"], MSO_SHAPE.ROUNDED_RECTANGLE), *(round(each) for each in place)
        )
        if box["shape"] in ("rounded", "pill", "arrow"):
            shape.adjustments[0] = {"rounded": 0.12, "pill": 0.5, "arrow": 12 / box["h"]}[box["shape"]]
        shape.name = box["id"]
        shape._element.nvSpPr.cNvPr.set("descr", box["said"])
        shape.shadow.inherit = False
        shape.fill.solid() if box["fill"] else shape.fill.background()
        if box["fill"]:
            shape.fill.fore_color.rgb = self.color(box["fill"])
        if box["line"]:
            shape.line.color.rgb = self.color(box["line"])
            shape.line.width = round(1.25 * POINT)
        else:
            shape.line.fill.background()
        if box["dashed"]:
            shape.line.dash_style = MSO_LINE.DASH
        frame, size = shape.text_frame, max(SMALLEST, 12 * scale / POINT)
        frame.word_wrap = True
        frame.vertical_anchor = MSO_ANCHOR.TOP if box["holds"] else MSO_ANCHOR.MIDDLE
        frame.margin_left = frame.margin_right = round(6 * scale)
        frame.margin_top = frame.margin_bottom = round((6 if box["holds"] else 1) * scale)
        fits = max(6, int(box["w"] * scale / POINT / size / 0.58))
        self.paragraph(frame.paragraphs[0], shorten(box["name"], fits), size, "ink", True)
        if box["words"]:
            role = "alarm" if box["line"] == "alarm" else "muted"
            self.paragraph(frame.add_paragraph(), box["words"], max(SMALLEST, size * 0.85), role, False)
        for paragraph in frame.paragraphs:
            paragraph.alignment = PP_ALIGN.LEFT if box["holds"] else PP_ALIGN.CENTER

    def line(self, line: dict[str, Any], points: list[tuple[int, int]], scale: float) -> None:
        """A line with its arrowheads: a connector where it is straight, else a freeform through its corners."""
        from pptx.enum.dml import MSO_LINE
        from pptx.enum.shapes import MSO_CONNECTOR

        if len(points) == 2:
            shape = self.slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *points[0], *points[1])
        else:
            drawn = self.slide.shapes.build_freeform(*points[0], scale=1.0)
            drawn.add_line_segments(points[1:], close=False)
            shape = drawn.convert_to_shape()
            shape.fill.background()
            shape.shadow.inherit = False
        shape.name = f"{line['source']} {line['kind']} {line['target']}"
        shape.line.color.rgb = self.color(line["color"])
        shape.line.width = round(1.6 * scale)
        if line["dashed"]:
            shape.line.dash_style = MSO_LINE.DASH
        pen = shape.line._get_or_add_ln()
        for end in ("headEnd",) * line["both"] + ("tailEnd",) * line["heads"]:  # head: where the line begins
            pen.append(pen.makeelement(f"{{{pen.nsmap['a']}}}{end}", {"type": "triangle", "w": "med", "len": "med"}))


def _undated(file: io.BytesIO) -> bytes:
    """A file of parts without the time at which they were packed: the same story gives the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(file) as parts, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as again:
        for name in parts.namelist():
            again.writestr(zipfile.ZipInfo(name), parts.read(name), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


MOST_SLIDES = 120


def save_story(
    lab: Lab, path: str | PathLike, shot: int | str | None, title: str | None, dark: bool, **chosen: Any
) -> Path:
    """See `mqlab.Lab.save_story`."""
    suffix = suffix_of(path, [".pptx", ".gif"], '. lab.save_player("demo.html") writes a page that plays')
    palette = palette_of(dark)
    require("title", title, str | None, "a few words")
    story = Story(lab, LEVELS[2] if suffix == ".gif" else LEVELS[0], **chosen)
    name = title or (story.shots[0][1] if story.shots else "What happened")
    part = story.part(shot)
    if suffix == ".gif":
        write_whole(path, film(story, part, palette))
        return Path(path)
    stops = [n for n in story.stops if n in part]
    if len(stops) > MOST_SLIDES:
        raise LabError(
            f"a story must have at most {MOST_SLIDES} stops, one for each slide; got {len(stops)}. Choose a part: "
            f'lab.save_story(path, shot=1), start="09:00:00", end="09:05:00", or messages=[1, 2]'
        )
    write_whole(path, slides(story, stops, name, palette))
    return Path(path)
