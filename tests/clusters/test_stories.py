"""The story of an order that goes somewhere, step by step, and faults of clusters with their repairs."""

from clustered import Demo, dead, reason
from mqlab.engine.words import constants as mq

THREE = ("HUB1", "HUB2", "DEPOT")
ORDERS = dict.fromkeys(THREE, "ORDERS")


def gained(demo, act):
    """How many messages each instance has after an act, and did not have before."""
    before = demo.depths("ORDERS", *THREE)
    act()
    demo.settle()
    return {name: depth - before[name] for name, depth in demo.depths("ORDERS", *THREE).items()}


def handle_puts(demo, name, number, queue="ORDERS"):
    """Put over one handle."""

    def act():
        with demo[name].open(queue, output=True) as handle:
            for _ in range(number):
                handle.put(b"order", persistent=True)

    return act


def one_by_one(demo, name, number, queue="ORDERS"):
    """Put by MQPUT1."""
    return lambda: [demo[name].put(queue, b"order", persistent=True) for _ in range(number)]


def test_the_story_of_the_next_order():
    demo = Demo(queues=ORDERS)
    # 1 three definitions, and a put
    assert sum(gained(demo, one_by_one(demo, "SHOP", 1)).values()) == 1
    assert [row.facts["did"] for row in demo.said("asked", "SHOP") + demo.said("found", "SHOP")] == ["asked", "found"]
    # 2 and 3 one handle, and then put by put
    assert sorted(gained(demo, handle_puts(demo, "SHOP", 10)).values()) == [0, 0, 10]
    assert sorted(gained(demo, one_by_one(demo, "SHOP", 10)).values()) == [3, 3, 4]
    # 4 NOTFIXED
    for name in THREE:
        demo(name, "ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)")
    demo.settle()
    assert gained(demo, handle_puts(demo, "SHOP", 9)) == dict.fromkeys(THREE, 3)
    # 5 the program moves to DEPOT
    assert gained(demo, handle_puts(demo, "DEPOT", 9)) == {"HUB1": 0, "HUB2": 0, "DEPOT": 9}
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)")
    assert gained(demo, handle_puts(demo, "DEPOT", 9)) == dict.fromkeys(THREE, 3)
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLUSEQ(QMGR)")
    # 6 a cut link: those that are not bound move on, bound ones wait
    demo.lab.cut("SHOP", "DEPOT")
    one_by_one(demo, "SHOP", 1, "ORDERS@DEPOT")()
    found = gained(demo, handle_puts(demo, "SHOP", 8))
    assert found == {"HUB1": 4, "HUB2": 4, "DEPOT": 0}
    waiting = demo["SHOP"].browse("SYSTEM.CLUSTER.TRANSMIT.QUEUE")
    assert waiting.correl_id.rstrip(b" \0") == b"TO.DEPOT"
    # 7 a priority against a rank
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLPRTY(9)")
    demo.settle()
    assert gained(demo, handle_puts(demo, "SHOP", 4)) == {"HUB1": 2, "HUB2": 2, "DEPOT": 0}
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLPRTY(0) CLWLRANK(9)")
    demo.settle()
    assert sum(gained(demo, handle_puts(demo, "SHOP", 4)).values()) == 0
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLRANK(0)")
    demo.lab.restore("SHOP", "DEPOT")
    assert gained(demo, lambda: demo.settle(1500))["DEPOT"] == 5
    # 8 a full queue
    demo(
        "HUB2",
        f"DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) MAXDEPTH({demo['HUB2'].depth('ORDERS')})",
    )
    demo.settle()
    found = gained(demo, handle_puts(demo, "SHOP", 9))
    demo.settle(60)
    assert found == {"HUB1": 3, "HUB2": 0, "DEPOT": 3}
    assert dead(demo, "HUB2") == [mq.MQRC_Q_FULL] * 3
    # 9 both hubs stop
    for hub in demo.full:
        demo[hub].stop()
    assert reason(demo["SHOP"].put, "ORDERS", b"x") is None
    before = demo.lab.now_us
    assert reason(demo["SHOP"].put, "NEW", b"x") == mq.MQRC_CLUSTER_RESOLUTION_ERROR
    assert demo.lab.now_us - before == 10_000_000
    for hub in demo.full:
        demo[hub].start()
    demo.settle(1500)
    # 10 a suspended member that is named
    demo("HUB2", "ALTER QLOCAL(ORDERS) MAXDEPTH(5000)")
    demo("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    demo.settle()
    assert gained(demo, handle_puts(demo, "SHOP", 4))["DEPOT"] == 0
    assert gained(demo, handle_puts(demo, "SHOP", 4, "ORDERS@DEPOT"))["DEPOT"] == 4


def test_e1_one_instance_has_all():
    demo = Demo(queues=ORDERS)
    with demo["SHOP"].open("ORDERS", output=True) as handle:
        for _ in range(6):
            handle.put(b"x")
        demo.settle()
        assert sorted(demo.depths().values()) == [0, 0, 6]
        for name in THREE:
            demo(name, "ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)")
        demo.settle()
        assert max(gained(demo, lambda: [handle.put(b"x") for _ in range(6)]).values()) == 6  # the old handle
    assert gained(demo, handle_puts(demo, "SHOP", 6)) == dict.fromkeys(THREE, 2)


def test_e3_everybody_retries_to_a_host_that_can_send():
    demo = Demo(queues={"DEPOT": "ORDERS", "HUB1": "BILLS"})
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('wrong(1414)')")
    demo.settle(200)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo["DEPOT"].put("BILLS@HUB1", b"x")
    demo.settle(60)
    assert demo.state("SHOP", "TO.DEPOT") == "RETRYING"
    assert demo.depths("BILLS") == {"HUB1": 1}
    demo("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('depot(1414)')")
    demo.settle(120)
    assert demo.depths() == {"DEPOT": 1}


def test_e5_messages_wait_though_another_host_is_free():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED)"))
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLRANK(5)")
    demo.settle()
    demo.lab.cut("SHOP", "DEPOT")
    assert sum(gained(demo, handle_puts(demo, "SHOP", 4)).values()) == 0
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLRANK(0) CLWLPRTY(5)")
    demo.settle()
    assert gained(demo, handle_puts(demo, "SHOP", 4)) == {"HUB1": 2, "HUB2": 2, "DEPOT": 0}
    demo.settle(300)  # those that waited are chosen again when the channel fails again
    assert sum(demo.depths().values()) == 8
