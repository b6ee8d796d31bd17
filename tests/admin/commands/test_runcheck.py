"""DISPLAY CHLAUTH MATCH(RUNCHECK): which channel authentication record decides about a channel and its partner."""

import pytest

from helpers import assert_refused, for_each

CLIENT = "DISPLAY CHLAUTH(A.B) MATCH(RUNCHECK) ADDRESS('9.20.4.6') CLNTUSER('ann')"
PARTNER = "DISPLAY CHLAUTH(TO.B) MATCH(RUNCHECK) ADDRESS('9.20.4.6') QMNAME(QM2)"
CERTIFICATE = " SSLPEER('SERIALNUMBER=53:B1,CN=Ann,OU=Big,OU=Small,O=IBM') SSLCERTI('CN=CA,O=IBM')"
MAP = "MCAUSER('app')"
NO = "USERSRC(NOACCESS)"
PEER = "A.B) TYPE(SSLPEERMAP) SSLPEER"
ADDRESS = "A.B) TYPE(ADDRESSMAP) ADDRESS"
ANN = "A.B) TYPE(USERMAP) CLNTUSER('ann') "
BLOCK = "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('9.20.*') "


@pytest.fixture
def channels(qm):
    qm.mqsc("DEFINE CHANNEL(A.B) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(TO.B) CHLTYPE(RCVR)").require()
    return qm


def decided(qm, command, *records):
    """The keys of the records shown, after `records` are set."""
    for record in records:
        qm.mqsc(record if record.startswith("SET") else f"SET CHLAUTH({record}").require()
    named = ("CHLAUTH", "TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI")
    return [tuple(row[each] for each in named if row.get(each)) for row in qm.mqsc(command).require().rows]


def test_the_record_is_shown_as_a_real_queue_manager_shows_it(channels):
    channels.mqsc("SET CHLAUTH(A.B) TYPE(USERMAP) CLNTUSER('ann') MCAUSER('app') ADDRESS('9.20.4.6')").require()
    (reply,) = channels.mqsc(CLIENT).replies
    assert reply.text.splitlines()[:4] == [
        "AMQ8878I: Display channel authentication record details.",
        "   CHLAUTH(A.B)                            TYPE(USERMAP)",
        "   ADDRESS(9.20.4.6)                       CLNTUSER(ann)",
        "   MCAUSER(app)",
    ]
    assert {"DESCR", "USERSRC", "ALTDATE"} <= {*channels.mqsc(CLIENT + " ALL").rows[0]}


def test_without_a_record_the_reply_tells_the_user(channels):
    assert channels.mqsc(CLIENT).replies[0].text.splitlines()[0] == ("AMQ9783I: Channel will run using MCAUSER('ann').")
    channels.mqsc("ALTER CHANNEL(A.B) CHLTYPE(SVRCONN) MCAUSER('fixed')").require()
    assert "MCAUSER('fixed')" in channels.mqsc(CLIENT).replies[0].text
    (reply,) = channels.mqsc(PARTNER).require().replies
    assert (reply.code, reply.rows) == ("AMQ9783I", [])
    assert "the user of its message channel agent" in reply.text


