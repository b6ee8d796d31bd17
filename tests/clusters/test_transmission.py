"""Cluster transmission queues, and the messages on them when a channel fails, stops, or switches."""

import pytest

from clustered import FREE, THREE, Demo, dead, reason
from helpers import for_each
from mqlab.engine.words import constants as mq

ONE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


def tags(demo):
    """The CorrelIds of the messages on the transmission queue of SHOP, as text."""
    return [bytes(one.correl_id).decode().strip() for one in demo["SHOP"].targets[ONE].store.in_order()]


@pytest.mark.rule("CLU-50", "CLU-52")
def test_messages_that_are_not_bound_move_on_when_the_channel_fails_and_bound_ones_wait():
    demo = Demo(queues=FREE)
    demo["SHOP"].put("ORDERS@DEPOT", b"first")
    demo.send(body=b"asks")
    unit = demo["SHOP"].unit_of_work()
    with demo["SHOP"].open("ORDERS", output=True) as handle:
        for _ in range(6):
            handle.put(b"free", persistent=True, unit=unit)
    for _ in range(2):
        demo["SHOP"].put("ORDERS@DEPOT", b"bound", persistent=True, unit=unit)
    demo.lab.cut("SHOP", "DEPOT")
    unit.commit()
    assert demo.gained(demo.settle, 120) == {"HUB1": 3, "HUB2": 3, "DEPOT": 0}
    assert demo.state("SHOP", "TO.DEPOT") == "RETRYING"
    assert tags(demo) == ["TO.DEPOT"] * 2
    demo.lab.restore("SHOP", "DEPOT")
    assert demo.gained(demo.settle, 900)["DEPOT"] == 2


@pytest.mark.rule("CLU-50", event=False)
def test_messages_of_a_channel_that_is_stopped_move_on_too():
    demo = Demo(queues=FREE)
    demo["SHOP"].put("ORDERS", b"x")
    demo.change("SHOP", "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) GET(DISABLED)")
    with demo["SHOP"].open("ORDERS", output=True) as handle:
        for _ in range(6):
            handle.put(b"x")
    demo("SHOP", "STOP CHANNEL(TO.DEPOT)")
    demo.change("SHOP", "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) GET(ENABLED)", 1300)
    assert demo.state("SHOP", "TO.DEPOT") == "STOPPED"
    assert sum(demo.depths().values()) == 7
    assert demo.depths()["DEPOT"] <= 1


@for_each(
    "local",
    "DEFINE QLOCAL(COPIES)\nDEFINE QLOCAL(ORDERS) STREAMQ(COPIES)",
    "DEFINE QLOCAL(HERE)\nDEFINE QALIAS(ORDERS) TARGET(HERE)",
)
def test_messages_stay_when_their_channel_fails_and_their_queue_is_now_defined_here(local):
    demo = Demo(queues={"DEPOT": "ORDERS DEFBIND(NOTFIXED)"})
    demo.send()
    demo.lab.cut("SHOP", "DEPOT")
    demo["SHOP"].put("ORDERS", b"x")
    demo.change("SHOP", local, 120)
    assert demo.state("SHOP", "TO.DEPOT") == "RETRYING"
    assert tags(demo) == ["TO.DEPOT"]


