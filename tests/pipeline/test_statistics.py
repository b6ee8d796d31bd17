"""Student's t against printed tables, and confidence intervals that cover what they say."""

from random import Random
from statistics import NormalDist

import pytest

from helpers import for_each, lab_error
from mqlab.pipeline.sweep import estimate, t_quantile

TABLE = [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.975, 3, 3.182), (0.975, 5, 2.571), (0.975, 10, 2.228)]
TABLE += [(0.975, 30, 2.042), (0.975, 120, 1.980), (0.95, 1, 6.314), (0.95, 7, 1.895), (0.995, 4, 4.604)]
TABLE += [(0.995, 29, 2.756)]


@for_each(("probability", "degrees", "printed"), TABLE)
def test_quantiles_as_printed_in_tables(probability, degrees, printed):
    assert t_quantile(probability, degrees) == pytest.approx(printed, abs=0.0006)
    assert t_quantile(1 - probability, degrees) == pytest.approx(-printed, abs=0.0006)


def test_quantiles_come_near_the_normal_intervals_cover_the_mean_and_few_values_are_told():
    assert t_quantile(0.975, 10_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=0.0003)
    assert t_quantile(0.975, 10_001) == pytest.approx(t_quantile(0.975, 10_000), abs=0.0003)
    rng, covered = Random(1), 0
    for _ in range(2_000):
        found = estimate([rng.gauss(10, 3) for _ in range(5)])
        covered += abs(found.mean - 10) <= found.half_width
    assert covered / 2_000 == pytest.approx(0.95, abs=0.015)
    assert (estimate([]), estimate([3.0]), estimate([3.0, 3.0])) == ((None, None, 0), (3.0, None, 1), (3.0, 0.0, 2))
    for probability, degrees in ((0, 3), (1, 3), (0.5, 0)):
        lab_error(r"must (be|have|come|not)", t_quantile, probability, degrees)


@for_each("confidence", [0, 1, 95, True, "0.95"])
def test_confidence_is_between_0_and_1(confidence):
    lab_error("confidence must be", estimate, [1.0, 2.0], confidence)
