"""Questions that people ask about clusters, and faults with their repairs; tests of rules answer 23 of 25 questions."""

import pytest

from clustered import FREE, ORDERS, THREE, Demo


@pytest.mark.rule("CLU-59")
def test_17_two_qmids_for_one_queue_manager():
    demo = Demo(queues=ORDERS)
    old = demo["DEPOT"].attributes["QMID"]
    manager, new = demo["HUB1"].kept["clusters"], "DEPOT_2025-02-02_02.02.02"
    [record] = manager.repository.named("QMGR", "DEPOT")
    # what a queue manager that was created again under the name DEPOT says of itself
    told = record.told() | {"qmid": new, "facts": record.facts | {"channel": "NEW.DEPOT"}}
    manager.later(lambda: manager.on_record(new, told))
    demo.settle()
    assert len(demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows) == 2
    demo.change("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT)")
    assert len(demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows) == 2  # which of them?
    demo.change("HUB1", f"RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMID('{old}')")
    assert [row["QMID"] for row in demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows] == [new]


def test_20_what_happens_to_messages_when_their_host_dies():
    demo = Demo(queues=FREE)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.puts(3)
    unit = demo["SHOP"].unit_of_work()
    with demo["SHOP"].open("ORDERS", output=True) as free:
        for _ in range(3):
            free.put(b"free", persistent=True, unit=unit)
    demo["SHOP"].put("ORDERS@DEPOT", b"bound", persistent=True, unit=unit)
    demo["DEPOT"].fail()
    unit.commit()
    demo.settle(120)
    assert sum(demo.depths("ORDERS", "HUB1", "HUB2").values()) == 5
    assert demo["SHOP"].depth("SYSTEM.CLUSTER.TRANSMIT.QUEUE") == 1


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
