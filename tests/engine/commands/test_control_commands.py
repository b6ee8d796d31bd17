"""REFRESH and RESET: which forms are real, on which platform, and the scan for expired messages."""

import pytest

from helpers import assert_refused, cases, for_each, made, reason
from mqlab import Lab


@pytest.fixture
def zos():
    """A z/OS queue manager that scans only when told to, with an expired message on each of three queues."""
    lab = Lab()
    qm = lab.queue_manager("CSQ1", platform="zos")
    for name in ("PAY.IN", "PAY.OUT", "STOCK"):
        qm.mqsc(f"DEFINE QLOCAL({name})")
        qm.put(name, b"x", expiry=10)
    lab.advance(2)
    return qm


@pytest.mark.rule("EXP-35")
@cases(
    "text, left, said",
    ("REFRESH QMGR TYPE(EXPIRY)", [0, 0, 0], "3 expired messages"),
    ("REFRESH QMGR TYPE(EXPIRY) NAME(*)", [0, 0, 0], "3 expired messages"),
    ("REF QMGR TYPE(EXPIRY) NAME(PAY*)", [0, 0, 1], "2 expired messages"),
    ("REFRESH QMGR NAME('STOCK') TYPE(EXPIRY)", [1, 1, 0], "1 expired message "),
    ("REFRESH QMGR TYPE(EXPIRY) NAME(NONE*)", [1, 1, 1], "no expired messages"),
)
def test_a_scan_is_asked_for(zos, text, left, said):
    (answer,) = zos.mqsc(text).replies
    assert (answer.ok, answer.code, answer.simulated) == (True, "CSQ9022I", True)
    assert said in answer.text
    assert [zos.depth(name) for name in ("PAY.IN", "PAY.OUT", "STOCK")] == left
    (scan,) = zos.lab.events.where(kind="scan")
    assert scan.rule == "EXP-35"
    assert all(event.cause == scan.seq for event in zos.lab.events.where(kind="discard"))


@pytest.mark.rule("EXP-35", event=False)
@pytest.mark.parametrize("platform", ["distributed", "vse"])
def test_other_platforms_know_no_such_type(platform):
    qm = Lab().queue_manager("QM1", platform=platform)
    (answer,) = qm.mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(PAY*)").replies
    assert (answer.ok, answer.code, answer.syntax) == (False, "AMQ8405I", True)
    assert answer.text.splitlines()[1] == "REFRESH QMGR TYPE(EXPIRY"
    assert "TYPE(EXPIRY) is for z/OS queue managers" in answer.text
    assert qm.lab.events.where(kind="scan") == []


@for_each(
    "platform, text",
    ("zos", "REFRESH QMGR TYPE(EARLY)"),
    ("distributed", "RESET QMGR TYPE(STATISTICS)"),
    ("distributed", "RESET QMGR TYPE(ADVANCELOG)"),
    ("distributed", "RESET QMGR TYPE(REDUCELOG)"),
    ("distributed", "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000001.LOG)"),
    ("distributed", "RESET QMGR TYPE(PUBSUB) CHILD(QM2)"),
    ("zos", "RESET QMGR TYPE(PUBSUB) PARENT(QM2)"),
    ("zos", "RESET QSTATS(*)"),
    ("zos", "RESET QSTATS(PAY*)"),
    ("distributed", "SET LOG ARCHIVED('S0000001.LOG')"),
)
def test_real_forms_are_taken(platform, text):
    (answer,) = Lab().queue_manager("QM1", platform=platform).mqsc(text).replies
    assert (answer.ok, answer.simulated) == (True, False), answer.text


