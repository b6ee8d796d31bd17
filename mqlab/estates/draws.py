"""Draws from distributions that are the same on every machine."""

from __future__ import annotations

from random import Random


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
