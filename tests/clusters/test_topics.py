"""Cluster topics: who hears of them, proxy subscriptions, and where a publication goes (CLU-72)."""

import pytest

from clustered import Demo
from helpers import for_each, reason
from mqlab import Lab
from mqlab.engine.words import constants as mq
from mqlab.engine.words.structures import PMO
from mqlab.pubsub.structures import SD

pytestmark = pytest.mark.needs("clusters", "properties")


def clustered(route="DIRECT", host="HUB1", more=""):
    """Four members of cluster DEMO, HUB1 and HUB2 full repositories, with a cluster topic at one of them."""
    demo = Demo()
    define(demo, host, route, more)
    return demo


def define(demo, host, route, more=""):
    demo.change(host, f"DEFINE TOPIC(PRICE) TOPICSTR('price') CLUSTER(DEMO) CLROUTE({route}) {more}")


def subscribed(*given):
    """The same, and a subscription to price/fruit at DEPOT that all have heard of."""
    demo = clustered(*given)
    reader = demo["DEPOT"].connect("READER").subscribe("price/fruit")
    demo.settle()
    return demo, reader


def sell(demo, *subscriptions, **options):
    """Publish an apple at SHOP, and let it arrive; the bodies that each of these subscriptions gets."""
    demo["SHOP"].connect("SELLER").publish("price/fruit", b"apple", **options)
    demo.settle()
    return [bodies(one) for one in subscriptions]


def proxies(qmgr):
    """Topic string and queue manager of each proxy subscription."""
    found = qmgr.objects.match(("SUB",))
    has = [one.attributes for one in found if one.attributes["SUBTYPE"] == "PROXY"]
    return [(each["TOPICSTR"], each["DESTQMGR"]) for each in has]


def bodies(subscription):
    return [message.body for message in subscription.drain()]


# ---------------------------------------------------------------- the topic
def test_a_cluster_topic_reaches_every_member_and_each_knows_each_other_one():
    demo = clustered()
    for name in demo.names:
        (row,) = demo[name].mqsc("DISPLAY TCLUSTER(PRICE) CLUSQMGR CLROUTE").rows
        assert (row["CLUSQMGR"], row["TYPE"]) == ("HUB1", "CLUSTER")
        assert demo.knows(name) == sorted(demo.names)
    (row,) = demo["SHOP"].mqsc("DISPLAY TPSTATUS('price') CLUSTER CLROUTE").rows
    assert (row["CLUSTER"], row["CLROUTE"]) == ("DEMO", "DIRECT")


def test_with_topichost_members_know_only_the_host_and_learn_of_its_changes():
    assert clustered("TOPICHOST", "HUB1").knows("SHOP") == ["HUB1", "HUB2", "SHOP"]
    demo = clustered("TOPICHOST", "DEPOT")
    assert demo.knows("SHOP") == sorted(demo.names)  # the host, and full repositories
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) DESCR('moved')")
    assert demo["SHOP"].mqsc("DISPLAY CLUSQMGR(DEPOT) DESCR").rows[0]["DESCR"] == "moved"


def test_a_topic_object_of_another_member_governs_here_until_a_local_one_hides_it():
    demo = clustered(more="PUB(DISABLED)")
    app = demo["SHOP"].connect("SELLER")
    assert reason(app.publish, "price/fruit", b"1") == mq.MQRC_PUT_INHIBITED
    assert app.subscribe(topic="PRICE").topic_string == "price"
    demo("SHOP", "DEFINE TOPIC(OWN) TOPICSTR('price') PUB(ENABLED)")
    app.publish("price/fruit", b"1")


def test_two_hosts_that_disagree_are_noticed():
    demo = clustered("DIRECT", "HUB1")
    define(demo, "DEPOT", "TOPICHOST")
    found = [row for row in demo.lab.events.where(kind="cluster") if row.facts["did"] == "inconsistent"]
    assert sorted((row.qmgr, row.facts["host"]) for row in found) == [
        *(("DEPOT", "HUB1"), ("HUB1", "DEPOT"), ("HUB2", "HUB1"), ("SHOP", "HUB1"))
    ]
    assert {row.rule for row in found} == {"CLU-72"}
    rows = demo["SHOP"].mqsc("DISPLAY TCLUSTER(PRICE) CLUSQMGR CLSTATE").rows
    assert [(row["CLUSQMGR"], row["CLSTATE"]) for row in rows] == [("DEPOT", "ACTIVE"), ("HUB1", "INVALID")]


