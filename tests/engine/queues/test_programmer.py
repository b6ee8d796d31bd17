"""Calls as a programmer tries them who has IBM's documentation open: one line each, and the reason code or result."""

import pytest

from helpers import for_each, made, outcome
from mqlab import GMO, MD, PMO
from mqlab import constants as mq

DEFINED = """
DEFINE QLOCAL(Q)
DEFINE QLOCAL(R)
DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO)
DEFINE QLOCAL(EXCL) NOSHARE
DEFINE QLOCAL(TINY) MAXDEPTH(1) MAXMSGL(0)
DEFINE QLOCAL(LONG) MAXMSGL(20)
DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)
DEFINE QLOCAL(CAPPED) CAPEXPRY(50)
DEFINE QALIAS(CAPPED.LESS) TARGET(CAPPED) CAPEXPRY(20)
DEFINE QALIAS(URGENT) TARGET(Q) DEFPRTY(7) DEFPSIST(YES) GET(DISABLED)
DEFINE QALIAS(NOWHERE) TARGET(GONE)
DEFINE QALIAS(TWICE) TARGET(URGENT)
DEFINE QMODEL(TEMP)
DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(AWAY) RNAME(THERE) RQMNAME(X)
DEFINE QREMOTE(NO.XMITQ) RNAME(THERE) RQMNAME(X) XMITQ(GONE)
DEFINE QREMOTE(WRONG.XMITQ) RNAME(THERE) RQMNAME(X) XMITQ(Q)
DEFINE QREMOTE(ALIAS.XMITQ) RNAME(THERE) RQMNAME(X) XMITQ(URGENT)
"""


def defined():
    """A current queue manager with all of DEFINED."""
    qmgr = made(DEFINED)
    return qmgr


def _duplicate_of_expiring(q):
    """The lifetime of the duplicate of a message that expires."""
    q.mqsc("DEFINE QLOCAL(ST) STREAMQ(R) STRMQOS(MUSTDUP)").require()
    q.put("ST", "x", expiry=50)
    return q.get("R").expiry


def _options(**given):
    return {"options": sum(getattr(mq, f"MQOO_{name}") for name in given["names"].split())}


REFUSED = [
    ("shared, and someone has it", lambda q: (q.open("Q", input="exclusive"), q.open("Q", input="shared")), 2042),
    ("exclusive, and it is shared", lambda q: (q.open("Q", input="shared"), q.open("Q", input="exclusive")), 2042),
    ("shared on a NOSHARE queue", lambda q: [q.open("EXCL", input="shared") for _ in range(2)], 2042),
    ("browsed beside an exclusive open", lambda q: (q.open("Q", input="exclusive"), q.open("Q", browse=True)), None),
    ("inquire alone", lambda q: q.open("Q", **_options(names="INQUIRE")), None),
    ("two ways to get", lambda q: q.open("Q", **_options(names="INPUT_AS_Q_DEF INPUT_SHARED")), 2046),
    ("a base that is not there", lambda q: q.open("NOWHERE", output=True), 2082),
    ("an alias of an alias", lambda q: q.open("TWICE", output=True), 2001),
    ("a transmission queue that is not there", lambda q: q.open("NO.XMITQ", output=True), 2196),
    ("a local queue that is none", lambda q: q.open("WRONG.XMITQ", output=True), 2092),
    ("an alias as transmission queue", lambda q: q.open("ALIAS.XMITQ", output=True), 2091),
    ("a remote queue for input", lambda q: q.open("AWAY", input="shared"), 2045),
    ("a remote definition to inquire", lambda q: q.open("AWAY", inquire=True), None),
    ("an unknown queue manager", lambda q: q.put("THERE@NOWHERE"), 2087),
    ("a transmission queue, and no header", lambda q: q.put("X", b"no header"), 2260),
    ("a get by an alias that is closed", lambda q: q.get("URGENT"), 2016),
    ("a put to a model queue", lambda q: q.put("TEMP"), 2057),
    ("a report to nowhere", lambda q: q.put("Q", report=mq.MQRO_COA), 2027),
    ("a request to nowhere", lambda q: q.put("Q", msg_type=mq.MQMT_REQUEST), 2027),
    ("no message type", lambda q: q.put("Q", msg_type=0), 2029),
    ("a type that IBM keeps", lambda q: q.put("Q", msg_type=3), None),
    ("a negative feedback", lambda q: q.put("Q", feedback=-1), 2014),
    ("no lifetime", lambda q: q.put("Q", expiry=0), 2013),
    ("a lifetime of minus two", lambda q: q.put("Q", expiry=-2), 2013),
    ("a priority of the queue's", lambda q: q.put("Q", md=MD(Priority=-1)), None),
    ("such a priority by its number", lambda q: q.put("Q", priority=-1), None),
    ("a priority of minus two", lambda q: q.put("Q", md=MD(Priority=-2)), 2050),
    ("a persistence of three", lambda q: q.put("Q", md=MD(Persistence=3)), 2047),
    ("nothing on a queue that takes nothing longer", lambda q: q.put("TINY", b""), None),
    ("a byte on it", lambda q: q.put("TINY", b"1"), 2030),
    ("the second on a queue for one", lambda q: [q.put("TINY") for _ in range(2)], 2053),
    ("more than the queue manager takes", lambda q: q.put("HIGH", bytes(4 * 2**20 + 1)), 2030),
    ("identity, not opened for it", lambda q: q.open("Q", output=True).put(pmo=PMO(Options=0x400)), 2096),
    ("a context of no handle", lambda q: q.open("Q", output=True, pass_all=True).put(pmo=PMO(Options=0x200)), 2097),
    ("no context with another", lambda q: q.put("Q", pmo=PMO(Options=0x4020)), 2046),
    ("nothing under the cursor", lambda q: q.open("Q", input="shared", browse=True).get_under_cursor(), 2034),
    ("nothing to browse again", lambda q: q.open("Q", browse=True).get(gmo=GMO(Options=0x800)), 2034),
    ("a lock for a get", lambda q: q.open("Q", input="shared", browse=True).get(gmo=GMO(Options=0x200)), 2046),
    ("to delete what was defined", lambda q: q.open("Q", output=True).close(delete=True), 2045),
    ("to delete twice over", lambda q: q.open("TEMP", output=True).close(delete=True, purge=True), 2046),
    ("a dynamic name of blanks", lambda q: q.open("TEMP", output=True, dynamic_name=" "), 2011),
    ("a dynamic name that is taken", lambda q: q.open("TEMP", output=True, dynamic_name="R"), 2100),
    ("a persistent message there", lambda q: q.put(q.open("TEMP", output=True).name, persistent=True), 2048),
    ("an attribute that is none", lambda q: q.open("Q", inquire=True).inquire("DEPTH"), 2067),
    ("an attribute of another type", lambda q: q.open("URGENT", inquire=True).inquire("MAXDEPTH"), 2068),
    ("an attribute that is not set", lambda q: q.open("Q", set=True).set(MAXDEPTH=5), 2067),
    ("a depth of none", lambda q: q.open("Q", set=True).set(TRIGDPTH=0), 2076),
    ("a priority below none", lambda q: q.open("Q", set=True).set(TRIGMPRI=-1), 2077),
]


