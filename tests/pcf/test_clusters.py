"""Commands of PCF about clusters, which do what those of MQSC do."""

import pytest

from clustered import Demo
from mqlab.pcf import format as pcf

pytestmark = pytest.mark.needs("clusters")
INQUIRE_Q, INQUIRE, RESUME, SUSPEND, REFRESH, RESET = 13, 70, 71, 72, 73, 74
Q_NAME, CLUSTER_NAME, CLUSTER_Q_MGR, Q_MGR_NAME, CLUSTER_INFO, Q_TYPE = 2016, 2029, 2031, 2015, 1083, 20
DEFINITION_TYPE, Q_MGR_TYPE, SUSPENDED, STATUS = 1084, 1085, 1087, 1527


@pytest.fixture
def demo():
    return Demo(queues={"HUB1": "ORDERS", "DEPOT": "ORDERS"})


@pytest.fixture
def ask(demo, asker):
    asked = asker(demo["SHOP"])
    asked.app.put("ORDERS", "x")
    demo.settle()
    return asked


def cluster(name="DEMO"):
    return pcf.string(CLUSTER_NAME, name)


def test_the_members_are_those_of_display_clusqmgr(demo, ask, asker):
    wanted = pcf.integers(1093, [DEFINITION_TYPE, Q_MGR_TYPE, SUSPENDED, STATUS])
    found = {row[CLUSTER_Q_MGR].strip(): row for _, _, row in ask(INQUIRE, pcf.string(CLUSTER_Q_MGR, "*"), wanted)}
    assert sorted(found) == [row["CLUSQMGR"] for row in demo.members("SHOP")]
    assert [found["HUB1"][word] for word in (DEFINITION_TYPE, Q_MGR_TYPE, SUSPENDED, STATUS)] == [4, 1, 0, 3]
    assert [found["DEPOT"][word] for word in (DEFINITION_TYPE, Q_MGR_TYPE)] == [2, 0]
    assert found["SHOP"][DEFINITION_TYPE] == 3
    ((_, _, whole),) = ask(INQUIRE, pcf.string(CLUSTER_Q_MGR, "DEPOT"))
    assert (whole[3501].strip(), whole[2029].strip(), whole[3506].strip()) == ("TO.DEPOT", "DEMO", "depot(1414)")
    assert whole[1575] == (0,), "COMPHDR is a list"
    assert ask.refused(INQUIRE, pcf.string(CLUSTER_Q_MGR, "NONE"))[0] == 2085
    outside = asker(demo.lab.queue_manager("ALONE"))
    assert outside.refused(INQUIRE, pcf.string(CLUSTER_NAME, "*"))[0] == 2085, "it is in no cluster"
    reply = demo("SHOP", "DISPLAY CLUSQMGR(DEPOT)")
    assert reply.replies[0].parts[0][0].startswith("AMQ8441I")


def test_cluster_queues_come_when_they_are_asked_for(ask):
    name = pcf.string(Q_NAME, "ORDERS")
    assert ask.refused(INQUIRE_Q, name)[0] == 2085
    for more in (pcf.integer(CLUSTER_INFO, 1), pcf.integer(Q_TYPE, 7)):
        found = [(row[CLUSTER_Q_MGR].strip(), row[Q_TYPE], row[59]) for _, _, row in ask(INQUIRE_Q, name, more)]
        assert found == [("DEPOT", 7, 1), ("HUB1", 7, 1)]


def test_a_queue_manager_is_suspended_and_resumed(demo, ask):
    def suspended():
        demo.settle()
        return demo("SHOP", "DISPLAY CLUSQMGR(SHOP) SUSPEND").rows[0]["SUSPEND"]

    assert ask(SUSPEND, cluster(), pcf.integer(1008, 1)) == [(0, 0, {})]
    assert suspended() == "YES"
    assert ask(RESUME, cluster()) == [(0, 0, {})]
    assert suspended() == "NO"
    assert ask.refused(SUSPEND, cluster("NONE"))[0] == 3008


def test_a_cluster_is_refreshed_and_a_member_removed(demo, ask, asker):
    assert ask(REFRESH, cluster(), pcf.integer(1095, 0)) == [(0, 0, {})]
    demo.settle()
    assert demo.said("refreshed", "SHOP")
    depot = (cluster(), pcf.string(Q_MGR_NAME, "DEPOT"), pcf.integer(1086, 1), pcf.integer(1096, 1))
    assert ask.refused(RESET, *depot)[0] == 3008, "only a full repository can"
    assert asker(demo["HUB1"])(RESET, *depot) == [(0, 0, {})]
    demo.settle()
    assert "DEPOT" not in demo.knows("HUB1")
