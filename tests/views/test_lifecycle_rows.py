"""Messages' lives and a queue's depth as rows, held against the log and its replay."""

import itertools
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import for_each, lab_error, lab_with, tries
from mqlab import Lab, LabError, MQError, estates
from mqlab.engine.words.constants import MQRO_COA, MQRO_COD, MQRO_DISCARD_MSG
from mqlab.views.frames.lifecycle_rows import ENDS, MARKS, STATES, depth_frame, lifecycle_frame

SECOND = 1_000_000


def frame_of(lab, messages=None, **options):
    return lifecycle_frame(lab.events, messages, end_us=lab.now_us, **options)


def life(frame, message):
    stretches = [(s.state, s.from_us // SECOND, s.to_us // SECOND) for s in frame.segments if s.message == message]
    return stretches, [(m.kind, m.time_us // SECOND) for m in frame.marks if m.message == message]


def test_each_sort_of_life_is_a_row_whose_states_and_ends_carry_a_rule_and_a_sentence(played):
    frame, now = frame_of(played), played.now_us // SECOND
    assert life(frame, 1) == ([("on the queue", 0, 9)], [("got", 9)])
    assert life(frame, 2) == (
        [("on the queue", 1, 6), ("expired, still counted", 6, 11)],
        [("discarded", 11), ("report sent", 11)],
    )
    report = next(m for m in frame.marks if m.kind == "report")
    assert (report.time_us, report.queue, frame.reports) == (11 * SECOND, "REPLIES", {report.message})
    assert life(frame, report.message)[0] == [("on the queue", 11, now)]
    stretches, marks = life(frame, 3)
    assert [s[0] for s in stretches] == ["on the queue", "got, not committed", "on the queue", "got, not committed"]
    assert ([m[0] for m in marks], life(frame, 4)[0][0]) == (["returned by backout", "got"], ("not committed", 3, 7))
    stretches, marks = life(frame, 5)
    assert (stretches, marks) == ([("not committed", 5, 7), ("expired, still counted", 7, now)], [("still there", now)])
    taken_back = next(m.message for m in frame.marks if m.kind == "backed out")
    assert [s[0] for s in life(frame, taken_back)[0]] == ["not committed"]
    assert all(row.rule and row.reason for row in (*frame.segments, *frame.marks))
    assert {s.state for s in frame.segments} == {
        "not committed",
        "on the queue",
        "expired, still counted",
        "got, not committed",
    }
    assert {m.kind for m in frame.marks} <= set(MARKS)


def test_cleared_and_lost_messages_and_reports_have_their_marks():
    lab, qm = lab_with("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    one, two = qm.put("A", b""), qm.put("B", b"", persistent=False)
    lab.advance(1)
    qm.mqsc("CLEAR QLOCAL(A)")
    qm.stop()
    ends = {m.message: m.kind for m in frame_of(lab).marks}
    assert ends == {one.number: "cleared", two.number: "lost"}
    lab, qm = lab_with("DEFINE QLOCAL(A)\nDEFINE QLOCAL(R)")
    message = qm.put("A", b"", report=MQRO_COA | MQRO_COD, reply_to_q="R")
    lab.advance(1)
    qm.get("A")
    frame = frame_of(lab, [message])
    assert [m.time_us for m in frame.marks if m.kind == "report sent"] == [0, SECOND]
    assert (len(frame.reports), set(frame.messages)) == (2, {message.number, *frame.reports})
    check_lives(frame)


def test_messages_or_a_stretch_of_the_day_can_be_chosen(played):
    everything = frame_of(played)
    assert set(frame_of(played, queue="REPLIES").messages) < set(everything.messages)
    assert (frame_of(played, [1, 3]).messages, frame_of(played, start_us=4 * SECOND).messages[0]) == ((1, 3), 5)
    few = frame_of(played, limit=2)
    assert (few.messages[:2], few.left_out) == ((1, 2), len(everything.messages) - 2)
    lab_error("messages must be", frame_of, played, [1, 4711])
    frame = depth_frame(played.events, "QM1", "ORDERS", start_us=4 * SECOND, end_us=8 * SECOND)
    assert frame.points[0].time_us == 4 * SECOND
    assert frame.points[0].depth == played.state(at=4 * SECOND).queue("QM1", "ORDERS").depth
    assert frame.points[-1].time_us <= 8 * SECOND


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
    lab, qm = lab_with("DEFINE QLOCAL(Q) MAXDEPTH(8)")
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
                unit.get("Q") if verb == "get in unit" else unit.put("Q", b"", expiry=value or -1)
        except MQError:
            pass
    return lab


def ends_of(frame, number):
    """The ends that a message met; a put that was taken back is one only where the message is nowhere else."""
    found = [m.kind for m in frame.marks if m.message == number and m.kind in ENDS]
    return [kind for kind in found if kind != "backed out"] or found[-1:]


def check_lives(frame):
    """Every message is in one state at a time on each queue, and has exactly one end."""
    for number in frame.messages:
        its = [s for s in frame.segments if s.message == number]
        for place in {(s.qmgr, s.queue) for s in its}:
            stretches = [s for s in its if (s.qmgr, s.queue) == place]
            assert all(s.from_us < s.to_us for s in stretches)
            assert all(a.to_us <= b.from_us for a, b in itertools.pairwise(stretches))
        assert len(ends_of(frame, number)) == 1, number
        assert {s.state for s in its} <= set(STATES)


@settings(max_examples=tries(120), deadline=None)
@given(ACTIONS)
def test_a_life_has_no_gaps_and_one_end_and_the_depth_over_time_is_the_replayed_state_at_every_moment(actions):
    lab = run(actions)
    frame = frame_of(lab)
    check_lives(frame)
    on_queue = lab.state().queue("QM1", "Q").messages
    for number in frame.messages:
        stretches = [s for s in frame.segments if s.message == number]
        assert all(a.to_us == b.from_us for a, b in itertools.pairwise(stretches))
        last = next(m for m in frame.marks if m.message == number and m.kind == ends_of(frame, number)[0])
        assert (last.kind == "still there" and "got from" not in last.reason) == (number in on_queue)
    depths = depth_frame(lab.events, "QM1", "Q", end_us=lab.now_us)
    for point in depths.points:
        state = lab.state(at=point.time_us)
        expired, uncommitted = state.expired("QM1", "Q"), state.uncommitted("QM1", "Q")
        assert (point.depth, point.expired, point.uncommitted) == (state.queue("QM1", "Q").depth, expired, uncommitted)
    times = [p.time_us for p in depths.points]
    assert times == sorted(set(times))
    assert depths.worst.expired == max(p.expired for p in depths.points)


def test_many_changes_are_told_as_the_deepest_moment_of_each_step():
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
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


@for_each("persistent", [True, False])
def test_a_message_that_a_channel_moved_is_not_finished(persistent):
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=persistent)
    lab.advance(1)
    marks = [(m.kind, m.queue) for m in frame_of(lab, [message]).marks]
    assert marks == [("moved on", "QM2"), ("still there", "ORDERS")]
    lab["QM2"].get("ORDERS")
    lab["QM2"].get("ORDERS")
    assert [(m.kind, m.queue) for m in frame_of(lab, [message]).marks] == [("moved on", "QM2"), ("got", "ORDERS")]


def test_what_is_in_flight_when_the_chart_ends_is_still_there_and_a_fast_message_can_be_lost_there():
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(0.02)
    frame = frame_of(lab, [message])
    assert [s.state for s in frame.segments] == ["in flight"]
    assert [(m.kind, m.reason) for m in frame.marks] == [
        ("still there", "TO.QM2 has it from QM2: it is still in flight")
    ]
    lab.cut("QM1", "QM2")
    lab.advance(1)
    assert [m.kind for m in frame_of(lab, [message]).marks] == ["lost"]


def test_one_that_expired_in_the_hands_of_the_receiver_was_discarded():
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
    assert [(s.state, s.queue, s.from_us, s.to_us) for s in frame.segments][-3:] == [
        ("in flight", "QM2", 1_000_000, 1_050_000),
        ("got, not committed", "QM2", 1_050_000, lab.now_us),
        ("on the queue", "ORDERS", 1_050_000, lab.now_us),
    ]
    assert [(m.kind, m.queue) for m in frame.marks] == [("still there", "ORDERS")]
    check_lives(frame)


def test_everyplace_hands_over_a_message_locked_until_then_and_the_sender_has_not_got_it():
    lab = Lab()
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    hq.define("local", "ORDERS")
    pda.define("asynchronous", "ORDERS@HQ")
    lab.link("HQ", "PDA1", latency=0.05)
    message = pda.connect("SALES").put("ORDERS@HQ", b"x")
    pda.trigger_transmission()
    lab.advance(5)
    frame = frame_of(lab, [message])
    assert [(m.kind, m.queue) for m in frame.marks] == [("moved on", "ORDERS@HQ"), ("still there", "ORDERS")]
    assert states(frame, message) == [
        ("on a transmission queue", "PDA1", "ORDERS@HQ"),
        ("locked", "HQ", "ORDERS"),
        ("on the queue", "HQ", "ORDERS"),
    ]
    check_lives(frame)


def states(frame, message):
    """The states of one message, each with its queue, in order of time."""
    its = sorted((s for s in frame.segments if s.message == message.number), key=lambda s: s.from_us)
    return [(s.state, s.qmgr, s.queue) for s in its if s.state != "got, not committed"]


def test_a_message_that_a_channel_moved_was_on_a_transmission_queue_and_in_flight():
    lab = sending()
    assert lab["QM1"].mqsc("STOP CHANNEL(TO.QM2)").ok
    lab.advance(1)
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(3)
    assert lab["QM1"].mqsc("START CHANNEL(TO.QM2)").ok
    lab.advance(1)
    frame = frame_of(lab, [message])
    assert states(frame, message) == [
        ("on a transmission queue", "QM1", "QM2"),
        ("in flight", "QM1", "QM2"),
        ("on the queue", "QM2", "ORDERS"),
    ]
    flight = next(s for s in frame.segments if s.state == "in flight")
    assert (flight.to_us - flight.from_us, flight.rule) == (50_000, "CHL-02")
    assert flight.reason.startswith("in flight for 0.05 s: TO.QM2 has it from QM2")
    check_lives(frame)


def test_a_batch_sent_again_was_in_flight_until_the_session_broke():
    lab = sending()
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(0.02)
    lab.cut("QM1", "QM2")
    lab.advance(5)
    lab.restore("QM1", "QM2")
    lab.advance(120)
    frame = frame_of(lab, [message])
    flights = [(s.from_us, s.to_us) for s in frame.segments if s.state == "in flight"]
    assert (flights[0], flights[1][1] - flights[1][0]) == ((1_000_000, 1_020_000), 50_000)
    assert [m.kind for m in frame.marks] == ["returned by backout", "moved on", "still there"]
    check_lives(frame)


def test_dead_letters_are_discarded_or_forwarded_by_their_handler_or_discarded_as_their_putter_wants():
    lab = sending()
    assert lab["QM2"].mqsc("DEFINE QLOCAL(DLQ)\nDEFINE QLOCAL(KEPT)\nALTER QMGR DEADQ(DLQ)").ok
    one = lab["QM1"].put("NOPE@QM2", b"x", persistent=True)
    two = lab["QM1"].put("ALSO.NOPE@QM2", b"x", persistent=True)
    three = lab["QM1"].put("NOPE@QM2", b"x", persistent=True, report=MQRO_DISCARD_MSG)
    lab.advance(1)
    frame = frame_of(lab, [one, three])
    assert states(frame, one)[-1] == ("on a dead-letter queue", "QM2", "DLQ")
    assert ends_of(frame, three.number) == ["rejected"]
    table = "DESTQ(NOPE) ACTION(DISCARD)\nDESTQ(ALSO*) ACTION(FWD) FWDQ(KEPT) HEADER(NO)"
    lab["QM2"].dead_letter_handler("INPUTQ(DLQ)\n" + table)
    lab.advance(1)
    frame = frame_of(lab, [one, two])
    check_lives(frame)
    ends = {m.message: (m.kind, m.queue, m.rule) for m in frame.marks if m.kind in ENDS}
    assert (ends[one.number], ends[two.number][:2]) == (("rejected", "DLQ", "DLQ-04"), ("still there", "KEPT"))
    assert states(frame, two)[-2:] == [("on a dead-letter queue", "QM2", "DLQ"), ("on the queue", "QM2", "KEPT")]


def test_a_browse_locks_a_message_until_it_is_unlocked_or_has_expired():
    lab, qm = lab_with("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    message, timed, app = qm.put("A", b""), qm.put("B", b"", expiry=20), qm.connect("CLERK")
    held = app.open("B", browse=True, input="shared")
    held.browse_first(lock=True)
    with app.open("A", browse=True, input="shared") as handle:
        lab.advance(1)
        handle.browse_first(lock=True)
        lab.advance(2)
        handle.unlock()
        lab.advance(3)
    frame = frame_of(lab)
    assert life(frame, message.number) == (
        [("on the queue", 0, 1), ("locked", 1, 3), ("on the queue", 3, 6)],
        [("still there", 6)],
    )
    assert life(frame, timed.number)[0] == [("locked", 0, 2), ("expired, still counted", 2, 6)]


def test_a_group_of_queue_managers_sends_by_its_agent():
    lab = estates.load("sharing-group")
    names = [qm.name for qm in lab.queue_managers]
    assert lab[names[1]].mqsc("DEFINE QLOCAL(PLAIN)").ok
    message = lab[names[0]].put(f"PLAIN@{names[1]}", b"x")
    lab.advance(1)
    frame = frame_of(lab, [message])
    assert [m.kind for m in frame.marks] == ["moved on", "still there"]
    check_lives(frame)


def test_what_channels_keep_for_themselves_is_told_only_when_asked_for():
    lab = sending()
    lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(1)
    assert {s.queue for s in frame_of(lab).segments} == {"QM2", "ORDERS"}
    assert frame_of(lab, queue="SYSTEM.CHANNEL.SYNCQ").messages


NETWORK = st.lists(
    st.sampled_from(["fast", "sure", "nowhere", "expiring", "cut", "restore", "get", "wait", "wait longer"]),
    max_size=25,
)


@settings(max_examples=40, deadline=None)
@given(NETWORK)
def test_lives_over_a_channel_are_whole_whatever_happens_to_it(actions):
    lab = sending()
    assert lab["QM2"].mqsc("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)").ok
    acts = {
        "fast": lambda: lab["QM1"].put("ORDERS@QM2", b"x", persistent=False),
        "sure": lambda: lab["QM1"].put("ORDERS@QM2", b"x", persistent=True),
        "nowhere": lambda: lab["QM1"].put("NOPE@QM2", b"x", persistent=True),
        "expiring": lambda: lab["QM1"].put("ORDERS@QM2", b"x", persistent=True, expiry=10),
        "cut": lambda: lab.cut("QM1", "QM2"),
        "restore": lambda: lab.restore("QM1", "QM2"),
        "get": lambda: lab["QM2"].get("ORDERS"),
        "wait": lambda: lab.advance(0.03),
        "wait longer": lambda: lab.advance(30),
    }
    for action in actions:
        with suppress(MQError, LabError):
            acts[action]()
    check_lives(frame_of(lab))
    for name, queue in (("QM1", "QM2"), ("QM2", "ORDERS"), ("QM2", "DLQ")):
        frame = depth_frame(lab.events, name, queue, end_us=lab.now_us)
        for point in frame.points:
            assert point.depth == lab.state(at=point.time_us).queue(name, queue).depth


def test_the_depth_of_an_everyplace_queue_expires_by_the_millisecond():
    lab = Lab()
    hq = lab.everyplace("HQ")
    hq.define("local", "ORDERS", expiry_ms=1234)
    hq.connect("SALES").put("ORDERS", b"x")
    lab.advance(3)
    points = depth_frame(lab.events, "HQ", "ORDERS", end_us=lab.now_us).points
    assert [(p.time_us, p.live, p.expired) for p in points] == [(0, 1, 0), (1_234_000, 0, 1), (3_000_000, 0, 1)]
