"""Slides of a story's stops (PPTX): native shapes, which can be moved and changed, with speaker notes."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from ...engine.words.errors import NotInstalled
from ..text import shorten
from ..theme import Palette
from .story import Story

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
        heading, said = story.chapter(n)[0], story.said(n)
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
