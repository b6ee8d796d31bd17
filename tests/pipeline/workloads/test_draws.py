"""The draws have the distribution they say."""

from random import Random

import pytest

from mqlab.estates.traffic import exponential
from mqlab.pipeline.workloads.ready import moments


def test_draws_are_exponential_and_moments_in_order_and_within():
    rng = Random(1)
    draws = sorted(exponential(rng) for _ in range(40_000))
    assert sum(draws) / len(draws) == pytest.approx(1, abs=0.02)
    for share in (0.1, 0.5, 0.9, 0.99):  # quantiles of the exponential distribution
        beyond = sum(draw > exact for draw in draws for exact in [_quantile(share)]) / len(draws)
        assert beyond == pytest.approx(1 - share, abs=0.01)
    found = moments(Random(1), 100, 60.0)
    assert found == sorted(found)
    assert 0 <= found[0] < found[-1] < 60


def _quantile(share):
    from math import log

    return -log(1 - share)
