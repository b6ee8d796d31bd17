"""Calls as a programmer tries them who has IBM's documentation open: one line each, and the reason code or result."""

import pytest

from helpers import for_each, made, outcome
from mqlab import GMO, MD, PMO
from mqlab import constants as mq

DEFINED = """
DEFINE QLOCAL(Q)
DEFINE QLOCAL(R)
DEFINE QLOCAL(EXCL) NOSHARE
DEFINE QLOCAL(TINY) MAXDEPTH(1) MAXMSGL(0)
DEFINE QLOCAL(LONG) MAXMSGL(20)
DEFINE QALIAS(URGENT) TARGET(Q) DEFPRTY(7) DEFPSIST(YES) GET(DISABLED)
DEFINE QMODEL(TEMP)
"""


def _duplicate_of_expiring(q):
    """The lifetime of the duplicate of a message that expires."""
    q.mqsc("DEFINE QLOCAL(ST) STREAMQ(R) STRMQOS(MUSTDUP)").require()
    q.put("ST", "x", expiry=50)
    return q.get("R").expiry


@for_each(
    "case, call, reason",
    ("shared on a NOSHARE queue", lambda q: [q.open("EXCL", input="shared") for _ in range(2)], 2042),
    ("two ways to get", lambda q: q.open("Q", options=mq.MQOO_INPUT_AS_Q_DEF | mq.MQOO_INPUT_SHARED), 2046),
    ("a report to nowhere", lambda q: q.put("Q", report=mq.MQRO_COA), 2027),
    ("a type that IBM keeps", lambda q: q.put("Q", msg_type=3), None),
    ("a priority of the queue's", lambda q: q.put("Q", md=MD(Priority=-1)), None),
    ("such a priority by its number", lambda q: q.put("Q", priority=-1), None),
    ("nothing on a queue that takes nothing longer", lambda q: q.put("TINY", b""), None),
    ("more than the queue manager takes", lambda q: q.put("Q", bytes(4 * 2**20 + 1)), 2030),
    ("a context of no handle", lambda q: q.open("Q", output=True, pass_all=True).put(pmo=PMO(Options=0x200)), 2097),
    ("no context with another", lambda q: q.put("Q", pmo=PMO(Options=0x4020)), 2046),
    ("a dynamic name of blanks", lambda q: q.open("TEMP", output=True, dynamic_name=" "), 2011),
    ("a dynamic name that is taken", lambda q: q.open("TEMP", output=True, dynamic_name="R"), 2100),
    ("a priority below none", lambda q: q.open("Q", set=True).set(TRIGMPRI=-1), 2077),
)
def test_what_a_call_ends_with(case, call, reason):
    assert outcome(call, made(DEFINED)) == reason, case


def _depth_beyond_maxdepth(q):
    """A get that is not committed makes room; its backout does not ask for any."""
    q.put("TINY")
    unit = q.unit_of_work()
    unit.get("TINY")
    q.put("TINY")
    unit.backout()
    return q.depth("TINY")


def _bothresh_is_advice(q):
    q.mqsc("ALTER QLOCAL(Q) BOTHRESH(1) BOQNAME(R)").require()
    q.put("Q")
    for _ in range(3):
        unit = q.unit_of_work()
        unit.get("Q")
        unit.backout()
    return q.depth("R"), q.get("Q").backout_count


def _same_descriptor_twice(q):
    md = MD()
    put = [q.put("Q", md=md).msg_id for _ in range(2)]
    return put[0] == put[1]


def _segments(q):
    with q.open("LONG", input="shared", output=True) as handle:
        handle.put(bytes(50), md=MD(MsgFlags=mq.MQMF_SEGMENTATION_ALLOWED))
        depth, md = q.depth("LONG"), MD()
        handle.get(md=md, gmo=GMO(MatchOptions=0))
        whole = outcome(handle.get, gmo=GMO(Options=mq.MQGMO_COMPLETE_MSG, MatchOptions=0))
        return depth, md.OriginalLength, md.Offset, whole


@for_each(
    "work, wanted",
    (_depth_beyond_maxdepth, 2),
    (_bothresh_is_advice, (0, 3)),
    (_same_descriptor_twice, True),
    (_segments, (4, 16, 0, 2033)),
    (lambda q: (q.put("URGENT").priority, q.get("Q").persistent), (7, True)),
    pytest.param(_duplicate_of_expiring, -1, marks=pytest.mark.needs("pubsub")),
    (lambda q: (q.put("R", "z"), q.get("R", msg_id=bytes(24)).body)[1], b"z"),
)
def test_what_calls_leave(work, wanted):
    assert work(made(DEFINED)) == wanted
