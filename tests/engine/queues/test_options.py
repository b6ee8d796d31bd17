"""Calls with MD, GMO and PMO: options and their conflicts, units of work, truncation, browses, locks and context."""

from inspect import signature

import pytest

from helpers import for_each, lab_error, made, mq_error, reason, refusal
from mqlab import GMO, MD, PMO, NotSimulated
from mqlab import constants as mq
from mqlab.engine.queues.put_keywords import PutKeywords
from mqlab.engine.words.headers import MQMDE


@pytest.fixture
def h(qm):
    """A handle on ORDERS for everything, of application APP."""
    return qm.connect("APP", user="alice").open(
        "ORDERS", input="shared", browse=True, output=True, save_all_context=True, set_all=True
    )


@pytest.fixture
def zos():
    """A z/OS queue manager with Q."""
    return made("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(KEPT) HARDENBO\nDEFINE QLOCAL(SOFT) NOHARDENBO", "QMZ", platform="zos")


# ---------------------------------------------------------------- structures in and out
def test_a_put_fills_in_its_md_and_makes_new_identifiers_if_asked(lab, qm, h):
    md, pmo = MD(Expiry=50, Persistence=1, Report=0x100, ReplyToQ="REPLIES"), PMO()
    put = h.put(b"x", md=md, pmo=pmo)
    assert (md.MsgId, md.Priority, md.Persistence, md.Expiry) == (put.msg_id, 0, 1, 50)
    assert (md.ReplyToQMgr, md.CodedCharSetId, md.UserIdentifier, md.PutApplName) == ("QM1", 1208, "alice", "APP")
    assert (md.PutApplType, md.PutDate, md.PutTime) == (6, "20250106", "09000000")
    assert (pmo.ResolvedQName, pmo.ResolvedQMgrName) == ("ORDERS", "QM1")
    h.put(b"x", md=md, pmo=PMO(Options=mq.MQPMO_NEW_MSG_ID | mq.MQPMO_NEW_CORREL_ID))
    assert md.MsgId.startswith(b"AMQ QM1")
    assert md.CorrelId.startswith(b"AMQ QM1")
    assert md.MsgId not in (md.CorrelId, put.msg_id)


def test_a_get_fills_in_its_md_and_the_next_get_then_looks_for_the_same(lab, qm, h):
    h.put(b"1", expiry=50, correl_id="C")
    h.put(b"2")
    lab.advance(1.23)
    md, gmo = MD(), GMO()
    got = h.get(md=md, gmo=gmo)
    assert (got.body, md.Expiry, md.CorrelId[:1], md.PutTime) == (b"1", 38, b"C", "09000000")
    assert (gmo.ResolvedQName, gmo.ReturnedLength, reason(h.get, md=md)) == ("ORDERS", 1, 2033)
    assert h.get(md=md, gmo=GMO(MatchOptions=mq.MQMO_NONE)).body == b"2"


def test_version_1_structures_leave_their_later_fields_alone(h):
    h.put(b"x", md=MD(Version=1, MsgFlags=8, GroupId=b"G"))
    got = h.get(md=MD(Version=1, CorrelId=b"no"), gmo=GMO(MatchOptions=0))
    assert (got.msg_flags, got.group_id) == (0, bytes(24))
    h.put(b"x")
    assert reason(h.get, md=MD(CorrelId=b"no"), gmo=GMO(Version=1, MatchOptions=0)) == 2033
    assert reason(h.get, md=MD(Version=1), gmo=GMO(MatchOptions=mq.MQMO_MATCH_GROUP_ID)) == 2257


