"""The checks of security: each finds and fixes, and they are one line for each queue manager unless asked for."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each

CHANNEL = "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)"
STRONG = "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)"
NOBODY = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"
OPEN = "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)"
BLOCK = "SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST"
CASES = {
    "channel-without-tls": (
        CHANNEL,
        [
            f"{CHANNEL} {STRONG}",
            f"{CHANNEL} TRPTYPE(LU62)",
            f"{CHANNEL}\nALTER CHANNEL(APP) CHLTYPE(SVRCONN) SSLCIPH('${{CIPHER}}')",
        ],
    ),
    "weak-cipher": (
        [f"{CHANNEL} SSLCIPH(RC4_MD5_US)", "DEF CHANNEL('c.x') CHLTYPE(RCVR) SSLCIPH(TRIPLE_DES_SHA_US)"],
        [f"{CHANNEL} SSLCIPH(TLS_RSA_WITH_AES_128_CBC_SHA256)", "DEF CHANNEL('c.x') CHLTYPE(RCVR)"],
    ),
    "chlauth-disabled": ("ALTER QMGR CHLAUTH(DISABLED)", "ALTER QMGR CHLAUTH(ENABLED)"),
    "connauth-blank": ("ALTER QMGR CONNAUTH(' ')", "ALTER QMGR DESCR('CONNAUTH')"),
    "mcauser-privileged": (
        ["ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('mqm')", f"{CHANNEL} MCAUSER('mqm')"],
        ["ALTER CHANNEL(SYSTEM.DEF.SENDER) CHLTYPE(SDR) DESCR('mqm')", f"{CHANNEL} MCAUSER('mqmapp')"],
    ),
    "client-names-its-user": (
        [CHANNEL, f"{CHANNEL}\n{OPEN}\n{NOBODY}", f"{CHANNEL}\n{OPEN} CHCKCLNT(ASQMGR)"],
        [
            f"{CHANNEL}\n{OPEN} CHCKCLNT(REQUIRED)\n{NOBODY}",
            f"{CHANNEL}\n{OPEN} CHCKCLNT(REQUIRED)",
            f"{CHANNEL} MCAUSER('app')",
            f"{CHANNEL}\n{NOBODY}",
            "DEFINE CHANNEL(APP) CHLTYPE(RCVR)",
            f"{CHANNEL} {STRONG}\nSET CHLAUTH(APP) TYPE(SSLPEERMAP) SSLPEER('CN=*') USERSRC(NOACCESS)",
            f"{CHANNEL}\nALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)",
        ],
    ),
    "administrator-not-blocked": (
        [
            f"{CHANNEL}\nSET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)",
            f"{CHANNEL}\n{BLOCK}('nobody')",
        ],
        [
            f"{CHANNEL}\nSET CHLAUTH('A*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')\n"
            "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('nobody') ACTION(REPLACE)",
            f"{CHANNEL} MCAUSER('app')\n{BLOCK}('nobody')",
            f"{CHANNEL}\n{BLOCK}('nobody','*MQADMIN')",
            CHANNEL,
            f"{CHANNEL}\n{BLOCK}('nobody') DESCR('Allow privileged users')",
        ],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_security_is_one_line_about_what_is_there_until_it_is_opened():
    assert estate_of(f"{CHANNEL} MCAUSER('app') {STRONG}").findings() == []
    assert found_by(estate_of(CHANNEL), "security-summary") == []  # with each finding of security
    estate = estate_of(
        f"{CHANNEL}\nDEFINE CHANNEL(B) CHLTYPE(SVRCONN) MCAUSER('mqm')\nALTER QMGR DEADQ(DLQ)\nDEF QL(DLQ)"
    )
    (line,) = [one for one in estate.findings() if "security" in one.said]
    assert (line.check, line.severity) == ("security-summary", "warning")
    assert "a channel without TLS (2); a channel has the name of an administrator in MCAUSER" in line.said
    opened = {one.check: len(one.others) for one in estate.findings(security=True) if one.group == "security"}
    assert opened == {"channel-without-tls": 1, "client-names-its-user": 0, "mcauser-privileged": 0}
    assert len(line.others) == 4


def test_an_administrator_is_blocked_unless_a_record_lets_him_in():
    said = {}
    for text in ("MCAUSER('mqm')", "MCAUSER(mqm)", "MCAUSER('mqm')\nALTER QMGR CHLAUTH(DISABLED)"):
        (said[text],) = [one.said for one in found_by(estate_of(f"{CHANNEL} {text}"), "mcauser-privileged")]
    blocked, capitals, runs = said.values()
    assert "a CHLAUTH record blocks administrators" in blocked
    assert "without quotes: AIX and Linux do not know this user" in capitals
    assert runs.startswith("channel APP runs as mqm")


@for_each(("level", "found"), [(530, 1), (710, 2), (900, 2)])
def test_records_exist_from_level_710(level, found):
    lets = "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)"
    estate = estate_of(f"{CHANNEL}\n{lets}", level=level)
    checks = {"client-names-its-user", "administrator-not-blocked", "chlauth-disabled"}
    assert len([one for one in estate.findings(security=True) if one.check in checks]) == found