@pytest.mark.parametrize(
    ("command", "records", "wanted"),
    [
        # a channel's name counts before anything about the partner
        (CLIENT, ["A.*) TYPE(USERMAP) CLNTUSER('ann') " + MAP, ADDRESS + "('*') " + NO],
         ("A.B", "ADDRESSMAP", "*")),
        (CLIENT, ["*.B) TYPE(ADDRESSMAP) ADDRESS('9.20.4.6') " + NO, "A.*) TYPE(ADDRESSMAP) ADDRESS('*') " + MAP],
         ("A.*", "ADDRESSMAP", "*")),
        # then a certificate, a user or queue manager, an address
        (CLIENT + CERTIFICATE, [PEER + "('O=IBM') " + NO, ANN + MAP],
         ("A.B", "SSLPEERMAP", "O=IBM")),
        (CLIENT, [ANN + MAP, ADDRESS + "('9.20.4.6') " + NO],
         ("A.B", "USERMAP", "ann")),
        (PARTNER, ["TO.B) TYPE(QMGRMAP) QMNAME('QM*') " + MAP, "TO.B) TYPE(QMGRMAP) QMNAME('*') " + NO],
         ("TO.B", "QMGRMAP", "QM*")),
        (PARTNER, ["TO.*) TYPE(USERMAP) CLNTUSER('ann') " + MAP, "'*') TYPE(QMGRMAP) QMNAME('QM2') " + NO],
         ("*", "QMGRMAP", "QM2")),
        # addresses: one before a range, a small range before a large one, and those before an asterisk
        (CLIENT, [ADDRESS + "('9.20.4.0-24') " + NO, ADDRESS + "('9.20.4.*') " + MAP],
         ("A.B", "ADDRESSMAP", "9.20.4.0-24")),
        (CLIENT, [ADDRESS + "('9.20.4.5-15') " + NO, ADDRESS + "('9.20.4.0-24') " + MAP],
         ("A.B", "ADDRESSMAP", "9.20.4.5-15")),
        (CLIENT, [ADDRESS + "('9.*') " + NO, ADDRESS + "('9.*.4.*') " + MAP],
         ("A.B", "ADDRESSMAP", "9.*.4.*")),
        (CLIENT, [ANN + "ADDRESS('9.*') " + NO, ANN + MAP],
         ("A.B", "USERMAP", "9.*", "ann")),
        # certificates: what they name first, then how many units, then who issued them
        (CLIENT + CERTIFICATE, [PEER + "('CN=A*') " + NO, PEER + "('OU=Big,O=IBM') " + MAP],
         ("A.B", "SSLPEERMAP", "CN=A*")),
        (CLIENT + CERTIFICATE, [PEER + "('OU=Big,OU=Small') " + NO, PEER + "('OU=Big') " + MAP],
         ("A.B", "SSLPEERMAP", "OU=Big,OU=Small")),
        (CLIENT + CERTIFICATE, [PEER + "('CN=Ann') SSLCERTI('CN=CA') " + NO, PEER + "('CN=Ann') " + MAP],
         ("A.B", "SSLPEERMAP", "CN=Ann", "CN=CA")),
        # the order of definition does not count
        (CLIENT, [ADDRESS + "('9.*') " + MAP, ADDRESS + "('9.20.4.6') " + NO],
         ("A.B", "ADDRESSMAP", "9.20.4.6")),
        (CLIENT, [ADDRESS + "('9.20.4.6') " + NO, ADDRESS + "('9.*') " + MAP],
         ("A.B", "ADDRESSMAP", "9.20.4.6")),
        # what does not fit does not count
        (CLIENT + CERTIFICATE, [PEER + "('CN=Ann') SSLCERTI('CN=Other') " + NO, ADDRESS + "('9.20.4.6') " + MAP],
         ("A.B", "ADDRESSMAP", "9.20.4.6")),
        (CLIENT, [PEER + "('CN=*') " + NO, "A.B) TYPE(USERMAP) CLNTUSER('ANN') " + NO,
                  ADDRESS + "('10.*') " + NO, "'*') TYPE(QMGRMAP) QMNAME('*') " + NO,
                  ADDRESS + "('9.*') " + MAP], ("A.B", "ADDRESSMAP", "9.*")),
        # a blocked address counts before all
        (CLIENT, [BLOCK, ANN + MAP], ("*", "BLOCKADDR")),
    ],
)  # fmt: skip  # a table: command, records, the one that decides
def test_the_most_specific_record_decides(channels, command, records, wanted):
    assert decided(channels, command, *records) == [wanted]


def test_the_user_that_a_channel_gets_may_be_blocked(channels):
    as_mqm = CLIENT.replace("ann", "mqm")
    assert decided(channels, as_mqm) == [("*", "BLOCKUSER")]
    assert decided(channels, CLIENT, ANN + "MCAUSER('mqm')") == [("*", "BLOCKUSER")]
    # only the list of the most specific name counts
    users = "A.B) TYPE(BLOCKUSER) USERLIST('nobody')"
    assert decided(channels, CLIENT, users) == [("A.B", "USERMAP", "ann")]
    assert decided(channels, CLIENT, "A.B) TYPE(BLOCKUSER) USERLIST('mqm')") == [("A.B", "BLOCKUSER")]
    assert decided(channels, PARTNER) == []  # blank: held against no list


