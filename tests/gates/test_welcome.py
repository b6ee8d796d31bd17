"""Message channels at the gates: addresses, TLS, records of partners, and the user that puts."""

import pytest

from helpers import channel, for_each
from mqlab import Lab
from mqlab.engine.words import constants as mq

CA = "CN=CA"


@pytest.fixture
def pair(lab):
    """QM1, which sends to QM2, and calls from 192.0.2.7."""
    return set_up(lab)


def set_up(lab, near="", far="", platform="distributed"):
    one, two = lab.queue_manager("QM1", platform), lab.queue_manager("QM2", platform)
    near = f"DISCINT(0) {near}\nDEFINE QREMOTE(OUT) RNAME(Q) RQMNAME(QM2) XMITQ(QM2)"
    far += "\nDEFINE QLOCAL(Q)\nDEFINE QLOCAL(DLQ)\nALTER QMGR SSLEV(ENABLED) CHLEV(EXCEPTION) DEADQ(DLQ)"
    channel(one, two, near, far, "TO.QM2")
    lab.address("192.0.2.7(1414)", "QM1")
    return lab


def sent(lab, mqsc=""):
    """A message that QM1 sends, after MQSC at QM2."""
    if mqsc:
        lab["QM2"].mqsc(mqsc).require()
    message = lab["QM1"].connect("SHOP", user="shop").put("OUT", b"x", persistent=True)
    lab["QM1"].mqsc("START CHANNEL(TO.QM2)").require()
    lab.advance(1)
    return message


def state(lab, name="QM1"):
    rows = lab[name].mqsc("DISPLAY CHSTATUS(TO.QM2) STATUS").rows
    return rows[0]["STATUS"] if rows else "INACTIVE"


def ids(lab, name):
    return [each.id for each in lab[name].error_log()]


def told(lab):
    """The event messages about channels at QM2: reason and qualifier."""
    kinds = (mq.MQRC_CHANNEL_BLOCKED, mq.MQRC_CHANNEL_BLOCKED_WARNING, mq.MQRC_CHANNEL_SSL_ERROR)
    found = lab["QM2"].event_messages()
    return [(each.reason, each.parameters[mq.MQIACF_REASON_QUALIFIER]) for each in found if each.reason in kinds]


BACK_STOP = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"
OPEN = f"{BACK_STOP}\nSET CHLAUTH('TO.*') TYPE(QMGRMAP) QMNAME('QM1')"


@pytest.mark.rule("SEC-02", "SEC-03", event=False)
@for_each(
    "mqsc, qualifier",  # None for a channel that runs
    [
        ("", None),  # the three records of a new queue manager
        (BACK_STOP, 23),
        (f"{OPEN} USERSRC(CHANNEL)", None),
        (f"{OPEN} ADDRESS('192.0.2.*') MCAUSER('app')", None),
        (f"{OPEN} ADDRESS('10.*') USERSRC(CHANNEL)", 23),
        (f"{OPEN} USERSRC(CHANNEL)\nALTER CHANNEL(TO.QM2) CHLTYPE(RCVR) MCAUSER('mqm')", 22),
        ("SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM*') USERSRC(NOACCESS)", 23),
        ("SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM3') USERSRC(NOACCESS)", None),
        ("SET CHLAUTH('TO.QM2') TYPE(USERMAP) CLNTUSER('mqm') USERSRC(NOACCESS)", None),  # clients only
        ("SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM1') MCAUSER('mqm')", 22),
        ("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('192.0.2.7')", 21),
        (f"{BACK_STOP}\nALTER QMGR CHLAUTH(DISABLED)", None),
    ],
)
def test_records_decide_about_a_partner_as_runcheck_says(mqsc, qualifier):
    lab = set_up(Lab())
    sent(lab, mqsc)
    assert (state(lab), told(lab)) == (("RETRYING", [(2577, qualifier)]) if qualifier else ("RUNNING", []))
    if qualifier:
        assert ids(lab, "QM1")[-2:] == ["AMQ9209E", "AMQ9999E"]
        assert ids(lab, "QM2")[1:] == ["AMQ9776E" if qualifier == 22 else "AMQ9777E"]
    check = "DISPLAY CHLAUTH(TO.QM2) MATCH(RUNCHECK) QMNAME(QM1) ADDRESS('192.0.2.7')"
    rows = lab["QM2"].mqsc(check).rows if "DISABLED" not in mqsc else []
    decides = rows[-1] if rows else {}
    refuses = decides.get("USERSRC") == "NOACCESS" or decides.get("TYPE", "").startswith("BLOCK")
    assert refuses == bool(qualifier)


