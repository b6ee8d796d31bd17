"""A queue manager written as MQSC and read back: the same definitions, and the same text again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import definition, displays, for_each, made, refusal, tries
from mqlab import Lab, LabError, MQError
from mqlab.engine.commands import parse, read_script
from mqlab.engine.words import catalog
from mqlab.engine.words.catalog.ciphers import CIPHERS

pytestmark = pytest.mark.needs("estates")  # which makes a queue manager of the header of an export

NAMES = "QLOCAL QALIAS QREMOTE QMODEL PROCESS NAMELIST CHANNEL CLNTCONN LISTENER SERVICE TOPIC SUB AUTHINFO COMMINFO"
KINDS = tuple(NAMES.split())
ZOS_KINDS = ("STGCLASS", "CFSTRUCT", "BUFFPOOL", "PSID")
DATES = ("ALTDATE", "ALTTIME", "CRDATE", "CRTIME", "QMNAME", "QMID")


HEAD = """\
* Definitions written by mqlab
* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (940/940)
"""


def definitions(qm):
    """Every object with its attributes, and the queue manager's own; dates and its name left out."""

    def plain(attributes):
        return {key: value for key, value in attributes.items() if key not in DATES}

    found = {(d.kind, d.name): plain(d.attributes) for kind in (*KINDS, *ZOS_KINDS) for d in qm.objects.match((kind,))}
    return found, plain(qm.attributes)


def copy_of(qm, text):
    """A fresh queue manager, later, made from the text: what its header says."""
    from mqlab.estates import from_script

    fresh, reply = from_script(Lab(start="2026-02-03T04:05:06Z"), read_script(text.encode()))
    reply.require()
    assert (fresh.name, fresh.platform, fresh.level) == (qm.name, qm.platform, qm.level)
    return fresh


def assert_round_trip(qm):
    text = qm.export_mqsc()
    fresh = copy_of(qm, text)
    assert definitions(fresh) == definitions(qm)
    assert displays(fresh) == displays(qm)
    assert fresh.export_mqsc() == text


def test_manner(qm):
    assert qm.export_mqsc() == HEAD
    qm.mqsc("""
        ALTER QMGR DEADQ(DLQ) MONQ(LOW)
        DEFINE QLOCAL(Orders) DESCR('it''s -') MAXDEPTH(10) TRIGGER
        DEFINE NAMELIST('n.l') NAMES('a', B)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('host(1414)') XMITQ(QM2) HBINT(5) BATCHSZ(50)
        ALTER QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE) DEFTYPE(PERMDYN) CAPEXPRY(NOLIMIT)
    """)
    assert qm.export_mqsc() == (
        f"{HEAD}\n"
        "ALTER QMGR +\n"
        "   DEADQ('DLQ') +\n"
        "   MONQ(LOW)\n"
        "\n"
        "DEFINE QLOCAL('ORDERS') +\n"
        "   DESCR('it''s -') +\n"
        "   MAXDEPTH(10) +\n"
        "   TRIGGER +\n"
        "   REPLACE\n"
        "\n"
        "DEFINE QMODEL('SYSTEM.DEFAULT.MODEL.QUEUE') +\n"
        "   DEFTYPE(PERMDYN) +\n"
        "   REPLACE\n"
        "\n"
        "DEFINE NAMELIST('n.l') +\n"
        "   NAMES('a', +\n"
        "         'B') +\n"
        "   REPLACE\n"
        "\n"
        "DEFINE CHANNEL('TO.QM2') +\n"
        "   CHLTYPE(SDR) +\n"
        "   CONNAME('host(1414)') +\n"
        "   HBINT(5) +\n"
        "   XMITQ('QM2') +\n"
        "   REPLACE\n"
    )
    assert_round_trip(qm)


