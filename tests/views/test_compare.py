"""Two futures: what is told of them is what the two labs say."""

import html
import re

import pytest

from helpers import lab_error, made, north_and_hub, refusal, says
from mqlab import Lab, MQError
from mqlab.views.frames.score import Score
from mqlab.views.player.compare import comparison_card, comparison_frame
from mqlab.views.player.duel import Race
from mqlab.views.player.player import LIMIT

EVIL = "<script>alert(1)</script>"


def story(lab):
    """Six messages for another queue manager, read there a little later."""
    north, hub = north_and_hub(lab)
    till, clerk = north.connect("TILL"), hub.connect("CLERK")
    for _ in range(6):
        till.put("ORDERS", b"an order", expiry=300)
        lab.advance(10)
        clerk.drain("ORDERS.IN")
    lab.advance(60)


@pytest.fixture(scope="module")
def told():
    """A lab whose story was told. Do not change it."""
    lab = Lab(start="2025-01-06T10:00:00Z")
    lab.play(story)
    return lab


@pytest.fixture(scope="module")
def cut(told):
    return told.branch(25_000_000, lambda lab: lab.cut("NORTH", "HUB"))


@pytest.fixture(scope="module")
def frame(told, cut):
    return comparison_frame(told, cut)


def rows_of(frame, section):
    return {row.subject: (row.ours, row.theirs) for row in frame.sections[section]}


def test_futures_that_are_alike_say_so(told):
    frame = comparison_frame(told, told.branch(25_000_000, lambda lab: None))
    assert frame.alike
    assert (frame.sections, frame.lines) == ({}, ())
    assert "Nothing differs" in comparison_card(frame)[0]


def test_rows_after_the_first_difference_stand_beside_each_other_and_a_message_is_found_in_both(told, cut, frame):
    assert list(told.events)[: frame.first_seq] == list(cut.events)[: frame.first_seq]
    assert told.events[frame.first_seq] != cut.events[frame.first_seq]
    assert frame.first_us == 25_000_000 == cut.events[frame.first_seq].time_us
    assert frame.title == "Two futures from 10:00:25"
    lines = frame.lines
    assert [line.time_us for line in lines] == sorted(line.time_us for line in lines)
    assert lines[0].ours == ""
    assert "NET-01" in lines[0].theirs
    assert any(line.ours == line.theirs for line in lines), "what happens in both futures"
    rows = [row for row in frame.sections["Messages with another fate"] if "on HUB of NORTH at" in row.subject]
    assert len(rows) == 3
    for row, second in zip(rows, (30, 40, 50), strict=True):
        assert f"put on HUB of NORTH at 10:00:{second}" in row.subject
        assert row.ours.startswith("got by CLERK from ORDERS.IN of HUB at 10:0")
        assert row.theirs == "on HUB of NORTH, expired"
    numbers = [re.match(r"message (\d+)(?: / (\d+))?,", row.subject).groups() for row in rows]
    assert sum(theirs is not None for _, theirs in numbers) == 2, "one trigger message more in between"


def test_depths_ends_channels_links_and_triggers_are_told_if_they_differ(told, cut, frame):
    ours, theirs = told.state(), cut.state()
    rows = rows_of(frame, "Depth of queues")
    for qmgr, queue in ours.queues:
        depths = ours.queue(qmgr, queue).depth, theirs.queue(qmgr, queue).depth
        if queue != "SYSTEM.CHANNEL.SYNCQ":
            assert rows.get(f"{queue} of {qmgr}", (depths[0], depths[0])) == depths
    assert rows == {"HUB of NORTH": (0, 3)}
    rows = rows_of(frame, "Messages by fate")
    assert rows["expired, still there"] == (0, sum(theirs.expired(*place) for place in theirs.queues))
    assert rows["got"][1] == rows["got"][0] - 3 + 1, "the three that wait, and one more trigger message"
    assert rows_of(frame, "Queue managers and links")["link HUB - NORTH"] == ("up", "cut")
    assert rows_of(frame, "Channels")["NORTH.HUB of NORTH"] == ("RUNNING", "RETRYING")
    fired = [sum(r.kind == "trigger" and r.facts["fired"] for r in lab.events) for lab in (told, cut)]
    assert [*rows_of(frame, "Triggers that fired").values()] == [tuple(fired)]


def test_each_sort_of_end_has_its_word():
    def many_ends(lab):
        qm = made("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(C)", of=lab)
        app = qm.connect("APP")
        app.put("A", b"1")
        app.put("A", b"2", expiry=10)
        app.put("B", b"3")
        lab.advance(5)
        app.unit_of_work().get("A")
        lab.advance(5)

    def change(lab):
        qm = lab["QM1"]
        qm.get("A")
        refusal(MQError, "", qm.get, "A")
        qm.mqsc("CLEAR QLOCAL(B)")
        qm.connect("APP").unit_of_work().put("C", b"4")

    lab = Lab()
    lab.play(many_ends)
    other = lab.branch(3_000_000, change)
    frame = comparison_frame(lab, other)
    ends = {row.subject.split(",")[0]: (row.ours, row.theirs) for row in frame.sections["Messages with another fate"]}
    assert ends["message 1"][0].startswith("got, not committed by APP from A of QM1")
    assert ends["message 1"][1].startswith("got by a program from A of QM1 at 09:00:03")
    assert ends["message 2"] == ("on A of QM1, expired", "discarded from A of QM1 at 09:00:03")
    assert ends["message 3"] == ("on B of QM1", "cleared from B of QM1 at 09:00:03")
    assert ends["message - / 4"] == ("-", "on C of QM1, not committed")
    assert frame.broken_off, "the get of the story finds nothing"
    assert "the story ended with an error: 2033" in comparison_card(frame)[0]


