"""TLS: the handshake of clients, its conditions in their order, and the key repository as it was read."""

import pytest

from helpers import for_each, lab_error, mq_error, reason
from mqlab import Lab
from mqlab.engine.words import constants as mq

CA, OTHER = "CN=CA,O=Bakery", "CN=Unknown CA"


@pytest.fixture
def shop():
    return set_up()


def set_up(platform="distributed"):
    """A queue manager whose channel TILLS asks for TLS and a certificate."""
    qm = Lab().queue_manager("QM1", platform)
    qm.mqsc("""
        ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ') SSLEV(ENABLED)
        DEFINE QLOCAL(Q)
        DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)
        """).require()
    qm.certificate("CN=QM1,O=Bakery", issuer=CA)
    qm.trust(CA)
    return qm


def keys(lab, subject="CN=till,OU=Front,OU=Shop,O=Bakery", issuer=CA, trusts=(CA,), **facts):
    return lab.client_keys(subject, **({"issuer": issuer} if subject else {}), trusts=trusts, **facts)


def connected(qm, **facts):
    """A client with TLS; `facts` change what it has."""
    usual = {"cipher": "ANY_TLS12_OR_HIGHER", "keys": keys(qm.lab), "user": "till"}
    return qm.connect("TILL", channel="TILLS", **usual | facts)


def refused(qm, **facts):
    return mq_error(connected, qm, **facts)


def status(qm):
    (row,) = qm.mqsc("DISPLAY CHSTATUS(TILLS) ALL").rows
    return [row[word] for word in ("SSLCIPH", "SECPROT", "SSLPEER", "SSLCERTI")]


def test_a_client_that_meets_every_condition_is_let_in_and_status_shows_its_certificate(shop):
    till = connected(shop, keys=keys(shop.lab, serial="4C:D0"))
    till.put("Q", b"x")
    name = "SERIALNUMBER=4C:D0,CN=till,OU=Front,OU=Shop,O=Bakery"
    assert status(shop) == ["TLS_CHACHA20_POLY1305_SHA256", "TLSV13", name, CA]


AT = "2025-01-06T09:00:00Z"
FAULTS = [  # what the client has, or MQSC for the channel; the reason, the rule, the message of QM1, the qualifier
    ({"keys": None}, "", 2381, "TLS-06", None, None),
    ({"keys": "readable=False"}, "", 2381, "TLS-06", None, None),
    ({"peer": "till at the front"}, "", 2399, "TLS-04", None, None),
    ({"cipher": ""}, "", 2393, "TLS-08", "AMQ9639E CSQX639E", 14),
    ({}, "SSLCIPH(' ')", 2393, "TLS-08", "AMQ9635E CSQX635E", 14),
    ({"cipher": "NO_SUCH"}, "", 2393, "TLS-02", None, None),
    ({}, "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)", 2393, "TLS-01", "AMQ9631E CSQX631E", 14),
    ({"keys": "trusts=()"}, "", 2393, "TLS-07", "AMQ9665E CSQX665E", 13),
    ({"peer": "CN=QM2"}, "", 2398, "TLS-04", "AMQ9643E CSQX643E", None),
    ({"keys": "subject=''"}, "", 2393, "TLS-09", "AMQ9637E CSQX637E", 15),
    ({"keys": "subject=''"}, "SSLCAUTH(OPTIONAL) SSLPEER('CN=*')", 2393, "TLS-09", "AMQ9637E CSQX637E", 15),
    ({"label": "other"}, "", 2393, "TLS-09", "AMQ9637E CSQX637E", 15),
    ({"keys": f"issuer='{OTHER}'"}, "", 2393, "TLS-07", "AMQ9633E CSQX633E", 13),
    ({"keys": f"issuer='{OTHER}'"}, "SSLCAUTH(OPTIONAL)", 2393, "TLS-07", "AMQ9633E CSQX633E", 13),
    ({"keys": "valid_to='2025-01-06T08:59:59Z'"}, "", 2393, "TLS-07", "AMQ9633E CSQX633E", 13),
    ({"keys": "valid_from='2025-01-07'"}, "", 2393, "TLS-07", "AMQ9633E CSQX633E", 13),
    ({"keys": "revoked=True"}, "", 2393, "TLS-10", "AMQ9633E CSQX633E", 13),
    ({"keys": "revoked=None"}, "", 2393, "TLS-10", "AMQ9716E -", 19),
    ({}, "SSLPEER('OU=Shop')", 2393, "TLS-04", "AMQ9636E CSQX636E", 16),  # the first unit is Front
]