def test_objects_that_start_from_an_altered_default_come_back(qm):
    qm.mqsc("""
        DEFINE QLOCAL(BEFORE)
        ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7) DESCR('seven') NOSHARE TRIGGER
        DEFINE QLOCAL(AFTER)
        DEFINE QLOCAL(LIKED) LIKE(BEFORE) USAGE(XMITQ)
        ALTER QLOCAL(SYSTEM.ADMIN.STATISTICS.QUEUE) MAXDEPTH(9)
        ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MAXINST(3)
        ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)
    """)
    assert_round_trip(qm)
    before = definitions(qm)
    assert qm.mqsc(qm.export_mqsc()).ok  # and it may be run on the very queue manager it came from
    assert definitions(qm) == before


@for_each("platform", ["distributed", "zos", "vse"])
@for_each("level", [940, 750, 530])
def test_a_full_dump_loads_without_an_error_and_so_does_an_export_of_nothing(platform, level):
    one, two, none = (Lab().queue_manager("QM1", platform=platform, level=level) for _ in range(3))
    dump = [definition(each, platform, level) for each in one.objects.everything()]
    two.mqsc("\n".join(dump)).require()
    assert one.depth("SYSTEM.ADMIN.QMGR.EVENT") == 1  # which asks for it, as the dump did: the start is told there
    assert displays(two) == displays(one)
    assert two.export_mqsc() == one.export_mqsc()
    for each in none.objects.everything():
        purge = " PURGE" if each.kind == "QLOCAL" else ""  # the event of its start is on a queue
        none.mqsc(f"DELETE {each.kind.replace('CLNTCONN', 'CHANNEL')}('{each.name}'){purge}").require()
    again = copy_of(none, none.export_mqsc())
    assert displays(again) == displays(none)


def test_what_took_the_place_of_a_system_object_comes_back(qm):
    qm.mqsc("""
        DELETE QLOCAL(SYSTEM.ADMIN.CONFIG.EVENT)
        DEFINE QALIAS(SYSTEM.ADMIN.CONFIG.EVENT) TARGET(EVENTS)
        DEFINE TOPIC(SYSTEM.ADMIN.TOPIC) TOPICSTR('$SYS/MQ') DESCR('ours') REPLACE
        ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)
    """).require()
    assert displays(copy_of(qm, qm.export_mqsc())) == displays(qm)


def test_an_application_that_gets_by_the_generated_correlation_identifier_still_can(qm):
    qm.mqsc("DEFINE QLOCAL(A)\nDEFINE SUB(S) TOPICSTR('a') DEST(A)\nDEFINE SUB(T) TOPICSTR('b') DEST(A) DESTCORL(0A1B)")
    for name in ("QM1", "QM2"):  # DESTCORL can be set, SUBID cannot
        again = made(qm.export_mqsc(), name)
        ask = "DISPLAY SUB(*) DESTCORL"
        assert [row["DESTCORL"] for row in again.mqsc(ask).rows] == [row["DESTCORL"] for row in qm.mqsc(ask).rows]


def test_platforms(qm):
    zos = Lab().queue_manager("CSQ1", platform="zos")
    zos.mqsc("""
        ALTER QMGR EXPRYINT(60) MAXCHL(9)
        DEFINE QLOCAL(A) INDXTYPE(CORRELID) STGCLASS(FAST) CMDSCOPE(' ')
        DEFINE STGCLASS(FAST) PSID(3)
        DEFINE CFSTRUCT(S1) CFLEVEL(5)
        DEFINE PROCESS(P) APPLTYPE(CICS)
    """)
    assert "INDXTYPE(CORRELID)" in zos.export_mqsc()
    assert "CMDSCOPE" not in zos.export_mqsc()
    assert_round_trip(zos)
    assert parse(zos.export_mqsc(), "zos")[0].notes == []
    qm.mqsc("DEFINE QLOCAL(A) INDXTYPE(CORRELID) NPMCLASS(HIGH)")
    assert "INDXTYPE" not in qm.export_mqsc()
    assert_round_trip(qm)


