"""Message groups and segments: logical order, what is there in full, and messages put together again."""

import json

import pytest

from helpers import cases, mq_error, reason, refusal
from mqlab import GMO, MD, PMO, MQError
from mqlab import constants as mq

MEMBER, LAST = mq.MQMF_MSG_IN_GROUP, mq.MQMF_LAST_MSG_IN_GROUP
SEGMENT, LAST_SEGMENT = mq.MQMF_SEGMENT, mq.MQMF_LAST_SEGMENT


@pytest.fixture
def h(qm):
    return qm.open("ORDERS", input="shared", browse=True, output=True)


def put(h, body, flags, options=0, **fields):
    """Put one message in logical order; its MD."""
    md = MD(MsgFlags=flags, **fields)
    h.put(body, md=md, pmo=PMO(Options=mq.MQPMO_LOGICAL_ORDER | options))
    return md


def get(h, options=mq.MQGMO_LOGICAL_ORDER, md=None, match=0, **fields):
    return h.get(md=md or MD(), gmo=GMO(Options=options, MatchOptions=match, **fields))


def placed(h, body, group, number, flags, offset=0, **options):
    """Put one message that says itself where it belongs."""
    h.put(body, md=MD(GroupId=group, MsgSeqNumber=number, MsgFlags=flags, Offset=offset, **options))


@pytest.mark.rule("MQI-31")
def test_logical_order_numbers_the_messages_of_a_group(h):
    mds = [put(h, b"a", MEMBER), put(h, b"b", MEMBER), put(h, b"c", LAST), put(h, b"alone", 0), put(h, b"d", LAST)]
    assert ([md.MsgSeqNumber for md in mds], len({md.GroupId for md in mds[:3]})) == ([1, 2, 3, 1, 1], 1)
    assert mds[3].GroupId == bytes(24)
    assert mds[4].GroupId not in (mds[0].GroupId, bytes(24))
    assert mds[2].MsgFlags == MEMBER | LAST


def test_a_group_is_got_by_number_whatever_the_order_of_arrival(h):
    placed(h, b"3", b"G", 3, LAST)
    placed(h, b"2", b"G", 2, MEMBER)
    placed(h, b"other", b"H", 1, LAST)
    placed(h, b"1", b"G", 1, MEMBER)
    h.put(b"plain")
    gmo = GMO(Options=mq.MQGMO_LOGICAL_ORDER, MatchOptions=0)
    told = [(h.get(gmo=gmo).body, gmo.GroupStatus) for _ in range(5)]
    assert told == [(b"other", "L"), (b"1", "G"), (b"2", "G"), (b"3", "L"), (b"plain", " ")]


@pytest.mark.rule("MQI-01")
@cases(
    "platform, more, order",
    ("zos", "INDXTYPE(GROUPID)", "9 0 1 2 0+"),  # 0 and 1 count as 2, but not of a later message of a group
    ("zos", "INDXTYPE(GROUPID) MSGDLVSQ(FIFO)", "0 0+ 1 2 9"),
    ("zos", "", "9 2 1 0 0+"),
    ("distributed", "", "9 2 1 0 0+"),
)
def test_an_index_by_group_uses_the_lowest_priorities_itself(lab, platform, more, order):
    qm = lab.queue_manager("QM9", platform=platform)
    qm.mqsc(f"DEFINE QLOCAL(G) {more}").require()
    with qm.open("G", output=True, input="shared") as handle:
        placed(handle, b"0", b"A", 1, MEMBER, Priority=0)
        placed(handle, b"0+", b"A", 2, LAST, Priority=0)
        for priority in (1, 2, 9):
            handle.put(b"%d" % priority, priority=priority)
        got = [(message.body.decode(), message.priority) for message in handle.drain()]
    assert (" ".join(body for body, _ in got), dict(got)["1"]) == (order, 1)


def test_a_group_begun_is_waited_for(lab, qm, h):
    placed(h, b"1", b"G", 1, MEMBER)
    assert get(h).body == b"1"
    h.put(b"plain")
    assert (reason(get, h), lab.events[-1].rule) == (2033, "MQI-31")

    def later(app):
        lab.advance(2)
        with app.open("ORDERS", output=True) as handle:
            placed(handle, b"2", b"G", 2, LAST)

    qm.run_program("LATER", later)
    assert (get(h, mq.MQGMO_LOGICAL_ORDER | mq.MQGMO_WAIT, WaitInterval=5000).body, lab.now_us) == (b"2", 2_000_000)
    assert get(h, 0).body == b"plain"


