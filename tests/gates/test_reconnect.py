"""Reconnection: which clients connect again, what their calls do meanwhile, and what they find afterwards."""

import pytest

from helpers import lab_error, outcome
from mqlab import GMO, PMO
from mqlab.engine.explain.words import sentence
from mqlab.engine.words import constants as mq

OPTIONS = {
    "MQCNO_RECONNECT": mq.MQCNO_RECONNECT,
    "MQCNO_RECONNECT_Q_MGR": mq.MQCNO_RECONNECT_Q_MGR,
    "AS_DEF": 0,
    "DISABLED": mq.MQCNO_RECONNECT_DISABLED,
}
TABLE = {"NO": ("YES", "QMGR", "", ""), "YES": ("YES", "QMGR", "YES", ""), "QMGR": ("YES", "QMGR", "QMGR", ""),
         "DISABLED": ("", "", "", "")}  # fmt: skip
"""DEFRECON -> how a client connects again, for each option: any queue manager, the same one, or not at all."""


def blink(lab):
    """Break the link of SHOP for a moment."""
    lab.cut("SHOP", "QM1")
    lab.restore("SHOP", "QM1")


@pytest.mark.rule("REC-01", event=False)
@pytest.mark.parametrize("defrecon", TABLE)
def test_the_option_of_the_connect_and_defrecon_decide_together(qm1, shop, defrecon):
    qm1.mqsc(f"DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(CLNTCONN) CONNAME(qm1) DEFRECON({defrecon})").require()
    found = [shop(options=options).admission.reconnects for options in OPTIONS.values()]
    assert found == list(TABLE[defrecon])
    assert [shop(reconnect=word).admission.reconnects for word in ("YES", "QMGR", "", "DISABLED")] == found
    qm1.mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SHARECNV(0)").require()
    assert not any(shop(options=options).admission.reconnects for options in OPTIONS.values())
    lab_error("reconnect must be one of YES, QMGR, DISABLED", shop, reconnect="NO")


