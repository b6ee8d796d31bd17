"""Cluster topics: who hears of them, proxy subscriptions, and where a publication goes (CLU-72)."""

import pytest

from helpers import for_each
from mqlab import Lab, MQError
from mqlab.engine.words import constants as mq
from mqlab.engine.words.structures import PMO
from mqlab.pubsub.structures import SD

NAMES = ("HUB1", "HUB2", "DEPOT", "SHOP")

pytestmark = pytest.mark.needs("clusters", "properties")


def clustered(route="DIRECT", host="HUB1", more=""):
    """Four members of cluster DEMO, HUB1 and HUB2 full repositories, with a cluster topic at one of them."""
    lab = Lab()
    every = {name: lab.queue_manager(name) for name in NAMES}
    for number, one in enumerate(NAMES):
        for other in NAMES[number + 1 :]:
            lab.link(one, other, 0.01)
    for name, sender in zip(NAMES, ("HUB2", "HUB1", "HUB1", "HUB2"), strict=True):
        every[name].mqsc(
            f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CONNAME('{name.lower()}(1414)') CLUSTER(DEMO)\n"
            f"DEFINE CHANNEL(TO.{sender}) CHLTYPE(CLUSSDR) CONNAME('{sender.lower()}(1414)') CLUSTER(DEMO)\n"
            "ALTER QMGR REPOSNL(' ') " + ("REPOS(DEMO)" if "HUB" in name else "")
        ).require()
    lab.advance(5)
    if host:
        define(every[host], route, more)
        lab.advance(5)
    return lab, every


