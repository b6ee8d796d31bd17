"""Workloads are labs of their parameters and their seed; what they are asked for is checked first."""

import gc
from collections import Counter
from math import inf, nan
from weakref import ref

import pytest

from helpers import for_each, lab_error, made, mq_error
from mqlab import Lab, LabError, MQError, ProgramDied
from mqlab.pipeline import workloads
from mqlab.pipeline.workloads import Parameter, Workload

SHORT = {"duration": 10.0}


def rows(lab):
    """The log, to the byte."""
    return [tuple(event) for event in lab.events]


@for_each("name", list(workloads.WORKLOADS))
def test_the_same_seed_gives_the_same_log_and_another_seed_another(name):
    workload = workloads.find(name)
    assert rows(workload.run(7, **SHORT)) == rows(workload.run(7, **SHORT))
    assert rows(workload.run(7, **SHORT)) != rows(workload.run(8, **SHORT))


@for_each("name", workloads.names())
def test_a_lab_that_is_over_leaves_memory_however_many_programs_waited_in_it(name):
    workload = workloads.find(name)
    short = SHORT if name in workloads.WORKLOADS else {}
    with workload.over(7, **short) as lab:
        assert rows(lab) == rows(workload.run(7, **short))
        gone = ref(lab)
    assert not any(qmgr.programs_running for qmgr in lab.queue_managers)
    del lab
    gc.collect()
    assert gone() is None


def test_parameters_say_what_they_are_and_values_may_be_texts():
    workload = workloads.find("channel")
    said = workload.run(1, duration="10", batchsz="50", persistent="no", npmspeed="fast", latency=0.05)
    assert rows(said) == rows(workload.run(1, duration=10))
    lab_error("expiring", workloads.find, "nothing")
    for name in workloads.WORKLOADS:
        workload = workloads.find(name)
        assert workload.name == name
        for each in workload.parameters.values():
            assert each.checked(each.default) == each.default
            assert f"  {each.name} = " in workload.describe()


@for_each(
    "given, words",
    ({"speed": 3}, "'speed'"),
    ({"servers": 0}, "1 or more"),
    ({"servers": 1.5}, "whole number"),
    ({"servers": True}, "whole number"),
    ({"arrival_rate": "often"}, "'often'"),
    ({"arrival_rate": float("nan")}, "nan"),
    ({"duration": float("inf")}, "inf"),
    ({"expiry": None}, "tenths of a second"),
)
def test_wrong_parameters_are_refused_in_words(given, words):
    with pytest.raises(LabError, match=words):
        workloads.find("expiring").run(1, **given)


@for_each(("name", "value"), [("npmspeed", "QUICK"), ("persistent", "perhaps"), ("npmspeed", 3)])
def test_words_and_switches_are_checked(name, value):
    with pytest.raises(LabError, match=f"{name} must be"):
        workloads.find("channel").run(1, **{name: value})


def test_a_workload_of_ones_own():
    def build(lab, rng, puts):
        qm = made("DEFINE QLOCAL(Q)", of=lab)
        for _ in range(puts):
            lab.advance(rng.random())
            qm.put("Q", b"x")

    mine = Workload("mine", "puts at random", build, [Parameter("puts", 3, "how many", "messages", 1, 10)])
    assert workloads.measure(mine.run(1, puts=5), ["put", "waiting"]) == {"put": 5, "waiting": 5}
    assert mine.run(1).now_us == mine.run(1).now_us != mine.run(2).now_us


@for_each("name", ["self", "lab", "rng", "seed"])
def test_a_parameter_has_a_name_that_no_argument_has(name):
    wanted = f"a parameter must have a name of its own; got {name}, an argument of every workload"
    lab_error(wanted, Workload, "mine", "nothing", lambda *_, **__: None, [Parameter(name, 1, "a number")])


def test_what_mq_refuses_is_no_matter_of_the_range():
    with pytest.raises(ProgramDied) as died:
        workloads.find("expiring").run(1, expiry=0)
    assert isinstance(died.value.__cause__, MQError)
    assert died.value.__cause__.reason == 2013


