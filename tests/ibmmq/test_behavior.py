"""What a queue manager does, asked through the unmodified library: every test fails on a broker that does otherwise.

`test_brokers.py` runs these tests on 22 brokers that are wrong in one thing each.
"""

import pytest

from helpers import refusal


class Caller:
    """Short forms of calls, and the reason code of one that is refused."""

    def __init__(self, mqi, conn):
        self.mqi, self.conn, self.c = mqi, conn, mqi.CMQC

    def put(self, body, queue="Q1", options=0, **descriptor):
        md = self.mqi.MD(**descriptor)
        self.conn.put1(queue, body, md, self.mqi.PMO(Options=options))
        return md

    def get(self, queue="Q1", options=0, longest=None, wait=0, match=3, opened=None, **descriptor):
        """The data of a message and its descriptor."""
        md = self.mqi.MD(**descriptor)
        gmo = self.mqi.GMO(Options=options | (self.c.MQGMO_WAIT if wait else 0), WaitInterval=wait, MatchOptions=match)
        handle = opened or self.mqi.Queue(self.conn, queue, self.c.MQOO_INPUT_SHARED)
        try:
            return handle.get(longest, md, gmo), md
        finally:
            if opened is None:
                handle.close()

    def drain(self, queue="Q1"):
        found = []
        while self.reason(lambda: found.append(self.get(queue)[0])) is None:
            pass
        return found

    def reason(self, call):
        try:
            call()
        except self.mqi.MQMIError as error:
            return error.reason
        return None


@pytest.fixture
def app(mqi, conn):
    return Caller(mqi, conn)


def test_messages_come_by_priority_and_then_in_the_order_of_their_puts_each_with_an_identifier_of_its_own(app):
    made = {app.put(b"%d" % number, Priority=priority).MsgId for number, priority in enumerate((2, 7, 2, 4, 7))}
    assert (len(made - {bytes(24)}), app.drain()) == (5, [b"1", b"4", b"3", b"0", b"2"])


def test_a_get_returns_the_descriptor(app, lab):
    lab.advance(61)
    put = app.put("Grüße", ReplyToQ="R", CorrelId=b"C" * 24, MsgType=app.c.MQMT_REQUEST, Persistence=1, Expiry=50)
    body, got = app.get()
    assert (body, got.Format, got.CodedCharSetId, got.Expiry) == ("Grüße".encode(), b"MQSTR   ", 1208, 50)
    assert got.ReplyToQMgr == b"QM1".ljust(48)
    assert (got.PutDate, got.PutTime, put.PutTime) == (b"20250106", b"09010100", b"09010100")
    assert (got.MsgId, got.CorrelId, got.ReplyToQ) == (put.MsgId, b"C" * 24, b"R".ljust(48))
    assert (got.MsgType, got.Persistence, got.PutApplName) == (app.c.MQMT_REQUEST, 1, b"python".ljust(28))


def test_a_get_selects_by_identifiers(app):
    first, second = app.put(b"1", CorrelId=b"A" * 24), app.put(b"2", CorrelId=b"B" * 24)
    assert (app.reason(lambda: app.get(CorrelId=b"N" * 24)), app.get(CorrelId=b"B" * 24)[0]) == (2033, b"2")
    assert app.reason(lambda: app.get(MsgId=second.MsgId)) == 2033
    assert app.get(MsgId=second.MsgId, match=app.c.MQMO_NONE)[0] == b"1"
    assert first.MsgId != second.MsgId


def test_an_empty_queue_and_an_unknown_one(app, qm):
    assert (app.reason(app.get), app.reason(lambda: app.get("NONE"))) == (2033, 2085)
    assert app.reason(lambda: app.put(b"x", "NONE")) == 2085
    assert qm.objects.get("QLOCAL", "NONE") is None


def test_a_message_expires(app, lab):
    app.put(b"x", Expiry=50)
    lab.advance(2)
    browsed = app.mqi.Queue(app.conn, "Q1", app.c.MQOO_BROWSE)
    assert app.get(opened=browsed, options=app.c.MQGMO_BROWSE_FIRST)[1].Expiry == 30
    lab.advance(3)
    assert app.reason(app.get) == 2033


def test_a_wait_lets_time_pass(app, lab, qm):
    assert (app.reason(lambda: app.get(wait=5000)), lab.now_us) == (2033, 5_000_000)
    qm.run_program("other", lambda other: lab.advance(2) or other.put("Q1", b"late"))
    assert (app.get(wait=5000)[0], lab.now_us) == (b"late", 7_000_000)


