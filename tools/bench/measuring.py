"""For all benchmarks: taking times, and printing each figure beside the bar that it must keep."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterable
from statistics import median
from time import perf_counter, process_time

__all__ = ["doubling", "options", "report", "seconds"]


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, with earlier garbage collected first."""
    gc.collect()
    begin = perf_counter()
    work()
    return perf_counter() - begin


def doubling(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as much processor time `work(2 * size)()` takes as `work(size)()`, made ready before."""
    taken = []
    for many in (size, 2 * size):
        ready = work(many)
        gc.collect()
        begin = process_time()
        ready()
        taken.append(process_time() - begin)
    return taken[1] / taken[0]


def options(about: str | None, quick: str, arguments: list[str] | None):
    """The command line of a benchmark; `quick` describes ``--quick``."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
    return parser.parse_args(arguments)


def report(figures: Iterable[tuple], strict: bool) -> int:
    """Measure figures, rows of (what, measure, bar or None, rounds, further rounds where the bar is missed), and print
    each median; 1 if one is missed and that counts."""
    missed = 0
    for what, measure, bar, rounds, further in figures:
        values = sorted(measure() for _ in range(rounds))
        if bar is not None and median(values) > bar:
            values = sorted(values + [measure() for _ in range(further)])
        figure = median(values)
        missed += bar is not None and figure > bar
        verdict = "no bar" if bar is None else f"bar {bar:g}: {'kept' if figure <= bar else 'MISSED'}"
        print(
            f"{what:52s} {figure:8.2f}  ({values[0]:.2f} to {values[-1]:.2f}, {len(values)} rounds)  {verdict}",
            flush=True,
        )
    return 1 if missed and strict else 0
