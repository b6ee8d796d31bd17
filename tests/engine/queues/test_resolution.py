"""Name resolution, and what stands on a transmission queue: behavior notes 5.3, 1.7 and 2.8."""

import json
import tomllib
from pathlib import Path

import pytest

from helpers import cases, for_each, made, mq_error, reason, refusal
from mqlab import Lab, MQError
from mqlab import constants as mq
from mqlab.engine.words.headers import MQMDE, MQXQH
from mqlab.engine.words.structures import MD, PMO

QUEUES = """
    DEFINE QLOCAL(LOCAL)
    DEFINE QALIAS(ALIAS) TARGET(LOCAL)
    DEFINE QLOCAL(QM2) USAGE(XMITQ)
    DEFINE QLOCAL(ROAD) USAGE(XMITQ) DEFPRTY(6) DEFPSIST(YES)
    DEFINE QLOCAL(PLAIN)
    DEFINE QMODEL(MODEL)
    DEFINE QREMOTE(NAMED) RNAME(FAR) RQMNAME(QM3) XMITQ(ROAD)
    DEFINE QREMOTE(SAME) RNAME(FAR) RQMNAME(QM2)
    DEFINE QREMOTE(LEFT) RNAME(FAR) RQMNAME(QM9)
    DEFINE QALIAS(ALIAS.FAR) TARGET(NAMED)
    DEFINE QREMOTE(ELSEWHERE) RQMNAME(QM3) XMITQ(ROAD)
    DEFINE QREMOTE(QM7) XMITQ(ROAD)
    DEFINE QREMOTE(DIRECT) RQMNAME(QM2)
    DEFINE QREMOTE(HERE) RQMNAME(QM1)
    DEFINE QREMOTE(ME) RQMNAME(QM1) XMITQ(ROAD)
"""


def everywhere(lab):
    """QM1 with a way to every sort of destination."""
    return made(QUEUES, of=lab)


@pytest.fixture
def qm(lab):
    return everywhere(lab)


def on(qmgr, queue="ROAD"):
    """What the header on a transmission queue says, and what is behind it."""
    return MQXQH.unpack(qmgr.browse(queue).body)


# ---------------------------------------------------------------- where names lead
@pytest.mark.parametrize("name", ["LOCAL", "ALIAS", "LOCAL@QM1", "ALIAS@QM1", "LOCAL@HERE", "ALIAS@HERE", "LOCAL@ME"])
def test_names_that_lead_to_a_local_queue(qm, name):
    assert (qm.put(name, b"x").body, qm.depth("LOCAL")) == (b"x", 1)
    if name.endswith(("@HERE", "@ME")):
        return  # an alias of the own queue manager: for output only
    assert qm.depth(name) == 1
    with qm.open(name, input="shared", browse=True, inquire=True) as handle:
        assert handle.get().body == b"x"


@pytest.mark.rule("CHL-01")
@for_each(
    "name, xmitq, destination",
    ("NAMED", "ROAD", "FAR@QM3"),  # XMITQ of the definition
    ("SAME", "QM2", "FAR@QM2"),  # the transmission queue called like the queue manager
    ("LEFT", "ROAD", "FAR@QM9"),  # DEFXMITQ
    ("ALIAS.FAR", "ROAD", "FAR@QM3"),  # an alias of a remote definition
    ("NAMED@QM1", "ROAD", "FAR@QM3"),  # the local queue manager by name
    ("NAMED@HERE", "ROAD", "FAR@QM3"),  # and by an alias of it
    ("ANY.THING@ELSEWHERE", "ROAD", "ANY.THING@QM3"),  # an alias of another queue manager
    ("ANY.THING@QM7", "ROAD", "ANY.THING@QM7"),  # that only names the transmission queue
    ("ANY.THING@DIRECT", "QM2", "ANY.THING@QM2"),  # that leaves it to the queue manager's name
    ("ANY.THING@QM2", "QM2", "ANY.THING@QM2"),  # a transmission queue by name: the queue is not looked at
    ("LOCAL@ROAD", "ROAD", "LOCAL@ROAD"),
    ("LOCAL@QM9", "ROAD", "LOCAL@QM9"),  # unknown: DEFXMITQ
    ("ANY.THING@ALIAS", "ROAD", "ANY.THING@ALIAS"),  # an alias queue is no queue manager
)
@for_each("how", ["put", "handle"])
def test_names_that_lead_elsewhere(name, xmitq, destination, how):
    qm = everywhere(Lab())
    assert qm.mqsc("ALTER QMGR DEFXMITQ(ROAD)").ok
    if how == "put":
        qm.put(name, b"hello")
    else:
        with qm.open(name, output=True) as handle:
            handle.put(b"hello")
    header = on(qm, xmitq)
    assert (f"{header.queue}@{header.qmgr}", header.body) == (destination, b"hello")
    assert [queue.name for queue in qm.queues if queue.depth] == [xmitq]
    (row,) = qm.lab.events.where(kind="put")
    assert (row.object, row.rule, json.loads(row.detail)) == (xmitq, "CHL-01", {"via": name, "to": destination})


