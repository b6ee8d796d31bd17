"""Publish and subscribe: which queues a publication comes to, and what CAPEXPRY of topics does to it."""

import pytest

from helpers import cases, for_each, lab_error, mq_error, reason, refusal
from mqlab import MD, PMO, MQError, NotSimulated
from mqlab.engine.queues.forward import pass_on
from mqlab.engine.words.constants import MQPMO_NEW_MSG_ID, MQRO_EXPIRATION
from mqlab.engine.words.constants import MQPMO_SUPPRESS_REPLYTO as MQPMO_SUPPRESS
from mqlab.pubsub.publishing import retained
from mqlab.pubsub.topics import like, matches


@pytest.fixture
def make(lab):
    """Make a queue manager with queues Q and R, topic FRUIT (price/fruit), alias A of it, and a subscription to Q."""

    def make(*commands, level=940, **settings):
        qm = lab.queue_manager(f"QM{len(lab.queue_managers)}", level=level, **settings)
        given = (
            "DEFINE QLOCAL(Q)",
            "DEFINE QLOCAL(R)",
            "DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit')",
            "DEFINE QALIAS(A) TARGTYPE(TOPIC) TARGET(FRUIT)",
            "DEFINE SUB(S) TOPICSTR('price/#') DEST(Q)",
        )
        qm.mqsc("\n".join((*given, *commands))).require()
        return qm

    return make


def ways(qm):
    """The ways to publish to price/fruit: by its string, and through the alias by its name and by a handle."""

    def by_handle(body, **options):
        with qm.open("A", output=True) as handle:
            return handle.put(body, **options).copies

    return {
        "string": lambda body, **options: qm.publish("price/fruit", body, **options),
        "alias": lambda body, **options: qm.put("A", body, **options).copies,
        "handle": by_handle,
    }


# ---------------------------------------------------------------- who gets a publication
def test_wildcards_stand_for_levels():
    alike = "a/b=a/b a/+=a/b +/+=a/b +/b=a/b a/#=a a/#=a/b/c #=a/b/c #/c=a/b/c #/c=c a/#/c=a/b/b/c #/b/#=a/b/c #/#=a"
    other = "a/b=a/b/c a/b=A/b a/+=a a/+=a/b/c a/#/c=a/b/b a/+x=a/bx a/#x=a/b /a=a b/#=a/b"
    for pairs, expected in ((f"{alike} a/+x=a/+x +/a=/a", True), (other, False)):
        for pair in pairs.split():
            assert matches(*pair.split("=")) == expected, pair


@pytest.mark.rule("MQI-34")
@pytest.mark.parametrize("way", ["string", "alias", "handle"])
def test_each_subscription_that_matches_gets_a_copy_of_its_own(lab, make, way):
    qm = make(
        "DEFINE SUB(EXACT) TOPICSTR('price/fruit') DEST(R)",
        "DEFINE SUB(ONE) TOPICSTR('+/fruit') DEST(R)",
        "DEFINE SUB(BY.OBJECT) TOPICOBJ(FRUIT) DEST(Q)",
        "DEFINE SUB(BELOW) TOPICOBJ(FRUIT) TOPICSTR('apple') DEST(Q)",
        "DEFINE SUB(OTHER) TOPICSTR('price/oil') DEST(Q)",
        "DEFINE SUB(ON.REQUEST) TOPICSTR('#') DEST(Q) REQONLY(YES)",
        "DEFINE SUB(NOWHERE) TOPICOBJ(MISSING) DEST(Q)",
    )
    copies = ways(qm)[way](b"5", correl_id="C", format="MQSTR")
    assert (qm.depth("Q"), qm.depth("R"), len({copy.number for copy in copies})) == (2, 2, 4)
    [row] = lab.events.where(kind="publish")
    assert (row.facts["topic"], row.facts["subscriptions"]) == ("price/fruit", ["BY.OBJECT", "EXACT", "ONE", "S"])
    puts = [(put.message, put.cause) for put in lab.events.where(kind="put")]
    assert puts == [(copy.number, row.seq) for copy in copies]
    got = qm.get("R")
    assert (got.body, got.format, got.correl_id, got.expiry) == (b"5", "MQSTR", copies[1].correl_id, -1)
    assert lab.state().queue(qm.name, "R").depth == 1


