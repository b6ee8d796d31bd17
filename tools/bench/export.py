"""How long Spark takes to write an event log for other tools, on THREADS threads of this machine.

Run with ``make bench`` (or ``python -m tools.bench.export [--quick] [--strict] [--format ocel ...]``). The
figure is seconds of the clock for a million events of a larger log, beside the bar; the machine must have nothing else
to do.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from mqlab.formats import FORMATS
from mqlab.pipeline import session
from mqlab.pipeline.formats import export_events
from mqlab.pipeline.read import read_events
from mqlab.pipeline.spark import BIG
from tools.bench.manysites import log_of
from tools.bench.measuring import report, seconds

THREADS = 2
BUILD = Path(__file__).parents[2] / "build" / "bench"
MILLION = 1_000_000
BAR = 60  # seconds for a million events


def main(arguments: list[str] | None = None) -> int:
    """Write a log in each format, and print the seconds beside the bar; 1 if one is missed and that counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small log in the first format, no bar")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--format", choices=FORMATS, nargs="+", help="which formats (default: all)")
    given = parser.parse_args(arguments)
    wanted = 300_000 if given.quick else MILLION
    formats = given.format or list(FORMATS)[: 1 if given.quick else None]
    spark = session(**{**BIG, "spark.master": f"local[{THREADS}]"})
    events = read_events(spark, log_of(wanted, BUILD / f"log-{wanted}"))
    rows = events.count()
    print(f"{rows:_} events on {THREADS} threads; load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        out = Path(folder, "log")

        def write(name: str) -> float:
            taken = seconds(lambda: export_events(events, out, name))
            print(f"  {name}: {out.stat().st_size / 1e6:.0f} MB", flush=True)
            return taken * MILLION / rows

        bar = None if given.quick else BAR  # to start costs seconds, whatever the log
        figures = ((f"seconds a million events, {each}", lambda each=each: write(each), bar, 1, 0) for each in formats)
        missed = report(figures, given.strict)
    spark.stop()
    return missed


if __name__ == "__main__":
    sys.exit(main())
