"""MQSC that must be refused: for each its AMQ number and the essence of what is said; nothing changes."""

import pytest

from helpers import for_each, says

WRONG = [
    # misspelled or misplaced keywords
    ("ALTER QLOCAL(Q) MAXUMSGL(10)", "AMQ8405I", "did you mean MAXMSGL?"),
    ("ALTER QLOCAL(Q) QDEPTHMAXEV(ENABLED)", "AMQ8405I", "did you mean QDPMAXEV?"),
    ("DEFINE CHANNEL(A) CHLTYPE(SDR) CONNNAME('h(1)') XMITQ(X)", "AMQ8405I", "did you mean CONNAME?"),
    ("DEFINE PROCESS(P) APPLID('/bin/x')", "AMQ8405I", "did you mean APPLICID?"),
    ("ALTER QLOCAL(Q) RNAME(X)", "AMQ8405I", "RNAME is a keyword of QREMOTE, not of ALTER QLOCAL"),
    ("ALTER QLOCAL(Q) MAXDEPTH=10", "AMQ8405I", "write MAXDEPTH(10), not MAXDEPTH=10"),
    ("ALTER QLOCAL(Q) TRIGGER(YES)", "AMQ8405I", "write TRIGGER or NOTRIGGER alone"),
    ("ALTER QLOCAL(Q) CURDEPTH(0)", "AMQ8405I", "CURDEPTH is only displayed"),
    ("ALTER QLOCAL(Q) GET", "AMQ8405I", "GET needs a value: wanted one of ENABLED, DISABLED"),
    ("DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(X)", "AMQ8405I", "only for SDR, SVR"),
    # wrong values
    ("ALTER QLOCAL(Q) MAXDEPTH(1000000000)", "AMQ8412E", "a whole number from 0 to 999999999; got 1000000000"),
    ("ALTER QLOCAL(Q) DEFPRTY(10)", "AMQ8412E", "from 0 to 9; got 10"),
    ("ALTER QLOCAL(Q) TRIGDPTH(0)", "AMQ8412E", "from 1 to 999999999; got 0"),
    ("DEFINE NAMELIST(N) NAMES(" + "A," * 257 + ")", "AMQ8412E", "a list of up to 256 names"),
    ("ALTER QLOCAL(Q) MAXDEPTH(lots)", "AMQ8405I", "MAXDEPTH: wanted a whole number"),
    ("ALTER QLOCAL(Q) MAXDEPTH(10,000)", "AMQ8405I", "write a number in digits only: MAXDEPTH(10000)"),
    ("ALTER QLOCAL(Q) GET(DISABLE)", "AMQ8405I", "Did you mean DISABLED?"),
    ("ALTER QLOCAL(Q) DESCR('" + "x" * 65 + "')", "AMQ8413E", "got 65"),
    ("DEFINE SUB(S) TOPICSTR('a') DEST(Q) SUBUSER('" + "x" * 13 + "')", "AMQ8413E", "got 13"),
    ("ALTER QLOCAL(Q) DESCR()", "AMQ8405I", "for a blank value type DESCR(' ')"),
    ("ALTER QLOCAL(Q) BOQNAME('no blanks')", "AMQ8424E", "is not allowed in an MQ name"),
    ("DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME(host(1414)) XMITQ(X)", "AMQ8405I", "CONNAME('host(1414)')"),
    # names
    ("DEFINE QLOCAL('<script>alert(1)</script>')", "AMQ8424E", "is not a legal MQ name"),
    ("DEFINE QLOCAL(<script>alert(1)</script>)", "AMQ8424E", "is not a legal MQ name"),
    ("DEFINE QLOCAL(QUEUE-ONE)", "AMQ8424E", "for example QUEUE.ONE"),
    ("DEFINE QLOCAL(" + "A" * 49 + ")", "AMQ8424E", "at most 48 characters"),
    ("DEFINE CHANNEL(A.CHANNEL.WITH.A.LONG.NAME) CHLTYPE(SVRCONN)", "AMQ8424E", "at most 20 characters"),
    ("DEFINE QLOCAL('')", "AMQ8424E", "got nothing between the parentheses"),
    ("DEFINE QLOCAL()", "AMQ8405I", "needs a name between its parentheses"),
    ("DEFINE QLOCAL ORDERS", "AMQ8405I", "QLOCAL needs a name in parentheses"),
    ("ALTER QMGR(QM1) DEADQ(X)", "AMQ8405I", "QMGR takes no name"),
    # what runmqsc printed
    ("AMQ8408I: Display Queue Manager details.", "AMQ8405I", "AMQ8408I: begins a line that runmqsc printed"),
    ("     1 : DEFINE QLOCAL(A)", "AMQ8405I", "begins a line that runmqsc printed"),
    # what templates leave behind
    ("DEFINE QLOCAL(${QUEUE})", "AMQ8405I", "${QUEUE} is a placeholder"),
    ("DEFINE QLOCAL({{ .Name }})", "AMQ8405I", "{{ .Name }} is a placeholder"),
    ("DEFINE LISTENER(L) TRPTYPE(TCP) IPADDR(%ipaddr%)", "AMQ8405I", "%ipaddr% is a placeholder"),
    ("DEFINE QLOCAL(<queue name>)", "AMQ8405I", "<queue name> is a placeholder"),
    ("ALTER QLOCAL(Q) MAXDEPTH($DEPTH)", "AMQ8405I", "$DEPTH is a placeholder"),
    # comments and shell
    ("-- a comment", "AMQ8405I", "does not start a comment in MQSC"),
    ("/* a comment */", "AMQ8405I", "does not start a comment in MQSC"),
    ("----------\nDEFINE QLOCAL(NEW)", "AMQ8405I", "line 1 ends with + or -, so it was read together with"),
    ("# a comment", "AMQ8405I", "with * as its first character"),
    ("DEFINE QLOCAL(NEW) * for orders", "AMQ8405I", "give a comment a line of its own"),
    ("DEFINE QLOCAL(NEW) for orders", "AMQ8405I", "for is not a keyword of DEFINE QLOCAL"),
    ("runmqsc QM1", "AMQ8405I", "belongs to a shell"),
    # lines that do not join, parentheses and quotes that do not close
    ("  DESCR('x')", "AMQ8405I", "the line before it must end with +"),
    ("DEFINE QLOCAL(NEW) +\nDEFINE QLOCAL(NEWER)", "AMQ8405I", "a new command begins at DEFINE"),
    ("DEFINE QLOCAL(NEW) REPLACE+\nSHARE", "AMQ8405I", "REPLACE and SHARE run together"),
    ("DEFINE QLOCAL(NEW) MAX +\nDEPTH(5)", "AMQ8405I", "MAXDEPTH torn in two"),
    ("DEFINE QLOCAL(NEW) +", "AMQ8406E", "remove the +"),
    ("DEFINE QLOCAL(NEW", "AMQ8405I", "the parenthesis after QLOCAL is never closed"),
    ("DEFINE QLOCAL(NEW MAXDEPTH(5)", "AMQ8405I", "a ) is missing before MAXDEPTH"),
    ("DEFINE QLOCAL(NEW))", "AMQ8405I", "one ) too many"),
    ("DEFINE QLOCAL('NEW)", "AMQ8405I", "is never closed"),
    ("DEFINE QLOCAL(NEW) DESCR('It's mine')", "AMQ8405I", "two '' for an apostrophe"),
    ("DEFINE QLOCAL(NEW) DESCR(''mine'')", "AMQ8405I", "write one ' at each end"),
    ("DEFINE QLOCAL(NEW) 'mine'", "AMQ8405I", "stands outside parentheses"),
    ("DEFINE QLOCAL(NEW) DESCR(\u2018mine\u2019) \u2018", "AMQ8405I", "typographic quote"),
    # verbs and objects
    ("DEL QLOCAL(Q)", "AMQ8405I", "DELETE; it has no short form"),
    ("DEFIEN QLOCAL(NEW)", "AMQ8405I", "did you mean DEFINE?"),
    ("CREATE QLOCAL(NEW)", "AMQ8405I", "did you mean DEFINE?"),
    ("QLOCAL(NEW)", "AMQ8405I", "must precede it"),
    ("DEFINE", "AMQ8405I", "DEFINE of what?"),
    ("DEFINE TRIGMON(T)", "AMQ8405I", "a trigger monitor is a program"),
    ("DEFINE QUEUE(NEW)", "AMQ8405I", "say which kind of queue"),
    ("DEFINE QLOCL(NEW)", "AMQ8405I", "did you mean DEFINE QLOCAL?"),
    ("CLEAR QALIAS(QA)", "AMQ8405I", "CLEAR does not act on QALIAS"),
    # keywords that quarrel or are missing
    ("DEFINE QLOCAL(NEW) REPLACE NOREPLACE", "AMQ8411E", "NOREPLACE is given twice (as REPLACE)"),
    ("DEFINE QLOCAL(NEW) PUT(ENABLED) PUT(DISABLED)", "AMQ8411E", "PUT is given twice"),
    ("DEFINE CHANNEL(A)", "AMQ8421E", "DEFINE CHANNEL needs CHLTYPE"),
    ("DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME('h(1)')", "AMQ8215E", "needs XMITQ"),
    ("DEFINE CHANNEL(A) CHLTYPE(CLNTCONN)", "AMQ8214E", "needs CONNAME"),
    ("DISPLAY QLOCAL(*) CURDEPTH(0)", "AMQ8405I", "WHERE(CURDEPTH EQ value)"),
    ("DISPLAY QLOCAL(*) WHERE(CURDEPTH > 0)", "AMQ8405I", "> is not one of LT, GT"),
    ("DISPLAY QLOCAL(*) WHERE(DEPTH GT 0)", "AMQ8405I", "DEPTH is not a keyword of this DISPLAY"),
    ("DISPLAY QLOCAL(*) WHERE(TRIGGER EQ 1)", "AMQ8569E", "wanted YES or NO; got 1"),
    ("DISPLAY QLOCAL(*) WHERE(TRIGGER GT YES)", "AMQ8569E", "TRIGGER is on or off, which is compared by EQ, NE"),
    ("DISPLAY QLOCAL(*) WHERE(USAGE GT NORMAL)", "AMQ8569E", "USAGE is one of a set of words"),
    ("DISPLAY QLOCAL(*) WHERE(USAGE EQ NORMALL)", "AMQ8569E", "Did you mean NORMAL?"),
    ("DISPLAY QLOCAL(*) WHERE(MAXDEPTH LK 5*)", "AMQ8569E", "MAXDEPTH is a number"),
    ("DISPLAY QLOCAL(*) WHERE(DESCR CT 'x')", "AMQ8569E", "DESCR is text"),
    ("DISPLAY NAMELIST(*) WHERE(NAMES EQ A)", "AMQ8569E", "NAMES is a list, which is compared by CT, EX, CTG, EXG"),
    ("DISPLAY QLOCAL(*) WHERE(DESCR EQ 'x') WHERE(GET EQ ENABLED)", "AMQ8411E", "WHERE is given twice"),
    ("DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0", "AMQ8405I", "the parenthesis after WHERE is never closed."),
    # a filter is one condition of three parts
    ("DIS Q(*) WHERE(MAXDEPTH GT 1 AND CURDEPTH GT 5)", "AMQ8405I", "WHERE(MAXDEPTH GT 1 AND"),
    ("DIS Q(*) WHERE(MAXDEPTH GT 1 BANANA)", "AMQ8405I", "WHERE(MAXDEPTH GT 1 BANANA"),
    ("DIS Q(*) WHERE(MAXDEPTH GT)", "AMQ8405I", "one condition"),
    ("DIS Q(*) WHERE()", "AMQ8405I", "got nothing"),
    ("DIS Q(*) WHERE(DESCR EQ two words)", "AMQ8405I", "must be in quotes"),
    ("DIS CHL(*) WHERE(CONNAME EQ host(1414))", "AMQ8405I", "must be in quotes"),
    ("DIS QS(*) WHERE(CURDEPTH GT 1 OR IPPROCS GT 1)", "AMQ8405I", "one condition"),
    ("DIS QS(*) WHERE(CURDEPTH LK '1*')", "AMQ8569E", "CURDEPTH is a number"),
    ("DIS Q(*) WHERE(DESCR LK '*x*')", "AMQ8569E", "of a generic value must be at its end"),
    ("DIS Q(*) WHERE(TRIGGER EQ NOTRIGGER)", "AMQ8569E", "wanted YES or NO"),
    ("DIS Q(*) WHERE(QDPHIEV EQ ENABLED)", "AMQ8569E", "QDPHIEV cannot be compared"),
    ("DIS Q(*) WHERE(ALL EQ YES)", "AMQ8569E", "ALL cannot be compared"),
    ("DIS Q(*) CLUSTER(C*) WHERE(CLUSTER EQ C1)", "AMQ8569E", "CLUSTER(C*) chooses already"),
    ("DIS QMGR WHERE(DEADQ EQ Q)", "AMQ8405I", "WHERE goes with DISPLAY"),
    ("DIS Q(*) SUMMARY", "AMQ8405I", "SUMMARY goes with DISPLAY SUB"),
    # what does not exist cannot be started
    ("START LISTENER(NOPE)", "AMQ8147E", "IBM MQ object NOPE not found."),
    ("STOP SERVICE(NOPE)", "AMQ8147E", "no SERVICE has this name"),
    # words that go with other commands
    ("ALTER QLOCAL(Q) LIKE(FULL)", "AMQ8405I", "LIKE goes with DEFINE; not with ALTER QLOCAL"),
    ("ALTER QLOCAL(Q) REPLACE", "AMQ8405I", "REPLACE goes with DEFINE"),
    ("ALTER QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE) FORCE", "AMQ8405I", "ALTER QLOCAL, ALTER QALIAS, ALTER QREMOTE"),
    ("DELETE QALIAS(QA) PURGE", "AMQ8405I", "PURGE goes with DELETE QLOCAL; not with DELETE QALIAS"),
    ("DEFINE QLOCAL(NEW) WHERE(GET EQ ENABLED)", "AMQ8405I", "WHERE goes with DISPLAY"),
    # what SET, RESET, RESOLVE and DEFINE TOPIC cannot do without
    ("SET AUTHREC PROFILE(Q) PRINCIPAL('x') AUTHADD(ALL)", "AMQ8421E", "SET AUTHREC needs OBJTYPE: one of"),
    ("SET AUTHREC OBJTYPE(QMGR) AUTHADD(ALL)", "AMQ8421E", "needs PRINCIPAL or GROUP"),
    ("SET CHLAUTH('*') USERLIST('x')", "AMQ8421E", "SET CHLAUTH needs TYPE"),
    ("SET CHLAUTH('*') TYPE(ADDRESSMAP) USERSRC(NOACCESS)", "AMQ8421E", "TYPE(ADDRESSMAP) needs ADDRESS"),
    ("SET CHLAUTH('*') TYPE(BLOCKUSER)", "AMQ8421E", "TYPE(BLOCKUSER) needs USERLIST"),
    ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) SSLCIPH(BOGUS)", "AMQ8242E", "no CipherSpec is called BOGUS"),
    ("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS14)", "AMQ8242E", "did you mean ANY_TLS"),
    ("RESET CLUSTER(C) ACTION(FORCEREMOVE)", "AMQ8421E", "RESET CLUSTER needs QMNAME or QMID"),
    ("RESOLVE CHANNEL(C)", "AMQ8421E", "RESOLVE CHANNEL needs ACTION: one of COMMIT, BACKOUT"),
    ("DEFINE TOPIC(T) CAPEXPRY(5)", "AMQ8421E", "DEFINE TOPIC needs TOPICSTR"),
    ("ALTER TOPIC(SYSTEM.BASE.TOPIC) TOPICSTR('a')", "AMQ8405I", "TOPICSTR is fixed when the object is defined"),
    # what the queue manager itself refuses
    ("DEFINE QLOCAL(Q)", "AMQ8150E", "exists already"),
    ("DEFINE QLOCAL(QA)", "AMQ8151E", "QA is a QALIAS already"),
    ("ALTER QLOCAL(NOWHERE) GET(DISABLED)", "AMQ8147E", "NOWHERE"),
    ("DELETE QLOCAL(NOWHERE)", "AMQ8147E", "NOWHERE"),
    ("DELETE QLOCAL(FULL)", "AMQ8143E", "CURDEPTH is 1"),
    ("DELETE QLOCAL(QA)", "AMQ8151E", "QA is a QALIAS"),
    ("DEFINE QLOCAL(NEW) LIKE(NOWHERE)", "AMQ8147E", "NOWHERE"),
    ("DISPLAY QLOCAL(NOWHERE)", "AMQ8147E", "IBM MQ object NOWHERE not found."),
    ("DISPLAY QUEUE(Q) WHERE(MAXDEPTH LT 1)", "AMQ8147E", "is left by what the command asks for"),
    ("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SDR) SHORTRTY(1)", "AMQ8151E", "is a channel of type SVRCONN"),
]


