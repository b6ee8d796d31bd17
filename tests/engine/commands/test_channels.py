"""Channels as an operator sees and works them: START, STOP, RESET, RESOLVE, PING, CHINIT, DISPLAY CHSTATUS."""

import pytest

from helpers import assert_refused, cases, for_each, made

NORTH = """
    DEFINE QLOCAL(SOUTH) USAGE(XMITQ)
    DEFINE QREMOTE(OUT) RNAME(IN) RQMNAME(SOUTH)
    DEFINE CHANNEL(N.S) CHLTYPE(SDR) CONNAME('south(1414)') XMITQ(SOUTH)
"""
SOUTH = "DEFINE QLOCAL(IN)\nDEFINE CHANNEL(N.S) CHLTYPE(RCVR)"


@pytest.fixture
def pair(lab):
    """NORTH and SOUTH, half a second apart, with a channel N.S that has not been started."""
    both = made(NORTH, "NORTH", of=lab), made(SOUTH, "SOUTH", of=lab)
    lab.link("NORTH", "SOUTH", latency=0.5)
    return both


def status(qmgr, text="DISPLAY CHSTATUS(*)"):
    """STATUS of each row, or the code of the refusal."""
    (answer,) = qmgr.mqsc(text).replies
    return [row["STATUS"] for row in answer.rows] if answer.ok else answer.code


def code(qmgr, text):
    return qmgr.mqsc(text).replies[0].code


@pytest.fixture
def north(pair):
    """NORTH of the pair."""
    return pair[0]


@pytest.fixture
def running(lab, north):
    """NORTH of the pair, whose channel runs."""
    north.mqsc("START CHANNEL(N.S)").require()
    lab.advance(2)
    return north


@pytest.fixture
def types(lab, pair):
    """NORTH of the pair, with a channel of each type."""
    lab.queue_manager("WEST")
    pair[1].mqsc("DEFINE CHANNEL(WRONG) CHLTYPE(SDR) CONNAME('north') XMITQ(NORTH)").require()
    pair[0].mqsc("""
        DEFINE CHANNEL(SERVER) CHLTYPE(SVR) XMITQ(SOUTH)
        DEFINE CHANNEL(CLIENT) CHLTYPE(CLNTCONN) CONNAME('x')
        DEFINE CHANNEL(WEB) CHLTYPE(SVRCONN)
        DEFINE CHANNEL(BACK) CHLTYPE(RCVR)
        DEFINE CHANNEL(LOST) CHLTYPE(SDR) CONNAME('west') XMITQ(SOUTH)
        DEFINE CHANNEL(ALONE) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH)
        DEFINE CHANNEL(WRONG) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH)
        """).require()
    lab.run()
    return pair[0]


def in_doubt(lab, north):
    """Let a batch of three be sent, and cut the path before its end is confirmed."""
    for body in (b"1", b"2", b"3"):
        north.put("OUT", body, persistent=True)
    assert north.mqsc("START CHANNEL(N.S)").ok
    while not north.mqsc("DISPLAY CHSTATUS(N.S) WHERE(INDOUBT EQ YES)").ok:
        lab.advance(0.1)
    lab.cut("NORTH", "SOUTH")


# ---------------------------------------------------------------- states
@pytest.mark.rule("CHL-08")
def test_a_channel_seen_through_its_life(lab, pair):
    north, south = pair
    assert (status(north), status(south)) == ("AMQ8420I", "AMQ8420I")
    assert code(north, "START CHANNEL(N.S)") == "AMQ8018I"
    assert status(north) == ["INITIALIZING"]
    seen = []
    for _ in range(12):
        lab.advance(0.1)
        seen += [now for now in status(north) if now not in seen]
    assert (seen, status(north), status(south)) == (["BINDING", "RUNNING"], ["RUNNING"], ["RUNNING"])
    assert code(north, "STOP CHANNEL(N.S)") == "AMQ8019I"
    lab.advance(1)
    assert (status(north), status(south)) == (["STOPPED"], "AMQ8420I")
    assert code(north, "START CHANNEL(N.S)") == "AMQ8018I"
    lab.advance(2)
    lab.cut("NORTH", "SOUTH")
    lab.advance(1)
    assert (status(north), status(south)) == (["RETRYING"], "AMQ8420I")
    assert code(north, "STOP CHANNEL(N.S)") == "AMQ8019I"
    assert status(north) == ["STOPPED"]


