"""Pictures and stories of a lab as files of other programs, each read back by a reader of its format."""

import io
import json
import re
import sys
from functools import partial
from xml.etree import ElementTree

import networkx as nx
import pytest
from PIL import Image, ImageFont
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from helpers import for_each, lab_error, refusal, scenario_lab
from mqlab import Lab, LabError
from mqlab.engine.words.rulebook import RULES
from mqlab.views import lab_picture
from mqlab.views.drawing import scene
from mqlab.views.drawing.engine import _evaluate
from mqlab.views.player.takeaway import LIMIT, Story
from mqlab.views.theme import LIGHT


@pytest.fixture(scope="module")
def lab():
    """A lab in which a story with shots was played: two queue managers, and a full queue. Do not change it."""
    return scenario_lab("dead-letters")


@pytest.fixture(scope="module")
def picture(lab):
    """The lab now."""
    return lab_picture(lab)


def saved(picture, tmp_path, name, **options):
    """What a picture writes to a file of this name."""
    picture.save(tmp_path / name, **options)
    return tmp_path / name


@pytest.mark.parametrize("end", ["svg", "png", "html", "mmd", "drawio", "graphml"])
def test_the_same_picture_gives_the_same_file(picture, tmp_path, end):
    one, other = (saved(picture, tmp_path, f"{name}.{end}").read_bytes() for name in ("one", "other"))
    assert one == other
    assert len(one) > 500


def test_another_name_or_theme_is_refused_with_what_is_possible(picture, tmp_path):
    for name in ("picture.docx", "picture", "picture.svg.exe", None, 3):
        words = r"ends in \.svg, \.png, \.html, .*\.mmd, \.drawio, \.graphml; got"
        lab_error(words, picture.save, tmp_path / name if isinstance(name, str) else name)
    lab_error("dark must be True or False; got 'yes'", picture.save, tmp_path / "picture.svg", dark="yes")
    assert not list(tmp_path.iterdir())


def test_pictures_for_a_reader_have_no_boxes_and_a_still_drawing_no_variable(lab, tmp_path, picture):
    pictures = lab.panel(interactive=False)
    refused = refusal(LabError, r"\.html.*; got", pictures.save, tmp_path / "lab.drawio")
    assert ".graphml" not in str(refused)
    for dark in (False, True):
        text = scene.still(picture.svg, dark)
        ElementTree.fromstring(text)
        assert not re.search(r"var\(|--mq|@media|data-jp|vscode", text)
        assert "DejaVu Sans" in text


