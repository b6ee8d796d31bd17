"""The recording: what it shows at a step is what a replay of the log gives there."""

import gzip
import json
import re

import pytest

from helpers import lab_error, made, reason, scenario_lab
from mqlab import Lab, estates
from mqlab.engine.words.rulebook import RULES
from mqlab.engine.world.event import Event
from mqlab.views.drawing.scene import lab_picture
from mqlab.views.drawing.topology import facts_of
from mqlab.views.player.player_steps import LABELS, PlayerSteps, interest_of

EXPIRATION = 0x0020_0000


@pytest.fixture
def sites():
    """Two sites with a cut link, a restored one, and a stopped queue manager."""
    lab = estates.load("two-sites")
    shop = lab["NORTH"].connect("WEBSHOP")
    lab.shot("An order", "It goes by two channels.")
    shop.put("ORDERS", b"1")
    lab.advance(5)
    lab.cut("NORTH", "HUB")
    shop.put("ORDERS", b"2", expiry=30)
    lab.advance(60)
    lab.restore("NORTH", "HUB")
    lab.advance(30)
    lab["HUB"].stop()
    lab.advance(10)
    lab["HUB"].start()
    lab.shot("The end")
    lab.advance(300)
    return lab


def facts(recording, number):
    """What is true of each object at a step."""
    return dict.fromkeys(recording.facts) | recording.facts_at(number)


def assert_facts_as_replayed(recording, every=1):
    for number in range(0, len(recording.steps), every):
        frame, seen = recording.frame(number), facts(recording, number)
        for id, fact in facts_of(frame).items():
            assert seen[id] in (fact, None), (recording.steps[number], id)  # None: not there before its first row
        assert seen["summary"] == frame.summary


def test_at_every_step_everything_is_as_a_replay_gives_it_also_with_cut_links_and_stopped_queue_managers(played, sites):
    assert_facts_as_replayed(PlayerSteps(played))
    assert_facts_as_replayed(PlayerSteps(sites), every=3)


def test_what_a_row_brings_is_not_there_before_it(lab):
    qm = made("DEFINE QLOCAL(A)", of=lab)
    lab.advance(1)
    lab.shot("Before")
    qm.mqsc("DEFINE QLOCAL(B)")
    recording = PlayerSteps(lab)
    [told] = [n for n, step in enumerate(recording.steps) if step.kind == "shot"]
    assert (facts(recording, told)["QM1/A"][0], facts(recording, told)["QM1/B"]) == (0, None)
    assert facts(recording, len(recording.steps) - 1)["QM1/B"][0] == 0


def test_every_row_after_the_setup_has_a_step_in_its_order_and_expiries_and_shots_come_between(sites):
    recording = PlayerSteps(sites)
    steps = recording.steps
    rows = [step for step in steps if step.kind not in ("begin", "expire", "shot")]
    setup = rows[0].seq
    assert {row.kind for row in sites.events[:setup]} <= {
        "start",
        "define",
        "alter",
        "fault",
        "program",
        "open",
        "wait",
    }
    assert [step.seq for step in rows] == list(range(setup, len(sites.events)))
    assert [step.time_us for step in steps] == sorted(step.time_us for step in steps)
    for step in rows:
        event = sites.events[step.seq]
        wanted = (event.kind, event.qmgr, event.time_us, event.rule or "")
        assert (step.kind, step.qmgr, step.time_us, step.rule) == wanted
        assert step.said.strip()
        assert "None" not in step.said
    ends = [n for n, step in enumerate(steps) if step.kind == "shot"]
    assert [steps[n].said for n in ends] == ["An order", "The end"]
    assert [steps[n + 1].seq for n in ends] == [shot.seq for shot in sites.shots], "before the first row"
    assert [(stop.title, stop.said) for stop in recording.stops] == [(shot.title, shot.say) for shot in sites.shots]


