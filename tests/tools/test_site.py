"""The site of the course: every page alone, every link leading somewhere, the index naming everything."""

import json
import os
import re

import pytest

import mqlab.lab.scenarios
from helpers import refusal, says
from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES
from tools import course, site, trust
from tools.offline import NotSelfContained, external_loads

pytestmark = pytest.mark.tools

EXERCISE = EXERCISES["Q01"]
SCENARIO = mqlab.lab.scenarios.scenarios()[0]
BOOK, TASK = "notebooks/00-start-here.ipynb", EXERCISE.file


@pytest.fixture
def small(checkout, notebook, monkeypatch):
    """A checkout with one notebook, one exercise and one scenario, and copies of the two notebooks as run."""
    monkeypatch.setattr(course, "EXERCISES", {EXERCISE.id: EXERCISE})
    monkeypatch.setattr(course, "scenarios", lambda: (SCENARIO,))
    monkeypatch.setattr(mqlab.lab.scenarios, "scenarios", lambda: (SCENARIO,))
    notebook(TASK, "1 + 1")
    (checkout / "docs").mkdir()
    row = "| [Start](../README.md) | a lab |"
    pages = f"# Pages\n\n[All](../README.md#in-short) [one](../{BOOK}) [x](x.toml)\n\n| | |\n|---|---|\n{row}\n"
    (checkout / "docs" / "README.md").write_text(pages)
    (checkout / "docs" / "rules.md").write_text("# Rules\n")
    (checkout / "README.md").write_text("# A lab\n\n## In short\n\n[Left out](docs/rules.md#outside-mqlab)\n")
    for name in (BOOK, TASK):
        ran(checkout, name, {"output_type": "stream", "name": "stdout", "text": f"{name} as run"})
    return checkout


def ran(root, name, output):
    """Write the executed copy of a notebook, its last cell with an output."""
    book = json.loads((root / name).read_text(encoding="utf-8"))
    book["cells"][-1]["outputs"] = [output]
    copy = root / "build" / "notebooks" / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(json.dumps(book), encoding="utf-8")
    return copy


def address(notebook):
    """Where a notebook's page is."""
    return notebook.removesuffix("ipynb") + "html"


def read(root, page):
    """A page of the site of a checkout."""
    return (root / "build" / "site" / page).read_text(encoding="utf-8")


def test_the_site_is_whole_and_alone_and_copies_that_were_run_before_are_used(small, monkeypatch, capsys):
    monkeypatch.setattr(site, "run_all", lambda jobs: pytest.fail("nothing had to be run") if jobs else ())
    assert site.main(["--dir", str(small)]) == 0
    wanted = {"index.html", "rules.html", "trust.html", "check.html", "players.html", address(BOOK), address(TASK)}
    wanted |= {f"players/{SCENARIO.name}.html", "README.html", "docs/README.html"}
    out = small / "build" / "site"
    assert {path.relative_to(out).as_posix() for path in out.rglob("*.html")} == wanted
    assert f"{len(wanted)} pages" in capsys.readouterr().out
    for page in wanted:
        assert external_loads(read(small, page)) == [], page
    assert wanted - {"index.html"} <= set(re.findall(r'href="([^"#]+)', read(small, "index.html"))) | {"players.html"}
    assert 'class="home" href="../players.html"' in read(small, f"players/{SCENARIO.name}.html")
    alone = ("trust.html", "rules.html", "players.html")
    for page, up in ((address(BOOK), "../"), (address(TASK), "../"), *((page, "") for page in alone)):
        assert f'<a href="{up}index.html">Contents</a>' in read(small, page), page
    for name in (BOOK, TASK):
        assert f"{name} as run" in read(small, address(name))


def test_documents_lead_to_each_other_to_notebooks_and_to_the_trust_page(small):
    assert site.main(["--dir", str(small)]) == 0
    page = read(small, "docs/README.html")
    assert f'href="../README.html#in-short">All</a> <a href="../{address(BOOK)}">one</a>' in page
    assert 'href="trust.html#outside-mqlab"' in read(small, "README.html")
    assert '<h2 id="in-short">' in read(small, "README.html")
    assert '<a href="docs/README.html">Documents</a>' in read(small, "README.html")
    assert '<li><a href="README.html">Start</a>: a lab</li>' in read(small, "index.html")


