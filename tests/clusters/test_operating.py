"""SUSPEND, RESUME, REFRESH, RESET, and displays of clusters; channels of one name; system queues that do not work."""

import pytest

from clustered import Demo, reason
from helpers import assert_refused, for_each
from mqlab.engine.words import constants as mq

THREE = ("HUB1", "HUB2", "DEPOT")
ORDERS = dict.fromkeys(THREE, "ORDERS")
DAY = 24 * 3600


@pytest.mark.rule("CLU-57", event=False)
def test_suspend_is_told_to_all_and_force_ends_the_channels():
    demo = Demo(queues=ORDERS)
    demo["SHOP"].put("ORDERS@DEPOT", b"x")
    demo.settle()
    reply = demo("DEPOT", "SUSPEND QMGR CLUSTER(DEMO) MODE(FORCE)")
    demo.settle()
    suspended = {row["CLUSQMGR"]: row["SUSPEND"] for row in demo.members("SHOP")}
    assert suspended == {"SHOP": "NO", "HUB1": "NO", "HUB2": "NO", "DEPOT": "YES"}
    assert "AMQ8557I: SUSPEND QMGR accepted." in str(reply)
    assert "AMQ8558I: RESUME QMGR accepted." in str(demo("DEPOT", "RESUME QMGR CLUSTER(DEMO)"))
    demo.settle()
    assert {row["SUSPEND"] for row in demo.members("SHOP")} == {"NO"}
    demo("DEPOT", "DEFINE NAMELIST(MINE) NAMES(DEMO)\nSUSPEND QMGR CLUSNL(MINE)")
    demo.settle()
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
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    demo("SHOP", f"REFRESH CLUSTER(DEMO) REPOS({repos})")
    demo.settle(30)
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
    demo("SHOP", "REFRESH CLUSTER(DEMO)")
    demo.settle(0.001)
    assert reason(bound.put, b"x") == mq.MQRC_OBJECT_CHANGED
    assert reason(free.put, b"x") == mq.MQRC_NO_DESTINATIONS_AVAILABLE
    demo.settle()
    assert reason(free.put, b"x") is None
    assert reason(bound.put, b"x") == mq.MQRC_OBJECT_CHANGED


@pytest.mark.rule("CLU-19")
def test_capexpry_on_the_transmission_queue_breaks_the_renewal():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("DEPOT", "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) CAPEXPRY(100)")
    demo.settle(27 * DAY - 3600)
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
    demo("HUB1", "REFRESH CLUSTER(*) REPOS(YES)")
    demo.settle()
    assert demo.said("not-refreshed", "HUB1")
    demo("HUB1", "REFRESH CLUSTER(DEMO)")
    demo.settle(30)
    assert demo.knows("HUB1") == sorted(demo.names)
    assert demo.instances("HUB1") == sorted(THREE)


@pytest.mark.rule("CLU-59")
def test_forceremove_removes_a_ghost_everywhere_and_refresh_brings_a_member_back():
    demo = Demo(queues=ORDERS)
    demo["SHOP"].put("ORDERS", b"x")
    demo.settle()
    demo("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(YES)")
    demo.settle()
    assert [name for name in ("HUB1", "HUB2", "SHOP") if "DEPOT" in demo.knows(name)] == []
    assert demo.instances("SHOP") == ["HUB1", "HUB2"]
    assert "DEPOT" in demo.knows("DEPOT")  # it still thinks that it is a member
    demo.settle(20)
    demo("DEPOT", "REFRESH CLUSTER(DEMO)")
    demo.settle(30)
    assert "DEPOT" in demo.knows("HUB1") and "DEPOT" in demo.knows("HUB2")  # noqa: PT018
    assert demo.instances("HUB2") == sorted(THREE)


@pytest.mark.rule("CLU-60", event=False)
def test_displays_of_cluster_queues():
    demo = Demo(queues=ORDERS)
    reply = demo("HUB1", "DISPLAY QCLUSTER(ORDERS) CLUSQMGR CLUSTER PUT DEFBIND")
    assert "AMQ8409I" in str(reply)
    assert "TYPE(QCLUSTER)" in str(reply)
    assert len(reply.rows) == 3
    both = demo("HUB1", "DISPLAY QUEUE(ORDERS) CLUSINFO").rows
    assert sorted(row["TYPE"] for row in both) == ["QCLUSTER"] * 3 + ["QLOCAL"]
    assert len(demo("HUB1", "DISPLAY QCLUSTER(*) WHERE(CLUSQMGR EQ DEPOT)").rows) == 1
    assert len(demo("HUB1", "DISPLAY QUEUE(*) TYPE(QCLUSTER)").rows) == 3
    assert "AMQ8441I" in str(demo("HUB1", "DISPLAY CLUSQMGR(*)"))
    row = demo("HUB1", "DISPLAY CLUSQMGR(SHOP) ALL").rows[0]
    assert (row["CHANNEL"], row["CLUSTER"], row["QMTYPE"], row["CONNAME"]) == (
        "TO.SHOP",
        "DEMO",
        "NORMAL",
        "shop(1414)",
    )
    assert row["VERSION"] == "09040000"
    assert demo("SHOP", "DISPLAY CHSTATUS(TO.SHOP) CHLTYPE RQMNAME").rows[0]["CHLTYPE"] == "CLUSRCVR"


