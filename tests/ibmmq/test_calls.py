"""The calls of the unmodified ibmmq, answered by the engine."""

import sys

import pytest

from mqlab import LabError


def test_a_message_goes_round_with_the_descriptor_at_its_real_width(mqi, conn):
    md = mqi.MD(ReplyToQ="REPLIES", Expiry=50)
    mqi.Queue(conn, "Q1").put("Grüße", md)
    assert (len(md.MsgId), md.PutDate, md.PutTime) == (24, b"20250106", b"09000000")
    got = mqi.MD()
    assert mqi.Queue(conn, "Q1").get(None, got) == "Grüße".encode()
    assert (got.MsgId, got.ReplyToQ, got.ReplyToQMgr) == (md.MsgId, b"REPLIES".ljust(48), b"QM1".ljust(48))
    assert (got.Format, got.CodedCharSetId, got.Expiry) == (b"MQSTR   ", 1208, 50)
    assert got.PutApplName == b"python".ljust(28)
    mqi.Queue(conn, "Q1").put(b"x" * 5000)
    assert len(mqi.Queue(conn, "Q1").get()) == 5000  # the library asks twice


def test_attributes_and_units_of_work(mqi, conn, qm):
    c = mqi.CMQC
    queue = mqi.Queue(conn, "Q1", c.MQOO_INQUIRE | c.MQOO_SET)
    queue.set({c.MQIA_INHIBIT_PUT: c.MQQA_PUT_INHIBITED, c.MQCA_TRIGGER_DATA: "now"})
    assert queue.inquire([c.MQIA_INHIBIT_PUT, c.MQCA_TRIGGER_DATA]) == {10: 1, 2023: b"now".ljust(64)}
    queue.set(c.MQIA_INHIBIT_PUT, c.MQQA_PUT_ALLOWED)
    conn.put1("Q1", b"in a unit", mqi.MD(), mqi.PMO(Options=c.MQPMO_SYNCPOINT))
    assert qm.status("Q1")["UNCOM"] == 1
    conn.backout()
    assert qm.status("Q1")["CURDEPTH"] == 0
    assert conn.inquire(c.MQCA_Q_MGR_NAME) == b"QM1".ljust(48)


def test_the_block_leaves_the_interpreter_as_it_was(library, lab, qm):
    path, modules = list(sys.path), set(sys.modules)
    with lab.ibmmq():
        pass
    assert (sys.path, set(sys.modules)) == (path, modules)


def test_without_the_library_the_block_says_what_to_install(lab, monkeypatch):
    monkeypatch.setattr("mqlab.ibmmq.pymqi.installed", lambda package="pymqi": False)
    monkeypatch.delitem(sys.modules, "ibmmq", raising=False)
    with pytest.raises(LabError, match="pip install ibmmq"), lab.ibmmq():
        pass


def test_a_connect_names_the_structures_that_nothing_acts_on(mqi, lab):
    cd = mqi.CD(ChannelName=b"C", ConnectionName=b"localhost(1414)")
    lab["QM1"].mqsc("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)").require()
    queue_manager = mqi.QueueManager(None)
    queue_manager.connect_with_options("QM1", cd=cd, sco=mqi.SCO(), bno=mqi.BNO(), opts=mqi.CMQC.MQCNO_CLIENT_BINDING)
    assert [row.facts["kept_only"] for row in lab.events.where(kind="connect")] == [["MQBNO"]]
