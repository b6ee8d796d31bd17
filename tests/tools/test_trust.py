"""The command `mqlab trust`: the page as Markdown and as one HTML file, and the committed copy of it."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from mqlab.tools import cli, trust
from mqlab.tools.tour import external_loads
from mqlab.tools.trust import html

ROOT = Path(__file__).parents[2]


class Outline(HTMLParser):
    """The tags, ids and text of a page; every tag that is opened is closed."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.ids, self.links, self.words, self.open = [], [], [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        if tag not in ("meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_committed_page_is_the_one_made_today():
    committed = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    assert trust.page() == committed, "make it again with: make trust"


def test_the_readme_leads_to_it():
    assert "(TRUST.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_html_is_whole_and_alone():
    page = html()
    assert external_loads(page) == []
    outline = Outline(page)
    assert not {"script", "img", "iframe", "link"} & set(outline.tags)
    assert len(set(outline.ids)) == len(outline.ids)
    assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)
    assert {row.what for row in trust.rows() if "-" in row.what} <= set(outline.ids)
    words = "".join(outline.words)
    for row in trust.rows():
        assert row.title in words
        assert all(test in words for test in row.tests)
    assert html() == page


def test_what_could_be_markup_is_shown_as_text(monkeypatch):
    hostile = trust.Row(
        "EXP-01", "<i>t</i>", "<script>x</script> & `a<b`", trust.SIMPLIFIED, "<b>", ("t.py::<u>",), "<s>"
    )
    monkeypatch.setattr(trust, "sections", lambda: (("<h6>", (hostile,)), ("Out", (hostile._replace(what="outside"),))))
    page = html()
    assert not {"i", "script", "u", "s", "h6"} & set(Outline(page).tags)
    assert "&lt;script&gt;x&lt;/script&gt; &amp; <code>a&lt;b</code>" in page


def test_without_tests_there_is_no_column_of_them(monkeypatch):
    monkeypatch.setattr(trust, "marked_tests", dict)
    assert "<th>Tests</th>" not in html()
    assert "tests/" not in html()


def test_the_command_prints_markdown(capsys):
    assert cli.main(["trust"]) == 0
    assert capsys.readouterr().out == trust.page()


def test_the_command_writes_each_file_by_its_ending(tmp_path, capsys):
    files = [tmp_path / "new" / "trust.html", tmp_path / "trust.md"]
    assert cli.main(["trust", "--output", str(files[0]), "--output", str(files[1])]) == 0
    assert [file.read_text(encoding="utf-8") for file in files] == [html(), trust.page()]
    assert capsys.readouterr().out == "".join(f"wrote {file}\n" for file in files)


def test_another_ending_is_refused_before_anything_is_written(tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["trust", "--output", str(tmp_path / "a.md"), "--output", str(tmp_path / "trust.pdf")])
    assert left.value.code == 2
    assert "--output wanted: a file that ends in .html or .md; got" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.main(["trust", "--output", str(tmp_path / "file" / "trust.md")]) == 1
    assert "mqlab trust: cannot write" in capsys.readouterr().err
