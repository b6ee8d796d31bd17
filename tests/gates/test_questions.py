"""What people asked in public about a refusal: the gate that closed, and why, as `lab.why_refused` answers."""

from helpers import lab_error, reason, says
from mqlab import MD, PMO, Lab
from mqlab.engine.words import constants as mq

DEVELOPER = {"user": "app", "password": "password", "channel": "DEV.APP.SVRCONN"}


def asked(gates, **facts):
    """The answer after an attempt, and the gate that closed."""
    answer = gates.why(**facts)
    return answer, answer.refused.gate


def repaired(gates, answer, **facts):
    """Whether what the answer advises lets the program in, and nothing else does."""
    gates.mqsc(answer.opens)
    return bool(gates.lab.why_refused("TILL", as_if=facts))


# ---- limits
def test_6_how_many_of_maxinstc_are_used(gates):
    gates.mqsc("ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) MAXINSTC(1)")
    first = gates.tries("FIRST")
    answer, gate = asked(gates)
    assert (answer.reason, gate) == (2537, "limits")
    says(answer.refused.said, "1 instance of SHOP from 10.0.0.1 ", "MAXINSTC is 1")
    first.disconnect()
    assert "0 of MAXINSTC(1)" in str(gates.lab.why_refused("TILL", as_if={}))


# ---- TLS
CA = "CN=CA"


def with_tls(gates, text=""):
    """The queue manager of the other questions, whose channel asks for TLS; and a key repository that fits."""
    gates.mqsc(f"ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER) {text}")
    gates.qm.certificate("CN=QM1", issuer=CA)
    gates.qm.trust(CA)
    return {"cipher": "ANY_TLS12_OR_HIGHER", "keys": gates.lab.client_keys("CN=till", issuer=CA, trusts=[CA])}


def test_4_and_5_tls_and_a_channel_that_is_none_for_clients(gates):
    tls = with_tls(gates)
    gates.mqsc("DEFINE CHANNEL(BACK) CHLTYPE(RCVR) SSLCIPH(ANY_TLS12_OR_HIGHER)")
    answer, gate = asked(gates, channel="BACK", **tls)
    assert (answer.reason, gate, "the channel is a RCVR" in answer.refused.said) == (2539, "channel", True)
    assert [row.state for row in answer.rows if row.gate == "TLS"] == ["passed"]


def test_7_a_client_without_a_certificate(gates):
    tls = with_tls(gates) | {"keys": gates.lab.client_keys(trusts=[CA])}
    answer, gate = asked(gates, **tls)
    assert (answer.reason, gate, answer.log[0][:8], answer.client_log[:8]) == (2393, "TLS", "AMQ9637E", "AMQ9642E")
    gates.mqsc("ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL)")
    assert gates.lab.why_refused("TILL", as_if={})


def test_8_and_9_the_repository_cannot_be_read_and_then_the_label_is_another_one(gates):
    tls = with_tls(gates)
    answer, gate = asked(gates, **(tls | {"keys": gates.lab.client_keys("CN=till", issuer=CA, readable=False)}))
    assert (answer.reason, gate, answer.log, answer.client_log[:8]) == (2381, "TLS", [], "AMQ9660E")
    others = gates.lab.client_keys("CN=till", issuer=CA, trusts=[CA], label="ibmwebspheremqroot")
    answer, gate = asked(gates, **(tls | {"keys": others}))
    assert (answer.reason, gate) == (2393, "TLS")
    assert gates.lab.why_refused("TILL", as_if={"label": "ibmwebspheremqroot"})


def test_11_the_certificate_of_the_queue_manager_has_another_label(gates):
    tls = with_tls(gates)
    gates.qm.kept["gates"].repository = None  # as a queue manager that has one certificate of another label
    gates.qm.certificate("CN=QM1", issuer=CA, label="mqcert")
    gates.qm.trust(CA)
    answer, gate = asked(gates, **tls)
    assert (answer.reason, gate) == (2393, "TLS")
    gates.mqsc("ALTER QMGR CERTLABL('mqcert')\nREFRESH SECURITY TYPE(SSL)")
    assert gates.lab.why_refused("TILL", as_if={})