def test_dynamic_queues_and_messages_stay_behind(qm):
    qm.mqsc("DEFINE QMODEL(M) DEFTYPE(PERMDYN)\nDEFINE QLOCAL(A)")
    qm.put("A", b"x")
    handle = qm.open("M", output=True, dynamic_name="REPLIES")
    assert qm.mqsc(f"DEFINE QLOCAL(COPY) LIKE({handle.name})").ok
    assert qm.objects.get("QLOCAL", "COPY").attributes["DEFTYPE"] == "PREDEFINED"
    fresh = copy_of(qm, qm.export_mqsc())
    assert fresh.objects.get("QLOCAL", "REPLIES") is None
    assert fresh.objects.get("QLOCAL", "COPY") is not None
    assert fresh.depth("A") == 0


def test_a_blank_topic_string_is_read_and_a_line_end_cannot_be_written(qm):
    before = displays(qm)
    qm.mqsc("""
        DEFINE TOPIC('SYSTEM.BASE.TOPIC') LIKE('SYSTEM.BASE.TOPIC') TOPICSTR(' ') REPLACE
        DEFINE TOPIC('SYSTEM.DEFAULT.TOPIC') TOPICSTR('') REPLACE
        DEFINE SUB('SYSTEM.DEFAULT.SUB') TOPICSTR(' ') SELECTOR(' ') REPLACE
        DELETE SUB('SYSTEM.DEFAULT.SUB')
        DEFINE SUB('SYSTEM.DEFAULT.SUB')
    """).require()
    assert displays(qm) == before
    qm.define("QLOCAL", "A", {"DESCR": "two\nlines"})
    refusal(LabError, "DESCR of QLOCAL A must be text on one line", qm.export_mqsc)


def test_a_record_with_a_blank_value_that_it_needs_comes_back(qm):
    wanted = {"SSLPEERMAP": "SSLPEER", "USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME", "ADDRESSMAP": "ADDRESS"}
    for sort, keyword in wanted.items():
        qm.mqsc(f"SET CHLAUTH(X) TYPE({sort}) {keyword}(' ') USERSRC(NOACCESS)").require()
    qm.mqsc("SET CHLAUTH(W) TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER(' ')").require()
    assert made(qm.export_mqsc()).export_mqsc() == qm.export_mqsc()


def test_like_takes_the_same_kind_and_records_leave_out_newer_keywords(qm):
    reply = qm.mqsc("""
        DEFINE CHANNEL(S) CHLTYPE(SVRCONN) MAXINST(5)
        DEFINE CHANNEL(T) CHLTYPE(SVRCONN) LIKE(S)
        DEFINE CHANNEL(U) CHLTYPE(RCVR) LIKE(S)
        DEFINE QALIAS(F) LIKE(SYSTEM.DEFAULT.LOCAL.QUEUE)
    """)
    assert [answer.code for answer in reply.replies] == ["AMQ8014I", "AMQ8014I", "AMQ8152E", "AMQ8152E"]
    assert qm.objects.get("CHANNEL", "T").attributes["MAXINST"] == 5
    qm = made("SET CHLAUTH('A.*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)", level=750)
    assert "CHCKCLNT" not in qm.export_mqsc()
    assert_round_trip(qm)


# Every kind with something in it, for what all kinds share.
ESTATE = {
    "QLOCAL": "DESCR('one')",
    "QALIAS": "TARGET(X) DESCR('one')",
    "QREMOTE": "RNAME(X) RQMNAME(Y) DESCR('one')",
    "QMODEL": "DEFTYPE(PERMDYN) DESCR('one')",
    "PROCESS": "APPLICID('prog') DESCR('one')",
    "NAMELIST": "NAMES(A,B) DESCR('one')",
    "LISTENER": "TRPTYPE(TCP) PORT(1415) DESCR('one')",
    "SERVICE": "STARTCMD('run') DESCR('one')",
    "TOPIC": "TOPICSTR('a/b') CAPEXPRY(100) DESCR('one')",
    "SUB": "TOPICSTR('a/b') DEST(X) USERDATA('one')",
    "AUTHINFO": "AUTHTYPE(IDPWOS) DESCR('one')",
    "COMMINFO": "PORT(1500) DESCR('one')",
    "CHANNEL": "CHLTYPE(SDR) CONNAME('h(1)') XMITQ(X) DESCR('one')",
}


