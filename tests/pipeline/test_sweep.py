"""Sweeps: the same rows however they are cut up, honest intervals, and nothing lost in silence."""

import json
import os
import signal
import sys
from fractions import Fraction
from functools import partial
from operator import itemgetter
from pathlib import Path

import pytest

from mqlab import LabError
from mqlab.formats.code import signature
from mqlab.pipeline import workloads
from mqlab.pipeline.simulator import partitions_for
from mqlab.pipeline.spark import cores
from mqlab.pipeline.sweep import SweepLost, estimate, sweep
from mqlab.pipeline.workloads import Parameter, Workload, find
from mqlab.views.charts.renderer import tables

GRID = {"expiry": [10, 40], "arrival_rate": [1.0, 3.0], "duration": 8}
THRESHOLD = 1
FIGURES = ("put", "got", "discarded", "p95_latency")


@pytest.fixture(scope="module")
def swept(spark):
    return sweep(spark, "expiring", GRID, seeds=5, measures=FIGURES)


@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_the_same_seeds_give_the_same_rows_whatever_the_partitions(spark, swept, partitions):
    other = sweep(spark, "expiring", GRID, seeds=5, measures=FIGURES, partitions=partitions)
    assert other.table.equals(swept.table)


def test_rows_are_what_the_labs_say_without_spark(swept):
    wanted = []
    for expiry in (10, 40):
        for rate in (1.0, 3.0):
            cell = {"expiry": expiry, "arrival_rate": rate, "duration": 8.0}
            for seed in range(5):
                figures = workloads.measure(workloads.find("expiring").run(seed, **cell), FIGURES)
                wanted.append({**cell, "seed": seed, **figures, "error_type": None, "error": None})
    assert swept.table.to_pylist() == wanted
    assert len({row["put"] for row in wanted}) > 4, "seeds differ"


def test_a_lab_depends_on_its_own_cell_and_seed_only(spark, swept):
    part = sweep(spark, "expiring", {"arrival_rate": 3, "expiry": [40], "duration": 8}, seeds=[4, 2], measures=FIGURES)
    wanted = {row["seed"]: row for row in swept.table.to_pylist() if (row["expiry"], row["arrival_rate"]) == (40, 3)}
    assert part.table.to_pylist() == [{name: wanted[seed][name] for name in part.table.column_names} for seed in (4, 2)]


def test_the_summary_has_means_and_intervals(swept):
    rows = swept.table.to_pylist()
    found = swept.summary
    assert len(found) == 4 * len(FIGURES)
    for row in found.to_dict("records"):
        values = [
            each[row["measure"]]
            for each in rows
            if (each["expiry"], each["arrival_rate"]) == (row["expiry"], row["arrival_rate"])
        ]
        mean, half_width, n = estimate(values)
        assert (row["mean"], row["half_width"], row["n"], row["failed"]) == (mean, half_width, n, 0)


def test_another_confidence(spark, swept):
    wide = sweep(spark, "expiring", GRID, seeds=5, measures=FIGURES, confidence=0.99).summary
    narrow = swept.summary["half_width"]
    assert (wide["half_width"] > narrow)[narrow > 0].all()
    assert (narrow > 0).sum() > 8


def _fragile(lab, rng, puts, breaks):
    if breaks == "LAB" and lab.seed == 1:
        raise ZeroDivisionError("seed 1 is unlucky")
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(3)")
    for _ in range(puts):
        qm.put("Q", b"x")


def fragile(build=_fragile):
    """A workload whose labs can fail."""
    breaks = Parameter("breaks", "NO", "what goes wrong", choices=("NO", "LAB"))
    return Workload("fragile", "puts", build, [Parameter("puts", 2, "how many", "messages", 0, 9), breaks])


def test_failed_labs_are_rows_with_their_error_and_the_others_go_on(spark):
    found = sweep(spark, fragile(), {"puts": [2, 4], "breaks": ["NO", "LAB"]}, seeds=3, measures=["put"])
    failed = found.failed.to_dict("records")
    assert [(row["puts"], row["breaks"], row["seed"], row["error_type"]) for row in failed] == [
        (2, "LAB", 1, "ZeroDivisionError"),
        (4, "NO", 0, "MQError"),
        (4, "NO", 1, "MQError"),
        (4, "NO", 2, "MQError"),
        (4, "LAB", 0, "MQError"),
        (4, "LAB", 1, "ZeroDivisionError"),
        (4, "LAB", 2, "MQError"),
    ]
    assert "2053" in failed[1]["error"]
    assert [tuple(row) for row in found.summary[["n", "failed"]].to_numpy()] == [(3, 0), (2, 1), (0, 3), (0, 3)]
    assert "7 of 12 labs failed" in repr(found)
    chart = sweep(spark, fragile(), {"puts": [1, 4]}, seeds=1, measures=["put"]).chart("put")
    assert chart.title.subtitle.endswith("0 to 1 seeds; 1 lab failed")
    assert chart.description.endswith("1: 1; 4: no value"), "and not nan"