def test_with_a_version_1_md_the_fields_of_version_2_are_in_the_data(h):
    h.put(b"data", md=MD(MsgFlags=8, GroupId=b"G", MsgSeqNumber=4, Format="MQSTR"))
    md, gmo = MD(Version=1), GMO(Options=mq.MQGMO_BROWSE_FIRST)
    browsed = h.get(md=md, gmo=gmo)
    assert (md.Format, gmo.ReturnedLength, browsed.body[-4:]) == ("MQHMDE", MQMDE.LENGTH + 4, b"data")
    later = {"GroupId": b"G".ljust(24, b"\0"), "MsgSeqNumber": 4, "Offset": 0, "MsgFlags": 8, "OriginalLength": -1}
    assert MQMDE.unpack(browsed.body, 0) == {"Format": "MQSTR", **later}
    refusal(NotSimulated, "Version 2", h.put, browsed.body, md=MD(Version=1, Format="MQHMDE"))
    h.put(b"plain", md=MD(Format="MQSTR"))
    h.get()
    md = MD(Version=1)
    assert (h.get(md=md).body, md.Format) == (b"plain", "MQSTR")


def test_options_of_publications_are_not_called_unknown(qm, h):
    for option in (mq.MQPMO_MD_FOR_OUTPUT_ONLY, 0x0008_0000, 0x0020_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000):
        refusal(NotSimulated, "Leave these options out", h.put, b"x", pmo=PMO(Options=option))
    assert h.queue.depth == 0
    qm.open("ORDERS", options=mq.MQOO_OUTPUT | mq.MQOO_NO_MULTICAST).put(b"x")


def test_keywords_go_with_a_pmo_and_not_with_an_md(qm, h):
    h.put(b"x", expiry=70, correl_id="C", persistent=True, pmo=PMO())
    got = qm.get("ORDERS", msg_id=None, correl_id="C", gmo=GMO())
    assert (got.expiry, got.persistent) == (70, True)
    lab_error("got expiry, priority as well", h.put, b"x", expiry=1, priority=2, md=MD())
    lab_error("wait or accept_truncated", h.get, wait=1, gmo=GMO())
    lab_error("msg_id or correl_id as well", h.get, msg_id="A", md=MD())
    lab_error("gmo must be a GMO, or None", h.get, gmo={"Options": 1})
    lab_error("both forms", qm.put, "ORDERS", b"x", segmentation=True, md=MD())


@for_each(
    "md, wanted",
    (MD(Priority=-2), 2050),
    (MD(Persistence=-1), 2047),
    (MD(Persistence=7), 2047),
    (MD(Expiry=0), 2013),
    (MD(MsgType=1), 2027),
    (MD(Report=0x10000000), 2061),
    (MD(Report=0x8000), 2061),
    (MD(MsgFlags=32), 2249),
    (MD(MsgFlags=8, MsgSeqNumber=0), 2250),
    (MD(MsgFlags=2, Offset=-1), 2251),
)
def test_a_put_that_fails_leaves_queue_and_structures_alone(qm, h, md, wanted):
    before, pmo = md.copy(), PMO(Options=mq.MQPMO_SYNCPOINT)
    assert reason(h.put, b"x", md=md, pmo=pmo) == wanted
    assert (md, pmo, qm.depth("ORDERS"), qm.units) == (before, PMO(Options=2), 0, {})


def test_warnings_of_a_put_and_options_that_are_not_simulated_or_change_nothing(h):
    assert (h.put(b"x").warning, h.put(b"x", md=MD(Priority=12)).warning) == (0, 2049)
    assert (h.put(b"x", report=0x20).warning, [h.get().warning for _ in range(3)]) == (2104, [0, 0, 0])
    for gmo in (GMO(Options=0x10_0000), GMO(Options=8), GMO(MatchOptions=32)):
        refusal(NotSimulated, "", h.get, gmo=gmo)
    under = GMO(Options=mq.MQGMO_MSG_UNDER_CURSOR | mq.MQGMO_LOGICAL_ORDER)
    refusal(NotSimulated, "under the cursor", h.get, gmo=under)
    refusal(NotSimulated, "itself be split", h.put, b"x", md=MD(MsgFlags=3))
    accepted = mq.MQPMO_FAIL_IF_QUIESCING | mq.MQPMO_ASYNC_RESPONSE | mq.MQPMO_RESOLVE_LOCAL_Q
    h.put(b"x", pmo=PMO(Options=accepted))
    assert h.get(gmo=GMO(Options=mq.MQGMO_FAIL_IF_QUIESCING | mq.MQGMO_CONVERT | mq.MQGMO_NO_PROPERTIES)).body == b"x"


