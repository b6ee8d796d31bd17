"""Channel authentication and authority records: kept, replaced, removed, shown and exported, and not acted on."""

import pytest

from helpers import assert_refused, for_each, made, says
from mqlab.admin.security_records import overlap

A = "SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('9.*') "
USERS = "SET CHLAUTH(A.B) TYPE(BLOCKUSER) "


def rows(qm, command):
    return qm.mqsc(command).require().rows


def test_a_new_queue_manager_has_three_records(qm):
    wanted = [("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP"), ("SYSTEM.*", "ADDRESSMAP"), ("*", "BLOCKUSER")]
    assert [(row["CHLAUTH"], row["TYPE"]) for row in rows(qm, "DISPLAY CHLAUTH(*)")] == wanted
    (blocked,) = rows(qm, "DISPLAY CHLAUTH(*) TYPE(BLOCKUSER)")
    assert blocked == {"CHLAUTH": "*", "TYPE": "BLOCKUSER", "USERLIST": ("*MQADMIN",)}
    assert not made(level=701).mqsc("DISPLAY CHLAUTH(*)").ok


def test_a_record_is_shown_as_a_real_queue_manager_shows_it(qm):
    says(
        str(qm.mqsc("DISPLAY CHLAUTH('SYSTEM.*') MATCH(EXACT) ALL")).splitlines(),
        "AMQ8878I: Display channel authentication record details.",
        "   CHLAUTH(SYSTEM.*)                       TYPE(ADDRESSMAP)",
        "   DESCR(Default rule to disable all SYSTEM channels)",
        "   CUSTOM( )                               ADDRESS(*)",
        "   USERSRC(NOACCESS)                       WARN(NO)",
    )


def test_the_reply_says_that_the_records_act(qm):
    for command in ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(INQ)", A + "USERSRC(NOACCESS)"):
        assert [reply.simulated for reply in qm.mqsc(command).replies] == [True]
    for shown in ("DISPLAY AUTHREC", "DISPLAY CHLAUTH(A.B)"):
        assert "mqlab:" not in qm.mqsc(shown).require().replies[0].text


def test_add_refuses_a_mapping_that_is_there_and_replace_takes_it(qm):
    assert qm.mqsc(A + "USERSRC(NOACCESS)").ok
    (again,) = qm.mqsc(A + "MCAUSER('app')").replies
    assert again.code == "AMQ8883E"
    assert qm.mqsc(A + "MCAUSER('app') ACTION(REPLACE)").ok
    assert qm.mqsc("SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)").ok
    found = rows(qm, "DISPLAY CHLAUTH(A.B)")
    wanted = [("10.*", "CHANNEL", None), ("9.*", "MAP", "app")]
    assert [(row["ADDRESS"], row["USERSRC"], row.get("MCAUSER")) for row in found] == wanted


def test_a_list_of_users_grows_shrinks_and_goes(qm):
    assert qm.mqsc(USERS + "USERLIST('x') DESCR('no x')").ok
    assert qm.mqsc(USERS + "USERLIST('y','x')").ok
    (row,) = rows(qm, "DISPLAY CHLAUTH(A.B)")
    assert (row["USERLIST"], row["DESCR"]) == (("y", "x"), "no x") or row["USERLIST"] == ("x", "y")
    assert qm.mqsc(USERS + "USERLIST('z') ACTION(REPLACE)").ok
    assert rows(qm, "DISPLAY CHLAUTH(A.B)")[0]["USERLIST"] == ("z",)
    assert not qm.mqsc(USERS + "USERLIST('x') ACTION(REMOVE)").ok
    assert qm.mqsc(USERS + "USERLIST('z') ACTION(REMOVE)").ok
    assert qm.mqsc("DISPLAY CHLAUTH(A.B)").replies[0].code == "AMQ8884E"


def test_removals(qm):
    assert qm.mqsc(A + "ACTION(REMOVE)").replies[0].code == "AMQ8884E"
    assert qm.mqsc("SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ACTION(REMOVEALL)").ok  # with none it succeeds too
    assert qm.mqsc(A + "USERSRC(CHANNEL)\nSET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('1.2.3.4') USERSRC(NOACCESS)").ok
    assert qm.mqsc(A + "ACTION(REMOVE)").ok
    assert len(rows(qm, "DISPLAY CHLAUTH(A.B)")) == 1
    assert qm.mqsc("SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ACTION(REMOVEALL)").ok
    assert not qm.mqsc("DISPLAY CHLAUTH(A.B)").ok