def test_a_running_channel_as_runmqsc_shows_it_with_the_columns_asked_for_and_says_what_is_not_kept(pair, running):
    assert running.mqsc("DISPLAY CHSTATUS(N.S)").replies[0].text == (
        "AMQ8417I: Display Channel Status details.\n"
        "   CHANNEL(N.S)                            CHLTYPE(SDR)\n"
        "   CONNAME(south(1414))                    CURRENT\n"
        "   RQMNAME(SOUTH)                          STATUS(RUNNING)\n"
        "   SUBSTATE(MQGET)                         XMITQ(SOUTH)"
    )
    (row,) = pair[1].mqsc("DISPLAY CHSTATUS(N.S)").rows
    names = {"CHANNEL": "N.S", "CHLTYPE": "RCVR", "CONNAME": "NORTH", "RQMNAME": "NORTH"}
    assert row == {**names, "CURRENT": True, "STATUS": "RUNNING", "SUBSTATE": "RECEIVE"}
    (answer,) = running.mqsc("DISPLAY CHSTATUS(N.S) MSGS XQMSGSA JOBNAME").replies
    assert list(answer.rows[0])[-6:] == ["JOBNAME", "MSGS", "RQMNAME", "STATUS", "SUBSTATE", "XMITQ"]
    assert answer.text.splitlines()[-2:] == [
        "mqlab: the lab has no XQMSGSA to show here.",
        "mqlab: the lab does not measure every JOBNAME; those are blank.",
    ]
    assert {"MSGS", "LSTMSGTI", "MONCHL"} <= set(running.mqsc("DISPLAY CHSTATUS(N.S) MONITOR").rows[0])


def test_all_there_is_to_know(lab, pair, north, running):
    for persistent in (True, False, True):
        north.put("OUT", b"x" * 10, persistent=persistent)
    lab.advance(3)
    (sender,), (receiver,) = (qmgr.mqsc("DISPLAY CHSTATUS(N.S) ALL").rows for qmgr in pair)
    both = """MSGS(3) CURSEQNO(2) LSTSEQNO(2) CURMSGS(0) INDOUBT(NO) BATCHSZ(50) HBINT(300) RVERSION(09040000)
        COMPHDR(NONE,NONE) RPRODUCT(MQMM) NPMSPEED(FAST) MCASTAT(RUNNING) MONCHL(OFF) LSTMSGDA(2025-01-06)
        STOPREQ(NO)"""
    own = "SHORTRTS(10) LONGRTS(999999999) CHSTADA(2025-01-06) CHSTATI(09.00.00) BYTSSENT(1314)"
    assert {*both.split(), *own.split()} <= {f"{keyword}({value})" for keyword, value in sender.items()}
    assert {*both.split(), "BYTSRCVD(1314)"} <= {f"{keyword}({value})" for keyword, value in receiver.items()}
    assert not {"SHORTRTS", "XMITQ", "MAXMSGL"} & set(receiver)
    assert (sender["BYTSRCVD"], receiver["BYTSSENT"], sender["BUFSSENT"]) == ("", "", "")
    assert " ".join(sender) == (
        "CHANNEL CHLTYPE BATCHES BATCHSZ BUFSRCVD BUFSSENT BYTSRCVD BYTSSENT CHSTADA CHSTATI COMPHDR COMPMSG COMPRATE "
        "COMPTIME CONNAME CURLUWID CURMSGS CURRENT CURSEQNO EXITTIME HBINT INDOUBT JOBNAME LOCLADDR LONGRTS LSTLUWID "
        "LSTMSGDA LSTMSGTI LSTSEQNO MCASTAT MONCHL MSGS NETTIME NPMSPEED RQMNAME SHORTRTS SECPROT SSLCERTI SSLCIPH "
        "SSLKEYDA SSLKEYTI SSLPEER SSLRKEYS STATUS STOPREQ SUBSTATE XBATCHSZ XMITQ XQTIME RVERSION RPRODUCT"
    )
    assert sender["LSTLUWID"] == receiver["LSTLUWID"] == sender["CURLUWID"]
    saved = [qmgr.mqsc("DISPLAY CHSTATUS(*) SAVED").rows[0] for qmgr in pair]
    for row, now in zip(saved, (sender, receiver), strict=True):
        assert row.pop("SAVED")
        assert row.items() <= now.items()
    assert {"CURLUWID", "CURMSGS", "CURSEQNO", "INDOUBT", "LSTLUWID", "LSTSEQNO"} <= set(saved[0])
    assert "MSGS" not in saved[0]
    assert north.mqsc("STOP CHANNEL(N.S) STATUS(INACTIVE)").ok
    lab.advance(2)
    assert status(north) == "AMQ8420I"
    assert status(north, "DISPLAY CHSTATUS(N.S) SAVED ALL") == ["INACTIVE"]