def test_12_a_suite_is_not_the_name_of_a_cipherspec(gates):
    tls = with_tls(gates) | {"cipher": "SSL_RSA_WITH_AES_256_CBC_SHA256"}
    answer, gate = asked(gates, **tls)
    assert (answer.reason, gate, answer.client_log[:8]) == (2393, "TLS", "AMQ9635E")


# ---- reconnection
def test_28_reconnection_is_asked_for_and_sharecnv_is_0(gates):
    gates.mqsc("ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) SHARECNV(0)")
    app = gates.tries(reconnect="QMGR")
    gates.lab.cut("TILL", "QM1")
    assert reason(app.put, "ORDERS", b"x") == 2009
    answer = gates.lab.why_refused("TILL")
    assert (answer.refused.gate, answer.opens) == ("reconnect", "ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) SHARECNV(10)")


def test_29_and_30_the_queue_manager_is_ended_without_r(gates):
    app = gates.tries(reconnect="YES")
    gates.qm.stop()
    assert reason(app.put, "ORDERS", b"x") == 2009
    assert "was ended without -r" in gates.lab.why_refused("TILL").refused.said
    gates.qm.start()
    app = gates.tries()
    gates.qm.stop(reconnect=True)
    assert reason(app.put, "ORDERS", b"x") == 2009
    assert "neither the program nor DEFRECON asks" in gates.lab.why_refused("TILL").refused.said


def own(words):
    """MQSC for a check of passwords with these words."""
    return f"DEFINE AUTHINFO(OWN) AUTHTYPE(IDPWOS) {words}\nALTER QMGR CONNAUTH(OWN)\nREFRESH SECURITY TYPE(CONNAUTH)"


# ---- records of channel authentication
def test_13_a_record_compares_the_user_of_the_machine_without_early_adopt(gates):
    late, early = type(gates)(environment={"ChlauthEarlyAdopt": "N"}), gates
    for each in (late, early):
        each.mqsc(f"""
            {own("ADOPTCTX(YES)")}
            SET CHLAUTH('SHOP') TYPE(ADDRESSMAP) ADDRESS('10.*') ACTION(REMOVE)
            SET CHLAUTH('SHOP') TYPE(USERMAP) CLNTUSER('till') USERSRC(CHANNEL)""")
    answer, gate = asked(late, asserted="pcuser")
    assert (answer.reason, gate, answer.log[0][:8]) == (2035, "CHLAUTH", "AMQ9777E")
    assert "its active values are 'CLNTUSER(pcuser) ADDRESS(10.0.0.1)'" in answer.log[0]
    assert early.tries(asserted="pcuser").client


def test_14_the_wrong_channel_is_blocked_from_this_address(gates):
    gates.mqsc("DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN)")
    answer, gate = asked(gates, channel="OTHER")
    assert gate == "CHLAUTH"
    assert answer.record == "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"
    assert gates.lab.why_refused("TILL", as_if={"channel": "SHOP"})
    assert repaired(gates, answer)
    assert gates.tries(channel="OTHER", address="10.0.0.9") == 2035  # what it opened is this client's alone


# ---- passwords
def test_15_the_user_of_the_mqcsp_is_checked_and_not_adopted(gates):
    gates.mqsc(own("ADOPTCTX(NO)"))
    answer, gate = asked(gates, asserted="pcuser")
    assert (answer.reason, gate) == (2035, "connect")
    assert answer.refused.said.startswith("pcuser (groups: pcuser) lacks CONNECT")
    assert answer.log[0].startswith("AMQ8077W: Entity 'pcuser'")
    assert any("ADOPTCTX(NO)" in row.said for row in answer.rows)


def test_16_and_19_a_user_without_a_password(gates):
    answer, gate = asked(gates, password="")
    assert (gate, answer.log[0][:8]) == ("password", "AMQ5534E")


def test_17_and_18_the_user_of_a_framework_has_no_authority(gates):
    gates.qm.users["worker"] = "pass"
    answer, gate = asked(gates, user="worker", password="pass")
    assert gate == "connect"
    assert [line[:8] for line in answer.log] == ["AMQ8077W", "AMQ9557E"]
    assert repaired(gates, answer)


def test_20_a_program_without_a_password_where_one_is_required(gates):
    gates.mqsc(own("CHCKCLNT(REQUIRED)"))
    answer, gate = asked(gates, password=None)
    assert gate == "CHCKCLNT"
    assert [line[:8] for line in answer.log] == ["AMQ5540E", "AMQ5542I", "AMQ9557E"]
    assert gates.lab.why_refused("TILL", as_if={"password": "secret"})


