"""The story of a lab as a file: slides of its stops, with what a speaker says, or a film of a shot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ...engine.words.arguments import require
from ...engine.words.errors import LabError, NotInstalled
from ...engine.words.rulebook import RULES
from ...formats.whole_file import write_whole
from ..drawing import svg_shapes as svg
from ..drawing.scene import palette_of, png, suffix_of
from ..drawing.topology import NARROWEST, Places, places_of
from ..frames.moments import Lab, clock
from ..text import capital, lines_within, sans_width, shorten, wrap
from ..theme import DARK, Palette, style_sheet
from .player import LEVELS
from .player_steps import PlayerSteps
from .story import Step, Stop

CAUSES = 3  # of a step that its notes name


class Story:
    """The steps of a lab, what is seen at each on one layout, and what there is to say of it; options as for
    `PlayerSteps`."""

    def __init__(self, lab: Lab, without: frozenset[str], **chosen: Any) -> None:
        self.source = PlayerSteps(lab, without=without, screen=SLIDE, **chosen)
        self.steps, self.places, self.start = self.source.steps, self.source.places(), lab.start
        self._end, self._parts = self.source.frame(len(self.steps) - 1), dict[frozenset[str], Places]()
        self._nodes = self.source.outline.nodes

    @property
    def stops(self) -> list[int]:
        """The steps at which a player stops (`mqlab.views.player.story`)."""
        return [stop.step for stop in self.source.stops] or [len(self.steps) - 1]

    def part(self, shot: int | str | None) -> range:
        """The steps of a shot, by its number (from 1) or its title; all for None. Raises LabError with the list of
        shots if there is no such shot."""
        if shot is None:
            return range(len(self.steps))
        titles = [stop.title for stop in self.source.shots]
        place = titles.index(shot) + 1 if shot in titles else shot
        if type(place) is not int or not 1 <= place <= len(titles):
            there = ", ".join(f"{number} ({title})" for number, title in enumerate(titles, 1)) or "none"
            raise LabError(f"shot must be one of {there}; got {shot!r}")
        ends = [0, *(stop.step + 1 for stop in self.source.shots)]
        return range(ends[place - 1], ends[place])

    def shot(self, n: int) -> tuple[str, str]:
        """The title and the words of the last shot up to step `n`, "" for none."""
        before = [stop for stop in self.source.shots if stop.step <= n]
        return (before[-1].title, before[-1].said) if before else ("", "")

    def shapes(self, n: int) -> dict[str, Any]:
        """The boxes and lines at stop `n` (`mqlab.views.drawing.topology.Places.exported`): all, if each has a box that
        is legible on a slide, else its objects with their neighbors, or alone; if it has a focus, nothing else."""
        tried: list[Places] = []
        for view in self._views(n):
            tried.append(self._placed(view))
            if _scale(tried[-1].size) >= LEGIBLE:
                break
        places = max(tried, key=lambda laid: min(LEGIBLE, _scale(laid.size)))
        return places.exported(self.source.facts_at(n), self.steps[n].time_us, "shapes")

    def _stop(self, n: int) -> Stop:
        """The stop at step `n`, or the step alone as one."""
        alone = Stop(n, self.steps[n].said, "", (n,))
        return next((stop for stop in self.source.stops if stop.step == n), alone)

    def _placed(self, objects: frozenset[str]) -> Places:
        """The places of some objects alone, or of everything for none."""
        if objects and objects not in self._parts:
            self._parts[objects] = places_of(self._end, SLIDE, sorted(objects))
        return self._parts[objects] if objects else self.places

    def _views(self, n: int) -> Iterator[frozenset[str]]:
        """The objects that a slide of step `n` can show, none for all, the best first."""
        stop = self._stop(n)
        focus = set(stop.focus)
        if objects := frozenset(id for id in self._nodes if focus & {id, id.partition("/")[0]}):
            yield objects
            return
        if not self.places.opens:
            yield frozenset()
        since = max((step for step in self.stops if step < n), default=-1)
        for some in (*([range(since + 1, n + 1)] if since >= 0 else []), stop.members):
            own = self._of(some)
            yield own | {end for edge in self.source.outline.edges if own & {*edge[:2]} for end in edge[:2]}
            yield own
        yield frozenset()

    def _of(self, steps: Sequence[int]) -> frozenset[str]:
        """The objects that some steps change or name, or that their messages pass; of a queue manager all."""
        chosen = set(steps)
        wanted = {id for id, track in self.source.facts.items() if any(step in chosen for step, _ in track)}
        for step in (self.steps[each] for each in chosen):
            wanted |= {end for way in step.ways for end in way.split(">")}
            wanted |= {f"{step.qmgr}/{kind}{step.object}" for kind in ("", "channel:", "topic:")}
            wanted |= {f"{step.qmgr}/app:{step.program}"} if step.object else {step.qmgr}
        links = [frozenset(id.removeprefix("link:").split("|")) for id in wanted if id.startswith("link:")]
        ends = [edge[:2] for edge in self.source.outline.edges]
        wanted |= {id for edge in ends if frozenset(id.partition("/")[0] for id in edge) in links for id in edge}
        return frozenset(id for id in self._nodes if wanted & {id, id.partition("/")[0]})

    def drawing(self, n: int) -> str:
        """The picture at step `n` as SVG text without a style, at its scale in a notebook."""
        return self.places.picture(self.source.facts_at(n), self.steps[n].time_us, self.places.scale)

    def time(self, n: int) -> str:
        """The time of day of step `n`, to the second."""
        return clock(self.start, self.steps[n].time_us)[:8]

    def said(self, n: int) -> str:
        """The words of step `n`: those of a shot, the words for all events of a stop, the sentence of any other
        step."""
        return self.shot(n)[1] if self.steps[n].kind == "shot" else sentence(self._stop(n).said)

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
ROW = 18  # pixels of a line of words
COLORS = 64
SHARES = (1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6)  # of a message's way: where it is seen


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
    """The pictures, with room for the words of each, and how long each is seen, in milliseconds."""
    before, rows = None, max(len(wrap(story.said(n), _wide(story) - 28, 13)) for n in steps)
    for n in steps:
        now = _picture(story, n, rows, palette)
        points = story.places.along(story.steps[n].ways, SHARES)[: None if before is not None else 0]
        for at in points:
            yield _flying(before, at, story, n, palette), 110
        yield now, 3200 if story.steps[n].kind == "shot" else 2200 if story.steps[n].sort else 1000
        before = now


def _wide(story: Story) -> float:
    return max(story.places.size[0] * story.places.scale, NARROWEST)


def _picture(story: Story, n: int, rows: int, palette: Palette) -> Any:
    """The picture at a step with its time and its sentence, as pixels."""
    from PIL import Image

    (width, height), scale, wide = story.places.size, story.places.scale, _wide(story)
    title, _ = story.shot(n)
    lines, high = wrap(story.said(n), wide - 28, 13), height * scale + 36 + ROW * rows
    parts = [svg.opening("mqlab-topology", "", wide, high, style_sheet(".mqlab-topology", "topology.css"))]
    parts.append(svg.rect(0, 0, wide, high, "paper"))
    parts.append(f'<g transform="translate({svg.number((wide - width * scale) / 2)} 0) scale({scale:.4f})">')
    parts.append(f"{story.drawing(n)}</g>")
    foot = height * scale + 20
    parts.append(svg.text(14, foot, f"{story.time(n)}  {title}", "said strong"))
    parts += [svg.text(14, foot + 21 + ROW * row, line, "said") for row, line in enumerate(lines)]
    return Image.open(io.BytesIO(png("".join(parts) + "</svg>", palette == DARK, 1))).convert("RGB")


def _flying(before: Any, at: tuple[float, float], story: Story, n: int, palette: Palette) -> Any:
    """The picture before a step with its message on the way: an ellipse, of a persistent one a box, with its number."""
    from PIL import ImageDraw, ImageFont

    picture, step, places = before.copy(), story.steps[n], story.places
    pen, number = ImageDraw.Draw(picture), "" if step.message is None else str(step.message)
    x = at[0] * places.scale + (_wide(story) - places.size[0] * places.scale) / 2
    y, wide = at[1] * places.scale, 8 + 4 * len(number)
    outline = (x - wide, y - 10, x + wide, y + 10)
    (pen.rectangle if step.persistent else pen.ellipse)(outline, fill=palette.ink, outline=palette.paper, width=2)
    pen.text((x, y), number, fill=palette.paper, font=ImageFont.load_default(12), anchor="mm")
    return picture


POINT = 12_700  # of PowerPoint's units, EMU
WIDE, HIGH, EDGE = 960, 540, 24  # points: a slide, and what is left free around it
TOP = 112  # points: a picture begins there, unless the words above it are many
ROOM = (WIDE - 2 * EDGE, HIGH - EDGE / 2 - TOP)
LARGEST = 1.25  # points for a pixel of the picture
LEGIBLE = 0.9  # points for a pixel: text of SMALLEST fits into the boxes
SLIDE = (round(ROOM[0] / LEGIBLE), round(ROOM[1] / LEGIBLE))  # pixels
SMALLEST = 12  # points
LEADING = 1.2  # heights of its letters from line to line


def _scale(size: tuple[float, float], room: tuple[float, float] = ROOM) -> float:
    """Points for a pixel of a picture of this size in pixels."""
    return min(LARGEST, *(points / max(1, pixels) for points, pixels in zip(room, size, strict=True)))


def slides(story: Story, stops: list[int], title: str, palette: Palette) -> bytes:
    """A slide for each stop after one with the title. LabError if python-pptx is not installed."""
    try:
        from pptx import Presentation
    except ImportError:
        raise NotInstalled("PPTX", "python-pptx") from None
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDE * POINT, HIGH * POINT
    deck.core_properties.title, deck.core_properties.author = title, "mqlab"
    page, names = _Page(deck, palette), [q.name for q in story.source.outline.qmgrs]
    foot = page.words(title, 60, 180, WIDE - 120, (40, 32), 3, bold=True)
    page.words(", ".join(names), 60, foot + 18, WIDE - 120, (20, 16), 3, "muted")
    for n in stops:
        page, shapes = _Page(deck, palette), story.shapes(n)
        heading, said = story.shot(n)[0], story.said(n)
        first, _, rest = said.partition(". ")  # text: any, for its first sentence
        name, wide = heading or sentence(first), WIDE - 2 * EDGE - 90
        *_, fits = fitted(name, wide, (24, 20), 2, True)  # else the whole sentence is below it
        rest = rest if fits and not heading else said
        foot = page.words(name, EDGE, 16, wide, (24, 20), 2 if fits else 1, bold=True)
        page.words(story.time(n), WIDE - EDGE - 86, 20, 86, (16,), 1, "muted")
        foot = page.words(rest, EDGE, foot + 4, WIDE - 2 * EDGE, (16, 14), 3)
        seen = {box[key] for box in shapes["boxes"] for key in ("id", "kind")}
        away = [] if "queue managers" in seen else [name for name in names if name not in seen]
        page.picture(shapes, max(TOP, foot + 10), HIGH - 18 * bool(away))
        page.words(f"Not shown: {', '.join(away)}" if away else "", EDGE, HIGH - 24, WIDE - 2 * EDGE, (12,), 1, "muted")
        page.slide.notes_slide.notes_text_frame.text = story.notes(n)
    file = io.BytesIO()
    deck.save(file)
    return _undated(file)


def fitted(
    text: str, wide: float, sizes: Sequence[float], most: int, bold: bool = False
) -> tuple[list[str], float, bool]:
    """Words in at most so many lines of a width in points, in the largest of some sizes that lets them fit, and whether
    one does; else in the smallest, where the rest becomes "…"."""
    for size in sizes:
        letters = size * (1.1 if bold else 1)
        lines = wrap(text, wide, letters)
        if len(lines) <= most:
            return lines, size, True
    return lines_within(text, wide, letters, most), size, False


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

    def words(
        self, text: str, x: float, y: float, wide: float, sizes: Sequence[float], most: int, role: str = "ink",
        *, bold: bool = False, ground: str = "",
    ) -> float:  # fmt: skip
        """Words at a place in points, as `fitted`, and where they end; nothing for no words."""
        if not text:
            return y
        lines, size, _ = fitted(text, wide, sizes, most, bold)
        high = len(lines) * size * LEADING
        box = self.slide.shapes.add_textbox(*(round(each * POINT) for each in (x, y, wide, high)))
        if ground:
            box.fill.solid()
            box.fill.fore_color.rgb = self.color(ground)
        frame = box.text_frame
        frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
        frame.word_wrap = True
        self.paragraph(frame.paragraphs[0], " ".join(lines), size, role, bold)
        return y + high

    def paragraph(self, paragraph: Any, text: str, size: float, role: str, bold: bool) -> None:
        """Words of one size and color."""
        run = paragraph.add_run()
        run.text, run.font.size, run.font.bold = text, round(size * POINT), bold
        run.font.color.rgb = self.color(role)

    def picture(self, shapes: dict[str, Any], top: float, foot: float) -> None:
        """Boxes and lines between two heights, as large as there is room for; the boxes lie over the lines."""
        size, room = (shapes["width"], shapes["height"]), (WIDE - 2 * EDGE, foot - EDGE / 2 - top)
        scale = _scale(size, room) * POINT
        x0, y0 = (WIDE * POINT - size[0] * scale) / 2, top * POINT + (room[1] * POINT - size[1] * scale) / 2
        for box in (each for each in shapes["boxes"] if each["holds"]):
            self.box(box, x0, y0, scale)
        for line in shapes["lines"]:
            self.line(line, [(round(x0 + x * scale), round(y0 + y * scale)) for x, y in line["points"]], scale)
            if line["label"] and scale >= LEGIBLE * POINT * 0.85:  # else names would lie on each other
                wide = sans_width(line["label"], SMALLEST) + 6
                x, y = ((at * scale + origin) / POINT for at, origin in zip(line["at"], (x0, y0), strict=True))
                x, y = min(max(x - wide / 2, EDGE), WIDE - EDGE - wide), y - SMALLEST * LEADING / 2
                self.words(line["label"], x, y, wide, (SMALLEST,), 1, line["color"], ground="paper")
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
        frame.margin_left = frame.margin_right = round((6 if box["holds"] else 3) * scale)
        frame.margin_top = frame.margin_bottom = round((6 if box["holds"] else 0) * scale)
        wide, small = (box["w"] - 12) * scale / POINT, max(SMALLEST, size * 0.85)
        name = box["name"]
        while sans_width(name, size, True) > wide and len(name) > 6:
            name = shorten(box["name"], len(name) - 1)
        self.paragraph(frame.paragraphs[0], name, size, "ink", True)
        rows = 1 if box["holds"] else int((box["h"] * scale / POINT - size * LEADING) / small / LEADING)
        if box["words"] and rows:
            role = "alarm" if box["line"] == "alarm" else "muted"
            words, _, fits = fitted(box["words"], wide, (small,), rows)
            if not fits and box["kind"] == "queue manager":  # how many messages matters most
                words = [box["words"].rpartition(" · ")[2]]
            self.paragraph(frame.add_paragraph(), " ".join(words), small, role, False)
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
    shots = story.source.shots
    name = title or (shots[0].title if shots else "What happened")
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
