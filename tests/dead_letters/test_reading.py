"""The rules table: what its syntax says, what its patterns match, and which tables are refused."""

from helpers import for_each, lab_error, refusal
from mqlab import LabError
from mqlab.dead_letters import read_table

PLAIN = dict.fromkeys(["APPLIDAT", "APPLNAME", "DESTQ", "DESTQM", "FORMAT", "REPLYQ", "REPLYQM", "USERID"], "")
PLAIN |= {"APPLTYPE": 0, "FEEDBACK": 0, "MSGTYPE": 8, "PERSIST": 0, "REASON": 2053}


def test_a_whole_table():
    table = read_table("""
* who and how often
inputqm(' ') INPUTQ(DEAD.LETTERS), retryint(30) +
   wait (no)

REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)
DESTQM(bbbb.1) +
   action(fwd) fwdq(&DESTQ) fwdqm(bbbb.2) header(no) putaut(ctx)
* the rest
ACTION (DISCARD)
""")
    assert table.control == ("DEAD.LETTERS", "", 30, 0)
    retry, forward, discard = table.rules
    assert (retry.line, retry.action, retry.numbers, retry.retry) == (6, "RETRY", {"REASON": 2053}, 5)
    assert (forward.line, forward.queue, forward.qmgr, forward.header) == (7, "&DESTQ", "BBBB.2", False)
    assert forward.authority == "CTX"
    assert forward.matches(PLAIN | {"DESTQM": "BBBB.1"})
    assert not forward.matches(PLAIN | {"DESTQM": "bbbb.1"})
    assert (discard.line, discard.action, discard.retry) == (10, "DISCARD", 1)


def test_a_table_is_text_and_has_defaults():
    table = read_table("ACTION(FWD) FWDQ(Q)")
    assert table.control == ("", "", 60, -1)
    [rule] = table.rules
    assert (rule.retry, rule.qmgr, rule.header, rule.authority) == (1, "", True, "DEF")
    assert rule.matches(PLAIN)
    lab_error("text", read_table, b"ACTION(RETRY)")


@for_each(
    "written, said, matches",
    ("DESTQ(PAY.*)", {"DESTQ": "PAY.ROLL"}, True),
    ("DESTQ(PAY.*)", {"DESTQ": "PAYROLL"}, False),
    ("DESTQ(PAY.*)", {"DESTQ": "PAY."}, True),
    ("DESTQ(PAY.?)", {"DESTQ": "PAY.A"}, True),
    ("DESTQ(PAY.?)", {"DESTQ": "PAY."}, False),
    ("DESTQ(*)", {"DESTQ": ""}, True),
    ("DESTQ(pay)", {"DESTQ": "PAY"}, True),
    ("DESTQ('pay')", {"DESTQ": "PAY"}, False),
    ("DESTQM(QM?)", {"DESTQM": "QM1"}, True),
    ("REPLYQ(?*)", {"REPLYQ": ""}, False),
    ("REPLYQ(?*)", {"REPLYQ": "R"}, True),
    ("REPLYQ(' ')", {"REPLYQ": ""}, True),
    ("REPLYQM(*1)", {"REPLYQM": "QM1"}, True),
    ("APPLNAME('my app*')", {"APPLNAME": "my application   "}, True),
    ("APPLNAME('ABC+\n  D')", {"APPLNAME": "ABCD"}, True),
    ("APPLNAME('ABC-\n  D')", {"APPLNAME": "ABC  D"}, True),
    ("APPLNAME('it''s')", {"APPLNAME": "it's"}, True),
    ("APPLIDAT(' X')", {"APPLIDAT": "X"}, False),
    ("APPLTYPE(MQAT_QMGR)", {"APPLTYPE": 7}, True),
    ("APPLTYPE('*')", {"APPLTYPE": 7}, True),
    ("FEEDBACK(MQFB_COA)", {"FEEDBACK": 259}, True),
    ("FORMAT(MQFMT_STRING)", {"FORMAT": "MQSTR"}, True),
    ("FORMAT(MQFMT_NONE)", {"FORMAT": ""}, True),
    ("FORMAT(MQ*)", {"FORMAT": "MQSTR"}, True),
    ("MSGTYPE(MQMT_REQUEST)", {"MSGTYPE": 1}, True),
    ("MSGTYPE(2)", {"MSGTYPE": 1}, False),
    ("PERSIST(MQPER_PERSISTENT)", {"PERSIST": 1}, True),
    ("REASON(2051)", {"REASON": 2051}, True),
    ("REASON(MQFB_APPL_CANNOT_BE_STARTED)", {"REASON": 265}, True),
    ("USERID('user1')", {"USERID": "user1"}, True),
    ("REASON(2051) DESTQ(A)", {"REASON": 2051, "DESTQ": "B"}, False),
)
def test_what_a_pattern_matches(written, said, matches):
    [rule] = read_table(f"{written} ACTION(IGNORE)").rules
    assert rule.matches(PLAIN | said) is matches