def test_failed_labs_are_run_again_and_the_others_kept(spark):
    found = sweep(spark, fragile(), {"puts": [2, 4], "breaks": "LAB"}, seeds=3, measures=["put"])
    assert found.rerun().table.equals(found.table), "the same labs fail in the same way"

    def fixed(lab, rng, puts, breaks):
        qm = lab.queue_manager("QM1")
        qm.mqsc("DEFINE QLOCAL(Q)")
        for _ in range(puts):
            qm.put("Q", b"x")

    again = found.rerun(fragile(fixed))
    assert again.table["put"].to_pylist() == [2.0] * 3 + [4.0] * 3
    assert again.failed.empty
    assert again.rerun() is again


def test_a_program_that_dies_is_told_by_what_it_died_of(spark):
    found = sweep(spark, "expiring", {"expiry": [0], "duration": 5}, seeds=2, measures=["put"])
    assert set(found.failed["error_type"]) == {"MQError"}
    assert found.failed["error"].str.contains("2013").all()


def test_a_worker_that_dies_is_a_clear_error_and_the_session_goes_on(spark, swept):
    def die(lab):
        os._exit(3)

    with pytest.raises(SweepLost, match=r"a sweep of 8 labs, and no result is kept: .*crash"):
        sweep(spark, "expiring", {"duration": 2}, seeds=8, measures={"dead": die})
    assert sweep(spark, "expiring", GRID, seeds=5, measures=FIGURES).table.equals(swept.table)