def test_exercises_stand_in_the_order_of_the_course(small, notebook, monkeypatch):
    others = {id: EXERCISES[id] for id in ("Q03", "Q01", "N01", "E01")}
    monkeypatch.setattr(course, "EXERCISES", others)
    for each in others.values():
        notebook(each.file, "1 + 1")
        ran(small, each.file, {"output_type": "stream", "name": "stdout", "text": "as run"})
    path, library = site.write_notebooks(small, small / "out", small / "build" / "notebooks")
    assert [made.title.split()[0] for made in (*path[1:], *library)] == ["Q01", "E01", "N01", "Q03"]


def test_the_site_has_pages_and_nothing_else(small):
    (small / "build" / "notebooks" / BOOK).unlink()
    assert site.main(["--dir", str(small)]) == 0
    out = small / "build" / "site"
    assert {path.suffix for path in out.rglob("*") if path.is_file()} == {".html"}
    assert not list(out.rglob(".*"))
    assert (small / "build" / "notebooks" / BOOK).is_file()


def test_pages_can_be_searched_and_markup_is_shown_as_text(small):
    for page in (trust.html(), site.rules_page(small)):
        says(page, '<input type="search"', 'search.addEventListener("input"')
    page = trust.document("<b>t</b>", site.listed([site.Made("a.html", "<i>x</i>", "<u>y</u>")]))
    assert not re.search("<[biu]>", page)
    assert "&lt;i&gt;x&lt;/i&gt;" in page


def test_copies_that_are_old_or_broke_off_are_run_again(small, notebook):
    notebook(BOOK, "print('seen', interactive, solve)")
    ran(small, TASK, {"output_type": "error", "ename": "ValueError", "evalue": "", "traceback": ["it broke off"]})
    old = small / "build" / "notebooks" / BOOK
    os.utime(old, (0, 0))
    assert site.main(["--dir", str(small)]) == 0
    assert "seen False False" in read(small, address(BOOK))
    assert "it broke off" not in read(small, address(TASK))


def test_copies_that_a_full_disk_cut_short_are_run_again(small, monkeypatch):
    copy, asked = small / "build" / "notebooks" / TASK, []
    copy.write_bytes(copy.read_bytes()[:100])
    monkeypatch.setattr(site, "run_all", lambda jobs: asked.extend(jobs) or ())
    copies = site.executed_copies([small / BOOK, small / TASK], small / "build" / "notebooks")
    assert [job.source.name for job in asked] == [copy.name]
    assert copies[small / BOOK] == small / "build" / "notebooks" / BOOK


def test_a_notebook_that_stops_is_named(small, notebook, capsys):
    notebook(BOOK, "raise ValueError('no more')")
    (small / "build" / "notebooks" / BOOK).unlink()
    assert site.main(["--dir", str(small)]) == 1
    said = capsys.readouterr().err
    says(said, "tools.site: 00-start-here.ipynb stopped in code cell", "ValueError: no more")


def test_the_rule_book_has_every_rule_and_says_where_it_is_shown(small):
    page = site.rules_page(small)
    for rule in RULES:
        assert f'<section id="{rule}">' in page, rule
    says(page, f'<a href="{address(TASK)}">', f'<p>Scenarios: <a href="players/{SCENARIO.name}.html">')
    for group in trust.GROUPS:
        assert f'<a href="#{group}">' in page, group


def test_a_link_that_leads_nowhere_is_refused(tmp_path):
    page = tmp_path / "folder" / "page.html"
    page.parent.mkdir()
    linking = trust.document("Page", '<a class="x" href="../other.html#part">there</a>')
    page.write_text(site.with_menu(linking, depth=1), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for name in site.MENU:
        (tmp_path / name).write_text("")
    missing = r"folder/page\.html links to \.\./other\.html#part, which is not there"
    refusal(LookupError, missing, site._check, page, tmp_path)
    (tmp_path / "other.html").write_text('<p id="part">')
    site._check(page, tmp_path)


def test_a_page_that_would_fetch_something_is_refused_and_no_checkout_is_said(tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text('<img src="https://example.org/x.png">', encoding="utf-8")
    refusal(NotSelfContained, r"https://example\.org/x\.png", site._check, page, tmp_path)
    assert site.main(["--dir", str(tmp_path)]) == 1
    assert "tools.site: no notebooks/00-start-here.ipynb in" in capsys.readouterr().err