def test_21_an_administrator_has_the_right_password_and_is_blocked():
    lab = Lab()
    qm = lab.queue_manager("QM1", developer=True)
    assert reason(qm.connect, "ADMIN", **(DEVELOPER | {"user": "admin"})) == 2035
    answer = lab.why_refused("ADMIN")
    assert [row.state for row in answer.rows if row.gate in ("password", "BLOCKUSER")] == ["passed", "refused"]
    qm.mqsc(answer.opens).require()
    assert qm.connect("ADMIN", **(DEVELOPER | {"user": "admin"}))


# ---- authority
def test_22_and_27_a_reply_queue_from_a_model(gates):
    gates.mqsc("DEFINE QMODEL(REPLY.MODEL) DEFTYPE(TEMPDYN)")
    app = gates.tries()
    assert reason(app.open, "REPLY.MODEL", input="exclusive") == 2035
    answer = gates.lab.why_refused("TILL")
    assert answer.opens == "SET AUTHREC PROFILE('REPLY.MODEL') OBJTYPE(QUEUE) PRINCIPAL('till') AUTHADD(GET,DSP)"
    gates.mqsc(answer.opens)
    assert app.open("REPLY.MODEL", input="exclusive")


def test_23_to_25_what_a_client_a_monitor_and_a_backout_to_another_queue_lack(gates):
    gates.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHRMV(INQ)\nDEFINE QLOCAL(BACKOUT)")
    gates.mqsc("SET AUTHREC PROFILE('BACKOUT') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(PUT)")
    gates.mqsc("SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHADD(GET)")
    gates.qm.put("ORDERS", b"x")
    app = gates.tries()
    handle = app.open("ORDERS", input="shared", options=mq.MQOO_SAVE_ALL_CONTEXT)
    handle.get()
    pmo = PMO(Options=mq.MQPMO_PASS_ALL_CONTEXT, Context=handle)
    for call, lacks in (
        (lambda: app.open_object("QMGR", "QM1"), "-t qmgr -p till +inq"),
        (lambda: app.depth("ORDERS"), "-n ORDERS -t queue -p till +inq"),
        (lambda: app.browse("ORDERS"), "-n ORDERS -t queue -p till +browse"),
        (lambda: app.put("SYSTEM.ADMIN.COMMAND.QUEUE", b"x"), "-n SYSTEM.ADMIN.COMMAND.QUEUE -t queue -p till +put"),
        (lambda: app.put("BACKOUT", b"x", md=MD(), pmo=pmo), "-n BACKOUT -t queue -p till +passall"),
    ):
        assert reason(call) == 2035
        assert gates.lab.why_refused("TILL").shell == f"setmqaut -m QM1 {lacks}"


def test_what_is_asked_without_an_attempt_is_refused_with_names(gates):
    gates.tries("SHOP", port=1)
    lab_error("got SHOP1; refused were SHOP", gates.lab.why_refused, "SHOP1")
    wrong = {"adress": "10.0.0.2"}
    lab_error("as_if must have facts of an attempt .* got adress", gates.lab.why_refused, "SHOP", as_if=wrong)


def test_the_next_gate_that_would_refuse_is_named_and_on_a_branch_it_refuses(gates):
    answer = gates.why(port=1, channel="NONE", user="odd", password="x")
    assert answer.next.gate == "channel"
    states = [(row.gate, row.state) for row in answer.rows]
    assert states[0] == ("network", "refused")
    assert {state for _, state in states[1:]} == {"not reached"}

    def story(lab):
        qm = lab.queue_manager("QM1")
        qm.mqsc(
            "DEFINE CHANNEL(SHOP) CHLTYPE(SVRCONN)\n"
            "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
            "SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(CONNECT)"
        ).require()
        lab.advance(1)
        reason(qm.connect, "TILL", user="till", channel="SHOP", address="10.0.0.1")

    lab = Lab()
    lab.play(story)
    first = lab.why_refused("TILL")
    assert (first.refused.gate, first.next.gate) == ("CHLAUTH", "connect")
    second = lab.branch(500_000, lambda lab: lab["QM1"].mqsc(first.opens).require()).why_refused("TILL")
    assert (second.refused.gate, second.next) == ("connect", None)
