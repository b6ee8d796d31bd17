"""Random draws of the sample day: arrivals along a curve, times over quantiles, and readers that take their time.

Only `random.Random` and the four operations of arithmetic are used, so that one seed gives one day on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from heapq import heapreplace
from random import Random
from typing import NamedTuple

__all__ = ["DAY_US", "HOUR_US", "SECOND_US", "Served", "arrivals", "clock_us", "serve", "spread"]

SECOND_US = 1_000_000
HOUR_US = 3600 * SECOND_US
DAY_US = 24 * HOUR_US
SLICES = 144


class Served(NamedTuple):
    """One arrival taken by a reader: its index, which reader, and from when to when (microseconds)."""

    arrival: int
    reader: int
    start_us: int
    finish_us: int


def clock_us(text: str) -> int:
    """Microseconds from midnight to a time of day.

    >>> clock_us("00:01:30")
    90000000
    """
    parts = [int(part) for part in text.split(":")] + [0]
    return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * SECOND_US


def arrivals(rng: Random, count: int, hours: list[float]) -> list[int]:
    """Times (microseconds from midnight, ascending) of `count` Poisson arrivals whose rate follows `hours`.

    `hours` holds 24 relative rates, one for each full hour, joined by straight lines. Given its number, the arrivals of
    a Poisson process are independent draws from the rate curve, so no logarithm is needed.
    """
    total, steps = 0.0, []
    for index in range(SLICES):
        hour, part = divmod(index * 24 / SLICES, 1)
        low, high = hours[int(hour)], hours[(int(hour) + 1) % 24]
        total += low + (high - low) * part
        steps.append(total)
    times = []
    for _ in range(count):
        aim = rng.random() * total
        index = bisect_right(steps, aim)
        before = steps[index - 1] if index else 0.0
        times.append(int((index + (aim - before) / (steps[index] - before)) * DAY_US / SLICES))
    return sorted(times)


def spread(rng: Random, quantiles: tuple[float, ...]) -> float:
    """A draw whose quantiles, evenly spaced from least to greatest, are `quantiles`; straight lines between them."""
    place = rng.random() * (len(quantiles) - 1)
    index = int(place)
    return quantiles[index] + (quantiles[index + 1] - quantiles[index]) * (place - index)


def serve(
    times: list[int],
    durations: list[int],
    readers: int = 1,
    away: tuple[int, int] | None = None,
    patience_us: int | list[int | None] | None = None,
) -> list[Served]:
    """Who reads which arrival when, first come first served: the guess by which the day's gets are timed.

    `durations` are microseconds for each arrival; during `away` (from, to) nobody reads; an arrival that would wait
    longer than its patience is left out, as a reader never sees a message that has lapsed. What the queue manager then
    really hands out at those times is its own affair.
    """
    free = [(0, reader) for reader in range(readers)]
    taken = []
    for index, arrived in enumerate(times):
        idle_from, reader = free[0]
        start = max(arrived, idle_from)
        if away is not None and away[0] <= start < away[1]:
            start = away[1]
        patience = patience_us[index] if isinstance(patience_us, list) else patience_us
        if patience is not None and start - arrived >= patience:
            continue
        heapreplace(free, (start + durations[index], reader))
        taken.append(Served(index, reader, start, start + durations[index]))
    return taken
