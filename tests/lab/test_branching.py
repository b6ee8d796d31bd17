"""Stories: shots, telling one again, and the branch in which something was different."""

from datetime import timedelta

import pytest

from helpers import for_each, lab_error, made, refusal
from mqlab import Lab, LabError, NotSimulated
from mqlab.everyplace import MQeError


def story(lab):
    qm = made("DEFINE QLOCAL(ORDERS)", of=lab)
    lab.shot("Two orders", "One each\n   10 seconds.")
    qm.put("ORDERS", b"1", expiry=300)
    lab.advance(10)
    qm.put("ORDERS", b"2", expiry=300)
    lab.advance(10)
    qm.run_program("CLERK", lambda app: app.get("ORDERS", wait=5))
    lab.run()


@pytest.fixture
def told():
    lab = Lab(seed=3)
    lab.play(story)
    return lab


def test_a_shot_knows_its_place_and_a_branch_without_an_effect_is_the_same_story(told):
    [found] = told.shots
    assert (found.title, found.say) == ("Two orders", "One each 10 seconds.")
    assert told.events[found.seq].kind in ("open", "put")
    assert told.events[found.seq].time_us == found.time_us == 0
    one = Lab().shot("""Two orders
        One each
        10 seconds.""")
    assert (one.title, one.say) == (found.title, found.say), "the first line is the title"
    other = told.branch(5_000_000, lambda lab: None)
    assert (list(other.events), other.now) == (list(told.events), told.now)
    assert other.branched_us == 5_000_000


@for_each("at", [0, 5_000_000, 10_000_000, 20_000_000])
def test_a_branch_is_alike_up_to_its_moment_and_the_change_comes_after_it(told, at):
    other = told.branch(told.start + timedelta(microseconds=at), lambda lab: lab["QM1"].put("ORDERS", b"x", priority=9))
    ours, theirs = list(told.events), list(other.events)
    put = next(row for row in theirs if row.kind == "put" and row.priority == 9)
    assert put.time_us == at
    if at < 20_000_000:
        first = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
        assert all(row.time_us <= at for row in ours[:first])
    assert len(told.events) == len(ours)
    assert other["QM1"].depth("ORDERS") == told["QM1"].depth("ORDERS") + 1


def test_a_branch_of_a_branch_has_the_changes_before_its_moment_and_not_those_after_it(told):
    def put(body):
        return lambda lab: lab["QM1"].put("ORDERS", body)

    def labels(lab):
        return [(row.time_us, lab.labels[row.message]) for row in lab.events if row.kind == "put"]

    one = told.branch(5_000_000, put(b"A"))
    two = one.branch(12_000_000, put(b"B"))
    end = two.branch(two.now_us, put(b"C")).branch(two.now_us, put(b"D"))
    added = [(5_000_000, b"A"), (12_000_000, b"B"), (two.now_us, b"C"), (two.now_us, b"D")]
    assert [each for each in labels(end) if each[1] in b"ABCD"] == added
    assert labels(end.branch(5_000_000, lambda lab: None)) == labels(one)
    assert list(end.branch(4_999_999, lambda lab: None).events) == list(told.events)


def test_a_change_can_fail_what_the_story_does_next_and_lets_no_time_pass(told):
    other = told.branch(5_000_000, lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)"))
    assert (other.broken_off.reason, other.now) == (2051, told.now)
    assert other["QM1"].depth("ORDERS") == told["QM1"].depth("ORDERS") == 1
    assert told.broken_off is None
    refusal(NotSimulated, "", told.branch, 5_000_000, lambda lab: lab.advance(1))
    before = len(told.events)
    for at, change in ((-1, print), (10**12, print), ("09:00", print), (1.5, print), (True, print), (0, "stop")):
        lab_error("must be", told.branch, at, change)
    assert len(told.events) == before


def test_a_lab_without_a_story_says_so_and_a_change_may_cut_the_link_before_the_story_does():
    lab = Lab()
    lab.queue_manager("QM1")
    lab_error(r"lab\.play\(story\)", lab.branch, 0, print)
    lab_error("empty lab", lab.play, story)
    lab_error("function", Lab().play, "story")
    lab_error("title must be", lab.shot, "")
    for focus in ("QM7", ["QM1", 7]):
        lab_error("focus must be objects of this lab.* got '.*7'", lab.shot, "A", focus=focus)
    assert lab.shots == []
    lab["QM1"].mqsc("DEFINE QLOCAL(ORDERS)")
    assert lab.shot("A", focus="ORDERS").focus == ("QM1/ORDERS",)
    lab = Lab()
    lab.play(link_that_is_cut)
    cut = lab.branch(5_000_000, lambda lab: lab.cut("QM1", "QM2"))
    restored = lab.branch(15_000_000, lambda lab: lab.restore("QM1", "QM2"))
    seconds = [[row.time_us // 1_000_000 for row in each.events.where(kind="fault")] for each in (lab, cut, restored)]
    assert seconds == [[0, 10, 20], [0, 5, 20], [0, 10, 15]]
    assert cut.broken_off is restored.broken_off is None
    lab_error(r"is up$", restored.restore, "QM1", "QM2")
    lab_error("cut already", lab.branch, 15_000_000, lambda lab: lab.cut("QM1", "QM2"))


def test_what_the_lab_or_mq_everyplace_refuses_the_story_after_a_change_ends_the_branch_and_not_the_lab():
    def story(lab):
        van = lab.everyplace("VAN")
        van.define("local", "JOBS")
        lab.queue_manager("QM1")
        lab.advance(10)
        van.put("JOBS", van.message(b"1"))
        lab.queue_manager("QM2")

    lab = Lab()
    lab.play(story)
    other = lab.branch(5_000_000, lambda lab: lab.everyplace_queue_managers[0].stop())
    assert isinstance(other.broken_off, MQeError)
    assert (other.broken_off.what, other.now) == ("not running", lab.now)
    other = lab.branch(5_000_000, lambda lab: lab.queue_manager("QM2"))
    assert isinstance(other.broken_off, LabError)
    lab_error("QM1", lab.branch, 5_000_000, lambda lab: lab.queue_manager("QM1"))


def link_that_is_cut(lab):
    for name in ("QM1", "QM2"):
        lab.queue_manager(name)
    lab.link("QM1", "QM2")
    lab.advance(10)
    lab.cut("QM1", "QM2")
    lab.advance(10)
    lab.restore("QM1", "QM2")


def test_a_program_that_dies_of_a_change_ends_its_story_and_not_the_branch():
    def told(lab):
        qm = made("DEFINE QLOCAL(ORDERS)", of=lab)
        for at in (5, 50):
            qm.run_program(f"CLERK{at}", lambda app, at=at: (lab.advance(at), app.put("ORDERS", b"1")))
        lab.advance(10)
        qm.put("ORDERS", b"last")

    lab = Lab()
    lab.play(told)
    lab.advance(60)
    other = lab.branch(0, lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)"))
    assert "CLERK5 on QM1 died" in str(other.broken_off)
    died = [row.program for row in other.events.where(kind="program") if row.facts["state"] == "died"]
    assert died == ["CLERK5", "CLERK50"]
    assert other.now == lab.now