NOWHERE = tomllib.loads(Path(__file__).with_name("nowhere.toml").read_text("utf-8"))["rows"]


@for_each("definitions, name, wanted", NOWHERE)
def test_names_that_lead_nowhere(definitions, name, wanted):
    qm = everywhere(Lab())
    assert qm.mqsc(definitions).ok
    before = (len(qm.handles), [queue.depth for queue in qm.queues], dict(qm.routes))
    for call in (lambda: qm.put(name, b"x"), lambda: qm.open(name, output=True)):
        refused = mq_error(call)
        assert refused.reason == wanted
        row = qm.lab.events[refused.seq]
        assert (row.reason, row.rule in ("CHL-01", "MQI-14")) == (wanted, True)
        assert refused.hint
    assert (len(qm.handles), [queue.depth for queue in qm.queues], dict(qm.routes)) == before


@for_each("name", ["NAMED", "ALIAS.FAR", "FAR@QM2", "FAR@ELSEWHERE", "FAR@ROAD"])
@for_each("again", [False, True])
def test_nothing_is_got_from_elsewhere(qm, name, again):
    if again:
        qm.put(name, b"x")
    for options in ({"input": "shared"}, {"browse": True}, {"input": "exclusive", "output": True}):
        assert reason(qm.open, name, **options) == 2045
    if "@" in name:
        assert reason(qm.open, name, set=True) == reason(qm.open, name, inquire=True) == 2045
    for call in (qm.get, qm.browse, qm.depth):
        assert reason(call, name) == 2045
    assert list(qm.handles) == []


def test_an_alias_of_the_own_queue_manager_is_for_output_only(qm):
    for name in ("LOCAL@HERE", "LOCAL@ME", "ALIAS@HERE", "NAMED@HERE"):
        for options in ({"input": "shared"}, {"browse": True}, {"set": True}, {"inquire": True, "output": True}):
            assert reason(qm.open, name, **options) == 2045
        for call in (qm.get, qm.browse, qm.depth):
            assert reason(call, name) == 2045
    qm.open("LOCAL@HERE", output=True).put(b"x")
    qm.put("LOCAL@HERE", b"y")
    assert qm.depth("LOCAL") == qm.depth("LOCAL@QM1") == 2


# ---------------------------------------------------------------- what the path decides
@pytest.mark.rule("MQI-11")
def test_an_alias_of_the_own_queue_manager_is_on_the_path_too(qm):
    assert qm.mqsc("DEFINE QREMOTE(ANY) DEFPRTY(8)\nALTER QREMOTE(HERE) DEFPRTY(7) DEFPSIST(YES)").ok
    for name, road in (("LOCAL", "LOCAL"), ("ALIAS", "LOCAL"), ("NAMED", "ROAD")):
        put = qm.put(f"{name}@HERE", b"x")
        assert (put.priority, put.persistent, qm.depth(road)) == (7, True, 1), "the first definition of the path"
        assert qm.put(f"{name}@ANY", b"x").priority == 0, "a blank RQMNAME is as if no queue manager were named"
        for alias in ("HERE", "ANY"):
            with qm.open(f"{name}@{alias}", output=True) as handle:
                assert qm.mqsc(f"ALTER QREMOTE({alias}) PUT(DISABLED)").ok
                assert reason(handle.put, b"x") == reason(qm.put, f"{name}@{alias}", b"x") == 2051
                assert qm.mqsc(f"ALTER QREMOTE({alias}) PUT(ENABLED)\nALTER QLOCAL({road}) MAXDEPTH(2)").ok
                assert reason(handle.put, b"x") == 2053
                assert qm.mqsc(f"ALTER QLOCAL({road}) MAXDEPTH(10)").ok
        qm.drain(road)


