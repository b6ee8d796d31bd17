"""Message handles, properties, and selection strings through the unmodified ibmmq."""

from mqlab.engine.words import constants as mq


def test_properties_are_set_put_got_inquired_and_deleted(mqi, conn, qm, refused):
    c = mqi.CMQC
    handle = mqi.MessageHandle(conn)
    given = {"text": ("tea", c.MQTYPE_STRING), "size": (-7, c.MQTYPE_INT16), "open": (True, c.MQTYPE_BOOLEAN)}
    given |= {"raw": (b"\0a", c.MQTYPE_BYTE_STRING), "half": (0.5, c.MQTYPE_FLOAT32), "none": (None, c.MQTYPE_NULL)}
    for name, (value, sort) in given.items():
        length = len(value) if isinstance(value, (str, bytes)) else 0
        handle.properties.set(name, value, property_type=sort, value_length=length)
    pmo = mqi.PMO(Version=c.MQPMO_VERSION_3, OriginalMsgHandle=handle.msg_handle)
    mqi.Queue(conn, "Q1", c.MQOO_OUTPUT).put(b"data", mqi.MD(), pmo)
    got = mqi.MessageHandle(conn)
    gmo = mqi.GMO(Version=c.MQGMO_CURRENT_VERSION, Options=c.MQGMO_PROPERTIES_IN_HANDLE, MsgHandle=got.msg_handle)
    assert mqi.Queue(conn, "Q1").get(None, mqi.MD(), gmo) == b"data"
    assert {name: got.properties.get(name) for name in given} == {name: value for name, (value, _) in given.items()}
    assert got.properties.get("%") == ("tea", "text")
    too_long = refused(lambda: got.properties.get("text", max_value_length=1))
    assert (too_long.reason, too_long.get("data_length")) == (2469, 3)
    got.properties.dlt("text")
    assert refused(lambda: got.properties.get("text")).reason == 2471
    assert refused(lambda: got.properties.set("a b", "x")).reason == 2442
    got.dlt()
    dead = mqi.GMO(Version=4, Options=c.MQGMO_PROPERTIES_IN_HANDLE, MsgHandle=99)
    assert refused(lambda: mqi.Queue(conn, "Q1").get(None, mqi.MD(), dead)).reason == 2460
    assert refused(lambda: mqi.MessageHandle(conn, mqi.CMHO(Options=9))).reason == 2046


def test_a_selection_string_of_an_object_descriptor(mqi, conn, qm, refused):
    c = mqi.CMQC
    for colour in ("red", "blue"):
        qm.put("Q1", colour, properties={"colour": colour})
    for text, wanted in (("colour = 'blue'", b"blue"), ("colour =", 2459)):
        od = mqi.OD(Version=c.MQOD_VERSION_4, ObjectName="Q1")
        od.set_vs("SelectionString", text)
        queue = mqi.Queue(conn)
        if isinstance(wanted, int):
            assert refused(lambda q=queue, d=od: q.open(d, c.MQOO_INPUT_SHARED)).reason == wanted
        else:
            queue.open(od, c.MQOO_INPUT_SHARED)
            assert queue.get().endswith(b"</usr>" + wanted)  # the queue has PROPCTL(COMPAT)


def test_the_numbers_are_those_of_the_library(mqi):
    names = ("MQTYPE_", "MQPD_", "MQCOPY_", "MQIMPO_", "MQSMPO_", "MQDMPO_", "MQCMHO_", "MQACTP_", "MQHM_")
    ours = {name: value for prefix in names for name, value in mq.named(prefix).items()}
    assert {name: getattr(mqi.CMQC, name) for name in ours} == ours
