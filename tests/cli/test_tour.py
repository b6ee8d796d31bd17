"""The tour leaves one page that stands alone, or says in a sentence which cell stopped it."""

import re

import pytest
from bs4 import BeautifulSoup

from helpers import says
from mqlab.cli import cli, tour
from tools.offline import external_loads


@pytest.fixture
def at(checkout, monkeypatch):
    """The small checkout, entered."""
    monkeypatch.chdir(checkout)
    return checkout


def test_one_page_that_stands_alone_and_is_the_same_each_time(at, capsys):
    assert tour.main([]) == 0
    page = (at / "build" / "tour.html").read_text(encoding="utf-8")
    says(page, "<h1", "<title>A small tour</title>", '<html lang="en">')
    assert "<script" not in page
    assert external_loads(page) == []
    assert re.search(r"<meta [^>]*content=\"default-src 'none'", page)
    # What a reader sees, and what not.
    says(page, "shown: &lt;b&gt; False True ../build/tour", "output of a hidden input", "output of a folded input")
    assert page.count("of a hidden input") == 1, "the input of a hide-input cell is shown"
    assert page.count("of a folded input") == 1, "the input of a folded cell is shown"
    assert "a removed cell" not in page
    assert "injected" not in page
    # A chart is a picture with words, a control says where it lives, a script is left out.
    (picture,) = BeautifulSoup(page, "html.parser").find_all("img")
    assert picture["alt"] == 'a "dot"'
    assert picture["src"].startswith("data:image/svg+xml;base64,")
    assert "A control stands here in the live notebook" in page
    assert page.count("IntSlider(value=0)") == 1, "beside the source of the cell, the control is shown as text"
    assert "words instead" in page
    said = capsys.readouterr().out
    assert said.startswith("Play while the tour runs: build/opening.html"), "it is there before the first cell runs"
    opening = (at / "build" / "opening.html").read_text(encoding="utf-8")
    assert "bootPage" in opening
    assert external_loads(opening) == []
    says(said, "The guided tour ran: 7 cells", "build/tour.html", "make lab ARGS=--no-browser")
    written = (at / "build" / "tour.html").read_bytes()
    tour.main([])
    assert (at / "build" / "tour.html").read_bytes() == written, "the same run leaves the same page"


def test_a_failing_cell_is_named_with_its_error_and_an_earlier_page_is_left(at, notebook, capsys):
    (at / "build").mkdir()
    (at / "build" / "tour.html").write_text("yesterday's")
    path = notebook("notebooks/00-start-here.ipynb", "depth = 0", "# browse it\nraise LookupError('2033 on ORDERS')")
    assert tour.main([]) == 1
    said = capsys.readouterr().err
    assert f"{path.name} stopped in code cell" in said
    says(said, "line 2, `raise LookupError('2033 on ORDERS')`: LookupError: 2033 on ORDERS", "build/tour.ipynb")
    assert "Traceback" not in said.replace("Executing", "")
    assert (at / "build" / "tour.html").read_text() == "yesterday's"
    assert "build/tour.html is from an earlier run" in said
    assert (at / "build" / "tour.ipynb").exists()


def test_nothing_here_is_a_checkout(tmp_path, capsys):
    assert cli.main(["tour", "--dir", str(tmp_path)]) == 1
    assert f"no notebooks/00-start-here.ipynb in {tmp_path}" in capsys.readouterr().err
