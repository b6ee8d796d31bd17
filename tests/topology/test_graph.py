"""The graph of a lab: links, channels with their state, and where names lead."""

import re

import networkx as nx
import pytest

from clustered import Demo, reason
from helpers import lab_with
from mqlab import Lab, estates
from mqlab.everyplace import picture as everyplace_picture
from mqlab.pubsub import picture as pubsub_picture
from mqlab.sharing import picture as sharing_picture
from mqlab.topology import clusters
from mqlab.topology import graph as graph_module

pictures = (everyplace_picture, pubsub_picture, sharing_picture)


@pytest.fixture
def two():
    """QM1 that sends to QM2, and to QM3 by way of QM2."""
    lab = Lab()
    one, other = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2", latency=0.05)
    one.mqsc("""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(QM2)
        DEFINE QREMOTE(QM3) RNAME('') RQMNAME(QM3) XMITQ(QM2)
        DEFINE QREMOTE(HERE) RNAME('') RQMNAME(QM1)
        DEFINE QREMOTE(LOST) RNAME(X) RQMNAME(QM4)
        DEFINE QALIAS(SHOP) TARGET(ORDERS)
        DEFINE QALIAS(NOWHERE) TARGET(NOT.THERE)
        """).require()
    assert other.mqsc("DEFINE QLOCAL(ORDERS.IN)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)").ok
    return lab


def edges(graph) -> dict:
    return {(a, b, data["kind"]): data for a, b, data in graph.edges(data=True)}


def test_where_names_lead_or_why_they_lead_nowhere(two):
    rows, nodes = len(two.events), two.topology().nodes
    resolves = {"ORDERS": "ORDERS.IN@QM2", "QM3": "@QM3", "HERE": "@QM1", "SHOP": "ORDERS.IN@QM2"}
    assert {name: nodes[f"QM1/{name}"]["resolves"] for name in resolves} == resolves
    for name, why in {"LOST": "2087 MQRC_UNKNOWN_REMOTE_Q_MGR", "NOWHERE": "2082"}.items():
        assert nodes[f"QM1/{name}"]["unresolved"].startswith(why)
        assert "resolves" not in nodes[f"QM1/{name}"]
    assert (len(two.events), two["QM1"].routes) == (rows, {}), "looking leaves nothing behind"


def test_what_leads_where(two):
    found = edges(two.topology())
    assert {
        ("QM1/ORDERS", "QM1/QM2", "resolves"),
        ("QM1/ORDERS", "QM2/ORDERS.IN", "leads"),
        ("QM1/QM3", "QM1/QM2", "resolves"),
        ("QM1/SHOP", "QM1/ORDERS", "alias"),
        ("QM1/QM2", "QM1/channel:TO.QM2", "feeds"),
        ("QM1/channel:TO.QM2", "QM1/QM2", "xmitq"),
        ("QM1/channel:TO.QM2", "QM2/channel:TO.QM2", "talks"),
    } <= set(found)
    assert ("QM1/LOST", "QM1/QM2", "resolves") not in found


def test_a_link_and_its_state(two):
    link = edges(two.topology())["QM1", "QM2", "link"]
    assert (link["up"], link["latency"], link["counts_flight"]) == (True, 0.05, False)
    two.cut("QM1", "QM2")
    assert edges(two.topology())["QM1", "QM2", "link"]["up"] is False


