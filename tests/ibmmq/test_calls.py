"""The calls of the unmodified ibmmq, answered by the engine."""

import sys

import pytest

from mqlab import LabError


def test_attributes(mqi, conn):
    c = mqi.CMQC
    queue = mqi.Queue(conn, "Q1", c.MQOO_INQUIRE | c.MQOO_SET)
    queue.set({c.MQIA_INHIBIT_PUT: c.MQQA_PUT_INHIBITED, c.MQCA_TRIGGER_DATA: "now"})
    assert queue.inquire([c.MQIA_INHIBIT_PUT, c.MQCA_TRIGGER_DATA]) == {10: 1, 2023: b"now".ljust(64)}
    queue.set(c.MQIA_INHIBIT_PUT, c.MQQA_PUT_ALLOWED)
    assert queue.inquire(c.MQIA_INHIBIT_PUT) == c.MQQA_PUT_ALLOWED
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
