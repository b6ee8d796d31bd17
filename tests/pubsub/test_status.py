"""DISPLAY PUBSUB, SBSTATUS and TPSTATUS: what goes on at topics and subscriptions."""

import pytest

from helpers import assert_refused, for_each, made

DEFINITIONS = """
    DEFINE QLOCAL(Q)
    DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit') DEFPRTY(7)
    DEFINE SUB(APPLES) TOPICOBJ(FRUIT) TOPICSTR('apple') DEST(Q)
    DEFINE SUB(ALL.PRICES) TOPICSTR('price/#') DEST(Q)
    DEFINE QALIAS(F) TARGET(FRUIT) TARGTYPE(TOPIC)
"""


@pytest.fixture
def qm(lab):
    return made(DEFINITIONS, of=lab)


def first(qm, text, keyword):
    return [row[keyword] for row in qm.mqsc(text).rows]


def test_publish_and_subscribe_in_numbers(lab, qm):
    assert qm.mqsc("DIS PUBSUB").replies[0].text == (
        "AMQ8723I: Display pub/sub status details.\n"
        "   QMNAME(QM1)                             TYPE(LOCAL)\n"
        "   STATUS(ACTIVE)                          SUBCOUNT(2)\n"
        "   TPCOUNT(10)"
    )
    assert qm.mqsc("DELETE SUB(APPLES)\nALTER QMGR PSMODE(DISABLED)").ok
    assert qm.mqsc("DIS PUBSUB TYPE(LOCAL) STATUS SUBCOUNT").rows == [
        {"QMNAME": "QM1", "TYPE": "LOCAL", "STATUS": "INACTIVE", "SUBCOUNT": 1}
    ]
    assert "SUBCOUNT" not in lab.queue_manager("OLD", level=701).mqsc("DIS PUBSUB").rows[0]
    assert "hierarchies are not simulated" in qm.mqsc("DIS PUBSUB TYPE(CHILD)").replies[0].text


def test_what_a_subscription_was_sent(lab, qm):
    lab.advance(60)
    qm.publish("price/fruit/apple", b"1")
    lab.advance(60)
    qm.publish("price/fruit/pear", b"1")
    assert first(qm, "DIS SBSTATUS(*) NUMMSGS", "NUMMSGS") == [2, 1]
    assert first(qm, "DIS SBSTATUS(*) WHERE(NUMMSGS GT 1)", "SUB") == ["ALL.PRICES"]
    assert first(qm, "DIS SBSTATUS(*) LMSGTIME", "LMSGTIME") == ["09.02.00", "09.01.00"]
    (answer,) = qm.mqsc("DIS SBSTATUS(APPLES)").replies
    id = answer.rows[0]["SUBID"]
    assert answer.text == (
        "AMQ8099I: IBM MQ subscription status inquired.\n"
        "   SUB(APPLES)\n"
        f"   SUBID({id})\n"
        "   SUBUSER( )                              RESMDATE(2025-01-06)\n"
        "   RESMTIME(09.00.00)                      LMSGDATE(2025-01-06)\n"
        "   LMSGTIME(09.01.00)\n"
        "   ACTCONN(000000000000000000000000000000000000000000000000)\n"
        "   DURABLE(YES)                            MCASTREL( , )\n"
        "   NUMMSGS(1)                              SUBTYPE(ADMIN)\n"
        "   TOPICSTR(price/fruit/apple)"
    )
    assert first(qm, f"DIS SBSTATUS SUBID({id})", "SUB") == ["APPLES"]
    assert qm.mqsc("DELETE SUB(APPLES)\nDEFINE SUB(APPLES) TOPICSTR('price/fruit/apple') DEST(Q)").ok
    assert first(qm, "DIS SBSTATUS(*) NUMMSGS", "NUMMSGS") == [2, 0]
    qm.stop()
    qm.start()
    assert first(qm, "DIS SBSTATUS(*) NUMMSGS", "NUMMSGS") == [0, 0]


@for_each("text", ["DURABLE(NO)", "SUBTYPE(API)", "SUBTYPE(PROXY)", "SUBID(AB)"])
def test_there_are_only_administrative_durable_subscriptions(qm, text):
    assert qm.mqsc(f"DIS SBSTATUS(*) {text}").replies[0].code == "AMQ8147E"
    assert len(qm.mqsc("DIS SBSTATUS(*) SUBTYPE(ADMIN) DURABLE(YES)").rows) == 2