@pytest.mark.rule("SEC-02", event=False)
def test_a_refused_sender_is_tried_again_and_the_answer_names_the_gate_and_the_move(pair):
    message = sent(pair, BACK_STOP)
    answer = pair.why_not_delivered(message)
    assert "SEC-02" in answer.missing
    assert "blocks queue manager QM1 from 192.0.2.7" in str(answer)
    (move,) = [each for each in answer.moves if "SET CHLAUTH" in each]
    before = len(pair.events)
    assert (str(pair.why_not_delivered(message)), len(pair.events)) == (str(answer), before)  # it changes nothing
    name, _, command = move.partition(": ")
    pair[name].mqsc(command).require()
    pair.advance(60)  # SHORTTMR
    assert (state(pair), pair["QM2"].get("Q").body) == ("RUNNING", b"x")


@pytest.mark.rule("SEC-02", event=False)
def test_a_record_that_only_warns_lets_the_channel_in_with_an_event(pair):
    sent(pair, f"{BACK_STOP} WARN(YES)")
    assert (state(pair), told(pair)) == ("RUNNING", [(2578, 23)])


@pytest.mark.rule("OAM-11", event=False)
def test_the_user_that_a_record_gives_a_channel_must_have_the_authority_to_put(pair):
    sent(pair, "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('other') AUTHADD(PUT,SETALL)\n"
               "SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM1') MCAUSER('app')")  # fmt: skip
    assert [row["MCAUSER"] for row in pair["QM2"].mqsc("DISPLAY CHSTATUS(TO.QM2) MCAUSER").rows] == ["app"]
    pair.advance(60)
    assert pair["QM2"].status("DLQ")["CURDEPTH"] == 1
    pair["QM2"].mqsc("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,SETALL)").require()
    pair["QM1"].put("OUT", b"x", persistent=True)
    pair.advance(1)
    assert pair["QM2"].status("Q")["CURDEPTH"] == 1


def test_an_address_that_the_lab_does_not_know_fits_records_that_let_in_only(lab):
    channel(lab.queue_manager("QM1"), lab.queue_manager("QM2"), name="TO.QM2")
    lab["QM2"].mqsc(f"{BACK_STOP}\n"
                    "SET CHLAUTH('TO.QM2') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)\n"
                    "SET CHLAUTH('TO.QM2') TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(NOACCESS)")  # fmt: skip
    lab["QM1"].mqsc("START CHANNEL(TO.QM2)")
    lab.advance(1)
    assert state(lab) == "RUNNING"


TLS = "SSLCIPH(ANY_TLS12_OR_HIGHER)"


def certified(lab):
    for name in ("QM1", "QM2"):
        lab[name].certificate(f"CN={name},O=Bakery", issuer=CA, days=30)
        lab[name].trust(CA)
    return lab


@pytest.mark.rule("TLS-08", event=False)
def test_ends_of_which_one_has_no_cipherspec_do_not_meet(lab):
    message = sent(set_up(lab, near=TLS))
    assert (state(lab), told(lab)) == ("RETRYING", [(2371, 14)])
    assert (ids(lab, "QM1")[-2:], ids(lab, "QM2")[1:]) == (["AMQ9641E", "AMQ9999E"], ["AMQ9635E"])
    assert "TLS-08" in lab.why_not_delivered(message).missing
    lab["QM2"].mqsc(f"ALTER CHANNEL(TO.QM2) CHLTYPE(RCVR) {TLS}").require()
    lab.advance(60)
    assert state(lab) == "RUNNING"  # nobody described certificates, so nobody asks for them


@pytest.mark.rule("TLS-09", "TLS-04", event=False)
def test_both_ends_check_the_certificate_of_the_other(lab):
    sent(certified(set_up(lab, near=f"{TLS} SSLPEER('CN=QM2')", far=f"{TLS} SSLPEER('CN=QM1,O=Bakery')")))
    for name, peer in (("QM1", "CN=QM2,O=Bakery"), ("QM2", "CN=QM1,O=Bakery")):
        (row,) = lab[name].mqsc("DISPLAY CHSTATUS(TO.QM2) ALL").rows
        assert (row["SSLPEER"], row["SSLCERTI"], row["SECPROT"]) == (peer, CA, "TLSV13")
        assert row["SSLCIPH"] == "TLS_CHACHA20_POLY1305_SHA256"


