"""Indexes on z/OS: what a get may ask a queue for, and messages that no queue manager there splits."""

import pytest

from helpers import for_each, outcome, reason
from mqlab import GMO, MD
from mqlab import constants as mq


@pytest.fixture
def shared(members):
    """Redefine SAFE with an index and put two messages; the two."""

    def define(index):
        members[0].mqsc(f"ALTER QLOCAL(SAFE) QSGDISP(SHARED) INDXTYPE({index})").require()
        return [members[0].put("SAFE", body, correl_id="C" + body) for body in ("a", "b")]

    return define


@pytest.mark.rule("MQI-35")
@pytest.mark.parametrize(
    ("index", "by_msg_id", "by_correl_id", "by_both"),
    [("NONE", 2206, 2207, 2206), ("MSGID", 0, 2207, 0), ("CORRELID", 2206, 0, 0), ("GROUPID", 2206, 2207, 2206)],
)
def test_a_shared_queue_is_searched_by_what_it_is_indexed_by(
    lab, members, shared, index, by_msg_id, by_correl_id, by_both
):
    other, (_, b) = members[1], shared(index)
    with other.open("SAFE", input="shared", browse=True) as handle:
        for ids, wanted in (
            ({"msg_id": b.msg_id}, by_msg_id),
            ({"correl_id": b.correl_id}, by_correl_id),
            ({"msg_id": b.msg_id, "correl_id": b.correl_id}, by_both),
        ):
            assert (outcome(handle.browse_first, **ids) or 0) == wanted
            assert (outcome(other.browse, "SAFE", **ids) or 0) == wanted
            if wanted:
                assert reason(handle.get, **ids) == reason(other.get, "SAFE", wait=5, **ids) == wanted
        if index != "GROUPID":
            by_group = GMO(MatchOptions=mq.MQMO_MATCH_GROUP_ID)
            assert reason(handle.get, md=MD(GroupId=b"G"), gmo=by_group) == 2247
        assert handle.get(md=MD(), gmo=GMO()).body == b"a", "identifiers of zeros ask for nothing"
    assert (other.depth("SAFE"), lab.now_us) == (1, 0)


@pytest.mark.rule("MQI-35")
def test_a_private_queue_needs_no_index_and_an_index_by_group_takes_no_segments(members):
    qm = members[0]
    qm.mqsc("DEFINE QLOCAL(OWN)").require()
    put = qm.put("OWN", "x", correl_id="C")
    assert qm.browse("OWN", msg_id=put.msg_id).body == qm.get("OWN", correl_id="C").body == b"x"
    qm = members[0]
    qm.mqsc("DEFINE QLOCAL(PLAIN) MAXMSGL(32)\nDEFINE QLOCAL(GROUPS) INDXTYPE(GROUPID)").require()
    segment = MD(MsgFlags=mq.MQMF_LAST_SEGMENT, MsgSeqNumber=1)
    assert reason(qm.put, "GROUPS", b"x", md=segment) == 2365
    assert qm.put("PLAIN", b"x", md=segment).msg_flags & mq.MQMF_SEGMENT
    allowed = MD(MsgFlags=mq.MQMF_SEGMENTATION_ALLOWED)
    assert reason(qm.put, "PLAIN", b"x" * 40, md=allowed) == reason(qm.put, "PLAIN", b"x" * 40, segmentation=True)
    assert (reason(qm.put, "PLAIN", b"x" * 40, md=allowed), qm.depth("PLAIN"), qm.depth("GROUPS")) == (2030, 1, 0)
    assert qm.put("PLAIN", b"x", md=allowed).msg_flags == mq.MQMF_SEGMENTATION_ALLOWED


@pytest.mark.rule("MQI-35")
@for_each("option", ["LOGICAL_ORDER", "ALL_MSGS_AVAILABLE", "ALL_SEGMENTS_AVAILABLE", "COMPLETE_MSG"])
@for_each("browse", [0, mq.MQGMO_BROWSE_FIRST])
def test_groups_on_zos_need_their_index(members, option, browse):
    qm = members[0]
    qm.mqsc("DEFINE QLOCAL(PLAIN) INDXTYPE(MSGID) REPLACE\nDEFINE QLOCAL(GROUPS) INDXTYPE(GROUPID) REPLACE").require()
    gmo = GMO(Options=getattr(mq, f"MQGMO_{option}") | browse, MatchOptions=0)
    for queue, wanted in (("PLAIN", 2394), ("GROUPS", 2033), ("SAFE", 2394)):
        assert reason(qm.get, queue, md=MD(), gmo=gmo) == wanted
