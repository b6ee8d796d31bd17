"""Calls with arguments that make no sense: MQ's codes, or the TypeError that the library's module of C raises."""

import ctypes
import struct
import sys
import traceback

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import for_each, lab_with, refusal, tries
from mqlab.ibmmq import structures
from mqlab.ibmmq.session import current
from mqlab.pubsub.state import state_of

LAYOUTS = {name[2:]: one for name, one in vars(structures).items() if isinstance(one, structures.Memory)}
CALLS = {
    "MQBACK": "h",
    "MQBEGIN": "h",
    "MQCB": "h i CBD o MD GMO",
    "MQCBINIT": "f",
    "MQCLOSE": "h o i",
    "MQCMIT": "h",
    "MQCONN": "name",
    "MQCONNX": "name CNO CD CSP none none",
    "MQCRTMH": "h CMHO",
    "MQCTL": "h i CTLO",
    "MQDISC": "h",
    "MQDLTMH": "h m DMHO",
    "MQDLTMP": "h m DMPO name",
    "MQGET": "h o MD GMO i",
    "MQINQ": "h o list list i i i",
    "MQINQMP": "h m IMPO name PD i i",
    "MQLOGCF": "i",
    "MQOPEN": "h OD i",
    "MQPUT": "h o MD PMO name",
    "MQPUT1": "h OD MD PMO name",
    "MQSET": "h o list list name",
    "MQSETMP": "h m SMPO name PD i any i",
    "MQSTAT": "h i STS",
    "MQSUB": "h SD o",
    "MQSUBRQ": "h o i SRO",
}
"""The functions of the library's module of C -> what each argument is meant to be."""
NUMBERS = [0, 1, 2, 3, 4, 8, 16, 32, 64, 77, 256, 0x2000, 0x10000, 2016, -1, 2**31 - 1, -(2**31), 2**40, True]
NONSENSE = [None, "x", 1.5, [], [1], [None], {}, b"", b"x", bytearray(b"x"), ..., 2**70, len, ValueError()]
NAMES = [b"QM1", b"Q1", b"a", b"%", b"", b"a\0b", b"\xff" * 60, b" "]


def damage(data):
    """The bytes of a structure, or what is left of them: cut, changed, or of another structure."""
    cut = st.integers(0, len(data)).map(lambda at: data[:at])
    spots = st.lists(st.tuples(st.integers(0, len(data) - 1), st.sampled_from([0, 1, 2, 32, 65, 127, 255])), max_size=8)
    changed = spots.map(lambda them: bytes((dict(enumerate(data)) | dict(them)).values()))
    return st.one_of(st.just(data), st.just(data), cut, st.just(data + b"x"), changed)


def without_addresses(name, data):
    """The same bytes without addresses, which not every system can check."""
    out = bytearray(data)
    for field in LAYOUTS[name].layout.fields:
        offset = LAYOUTS[name].offset(field.name)
        if field.code == "P":
            out[offset : offset + 8] = bytes(len(out[offset : offset + 8]))
    return bytes(out)


@st.composite
def calls(draw, good):
    """A function, and arguments that are mostly of the right type."""
    function = draw(st.sampled_from(sorted(CALLS)))
    given_ = []
    for each in CALLS[function].split():
        if draw(st.integers(0, 9)) == 0:
            given_.append(draw(st.sampled_from(NONSENSE)))
        elif each in good:
            given_.append(without_addresses(each, draw(damage(good[each]))))
        elif each == "list":
            given_.append(draw(st.lists(st.sampled_from([3, 9, 10, 15, 24, 28, 2016, 2023, 9999]), max_size=3)))
        elif each == "h":
            given_.append(draw(st.sampled_from(["live"] * 9 + ["stale", -1, 99])))
        else:
            wanted = {"name": NAMES, "none": [None], "f": [len], "any": [*NAMES, *NUMBERS, *NONSENSE]}
            given_.append(draw(st.sampled_from(wanted.get(each, NUMBERS))))
    return function, given_[: draw(st.sampled_from([len(given_)] * 9 + [0, 1, len(given_) - 1]))]


def whole(qm):
    """What a refused call leaves as it is."""
    queues = {queue.name: (queue.depth, queue.work_in_units()) for queue in qm.queues}
    return queues, len(qm.handles), len(state_of(qm).subscriptions), len(current().connections), qm.running


@pytest.mark.usefixtures("library")
@settings(
    max_examples=tries(80), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.data())