@pytest.mark.rule("TLS-06", "TLS-08", "TLS-09", "TLS-10", "EVT-12")
@for_each("facts, mqsc, code, rule, message, qualifier", FAULTS)
def test_each_fault_has_its_reason_its_message_and_its_event(facts, mqsc, code, rule, message, qualifier):
    for platform, column in (("distributed", 0), ("zos", 1)):
        expected = (message or "").split()[column : column + 1]
        fails(set_up(platform), facts, mqsc, (code, rule), [each for each in expected if each != "-"], qualifier)


def fails(shop, facts, mqsc, grounds, messages, qualifier):
    """Check how one handshake fails: the reason and the rule, the log, and the event."""
    if isinstance(facts.get("keys"), str):
        facts = facts | {"keys": eval(f"keys(shop.lab, {facts['keys']})", {"keys": keys, "shop": shop})}  # noqa: S307
    if mqsc:
        shop.mqsc(f"ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) {mqsc}").require()
    error = refused(shop, **facts)
    assert (error.reason, error.rule) == grounds
    assert [each.id for each in shop.error_log()][1:] == messages
    told = [each for each in shop.event_messages() if "SSL" in each.name.upper()]
    assert [each.parameters[mq.MQIACF_REASON_QUALIFIER] for each in told] == ([qualifier] if qualifier else [])


@pytest.mark.rule("TLS-04")
def test_the_names_of_a_certificate_are_compared_attribute_by_attribute(shop):
    for fits in ("CN=till,O=Bakery", "CN=t*", "OU=Front,OU=Shop", "O=Bakery,CN=till", "OU=*,OU=Shop"):
        shop.mqsc(f"ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLPEER('{fits}')").require()
        connected(shop).disconnect()
    for other in ("CN=Till", "OU=Shop,OU=Front", "C=DE", "CN=till,O=Bank"):
        shop.mqsc(f"ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLPEER('{other}')").require()
        assert refused(shop).reason == 2393
    shop.mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLPEER('SERIALNUMBER=4C:*')").require()
    connected(shop, keys=keys(shop.lab, serial="4C:D0"))
    assert refused(shop).rule == "TLS-04"


STRONG, RSA = "TLS_CHACHA20_POLY1305_SHA256", "ECDHE_RSA_AES_256_GCM_SHA384"


@for_each(
    "near, far, chosen",
    [
        ("ANY_TLS12_OR_HIGHER", "ANY", STRONG),
        ("ANY", "ANY_TLS13_OR_HIGHER", STRONG),
        ("ANY_TLS12", "ANY_TLS12_OR_HIGHER", "TLS_RSA_WITH_AES_256_GCM_SHA384"),
        ("ANY_TLS12", RSA, RSA),  # fixed protocols at the end that calls: the one CipherSpec that both allow
        (RSA, "ANY_TLS12_OR_HIGHER", RSA),
        (RSA, RSA, RSA),
        ("ANY_TLS12_OR_HIGHER", STRONG, STRONG),  # the strongest that both have
        ("ANY_TLS12_OR_HIGHER", RSA, None),  # no upper bound leads to TLS 1.3, which RSA does not allow
        ("ANY", "ANY_TLS12", None),
        ("ANY_TLS13", "ANY_TLS12", None),
        (RSA, "ANY_TLS13", None),
        (RSA, "ECDHE_RSA_AES_128_GCM_SHA256", None),
    ],
)
def test_aliases_agree_on_the_strongest_common_cipherspec_or_fail(near, far, chosen):
    shop = set_up()
    shop.mqsc(f"ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH({far})").require()
    if chosen is None:
        assert refused(shop, cipher=near).rule == "TLS-01"
    else:
        connection = connected(shop, cipher=near)
        assert status(shop)[0] == chosen
        connection.disconnect()


@pytest.mark.rule("TLS-01")
def test_a_level_without_tls_13_agrees_on_tls_12(lab):
    old = lab.queue_manager("OLD", level=911)
    old.mqsc("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')\nDEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12)")
    client = connected(old, keys=keys(lab))
    assert status(old)[1] == "TLSV12"
    client.disconnect()
    assert refused(old, cipher="ANY_TLS13").rule == "TLS-01"


@pytest.mark.rule("TLS-02")
def test_a_deprecated_cipherspec_is_refused_unless_it_is_allowed(lab):
    weak = "TLS_RSA_WITH_AES_128_CBC_SHA"
    qm = lab.queue_manager("QM1", environment={"AllowWeakCipherSpec": "Yes"})
    qm.mqsc("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')")
    qm.mqsc(f"DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH({weak})").require()
    connected(qm, cipher=weak).disconnect()
    qm.environment["AllowWeakCipherSpec"] = "No"
    assert refused(qm, cipher=weak).rule == "TLS-02"
    (reply,) = qm.mqsc(f"DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN) SSLCIPH({weak})").replies
    assert (reply.code, "is deprecated" in reply.text) == ("AMQ8242E", True)


