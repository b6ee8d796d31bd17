"""The checks of authority: users that cannot connect, channels that may not put, and records that give everything."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each

HEAD = "* Queue manager name: QM1\n"
QUEUES = "DEFINE QLOCAL(Q1)\nDEFINE QLOCAL(Q2)\nDEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\n"
RECEIVER = "DEFINE CHANNEL(A.QM1) CHLTYPE(RCVR) MCAUSER('chl')\n"


def record(profile, who, words, sort="QUEUE"):
    """A command that gives authorities."""
    about = f"PROFILE('{profile}') " if profile else ""
    return f"SET AUTHREC {about}OBJTYPE({sort}) {who} AUTHADD({words})\n"


MAPPED = "SET CHLAUTH('A.*') TYPE(QMGRMAP) QMNAME(A) MCAUSER('{}')\n"
STOP = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
APP, TILLS, CHL = "PRINCIPAL('app')", "GROUP('tills')", "PRINCIPAL('chl')"
USES = QUEUES + record("Q*", APP, "PUT,GET")
CHANNEL = QUEUES + RECEIVER + record("", CHL, "CONNECT", "QMGR")
PUTS = CHANNEL + record("Q1", CHL, "PUT")
CASES = {
    "authority-without-connect": (
        [USES, HEAD + QUEUES + record("Q1", TILLS, "BROWSE")],
        [
            {"QM1": USES.replace("app", "root")},
            USES + record("", APP, "CONNECT,INQ", "QMGR"),
            USES + record("", "GROUP('app')", "ALLMQI", "QMGR"),
            QUEUES + record("Q*", APP, "DSP"),
            QUEUES + record("Q*", "GROUP('mqm')", "ALL"),
            USES + record("", APP, "CONECT", "QMGR"),
        ],
    ),
    "channel-user-without-authority": (
        [
            PUTS + record("Q2", CHL, "PUT"),
            CHANNEL.replace(CHL, "GROUP('chl')") + record("Q1", "GROUP('chl')", "PUT"),
            HEAD + CHANNEL + record("Q1", APP, "PUT"),
            PUTS + MAPPED.format("chl") + STOP,
            HEAD + CHANNEL + record("Q1", TILLS, "PUT"),
        ],
        [
            CHANNEL + record("Q1", CHL, "PUT,SETALL"),
            PUTS + record("**", TILLS, "PUT,SETALL"),
            PUTS + "ALTER CHANNEL(A.QM1) CHLTYPE(RCVR) PUTAUT(CTX)",
            PUTS + MAPPED.format("other"),
            QUEUES + RECEIVER,
            QUEUES + RECEIVER + record("Q1", TILLS, "PUT"),
            CHANNEL.replace("'chl'", "'mqm'") + record("Q1", APP, "PUT"),
            CHANNEL + record("Q1", APP, "PUT"),
            PUTS + MAPPED.format("chl") + MAPPED.format("b").replace("(A)", "(B)"),
            HEAD + CHANNEL + record("Q1", TILLS, "ALLMQI"),
        ],
    ),
    "authority-over-everything": (
        record("**", APP, "ALL") + record("", APP, "CONNECT", "QMGR"),
        [
            record("**", "GROUP('mqadmins')", "ALL"),
            record("**", APP, "ALLMQI"),
            record("Q.**", APP, "ALL"),
            record("**", "PRINCIPAL('mqm')", "ALL"),
        ],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


@for_each(
    "script, severity",
    (USES, "note"),
    (HEAD + USES, "warning"),
    (USES + record("", "PRINCIPAL('boss')", "CONNECT", "QMGR"), "warning"),
    (HEAD + USES + record("", TILLS, "CONNECT", "QMGR"), "note"),
)
def test_a_user_who_cannot_connect_is_certain_if_no_group_may_help(script, severity):
    (found,) = found_by(estate_of(script), "authority-without-connect")
    assert found.severity == severity
    assert ("unless the groups help: tills" in found.said) == ("tills" in script)


def test_users_who_cannot_connect_are_one_finding():
    (found,) = found_by(estate_of(HEAD + USES + record("Q1", TILLS, "PUT")), "authority-without-connect")
    assert [one.about for one in (found, *found.others)] == ["app", "tills"]
    assert found.fix.count("AUTHADD(CONNECT)") == 2