# ---------------------------------------------------------------- proxy subscriptions and publications
@pytest.mark.rule("CLU-72")
def test_direct_a_publication_goes_once_to_each_queue_manager_that_subscribes():
    demo = clustered()
    reader = demo["DEPOT"].connect("READER")
    both = [reader.subscribe("price/fruit"), reader.subscribe("price/#")]
    at_hub = demo["HUB2"].connect("READER").subscribe("price/+")
    demo.settle()
    assert proxies(demo["SHOP"]) == [("price/#", "DEPOT"), ("price/fruit", "DEPOT"), ("price/+", "HUB2")]
    assert proxies(demo["DEPOT"]) == [("price/+", "HUB2")]
    assert sell(demo, *both, at_hub) == [[b"apple"]] * 3
    first, *others = demo.lab.events.where(kind="publish", reason=None)
    assert [row.qmgr for row in (first, *others)] == ["SHOP", "HUB2", "DEPOT"]
    for row in others:
        got = demo.lab.events[row.cause]
        assert (got.qmgr, got.object) == (row.qmgr, "SYSTEM.INTER.QMGR.PUBS")
        assert demo.lab.events.where(kind="put", rule="CLU-52", message=got.message)[0].cause == first.seq
    assert "SHOP/topic:price/fruit" in demo.lab.topology()


def test_the_copies_go_over_cluster_channels_to_a_queue_of_publications():
    demo, _ = subscribed()
    sell(demo)
    (put,) = [row for row in demo.lab.events.where(kind="put", rule="CLU-52", qmgr="SHOP") if "PUBS" in row.facts["to"]]
    assert put.facts["to"] == "SYSTEM.INTER.QMGR.PUBS@DEPOT"
    assert [row.qmgr for row in demo.lab.events.where(kind="get", object="SYSTEM.INTER.QMGR.PUBS")] == ["DEPOT"]


@for_each("host, way", ("HUB1", ["SHOP", "HUB1", "DEPOT"]), ("SHOP", ["SHOP", "DEPOT"]), ("DEPOT", ["SHOP", "DEPOT"]))
def test_topichost_a_publication_goes_by_way_of_a_host(host, way):
    demo, reader = subscribed("TOPICHOST", host)
    here = demo["SHOP"].connect("OTHER").subscribe("price/fruit")
    demo.settle()
    assert sell(demo, reader, here) == [[b"apple"], [b"apple"]]
    assert [row.qmgr for row in demo.lab.events.where(kind="publish", reason=None)] == way


def test_of_several_hosts_a_publication_takes_one_and_another_next_time():
    demo = clustered("TOPICHOST", "HUB1")
    define(demo, "HUB2", "TOPICHOST")
    reader = demo["DEPOT"].connect("READER").subscribe("price/#")
    at_host = demo["HUB2"].connect("READER").subscribe("price/#")
    demo.settle()
    seller = demo["SHOP"].connect("SELLER")
    for number in range(4):
        seller.publish("price/fruit", b"%d" % number)
    demo.settle()
    assert sorted(bodies(reader)) == sorted(bodies(at_host)) == [b"0", b"1", b"2", b"3"]
    first = [row.qmgr for row in demo.lab.events.where(kind="publish", reason=None) if "HUB" in row.qmgr]
    assert first.count("HUB1") == 2
    demo.lab.cut("SHOP", "HUB1")
    demo.settle()
    for _ in range(3):
        seller.publish("price/fruit", b"later")
        demo.settle(60)
    assert bodies(reader)[-2:] == [b"later"] * 2


@for_each(
    "before, at_sub, at_pub",
    ("ALTER TOPIC(PRICE) PUBSCOPE(QMGR)", "", 0),
    ("ALTER TOPIC(PRICE) SUBSCOPE(QMGR)", "", 0),
    ("", "scope", 0),
    ("", "", mq.MQPMO_SCOPE_QMGR),
)
def test_scope_qmgr_keeps_it_here(before, at_sub, at_pub):
    demo = clustered()
    if before:
        demo("HUB1", before)
    reader = demo["DEPOT"].connect("READER")
    options = mq.MQSO_CREATE | mq.MQSO_MANAGED | (mq.MQSO_SCOPE_QMGR if at_sub else 0)
    subscription = reader.subscribe(sd=SD(Options=options, ObjectString="price/fruit"))
    here = demo["SHOP"].connect("OTHER").subscribe("price/fruit")
    demo.settle()
    assert bool(proxies(demo["SHOP"])) == (at_pub > 0 or "PUBSCOPE" in before)
    assert sell(demo, subscription, here, pmo=PMO(Options=at_pub)) == [[], [b"apple"]]


