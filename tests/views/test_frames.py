"""The rows behind the topology picture."""

import networkx as nx
from views.conftest import MadeState, made_graph

from helpers import for_each, frame_of
from mqlab.views.frames.topology import outline, topology_frame


def test_every_kind_of_queue_is_told_apart_and_lines_run_from_what_gives_to_what_takes(estate):
    plan = outline(estate)
    assert {q.name: q.kind for q in plan.queues} == {
        "PAYMENTS.REQUEST": "alias",
        "PAYMENTS.IN": "local",
        "PAYMENTS.BACKOUT": "backout",
        "PAYMENTS.REPLY": "local",
        "CARDS.AUTH": "alias",
        "CARDS.AUTH.IN": "local",
        "CARDS.SETTLEMENT": "remote",
        "CARDS.MODEL": "model",
        "CARDS.INITQ": "initiation",
        "QM2": "transmission",
        "QM1.DLQ": "dead-letter",
        "REFERENCE.DATA": "local",
    }
    assert {(edge.source, edge.target, edge.kind) for edge in plan.edges} >= {
        ("QM1/app:PORTAL", "QM1/PAYMENTS.IN", "puts"),
        ("QM1/PAYMENTS.IN", "QM1/app:ENGINE", "gets"),
        ("QM1/PAYMENTS.REQUEST", "QM1/PAYMENTS.IN", "alias"),
        ("QM1/CARDS.SETTLEMENT", "QM1/QM2", "remote"),
        ("QM1/PAYMENTS.IN", "QM1/PAYMENTS.BACKOUT", "backout"),
        ("QM1/CARDS.AUTH.IN", "QM1/CARDS.INITQ", "initq"),
    }


def test_a_frame_counts_what_is_uncommitted_and_expired(lab, qm):
    qm.put("ORDERS", b"live")
    qm.put("ORDERS", b"expires", expiry=10)
    unit = qm.unit_of_work()
    unit.put("ORDERS", b"uncommitted")
    lab.advance(2)
    now = frame_of(lab).queues["QM1/ORDERS"]
    assert (now.depth, now.uncommitted, now.expired, qm.depth("ORDERS")) == (3, 1, 1, 3)
    earlier = frame_of(lab, at=1).queues["QM1/ORDERS"]
    assert (earlier.depth, earlier.expired) == (3, 0)


def test_a_frame_knows_the_queues_their_attributes_and_what_is_stopped_at_its_moment(lab, qm):
    lab.advance(10)
    qm.mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED) GET(DISABLED) MAXDEPTH(7)\nDEFINE QLOCAL(LATE)")
    lab.advance(10)
    qm.mqsc("ALTER QLOCAL(ORDERS) PUT(ENABLED)")
    frames = [frame_of(lab, t) for t in (5_000_000, 15_000_000, 20_000_000)]
    at = [frame.queues["QM1/ORDERS"] for frame in frames]
    assert [(q.put, q.get, q.maxdepth) for q in at] == [(True, True, 5000), (False, False, 7), (True, False, 7)]
    assert [frame.queues["QM1/LATE"].defined for frame in frames] == [False, True, True]
    assert at[0].defined
    lab.advance(1)
    qm.stop()
    assert frame_of(lab).stopped == ("QM1",)
    assert "QM1 stopped" in frame_of(lab).sentence
    assert frame_of(lab, 0).stopped == ()


def test_an_outline_has_one_order_and_system_queues_only_where_something_leads_to_them(estate):
    queues = [("SYSTEM.A", "QLOCAL", {}), ("SYSTEM.B", "QLOCAL", {}), ("Q", "QALIAS", {"alias": "SYSTEM.B"})]
    assert [q.name for q in outline(made_graph(queues)).queues] == ["Q", "SYSTEM.B"]
    turned = nx.MultiDiGraph()
    turned.add_nodes_from(reversed(list(estate.nodes(data=True))))
    turned.add_edges_from(reversed(list(estate.edges(keys=True, data=True))))
    assert outline(turned) == outline(estate)


@for_each(
    "counts, words",
    ({"A": (0, 0, 0), "B": (0, 0, 0)}, "2 queues, no messages."),
    ({"A": (1, 1, 0), "B": (0, 0, 0)}, "1 message on 1 queue: 1 has expired and still counts."),
    (
        {"A": (5000, 20, 3), "B": (1, 0, 0)},
        "5001 messages on 2 queues: 20 have expired and still count, 3 are not committed, A is full.",
    ),
)
def test_the_sentence_says_what_is_seen(counts, words):
    frame = topology_frame(made_graph([("A", "QLOCAL", {}), ("B", "QLOCAL", {})]), MadeState(counts), 0)
    assert (frame.summary, frame.sentence) == (words, f"QM1 at 00:00:00 UTC: {words}")