@cases(
    "definitions, name, priority, persistent",
    ("", "NAMED", 0, False),
    ("ALTER QREMOTE(NAMED) DEFPRTY(3) DEFPSIST(YES)", "NAMED", 3, True),
    ("ALTER QREMOTE(NAMED) DEFPRTY(3)\nALTER QALIAS(ALIAS.FAR) DEFPRTY(4) DEFPSIST(YES)", "ALIAS.FAR", 4, True),
    ("ALTER QREMOTE(ELSEWHERE) DEFPRTY(5) DEFPSIST(YES)", "FAR@ELSEWHERE", 5, True),
    ("", "FAR@ELSEWHERE", 0, False),
    ("", "FAR@ROAD", 6, True),  # the transmission queue is the first definition
    ("ALTER QMGR DEFXMITQ(ROAD)", "FAR@QM9", 6, True),
    ("ALTER QMGR DEFXMITQ(ROAD)", "LEFT", 0, False),
)
def test_defaults_come_from_the_first_definition_of_the_path(qm, definitions, name, priority, persistent):
    assert qm.mqsc(definitions).ok
    put = qm.put(name, b"x")
    assert (put.priority, put.persistent) == (priority, persistent)
    outer, inner = qm.browse("ROAD"), on(qm).md
    assert (outer.priority, outer.persistent) == (priority, persistent)
    assert (inner.Priority, inner.Persistence) == (priority, int(persistent))
    given = qm.put(name, b"x", priority=9, persistent=False)
    assert (given.priority, given.persistent) == (9, False)


@pytest.mark.rule("EXP-31")
@cases(
    "definitions, name, left",
    ("ALTER QREMOTE(NAMED) CAPEXPRY(40)", "NAMED", 40),
    ("ALTER QREMOTE(NAMED) CUSTOM('CAPEXPRY(40)')\nALTER QALIAS(ALIAS.FAR) CAPEXPRY(70)", "ALIAS.FAR", 40),
    ("ALTER QREMOTE(NAMED) CAPEXPRY(40)\nALTER QLOCAL(ROAD) CAPEXPRY(30)", "ALIAS.FAR", 30),
    ("ALTER QREMOTE(ELSEWHERE) CAPEXPRY(20)", "FAR@ELSEWHERE", 20),
    ("ALTER QLOCAL(ROAD) CAPEXPRY(30)", "FAR@ROAD", 30),
)
def test_each_cap_of_the_path_limits_lifetimes(qm, definitions, name, left):
    assert qm.mqsc(definitions).ok
    assert (qm.put(name, b"x").expiry, qm.browse("ROAD").expiry, on(qm).md.Expiry) == (left, left, left)
    assert qm.get("ROAD").body
    assert (qm.put(name, b"x", expiry=10).expiry, on(qm).md.Expiry) == (10, 10)


def test_caps_do_nothing_on_vse(lab):
    text = "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(X) CUSTOM('CAPEXPRY(5)')"
    assert made(text, of=lab, platform="vse").put("R", b"x").expiry == -1


@cases(
    "closed, name",
    ("QREMOTE(NAMED)", "NAMED"),
    ("QREMOTE(NAMED)", "ALIAS.FAR"),
    ("QALIAS(ALIAS.FAR)", "ALIAS.FAR"),
    ("QLOCAL(ROAD)", "ALIAS.FAR"),
    ("QREMOTE(ELSEWHERE)", "FAR@ELSEWHERE"),
    ("QLOCAL(ROAD)", "FAR@ROAD"),
)
def test_a_put_is_inhibited_anywhere_on_the_path(qm, closed, name):
    with qm.open(name, output=True) as handle:
        assert qm.mqsc(f"ALTER {closed} PUT(DISABLED)").ok
        for call in (handle.put, lambda body: qm.put(name, body)):
            refused = refusal(MQError, f"ALTER {closed[:-1]}".replace("(", r"\("), call, b"x")
            assert refused.reason == 2051
        assert qm.depth("ROAD") == 0
        assert qm.mqsc(f"ALTER {closed} PUT(ENABLED)").ok
        handle.put(b"x")
        assert qm.depth("ROAD") == 1


