"""The lab: its clock, its queue managers, its explanations and its graph."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest

import mqlab
from mqlab import RULES, Lab


def test_the_public_names():
    assert sorted(mqlab.__all__) == [
        "Event",
        "EventLog",
        "GMO",
        "Lab",
        "LabError",
        "MD",
        "MQError",
        "NotSimulated",
        "PMO",
        "ProgramDied",
        "RULES",
        "Replay",
        "RunawayTrigger",
        "rule",
    ]


def test_importing_it_loads_nothing_heavy():
    code = (
        "import sys, mqlab; print([m for m in ('pandas', 'numpy', 'pyarrow', 'altair', 'ipywidgets', 'pyspark', "
        "'IPython', 'greenlet') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_time_is_whole_microseconds_and_stands_still_until_told(lab):
    assert lab.now == datetime(2025, 1, 6, 9, tzinfo=UTC)
    for _ in range(10):
        lab.advance(0.1)
    assert (lab.now_us, lab.now) == (1_000_000, datetime(2025, 1, 6, 9, 0, 1, tzinfo=UTC))


def test_advancing_lets_everything_due_happen_in_order(lab):
    seen = []

    def at(second):
        yield lab.clock.timeout(second * 1_000_000)
        seen.append((second, lab.now_us))

    for second in (3, 1, 2, 4):
        lab.clock.process(at(second))
    lab.advance(3)
    assert seen == [(1, 1_000_000), (2, 2_000_000), (3, 3_000_000)]
    lab.run(max_seconds=0.5)
    assert (len(seen), lab.now_us) == (3, 3_500_000)
    lab.run()
    assert (len(seen), lab.now_us) == (4, 4_000_000)


def test_a_lab_of_several_queue_managers():
    lab = Lab(start="2030-12-31T23:59:59+01:00")
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2", platform="zos", level=530)
    assert (lab["QM1"] is one, lab.queue_managers == [one, two], two.platform, two.level) == (True, True, "zos", 530)
    assert lab.now == datetime(2030, 12, 31, 22, 59, 59, tzinfo=UTC)


def test_a_life_explained(lab, qm):
    with qm.connect("WEB").unit_of_work() as uow:
        message = uow.put("ORDERS", b"x", expiry=30)
    lab.advance(1)
    billing = qm.connect("BILLING")
    with billing.unit_of_work() as uow:
        uow.get("ORDERS")
        uow.backout()
    lab.advance(4)
    with pytest.raises(mqlab.MQError):
        billing.get("ORDERS")
    lines = lab.explain(message).splitlines()
    assert [line[:11] for line in lines] == ["09:00:00.00"] * 2 + ["09:00:01.00"] * 3 + ["09:00:05.00"]
    for line, words in zip(
        lines,
        (
            "WEB put message 1 on ORDERS in unit of work 1",
            "WEB committed",
            "BILLING got it",
            "BILLING backed out",
            "back to its place on ORDERS",
            "2 s after its lifetime ended",
        ),
        strict=True,
    ):
        assert words in line
        assert any(f"[{id} {rule.title}]" in line for id, rule in RULES.items())


def test_the_graph_of_definitions_and_programs(lab, qm):
    assert qm.mqsc(
        "DEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(BACK)\nALTER QLOCAL(ORDERS) BOQNAME(BACK)\n"
        "DEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE QREMOTE(FAR) RNAME(X) RQMNAME(QM2)\n"
        "DEFINE QALIAS(NAME) TARGET(ORDERS)"
    ).replies
    qm.connect("WEB").put("NAME", b"x")
    qm.connect("BILLING").get("ORDERS")
    graph = lab.topology()
    edges = {(source, target, data["kind"]) for source, target, data in graph.edges(data=True)}
    assert {
        ("QM1/app:WEB", "QM1/NAME", "puts"),
        ("QM1/ORDERS", "QM1/app:BILLING", "gets"),
        ("QM1/NAME", "QM1/ORDERS", "alias"),
        ("QM1/FAR", "QM1/QM2", "resolves"),
        ("QM1/ORDERS", "QM1/BACK", "backout"),
        ("QM1", "QM1/DEAD", "deadq"),
    } <= edges
    assert {name: graph.nodes[f"QM1/{name}"]["role"] for name in ("DEAD", "BACK", "QM2", "ORDERS")} == {
        "DEAD": "dead-letter",
        "BACK": "backout",
        "QM2": "transmission",
        "ORDERS": "",
    }
    assert not [node for node in graph if "SYSTEM." in node]
