"""Which instance gets a message, and when that is decided."""

import pytest

from clustered import FREE, ORDERS, THREE, Demo, dead, reason
from helpers import for_each, lab_error
from mqlab.engine.words import constants as mq
from mqlab.engine.words.structures import MD, PMO


# ---- When
@pytest.mark.rule("CLU-30", "CLU-31", "CLU-48", event=False)
def test_a_handle_that_binds_sends_all_to_one_and_mqput1_and_notfixed_spread():
    demo = Demo(queues=ORDERS)
    assert sorted(demo.puts(9).values()) == [0, 0, 9]
    assert demo.gained(demo.one_by_one, 9) == dict.fromkeys(THREE, 3)
    assert demo.gained(demo.puts, 9, options=mq.MQOO_BIND_NOT_FIXED) == dict.fromkeys(THREE, 3)


@pytest.mark.rule("CLU-30", event=False)
def test_defbind_decides_unless_an_option_does():
    demo = Demo(queues=FREE)
    assert set(demo.puts(9).values()) == {3}
    assert sorted(demo.puts(9, options=mq.MQOO_BIND_ON_OPEN).values()) == [3, 3, 12]


@pytest.mark.rule("CLU-33", event=False)
def test_groups_stay_together_with_logical_order_and_spread_without():
    demo = Demo(queues=ORDERS)
    with demo["SHOP"].open("ORDERS", output=True, options=mq.MQOO_BIND_ON_GROUP) as handle:
        for group in range(3):
            for part in range(4):
                last = mq.MQMF_LAST_MSG_IN_GROUP if part == 3 else mq.MQMF_MSG_IN_GROUP
                md = MD(Version=2, MsgFlags=last)
                handle.put(f"{group}", md=md, pmo=PMO(Options=mq.MQPMO_LOGICAL_ORDER | mq.MQPMO_NO_SYNCPOINT))
        demo.settle()
        assert demo.depths() == dict.fromkeys(THREE, 4)
        assert all(len({demo[name].get("ORDERS").body for _ in range(4)}) == 1 for name in THREE)
        for _ in range(9):
            handle.put("alone")
        demo.settle()
        assert demo.depths() == dict.fromkeys(THREE, 3)


# ---- Where
@pytest.mark.rule("CLU-35", event=False)
def test_messages_wait_for_the_highest_rank_though_it_cannot_be_reached():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLRANK(9)"})
    demo.lab.cut("SHOP", "DEPOT")
    assert demo.puts(6) == dict.fromkeys(THREE, 0)
    demo.settle(600)
    assert demo.depths() == dict.fromkeys(THREE, 0)
    demo.lab.restore("SHOP", "DEPOT")
    demo.settle(1200)
    assert demo.depths()["DEPOT"] == 6


@pytest.mark.rule("CLU-46", "CLU-44", event=False)
def test_priority_fails_over_and_comes_back():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLPRTY(9)"})
    assert demo.puts(6)["DEPOT"] == 6
    demo.lab.cut("SHOP", "DEPOT")
    demo.puts(6)
    demo.settle(300)
    assert demo.depths() == {"HUB1": 3, "HUB2": 3, "DEPOT": 6}
    demo.lab.restore("SHOP", "DEPOT")
    demo.settle(1500)
    demo.puts(6)
    demo.settle(100)
    assert demo.depths()["DEPOT"] == 12


@pytest.mark.rule("CLU-35", "CLU-46", event=False)
@for_each("attribute", ("CLWLRANK", "CLWLPRTY"))
def test_rank_and_priority_of_the_channel_come_before_those_of_the_queue(attribute):
    demo = Demo(queues=FREE | {"DEPOT": f"ORDERS DEFBIND(NOTFIXED) {attribute}(9)"})
    demo.change("HUB2", f"ALTER CHANNEL(TO.HUB2) CHLTYPE(CLUSRCVR) {attribute}(1)")
    assert demo.puts(3)["HUB2"] == 3


@pytest.mark.rule("CLU-36", event=False)
def test_a_local_instance_keeps_its_puts_unless_clwluseq_is_any():
    demo = Demo(queues=FREE)
    with demo["DEPOT"].open("ORDERS", output=True, inquire=True) as handle:
        handle.put(b"x")
        assert handle.inquire("CURDEPTH", "OPPROCS", "QTYPE") == {"CURDEPTH": 1, "OPPROCS": 1, "QTYPE": "QLOCAL"}
    assert demo.gained(demo.puts, 6, "DEPOT") == {"HUB1": 0, "HUB2": 0, "DEPOT": 6}
    for more in ("ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)", "ALTER QLOCAL(ORDERS) CLWLUSEQ(QMGR)\nALTER QMGR CLWLUSEQ(ANY)"):
        demo("DEPOT", more)
        assert demo.gained(demo.puts, 6, "DEPOT") == dict.fromkeys(THREE, 2)


