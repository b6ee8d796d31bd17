"""Calls with bytes and numbers that make no sense: each returns MQ's codes, and none raises."""

import random

import pytest

from mqlab.ibmmq import structures, verbs_properties, verbs_pubsub

LAYOUTS = {
    name[2:]: found
    for module in (structures, verbs_pubsub, verbs_properties)
    for name, found in vars(module).items()
    if isinstance(found, structures.Layout)
}
STRUCTURES = [
    "MD",
    "OD",
    "GMO",
    "PMO",
    "SD",
    "STS",
    "CNO",
    "CSP",
    "CD",
    "SRO",
    "CTLO",
    "CMHO",
    "DMHO",
    "SMPO",
    "IMPO",
    "DMPO",
    "PD",
]


def damaged(chance, name, data):
    """The bytes of a structure, often cut or changed; without addresses, which nobody can check."""
    out = bytearray(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data)
    for _ in range(chance.choice([0, 1, 2, 8]) if out else 0):
        out[chance.randrange(len(out))] = chance.choice([0, 1, 32, 65, 127, 255])
    for offset, kind in LAYOUTS[name].offsets.values() if name in LAYOUTS else ():
        if kind == "P":
            out[offset : offset + 8] = bytes(len(out[offset : offset + 8]))
    return bytes(out)


@pytest.mark.parametrize("seed", range(3))
def test_no_call_raises(mqi, lab, qm, seed):
    chance, raw, conn = random.Random(seed), mqi.ibmmqc, mqi.connect("QM1")
    queue = mqi.Queue(conn, "Q1", mqi.CMQC.MQOO_OUTPUT | mqi.CMQC.MQOO_INPUT_SHARED | mqi.CMQC.MQOO_SET)
    queue.put(b"x")
    h, o = conn.get_handle(), queue.get_handle()
    good = {name: getattr(mqi, name)().pack() for name in STRUCTURES}

    def s(name):
        return damaged(chance, name, good[name])

    def n(*usual):
        return chance.choice([*usual, *usual, 0, 1, -1, 99, 2**31 - 1, -(2**31)])

    def some(numbers):
        return [chance.choice(numbers) for _ in range(chance.randrange(4))]

    makers = {
        "MQOPEN": lambda: (n(h), s("OD"), n(1, 16, 32)),
        "MQPUT": lambda: (n(h), n(o), s("MD"), s("PMO"), b"x"),
        "MQPUT1": lambda: (n(h), s("OD"), s("MD"), s("PMO"), b"x"),
        "MQGET": lambda: (n(h), n(o), s("MD"), s("GMO"), n(0, 10)),
        "MQINQ": lambda: (n(h), n(o), some([3, 15, 2016, 9999]), [], 1, 1, n(48)),
        "MQSET": lambda: (n(h), n(o), some([9, 10, 24, 28, 2023]), some([0, 1, 7]), b" " * chance.randrange(99)),
        "MQSTAT": lambda: (n(h), n(0), s("STS")),
        "MQSUB": lambda: (n(h), s("SD"), n(o)),
        "MQSUBRQ": lambda: (n(h), n(1), n(1), s("SRO")),
        "MQCTL": lambda: (n(h), chance.choice([0, 4, 99, 65536]), s("CTLO")),
        "MQCRTMH": lambda: (n(h), s("CMHO")),
        "MQDLTMH": lambda: (n(h), n(1), s("DMHO")),
        "MQSETMP": lambda: (n(h), n(1), s("SMPO"), b"a", s("PD"), n(64, 1024), chance.choice([b"v", 5, None]), n(1)),
        "MQINQMP": lambda: (n(h), n(1), s("IMPO"), b"%", s("PD"), n(0), n(64)),
        "MQDLTMP": lambda: (n(h), n(1), s("DMPO"), b"a"),
        "MQCLOSE": lambda: (n(h), 77, n(0)),
        "MQCMIT": lambda: (n(h),),
        "MQBACK": lambda: (n(h),),
        "MQBEGIN": lambda: (n(h),),
        "MQCONNX": lambda: (b"QM1", s("CNO"), chance.choice([None, s("CD")]), s("CSP"), None, None),
        "MQCONN": lambda: (chance.choice([b"QM1", b"", b"NONE", b"\xff"]),),
    }
    for _ in range(400):
        function = chance.choice(list(makers))
        comp, reason = getattr(raw, function)(*makers[function]())[-2:]
        assert comp in (0, 1, 2), function
        assert (comp == 0) == (reason == 0), function
    conn.backout()
    assert qm.running


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
    assert qm.status("Q1")["CURDEPTH"] == 2
    assert capsys.readouterr().err.count("RuntimeError: no such customer") == 2