@pytest.mark.rule("MQI-34")
def test_each_subscription_has_a_correlation_identifier_of_its_own(make):
    qm = make(
        "DEFINE SUB(T) TOPICSTR('price/#') DEST(Q) DESTCORL('41424344')",
        "DEFINE SUB(U) TOPICSTR('price/#') DEST(Q) DESTCORL('41424344')",
        "ALTER SUB(U) DESTCORL('')",
        "DEFINE SUB(V) LIKE(S) DEST(R)",
    )
    shown = {row["SUB"]: row for row in qm.mqsc("DISPLAY SUB(*) ALL").rows}
    assert len({shown[name]["SUBID"] for name in "STUV"}) == 4
    assert [shown[name]["DESTCORL"] for name in "STV"] == [shown["S"]["SUBID"], "41424344", shown["V"]["SUBID"]]
    ids = [copy.correl_id for copy in qm.publish("price/oil", b"5", correl_id="C")]
    own = {name: bytes.fromhex(row["SUBID"]) for name, row in shown.items()}
    assert ids == [own["S"], b"ABCD".ljust(24, b"\0"), own["U"], own["V"]]
    assert qm.get("Q", correl_id=b"ABCD".ljust(24, b"\0")).body == b"5"


@for_each("command", ["DEFINE SUB(T) TOPICSTR('x') DEST(Q)", "ALTER SUB(S)"])
@for_each("given", ["ABC", "NO HEX"])
def test_a_correlation_identifier_is_hexadecimal(make, command, given):
    qm = make()
    reply = qm.mqsc(f"{command} DESTCORL('{given}')").replies[0]
    assert (reply.ok, "2207" in str(reply), "hexadecimal" in str(reply)) == (False, True, True)
    assert qm.mqsc("DISPLAY SUB(S) DESTCORL").rows[0]["DESTCORL"].startswith("414D5120")


def test_display_shows_what_a_subscription_is(make):
    qm = make()
    assert list(qm.mqsc("DISPLAY SUB(*)").rows[-1]) == ["SUBID", "SUB"]
    row = qm.mqsc("DISPLAY SUB(S) ALL").rows[0]
    assert (row["SUBTYPE"], row["DURABLE"], row["WSCHEMA"], len(row["SUBID"])) == ("ADMIN", "YES", "TOPIC", 48)
    assert "SUBID(414D5120514D30" in str(qm.mqsc("DISPLAY SUB(S)"))


@for_each(
    "wanted, string, expected",
    ("price/*", "price/fruit/apple", True),
    ("*fruit*", "price/fruit/apple", True),
    ("*", "", True),
    ("*l?*", "price/apple", True),
    ("price/?il", "price/oil", True),
    ("price/?", "price/oil", False),
    ("price/+", "price/oil", False),
    ("a%*b", "a*b", True),
    ("a%*b", "axb", False),
    ("*a" * 50 + "*b", "a" * 5000, False),
)
def test_character_wildcards(make, wanted, string, expected):
    qm = make(f"DEFINE SUB(T) TOPICSTR('{wanted}') DEST(R) WSCHEMA(CHAR)")
    if string:
        qm.publish(string, b"x")
        assert qm.depth("R") == expected
    assert like(wanted, string) == expected


@pytest.mark.rule("MQI-15")
@for_each("command", ["DEFINE TOPIC(TWIN) TOPICSTR('price/fruit')", "ALTER TOPIC(OTHER) TOPICSTR('x')"])
def test_two_topics_cannot_have_one_topic_string(make, command):
    qm = make("DEFINE TOPIC(OTHER) TOPICSTR('price/oil')")
    reply = qm.mqsc(command).replies[0]
    assert not reply.ok
    if "TWIN" in command:
        assert ("3300" in str(reply), "TOPIC(FRUIT)" in str(reply)) == (True, True)
    assert qm.mqsc("DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit') REPLACE").ok


def test_a_message_that_is_passed_on_to_a_topic_becomes_a_message_for_each_subscription(make):
    qm = make("DEFINE QLOCAL(IN)", "DEFINE SUB(T) TOPICSTR('price/#') DEST(R)")
    qm.put("IN", b"apples", persistent=True)
    app = qm.connect("PASSER")
    got = app.get("IN")
    with app.unit_of_work() as unit:
        pass_on(app, got, "A", expiry=-1, unit=unit)
    copies = [qm.get(name) for name in ("Q", "R")]
    assert [copy.body for copy in copies] == [b"apples"] * 2
    assert len({got.number, *(copy.number for copy in copies)}) == 3


