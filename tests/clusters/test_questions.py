"""Questions that people ask about clusters, each answered by a lab; the tests of the rules answer 16 of the 25."""

import pytest

from clustered import Demo, reason
from mqlab.engine.words import constants as mq

THREE = ("HUB1", "HUB2", "DEPOT")
ORDERS = dict.fromkeys(THREE, "ORDERS")
FREE = dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED)")
ONE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
DAY = 24 * 3600


def many(demo, number, name="SHOP", queue="ORDERS", **keywords):
    """Put so many messages over one handle, let them arrive, and count."""
    with demo[name].open(queue, output=True) as handle:
        for _ in range(number):
            handle.put(b"x", persistent=True, **keywords)
    demo.settle()
    return demo.depths(queue)


def test_2_why_is_a_queue_that_exists_2085_or_2189():
    demo = Demo(queues={"DEPOT": ["A", "B"]})
    demo("DEPOT", "ALTER QLOCAL(A) CLUSTER(DEMOO)")  # in a cluster that its queue manager is no member of
    demo.settle()
    assert reason(demo["SHOP"].put, "A", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME
    demo.lab.cut("SHOP", "HUB1")
    demo.lab.cut("SHOP", "HUB2")
    assert reason(demo["SHOP"].put, "B", b"x") == mq.MQRC_CLUSTER_RESOLUTION_ERROR


def test_3_why_only_two_full_repositories():
    demo = Demo(full=("HUB1", "HUB2", "HUB3"), partial=("DEPOT",), queues={"DEPOT": "ORDERS"})
    direct = {
        row.facts["channel"]
        for row in demo.lab.events
        if row.kind == "put" and row.qmgr == "DEPOT" and row.rule == "CLU-05"
    }
    assert direct == {"TO.HUB1", "TO.HUB2"}  # each member tells two
    assert demo.instances("HUB3") == ["DEPOT"]  # they tell the third


def test_9_what_are_queue_managers_whose_names_begin_with_system_temp():
    demo = Demo()
    demo("SHOP", "DEFINE CHANNEL(TO.HUB9) CHLTYPE(CLUSSDR) CONNAME('hub9(1414)') CLUSTER(DEMO)")
    demo.settle()
    [row] = [row for row in demo.members("SHOP") if row["CLUSQMGR"].startswith("SYSTEM.TEMPUUID.")]
    assert (row["DEFTYPE"], row["CHANNEL"], row["CONNAME"]) == ("CLUSSDR", "TO.HUB9", "hub9(1414)")


def test_11_why_is_clwlprty_not_honored():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLPRTY(9)"})
    assert many(demo, 3)["DEPOT"] == 3
    demo("SHOP", "STOP CHANNEL(TO.DEPOT)")
    demo.settle()
    assert many(demo, 4)["DEPOT"] == 3  # the state of the channel comes first
    dropped = {row.rule: str(row.dropped) for row in demo["SHOP"].why_this_instance("ORDERS").rows}
    assert "STOPPED" in dropped["CLU-44"]


@pytest.mark.rule("CLU-59")
def test_17_two_qmids_for_one_queue_manager():
    demo = Demo(queues=ORDERS)
    old = demo["DEPOT"].attributes["QMID"]
    again = demo["HUB1"].kept["clusters"].repository
    [record] = again.named("QMGR", "DEPOT")
    # what a queue manager that was created again under the name DEPOT says of itself
    told = record.told() | {"qmid": "DEPOT_2025-02-02_02.02.02", "facts": record.facts | {"channel": "NEW.DEPOT"}}
    demo["HUB1"].kept["clusters"].later(
        lambda: demo["HUB1"].kept["clusters"].on_record("DEPOT_2025-02-02_02.02.02", told)
    )
    demo.settle()
    assert len(demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows) == 2
    demo("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT)")
    demo.settle()
    assert len(demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows) == 2  # which of them?
    demo("HUB1", f"RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMID('{old}')")
    demo.settle()
    assert [row["QMID"] for row in demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows] == ["DEPOT_2025-02-02_02.02.02"]


def test_20_what_happens_to_messages_when_their_host_dies():
    demo = Demo(queues=FREE)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    many(demo, 3)
    unit = demo["SHOP"].unit_of_work()
    with demo["SHOP"].open("ORDERS", output=True) as free:
        for _ in range(3):
            free.put(b"free", persistent=True, unit=unit)
    demo["SHOP"].put("ORDERS@DEPOT", b"bound", persistent=True, unit=unit)
    demo["DEPOT"].fail()
    unit.commit()
    demo.settle(120)
    assert sum(demo.depths("ORDERS", "HUB1", "HUB2").values()) == 5
    assert demo["SHOP"].depth(ONE) == 1


def test_23_in_which_cluster_is_my_queue():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    [row] = demo("SHOP", "DISPLAY QUEUE(ORDERS) CLUSINFO CLUSTER CLUSQMGR").rows
    assert (row["CLUSTER"], row["CLUSQMGR"], row["TYPE"]) == ("DEMO", "DEPOT", "QCLUSTER")


def test_24_which_definitions_do_i_need():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    own = [row["CHANNEL"] for row in demo("SHOP", "DISPLAY CHANNEL(*) WHERE(CLUSTER EQ DEMO)").rows]
    assert sorted(own) == ["TO.HUB1", "TO.SHOP"]
    assert demo.depths() == {"DEPOT": 1}


def test_25_a_copy_for_a_test_upsets_production():
    demo = Demo(queues=ORDERS)
    demo.join("SHOP", None, channel="TO.DEPOT")  # a copy has the channel names of the original
    demo("SHOP", "ALTER CHANNEL(TO.SHOP) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.settle()
    assert "DEPOT" not in demo.knows("HUB1")  # the record of the original is gone
    demo("SHOP", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.settle()
    demo("DEPOT", "REFRESH CLUSTER(DEMO)")
    demo.settle()
    assert "DEPOT" in demo.knows("HUB1")
