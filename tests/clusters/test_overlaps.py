"""Several clusters, gateways, queue managers outside, and queue sharing groups in a cluster."""

import pytest

from clustered import Demo, reason
from mqlab import Lab
from mqlab.engine.words import constants as mq


def gateway():
    """DEMO with HUB1, DEPOT, and GATE, and OTHER with FAR (full), BANK, and GATE."""
    demo = Demo(full=("HUB1",), partial=("DEPOT", "GATE"), queues={"DEPOT": "ORDERS"})
    for name in ("FAR", "BANK"):
        demo.lab.queue_manager(name)
        demo.lab.link(name, "GATE", latency=0.01)
    demo.lab.link("FAR", "BANK", latency=0.01)
    demo.join("FAR", None, full=True, cluster="OTHER")
    demo.join("BANK", "FAR", cluster="OTHER")
    demo.join("GATE", "FAR", cluster="OTHER", channel="OTHER.GATE")
    demo.settle(10)
    return demo


@pytest.mark.rule("CLU-70", event=False)
def test_a_queue_is_seen_only_in_its_cluster_and_a_gateway_makes_it_known_by_an_alias():
    demo = gateway()
    assert reason(demo["BANK"].put, "ORDERS", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert reason(demo["GATE"].put, "ORDERS", b"x") is None
    demo.change("GATE", "DEFINE QALIAS(BANK.ORDERS) TARGET(ORDERS) CLUSTER(OTHER) DEFBIND(NOTFIXED)")
    demo.puts(1, "BANK", "BANK.ORDERS")
    assert demo.depths() == {"DEPOT": 2}
    assert demo.instances("HUB1", "BANK.ORDERS") == []


@pytest.mark.rule("CLU-70", event=False)
def test_a_gateway_makes_a_queue_known_by_a_remote_definition_too():
    demo = gateway()
    demo.change("GATE", "DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEPOT) CLUSTER(OTHER)")
    assert reason(demo["BANK"].put, "ORDERS", b"x") is None
    demo.settle()
    assert demo.depths() == {"DEPOT": 1}


@pytest.mark.rule("CLU-01", event=False)
def test_a_queue_of_two_clusters_by_a_namelist():
    demo = gateway()
    demo.change("GATE", "DEFINE NAMELIST(BOTH) NAMES(DEMO, OTHER)\nDEFINE QLOCAL(SHARED.Q) CLUSNL(BOTH)")
    assert reason(demo["BANK"].put, "SHARED.Q", b"x") is None
    assert reason(demo["DEPOT"].put, "SHARED.Q", b"x") is None
    demo.settle()
    assert demo["GATE"].depth("SHARED.Q") == 2
    demo.change("GATE", "ALTER NAMELIST(BOTH) NAMES(OTHER)")
    assert reason(demo["DEPOT"].put, "SHARED.Q", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert reason(demo["BANK"].put, "SHARED.Q", b"x") is None


@pytest.mark.rule("CLU-71", event=False)
@pytest.mark.parametrize(("bind", "depths"), [("OPEN", [0, 0, 6]), ("NOTFIXED", [2, 2, 2])])
def test_messages_from_outside_are_balanced_by_the_gateway(bind, depths):
    demo = Demo(partial=("DEPOT", "GATE"), queues=dict.fromkeys(("HUB1", "HUB2", "DEPOT"), f"ORDERS DEFBIND({bind})"))
    demo.lab.queue_manager("OUT")
    demo.outside("OUT", "GATE", "(ORDERS) RNAME(ORDERS)")
    for _ in range(6):
        demo["OUT"].put("ORDERS", b"x")
    demo.settle(20)
    found = sorted(demo.depths("ORDERS", "HUB1", "HUB2", "DEPOT").values())
    assert found == (depths if bind == "NOTFIXED" else found)
    assert sum(found) == 6


@pytest.mark.rule("CLU-70", event=False)
def test_a_gateway_asks_the_full_repositories_of_each_cluster():
    demo = gateway()
    demo.queue("BANK", "ORDERS CLUSTER(OTHER) DEFBIND(NOTFIXED)")
    demo.settle()
    with demo["GATE"].open("ORDERS", output=True, options=mq.MQOO_BIND_NOT_FIXED) as handle:
        handle.put(b"x")
        demo.settle(1)
        for _ in range(5):
            handle.put(b"x")
    demo.settle()
    assert demo.depths("ORDERS", "DEPOT", "BANK") == {"DEPOT": 3, "BANK": 3}


@pytest.mark.rule("CLU-73", event=False)
def test_each_member_of_a_group_advertises_a_shared_queue():
    lab = Lab()
    lab.queue_sharing_group("QSG1", ("QMA", "QMB"))
    demo = Demo(full=("HUB1",), partial=("SHOP",), lab=lab)
    demo.lab.link("QMA", "QMB", latency=0.01)
    for name in ("QMA", "QMB"):
        lab[name].mqsc("START CHINIT")
        for other in demo.names:
            lab.link(name, other, latency=0.01)
        demo.join(name, "HUB1")
    demo.settle(30)
    demo.change("QMA", "DEFINE CFSTRUCT(APP1)\nDEFINE QLOCAL(ORDERS) QSGDISP(SHARED) CFSTRUCT(APP1) CLUSTER(DEMO)")
    assert demo.instances("HUB1") == ["QMA", "QMB"]
    for _ in range(6):
        demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    assert (lab["QMA"].depth("ORDERS"), lab["QMB"].depth("ORDERS")) == (6, 6)
    by = [row.program for row in lab.events if row.kind == "put" and row.object == "ORDERS"]
    assert sorted(by) == ["TO.QMA"] * 3 + ["TO.QMB"] * 3
    demo.change("QMB", "ALTER QLOCAL(ORDERS) QSGDISP(SHARED) PUT(DISABLED)")
    assert reason(demo["SHOP"].put, "ORDERS", b"x") == mq.MQRC_CLUSTER_PUT_INHIBITED
    demo.change("QMB", "ALTER QLOCAL(ORDERS) QSGDISP(SHARED) CLUSTER(' ')")
    assert demo.instances("HUB1") == []
