"""The saved player: one file that is whole, small and safe; what it does in a browser is in tests/browser."""

import base64
import gzip
import html
import json
import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from helpers import for_each, lab_error, lab_with, says
from mqlab import Lab, estates
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
    path = tmp_path / "demo.html"
    assert played.save_player(path) == path
    return path.read_text("utf-8")


def test_the_file_is_the_same_each_time_and_asks_for_nothing_outside(played, page, tmp_path):
    recording = PlayerSteps(played)
    assert recording_of(page) == json.loads(gzip.decompress(recording.packed()))
    assert played.save_player(str(tmp_path / "other.html")).read_text("utf-8") == page
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert re.search(r"<title>.+</title>", page)
    still = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[1]
    assert "mqlab-topology" in still
    assert html.escape(recording.picture(len(recording.steps) - 1).words) in still
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?!data:)[a-z/.]""", page)
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|sendBeacon)\b", page)
    assert not re.search(r"@import|url\(", page)
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", page))
    assert {urlsplit(each).netloc for each in addresses} <= XML_NAMES


XML_NAMES = {"www.w3.org", "schemas.openxmlformats.org", "graphml.graphdrawing.org"}  # of XML: nothing is fetched there


def test_names_and_words_cannot_break_out(tmp_path):
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS) DESCR('</script><b>x</b>')")
    lab.shot("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)> & more")
    qm.put("ORDERS", b"</script>")
    page = lab.save_player(tmp_path / "x.html", title='"><script>alert(2)</script>').read_text("utf-8")
    assert page.count("</script>") == 3, "the recording's, that of ELK, and the scripts'"
    assert "<script>alert" not in page
    assert "<img" not in page
    assert recording_of(page)["story"][0][5] == "</script><script>alert(1)</script>"


def test_two_thousand_messages_fit(tmp_path):
    lab, qm = lab_with("\n".join(f"DEFINE QLOCAL(Q{i})" for i in range(20)))
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


def test_of_a_log_that_is_too_long_what_explains_least_goes_first_and_the_page_says_so(
    played, page, tmp_path, monkeypatch
):
    chart = '<svg data-from-us="0" data-to-us="1" data-x0="0" data-x1="9"></svg>'
    charted = played.save_player(tmp_path / "x.html", lifecycle=chart).read_text("utf-8")
    assert chart in charted
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", len(charted.encode()) - 1)
    fits = played.save_player(tmp_path / "y.html", lifecycle=chart).read_text("utf-8")
    assert chart not in fits, "the chart goes before any row"
    assert recording_of(fits)["left_out"] == 0
    whole = len(page.encode())
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", whole - 1)
    short = played.save_player(tmp_path / "short.html").read_text("utf-8")
    assert len(short.encode()) < whole
    kinds = set(recording_of(short)["steps"]["kind"])
    assert "put" in kinds
    assert not kinds & {"open", "close", "browse"}
    left = recording_of(short)["left_out"]
    says(short, f"{left} rows of the event log that explain little were left out", "start=, end=, messages=")
    assert "were left out" not in page.split("<noscript>")[0]
    monkeypatch.setattr("mqlab.views.player.player.LIMIT", 20_000)
    lab_error(r"at most 20,000 bytes.*start=", played.save_player, tmp_path / "no.html")
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


def test_what_is_no_path_no_title_no_messages_and_no_log_is_refused_and_leaves_no_file(played, tmp_path):
    unlogged = Lab(record=False)
    unlogged.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)")
    lab_error("must keep its event log", unlogged.save_player, tmp_path / "demo.html")
    for name in ("demo", "demo.svg", "demo.htm.txt", "no/such/folder/demo.html"):
        lab_error(r"\.html", played.save_player, tmp_path / name)
    lab_error("title must be", played.save_player, tmp_path / "x.html", title=7)
    lab_error(r"path must be .*got '5'", played.save_player, 5)
    for wrong in (5, "12"):
        said = r"messages must be a list of messages, such as \[1, 2\]"
        lab_error(said, played.save_player, tmp_path / "demo.html", messages=wrong)
    assert list(tmp_path.iterdir()) == []
    assert Lab().save_player(tmp_path / "empty.html").stat().st_size < 260_000


def test_a_title_is_found_and_every_row_can_be_read_alone(qm, lab, played):
    assert "<title>What happened at QM1</title>" in player_page(PlayerSteps(lab))
    lab.shot("Orders & more")
    assert "<title>Orders &amp; more</title>" in player_page(PlayerSteps(lab))
    assert "<title>Mine</title>" in player_page(PlayerSteps(lab), "Mine")
    for row in played.events:
        words = told(row)
        if row.message is not None:
            assert f"message {row.message}" in words
        assert "None" not in words
        assert not words.startswith(("it ", "its "))


# ---------------------------------------------------------------- the words of the rows
def test_what_is_in_no_message_s_life_has_words_too(qm, lab):
    for command, words in (
        ("ALTER QLOCAL(ORDERS) PUT(DISABLED)", "ORDERS was altered: PUT(DISABLED)"),
        ("DEFINE QLOCAL(NEW)", "NEW was defined"),
        ("DELETE QLOCAL(FIFO)", "FIFO was deleted"),
    ):
        qm.mqsc(command)
        assert told(lab.events[-1]) == words
        assert told(lab.events[-1], several=True) == words.replace(" was", " of QM1 was")


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