def test_what_is_not_below_the_cluster_topic_stays_here():
    demo = clustered()
    demo["DEPOT"].connect("READER").subscribe("stock/fruit")
    demo["DEPOT"].connect("READER2").subscribe("#")
    demo.settle()
    assert proxies(demo["SHOP"]) == []


def test_a_proxy_subscription_ends_with_the_last_subscription_and_display_sub_leaves_it_out():
    demo = clustered()
    app = demo["DEPOT"].connect("READER")
    first, second = app.subscribe("price/fruit"), app.subscribe("price/fruit")
    demo.settle()
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    assert not [row for row in demo["SHOP"].mqsc("DISPLAY SUB(*)").rows if "PROXY" in row["SUB"]]
    (row,) = demo["SHOP"].mqsc("DISPLAY SUB(*) SUBTYPE(PROXY) DEST").rows
    assert row["DEST"] == "SYSTEM.INTER.QMGR.PUBS"
    first.close()
    demo.settle()
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    second.close()
    demo.settle()
    assert proxies(demo["SHOP"]) == []


def test_a_definition_of_mqsc_subscribes_too_and_force_asks_for_all():
    demo = clustered(more="PROXYSUB(FORCE)")
    demo.settle()
    assert proxies(demo["SHOP"]) == [("price/#", name) for name in ("DEPOT", "HUB1", "HUB2")]
    demo = clustered()
    demo.change("DEPOT", "DEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICSTR('price/*') WSCHEMA(CHAR) DEST(Q)")
    assert proxies(demo["SHOP"]) == [("price/*", "DEPOT")]
    demo["SHOP"].connect("SELLER").publish("price/fruit/red", b"apple", correl_id=b"c" * 24)
    demo.settle()
    assert demo["DEPOT"].get("Q").properties["MQTopicString"] == "price/fruit/red"
    demo.change("DEPOT", "DELETE SUB(S)")
    assert proxies(demo["SHOP"]) == []


def test_over_a_cut_link_nothing_is_known_yet_and_messages_wait():
    demo = clustered()
    demo.lab.cut("DEPOT", "SHOP")
    reader = demo["DEPOT"].connect("READER").subscribe("price/fruit")
    demo.settle()
    seller = demo["SHOP"].connect("SELLER")
    seller.publish("price/fruit", b"lost")
    assert proxies(demo["HUB2"]) == [("price/fruit", "DEPOT")]
    assert proxies(demo["SHOP"]) == []
    demo.lab.restore("DEPOT", "SHOP")
    demo.settle(120)
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    seller.publish("price/fruit", b"later")
    demo.settle()
    assert bodies(reader) == [b"later"]


def test_direct_needs_no_full_repository_once_members_know_each_other():
    demo = clustered()
    for hub in demo.full:
        demo[hub].stop()
    reader = demo["DEPOT"].connect("READER").subscribe("price/fruit")
    demo.settle()
    assert sell(demo, reader) == [[b"apple"]]


def test_in_a_unit_of_work_others_see_a_publication_at_the_commit():
    demo, reader = subscribed()
    seller = demo["SHOP"].connect("SELLER")
    with seller.unit_of_work() as unit:
        seller.publish("price/fruit", b"apple", unit=unit)
        demo.settle()
        assert bodies(reader) == []
    demo.settle()
    assert bodies(reader) == [b"apple"]


# ---------------------------------------------------------------- retained publications
@for_each("route", "DIRECT", "TOPICHOST")
def test_a_subscription_gets_what_is_retained_elsewhere_once(route):
    demo = clustered(route)
    first = demo["HUB2"].connect("READER").subscribe("price/fruit")
    demo.settle()
    assert sell(demo, first, retain=True) == [[b"apple"]]
    at_hub = demo["HUB2"].connect("LATER").subscribe("price/fruit")
    assert bodies(at_hub) == [b"apple"]  # retained here too
    late = demo["DEPOT"].connect("READER").subscribe("price/fruit")
    demo.settle()
    assert bodies(late) == [b"apple"]
    assert (bodies(first), bodies(at_hub)) == ([], [])


