"""`mqlab play` and `mqlab present`: whole pages, the same each time, and opened unless that is not wanted."""

import base64
import gzip
import io
import json
import re
import zipfile

import pytest

from helpers import refusal, says
from mqlab.cli import cli, play, pyodide
from mqlab.lab.scenarios import names, scenario, scenarios
from tools.offline import external_loads


@pytest.fixture
def opened(monkeypatch):
    """The addresses that a browser was asked to open; none is."""
    asked = []
    monkeypatch.setattr(play.webbrowser, "open", lambda address: asked.append(address) or True)
    return asked


@pytest.fixture(scope="module")
def gallery():
    """The page with all scenarios."""
    return play.page(scenarios())


def recordings(page):
    """The values of each player in a page, by the name of its scenario."""
    found = re.findall(r'<script id="recording-([a-z-]+)" type="text/plain" data-title="[^"]*">([^<]*)</script>', page)
    return {name: json.loads(gzip.decompress(base64.b64decode(packed))) for name, packed in found}


def test_play_writes_a_page_that_plays_one_scenario_at_once(tmp_path, capsys, opened):
    path = tmp_path / "made" / "poison.html"
    assert (cli.main(["play", "poison", "--no-open", "--output", str(path)]), opened) == (0, [])
    said = capsys.readouterr().out
    says(said, f"wrote {path} (", "F: full screen")
    page = path.read_text(encoding="utf-8")
    assert external_loads(page) == []
    assert '<body class="mqlab-page mqlab-gallery" data-only="poison">' in page
    [(name, recording)] = recordings(page).items()
    assert name == "poison"
    assert recording["story"][0][5] == scenario("poison").title


def test_it_is_opened_unless_told_otherwise_or_its_address_said(tmp_path, capsys, monkeypatch, opened):
    path = tmp_path / "page.html"
    assert play.play(["poison", "--output", str(path)]) == 0
    assert opened == [path.as_uri()]
    monkeypatch.setattr(play.webbrowser, "open", lambda address: False)
    line = ["present", "poison", "expired-fill", "poison", "--output", str(path)]
    assert cli.main(line) == 0
    assert f"open {path.as_uri()}" in capsys.readouterr().out
    assert list(recordings(path.read_text(encoding="utf-8"))) == ["poison", "expired-fill"], "in that order"


def test_present_is_one_file_with_every_scenario(gallery):
    assert len(gallery.encode("utf-8")) < 2_000_000
    assert external_loads(gallery) == []
    assert list(recordings(gallery)) == names()
    for each in scenarios():
        says(gallery, f'href="#scenario={each.name}&amp;present"', f"<h2>{each.title}</h2>")
    assert gallery.count('<img src="data:image/svg+xml;base64,') == len(names())
    assert play.page(scenarios()) == gallery


def test_the_small_pictures_have_neither_clock_nor_legend_in_their_window(gallery):
    for picture in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", gallery):
        svg = base64.b64decode(picture).decode("utf-8")
        top, height = (float(each) for each in re.search(r'viewBox="0 ([\d.]+) [\d.]+ ([\d.]+)"', svg).groups())
        said = re.findall(r'<text class="(?:clock|day|said)" x="[\d.]+" y="([\d.]+)"', svg)
        paper = re.search(r'<rect class="paper" x="0" y="0" width="[\d.]+" height="([\d.]+)"', svg)
        assert top > max(map(float, said))
        assert top + height == float(paper[1])
        assert "mqlab-key" not in svg


def test_an_unknown_name_is_answered_with_the_nearest_and_no_name_with_all(capsys, opened):
    for command in ("play", "present"):
        assert cli.main([command, "poisn"]) == 1
        assert "Did you mean poison?" in capsys.readouterr().err
    assert refusal(SystemExit, "", play.play, []).code == 2
    assert "NAME must be one of expiry-priority" in capsys.readouterr().err
    assert opened == []


def test_a_page_that_cannot_be_written_is_a_sentence_and_the_list_has_every_scenario(tmp_path, capsys, opened):
    (tmp_path / "blocked").write_text("a file where a folder is wanted")
    for output, complaint in (("page.pdf", "ends in .html"), ("blocked/page.html", "cannot write")):
        assert play.play(["poison", "--output", str(tmp_path / output)]) == 1
        said = capsys.readouterr().err
        assert complaint in said
        assert said.count("\n") == 1
    assert (opened, play.play(["--list"])) == ([], 0)
    said = capsys.readouterr().out
    for each in scenarios():
        says(said, each.name, f"  {each.title}\n", f"  {each.question}\n")


def test_without_a_place_it_goes_to_build_of_the_checkout_or_here(checkout, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(checkout)
    assert play.place("poison") == checkout.resolve() / "build" / "poison.html"

    def nowhere(named=None):
        raise play.NotACheckout("not here")

    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(play, "checkout", nowhere)
    assert play.place("poison") == elsewhere.resolve() / "poison.html"


def test_a_page_among_others_leads_back_and_a_live_page_needs_npm(tmp_path, capsys, monkeypatch, opened):
    link = '<a class="home" href="../all.html" title="Back to all scenarios (Esc)">All scenarios</a>\n'
    alone, among = (play.page([scenario("poison")], home=home) for home in ("", "../all.html"))
    assert among.count(link) == 1
    assert alone == among.replace(link, "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(play, "place", lambda name: tmp_path / f"{name}.html")
    assert cli.main(["present", "poison", "--live"]) == 1
    assert "npm is not on PATH; install Node.js" in capsys.readouterr().err
    assert (opened, list(tmp_path.iterdir())) == ([], [])


def test_a_live_page_has_the_simulator_without_the_course(monkeypatch, tmp_path):
    for name in pyodide.FILES:
        (tmp_path / name).write_bytes(b"{}")
    with zipfile.ZipFile(tmp_path / "python_stdlib.zip", "w") as library:
        library.writestr("this.py", b"")
    monkeypatch.setattr(pyodide, "pyodide", lambda build: tmp_path)
    monkeypatch.setattr(pyodide, "compiled", lambda files, *_places: {})
    made = pyodide.elements(tmp_path)
    page = play.page(scenarios()[:1], engine=made)
    assert external_loads(page) == []
    assert pyodide.elements(tmp_path) == made, "the same files give the same page"
    packed = re.search(r'data-engine="simulator.zip">([^<]*)<', page)[1]
    inside = set(zipfile.ZipFile(io.BytesIO(gzip.decompress(base64.b64decode(packed)))).namelist())
    wanted = {"mqlab/lab/live.py", "mqlab/engine/words/rules.toml", "simpy/core.py", "networkx/classes/multidigraph.py"}
    assert wanted <= inside
    assert not any(name.startswith(("mqlab/course", "mqlab/cli", "networkx/algorithms")) for name in inside)
