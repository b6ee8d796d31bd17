"""The pipeline's questions on big event logs, as ratios to DuckDB's answers from the same files in the same rounds.

Run with ``make bench`` (or ``python -m tools.bench.pipeline [--quick] [--events 10_000_000 50_000_000]
[--strict]``). Both have THREADS threads; they take turns, and each ratio is the median over the rounds after a first
one that warms both up. That the answers are equal is checked before anything is timed: every count and sum, and what
percentiles can be. The log is copies of a few simulated sites (see manysites.py), in build/.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from mqlab.pipeline import session
from mqlab.pipeline.questions import depth, ends, fate, fate_summary, time_on_queue
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import register
from mqlab.pipeline.spark import BIG
from tools.bench.duck import DEPTH, ENDED, FATE, connect
from tools.bench.manysites import log_of, split_of

THREADS = 2
MILLION = 1_000_000
SMALL = 400_000
LABS = 200
WARM = 5
FILES = 2_000
BUILD = Path(__file__).parents[2] / "build" / "bench"

FATES, TERMINAL = "fate of every message, by queue", "percentiles of the time on a queue"
QUESTIONS = {
    # question: Spark's answer, DuckDB's
    FATES: (fate_summary, FATE),
    "depth of every queue, by minute": (depth, DEPTH),
    TERMINAL: (lambda events: time_on_queue(ends(events)), ENDED),
}
SUMS = ("messages", "longest_us", "longest_lifetime_us", "time_us", "depth", "expired", "uncommitted", "live")


def took(work) -> tuple[float, object]:
    begin = perf_counter()
    answer = work()
    return perf_counter() - begin, answer


def processor_seconds() -> float:
    """The processor seconds of this process and its JVM so far."""
    fields = (_child_jvm() / "stat").read_text().rpartition(")")[2].split()
    return process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_ratios(rounds: int) -> list[tuple[str, float, float]]:
    """Figures with their bars, in the session of a notebook: the processor seconds until its first question about SMALL
    events is answered, the seconds in which it opens FILES files, the processor time of each question to DuckDB's, and
    that of the last of sixty questions to the tenth; in a process of its own, with a Java of its own."""
    command = [sys.executable, "-m", "tools.bench.pipeline", "--cpu", str(rounds)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def take_ratios(rounds: int) -> None:
    """Measure and print what `cpu_ratios` reads."""
    spark = session(**{"spark.master": f"local[{THREADS}]"})
    folder = log_of(SMALL, BUILD / f"log-{SMALL}")
    many = split_of(folder, FILES, BUILD / f"files-{FILES}")

    def used(work) -> float:
        before = processor_seconds()
        work()
        return processor_seconds() - before

    first = used(lambda: fate_summary(read_events(spark, folder)).toArrow())
    other = spark.read.parquet(str(folder))  # a job of its own: Spark looks for the columns
    spark.sparkContext.setJobGroup("built", "built")
    fate(read_events(spark, folder, check=False))
    fate(other)
    built = len(spark.sparkContext.statusTracker().getJobIdsForGroup("built"))
    opening, _ = took(lambda: read_events(spark, many))
    found = [
        (f"processor seconds to read {SMALL:_} events and answer the first question", first, 4.0),
        ("jobs to build two questions, one about an unchecked log", built, 1),
        (f"seconds to open {FILES:_} files", opening, 5.0),
        ("labs of the format to simulate and ask for fates / to simulate", simulated(spark), 2.0),
    ]
    duck, log, series = connect(folder, THREADS), read_events(spark, folder), []
    for question, (ask, sql) in QUESTIONS.items():
        pairs = [
            (used(lambda ask=ask: ask(log).toArrow()), used(lambda sql=sql: duck.sql(sql).to_arrow_table()))
            for _ in range(WARM + rounds)
        ][WARM:]
        ratio = median(ours for ours, _ in pairs) / median(theirs for _, theirs in pairs)
        found.append((f"processor time, {question}, {SMALL:_} events / DuckDB", ratio, 5.0))
    for width in range(60, 120):  # each another number in the code that Spark generates and Java compiles
        series.append(used(lambda width=width: depth(log, width).toArrow()))
    late = median(series[-5:]) / median(series[8:13])
    print(json.dumps([*found, ("processor time, the sixtieth question / the tenth", late, 1.1)]))
    spark.stop()


def simulated(spark) -> float:
    """The time that Spark takes to simulate LABS labs by the format "mqlab" and answer FATES, to that without FATES."""
    register(spark)
    reader = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", LABS)
    once, asked = (took(reader.load().count)[0] for _ in range(WARM)), []
    for _ in range(WARM):
        asked.append(took(lambda: fate_summary(reader.load()).toArrow())[0])
    return min(asked) / min(once)


def sums(table) -> tuple:
    """The figures on which two answers must agree: how many rows, and the sums of their whole numbers."""
    import pyarrow.compute as pc

    return table.num_rows, {name: int(pc.sum(table[name]).as_py()) for name in SUMS if name in table.column_names}


def driver_mb(events: int) -> tuple[int, int]:
    """Peak resident MB of the driver's JVM and of its Python for every question about a log of so many events, the
    executor being a process of its own; in a process of its own, as peaks never fall."""
    command = [sys.executable, "-m", "tools.bench.pipeline", "--driver", str(events)]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    java, python = map(int, told.stdout.split())
    return java, python


def drive(events: int) -> None:
    """Ask every question on a cluster of one executor, and print what `driver_mb` reads."""
    spark = session(**{**BIG, "spark.master": f"local-cluster[1,{THREADS},3072]", "spark.executor.memory": "2g"})
    log = read_events(spark, log_of(events, BUILD / f"log-{events}"))
    for ask, _ in QUESTIONS.values():
        ask(log).toArrow()
    print(*map(_peak_mb, (_child_jvm(), Path("/proc/self"))))
    spark.stop()


def _child_jvm() -> Path:
    """This process's driver."""
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and f"\nPPid:\t{os.getpid()}\n" in _status(process) and "java" in _status(process):
            return process
    raise RuntimeError("a JVM that this process started wanted; got none")