@pytest.mark.rule("TLS-03")
def test_the_label_of_the_channel_then_of_the_queue_manager_then_the_usual_one_counts(shop):
    shop.certificate("CN=new", issuer=OTHER, label="new")
    near = keys(shop.lab, trusts=(CA, OTHER))
    connected(shop, keys=near, peer="CN=QM1").disconnect()  # ibmwebspheremqqm1
    shop.mqsc("REFRESH SECURITY TYPE(SSL)\nALTER QMGR CERTLABL('new')").require()
    connected(shop, keys=near, peer="CN=new").disconnect()
    shop.mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) CERTLABL('ibmwebspheremqqm1')").require()
    connected(shop, keys=near, peer="CN=QM1").disconnect()
    shop.mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) CERTLABL('lost')").require()
    error = refused(shop, keys=near)
    assert (error.rule, [each.id for each in shop.error_log()][-1]) == ("TLS-03", "AMQ9637E")
    shop.mqsc("ALTER CHANNEL(TILLS) CHLTYPE(SVRCONN) CERTLABL(' ')").require()
    named = keys(shop.lab, label="ibmwebspheremqtill", trusts=(CA, OTHER))
    connected(shop, keys=named).disconnect()
    assert refused(shop, keys=named, user="eve").rule == "TLS-09"  # its label is ibmwebspheremqeve


@pytest.mark.rule("TLS-07")
def test_a_certificate_that_expires_stops_new_clients_and_not_those_that_run(shop):
    shop.certificate("CN=QM1", issuer=CA, days=10)
    first = connected(shop)
    shop.lab.advance(10 * 86_400 + 1)
    first.put("Q", b"x")
    error = refused(shop)
    assert "refuses the certificate of CN=QM1, because it expired at 2025-01-16 09:00:00" in error.said


@pytest.mark.rule("TLS-05", "TLS-07")
def test_a_renewed_certificate_waits_for_refresh_security_which_breaks_clients(shop):
    shop.certificate("CN=QM1", issuer=CA, days=10)
    plain = shop.mqsc("DEFINE CHANNEL(PLAIN) CHLTYPE(SVRCONN)") and shop.connect("LAN", channel="PLAIN")
    first = connected(shop)
    shop.lab.advance(11 * 86_400)
    shop.certificate("CN=QM1", issuer=CA, days=365)
    assert refused(shop).rule == "TLS-07"  # the repository on disk is right, and the one that was read is not
    shop.mqsc("REFRESH SECURITY TYPE(SSL)").require()
    assert reason(lambda: first.put("Q", b"x")) == 2009
    plain.put("Q", b"x")
    connected(shop).put("Q", b"x")
    shop.trust(OTHER)
    assert refused(shop, keys=keys(shop.lab, issuer=OTHER)).rule == "TLS-07"
    shop.stop()
    shop.start()
    connected(shop, keys=keys(shop.lab, issuer=OTHER))


@pytest.mark.rule("TLS-10")
def test_a_client_refuses_a_queue_manager_whose_certificate_is_or_may_be_revoked(shop):
    shop.certificate("CN=QM1", issuer=CA, revoked=True)
    assert (refused(shop).reason, refused(shop).rule) == (mq.MQRC_SSL_CERTIFICATE_REVOKED, "TLS-10")
    lenient = shop.lab.queue_manager("QM2", environment={"OCSPAuthentication": "OPTIONAL"})
    lenient.mqsc("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')\nDEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) SSLCIPH(ANY)")
    connected(lenient, keys=keys(shop.lab, revoked=None))
    shop.certificate("CN=QM1,O=Bakery", issuer=CA, revoked=None)
    shop.mqsc("REFRESH SECURITY TYPE(SSL)").require()
    assert (refused(shop).reason, shop.lab.why_refused("TILL").client_log[:8]) == (2393, "AMQ9716E")


def test_wrong_names_and_times_are_refused(shop):
    lab_error("a text such as", shop.certificate, "till")
    lab_error("a text such as", shop.trust, "till")
    lab_error("0 to 100,000 days", shop.certificate, "CN=till", days=-1)
    lab_error("times such as", lambda: shop.certificate("CN=till", valid_to="tomorrow"))
