"""Rows of the lifecycle chart: messages that fared alike are put together, and nothing is counted twice or lost."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from helpers import lab_error, tries
from mqlab import Lab
from mqlab.views.charts.lifecycle import BARS
from mqlab.views.charts.lifecycle_groups import MOST, grouped_rows, single_rows
from mqlab.views.frames.lifecycle_rows import ENDS, STATES, LifecycleFrame, Mark, Segment, lifecycle_frame

SECOND = 1_000_000
HEIGHTS = {state: BARS[state].height for state in STATES}


def hand_made(lives):
    """A frame of (queue, [(state, from, to)], end) for messages 1, 2, ...; times in seconds."""
    segments, marks = [], []
    for number, (queue, stretches, end) in enumerate(lives, 1):
        segments += [
            Segment(number, queue, s, a * SECOND, b * SECOND, "EXP-17", "words", "QM1") for s, a, b in stretches
        ]
        marks.append(Mark(number, queue, end, stretches[-1][2] * SECOND, "MQI-02", "it ended", "QM1"))
    last = max(s.to_us for s in segments)
    return LifecycleFrame(tuple(range(1, len(lives) + 1)), tuple(segments), tuple(marks), last, 0)


def span(frame):
    return min(s.from_us for s in frame.segments), frame.end_us


def test_neighbours_that_fared_alike_are_one_row_and_the_height_of_a_state_is_how_many_are_in_it():
    got, expired = [("on the queue", 0, 2)], [("on the queue", 0, 1), ("expired, still counted", 1, 2)]
    frame = hand_made([("A", got, "got")] * 3 + [("A", expired, "discarded")] * 2 + [("A", got, "got")])
    rows = grouped_rows(frame, *span(frame))
    assert [row.label for row in rows] == ["messages 1 to 3 (3)", "messages 4 to 5 (2)", "message 6"]
    assert [(s.kind, s.count) for row in rows for s in row.signs] == [("got", 3), ("discarded", 2), ("got", 1)]
    assert [(b.state, b.from_us // SECOND, b.low, b.high) for b in rows[1].bars] == [
        ("on the queue", 0, 0, 1),
        ("expired, still counted", 1, 0, 1),
    ]
    frame = hand_made([("A", [("on the queue", 0, 4)], "got"), ("A", [("on the queue", 1, 3)], "got")])
    (row,) = grouped_rows(frame, *span(frame))
    assert [(b.from_us // SECOND, b.to_us // SECOND, b.high) for b in row.bars] == [(0, 1, 0.5), (1, 3, 1), (3, 4, 0.5)]
    assert row.bars[1].reason == "2 of 2 messages on the queue of A for 2 s"


def test_states_of_a_group_have_one_order_and_long_names_are_whole_in_its_name():
    one = [("on the queue", 0, 1), ("expired, still counted", 1, 4)]
    two = [("on the queue", 0, 3), ("expired, still counted", 3, 4)]
    (row,) = grouped_rows(frame := hand_made([("A", one, "discarded"), ("A", two, "discarded")]), *span(frame))
    halves = [(b.state, b.low, b.high) for b in row.bars if b.from_us == SECOND]
    assert sorted(halves) == [("expired, still counted", 0.5, 1), ("on the queue", 0, 0.5)]
    long = "PAYMENTS.DOMESTIC.SETTLEMENT.REQUEST.QUEUE.ONE"
    segments = tuple(Segment(1, long, "on the queue", i, i + 1, "", "", f"QUEUE.MANAGER.NUMBER.{i}") for i in range(3))
    (row,) = single_rows(LifecycleFrame((1,), segments, (), 3, 0), HEIGHTS)
    assert len(row.label) < 75
    assert row.label.startswith("message 1 · QUEUE")
    assert row.name.count(long) == 3


def test_what_differs_at_every_message_is_put_together_by_queue_and_end_or_by_end():
    queues = [f"Q{i}" for i in range(12)]
    lives = [(queues[i * 7 % 12], [("on the queue", i, i + 3)], "discarded" if i % 5 else "got") for i in range(2000)]
    frame = hand_made(lives)
    rows = grouped_rows(frame, *span(frame))
    assert 24 <= len(rows) <= MOST
    assert sum(row.count for row in rows) == 2000
    assert sum(s.count for row in rows for s in row.signs if s.kind == "got") == 400
    assert all(len({s.kind for s in row.signs}) == 1 for row in rows)
    frame = hand_made([(f"Q{i % 90}", [("on the queue", i, i + 1)], "got") for i in range(300)])
    rows = grouped_rows(frame, *span(frame))
    assert len(rows) <= MOST
    assert "several queues" in rows[0].name


def test_a_copy_that_a_sender_keeps_is_not_drawn_over_the_message():
    segments = (
        Segment(1, "X", "on a transmission queue", 0, 6, "MQE-07", "", "A"),
        Segment(1, "Y", "locked", 2, 4, "MQE-10", "", "B"),
        Segment(1, "Y", "on the queue", 4, 9, "MQE-10", "", "B"),
    )
    frame = LifecycleFrame((1,), segments, (Mark(1, "Y", "still there", 9, "", "", "B"),), 9, 0)
    (row,) = single_rows(frame, HEIGHTS)
    assert [(b.state, b.from_us, b.to_us) for b in row.bars] == [
        ("on a transmission queue", 0, 2),
        ("locked", 2, 4),
        ("on the queue", 4, 9),
    ]
    assert row.label == "message 1 · A/X → B/Y"


LIVES = st.lists(
    st.tuples(
        st.sampled_from(["A", "B"]),
        st.lists(st.tuples(st.sampled_from(STATES), st.integers(1, 5)), min_size=1, max_size=4),
        st.integers(0, 9),
        st.sampled_from(ENDS),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=tries(150), deadline=None)
@given(LIVES, st.integers(2, 60))
@example([("A", [(STATES[0], length)], 0, ENDS[0]) for length in (1, 1, 1, 2, 2)], 2)  # two slow ones and the rest
def test_every_message_is_in_exactly_one_row_and_the_bars_never_leave_it(made, most):
    lives = []
    for queue, stretches, begin, end in made:
        told = []
        for state, length in stretches:
            told.append((state, begin, begin + length))
            begin += length
        lives.append((queue, told, end))
    frame = hand_made(lives)
    rows = grouped_rows(frame, *span(frame), most=most)
    assert len(rows) <= most
    assert sum(row.count for row in rows) == len(lives)
    for row in rows:
        assert sum(s.count for s in row.signs if s.kind in ENDS) == row.count
        for bar in row.bars:
            assert -1e-9 <= bar.low < bar.high <= 1 + 1e-9
            assert bar.from_us < bar.to_us
        moments = {bar.from_us for bar in row.bars}
        for moment in moments:
            there = sorted((b.low, b.high) for b in row.bars if b.from_us <= moment < b.to_us)
            assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(there)), "no two on each other"


def test_lives_of_a_lab_can_be_put_together_and_one_that_is_not_there_is_refused(played):
    frame = lifecycle_frame(played.events, end_us=played.now_us)
    rows = grouped_rows(frame, 0, played.now_us)
    assert sum(row.count for row in rows) == len(frame.messages)
    assert any(row.label.startswith("report ") for row in rows)
    lab_error("messages must be", lifecycle_frame, Lab().events, [1], end_us=0)