def subscribed(*given):
    """The same, and a subscription to price/fruit at DEPOT that all have heard of."""
    lab, every = clustered(*given)
    reader = every["DEPOT"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    return lab, every, reader


def sell(qmgr):
    """Publish an apple, and let it arrive."""
    qmgr.connect("SELLER").publish("price/fruit", b"apple")
    qmgr.lab.advance(5)


def define(qmgr, route="DIRECT", more=""):
    qmgr.mqsc(f"DEFINE TOPIC(PRICE) TOPICSTR('price') CLUSTER(DEMO) CLROUTE({route}) {more}").require()


def proxies(qmgr):
    """Topic string and queue manager of each proxy subscription."""
    found = qmgr.objects.match(("SUB",))
    has = [one.attributes for one in found if one.attributes["SUBTYPE"] == "PROXY"]
    return [(each["TOPICSTR"], each["DESTQMGR"]) for each in has]


def bodies(subscription):
    return [message.body for message in subscription.drain()]


def published_at(lab):
    return [row.qmgr for row in lab.events.where(kind="publish", reason=None)]


# ---------------------------------------------------------------- the topic
def test_a_cluster_topic_reaches_every_member_and_each_knows_each_other_one():
    _, every = clustered()
    for name in NAMES:
        (row,) = every[name].mqsc("DISPLAY TCLUSTER(PRICE) CLUSQMGR CLROUTE").rows
        assert (row["CLUSQMGR"], row["TYPE"]) == ("HUB1", "CLUSTER")
        known = {row["CLUSQMGR"] for row in every[name].mqsc("DISPLAY CLUSQMGR(*)").rows}
        assert known == {*NAMES}
    (row,) = every["SHOP"].mqsc("DISPLAY TPSTATUS('price') CLUSTER CLROUTE").rows
    assert (row["CLUSTER"], row["CLROUTE"]) == ("DEMO", "DIRECT")


def test_with_topichost_members_know_only_the_host():
    _, every = clustered("TOPICHOST", "DEPOT")
    known = {row["CLUSQMGR"] for row in every["SHOP"].mqsc("DISPLAY CLUSQMGR(*)").rows}
    assert known == {*NAMES}  # the host, and full repositories
    _, every = clustered("TOPICHOST", "HUB1")
    known = {row["CLUSQMGR"] for row in every["SHOP"].mqsc("DISPLAY CLUSQMGR(*)").rows}
    assert known == {"HUB1", "HUB2", "SHOP"}


def test_members_learn_of_changes_of_the_host_of_a_topic():
    lab, every = clustered("TOPICHOST", "DEPOT")
    every["DEPOT"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) DESCR('moved')").require()
    lab.advance(5)
    assert every["SHOP"].mqsc("DISPLAY CLUSQMGR(DEPOT) DESCR").rows[0]["DESCR"] == "moved"


def test_a_topic_object_of_another_member_governs_here_until_a_local_one_hides_it():
    _, every = clustered(more="PUB(DISABLED)")
    app = every["SHOP"].connect("SELLER")
    with pytest.raises(MQError) as refused:
        app.publish("price/fruit", b"1")
    assert refused.value.reason == mq.MQRC_PUT_INHIBITED
    assert app.subscribe(topic="PRICE").topic_string == "price"
    every["SHOP"].mqsc("DEFINE TOPIC(OWN) TOPICSTR('price') PUB(ENABLED)").require()
    app.publish("price/fruit", b"1")


def test_two_hosts_that_disagree_are_noticed():
    lab, every = clustered("DIRECT", "HUB1")
    define(every["DEPOT"], "TOPICHOST")
    lab.advance(5)
    found = [row for row in lab.events.where(kind="cluster") if row.facts["did"] == "inconsistent"]
    assert sorted((row.qmgr, row.facts["host"]) for row in found) == [
        *(("DEPOT", "HUB1"), ("HUB1", "DEPOT"), ("HUB2", "HUB1"), ("SHOP", "HUB1"))
    ]
    assert {row.rule for row in found} == {"CLU-72"}
    rows = every["SHOP"].mqsc("DISPLAY TCLUSTER(PRICE) CLUSQMGR CLSTATE").rows
    assert [(row["CLUSQMGR"], row["CLSTATE"]) for row in rows] == [("DEPOT", "ACTIVE"), ("HUB1", "INVALID")]


# ---------------------------------------------------------------- proxy subscriptions and publications
@pytest.mark.rule("CLU-72")
def test_direct_a_publication_goes_once_to_each_queue_manager_that_subscribes():
    lab, every = clustered()
    reader = every["DEPOT"].connect("READER")
    both = [reader.subscribe("price/fruit"), reader.subscribe("price/#")]
    at_hub = every["HUB2"].connect("READER").subscribe("price/+")
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/#", "DEPOT"), ("price/fruit", "DEPOT"), ("price/+", "HUB2")]
    assert proxies(every["DEPOT"]) == [("price/+", "HUB2")]
    sell(every["SHOP"])
    assert [bodies(one) for one in (*both, at_hub)] == [[b"apple"]] * 3
    first, *others = lab.events.where(kind="publish", reason=None)
    assert [row.qmgr for row in (first, *others)] == ["SHOP", "HUB2", "DEPOT"]
    for row in others:
        got = lab.events[row.cause]
        assert (got.qmgr, got.object) == (row.qmgr, "SYSTEM.INTER.QMGR.PUBS")
        put = lab.events.where(kind="put", rule="CLU-52", message=got.message)[0]
        assert put.cause == first.seq
    assert "SHOP/topic:price/fruit" in lab.topology()


def test_the_copies_go_over_cluster_channels_to_a_queue_of_publications():
    lab, every, _ = subscribed()
    sell(every["SHOP"])
    (put,) = [row for row in lab.events.where(kind="put", rule="CLU-52", qmgr="SHOP") if "PUBS" in row.facts["to"]]
    assert put.facts["to"] == "SYSTEM.INTER.QMGR.PUBS@DEPOT"
    assert [row.qmgr for row in lab.events.where(kind="get", object="SYSTEM.INTER.QMGR.PUBS")] == ["DEPOT"]


@for_each("host, way", ("HUB1", ["SHOP", "HUB1", "DEPOT"]), ("SHOP", ["SHOP", "DEPOT"]), ("DEPOT", ["SHOP", "DEPOT"]))
def test_topichost_a_publication_goes_by_way_of_a_host(host, way):
    lab, every = clustered("TOPICHOST", host)
    reader = every["DEPOT"].connect("READER").subscribe("price/fruit")
    here = every["SHOP"].connect("OTHER").subscribe("price/fruit")
    lab.advance(5)
    sell(every["SHOP"])
    assert (bodies(reader), bodies(here)) == ([b"apple"], [b"apple"])
    assert published_at(lab) == way


def test_of_several_hosts_a_publication_takes_one_and_another_next_time():
    lab, every = clustered("TOPICHOST", "HUB1")
    define(every["HUB2"], "TOPICHOST")
    reader = every["DEPOT"].connect("READER").subscribe("price/#")
    at_host = every["HUB2"].connect("READER").subscribe("price/#")
    lab.advance(5)
    seller = every["SHOP"].connect("SELLER")
    for number in range(4):
        seller.publish("price/fruit", b"%d" % number)
    lab.advance(5)
    assert sorted(bodies(reader)) == sorted(bodies(at_host)) == [b"0", b"1", b"2", b"3"]
    first = [row.qmgr for row in lab.events.where(kind="publish", reason=None) if "HUB" in row.qmgr]
    assert first.count("HUB1") == 2
    lab.cut("SHOP", "HUB1")
    lab.advance(5)
    for _ in range(3):
        seller.publish("price/fruit", b"later")
        lab.advance(60)
    assert bodies(reader)[-2:] == [b"later"] * 2


@for_each(
    "before, at_sub, at_pub",
    ("ALTER TOPIC(PRICE) PUBSCOPE(QMGR)", "", 0),
    ("ALTER TOPIC(PRICE) SUBSCOPE(QMGR)", "", 0),
    ("", "scope", 0),
    ("", "", mq.MQPMO_SCOPE_QMGR),
)
def test_scope_qmgr_keeps_it_here(before, at_sub, at_pub):
    lab, every = clustered()
    if before:
        every["HUB1"].mqsc(before).require()
    reader = every["DEPOT"].connect("READER")
    options = mq.MQSO_CREATE | mq.MQSO_MANAGED | (mq.MQSO_SCOPE_QMGR if at_sub else 0)
    subscription = reader.subscribe(sd=SD(Options=options, ObjectString="price/fruit"))
    here = every["SHOP"].connect("OTHER").subscribe("price/fruit")
    lab.advance(5)
    assert bool(proxies(every["SHOP"])) == (at_pub > 0 or "PUBSCOPE" in before)
    every["SHOP"].connect("SELLER").publish("price/fruit", b"apple", pmo=PMO(Options=at_pub))
    lab.advance(5)
    assert (bodies(subscription), bodies(here)) == ([], [b"apple"])


def test_what_is_not_below_the_cluster_topic_stays_here():
    lab, every = clustered()
    every["DEPOT"].connect("READER").subscribe("stock/fruit")
    every["DEPOT"].connect("READER2").subscribe("#")
    lab.advance(5)
    assert proxies(every["SHOP"]) == []


def test_a_proxy_subscription_ends_with_the_last_subscription_and_display_sub_leaves_it_out():
    lab, every = clustered()
    app = every["DEPOT"].connect("READER")
    first, second = app.subscribe("price/fruit"), app.subscribe("price/fruit")
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]
    assert not [row for row in every["SHOP"].mqsc("DISPLAY SUB(*)").rows if "PROXY" in row["SUB"]]
    (row,) = every["SHOP"].mqsc("DISPLAY SUB(*) SUBTYPE(PROXY) DEST").rows
    assert row["DEST"] == "SYSTEM.INTER.QMGR.PUBS"
    first.close()
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]
    second.close()
    lab.advance(5)
    assert proxies(every["SHOP"]) == []


