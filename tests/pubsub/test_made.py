"""A subscription keeps what it was made with: its topic string, its blocked branches, its handle, and its place."""

import pytest

from helpers import for_each, reason
from mqlab import constants as mq


@pytest.fixture
def qm(lab):
    return lab.queue_manager("QM1")


@pytest.mark.rule("MQI-37")
def test_a_subscription_outlives_its_topic_object_and_does_not_follow_a_new_one(qm):
    qm.mqsc(
        "DEFINE TOPIC(T) TOPICSTR('a')\nDEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICOBJ(T) TOPICSTR('x') DEST(Q)"
    ).require()
    program = qm.connect("reader").subscribe("x", topic="T")
    assert qm.mqsc("DELETE TOPIC(T)").ok
    assert len(qm.publish("a/x", b"1")) == 2
    qm.mqsc("DEFINE TOPIC(T) TOPICSTR('b')").require()
    assert [len(qm.publish(string, b"2")) for string in ("a/x", "b/x")] == [2, 0]
    assert program.topic_string == "a/x"
    assert qm.mqsc("DISPLAY SUB(S) DISTYPE(RESOLVED) TOPICSTR").rows[0]["TOPICSTR"] == "a/x"


def test_a_subscription_whose_topic_object_comes_later_gets_its_string_then(qm):
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICOBJ(T) DEST(Q)\nDEFINE TOPIC(T) TOPICSTR('a')")
    assert len(qm.publish("a", b"1")) == 1
    qm.mqsc("DELETE TOPIC(T)").require()
    assert len(qm.publish("a", b"2")) == 1


@pytest.mark.rule("MQI-34")
def test_wildcard_is_asked_when_a_subscription_is_made(qm):
    qm.mqsc("DEFINE TOPIC(F) TOPICSTR('s/f')\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)").require()
    qm.mqsc("DEFINE SUB(BEFORE) TOPICSTR('s/#') DEST(A)\nALTER TOPIC(F) WILDCARD(BLOCK)").require()
    qm.mqsc("DEFINE SUB(AFTER) TOPICSTR('s/#') DEST(B)").require()
    qm.publish("s/f/x", b"x")
    qm.publish("s/g", b"x")
    assert (qm.depth("A"), qm.depth("B")) == (2, 1)
    qm.mqsc("ALTER TOPIC(F) WILDCARD(PASSTHRU)").require()
    qm.publish("s/f/x", b"y")
    assert (qm.depth("A"), qm.depth("B")) == (3, 1)


def test_only_the_queue_manager_publishes_in_the_system_branch(qm):
    assert qm.mqsc("DISPLAY TOPIC(SYSTEM.ADMIN.TOPIC) WILDCARD").rows[0]["WILDCARD"] == "BLOCK"
    assert not qm.mqsc("ALTER TOPIC(SYSTEM.ADMIN.TOPIC) WILDCARD(PASSTHRU)").ok
    assert qm.mqsc("ALTER TOPIC(SYSTEM.ADMIN.TOPIC) USEDLQ(NO)").ok
    assert reason(lambda: qm.publish("$SYS/MQ/INFO", b"x")) == mq.MQRC_ADMIN_TOPIC_STRING_ERROR
    assert reason(lambda: qm.open_topic("$SYS/MQ/INFO")) == mq.MQRC_ADMIN_TOPIC_STRING_ERROR
    shown = [row["TOPICSTR"] for row in qm.mqsc("DISPLAY TPSTATUS('#')").rows]
    assert not any(string.startswith("$SYS") for string in shown if string != "$SYS")
    assert "$SYS/MQ" in [row["TOPICSTR"] for row in qm.mqsc("DISPLAY TPSTATUS('$SYS/MQ/#')").rows]