@pytest.mark.rule("CLU-63", event=False)
def test_the_later_of_two_clusrcvrs_of_one_name_replaces_the_earlier():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo("SHOP", "ALTER CHANNEL(TO.SHOP) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    demo.settle()
    demo.join("SHOP", None, channel="TO.DEPOT")
    demo.settle()
    assert "DEPOT" not in demo.knows("HUB1")
    assert "SHOP" in demo.knows("HUB1")


@for_each("trouble", ("PUT(DISABLED)", "GET(DISABLED)"))
def test_a_command_queue_that_does_not_work_loses_nothing_that_comes_later(trouble):
    demo = Demo()
    demo("HUB1", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    demo("HUB1", f"ALTER QLOCAL(SYSTEM.CLUSTER.COMMAND.QUEUE) {trouble}")
    demo.queue("DEPOT", "ORDERS")
    demo.settle(60)
    assert demo.instances("HUB1") == []
    assert demo.instances("HUB2") == ["DEPOT"]
    dead = demo["HUB1"].depth("DLQ")
    assert (dead > 0) == trouble.startswith("PUT")
    demo("HUB1", f"ALTER QLOCAL(SYSTEM.CLUSTER.COMMAND.QUEUE) {trouble.replace('DIS', 'EN')}")
    demo.settle(60)
    demo.queue("DEPOT", "BILLS")
    demo.settle(28 * DAY)
    assert (demo.instances("HUB1"), demo.instances("HUB1", "BILLS")) == (["DEPOT"], ["DEPOT"])


def test_a_full_repository_that_stops_being_one():
    demo = Demo(full=("HUB1", "HUB2", "HUB3"), partial=("DEPOT", "SHOP"), queues={"DEPOT": "ORDERS"})
    demo["SHOP"].put("ORDERS", b"x")
    demo("HUB1", "ALTER QMGR REPOS(' ')")
    demo.settle(30)
    assert {row["CLUSQMGR"]: row["QMTYPE"] for row in demo.members("SHOP")}["HUB1"] == "NORMAL"
    demo.queue("DEPOT", "BILLS")
    demo.settle(30)
    assert demo.instances("HUB3", "BILLS") == demo.instances("HUB2", "BILLS") == ["DEPOT"]
    assert reason(demo["SHOP"].put, "BILLS", b"x") is None
    assert reason(demo["HUB1"].put, "BILLS", b"x") is None


@for_each(("settings", "reasons"), (({"level": 530}, None), ({"platform": "zos"}, None)))
def test_queue_managers_of_other_levels_and_platforms_join(settings, reasons):
    demo = Demo(queues={"DEPOT": "ORDERS"}, each={"DEPOT": settings, "SHOP": settings})
    for name in demo.names:
        if settings.get("platform") == "zos" and name in ("DEPOT", "SHOP"):
            demo[name].mqsc("START CHINIT")
    demo.settle(30)
    assert reason(demo["SHOP"].put, "ORDERS", b"x") is reasons
    demo.settle()
    assert demo.depths() == {"DEPOT": 1}


def test_channels_wait_for_a_channel_initiator_that_is_started_by_hand():
    demo = Demo(full=("HUB1",), partial=("SHOP",), ready=0)
    demo("SHOP", "ALTER QMGR SCHINIT(MANUAL)")
    demo["SHOP"].stop()
    demo["SHOP"].start()
    demo.settle(30)
    assert demo.knows("HUB1") == ["HUB1"]
    demo("SHOP", "START CHINIT")
    demo.settle(30)
    assert (demo.knows("HUB1"), demo.knows("SHOP")) == (["HUB1", "SHOP"], ["HUB1", "SHOP"])


def test_a_member_goes_on_without_its_clussdr():
    demo = Demo(queues=ORDERS)
    demo("SHOP", "STOP CHANNEL(TO.HUB1)")
    demo.settle()
    demo("SHOP", "DELETE CHANNEL(TO.HUB1)")
    demo.settle()
    assert {row["CLUSQMGR"]: row["DEFTYPE"] for row in demo.members("SHOP")}["HUB1"] == "CLUSSDRA"
    assert reason(demo["SHOP"].put, "ORDERS", b"x") is None


def test_a_local_instance_has_all_its_attributes_for_a_handle_that_puts_and_inquires():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED)"))
    with demo["DEPOT"].open("ORDERS", output=True, inquire=True) as handle:
        handle.put(b"x")
        assert handle.inquire("CURDEPTH", "OPPROCS", "QTYPE") == {"CURDEPTH": 1, "OPPROCS": 1, "QTYPE": "QLOCAL"}


def test_an_alias_with_the_own_name_means_the_local_instance():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED) CLWLUSEQ(ANY)"))
    demo("DEPOT", "DEFINE QALIAS(FRONT) TARGET(ORDERS) DEFBIND(NOTFIXED)")
    for _ in range(3):
        demo["DEPOT"].put("FRONT@DEPOT", b"x")
    demo.settle()
    assert demo.depths() == {"HUB1": 0, "HUB2": 0, "DEPOT": 3}
    for _ in range(3):
        demo["DEPOT"].put("FRONT", b"x")
    demo.settle()
    assert demo.depths() == {"HUB1": 1, "HUB2": 1, "DEPOT": 4}


def test_a_stream_gets_what_stays_and_not_what_goes_elsewhere():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED) CLWLUSEQ(ANY)"))
    demo("DEPOT", "DEFINE QLOCAL(COPY)\nALTER QLOCAL(ORDERS) STREAMQ(COPY)")
    for _ in range(6):
        demo["DEPOT"].put("ORDERS", b"x")
    demo.settle()
    assert (demo.depths(), demo["DEPOT"].depth("COPY")) == (dict.fromkeys(THREE, 2), 2)
    demo("DEPOT", "ALTER QLOCAL(ORDERS) CLUSTER(' ')")
    demo["DEPOT"].put("ORDERS", b"x")
    assert (demo["DEPOT"].depth("ORDERS"), demo["DEPOT"].depth("COPY")) == (3, 3)