def test_an_application_is_named_as_the_publisher_and_the_queue_manager_puts_the_copies(lab, make):
    qm = make()
    qm.connect("MARKET").publish("price/oil", b"5")
    assert [row.program for row in lab.events.where(kind=("publish", "put"))] == ["MARKET", qm.name]


def test_in_a_unit_of_work_the_copies_come_with_the_commit(make):
    qm = make("DEFINE SUB(T) TOPICSTR('price/#') DEST(R)")
    with qm.unit_of_work() as uow:
        qm.publish("price/oil", b"5", unit=uow)
        qm.put("A", b"6", unit=uow)
        assert (qm.depth("Q"), reason(qm.get, "Q")) == (2, 2033)
    assert [qm.get("Q").body, qm.get("R").body] == [b"5", b"5"]
    with qm.unit_of_work() as uow:
        uow.put("A", b"7")
        uow.backout()
    assert (qm.depth("Q"), qm.depth("R")) == (1, 1)


def test_a_unit_of_work_has_room_for_every_copy_or_for_none(lab, make):
    qm = make("DEFINE SUB(T) TOPICSTR('price/#') DEST(R)", "ALTER QMGR MAXUMSGS(3)")
    uow = qm.unit_of_work()
    qm.publish("price/oil", b"5", unit=uow)
    assert reason(qm.publish, "price/oil", b"6", unit=uow) == 2024
    assert (qm.depth("Q"), qm.depth("R")) == (1, 1)
    uow.commit()
    assert reason(qm.publish, "price/oil", b"6", unit=uow) == 2255
    assert reason(qm.publish, "nobody/listens", b"6", unit=uow) == 2255
    assert len(lab.events.where(kind="publish")) == 1


@cases(
    "broken, why",
    ("ALTER QLOCAL(Q) MAXDEPTH(0)", 2053),
    ("ALTER QLOCAL(Q) PUT(DISABLED)", 2051),
    ("ALTER SUB(S) DEST(MISSING)", 2085),
    ("ALTER SUB(S) DESTQMGR(FAR)", 2087),
)
def test_a_copy_that_cannot_be_put_goes_to_the_dead_letter_queue_and_the_others_arrive(lab, make, broken, why):
    qm = make("DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)", "DEFINE SUB(T) TOPICSTR('price/#') DEST(R)", broken)
    [copy] = qm.publish("price/oil", b"5")
    assert (qm.get("R").number, qm.depth("Q")) == (copy.number, 0)
    assert qm.get("DLQ").body.endswith(b"5")
    assert [row.reason for row in lab.events if row.reason is not None] == [why]


def test_what_the_publisher_leaves_open_comes_from_topic_alias_and_subscription(make):
    qm = make(
        "ALTER TOPIC(FRUIT) DEFPRTY(3) DEFPSIST(YES)",
        "DEFINE SUB(FIXED) TOPICSTR('price/#') DEST(R) PUBPRTY(7)",
        "ALTER QALIAS(A) DEFPRTY(5)",
    )
    for copies, wanted in (
        (qm.publish("price/fruit/apple", b"x"), [(7, True), (3, True)]),
        (qm.put("A", b"x").copies, [(7, False), (5, False)]),
    ):
        assert [(copy.priority, copy.persistent) for copy in copies] == wanted
    assert [copy.priority for copy in qm.publish("price/oil", b"x", priority=2, persistent=True)] == [7, 2]
    assert qm.mqsc("ALTER SUB(FIXED) PUBPRTY(ASQDEF)\nALTER QLOCAL(R) DEFPRTY(1)").ok
    assert [copy.priority for copy in qm.publish("price/oil", b"x", priority=2)] == [1, 2]