@pytest.mark.parametrize(("dark", "ground"), [(False, (255, 255, 255)), (True, (20, 24, 29))])
def test_a_png_has_the_colors_of_its_theme_and_is_sharp(picture, tmp_path, dark, ground):
    image = Image.open(saved(picture, tmp_path, "picture.png", dark=dark)).convert("RGB")
    wide = float(re.search(r'viewBox="0 0 ([\d.]+)', picture.svg)[1])
    assert abs(image.width - 2 * wide) <= 2
    assert image.getpixel((image.width // 2, 6)) == ground
    assert len(image.getcolors(1 << 24)) > 30  # not one black heap, as CSS variables would be


def test_graphml_and_mermaid_have_the_boxes_and_lines_of_the_picture(picture, tmp_path):
    graph = nx.read_graphml(saved(picture, tmp_path, "picture.graphml"))
    full = graph.nodes["DEPOT/ORDERS.IN"]
    assert (full["kind"], full["name"], full["parent"]) == ("local queue", "ORDERS.IN", "DEPOT")
    assert "2 messages" in full["words"]
    outer = graph.nodes["DEPOT"]
    assert outer["x"] < full["x"] < full["x"] + full["width"] < outer["x"] + outer["width"]
    assert {data["kind"] for *_, data in graph.edges(data=True)} >= {"puts", "gets", "talks"}
    text = saved(picture, tmp_path, "picture.mmd").read_text("utf-8")
    shapes = picture.shapes("shapes")
    assert text.startswith('---\ntitle: "SHOP, DEPOT at ')
    assert (re.findall(r'subgraph \w+\["(\w+)"\]', text), text.count("  end\n")) == (["SHOP", "DEPOT"], 2)
    assert len(re.findall(r"^  b\d+ \S+ b\d+$", text, re.MULTILINE)) == len(shapes["lines"])
    assert re.search(r'\(("ORDERS\.IN<br/>2 messages · full)"\)', text)


@for_each("name", ["facility-failure", "igq-channels", "van-out-of-reach"])
def test_networkx_writes_and_reads_the_graph_of_a_lab(name):
    lab = scenario_lab(name)
    graph, file = lab.topology(), io.BytesIO()
    nx.write_graphml(graph, file)
    file.seek(0)
    assert set(nx.read_graphml(file)) == set(graph)


def test_draw_io_has_a_cell_a_box_within_that_of_its_queue_manager(picture, tmp_path):
    root = ElementTree.parse(saved(picture, tmp_path, "picture.drawio")).getroot()
    cells = {cell.get("id"): cell for cell in root.iter("mxCell")}
    shapes = picture.shapes("shapes")
    boxes = [cell for cell in cells.values() if cell.get("vertex")]
    lines = [cell for cell in cells.values() if cell.get("edge")]
    assert (len(boxes), len(lines)) == (len(shapes["boxes"]), len(shapes["lines"]))
    assert all(cell.get("parent") in cells for cell in cells.values() if cell.get("id") != "0")
    full = next(cell for cell in boxes if cell.get("value").startswith("ORDERS.IN"))
    assert cells[full.get("parent")].get("value").startswith("DEPOT")
    for cell in boxes:
        place, outer = cell.find("mxGeometry").attrib, cells[cell.get("parent")].find("mxGeometry")
        if outer is not None:  # within its parent, whose corner is 0, 0
            assert 0 <= float(place["x"]) <= float(outer.get("width")) - float(place["width"]) + 1
    for cell in lines:
        assert {cell.get("source"), cell.get("target")} <= set(cells)
        assert cell.find("mxGeometry/Array") is not None


def test_names_cannot_leave_their_place():
    place = {"x": 0, "y": 0, "w": 9, "h": 9, "shape": "pill", "parent": "", "fill": "card", "line": "alarm", "own": ""}
    box = {"id": "P", "kind": "program", "name": 'a"]; end <b>&#x|', "words": "`x`", **place}
    values = json.dumps([{"boxes": [box], "lines": [], "width": 9, "height": 9}, '"x"\n---', LIGHT._asdict()])
    mermaid, drawio = (_evaluate()(f"drawing.EXPORTS.{form}(...{values})") for form in ("mermaid", "drawio"))
    label = re.search(r'\(\["(.*)"\]\)', mermaid)[1].replace("<br/>", "")
    assert not re.search(r'["<>&|\]`]', label)
    assert mermaid.splitlines()[1:3] == ['title: "\\"x\\"\\n---"', "---"]
    cell = next(cell for cell in ElementTree.fromstring(drawio).iter("mxCell") if cell.get("vertex"))
    assert cell.get("value") == 'a"]; end <b>&#x|\n`x`'


@pytest.fixture(scope="module")
def story(lab):
    """All steps of it, as a player has them."""
    return Story(lab, frozenset())


@pytest.fixture(scope="module")
def slides(lab, tmp_path_factory):
    """The slides of it."""
    path = tmp_path_factory.mktemp("story") / "story.pptx"
    assert lab.save_story(path) == path
    return list(Presentation(path).slides)


POINT, WIDE, HIGH = 12_700, 960, 540


def test_there_is_a_slide_a_stop_with_its_sentence_notes_and_a_shape_for_each_box_and_line(slides, story):
    assert len(slides) == 1 + len(story.stops)
    for slide, n in zip(slides[1:], story.stops, strict=True):
        found = list(slide.shapes)
        heading, time, said = [shape.text_frame.text for shape in found if shape.name.startswith("TextBox")][:3]
        assert (heading, time, said) == (story.shot(n)[0], story.time(n), story.said(n))
        notes, step = slide.notes_slide.notes_text_frame.text, story.steps[n]
        assert story.shot(n)[1] in notes
        assert story.said(n) in notes
        assert step.rule == "" or f"Rule {step.rule}: {RULES[step.rule].title}" in notes
        assert step.cause < 0 or "Because, at " in notes
        shapes, kinds = story.shapes(n), [shape.shape_type for shape in found]
        straight = sum(len(line["points"]) == 2 for line in shapes["lines"])
        assert kinds.count(MSO_SHAPE_TYPE.AUTO_SHAPE) == len(shapes["boxes"])
        assert kinds.count(MSO_SHAPE_TYPE.LINE) == straight
        assert kinds.count(MSO_SHAPE_TYPE.FREEFORM) == len(shapes["lines"]) - straight
        assert MSO_SHAPE_TYPE.PICTURE not in kinds


def lines_of(shape):
    """How many lines the words of a text box take in Pillow's own font, and their size."""
    [run] = shape.text_frame.paragraphs[0].runs
    font, lines = ImageFont.load_default(run.font.size.pt), [""]
    for word in run.text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if font.getlength(longer) <= shape.width / POINT else [*lines, word]
    return len(lines), run.font.size.pt


def large_lab():
    """Nine queue managers with long names, and a shot with many words that shows one of them."""
    lab = Lab()
    names = [f"PAYMENTS.SETTLEMENT.{number}" for number in range(9)]
    for name in names:
        lab.queue_manager(name)
        lab.queue_managers[-1].mqsc("\n".join(f"DEFINE QLOCAL(ORDERS.OF.CUSTOMERS.{n})" for n in range(9)))
    lab.advance(1)
    for _ in range(3):
        lab[names[0]].put("ORDERS.OF.CUSTOMERS.1", b"an order of a customer in Vienna")
        lab.advance(1)
    lab.shot("What happens to an order that no program gets " * 4, "It stays on its queue. " * 30, focus=names[:1])
    return lab


@for_each("of", ["the story", "a large lab"])
def test_words_of_a_slide_are_large_stay_on_it_and_lie_over_no_picture(of, slides, tmp_path):
    if of == "a large lab":
        slides = list(Presentation(large_lab().save_story(tmp_path / "large.pptx")).slides)
        assert any(
            s.has_text_frame and "Not shown: PAYMENTS.SETTLEMENT.1, " in s.text_frame.text for s in slides[1].shapes
        )
    for slide in slides:
        found, boxes = list(slide.shapes), [s for s in slide.shapes if s.shape_type == MSO_SHAPE_TYPE.AUTO_SHAPE]
        for shape in found:
            assert 0 <= shape.left <= shape.left + shape.width <= WIDE * POINT
            assert 0 <= shape.top <= shape.top + shape.height <= HIGH * POINT
            texts = shape.text_frame.paragraphs if shape.has_text_frame else []
            assert all(run.font.size.pt >= 12 for each in texts for run in each.runs)
        top = min((box.top for box in boxes), default=HIGH * POINT)
        words = [shape for shape in found if shape.name.startswith("TextBox") and shape.top < top]
        for shape in words:
            many, size = lines_of(shape)
            assert many * size * 1.19 * POINT <= shape.height
            assert shape.top + shape.height <= top


def test_a_slide_shows_the_focus_of_its_stop_alone(lab):
    story = Story(lab, frozenset())
    story.source.stops = [stop._replace(focus=("DEPOT", "SHOP/ORDERS")) for stop in story.source.stops]
    shown = {box["id"] for box in story.shapes(story.stops[-1])["boxes"]}
    assert {"SHOP", "SHOP/ORDERS", "DEPOT/ORDERS.IN", "DEPOT/DEPOT.DLQ"} <= shown
    assert not {"SHOP/app:TILL", "SHOP/DEPOT"} & shown


def test_shapes_say_what_they_are_and_the_same_story_gives_the_same_slides(slides, story, lab, tmp_path):
    last = {shape.name: shape for shape in slides[-1].shapes}
    outer, full = last["DEPOT"], last["DEPOT/ORDERS.IN"]
    assert outer.left < full.left < full.left + full.width < outer.left + outer.width
    assert "ORDERS.IN" in full.text_frame.text
    said = next(box["said"] for box in story.shapes(story.stops[-1])["boxes"] if box["id"] == "DEPOT/ORDERS.IN")
    assert full._element.nvSpPr.cNvPr.get("descr") == said
    one, other = (lab.save_story(tmp_path / name, shot=1).read_bytes() for name in ("one.pptx", "other.pptx"))
    assert one == other


def test_a_film_of_a_shot_is_small_and_moves(lab, story, tmp_path):
    title = story.source.shots[2].title
    path = lab.save_story(tmp_path / "film.gif", shot=title, dark=True)
    assert path.stat().st_size < LIMIT
    film = Image.open(path)
    seen, lasts = [], 0
    for number in range(film.n_frames):
        film.seek(number)
        seen.append(film.convert("RGB").tobytes())
        lasts += film.info["duration"]
        assert film.info.get("loop") == 0
    assert len(set(seen)) > 10
    assert 5_000 < lasts < 120_000
    assert film.convert("RGB").getpixel((2, 2))[0] < 40  # dark


def test_a_film_has_room_for_all_words_of_every_picture(tmp_path):
    heights = []
    for sentences in (1, 12):
        lab = Lab()
        lab.queue_manager("QM1")
        lab.shot("An order", "Nobody gets it, so that it stays on its queue. " * sentences)
        heights.append(Image.open(lab.save_story(tmp_path / "film.gif")).height)
    assert heights[1] - heights[0] >= 5 * 18


def test_what_cannot_be_saved_is_refused_with_what_is_possible_or_is_not_installed(lab, tmp_path, monkeypatch):
    for name in ("story.html", "story.ppt", "story", None):
        lab_error(r"ends in \.pptx, \.gif; got .*save_player", lab.save_story, tmp_path / name if name else None)
    for shot in (0, 9, "The end", True, 1.0):
        words = r"shot must be one of 1 \(.*\), 2 \(.*; got"
        lab_error(words, lab.save_story, tmp_path / "story.gif", shot=shot)
    monkeypatch.setattr("mqlab.views.player.takeaway.MOST_SLIDES", 3)
    lab_error(r"at most 3 stops.*shot=1", lab.save_story, tmp_path / "story.pptx")
    for missing, name in (("pptx", "story.pptx"), ("PIL", "story.gif"), ("vl_convert", "story.gif")):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, missing, None)
            words = r"not installed: pip install 'mqlab\[lab\]'"
            lab_error(words, lab.save_story, tmp_path / name, shot=1)
    assert not list(tmp_path.iterdir())


def test_a_lab_in_which_nothing_happened_has_a_slide_and_a_film(tmp_path):
    lab = Lab()
    lab.queue_manager("QM1")
    assert len(Presentation(lab.save_story(tmp_path / "story.pptx")).slides) == 2
    assert Image.open(lab.save_story(tmp_path / "story.gif")).n_frames == 1


def test_a_full_disk_costs_only_the_new_file(lab, picture, tmp_path, monkeypatch):
    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    for save, name in ((picture.save, "picture.svg"), (partial(lab.save_story, shot=1), "story.pptx")):
        (tmp_path / name).write_text("before")
        refusal(OSError, "No space left", save, tmp_path / name)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"] * 2


def test_a_story_whose_places_the_engine_has_forgotten_is_drawn_the_same(story):
    before = story.drawing(0), story.shapes(0)
    for number in range(40):  # it keeps 32
        other = Lab()
        other.queue_manager(f"OTHER{number}")
        lab_picture(other)
    assert (story.drawing(0), story.shapes(0)) == before