def _status(process: Path) -> str:
    try:
        return (process / "status").read_text()
    except (ProcessLookupError, FileNotFoundError):  # it has ended meanwhile
        return ""


def _peak_mb(process: Path) -> int:
    peak = next(line for line in _status(process).splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) // 1024


def measure(spark, events: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Seconds of Spark and of DuckDB for each question, medians; prints them with their ratio."""
    folder = log_of(events, BUILD / f"log-{events}")
    duck = connect(folder, THREADS)
    log = read_events(spark, folder)
    rows = duck.sql("SELECT count(*) FROM events").fetchall()[0][0]
    size = sum(path.stat().st_size for path in folder.glob("*.parquet")) / 1e6
    print(f"\n{rows:_} events, {size:.0f} MB of parquet; load {os.getloadavg()[0]:.1f}", flush=True)
    found = {}
    for question, (ask, sql) in QUESTIONS.items():
        pairs = []
        for number in range(rounds + 1):
            ours, answer = took(lambda ask=ask: ask(log).toArrow())
            theirs, wanted = took(lambda sql=sql: duck.sql(sql).to_arrow_table())
            if number == 0:
                first = ours / theirs
                if sums(answer) != sums(wanted):
                    raise RuntimeError(f"{question}: {sums(wanted)} by DuckDB; got {sums(answer)}")
            else:
                pairs.append((ours, theirs))
        found[question] = tuple(median(column) for column in zip(*pairs, strict=True))
        ratio = median(ours / theirs for ours, theirs in pairs)
        print(
            f"  {question:38s} Spark {found[question][0]:7.2f} s, DuckDB {found[question][1]:6.2f} s, ratio "
            f"{ratio:5.2f} (first run {first:.1f})",
            flush=True,
        )
        found[question] = (*found[question], ratio)
    return {"rows": rows, **found}


def main(arguments: list[str] | None = None) -> int:
    """Measure each size, and print every figure beside its bar; 1 if one is missed and that counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20_000 events, one round")
    parser.add_argument("--events", type=int, nargs="+", help="how many events (default 1_000_000 and 10_000_000)")
    parser.add_argument("--rounds", type=int, help="how many rounds after the first")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--cpu", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--driver", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.cpu:
        take_ratios(given.cpu)
        return 0
    if given.driver:
        drive(given.driver)
        return 0
    sizes = given.events or ([20_000] if given.quick else [MILLION, 10 * MILLION])
    rounds = given.rounds or (1 if given.quick else 3)
    sizes.sort(reverse=True)  # the largest warms the JVM up for the others
    spark = session(**{"spark.master": f"local[{THREADS}]", **BIG})
    results = [measure(spark, events, rounds) for events in sizes][::-1]
    spark.stop()
    ratios = () if given.quick else cpu_ratios(rounds)  # minutes, of which sixty questions are the most
    memory = [driver_mb(events) for events in sizes][::-1] if len(sizes) > 1 else []
    for result, (java, python) in zip(results, memory, strict=False):
        print(f"driver's memory, {result['rows']:_} events: JVM {java} MB, Python {python} MB")
    missed = [not kept for figure in (*ratios, *figures(results, memory)) for kept in [verdict(*figure)]]
    return 1 if given.strict and any(missed) else 0


def figures(results: list[dict], memory: list[tuple[int, int]]):
    """Every figure with a bar: what, figure, bar (None where the log is too small for one)."""
    for result in results:
        rows, big = result["rows"], result["rows"] > 5 * MILLION
        for question in QUESTIONS:
            bar = None if not big else 2.5 if rows > 25 * MILLION else 4.0
            yield f"{question}, {rows:_} events / DuckDB", result[question][2], bar
        fate, ended = (result[name] for name in (FATES, TERMINAL))
        yield f"time on a queue by terminal rows / DuckDB's fate, {rows:_}", ended[0] / fate[1], 1.0 if big else None
    for before, after in pairwise(results):
        bar = None if before["rows"] < MILLION * 0.8 else 1.2
        for question in QUESTIONS:
            costs = [each[question][0] / each["rows"] for each in (before, after)]
            yield f"cost of an event, {question}, {after['rows']:_} / {before['rows']:_}", costs[1] / costs[0], bar
    for (before, after), (small, large) in zip(pairwise(results), pairwise(memory), strict=True):
        bar = None if before["rows"] < MILLION * 0.8 else 1.2
        yield f"driver's memory, {after['rows']:_} / {before['rows']:_}", sum(large) / sum(small), bar


def verdict(what: str, figure: float, bar: float | None) -> bool:
    """Print a figure beside its bar; whether it is kept."""
    kept = bar is None or figure <= bar
    print(f"{what:92s} {figure:6.2f}  {'no bar' if bar is None else f'bar {bar:g}: ' + ('kept' if kept else 'MISSED')}")
    return kept


if __name__ == "__main__":
    sys.exit(main())