def test_a_definition_of_mqsc_subscribes_too_and_force_asks_for_all():
    lab, every = clustered(more="PROXYSUB(FORCE)")
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/#", name) for name in ("DEPOT", "HUB1", "HUB2")]
    lab, every = clustered()
    every["DEPOT"].mqsc("DEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICSTR('price/*') WSCHEMA(CHAR) DEST(Q)").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/*", "DEPOT")]
    every["SHOP"].connect("SELLER").publish("price/fruit/red", b"apple", correl_id=b"c" * 24)
    lab.advance(5)
    message = every["DEPOT"].get("Q")
    assert message.properties["MQTopicString"] == "price/fruit/red"
    every["DEPOT"].mqsc("DELETE SUB(S)").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == []


def test_over_a_cut_link_nothing_is_known_yet_and_messages_wait():
    lab, every = clustered()
    lab.cut("DEPOT", "SHOP")
    reader = every["DEPOT"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    seller = every["SHOP"].connect("SELLER")
    seller.publish("price/fruit", b"lost")
    assert proxies(every["HUB2"]) == [("price/fruit", "DEPOT")]
    assert proxies(every["SHOP"]) == []
    lab.restore("DEPOT", "SHOP")
    lab.advance(120)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]
    seller.publish("price/fruit", b"later")
    lab.advance(5)
    assert bodies(reader) == [b"later"]


def test_direct_needs_no_full_repository_once_members_know_each_other():
    lab, every = clustered()
    for name in ("HUB1", "HUB2"):
        every[name].stop()
    reader = every["DEPOT"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    sell(every["SHOP"])
    assert bodies(reader) == [b"apple"]


def test_in_a_unit_of_work_others_see_a_publication_at_the_commit():
    lab, every, reader = subscribed()
    seller = every["SHOP"].connect("SELLER")
    with seller.unit_of_work() as unit:
        seller.publish("price/fruit", b"apple", unit=unit)
        lab.advance(5)
        assert bodies(reader) == []
    lab.advance(5)
    assert bodies(reader) == [b"apple"]


# ---------------------------------------------------------------- retained publications
@for_each("route", "DIRECT", "TOPICHOST")
def test_a_subscription_gets_what_is_retained_elsewhere_once(route):
    lab, every = clustered(route)
    first = every["HUB2"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    every["SHOP"].connect("SELLER").publish("price/fruit", b"apple", retain=True)
    lab.advance(5)
    assert bodies(first) == [b"apple"]
    at_hub = every["HUB2"].connect("LATER").subscribe("price/fruit")
    assert bodies(at_hub) == [b"apple"]  # retained here too
    late = every["DEPOT"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    assert bodies(late) == [b"apple"]
    assert (bodies(first), bodies(at_hub)) == ([], [])


# ---------------------------------------------------------------- members that come and go
def test_a_member_that_joins_later_learns_of_topics_and_is_asked_for_what_others_subscribe_to():
    lab, every = clustered(host="HUB1")
    every["DEPOT"].connect("READER").subscribe("price/fruit")
    late = lab.queue_manager("LATE")
    for name in NAMES:
        lab.link("LATE", name, 0.01)
    late.mqsc(
        "DEFINE CHANNEL(TO.LATE) CHLTYPE(CLUSRCVR) CONNAME('late(1414)') CLUSTER(DEMO)\n"
        "DEFINE CHANNEL(TO.HUB1) CHLTYPE(CLUSSDR) CONNAME('hub1(1414)') CLUSTER(DEMO)"
    ).require()
    lab.advance(5)
    assert late.mqsc("DISPLAY TCLUSTER(PRICE)").ok
    assert proxies(late) == [("price/fruit", "DEPOT")]


def test_a_member_that_leaves_takes_its_proxy_subscriptions_along_and_one_that_returns_brings_them():
    lab, every, reader = subscribed()
    every["DEPOT"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(' ')").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == []
    every["DEPOT"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CLUSTER(DEMO)").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]
    sell(every["SHOP"])
    assert bodies(reader) == [b"apple"]


def test_a_refresh_brings_proxy_subscriptions_back():
    lab, every, _ = subscribed()
    every["SHOP"].mqsc("REFRESH CLUSTER(DEMO)").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]


def test_a_host_that_is_removed_by_force_gets_no_more_publications():
    lab, every = clustered("TOPICHOST", "DEPOT")
    assert proxies(every["SHOP"]) == [("price/#", "DEPOT")]
    every["DEPOT"].stop()
    every["HUB1"].mqsc("RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT) QUEUES(NO)").require()
    lab.advance(5)
    assert proxies(every["SHOP"]) == []


def test_refresh_of_proxy_subscriptions_says_them_again():
    lab, every, _ = subscribed()
    topics = every["SHOP"].kept["clusters"].topics
    topics.asked.clear()  # as if its message had been lost
    topics.subscribed()
    lab.advance(5)
    assert proxies(every["SHOP"]) == []
    (reply,) = every["DEPOT"].mqsc("REFRESH QMGR TYPE(PROXYSUB)").replies
    assert (reply.ok, reply.simulated) == (True, True)
    lab.advance(5)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]


def test_the_topic_that_is_deleted_takes_everything_along():
    lab, every, _ = subscribed()
    every["HUB1"].mqsc("DELETE TOPIC(PRICE)").require()
    lab.advance(5)
    assert [proxies(every[name]) for name in NAMES] == [[]] * 4
    assert not every["SHOP"].mqsc("DISPLAY TCLUSTER(*)").ok


def test_a_restart_keeps_proxy_subscriptions_and_goes_on():
    lab, every, reader = subscribed()
    every["SHOP"].stop()
    every["SHOP"].start()
    lab.advance(120)
    assert proxies(every["SHOP"]) == [("price/fruit", "DEPOT")]
    every["SHOP"].connect("SELLER").publish("price/fruit", b"apple")
    lab.advance(60)
    assert bodies(reader) == [b"apple"]


def test_what_nobody_may_publish_here_goes_to_the_dead_letter_queue():
    lab, every = clustered()
    every["DEPOT"].mqsc("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)").require()
    every["DEPOT"].connect("READER").subscribe("price/fruit")
    lab.advance(5)
    every["DEPOT"].mqsc("DEFINE TOPIC(OWN) TOPICSTR('price/fruit') PUB(DISABLED)").require()
    sell(every["SHOP"])
    assert every["DEPOT"].depth("DLQ") == 1


def test_a_persistent_publication_that_nothing_takes_waits_there():
    lab, every, reader = subscribed()
    every["DEPOT"].mqsc("DEFINE TOPIC(OWN) TOPICSTR('price/fruit') PUB(DISABLED)").require()
    seller = every["SHOP"].connect("SELLER")
    for persistent in (True, False):
        seller.publish("price/fruit", b"apple %d" % persistent, persistent=persistent)
    lab.advance(70)
    assert every["DEPOT"].depth("SYSTEM.INTER.QMGR.PUBS") >= 1
    every["DEPOT"].mqsc("ALTER TOPIC(OWN) PUB(ENABLED)").require()
    lab.advance(70)
    assert b"apple 1" in bodies(reader)
    assert every["DEPOT"].depth("SYSTEM.INTER.QMGR.PUBS") == 0


def test_a_lab_without_clusters_keeps_the_attribute_of_a_topic():
    qm = Lab().queue_manager("QM1")
    qm.mqsc("DEFINE TOPIC(PRICE) TOPICSTR('price') CLUSTER(DEMO)").require()
    assert "clusters" not in qm.kept
    app = qm.connect("READER")
    subscription = app.subscribe("price/fruit")
    app.publish("price/fruit", b"apple")
    assert bodies(subscription) == [b"apple"]