# ---------------------------------------------------------------- handles and definitions that change
def test_a_handle_keeps_its_route(qm):
    with qm.open("SAME", output=True) as handle:
        assert qm.mqsc("DEFINE QLOCAL(OTHER) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(OTHER)").ok
        (answer,) = qm.mqsc("ALTER QREMOTE(SAME) XMITQ(OTHER)").replies
        assert (answer.ok, answer.code) == (False, "AMQ8148E")
        handle.put(b"1")
        assert qm.depth("QM2") == 1
    assert qm.mqsc("ALTER QREMOTE(SAME) XMITQ(OTHER)").ok
    qm.put("SAME", b"2")
    assert (qm.depth("QM2"), qm.depth("OTHER")) == (1, 1)


@pytest.mark.parametrize("name", ["NAMED", "ALIAS.FAR", "FAR@ELSEWHERE"])
@pytest.mark.parametrize("change", ["XMITQ(QM2)", "RQMNAME(QM2)"])
def test_a_route_that_is_changed_by_force_answers_2041(qm, name, change):
    definition = "ELSEWHERE" if "@" in name else "NAMED"
    with qm.open(name, output=True) as handle:
        assert qm.mqsc(f"ALTER QREMOTE({definition}) {change}").replies[0].code == "AMQ8148E"
        assert qm.mqsc(f"ALTER QREMOTE({definition}) DESCR('other') PUT(ENABLED) DEFPRTY(2)").ok
        handle.put(b"x")
        assert qm.mqsc(f"ALTER QREMOTE({definition}) {change} FORCE").ok
        assert reason(handle.put, b"x") == 2041
    qm.put(name, b"x")


def test_new_definitions_are_seen_by_the_next_put(qm):
    assert reason(qm.put, "FAR@QM9", b"x") == 2087
    assert qm.mqsc("ALTER QMGR DEFXMITQ(ROAD)").ok
    qm.put("FAR@QM9", b"x")
    assert qm.mqsc("DEFINE QLOCAL(QM9) USAGE(XMITQ)").ok
    qm.put("FAR@QM9", b"x")
    assert qm.mqsc("DEFINE QREMOTE(QM8) RQMNAME(QM9)").ok
    qm.put("FAR@QM8", b"x")
    assert (qm.depth("ROAD"), qm.depth("QM9"), on(qm, "QM9").qmgr) == (1, 2, "QM9")


# ---------------------------------------------------------------- what stands on the transmission queue
def field(text, size):
    return text.encode().ljust(size)


@pytest.mark.rule("EXP-25")
def test_a_message_on_a_transmission_queue_byte_for_byte(qm):
    app = qm.connect("PAYROLL", user="anna")
    asked = {"msg_type": 1, "report": 256, "reply_to_q": "ANSWERS", "correl_id": "C", "msg_id": "M", "format": "MQSTR"}
    put = app.put("NAMED", b"the data", expiry=600, priority=4, persistent=True, **asked)
    assert (put.body, put.expiry, put.format, put.put_appl_name) == (b"the data", 600, "MQSTR", "PAYROLL")
    assert (put.reply_to_q, put.reply_to_qmgr) == ("ANSWERS", "QM1")
    body = qm.browse("ROAD").body

    def number(value):
        return value.to_bytes(4, "little", signed=True)

    wanted = [b"XQH ", number(1), field("FAR", 48), field("QM3", 48), b"MD  ", number(1)]
    wanted += [*map(number, (256, 1, 600, 0, 546, 1208)), field("MQSTR", 8), number(4), number(1)]
    wanted += [b"M".ljust(24, b"\0"), b"C".ljust(24, b"\0"), number(0), field("ANSWERS", 48), field("QM1", 48)]
    wanted += [field("anna", 12), bytes(32), field("", 32), number(6), field("PAYROLL", 28), b"20250106", b"09000000"]
    assert body == b"".join([*wanted, field("", 4), b"the data"])
    assert len(body) == 428 + 8
    outer = qm.browse("ROAD")
    assert (outer.format, outer.priority, outer.persistent, outer.expiry) == ("MQXMIT", 4, True, 600)
    assert (outer.put_appl_name, outer.context.put_appl_type, outer.report) == ("QM1", 7, 0)
    assert (outer.correl_id, outer.msg_id != put.msg_id, outer.number) == (put.msg_id, True, put.number)