def test_the_attributes_of_a_topic_come_down_the_tree(qm):
    qm.publish("price/fruit/apple", b"1")
    (answer,) = qm.mqsc("DIS TPS('price/fruit/apple')").replies
    assert answer.text == (
        "AMQ8754I: Display topic status details.\n"
        "   TOPICSTR(price/fruit/apple)             ADMIN( )\n"
        "   CLUSTER( )\n"
        "   COMMINFO(SYSTEM.DEFAULT.COMMINFO.MULTICAST)\n"
        "   MDURMDL(SYSTEM.DURABLE.MODEL.QUEUE)     MNDURMDL(SYSTEM.NDURABLE.MODEL.QUEUE)\n"
        "   DEFPSIST(NO)                            DEFPRTY(7)\n"
        "   DEFPRESP(SYNC)                          DURSUB(YES)\n"
        "   PUB(ENABLED)                            SUB(ENABLED)\n"
        "   PMSGDLV(ALLDUR)                         NPMSGDLV(ALLAVAIL)\n"
        "   RETAINED(NO)                            PUBCOUNT(0)\n"
        "   SUBCOUNT(1)                             PUBSCOPE(ALL)\n"
        "   SUBSCOPE(ALL)                           MCAST(DISABLED)\n"
        "   CLROUTE(NONE)                           USEDLQ(YES)\n"
        "   CAPEXPRY(NOLIMIT)"
    )
    assert qm.mqsc("ALTER TOPIC(FRUIT) CAPEXPRY(100) PUB(DISABLED)").ok
    (row,) = qm.mqsc("DIS TPS('price/fruit/apple') PUB CAPEXPRY").rows
    assert row == {"TOPICSTR": "price/fruit/apple", "PUB": "DISABLED", "CAPEXPRY": 100}


def test_the_nodes_of_the_tree(lab, qm):
    lab.advance(60)
    qm.publish("news/today", b"1")
    assert first(qm, "DIS TPS('price/#')", "TOPICSTR") == ["price", "price/#", "price/fruit", "price/fruit/apple"]
    assert first(qm, "DIS TPS('+/today') SUBCOUNT", "TOPICSTR") == ["news/today"]
    assert first(qm, "DIS TPS('price/#') WHERE(ADMIN EQ FRUIT)", "TOPICSTR") == ["price/fruit"]
    assert first(qm, "DIS TPS('#') ALL", "ADMIN")[0] == "SYSTEM.BASE.TOPIC"
    lab.advance(1801)  # TREELIFE
    assert qm.mqsc("DIS TPS('news/today')").replies[0].code == "AMQ8147E"


def test_who_subscribes_and_who_publishes_there(lab, qm):
    assert first(qm, "DIS TPS('price/#') TYPE(SUB)", "TOPICSTR") == ["price/#", "price/fruit/apple"]
    assert set(qm.mqsc("DIS TPS('price/fruit/apple') TYPE(SUB)").rows[0]) > {"SUBID", "NUMMSGS", "SUBTYPE"}
    with qm.connect("NEWS").open("F", output=True) as handle:
        lab.advance(5)
        handle.put(b"x")
        (row,) = qm.mqsc("DIS TPS('price/fruit') TYPE(PUB)").rows
        assert (row["NUMPUBS"], row["LPUBTIME"]) == (1, "09.00.05")
        assert row["ACTCONN"] == "".join(qm.mqsc("DIS CONN(*)").rows[0][key] for key in ("EXTCONN", "CONN"))
        assert qm.mqsc("DIS TPS('price/fruit') PUBCOUNT").rows[0]["PUBCOUNT"] == 1
    assert qm.mqsc("DIS TPS('price/fruit') TYPE(PUB)").replies[0].code == "AMQ8147E"


def test_zos_has_no_multicast(lab):
    zos = made(DEFINITIONS, "CSQ1", of=lab, platform="zos")
    assert not {"MCAST", "COMMINFO"} & set(zos.mqsc("DIS TPS('price/fruit')").rows[0])
    assert "MCASTREL" not in zos.mqsc("DIS SBSTATUS(APPLES)").rows[0]


@for_each(
    "text, code, essence",
    ("DIS TPS", "AMQ8405I", "needs a name"),
    ("DIS TPS(FRUIT)", "AMQ8147E", "no topic"),
    ("DIS TPS('price/fruit') PUBCOUNT(1)", "AMQ8405I", "WHERE(PUBCOUNT EQ value)"),
    ("DIS TPS('price/fruit') WHERE(NUMPUBS GT 1)", "AMQ8569E", "TYPE(TOPIC)"),
    ("DIS SBSTATUS(NONE)", "AMQ8147E", "no subscription"),
    ("DIS SBSTATUS(APPLES) NUMMSGS(1)", "AMQ8405I", "WHERE(NUMMSGS EQ value)"),
)
def test_what_cannot_be_shown(qm, text, code, essence):
    assert_refused(qm, text, code, essence)
