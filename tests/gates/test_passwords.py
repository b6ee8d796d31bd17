"""Who may connect: passwords (CONNAUTH), channel authentication records (CHLAUTH), and the user that results."""

import pytest

from helpers import lab_error, mq_error, reason, refusal
from mqlab import NotSimulated
from mqlab.engine.explain.words import sentence
from mqlab.engine.words import constants as mq


@pytest.fixture
def dev(lab):
    return lab.queue_manager("QM1", developer=True)


def said(call):
    refused = mq_error(call)
    return refused.reason, refused.said


@pytest.mark.rule("SEC-01")
def test_a_password_is_checked_if_it_is_given_and_asked_for_where_required(dev):
    assert dev.connect("APP", user="app", password="password", channel="DEV.APP.SVRCONN").context.user == "app"
    wrong = said(lambda: dev.connect("APP", user="app", password="x", channel="DEV.APP.SVRCONN"))
    assert wrong == (2035, "the password of app is wrong")
    assert said(lambda: dev.connect("APP", user="eve", password="x"))[1] == "QM1 knows no user eve"
    code, words = said(lambda: dev.connect("APP", channel="DEV.APP.SVRCONN"))
    assert code == 2035
    assert "CHLAUTH(DEV.APP.SVRCONN) TYPE(ADDRESSMAP) has CHCKCLNT(REQUIRED)" in words
    assert dev.connect("LOCAL").context.user == "app"  # CHCKLOCL(OPTIONAL): a program on the machine needs none
    assert [(row.reason, row.rule) for row in dev.lab.events.where(kind="connect")] == [(2035, "SEC-01")] * 3


@pytest.mark.rule("SEC-01")
def test_the_refusal_of_a_password_takes_faildlay_seconds(dev):
    def seconds(call):
        begun = dev.lab.now_us
        assert reason(call) == 2035
        return (dev.lab.now_us - begun) / 1e6

    wrong = lambda: dev.connect("APP", user="app", password="x", channel="DEV.APP.SVRCONN")  # noqa: E731
    assert seconds(wrong) == 1
    dev.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) FAILDLAY(5)").require()
    assert seconds(wrong) == 1  # until the refresh
    dev.mqsc("REFRESH SECURITY TYPE(CONNAUTH)").require()
    assert seconds(wrong) == 5
    assert seconds(lambda: dev.connect("APP", channel="SYSTEM.DEF.SVRCONN")) == 0  # a record does not delay


@pytest.mark.rule("SEC-02")
def test_one_record_decides_about_the_channel_of_a_client(dev):
    admin = dev.connect("OPS", user="admin", password="password", channel="DEV.ADMIN.SVRCONN")
    assert admin.context.user == "admin"
    code, words = said(lambda: dev.connect("OPS", channel="DEV.ADMIN.SVRCONN"))
    assert (code, words) == (2035, "the record CHLAUTH(*) TYPE(ADDRESSMAP) blocks user app from 127.0.0.1")
    dev.mqsc("DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(IN) CHLTYPE(RCVR)")
    assert reason(lambda: dev.connect("OPS", user="admin", password="password", channel="OTHER")) == 2035
    dev.mqsc("SET CHLAUTH(OTHER) TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('app')")
    assert dev.connect("OPS", user="ann", channel="OTHER").context.user == "app"
    dev.mqsc("SET CHLAUTH(OTHER) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)")
    blocked = said(lambda: dev.connect("OPS", user="admin", password="password", channel="OTHER"))
    assert "TYPE(BLOCKUSER) blocks user admin" in blocked[1]  # the record that blocks administrators everywhere
    inserts = {1: "OTHER", 2: "127.0.0.1", 3: "MCAUSER(admin) CLNTUSER(admin)"}
    assert dev.error_log()[-1].inserts == {f"CommentInsert{number}": text for number, text in inserts.items()}
    dev.mqsc("ALTER QMGR CHLAUTH(DISABLED)")
    assert dev.connect("OPS", user="admin", password="password", channel="OTHER").context.user == "admin"
    assert [reason(dev.connect, "A", channel=name) for name in ("NONE", "IN")] == [2540, 2539]


