"""How queue managers join a cluster and leave it, and what DISPLAY CLUSQMGR shows of that."""

import pytest

from clustered import Demo, reason
from helpers import for_each, made
from mqlab import Lab


def deftypes(demo, name):
    return {row["CLUSQMGR"]: (row["DEFTYPE"], row["QMTYPE"]) for row in demo.members(name)}


@pytest.mark.rule("CLU-01", "CLU-03", "CLU-08", "CLU-09", "CLU-11", event=False)
@pytest.mark.rule("CLU-05")
def test_four_queue_managers_join_by_two_channels_each():
    demo = Demo()
    assert deftypes(demo, "SHOP") == {
        "SHOP": ("CLUSRCVR", "NORMAL"),
        "HUB1": ("CLUSSDRB", "REPOS"),
        "HUB2": ("CLUSSDRA", "REPOS"),
    }
    assert deftypes(demo, "HUB1") == {
        "HUB1": ("CLUSRCVR", "REPOS"),
        "HUB2": ("CLUSSDRB", "REPOS"),
        "DEPOT": ("CLUSSDRA", "NORMAL"),
        "SHOP": ("CLUSSDRA", "NORMAL"),
    }
    assert demo.state("SHOP", "TO.HUB1") == "RUNNING"  # nobody started it
    assert demo.depths("SYSTEM.CLUSTER.COMMAND.QUEUE", *demo.names) == dict.fromkeys(demo.names, 0)
    own = [row["CHANNEL"] for row in demo("SHOP", "DISPLAY CHANNEL(*) WHERE(CLUSTER EQ DEMO)").rows]
    assert sorted(own) == ["TO.HUB1", "TO.SHOP"]
    (depot,) = demo("HUB1", "DISPLAY CLUSQMGR(DEPOT) QMID").rows
    assert depot["QMID"] == demo["DEPOT"].attributes["QMID"]


@pytest.mark.rule("CLU-01", event=False)
def test_a_namelist_makes_a_full_repository_and_a_member_of_several_clusters():
    demo = Demo(full=("HUB1",), partial=())
    demo("HUB1", "DEFINE NAMELIST(BOTH) NAMES(DEMO, OTHER)\nALTER QMGR REPOS(' ') REPOSNL(BOTH)")
    demo.change("HUB1", "ALTER CHANNEL(TO.HUB1) CHLTYPE(CLUSRCVR) CLUSTER(' ') CLUSNL(BOTH)")
    assert [(row["CLUSTER"], row["QMTYPE"]) for row in demo.members("HUB1")] == [("DEMO", "REPOS"), ("OTHER", "REPOS")]
    assert not demo["HUB1"].mqsc("ALTER QMGR REPOS(DEMO)").ok  # one of the two must be blank


@pytest.mark.rule("CLU-03", event=False)
@for_each("defined", ("CLUSRCVR", "CLUSSDR"))
def test_one_channel_alone_joins_nothing(defined):
    demo = Demo(partial=())
    demo.lab.queue_manager("NEW")
    demo.lab.link("NEW", "HUB1", latency=0.01)
    demo.join("NEW", None) if defined == "CLUSRCVR" else demo.sender("NEW", "HUB1")
    demo.settle(60)
    assert demo.knows("HUB1") == ["HUB1", "HUB2"]
    assert demo.instances("NEW") == []


@pytest.mark.rule("CLU-04")
@pytest.mark.rule("CLU-12", event=False)
@for_each(
    ("platform", "name"), (("distributed", "SYSTEM.TEMPUUID.depot(1414)"), ("zos", "SYSTEM.TEMPQMGR.depot(1414)"))
)
def test_a_clussdr_to_a_partial_repository_joins_nothing_until_it_points_to_a_full_one(platform, name):
    demo = Demo(full=("HUB1", "HUB2"), partial=("DEPOT",))
    demo.lab.queue_manager("NEW", platform=platform)
    for other in demo.names:
        demo.lab.link("NEW", other, latency=0.01)
    demo.join("NEW", "DEPOT")
    demo.settle(30)
    assert demo.knows("NEW") == ["NEW", name]
    assert "NEW" not in demo.knows("HUB1") + demo.knows("DEPOT")
    assert [row.object for row in demo.said("refused", "DEPOT")] == ["DEMO"]
    demo.change("NEW", "STOP CHANNEL(TO.DEPOT)")
    demo("NEW", "DELETE CHANNEL(TO.DEPOT)")
    demo.sender("NEW", "HUB1")
    demo.settle(30)
    assert demo.knows("NEW") == ["HUB1", "HUB2", "NEW"]
    assert "NEW" in demo.knows("HUB2")


@pytest.mark.rule("CLU-02", event=False)
def test_full_repositories_without_a_channel_between_them_do_not_tell_each_other():
    demo = Demo()
    demo("HUB1", "STOP CHANNEL(TO.HUB2)\nDELETE CHANNEL(TO.HUB2)")
    demo("HUB2", "STOP CHANNEL(TO.HUB1)\nDELETE CHANNEL(TO.HUB1)")
    demo.lab.queue_manager("NEW")
    demo.lab.link("NEW", "HUB1", latency=0.01)
    demo.join("NEW", "HUB1")
    demo.settle(30)
    assert "NEW" in demo.knows("HUB1")
    assert "NEW" not in demo.knows("HUB2")
    demo.sender("HUB1", "HUB2")
    demo.settle(30)
    assert "NEW" in demo.knows("HUB2")