class TestWhatTheyShow:
    def figures(self, name, seeds=6, **given):
        """The measures of several seeds, added up."""
        total = Counter()
        for seed in range(seeds):
            found = workloads.measure(workloads.find(name).run(seed, **given))
            total.update({key: value or 0 for key, value in found.items()})
        return total

    def test_a_short_lifetime_loses_requests_to_a_slow_server_and_capexpry_does_the_same(self):
        long = self.figures("expiring", expiry=-1, service_time=0.5)
        short = self.figures("expiring", expiry=10, service_time=0.5)
        capped = self.figures("expiring", expiry=-1, capexpry=10, service_time=0.5)
        assert long["discarded"] == 0 < short["discarded"]
        assert capped["discarded"] > 0

    def test_every_starts_a_server_for_each_request_and_first_for_fewer(self):
        every = self.figures("triggered", trigtype="EVERY")
        assert every["starts"] == every["put"] > self.figures("triggered", trigtype="FIRST")["starts"] > 0

    def test_depth_waits_until_so_many_are_there(self):
        deep = self.figures("triggered", trigtype="DEPTH", trigdpth=10, arrival_rate=1, seeds=2)
        assert 0 < deep["starts"] < deep["put"] / 9
        assert deep["max_depth"] >= 20

    def test_cuts_lose_fast_messages_and_no_persistent_one(self):
        hard = {"cuts": 20, "cut_length": 0.5, "shorttmr": 1, "latency": 0.3, "arrival_rate": 20.0, "duration": 30.0}
        fast, safe = self.figures("channel", seeds=2, **hard), self.figures("channel", seeds=2, persistent=True, **hard)
        assert fast["lost"] > 0
        assert (safe["lost"], safe["put"]) == (0, safe["got"] + safe["waiting"])

    def test_small_batches_are_slow_over_a_long_link(self):
        slow = self.figures("channel", persistent=True, npmspeed="NORMAL", batchsz=1, latency=0.2, seeds=1, **SHORT)
        quick = self.figures("channel", persistent=True, npmspeed="NORMAL", batchsz=50, latency=0.2, seeds=1, **SHORT)
        assert slow["p95_latency"] > 2 * quick["p95_latency"]

    def test_a_full_queue_refuses_whatever_has_expired(self):
        full = self.figures("filling", expiry=20, seeds=1)
        assert full["refused"] > 0
        assert full["max_depth"] == 50
        assert full["discarded"] > 0

    def test_a_failed_member_gives_its_work_back(self):
        failing = self.figures("sharing", failures=8, repair=3, arrival_rate=3)
        assert failing["returned"] > 0 == failing["lost"]
        assert failing["put"] == failing["got"] + failing["waiting"]


class TestMeasures:
    @pytest.fixture
    def qm(self, lab):
        qm = made("DEFINE QLOCAL(Q) MAXDEPTH(3)\nDEFINE QLOCAL(REPORTS)", of=lab, level=530)
        return qm

    def test_counted_by_hand(self, lab, qm):
        qm.put("Q", b"1", expiry=10, report=0x0020_0000, reply_to_q="REPORTS")
        qm.put("Q", b"2", expiry=600)
        qm.put("Q", b"3", expiry=40)
        mq_error(qm.put, "Q", b"4")
        lab.advance(2)
        unit = qm.unit_of_work()
        qm.get("Q", unit=unit)
        unit.backout()
        qm.get("Q")
        mq_error(qm.get, "REPORTS", correl_id=b"none such")
        lab.advance(5)
        found = workloads.measure(lab)
        assert {
            key: found[key] for key in ("put", "got", "discarded", "waiting", "expired", "returned", "refused")
        } == {"put": 3, "got": 1, "discarded": 1, "waiting": 1, "expired": 1, "returned": 1, "refused": 1}
        assert (found["max_depth"], found["empty_gets"], found["p50_latency"]) == (3, 1, 2.0)
        assert (found["got_share"], found["events"]) == (pytest.approx(1 / 3), len(lab.events))

    def test_percentiles_are_of_nearest_rank(self, lab, qm):
        for hundredths in range(1, 21):
            qm.put("Q", b"x")
            lab.advance(hundredths / 100)
            qm.get("Q")
        found = workloads.measure(lab, ("p50_latency", "p95_latency", "mean_latency"))
        assert found == {"p50_latency": 0.1, "p95_latency": 0.19, "mean_latency": pytest.approx(0.105)}

    def test_nothing_to_measure(self):
        found = workloads.measure(Lab())
        assert found["put"] == 0
        assert found["p95_latency"] is found["got_share"] is None

    def test_functions_of_ones_own(self, lab, qm):
        assert workloads.measure(lab, {"rows": lambda lab: len(lab.events), "none": lambda lab: None}) == {
            "rows": len(lab.events),
            "none": None,
        }
        for value in ("many", inf, nan):
            lab_error("measure words", workloads.measure, lab, {"words": lambda lab, value=value: value})

    @pytest.mark.parametrize("wrong", [["puts"], "put", [], {"rows": 3}, ["put", "put"], {3: len}, [["put"]], 3])
    def test_measures_there_are_not(self, wrong):
        with pytest.raises(LabError, match="measures must be"):
            workloads.measure(Lab(), wrong)


def test_a_scenario_is_a_workload_without_parameters():
    scenarios = pytest.importorskip("mqlab.lab.scenarios")
    name = scenarios.names()[0]
    told = Lab(seed=4)
    told.scenario(name)
    assert name in workloads.names()
    assert rows(workloads.find(name).run(4)) == rows(told)
    with pytest.raises(LabError, match="none; got 'expiry'"):
        workloads.find(name).run(4, expiry=3)