@for_each(
    "near, far, here, there",  # what the ends have, and the message in the log of each
    [
        (TLS, "", "AMQ9641E CSQX641E", "AMQ9635E CSQX635E"),
        ("", TLS, "AMQ9641E CSQX641E", "AMQ9639E CSQX639E"),
        ("SSLCIPH(ANY_TLS13)", "SSLCIPH(ANY_TLS12)", "AMQ9641E CSQX641E", "AMQ9631E CSQX631E"),
        (f"{TLS} SSLPEER('QM2')", TLS, "AMQ9640E CSQX640E", ""),
        (f"{TLS} SSLPEER('CN=QM3')", TLS, "AMQ9636E CSQX636E", "AMQ9643E CSQX643E"),
        (TLS, f"{TLS} SSLPEER('CN=QM3')", "AMQ9643E CSQX643E", "AMQ9636E CSQX636E"),
        (f"{TLS} CERTLABL('lost')", TLS, "AMQ9642E CSQX642E", "AMQ9637E CSQX637E"),
        (TLS, f"{TLS} CERTLABL('lost')", "AMQ9665E CSQX665E", "AMQ9637E CSQX637E"),
    ],
)
def test_each_end_writes_why_the_handshake_failed(near, far, here, there):
    for platform, column in (("distributed", 0), ("zos", 1)):
        lab = certified(set_up(Lab(), near, far, platform))
        sent(lab)
        assert state(lab) == "RETRYING"
        assert ids(lab, "QM1")[-2] == here.split()[column]
        assert ids(lab, "QM2")[1:] == there.split()[column : column + 1]


def test_a_record_about_a_certificate_comes_before_one_about_a_name(lab):
    certified(set_up(lab, near=TLS, far=TLS))
    sent(lab, f"{OPEN} USERSRC(NOACCESS)\n"
              "SET CHLAUTH('TO.*') TYPE(SSLPEERMAP) SSLPEER('CN=QM1') SSLCERTI('CN=CA') MCAUSER('app')")  # fmt: skip
    (row,) = lab["QM2"].mqsc("DISPLAY CHSTATUS(TO.QM2) MCAUSER").rows
    assert (state(lab), row["MCAUSER"]) == ("RUNNING", "app")


@pytest.mark.rule("TLS-05")
def test_a_refresh_lets_senders_shake_hands_again_and_stops_receivers(lab):
    certified(set_up(lab, near=TLS, far=TLS))
    sent(lab)
    lab["QM1"].certificate("CN=QM1,O=Bakery", issuer=CA, days=60)
    lab.advance(31 * 86_400)
    lab["QM2"].certificate("CN=QM2,O=Bakery", issuer=CA, days=60)
    assert state(lab) == "RUNNING"  # both certificates have expired, and nobody shakes hands
    lab["QM1"].mqsc("REFRESH SECURITY TYPE(SSL)").require()
    lab.advance(1)
    assert state(lab) == "RETRYING"  # QM2 has the old one of its own
    lab["QM2"].mqsc("REFRESH SECURITY TYPE(SSL)").require()
    lab.advance(60)
    assert state(lab) == "RUNNING"
    lab["QM2"].mqsc("REFRESH SECURITY TYPE(SSL)").require()
    lab.advance(1)
    assert (state(lab), state(lab, "QM2")) == ("RETRYING", "INACTIVE")  # the receiver was stopped with FORCE
    lab.advance(60)
    lab["QM1"].mqsc("REFRESH SECURITY TYPE(SSL)").require()
    lab.advance(1)
    assert state(lab) == "RUNNING"  # the sender came back by itself
    again = lab.events.where(kind="channel", qmgr="QM1", rule="TLS-05")
    assert [row.facts["state"] for row in again] == ["INITIALIZING"] * 2


@pytest.mark.rule("TLS-09", event=False)
def test_a_requester_is_asked_as_a_sender_is(lab):
    for name in ("QM1", "QM2"):
        lab.queue_manager(name)
    lab.link("QM1", "QM2")
    lab["QM1"].mqsc(f"DEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(QM2) {TLS}").require()
    lab["QM2"].mqsc(f"DEFINE CHANNEL(C) CHLTYPE(RQSTR) CONNAME(QM1) {TLS}").require()
    certified(lab)["QM2"].mqsc("START CHANNEL(C)").require()
    lab.advance(1)
    peers = [lab[name].mqsc("DISPLAY CHSTATUS(C) SSLPEER").rows[0]["SSLPEER"] for name in ("QM1", "QM2")]
    assert peers == ["CN=QM2,O=Bakery", "CN=QM1,O=Bakery"]
    lab["QM1"].mqsc(f"STOP CHANNEL(C) STATUS(INACTIVE)\n{BACK_STOP}").require()
    lab.advance(1)
    lab["QM2"].mqsc("START CHANNEL(C)").require()
    lab.advance(1)
    assert ids(lab, "QM1")[-1] == "AMQ9777E"