@pytest.mark.rule("MQI-13")
@for_each("version", [0, -1, 9])
def test_structures_have_the_versions_that_there_are(h, version):
    h.put(b"x")
    assert reason(h.put, b"x", md=MD(Version=version)) == reason(h.get, md=MD(Version=version)) == 2026
    assert (reason(h.put, b"x", pmo=PMO(Version=version)), reason(h.get, gmo=GMO(Version=version))) == (2173, 2186)
    for option in ("LOGICAL_ORDER", "COMPLETE_MSG", "ALL_MSGS_AVAILABLE", "ALL_SEGMENTS_AVAILABLE"):
        assert reason(h.get, gmo=GMO(Version=1, Options=getattr(mq, f"MQGMO_{option}"))) == 2256
    assert (h.get().body, h.queue.depth) == (b"x", 0)


# ---------------------------------------------------------------- conflicts
CONFLICTS = {
    "get": "SYNCPOINT NO_SYNCPOINT|SYNCPOINT SYNCPOINT_IF_PERSISTENT|BROWSE_FIRST BROWSE_NEXT|BROWSE_FIRST SYNCPOINT|"
    "BROWSE_FIRST MSG_UNDER_CURSOR|BROWSE_NEXT SYNCPOINT_IF_PERSISTENT|COMPLETE_MSG SYNCPOINT_IF_PERSISTENT|LOCK|"
    "LOCK MSG_UNDER_CURSOR|UNLOCK WAIT|MARK_SKIP_BACKOUT SYNCPOINT|WAIT SET_SIGNAL|0x40000000",
    "put": "SYNCPOINT NO_SYNCPOINT|SET_ALL_CONTEXT NO_CONTEXT|PASS_ALL_CONTEXT DEFAULT_CONTEXT|0x1|"
    "ASYNC_RESPONSE SYNC_RESPONSE|ALTERNATE_USER_AUTHORITY",
    "put1": "LOGICAL_ORDER",
}


@pytest.mark.rule("MQI-27")
@for_each("call, options", [(call, options) for call, rows in CONFLICTS.items() for options in rows.split("|")])
def test_options_that_contradict_each_other_are_2046(qm, h, call, options):
    prefix = "MQGMO" if call == "get" else "MQPMO"
    options = sum(int(one, 16) if one[:2] == "0x" else getattr(mq, f"{prefix}_{one}") for one in options.split())
    h.put(b"x")
    calls = {
        "get": lambda: h.get(gmo=GMO(Options=options)),
        "put": lambda: h.put(b"y", pmo=PMO(Options=options)),
        "put1": lambda: qm.put("ORDERS", b"y", pmo=PMO(Options=options)),
    }
    assert (reason(calls[call]), qm.depth("ORDERS"), qm.units) == (2046, 1, {})
    h.get()


@for_each(
    "gmo, wanted",
    (GMO(Options=mq.MQGMO_WAIT, WaitInterval=-2), 2090),
    (GMO(MatchOptions=64), 2247),
    (GMO(Options=mq.MQGMO_MSG_UNDER_CURSOR), 2034),
    (GMO(Options=mq.MQGMO_BROWSE_MSG_UNDER_CURSOR), 2034),
    (GMO(Options=mq.MQGMO_UNLOCK), 2209),
)
def test_other_refusals_of_a_get(h, gmo, wanted):
    assert reason(h.get, gmo=gmo) == wanted