@for_each(
    "text, found",
    ("DISPLAY CHSTATUS(N*)", True),
    ("DIS CHS(*) CURRENT", True),
    ("DISPLAY CHSTATUS(S*)", False),
    ("DISPLAY CHSTATUS(*) WHERE(STATUS EQ RUNNING)", True),
    ("DISPLAY CHSTATUS(*) WHERE(MSGS LT 5) MSGS", True),
    ("DISPLAY CHSTATUS(*) WHERE(XMITQ LK S*)", True),
    ("DISPLAY CHSTATUS(*) CONNAME('south(1414)')", True),
    ("DISPLAY CHSTATUS(*) CONNAME('west(1)')", False),
    ("DISPLAY CHSTATUS(*) XMITQ(SOUTH) MONITOR", True),
    ("DISPLAY CHSTATUS(*) XMITQ(WEST)", False),
    ("DISPLAY CHSTATUS(N.S) SAVED", False),
)
def test_which_channels_are_shown(running, text, found):
    assert status(running, text) == (["RUNNING"] if found else "AMQ8420I")


@for_each(
    "text, refusal, essence",
    ("DISPLAY CHSTATUS", "AMQ8405I", "needs a name"),
    ("DISPLAY CHSTATUS(N.S) MSGS(3)", "AMQ8405I", "WHERE(MSGS EQ value)"),
    ("DISPLAY CHSTATUS(N.S) CURRENT SAVED", "AMQ8405I", "one of CURRENT, SAVED and SHORT"),
    ("DISPLAY CHSTATUS(N.S) SHORT", "AMQ8405I", "SHORT is for z/OS"),
    ("DISPLAY CHSTATUS(N.S) WHERE(NETTIME GT 5)", "AMQ8569E", "NETTIME cannot be compared"),
    ("DISPLAY CHSTATUS(N.S) SAVED WHERE(MSGS GT 5)", "AMQ8420I", "has saved a status"),
    ("DISPLAY CHSTATUS(N.S) WHERE(COLOUR EQ RED)", "AMQ8405I", "COLOUR"),
    ("START CHANNEL(N.T)", "AMQ8227E", "did you mean N.S?"),
    ("STOP CHANNEL(NOPE)", "AMQ8227E", "no channel has this name"),
    ("START CHANNEL(N*)", "AMQ8424E", "*"),
    ("START CHANNEL", "AMQ8405I", "needs a name"),
    ("RESOLVE CHANNEL(N.S)", "AMQ8421E", "needs ACTION: one of COMMIT, BACKOUT"),
    ("RESOLVE CHANNEL(N.S) ACTION(FORGET)", "AMQ8405I", "COMMIT"),
    ("RESOLVE CHANNEL(N.S) ACTION(COMMIT)", "AMQ8000E", "not in doubt"),
    ("RESET CHANNEL(N.S) SEQNUM(0)", "AMQ8412E", "1 to 999999999"),
    ("RESET CHANNEL(N.S) SEQNUM(1000000000)", "AMQ8412E", "999999999"),
    ("STOP CHANNEL(N.S) MODE(NOW)", "AMQ8405I", "QUIESCE"),
    ("STOP CHANNEL(N.S) STATUS(RUNNING)", "AMQ8405I", "STOPPED"),
    ("START CHANNEL(SERVER)", "AMQ9502E", "its requester starts it"),
    ("START CHANNEL(CLIENT)", "AMQ9502E", "type CLNTCONN"),
    ("PING CHANNEL(WEB)", "AMQ9502E", "SDR, SVR, CLUSSDR"),
    ("RESET CHANNEL(WEB)", "AMQ9502E", "type SVRCONN"),
    ("RESOLVE CHANNEL(BACK) ACTION(BACKOUT)", "AMQ9502E", "type RCVR"),
    ("PING CHANNEL(LOST)", "AMQ9202E", "not available"),
    ("PING CHANNEL(ALONE)", "AMQ9520E", "not defined at SOUTH"),
    ("PING CHANNEL(WRONG)", "AMQ9502E", "WRONG is a SDR at SOUTH"),
    ("START CHINIT", "AMQ8000E", "runs already"),
    ("DEFINE CHANNEL(N.S) CHLTYPE(RCVR) REPLACE", "AMQ8151E", "channel of type SDR"),
    ("DEFINE CHANNEL(NEW) CHLTYPE(RCVR) LIKE(N.S)", "AMQ8152E", "it is a SDR"),
    ("ALTER CHANNEL(N.S) CHLTYPE(SVR) DISCINT(5)", "AMQ8151E", "channel of type SDR"),
    ("ALTER CHANNEL(N.S) CHLTYPE(SDR) MRRTY(5)", "AMQ8405I", "RCVR"),
)
def test_what_is_refused_and_that_it_changed_nothing(lab, types, state, text, refusal, essence):
    before = state(types)
    assert_refused(types, text, refusal, essence)
    lab.advance(5)
    assert state(types) == before
    assert status(types) == "AMQ8420I"