def test_a_put_within_a_unit_of_work_is_seen_at_the_commit(app, mqi):
    other = Caller(mqi, mqi.connect("QM1"))
    app.put(b"x", options=app.c.MQPMO_SYNCPOINT)
    assert other.reason(other.get) == 2033
    app.conn.commit()
    assert other.get()[0] == b"x"


def test_a_backout_takes_puts_back_and_gets_too_and_a_commit_makes_a_get_final(app, qm):
    app.put(b"got")
    app.put(b"put", options=app.c.MQPMO_SYNCPOINT)
    assert (app.get(options=app.c.MQGMO_SYNCPOINT)[1].BackoutCount, qm.status("Q1")["UNCOM"]) == (0, 2)
    app.conn.backout()
    body, md = app.get(options=app.c.MQGMO_SYNCPOINT)
    assert (body, md.BackoutCount) == (b"got", 1)
    app.conn.commit()
    app.conn.backout()
    assert app.reason(app.get) == 2033


def test_a_queue_refuses_puts(app, qm):
    qm.mqsc("ALTER QLOCAL(Q1) PUT(DISABLED)")
    assert app.reason(lambda: app.put(b"x")) == 2051
    qm.mqsc("ALTER QLOCAL(Q1) PUT(ENABLED) MAXDEPTH(2) MAXMSGL(10)")
    assert ([app.reason(lambda: app.put(b"x")) for _ in range(3)], app.drain()) == ([None, None, 2053], [b"x", b"x"])
    assert app.reason(lambda: app.put(b"x" * 11)) == 2030


def test_a_browse_leaves_messages(app):
    for body in (b"1", b"2"):
        app.put(body)
    queue = app.mqi.Queue(app.conn, "Q1", app.c.MQOO_BROWSE)
    browses = (app.c.MQGMO_BROWSE_FIRST, app.c.MQGMO_BROWSE_NEXT)
    assert [app.get(options=each, opened=queue)[0] for each in browses] == [b"1", b"2"]
    assert app.reason(lambda: app.get(options=app.c.MQGMO_BROWSE_NEXT, opened=queue)) == 2033
    assert app.drain() == [b"1", b"2"]


def test_a_short_buffer_and_a_message_for_which_the_library_asks_twice(app):
    app.put(b"x" * 5000)
    assert len(app.get()[0]) == 5000
    app.put(b"0123456789")
    left = refusal(app.mqi.MQMIError, "", app.get, longest=4)
    assert (left.comp, left.reason, left.message, left.original_length) == (1, 2080, b"0123", 10)
    cut = refusal(app.mqi.MQMIError, "", app.get, longest=4, options=app.c.MQGMO_ACCEPT_TRUNCATED_MSG)
    assert (cut.comp, cut.reason, cut.message, app.reason(app.get)) == (1, 2079, b"0123", 2033)


def test_calls_need_the_options_of_the_open(app):
    def opened(*names):
        return app.mqi.Queue(app.conn, "Q1", sum(getattr(app.c, f"MQOO_{name}") for name in names))

    assert app.reason(lambda: opened("INPUT_SHARED").put(b"x")) == 2039
    assert app.reason(lambda: opened("OUTPUT").get()) == 2037
    assert app.reason(lambda: app.get(opened=opened("OUTPUT"), options=app.c.MQGMO_BROWSE_FIRST)) == 2036
    assert app.reason(lambda: opened("OUTPUT").inquire(app.c.MQIA_CURRENT_Q_DEPTH)) == 2038
    assert app.reason(lambda: opened("INQUIRE").set(app.c.MQIA_INHIBIT_GET, 1)) == 2040
    assert app.reason(lambda: opened("INPUT_SHARED", "INPUT_EXCLUSIVE")) == 2046
    exclusive = opened("INPUT_EXCLUSIVE")
    assert app.reason(lambda: opened("INPUT_SHARED")) == 2042
    exclusive.close()


