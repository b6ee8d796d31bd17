"""Moments as people write them, and the stops of a slider."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from helpers import for_each, lab_error, lab_with
from mqlab.views.frames.moments import DAY, Moments, clock, fullest, moment_us, written

START = datetime(2025, 1, 6, 9, tzinfo=UTC)
HOUR = 3_600_000_000


@for_each(
    "at, wanted",
    ("09:00:00", 0),
    ("13:05", 4 * HOUR + 5 * 60_000_000),
    ("13:05:00.25", 4 * HOUR + 300_250_000),
    ("08:00:00", 23 * HOUR),
    ("2025-01-06T10:00:00Z", HOUR),
    ("2025-01-07T09:00:00", DAY),
    (datetime(2025, 1, 6, 11, tzinfo=UTC), 2 * HOUR),
    (1.5, 1_500_000),
    (0, 0),
)
def test_a_moment_can_be_written_in_several_ways(at, wanted):
    assert moment_us(START, at) == wanted


@given(st.integers(0, 3 * DAY))
def test_a_moment_written_down_is_read_back_and_a_clock_shows_only_the_decimals_it_needs(time_us):
    assert moment_us(START, written(START, time_us)) == time_us
    assert [clock(START, t) for t in (0, 500_000, 1)] == ["09:00:00", "09:00:00.5", "09:00:00.000001"]


def log_of(puts):
    """A log of puts at these times, with a call that changes nothing before each."""
    times = [time for time in puts for _ in range(2)]
    columns = {"time_us": times, "kind": ["open", "put"] * len(puts), "qmgr": ["QM1"] * len(times)}
    return SimpleNamespace(column=lambda name: columns.get(name, [None] * len(times)))


def test_few_changes_are_all_stops_and_steps_go_from_row_to_row_also_within_one_moment():
    moments = Moments(log_of([10, 10, 70]), START, 0, 100)
    assert moments.ticks == [0, 10, 70, 100]
    assert [moments.after(1, 10), moments.after(3, 10), moments.after(5, 70)] == [3, 5, None]
    assert [moments.before(5, 70), moments.before(3, 10), moments.before(1, 10)] == [3, 1, None]
    assert moments.after(None, 10) == 5, "a moment is after everything that happened in it"
    assert moments.before(None, 10) == 3
    assert moments.before(None, 9) is None
    assert moments.tick_at(69) == 10


@given(st.integers(1, 10 * DAY), st.integers(10, 300))
def test_many_changes_are_stopped_at_round_times(length, limit):
    times = [i * length // 1000 for i in range(1000)]
    ticks = Moments(log_of(times), START, 0, length, limit=limit).ticks
    assert (ticks[0], ticks[-1]) == (0, length)
    assert len(ticks) <= limit
    if len({*times, length}) > limit:
        assert all((START + timedelta(microseconds=t)).microsecond == 0 for t in ticks[1:-1])


def test_only_rows_that_change_a_depth_are_stops(lab, qm):
    qm.put("ORDERS", b"x")
    qm.browse("ORDERS")
    lab.advance(1)
    qm.get("ORDERS")
    moments = Moments(lab.events, START, 0, lab.now_us)
    assert [lab.events[seq].kind for seq in moments.seqs] == ["put", "get"]
    assert Moments(lab.events, START, 0, lab.now_us, qmgr="QM9").seqs == []


def test_the_fullest_moment_is_the_first_at_which_most_messages_are_there():
    lab, qm = lab_with("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
    for depth in (1, 7, 2, 7):
        for number in range(depth):
            qm.put("QR"[number % 2], b"")
        lab.advance(10)
        for number in range(depth):
            qm.get("QR"[number % 2])
        lab.advance(10)
    assert fullest(lab.events) == 20_000_000


@for_each(
    "at",
    *("noon", "25:00:00", "", None, True, float("nan"), float("inf"), [], "2025-01-05", -1),
    *(9e11, datetime.max, "9999-12-31T23:59:59"),  # beyond every calendar
)
def test_what_is_no_moment_is_refused_with_what_was_wanted(at):
    lab_error("moment must be", moment_us, START, at)