def test_every_function_answers_with_codes_or_as_c_does(data):
    lab, qm = lab_with("DEFINE QLOCAL(Q1)")
    with lab.ibmmq():
        import ibmmq

        good = {name: getattr(ibmmq, name)().pack() for name in LAYOUTS if name not in ("CBC", "CBD")}
        good["CBD"] = struct.pack("4si", b"CBD ", 1) + bytes(LAYOUTS["CBD"].lengths[0] - 12) + struct.pack("i", -1)
        c, session = ibmmq.CMQC, current()
        stale, conn = ibmmq.QueueManager("QM1"), ibmmq.QueueManager("QM1")
        handles = {"stale": stale.get_handle(), "live": conn.get_handle()}
        queue = ibmmq.Queue(conn, "Q1", c.MQOO_OUTPUT | c.MQOO_INPUT_SHARED | c.MQOO_SET | c.MQOO_INQUIRE)
        queue.put(b"x")
        handle = ibmmq.MessageHandle(conn)
        stale.disconnect()
        for function, arguments in data.draw(st.lists(calls(good), min_size=1, max_size=10)):
            if function == "MQCBINIT" and arguments == [len]:
                continue  # it would take the place of the library's own
            known = [handles.get(each, each) if isinstance(each, str) else each for each in arguments]
            before = whole(qm)
            try:
                *_, comp, reason = (0, *getattr(ibmmq.ibmmqc, function)(*known))  # MQLOGCF returns one number
            except (TypeError, OverflowError, ValueError) as error:
                assert len(traceback.extract_tb(error.__traceback__)) == 2, "a frame of mqlab below the function's own"
                assert "mqlab" not in str(error)
                comp = 2
            else:
                assert (comp == 0) == (reason == 0), function
            assert comp in (0, 1, 2)
            if comp == 2:
                assert whole(qm) == before, function
            assert not [note for note in session.notes if "mqlab failed" in note]
        assert (queue.get_handle() > 0, handle.get_handle() > 0) == (True, True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells where a process has memory")
@for_each("address", [8, 2**64 - 8])
def test_an_address_without_memory_is_refused(mqi, address):
    c, module, conn = mqi.CMQC, mqi.ibmmqc, mqi.connect("QM1")
    handle = conn.get_handle()
    no_string = {"VSPtr": address, "VSLength": 5}

    def with_string(made, name, **more):
        for field, value in (no_string | more).items():
            made[f"{name}{field}"] = value
        return made.pack()

    selected, topic = mqi.OD(ObjectName="Q1", Version=4), mqi.OD(ObjectType=c.MQOT_TOPIC, Version=4)
    assert module.MQOPEN(handle, with_string(selected, "SelectionString"), c.MQOO_BROWSE)[-1] == 2519
    for length in (5, c.MQVS_NULL_TERMINATED):
        od = with_string(topic, "ObjectString", VSLength=length)
        assert module.MQOPEN(handle, od, c.MQOO_OUTPUT)[-1] == c.MQRC_OBJECT_STRING_ERROR
    sd = mqi.SD(Options=c.MQSO_CREATE | c.MQSO_MANAGED | c.MQSO_NON_DURABLE)
    assert module.MQSUB(handle, with_string(sd, "ObjectString"), -1)[-1] == c.MQRC_OBJECT_STRING_ERROR
    sd.set_vs("ObjectString", "news")
    assert module.MQSUB(handle, with_string(sd, "ResObjectString", VSBufSize=9), -1)[-1] == 0
    known = {"AuthenticationType": c.MQCSP_AUTH_USER_ID_AND_PWD, "UserIdPtr": address, "UserIdLength": 3}
    csp = LAYOUTS["CSP"].write(mqi.CSP().pack(), **known)
    assert module.MQCONNX(b"QM1", mqi.CNO().pack(), None, csp, None, None)[-1] == c.MQRC_CSP_ERROR


def of_c(kind, value):
    """The type of the exception that C's own check of an argument raises, None for none."""
    parse, room = ctypes.pythonapi.PyArg_ParseTuple, ctypes.create_string_buffer(64)
    parse.argtypes = [ctypes.py_object, ctypes.c_char_p, ctypes.c_void_p]
    try:
        parse((value,), {"i": b"l", "b": b"y"}[kind], room)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error), str(error)
    return None


