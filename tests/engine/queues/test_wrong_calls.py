"""Wrong calls: the error each gives, and that nothing changed. tests/engine/commands/test_wrong_lines.py has the MQSC
lines."""

import pytest

from helpers import for_each, lab_error, refusal
from mqlab import MD, Lab, LabError, MQError, NotSimulated, rule


@pytest.fixture
def world():
    """A lab in the middle of its life: messages, an alias, a remote definition, an open unit and handles."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    assert qm.mqsc("""
        DEFINE QLOCAL(ORDERS) MAXMSGL(20)
        DEFINE QLOCAL(FULL) MAXDEPTH(1)
        DEFINE QLOCAL(CLOSED) PUT(DISABLED) GET(DISABLED)
        DEFINE QLOCAL(ALONE) NOSHARE
        DEFINE QALIAS(LOST) TARGET(NOT.THERE)
        DEFINE QALIAS(SHUT) TARGET(ORDERS) PUT(DISABLED) GET(DISABLED)
        DEFINE QREMOTE(FAR) RNAME(X) RQMNAME(QM2)
        DEFINE QMODEL(MODEL)
        DEFINE QALIAS(CHAIN) TARGET(SHUT)
        DEFINE QALIAS(BEYOND) TARGET(FAR)
        DEFINE TOPIC(PAPER) TOPICSTR('paper')
        DEFINE QALIAS(NEWS) TARGTYPE(TOPIC) TARGET(PAPER)
        """).replies
    qm.put("ORDERS", b"here", expiry=600)
    qm.put("FULL", b"here")
    lab.advance(1)
    world = World(lab, qm)
    world.unit.put("ORDERS", b"uncommitted")
    return world


class World:
    """The lab and what the wrong calls are made on."""

    def __init__(self, lab, qm):
        self.lab, self.qm, self.app = lab, qm, qm.connect("APP")
        self.unit = qm.unit_of_work()
        self.reader = qm.open("ORDERS", input="shared", browse=True)
        self.writer = qm.open("ORDERS", output=True)
        self.holder = qm.open("ALONE", input="exclusive")
        self.closed = qm.open("ORDERS", output=True)
        self.closed.close()
        self.other = lab.queue_manager("QM0").unit_of_work()
        self.looker = qm.open("ORDERS", browse=True)
        self.asker = qm.open("ORDERS", inquire=True)
        self.ended = qm.unit_of_work()
        self.ended.commit()

    def picture(self):
        """Everything a failed call must leave alone."""
        queues = [
            (q.name, q.depth, q.uncommitted, q.inputs, q.outputs, q.opens, [m.number for m in q.store.in_order()])
            for q in self.qm.queues
        ]
        objects = [(d.kind, d.name, dict(d.attributes)) for d in self.qm.objects.everything()]
        units = [(u.number, len(u.puts), len(u.gets)) for u in self.qm.units.values()]
        names = [h.name for h in self.qm.handles], [q.name for q in self.lab.queue_managers]
        return queues, objects, units, names, dict(self.qm.attributes), self.lab.now_us, self.qm.running


WRONG = [
    # what is called, the error (an MQRC or a class), words of its text
    (lambda w: w.qm.put("ORDRES", b""), 2085, "did you mean ORDERS"),
    (lambda w: w.qm.put("orders", b""), 2085, "did you mean ORDERS"),
    (lambda w: w.qm.get("NOWHERE"), 2085, r"DEFINE QLOCAL\(NOWHERE\)"),
    (lambda w: w.qm.put("<script>alert(1)</script>", b""), 2085, "1 to 48 of A-Z"),
    (lambda w: w.qm.put("A" * 49, b""), 2085, "1 to 48"),
    (lambda w: w.qm.put("", b""), 2085, "1 to 48"),
    (lambda w: w.qm.put(None, b""), 2085, "1 to 48"),
    (lambda w: w.qm.put("LOST", b""), 2082, "NOT.THERE"),
    (lambda w: w.qm.put("FAR", b""), 2087, r"DEFINE QLOCAL\(QM2\) USAGE\(XMITQ\)"),
    (lambda w: w.qm.open("MODEL", output=True, dynamic_name="bad name"), 2011, "makes no name"),
    (lambda w: w.qm.put("ORDERS@QM2", b""), 2087, "no transmission queue is called QM2"),
    (lambda w: w.qm.put("MODEL", b""), 2057, "MODEL is a model queue"),
    (lambda w: w.qm.get("MODEL"), NotSimulated, "QMODEL MODEL"),
    (lambda w: w.qm.put("ORDERS", b"", feedback=-1), 2014, "Feedback -1"),
    (lambda w: w.qm.put("ORDERS", b"", md=MD(Feedback=10**9)), 2014, "Feedback 1000000000"),
    (lambda w: w.qm.put("ORDERS", b"", md=MD(Version=3)), 2026, "Version 3"),
    (lambda w: w.qm.get("ORDERS", md=MD(Version=0)), 2026, "Version 0"),
    (lambda w: w.qm.put("ORDERS@", b""), 2086, "cannot name a queue manager"),
    (lambda w: w.qm.put(["ORDERS"], b""), 2085, "1 to 48"),
    (lambda w: w.qm.open("ORDERS", output="yes"), LabError, "output must be True or False"),
    (lambda w: w.qm.put("ORDERS", b"x", unit="u"), LabError, "unit must be"),
    (lambda w: w.qm.put("ORDERS", b"x", unit=False), LabError, "unit must be"),
    (lambda w: w.qm.get("ORDERS", unit=w.other), LabError, "unit of work of QM1"),
    (lambda w: w.qm.put("ORDERS", "\ud800"), LabError, "UTF-8"),
    (lambda w: w.qm.put("ORDERS", b"x", expiry=10**20), LabError, "32 bits"),
    (lambda w: w.qm.put("ORDERS", b"x", priority=10**20), LabError, "priority must be"),
    (lambda w: w.qm.put("ORDERS", b"x", report=1 << 40), LabError, "32 bits"),
    (lambda w: w.reader.browse_first(correl_id=[1]), LabError, "correl_id must be"),
    (lambda w: w.reader.inquire("CURDEPTH"), 2038, "inquire=True"),
    (lambda w: w.reader.set(GET="DISABLED"), 2040, "set=True"),
    (lambda w: w.asker.inquire("COLOUR"), 2067, "no attribute"),
    (lambda w: w.lab.advance(10**12), LabError, "year 10000"),
    (lambda w: w.lab.state(at=1, seq=1), LabError, "give at or seq"),
    (lambda w: w.lab.state(seq=-3), LabError, "0 or more"),
    (lambda w: w.qm.put("ORDERS", 17), LabError, "body must be bytes or str; got int"),
    (lambda w: w.qm.put("ORDERS", b"x" * 21), 2030, r"21 bytes; MAXMSGL is 20"),
    (lambda w: w.qm.put("FULL", b"x"), 2053, "CURDEPTH 1, MAXDEPTH 1"),
    (lambda w: w.qm.put("CLOSED", b"x"), 2051, r"ALTER QLOCAL\(CLOSED\) PUT\(ENABLED\)"),
    (lambda w: w.qm.get("CLOSED"), 2016, r"GET\(ENABLED\)"),
    (lambda w: w.qm.browse("CLOSED"), 2016, r"GET\(ENABLED\)"),
    (lambda w: w.qm.put("SHUT", b"x"), 2051, r"ALTER QALIAS\(SHUT\)"),
    (lambda w: w.qm.get("SHUT"), 2016, r"ALTER QALIAS\(SHUT\)"),
    (lambda w: w.qm.put("ORDERS", b"x", expiry=0), 2013, "-1 for unlimited"),
    (lambda w: w.qm.put("ORDERS", b"x", expiry=-5), 2013, "-1 for unlimited"),
    (lambda w: w.qm.put("ORDERS", b"x", expiry="50"), LabError, "whole number of tenths"),
    (lambda w: w.qm.put("ORDERS", b"x", expiry=True), LabError, "whole number of tenths"),
    (lambda w: w.qm.put("ORDERS", b"x", priority=-2), 2050, "0 to 9, or -1"),
    (lambda w: w.qm.put("ORDERS", b"x", priority="high"), LabError, "priority must be"),
    (lambda w: w.qm.put("ORDERS", b"x", msg_type=0), 2029, "8 datagram"),
    (lambda w: w.qm.put("ORDERS", b"x", msg_type=1), 2027, "name the queue"),
    (lambda w: w.qm.put("ORDERS", b"x", report=0x200000), 2027, "name the queue"),
    (lambda w: w.qm.put("ORDERS", b"x", report=0x10000000), 2061, "MQRO options"),
    (lambda w: w.qm.put("ORDERS", b"x", report="COA"), LabError, "report must be"),
    (lambda w: w.qm.put("ORDERS", b"x", reply_to_q="Q" * 49), LabError, "up to 48 characters"),
    (lambda w: w.qm.put("ORDERS", b"x", format="TOO.LONG.A.NAME"), LabError, "up to 8 characters"),
    (lambda w: w.qm.put("ORDERS", b"x", correl_id=b"x" * 25), LabError, "at most 24 bytes; got 25"),
    (lambda w: w.qm.put("ORDERS", b"x", msg_id=7), LabError, "msg_id must be"),
    (lambda w: w.qm.put("ORDERS", b"x", persistent="yes"), LabError, "persistent must be"),
    (lambda w: w.qm.get("ORDERS", correl_id=[1]), LabError, "correl_id must be"),
    (lambda w: w.qm.get("ORDERS", correl_id="NOBODY"), 2033, "none of 2 matches"),
    (lambda w: w.qm.get("ORDERS", wait=-1), LabError, "0 or more"),
    (lambda w: w.qm.get("ORDERS", wait="5"), LabError, "wait must be a number of seconds"),
    (lambda w: w.qm.get("ALONE"), 2042, "exclusively"),
    (lambda w: w.qm.open("ALONE", input="shared"), 2042, "exclusively"),
    (lambda w: w.qm.open("ORDERS", input="exclusive"), 2042, "open for input already"),
    (lambda w: w.qm.open("ORDERS", input="any"), LabError, "input must be"),
    (lambda w: w.reader.put(b"x"), 2039, "output=True"),
    (lambda w: w.writer.get(), 2037, 'input="shared"'),
    (lambda w: w.writer.browse_first(), 2036, "browse=True"),
    (lambda w: w.reader.get_under_cursor(), 2034, "browse again first"),
    (lambda w: w.closed.put(b"x"), 2019, "open the queue again"),
    (lambda w: w.closed.close(), 2019, "open the queue again"),
    (lambda w: w.ended.get("ORDERS"), 2255, "has ended"),
    (lambda w: w.qm.define("QLOCAL", "ORDERS", {}), 2100, "REPLACE"),
    (lambda w: w.qm.define("QALIAS", "ORDERS", {}), 2043, "QLOCAL already"),
    (lambda w: w.qm.define("QLOCAL", "BAD NAME", {}), 2152, "1 to 48"),
    (lambda w: w.qm.alter("QLOCAL", "NOWHERE", {}), 2085, "no QLOCAL has this name"),
    (lambda w: w.qm.delete("QLOCAL", "FULL"), 2055, "PURGE"),
    (lambda w: w.qm.delete("QLOCAL", "ALONE"), 2042, "close them first"),
    (lambda w: w.qm.clear("ORDERS"), 2042, "close them first"),
    (lambda w: w.qm.connect(""), LabError, "program must be"),
    (lambda w: w.qm.connect("</script><script>alert(1)//"), LabError, "program must be"),
    (lambda w: w.qm.connect("\ud800"), LabError, "program must be"),
    (lambda w: w.qm.start(), LabError, "running already"),
    (lambda w: w.lab.advance(1e308), LabError, "at most"),
    (lambda w: w.lab.run(1e308), LabError, "max_seconds must be"),
    (lambda w: w.lab.link("QM1", "QM1", latency=1e308), LabError, "joins two queue managers"),
    (lambda w: w.qm.get("ORDERS", wait=1e308), LabError, "wait must be"),
    pytest.param((lambda w: w.lab.compare(None), LabError, "give another lab"), marks=pytest.mark.needs("views")),
    (lambda w: w.lab.cut(None, "QM1"), LabError, "names of two queue managers"),
    (lambda w: w.lab.restore("QM1", 7), LabError, "names of two queue managers"),
    (lambda w: w.lab.queue_manager("QM7", environment=1), LabError, "environment must be"),
    (lambda w: w.lab.advance(-1), LabError, "Time only runs forward"),
    (lambda w: w.lab.advance(float("nan")), LabError, "number of seconds"),
    (lambda w: w.lab.advance_to(0), LabError, "Time only runs forward"),
    (lambda w: w.lab.queue_manager("QM1"), LabError, "in this lab already"),
    (lambda w: w.lab.queue_manager("QM 2"), LabError, "queue manager name must be"),
    (lambda w: w.lab.queue_manager("QM2", platform="mvs"), LabError, "distributed, zos, vse"),
    (lambda w: w.lab.queue_manager("QM2", level="9.4"), LabError, "command level"),
    (lambda w: w.lab["QM9"], LabError, "one of QM1"),
    (lambda w: w.lab.explain(999), LabError, "Message of this lab"),
    (lambda w: Lab(seed="x"), LabError, "seed must be"),
    (lambda w: Lab(start="tomorrow"), LabError, "start must be"),
    (lambda w: w.lab.advance_to(10.5), LabError, "whole microseconds"),
    (lambda w: w.qm.program("SERVER", 3), LabError, "function must be"),
    (lambda w: w.looker.browse_first(lock=1), LabError, "lock must be"),
    (lambda w: w.looker.get_under_cursor(), 2037, 'input="shared"'),
    (lambda w: w.qm.put("BEYOND", b""), 2087, "no transmission queue is called QM2"),
    (lambda w: MQError(9999), LabError, "reason code must be"),
    (lambda w: Lab(moment_limit=0), LabError, "moment_limit must be"),
    (lambda w: rule("EXP-99"), KeyError, "no rule 'EXP-99'"),
]
OF_TOPICS = [
    (lambda w: w.qm.publish("price/+", b""), 2425, "none of them"),
    (lambda w: w.qm.get("NEWS"), 2045, "for output only"),
    (lambda w: w.qm.put("NEWS", b"", expiry=0), 2013, "-1 for unlimited"),
]


WRONG += [pytest.param(row, marks=pytest.mark.needs("pubsub")) for row in OF_TOPICS]


@for_each("row", WRONG)
def test_the_error_says_what_to_do_and_nothing_changed(world, row):
    call, wanted, words = row
    before = world.picture()
    caught = refusal(MQError if isinstance(wanted, int) else wanted, words, call, world)
    if isinstance(wanted, int):
        assert caught.reason == wanted
        refused = world.lab.events[caught.seq]
        assert (refused.reason, refused.rule is not None) == (wanted, True)
    assert world.picture() == before


@pytest.mark.parametrize(
    "wrong",
    [{"unit": 5}, {"unit": 5, "wait": 3}, {"gmo": 5}, {"md": 5}, {"md": MD(), "msg_id": b"x"}, {"buffer_length": "x"}],
)
def test_a_get_that_says_nothing_mq_knows_opens_nothing_and_so_triggers_nothing(lab, qm, wrong):
    assert qm.mqsc("""
        DEFINE QLOCAL(INIT)
        DEFINE PROCESS(P)
        ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)
        """).ok
    qm.open("INIT", input="shared")
    qm.put("ORDERS", b"x")
    before = len(lab.events), qm.depth("INIT")
    lab_error("", qm.get, "ORDERS", **wrong)
    assert (len(lab.events), qm.depth("INIT")) == before