def test_fields_of_version_2_travel_in_an_extension(qm):
    md = MD(Version=2, GroupId=b"G" * 24, MsgSeqNumber=3, MsgFlags=8, Format=b"MQSTR")
    qm.put("NAMED", b"data", md=md)
    header = on(qm)
    assert len(qm.browse("ROAD").body) == MQXQH.LENGTH + MQMDE.LENGTH + 4
    assert (header.md.GroupId, header.md.MsgSeqNumber, header.md.MsgFlags) == (b"G" * 24, 3, 8)
    assert (header.md.Format, header.body) == ("MQSTR", b"data")


def test_a_put_with_structures_tells_where_the_message_goes(qm):
    for name, resolved in (("ALIAS.FAR", ("FAR", "QM3")), ("Q@ELSEWHERE", ("Q", "QM3")), ("ALIAS", ("LOCAL", "QM1"))):
        md, pmo = MD(), PMO()
        qm.put(name, b"x", md=md, pmo=pmo)
        assert (pmo.ResolvedQName, pmo.ResolvedQMgrName, md.MsgId[:4]) == (*resolved, b"AMQ ")


@pytest.mark.parametrize(("longest", "refusal"), [(428 + 10, None), (428 + 9, 2030)])
def test_the_header_counts_towards_the_longest_message(qm, longest, refusal):
    assert qm.mqsc(f"ALTER QLOCAL(ROAD) MAXMSGL({longest})").ok
    if refusal is None:
        qm.put("NAMED", b"x" * 10)
        assert qm.depth("ROAD") == 1
    else:
        assert (reason(qm.put, "NAMED", b"x" * 10), qm.depth("ROAD")) == (refusal, 0)


@for_each(
    "options, wanted",
    [({"expiry": 0}, 2013), ({"priority": -2}, 2050), ({"report": 0x200000}, 2027), ({"msg_type": 0}, 2029)],
)
def test_what_no_queue_takes_is_not_taken_for_elsewhere(qm, options, wanted):
    numbers = [qm.put("LOCAL", b"x").number]
    assert reason(qm.put, "NAMED", b"x", **options) == wanted
    numbers.append(qm.put("LOCAL", b"x").number)
    assert (numbers[1], qm.depth("ROAD")) == (numbers[0] + 1, 0)


# ---------------------------------------------------------------- reply-to aliases
@for_each(
    "asked, left",
    (("ANSWERS", ""), ("ANSWERS", "QM1")),
    (("ANSWERS", "QM5"), ("ANSWERS", "QM5")),
    (("NAMED", ""), ("FAR", "QM3")),
    (("NAMED", "QM1"), ("NAMED", "QM1")),
    (("ALIAS.FAR", ""), ("ALIAS.FAR", "QM1")),
)
@for_each("to", ["LOCAL", "NAMED"])
def test_a_reply_to_alias_gives_both_names(asked, left, to):
    qm = everywhere(Lab())
    put = qm.put(to, b"x", reply_to_q=asked[0], reply_to_qmgr=asked[1], msg_type=1)
    assert (put.reply_to_q, put.reply_to_qmgr) == left
    if to == "NAMED":
        md = on(qm).md
        assert (md.ReplyToQ, md.ReplyToQMgr) == left


# ---------------------------------------------------------------- direct puts to a transmission queue
def header(expiry, data=b"data"):
    """What an application that builds its own header puts, with this Expiry in it."""
    qm = made("DEFINE QLOCAL(ROAD) USAGE(XMITQ)", name="X")
    qm.put("FAR@ROAD", data)
    return MQXQH.with_expiry(qm.browse("ROAD").body, expiry)


@pytest.mark.rule("EXP-26")
@for_each(
    "body, expiry, format, later",
    (header(50), 50, "MQXMIT", None),
    (header(-1), -1, "MQXMIT", None),
    (header(30), 50, "MQXMIT", 2013),
    (header(-1), 50, "MQXMIT", 2013),
    (header(50), -1, "MQXMIT", 2013),
    (header(50)[:427], 50, "MQXMIT", 2260),
    (b"tiny", 50, "MQXMIT", 2260),
    (b"", -1, "", 2260),
    (b"DLH " + header(50)[4:], 50, "MQXMIT", 2260),
    (header(50), 50, "MQSTR", 2260),
)
@for_each("level", [530, 940])
def test_an_application_that_puts_to_a_transmission_queue_itself(body, expiry, format, later, level):
    qm = (lab := Lab()).queue_manager("QM1", level=level)
    assert qm.mqsc("DEFINE QLOCAL(ROAD) USAGE(XMITQ)\nDEFINE QALIAS(WAY) TARGET(ROAD)").ok
    for put in (qm.put, lambda name, *args, **options: qm.open(name, output=True).put(*args, **options)):
        if level == 530 or later is None:
            assert put("ROAD", body, expiry=expiry, format=format).body == body
        else:
            assert reason(put, "ROAD", body, expiry=expiry, format=format) == later
    assert qm.depth("ROAD") == (2 if level == 530 or later is None else 0)
    assert {row.rule for row in lab.events.where(kind="put")} == {"EXP-26"}


