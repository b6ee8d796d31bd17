"""Messages that cannot be delivered: message retry, return to sender, the dead-letter queue to the byte, reports."""

import struct

import pytest

from helpers import for_each, mq_error
from mqlab import MD, Lab
from mqlab import constants as mq
from mqlab.engine.words.headers import MQDLH, MQXQH

EXCEPTION, DISCARD = mq.MQRO_EXCEPTION, mq.MQRO_DISCARD_MSG
DLQ = "SYSTEM.DEAD.LETTER.QUEUE"
NO_RETRY = "MRRTY(0)"


def with_dead_letters(net, name="QM2"):
    net.at(name, f"ALTER QMGR DEADQ({DLQ})")
    return net


# ---------------------------------------------------------------- message retry
@pytest.mark.rule("CHL-10")
def test_message_retry_pauses_and_everything_behind_waits(lab, pair):
    net = with_dead_letters(pair(rcvr="MRRTY(3) MRTMR(1000)"))
    net.at("QM2", "DEFINE QLOCAL(SMALL) MAXDEPTH(1)")
    net.put("1", "2", queue="SMALL")
    net.put("behind")
    net.start(seconds=1.5)
    assert (net.channel("QM2").state, net.got()) == ("PAUSED", [])
    lab.advance(2)
    assert net.channel("QM2").state == "RUNNING"
    assert (net.got("SMALL"), net.got(), net.two.depth(DLQ)) == (["1"], ["behind"], 1)
    pauses = [row.time_us for row, told in net.rows(rule="CHL-10") if told["state"] == "PAUSED"]
    assert pauses == [0, 1_000_000, 2_000_000]


@pytest.mark.parametrize(
    ("platform", "queue", "seconds"),
    [("zos", "CLOSED", 0), ("distributed", "CLOSED", 10), ("distributed", "NOWHERE", 0), ("zos", "NOWHERE", 0)],
)
def test_what_is_tried_again_and_where(pair, platform, queue, seconds):
    net = with_dead_letters(pair(platform=platform))
    net.at("QM2", "DEFINE QLOCAL(CLOSED) PUT(DISABLED)")
    net.put("a", queue=queue)
    net.start(seconds=60)
    [dead] = net.lab.events.where(object=DLQ, kind="put")
    assert dead.time_us == seconds * 1_000_000


# ---------------------------------------------------------------- the dead-letter queue
CASES = [
    ("ORDERS", "ALTER QLOCAL(ORDERS) PUT(DISABLED)", mq.MQRC_PUT_INHIBITED),
    ("ORDERS", "ALTER QLOCAL(ORDERS) MAXDEPTH(0)", mq.MQRC_Q_FULL),
    ("ORDERS", "ALTER QLOCAL(ORDERS) MAXMSGL(3)", mq.MQRC_MSG_TOO_BIG_FOR_Q),
    ("NOWHERE", "", mq.MQRC_UNKNOWN_OBJECT_NAME),
    ("MODEL", "DEFINE QMODEL(MODEL)", 2057),
    ("AWAY", "DEFINE QREMOTE(AWAY) RNAME(Q) RQMNAME(QM9)", mq.MQRC_UNKNOWN_REMOTE_Q_MGR),
]


@pytest.mark.rule("MQI-30")
@for_each("queue, commands, reason", CASES)
@for_each("persistent", [True, False])
def test_the_dead_letter_header_to_the_byte(pair, queue, commands, reason, persistent):
    net = with_dead_letters(pair(lab := Lab(), rcvr=NO_RETRY))
    net.at("QM2", commands or "PING QMGR")
    lab.advance(7.25)
    md = MD(Format="MQSTR", Encoding=273, CodedCharSetId=500, Persistence=int(persistent))
    put = net.one.put(f"{queue}@QM2", b"data", md=md)
    net.put("next")
    net.start(seconds=1)
    dead = net.two.browse(DLQ)
    wanted = b"DLH " + struct.pack("<ii", 1, reason) + queue.encode().ljust(48) + b"QM2".ljust(48)
    wanted += struct.pack("<ii", 273, 500) + b"MQSTR   " + struct.pack("<i", 6) + b"TO.QM2".ljust(28)
    assert dead.body == wanted + b"2025010609000725" + b"data"
    assert (dead.msg_id, dead.number, dead.format, dead.persistent) == (put.msg_id, put.number, "MQDEAD", persistent)
    assert (dead.md.Encoding, dead.md.CodedCharSetId) == (546, 1208), "these describe the MQDLH"
    assert (net.channel().state, net.one.depth("QM2")) == ("RUNNING", 0)


