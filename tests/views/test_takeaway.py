"""Pictures as files of other programs, each read back by a reader of its format."""

import io
import json
import re
from xml.etree import ElementTree

import networkx as nx
import pytest
from PIL import Image

from helpers import for_each, lab_error, scenario_lab
from mqlab import LabError
from mqlab.views import lab_moments, lab_picture
from mqlab.views.drawing import scene
from mqlab.views.drawing.engine import _evaluate
from mqlab.views.theme import LIGHT

ENDS = ["svg", "png", "pdf", "html", "mmd", "drawio", "graphml"]


@pytest.fixture(scope="module")
def lab(dead_letters):
    """The lab of the story."""
    return dead_letters


@pytest.fixture(scope="module")
def picture(lab):
    """The lab now."""
    return lab_picture(lab)


def saved(picture, tmp_path, name, **options):
    """What a picture writes to a file of this name."""
    picture.save(tmp_path / name, **options)
    return tmp_path / name


@pytest.mark.parametrize("end", ENDS)
def test_the_same_picture_gives_the_same_file_and_a_full_disk_costs_only_the_new_one(
    picture, tmp_path, end, monkeypatch
):
    path, other = (saved(picture, tmp_path, f"{name}.{end}") for name in ("one", "other"))
    before = path.read_bytes()
    assert before == other.read_bytes() or end == "pdf"  # whose fonts come in any order
    assert len(before) > 500
    if end == "pdf":
        assert before.startswith(b"%PDF-")
        assert len(re.findall(rb"/Type\s*/Page\b", before)) == 1

    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        picture.save(path)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_another_name_or_theme_is_refused_with_what_is_possible(picture, tmp_path):
    for name in ("picture.docx", "picture", "picture.svg.exe", None, 3):
        words = r"ends in \.svg, \.png, \.pdf, \.html, .*\.mmd, \.drawio, \.graphml; got"
        lab_error(words, picture.save, tmp_path / name if isinstance(name, str) else name)
    lab_error("dark must be True or False; got 'yes'", picture.save, tmp_path / "picture.svg", dark="yes")
    assert not list(tmp_path.iterdir())


def test_a_row_of_moments_has_no_boxes_and_says_so(lab, tmp_path):
    row = lab_moments(lab)
    assert saved(row, tmp_path, "row.png").stat().st_size > 10_000
    with pytest.raises(LabError, match=r"\.html.*; got") as refused:
        row.save(tmp_path / "row.drawio")
    assert ".graphml" not in str(refused.value)


@pytest.mark.parametrize(("dark", "ground"), [(False, (255, 255, 255)), (True, (20, 24, 29))])
def test_a_png_has_the_colors_of_its_theme_and_is_sharp(picture, tmp_path, dark, ground):
    image = Image.open(saved(picture, tmp_path, "picture.png", dark=dark)).convert("RGB")
    wide = float(re.search(r'viewBox="0 0 ([\d.]+)', picture.svg)[1])
    assert abs(image.width - 2 * wide) <= 2
    assert image.getpixel((image.width // 2, 6)) == ground
    assert len(image.getcolors(1 << 24)) > 30  # not one black heap, as CSS variables would be


def test_a_still_drawing_has_no_variable_and_no_rule_of_a_theme(picture):
    for dark in (False, True):
        text = scene.still(picture.svg, dark)
        ElementTree.fromstring(text)
        assert not re.search(r"var\(|--mq|@media|data-jp|vscode", text)
        assert "DejaVu Sans" in text


def test_graphml_has_the_places_and_kinds_of_the_picture(picture, tmp_path):
    graph = nx.read_graphml(saved(picture, tmp_path, "picture.graphml"))
    full = graph.nodes["DEPOT/ORDERS.IN"]
    assert (full["kind"], full["name"], full["parent"]) == ("local queue", "ORDERS.IN", "DEPOT")
    assert "2 messages" in full["words"]
    outer = graph.nodes["DEPOT"]
    assert outer["x"] < full["x"] < full["x"] + full["width"] < outer["x"] + outer["width"]
    assert {data["kind"] for *_, data in graph.edges(data=True)} >= {"puts", "gets", "talks"}


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


def test_mermaid_has_a_subgraph_a_queue_manager_and_a_line_a_line(picture, tmp_path):
    text = saved(picture, tmp_path, "picture.mmd").read_text("utf-8")
    shapes = picture.shapes("shapes")
    assert text.startswith('---\ntitle: "SHOP, DEPOT at ')
    assert re.findall(r'subgraph \w+\["(\w+)"\]', text) == ["SHOP", "DEPOT"]
    assert text.count("  end\n") == 2
    assert len(re.findall(r"^  b\d+ \S+ b\d+$", text, re.MULTILINE)) == len(shapes["lines"])
    assert re.search(r'\(("ORDERS\.IN<br/>2 messages · full)"\)', text)


def test_names_cannot_leave_their_place():
    place = {"x": 0, "y": 0, "w": 9, "h": 9, "shape": "pill", "parent": "", "fill": "card", "line": "alarm"}
    box = {"id": "P", "kind": "program", "name": 'a"]; end <b>&#x|', "words": "`x`", **place}
    values = json.dumps([{"boxes": [box], "lines": [], "width": 9, "height": 9}, '"x"\n---', LIGHT._asdict()])
    mermaid, drawio = (_evaluate()(f"drawing.EXPORTS.{form}(...{values})") for form in ("mermaid", "drawio"))
    label = re.search(r'\(\["(.*)"\]\)', mermaid)[1].replace("<br/>", "")
    assert not re.search(r'["<>&|\]`]', label)
    assert mermaid.splitlines()[1:3] == ['title: "\\"x\\"\\n---"', "---"]
    cell = next(cell for cell in ElementTree.fromstring(drawio).iter("mxCell") if cell.get("vertex"))
    assert cell.get("value") == 'a"]; end <b>&#x|\n`x`'
