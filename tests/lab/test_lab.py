"""The lab: its clock, its queue managers, its explanations and its graph."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

import mqlab
from helpers import cases, lab_error, mq_error, reason, refusal
from mqlab import RULES, Lab, NotSimulated
from mqlab.engine.words.constants import MQRO_EXPIRATION


def test_the_public_names_and_an_import_that_loads_nothing_heavy():
    names = "Event EventLog GMO Lab LabError MD MQError NotSimulated PMO ProgramDied RULES Replay RunawayTrigger"
    assert " ".join(sorted(mqlab.__all__)) == f"{names} constants estates rule"
    heavy = "pandas numpy pyarrow altair ipywidgets pyspark IPython greenlet"
    code = f"import sys, mqlab; print([m for m in {heavy!r}.split() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_time_is_whole_microseconds_and_a_lab_has_several_queue_managers(lab):
    assert lab.now == datetime(2025, 1, 6, 9, tzinfo=UTC)
    for _ in range(10):
        lab.advance(0.1)
    assert (lab.now_us, lab.now) == (1_000_000, datetime(2025, 1, 6, 9, 0, 1, tzinfo=UTC))
    lab.clock.timeout(5).callbacks.append(lambda _: lab.advance(1))
    refusal(NotSimulated, "inside something that is itself happening", lab.advance, 1)
    lab.advance(1)
    lab = Lab(start="2030-12-31T23:59:59+01:00")
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2", platform="zos", level=530)
    assert (lab["QM1"] is one, lab.queue_managers == [one, two], two.platform, two.level) == (True, True, "zos", 530)
    assert lab.now == datetime(2030, 12, 31, 22, 59, 59, tzinfo=UTC)


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


def test_a_life_explained(lab, qm):
    with qm.connect("WEB").unit_of_work() as uow:
        message = uow.put("ORDERS", b"x", expiry=30)
    lab.advance(1)
    billing = qm.connect("BILLING")
    with billing.unit_of_work() as uow:
        uow.get("ORDERS")
        uow.backout()
    lab.advance(4)
    refusal(mqlab.MQError, "", billing.get, "ORDERS")
    lines = lab.explain(message).splitlines()
    assert [line[:11] for line in lines] == ["09:00:00.00"] * 2 + ["09:00:01.00"] * 3 + ["09:00:05.00"]
    life = """WEB put message 1 on ORDERS in unit of work 1|WEB committed|BILLING got it|BILLING backed out|\
restored to its position on ORDERS|2 s after it expired"""
    for line, words in zip(lines, life.split("|"), strict=True):
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
    roles = {"DEAD": "dead-letter", "BACK": "backout", "QM2": "transmission", "ORDERS": ""}
    assert {name: graph.nodes[f"QM1/{name}"]["role"] for name in roles} == roles
    assert not [node for node in graph if "SYSTEM." in node]


def test_the_graph_holds_only_what_is_there_now(lab, qm):
    assert qm.mqsc("ALTER QMGR DEADQ(NOT.THERE)\nDEFINE QLOCAL(GONE)").ok
    for queue in ("GONE", "ORDERS"):
        qm.connect("WEB").put(queue, b"x")
        qm.get(queue)
    qm.delete("QLOCAL", "GONE")
    graph = lab.topology()
    assert list(graph.successors("QM1/app:WEB")) == ["QM1/ORDERS"]
    assert not [edge for *_, edge in graph.edges(data="kind") if edge == "deadq"]


def test_everything_tells_what_it_is(lab, qm):
    with qm.open("ORDERS", output=True) as handle:
        message = handle.put(b"hello", expiry=50, persistent=True)
        assert repr(handle) == "Handle('ORDERS', open)"
    unlimited = qm.put("SMALL", b"x")
    for thing, told in (
        (handle, "Handle('ORDERS', closed)"),
        (message, f"Message({message.number}, b'hello', priority 0, persistent, expiry 50 tenths)"),
        (unlimited, f"Message({unlimited.number}, b'x', priority 0, nonpersistent, expiry unlimited)"),
        (qm.targets["ORDERS"], "LocalQueue('ORDERS', depth 1 of 5000)"),
        (qm.connect("APP"), "Application('APP' on QM1)"),
        (qm.unit_of_work(), "UnitOfWork(1, open, 0 puts, 0 gets)"),
        (lab.events, f"EventLog({len(lab.events)} events)"),
        (qm, f"QueueManager('QM1', distributed 530, running, {len(qm.queues)} local queues)"),
        (lab, f"Lab(QM1; 2025-01-06 09:00:00 UTC, {len(lab.events)} events)"),
        (Lab(), "Lab(no queue managers yet; 2025-01-06 09:00:00 UTC, 0 events)"),
    ):
        assert repr(thing) == told
    qm.stop()
    assert "stopped" in repr(qm)


def test_what_was_known_at_a_refusal_comes_from_the_log_if_there_is_one(lab, qm):
    caught = mq_error(qm.get, "ORDERS")
    qm.put("ORDERS", b"later")
    assert caught.facts["CURDEPTH"] == 0
    assert caught.facts is caught.facts
    silent = Lab(record=False).queue_manager("QM1")
    assert mq_error(silent.get, "SYSTEM.DEAD.LETTER.QUEUE").facts == {}


def test_a_report_that_could_not_be_sent_is_part_of_the_life_and_a_state_is_asked_for_by_time(lab, qm):
    message = qm.put("ORDERS", b"x", expiry=1, report=MQRO_EXPIRATION, reply_to_q="NOWHERE")
    lab.advance(60)
    reason(qm.get, "ORDERS")
    assert "failed to send a report to NOWHERE: 2085" in lab.explain(message)
    other = qm.put("ORDERS", b"x")
    moment = datetime(2025, 1, 6, 9, 1, tzinfo=UTC)
    for at in (moment, moment.replace(tzinfo=None)):
        assert lab.state(at=at).queue("QM1", "ORDERS").messages.keys() == {other.number}
        assert lab.state(at=at - timedelta(seconds=1)).queue("QM1", "ORDERS").messages.keys() == {message.number}


@cases(
    "call",
    lambda lab: Lab(start="0001-01-01T00:00:00+14:00"),
    lambda lab: Lab(start="9999-12-31T23:59:59-14:00"),
    lambda lab: lab.address([], "QM1"),
    lambda lab: lab.address(lab, "QM1"),
    lambda lab: lab.events.export("", "ocel"),
)
def test_a_value_that_is_none_is_refused_in_a_sentence(lab, call):
    lab.queue_manager("QM1")
    before = list(lab.events)
    lab_error("must be", call, lab)
    assert list(lab.events) == before


def test_a_call_that_fills_the_log_says_so(lab, monkeypatch):
    monkeypatch.setattr("mqlab.lab.lab.MANY_ROWS", 5)
    qm = lab.queue_manager("QM1")
    lab.advance(1)
    qm.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(nowhere) XMITQ(X)\nSTART CHANNEL(C)")
    with pytest.warns(UserWarning, match="86400 s of simulated time wrote .* rows, the last of kind"):
        lab.advance(86_400)
