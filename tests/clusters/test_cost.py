"""What a cluster costs: as many messages for many queues as for few, and nothing where there is no cluster."""

from clustered import Demo
from mqlab import Lab


def messages(queues):
    """How many messages repository managers got, with so many queues on two members."""
    demo = Demo(ready=0)
    for name in ("DEPOT", "HUB2"):
        for number in range(queues):
            demo.queue(name, f"{name}.{number}")
    demo.settle()
    assert len(demo("HUB1", "DISPLAY QCLUSTER(*)").rows) == 2 * queues
    got = [row for row in demo.lab.events if row.kind == "get" and row.object == "SYSTEM.CLUSTER.COMMAND.QUEUE"]
    return len(got)


def test_many_queues_are_learned_with_as_many_messages_as_few():
    assert messages(40) == messages(1)


def test_attributes_of_clusters_alone_start_no_repository_manager():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS) CLUSTER(DEMO) DEFBIND(NOTFIXED)\nDEFINE QALIAS(A) TARGET(ORDERS) CLUSTER(DEMO)")
    qm.put("ORDERS", b"x")
    qm.put("A", b"x")
    lab.advance(3600)
    assert qm.depth("ORDERS") == 2
    assert not [row for row in lab.events if row.kind == "cluster" or row.program == "REPOSITORY.MANAGER"]
    assert not qm.mqsc("DISPLAY CLUSQMGR(*)").ok