@for_each(
    "text, said",
    ("", "line 1: wanted at least one rule"),
    ("* nothing\n", "at least one rule"),
    ("INPUTQ(Q)", "at least one rule"),
    ("REASON(2053)", "line 1: wanted ACTION(RETRY|FWD|DISCARD|IGNORE) in every rule"),
    ("\n\nACTION(MOVE)", "line 3: wanted ACTION(RETRY|FWD|DISCARD|IGNORE); got ACTION(MOVE)"),
    ("ACTION(FWD)", "FWDQ(queue|&DESTQ|&REPLYQ)"),
    ("ACTION(FWD) FWDQ(' ')", "FWDQ(a name without wildcards|&DESTQ|&REPLYQ); got FWDQ( )"),
    ("ACTION(FWD) FWDQ(A*)", "a name without wildcards"),
    ("ACTION(FWD) FWDQ(A) FWDQM(&DESTQ)", "FWDQM(a name without wildcards|&DESTQM|&REPLYQM|' ')"),
    ("ACTION(FWD) FWDQ(A) HEADER(MAYBE)", "HEADER(YES|NO); got HEADER(MAYBE)"),
    ("ACTION(RETRY) HEADER(NO)", "HEADER beside ACTION(FWD) only; got ACTION(RETRY)"),
    ("ACTION(DISCARD) FWDQ(A)", "FWDQ beside ACTION(FWD) only"),
    ("ACTION(RETRY) RETRY(0)", "RETRY(1 to 999999999); got RETRY(0)"),
    ("ACTION(RETRY) RETRY(*)", "RETRY(1 to 999999999)"),
    ("ACTION(RETRY) PUTAUT(ME)", "PUTAUT(DEF|CTX)"),
    ("ACTION(RETRY)\nREASON(MQRC_Q_FUL) ACTION(RETRY)", "line 2: wanted REASON(0 to 999999999, or a name such as"),
    ("REASON('20*') ACTION(RETRY)", "REASON(0 to 999999999, or a name"),
    ("MSGTYPE(-1) ACTION(RETRY)", "MSGTYPE('-1'), quoted"),
    ("REASON(1000000000) ACTION(RETRY)", "0 to 999999999"),
    ("REASN(2053) ACTION(RETRY)", "wanted a keyword (REASON?); got REASN"),
    ("'REASON'(2053) ACTION(RETRY)", "wanted a keyword"),
    ("DESTQ(A) DESTQ(B) ACTION(RETRY)", "DESTQ once"),
    ("FORMAT() ACTION(RETRY)", "FORMAT(value), one value of at least one character"),
    ("FORMAT('') ACTION(RETRY)", "at least one character"),
    ("FORMAT( ) ACTION(RETRY)", "at least one character"),
    ("FORMAT ACTION(RETRY)", "FORMAT(value)"),
    ("FORMAT(A B) ACTION(RETRY)", "FORMAT(value), one value"),
    ("FORMAT(ABC ACTION(RETRY)", "FORMAT(value), one value"),
    ("FORMAT('ABC) ACTION(RETRY)", "FORMAT(value), one value"),
    ("FORMAT(ABCDEFGHI) ACTION(RETRY)", "FORMAT(up to 8 characters, asterisks not counted)"),
    ("APPLNAME(a-b) ACTION(RETRY)", "APPLNAME('a-b'), quoted; got APPLNAME(a-b)"),
    ("ACTION(RETRY) +\n", "a line after the +"),
    ("ACTION(RETRY); ACTION(IGNORE)", "each rule on a new line"),
    ("ACTION(RETRY)\nEND\nACTION(IGNORE)", "line 2: wanted a rule or the end of the table; got END"),
    ("ACTION(RETRY)\nWAIT(NO)", "line 2: wanted WAIT in the first entry"),
    ("WAIT(NO) ACTION(RETRY)", "WAIT in the first entry, with control data only"),
    ("WAIT(SOON)\nACTION(RETRY)", "WAIT(YES|NO|seconds); got WAIT(SOON)"),
    ("RETRYINT(0)\nACTION(RETRY)", "RETRYINT(1 to 999999999)"),
    ("INPUTQ(A*)\nACTION(RETRY)", "INPUTQ(a name without wildcards|' ')"),
    ("REASON(2053) +\n  DESTQ(A) +\n  ACTION(MOVE)", "line 3: wanted ACTION(RETRY"),
)
def test_a_bad_table_is_refused_with_its_line_and_what_was_wanted(text, said):
    refused = refusal(LabError, "", read_table, text)
    assert said in str(refused)
    assert str(refused).startswith("dead-letter rules table, line ")


@for_each("written", "'ABCDEFGH'", "'A*C*E*G*I'", "'*A*C*E*G*I*K*M*O*'", "ABC")
def test_asterisks_do_not_count_towards_the_length_of_a_field(written):
    assert read_table(f"FORMAT({written}) ACTION(IGNORE)").rules[0].texts["FORMAT"]