def test_a_temporary_queue_goes_with_its_handle(app, qm):
    od = app.mqi.OD(ObjectName="SYSTEM.DEFAULT.MODEL.QUEUE", ObjectQMgrName="QM1", DynamicQName="REPLY.*")
    queue = app.mqi.Queue(app.conn, od, app.c.MQOO_INPUT_EXCLUSIVE)
    name = od.ObjectName.strip().decode()
    assert od.ObjectQMgrName.strip() == b"QM1"
    assert name.startswith("REPLY.")
    assert len(name) > len("REPLY.")
    app.put(b"x", name)
    assert queue.get() == b"x"
    queue.close()
    assert app.reason(lambda: app.put(b"x", name)) == 2085
    assert qm.objects.get("QLOCAL", name) is None


@pytest.mark.needs("gates")
def test_an_open_for_another_user_needs_the_authority_of_that_user(mqi, lab):
    groups = {"tills": ["till"], "readers": ["bob"]}
    qm = lab.queue_manager("QM2", users={"till": "secret", "bob": "word"}, groups=groups)
    qm.mqsc("""
        DEFINE CHANNEL(SHOP) CHLTYPE(SVRCONN)
        DEFINE QLOCAL(Q2)
        SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)
        SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHADD(CONNECT,INQ,ALTUSR)
        SET AUTHREC PROFILE('Q2') OBJTYPE(QUEUE) GROUP('readers') AUTHADD(GET)
        """).require()
    conn, c = mqi.connect("QM2", "SHOP", "QM2(1414)", user="till", password="secret"), mqi.CMQC
    od = mqi.OD(ObjectName="Q2", AlternateUserId="bob")
    mqi.Queue(conn, od, c.MQOO_INPUT_SHARED | c.MQOO_ALTERNATE_USER_AUTHORITY).close()
    with pytest.raises(mqi.MQMIError) as refused:
        mqi.Queue(conn, od, c.MQOO_OUTPUT | c.MQOO_ALTERNATE_USER_AUTHORITY).close()
    assert refused.value.reason == 2035
    qm.mqsc("SET AUTHREC PROFILE('Q2') OBJTYPE(QUEUE) GROUP('readers') AUTHADD(PUT)\nDEFINE QMODEL(M)").require()
    pmo = mqi.PMO(Options=c.MQPMO_ALTERNATE_USER_AUTHORITY)
    conn.put1(od, b"for bob", mqi.MD(), pmo)
    assert (qm.get("Q2").body, pmo.Options) == (b"for bob", c.MQPMO_ALTERNATE_USER_AUTHORITY)
    for name, reason in (("Q2", 2035), ("M", 2057)):
        with pytest.raises(mqi.MQMIError) as refused:
            conn.put1(mqi.OD(ObjectName=name, AlternateUserId="till"), b"x", mqi.MD(), pmo)
        assert refused.value.reason == reason


def test_a_publication_reaches_those_who_asked_for_its_topic(app, qm):
    qm.mqsc("DEFINE QLOCAL(SUBS)\nDEFINE SUB(S1) TOPICSTR('fruit/+') DEST(SUBS)").require()
    for string in ("fruit/apple", "bread/rye", "fruit/apple/green"):
        topic = app.mqi.Topic(app.conn, topic_string=string)
        topic.open(open_opts=app.c.MQOO_OUTPUT)
        topic.pub(string.encode())
        topic.close()
    assert app.drain("SUBS") == [b"fruit/apple"]


def test_wrong_structures_get_reason_codes(app):
    od = app.mqi.OD(ObjectName="Q1")
    od.Version = 9
    assert app.reason(lambda: app.mqi.Queue(app.conn, od, app.c.MQOO_OUTPUT)) == 2044
    md = app.mqi.MD()
    md["_StrucId"] = b"BAD "
    assert app.reason(lambda: app.conn.put1("Q1", b"x", md)) == 2026
    assert app.reason(lambda: app.conn.put1("Q1", b"x", app.mqi.MD(), app.mqi.PMO(Version=7))) == 2173
    queue = app.mqi.Queue(app.conn, "Q1", app.c.MQOO_INPUT_SHARED)
    assert app.reason(lambda: queue.get(None, app.mqi.MD(), app.mqi.GMO(Version=0))) == 2186
    raw, number = app.mqi.ibmmqc, app.conn.get_handle()
    assert raw.MQPUT1(number, app.mqi.OD(ObjectName="Q1").pack(), b"MD  ", app.mqi.PMO().pack(), b"x")[-2:] == (2, 2026)
    assert raw.MQGET(number, 99, app.mqi.MD().pack(), app.mqi.GMO().pack(), 10)[-2:] == (2, 2019)
    assert raw.MQCMIT(12345) == (2, 2018)