@for_each("case, call, reason", REFUSED)
def test_what_a_call_ends_with(case, call, reason):
    assert outcome(call, defined()) == reason, case


def _bodies(q, queue="Q"):
    return [message.body.decode() for message in q.drain(queue)]


def _in_fifo_order(q):
    for priority in (1, 5, 3):
        q.put("FIFO", str(priority), priority=priority)
    return [(message.body, message.priority) for message in q.drain("FIFO")]


def _backed_out_when_expired(q):
    q.put("Q", expiry=10)
    unit = q.unit_of_work()
    unit.get("Q")
    q.lab.advance(5)
    unit.backout()
    return outcome(q.get, "Q")


def _committed_when_expired(q):
    unit = q.unit_of_work()
    unit.put("Q", expiry=10)
    q.lab.advance(5)
    unit.commit()
    return outcome(q.get, "Q")


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


def _confirmations(q):
    q.put("Q", bytes(200), report=mq.MQRO_COA | mq.MQRO_COD_WITH_DATA, reply_to_q="R", msg_id="M")
    q.browse("Q")
    q.get("Q")
    return [(each.feedback, len(each.body), each.correl_id[:1]) for each in q.drain("R")]


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


def _restarted(q):
    for queue, persistent in (("Q", True), ("Q", False), ("HIGH", False)):
        q.put(queue, persistent=persistent)
    q.stop()
    q.start()
    return q.depth("Q"), q.depth("HIGH")


def _woken_by(q, commit):
    def later(app):
        with app.unit_of_work() as unit:
            unit.put("R") if commit else app.put("R")
            q.lab.advance(2)

    q.run_program("LATER", later)
    q.get("R", wait=10)
    return q.lab.now_us / 1e6


def _behind_the_cursor(q):
    for body in "123":
        q.put("Q", body)
    with q.open("Q", browse=True, input="shared") as handle:
        seen = [handle.browse_next().body, handle.browse_next().body, handle.get_under_cursor().body]
        q.put("Q", "urgent", priority=9)
        return b" ".join([*seen, handle.browse_next().body, handle.browse_first().body])


@for_each(
    "work, wanted",
    (_in_fifo_order, [(b"1", 1), (b"5", 5), (b"3", 3)]),
    (_backed_out_when_expired, 2033),
    (_committed_when_expired, 2033),
    (_depth_beyond_maxdepth, 2),
    (_bothresh_is_advice, (0, 3)),
    (_confirmations, [(mq.MQFB_COA, 0, b"M"), (mq.MQFB_COD, 100, b"M")]),
    (_same_descriptor_twice, True),
    (_segments, (4, 16, 0, 2033)),
    (_restarted, (1, 1)),
    (_behind_the_cursor, b"1 2 2 3 urgent"),
    (lambda q: _woken_by(q, commit=True), 2),
    (lambda q: _woken_by(q, commit=False), 0),
    (lambda q: (q.put("URGENT").priority, q.get("Q").persistent), (7, True)),
    (lambda q: [q.put(name, expiry=300).expiry for name in ("CAPPED", "CAPPED.LESS", "Q")], [50, 20, 300]),
    pytest.param(_duplicate_of_expiring, -1, marks=pytest.mark.needs("pubsub")),
    (lambda q: (q.put("R", "z"), q.get("R", msg_id=bytes(24)).body)[1], b"z"),
)
def test_what_calls_leave(work, wanted):
    assert work(defined()) == wanted
