"""SUSPEND, RESUME, REFRESH, RESET, and displays of clusters; channels of one name; system queues that do not work."""

import pytest

from clustered import ORDERS, THREE, Demo, reason
from helpers import assert_refused, for_each
from mqlab.engine.queue_manager import QueueManager
from mqlab.engine.words import constants as mq

DAY = 24 * 3600


@pytest.mark.rule("CLU-57", event=False)
def test_suspend_is_told_to_all_and_force_ends_the_channels():
    demo = Demo(queues=ORDERS)
    demo.send(queue="ORDERS@DEPOT")
    reply = demo.change("DEPOT", "SUSPEND QMGR CLUSTER(DEMO) MODE(FORCE)")
    suspended = {row["CLUSQMGR"]: row["SUSPEND"] for row in demo.members("SHOP")}
    assert suspended == {"SHOP": "NO", "HUB1": "NO", "HUB2": "NO", "DEPOT": "YES"}
    assert "AMQ8557I: SUSPEND QMGR accepted." in str(reply)
    assert "AMQ8558I: RESUME QMGR accepted." in str(demo.change("DEPOT", "RESUME QMGR CLUSTER(DEMO)"))
    assert {row["SUSPEND"] for row in demo.members("SHOP")} == {"NO"}
    demo.change("DEPOT", "DEFINE NAMELIST(MINE) NAMES(DEMO)\nSUSPEND QMGR CLUSNL(MINE)")
    assert {row["CLUSQMGR"]: row["SUSPEND"] for row in demo.members("HUB2")}["DEPOT"] == "YES"


def test_commands_about_a_cluster_without_this_queue_manager_are_refused():
    demo = Demo()
    shop = demo["SHOP"]
    assert_refused(shop, "SUSPEND QMGR CLUSTER(OTHER)", "AMQ8000E", "SHOP is no member of cluster OTHER")
    assert_refused(shop, "REFRESH CLUSTER(OTHER)", "AMQ8000E", "SHOP is no member of cluster OTHER")
    wanted = "SHOP is no full repository of cluster DEMO"
    assert_refused(shop, "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT)", "AMQ8000E", wanted)
    assert_refused(shop, "DISPLAY CLUSQMGR(NOBODY)", "AMQ8147E", "as far as SHOP knows")


@pytest.mark.rule("CLU-58")
@for_each("repos", ("NO", "YES"))
def test_refresh_forgets_and_learns_again(repos):
    demo = Demo(queues=ORDERS)
    demo.send()
    demo.change("SHOP", f"REFRESH CLUSTER(DEMO) REPOS({repos})", 30)
    assert demo.knows("SHOP") == ["HUB1", "HUB2", "SHOP"]
    assert demo.instances("SHOP") == []
    assert reason(demo["SHOP"].put, "ORDERS", b"x") is None
    assert demo.instances("SHOP") == sorted(THREE)
    assert demo["SHOP"].depth("SYSTEM.CLUSTER.HISTORY.QUEUE") == 1


@pytest.mark.rule("CLU-58")
def test_handles_after_a_refresh_fail_until_the_answers_come():
    demo = Demo(queues=ORDERS)
    bound = demo["SHOP"].open("ORDERS", output=True)
    free = demo["SHOP"].open("ORDERS", output=True, options=mq.MQOO_BIND_NOT_FIXED)
    demo.settle()
    demo.change("SHOP", "REFRESH CLUSTER(DEMO)", 0.001)
    assert reason(bound.put, b"x") == mq.MQRC_OBJECT_CHANGED
    assert reason(free.put, b"x") == mq.MQRC_NO_DESTINATIONS_AVAILABLE
    demo.settle()
    assert reason(free.put, b"x") is None
    assert reason(bound.put, b"x") == mq.MQRC_OBJECT_CHANGED


@pytest.mark.rule("CLU-19")
def test_capexpry_on_the_transmission_queue_breaks_the_renewal():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.change("DEPOT", "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) CAPEXPRY(100)", 27 * DAY - 3600)
    for hub in demo.full:
        demo.lab.cut("DEPOT", hub)
    demo.settle(2 * 3600)
    for hub in demo.full:
        demo.lab.restore("DEPOT", hub)
    demo.settle(4 * DAY)
    assert {row.facts["name"] for row in demo.said("overdue", "HUB1")} == {"DEPOT", "ORDERS"}