def test_a_shot_stops_at_its_end_with_its_own_steps_and_is_told_from_its_beginning_on(sites):
    sites.shots.clear()
    with sites.shot("Cut", "Orders wait.", focus=["HUB", "NORTH/HUB"]):
        sites.cut("NORTH", "HUB")
        with sites.shot("Within"):
            sites["NORTH"].put("ORDERS", b"4")
        sites.advance(5)
    sites.advance(1)
    sites.shot("After")
    _, cut, after = (recording := PlayerSteps(sites)).stops
    assert [stop.title for stop in recording.stops] == ["Within", "Cut", "After"]
    assert (cut.said, cut.focus) == ("Orders wait.", ("HUB", "NORTH/HUB"))
    kinds = [[recording.steps[n].kind for n in stop.members] for stop in recording.stops]
    assert kinds[0][0] == "put"
    assert "channel" in kinds[1]
    assert recording.steps[cut.since].kind == "fault"
    assert after.since == after.step == after.members[-1]
    assert after.members[0] == cut.step + 1, "without a block, all since the stop before"
    assert PlayerSteps(sites, start=sites.shots[1].time_us / 1e6).stops[-1].title == "After"


def test_a_lifetime_that_ends_is_a_step_and_changes_nothing_but_what_counts_as_expired(qm, lab):
    qm.put("ORDERS", b"x", expiry=20)
    qm.put("ORDERS", b"y")
    lab.advance(5)
    qm.put("FIFO", b"z")
    recording = PlayerSteps(lab)
    [number] = [n for n, step in enumerate(recording.steps) if step.kind == "expire"]
    step = recording.steps[number]
    assert (step.time_us, step.message, step.rule, step.sort) == (2_000_000, 1, "EXP-02", "expire")
    assert "still counts" in step.said
    assert (recording.steps[step.cause].kind, recording.steps[step.cause].message) == ("put", 1)
    before, now = recording.frame(number - 1).queues["QM1/ORDERS"], recording.frame(number).queues["QM1/ORDERS"]
    assert (before.depth, before.expired, now.depth, now.expired) == (2, 0, 2, 1)
    assert facts(recording, number)["QM1/ORDERS"][:3] == [2, 1, 0]


def test_a_message_that_was_got_in_time_or_put_back_expires_at_most_once(qm, lab):
    qm.put("ORDERS", b"got", expiry=20)
    qm.get("ORDERS")
    qm.put("ORDERS", b"put back", expiry=20)
    unit = qm.connect("APP").unit_of_work()
    unit.get("ORDERS")
    unit.backout()
    lab.advance(5)
    assert [step.message for step in PlayerSteps(lab).steps if step.kind == "expire"] == [2]


def test_growing_gives_what_a_new_recording_would_and_its_new_part_completes_the_old(sites):
    recording = PlayerSteps(sites)
    size, base = len(recording.steps), recording.columns()
    sites["NORTH"].connect("WEBSHOP").put("ORDERS", b"3", expiry=5)
    sites.advance(100)
    sites.shot("And on")
    assert recording.grow() == size < len(recording.steps)
    fresh = PlayerSteps(sites)
    assert (recording.steps, recording.packed()) == (fresh.steps, fresh.packed())
    more, whole = recording.columns(size), recording.columns()
    assert "scene" not in more
    for name, column in base["steps"].items():
        assert column + more["steps"][name] == whole["steps"][name]
    for id, track in whole["facts"].items():
        assert base["facts"].get(id, []) + more["facts"].get(id, []) == track


def test_a_step_is_found_by_its_time_or_row_and_the_same_lab_gives_the_same_bytes(sites):
    recording = PlayerSteps(sites)
    assert recording.steps[recording.step_at("09:00:05")].time_us <= 5_000_000
    assert recording.steps[recording.step_at("09:00:05") + 1].time_us > 5_000_000
    assert recording.steps[recording.step_of_row(60)].seq == 60
    assert recording.step_at(0) >= 0
    assert recording.packed() == PlayerSteps(sites).packed()
    told = json.loads(gzip.decompress(recording.packed()))
    assert told["steps"]["said"] == [step.said for step in recording.steps]
    assert set(told["rules"]) <= set(RULES)
    states = {step.said.split(" became ")[1].split(":")[0] for step in recording.steps if step.sort == "channel"}
    assert "RUNNING" in states, "a presenter stops at a channel where it stays, and not where it passes"
    assert not states & {"INITIALIZING", "BINDING"}


