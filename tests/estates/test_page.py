"""The page of a report: one file that loads nothing, escapes every name, and tells of each finding what it should."""

import base64
import gzip
import json
import re
from html import unescape

import pytest

from helpers import says
from mqlab import estates
from mqlab.cli import check
from mqlab.estates.page import AROUND, MOST, PLAYERS, page
from tools.offline import external_loads

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
BROKEN = (
    "* first\n* second\n* third\nDEFINE QLOCAL('nope') DESCR('{0}')\nDEFINE QALIAS(A) +\n  TARGET(NOPE) DESCR('{0}')\n"
    "* after\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN) TRPTYPE(TCP)\n* far away\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder, which is the current one, with a script that has an error and channels without TLS."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("QM1.mqsc").write_text(BROKEN.format("plain"), encoding="utf-8")
    return tmp_path


def finding(html, words):
    """The part of a page about the finding that has these words, as text without tags, and its HTML."""
    parts = re.findall(r'<details class="check-finding".*?(?=<details class="check-finding"|</main>)', html, re.DOTALL)
    part = next(each for each in parts if words in each)
    return unescape(re.sub("<[^>]+>", "\n", re.sub("<script.*?</script>", "", part, flags=re.DOTALL))), part


def test_the_command_writes_one_file_that_tells_where_how_to_fix_and_the_proof(folder, capsys):
    assert check.main(["QM1.mqsc", "--html", "found.html"]) == check.ERRORS
    assert "wrote found.html: 1 error" in capsys.readouterr().out
    html = folder.joinpath("found.html").read_text(encoding="utf-8")
    assert external_loads(html) == []
    assert "default-src 'none'" in html
    said, part = finding(html, "alias A leads to NOPE")
    assert re.findall(r'data-n="(\d+)"', part) == [str(n) for n in range(6 - AROUND, 6 + AROUND + 1)]
    assert "far away" in said
    assert "first" not in said, "only the lines around the finding"
    assert "class=at>  TARGET(NOPE)" in part
    says(said, "DEFINE QLOCAL", "lab['QM1'].put('A'", "It showed 2082 MQRC_UNKNOWN_ALIAS_BASE_Q", "MQI-")
    says(part, 'data-node="QM1/A"', "Play it")
    assert page(estates.read("QM1.mqsc").report()) + "\n" == html, "the same report gives the same page"


def test_names_and_lines_cannot_break_out_of_the_page(folder):
    folder.joinpath("QM1.mqsc").write_text(BROKEN.format(HOSTILE), encoding="utf-8")
    folder.joinpath("<b>$title&.mqsc").write_text("DEFINE QALIAS('%2F') TARGET(GONE)\n", encoding="utf-8")
    html = page(estates.read(folder).report())
    for words in ("<script>alert", "<img", "<b>"):
        assert words not in html
    assert html.count("</script>") == page(estates.read("QM1.mqsc").report()).count("</script>") + 1  # one more player


def test_the_picture_has_the_lines_of_the_scripts_and_not_those_of_the_lab(folder):
    sends = "DEF QL(B) USAGE(XMITQ)\nDEF CHL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME(b)\n"
    for name, text in (("A", sends), ("B", "DEF CHL(A.B) CHLTYPE(RCVR)\n")):
        folder.joinpath(f"{name}.mqsc").write_text(text, encoding="utf-8")
    packed = re.search(r'id="estate" type="text/plain">([^<]+)<', page(estates.read(folder).report()))[1]
    edges = json.loads(gzip.decompress(base64.b64decode(packed)))["plan"]["edges"]
    assert ["A/channel:A.B", "B/channel:A.B", "talks"] in edges
    assert not [each for each in edges if each[2] == "link"]


def test_a_large_estate_keeps_the_limits_and_says_so(folder, monkeypatch):
    monkeypatch.setattr("mqlab.estates.page.PLAYERS", 2)  # each plays the whole estate
    many = MOST + 20
    text = "".join(f"DEFINE QALIAS(A{number}) TARGET(GONE{number})\n" for number in range(many))
    folder.joinpath("QM1.mqsc").write_text(text, encoding="utf-8")
    html = page(estates.read("QM1.mqsc").report())
    assert len(html.encode()) < 1_900_000, "10 kB for each player that is left out"
    assert (html.count('class="check-finding"'), html.count("Play it</button>")) == (MOST, 2)
    assert f"This page shows the first {MOST}" in html
    assert "This page runs and plays 2 of the proofs, first one of each check." in html


def test_the_first_proof_of_each_check_is_played_before_the_second_of_any(folder):
    many = "".join(f"DEFINE QALIAS(A{number}) TARGET(GONE{number})\n" for number in range(PLAYERS + 2))
    folder.joinpath("QM1.mqsc").write_text(f"{many}DEFINE QLOCAL(Q) MAXDEPTH(0)\n", encoding="utf-8")
    html = page(estates.read("QM1.mqsc").report())
    assert html.count("Play it</button>") == PLAYERS
    assert "Play it" in finding(html, "Q has MAXDEPTH(0)")[1]
    assert "Play it" not in finding(html, f"alias A{PLAYERS + 1} leads")[1]
    assert f"To stay small, this page plays only {PLAYERS} proofs" in finding(html, f"alias A{PLAYERS + 1} leads")[1]


def test_the_line_of_security_has_each_finding_inside_but_those_of_the_baseline(folder):
    known = [entry.fingerprint for entry in estates.read("QM1.mqsc").report(security=True).entries]
    assert "security:" not in estates.read("QM1.mqsc").report(baseline=known).text()
    with folder.joinpath("QM1.mqsc").open("a", encoding="utf-8") as script:
        script.write("DEFINE CHANNEL(NEW) CHLTYPE(RCVR)\nALTER QMGR CHLAUTH(DISABLED)\n")
    report = estates.read("QM1.mqsc").report(baseline=known)
    (line,) = [one.said for one in report.findings if one.check == "security-summary"]
    assert line == "security: a channel without TLS; channel authentication is off"
    said, part = finding(page(report), "security:")
    assert "<details><summary>" in part
    assert "channel NEW has no SSLCIPH" in said
    assert "channel C has no SSLCIPH" not in said


def test_a_report_without_findings_has_a_page_and_a_notebook_shows_an_estate_as_a_card_and_a_table(folder):
    estate = estates.read("QM1.mqsc")
    known = [entry.fingerprint for entry in estate.report().entries]
    html = page(estate.report(baseline=known))
    says(html, "Nothing was found.", f"{len(known)} findings of the baseline are hidden.")
    card, table = estate._repr_mimebundle_(), estate.findings()._repr_mimebundle_()
    assert "1 error" in card["text/plain"]
    assert "Queue manager" in card["text/html"]
    assert "alias A leads to NOPE" in table["text/plain"]
    assert "QM1.mqsc:6" in table["text/html"]
