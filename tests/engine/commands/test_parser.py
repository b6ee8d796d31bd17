"""Verbs, objects, names and keywords as MQSC takes them."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import calls_of, for_each, lab_error, tries
from mqlab.engine.commands import Where, parse
from mqlab.engine.words import catalog

PUBSUB = pytest.mark.needs("pubsub")
ADMIN = pytest.mark.needs("admin")


def one(text):
    commands = parse(text)
    assert len(commands) == 1, commands
    assert commands[0].refused is None, commands[0].refused.said
    return commands[0]


@for_each(
    "text",
    "DEFINE QLOCAL('Orders') MAXDEPTH(10) REPLACE",
    "def ql('Orders') maxdepth(10) replace",
    "DEF QL ( 'Orders' )   MAXDEPTH ( 10 ), REPLACE",
    "DEFINE QLOCAL('Orders') REPLACE MAXDEPTH(10)",
    "DEFINE REPLACE QLOCAL('Orders') MAXDEPTH(10)",
    "DEFINE REPLACE -\n QLOCAL('Orders') -\n MAXDEPTH(10)",
    "DEFINE QLOCAL('Orders') +\n* remark +\n\n MAX+\n DEPTH(10) +\n REPLACE;",
    'DEFINE QLOCAL("Orders")\tMAXDEPTH(10)\tREPLACE',
    "DEFINE QLOCAL('Orders') MAXDEPTH(00010) REPLACE",
)
def test_one_command_in_many_spellings(text):
    command = one(text)
    assert (command.verb, command.object, command.name) == ("DEFINE", "QLOCAL", "Orders")
    assert (command.attributes, command.options) == ({"MAXDEPTH": 10}, {"REPLACE": True})


def test_names_flags_synonyms_and_displays():
    assert (one("DEF QL(orders.in)").name, one("DEF QL('orders.in')").name) == ("ORDERS.IN", "orders.in")
    assert one("DEF QR(R) RNAME(abc) RQMNAME('Qm2')").attributes == {"RNAME": "ABC", "RQMNAME": "Qm2"}
    command = one("ALTER QL(A) NOTRIGGER SHARE GET(disabled) CAPEXPRY(nolimit) DESCR(' ')")
    assert command.attributes == {"TRIGGER": False, "SHARE": True, "GET": "DISABLED", "CAPEXPRY": -1, "DESCR": ""}
    assert one("DEF NL(N) NAMES(A,b,'c')").attributes["NAMES"] == ("A", "B", "c")
    assert one("DEF NL(N) NAMES()").attributes["NAMES"] == ()
    assert one("ALTER QMGR EXPRYINT(OFF) MAXPROPL(NOLIMIT)").attributes == {"EXPRYINT": 0, "MAXPROPL": -1}
    assert one("DEF PRO(P) APPLTYPE(UNIX) APPLICID('/bin/x')").attributes["APPLTYPE"] == 6
    assert one("DEF QA(A) TARGQ(B)").attributes == one("DEF QA(A) TARGET(B)").attributes == {"TARGET": "B"}
    assert (one("ALT CHL(C) CHLTYPE(SVRCONN) MCAUSER('u')").object, one("DIS CHS(*)").object) == ("CHANNEL", "CHSTATUS")
    assert one("DIS CHL(*) TYPE(SVRCONN)").attributes == {"CHLTYPE": "SVRCONN"}
    command = one("DIS Q(PAY*) TYPE(QLOCAL) CURDEPTH, MAXDEPTH WHERE (CURDEPTH GT 0)")
    assert (command.object, command.name, command.wanted) == ("QUEUE", "PAY*", ("CURDEPTH", "MAXDEPTH"))
    assert (command.where, command.attributes) == (Where("CURDEPTH", "GT", 0), {"QTYPE": "QLOCAL"})
    assert one("DISPLAY QMGR EVENT DESCR").options == {"EVENT": True}
    assert one("DIS NL(*) WHERE(NAMES CT 'X')").where == Where("NAMES", "CT", "X")


@for_each(
    "text",
    pytest.param("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT, INQ, DSP)", marks=ADMIN),
    pytest.param("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('p') AUTHRMV(ALL)", marks=ADMIN),
    pytest.param("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')", marks=ADMIN),
    pytest.param(
        "SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('9.*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED) ACTION(REPLACE)",
        marks=ADMIN,
    ),
    "REFRESH SECURITY",
    "REFRESH SECURITY(*) TYPE(CONNAUTH)",
    "REFRESH CLUSTER(C) REPOS(NO)",
    "SUSPEND QMGR CLUSTER(C)",
    "RESUME QMGR CLUSTER(C)",
    "START LISTENER(L) IGNSTATE(YES)",
    "START LISTENER TRPTYPE(TCP) PORT(1414)",
    pytest.param("BACKUP CFSTRUCT(ONE)", marks=pytest.mark.needs("sharing")),
    pytest.param("CLEAR TOPICSTR('a/b') CLRTYPE(RETAINED)", marks=PUBSUB),
    pytest.param("DISPLAY CONN(*) WHERE(APPLTAG LK 'amq*')", marks=ADMIN),
    "DISPLAY QSTATUS(Q) TYPE(HANDLE) ALL",
    pytest.param("DISPLAY QMSTATUS ALL", marks=ADMIN),
    pytest.param("DISPLAY TPSTATUS('a/#') TYPE(SUB)", marks=PUBSUB),
    pytest.param("DIS CFSTATUS(ONE) TYPE(BACKUP)", marks=pytest.mark.needs("sharing")),
    "DEFINE CHANNEL('+AUTOCL+_+QMNAME+') CHLTYPE(CLUSRCVR) CONNAME(+CONNAME+) CLUSTER('+AUTOCL+')",
    pytest.param("DEFINE SUB('a sub') TOPICSTR('a/b') DEST(Q)", marks=PUBSUB),
    "DELETE CHANNEL(C) IGNSTATE(YES)",
    "DEFINE SERVICE(S) SERVTYPE(SERVER) STARTCMD('/bin/x') STARTARG(+QMNAME+) STOPARG(+MQ_SERVER_PID+)",
    "DEFINE STGCLASS('DEFAULT') PSID(01)",
    "DEFINE PSID(00) BUFFPOOL(0)",
    "ALTER QMGR DEADQ('') FORCE",
    "DISPLAY CHANNEL(*) CHLTYPE(AMQP)",
    "DIS USAGE TYPE(ALL)",
)
def test_real_commands_are_recognised(text):
    one(text)


def test_kinds_platforms_keywords_and_places():
    assert one("DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h(1)')").kind == "CLNTCONN"
    assert one("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)").kind == "CHANNEL"
    noted = parse("DEFINE QLOCAL(Q) INDXTYPE(MSGID)", "distributed")[0]
    assert "INDXTYPE is for zos queue managers" in noted.notes[0]
    assert parse("DEFINE QLOCAL(Q) INDXTYPE(MSGID)", "zos")[0].notes == []
    assert one("ALTER QL(A) CUSTOM('CAPEXPRY(1000)')").attributes == {"CUSTOM": "CAPEXPRY(1000)"}
    assert one("ALTER QL(A) CAPEXPRY(1000) CUSTOM('')").attributes == {"CAPEXPRY": 1000, "CUSTOM": ""}
    commands = parse("* c\nDEF QL(A)\n\nDEF QL(B) +\n REPLACE\nDEF QL(C)")
    assert [(c.number, c.line, c.name) for c in commands] == [(1, 2, "A"), (2, 4, "B"), (3, 6, "C")]


def written(attribute, value):
    if isinstance(value, bool):
        return attribute.keyword if value else f"NO{attribute.keyword}"
    shown = attribute.shown(value)
    return f"{attribute.keyword}('{shown}')" if attribute.shape in ("text", "name") else f"{attribute.keyword}({shown})"


@for_each("platform", ["distributed", "zos"])
@for_each("kind", [kind for kind in catalog.kinds() if kind != "CLNTCONN"])
def test_every_attribute_can_be_written_with_its_default(kind, platform):
    """The shape of dmpmqcfg (with +) and of z/OS MAKEDEF (with - and NOREPLACE before the object)."""
    types = catalog.attributes("CHANNEL")["CHLTYPE"].values if kind == "CHANNEL" else [None]
    for chltype in types:
        known = catalog.attributes(kind, chltype)
        values = catalog.defaults(kind, platform, chltype)
        parts = [written(known[k], v) for k, v in values.items() if known[k].settable and k not in ("CONNAME", "XMITQ")]
        parts += [f"CHLTYPE({chltype})", "CONNAME('h(1)')"] if chltype and "CONNAME" in known else []
        parts += [f"CHLTYPE({chltype})"] if chltype and "CONNAME" not in known else []
        parts += ["XMITQ('X')"] if chltype and "XMITQ" in known else []
        parts += ["AUTHTYPE(IDPWOS)"] if kind == "AUTHINFO" else []
        if not parts:
            continue
        verb, name = ("ALTER", "QMGR") if kind == "QMGR" else ("DEFINE", f"{kind}('X')")
        dump = " +\n   ".join([f"{verb} {name} +\n*  ALTDATE(2025-01-06)", *parts])
        assert one(dump).notes == []
        makedef = " -\n ".join([f"{verb} {'' if kind == 'QMGR' else 'NOREPLACE'} -\n {name}", *parts])
        assert one(makedef).attributes == one(dump).attributes


@for_each("wrong", [None, 5, b"DEFINE QLOCAL(A)", ["DEFINE QLOCAL(A)"]])
def test_only_text_is_mqsc(wrong):
    lab_error("MQSC must be text", parse, wrong)


@for_each("where", [{"platform": "z/OS"}, {"platform": ["zos"]}, {"level": "940"}, {"level": 0}])
def test_no_command_is_of_a_platform_or_a_level_that_no_queue_manager_has(where):
    [name] = where
    wanted = "one of distributed, zos, vse" if name == "platform" else "a command level such as 530 or 940"
    lab_error(f"{name} must be {wanted}; got ", parse, "DEFINE QLOCAL(A)", **where)


plain = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="{}$"), max_size=60)
WORDS = """MAXDEPTH(10)|GET(DISABLED)|NOTRIGGER|SHARE|DEFPRTY(5)|DESCR('it''s a; queue')|MSGDLVSQ(FIFO)|\
BOQNAME('Bo.Q')|CAPEXPRY(NOLIMIT)|TRIGDATA('  x  y')"""
words = st.lists(st.sampled_from(WORDS.split("|")), unique=True, max_size=6)


def fields(command):
    return command.verb, command.object, command.name, command.attributes, command.options, command.refused


@given(plain)
def test_any_text_between_quotes_comes_back(text):
    command = parse("DEFINE QLOCAL(A) DESCR('" + text.replace("'", "''") + "')")[0]
    assert command.refused is None
    assert command.attributes["DESCR"] == text.rstrip(" ")


@given(words, st.data())
def test_a_continuation_may_stand_at_any_blank(parts, data):
    text = " ".join(["DEFINE QLOCAL('Orders')", *parts])
    whole = fields(parse(text)[0])
    blanks = [i for i, c in enumerate(text) if c == " " and text[:i].count("'") % 2 == 0]
    chosen = set(data.draw(st.lists(st.sampled_from(blanks)))) if blanks else set()
    filler = data.draw(st.sampled_from(["", "* remark\n", "\n", "   \n* it's +\n"]))
    split = "".join(f" +\n{filler}   " if i in chosen else c for i, c in enumerate(text))
    assert fields(parse(split)[0]) == whole


@given(words, st.integers(min_value=1, max_value=200), st.sampled_from("+-"))
def test_a_continuation_may_stand_anywhere_else(parts, position, sign):
    text = "DEFINE QLOCAL('Orders') " + " ".join(parts)
    position = min(position, len(text) - 1)
    # what follows a + loses its leading blanks, and what stands before either loses none
    if text[position] == " " or text[position] == "*":
        return
    split = text[:position] + sign + "\n" + text[position:]
    assert fields(parse(split)[0]) == fields(parse(text)[0])


@settings(max_examples=tries(300))
@given(st.text(st.sampled_from("DEFINEQLOCAL()' \"+-*;,\n\t\rx1.%${}<>=/&é"), max_size=120))
def test_no_text_makes_the_parser_fail(text):
    for command in parse(text):
        assert command.refused is None or (command.refused.code.startswith("AMQ8") and command.refused.said)


@given(st.text(st.sampled_from("abcXYZ019./_%"), min_size=1, max_size=48).filter(lambda n: n.count("%") < 2))
def test_every_legal_name_is_taken_as_quoted(name):
    command = parse(f"DEFINE QLOCAL('{name}')")[0]
    assert (command.refused, command.name) == (None, name)


SHAPES = {
    "commands": lambda n: "DEFINE QLOCAL(A) DESCR('it''s') MAXDEPTH(5) +\n  NOTRIGGER\n" * n,
    "continuations": lambda n: "DEFINE QLOCAL(A) DESCR('x') " + "+\n* remark\n" * n + "MAXDEPTH(5)",
    "a long string": lambda n: "DEFINE QLOCAL(A) DESCR('" + "it''s " * n + "')",
    "a quote never closed": lambda n: "DEFINE QLOCAL(A) DESCR('" + "it''s " * n,
    "parentheses never closed": lambda n: "DEFINE QLOCAL(A) NAMES(" + "(a " * n,
    "semicolons": lambda n: "DEFINE QLOCAL(A);" * n,
    "names": lambda n: "DEFINE NAMELIST(A) NAMES(" + "A," * n + ")",
}


@for_each("shape", SHAPES.values())
def test_ten_times_the_text_takes_about_ten_times_the_work(shape):
    parse(shape(1))  # what is loaded and built once
    small, large = (calls_of(partial(parse, shape(n))) for n in (200, 2000))
    assert large < 12 * small