@pytest.mark.rule("MQI-34")
@for_each("own_unit", [False, True])
@for_each(
    "topic, deadq, persistent, failed, delivered, dead",
    ("", "", True, True, 0, 0),  # ALLDUR of SYSTEM.BASE.TOPIC: administrative subscriptions are durable
    ("", "", False, False, 1, 0),
    ("", "DLQ", True, False, 1, 1),
    ("USEDLQ(NO)", "DLQ", True, True, 0, 0),
    ("USEDLQ(NO)", "DLQ", False, False, 1, 0),
    ("USEDLQ(NO) NPMSGDLV(ALL)", "DLQ", False, True, 0, 0),
    ("PMSGDLV(ALLAVAIL)", "", True, False, 1, 0),
    ("PMSGDLV(ALL)", "FULL", True, True, 0, 0),
)
def test_delivery_to_all_or_to_those_that_can_take_it(
    lab, make, own_unit, topic, deadq, persistent, failed, delivered, dead
):
    qm = make(
        "DEFINE QLOCAL(DLQ)",
        "DEFINE QLOCAL(FULL) MAXDEPTH(0)",
        f"ALTER QMGR DEADQ('{deadq}')",
        f"DEFINE TOPIC(OIL) TOPICSTR('price/oil') {topic}",
        "DEFINE SUB(A) TOPICSTR('price/#') DEST(R)",
        "ALTER QLOCAL(Q) PUT(DISABLED)",
    )
    qm.put("R", b"before")
    with qm.unit_of_work() as unit:
        qm.put("R", b"also before", unit=unit)
        given = {"persistent": persistent, "unit": unit if own_unit else None}
        if failed:
            assert reason(qm.publish, "price/oil", b"x", **given) == 2502
        else:
            qm.publish("price/oil", b"x", **given)
    assert (qm.depth("R"), qm.depth("Q"), qm.depth("DLQ")) == (2 + delivered, 0, dead)
    assert sorted(m.body for m in qm.drain("R")) == [b"also before", b"before", *[b"x"] * delivered]


@pytest.mark.rule("MQI-34")
@for_each(
    "subscribed, published, arrives",
    ("TOPICSTR('a/#')", "a/b/c", False),
    ("TOPICSTR('a/+')", "a/b", False),
    ("TOPICSTR('+/b/c')", "a/b/c", False),
    ("TOPICSTR('a/*') WSCHEMA(CHAR)", "a/b", False),
    ("TOPICSTR('a/#')", "a/other", True),
    ("TOPICSTR('a/b/#')", "a/b/c", True),
    ("TOPICSTR('a/b/c')", "a/b/c", True),
)
def test_wildcards_above_a_topic_that_blocks_them(make, subscribed, published, arrives):
    qm = make("DEFINE TOPIC(SHUT) TOPICSTR('a/b') WILDCARD(BLOCK)", f"DEFINE SUB(A) {subscribed} DEST(R)")
    qm.publish(published, b"x")
    assert qm.depth("R") == arrives


@for_each(
    "closed, string, why",
    ("", "", 2425),
    ("SUB(DISABLED)", "TOPICSTR('a/b')", 2503),
    ("DURSUB(NO)", "TOPICSTR('a/b')", 2436),
)
def test_a_subscription_has_a_topic_that_takes_it(make, closed, string, why):
    qm = make(f"DEFINE TOPIC(SHUT) TOPICSTR('a') {closed}")
    answer = qm.mqsc(f"DEFINE SUB(A) {string} DEST(R)")
    assert (answer.ok, f"{why} MQRC_" in str(answer), qm.objects.get("SUB", "A")) == (False, True, None)


# ---------------------------------------------------------------- CAPEXPRY
@pytest.mark.rule("EXP-31")
@for_each("cap", ["CUSTOM('CAPEXPRY(300)')", "CAPEXPRY(300)"])
@for_each("way", ["string", "alias", "handle"])
@for_each("given, left", [(-1, 300), (100, 100), (301, 300)])
def test_the_cap_of_a_topic_lowers_the_lifetime_of_a_publication(lab, make, cap, way, given, left):
    qm = make(f"ALTER TOPIC(FRUIT) {cap}")
    publish = ways(qm)[way]
    assert [copy.expiry for copy in publish(b"x", expiry=given)] == [left]
    [row] = lab.events.where(kind="put", qmgr=qm.name)
    assert (row.expiry_left, row.rule) == (left, "EXP-01" if given == 100 else "EXP-31")
    assert [copy.expiry for copy in publish(b"so that the rule is named")] == [300]


@pytest.mark.rule("EXP-31")
@for_each(
    "topic, alias, queue, left",
    [(300, 200, None, 200), (200, 300, None, 200), (300, None, 100, 100), (None, None, 100, 100), (50, 200, 100, 50)],
)
def test_of_topic_alias_and_destination_the_lowest_wins(make, topic, alias, queue, left):
    qm = make()
    for name, cap in (("TOPIC(FRUIT)", topic), ("QALIAS(A)", alias), ("QLOCAL(Q)", queue)):
        if cap is not None:
            assert qm.mqsc(f"ALTER {name} CAPEXPRY({cap})").ok
    [copy] = qm.put("A", b"x").copies
    assert copy.expiry == left
    assert qm.get("Q").expiry == left


