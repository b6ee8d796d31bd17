"""The README tells the truth: its Python runs as shown; what it and the other pages point to is there."""

import doctest
import json
import re
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mqlab.tools import cli

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/spark.md",
    "docs/course.md",
    "docs/rules.md",
    "docs/checks.md",
    "docs/teaching.md",
    "datasets/README.md",
)


def test_the_first_ten_lines_give_the_output_shown():
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 10
    assert found.failed == 0


def test_every_file_and_target_it_names_is_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", text)) <= targets


@pytest.mark.parametrize("page", [page for page in PAGES if (ROOT / page).is_file()])
def test_every_link_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, part = target.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert there.exists(), target
        if part:
            assert part in anchors(there.read_text(encoding="utf-8")), target


def test_every_link_of_a_notebook_leads_somewhere():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        for target in re.findall(r"\]\(([^)\s:]+)\)", text):
            assert (path.parent / target.partition("#")[0]).exists(), f"{path.name} links to {target}"


def anchors(text):
    """The addresses of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_cells_of_a_notebook_do_what_it_says():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    cells = re.findall(r"^```\n(%.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [cell.split()[0] for cell in cells] == ["%%mqsc", "%%expect", "%mqlab"]
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "mqlab")
    shell.run_cell("import mqlab\nlab = mqlab.Lab()\nqm = lab.queue_manager('QM1')").raise_error()
    with capture_output() as captured:
        for cell in cells:
            shell.run_cell(cell).raise_error()
    InteractiveShell.clear_instance()
    said = [output.data["text/plain"] for output in captured.outputs]
    assert any("2085 MQRC_UNKNOWN_OBJECT_NAME" in words for words in said)
    assert not any("expected" in words for words in said)


def test_it_lists_the_notebooks_in_order():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\|[ \d]*\| \[[^]]+\]\(notebooks/([^)]+\.ipynb)\)", text, re.MULTILINE)
    assert listed == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_every_command_it_names_is_one():
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/spark.md"))
    named = set(re.findall(r"(?:`|bin/|Scripts\\)mqlab ([a-z]+)", text)) - {"needs"}  # of an error message
    assert len(named) >= 5
    assert named <= set(cli.COMMANDS)


def test_the_notebooks_that_it_says_use_spark_are_those_that_do():
    text = re.sub(r"\s+", " ", (ROOT / "README.md").read_text(encoding="utf-8"))
    said = [
        set(re.findall(r"\d+", words))
        for words in re.findall(r"(?:all but|Only notebooks)((?: \d+,| and \d+| \d+)+)", text)
    ]
    using = {
        str(int(path.name.split("-")[0]))
        for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")
        if re.search(r"\bsession\(|pipeline import [\w, ]*\bsession\b", path.read_text(encoding="utf-8"))
    }
    assert said == [using, using]