@for_each(
    "options",
    mq.MQOO_INPUT_SHARED | mq.MQOO_INPUT_EXCLUSIVE,
    mq.MQOO_SAVE_ALL_CONTEXT | mq.MQOO_OUTPUT,
    mq.MQOO_SET_ALL_CONTEXT | mq.MQOO_INPUT_SHARED,
    mq.MQOO_BIND_ON_OPEN | mq.MQOO_BIND_NOT_FIXED | mq.MQOO_OUTPUT,
    mq.MQOO_CO_OP | mq.MQOO_OUTPUT,
    mq.MQOO_FAIL_IF_QUIESCING,
    0x4000_0000 | mq.MQOO_OUTPUT,
)
def test_open_options_that_do_not_fit_are_2046(qm, options):
    assert (reason(qm.open, "ORDERS", options=options), list(qm.handles)) == (2046, [])


@pytest.mark.parametrize("queue", [pytest.param("NEWS", marks=pytest.mark.needs("pubsub")), "ORDERS@AWAY"])
@pytest.mark.parametrize("options", [mq.MQOO_INPUT_SHARED, mq.MQOO_BROWSE, mq.MQOO_SET])
def test_a_topic_and_a_queue_elsewhere_are_open_for_output_only_by_options_too(lab, queue, options):
    topic = "\nDEFINE TOPIC(NEWS) TOPICSTR('news')\nDEFINE QALIAS(NEWS) TARGTYPE(TOPIC) TARGET(NEWS)"
    qm = made("DEFINE QLOCAL(AWAY) USAGE(XMITQ)" + topic * (queue == "NEWS"), of=lab)
    assert reason(qm.open, queue, options=options | mq.MQOO_OUTPUT) == 2045
    assert qm.open(queue, options=mq.MQOO_OUTPUT).can_put


@pytest.mark.needs("pubsub")
def test_a_call_that_hands_its_options_on_shows_their_names(qm):
    with qm.open("ORDERS", input="shared", output=True) as handle:
        for call, like in ((qm.get_each, qm.get), (qm.drain, qm.get), (handle.drain, handle.get)):
            assert list(signature(call).parameters) == list(signature(like).parameters)
        keywords = set(PutKeywords.__annotations__)
        for call, own in ((qm.put, ["queue", "body"]), (handle.put, ["body"]), (qm.publish, ["topic_string", "body"])):
            shown = list(signature(call).parameters)
            assert (shown[: len(own)], keywords - set(shown)) == (own, set())
            refusal(TypeError, "unexpected keyword argument 'prioriti'", call, *("ORDERS" for _ in own), prioriti=4)


def test_open_options_as_a_sum(qm):
    with qm.open("ORDERS", options=mq.MQOO_INPUT_AS_Q_DEF | mq.MQOO_OUTPUT | mq.MQOO_BROWSE | mq.MQOO_SET) as handle:
        can = (handle.can_put, handle.can_browse, handle.can_inquire, handle.can_set)
        assert (handle.input, can) == ("shared", (True, True, False, True))
    assert reason(qm.open, "ORDERS", options=mq.MQOO_SET_ALL_CONTEXT, input="shared") == 2046
    lab_error("pass_all must be True or False", qm.open, "ORDERS", output=True, pass_all=1)
    lab_error("options must be", qm.open, "ORDERS", options="browse")
    lab_error("up to 12", qm.open, "ORDERS", output=True, alternate_user="x" * 13)


# ---------------------------------------------------------------- the connection's own unit of work
@pytest.mark.rule("MQI-25")
def test_syncpoint_calls_make_one_unit_ended_by_commit_or_backout(lab, qm, h):
    app = h.application
    h.put(b"1")
    h.put(b"2", pmo=PMO(Options=mq.MQPMO_SYNCPOINT))
    assert (h.get(gmo=GMO(Options=mq.MQGMO_SYNCPOINT)).body, len(qm.units), reason(qm.get, "ORDERS")) == (b"1", 1, 2033)
    app.backout()
    assert (qm.units, qm.depth("ORDERS"), h.get().backout_count) == ({}, 1, 1)
    h.put(b"3", pmo=PMO(Options=mq.MQPMO_SYNCPOINT))
    app.commit()
    assert h.get().body == b"3"
    app.commit()
    app.backout()


