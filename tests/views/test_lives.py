"""Messages' lives and a queue's depth as rows, held against the log and its replay."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlab import Lab, LabError, MQError
from mqlab.views.depths import depth_frame
from mqlab.views.lives import MARKS, STATES, lifecycle_frame

SECOND = 1_000_000


def frame_of(lab, messages=None, **options):
    return lifecycle_frame(lab.events, messages, end_us=lab.now_us, **options)


def life(frame, message):
    stretches = [(s.state, s.from_us // SECOND, s.to_us // SECOND) for s in frame.segments if s.message == message]
    return stretches, [(m.kind, m.time_us // SECOND) for m in frame.marks if m.message == message]


def test_a_message_that_was_got(played):
    assert life(frame_of(played), 1) == ([("on the queue", 0, 9)], [("got", 9)])


def test_a_message_that_lapsed_was_met_and_is_reported(played):
    frame = frame_of(played)
    assert life(frame, 2) == ([("on the queue", 1, 6), ("lapsed, still counted", 6, 11)], [("discarded", 11)])
    report = next(m for m in frame.marks if m.kind == "report")
    assert (report.time_us, report.queue) == (11 * SECOND, "REPLIES")
    assert life(frame, report.message)[0] == [("on the queue", 11, played.now_us // SECOND)]


def test_a_message_got_put_back_and_got_again(played):
    stretches, marks = life(frame_of(played), 3)
    assert [s[0] for s in stretches] == ["on the queue", "got, not committed", "on the queue", "got, not committed"]
    assert [m[0] for m in marks] == ["returned by backout", "got"]


def test_a_message_put_in_a_unit_of_work_and_one_that_lapsed_in_it(played):
    frame = frame_of(played)
    assert life(frame, 4)[0][0] == ("not committed", 3, 7)
    stretches, marks = life(frame, 5)
    assert stretches == [("not committed", 5, 7), ("lapsed, still counted", 7, played.now_us // SECOND)]
    assert marks == [("still there", played.now_us // SECOND)]


def test_a_put_that_was_taken_back(played):
    taken = next(m.message for m in frame_of(played).marks if m.kind == "put taken back")
    assert [s[0] for s in life(frame_of(played), taken)[0]] == ["not committed"]


def test_cleared_and_lost_messages_end_so():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    one, two = qm.put("A", b""), qm.put("B", b"", persistent=False)
    lab.advance(1)
    qm.mqsc("CLEAR QLOCAL(A)")
    qm.stop()
    ends = {m.message: m.kind for m in frame_of(lab).marks}
    assert ends == {one.number: "cleared", two.number: "lost"}


def test_every_row_carries_a_rule_and_a_sentence(played):
    frame = frame_of(played)
    assert all(row.rule and row.reason for row in (*frame.segments, *frame.marks))
    assert {s.state for s in frame.segments} == set(STATES)
    assert {m.kind for m in frame.marks} <= set(MARKS)


def test_messages_can_be_chosen_and_the_rest_is_counted(played):
    everything = frame_of(played)
    assert set(frame_of(played, queue="REPLIES").messages) < set(everything.messages)
    assert frame_of(played, [1, 3]).messages == (1, 3)
    assert frame_of(played, start_us=4 * SECOND).messages[0] == 5
    few = frame_of(played, limit=2)
    assert few.messages[:2] == (1, 2)
    assert few.left_out == len(everything.messages) - 2
    with pytest.raises(LabError, match="messages wanted"):
        frame_of(played, [1, 4711])


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from([None, 5, 20, 60])),
        st.tuples(st.just("put in unit"), st.sampled_from([None, 5, 20])),
        st.tuples(st.sampled_from(["get", "get in unit", "browse", "commit", "backout"]), st.none()),
        st.tuples(st.just("advance"), st.sampled_from([0.3, 1, 4])),
    ),
    max_size=40,
)


def run(actions):
    """A lab after some calls on one queue; calls that MQ refuses are part of it."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(8)")
    unit = None
    for verb, value in actions:
        try:
            if verb == "advance":
                lab.advance(value)
            elif verb == "put":
                qm.put("Q", b"", expiry=value or -1)
            elif verb in ("get", "browse"):
                getattr(qm, verb)("Q")
            elif verb in ("commit", "backout"):
                if unit:
                    getattr(unit, verb)()
                unit = None
            else:
                if unit is None:
                    unit = qm.unit_of_work()
                    unit.__enter__()
                unit.get("Q") if verb == "get in unit" else unit.put("Q", b"", expiry=value or -1)
        except MQError:
            pass
    return lab


@settings(max_examples=120, deadline=None)
@given(ACTIONS)
def test_a_life_has_no_gaps_and_at_most_one_end(actions):
    lab = run(actions)
    frame = frame_of(lab)
    on_queue = lab.state().queue("QM1", "Q").messages
    for number in frame.messages:
        stretches = [s for s in frame.segments if s.message == number]
        assert all(a.to_us == b.from_us for a, b in itertools.pairwise(stretches))
        assert all(s.from_us < s.to_us for s in stretches if s.state != STATES[3])
        ends = Counter(m.kind for m in frame.marks if m.message == number and m.kind != "returned by backout")
        held = bool(stretches) and stretches[-1].state == STATES[3] and not ends
        assert sum(ends.values()) == (0 if held else 1) or not stretches
        assert (ends["still there"] == 1) == (number in on_queue)


