"""Publish and subscribe through the unmodified ibmmq."""


def publish(mqi, conn, string, body, **pmo):
    topic = mqi.Topic(conn, topic_string=string)
    topic.open(open_opts=mqi.CMQC.MQOO_OUTPUT)
    md = mqi.MD()
    topic.pub(body, md, mqi.PMO(**pmo))
    topic.close()
    return md


def test_a_publication_comes_to_managed_and_provided_subscriptions(mqi, conn, qm, refused):
    c = mqi.CMQC
    sd = mqi.SD(Options=c.MQSO_CREATE | c.MQSO_MANAGED)
    sd.set_vs("ObjectString", "price/+")
    sd.set_vs("ResObjectString", vs_value="", vs_buffer_size=100)
    managed = mqi.Subscription(conn)
    managed.sub(sub_desc=sd)
    assert (sd.get_vs("ResObjectString"), sd.SubCorrelId[:4]) == (b"price/+", b"AMQ ")
    provided = mqi.Subscription(conn)
    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_AS_Q_DEF)
    provided.sub(sub_queue=queue, sub_name="OWN", sub_opts=c.MQSO_CREATE, topic_string="price/#")
    md = publish(mqi, conn, "price/oil", b"5")
    got = mqi.MD()
    assert (managed.get(None, got), provided.get(), len(md.MsgId), got.CorrelId) == (b"5", b"5", 24, sd.SubCorrelId)
    od = mqi.OD(ObjectType=c.MQOT_TOPIC, Version=4)
    od.set_vs("ObjectString", "price/rye")
    conn.put1(od, b"6")
    assert (managed.get(), provided.get()) == (b"6", b"6")
    managed.close(sub_close_options=c.MQCO_REMOVE_SUB, close_sub_queue=True)
    provided.close()
    assert [one.name for one in qm.objects.match(("SUB",))] == ["SYSTEM.DEFAULT.SUB"]
    warned = refused(publish, mqi, conn, "price/oil", b"6", Options=c.MQPMO_WARN_IF_NO_SUBS_MATCHED)
    assert (warned.comp, warned.reason) == (1, 2550)


def test_a_durable_subscription_is_resumed_and_asked_for_what_is_retained(mqi, conn, qm, refused):
    c = mqi.CMQC
    publish(mqi, conn, "price/oil", b"1", Options=c.MQPMO_RETAIN)
    opts = c.MQSO_CREATE | c.MQSO_RESUME | c.MQSO_DURABLE | c.MQSO_MANAGED | c.MQSO_PUBLICATIONS_ON_REQUEST
    for _ in range(2):
        sub = mqi.Subscription(conn)
        sub.sub(sub_name="PRICES", sub_opts=opts, topic_string="price/+")
        sro = mqi.SRO()
        sub.subrq(sro=sro)
        assert (sro.NumPubs, sub.get()) == (1, b"1")
        sub.close(close_sub_queue=True)
    again = {"sub_name": "PRICES", "sub_opts": c.MQSO_CREATE | c.MQSO_MANAGED, "topic_string": "price/+"}
    assert refused(mqi.Subscription(conn).sub, **again).reason == 2432
    conn.disconnect()
    assert [one.name for one in qm.objects.match(("SUB",))] == ["PRICES", "SYSTEM.DEFAULT.SUB"]


def test_what_is_no_subscription(mqi, conn):
    c, ibmmqc = mqi.CMQC, mqi.ibmmqc
    sd = mqi.SD(Options=c.MQSO_CREATE)
    sd.set_vs("ObjectString", "x")
    wrong = b"XX" + sd.pack()[2:]
    hconn = conn.get_handle()
    assert (ibmmqc.MQSUB(hconn, wrong, 0)[-2:], ibmmqc.MQSUB(hconn, sd.pack(), 0)[-2:]) == ((2, 2424), (2, 2019))
    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_AS_Q_DEF)
    assert ibmmqc.MQSUBRQ(hconn, queue.get_handle(), 1, mqi.SRO().pack())[-2:] == (2, 2019)
    assert ibmmqc.MQSUBRQ(hconn, queue.get_handle(), 1, b"SRO ")[-2:] == (2, 2438)