@for_each("kind", ESTATE)
def test_what_every_kind_that_is_kept_can_do(qm, kind):
    given, about = ESTATE[kind], "USERDATA" if kind == "SUB" else "DESCR"
    needed = given.split()[0] if kind in ("AUTHINFO", "CHANNEL") else ""
    own = "TOPICSTR('a/c')" if kind == "TOPIC" else needed  # two topics cannot have one string
    assert qm.mqsc(f"DEFINE {kind}(MY.A) {given}\nDEFINE {kind}(MY.B) LIKE(MY.A) {own} {about}('two')").ok
    (reply,) = qm.mqsc(f"DEFINE {kind}(MY.A) {given} NOREPLACE").replies
    assert reply.code == ("AMQ8226E" if kind == "CHANNEL" else "AMQ8150E")
    assert qm.mqsc(f"DEFINE {kind}(MY.A) {given.replace('one', 'three')} REPLACE").ok
    assert [r[about] for r in qm.mqsc(f"DIS {kind}(MY.*) {about}").rows] == ["three", "two"]
    assert [r[about] for r in qm.mqsc(f"DIS {kind}(*) WHERE({about} EQ 'two')").rows] == ["two"]
    assert [r[about] for r in qm.mqsc(f"DIS {kind}(*) WHERE({about} LK 'th*')").rows] == ["three"]
    assert qm.mqsc(f"DIS {kind}(MY.*) WHERE({about} EQ 'none')").replies[0].code == "AMQ8147E"
    assert qm.mqsc(f"ALTER {kind}(MY.B) {needed} {about}('four')").ok
    assert_round_trip(qm)
    assert qm.mqsc(f"DELETE {kind}(MY.A)\nDELETE {kind}(MY.B)").ok
    assert qm.mqsc(f"DIS {kind}(MY.*)").replies[0].code == "AMQ8147E"


@pytest.mark.parametrize("kind", ESTATE)
def test_every_attribute_spelled_out_defines_the_same_again(qm, kind):
    assert qm.mqsc(f"DEFINE {kind}(MY.A) {ESTATE[kind]}").ok
    fresh = made(definition(qm.objects.get(kind, "MY.A"), "distributed", 940))
    assert displays(fresh) == displays(qm)


# What a value may hold: no placeholders of a template ({ $ < % @), which the lab refuses to read.
TEXT = st.text(st.sampled_from("ab Z019'\"+-*;,()=/\\.\t#&!~é€日\u00a0"), max_size=90)
NAME = st.text(st.sampled_from("abYZ09._/"), max_size=20)
LEVELS = [530, 600, 701, 750, 800, 910, 920, 940, 1000]


def value_of(attribute, platform, level):
    """A strategy for values of one attribute, as the catalog stores them."""
    if attribute.keyword == "SSLCIPH":
        known = [one for one, levels in CIPHERS.items() if level >= levels[platform == "zos"]]
        return st.sampled_from(["", *sorted(known), *(["C02F"] if platform == "zos" else [])])
    if attribute.keyword == "STREAMQ":
        return st.sampled_from(["", "streamed"])
    if attribute.keyword == "DESTCORL":
        return st.sampled_from(["", "0A1B", "00" * 24])
    if attribute.shape == "flag":
        return st.booleans()
    if attribute.shape == "int":
        return st.sampled_from([attribute.low, attribute.high, *(number for _, number in attribute.words)])
    if attribute.shape == "choice":
        return st.sampled_from(attribute.values)
    if attribute.shape == "words":
        return st.lists(st.sampled_from(attribute.values), min_size=1, max_size=3).map(tuple)
    if attribute.shape == "names":
        return st.lists(TEXT.map(lambda t: t[: attribute.length]), max_size=min(3, attribute.count))
    return (NAME if attribute.shape == "name" else TEXT).map(lambda t: t[: attribute.length])


def settable(kind, platform, level, chltype=None, but=()):
    """The attributes that a definition on this platform and level can give."""
    found = catalog.attributes(kind, chltype).items()
    left_out = ("CHLTYPE", "CMDSCOPE", "QSGDISP", *but)
    had = ((k, a) for k, a in found if a.settable and a.had_by(platform, level) and k not in left_out)
    return {k: a.of(platform, level) for k, a in had}


