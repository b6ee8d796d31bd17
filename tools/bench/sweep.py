"""The cost of sweeping labs through Spark beside a plain pool of processes, measured in turn with it in one process.

Run with ``make bench`` (or ``python -m tools.bench.sweep [--quick] [--strict]``). Both simulate the same
labs of one to two milliseconds each and take the same measures, with as many processes; the sweep also makes the
summary with its confidence intervals. The pool is made again for each round; the Spark session is there
already and has run one sweep, so that its start is in no figure. Each figure is the median of the per-round ratios; a
bar missed is measured again with more rounds, and only ``--strict`` makes a missed one an error.
"""

from __future__ import annotations

import multiprocessing
import sys
from functools import partial
from itertools import product

from mqlab.pipeline import session, workloads
from mqlab.pipeline.spark import cores
from mqlab.pipeline.sweep import sweep
from tools.bench.measuring import options, report, seconds

GRID: dict[str, list[float]] = {"expiry": [5, 10, 20, 40, 80], "arrival_rate": [1.0, 2.0], "duration": [6.0]}
CELLS = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
FIGURES = ("put", "got", "discarded", "p95_latency")


def one(task: tuple[dict, int]) -> dict:
    """One lab of the pool."""
    cell, seed = task
    with workloads.find("expiring").over(seed, **cell) as lab:
        return workloads.measure(lab, FIGURES)


def by_pool(labs: int, processes: int) -> list[dict]:
    """The labs in a pool of processes, in chunks of the pool's own choosing."""
    tasks = [(cell, seed) for seed in range(labs // len(CELLS)) for cell in CELLS]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        return pool.map(one, tasks)


def by_spark(spark, labs: int) -> None:
    """The same labs as a sweep, its table and its summary."""
    done = sweep(spark, "expiring", GRID, seeds=labs // len(CELLS), measures=FIGURES)
    if done.table.num_rows != labs or not done.failed.empty or done.summary.empty:
        raise RuntimeError(f"{labs} labs wanted; got {done!r}")


def sweep_against_pool(spark, labs: int) -> float:
    """Seconds of the sweep by seconds of the pool."""
    pool = seconds(lambda: by_pool(labs, cores(spark)))
    return seconds(lambda: by_spark(spark, labs)) / pool


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, "1,000 labs only, in one round", arguments)
    spark = session()
    try:
        by_spark(spark, 1_000)
        rows = [("1,000 labs, sweep / process pool", partial(sweep_against_pool, spark, 1_000), 1.5, 1, 0)]
        if not given.quick:
            rows = [(*rows[0][:3], 7, 7)]
            rows.append(("10,000 labs, sweep / process pool", partial(sweep_against_pool, spark, 10_000), 1.15, 3, 4))
        return report(rows, given.strict)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