@pytest.mark.rule("CHL-17")
@for_each("full", ["missing", "blank", "full", "inhibited", "too short", "USEDLQ(NO)"])
@for_each("kind", ["persistent", "normal", "fast"])
def test_nowhere_to_put_it(pair, full, kind):
    speed = "NPMSPEED(NORMAL)" if kind == "normal" else "NPMSPEED(FAST)"
    net = pair(lab := Lab(), rcvr=f"{NO_RETRY} {speed} {full if full == 'USEDLQ(NO)' else ''}", level=None)
    commands = {
        "missing": "ALTER QMGR DEADQ(NO.SUCH)",
        "full": f"ALTER QLOCAL({DLQ}) MAXDEPTH(0)",
        "inhibited": f"ALTER QLOCAL({DLQ}) PUT(DISABLED)",
        "too short": f"ALTER QLOCAL({DLQ}) MAXMSGL(175)",
    }.get(full, "PING QMGR")
    if full != "blank":
        with_dead_letters(net)
    net.at("QM2", commands)
    options = {"report": EXCEPTION, "reply_to_q": "REPLIES"}
    message = net.put("stuck", queue="NOWHERE", persistent=kind == "persistent", **options)
    net.start(seconds=1)
    if kind == "fast":
        assert [row.message for row in lab.events.where(kind="lost")] == [message.number]
        assert (net.channel().state, net.one.depth("QM2")) == ("RUNNING", 0)
        assert net.one.get("REPLIES").feedback == mq.MQRC_UNKNOWN_OBJECT_NAME
        net.put("stuck", queue="NOWHERE")  # a persistent one does end the channel
        lab.advance(1)
    assert (net.channel().state, net.one.depth("QM2"), net.one.depth("REPLIES")) == ("RETRYING", 1, 0)
    assert "AMQ9544E" in net.because()
    net.at("QM2", "DEFINE QLOCAL(NOWHERE)")
    lab.advance(5)
    assert net.got("NOWHERE") == ["stuck"]


def test_a_queue_manager_that_is_not_known_where_the_message_arrives(pair):
    net = with_dead_letters(pair(rcvr=NO_RETRY))
    net.at("QM1", "DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM9) XMITQ(QM2)")
    net.one.put("FAR", b"a", persistent=True)
    net.start(seconds=1)
    header = MQDLH.unpack(net.two.browse(DLQ).body)
    assert (header.reason, header.queue, header.qmgr) == (mq.MQRC_UNKNOWN_REMOTE_Q_MGR, "Q", "QM9")


@pytest.mark.needs("dead_letters")
def test_the_handler_gives_a_dead_letter_its_own_descriptor_back(lab, pair):
    net = with_dead_letters(pair(rcvr=NO_RETRY))
    net.one.put("LATER@QM2", b"a", md=MD(Format="MQSTR", Encoding=273, CodedCharSetId=500, Persistence=1))
    net.start(seconds=1)
    net.at("QM2", "DEFINE QLOCAL(LATER)")
    handler = net.two.dead_letter_handler(f"INPUTQ({DLQ})\nACTION(RETRY)")
    lab.advance(1)
    handler.stop()
    md = net.two.get("LATER").md
    assert (md.Format, md.Encoding, md.CodedCharSetId) == ("MQSTR", 273, 500)