# ---------------------------------------------------------------- members that come and go
def test_a_member_that_joins_later_learns_of_topics_and_is_asked_for_what_others_subscribe_to():
    demo, _ = subscribed()
    late = demo.lab.queue_manager("LATE")
    for name in demo.names:
        demo.lab.link("LATE", name, 0.01)
    demo.join("LATE", "HUB1")
    demo.settle()
    assert late.mqsc("DISPLAY TCLUSTER(PRICE)").ok
    assert proxies(late) == [("price/fruit", "DEPOT")]


def test_a_member_that_leaves_takes_its_proxy_subscriptions_along_and_one_that_returns_brings_them():
    demo, reader = subscribed()
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')")
    assert proxies(demo["SHOP"]) == []
    demo.change("DEPOT", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(DEMO)")
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    assert sell(demo, reader) == [[b"apple"]]


def test_a_host_that_is_removed_by_force_gets_no_more_publications():
    demo = clustered("TOPICHOST", "DEPOT")
    assert proxies(demo["SHOP"]) == [("price/#", "DEPOT")]
    demo["DEPOT"].stop()
    demo.change("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(NO)")
    assert proxies(demo["SHOP"]) == []


def test_refreshes_bring_proxy_subscriptions_back_and_the_topic_that_is_deleted_takes_everything_along():
    demo, _ = subscribed()
    demo.change("SHOP", "REFRESH CLUSTER(DEMO)")
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    topics = demo["SHOP"].kept["clusters"].topics
    topics.asked.clear()  # as if its message had been lost
    topics.subscribed()
    demo.settle()
    assert proxies(demo["SHOP"]) == []
    (reply,) = demo["DEPOT"].mqsc("REFRESH QMGR TYPE(PROXYSUB)").replies
    assert (reply.ok, reply.simulated) == (True, True)
    demo.settle()
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    demo.change("HUB1", "DELETE TOPIC(PRICE)")
    assert [proxies(demo[name]) for name in demo.names] == [[]] * 4
    assert not demo["SHOP"].mqsc("DISPLAY TCLUSTER(*)").ok


def test_a_restart_keeps_proxy_subscriptions_and_goes_on():
    demo, reader = subscribed()
    demo["SHOP"].stop()
    demo["SHOP"].start()
    demo.settle(120)
    assert proxies(demo["SHOP"]) == [("price/fruit", "DEPOT")]
    demo["SHOP"].connect("SELLER").publish("price/fruit", b"apple")
    demo.settle(60)
    assert bodies(reader) == [b"apple"]


def test_what_nobody_may_publish_here_goes_to_the_dead_letter_queue():
    demo, _ = subscribed()
    demo("DEPOT", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE TOPIC(OWN) TOPICSTR('price/fruit') PUB(DISABLED)")
    sell(demo)
    assert demo["DEPOT"].depth("DLQ") == 1


def test_a_persistent_publication_that_nothing_takes_waits_there():
    demo, reader = subscribed()
    demo("DEPOT", "DEFINE TOPIC(OWN) TOPICSTR('price/fruit') PUB(DISABLED)")
    seller = demo["SHOP"].connect("SELLER")
    for persistent in (True, False):
        seller.publish("price/fruit", b"apple %d" % persistent, persistent=persistent)
    demo.settle(70)
    assert demo["DEPOT"].depth("SYSTEM.INTER.QMGR.PUBS") >= 1
    demo.change("DEPOT", "ALTER TOPIC(OWN) PUB(ENABLED)", 70)
    assert b"apple 1" in bodies(reader)
    assert demo["DEPOT"].depth("SYSTEM.INTER.QMGR.PUBS") == 0


def test_a_lab_without_clusters_keeps_the_attribute_of_a_topic():
    qm = Lab().queue_manager("QM1")
    qm.mqsc("DEFINE TOPIC(PRICE) TOPICSTR('price') CLUSTER(DEMO)").require()
    assert "clusters" not in qm.kept
    app = qm.connect("READER")
    subscription = app.subscribe("price/fruit")
    app.publish("price/fruit", b"apple")
    assert bodies(subscription) == [b"apple"]