def test_warnings_disabled_records_and_what_the_lab_cannot_tell_are_said(channels):
    warns = ADDRESS + "('9.20.4.6') USERSRC(NOACCESS) WARN(YES)"
    assert decided(channels, CLIENT, warns) == [("A.B", "ADDRESSMAP", "9.20.4.6")]
    assert channels.mqsc(CLIENT).rows[0]["WARN"] == "YES"
    found = decided(channels, CLIENT, ADDRESS + "('9.*') " + MAP)
    assert found == [("A.B", "ADDRESSMAP", "9.20.4.6"), ("A.B", "ADDRESSMAP", "9.*")]
    assert decided(channels, CLIENT, BLOCK + "WARN(YES)")[0] == ("*", "BLOCKADDR")
    channels.mqsc("SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('9.*') USERSRC(NOACCESS)\nALTER QMGR CHLAUTH(DISABLED)")
    assert "AMQ8898I: Display channel authentication record details - currently disabled." in str(channels.mqsc(CLIENT))
    channels.mqsc("SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('*.example.com') USERSRC(NOACCESS)").require()
    text = channels.mqsc(CLIENT).require().replies[0].text
    assert "host names are not looked up, so records with *.example.com do not match" in text
    assert "no channel of QM1 is called NO.SUCH" in str(channels.mqsc(CLIENT.replace("A.B", "NO.SUCH")))


@for_each(
    "command, code, essence",
    [
        (CLIENT.replace("A.B", "A.*"), "AMQ8000E", "CHLAUTH cannot be generic"),
        (CLIENT.replace("9.20.4.6", "9.*"), "AMQ8000E", "MQRCCF_CHLAUTH_RUNCHECK_ERROR"),
        (CLIENT.replace("9.20.4.6", "box.example.com"), "AMQ8000E", "no host name"),
        (CLIENT.replace("9.20.4.6", "fe80::1%eth0"), "AMQ8000E", "wanted an IP address"),
        (CLIENT.replace("ann", "a*"), "AMQ8000E", "CLNTUSER cannot be generic"),
        (CLIENT + " QMNAME(QM2)", "AMQ8405I", "one of them"),
        (CLIENT + " TYPE(USERMAP)", "AMQ8000E", "TYPE(ALL) only"),
        (CLIENT.replace(" ADDRESS('9.20.4.6')", ""), "AMQ8421E", "needs ADDRESS"),
        (CLIENT.replace(" CLNTUSER('ann')", ""), "AMQ8421E", "CLNTUSER for a client's channel or QMNAME"),
        (CLIENT.replace("A.B", "TO.B"), "AMQ8000E", "of type RCVR: describe its partner with QMNAME"),
        (PARTNER.replace("TO.B", "A.B"), "AMQ8000E", "of type SVRCONN: describe its partner with CLNTUSER"),
        (CLIENT.replace("RUNCHECK", "ALL"), "AMQ8000E", "MQRCCF_WRONG_CHLAUTH_MATCH"),
        (CLIENT.replace(" MATCH(RUNCHECK)", ""), "AMQ8000E", "WHERE compares values"),
    ],
)
def test_one_channel_and_one_partner_must_be_described(channels, command, code, essence):
    assert_refused(channels, command, code, essence)


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [("2001:DB8::6", True), ("2001:DB8:*", True), ("2001:DB8:0-5:*", True), ("2001:DB9:*", False), ("9.*", False)],
)
def test_addresses_of_ip_version_6(channels, pattern, fits):
    record = ADDRESS + f"('{pattern}') " + NO
    assert bool(decided(channels, CLIENT.replace("9.20.4.6", "2001:db8::6"), record)) is fits
