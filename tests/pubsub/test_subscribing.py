"""Subscriptions of programs: what MQSUB makes, resumes, and alters, how long it lives, and what a request sends."""

import pytest

from helpers import cases, for_each, lab_error, reason
from mqlab.engine.words import constants as mq
from mqlab.pubsub.publishing import retained
from mqlab.pubsub.state import state_of
from mqlab.pubsub.structures import SD, SRO


@pytest.fixture
def qm(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("""DEFINE QLOCAL(Q)
        DEFINE QLOCAL(R)
        DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit')
        DEFINE TOPIC(SHUT) TOPICSTR('shut') SUB(DISABLED)
        DEFINE TOPIC(BRIEF) TOPICSTR('brief') DURSUB(NO)""").require()
    return qm


@pytest.fixture
def app(qm):
    return qm.connect("SHOP", user="ann")


def named(qm, kind="SUB"):
    return [one.name for one in qm.objects.match((kind,)) if not one.name.startswith("SYSTEM.DEFAULT")]


def managed(qm):
    return [queue.name for queue in qm.queues if queue.name.startswith("SYSTEM.MANAGED.")]


@pytest.mark.rule("MQI-37")
def test_a_managed_subscription_gets_what_matches_from_then_on(lab, qm, app):
    qm.publish("price/oil", b"before")
    with app.subscribe("price/+") as prices, app.subscribe("apple/#", topic="FRUIT", correl_id=b"A") as apples:
        qm.publish("price/oil", b"1", correl_id=b"P")
        qm.publish("price/fruit/apple/red", b"2")
        qm.publish("news", b"3")
        first, second = prices.get(), apples.get()
        assert (first.body, second.body, reason(prices.get), reason(apples.get)) == (b"1", b"2", 2033, 2033)
        assert (second.correl_id[:1], second.user, apples.topic_string) == (b"A", "ann", "price/fruit/apple/#")
        assert first.correl_id.hex().upper() == prices.definition.attributes["SUBID"]
        [row] = qm.mqsc("DIS SBSTATUS(*) ALL WHERE(TOPICSTR EQ 'price/+')").rows
        assert (row["DURABLE"], row["SUBTYPE"], row["NUMMSGS"], row["ACTCONN"] == "0" * 48) == ("NO", "API", 1, False)
        assert qm.mqsc("DIS TPS('price/+') TYPE(SUB)").rows[0]["SUBID"] == row["SUBID"]
        assert len(managed(qm)) == 2
    assert (named(qm), managed(qm), list(qm.handles), state_of(qm).subscriptions) == ([], [], [], [])
    kinds = [row.kind for row in lab.events.where(object_type="SUB")]
    assert kinds == ["subscribe", "define"] * 2 + ["unsubscribe", "delete"] * 2


def test_a_subscription_to_a_queue_that_the_program_has_open(qm, app):
    with app.open("Q", input="shared") as queue:
        own = app.subscribe("price/#", queue=queue, priority=7)
        assert app.publish("price/oil", b"1")[0].priority == 7
        assert (list(app.publish("price/oil", b"own", not_own_subscriptions=True)), own.get().body) == ([], b"1")
        assert len(qm.publish("price/oil", b"2", not_own_subscriptions=True)) == 1
        own.close()
        assert list(qm.publish("price/oil", b"3")) == []
        assert queue.get().body == b"2"
    through = qm.open("R", input="shared")
    published = qm.subscribe("p?ice/*", queue=through, wildcards="character", correl_id=bytes(24))
    assert [copy.correl_id[:1] for copy in qm.publish("price/x/y", b"4", correl_id=b"P")] == [b"P"], "the publisher's"
    published.close()


@pytest.mark.rule("MQI-38")
def test_a_durable_subscription_outlives_its_program_and_its_queue_manager(lab, qm):
    def first(app):
        app.subscribe("price/#", name="PRICES", durable=True, user_data="x")
        app.subscribe("price/#", name="BRIEF")

    qm.run_program("FIRST", first)
    lab.run()
    assert (named(qm), len(managed(qm))) == (["PRICES"], 1)
    qm.publish("price/oil", b"1", persistent=True)
    qm.publish("price/oil", b"lost")
    qm.subscribe("news", name="BRIEF")
    qm.stop()
    qm.start()
    assert named(qm) == ["PRICES"]
    app = qm.connect("SECOND")
    again = app.subscribe(name="PRICES", how="resume")
    assert [message.body for message in again.drain()] == [b"1"]
    sd = SD(Options=mq.MQSO_RESUME, SubName="PRICES")
    assert reason(qm.subscribe, sd=sd) == 2429
    again.close()
    resumed = qm.subscribe(sd=sd)
    assert (sd.SubUserData, sd.ResObjectString, bool(sd.Options & mq.MQSO_MANAGED)) == ("x", "price/#", True)
    resumed.close(remove=True)
    assert (named(qm), managed(qm)) == ([], [])


@pytest.mark.rule("MQI-38")
def test_a_subscription_expires_and_takes_its_queue_with_it(lab, qm, app):
    prices = app.subscribe("price", expiry=50)
    qm.mqsc("DEFINE SUB(S) TOPICSTR('price') DEST(Q) EXPIRY(100)").require()
    lab.advance(4)
    assert len(qm.publish("price", b"1")) == 2
    lab.advance(2)
    assert len(qm.publish("price", b"2")) == 1
    assert (reason(prices.request), prices.get().body) == (2523, b"1"), "until its handle is closed"
    prices.close()
    qm.mqsc("ALTER SUB(S) EXPIRY(100)").require()
    lab.advance(5)
    assert named(qm) == ["S"]
    lab.advance(5)
    assert (named(qm), managed(qm), list(qm.publish("price", b"3"))) == ([], [], [])


@for_each("durable", (False, True))
def test_a_publication_that_is_committed_after_its_subscription_ended_goes_with_the_queue(lab, qm, app, durable):
    prices, unit = app.subscribe("price", name="P", durable=durable), qm.connect("PUBLISHER").unit_of_work()
    number = unit.application.publish("price", b"1", unit=unit)[0].number
    prices.close(remove=True)
    unit.commit()
    assert [row.kind for row in lab.events.of_message(number)] == ["put", "clear"]
    assert (managed(qm), [name for _, name in lab.state().queues if "MANAGED" in name]) == ([], [])


@for_each(
    "given, why",
    ({"topic_string": "price", "name": "S"}, 2432),
    ({"name": "NONE", "how": "resume"}, 2428),
    ({"topic_string": "price", "durable": True}, 2440),
    ({"topic_string": "price", "how": "create or resume"}, 2440),
    ({"topic_string": "shut"}, 2503),
    ({"topic_string": "brief/x", "name": "T", "durable": True}, 2436),
    ({"topic_string": ""}, 2425),
    ({"topic_string": "x", "topic": "FRUITS"}, 2085),
    ({"topic_string": "x", "expiry": 0}, 2013),
    ({"topic_string": "x", "priority": 10}, 2050),
    ({"topic_string": "x", "level": 10}, 2424),
    ({"topic_string": "x", "on_request": True, "new_only": True}, 2046),
    ({"name": "SYSTEM.DEFAULT.SUB", "how": "resume"}, 2523),
    ({"sd": SD(Options=mq.MQSO_CREATE, ObjectString="x")}, 2019),
    ({"sd": SD(Options=mq.MQSO_MANAGED, ObjectString="x")}, 2046),
    ({"sd": SD(Options=0x300002, ObjectString="x")}, 2046),
    ({"sd": SD(Options=4 + 4096, SubName="S")}, 2046),
    ({"sd": SD(Options=mq.MQSO_CREATE | mq.MQSO_GROUP_SUB, ObjectString="x")}, 2046),
    ({"name": "S", "how": "alter", "topic_string": "other", "durable": True}, 2510),
    ({"name": "S", "how": "alter"}, 2509),
    ({"name": "S", "how": "alter", "durable": True, "level": 2}, 2512),
    ({"name": "S", "how": "alter", "durable": True, "selector": "a = 1"}, 2524),
    ({"name": "S", "how": "create or alter", "durable": True}, 2533),
)
def test_what_mqsub_refuses_changes_nothing(lab, qm, app, given, why):
    qm.mqsc("DEFINE SUB(S) TOPICSTR('price') DEST(Q) REPLACE").require()
    assert reason(app.subscribe, **given) == why
    assert (named(qm), managed(qm), list(qm.handles), state_of(qm).subscriptions) == (["S"], [], [], [])


@for_each(
    "given, said",
    ({"how": "make"}, "how must be one of"),
    ({"wildcards": "?"}, "wildcards must be"),
    ({"durable": 1}, "must be True or False"),
    ({"queue": "Q"}, "queue must be an open handle"),
    ({"sd": {}}, "sd must be an SD"),
)
def test_what_is_no_value_of_a_subscription(qm, given, said):
    lab_error(said, qm.subscribe, "price", **given)


@cases(
    "before, given, durable",
    ("DELETE QMODEL(SYSTEM.NDURABLE.MODEL.QUEUE)", {}, False),
    ("ALTER QMODEL(SYSTEM.DURABLE.MODEL.QUEUE) DEFTYPE(TEMPDYN)", {"name": "T", "durable": True}, True),
    ("ALTER TOPIC(FRUIT) MNDURMDL(NONE)", {"topic": "FRUIT"}, False),
)
def test_the_model_queue_of_a_managed_one_comes_from_the_topic(qm, app, before, given, durable):
    qm.mqsc(before).require()
    assert reason(app.subscribe, "x", **given) == 2522
    qm.mqsc("DEFINE QMODEL(M) DEFTYPE(PERMDYN)\nALTER TOPIC(FRUIT) MDURMDL(M) MNDURMDL(M) DEFPRTY(3)").require()
    app.subscribe("apple", **given | {"topic": "FRUIT"})
    assert (managed(qm)[0].startswith("SYSTEM.MANAGED.DURABLE."), named(qm)) == (durable, ["T"] if durable else [""])


@pytest.mark.rule("MQI-36")
def test_retained_publications_come_at_once_or_on_request(lab, qm, app):
    for topic, body in (("price/oil", b"1"), ("price/rye", b"2"), ("news", b"3")):
        qm.publish(topic, body, retain=True, expiry=600)
    lab.advance(10)
    at_once, new = app.subscribe("price/+"), app.subscribe("price/+", new_only=True)
    asked = app.subscribe("price/+", on_request=True)
    assert [(one.body, one.expiry) for one in at_once.drain()] == [(b"1", 500), (b"2", 500)]
    assert (new.drain(), asked.drain(), qm.depth("SYSTEM.RETAINED.PUB.QUEUE")) == ([], [], 3)
    qm.publish("price/oil", b"4", retain=True)
    assert ([one.body for one in new.drain()], asked.drain()) == ([b"4"], [])
    sro = SRO()
    assert (asked.request(sro), sro.NumPubs, [one.body for one in asked.drain()]) == (2, 2, [b"4", b"2"])
    assert (reason(new.request), reason(app.subscribe("none", on_request=True).request)) == (2535, 2437)
    asked.close()
    assert (reason(asked.request), reason(asked.close)) == (2019, 2019)
    full = app.open("R", input="shared")
    qm.mqsc("ALTER QLOCAL(R) PUT(DISABLED)").require()
    assert (reason(app.subscribe, "news", queue=full), named(qm)) == (2526, ["", "", ""])
    assert lab.events.where(kind="request")[0].rule == "MQI-36"


def test_a_managed_subscription_by_command_is_resumed_by_a_program(qm, app):
    qm.mqsc("DEFINE SUB(S) TOPICSTR('price') DESTCLAS(MANAGED)").require()
    qm.mqsc("DEFINE SUB(S) TOPICSTR('price') DESTCLAS(MANAGED) USERDATA('u') REPLACE").require()
    [queue], [row] = managed(qm), qm.mqsc("DIS SUB(S) DEST DESTCLAS").rows
    assert (row["DEST"], queue in qm.export_mqsc()) == (queue, False)
    qm.publish("price", b"1")
    with app.subscribe(name="S", how="resume") as own:
        assert own.get().body == b"1"
    assert qm.mqsc("DEFINE SUB(T) LIKE(S) TOPICSTR('news')\nDELETE SUB(S)").ok
    assert managed(qm) == [qm.mqsc("DIS SUB(T) DEST").rows[0]["DEST"]]


def test_an_alter_changes_what_it_may(qm, app):
    app.subscribe("price", name="S", durable=True, queue=app.open("Q", input="shared")).close()
    r = app.open("R", input="shared")
    app.subscribe(name="S", durable=True, how="alter", queue=r, user_data="new", correl_id=b"B", expiry=99).close()
    row = qm.mqsc("DIS SUB(S)").rows[0]
    assert [row[key] for key in ("DEST", "USERDATA", "EXPIRY", "TOPICSTR")] == ["R", "new", 99, "price"]
    assert (qm.publish("price", b"1")[0].correl_id[:1], qm.depth("R"), qm.depth("Q")) == (b"B", 1, 0)
    with app.subscribe(name="S", how="resume") as own:
        assert (own.queue.name, reason(own.close, keep=True, remove=True)) == ("R", 2046)
    assert reason(app.subscribe("price").close, keep=True) == 2045


def test_a_subscription_without_a_name_is_deleted_by_its_subid(lab, qm, app):
    own = app.subscribe("price")
    (id,) = [row["SUBID"] for row in qm.mqsc("DIS SUB(*) SUBTYPE(API)").rows]
    assert qm.mqsc(f"DELETE SUB SUBID({id})").ok
    assert (list(qm.publish("price", b"x")), own.close(), managed(qm)) == ([], None, [])
    ended = lab.events.where(kind="unsubscribe")[0]
    assert (ended.object, ended.facts["kept"]) == (id, False)


def test_retained_publications_that_a_selector_does_not_select_are_not_sent(qm, app):
    qm.publish("price/oil", b"1", retain=True, priority=3)
    qm.publish("price/rye", b"2", retain=True, priority=7)
    own = app.subscribe("price/#", selector="JMSPriority > 5")
    assert [one.body for one in own.drain()] == [b"2"]
    reply = qm.mqsc("CLEAR TOPICSTR('price/rye') CLRTYPE(RETAINED)").replies[0]
    assert (reply.ok, reply.simulated, [string for string, _ in retained(qm, "#")]) == (True, True, ["price/oil"])


def test_a_publication_tells_its_topic_and_the_data_of_its_subscription(qm, app):
    qm.publish("price/oil", b"1", retain=True)
    own = app.subscribe("price/#", user_data="mine")
    qm.publish("price/rye", b"2")
    found = [{each.shown: each.value for each in message.descriptor.properties} for message in own.drain()]
    assert found == [
        {"MQTopicString": "price/oil", "MQSubUserData": "mine", "MQIsRetained": True},
        {"MQTopicString": "price/rye", "MQSubUserData": "mine"},
    ]


@pytest.mark.rule("MQI-42")
def test_a_subscription_of_a_higher_level_intercepts_publications(qm, app):
    checker, reader = app.subscribe("price/#", level=5), app.subscribe("price/fruit")
    app.publish("price/fruit", "raw")
    assert reason(lambda: reader.get()) == 2033
    app.publish("price/fruit", checker.get().body + b" checked", level=4)
    assert (reader.get().body, reason(lambda: checker.get())) == (b"raw checked", 2033)
    app.publish("price/fruit", "for nobody", level=0)
    assert len(app.publish("price/fruit", "kept", retain=True, level=1)) == 1
    late = app.subscribe("price/fruit", level=2)
    assert (reason(lambda: late.get()), reader.get().body) == (2033, b"kept")
    assert reason(lambda: app.publish("price/fruit", "x", level=10)) == 2173
    assert reason(lambda: app.subscribe("price/fruit", level=2, on_request=True)) == 2424


def test_subscriptions_of_a_group_get_one_copy(qm, app):
    queue = app.open("Q", input="shared")

    def joined(topic, name, correl_id=b"group", more=0):
        options = mq.MQSO_CREATE | mq.MQSO_GROUP_SUB | mq.MQSO_SET_CORREL_ID | more
        sd = SD(Options=options, ObjectString=topic, SubName=name, SubCorrelId=correl_id.ljust(24, b"\0"))
        return app.subscribe(sd=sd, queue=queue)

    joined("price/#", "A")
    joined("price/fruit", "B")
    app.publish("price/fruit", "1")
    app.publish("price/oil", "2")
    joined("price/#", "C", b"other", mq.MQSO_DURABLE).close()
    app.publish("price/fruit", "3")
    assert [message.body for message in queue.drain()] == [b"1", b"2", b"3", b"3"]
    assert [row.facts["subscriptions"] for row in qm.lab.events.where(kind="publish")] == [["B"], ["A"], ["B", "C"]]
    assert reason(lambda: joined("price/fruit", "D")) == 2514
    assert reason(lambda: joined("price/oil", "D", b"")) == 2046
    changes = mq.MQSO_ALTER | mq.MQSO_SET_CORREL_ID | mq.MQSO_DURABLE
    change = SD(Options=changes, SubName="C", SubCorrelId=b"new".ljust(24, b"\0"))
    assert reason(lambda: app.subscribe(sd=change, queue=queue)) == 2515


@pytest.mark.rule("MQI-37")
def test_a_subscription_is_its_users_unless_any_user_may_have_it(lab, qm, app):
    bob = qm.connect("STALL", user="bob")
    app.subscribe("price/#", name="S", durable=True).close()
    for how in ("resume", "alter"):
        assert reason(bob.subscribe, "price/#", name="S", durable=True, how=how) == mq.MQRC_IDENTITY_MISMATCH
    durable = mq.MQSO_DURABLE | mq.MQSO_MANAGED
    app.subscribe(sd=SD(Options=mq.MQSO_ALTER | mq.MQSO_ANY_USERID | durable, SubName="S")).close()
    with bob.subscribe("price/#", name="S", durable=True, how="resume") as resumed:
        qm.publish("price/fruit", b"1")
        assert resumed.get().user == "bob"
    assert (resumed.definition.attributes["VARUSER"], resumed.definition.attributes["SUBUSER"]) == ("ANY", "bob")


def test_a_publication_names_what_its_subscriptions_set_and_nothing_acts_on(lab, qm):
    qm.mqsc(
        "DEFINE SUB(S) TOPICSTR('a') DEST(Q) SUBSCOPE(QMGR) PSPROP(COMPAT)\n"
        "DEFINE SUB(T) TOPICSTR('b') DEST(Q) PSPROP(NONE)"
    ).require()
    for string, kept in (("a", ["PSPROP(COMPAT)"]), ("b", None)):
        qm.publish(string, b"x")
        assert lab.events.where(kind="publish")[-1].facts.get("kept_only") == kept


def test_a_publication_on_the_queue_of_a_subscription_that_ended_can_be_got_until_that_is_closed(lab, qm, app):
    prices, unit = app.subscribe("price"), app.unit_of_work()
    first, second = (app.publish("price", body)[0] for body in (b"1", b"2"))
    prices.get(unit=unit)
    prices.unsubscribe()
    unit.backout()
    assert lab.why_not_delivered(second).place == f"it is on {prices.queue.name} of QM1"
    assert (prices.queue.get(wait=1).body, reason(prices.queue.get, msg_id=first.msg_id, wait=1)) == (b"1", 2033)
    prices.queue.close()
    assert lab.why_not_delivered(second).verdict == "cleared"