ROOMS = {"pubsub": {"SUB(S)", "TOPIC(T)", "TOPIC(SYSTEM.BASE.TOPIC)", "SUMMARY"}, "admin": {"AUTHREC", "CHLAUTH('*')"}}
"""Extras -> words of the lines that are about their objects."""


def cases():
    """The lines, each with the room whose objects it is about, if it is an extra's."""
    for row in WRONG:
        words = {*row[0].split()}
        needs = [pytest.mark.needs(room) for room, theirs in ROOMS.items() if theirs & words]
        yield pytest.param(*row, marks=needs)


@pytest.fixture
def defined(qm):
    """QM1 with a queue, an alias of it, and a queue with a message."""
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE QALIAS(QA) TARGET(Q)\nDEFINE QLOCAL(FULL)").require()
    qm.put("FULL", b"x")
    return qm


@for_each("text, code, essence", cases())
def test_refused_and_nothing_changed(defined, state, text, code, essence):
    before = state(defined)
    reply = defined.mqsc(text)
    refused = [answer for answer in reply.replies if not answer.ok]
    assert not reply.ok
    assert refused[0].code == code, refused[0].text
    assert essence in refused[0].text, refused[0].text
    assert state(defined) == before


def test_the_commands_after_a_wrong_one_are_run(qm):
    reply = qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCL(B)\nDEFINE QLOCAL(C)\nDEFINE QLOCAL(A)")
    assert [answer.ok for answer in reply.replies] == [True, False, True, False]
    assert reply.summary().splitlines() == [
        "4 MQSC commands read.",
        "One command has a syntax error.",
        "One valid MQSC command could not be processed.",
    ]
    assert qm.objects.get("QLOCAL", "C") is not None


def test_a_refusal_names_the_line_it_happened_on(qm):
    reply = qm.mqsc("* a\nDEFINE QLOCAL(A) +\n  MAXDEPTH(5) +\n\n  MAXDEPHT(6)")
    says(reply.replies[0].text, "line 5: MAXDEPHT", "DEFINE QLOCAL(A) MAXDEPTH(5) MAXDEPHT")
    assert reply.replies[0].line == 2