def test_the_card_tells_the_rows_and_escapes_what_it_is_given():
    def named(lab):
        qm = made("DEFINE QLOCAL(A)", of=lab)
        qm.put("A", b"x")
        lab.advance(10)

    lab = Lab()
    lab.play(named)
    other = lab.branch(0, lambda lab: lab["QM1"].get("A"))
    text, shown = comparison_card(comparison_frame(lab, other), theirs=EVIL)
    assert "A of QM1: 1 | 0" in text
    assert "<script" not in shown
    assert html.escape(EVIL) in shown
    bundle = lab.compare(other, EVIL)._repr_mimebundle_()
    assert "<script" not in bundle["text/html"]
    assert bundle["text/html"].count('class="mqlab-topology"') == 2
    assert bundle["text/plain"].startswith("Two futures from 09:00:00")


def test_much_that_differs_is_folded_away_and_counted():
    def lots(lab):
        made("\n".join(f"DEFINE QLOCAL(Q{i})" for i in range(20)), of=lab)
        lab.advance(10)

    lab = Lab()
    lab.play(lots)
    other = lab.branch(1_000_000, lambda lab: [lab["QM1"].put(f"Q{i}", b"x") for i in range(20)])
    frame = comparison_frame(lab, other)
    assert len(frame.sections["Depth of queues"]) == 20
    text, shown = comparison_card(frame)
    assert "and 8 more" in text
    assert "and 8 more" in shown


def test_what_cannot_be_compared_or_saved_is_refused(told, cut):
    for words in ("", "   ", 3, None):
        lab_error("words must be", told.compare, cut, words)
    lab_error("the same start", told.compare, Lab())
    for path in ("duel.png", "", 3, "no/such/folder/duel.html"):
        lab_error("path must be", told.compare(cut).save, path)


def test_the_score_is_asked_for_before_it_is_shown_and_what_differs_is_marked_in_both_pictures(told, cut):
    futures = told.compare(cut, "the link is cut")
    shown = futures.html
    assert "Predict first" in shown[: shown.index("<details>")] + shown[: shown.index("</summary>")]
    assert shown.index("Predict first") < shown.index("mqlab-topology")
    text = re.sub(r"<[^>]*>", " ", shown)
    assert set(re.findall(r"Messages at ([\d:.]+)", text)) == {"10:02:00"}
    assert text.count("10:02:00") >= 3, "the two pictures and the score"
    assert futures.scores == (Score(delivered=6), Score(delivered=3, late=3))
    assert "delivered: 6 | 3" in futures.text
    ours, theirs = re.findall(r'<svg [^>]*class="mqlab-topology".*?</svg>', shown, re.S)
    assert re.findall(r'class="differs-word"[^>]*>([^<]*)', ours)
    assert "−3 messages" in ours
    assert "+3 messages" in theirs
    assert all('class="halo differs"' in each for each in (ours, theirs))


def test_a_page_plays_both_on_one_clock(told, cut, tmp_path):
    futures = told.compare(cut, EVIL)
    page = futures.save(tmp_path / "duel.html").read_text("utf-8")
    assert EVIL not in page
    assert page == futures.save(tmp_path / "again.html").read_text("utf-8")
    race = Race(told, cut, futures.names)
    first = race.alike(futures.frame.first_seq)
    for number in range(len(race.moments)):
        for source, step in zip(race.sources, race.moments[number], strict=True):
            assert source.steps[step].time_us <= race.time_us(number)
        assert number > first or race.score(number)[0] == race.score(number)[1]
    assert race.moments[-1] == tuple(len(source.steps) - 1 for source in race.sources)
    assert tuple(race.score(len(race.moments) - 1)) == futures.scores


def test_two_logs_that_are_plainly_too_long_are_not_drawn_whole_first(told, cut, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "mqlab.views.player.duel.Race", lambda *arguments: drawn.append(arguments[-1]) or Race(*arguments)
    )
    monkeypatch.setattr("mqlab.views.player.duel.FEWEST", LIMIT)
    assert told.compare(cut).save(tmp_path / "duel.html").stat().st_size < LIMIT
    assert drawn == [{"*"}]


def test_what_only_one_of_two_labs_has_is_in_the_picture_of_that_one():
    def with_queue(*queues):
        lab = Lab()
        qm = lab.queue_manager("QM1")
        for queue in queues:
            qm.mqsc(f"DEFINE QLOCAL({queue})")
        return lab

    shown = with_queue("A").compare(with_queue("A", "B")).html
    ours, theirs = re.findall(r'<svg [^>]*class="mqlab-topology".*?</svg>', shown, re.S)
    assert 'data-part="QM1/B"' not in ours
    says(theirs, 'data-part="QM1/B"', "only here")