# ---------------------------------------------------------------- starting and stopping
@for_each("command", "START", "PING", "RESET", "RESOLVE ACTION(COMMIT)")
def test_what_a_running_channel_does_not_allow(lab, running, command):
    before = len(lab.events)
    verb, _, action = command.partition(" ")
    assert_refused(running, f"{verb} CHANNEL(N.S) {action}", "AMQ9514E", "Channel 'N.S' is in use.")
    lab.advance(1)
    assert (len(lab.events), status(running)) == (before, ["RUNNING"])


def test_starting_what_runs_is_no_error_where_the_state_is_ignored(lab, north):
    assert code(north, "START CHANNEL(N.S) IGNSTATE(YES)") == "AMQ8018I"
    assert code(north, "START CHANNEL(N.S) IGNSTATE(YES)") == "AMQ8018I"
    assert code(north, "STOP CHANNEL(N.S) IGNSTATE(YES)") == "AMQ8019I"
    lab.advance(3)
    assert code(north, "STOP CHANNEL(N.S) IGNSTATE(YES)") == "AMQ8019I"


@cases(
    "text, after", ("STOP CHANNEL(N.S)", ["STOPPED"]), ("STOP CHANNEL(N.S) MODE(FORCE) STATUS(INACTIVE)", "AMQ8420I")
)
def test_stopping_what_is_not_active_is_told_and_done(lab, north, text, after):
    (answer,) = north.mqsc(text).replies
    assert (answer.ok, answer.text) == (True, "AMQ9533W: Channel 'N.S' is not currently active.")
    assert status(north) == after


def test_a_receiver_that_is_stopped_before_a_call_is_not_called_until_it_is_started(lab, pair):
    north, south = pair
    assert south.mqsc("STOP CHANNEL(N.S)").ok
    assert status(south) == ["STOPPED"]
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(5)
    assert (status(north), status(south)) == (["RETRYING"], ["STOPPED"])
    assert code(south, "START CHANNEL(N.S)") == "AMQ8018I"
    assert status(south) == "AMQ8420I"
    lab.advance(65)
    assert (status(north), status(south)) == (["RUNNING"], ["RUNNING"])


def test_each_address_of_a_conname_is_tried_in_turn(lab, north):
    lab.queue_manager("WEST")
    lab.link("NORTH", "WEST")
    lab.cut("NORTH", "WEST")
    assert north.mqsc("ALTER CHANNEL(N.S) CHLTYPE(SDR) CONNAME('west(1),nowhere(2),south.example(3)')").ok
    lab.address("south.example(3)", "SOUTH")
    assert code(north, "PING CHANNEL(N.S)") == "AMQ8020I"
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(2)
    assert north.mqsc("DISPLAY CHSTATUS(N.S)").rows[0]["RQMNAME"] == "SOUTH"