@for_each(
    "string, left",
    ("price/fruit", 300),
    ("price/fruit/apple", 300),
    ("price/fruit/apple/red", 70),
    ("price/fruit/pear", -1),
    ("price/fruit/pear/green", -1),
    ("price/fruity", 900),
    ("price", 900),
    ("/price", 900),
)
def test_the_nearest_topic_object_that_says_something_governs_a_string(make, string, left):
    qm = make(
        "DEFINE SUB(ALL) TOPICSTR('#') DEST(R)",
        "ALTER TOPIC(SYSTEM.BASE.TOPIC) CAPEXPRY(900)",
        "DEFINE TOPIC(PRICE) TOPICSTR('price')",
        "ALTER TOPIC(FRUIT) CAPEXPRY(300)",
        "DEFINE TOPIC(APPLE) TOPICSTR('price/fruit/apple') CAPEXPRY(ASPARENT)",
        "DEFINE TOPIC(RED) TOPICSTR('price/fruit/apple/red') CUSTOM('CAPEXPRY(70)')",
        "DEFINE TOPIC(PEAR) TOPICSTR('price/fruit/pear') CAPEXPRY(NOLIMIT)",
    )
    assert {copy.expiry for copy in qm.publish(string, b"x")} == {left}


@for_each("level, custom, attribute", [(799, -1, -1), (800, 300, -1), (930, 300, -1), (931, 300, 200)])
def test_the_two_spellings_came_with_their_levels(make, level, custom, attribute):
    qm = make(level=level)
    topic = qm.objects.get("TOPIC", "FRUIT").attributes
    topic["CUSTOM"] = "CAPEXPRY(300)"
    assert [copy.expiry for copy in qm.put("A", b"x").copies] == [custom]
    topic |= {"CUSTOM": "", "CAPEXPRY": 200}
    assert [copy.expiry for copy in qm.put("A", b"x").copies] == [attribute]


def test_a_capped_copy_expires_and_its_report_is_sent_as_for_any_message(lab, make):
    qm = make("ALTER TOPIC(FRUIT) CAPEXPRY(10)", "DEFINE QLOCAL(REPLIES)", level=940, expiry_interval=0)
    [copy] = qm.put("A", b"x", report=MQRO_EXPIRATION, reply_to_q="REPLIES").copies
    lab.advance(1)
    assert (reason(qm.get, "Q"), qm.get("REPLIES").correl_id) == (2033, copy.msg_id)


# ---------------------------------------------------------------- what is refused
@for_each(
    "options, why",  # no reason code: a value of the wrong sort
    *(({"expiry": 0}, 2013), ({"expiry": -2}, 2013), ({"priority": -2}, 2050), ({"msg_type": 1}, 2027)),
    *(({"expiry": "x"}, None), ({"priority": "high"}, None), ({"persistent": 1}, None)),
    *(({"correl_id": 5}, None), ({"msg_id": b"x" * 25}, None)),
)
def test_a_descriptor_that_is_wrong_is_refused_before_anything_is_put_though_nobody_subscribed(lab, make, options, why):
    publish = make("DELETE SUB(S)").publish
    if why is None:
        lab_error(r"must (be|have|come|not)", publish, "price/oil", b"x", **options)
    else:
        assert reason(publish, "price/oil", b"x", **options) == why
    assert lab.events.where(kind="publish") == []


@for_each("string", ["", "price/+", "#", "price/#/x"])
def test_a_topic_string_to_publish_to_is_text_that_has_levels_and_no_wildcards(make, string):
    qm = make()
    assert reason(qm.publish, string, b"x") == 2425
    lab_error("topic string must be", qm.publish, 3, b"x")


@pytest.mark.parametrize(
    ("command", "fix"),
    [("ALTER TOPIC(FRUIT) PUB(DISABLED)", "TOPIC(FRUIT)"), ("ALTER QALIAS(A) PUT(DISABLED)", "QALIAS(A)")],
)
def test_inhibited(lab, make, command, fix):
    qm = make(command)
    caught = mq_error(qm.put, "A", b"x")
    assert (caught.reason, fix in caught.hint, qm.depth("Q")) == (2051, True, 0)
    assert len(qm.publish("price/oil", b"x")) == 1, "another topic"


