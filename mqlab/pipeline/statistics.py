"""Means with confidence intervals, and Student's t, by the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan, cos, isfinite, pi, sin, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from mqlab.mq.errors import LabError

__all__ = ["Estimate", "estimate", "t_cdf", "t_quantile"]


class Estimate(NamedTuple):
    """The mean of `n` values, and half the width of its confidence interval: None from fewer than two values, and both
    None from none."""

    mean: float | None
    half_width: float | None
    n: int


def estimate(values: Sequence[float], confidence: float = 0.95) -> Estimate:
    """The mean and its two-sided confidence interval by Student's t, for independent values; LabError unless
    `confidence` is between 0 and 1.

    >>> estimate([2.0, 4.0, 6.0]).mean
    4.0
    """
    check_confidence(confidence)
    n = len(values)
    if n < 2:
        return Estimate(fmean(values) if n else None, None, n)
    return Estimate(fmean(values), t_quantile((1 + confidence) / 2, n - 1) * stdev(values) / sqrt(n), n)


def check_confidence(confidence: float) -> None:
    """LabError unless it is a number between 0 and 1, both excluded."""
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise LabError(f"confidence wanted: a number between 0 and 1, such as 0.95; got {confidence!r}")


def t_cdf(t: float, degrees: int) -> float:
    """P(T <= t) of Student's t with a whole number of degrees of freedom, by its finite series in atan(t / sqrt(n)).

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = atan(t / sqrt(degrees))
    square = cos(angle) ** 2
    term = total = 1.0 if degrees % 2 == 0 else cos(angle)
    for k in range(1 + degrees % 2, degrees - 2, 2):
        term *= square * k / (k + 1)
        total += term
    if degrees % 2 == 0:
        return 0.5 + sin(angle) * total / 2
    return 0.5 + (angle + (sin(angle) * total if degrees > 1 else 0)) / pi


@cache
def t_quantile(probability: float, degrees: int) -> float:
    """The t with P(T <= t) = `probability`, by halving; normal beyond 10,000 degrees of freedom, where the difference
    is in the fifth digit. LabError unless 0 < `probability` < 1 and there is a degree of freedom."""
    if not 0 < probability < 1 or degrees < 1:
        raise LabError(f"0 < probability < 1 and degrees of 1 or more wanted; got {probability!r} and {degrees!r}")
    if degrees > 10_000:
        return NormalDist().inv_cdf(probability)
    if degrees == 1:
        return tan(pi * (probability - 0.5))
    low, high = -1.0, 1.0
    while t_cdf(low, degrees) > probability:
        low *= 2
    while t_cdf(high, degrees) < probability:
        high *= 2
    while isfinite(high) and low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return high