@for_each(
    "text",
    [
        A,  # USERSRC(MAP) is the default and needs MCAUSER
        A + "USERSRC(NOACCESS) MCAUSER('app')",
        A + "USERSRC(CHANNEL) USERLIST('x')",
        A + "USERSRC(CHANNEL) ACTION(REMOVE)",
        A + "ACTION(REMOVEALL)",
        "SET CHLAUTH(A.B) TYPE(BLOCKADDR) ADDRLIST('9.*')",
        USERS + "USERLIST('x') MCAUSER('y')",
        "SET AUTHREC OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)",  # no profile
        "DELETE AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('g')",
        "DISPLAY CHLAUTH(A.B) MATCH(RUNCHECK)",  # no ADDRESS
        "DISPLAY CHLAUTH(*) ADDRESS('9.*')",  # a value goes with MATCH(RUNCHECK)
        "DISPLAY CHLAUTH(A.B) TYPE(BLOCKADDR)",
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(qm, text):
    before = rows(qm, "DISPLAY CHLAUTH(*) ALL")
    assert not qm.mqsc(text).ok
    assert rows(qm, "DISPLAY CHLAUTH(*) ALL") == before
    assert not qm.mqsc("DISPLAY AUTHREC").ok


def test_what_match_means(qm):
    for name in ("ABC", "ABC*", "ABCD"):
        qm.mqsc(f"SET CHLAUTH('{name}') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)").require()

    def found(command):
        return {row["CHLAUTH"] for row in rows(qm, command)}

    for match in ("", "MATCH(GENERIC)"):
        assert found(f"DISPLAY CHLAUTH('ABC*') {match}") == {"ABC", "ABC*", "ABCD"}
    assert found("DISPLAY CHLAUTH('ABC*') MATCH(EXACT)") == {"ABC*"}
    assert found("DISPLAY CHLAUTH(ABC)") == found("DISPLAY CHLAUTH(ABC) MATCH(EXACT)") == {"ABC"}
    assert found("DISPLAY CHLAUTH(ABCD) MATCH(ALL)") == {"ABCD", "ABC*", "*"}
    assert found("DISPLAY CHLAUTH(*) WHERE(USERSRC EQ NOACCESS)") == {"SYSTEM.*"}


@for_each(
    "one, other, shared",
    [("A*", "*B", True), ("A", "A*", True), ("A*C", "A*B", False), ("", "*", True), ("", "A", False), ("*", "*", True)],
)
def test_profiles_that_share_a_name(one, other, shared):
    assert overlap(one, other) is overlap(other, one) is shared


@pytest.mark.parametrize("sort", ["QUEUE", "QMGR", "TOPIC", "PROCESS", "NAMELIST", "CHANNEL", "SERVICE", "RQMNAME"])
def test_an_authority_that_does_not_fit_the_type_is_refused(qm, sort):
    only = {"QMGR": ("ALTUSR", "CONNECT", "SYSTEM"), "QUEUE": ("BROWSE", "GET"), "CHANNEL": ("CTRLX",)}
    only["TOPIC"] = ("PUB", "SUB", "RESUME")
    profile = "" if sort == "QMGR" else "PROFILE(A)"
    for owner, authorities in only.items():
        for authority in authorities:
            text = f"SET AUTHREC {profile} OBJTYPE({sort}) GROUP('g') AUTHADD(DSP,{authority})"
            if owner == sort:
                assert qm.mqsc(text).ok
            else:
                assert_refused(qm, text, "AMQ8000E", f"OBJTYPE({sort}) has no authority {authority}")
    assert {row["OBJTYPE"] for row in qm.mqsc("DISPLAY AUTHREC").rows} <= {sort}
    for taken in ("ALL", "ALLADM,CRT", "ALLMQI", "NONE"):
        name = "self" if sort == "QMGR" else "A"
        qm.mqsc(f"SET AUTHREC PROFILE({name}) OBJTYPE({sort}) GROUP('g') AUTHADD({taken})").require()


def test_authorities_are_added_taken_and_spelled_out(qm):
    set_ = "SET AUTHREC PROFILE(APP.**) OBJTYPE(QUEUE) GROUP('g') "
    qm.mqsc(set_ + "AUTHADD(ALLMQI)\n" + set_ + "AUTHRMV(SETALL,SETID) AUTHADD(DSP)").require()
    (row,) = rows(qm, "DISPLAY AUTHREC")
    assert row["AUTHLIST"] == ("BROWSE", "DSP", "GET", "INQ", "PUT", "PASSALL", "PASSID", "SET")
    qm.mqsc(set_ + "AUTHRMV(ALL)").require()
    assert rows(qm, "DISPLAY AUTHREC")[0]["AUTHLIST"] == ("NONE",)
    assert qm.mqsc("DELETE AUTHREC PROFILE(APP.**) OBJTYPE(QUEUE) GROUP('g')").ok
    assert not qm.mqsc("DISPLAY AUTHREC").ok
    assert qm.mqsc("DELETE AUTHREC PROFILE(APP.**) OBJTYPE(QUEUE) GROUP('g') IGNSTATE(YES)").ok


def test_which_authority_records_are_shown(qm):
    for profile, sort, of in (("APP.*", "QUEUE", "GROUP('g')"), ("APP.**", "QUEUE", "PRINCIPAL('u')")):
        qm.mqsc(f"SET AUTHREC PROFILE({profile}) OBJTYPE({sort}) {of} AUTHADD(GET)").require()
    qm.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)").require()

    def found(which):
        return {row["PROFILE"] for row in qm.mqsc(f"DISPLAY AUTHREC {which}").rows}

    assert (found(""), found("PROFILE(APP.Q)")) == ({"APP.*", "APP.**", "self"}, {"APP.*", "APP.**"})
    assert (found("PROFILE(APP.Q.R)"), found("PROFILE('APP.*') MATCH(EXACT)")) == ({"APP.**"}, {"APP.*"})
    assert (found("GROUP('g')"), found("PRINCIPAL('u') OBJTYPE(QUEUE)")) == ({"APP.*", "self"}, {"APP.**"})
    assert found("OBJTYPE(TOPIC)") == set()


def test_an_export_gives_the_same_displays(qm):
    qm.mqsc(
        A + "MCAUSER('it''s')\n" + USERS + "USERLIST('x','y') WARN(YES)\n"
        "SET CHLAUTH(S) TYPE(SSLPEERMAP) SSLPEER('CN=\"a\",O=b') SSLCERTI('CN=ca') USERSRC(CHANNEL)\n"
        "SET CHLAUTH(Q) TYPE(QMGRMAP) QMNAME('QM*') ADDRESS('h') USERSRC(NOACCESS) WARN(YES) DESCR('d')\n"
        "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)\n"
        "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('9.20.1-5.*')\n"
        "SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(ALL)\n"
        "SET AUTHREC PROFILE(T) OBJTYPE(TOPIC) PRINCIPAL('u') AUTHADD(NONE)"
    ).require()
    again = made(qm.export_mqsc())
    for command in ("DISPLAY CHLAUTH(*) ALL", "DISPLAY AUTHREC ALL"):
        assert rows(again, command) == rows(qm, command)
    assert "AUTH" not in made().export_mqsc()


def test_a_deleted_object_takes_its_authority_records_along_unless_asked_not_to(qm):
    give = "SET AUTHREC PROFILE({0}) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)\n"
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\n" + give.format("Q") + give.format("R") + give.format("Q*")).require()
    qm.mqsc("DELETE QLOCAL(Q)\nDELETE QLOCAL(R) AUTHREC(NO)").require()
    assert [row["PROFILE"] for row in rows(qm, "DISPLAY AUTHREC")] == ["Q*", "R"]


def test_the_authority_of_an_entity_comes_from_its_most_specific_profile(qm):
    qm.mqsc("""
        SET AUTHREC PROFILE('PAY.**') OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(GET, BROWSE)
        SET AUTHREC PROFILE('PAY.?') OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(INQ)
        SET AUTHREC PROFILE('PAY.A') OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(PUT)
        SET AUTHREC PROFILE('PAY.A') OBJTYPE(QUEUE) GROUP('bob') AUTHADD(SET)
        SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(CONNECT)
    """).require()

    def has(who, about):
        (row,) = qm.mqsc(f"DISPLAY ENTAUTH {who} {about}").rows
        return row["OBJNAME"], row["AUTHLIST"]

    assert has("PRINCIPAL('bob')", "OBJTYPE(QUEUE) OBJNAME(PAY.A)") == ("PAY.A", ("PUT", "SET"))
    assert has("PRINCIPAL('bob')", "OBJTYPE(QUEUE) OBJNAME(PAY.B)") == ("PAY.B", ("INQ",))
    assert has("PRINCIPAL('bob')", "OBJTYPE(QUEUE) OBJNAME(PAY.B.C)") == ("PAY.B.C", ("BROWSE", "GET"))
    assert has("PRINCIPAL('bob')", "OBJTYPE(TOPIC) OBJNAME(PAY.A)") == ("PAY.A", ("NONE",))
    assert has("GROUP('bob')", "OBJTYPE(QUEUE) OBJNAME(PAY.A)") == ("PAY.A", ("SET",))
    assert has("PRINCIPAL('bob')", "OBJTYPE(QMGR)") == ("QM1", ("CONNECT",))
    assert "PUT" in has("GROUP('mqm')", "OBJTYPE(QUEUE) OBJNAME(PAY.A)")[1]