@for_each(
    "platform, text, code, essence",
    ("zos", "REFRESH QMGR", "AMQ8421E", "needs TYPE: one of CONFIGEV, EARLY, EXPIRY, PROXYSUB"),
    ("zos", "REFRESH QMGR TYPE(EXPIRED)", "AMQ8405I", "EXPIRY"),
    ("zos", "REFRESH QMGR TYPE(EXPIRY) OBJECT(QUEUE)", "AMQ8405I", "OBJECT goes with TYPE(CONFIGEV)"),
    ("zos", "REFRESH QMGR TYPE(EXPIRY) INCLINT(1)", "AMQ8405I", "INCLINT goes with TYPE(CONFIGEV)"),
    ("zos", "REFRESH QMGR TYPE(PROXYSUB) NAME(A)", "AMQ8405I", "TYPE(CONFIGEV or EXPIRY)"),
    ("zos", "REFRESH QMGR TYPE(EXPIRY) NAME('A B')", "AMQ8424E", "blank"),
    ("distributed", "REFRESH QMGR TYPE(EARLY)", "AMQ8405I", "is for z/OS"),
    ("zos", "RESET QMGR TYPE(STATISTICS)", "AMQ8405I", "is for distributed queue managers; this queue manager is z/OS"),
    ("distributed", "RESET QMGR", "AMQ8421E", "needs TYPE"),
    ("distributed", "RESET QMGR TYPE(ARCHLOG)", "AMQ8421E", "needs ARCHIVED"),
    ("distributed", "RESET QMGR TYPE(PUBSUB)", "AMQ8421E", "CHILD or PARENT"),
    ("distributed", "RESET QMGR TYPE(PUBSUB) CHILD(A) PARENT(B)", "AMQ8421E", "CHILD or PARENT"),
    ("distributed", "RESET QMGR TYPE(STATISTICS) CHILD(A)", "AMQ8405I", "CHILD goes with TYPE(PUBSUB)"),
    ("zos", "RESET QSTATS", "AMQ8405I", "needs a name"),
    ("distributed", "RESET QSTATS(*)", "AMQ8405I", "RESET QSTATS is for z/OS"),
)
def test_other_forms_are_refused(platform, text, code, essence):
    assert_refused(Lab().queue_manager("QM1", platform=platform), text, code, essence)


@pytest.fixture
def open_queue():
    """A queue manager with a queue and an alias of it."""
    return made("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QALIAS(F) TARGET(A)")


@cases(
    "name, options, text",
    ("A", {"output": True}, "ALTER QLOCAL(A) USAGE(XMITQ)"),
    ("A", {"browse": True}, "ALTER QLOCAL(A) USAGE(XMITQ) NOFORCE"),
    ("F", {"output": True}, "ALTER QLOCAL(A) USAGE(XMITQ)"),
    ("A", {"input": "shared"}, "ALTER QLOCAL(A) NOSHARE"),
    ("F", {"output": True}, "ALTER QALIAS(F) TARGET(B)"),
)
def test_what_would_disturb_an_open_handle_needs_force_and_the_handle_then_answers_2041(
    open_queue, state, name, options, text
):
    handle = open_queue.open(name, **options)
    before = state(open_queue)
    (answer,) = open_queue.mqsc(text).replies
    assert (answer.ok, answer.code) == (False, "AMQ8148E")
    assert "needs FORCE" in answer.text
    assert (state(open_queue), handle.changed) == (before, False)
    assert open_queue.mqsc(text.replace("NOFORCE", "") + " FORCE").ok
    call = {"output": handle.put, "browse": handle.browse_first, "input": handle.get}[next(iter(options))]
    assert (handle.changed, reason(call)) == (True, 2041)


@cases(
    "text",
    "ALTER QLOCAL(A) PUT(DISABLED) GET(DISABLED)",
    "ALTER QLOCAL(A) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(3) INITQ(I) PROCESS(P)",
    "ALTER QLOCAL(A) USAGE(NORMAL) SHARE MAXDEPTH(3)",
    "ALTER QALIAS(F) TARGET(A) PUT(DISABLED)",
    "DEFINE QLOCAL(A) REPLACE MAXDEPTH(3)",
)
def test_the_rest_needs_no_force(open_queue, text):
    a, f = open_queue.open("A", input="shared", output=True), open_queue.open("F", output=True)
    assert open_queue.mqsc(text).ok
    assert (a.changed, f.changed) == (False, False)


def test_messages_alone_hold_usage_and_replace_is_no_force(open_queue):
    open_queue.put("A", b"x")
    reply = open_queue.mqsc(
        "ALTER QLOCAL(A) USAGE(XMITQ)\nDEFINE QLOCAL(A) REPLACE USAGE(XMITQ)\nALTER QLOCAL(A) USAGE(XMITQ) FORCE"
    )
    assert [answer.code for answer in reply.replies] == ["AMQ8148E", "AMQ8148E", "AMQ8008I"]