def test_channels_have_their_state_and_the_calls_of_their_agents(two):
    def told():
        graph = two.topology()
        talks = edges(graph)["QM1/channel:TO.QM2", "QM2/channel:TO.QM2", "talks"]
        nodes = [graph.nodes[f"{qmgr}/channel:TO.QM2"] for qmgr in ("QM1", "QM2")]
        return [(n["chltype"], n["state"], n["instances"]) for n in nodes], talks["session"], talks["up"]

    assert told() == ([("SDR", "INACTIVE", "QM2 INACTIVE"), ("RCVR", "INACTIVE", " INACTIVE")], False, True)
    two["QM1"].put("ORDERS", b"x", persistent=True)
    two.advance(1)
    assert told() == ([("SDR", "RUNNING", "QM2 RUNNING"), ("RCVR", "RUNNING", "QM1 RUNNING")], True, True)
    found = edges(two.topology())
    assert found["QM1/QM2", "QM1/channel:TO.QM2", "gets"]["calls"] == 1
    assert found["QM2/channel:TO.QM2", "QM2/ORDERS.IN", "puts"]["calls"] == 1
    assert not [key for key in found if "SYNCQ" in str(key) or "app:TO.QM2" in str(key)]
    two.cut("QM1", "QM2")
    two.advance(1)
    (sender, receiver), session, up = told()
    assert (sender[1], receiver[1], session, up) == ("RETRYING", "INACTIVE", False, False)


@pytest.mark.parametrize("name", ["two-sites", "sharing-group", "mobile-edge"])
def test_every_attribute_and_kind_is_documented(name):
    documents = " ".join(each.__doc__ for each in (graph_module, clusters, *pictures))
    words = set(re.findall(r"\w+", documents))
    graph = estates.load(name).topology()
    used = [data for _, data in graph.nodes(data=True)] + [data for *_, data in graph.edges(data=True)]
    assert {word for data in used for word in (*data, data["kind"])} - words == set()


@pytest.mark.needs("everyplace")
def test_networkx_can_write_a_graph_of_two_products_in_any_format(two, tmp_path):
    two["QM1"].mqsc("DEFINE QALIAS(A) TARGET(ORDERS)\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(NOWHERE)").require()
    two.everyplace("BRANCH").define("local", "STOCK")
    graph = two.topology()
    nx.write_graphml(graph, tmp_path / "lab.graphml")
    assert set(nx.read_graphml(tmp_path / "lab.graphml").nodes) == set(graph.nodes)


def test_a_batch_in_doubt_is_counted_at_its_channel(two):
    two["QM1"].put("ORDERS", b"x")
    two.advance(1)
    for _ in range(3):
        two["QM1"].put("ORDERS", b"x", persistent=True)
    two.advance(0.02)
    two.cut("QM1", "QM2")
    assert two.topology().nodes["QM1/channel:TO.QM2"]["indoubt"] == 3


def test_depths_and_what_has_expired():
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)", level=530)
    for expiry in (10, 10, 100):
        qm.put("ORDERS", b"x", expiry=expiry)
    lab.advance(2)
    node = lab.topology().nodes["QM1/ORDERS"]
    assert (node["depth"], node["expired"]) == (3, 2)


def test_what_gives_define_its_defaults_is_left_out_although_defxmitq_would_take_it():
    lab, _ = lab_with(
        "DEFINE QLOCAL(HUB) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(HUB)\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2)"
    )
    graph = lab.topology()
    assert "QM1/SYSTEM.DEFAULT.REMOTE.QUEUE" not in graph
    assert graph.has_edge("QM1/R", "QM1/HUB")


def test_a_graph_asks_no_cluster_and_leaves_open_where_a_name_leads_that_nobody_asked_for():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("SHOP", "DEFINE QALIAS(FOUND) TARGET(ORDERS)\nDEFINE QALIAS(LOST) TARGET(NOWHERE)")

    def facts(name):
        node = demo.lab.topology().nodes[f"SHOP/{name}"]
        return node.get("resolves", ""), node.get("unresolved", "")[:4]

    rows, now = len(demo.lab.events), demo.lab.now_us
    assert [facts(name) for name in ("FOUND", "LOST")] == [("", ""), ("", "")]
    demo.lab.run(0)
    assert (len(demo.lab.events), demo.lab.now_us) == (rows, now)
    demo["SHOP"].put("FOUND", b"")
    assert reason(demo["SHOP"].put, "LOST", b"") == 2082
    assert facts("FOUND")[0].startswith("ORDERS")
    assert facts("LOST") == ("", "2082")