@settings(max_examples=120, deadline=None)
@given(ACTIONS)
def test_the_depth_over_time_is_the_replayed_state_at_every_moment(actions):
    lab = run(actions)
    frame = depth_frame(lab.events, "QM1", "Q", end_us=lab.now_us)
    for point in frame.points:
        state = lab.state(at=point.time_us)
        lapsed, uncommitted = state.lapsed("QM1", "Q"), state.uncommitted("QM1", "Q")
        assert (point.depth, point.lapsed, point.uncommitted) == (state.queue("QM1", "Q").depth, lapsed, uncommitted)
    times = [p.time_us for p in frame.points]
    assert times == sorted(set(times))
    assert frame.worst.lapsed == max(p.lapsed for p in frame.points)


def test_many_changes_are_told_as_the_deepest_moment_of_each_step():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q)")
    for i in range(300):
        for _ in range(5 if i == 150 else 1):
            qm.put("Q", b"")
        lab.advance(0.01)
        for _ in range(qm.depth("Q") if i % 50 else 0):
            qm.get("Q")
        lab.advance(0.99)
    exact = depth_frame(lab.events, "QM1", "Q", end_us=lab.now_us, limit=10_000)
    coarse = depth_frame(lab.events, "QM1", "Q", end_us=lab.now_us, limit=40)
    assert exact.step_us == 0
    assert len(coarse.points) <= 42
    assert max(p.depth for p in coarse.points) == max(p.depth for p in exact.points) > 4
    for point in coarse.points:
        within = [p for p in exact.points if point.time_us <= p.time_us < point.time_us + coarse.step_us]
        assert point.depth >= max((p.depth for p in within), default=0)


def test_a_stretch_of_the_day_begins_with_what_was_there(played):
    frame = depth_frame(played.events, "QM1", "ORDERS", start_us=4 * SECOND, end_us=8 * SECOND)
    assert frame.points[0].time_us == 4 * SECOND
    assert frame.points[0].depth == played.state(at=4 * SECOND).queue("QM1", "ORDERS").depth
    assert frame.points[-1].time_us <= 8 * SECOND


def sending() -> Lab:
    """QM1 that sends to QM2, 50 ms away; its channel runs."""
    lab = Lab()
    one, other = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2", latency=0.05)
    assert one.mqsc("""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)""").ok
    assert other.mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(0)").ok
    one.put("ORDERS@QM2", b"first")
    lab.advance(1)
    return lab


@pytest.mark.parametrize("persistent", [True, False])
def test_a_message_that_a_channel_moved_is_not_finished(persistent):
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=persistent)
    lab.advance(1)
    marks = [(m.kind, m.queue) for m in frame_of(lab, [message]).marks]
    assert marks == [("moved on", "QM2"), ("still there", "ORDERS")]
    lab["QM2"].get("ORDERS")
    lab["QM2"].get("ORDERS")
    assert [(m.kind, m.queue) for m in frame_of(lab, [message]).marks] == [("moved on", "QM2"), ("got", "ORDERS")]


def test_a_fast_message_that_was_lost_was_not_got():
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(0.02)
    lab.cut("QM1", "QM2")
    lab.advance(1)
    assert [m.kind for m in frame_of(lab, [message]).marks] == ["lost"]


def test_one_that_lapsed_in_the_hands_of_the_receiver_was_discarded():
    lab = sending()
    assert lab["QM2"].mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)\nALTER CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(2)").ok
    assert lab["QM1"].mqsc("STOP CHANNEL(TO.QM2)").ok  # what was altered counts from the next start
    lab.advance(1)
    assert lab["QM1"].mqsc("START CHANNEL(TO.QM2)").ok
    lab.advance(1)
    message = lab["QM1"].put("ORDERS@QM2", b"x", expiry=5)
    lab.advance(9)
    assert [(m.kind, m.rule) for m in frame_of(lab, [message]).marks] == [("discarded", "EXP-36")]


def test_a_batch_in_doubt_is_held_at_the_sender_and_there_at_the_receiver():
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(0.06)
    lab.cut("QM1", "QM2")
    lab.advance(1)
    frame = frame_of(lab, [message])
    assert ("got, not committed", "QM2") in {(s.state, s.queue) for s in frame.segments}
    assert [(m.kind, m.queue) for m in frame.marks] == [("still there", "ORDERS")]


def test_everyplace_hands_over_a_message_and_the_sender_has_not_got_it():
    lab = Lab()
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    hq.define("local", "ORDERS")
    pda.define("asynchronous", "ORDERS@HQ")
    lab.link("HQ", "PDA1", latency=0.05)
    message = pda.connect("SALES").put("ORDERS@HQ", b"x")
    pda.trigger_transmission()
    lab.advance(5)
    marks = [(m.kind, m.queue) for m in frame_of(lab, [message]).marks]
    assert marks == [("moved on", "ORDERS@HQ"), ("still there", "ORDERS")]