@pytest.mark.rule("CLU-06", event=False)
def test_a_member_tells_two_full_repositories_and_another_one_if_one_fails():
    demo = Demo(full=("HUB1", "HUB2", "HUB3"), partial=("DEPOT",))
    assert demo.state("DEPOT", "TO.HUB3") == "INACTIVE"
    demo.lab.cut("DEPOT", "HUB1")
    demo.settle(900)
    demo.queue("DEPOT", "ORDERS")
    demo.settle(60)
    assert demo.instances("HUB3") == ["DEPOT"]
    assert demo.instances("HUB1") == ["DEPOT"]  # from another full repository


@pytest.mark.rule("CLU-10", event=False)
def test_a_channel_that_was_defined_automatically_is_no_object_and_has_the_attributes_of_the_clusrcvr():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.send(body=b"order")
    assert demo["SHOP"].mqsc("DISPLAY CHANNEL(TO.DEPOT)").replies[0].code == "AMQ8147E"
    assert not demo["SHOP"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSSDR) BATCHSZ(7)").ok
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) BATCHSZ(7)")
    shown = lambda: demo("SHOP", "DISPLAY CHSTATUS(TO.DEPOT) BATCHSZ").rows[0]["BATCHSZ"]  # noqa: E731
    assert shown() == 50
    demo.change("SHOP", "STOP CHANNEL(TO.DEPOT)")
    demo.change("SHOP", "PING CHANNEL(TO.DEPOT)\nRESET CHANNEL(TO.DEPOT)\nSTART CHANNEL(TO.DEPOT)")
    assert shown() == 7


@pytest.mark.rule("CLU-12", event=False)
def test_a_manual_clussdr_shows_a_temporary_name_until_its_other_end_answers():
    demo = Demo(full=("HUB1",), partial=("SHOP",), ready=0)
    (row,) = [row for row in demo.members("SHOP") if row["CLUSQMGR"] == "SYSTEM.TEMPUUID.hub1(1414)"]
    assert (row["DEFTYPE"], row["CHANNEL"], row["CONNAME"]) == ("CLUSSDR", "TO.HUB1", "hub1(1414)")
    demo.settle()
    assert deftypes(demo, "SHOP")["HUB1"] == ("CLUSSDRB", "REPOS")


@pytest.mark.rule("CLU-61", event=False)
def test_a_member_that_leaves_in_the_right_order_is_forgotten():
    demo = Demo(queues={"DEPOT": "ORDERS", "HUB1": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"order")
    demo.change("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    assert {row["CLUSQMGR"]: row["SUSPEND"] for row in demo.members("SHOP")}["DEPOT"] == "YES"
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')\nALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    assert "DEPOT" not in demo.knows("HUB1") + demo.knows("HUB2") + demo.knows("SHOP")
    assert demo["HUB1"].mqsc("DISPLAY CLUSQMGR(DEPOT)").replies[0].code == "AMQ8147E"
    demo.change("DEPOT", "STOP CHANNEL(TO.HUB1)\nSTOP CHANNEL(TO.DEPOT)")
    demo("DEPOT", "DELETE CHANNEL(TO.HUB1)\nDELETE CHANNEL(TO.DEPOT)")
    assert reason(demo["DEPOT"].put, "ORDERS", b"stays") is None


@pytest.mark.rule("CLU-61", "CLU-19")
def test_a_member_whose_clusrcvr_is_deleted_first_is_a_ghost_for_ninety_days():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) LONGTMR(86400)")
    demo.change("DEPOT", "STOP CHANNEL(TO.DEPOT)\nDELETE CHANNEL(TO.DEPOT)")
    assert "DEPOT" in demo.knows("HUB1")
    demo.settle(40 * 24 * 3600)
    assert "DEPOT" in demo.knows("HUB1")
    assert "DEPOT" in [row.facts["name"] for row in demo.said("overdue", "HUB1")]
    demo.settle(51 * 24 * 3600)
    assert "DEPOT" not in demo.knows("HUB1") + demo.knows("HUB2")
    assert sorted(demo.knows("HUB1")) == ["HUB1", "HUB2", "SHOP"]


def test_a_member_shows_itself_before_time_passes():
    qmgr = made("DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME('qm1') CLUSTER(DEMO)")
    (row,) = qmgr.mqsc("DISPLAY CLUSQMGR(*) DEFTYPE QMTYPE").rows
    assert (row["CLUSQMGR"], row["DEFTYPE"], row["QMTYPE"]) == ("QM1", "CLUSRCVR", "NORMAL")


def test_a_clusrcvr_without_a_conname_says_its_own_address():
    lab = Lab()
    hub = made("ALTER QMGR REPOS(DEMO)\nDEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSRCVR) CLUSTER(DEMO)", "HUB", lab)
    shop = made("DEFINE CHANNEL(TO.SHOP) CHLTYPE(CLUSRCVR) CLUSTER(DEMO)", "SHOP", lab)
    lab.link("HUB", "SHOP")
    lab.address("shop.example(1500)", "SHOP")
    shop.mqsc("DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSSDR) CONNAME('hub') CLUSTER(DEMO)").require()
    lab.advance(5)
    shown = hub.mqsc("DISPLAY CLUSQMGR(SHOP) CONNAME STATUS").rows
    assert [(row["CONNAME"], row["STATUS"]) for row in shown] == [("shop.example(1500)", "RUNNING")]
    assert shop.mqsc("DISPLAY CLUSQMGR(HUB) CONNAME").rows[0]["CONNAME"] == "HUB(1414)"
