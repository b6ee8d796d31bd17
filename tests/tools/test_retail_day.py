"""The generator: one seed gives one day, the committed file is that day, and the day is alive."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers import for_each, lab_error, refusal
from mqlab.pipeline import traffic
from tools import retail_day
from tools.retail_day import DAY_US, HOUR_US, Served, Trace, arrivals, clock_us, serve, spread

DAY_FILE = Path(__file__).parents[2] / "datasets" / "retail-day.parquet"


@pytest.fixture(scope="module")
def day():
    return retail_day.generate()


@pytest.fixture(scope="module")
def rows(day):
    return day.to_pylist()


def test_committed_file_is_what_the_generator_makes(day, tmp_path):
    committed = traffic.load(DAY_FILE)
    assert committed.equals(day)
    assert committed.schema.metadata == day.schema.metadata
    assert DAY_FILE.stat().st_size < 4_000_000
    if pa.__version__ in pq.ParquetFile(DAY_FILE).metadata.created_by:
        retail_day.write(day, tmp_path / "again.parquet")
        assert (tmp_path / "again.parquet").read_bytes() == DAY_FILE.read_bytes()


def test_same_seed_same_bytes_in_any_process_and_another_seed_is_another_day(tmp_path):
    code = "import sys; from tools.retail_day import generate, write; write(generate(7, 1500), sys.argv[1])"
    sums = set()
    for hash_seed in ("1", "77"):
        path = tmp_path / f"{hash_seed}.parquet"
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=Path(__file__).parents[2],
        )
        sums.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(sums) == 1
    one, other = (retail_day.generate(seed, 1500)["time_us"].to_pylist() for seed in (1, 2))
    assert one != other


def test_a_day_has_puts_to_spare_and_calls_in_order_that_name_what_fits(rows):
    assert 56_000 <= sum(row["verb"] == "put" for row in rows) <= 60_000
    quotes = Counter(row["time_us"] // HOUR_US for row in rows if row["queue"] == "WEB.QUOTES.OUT")
    assert quotes[12] > 8 * quotes[3]
    assert quotes[19] > 2 * quotes[23]
    assert [row["call"] for row in rows] == list(range(1, len(rows) + 1))
    times = [row["time_us"] for row in rows]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] < DAY_US
    for row in rows:
        for link in ("after", "unless", "match"):
            assert row[link] is None or 1 <= row[link] < row["call"]
    by_call = {row["call"]: row for row in rows}
    for row in rows:
        if row["match"] is not None:
            assert (row["verb"], by_call[row["match"]]["verb"]) == ("get", "put")
        if row["verb"] == "put" and row["queue"] is None:
            assert by_call[row["after"]]["verb"] == "get"
    closed = Counter(row["unit"] for row in rows if row["verb"] in ("commit", "backout"))
    assert set(closed.values()) == {1}
    assert {row["unit"] for row in rows if row["unit"] is not None} == set(closed)


def test_a_program_is_in_one_unit_at_a_time_where_it_reads(rows):
    reading = {row["unit"]: row["program"] for row in rows if row["verb"] == "get" and row["unit"] is not None}
    spans = {}
    for row in rows:
        if row["unit"] in reading:
            spans.setdefault((reading[row["unit"]], row["unit"]), []).append(row["time_us"])
    ends = {}
    for (program, _unit), times in spans.items():
        if program not in ("NOTIFY",):  # one reader for e-mails beside one for push notices
            assert min(times) >= ends.get(program, 0)
            ends[program] = max(times)


@for_each(
    "seed, messages, what",
    ("x", 1000, "seed must be"),
    (1.0, 1000, "seed must be"),
    (True, 1000, "seed must be"),
    (1, 10, "messages must be"),
    (1, "many", "messages must be"),
    (1, 10**9, "messages must be"),
)
def test_bad_input_is_refused(seed, messages, what):
    lab_error(what, retail_day.generate, seed, messages)


def test_make_writes_the_file_and_load_names_it(tmp_path):
    path = tmp_path / "day.parquet"
    assert retail_day.main(["--messages", "600", "--seed", "5", "--out", str(path)]) == 0
    assert traffic.load(path).equals(retail_day.generate(5, 600))
    lab_error(r"nothing\.parquet does not exist", traffic.load, tmp_path / "nothing.parquet")
    (tmp_path / "text.parquet").write_text("hello")
    lab_error(r"text\.parquet is not one", traffic.load, tmp_path / "text.parquet")


def test_arrivals_spreads_and_serving_follow_their_curves_and_a_trace_its_order():
    hours = [0.0] * 9 + [1.0] * 3 + [0.0] * 12
    times = arrivals(Random(4), 4000, hours)
    assert times == sorted(times)
    assert len(times) == 4000
    assert clock_us("08:00") <= times[0]
    assert times[-1] <= clock_us("12:00:00")
    full = [sum(clock_us(f"{hour}:00") <= time < clock_us(f"{hour + 1}:00") for time in times) for hour in (9, 10)]
    assert full[0] == pytest.approx(full[1], rel=0.12)
    draws = [spread(rng, (1, 2, 10)) for rng in [Random(1)] for _ in range(2000)]
    assert 1 <= min(draws) < max(draws) <= 10
    assert sum(draw < 2 for draw in draws) == pytest.approx(1000, abs=80)
    assert serve([0, 10, 20], [100, 5, 5]) == [Served(0, 0, 0, 100), Served(1, 0, 100, 105), Served(2, 0, 105, 110)]
    assert [one.arrival for one in serve([0, 10, 200], [100, 5, 5], patience_us=[None, 50, 50])] == [0, 2]
    assert [one.reader for one in serve([0, 1, 2], [10, 10, 10], readers=2)] == [0, 1, 0]
    assert serve([50], [5], away=(40, 90))[0].start_us == 90
    trace = Trace()
    late = trace.add(500, "A", "put", "Q")
    trace.add(100, "B", "get", "Q", after=late)
    refusal(ValueError, "after must be a call before 1", trace.rows, 1000)
