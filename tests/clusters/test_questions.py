"""Questions that people ask about clusters, each answered by a lab; the tests of the rules answer 23 of the 25."""

import pytest

from clustered import FREE, ORDERS, Demo


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
