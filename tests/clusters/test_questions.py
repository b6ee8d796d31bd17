"""The 25 questions that people ask about clusters, each answered by a lab."""

import pytest

from clustered import Demo, dead, reason
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


def test_1_why_do_all_messages_go_to_one_instance():
    demo = Demo(queues=ORDERS)
    assert sorted(many(demo, 10).values()) == [0, 0, 10]  # DEFBIND(OPEN), and one handle
    for name in THREE:
        demo(name, "ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)")
    demo.settle()
    before = demo.depths()
    assert {name: depth - before[name] for name, depth in many(demo, 9).items()} == dict.fromkeys(THREE, 3)


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


def test_4_does_traffic_stop_when_the_full_repositories_are_down():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    for hub in demo.full:
        demo[hub].stop()
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    assert demo["DEPOT"].depth("ORDERS") == 2


def test_5_can_i_get_from_a_cluster_queue_elsewhere():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    assert reason(demo["SHOP"].open, "ORDERS", input="shared") == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert reason(demo["SHOP"].open, "ORDERS", output=True) is None


def test_6_messages_stay_on_the_cluster_transmission_queue():
    demo = Demo(queues=ORDERS)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.settle()
    demo("SHOP", "STOP CHANNEL(TO.DEPOT)")
    demo.settle()
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.settle(600)
    assert (demo["SHOP"].depth(ONE), demo.state("SHOP", "TO.DEPOT")) == (1, "STOPPED")
    demo("SHOP", "START CHANNEL(TO.DEPOT)")
    demo.settle()
    assert (demo["SHOP"].depth(ONE), demo.depths()["DEPOT"]) == (0, 2)


def test_7_which_channel_is_a_message_for():
    demo = Demo(queues=ORDERS)
    demo("SHOP", "STOP CHANNEL(TO.HUB2)")
    demo["SHOP"].put("ORDERS@HUB2", b"x")
    demo.settle()
    assert demo["SHOP"].browse(ONE).correl_id.decode().rstrip(" \0") == "TO.HUB2"


def test_8_a_cluster_sender_is_retrying():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('nowhere(1414)')")
    demo.settle()
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle(10)
    assert demo.state("SHOP", "TO.DEPOT") == "RETRYING"
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('depot(1414)')")
    demo.settle(120)
    assert (demo.state("SHOP", "TO.DEPOT"), demo.depths()) == ("RUNNING", {"DEPOT": 1})


def test_9_what_are_queue_managers_whose_names_begin_with_system_temp():
    demo = Demo()
    demo("SHOP", "DEFINE CHANNEL(TO.HUB9) CHLTYPE(CLUSSDR) CONNAME('hub9(1414)') CLUSTER(DEMO)")
    demo.settle()
    [row] = [row for row in demo.members("SHOP") if row["CLUSQMGR"].startswith("SYSTEM.TEMPUUID.")]
    assert (row["DEFTYPE"], row["CHANNEL"], row["CONNAME"]) == ("CLUSSDR", "TO.HUB9", "hub9(1414)")


def test_10_why_are_messages_for_an_alias_on_the_dead_letter_queue_with_2082():
    demo = Demo(queues={"HUB2": "AUDIT.Q"})
    demo("DEPOT", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QALIAS(AUDIT) TARGET(AUDIT.Q) CLUSTER(DEMO)")
    demo.settle()
    many_at = demo["SHOP"].open("AUDIT", output=True)
    many_at.put(b"x")
    demo.settle()
    assert dead(demo, "DEPOT") == [mq.MQRC_UNKNOWN_ALIAS_BASE_Q]


def test_11_why_is_clwlprty_not_honored():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLPRTY(9)"})
    assert many(demo, 3)["DEPOT"] == 3
    demo("SHOP", "STOP CHANNEL(TO.DEPOT)")
    demo.settle()
    assert many(demo, 4)["DEPOT"] == 3  # the state of the channel comes first
    dropped = {row.rule: str(row.dropped) for row in demo["SHOP"].why_this_instance("ORDERS").rows}
    assert "STOPPED" in dropped["CLU-44"]


def test_12_rank_or_priority():
    for attribute, arrived in (("CLWLRANK", 0), ("CLWLPRTY", 6)):
        demo = Demo(queues=FREE | {"DEPOT": f"ORDERS DEFBIND(NOTFIXED) {attribute}(9)"})
        many(demo, 1)
        demo.lab.cut("SHOP", "DEPOT")
        demo["SHOP"].put("ORDERS", b"x")
        demo.settle(30)
        many(demo, 5)
        assert sum(demo.depths("ORDERS", "HUB1", "HUB2").values()) == arrived


def test_13_why_does_a_local_queue_never_share():
    demo = Demo(queues=FREE)
    assert many(demo, 3, "DEPOT")["DEPOT"] == 3
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)")
    assert many(demo, 6, "DEPOT") == {"HUB1": 2, "HUB2": 2, "DEPOT": 5}


