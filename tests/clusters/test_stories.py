"""The story of an order that goes somewhere, step by step, and faults of clusters with their repairs."""

from clustered import FREE, ORDERS, THREE, Demo, dead, reason
from mqlab.engine.words import constants as mq


def test_the_story_of_the_next_order():
    demo = Demo(queues=ORDERS)
    # 1 three definitions, and a put
    assert sum(demo.gained(demo.one_by_one, 1).values()) == 1
    assert [row.facts["did"] for row in demo.said("asked", "SHOP") + demo.said("found", "SHOP")] == ["asked", "found"]
    # 2 and 3 one handle, and then put by put
    assert sorted(demo.gained(demo.puts, 10).values()) == [0, 0, 10]
    assert sorted(demo.gained(demo.one_by_one, 10).values()) == [3, 3, 4]
    # 4 NOTFIXED
    for name in THREE:
        demo(name, "ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)")
    demo.settle()
    assert demo.gained(demo.puts, 9) == dict.fromkeys(THREE, 3)
    # 5 the program moves to DEPOT
    assert demo.gained(demo.puts, 9, "DEPOT") == {"HUB1": 0, "HUB2": 0, "DEPOT": 9}
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)")
    assert demo.gained(demo.puts, 9, "DEPOT") == dict.fromkeys(THREE, 3)
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLUSEQ(QMGR)")
    # 6 a cut link: those that are not bound move on, bound ones wait
    demo.lab.cut("SHOP", "DEPOT")
    demo["SHOP"].put("ORDERS@DEPOT", b"bound", persistent=True)
    assert demo.gained(demo.puts, 8) == {"HUB1": 4, "HUB2": 4, "DEPOT": 0}
    assert demo["SHOP"].browse("SYSTEM.CLUSTER.TRANSMIT.QUEUE").correl_id.rstrip(b" \0") == b"TO.DEPOT"
    # 7 a priority against a rank
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) CLWLPRTY(9)")
    assert demo.gained(demo.puts, 4) == {"HUB1": 2, "HUB2": 2, "DEPOT": 0}
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) CLWLPRTY(0) CLWLRANK(9)")
    assert sum(demo.gained(demo.puts, 4).values()) == 0
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLWLRANK(0)")
    demo.lab.restore("SHOP", "DEPOT")
    assert demo.gained(demo.settle, 1500)["DEPOT"] == 5
    # 8 a full queue
    demo(
        "HUB2",
        f"DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) MAXDEPTH({demo['HUB2'].depth('ORDERS')})",
    )
    demo.settle()
    found = demo.gained(demo.puts, 9)
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
    demo.change("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    assert demo.gained(demo.puts, 4)["DEPOT"] == 0
    assert demo.gained(demo.puts, 4, "SHOP", "ORDERS@DEPOT")["DEPOT"] == 4


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
        for _ in range(6):
            handle.put(b"x")
        assert max(demo.gained(demo.settle).values()) == 6  # the old handle
    assert demo.gained(demo.puts, 6) == dict.fromkeys(THREE, 2)


def test_e3_everybody_retries_to_a_host_that_can_send():
    demo = Demo(queues={"DEPOT": "ORDERS", "HUB1": "BILLS"})
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('wrong(1414)')", 200)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.send("DEPOT", "BILLS@HUB1", seconds=60)
    assert demo.state("SHOP", "TO.DEPOT") == "RETRYING"
    assert demo.depths("BILLS") == {"HUB1": 1}
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('depot(1414)')", 120)
    assert demo.depths() == {"DEPOT": 1}


def test_e5_messages_wait_though_another_host_is_free():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLRANK(5)"})
    demo.lab.cut("SHOP", "DEPOT")
    assert sum(demo.gained(demo.puts, 4).values()) == 0
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) CLWLRANK(0) CLWLPRTY(5)")
    assert demo.gained(demo.puts, 4) == {"HUB1": 2, "HUB2": 2, "DEPOT": 0}
    demo.settle(300)  # those that waited are chosen again when the channel fails again
    assert sum(demo.depths().values()) == 8