def test_a_call_that_fails_begins_no_unit(qm, h):
    assert (reason(h.get, gmo=GMO(Options=mq.MQGMO_SYNCPOINT)), qm.units) == (2033, {})
    unit = qm.unit_of_work()
    lab_error("leave one of them out", h.get, gmo=GMO(Options=mq.MQGMO_SYNCPOINT), unit=unit)
    lab_error("browse, which removes nothing", h.get, gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST), unit=unit)
    h.put(b"x", md=MD(), unit=unit)
    assert (len(unit.puts), reason(h.get)) == (1, 2033)


def test_the_default_is_inside_on_zos_and_outside_elsewhere(qm, h, zos):
    h.put(b"x", pmo=PMO())
    assert (qm.units, qm.depth("ORDERS")) == ({}, 1)
    zos.put("Q", b"x", pmo=PMO())
    assert reason(zos.get, "Q") == 2033
    zos.commit()
    assert zos.get("Q", gmo=GMO()).body == b"x"
    zos.backout()
    zos.put("Q", b"y", md=MD())
    assert (zos.get("Q", gmo=GMO(Options=mq.MQGMO_NO_SYNCPOINT)).body, zos.get("Q").body) == (b"x", b"y")


def test_syncpoint_if_persistent(qm, h):
    h.put(b"1", persistent=True)
    h.put(b"2", persistent=False)
    gmo = GMO(Options=mq.MQGMO_SYNCPOINT_IF_PERSISTENT)
    assert [h.get(gmo=gmo).body, h.get(gmo=gmo).body] == [b"1", b"2"]
    h.application.backout()
    assert (h.get().body, qm.depth("ORDERS")) == (b"1", 0)


def test_a_unit_the_queue_manager_backed_out_is_told_once(qm):
    app = qm.connect("APP")
    app.put("ORDERS", b"x", pmo=PMO(Options=mq.MQPMO_SYNCPOINT))
    qm.stop()
    qm.start()
    assert reason(app.commit) == 2003
    app.commit()
    app.put("ORDERS", b"x", pmo=PMO(Options=mq.MQPMO_SYNCPOINT))
    qm.stop()
    app.backout()
    assert app.work is None


@pytest.mark.rule("MQI-33")
def test_a_marked_get_is_left_out_of_the_backout(zos):
    lab, marked = zos.lab, GMO(Options=mq.MQGMO_SYNCPOINT | mq.MQGMO_MARK_SKIP_BACKOUT)
    app = zos.connect("APP")
    for body in ("1", "2", "3"):
        zos.put("Q", body)
    app.get("Q", gmo=GMO(Options=mq.MQGMO_SYNCPOINT))
    assert (app.get("Q", gmo=marked).body, reason(app.get, "Q", gmo=marked)) == (b"2", 2062)
    app.backout()
    assert (zos.depth("Q"), app.work.gets[0][1].body, zos.get("Q").body) == (2, b"2", b"1")
    app.backout()
    assert (zos.depth("Q"), lab.state().queue("QMZ", "Q").depth, zos.get("Q").backout_count) == (2, 2, 1)


@pytest.mark.rule("MQI-32")
def test_backout_counts_survive_a_restart_except_with_nohardenbo_on_zos(qm, zos):
    qm.mqsc("DEFINE QLOCAL(SOFT) NOHARDENBO")
    counts = []
    for qmgr, queue in ((qm, "SOFT"), (zos, "KEPT"), (zos, "SOFT")):
        qmgr.put(queue, b"x", persistent=True)
        unit = qmgr.unit_of_work()
        unit.get(queue)
        unit.backout()
        qmgr.stop()
        qmgr.start()
        counts.append(qmgr.browse(queue).backout_count)
        [message] = qmgr.lab.state().queue(qmgr.name, queue).messages.values()
        assert message.backout_count == counts[-1]
    assert counts == [1, 1, 0]


