"""The saved player: one file that is whole, small and safe; what it does in a browser is in tests/browser."""

import base64
import gzip
import html
import json
import re
import subprocess
import sys
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from helpers import for_each
from mqlab import Lab, LabError, estates
from mqlab.engine.explain.words import told
from mqlab.views.player.player import LIMIT, player_page
from mqlab.views.player.player_steps import PlayerSteps


def recording_of(page):
    """The recording that a page carries."""
    packed = re.search(r'<script id="recording" type="text/plain">(.*?)</script>', page, re.DOTALL)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture
def page(played, tmp_path):
    """The text of a player of the half minute in which everything happens once."""
    return played.save_player(tmp_path / "demo.html").read_text("utf-8")


def test_the_file_carries_the_recording_and_tells_where_it_is(played, tmp_path):
    path = tmp_path / "demo.html"
    assert played.save_player(path) == path
    assert played.save_player(str(path)) == path
    assert recording_of(path.read_text("utf-8")) == json.loads(gzip.decompress(PlayerSteps(played).packed()))


def test_the_same_lab_gives_the_same_file(played, tmp_path):
    one, other = (played.save_player(tmp_path / name).read_bytes() for name in ("one.html", "other.html"))
    assert one == other


XML_NAMES = {"www.w3.org", "schemas.openxmlformats.org", "graphml.graphdrawing.org"}  # of XML: nothing is fetched there