@pytest.mark.rule("CLU-51", event=False)
def test_bound_messages_go_to_the_dead_letter_queue_with_281_when_their_queue_manager_leaves():
    demo = Demo(queues=FREE)
    demo("SHOP", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    demo.send(queue="ORDERS@DEPOT")
    demo.lab.cut("SHOP", "DEPOT")
    demo.send(queue="ORDERS@DEPOT", seconds=60, persistent=True)
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')\nALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.settle(60)
    assert dead(demo, "SHOP") == [mq.MQFB_BIND_OPEN_CLUSRCVR_DEL]


@pytest.mark.rule("CLU-52", event=False)
def test_a_stuck_channel_stops_others_only_when_the_queue_is_full():
    demo = Demo(queues=FREE)
    demo["SHOP"].put("ORDERS", b"x")
    demo("SHOP", f"ALTER QLOCAL({ONE}) MAXDEPTH(3)")
    demo.lab.cut("SHOP", "DEPOT")
    for _ in range(3):
        demo["SHOP"].put("ORDERS@DEPOT", b"x")
        demo["SHOP"].put("ORDERS@HUB1", b"x") if demo["SHOP"].depth(ONE) < 3 else None
        demo.settle(1)
    assert reason(demo["SHOP"].put, "ORDERS@HUB1", b"x") == mq.MQRC_Q_FULL


@pytest.mark.rule("CLU-53", event=False)
@for_each(("words", "state"), (("", "STOPPED"), ("STATUS(INACTIVE)", "RUNNING")))
def test_a_channel_that_was_stopped_by_hand_stays_so(words, state):
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.send()
    demo.change("SHOP", f"STOP CHANNEL(TO.DEPOT) {words}")
    demo.send(seconds=60)
    assert demo.state("SHOP", "TO.DEPOT") == state
    demo("SHOP", "START CHANNEL(TO.DEPOT)") if words == "" else None
    demo.settle()
    assert demo.depths() == {"DEPOT": 2}


@pytest.mark.rule("CLU-54", event=False)
def test_defclxq_channel_gives_each_channel_a_queue_of_its_own():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("SHOP", "ALTER QMGR DEFCLXQ(CHANNEL)")
    demo.send()
    own = "SYSTEM.CLUSTER.TRANSMIT.TO.DEPOT"
    assert demo("SHOP", "DISPLAY CHSTATUS(TO.DEPOT) XMITQ").rows[0]["XMITQ"] == own
    assert demo("SHOP", f"DISPLAY QLOCAL({own}) DEFTYPE USAGE").rows[0]["DEFTYPE"] == "PERMDYN"
    rows = {row["CLUSQMGR"]: row["XMITQ"] for row in demo.members("SHOP")}
    assert (rows["DEPOT"], rows["HUB1"]) == (own, ONE)  # the channel to HUB1 has not started again


@pytest.mark.rule("CLU-55", event=False)
def test_the_most_specific_clchname_counts():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo(
        "SHOP",
        "DEFINE QLOCAL(ALL) USAGE(XMITQ) CLCHNAME('*')\nDEFINE QLOCAL(SOME) USAGE(XMITQ) CLCHNAME('TO.D*')\n"
        "ALTER QMGR DEFCLXQ(CHANNEL)",
    )
    demo.send()
    assert demo("SHOP", "DISPLAY CHSTATUS(TO.DEPOT) XMITQ").rows[0]["XMITQ"] == "SOME"
    assert demo.depths() == {"DEPOT": 1}


@pytest.mark.rule("CLU-56")
def test_a_channel_switches_its_queue_when_it_next_starts_and_keeps_the_order():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.send(body=b"0")
    demo("SHOP", "DEFINE QLOCAL(TO.DEPOT.Q) USAGE(XMITQ) CLCHNAME('TO.DEPOT')")
    demo.send(body=b"1")
    shown = lambda: demo("SHOP", "DISPLAY CLUSQMGR(DEPOT) XMITQ").rows[0]["XMITQ"]  # noqa: E731
    assert shown() == ONE
    demo.change("SHOP", "STOP CHANNEL(TO.DEPOT)")
    for count in range(2, 5):
        demo["SHOP"].put("ORDERS", f"{count}")
    assert demo["SHOP"].depth(ONE) == 3
    demo("SHOP", "START CHANNEL(TO.DEPOT)")
    demo.send(body=b"5")
    demo.send(body=b"6")
    assert shown() == "TO.DEPOT.Q"
    assert [demo["DEPOT"].get("ORDERS").body for _ in range(7)] == [f"{count}".encode() for count in range(7)]


def test_a_backed_out_put_leaves_nothing_and_a_committed_one_arrives():
    demo = Demo(queues=FREE)
    for end, arrived in (("backout", 0), ("commit", 1)):
        unit = demo["SHOP"].unit_of_work()
        for _ in range(3):
            demo["SHOP"].put("ORDERS", b"x", unit=unit)
        demo.settle()
        assert set(demo.depths().values()) == {0}
        getattr(unit, end)()
        demo.settle()
        assert (set(demo.depths().values()), demo["SHOP"].depth(ONE)) == ({arrived}, 0)


def test_a_message_expires_on_the_cluster_transmission_queue():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.send()
    demo.lab.cut("SHOP", "DEPOT")
    demo.send(seconds=30, expiry=100)
    demo.lab.restore("SHOP", "DEPOT")
    demo.settle(900)
    assert demo.depths() == {"DEPOT": 1}


def test_what_a_restart_keeps():
    demo = Demo(queues=FREE)
    demo.send(persistent=True)
    demo.lab.cut("SHOP", "DEPOT")
    demo["SHOP"].put("ORDERS@DEPOT", b"x", persistent=True)
    demo["SHOP"].fail()
    demo["SHOP"].start()
    assert demo.instances("SHOP") == sorted(THREE)
    demo.lab.restore("SHOP", "DEPOT")
    demo.send(seconds=900, persistent=True)
    assert sum(demo.depths().values()) == 3
    demo.change("HUB1", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    rows = demo("SHOP", "DISPLAY QCLUSTER(ORDERS) CLUSQMGR PUT").rows
    assert {row["CLUSQMGR"]: row["PUT"] for row in rows}["HUB1"] == "DISABLED"
    for name in demo.names:
        demo[name].stop()
        demo[name].start()
    demo.settle(1500)
    assert demo.knows("HUB2") == sorted(demo.names)
    demo.queue("DEPOT", "LATER")
    demo.settle()
    assert demo.instances("HUB2", "LATER") == ["DEPOT"]