# ---------------------------------------------------------------- truncation
@pytest.mark.rule("MQI-26")
def test_a_message_that_does_not_fit_stays_unless_that_is_accepted(lab, qm, h):
    h.put(b"0123456789", expiry=50)
    md, gmo = MD(), GMO()
    error = mq_error(h.get, md=md, gmo=gmo, buffer_length=4)
    assert (error.comp, error.reason, error.message.body, error.message.length) == (1, 2080, b"0123", 10)
    assert (error.facts["DataLength"], error.facts["CURDEPTH"]) == (10, 1)
    assert (md.MsgId, gmo.ReturnedLength, qm.depth("ORDERS")) == (error.message.msg_id, 4, 1)
    got = h.get(md=md, buffer_length=4, accept_truncated=True)
    assert (got.body, got.length, got.warning, got.expiry) == (b"0123", 10, 2079, 50)
    assert (lab.events[-1].kind, lab.events[-1].detail, qm.depth("ORDERS")) == ("get", '{"warning":2079}', 0)


def test_a_buffer_that_is_long_enough_changes_nothing(qm, h):
    h.put(b"1234")
    got = qm.get("ORDERS", buffer_length=4)
    assert (got.body, got.warning, got.length, reason(h.get, buffer_length=-1)) == (b"1234", 0, 4, 2005)
    lab_error("number of bytes", h.get, buffer_length="4")
    h.put(b"1234")
    assert qm.get("ORDERS", buffer_length=0, accept_truncated=True).body == b""


def test_a_browse_that_does_not_fit_keeps_cursor_and_lock(qm, h):
    h.put(b"1")
    h.put(b"22222")
    h.get(gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST | mq.MQGMO_LOCK))
    following = GMO(Options=mq.MQGMO_BROWSE_NEXT, MatchOptions=0)
    assert reason(h.get, gmo=following, buffer_length=2) == 2080
    assert qm.browse("ORDERS").body == b"22222", "the first is locked still"
    following.Options |= mq.MQGMO_ACCEPT_TRUNCATED_MSG
    assert (h.get(gmo=following, buffer_length=2).body, qm.browse("ORDERS").body) == (b"22", b"1")


# ---------------------------------------------------------------- browses, locks and waits
def test_browsing_locking_and_getting_under_the_cursor(qm, h):
    for body in ("1", "2"):
        h.put(body)
    assert h.get(gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST | mq.MQGMO_LOCK)).body == b"1"
    assert qm.browse("ORDERS").body == b"2"
    assert h.get(gmo=GMO(Options=mq.MQGMO_UNLOCK)) is None
    assert qm.browse("ORDERS").body == b"1"
    assert h.get(gmo=GMO(Options=mq.MQGMO_BROWSE_MSG_UNDER_CURSOR | mq.MQGMO_LOCK)).body == b"1"
    assert (qm.browse("ORDERS").body, h.get(gmo=GMO(Options=mq.MQGMO_BROWSE_MSG_UNDER_CURSOR)).body) == (b"2", b"1")
    assert qm.browse("ORDERS").body == b"1", "browsed again without LOCK: free"
    under = GMO(Options=mq.MQGMO_MSG_UNDER_CURSOR | mq.MQGMO_SYNCPOINT)
    assert (h.get(md=MD(MsgId=b"another"), gmo=under).body, reason(h.get, gmo=under)) == (b"1", 2034)
    h.application.backout()
    assert h.get(gmo=GMO(Options=mq.MQGMO_BROWSE_NEXT)).body == b"2"
    assert (qm.get("ORDERS", gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST)).body, qm.depth("ORDERS")) == (b"1", 2)


def test_a_handle_that_was_not_opened_for_it(qm):
    reader, browser = qm.open("ORDERS", input="shared"), qm.open("ORDERS", browse=True)
    assert (reason(reader.get, gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST)), reason(browser.get, gmo=GMO())) == (2036, 2037)
    assert reason(browser.get, gmo=GMO(Options=mq.MQGMO_MSG_UNDER_CURSOR)) == 2037
    browser.close()
    assert reason(browser.get, gmo=GMO(Options=mq.MQGMO_BROWSE_FIRST)) == 2019


