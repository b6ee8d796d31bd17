"""Labs and graphs to look at."""

import networkx as nx
import pytest

from helpers import lab_with
from mqlab.engine.explain.replay import MessageState, QueueState, State

REPORT_WITH_FULL_DATA = 0x00E0_0000


def made_graph(queues, programs=(), qmgr="QM1", dead_letter=None):
    """A graph as `lab.topology()` gives it: queues as (name, type, {edge kind: other queue, attribute: value})."""
    graph = nx.MultiDiGraph()
    graph.add_node(qmgr, kind="qmgr", name=qmgr, platform="distributed", level=940, running=True)
    for name, kind, extra in queues:
        data = {"usage": "NORMAL", "maxdepth": 5000, "description": "", **extra}
        graph.add_node(f"{qmgr}/{name}", kind="queue", qmgr=qmgr, name=name, type=kind, **data)
        graph.add_edge(qmgr, f"{qmgr}/{name}", kind="holds")
    for name, _, extra in queues:
        for kind in ("alias", "resolves", "backout", "initq"):
            if kind in extra:
                graph.add_edge(f"{qmgr}/{name}", f"{qmgr}/{extra[kind]}", kind=kind)
    if dead_letter:
        graph.add_edge(qmgr, f"{qmgr}/{dead_letter}", kind="deadq")
    for program, puts, gets in programs:
        graph.add_node(f"{qmgr}/app:{program}", kind="program", qmgr=qmgr, name=program)
        for queue in puts:
            graph.add_edge(f"{qmgr}/app:{program}", f"{qmgr}/{queue}", kind="puts")
        for queue in gets:
            graph.add_edge(f"{qmgr}/{queue}", f"{qmgr}/app:{program}", kind="gets")
    return graph


class MadeState(State):
    """A state of our own making: {queue: (depth, expired, uncommitted)} on QM1, those that expired in front."""

    def __init__(self, counts, running=None):
        super().__init__()
        self.running = running or {}
        for name, (depth, expired, uncommitted) in counts.items():
            held = self.queues["QM1", name] = QueueState()
            for number in range(depth):
                expires, uow = 0 if number < expired else None, 1 if number >= depth - uncommitted else None
                message = MessageState(number + 1, number % 3, False, 0, 0, expires, uow, 0, number)
                held.keep(message.number, message)


@pytest.fixture
def estate():
    """A queue manager with two applications and everything a picture can hold, as a graph."""
    return made_graph(
        [
            ("PAYMENTS.REQUEST", "QALIAS", {"alias": "PAYMENTS.IN"}),
            ("PAYMENTS.IN", "QLOCAL", {"backout": "PAYMENTS.BACKOUT", "maxdepth": 20}),
            ("PAYMENTS.BACKOUT", "QLOCAL", {}),
            ("PAYMENTS.REPLY", "QLOCAL", {}),
            ("CARDS.AUTH", "QALIAS", {"alias": "CARDS.AUTH.IN"}),
            ("CARDS.AUTH.IN", "QLOCAL", {"initq": "CARDS.INITQ"}),
            ("CARDS.SETTLEMENT", "QREMOTE", {"resolves": "QM2"}),
            ("CARDS.MODEL", "QMODEL", {}),
            ("CARDS.INITQ", "QLOCAL", {}),
            ("QM2", "QLOCAL", {"usage": "XMITQ"}),
            ("QM1.DLQ", "QLOCAL", {}),
            ("REFERENCE.DATA", "QLOCAL", {}),
        ],
        [
            ("PORTAL", ["PAYMENTS.IN", "CARDS.SETTLEMENT"], ["PAYMENTS.REPLY"]),
            ("ENGINE", ["PAYMENTS.REPLY"], ["PAYMENTS.IN", "CARDS.AUTH.IN"]),
            ("OPS", [], ["PAYMENTS.BACKOUT", "QM1.DLQ"]),
        ],
        dead_letter="QM1.DLQ",
    )


@pytest.fixture
def played():
    """A lab after half a minute in which every ending that part 1 knows has happened on ORDERS."""
    lab, qm = lab_with("""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(12)
        DEFINE QLOCAL(REPLIES)
        DEFINE QLOCAL(QM1.DLQ)
        DEFINE QALIAS(ORDERS.IN) TARGET(ORDERS)
        ALTER QMGR DEADQ(QM1.DLQ)
        """)
    shop, billing = qm.connect("WEBSHOP"), qm.connect("BILLING")
    shop.put("ORDERS", b"1 got")
    lab.advance(1)
    shop.put("ORDERS", b"2 discarded, reported", expiry=50, report=REPORT_WITH_FULL_DATA, reply_to_q="REPLIES")
    lab.advance(1)
    shop.put("ORDERS", b"3 got, put back, got")
    lab.advance(1)
    with shop.unit_of_work() as unit:
        unit.put("ORDERS", b"4 committed later")
        lab.advance(2)
        unit.put("ORDERS", b"5 expires before the commit", expiry=10)
        lab.advance(2)
    lab.advance(2)
    billing.get("ORDERS")
    lab.advance(2)
    unit = billing.unit_of_work()
    unit.get("ORDERS")
    lab.advance(3)
    unit.backout()
    lab.advance(1)
    with billing.unit_of_work() as unit:
        unit.get("ORDERS")
        lab.advance(2)
    unit = shop.unit_of_work()
    unit.put("ORDERS", b"taken back")
    lab.advance(2)
    unit.backout()
    shop.put("ORDERS", b"still there")
    shop.put("ORDERS", b"expired and still there", expiry=20)
    lab.advance(5)
    return lab