@for_each("change", ["PUT(DISABLED)", "MAXDEPTH(1)"])
def test_a_durable_subscription_needs_the_queue_that_keeps_it(lab, change):
    qm = lab.queue_manager(f"QM{lab.events.next_seq}")
    app = qm.connect("a")
    app.subscribe("d/x", name="ONE", durable=True)
    qm.mqsc(f"ALTER QLOCAL(SYSTEM.DURABLE.SUBSCRIBER.QUEUE) {change}\nDEFINE QLOCAL(Q)").require()
    assert reason(lambda: app.subscribe("d/x", name="TWO", durable=True)) == mq.MQRC_DURABILITY_NOT_ALLOWED
    assert not qm.mqsc("DEFINE SUB(TWO) TOPICSTR('d') DEST(Q)").ok
    assert app.subscribe("d/x", name="TWO").is_open
    assert qm.mqsc("DISPLAY QLOCAL(SYSTEM.DURABLE.SUBSCRIBER.QUEUE) CURDEPTH").rows[0]["CURDEPTH"] == 1
    assert not qm.mqsc("CLEAR QLOCAL(SYSTEM.DURABLE.SUBSCRIBER.QUEUE)").ok
    qm.mqsc("ALTER QLOCAL(SYSTEM.DURABLE.SUBSCRIBER.QUEUE) PUT(ENABLED) MAXDEPTH(2)").require()
    assert app.subscribe("d/x", name="THREE", durable=True).is_open


def test_what_has_the_name_of_the_queue_of_durable_subscriptions_and_keeps_none_is_displayed_too(lab):
    one, two = (lab.queue_manager(name, platform="zos") for name in ("QM1", "QM2"))
    lab.queue_sharing_group("QSG1", ["QM1", "QM2"])
    name = "SYSTEM.DURABLE.SUBSCRIBER.QUEUE"
    for qm in (one, two):
        qm.mqsc(f"DELETE QLOCAL({name}) PURGE").require()
    one.mqsc(f"DEFINE QLOCAL({name}) QSGDISP(GROUP)\nDELETE QLOCAL({name}) QSGDISP(COPY)").require()
    assert one.mqsc(f"DISPLAY QUEUE({name}) QSGDISP(GROUP)").rows[0]["QSGDISP"] == "GROUP"
    two.mqsc(f"DELETE QLOCAL({name}) QSGDISP(COPY)\nDEFINE QALIAS({name}) TARGET(X)").require()
    assert two.mqsc(f"DISPLAY QUEUE({name}) ALL").rows[0]["TYPE"] == "QALIAS"


def test_a_program_alters_its_managed_subscription_and_one_that_a_command_alters_is_the_administrators(qm):
    app = qm.connect("a")
    app.subscribe("d/x", name="N", durable=True).close()
    app.subscribe("d/x", name="N", durable=True, how="alter", user_data="new").close()
    (row,) = qm.mqsc("DISPLAY SUB(N) SUBTYPE USERDATA").rows
    assert (row["SUBTYPE"], row["USERDATA"]) == ("API", "new")
    qm.mqsc("ALTER SUB(N) USERDATA('u')").require()
    assert qm.mqsc("DISPLAY SUB(N) SUBTYPE").rows[0]["SUBTYPE"] == "ADMIN"


@pytest.mark.rule("MQI-37")
def test_subscriptions_puts_by_name_and_other_objects_use_handles(qm):
    qm.mqsc("ALTER QMGR MAXHANDS(5)\nDEFINE QLOCAL(Q)").require()
    app = qm.connect("exporter")
    queue = app.open("Q", input="shared")
    made = [app.subscribe(f"a/{number}", queue=queue) for number in range(4)]
    before = len(qm.lab.events.where(kind="define"))
    assert reason(lambda: app.subscribe("a/5", queue=queue)) == mq.MQRC_HANDLE_NOT_AVAILABLE
    assert reason(lambda: app.open("Q", input="shared")) == mq.MQRC_HANDLE_NOT_AVAILABLE
    assert reason(lambda: app.put("Q", b"x")) == mq.MQRC_HANDLE_NOT_AVAILABLE
    assert len(qm.lab.events.where(kind="define")) == before
    made[0].close()
    assert app.open("Q", input="shared").name == "Q"
    other = qm.connect("other")
    for number in range(2):
        other.subscribe(f"b/{number}")
    assert reason(lambda: other.subscribe("b/2")) == mq.MQRC_HANDLE_NOT_AVAILABLE
