"""What names lead to: cluster queues, aliases, remote definitions, and queue managers; and how a repository learns a
name, keeps it, and forgets it."""

import pytest

from clustered import ORDERS, THREE, Demo, dead, reason
from helpers import for_each, mq_error
from mqlab.engine.words import constants as mq

DAY = 24 * 3600


# ---- Learning
@pytest.mark.rule("CLU-13", "CLU-14", "CLU-05")
def test_the_first_put_asks_two_full_repositories_and_later_changes_come_by_themselves():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    assert demo.instances("SHOP") == []
    before = demo.lab.now_us
    demo["SHOP"].put("ORDERS", b"first")
    assert 0 < demo.lab.now_us - before < 1_000_000
    assert demo.instances("SHOP") == ["DEPOT"]
    assert len(demo.said("asked", "SHOP")) == 1
    demo.queue("HUB2", "ORDERS")
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    rows = demo("SHOP", "DISPLAY QCLUSTER(ORDERS) CLUSQMGR PUT").rows
    assert {row["CLUSQMGR"]: row["PUT"] for row in rows} == {"DEPOT": "DISABLED", "HUB2": "ENABLED"}
    assert len(demo.said("asked", "SHOP")) == 1


@pytest.mark.rule("CLU-16")
def test_a_name_that_no_cluster_has_is_2085_and_found_when_it_comes():
    demo = Demo()
    before = demo.lab.now_us
    assert reason(demo["SHOP"].put, "NEW", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert demo.lab.now_us - before < 1_000_000
    demo.queue("DEPOT", "NEW")
    demo.queue("DEPOT", "LOST CLUSTER(DEMOO)")  # in a cluster that its queue manager is no member of
    demo.settle()
    assert reason(demo["SHOP"].put, "NEW", b"x") is None
    assert reason(demo["SHOP"].put, "LOST", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME


@pytest.mark.rule("CLU-17")
@pytest.mark.rule("CLU-18", event=False)
def test_without_full_repositories_known_queues_work_and_new_names_wait_ten_seconds():
    demo = Demo(queues={"DEPOT": ["ORDERS", "BILLS"]})
    demo["SHOP"].put("ORDERS", b"x")
    for hub in demo.full:
        demo[hub].stop()
    demo["SHOP"].put("ORDERS", b"y")
    before = demo.lab.now_us
    error = mq_error(demo["SHOP"].put, "BILLS", b"x")
    assert (error.reason, demo.lab.now_us - before) == (mq.MQRC_CLUSTER_RESOLUTION_ERROR, 10_000_000)
    assert "no full repository answered" in str(error)
    demo.settle()
    assert demo.depths("ORDERS") == {"DEPOT": 2}
    assert demo["SHOP"].depth("SYSTEM.CLUSTER.TRANSMIT.QUEUE") > 0  # the question waits
    for hub in demo.full:
        demo[hub].start()
    demo.settle(1200)
    assert demo.instances("SHOP", "BILLS") == ["DEPOT"]
    assert reason(demo["SHOP"].put, "BILLS", b"x") is None


@pytest.mark.rule("CLU-19", event=False)
def test_records_are_renewed_and_a_partial_repository_keeps_what_it_asked_for():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    first = demo("SHOP", "DISPLAY QCLUSTER(ORDERS) CLUSDATE").rows[0]["CLUSDATE"]
    demo.settle(26 * DAY)
    assert demo("SHOP", "DISPLAY QCLUSTER(ORDERS) CLUSDATE").rows[0]["CLUSDATE"] == first
    demo.settle(2 * DAY)
    assert demo("SHOP", "DISPLAY QCLUSTER(ORDERS) CLUSDATE").rows[0]["CLUSDATE"] > first
    demo.settle(100 * DAY)
    assert demo.instances("SHOP") == ["DEPOT"]
    assert demo.knows("HUB2") == ["DEPOT", "HUB1", "HUB2", "SHOP"]
    assert demo.said("overdue") == []


@pytest.mark.rule("CLU-19")
def test_a_host_that_is_silent_is_overdue_after_thirty_days_and_forgotten_after_ninety():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) LONGTMR(86400)")  # so that few retries are simulated
    demo["SHOP"].put("ORDERS", b"x")
    handle = demo["SHOP"].open("ORDERS", output=True)
    demo.settle()
    demo["DEPOT"].stop()
    demo.settle(31 * DAY)
    assert demo.instances("SHOP") == ["DEPOT"]
    assert {row.facts["name"] for row in demo.said("overdue", "SHOP")} == {"DEPOT", "ORDERS"}
    demo.settle(58 * DAY)
    assert demo.instances("SHOP") == ["DEPOT"]
    demo.settle(2 * DAY)
    assert demo.instances("SHOP") == []
    assert reason(handle.put, b"x") == mq.MQRC_OBJECT_CHANGED
    assert reason(demo["SHOP"].put, "ORDERS", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME


@pytest.mark.rule("CLU-20", event=False)
@pytest.mark.rule("CLU-39")
def test_the_last_instance_that_leaves_makes_2085_of_a_name_and_2270_of_a_handle():
    demo = Demo(queues={"DEPOT": "ORDERS DEFBIND(NOTFIXED)"})
    handle = demo["SHOP"].open("ORDERS", output=True)
    handle.put(b"x")
    demo.settle()
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')")
    assert reason(handle.put, b"x") == mq.MQRC_NO_DESTINATIONS_AVAILABLE
    assert reason(demo["SHOP"].put, "ORDERS", b"x") == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert reason(demo["SHOP"].open, "ORDERS", output=True) == mq.MQRC_UNKNOWN_OBJECT_NAME


# ---- Resolution
@pytest.mark.rule("CLU-21", event=False)
def test_a_local_queue_without_cluster_hides_the_cluster_queue():
    demo = Demo(queues={"DEPOT": "ORDERS", "HUB1": "ORDERS"})
    demo("SHOP", "DEFINE QLOCAL(ORDERS)")
    demo["SHOP"].put("ORDERS", b"here")
    assert demo.depths() == {"HUB1": 0, "DEPOT": 0, "SHOP": 1}


@pytest.mark.rule("CLU-21", event=False)
def test_the_own_name_means_the_local_instance():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS CLWLUSEQ(ANY) DEFBIND(NOTFIXED)"))
    demo("DEPOT", "DEFINE QALIAS(FRONT) TARGET(ORDERS) DEFBIND(NOTFIXED)")
    demo.one_by_one(6, "DEPOT", "ORDERS@DEPOT")
    demo.puts(1, "DEPOT", "ORDERS@DEPOT")
    demo.one_by_one(3, "DEPOT", "FRONT@DEPOT")
    assert demo.depths() == {"HUB1": 0, "HUB2": 0, "DEPOT": 10}
    assert demo.gained(demo.one_by_one, 6, "DEPOT") == dict.fromkeys(THREE, 2)
    assert demo.gained(demo.one_by_one, 3, "DEPOT", "FRONT") == dict.fromkeys(THREE, 1)


@pytest.mark.rule("CLU-22", "CLU-42", event=False)
def test_the_name_of_a_member_is_obeyed_also_for_a_queue_that_is_in_no_cluster():
    demo = Demo(queues=ORDERS)
    demo.change("DEPOT", "DEFINE QLOCAL(PRIVATE)\nSUSPEND QMGR CLUSTER(DEMO)")
    for _ in range(4):
        demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.send(queue="PRIVATE@DEPOT")
    assert demo.depths() == {"HUB1": 0, "HUB2": 0, "DEPOT": 4}
    assert demo.depths("PRIVATE") == {"DEPOT": 1}
    assert reason(demo["SHOP"].put, "ORDERS@NOBODY", b"x") == mq.MQRC_UNKNOWN_REMOTE_Q_MGR


@pytest.mark.rule("CLU-22", event=False)
def test_a_local_transmission_queue_comes_before_the_cluster_and_defxmitq_behind_it():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("SHOP", "DEFINE QLOCAL(WAY.OUT) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(WAY.OUT)")
    demo["SHOP"].put("ORDERS@DEPOT", b"by the cluster")
    demo.send("SHOP", "ORDERS@ELSEWHERE", b"by default")
    assert (demo.depths("ORDERS")["DEPOT"], demo["SHOP"].depth("WAY.OUT")) == (1, 1)
    demo("SHOP", "DEFINE QLOCAL(DEPOT) USAGE(XMITQ)")
    demo["SHOP"].put("ORDERS@DEPOT", b"by its own queue")
    assert demo["SHOP"].depth("DEPOT") == 1


@pytest.mark.rule("CLU-23")
def test_a_queue_that_is_only_elsewhere_can_be_put_to_and_inquired_and_no_more():
    demo = Demo(queues={"DEPOT": "ORDERS DEFBIND(NOTFIXED) DESCR('orders of the day')"})
    shop = demo["SHOP"]
    for access in ({"input": "shared"}, {"browse": True}, {"set": True}, {"input": "shared", "output": True}):
        assert reason(shop.open, "ORDERS", **access) == mq.MQRC_UNKNOWN_OBJECT_NAME
    assert reason(shop.get, "ORDERS") == mq.MQRC_UNKNOWN_OBJECT_NAME
    with shop.open("ORDERS", inquire=True) as handle:
        asked = handle.inquire("DEFBIND", "DEFPSIST", "DEFPRTY", "PUT", "DESCR", "QTYPE")
        assert (asked["DEFBIND"], asked["DESCR"], asked["PUT"]) == ("NOTFIXED", "orders of the day", "ENABLED")
        assert asked["QTYPE"] == "QCLUSTER"
        assert reason(handle.inquire, "CURDEPTH") == mq.MQRC_SELECTOR_NOT_FOR_TYPE


@pytest.mark.rule("CLU-25", "CLU-26", event=False)
@for_each(("bind", "there", "reasons"), (("OPEN", 0, [2082]), ("NOTFIXED", 1, [])))
def test_a_cluster_alias_whose_queue_is_elsewhere(bind, there, reasons):
    demo = Demo(queues={"HUB2": "AUDIT.Q"})
    demo("DEPOT", f"DEFINE QALIAS(AUDIT) TARGET(AUDIT.Q) CLUSTER(DEMO) DEFBIND({bind})")
    demo.change("DEPOT", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    assert demo("HUB1", "DISPLAY QCLUSTER(AUDIT) CLUSQT").rows[0]["CLUSQT"] == "QALIAS"
    with demo["SHOP"].open("AUDIT", output=True) as handle:
        handle.put(b"x")
    demo.settle(30)
    assert demo.depths("AUDIT.Q")["HUB2"] == there
    assert dead(demo, "DEPOT") == reasons


@pytest.mark.rule("CLU-27", "CLU-70", event=False)
def test_a_remote_definition_with_cluster_leads_out_of_the_cluster():
    demo = Demo()
    demo.lab.queue_manager("BANK")
    demo("BANK", "DEFINE QLOCAL(PAYMENTS)")
    demo.outside("DEPOT", "BANK", "(PAY) RNAME(PAYMENTS) CLUSTER(DEMO)")
    demo.settle()
    demo.send("SHOP", "PAY", b"10", seconds=30)
    assert demo["BANK"].depth("PAYMENTS") == 1


@pytest.mark.rule("CLU-28", event=False)
def test_hosts_of_a_queue_manager_alias_share_its_messages():
    demo = Demo(queues={"HUB2": "ORDERS CLUSTER(' ')", "DEPOT": "ORDERS CLUSTER(' ')"})
    for name in ("HUB2", "DEPOT"):
        demo(name, f"DEFINE QREMOTE(STORE) RNAME(' ') RQMNAME({name}) CLUSTER(DEMO)")
    demo.settle()
    demo.one_by_one(6, queue="ORDERS@STORE")
    assert demo.depths() == {"HUB2": 3, "DEPOT": 3}


@pytest.mark.rule("CLU-28", event=False)
def test_a_gateway_shares_messages_from_outside_among_the_instances():
    demo = Demo(queues=dict.fromkeys(("HUB2", "DEPOT"), "ORDERS DEFBIND(NOTFIXED)"))
    outside = demo.lab.queue_manager("BANK")
    demo.lab.link("BANK", "HUB1")
    demo("HUB1", "DEFINE QREMOTE(DEMO.ANY) RNAME(' ') RQMNAME(' ')\nDEFINE CHANNEL(IN) CHLTYPE(RCVR)")
    outside.mqsc("""
        DEFINE QLOCAL(HUB1) USAGE(XMITQ)
        DEFINE CHANNEL(IN) CHLTYPE(SDR) CONNAME(HUB1) XMITQ(HUB1)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEMO.ANY) XMITQ(HUB1)
        START CHANNEL(IN)
        """).require()
    for _ in range(6):
        outside.put("ORDERS", b"x")
    demo.settle()
    assert demo.depths() == {"HUB2": 3, "DEPOT": 3}
    assert reason(demo["HUB1"].put, "NO.SUCH@DEMO.ANY", b"x") == 2085


@pytest.mark.rule("CLU-32", event=False)
def test_the_binding_of_a_local_alias_counts():
    demo = Demo(queues=ORDERS)
    demo("SHOP", "DEFINE QALIAS(FREE) TARGET(ORDERS) DEFBIND(NOTFIXED)\nDEFINE QALIAS(BOUND) TARGET(ORDERS)")
    demo.puts(6, queue="FREE")
    assert demo.depths() == {"HUB1": 2, "HUB2": 2, "DEPOT": 2}
    demo.puts(6, queue="BOUND")
    assert sorted(demo.depths().values()) == [2, 2, 8]


@pytest.mark.rule("CLU-22", event=False)
def test_a_reply_finds_its_way_without_a_definition():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("SHOP", "DEFINE QLOCAL(REPLIES)")
    demo.send(body=b"?", reply_to_q="REPLIES", report=mq.MQRO_COA | mq.MQRO_COD)
    order = demo["DEPOT"].get("ORDERS")
    demo.send("DEPOT", f"{order.reply_to_q}@{order.reply_to_qmgr}", b"!")
    assert demo["SHOP"].depth("REPLIES") == 3