# ---------------------------------------------------------------- two Expiry fields
@pytest.mark.rule("EXP-27")
@for_each("usage", ["XMITQ", "NORMAL"])
@for_each("how", ["get", "browse", "structures"])
def test_both_fields_count_down_wherever_the_message_is(usage, how):
    qm = (lab := Lab()).queue_manager("QM1", level=530)
    assert qm.mqsc(f"DEFINE QLOCAL(Q) USAGE({usage})").ok
    qm.put("Q", header(80), expiry=80, format="MQXMIT")
    lab.advance(3)
    if how == "structures":
        got = qm.get("Q", md=MD(), buffer_length=1000)
    else:
        got = getattr(qm, how)("Q")
    assert (got.expiry, MQXQH.expiry(got.body)) == (50, 50)
    assert [row.rule for row in lab.events if row.kind in ("get", "browse")] == ["EXP-27"]


@pytest.mark.rule("EXP-27")
def test_only_that_format_is_counted_down_and_short_data_is_left_alone(lab):
    qm = made("DEFINE QLOCAL(Q)", of=lab, level=530)
    qm.put("Q", header(80), expiry=80, format="MQXMIT")
    qm.put("Q", header(80), expiry=80, format="MQSTR")
    qm.put("Q", b"tiny", expiry=80, format="MQXMIT")
    qm.put("Q", header(-1), expiry=80, format="MQXMIT")
    lab.advance(3)
    assert MQXQH.expiry(qm.get("Q").body) == 50
    assert qm.get("Q").body == header(80)
    tiny = qm.get("Q")
    assert (tiny.body, tiny.expiry) == (b"tiny", 50)
    assert qm.get("Q").body == header(-1)


@pytest.mark.rule("EXP-29", "EXP-28")
def test_the_outer_field_decides_when_a_message_is_over(lab):
    qm = made("DEFINE QLOCAL(Q) USAGE(XMITQ)", of=lab, level=530)
    qm.put("Q", header(20), expiry=80, format="MQXMIT")
    lab.advance(1)
    assert MQXQH.expiry(qm.browse("Q").body) == 10
    lab.advance(3)
    got = qm.get("Q")
    assert (got.expiry, MQXQH.expiry(got.body), lab.events[-1].rule) == (40, 0, "EXP-29")
    qm = made("DEFINE QLOCAL(Q) USAGE(XMITQ)", of=Lab(), level=530)
    qm.put("Q", header(80), expiry=20, format="MQXMIT")
    qm.lab.advance(2)
    assert (reason(qm.get, "Q"), qm.depth("Q")) == (2033, 0)


@pytest.mark.rule("CHL-01", event=False)
def test_the_separate_descriptor_has_an_identifier_of_its_own_and_what_the_message_asks(qm):
    report = mq.MQRO_COA | mq.MQRO_COD | mq.MQRO_EXCEPTION
    about = {"msg_type": 1, "reply_to_q": "PLAIN", "feedback": 70_000}
    as_put = qm.put("NAMED", b"x", report=report, priority=3, **about)
    assert as_put.msg_id.startswith(b"AMQ QM1")
    outer, inner = qm.get("ROAD"), as_put.msg_id
    assert (outer.correl_id, outer.msg_id != inner, len(outer.msg_id)) == (inner, True, 24)
    assert (outer.report, outer.priority, outer.format) == (mq.MQRO_EXCEPTION, 3, "MQXMIT")
    assert (outer.msg_type, outer.reply_to_q, outer.reply_to_qmgr, outer.feedback) == (1, "PLAIN", qm.name, 70_000)
    assert (outer.user, outer.put_appl_name, outer.context.put_appl_type) == (as_put.user, qm.name, 7)
    assert MQXQH.unpack(outer.body).md.MsgId == inner
    assert qm.put("NAMED", b"y").msg_id != inner