@pytest.mark.rule("CLU-58")
def test_refresh_at_a_full_repository_keeps_members_and_learns_their_queues_again():
    demo = Demo(queues=ORDERS)
    demo.change("HUB1", "REFRESH CLUSTER(*) REPOS(YES)")
    assert demo.said("not-refreshed", "HUB1")
    demo.change("HUB1", "REFRESH CLUSTER(DEMO)", 30)
    assert demo.knows("HUB1") == sorted(demo.names)
    assert demo.instances("HUB1") == sorted(THREE)


@pytest.mark.rule("CLU-59")
def test_forceremove_removes_a_ghost_everywhere_and_refresh_brings_a_member_back():
    demo = Demo(queues=ORDERS)
    demo.send()
    demo.change("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(YES)")
    assert [name for name in ("HUB1", "HUB2", "SHOP") if "DEPOT" in demo.knows(name)] == []
    assert demo.instances("SHOP") == ["HUB1", "HUB2"]
    assert "DEPOT" in demo.knows("DEPOT")  # it still thinks that it is a member
    demo.settle(20)
    demo.change("DEPOT", "REFRESH CLUSTER(DEMO)", 30)
    assert "DEPOT" in demo.knows("HUB1") and "DEPOT" in demo.knows("HUB2")  # noqa: PT018
    assert demo.instances("HUB2") == sorted(THREE)


@pytest.mark.rule("CLU-60", event=False)
def test_displays_of_cluster_queues():
    demo = Demo(queues=ORDERS)
    reply = demo("HUB1", "DISPLAY QCLUSTER(ORDERS) CLUSQMGR CLUSTER PUT DEFBIND")
    assert "AMQ8409I" in str(reply)
    assert "TYPE(QCLUSTER)" in str(reply)
    assert len(reply.rows) == 3
    local, *both = demo("HUB1", "DISPLAY QUEUE(ORDERS) CLUSINFO CLUSTER CLUSQMGR").rows
    assert {(row["TYPE"], row["CLUSTER"]) for row in both} == {("QCLUSTER", "DEMO")}
    assert (local["TYPE"], sorted(row["CLUSQMGR"] for row in both)) == ("QLOCAL", sorted(THREE))
    assert len(demo("HUB1", "DISPLAY QCLUSTER(*) WHERE(CLUSQMGR EQ DEPOT)").rows) == 1
    assert len(demo("HUB1", "DISPLAY QUEUE(*) TYPE(QCLUSTER)").rows) == 3
    assert "AMQ8441I" in str(demo("HUB1", "DISPLAY CLUSQMGR(*)"))
    shop = {"CHANNEL": "TO.SHOP", "CLUSTER": "DEMO", "QMTYPE": "NORMAL", "CONNAME": "shop(1414)", "VERSION": "09040000"}
    assert demo("HUB1", "DISPLAY CLUSQMGR(SHOP) ALL").rows[0].items() >= shop.items()
    assert demo("SHOP", "DISPLAY CHSTATUS(TO.SHOP) CHLTYPE RQMNAME").rows[0]["CHLTYPE"] == "CLUSRCVR"