@pytest.mark.rule("REC-03")
def test_a_call_waits_until_the_link_is_restored_and_then_goes_on(lab, qm1, shop, after):
    told, app = [], shop(reconnect="YES", on_event=lambda reason: told.append((lab.now_us // 10**6, reason)))
    handle = app.open("Q", browse=True, output=True)
    handle.put(b"first")
    assert handle.browse_first().body == b"first"
    lab.advance(10)
    lab.cut("SHOP", "QM1")
    assert qm1.status("Q")["OPPROCS"] == 0  # the queue manager has closed it
    after(4, lambda: lab.restore("SHOP", "QM1"))
    handle.put(b"second")
    assert lab.now_us == 17_000_000  # attempts after 1, 2, and 4 seconds: the third finds the link
    assert told == [(10, mq.MQRC_RECONNECTING), (17, mq.MQRC_RECONNECTED)]
    assert handle.browse_next().body == b"first"  # the cursor is before the first message
    assert qm1.status("Q") == {"CURDEPTH": 2, "IPPROCS": 0, "OPPROCS": 1, "UNCOM": 0}
    words = [sentence(row) for row in lab.events.where(kind="reconnect")]
    assert words == ["SHOP lost its connection, and connects again", "SHOP is connected again"]


@pytest.mark.rule("REC-03")
def test_a_get_that_waits_goes_on_to_wait_and_keeps_its_time(lab, qm1, shop, after):
    got, app = [], shop(reconnect="QMGR")

    def serve():
        with app.open("Q", input="shared") as queue:
            got.append(queue.get(wait=60).body)
            wait = GMO(Options=mq.MQGMO_WAIT | mq.MQGMO_SYNCPOINT, WaitInterval=60_000)
            got.append(queue.get(md=None, gmo=wait).body)
            app.commit()
            got.append((outcome(queue.get, wait=30), lab.now_us // 10**6))

    after(0, serve)
    lab.advance(1)
    blink(lab)
    lab.advance(5)
    qm1.put("Q", b"one")
    lab.advance(1)
    blink(lab)  # an empty unit of work is not lost
    lab.advance(5)
    qm1.put("Q", b"two")
    lab.advance(2)
    blink(lab)
    lab.run()
    assert got == [b"one", b"two", (2033, 42)]


@pytest.mark.rule("REC-04")
def test_the_unit_of_work_is_lost_and_the_program_backs_it_out(lab, qm1, shop):
    app = shop(reconnect="YES")
    handle, inside = app.open("Q", output=True, input="shared"), PMO(Options=mq.MQPMO_SYNCPOINT)
    handle.put(b"x", pmo=inside)
    blink(lab)
    assert outcome(handle.put, b"y", pmo=inside) == 2003
    assert handle.put(b"outside")
    assert outcome(app.get, "Q", gmo=GMO(Options=mq.MQGMO_SYNCPOINT)) == 2003
    app.backout()
    handle.put(b"z", pmo=inside)
    blink(lab)
    assert [outcome(app.commit), outcome(app.commit)] == [2003, None]
    uow = app.unit_of_work()
    uow.put("Q", b"x")
    blink(lab)
    assert outcome(uow.put, "Q", b"x") == outcome(uow.__exit__, None, None, None) == 2003
    assert qm1.status("Q")["CURDEPTH"] == 1


@pytest.mark.rule("REC-05")
@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (lambda qmgr: qmgr.stop(), 2009),
        (lambda qmgr: qmgr.stop("preemptive"), 2009),
        (lambda qmgr: qmgr.stop(reconnect=True), None),
        (lambda qmgr: qmgr.stop("preemptive", reconnect=True), None),
        (lambda qmgr: qmgr.fail(), None),
    ],
    ids=("-i", "-p", "-i -r", "-p -r", "failure"),
)
def test_endmqm_r_and_a_failure_let_clients_connect_again_and_endmqm_does_not(lab, qm1, shop, after, end, expected):
    asks, other = shop(reconnect="QMGR"), shop()
    handle = asks.open("Q", output=True)
    end(qm1)
    after(10, qm1.start)
    assert [outcome(handle.put, b"x"), outcome(other.put, "Q", b"x")] == [expected, 2009]
    lab.run()
    assert (qm1.running, outcome(handle.put, b"x")) == (True, expected)


def test_an_operator_who_stops_a_client_stops_it_for_good(lab, qm1, shop):
    first = shop(reconnect="YES")
    qm1.mqsc("STOP CHANNEL(APP.SVRCONN) MODE(FORCE)\nSTART CHANNEL(APP.SVRCONN)").require()
    second = shop(reconnect="YES")
    (row,) = qm1.mqsc("DISPLAY CONN(*) WHERE(APPLTAG EQ 'SHOP')").rows
    qm1.mqsc(f"STOP CONN({row['CONN']})").require()
    lab.advance(60)
    assert [outcome(first.put, "Q", b"x"), outcome(second.put, "Q", b"x")] == [2009, 2009]


def test_a_client_whose_channel_is_stopping_begins_nothing_and_connects_again_when_it_starts(lab, qm1, shop, after):
    handle = shop(reconnect="YES").open("Q", output=True)
    qm1.mqsc("STOP CHANNEL(APP.SVRCONN) MODE(QUIESCE)").require()
    assert outcome(handle.put, b"x") == 2202
    blink(lab)
    after(2, lambda: qm1.mqsc("START CHANNEL(APP.SVRCONN)").require())
    handle.put(b"x")
    lab.advance(60)
    assert (outcome(handle.put, b"x"), qm1.status("Q")["CURDEPTH"]) == (None, 2)


@pytest.mark.rule("REC-03", "REC-08")
def test_what_ends_a_reconnection(lab, qm1, shop):
    told, app = [], shop(reconnect="YES", on_event=lambda reason: told.append(reason))
    handle = app.open("Q", output=True)
    lab.cut("SHOP", "QM1")
    assert [outcome(handle.put, b"x"), lab.now_us] == [2556, 1_800_000_000]  # MQReconnectTimeout
    lab.restore("SHOP", "QM1")
    assert [outcome(handle.put, b"x"), told] == [2556, [2544, 2556]]
    record = "SET CHLAUTH(APP.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('*')"
    for gate in (f"{record} USERSRC(NOACCESS)", "DELETE QLOCAL(Q)"):
        app = shop(reconnect="YES")
        handle = app.open("Q", output=True)
        lab.cut("SHOP", "QM1")
        qm1.mqsc(gate).require()
        lab.restore("SHOP", "QM1")
        assert outcome(handle.put, b"x") == 2548
        qm1.mqsc(f"{record} ACTION(REMOVE)")
    assert not [each for each in qm1.connections if each.caller == "SHOP" and each.gate is not None]
    left = shop(reconnect="YES")
    lab.cut("SHOP", "QM1")
    left.disconnect()  # and waits for nothing
    lab.restore("SHOP", "QM1")
    lab.advance(60)
    assert len([row for row in lab.events.where(kind="reconnect") if row.facts["state"] == "made"]) == 1


@pytest.mark.rule("REC-02")
def test_subscriptions_topics_and_dynamic_queues_are_there_again(lab, qm1, shop):
    app = shop(reconnect="QMGR")
    prices, news = app.subscribe("price/#"), app.subscribe("news", name="NEWS", durable=True)
    topic, replies = app.open_topic("price/tea"), app.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="shared", output=True)
    where, queue = replies.name, prices.queue
    blink(lab)
    topic.put(b"2")
    qm1.publish("news", b"n")
    replies.put(b"r")
    assert [prices.get().body, news.get().body, replies.get().body] == [b"2", b"n", b"r"]
    assert (replies.name, prices.queue is queue, len(qm1.mqsc("DISPLAY SUB(*) SUBTYPE(API)").rows)) == (where, True, 2)
    app.disconnect()
    assert where not in [each.name for each in qm1.queues]
    anywhere = shop(reconnect="YES")
    assert outcome(anywhere.subscribe, "news", name="NEWS", durable=True, how="resume") == 2555


@pytest.mark.parametrize("end", [blink, lambda lab: lab["QM1"].stop(reconnect=True)], ids=("link", "-r"))
def test_consumers_wait_for_the_reconnection_and_the_event_handler_learns_of_it(lab, qm1, shop, end):
    told, app = [], shop(reconnect="QMGR")
    app.handle_events(lambda _, context: told.append((context.Reason, context.CompCode)))
    app.consume(app.open("Q", input="shared"), lambda message, _: told.append(message.body), wait=mq.FOR_EVER)
    app.control("start")
    lab.advance(1)
    end(lab)
    if not qm1.running:
        qm1.start()
    qm1.put("Q", b"while it is away")
    lab.advance(5)
    qm1.put("Q", b"afterwards")
    lab.advance(1)
    assert told == [(2544, 1), (2545, 1), b"while it is away", b"afterwards"]


def entry(name, group, hosts, weight=0, **manages):
    """A client channel of a CCDT."""
    connection = [{"host": host, "port": 1414} for host in hosts]
    return {
        "name": name,
        "type": "clientConnection",
        "clientConnection": {"connection": connection, "queueManager": group},
        "connectionManagement": {"clientWeight": weight, **manages},
    }


@pytest.mark.rule("REC-06")
def test_a_ccdt_leads_to_a_group_and_after_a_failure_to_its_next_member(lab, make, tmp_path):
    make("QM1"), make("QM2"), make("QM3", "DEFINE CHANNEL(B.SVRCONN) CHLTYPE(SVRCONN)")
    lab.address("vip(1414)", "QM1")
    ccdt = {"channel": [entry("B.SVRCONN", "GROUP", ["qm3"]), entry("APP.SVRCONN", "GROUP", ["qm1", "qm2"]),
                        entry("APP.SVRCONN", "QM1", ["vip"], defaultReconnect="queueManager")]}  # fmt: skip

    def connect(name, table=ccdt, **given):
        return lab.connect("SHOP", name, ccdt=table, **given)

    app = connect("*GROUP", reconnect="YES")
    handle, visited = app.open("Q", output=True), [app.qmgr.name]
    for _ in range(2):
        lab[app.qmgr.name].stop(reconnect=True)
        handle.put(b"x")
        visited.append(app.qmgr.name)
    assert visited == ["QM1", "QM2", "QM3"]  # by name, and the addresses in order
    assert [outcome(connect, name) for name in ("QM1", "*QM4", "*GROUP")] == [2538, 2058, None]
    lab["QM3"].stop()
    assert outcome(connect, "*GROUP") == 2059
    lab["QM1"].start()
    lab["QM2"].start()
    assert lab["QM2"].status("Q")["CURDEPTH"] == 1
    path = tmp_path / "ccdt.json"
    path.write_text(str(ccdt).replace("'", '"'))
    same = connect("QM1", path)
    lab.address("vip(1414)", "QM2")
    assert outcome(connect, "QM1") == 2058
    lab["QM1"].stop(reconnect=True)
    assert (same.admission.reconnects, outcome(same.put, "Q", b"x")) == ("QMGR", 2546)
    lab_error("ccdt must be a CCDT in JSON", connect, "QM1", {"channel": [{"type": "clientConnection"}]})


def test_weights_and_affinity_share_the_clients_out(lab, make):
    make("QM1"), make("QM2", "DEFINE CHANNEL(B.SVRCONN) CHLTYPE(SVRCONN)")

    def table(affinity):
        return {"channel": [entry("APP.SVRCONN", "G", ["qm1"], 3, affinity=affinity),
                            entry("B.SVRCONN", "G", ["qm2"], 1, affinity=affinity)]}  # fmt: skip

    def chosen(program, affinity):
        return lab.connect(program, "*G", ccdt=table(affinity)).qmgr.name

    lab["QM1"].stop()
    assert chosen("S", "preferred") == "QM2"
    lab["QM1"].start()
    assert len({chosen("S", "preferred") for _ in range(20)}) == 1
    assert 50 < [chosen("S", "none") for _ in range(100)].count("QM1") < 90
    assert 50 < [chosen(f"S{number}", "preferred") for number in range(100)].count("QM1") < 90


@pytest.mark.rule("REC-07", event=False)
def test_a_silent_link_is_noticed_by_heartbeats_that_do_not_come(lab, qm1, shop):
    qm1.mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) HBINT(100)").require()
    app = shop()
    app.put("Q", b"before")
    lab.advance(10)
    lab.cut("SHOP", "QM1", silent=True)
    lab.advance(50)
    lab.restore("SHOP", "QM1")
    app.put("Q", b"it costs nothing")
    lab.advance(40)
    lab.cut("SHOP", "QM1", silent=True)
    begun = lab.now_us
    assert outcome(app.put, "Q", b"lost") == 2009
    assert (lab.now_us - begun) / 1e6 == 160  # HBINT and 60 seconds
    assert qm1.depth("Q") == 2
    lab.restore("SHOP", "QM1")
    qm1.mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) HBINT(20)").require()
    app = shop(reconnect="YES")
    lab.cut("SHOP", "QM1", silent=True)
    lab.advance(39)
    assert [row["RAPPLTAG"] for row in qm1.mqsc("DISPLAY CHSTATUS(APP.SVRCONN) ALL").rows] == ["SHOP"]
    lab.advance(2)
    assert not qm1.mqsc("DISPLAY CHSTATUS(APP.SVRCONN) ALL").rows
    lab.restore("SHOP", "QM1")
    app.put("Q", b"after the reconnection")
    assert qm1.depth("Q") == 3


@pytest.mark.rule("REC-07", event=False)
def test_a_get_that_waits_hangs_until_the_silence_is_noticed(lab, qm1, shop):
    ended, ops = [], lab.queue_manager("TILLS")

    def waits(_):
        ended.append((outcome(shop().get, "Q", wait=1000), lab.now_us // 10**6))

    qm1.mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) HBINT(30)").require()
    ops.run_program("SHOP", waits)
    lab.advance(10)
    lab.cut("SHOP", "QM1", silent=True)
    lab.advance(5)
    qm1.put("Q", b"nobody hears of it")
    lab.advance(100)
    assert (ended, qm1.depth("Q")) == ([(2009, 70)], 1)