@st.composite
def objects(draw, platform, level):
    """A kind, a name, which may be that of a SYSTEM object, and attributes."""
    rows = [row for row in catalog.KINDS.values() if row.keyword in (*KINDS, *ZOS_KINDS)]
    able = [row.keyword for row in rows if platform in row.platforms and level >= row.since]
    kind = draw(st.sampled_from(able))
    types = catalog.attributes("CHANNEL")["CHLTYPE"].of(platform, level).values
    chltype = draw(st.sampled_from(types)) if kind == "CHANNEL" else None
    chltype = "CLNTCONN" if kind == "CLNTCONN" else chltype
    kind = "CLNTCONN" if chltype == "CLNTCONN" else kind
    attributes = settable(kind, platform, level, chltype)
    chosen = draw(st.lists(st.sampled_from(list(attributes))))
    given = {k: attributes[k].check(draw(value_of(attributes[k], platform, level))) for k in chosen}
    if kind == "AUTHINFO":
        given.setdefault("AUTHTYPE", "CRLLDAP")
        needed = catalog.AUTHINFO_NEEDS.get(given["AUTHTYPE"], ())
        given |= {k: given.get(k) or "X" for k in needed if k in attributes}
    sorts = {given.get("AUTHTYPE"), given.get("TRPTYPE", "TCP")}
    given = {k: one for k, one in given.items() if not attributes[k].only_of or sorts & {*attributes[k].only_of}}
    if given.get("CLUSTER"):
        given.pop("CLUSNL", None)
    if kind == "TOPIC":
        given.setdefault("TOPICSTR", draw(TEXT))
        for keyword in ("DURSUB", "SUB"):  # no subscription comes back there
            given.pop(keyword, None)
    if kind == "SUB" and given.get("DESTCLAS") != "MANAGED" and not given.get("DEST"):
        given["DEST"] = "X"
    if kind == "SUB" and not given.get("TOPICSTR", "") + given.get("TOPICOBJ", ""):
        given["TOPICSTR"] = "a/b"
    if chltype:
        given = {**catalog.defaults(kind, platform, chltype), **given, "CHLTYPE": chltype}
        for keyword in catalog.CHANNEL_NEEDS.get(chltype, ()):
            given[keyword] = given[keyword] or "X"
    if kind == "CFSTRUCT":
        given |= {"CFLEVEL": 3} if given.get("RECOVER") == "YES" else {}
        return kind, draw(st.text(st.sampled_from("AB9"), max_size=11).map(lambda name: f"A{name}")), given
    length = {"STGCLASS": 8, "CHANNEL": 20, "CLNTCONN": 20}.get(kind, 48)
    system = sorted({name for _, name in catalog.system_objects(platform, level) if len(name) <= length})
    own = st.text(st.sampled_from("abAB.9"), min_size=1, max_size=length)
    own = TEXT.filter(str.strip).map(str.strip) if kind == "SUB" else own
    if given.get("STREAMQ"):
        system = []  # most SYSTEM queues cannot have one, and no transmission queue can
        given.pop("USAGE", None)
    return kind, draw(st.one_of(own, st.sampled_from(system or ["A"]))), given


WHERE = ["CHANNEL", "NOACCESS", "MAP"]
MAPS = {
    "ADDRESSMAP": ["ADDRESS('10.*')", "ADDRESS('*')"],
    "SSLPEERMAP": ["SSLPEER('CN=\"a b\",O=it''s')", "SSLPEER('CN=x') SSLCERTI('CN=CA') ADDRESS('h.example.com')"],
    "USERMAP": ["CLNTUSER('Ab')", "CLNTUSER('b') ADDRESS('1.2.3.4')"],
    "QMGRMAP": ["QMNAME(QM2)", "QMNAME('a*') ADDRESS('1.2.3.4')"],
}