def test_all_messages_available_are_committed_and_have_not_expired(lab, qm, h):
    options = mq.MQGMO_LOGICAL_ORDER | mq.MQGMO_ALL_MSGS_AVAILABLE
    placed(h, b"1", b"G", 1, MEMBER)
    placed(h, b"3", b"G", 3, LAST)
    assert reason(get, h, options) == 2033
    placed(h, b"2", b"G", 2, MEMBER)
    assert [get(h, options).body for _ in range(3)] == [b"1", b"2", b"3"]
    placed(h, b"1", b"H", 1, MEMBER, Expiry=10)
    with qm.unit_of_work() as unit:
        qm.put("ORDERS", b"2", md=MD(GroupId=b"H", MsgSeqNumber=2, MsgFlags=LAST), unit=unit)
        assert reason(get, h, options) == 2033
    lab.advance(2)
    assert reason(get, h, options) == 2033


@cases(
    "match, fields, body",
    (mq.MQMO_MATCH_GROUP_ID, {"GroupId": b"H"}, b"H1"),
    (mq.MQMO_MATCH_MSG_SEQ_NUMBER, {"MsgSeqNumber": 2}, b"G2"),
    (mq.MQMO_MATCH_GROUP_ID | mq.MQMO_MATCH_MSG_SEQ_NUMBER, {"GroupId": b"H", "MsgSeqNumber": 2}, b"H2"),
    (mq.MQMO_MATCH_OFFSET, {"Offset": 4}, b"tail"),
    (mq.MQMO_MATCH_GROUP_ID, {}, b"G1"),
)
def test_matching_by_group_number_and_offset(h, match, fields, body):
    for group in (b"G", b"H"):
        for number, flags in ((1, MEMBER), (2, LAST)):
            placed(h, group + b"%d" % number, group, number, flags)
    placed(h, b"tail", b"S", 1, LAST_SEGMENT, 4)
    assert get(h, 0, MD(**fields), match).body == body


def test_match_options_that_ask_for_another_than_the_next(h):
    placed(h, b"1", b"G", 1, MEMBER)
    placed(h, b"2", b"G", 2, LAST)
    md = MD()
    get(h, md=md)
    assert reason(get, h, md=md, match=mq.MQMO_MATCH_MSG_ID) == 2247
    assert get(h, md=md, match=mq.MQMO_MATCH_GROUP_ID).body == b"2"


def test_what_a_group_may_not_mix(h):
    put(h, b"1", MEMBER, Persistence=1)
    assert reason(put, h, b"2", MEMBER, Persistence=0) == 2185
    assert reason(put, h, b"2", MEMBER, mq.MQPMO_SYNCPOINT, Persistence=1) == 2245
    assert (reason(put, h, b"2", 0, Persistence=1), h.qmgr.units) == (2241, {})
    put(h, b"2", LAST, Persistence=1)
    put(h, b"s", SEGMENT)
    assert reason(put, h, b"t", 0) == 2242
    assert reason(h.put, b"x", md=MD(Version=1), pmo=PMO(Options=mq.MQPMO_LOGICAL_ORDER)) == 2257


@pytest.mark.rule("MQI-31")
def test_segments_in_logical_order_and_put_together_again(lab, qm, h):
    offsets = [put(h, b"abcd", SEGMENT).Offset, put(h, b"efg", SEGMENT).Offset]
    complete = mq.MQGMO_COMPLETE_MSG
    assert reason(get, h, complete) == 2033
    offsets.append(put(h, b"hi", LAST_SEGMENT).Offset)
    assert offsets == [0, 4, 7]
    gmo = GMO(Options=mq.MQGMO_BROWSE_FIRST | complete)
    seen = h.get(gmo=gmo)
    assert (seen.body, seen.length, seen.warning, gmo.SegmentStatus, qm.depth("ORDERS")) == (b"abcdefghi", 9, 0, "L", 3)
    cut = mq_error(h.get, gmo=GMO(Options=complete), buffer_length=5)
    assert (cut.reason, cut.message.body, qm.depth("ORDERS")) == (2080, b"abcde", 3)
    app = h.application
    got = get(h, complete | mq.MQGMO_SYNCPOINT)
    assert (got.body, qm.depth("ORDERS")) == (b"abcdefghi", 0)
    app.backout()
    assert [get(h).body for _ in range(3)] == [b"abcd", b"efg", b"hi"]