def test_a_stretch_or_a_queue_manager_alone_and_what_is_left_out_is_counted(sites):
    recording = PlayerSteps(sites, start=20, end=40)
    assert {20_000_000 <= step.time_us <= 40_000_000 for step in recording.steps} == {True}
    assert (recording.steps[0].kind, recording.steps[0].time_us) == ("begin", 20_000_000)
    assert recording.steps[0].seq == sites.events.count_until(19_999_999) - 1
    assert_facts_as_replayed(recording)
    assert all(step.cause < n for n, step in enumerate(recording.steps))
    recording = PlayerSteps(sites, messages=[1])
    assert {step.message for step in recording.steps} == {None, 1}
    assert_facts_as_replayed(recording, every=7)
    assert {step.qmgr for step in PlayerSteps(sites, "HUB").steps} <= {"HUB", ""}
    for messages in ([999], []):
        lab_error("messages must be", PlayerSteps, sites, messages=messages)
    lab_error("queue manager must be", PlayerSteps, sites, "PARIS")
    for start, end in ((20, 10), ("lunch", None), (None, 10**6)):
        lab_error(r"must (be|have|come|not)", PlayerSteps, sites, start=start, end=end)
    whole, short = PlayerSteps(sites), PlayerSteps(sites, without=frozenset({"*"}))
    assert short.left_out == len(whole.steps) - len(short.steps)
    assert all(step.sort or step.kind in ("begin", "shot") for step in short.steps)
    assert short.left_out > 0
    assert_facts_as_replayed(short)
    for step in short.steps:
        assert step.cause < len(short.steps)


# ---------------------------------------------------------------- what is interesting
def test_what_explains_something_is_labelled_and_what_does_not_is_not(qm, lab):
    qm.mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(2)")
    qm.put("ORDERS", b"1", expiry=10, report=EXPIRATION, reply_to_q="FIFO")
    qm.put("ORDERS", b"2")
    reason(qm.put, "ORDERS", b"3")
    lab.advance(2)
    qm.get("ORDERS")
    labels = [step.sort for step in PlayerSteps(lab).steps if step.sort]
    assert labels == ["first message", "queue full", "refused", "expire", "discarded", "report"]
    qm.put("SMALL", b"1")
    qm.get("SMALL")
    assert interest_of(lab.events[-1]) == "", "an ordinary get"


def test_every_kind_that_explains_something_has_a_label_and_an_empty_lab_a_beginning():
    assert all(re.fullmatch("[a-z ]+", label) for label in LABELS.values())
    rows = [Event(0, 0, "QM1", kind, None, None, *[None] * 14) for kind in LABELS]
    assert [interest_of(row) for row in rows] == list(LABELS.values())
    recording = PlayerSteps(Lab())
    assert [step.kind for step in recording.steps] == ["begin"]
    assert recording.packed()


def test_a_link_that_is_cut_is_a_fault_and_one_that_works_again_is_restored(qm, lab):
    lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    lab.link("QM1", "QM2", latency=1)
    lab.cut("QM1", "QM2")
    lab.restore("QM1", "QM2")
    assert [interest_of(row) for row in lab.events if row.kind == "fault"] == ["", "", "fault", "restored"]


def test_a_refused_put_and_discarded_messages_leave_marks_at_their_stops_alone():
    lab = scenario_lab("expired-fill")
    recording = PlayerSteps(lab)
    left = [(n, recording.traces_at(n)) for n in (stop.step for stop in recording.stops) if recording.traces_at(n)]
    (full, [refused]), (vain, [none, *discarded]), (scan, _) = left
    assert refused[:3] == ("SHOP/PRICE.ASK", "refused", 2053)
    assert none == ("SHOP/app:PRICES", "vain", 2033, "SHOP/PRICE.ASK")
    assert [trace.kind for trace in discarded] == ["discarded"] * 5
    for step, marks in ((full, ["put refused: 2053"]), (vain, ["no message: 2033", "5 discarded"])):
        picture = recording.picture(step)
        assert all(words in picture.svg for words in marks)
        assert "event: " in picture.key
        assert "put refused" not in recording.picture(step + 1).svg
    assert "put refused: 2053" in lab_picture(lab, seq=recording.steps[full].seq).svg
    assert scan > vain > full