# ---------------------------------------------------------------- reports and return to sender
@pytest.mark.rule("MQI-29")
@pytest.mark.parametrize(("strength", "length"), [(1, 0), (3, 100), (7, 200)])
@pytest.mark.parametrize("persistent", [True, False])
def test_exception_reports_come_back_over_the_return_channel(lab, pair, strength, length, persistent):
    net = with_dead_letters(pair(rcvr=NO_RETRY, latency=0.05))
    about = {"report": strength * EXCEPTION, "reply_to_q": "REPLIES", "priority": 6}
    message = net.put("b" * 200, queue="NOWHERE", persistent=persistent, **about)
    net.start(seconds=2)
    report = net.one.get("REPLIES")
    assert (report.msg_type, report.feedback, report.correl_id) == (4, mq.MQRC_UNKNOWN_OBJECT_NAME, message.msg_id)
    assert (len(report.body), report.persistent, report.priority) == (length, persistent, 6)
    assert (report.put_appl_name, report.reply_to_qmgr, net.two.depth(DLQ)) == ("TO.QM2", "QM2", 1)


def test_discarding_needs_no_dead_letter_queue_and_a_report_is_part_of_the_batch(pair, lab):
    net = pair(rcvr=f"{NO_RETRY} USEDLQ(NO)", level=None)
    net.put("data", queue="NOWHERE", report=DISCARD, reply_to_q="REPLIES")
    net.start(seconds=1)
    assert (net.channel().state, net.one.depth("QM2")) == ("RUNNING", 0)
    net = with_dead_letters(pair(Lab(), sdr="BATCHINT(5000)", rcvr=NO_RETRY))
    net.put("a", queue="NOWHERE", report=EXCEPTION, reply_to_q="REPLIES")
    net.start(seconds=4)
    assert net.one.depth("REPLIES") == 0
    net.lab.advance(2)
    assert net.one.depth("REPLIES") == 1


@pytest.mark.rule("MQI-21", "MQI-22")
def test_confirmations_come_back_over_the_return_channel(lab, pair):
    net = pair(latency=0.05)
    message = net.put("a", report=mq.MQRO_COA + mq.MQRO_COD, reply_to_q="REPLIES")
    assert net.one.depth("REPLIES") == 0, "arrival on the transmission queue is no arrival"
    net.start(seconds=1)
    arrival = net.one.get("REPLIES")
    assert (arrival.feedback, arrival.correl_id, arrival.put_appl_name) == (mq.MQFB_COA, message.msg_id, "QM2")
    with net.two.unit_of_work() as unit:
        unit.get("ORDERS")
        lab.advance(1)
        assert net.one.depth("REPLIES") == 0
    lab.advance(1)
    assert net.one.get("REPLIES").feedback == mq.MQFB_COD


@pytest.mark.rule("EXP-22")
def test_a_request_and_its_reply_over_two_channels(lab, pair):
    net = pair(latency=0.1, trigger=True)

    def serve(app):
        request = app.get("ORDERS", wait=60)
        lab.advance(1)
        app.reply(request, b"re: " + request.body)

    net.two.run_program("SERVER", serve)
    request = net.put("hello", reply_to_q="REPLIES", msg_type=1, expiry=100)
    reply = net.one.get("REPLIES", wait=10, correl_id=request.msg_id)
    assert (reply.body, reply.msg_type, reply.persistent) == (b"re: hello", 2, True)
    assert reply.expiry == 96, "0.2 seconds on each transmission queue while its channel starts"


# ---------------------------------------------------------------- what the sending end cannot send
def direct(net, body, persistent=True, **options):
    """Put to the transmission queue as an application that builds its own header, wrongly."""
    return net.one.put("QM2", body, persistent=persistent, format="MQXMIT", **options)


def header(**md):
    return MQXQH.pack("ORDERS", "QM2", MD(**{**EMBEDDED, **md}))


EMBEDDED: dict = {"Version": 1, "CodedCharSetId": 1208, "Priority": 0, "Persistence": 1, "MsgId": b"M" * 24}
EMBEDDED |= {"PutDate": "20250106", "PutTime": "09000000"}
BAD = {
    "no header": b"hello",
    "half a header": header()[:200],
    "no extension": header(Format="MQHMDE") + b"x" * 100,
    "not text": header()[:10] + b"\xff\xfe" + header()[12:],
}