def test_what_the_put_splits_a_get_puts_together(qm):
    qm.put("SMALL", b"x", md=MD(MsgFlags=mq.MQMF_SEGMENTATION_ALLOWED))
    assert qm.get("SMALL").msg_flags == mq.MQMF_SEGMENTATION_ALLOWED
    qm.mqsc("ALTER QLOCAL(SMALL) MAXMSGL(16) MAXDEPTH(5)")
    whole = bytes(range(40))
    qm.put("SMALL", whole, md=MD(MsgFlags=mq.MQMF_SEGMENTATION_ALLOWED))
    gmo = GMO(Options=mq.MQGMO_ALL_SEGMENTS_AVAILABLE, MatchOptions=0)
    handle = qm.open("SMALL", input="shared")
    assert (qm.depth("SMALL"), handle.get(gmo=GMO(Options=mq.MQGMO_COMPLETE_MSG)).body) == (3, whole)
    qm.put("SMALL", whole, segmentation=True)
    assert (handle.get(gmo=gmo).body, gmo.SegmentStatus) == (whole[:16], "S")
    assert reason(handle.get, gmo=gmo) == 2033, "the first segment is gone"


def test_a_group_of_segmented_messages(h):
    put(h, b"a1", MEMBER | SEGMENT)
    put(h, b"a2", MEMBER | LAST_SEGMENT)
    md = put(h, b"b", LAST)
    assert md.MsgSeqNumber == 2
    options = mq.MQGMO_LOGICAL_ORDER | mq.MQGMO_COMPLETE_MSG | mq.MQGMO_ALL_MSGS_AVAILABLE
    assert [get(h, options).body, get(h, options).body] == [b"a1a2", b"b"]


def test_browsing_in_logical_order(qm, h):
    for number, flags in ((2, LAST), (1, MEMBER)):
        placed(h, b"%d" % number, b"G", number, flags)
    h.put(b"plain")
    first, following = (mq.MQGMO_LOGICAL_ORDER | each for each in (mq.MQGMO_BROWSE_FIRST, mq.MQGMO_BROWSE_NEXT))
    assert (get(h, first).body, get(h, first).body, qm.depth("ORDERS")) == (b"1", b"1", 3)
    assert ([get(h, following).body, get(h, following).body], reason(get, h, following)) == ([b"2", b"plain"], 2033)


@cases("options", mq.MQGMO_COMPLETE_MSG, mq.MQGMO_ALL_SEGMENTS_AVAILABLE, mq.MQGMO_ALL_MSGS_AVAILABLE)
def test_expired_segments_of_a_whole_message_are_discarded_by_a_get_of_whole_ones(lab, qm, options):
    qm.mqsc("ALTER QLOCAL(SMALL) MAXMSGL(16) MAXDEPTH(9)")
    qm.put("SMALL", b"x" * 40, expiry=10, segmentation=True)
    lab.advance(2)
    assert reason(qm.get, "SMALL", md=MD(), gmo=GMO(Options=options, MatchOptions=0)) == mq.MQRC_NO_MSG_AVAILABLE
    assert qm.depth("SMALL") == 0


def test_expired_segments_of_a_message_that_is_not_whole_stay_in_a_get_of_whole_ones(lab, qm, h):
    placed(h, b"ab", b"G", 1, SEGMENT, Expiry=10)
    placed(h, b"ef", b"G", 1, LAST_SEGMENT, offset=4, Expiry=10)
    lab.advance(2)
    assert (reason(get, h, mq.MQGMO_COMPLETE_MSG), qm.depth("ORDERS")) == (mq.MQRC_NO_MSG_AVAILABLE, 2)


def test_a_backout_returns_a_handle_to_its_place_in_a_group(qm, h):
    work = mq.MQPMO_SYNCPOINT
    put(h, b"1", MEMBER, work)
    put(h, b"2", MEMBER, work)
    qm.backout()
    assert put(h, b"first", MEMBER, work).MsgSeqNumber == 1
    qm.commit()
    assert put(h, b"last", LAST, work).MsgSeqNumber == 2
    qm.commit()
    options = mq.MQGMO_LOGICAL_ORDER | mq.MQGMO_SYNCPOINT
    assert [get(h, options).body, get(h, options).body] == [b"first", b"last"]
    qm.backout()
    assert get(h, options).body == b"first"
    qm.commit()
    assert get(h, options).body == b"last"
    qm.backout()
    assert get(h, options).body == b"last", "what was committed before is not got again"