def test_ping_finds_the_partner_or_says_that_it_is_not_there(lab, pair):
    north, south = pair
    lab.cut("NORTH", "SOUTH")
    assert code(north, "PING CHANNEL(N.S)") == "AMQ9202E"
    lab.restore("NORTH", "SOUTH")
    assert code(north, "PING CHANNEL(N.S) DATALEN(64)") == "AMQ8020I"
    assert status(north) == "AMQ8420I"
    south.stop()
    assert code(north, "PING CHANNEL(N.S)") == "AMQ9202E"


# ---------------------------------------------------------------- in doubt
@pytest.mark.rule("CHL-13")
@pytest.mark.parametrize(("action", "left"), [("COMMIT", 0), ("BACKOUT", 3)])
def test_a_batch_in_doubt_is_resolved_by_hand(lab, north, action, left):
    in_doubt(lab, north)
    assert code(north, f"RESOLVE CHANNEL(N.S) ACTION({action})") == "AMQ9514E"
    assert north.mqsc("STOP CHANNEL(N.S)").ok
    lab.advance(1)
    (row,) = north.mqsc("DISPLAY CHSTATUS(N.S) ALL").rows
    assert {"STATUS": "STOPPED", "INDOUBT": "YES", "CURMSGS": 3, "CURSEQNO": 3, "LSTSEQNO": 0}.items() <= row.items()
    assert row["CURLUWID"] != row["LSTLUWID"]
    for text, refusal in (("RESET CHANNEL(N.S)", "AMQ9507E"), ("DELETE CHANNEL(N.S)", "AMQ9514E")):
        assert code(north, text) == refusal
        assert north.mqsc("DISPLAY CHSTATUS(N.S) ALL").rows == [row]
    assert code(north, f"RESOLVE CHANNEL(N.S) ACTION({action})") == "AMQ8025I"
    (row,) = north.mqsc("DISPLAY CHSTATUS(N.S) ALL").rows
    assert {"INDOUBT": "NO", "CURMSGS": 0, "LSTSEQNO": 0 if left else 3}.items() <= row.items()
    status_of_queue = north.mqsc("DISPLAY QSTATUS(SOUTH) CURDEPTH UNCOM").rows[0]
    assert (status_of_queue["CURDEPTH"], status_of_queue["UNCOM"]) == (left, "NO")
    assert code(north, f"RESOLVE CHANNEL(N.S) ACTION({action})") == "AMQ8000E"


# ---------------------------------------------------------------- definitions under channels
def test_an_alteration_is_for_the_next_start(lab, north, running):
    assert code(north, "ALTER CHANNEL(N.S) CHLTYPE(SDR) DISCINT(5) CONNAME('west') BATCHSZ(7)") == "AMQ8016I"
    lab.advance(60)
    north.put("OUT", b"x")
    lab.advance(60)
    (row,) = north.mqsc("DISPLAY CHSTATUS(N.S) ALL").rows
    assert (row["STATUS"], row["CONNAME"], row["BATCHSZ"]) == ("RUNNING", "south(1414)", 50)
    assert north.mqsc("DISPLAY CHANNEL(N.S) DISCINT").rows[0]["DISCINT"] == 5
    assert north.mqsc("STOP CHANNEL(N.S)\nALTER CHANNEL(N.S) CHLTYPE(SDR) CONNAME('south')").ok
    lab.advance(2)
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(3)
    assert north.mqsc("DISPLAY CHSTATUS(N.S) BATCHSZ").rows[0]["BATCHSZ"] == 7
    lab.advance(5)
    assert status(north) == "AMQ8420I"


def test_a_deleted_channel_has_no_status_and_a_new_one_of_its_name_goes_on_with_its_numbers(lab, pair):
    north, south = pair
    north.put("OUT", b"x", persistent=True)
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(5)
    assert (code(north, "DELETE CHANNEL(N.S)"), status(north)) == ("AMQ9514E", ["RUNNING"])
    assert north.mqsc("STOP CHANNEL(N.S)").ok
    lab.advance(1)
    assert code(north, "DELETE CHANNEL(N.S)") == "AMQ8015I"
    assert (status(north), status(north, "DISPLAY CHSTATUS(*) SAVED")) == ("AMQ8420I", "AMQ8420I")
    assert north.channels == {}
    north.put("OUT", b"y", persistent=True)
    assert north.mqsc("DEFINE CHANNEL(N.S) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH)").ok
    assert status(north) == "AMQ8420I"
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(5)
    assert north.mqsc("DISPLAY CHSTATUS(N.S) LSTSEQNO").rows[0]["LSTSEQNO"] == 2
    assert south.depth("IN") == 2


