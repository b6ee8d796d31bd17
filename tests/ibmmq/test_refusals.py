"""What a program is told when its calls are refused: codes, and in the report MQ's own words."""

from helpers import for_each
from mqlab.ibmmq.addresses import problem_of
from mqlab.ibmmq.session import current


@for_each(
    "address, problem",
    [
        ("localhost(1414)", ""),
        ("mq.example.com", ""),
        ("10.1.2.3(1), [x", ""),
        ("nowhere.invalid(1414), ::1(1414)", ""),
        ("fe80::1%eth0(1414)", ""),
        ("qm_1(65535)", ""),
        ("", "blank"),
        (" , ", "blank"),
        ("h(abc)", "not of the form"),
        ("h(1414", "not of the form"),
        ("h:1414)", "not of the form"),
        ("a b(1414)", "not of the form"),
        ("h(0)", "port 0"),
        ("h(65536)", "port 65536"),
        ("300.1.1.1(1414)", "no IP address"),
        ("mq.INVALID.(1414)", "no machine"),
    ],
)
def test_addresses_that_no_network_has(address, problem):
    assert problem in problem_of(address)
    assert bool(problem) == bool(problem_of(address))


def test_a_connect_to_an_impossible_address_is_refused(mqi, qm, refused):
    qm.mqsc("DEFINE CHANNEL(IN) CHLTYPE(SVRCONN)\nALTER QMGR CHLAUTH(DISABLED)").require()
    for address in ("h(99999)", "mq.invalid(1414)"):
        assert refused(mqi.connect, "QM1", "IN", address).reason == 2538
    asked = mqi.QueueManager(None).connect_with_options
    assert refused(asked, "QM1", cd=mqi.CD(ChannelName="IN")).reason == 2538
    assert mqi.connect("QM1", "IN", "mq.example.com(1414)").is_connected


def test_the_hints_name_the_options_of_mq(mqi, qm, refused):
    c, conn = mqi.CMQC, mqi.connect("QM1")
    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_SHARED | c.MQOO_OUTPUT | c.MQOO_PASS_ALL_CONTEXT)
    handle = mqi.MessageHandle(conn)
    number = handle.get_handle()
    handle.dlt()
    copy = mqi.MessageHandle(conn, dup_handle=number)
    calls = {
        2033: (lambda: queue.get(), "MQGMO_WAIT with a WaitInterval"),
        2036: (lambda: queue.get(None, mqi.MD(), mqi.GMO(Options=c.MQGMO_BROWSE_NEXT)), "MQOO_BROWSE"),
        2097: (
            lambda: queue.put(b"", mqi.MD(), mqi.PMO(Options=c.MQPMO_PASS_ALL_CONTEXT, Context=77)),
            "Context is 77",
        ),
        2460: (lambda: copy.properties.get("p"), f"the message handle is {number}. Try: a handle that MQCRTMH"),
        2534: (lambda: conn.ctl(c.MQOP_RESUME, mqi.CTLO()), "MQOP_START"),
        2058: (lambda: mqi.connect("QM7"), "the lab has QM1"),
    }
    for reason, (call, words) in calls.items():
        assert refused(call).reason == reason
        assert words in list(current().refusals)[-1]
    assert mqi.ibmmqc.MQCMIT(10**6) == (2, 2018)
    assert "hConn 1000000 is that of no connection" in list(current().refusals)[-1]


def test_mqstat_names_the_object(mqi, qm):
    c, conn = mqi.CMQC, mqi.connect("QM1")
    assert conn.stat(c.MQSTAT_TYPE_ASYNC_ERROR).ObjectQMgrName == b" " * 48
    qm.mqsc("DEFINE QALIAS(TO.Q1) TARGET(Q1)\nALTER QLOCAL(Q1) PUT(DISABLED)").require()
    mqi.Queue(conn, "TO.Q1", c.MQOO_OUTPUT).put(b"x", mqi.MD(), mqi.PMO(Options=c.MQPMO_ASYNC_RESPONSE))
    found = conn.stat(c.MQSTAT_TYPE_ASYNC_ERROR)
    names = (found.ObjectName, found.ObjectQMgrName, found.ResolvedObjectName, found.ResolvedQMgrName)
    assert ([each.strip() for each in names], found.Reason) == ([b"TO.Q1", b"QM1", b"Q1", b"QM1"], c.MQRC_PUT_INHIBITED)