class TestKeep:
    def test_the_same_call_goes_on_after_an_interrupt_and_asks_no_spark_for_what_is_there(
        self, spark, swept, tmp_path, monkeypatch
    ):
        def asked(spark=spark, **more):
            return sweep(spark, "expiring", GRID, seeds=5, measures=FIGURES, keep=tmp_path / "run=1" / "kept", **more)

        def interrupt(done, labs):
            raise KeyboardInterrupt

        monkeypatch.setattr("mqlab.pipeline.sweep.cores", lambda spark: 1)
        with pytest.raises(KeyboardInterrupt):
            asked(progress=interrupt)
        calls = []
        assert asked(progress=lambda *call: calls.append(call)).table.equals(swept.table)
        assert calls == [(16, 20), (20, 20)], "the eight labs before are not simulated again"
        folder = tmp_path / "run=1" / "kept"
        half = folder / ".labs-0-3-4.parquet.12.part"
        half.write_bytes(b"PAR1")
        assert asked(spark=None).table.equals(swept.table), "of a writer that was killed"
        half.rename(folder / "labs-0-3-4.parquet")
        with pytest.raises(LabError, match=r"labs-0-3-4.parquet must be labs of this sweep; it is damaged"):
            asked()

    def test_one_wrong_bit_in_the_folder_gives_no_other_result(self, spark, tmp_path):
        def asked():
            return sweep(spark, "expiring", {"duration": 1}, seeds=2, measures=FIGURES, keep=tmp_path / "kept").table

        found, refused = asked(), 0
        [path] = (tmp_path / "kept").glob("labs-*")
        data = path.read_bytes()
        places = [*range(4, len(data), len(data) // 40)]
        for place in places:
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            try:
                assert asked().equals(found), place
            except LabError as error:
                assert "must be labs of this sweep; it is damaged" in str(error)
                refused += 1
        assert refused > len(places) / 2

    def test_a_lab_that_kills_its_process_is_a_row_and_the_others_have_their_results(self, spark, tmp_path):
        def die(lab):
            if lab.seed in (2, 5):
                os.kill(os.getpid(), signal.SIGKILL)
            if lab.seed == 3:
                sys.exit("enough")
            if lab.seed == 4 and not (tmp_path / "once").exists():
                (tmp_path / "once").touch()
                os._exit(4)
            return lab.seed

        def asked(keep):
            return sweep(spark, "expiring", {"duration": 1}, seeds=7, measures={"which": die}, keep=keep, partitions=2)

        found = asked(tmp_path / "kept")
        assert found.table["which"].to_pylist() == [0.0, 1.0, None, None, 4.0, None, 6.0]
        assert list(zip(found.failed["error_type"], found.failed["error"].str.split().str[-1], strict=True)) == [
            ("ProcessDied", "SIGKILL"),
            ("SystemExit", "enough"),
            ("ProcessDied", "SIGKILL"),
        ]
        assert asked(tmp_path / "kept").table.equals(found.table)

    def test_a_python_worker_that_something_else_kills_costs_no_lab(self, spark, tmp_path):
        def die(lab):
            if not (tmp_path / "once").exists():
                (tmp_path / "once").touch()
                os.kill(os.getppid(), signal.SIGKILL)
            return 1.0

        found = sweep(spark, "expiring", {"duration": 1}, seeds=4, measures={"one": die}, keep=tmp_path / "kept")
        assert found.table["one"].to_pylist() == [1.0] * 4

    def test_another_sweep_is_refused_with_what_differs(self, spark, tmp_path):
        def one(limit):
            return {"one": lambda lab: limit}

        def asked(name="expiring", grid=None, seeds=2, measures=None, keep=tmp_path / "kept"):
            grid = grid or {"duration": [1], "servers": [1]}
            return sweep(spark, name, grid, seeds=seeds, measures=measures or one(1.0), keep=keep)

        asked()
        for given, words in (
            (
                {"name": "triggered", "grid": {"duration": [1]}},
                "another workload: 'expiring' there, and 'triggered' here",
            ),
            (
                {"grid": {"duration": [2]}},
                r"another grid: \[\['duration', \[1.0\]\], .* and \[\['duration', \[2.0\]\]\] here",
            ),
            ({"grid": {"servers": [1], "duration": [1]}}, "another grid"),  # its labs have other numbers
            ({"seeds": 3}, "another number of seeds: 2 there, and 3 here"),
            ({"seeds": [7, 8]}, "another choice of seeds"),
            ({"measures": ["put"]}, "another list of measures"),
            ({"measures": one(2.0)}, "another code of the measures"),
            ({"name": expiring(0.5)}, "another defaults of parameters"),
            ({"keep": "hdfs://host/kept"}, "keep must be a folder of the machine"),
            ({"keep": Path(__file__).parent}, "holds other files"),
            ({"keep": Path(__file__)}, "is, or is in, a file"),
            ({"keep": 5}, "keep must be"),
        ):
            with pytest.raises(LabError, match=words):
                asked(**given)
        question = tmp_path / "kept" / "sweep.json"
        question.write_text(json.dumps({**json.loads(question.read_text()), "version of mqlab": "0.0.1"}))
        with pytest.raises(LabError, match=r"another version of mqlab: '0\.0\.1' there"):
            asked()


@pytest.mark.parametrize(
    ("given", "more", "words"),
    [
        (("nothing", {}), {}, "workload must be one of"),
        ((3, {}), {}, "workload must be Workload or text"),
        (("expiring", {"speed": [1]}), {}, "'speed'"),
        (("expiring", {"expiry": [10, "long"]}), {}, "'long'"),
        (("expiring", {"expiry": []}), {}, "one or more"),
        (("expiring", {"expiry": [10, 10.0]}), {}, "each once"),
        (("expiring", [10]), {}, "grid must"),
        (("expiring", {}), {"seeds": 0}, "seeds must be"),
        (("expiring", {}), {"seeds": [1, 1]}, "seeds must be"),
        (("expiring", {}), {"seeds": True}, "seeds must be"),
        (("expiring", {}), {"seeds": range(10**12)}, "seeds must be"),
        (("expiring", {"expiry": range(1, 10**12)}), {}, "expiry must have"),
        (("expiring", {"expiry": range(1, 2000), "servers": range(1, 100)}), {}, "at most 100,000 combinations"),
        (("expiring", {}), {"seeds": [2**63]}, "seeds must be"),
        (("expiring", {}), {"measures": ["speed"]}, "measures must be"),
        (("expiring", {}), {"measures": ["put", "put"]}, "measures must be .*each once"),
        (("expiring", {"expiry": 9}), {"measures": {"expiry": len, "lab": len}}, "got expiry, lab, which a sweep"),
        (("expiring", {}), {"confidence": 95}, "confidence must be"),
        (("expiring", {}), {"partitions": 0}, "partitions must be"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_simulated(spark, given, more, words):
    with pytest.raises(LabError, match=words):
        sweep(spark, *given, **more)


@pytest.mark.parametrize("name", ["measure", "mean", "half_width", "n", "failed", "error_type", "error", "low"])
def test_a_parameter_has_a_name_that_no_column_has(spark, name):
    mine = Workload("mine", "nothing", lambda *_, **__: None, [Parameter(name, 1, "a number")])
    with pytest.raises(LabError, match=f"got {name}, which a sweep gives"):
        sweep(spark, mine, {name: [1, 3]}, seeds=2, measures=["put"])


def expiring(duration):
    """The workload "expiring" with another default of a parameter."""
    usual = find("expiring")
    parameters = {**usual.parameters, "duration": usual.parameters["duration"]._replace(default=duration)}
    return Workload("expiring", usual.about, usual.build, parameters.values())


class Above:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, lab):
        return self.limit

    def method(self, lab):
        return self.limit


def test_what_decides_a_measure_is_in_its_signature(monkeypatch):
    def by_name(lab, *, limit):
        return limit

    def enclosing(limits):
        return lambda lab, more=None: limits["at"]

    def of_module(lab):
        return THRESHOLD

    def walking(limit):
        def walk(n):
            return limit if n == 0 else walk(n - 1)

        return lambda lab: walk(3)

    def keyword(limit):
        def measure(lab, *, limit=limit):
            return limit

        return measure

    makers = (
        lambda limit: partial(by_name, limit=limit),
        lambda limit: Above(limit),
        lambda limit: Above(limit).method,
        lambda limit: enclosing({"at": limit}),
        keyword,
        walking,
        lambda limit: len if limit == 1 else sum,
        lambda limit: str.upper if limit == 1 else str.lower,
        lambda limit: itemgetter(limit),
    )
    for make in makers:
        assert signature(make(1)) == signature(make(1)) != signature(make(2))
    before = signature(of_module)
    monkeypatch.setitem(globals(), "THRESHOLD", 2)
    assert signature(of_module) != before


def test_an_error_whose_text_is_none_or_cannot_be_had_is_the_lab_s_alone(spark):
    class Mute(Exception):
        def __str__(self):
            raise ValueError

    def fail(lab):
        if lab.seed == 0:
            raise ValueError("file \udcff")
        if lab.seed == 1:
            raise Mute
        if lab.seed == 2:
            sys.exit("enough")
        return Fraction(1, 2)

    found = sweep(spark, "expiring", {"duration": 1}, seeds=4, measures={"half": fail})
    assert found.table["half"].to_pylist() == [None, None, None, 0.5]
    assert found.failed["error"].tolist() == ["file \\udcff", "its text raised ValueError", "enough"]


def test_cores_and_partitions(spark):
    assert cores(spark) == os.cpu_count()
    assert partitions_for(4, 100_000) == 400
    assert partitions_for(1_000, 100_000) == 2_000
    assert partitions_for(4, 1_000) == 8
    assert partitions_for(4, 3) == 3
    assert partitions_for(4, 1_000, 5) == 5


class TestChart:
    def test_a_line_for_each_value_of_the_second_parameter(self, swept):
        chart = swept.chart("got").to_dict()
        assert len(chart["layer"]) == 3
        assert "got: messages that an application got" in chart["description"]
        assert "95 % confidence interval, 5 seeds" in chart["description"]
        rows = next(iter(chart["datasets"].values()))
        assert {row["line"] for row in rows} == {"arrival_rate 1.0", "arrival_rate 3.0"}
        assert all(row["low"] <= row["mean"] <= row["high"] for row in rows)
        (table,) = tables(chart).items()
        assert table[0] == ("Expiry", "Line", "Mean", "Half of the interval", "Seeds", "Failed labs")
        assert len(table[1]) == len(rows)

    @pytest.mark.parametrize(
        ("given", "words"),
        [(("speed",), "measure must be one of"), (("got", "x"), "x must be"), (("got", None, "c"), "colour")],
    )
    def test_what_there_is_not(self, swept, given, words):
        with pytest.raises(LabError, match=words):
            swept.chart(*given)

    @pytest.mark.parametrize(
        ("workload", "name", "values", "order"),
        [
            ("expiring", "expiry", [-1, 5, 10], [5, 10, -1]),
            ("triggered", "trigint", [999_999_999, 0, 1000], [0, 1000, 999_999_999]),
        ],
    )
    def test_values_that_no_scale_holds_are_evenly_spaced_unlimited_last(self, spark, workload, name, values, order):
        chart = sweep(spark, workload, {name: values, "duration": 2}, seeds=2, measures=["got"]).chart("got").to_dict()
        for layer in chart["layer"]:
            axis = layer["encoding"]["x"]
            assert (axis["type"], axis["sort"]) == ("ordinal", order)
            assert axis["title"].endswith("not to scale")

    def test_values_that_a_scale_holds_are_on_one(self, spark):
        grid = {"expiry": [5, 10, 40], "duration": 2}
        chart = sweep(spark, "expiring", grid, seeds=2, measures=["got"]).chart("got").to_dict()
        assert {layer["encoding"]["x"]["type"] for layer in chart["layer"]} == {"quantitative"}

    def test_more_parameters_than_a_chart_shows(self, spark):
        grid = {"expiry": [10, 20], "servers": [1, 2], "service_time": [0.1, 0.2], "duration": 2}
        with pytest.raises(LabError, match="service_time varies too"):
            sweep(spark, "expiring", grid, seeds=2, measures=["got"]).chart("got")
