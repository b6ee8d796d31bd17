"""A lab's story as slides and as a film, read back by python-pptx and Pillow."""

import sys

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from helpers import lab_error
from mqlab import Lab
from mqlab.engine.words.rulebook import RULES
from mqlab.views import lab_picture
from mqlab.views.player.takeaway import LIMIT, Story


@pytest.fixture(scope="module")
def lab(dead_letters):
    """The lab of the story."""
    return dead_letters


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


def test_there_is_a_slide_a_stop_with_its_sentence_notes_and_a_shape_for_each_box_and_line(slides, story):
    assert len(slides) == 1 + len(story.stops)
    for slide, n in zip(slides[1:], story.stops, strict=True):
        found = list(slide.shapes)
        heading, said, _ = [shape.text_frame.text for shape in found if shape.name.startswith("TextBox")][:3]
        assert (heading, said) == (story.chapter(n)[0], story.said(n))
        notes, step = slide.notes_slide.notes_text_frame.text, story.steps[n]
        assert story.chapter(n)[1] in notes
        assert story.said(n) in notes
        assert step.rule == "" or f"Rule {step.rule}: {RULES[step.rule].title}" in notes
        assert step.cause < 0 or "Because, at " in notes
        shapes, kinds = story.shapes(n), [shape.shape_type for shape in found]
        straight = sum(len(line["points"]) == 2 for line in shapes["lines"])
        assert kinds.count(MSO_SHAPE_TYPE.AUTO_SHAPE) == len(shapes["boxes"])
        assert kinds.count(MSO_SHAPE_TYPE.LINE) == straight
        assert kinds.count(MSO_SHAPE_TYPE.FREEFORM) == len(shapes["lines"]) - straight
        assert MSO_SHAPE_TYPE.PICTURE not in kinds
        for shape in found:
            assert 0 <= shape.left <= shape.left + shape.width <= 13.34 * 914_400
            assert 0 <= shape.top <= shape.top + shape.height <= 7.5 * 914_400


def test_shapes_say_what_they_are_and_stand_in_their_queue_manager(slides, story):
    last = {shape.name: shape for shape in slides[-1].shapes}
    outer, full = last["DEPOT"], last["DEPOT/ORDERS.IN"]
    assert outer.left < full.left < full.left + full.width < outer.left + outer.width
    assert "ORDERS.IN" in full.text_frame.text
    said = next(box["said"] for box in story.shapes(story.stops[-1])["boxes"] if box["id"] == "DEPOT/ORDERS.IN")
    assert full._element.nvSpPr.cNvPr.get("descr") == said
    assert all(run.font.size.pt >= 7 for each in full.text_frame.paragraphs for run in each.runs)


def test_the_same_story_gives_the_same_slides(lab, tmp_path):
    one, other = (lab.save_story(tmp_path / name, chapter=1).read_bytes() for name in ("one.pptx", "other.pptx"))
    assert one == other


def test_a_film_of_a_chapter_is_small_and_moves(lab, story, tmp_path):
    title = story.chapters[1][1]
    path = lab.save_story(tmp_path / "film.gif", chapter=title, dark=True)
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


def test_another_name_or_chapter_is_refused_with_what_is_possible(lab, tmp_path, monkeypatch):
    for name in ("story.html", "story.ppt", "story", None):
        lab_error(r"ends in \.pptx, \.gif; got .*save_player", lab.save_story, tmp_path / name if name else None)
    for chapter in (0, 9, "The end", True, 1.0):
        words = r"chapter must be one of 1 \(.*\), 2 \(.*; got"
        lab_error(words, lab.save_story, tmp_path / "story.gif", chapter=chapter)
    monkeypatch.setattr("mqlab.views.player.takeaway.MOST_SLIDES", 3)
    lab_error(r"at most 3 stops.*chapter=1", lab.save_story, tmp_path / "story.pptx")


def test_what_is_not_installed_is_named(lab, tmp_path, monkeypatch):
    for missing, name in (("pptx", "story.pptx"), ("PIL", "story.gif"), ("vl_convert", "story.gif")):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, missing, None)
            words = r"not installed: pip install 'mqlab\[lab\]'"
            lab_error(words, lab.save_story, tmp_path / name, chapter=1)
    assert not list(tmp_path.iterdir())


def test_a_lab_in_which_nothing_happened_has_a_slide_and_a_film(tmp_path):
    lab = Lab()
    lab.queue_manager("QM1")
    assert len(Presentation(lab.save_story(tmp_path / "story.pptx")).slides) == 2
    assert Image.open(lab.save_story(tmp_path / "story.gif")).n_frames == 1


def test_a_full_disk_costs_only_the_new_file(lab, tmp_path, monkeypatch):
    path = tmp_path / "story.pptx"
    path.write_bytes(b"before")

    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        lab.save_story(path, chapter=1)
    assert path.read_bytes() == b"before"
    assert not list(tmp_path.glob(".*"))


def test_a_story_whose_places_the_engine_has_forgotten_is_drawn_the_same(story):
    before = story.drawing(0), story.shapes(0)
    for number in range(40):  # it keeps 32
        other = Lab()
        other.queue_manager(f"OTHER{number}")
        lab_picture(other)
    assert (story.drawing(0), story.shapes(0)) == before