@pytest.mark.rule("SEC-01", event=False)
def test_a_change_of_authentication_waits_for_refresh_security(lab):
    qm = lab.queue_manager("QM1", users={"till": "secret"})
    qm.mqsc("""
        DEFINE AUTHINFO(CHECK) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED) CHCKCLNT(REQUIRED) ADOPTCTX(YES)
        ALTER QMGR CONNAUTH(CHECK) CHLAUTH(DISABLED)
        DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) MCAUSER('shop')
        """)
    assert qm.connect("TILL", channel="TILLS").context.user == "shop"
    reply = qm.mqsc("REFRESH SECURITY TYPE(CONNAUTH)")
    assert "not acted on" not in str(reply)
    assert reason(lambda: qm.connect("TILL", channel="TILLS")) == 2035
    assert reason(lambda: qm.connect("BATCH")) == 2035
    assert qm.connect("TILL", user="till", password="secret", channel="TILLS").context.user == "till"
    qm.mqsc("ALTER AUTHINFO(CHECK) AUTHTYPE(IDPWOS) ADOPTCTX(NO)\nALTER QMGR CONNAUTH(' ')")
    qm.stop()
    qm.start()  # which reads CONNAUTH again: no check, whatever is given
    assert qm.connect("TILL", user="till", password="wrong", channel="TILLS").context.user == "shop"
    qm.mqsc("DEFINE AUTHINFO(DIR) AUTHTYPE(IDPWLDAP) CONNAME('ldap') SHORTUSR('uid')\nALTER QMGR CONNAUTH(DIR)")
    qm.refresh_security()
    refusal(NotSimulated, "IDPWOS", qm.connect, "TILL", user="till", password="secret", channel="TILLS")


@pytest.mark.rule("MQI-27")
def test_options_of_a_connect(dev):
    both = mq.MQCNO_HANDLE_SHARE_BLOCK | mq.MQCNO_HANDLE_SHARE_NONE
    for options in (both, mq.MQCNO_RECONNECT | mq.MQCNO_RECONNECT_DISABLED, 1 << 29):
        assert reason(dev.connect, "A", options=options) == 2046
    fine = mq.MQCNO_HANDLE_SHARE_BLOCK | mq.MQCNO_SHARED_BINDING | mq.MQCNO_RECONNECT_DISABLED
    assert dev.connect("A", options=fine).put("DEV.QUEUE.1", "x")


def client(dev, **options):
    return dev.connect("SHOP", user="app", password="password", channel="DEV.APP.SVRCONN", **options)


@pytest.mark.rule("NET-02")
def test_the_link_of_a_client_is_cut_and_restored(dev):
    lab, shop = dev.lab, client(dev)
    handle, uow = shop.open("DEV.QUEUE.1", input="shared", output=True), shop.unit_of_work()
    uow.put("DEV.QUEUE.1", "order")
    shop.subscribe("dev/")
    lab.cut("SHOP", "QM1")
    calls = (lambda: shop.put("DEV.QUEUE.1", "x"), handle.get, handle.close, uow.commit, shop.backout, shop.disconnect)
    assert [reason(call) for call in calls] == [2009] * 6
    assert dev.status("DEV.QUEUE.1") == {"CURDEPTH": 0, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0}
    assert dev.mqsc("DISPLAY SUB(*) SUBTYPE(API)").rows == []
    assert reason(lambda: client(dev)) == 2538
    lab_error("is cut already", lab.cut, "SHOP", "QM1")
    lab.restore("SHOP", "QM1")
    assert client(dev).put("DEV.QUEUE.1", "again")
    cut, restored = (sentence(row) for row in lab.events.where(kind="fault"))
    assert "the client's link SHOP - QM1 was cut" in cut
    assert "restored" in restored
    lab_error(r"program must be a client of QM1, connected through a SVRCONN channel: none", lab.cut, "TILL", "QM1")
    lab_error("TILL - QM1 is up", lab.restore, "TILL", "QM1")


def test_a_get_that_waits_ends_when_the_link_of_its_client_is_cut(dev):
    lab, ended = dev.lab, []

    def serve(_, shop):
        ended.append(reason(lambda: shop.get("DEV.QUEUE.1", wait=60)))
        ended.append(lab.now_us)

    dev.run_program("SERVER", serve, client(dev))
    lab.advance(5)
    lab.cut("SHOP", "QM1")
    lab.run()
    assert ended == [2009, 5_000_000]
