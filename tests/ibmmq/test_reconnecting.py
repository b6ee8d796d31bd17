"""Clients of IBM's library that connect again, and what MQCD, MQSCO, and a CCDT say of where they come from."""

import json

import pytest

from helpers import refusal


@pytest.fixture
def both(library, lab):
    """QM1 and QM2, each with the persistent queue Q1 and the channel APP.SVRCONN, under the address vip(1414)."""
    for name in ("QM1", "QM2"):
        text = "DEFINE QLOCAL(Q1) DEFPSIST(YES)\nDEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)"
        lab.queue_manager(name).mqsc(text).require()
    lab.address("one(1414)", "QM1")
    lab.address("two(1414)", "QM2")
    return lab["QM1"], lab["QM2"]


def connected(ibmmq, name, options=0, **given):
    """A client of APP.SVRCONN."""
    about = {"ConnectionName": "one(1414), two(1414)", "ChannelName": "APP.SVRCONN"} | given.pop("cd", {})
    qmgr = ibmmq.QueueManager(None)
    qmgr.connect_with_options(name, cd=ibmmq.CD(**about), cno=ibmmq.CNO(Options=options), **given)
    return qmgr


@pytest.mark.rule("REC-02", event=False)
def test_a_program_goes_on_with_the_next_address_and_its_event_handler_learns_of_it(lab, both):
    with lab.ibmmq("shop"):
        import ibmmq

        told, mq = [], ibmmq.CMQC
        qmgr = connected(ibmmq, "*", mq.MQCNO_RECONNECT)
        handler = ibmmq.CBD(CallbackFunction=lambda cbc, **about: told.append(cbc.Reason))
        handler.CallbackType = mq.MQCBT_EVENT_HANDLER
        qmgr.cb(operation=mq.MQOP_REGISTER, cbd=handler)
        queue = ibmmq.Queue(qmgr, "Q1")
        queue.put(b"1")
        queue.put(b"lost", ibmmq.MD(), ibmmq.PMO(Options=mq.MQPMO_SYNCPOINT))
        both[0].stop(reconnect=True)
        queue.put(b"2")
        refusal(ibmmq.MQMIError, "2003", qmgr.commit)
        queue.put(b"3", ibmmq.MD(), ibmmq.PMO(Options=mq.MQPMO_SYNCPOINT))
        qmgr.commit()
        both[0].start()
        assert [each.status("Q1")["CURDEPTH"] for each in both] == [1, 2]
        assert told == [mq.MQRC_RECONNECTING, mq.MQRC_RECONNECTED]
        qmgr.disconnect()


@pytest.mark.rule("REC-01", event=False)
def test_an_mqcd_and_an_mqsco_describe_the_client(lab, both):
    with lab.ibmmq("shop"):
        import ibmmq

        from mqlab.gates.attempt import Keys

        lab.key_repositories["/keys/shop"] = keys = Keys()
        name = "ANY_TLS13"
        both[0].mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) DESCR('for clients')")
        cd = {"SSLPeerNamePtr": "CN=qm1", "DefReconnect": 2, "CertificateLabel": "shop", "ConnectionName": "one(1414)"}
        sco = ibmmq.SCO(KeyRepository="/keys/shop")
        try:
            one = connected(ibmmq, "QM1", cd={**cd, "SSLCipherSpec": name}, sco=sco)
        except ibmmq.MQMIError:  # only the client has a CipherSpec
            del cd["SSLPeerNamePtr"]
            one = connected(ibmmq, "QM1", cd=cd, sco=sco)
        (client,) = [each.admission.client for each in both[0].connections]
        assert (client.label, client.port, client.defrecon) == ("shop", 1414, "QMGR")
        assert client.keys is keys
        one.disconnect()
        refusal(ibmmq.MQMIError, "2538", connected, ibmmq, "QM1", cd={"ConnectionName": "one(1500)"})


@pytest.mark.rule("REC-06", event=False)
def test_a_program_finds_its_queue_manager_in_a_ccdt(lab, both, tmp_path, monkeypatch):
    path = tmp_path / "ccdt.json"
    connection = [{"host": "one", "port": 1414}, {"host": "two", "port": 1414}]
    entry = {"name": "APP.SVRCONN", "type": "clientConnection",
             "clientConnection": {"connection": connection, "queueManager": "GROUP"}}  # fmt: skip
    path.write_text(json.dumps({"channel": [entry]}))
    both[0].stop()
    with lab.ibmmq("shop"):
        import ibmmq

        qmgr = ibmmq.QueueManager(None)
        qmgr.connect_with_options("*GROUP", cno=ibmmq.CNO(Version=8, CCDTUrl=f"file://{path}"))
        assert ibmmq.Queue(qmgr, "Q1").put(b"x") is None
        assert both[1].status("Q1")["CURDEPTH"] == 1
        monkeypatch.setenv("MQCCDTURL", str(path))
        ibmmq.Queue(ibmmq.connect("*GROUP"), "Q1").put(b"y")
        assert both[1].status("Q1")["CURDEPTH"] == 2
        monkeypatch.setenv("MQCCDTURL", str(tmp_path))
        refusal(ibmmq.MQMIError, "2600", ibmmq.connect, "*GROUP")


@pytest.mark.rule("TLS-07", event=False)
def test_a_program_shakes_hands_with_the_certificates_of_its_key_repository(lab, both):
    qmgr = both[0]
    qmgr.mqsc("ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)").require()
    qmgr.certificate("CN=QM1", issuer="CN=CA")
    qmgr.trust("CN=CA")
    lab.key_repositories["/keys/till"] = lab.client_keys("CN=till", issuer="CN=CA", trusts=["CN=CA"], label="till")
    with lab.ibmmq("till"):
        import ibmmq

        cd = {"SSLCipherSpec": "ANY_TLS12_OR_HIGHER", "CertificateLabel": "till"}
        assert connected(ibmmq, "QM1", cd=cd, sco=ibmmq.SCO(KeyRepository="/keys/till"))
        none = ibmmq.SCO(KeyRepository="/keys/none")
        refusal(ibmmq.MQMIError, "2381", connected, ibmmq, "QM1", cd=cd, sco=none)
    assert lab.why_refused("till").refused.gate == "TLS"