def test_a_wait_is_in_milliseconds_for_gets_and_browses(lab, qm, h):
    gmo = GMO(Options=mq.MQGMO_WAIT, WaitInterval=1500)
    assert (reason(h.get, gmo=gmo), lab.now_us) == (2033, 1_500_000)
    seen = []
    waiting = GMO(Options=mq.MQGMO_WAIT | mq.MQGMO_BROWSE_NEXT, WaitInterval=mq.MQWI_UNLIMITED)
    qm.run_program("WATCH", lambda app: seen.append((app.get("ORDERS", gmo=waiting).body, lab.now_us)))
    lab.advance(1)
    qm.put("ORDERS", b"x")
    lab.run()
    assert (seen, qm.depth("ORDERS")) == ([(b"x", 2_500_000)], 1)


# ---------------------------------------------------------------- context
def test_context_is_the_applications_unless_it_is_passed_on_or_set(lab, qm, h):
    qm.connect("WEB", user="bob").put("ORDERS", b"x")
    lab.advance(5)
    assert h.get().context[:5] == ("bob", bytes(32), "", 6, "WEB")
    out = h.application.open("REPLIES", output=True, pass_all=True)

    def after(options, md=None):
        out.put(b"y", md=md, pmo=PMO(Options=options, Context=h))
        return qm.get("REPLIES").md

    default, identity = after(mq.MQPMO_DEFAULT_CONTEXT), after(mq.MQPMO_PASS_IDENTITY_CONTEXT)
    assert (default.UserIdentifier, default.PutApplName, default.PutTime) == ("alice", "APP", "09000500")
    assert (identity.UserIdentifier, identity.PutApplName, identity.PutTime) == ("bob", "APP", "09000500")
    whole, none = after(mq.MQPMO_PASS_ALL_CONTEXT), after(mq.MQPMO_NO_CONTEXT)
    assert (whole.UserIdentifier, whole.PutApplName, whole.PutTime) == ("bob", "WEB", "09000000")
    assert (none.UserIdentifier, none.PutApplType, none.PutDate, none.PutTime) == ("", 0, "", "")


@pytest.mark.rule("MQI-28")
def test_setting_context(qm, h):
    origin = {"PutApplType": 28, "PutApplName": "JAVA", "PutDate": "20200101", "PutTime": "12000000"}
    identity = {"UserIdentifier": "carol", "ApplIdentityData": "id", "AccountingToken": b"t"}
    md = MD(ApplOriginData="orig", **origin, **identity)
    h.put(b"x", md=md.copy(), pmo=PMO(Options=mq.MQPMO_SET_ALL_CONTEXT))
    got = qm.get("ORDERS")
    assert (got.user, got.put_appl_name) == ("carol", "JAVA")
    assert (got.md.PutDate, got.md.PutTime, got.md.ApplOriginData) == ("20200101", "12000000", "orig")
    h.put(b"x", md=md.copy(), pmo=PMO(Options=mq.MQPMO_SET_IDENTITY_CONTEXT))
    assert qm.get("ORDERS").context[:5] == ("carol", b"t".ljust(32, b"\0"), "id", 6, "APP")


def test_context_options_need_their_open_options(qm, h):
    plain = qm.open("ORDERS", output=True)
    for name, wanted in (("PASS_ALL", 2093), ("PASS_IDENTITY", 2094), ("SET_ALL", 2095), ("SET_IDENTITY", 2096)):
        option = getattr(mq, f"MQPMO_{name}_CONTEXT")
        assert reason(plain.put, b"x", pmo=PMO(Options=option, Context=h)) == wanted
    passing = PMO(Options=mq.MQPMO_PASS_ALL_CONTEXT, Context=plain)
    assert reason(h.put, b"x", pmo=passing) == 2097
    passing.Context = h
    assert (reason(h.put, b"x", pmo=passing), qm.depth("ORDERS")) == (2098, 0)