@st.composite
def security_commands(draw):
    """SET CHLAUTH or SET AUTHREC, at times of a record that there is already."""
    profile = draw(st.sampled_from(["A.*", "SYSTEM.*", "*", "SYSTEM.ADMIN.SVRCONN"]))
    sort = draw(st.sampled_from([*MAPS, "BLOCKUSER", "BLOCKADDR", "AUTHREC", "AUTHREC"]))
    said = draw(TEXT.map(lambda text: text[:64].replace("'", "''")))
    if sort == "BLOCKUSER":
        return f"SET CHLAUTH('{profile}') TYPE(BLOCKUSER) USERLIST('a','*MQADMIN') WARN(YES) DESCR('{said}')"
    if sort == "BLOCKADDR":
        return f"SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('10.0.0.*','x.y') DESCR('{said}')"
    if sort in MAPS:
        source, named = draw(st.sampled_from(WHERE)), draw(st.sampled_from(MAPS[sort]))
        user = "MCAUSER('app') CHCKCLNT(REQUIRED)" if source == "MAP" else ""
        action = draw(st.sampled_from(["ADD", "REPLACE", "REMOVEALL"]))
        if action == "REMOVEALL":
            return f"SET CHLAUTH('{profile}') TYPE({sort}) ACTION(REMOVEALL)"
        more = f"{user} DESCR('{said}') ACTION({action})"
        return f"SET CHLAUTH('{profile}') TYPE({sort}) {named} USERSRC({source}) {more}"
    sorts = ("QUEUE", "TOPIC", "CHANNEL", "NAMELIST", "PROCESS", "RQMNAME", "LISTENER", "COMMINFO")
    what = draw(st.sampled_from(sorts))
    whom = draw(st.sampled_from(["PRINCIPAL('app')", "GROUP('Ops','a b')"]))
    may = draw(st.sampled_from(["ALL", "ALLADM", "ALLMQI", "NONE", "DSP", "PUT" if what == "RQMNAME" else "INQ,CHG"]))
    profile = draw(st.sampled_from(["APP.**", "@class", "a?"]))
    return f"SET AUTHREC PROFILE('{profile}') OBJTYPE({what}) {whom} AUTHADD({may})"


@settings(max_examples=tries(120), deadline=None)
@given(st.data(), st.sampled_from(["distributed", "zos", "vse"]), st.sampled_from(LEVELS))
def test_any_definitions_come_back(data, platform, level):
    qm = Lab().queue_manager("QM1", platform=platform, level=level)
    system = sorted(catalog.system_objects(platform, level))
    for kind, name in data.draw(st.lists(st.sampled_from(system), max_size=3, unique=True)):
        qm.delete(kind, name, purge=kind == "QLOCAL")
    for kind, name, values in data.draw(st.lists(objects(platform, level), max_size=6)):
        there = qm.objects.named(kind, name)
        fixed = ("CHLTYPE", "AUTHTYPE", "TOPICOBJ", "TOPICSTR")  # MQSC refuses to change these
        if there and (there.kind != kind or any(there.attributes.get(k) != values.get(k) for k in fixed)):
            qm.delete(there.kind, name, purge=there.kind == "QLOCAL")
        taken = [one.attributes["TOPICSTR"] for one in qm.objects.match(("TOPIC",)) if one.name != name]
        if kind != "TOPIC" or values["TOPICSTR"] not in taken:
            try:
                qm.define(kind, name, values, replace=True)
            except MQError as refused:  # the queue that keeps subscriptions, or the model of a managed one, is gone
                assert (kind, refused.reason in (2436, 2522)) == ("SUB", True)
    mine = settable("QMGR", platform, level, but=("REPOSNL",))
    chosen = data.draw(st.lists(st.sampled_from(sorted(mine)), max_size=5))
    qm.alter("QMGR", "", {k: mine[k].check(data.draw(value_of(mine[k], platform, level))) for k in chosen})
    qm.mqsc("\n".join(data.draw(st.lists(security_commands(), max_size=5))))
    assert_round_trip(qm)
    if platform == "zos":
        assert max(map(len, qm.export_mqsc().splitlines())) <= 72
