"""Random draws of the workloads: only uniform numbers and comparisons, so that one seed gives one lab everywhere."""

from __future__ import annotations

from random import Random

__all__ = ["exponential", "moments"]


def exponential(rng: Random) -> float:
    """A draw from the exponential distribution with mean 1, by von Neumann's method.

    Runs of falling uniform numbers stand for the logarithm, whose last digit differs between machines.
    """
    whole = 0
    while True:
        first = last = rng.random()
        length = 1
        while (following := rng.random()) < last:
            last, length = following, length + 1
        if length % 2:
            return whole + first
        whole += 1


def moments(rng: Random, count: int, within: float) -> list[float]:
    """`count` moments of the time from 0 to `within`, ascending: those of a Poisson process, given how many."""
    return sorted(rng.random() * within for _ in range(count))