def test_a_get_of_whole_messages_says_that_a_queue_is_empty_and_a_lock_on_one_is_a_lock_on_every_segment(qm, h):
    refusal(MQError, "the queue is empty", get, h, mq.MQGMO_COMPLETE_MSG)
    placed(h, b"ab", b"G", 1, SEGMENT)
    placed(h, b"cd", b"G", 1, LAST_SEGMENT, offset=2)
    get(h, mq.MQGMO_BROWSE_FIRST | mq.MQGMO_COMPLETE_MSG | mq.MQGMO_LOCK)
    assert reason(qm.get, "ORDERS") == mq.MQRC_NO_MSG_AVAILABLE
    get(h, mq.MQGMO_UNLOCK)
    assert [qm.get("ORDERS").body, qm.get("ORDERS").body] == [b"ab", b"cd"]


@pytest.mark.rule("MQI-31")
@pytest.mark.parametrize(("flags", "warning"), [(MEMBER, 2241), (SEGMENT, 2242), (MEMBER | SEGMENT, 2242), (LAST, 0)])
def test_a_put_or_get_that_leaves_a_group_unfinished_has_a_warning(lab, qm, h, flags, warning):
    put(h, b"1", flags)
    by_keywords = h.put(b"plain")
    assert (by_keywords.warning, by_keywords.body) == (warning, b"plain")
    assert lab.events[-1].rule == ("MQI-31" if warning else "MQI-01")
    assert h.put(b"plain").warning == 0, "it is outside of the group now"
    put(h, b"1", flags)
    assert (h.put(b"plain", md=MD()).warning, get(h).body) == (warning, b"1")
    got = h.get()
    assert (got.warning, got.body, h.get().warning, h.close()) == (warning, b"plain", 0, 0)


@pytest.mark.rule("MQI-31")
def test_a_close_within_a_group_has_a_warning(lab, qm):
    with qm.open("ORDERS", output=True) as h:
        put(h, b"1", MEMBER)
    row = lab.events.where(kind="close")[-1]
    assert (row.rule, json.loads(row.detail)["warning"]) == ("MQI-31", 2241)
    h = qm.open("ORDERS", output=True)
    put(h, b"1", MEMBER | SEGMENT)
    assert h.close() == 2242
    h = qm.open("ORDERS", input="shared")
    assert (get(h).body, h.close()) == (b"1", 2241)


def test_a_backout_leads_back_into_the_group(qm, h):
    put(h, b"1", MEMBER)
    with qm.connect("APP").open("ORDERS", output=True) as other:
        put(other, b"1", MEMBER, mq.MQPMO_SYNCPOINT)
        put(other, b"2", LAST, mq.MQPMO_SYNCPOINT)
        other.application.backout()
        assert other.put(b"plain").warning == 0
    assert h.put(b"plain").warning == 2241


def test_a_browse_keeps_to_one_order(qm, h):
    first, following, logical = mq.MQGMO_BROWSE_FIRST, mq.MQGMO_BROWSE_NEXT, mq.MQGMO_LOGICAL_ORDER
    for body, flags in ((b"1", MEMBER), (b"2", LAST), (b"3", 0)):
        put(h, body, flags)
    assert get(h, following | logical).body == b"1", "the first browse may begin in either order"
    assert reason(get, h, following) == reason(h.browse_next) == 2259
    assert (get(h, following | logical).body, get(h, first).body) == (b"2", b"1")
    assert (reason(get, h, following | logical), h.browse_next().body) == (2259, b"2")
    assert (get(h, first | logical).body, h.browse_first().body, get(h, following).body) == (b"1", b"1", b"2")


@pytest.mark.rule("MQI-22")
@cases("option, reports", (mq.MQGMO_COMPLETE_MSG, [b"abcdefghi"]), (0, [b"abcd", b"efg", b"hi"]))
def test_a_message_put_together_is_confirmed_once_and_is_the_only_segment(qm, h, option, reports):
    about = {"Report": mq.MQRO_COD_WITH_FULL_DATA, "ReplyToQ": "REPLIES"}
    for body, flags in ((b"abcd", SEGMENT), (b"efg", SEGMENT), (b"hi", LAST_SEGMENT)):
        put(h, body, flags, **about)
    md, gmo = MD(), GMO(Options=option, MatchOptions=0)
    assert h.get(md=md, gmo=gmo).body == reports[0]
    only = bool(option)
    assert (md.Offset, md.MsgFlags & LAST_SEGMENT > 0, gmo.SegmentStatus) == (0, only, "L" if only else "S")
    for _ in reports[1:]:
        h.get()
    found = qm.drain("REPLIES")
    assert [report.body for report in found] == reports
    assert found[0].md.OriginalLength == len(reports[0])