@for_each("value", [each for each in NONSENSE if not isinstance(each, list)])
def test_a_wrong_argument_is_refused_in_the_words_of_c(mqi, value):
    conn = mqi.connect("QM1")
    for kind, call in {
        "i": lambda: mqi.ibmmqc.MQCMIT(value),
        "b": lambda: mqi.ibmmqc.MQCONNX(value, *[None] * 5),
    }.items():
        wanted = of_c(kind, value)
        if wanted is not None:
            assert str(refusal(wanted[0], "", call)) == wanted[1]
    assert conn.is_connected


def test_a_wrong_count_of_arguments_is_refused_in_the_words_of_c(mqi):
    for count, function in ((5, "MQPUT"), (1, "MQCMIT"), (6, "MQCONNX")):
        raised = refusal(TypeError, "", getattr(mqi.ibmmqc, function))
        assert str(raised) == f"function takes exactly {count} argument{'s' * (count > 1)} (0 given)"


def assert_type_error_of_c(call):
    """The call raises a TypeError whose traceback has no frame of mqlab."""
    assert "/mqlab/" not in "".join(traceback.format_exception(refusal(TypeError, "", call)))


def test_the_functions_of_pymqi_check_their_arguments_too(mqi):
    pymqe, conn = sys.modules["pymqi.pymqe"], mqi.connect("QM1")
    number = conn.get_handle()
    calls_ = [
        lambda: pymqe.MQCONNX(b"QM1", 0, None),
        lambda: pymqe.MQCONNX(b"QM1", 0, None, "app"),
        lambda: pymqe.MQCONNX(b"QM1", 0, None, {"user": 5, "password": "x"}),
        lambda: pymqe.MQINQ(number, 1, "x"),
        lambda: pymqe.MQSET(number, 1, mqi.CMQC.MQIA_INHIBIT_PUT, b"x"),
        lambda: pymqe.MQSET(number, 1, mqi.CMQC.MQCA_TRIGGER_DATA, 1),
        lambda: pymqe.MQINQMP(number, 1, None, b"a", 0, 0, 9),
    ]
    for call in calls_:
        assert_type_error_of_c(call)
    assert pymqe.MQCONNX(b"QM1", 0, None, {})[1:] == (0, 0)
    assert not current().notes


def test_the_library_passes_wrong_arguments_on(mqi):
    conn = mqi.connect("QM1")
    queue, handle = mqi.Queue(conn, "Q1", mqi.CMQC.MQOO_OUTPUT), mqi.MessageHandle(conn)
    for call in (
        lambda: mqi.QueueManager(None).connect(None),
        lambda: mqi.QueueManager(None).connect(5),
        lambda: mqi.QueueManager(None).connect_with_options(None),
        lambda: queue.close("x"),
        lambda: queue.get("x"),
        lambda: conn.ctl("x", mqi.CTLO()),
        lambda: handle.properties.get(5),
        lambda: handle.properties.set("p", 5),
        lambda: handle.properties.set("p", "x", mqi.CMQC.MQTYPE_INT32),
    ):
        assert_type_error_of_c(call)
    refusal(OverflowError, "", handle.properties.set, "p", 2**70, mqi.CMQC.MQTYPE_INT64)
    handle.properties.set("p", 70_000, mqi.CMQC.MQTYPE_INT16)
    assert handle.properties.get("p") == 70_000 - 65_536
    assert "70000 does not fit in 16 bits" in current().notes[-1]


def test_a_consumer_that_raises_leaves_the_lab_going(mqi, lab, qm, capsys):
    c, got = mqi.CMQC, []
    conn = mqi.QueueManager("QM1")  # its handle is the thread's own; a consumer may use it all the same

    def consume(msg, **about):
        got.append(msg)
        conn.put1("Q1", b"answer", mqi.MD(CorrelId=b"A" * 24))
        raise RuntimeError("no such customer")

    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_SHARED)
    gmo = mqi.GMO(Options=c.MQGMO_WAIT | c.MQGMO_NO_SYNCPOINT, WaitInterval=c.MQWI_UNLIMITED)
    queue.cb(operation=c.MQOP_REGISTER, cbd=mqi.CBD(CallbackFunction=consume), gmo=gmo, md=mqi.MD(CorrelId=b"Q" * 24))
    conn.ctl(c.MQOP_START, mqi.CTLO())
    for _ in range(2):
        qm.put("Q1", b"question", correl_id=b"Q" * 24)
        lab.advance(1)
    conn.ctl(c.MQOP_STOP, mqi.CTLO())
    assert got == [b"question"] * 2
    assert (qm.status("Q1")["CURDEPTH"], capsys.readouterr().err.count("RuntimeError: no such customer")) == (2, 2)