@for_each("what", BAD)
@for_each("persistent", [True, False])
def test_data_without_a_whole_header_is_dead_lettered_where_it_is(pair, what, persistent):
    net = with_dead_letters(pair(lab := Lab(), latency=0.01), "QM1")
    direct(net, BAD[what], persistent)
    net.start(seconds=1)
    dead = MQDLH.unpack(net.one.browse(DLQ).body)
    assert (dead.reason, dead.queue, dead.qmgr) == (271, "QM2", "QM1")
    direct(net, BAD[what], persistent)
    direct(net, header() + b"good")
    net.put("next")
    lab.advance(1)
    assert (net.one.depth(DLQ), net.got(), net.channel().state) == (2, ["good", "next"], "RUNNING")
    assert net.channel().sequence == net.channel("QM2").sequence == 2


@pytest.mark.parametrize("speed", ["FAST", "NORMAL"])
@pytest.mark.parametrize("persistent", [True, False])
def test_a_message_too_long_for_the_channel(lab, pair, persistent, speed):
    net = with_dead_letters(pair(sdr=f"NPMSPEED({speed}) SHORTTMR(5)", rcvr="MAXMSGL(1000)"), "QM1")
    long = net.put("x" * 573, persistent=persistent, report=EXCEPTION, reply_to_q="REPLIES")
    net.put("y" * 572)
    net.start(seconds=1)
    assert [len(body) for body in net.got()] == [572]
    dead = net.one.browse(DLQ)
    told = MQDLH.unpack(dead.body)
    assert (told.reason, told.queue, told.qmgr, dead.msg_id) == (2218, "ORDERS", "QM2", long.msg_id)
    assert net.one.get("REPLIES").feedback == 2218


def test_a_dead_letter_of_the_sending_end_is_part_of_its_batch_and_an_alias_leads_on(lab, pair):
    net = with_dead_letters(pair(sdr="NPMSPEED(NORMAL) SHORTTMR(5)", rcvr="MAXMSGL(1000)", latency=0.1), "QM1")
    net.put("good", persistent=False)
    net.put("x" * 600, persistent=False)
    net.start(seconds=0.25)
    lab.cut("QM1", "QM2")
    lab.restore("QM1", "QM2")
    lab.advance(10)
    assert (net.got(), net.one.depth(DLQ), net.one.depth("QM2")) == (["good"], 1, 0)
    net = pair(Lab())
    net.at("QM2", "DEFINE QALIAS(A) TARGET(ORDERS)\nDEFINE QREMOTE(BACK) RNAME(REPLIES) RQMNAME(QM1)")
    net.put("a", queue="A")
    net.put("b", queue="BACK")
    net.start(seconds=1)
    assert (net.got(), net.got("REPLIES", "QM1")) == (["a"], ["b"])
    mq_error(net.one.get, "BACK@QM2")


@pytest.mark.parametrize("why", ["blank", "USEDLQ(NO)"])
@pytest.mark.parametrize("persistent", [True, False])
def test_what_can_neither_be_sent_nor_dead_lettered(lab, pair, why, persistent):
    net = pair()
    if why != "blank":  # no level both takes messages without a header and has USEDLQ
        net.one.objects.get("CHANNEL", "TO.QM2").attributes["USEDLQ"] = "NO"
        with_dead_letters(net, "QM1")
    direct(net, b"hello", persistent)
    net.put("next", persistent=persistent)
    net.start(seconds=1)
    lost = len(lab.events.where(kind="lost"))
    if persistent:
        assert (net.channel().state, net.one.depth("QM2"), lost) == ("RETRYING", 2, 0)
    else:
        assert (net.channel().state, net.got(), lost) == ("RUNNING", ["next"], 1)


@pytest.mark.needs("pubsub")
def test_a_topic_at_the_other_end_is_published_to(pair):
    net = pair(level=None)
    net.at("QM2", "DEFINE TOPIC(T) TOPICSTR('t')\nDEFINE QALIAS(NEWS) TARGTYPE(TOPIC) TARGET(T)")
    net.at("QM2", "DEFINE SUB(S) TOPICSTR('t') DEST(ORDERS)")
    net.put("news", queue="NEWS")
    net.start(seconds=1)
    assert net.got() == ["news"]