@pytest.mark.rule("CLU-63", event=False)
def test_the_later_of_two_clusrcvrs_of_one_name_replaces_the_earlier():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.change("SHOP", "ALTER CHANNEL(TO.SHOP) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.join("SHOP", None, channel="TO.DEPOT")
    demo.settle()
    assert "DEPOT" not in demo.knows("HUB1")
    assert "SHOP" in demo.knows("HUB1")
    demo.change("SHOP", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.change("DEPOT", "REFRESH CLUSTER(DEMO)")
    assert "DEPOT" in demo.knows("HUB1")


@for_each("trouble", ("PUT(DISABLED)", "GET(DISABLED)"))
def test_a_command_queue_that_does_not_work_loses_nothing_that_comes_later(trouble):
    demo = Demo()
    demo("HUB1", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    demo("HUB1", f"ALTER QLOCAL(SYSTEM.CLUSTER.COMMAND.QUEUE) {trouble}")
    demo.queue("DEPOT", "ORDERS")
    demo.settle(60)
    assert demo.instances("HUB1") == []
    assert demo.instances("HUB2") == ["DEPOT"]
    assert (demo["HUB1"].depth("DLQ") > 0) == trouble.startswith("PUT")
    demo.change("HUB1", f"ALTER QLOCAL(SYSTEM.CLUSTER.COMMAND.QUEUE) {trouble.replace('DIS', 'EN')}", 60)
    demo.queue("DEPOT", "BILLS")
    demo.settle(28 * DAY)
    assert (demo.instances("HUB1"), demo.instances("HUB1", "BILLS")) == (["DEPOT"], ["DEPOT"])


def test_a_full_repository_that_stops_being_one():
    demo = Demo(full=("HUB1", "HUB2", "HUB3"), partial=("DEPOT", "SHOP"), queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    demo.change("HUB1", "ALTER QMGR REPOS(' ')", 30)
    assert {row["CLUSQMGR"]: row["QMTYPE"] for row in demo.members("SHOP")}["HUB1"] == "NORMAL"
    demo.queue("DEPOT", "BILLS")
    demo.settle(30)
    assert demo.instances("HUB3", "BILLS") == demo.instances("HUB2", "BILLS") == ["DEPOT"]
    assert reason(demo["SHOP"].put, "BILLS", b"x") is None
    assert reason(demo["HUB1"].put, "BILLS", b"x") is None


@for_each("settings", ({"level": 530}, {"platform": "zos"}))
def test_queue_managers_of_other_levels_and_platforms_join(settings):
    demo = Demo(queues={"DEPOT": "ORDERS"}, each={"DEPOT": settings, "SHOP": settings})
    demo.settle(30)
    demo.send()
    assert demo.depths() == {"DEPOT": 1}


def test_channels_wait_for_a_channel_initiator_that_is_started_by_hand():
    demo = Demo(full=("HUB1",), partial=("SHOP",), ready=0)
    demo("SHOP", "ALTER QMGR SCHINIT(MANUAL)")
    demo["SHOP"].stop()
    demo["SHOP"].start()
    demo.settle(30)
    assert demo.knows("HUB1") == ["HUB1"]
    demo.change("SHOP", "START CHINIT", 30)
    assert (demo.knows("HUB1"), demo.knows("SHOP")) == (["HUB1", "SHOP"], ["HUB1", "SHOP"])


@for_each("end", (QueueManager.stop, QueueManager.fail))
@for_each("use", (lambda app: app.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="shared"), lambda app: app.subscribe("a")))
def test_a_member_ends_with_a_temporary_dynamic_queue_and_starts_again(end, use):
    demo = Demo(queues=ORDERS)
    demo("DEPOT", "DEFINE TOPIC(T) TOPICSTR('a') CLUSTER(DEMO)")
    demo.settle()
    use(demo["DEPOT"].connect("APP"))
    end(demo["DEPOT"])
    demo.settle()
    assert demo["DEPOT"].programs_running == []
    demo["DEPOT"].start()
    demo.change("DEPOT", "DEFINE QLOCAL(BILLS) CLUSTER(DEMO)", 10)
    assert demo.instances("HUB1", "BILLS") == ["DEPOT"]


def test_a_member_goes_on_without_its_clussdr():
    demo = Demo(queues=ORDERS)
    demo.change("SHOP", "STOP CHANNEL(TO.HUB1)")
    demo.change("SHOP", "DELETE CHANNEL(TO.HUB1)")
    assert {row["CLUSQMGR"]: row["DEFTYPE"] for row in demo.members("SHOP")}["HUB1"] == "CLUSSDRA"
    assert reason(demo["SHOP"].put, "ORDERS", b"x") is None


def test_a_stream_gets_what_stays_and_not_what_goes_elsewhere():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED) CLWLUSEQ(ANY)"))
    demo("DEPOT", "DEFINE QLOCAL(COPY)\nALTER QLOCAL(ORDERS) STREAMQ(COPY)")
    demo.one_by_one(6, "DEPOT")
    assert (demo.depths(), demo["DEPOT"].depth("COPY")) == (dict.fromkeys(THREE, 2), 2)
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')")
    demo["DEPOT"].put("ORDERS", b"x")
    assert (demo["DEPOT"].depth("ORDERS"), demo["DEPOT"].depth("COPY")) == (3, 3)