def test_nothing_is_outside_the_file_and_nothing_may_be_asked_for(page):
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?!data:)[a-z/.]""", page)
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|sendBeacon)\b", page)
    assert not re.search(r"@import|url\(", page)
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", page))
    assert {urlsplit(each).netloc for each in addresses} <= XML_NAMES


def test_the_page_has_a_language_a_title_and_a_still_picture(played, page):
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert re.search(r"<title>.+</title>", page)
    still = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[1]
    assert "mqlab-topology" in still
    recording = PlayerSteps(played)
    assert html.escape(recording.picture(len(recording.steps) - 1).words) in still


def test_names_and_words_cannot_break_out(tmp_path):
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS) DESCR('</script><b>x</b>')")
    lab.chapter("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)> & more")
    qm.put("ORDERS", b"</script>")
    page = lab.save_player(tmp_path / "x.html", title='"><script>alert(2)</script>').read_text("utf-8")
    assert page.count("</script>") == 3, "the recording's, that of ELK, and the scripts'"
    assert "<script>alert" not in page
    assert "<img" not in page
    assert recording_of(page)["chapters"][0][1] == "</script><script>alert(1)</script>"


def test_two_thousand_messages_fit(tmp_path):
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("\n".join(f"DEFINE QLOCAL(Q{i})" for i in range(20)))
    app = qm.connect("APP")
    for i in range(2000):
        app.put(f"Q{i % 20}", b"x", expiry=(i % 7 + 1) * 10)
        if i % 3:
            app.get(f"Q{i % 20}")
        lab.advance(0.1)
    path = lab.save_player(tmp_path / "long.html")
    assert path.stat().st_size < LIMIT
    recording = recording_of(path.read_text("utf-8"))
    assert len(recording["steps"]["seq"]) > len(lab.events), "every row, and the expiries"
    assert recording["left_out"] == 0


def test_of_a_log_that_is_too_long_what_explains_least_goes_first_and_the_page_says_so(played, tmp_path, monkeypatch):
    whole = len(played.save_player(tmp_path / "whole.html").read_bytes())
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", whole - 1)
    page = played.save_player(tmp_path / "short.html").read_text("utf-8")
    assert len(page.encode()) < whole
    kinds = set(recording_of(page)["steps"]["kind"])
    assert "put" in kinds
    assert not kinds & {"open", "close", "browse"}
    left = recording_of(page)["left_out"]
    assert f"{left} rows of the event log that explain little were left out" in page
    assert "start=, end=, messages=" in page
    assert "were left out" not in (tmp_path / "whole.html").read_text("utf-8").split("<noscript>")[0]


def test_one_that_does_not_fit_at_all_is_refused_and_no_file_is_left(played, tmp_path, monkeypatch):
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", 20_000)
    with pytest.raises(LabError, match=r"at most 20,000 bytes.*start="):
        played.save_player(tmp_path / "no.html")
    assert not (tmp_path / "no.html").exists()


def test_a_log_that_is_plainly_too_long_is_not_drawn_whole_first(played, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "mqlab.views.player.player.PlayerSteps",
        lambda lab, **chosen: drawn.append(chosen["without"]) or PlayerSteps(lab, **chosen),
    )
    monkeypatch.setattr("mqlab.views.player.player.FEWEST", LIMIT)
    page = played.save_player(tmp_path / "long.html", start="09:00:00", end="09:00:10").read_text("utf-8")
    assert drawn == [{"*"}]
    assert recording_of(page)["left_out"] > 0
    played.save_player(tmp_path / "one.html", messages=[2])
    assert drawn[1] == set()


def test_a_part_can_be_chosen(played, tmp_path):
    page = played.save_player(tmp_path / "part.html", start="09:00:02", end="09:00:10", qmgr="QM1").read_text("utf-8")
    times = recording_of(page)["steps"]["time_us"]
    assert min(times) == 2_000_000
    assert max(times) <= 10_000_000
    one = played.save_player(tmp_path / "one.html", messages=[2]).read_text("utf-8")
    assert set(recording_of(one)["steps"]["message"]) == {None, 2}
    until = played.start + timedelta(seconds=3)
    assert played.save_player(tmp_path / "until.html", end=until).stat().st_size < len(page) * 2


@pytest.mark.parametrize("path", ["demo", "demo.svg", "demo.htm.txt", "no/such/folder/demo.html"])
def test_a_path_that_no_browser_opens_is_refused(played, tmp_path, path):
    with pytest.raises(LabError, match=r"\.html"):
        played.save_player(tmp_path / path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(LabError, match="title must be"):
        played.save_player(tmp_path / "x.html", title=7)


def test_a_chart_of_lives_goes_in_where_it_fits(played, tmp_path, monkeypatch):
    chart = '<svg data-from-us="0" data-to-us="1" data-x0="0" data-x1="9"></svg>'
    assert chart in played.save_player(tmp_path / "x.html", lifecycle=chart).read_text("utf-8")
    whole = (tmp_path / "x.html").stat().st_size
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", whole - 1)
    page = played.save_player(tmp_path / "y.html", lifecycle=chart).read_text("utf-8")
    assert chart not in page
    assert recording_of(page)["left_out"] == 0


def test_a_title_is_found_where_none_is_given(qm, lab):
    assert "<title>What happened at QM1</title>" in player_page(PlayerSteps(lab))
    lab.chapter("Orders & more")
    assert "<title>Orders &amp; more</title>" in player_page(PlayerSteps(lab))
    assert "<title>Mine</title>" in player_page(PlayerSteps(lab), "Mine")


def test_an_empty_lab_has_a_player_too(tmp_path):
    assert Lab().save_player(tmp_path / "x.html").stat().st_size < 260_000


def test_writing_a_player_needs_no_notebook(tmp_path):
    script = (
        "import sys\nfrom mqlab import Lab\nlab = Lab()\nlab.queue_manager('QM1')\n"
        "assert not [m for m in sys.modules if m.startswith('mqlab.views.') and m != 'mqlab.views.plug']\n"
        f"lab.save_player({str(tmp_path / 'x.html')!r})\n"
        "print([m for m in ('anywidget', 'ipywidgets', 'IPython', 'altair', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- the words of the rows
def test_every_row_can_be_read_without_the_one_before(played):
    for row in played.events:
        words = told(row)
        if row.message is not None:
            assert f"message {row.message}" in words
        assert "None" not in words
        assert not words.startswith(("it ", "its "))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ALTER QLOCAL(ORDERS) PUT(DISABLED)", "ORDERS was altered: PUT(DISABLED)"),
        ("DEFINE QLOCAL(NEW)", "NEW was defined"),
        ("DELETE QLOCAL(FIFO)", "FIFO was deleted"),
    ],
)
def test_what_is_in_no_message_s_life_has_words_too(qm, lab, command, words):
    qm.mqsc(command)
    assert told(lab.events[-1]) == words
    assert told(lab.events[-1], several=True) == words.replace(" was", " of QM1 was")


def test_links_and_queue_managers_have_words(qm, lab):
    lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    lab.cut("QM1", "QM2")
    lab.restore("QM1", "QM2")
    qm.stop()
    said = [told(row) for row in lab.events if row.kind in ("fault", "stop")]
    assert said[-4:] == [
        "the link QM1 - QM2 was created or changed",
        "the link QM1 - QM2 was cut",
        "the link QM1 - QM2 was restored",
        "QM1 ended",
    ]


@for_each("name", ["two-sites", "sharing-group", "mobile-edge"])
def test_every_kind_of_row_has_words(name):
    lab = estates.load(name)
    for qmgr in lab.queue_managers:
        if qmgr.platform == "zos":
            qmgr.mqsc("ALTER QMGR EXPRYINT(5)")
    lab.advance(20)
    for qmgr in lab.queue_managers[:1]:
        qmgr.stop()
    assert len(lab.events) > 5
    for row in lab.events:
        assert not told(row, several=True).startswith(f"{row.kind} "), row


def test_what_is_no_path_and_what_are_no_messages_is_said(played, tmp_path):
    with pytest.raises(LabError, match=r"path must be .*got '5'"):
        played.save_player(5)
    for wrong in (5, "12"):
        with pytest.raises(LabError, match=r"messages must be a list of messages, such as \[1, 2\]"):
            played.save_player(tmp_path / "demo.html", messages=wrong)
    assert list(tmp_path.iterdir()) == []


def test_a_lab_without_a_log_cannot_be_played(tmp_path):
    lab = Lab(record=False)
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)")
    with pytest.raises(LabError, match="must keep its event log"):
        lab.save_player(tmp_path / "demo.html")
