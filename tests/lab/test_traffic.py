"""Steady traffic comes at its rate, and goes on past what is refused."""

import pytest

from helpers import for_each, lab_error, made


@pytest.fixture
def qm():
    return made("DEFINE QLOCAL(ORDERS) MAXDEPTH(5)")


def test_it_puts_at_its_rate_and_ends(qm):
    program = qm.traffic("ORDERS", 2.0, 2.0)
    qm.lab.advance(10)
    rows = [row for row in qm.lab.events if row.kind == "put" and row.program == "TRAFFIC"]
    assert ([row.time_us for row in rows], program.state) == ([0, 500_000, 1_000_000, 1_500_000], "ended")


def test_a_refused_put_is_in_the_log_and_the_next_one_follows(qm):
    qm.traffic("ORDERS", 1, 8)
    qm.lab.advance(6.5)
    qm.get("ORDERS")
    qm.lab.advance(10)
    reasons = [row.reason for row in qm.lab.events if row.kind == "put" and row.program == "TRAFFIC"]
    assert reasons == [None] * 5 + [2053, 2053, None]


@for_each("rate, seconds", [(0, 1), (-1, 1), (1, 0), (20_000, 1), (10_000, 1_000), ("2", 1), (float("nan"), 1)])
def test_wrong_rates_are_refused_and_nothing_starts(qm, rate, seconds):
    before = len(qm.lab.events)
    lab_error(r"rate|must be", qm.traffic, "ORDERS", rate, seconds)
    assert len(qm.lab.events) == before