def test_publishing_disabled_above_reaches_down_until_it_is_enabled(make):
    qm = make("ALTER TOPIC(FRUIT) PUB(DISABLED)", "DEFINE TOPIC(PEAR) TOPICSTR('price/fruit/pear') PUB(ENABLED)")
    assert reason(qm.publish, "price/fruit/apple", b"x") == 2051
    assert len(qm.publish("price/fruit/pear/green", b"x")) == 1


def test_a_selector_of_extended_selection_is_refused_and_nothing_is_put(lab, make):
    qm = make("DEFINE SUB(T) TOPICSTR('price/fruit') DEST(R) SELECTOR('/colour eq red')")
    assert qm.mqsc("DISPLAY SUB(T) SELTYPE").rows[0]["SELTYPE"] == "EXTENDED"
    refusal(NotSimulated, r"SUB\(T\)", qm.put, "A", b"x")
    assert (qm.depth("Q"), lab.events.where(kind="publish")) == (0, [])


@pytest.mark.rule("MQI-34")
def test_a_subscription_with_a_selector_has_the_publications_that_it_selects(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("""DEFINE QLOCAL(RED)
        DEFINE SUB(S) TOPICSTR('price') DEST(RED) SELECTOR('colour = ''red'' AND Root.MQMD.Priority > 4')""").require()
    for colour, priority in (("red", 3), ("blue", 9), ("red", 7)):
        qm.publish("price", colour, priority=priority, properties={"colour": colour})
    assert [message.priority for message in qm.drain("RED")] == [7]


@for_each(
    "call",
    lambda qm: qm.get("A"),
    lambda qm: qm.browse("A"),
    lambda qm: qm.depth("A"),
    lambda qm: qm.open("A", input="shared"),
    lambda qm: qm.open("A", browse=True, output=True),
    lambda qm: qm.open("A", set=True),
)
def test_an_alias_of_a_topic_is_for_output_only(make, call):
    qm = make()
    assert reason(call, qm) == 2045
    assert list(qm.handles) == []


def test_a_stopped_queue_manager_publishes_nothing(make):
    qm = make()
    qm.stop()
    assert (reason(qm.publish, "price/oil", b"x"), reason(qm.put, "A", b"x")) == (2059, 2059)


# ---------------------------------------------------------------- the alias and its handle
def test_a_handle_on_an_alias_of_a_topic_is_a_handle_like_others(lab, make):
    qm = make()
    handle = qm.open("A", output=True, inquire=True)
    assert handle.inquire("TARGET", "TARGTYPE") == {"TARGET": "FRUIT", "TARGTYPE": "TOPIC"}
    assert (reason(handle.get), reason(handle.close, delete=True)) == (2037, 2045)
    with qm.unit_of_work() as uow:
        assert len(handle.put(b"x", unit=uow).copies) == 1
    assert not qm.mqsc("DELETE QALIAS(A)").ok, "it is open"
    assert not qm.mqsc("ALTER QALIAS(A) TARGET(OTHER)").ok
    handle.close()
    assert (reason(handle.put, b"x"), reason(qm.open("A", inquire=True).put, b"x")) == (2019, 2039)
    assert lab.events.where(kind="open", object="A")[0].object_type == "QALIAS"


def test_an_alias_follows_its_definition(make):
    qm = make("DEFINE TOPIC(OIL) TOPICSTR('oil')", "DEFINE SUB(O) TOPICSTR('oil') DEST(R)")
    handle = qm.open("A", output=True)
    assert qm.mqsc("ALTER QALIAS(A) TARGET(OIL) FORCE").ok
    assert reason(handle.put, b"x") == 2041
    assert [copy.body for copy in qm.put("A", b"x").copies] == [b"x"]
    assert (qm.depth("Q"), qm.depth("R")) == (0, 1)
    handle.close()
    assert not qm.mqsc("ALTER TOPIC(OIL) TOPICSTR('price/oil')").ok, "a topic string is fixed"
    assert qm.mqsc("DELETE TOPIC(OIL)\nDEFINE TOPIC(OIL) TOPICSTR('price/oil')").ok
    qm.put("A", b"x")
    assert (qm.depth("Q"), qm.depth("R")) == (1, 1)
    assert qm.mqsc("ALTER QALIAS(A) TARGTYPE(QUEUE) TARGET(R)").ok
    assert (qm.put("A", b"x").body, qm.depth("A")) == (b"x", 2)
    assert qm.mqsc("ALTER QALIAS(A) TARGTYPE(TOPIC)").ok
    assert refusal(MQError, r"DEFINE TOPIC\(R\)", qm.put, "A", b"x").reason == 2082
    assert qm.mqsc("DELETE QALIAS(A)").ok
    assert reason(qm.put, "A", b"x") == 2085


def test_a_reply_may_be_published(make):
    qm = make()
    qm.put("R", b"?", msg_type=1, reply_to_q="A", expiry=50)
    assert [copy.expiry for copy in qm.reply(qm.get("R"), b"!").copies] == [50]
    assert qm.get("Q").msg_type == 2


def test_a_publication_triggers_as_any_put_does(lab, make):
    trigger = "ALTER QLOCAL(Q) TRIGGER TRIGTYPE(FIRST) INITQ(INITQ) PROCESS(P)"
    qm = make("DEFINE QLOCAL(INITQ)", "DEFINE PROCESS(P) APPLICID('SERVER')", trigger)
    got = []
    qm.program("SERVER", lambda app, trigger: got.append(app.get(trigger.queue).body))
    qm.trigger_monitor("INITQ")
    qm.run_program("MARKET", lambda app: app.publish("price/oil", b"5"))
    lab.run()
    assert got == [b"5"]


def test_a_report_to_an_alias_of_a_topic_is_dead_lettered_and_not_published(make, lab):
    qm = make("DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    qm.put("R", b"x", report=0x100, reply_to_q="A")  # COA
    assert (qm.depth("DLQ"), qm.depth("Q")) == (1, 0)
    assert [row.reason for row in lab.events.where(kind="report")] == [2045]


def test_display_sub_has_the_columns_of_a_real_one(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("""DEFINE QLOCAL(ORDERS)
        DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit')
        DEFINE SUB(S) TOPICOBJ(FRUIT) TOPICSTR('oil') DEST(ORDERS)
        DEFINE SUB(T) TOPICSTR('price') DEST(ORDERS) SELECTOR('a = 1')""").require()
    (row,) = qm.mqsc("DISPLAY SUB(S)").rows
    wanted = {"TOPICSTR": "price/fruit/oil", "TOPICOBJ": "FRUIT", "DISTYPE": "RESOLVED", "SELTYPE": "NONE"}
    assert row.items() >= wanted.items()
    assert "SUBNAME" not in row
    (row,) = qm.mqsc("DISPLAY SUB(S) DISTYPE(DEFINED) TOPICSTR").rows
    assert (row["TOPICSTR"], row["DISTYPE"]) == ("oil", "DEFINED")
    assert [row["SUB"] for row in qm.mqsc("DISPLAY SUB(*) WHERE(SELTYPE EQ STANDARD)").rows] == ["T"]
    assert [row["SUB"] for row in qm.mqsc("DISPLAY SUB(*) WHERE(TOPICSTR EQ 'price/fruit/oil')").rows] == ["S"]


# ---------------------------------------------------------------- a topic that is open, an MD, and a PMO
def test_a_topic_is_opened_by_its_string_below_that_of_an_object(lab, make):
    qm = make("DEFINE SUB(APPLE) TOPICSTR('price/fruit/apple') DEST(R)")
    app = qm.connect("MARKET")
    with app.open_topic("apple", topic="FRUIT") as topic:
        md, pmo = MD(Format="MQSTR", CorrelId=b"C", Expiry=50), PMO(Options=MQPMO_NEW_MSG_ID)
        published = topic.put(b"5", md=md, pmo=pmo)
        assert (topic.name, len(topic.put(b"6").copies)) == ("price/fruit/apple", 2)
        assert qm.mqsc("DIS TPS('price/fruit/apple') PUBCOUNT").rows[0]["PUBCOUNT"] == 1
        assert reason(topic.get) == 2037
    assert (md.MsgId, md.CorrelId[:1], md.Persistence, md.PutApplName) == (published.msg_id, b"C", 0, "MARKET")
    assert (published.md, published.body, published.warning) == (md, b"5", 0), "a message, as of any put"
    assert (published.number, published.msg_id) == (published.copies[0].number, published.copies[0].msg_id)
    got = qm.get("R")
    assert (got.body, got.format, got.expiry, got.correl_id == md.CorrelId) == (b"5", "MQSTR", 50, False)
    opened, closed = lab.events.where(kind=("open", "close"), object_type="TOPIC")
    assert (opened.object, opened.facts["topic"], closed.program) == ("FRUIT", "price/fruit/apple", "MARKET")
    assert [copy.body for copy in app.publish("apple", b"7", topic="FRUIT", md=MD())] == [b"7", b"7"]


@for_each(
    "call, why",
    (lambda qm: qm.open_topic("price/+"), 2425),
    (lambda qm: qm.open_topic(""), 2425),
    (lambda qm: qm.open_topic("x", topic="FRUITS"), 2085),
    (lambda qm: qm.open_topic("x", options=16 + 1), 2045),
    (lambda qm: qm.open_topic("x", options=32), 2045),
    (lambda qm: qm.publish("x", b"", md=MD(MsgFlags=8)), 2417),
    (lambda qm: qm.publish("x", b"", pmo=PMO(Options=0x8000)), 2046),
    (lambda qm: qm.publish("x", b"", md=MD(MsgFlags=1)), 2443),
    (lambda qm: qm.publish("x", b"", pmo=PMO(Options=6)), 2046),
    (lambda qm: qm.publish("x", b"", md=MD(Report=0x100, ReplyToQ="R"), pmo=PMO(Options=MQPMO_SUPPRESS)), 2027),
    (lambda qm: qm.mqsc("ALTER QMGR PSMODE(DISABLED)") and qm.publish("x", b""), 2531),
)
def test_what_cannot_be_opened_or_published(lab, make, call, why):
    qm = make()
    assert (reason(call, qm), list(qm.handles), qm.depth("Q")) == (why, [], 0)


def test_the_options_of_publications(lab, make):
    qm = make()
    none = qm.publish("nobody", b"x", warn_if_no_subscription=True)
    assert lab.events[-1].kind == "publish", "nothing is put"
    assert (list(none), none.warning, qm.publish("nobody", b"x").warning) == ([], 2550, 0)
    qm.publish("price", b"x", md=MD(ReplyToQ="R"), pmo=PMO(Options=MQPMO_SUPPRESS))
    qm.publish("price", b"x", reply_to_q="R")
    qm.publish("price", b"x", reply_to_q="R", suppress_reply_to=True)
    assert [(got.reply_to_q, got.reply_to_qmgr) for got in qm.drain("Q")] == [("", ""), ("R", qm.name), ("", "")]
    refusal(NotSimulated, "to a queue", qm.put, "Q", b"x", pmo=PMO(Options=MQPMO_SUPPRESS))
    lab_error("retain must be True or False", qm.publish, "price", b"x", retain=1)


@pytest.mark.rule("MQI-36")
def test_the_last_retained_publication_of_a_topic_string_is_kept(lab, make):
    qm = make(level=940)

    def kept():
        return [(string, message.body) for string, message in retained(qm, "price/#")]

    for body in (b"1", b"2"):
        qm.publish("price/fruit", body, retain=True)
    qm.publish("price/fruit", b"not retained")
    qm.publish("price/oil", b"9", retain=True, expiry=50)
    assert (kept(), qm.depth("SYSTEM.RETAINED.PUB.QUEUE")) == ([("price/fruit", b"2"), ("price/oil", b"9")], 2)
    assert [row["RETAINED"] for row in qm.mqsc("DIS TPS('price/+') RETAINED").rows] == ["NO", "YES", "YES"]
    unit = qm.unit_of_work()
    qm.publish("price/fruit", b"3", retain=True, unit=unit)
    unit.backout()
    lab.advance(6)
    assert kept() == [("price/fruit", b"2")], "the other has expired"
    with qm.unit_of_work() as unit:
        qm.publish("price/fruit", b"4", retain=True, persistent=True, unit=unit)
    assert kept() == [("price/fruit", b"4")]
    assert lab.state().queue(qm.name, "SYSTEM.RETAINED.PUB.QUEUE").depth == 2, "with the one that has expired"
    qm.publish("price/rye", b"5", retain=True)
    qm.stop()
    qm.start()
    assert kept() == [("price/fruit", b"4")], "a nonpersistent one does not survive"


@pytest.mark.rule("MQI-36")
def test_what_cannot_be_retained_is_not_published(lab, make):
    qm = make("ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) PUT(DISABLED)")
    assert (reason(qm.publish, "price", b"x", retain=True), qm.depth("Q")) == (2479, 0)