def test_a_deleted_channel_is_not_tried_again(lab, north):
    lab.cut("NORTH", "SOUTH")
    assert north.mqsc("START CHANNEL(N.S)").ok
    lab.advance(1)
    assert status(north) == ["RETRYING"]
    assert code(north, "DELETE CHANNEL(N.S)") == "AMQ8015I"
    rows = len(lab.events)
    lab.advance(7200)
    assert len(lab.events) == rows


# ---------------------------------------------------------------- the channel initiator
def test_the_channel_initiator_is_started_and_stopped(lab, north):
    lab.run()
    assert north.mqsc("DISPLAY QSTATUS(SYSTEM.CHANNEL.INITQ) IPPROCS").rows[0]["IPPROCS"] == 1
    assert code(north, "STOP CHINIT") == "AMQ8405I"  # a command of z/OS
    north.channel_initiator.stop()
    lab.advance(1)
    assert code(north, "START CHINIT INITQ(NOPE)") == "AMQ8147E"
    assert north.mqsc("DEFINE QLOCAL(MY.INITQ)").ok
    assert code(north, "START CHINIT INITQ(MY.INITQ)") == "AMQ8024I"
    lab.advance(1)
    assert north.mqsc("DISPLAY QSTATUS(MY.INITQ) IPPROCS").rows[0]["IPPROCS"] == 1


def test_the_channel_initiator_is_stopped_on_zos(lab):
    zos = made("START CHINIT", "MVS1", of=lab, platform="zos")
    lab.run()
    assert code(zos, "STOP CHINIT") == "AMQ8000I"
    lab.advance(1)
    assert code(zos, "STOP CHINIT") == "AMQ8000E"


# ---------------------------------------------------------------- types that nothing runs
def test_channels_that_the_lab_does_not_run_are_kept_and_say_so(lab, qm):
    (made,) = qm.mqsc("DEFINE CHANNEL(C) CHLTYPE(AMQP)").replies
    assert (made.ok, made.simulated, "CHLTYPE" in made.kept_only) == (True, False, True)
    assert "the definition of a AMQP channel is" in made.text
    for verb in ("START", "STOP"):
        (answer,) = qm.mqsc(f"{verb} CHANNEL(C)").replies
        assert (answer.ok, answer.simulated) == (True, False)
        assert "the lab runs no channel of type AMQP yet" in answer.text
    lab.run()
    assert (qm.channels, qm.programs_running, status(qm)) == ({}, [], "AMQ8420I")


def test_displays_of_what_leads_elsewhere(north):
    (out,) = north.mqsc("DISPLAY QREMOTE(OUT)").rows
    named = {"QUEUE": "OUT", "TYPE": "QREMOTE", "RNAME": "IN"}
    assert {**named, "RQMNAME": "SOUTH", "XMITQ": ""}.items() <= out.items()
    assert north.mqsc("DISPLAY QUEUE(O*) TYPE(QREMOTE) RNAME").rows == [named]
    rows = north.mqsc("DISPLAY QLOCAL(*) WHERE(USAGE EQ XMITQ)").rows
    assert [row["QUEUE"] for row in rows] == ["SOUTH", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"]


def test_a_stopped_channel_and_one_in_doubt_have_saved_a_status_which_replace_keeps(lab, north):
    assert north.mqsc("STOP CHANNEL(N.S)").ok
    assert north.mqsc("DEFINE CHANNEL(N.S) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH) REPLACE").ok
    assert (status(north), status(north, "DISPLAY CHSTATUS(N.S) SAVED")) == (["STOPPED"], ["STOPPED"])
    assert north.mqsc("STOP CHANNEL(N.S) STATUS(INACTIVE)").ok
    in_doubt(lab, north)
    assert north.mqsc("DISPLAY CHSTATUS(N.S) SAVED ALL").rows[0]["INDOUBT"] == "YES"