@pytest.mark.rule("CLU-36", event=False)
def test_a_message_that_came_over_a_cluster_channel_stays():
    demo = Demo(queues=dict.fromkeys(THREE, "ORDERS DEFBIND(NOTFIXED) CLWLUSEQ(ANY)"))
    assert demo.puts(9) == dict.fromkeys(THREE, 3)
    assert demo.depths("SYSTEM.CLUSTER.TRANSMIT.QUEUE", *demo.names) == dict.fromkeys(demo.names, 0)


@pytest.mark.rule("CLU-37")
def test_disabled_instances_get_nothing_and_2268_when_all_are():
    demo = Demo(queues=ORDERS)
    demo.change("DEPOT", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    assert demo.one_by_one(6) == {"HUB1": 3, "HUB2": 3, "DEPOT": 0}
    for hub in demo.full:
        demo(hub, "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    demo.settle()
    shop = demo["SHOP"]
    assert reason(shop.open, "ORDERS", output=True) == mq.MQRC_CLUSTER_PUT_INHIBITED
    with shop.open("ORDERS", output=True, options=mq.MQOO_BIND_NOT_FIXED) as handle:
        assert reason(handle.put, b"x") == mq.MQRC_CLUSTER_PUT_INHIBITED
    with demo["DEPOT"].open("ORDERS", output=True) as handle:
        assert reason(handle.put, b"x") == mq.MQRC_PUT_INHIBITED
    with shop.open("ORDERS", inquire=True) as handle:
        assert handle.inquire("DEFPSIST")


@pytest.mark.rule("CLU-37", event=False)
@for_each("bind", ("OPEN", "NOTFIXED"))
def test_a_disabled_local_instance_lets_others_take_its_puts(bind):
    demo = Demo(queues=dict.fromkeys(THREE, f"ORDERS DEFBIND({bind})"))
    demo("DEPOT", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    depths = demo.puts(6, "DEPOT")
    assert (depths["DEPOT"], depths["HUB1"] + depths["HUB2"]) == (0, 6)


@pytest.mark.rule("CLU-38", event=False)
def test_a_full_queue_is_chosen_and_fills_the_dead_letter_queue_of_its_host():
    demo = Demo(queues=FREE | {"HUB2": "ORDERS DEFBIND(NOTFIXED) MAXDEPTH(1) GET(DISABLED)"})
    demo("HUB2", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    demo.puts(9)
    demo.settle(60)
    assert demo.depths() == {"HUB1": 3, "HUB2": 1, "DEPOT": 3}
    assert dead(demo, "HUB2") == [mq.MQRC_Q_FULL] * 2


@pytest.mark.rule("CLU-43", "CLU-57", event=False)
def test_a_suspended_member_gets_only_what_names_it_or_what_only_it_has():
    demo = Demo(queues={"HUB1": "ORDERS", "HUB2": "ORDERS", "DEPOT": ["ORDERS", "ONLY.HERE"]})
    demo.change("DEPOT", "SUSPEND QMGR CLUSTER(DEMO)")
    assert demo.one_by_one(6) == {"HUB1": 3, "HUB2": 3, "DEPOT": 0}
    assert demo.one_by_one(2, queue="ONLY.HERE") == {"DEPOT": 2}
    demo.change("DEPOT", "RESUME QMGR CLUSTER(DEMO)")
    assert demo.one_by_one(6)["DEPOT"] >= 2


@pytest.mark.rule("CLU-45", event=False)
def test_the_channel_with_the_highest_netprty_leads_to_a_queue_manager():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo.join("DEPOT", None, channel="FAST.DEPOT", cluster="OTHER", words="NETPRTY(9)")
    demo(
        "DEPOT",
        "ALTER CHANNEL(FAST.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(DEMO)\n"
        "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) NETPRTY(1)",
    )
    demo.settle()
    demo["SHOP"].put("ORDERS", b"x")
    assert "FAST.DEPOT" in str(demo["SHOP"].why_this_instance("ORDERS"))


@pytest.mark.rule("CLU-47", event=False)
def test_clwlmruc_limits_the_channels():
    demo = Demo(queues=FREE)
    demo("SHOP", "ALTER QMGR CLWLMRUC(2)")
    assert sorted(demo.puts(12).values()) == [0, 6, 6]


@pytest.mark.rule("CLU-48", "CLU-49", event=False)
def test_weights_are_shares():
    demo = Demo(queues=FREE)
    for name, weight in zip(THREE, (20, 10, 10), strict=True):
        demo(name, f"ALTER CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CLWLWGHT({weight})")
    demo.settle()
    assert demo.puts(40) == {"HUB1": 20, "HUB2": 10, "DEPOT": 10}


@pytest.mark.rule("CLU-49", event=False)
def test_with_a_weight_the_messages_of_a_channel_count_for_all_queues():
    both = ["A DEFBIND(NOTFIXED)", "B DEFBIND(NOTFIXED)"]
    demo = Demo(queues={"HUB1": both, "HUB2": both})
    assert demo.puts(1, queue="A") | demo.puts(1, queue="B") == {"HUB1": 1, "HUB2": 0}  # each queue alone
    demo.change("HUB2", "ALTER CHANNEL(TO.HUB2) CHLTYPE(CLUSRCVR) CLWLWGHT(49)")
    assert [demo.puts(1, queue="A")["HUB1"] - 1, demo.puts(1, queue="B")["HUB2"]] == [1, 1]


@pytest.mark.rule("CLU-34", event=False)
@for_each(("level", "there"), ((750, "HUB1"), (940, "HUB2")))
def test_before_8_0_put_and_the_local_instance_come_before_the_rank(level, there):
    demo = Demo(queues={"HUB1": "ORDERS", "HUB2": "ORDERS CLWLRANK(5) PUT(DISABLED)"}, level=level)
    assert reason(demo["SHOP"].put, "ORDERS", b"x") == (None if there == "HUB1" else mq.MQRC_CLUSTER_PUT_INHIBITED)
    demo = Demo(queues={"HUB1": "ORDERS", "HUB2": "ORDERS CLWLRANK(5)"}, level=level)
    demo.send("HUB1")
    assert demo.depths()[there] == 1


@pytest.mark.rule("CLU-44", event=False)
def test_an_inactive_channel_is_as_good_as_a_running_one_and_a_stopped_one_is_worse():
    demo = Demo(queues=ORDERS | {"HUB1": "ORDERS CLWLPRTY(9)"})  # the state of the channel comes first
    demo.send()
    assert demo.depths()["HUB1"] == 1
    demo.change("SHOP", "STOP CHANNEL(TO.HUB1)\nSTOP CHANNEL(TO.HUB2)")
    assert [demo.state("SHOP", name) for name in ("TO.HUB1", "TO.HUB2")] == ["STOPPED", "STOPPED"]
    assert demo.gained(demo.one_by_one, 3)["DEPOT"] == 3
    dropped = {row.rule: str(row.dropped) for row in demo["SHOP"].why_this_instance("ORDERS").rows}
    assert "STOPPED" in dropped["CLU-44"]


@pytest.mark.rule("CLU-44", event=False)
def test_a_backup_gets_messages_while_the_channel_to_the_primary_starts():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) CLWLPRTY(9)"})
    with demo["SHOP"].open("ORDERS", output=True) as handle:
        handle.put(b"starts the channel")
        demo.settle(0.005)
        assert demo.state("SHOP", "TO.DEPOT") == "BINDING"
        handle.put(b"goes to the backup")
        demo.settle()
        handle.put(b"goes to the primary")
    demo.settle()
    assert demo.depths() == {"HUB1": 1, "HUB2": 0, "DEPOT": 2}


def test_why_this_instance_lists_every_step_with_what_dropped_out():
    demo = Demo(queues=FREE | {"DEPOT": "ORDERS DEFBIND(NOTFIXED) PUT(DISABLED)"})
    choice = demo["SHOP"].why_this_instance("ORDERS")
    assert choice.chosen.qmgr == "HUB1"
    dropped = {row.title: [who.partition(" ")[0] for who, _ in row.dropped] for row in choice.rows if row.dropped}
    assert dropped["puts are allowed"] == ["DEPOT"]
    assert [row.rule for row in choice.rows][1:] == [
        *("CLU-35", "CLU-35", "CLU-37", "CLU-36", "CLU-43", "CLU-44", "CLU-45", "CLU-46", "CLU-46", "CLU-47", "CLU-48")
    ]
    assert demo.depths() == dict.fromkeys(THREE, 0)


def test_a_queue_without_another_instance_is_the_one_here_and_what_leads_elsewhere_is_refused():
    demo = Demo(queues={"DEPOT": "ORDERS"})
    demo(
        "SHOP",
        "DEFINE QLOCAL(OWN)\nDEFINE QLOCAL(OUT) USAGE(XMITQ)\nDEFINE QREMOTE(FAR) RNAME(A) RQMNAME(B) XMITQ(OUT)",
    )
    choice = demo["SHOP"].why_this_instance("OWN")
    assert (choice.alone, choice.chosen, str(choice).startswith("OWN: It is the queue here")) == (True, None, True)
    assert "There is no instance" not in choice._repr_mimebundle_()["text/html"]
    lab_error("FAR leads elsewhere", demo["SHOP"].why_this_instance, "FAR")