def test_14_how_do_i_take_a_member_out_for_maintenance():
    demo = Demo(queues=FREE)
    demo("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    demo.settle()
    assert many(demo, 6) == {"HUB1": 3, "HUB2": 3, "DEPOT": 0}
    demo("DEPOT", "RESUME QMGR CLUSTER(DEMO)")
    demo.settle()
    assert many(demo, 6)["DEPOT"] >= 2


def test_15_how_do_i_remove_one_for_good():
    demo = Demo(queues=ORDERS)
    demo("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    demo.settle()
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')\nALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.settle()
    assert demo["HUB1"].mqsc("DISPLAY CLUSQMGR(DEPOT)").replies[0].code == "AMQ8147E"


def test_16_why_is_a_deleted_queue_manager_still_there():
    demo = Demo(queues=ORDERS)
    demo["DEPOT"].stop()
    demo.settle(DAY)
    assert "DEPOT" in demo.knows("HUB1")
    demo("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(YES)")
    demo.settle()
    assert "DEPOT" not in demo.knows("HUB1") + demo.knows("HUB2")


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


def test_18_when_is_refresh_cluster_right():
    demo = Demo(queues=ORDERS)
    demo("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(YES)")
    demo.settle(20)
    assert demo.instances("HUB2") == ["HUB1", "HUB2"]
    demo("DEPOT", "REFRESH CLUSTER(DEMO) REPOS(NO)")  # it comes back
    demo.settle(20)
    assert demo.instances("HUB2") == ["DEPOT", "HUB1", "HUB2"]


def test_19_amq9469_in_the_error_log():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) LONGTMR(86400)")
    demo.settle()
    demo["DEPOT"].stop()
    demo.settle(31 * DAY)
    assert {row.facts["name"] for row in demo.said("overdue", "HUB1")} == {"DEPOT", "ORDERS"}


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


def test_21_how_is_a_cluster_reached_from_outside():
    demo = Demo(partial=("DEPOT", "GATE"), queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED)"))
    demo.lab.queue_manager("OUT")
    demo.lab.link("OUT", "GATE", latency=0.01)
    demo.lab.address("gate(1500)", "GATE")
    demo("GATE", "DEFINE CHANNEL(OUT.GATE) CHLTYPE(RCVR)")
    demo("OUT", "DEFINE QLOCAL(GATE) USAGE(XMITQ)\nDEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(GATE)")
    demo("OUT", "DEFINE CHANNEL(OUT.GATE) CHLTYPE(SDR) CONNAME('gate(1500)') XMITQ(GATE)\nSTART CHANNEL(OUT.GATE)")
    for _ in range(6):
        demo["OUT"].put("ORDERS", b"x")
    demo.settle(20)
    assert demo.depths("ORDERS", *THREE) == dict.fromkeys(THREE, 2)


def test_22_one_transmission_queue_each_and_when_it_switches():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    shown = lambda: demo("SHOP", "DISPLAY CLUSQMGR(DEPOT) XMITQ").rows[0]["XMITQ"]  # noqa: E731
    demo("SHOP", "ALTER QMGR DEFCLXQ(CHANNEL)")
    demo.settle()
    assert shown() == ONE
    demo("SHOP", "STOP CHANNEL(TO.DEPOT) STATUS(INACTIVE)")
    demo.settle()
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    assert (shown(), demo.depths()) == ("SYSTEM.CLUSTER.TRANSMIT.TO.DEPOT", {"DEPOT": 2})


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
