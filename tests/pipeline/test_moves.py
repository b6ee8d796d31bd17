"""Messages that move on: Spark against a plain walk and against the engine, on labs with channels."""

from collections import Counter
from random import Random

import pytest

from mqlab import Lab
from mqlab.pipeline.questions import consumers, failures, fate, fate_summary
from mqlab.pipeline.read import read_events

ENDS = {"discard": "discarded", "undo": "backed out", "clear": "cleared", "lost": "lost", "reject": "rejected"}
MQRO_DISCARD_MSG = 0x0800_0000


def estate(rng) -> Lab:
    """QM1 that sends to QM2, where the queue is small and the handler puts on what did not fit."""
    lab = Lab()
    one, other = (lab.queue_manager(name, level=530) for name in ("QM1", "QM2"))
    lab.link("QM1", "QM2", latency=0.2)
    one.mqsc(f"""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) BATCHSZ({rng.choice((1, 3, 50))}) SHORTTMR(5)
        DEFINE QLOCAL(HOME)""").require()
    other.mqsc("""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(4)
        DEFINE QLOCAL(DLQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(1) MRTMR(300)
        ALTER QMGR DEADQ(DLQ)""").require()
    return lab


def act(rng, lab) -> None:
    """One random thing: a put, a get, a handler's run, a fault, or its repair."""
    one, other, choice = lab["QM1"], lab["QM2"], rng.random()
    path = lab.network.path("QM1", "QM2")
    if choice < 0.5 and one.running:
        report = MQRO_DISCARD_MSG if rng.random() < 0.1 else 0
        one.put(
            rng.choice(("ORDERS@QM2", "ORDERS@QM2", "NOPE@QM2", "HOME")),
            b"x",
            persistent=rng.random() < 0.5,
            expiry=rng.choice((-1, -1, 2, 30, 200)),
            report=report,
        )
    elif choice < 0.72 and other.running and other.depth("ORDERS"):
        other.connect("BILLING").get("ORDERS") if rng.random() < 0.5 else other.mqsc("CLEAR QLOCAL(ORDERS)")
    elif choice < 0.8 and other.running and not any(p.name == "RUNMQDLQ" for p in other.programs_running):
        other.dead_letter_handler("INPUTQ(DLQ) WAIT(NO)\nDESTQ(ORDERS) ACTION(RETRY) RETRY(1)")
    elif choice < 0.84:
        (lab.cut if path.up else lab.restore)("QM1", "QM2")
    elif choice < 0.86:
        qmgr = rng.choice((one, other))
        qmgr.stop() if qmgr.running else qmgr.start()
    else:
        path.up or lab.restore("QM1", "QM2")
        for qmgr in (one, other):
            qmgr.running or qmgr.start()
        one.mqsc("START CHANNEL(TO.QM2)")  # refused where it runs


@pytest.fixture(scope="module", params=[3])
def moved(request, spark, tmp_path_factory):
    """A random lab with its log, as a list of events and as Spark reads it."""
    rng = Random(request.param)
    lab = estate(rng)
    for _ in range(600):
        try:
            act(rng, lab)
        except Exception as error:
            if getattr(error, "reason", None) not in (2033, 2055):
                raise
        lab.advance(rng.choice((0.0, 0.1, 0.37, 1.5, 4)))
    path = tmp_path_factory.mktemp("moves") / "log.parquet"
    lab.events.write_parquet(path)
    return lab, list(lab.events), read_events(spark, path).cache()


def walk(events) -> dict:
    """Fate, end and program of each stay, one event after the other."""
    stays, here, held, counts = {}, {}, {}, Counter()
    closed = {e.uow for e in events if e.kind in ("commit", "backout")}
    undone = {e.uow for e in events if e.kind == "backout"}
    browsed = set()
    for event in events:
        place = (event.qmgr, event.object, event.message)
        if event.message is None:
            continue
        if event.object_type is None and event.kind in ("discard", "lost", "reject"):
            if event.uow not in undone:
                held[event.message] = event
        elif event.kind in ("put", "report"):
            counts[place] += 1
            here[place] = (*place, counts[place])
            stays[here[place]] = (event, event)
        elif event.kind == "browse":
            browsed.add(here[place])
        elif event.kind in ("get", "discard", "undo", "clear", "lost", "restore"):
            stays[here[place]] = (stays[here[place]][0], event)
    latest = {}
    for stay, (begin, last) in stays.items():
        if last.kind != "undo":
            latest[stay[2]] = max(begin.seq, latest.get(stay[2], -1))
    found = {}
    for stay, (begin, last) in stays.items():
        gone = held.get(stay[2])
        if last.kind == "get" and latest[stay[2]] > begin.seq:
            found[stay] = ("moved on", last.time_us, last.program)
        elif last.kind == "get" and gone is not None and gone.seq > last.seq:
            found[stay] = (ENDS[gone.kind], gone.time_us, gone.program)
        elif last.kind == "get":
            doubt = last.uow is not None and last.uow not in closed
            found[stay] = ("got, not committed" if doubt else "got", last.time_us, last.program)
        elif last.kind in ENDS:
            found[stay] = (ENDS[last.kind], last.time_us, last.program)
        else:
            left = None if begin.expiry_left is None else begin.time_us + begin.expiry_left * 100_000
            name = (
                "put, not committed"
                if begin.uow is not None and begin.uow not in closed
                else (
                    "expired"
                    if left is not None and left <= events[-1].time_us
                    else "dead-lettered"
                    if begin.rule in ("MQI-30", "EXP-23")
                    else "browsed"
                    if stay in browsed
                    else "waiting"
                )
            )
            found[stay] = (name, None, None)
    return found


@pytest.fixture(scope="module")
def rows(moved):
    return fate(moved[2]).collect()


def test_fates(moved, rows):
    _, events, _ = moved
    found = {(r["qmgr"], r["object"], r["message"], r["stay"]): (r["fate"], r["end_us"], r["program"]) for r in rows}
    assert found == walk(events)
    assert len(rows) == len(found)
    names = Counter(name for name, *_ in found.values())
    assert names["moved on"] > 50
    assert {"got", "discarded", "lost", "waiting", "cleared"} <= set(names), names
    assert all(r["stay_us"] <= r["lifetime_us"] for r in rows if r["end_us"] is not None)


def test_a_message_has_one_fate_of_its_own(rows):
    rows = [r for r in rows if r["fate"] not in ("moved on", "backed out")]
    assert max(Counter(r["message"] for r in rows).values()) == 1
    gone = {r["message"] for r in rows if r["fate"] == "got" and r["object"] == "QM2"}
    assert not gone, "what a channel got was moved on, lost or is in doubt; nobody else reads its queue"


def test_what_is_still_there_is_what_the_engine_has(moved, rows):
    lab, _, _ = moved
    there = Counter((r["qmgr"], r["object"]) for r in rows if r["end_us"] is None)
    depths = {q.subject[:2]: q.depth for m in lab.queue_managers for q in m.queues if q.depth}
    assert there == depths


def test_the_other_questions_take_it_in(moved):
    _, events, told = moved
    gets = Counter((e.qmgr, e.object, e.program) for e in events if e.kind == "get" and e.message is not None)
    assert {(r["qmgr"], r["object"], r["program"]): r["gets"] for r in consumers(told).collect() if r["gets"]} == gets
    assert not {"lost", "reject"} & {r["call"] for r in failures(told).collect()}
    assert "moved on" in {r["fate"] for r in fate_summary(told).collect()}


def test_everyplace_hands_over_a_message_and_the_sender_has_not_got_it(spark, tmp_path):
    lab = Lab()
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    hq.define("local", "ORDERS")
    pda.define("asynchronous", "ORDERS@HQ")
    lab.link("HQ", "PDA1", latency=0.05)
    pda.connect("SALES").put("ORDERS@HQ", b"x", expire_ms=60_250)
    pda.trigger_transmission()
    lab.advance(5)
    path = tmp_path / "log.parquet"
    lab.events.write_parquet(path)
    rows = {(r["qmgr"], r["object"]): r["fate"] for r in fate(read_events(spark, path)).collect()}
    assert rows == {("PDA1", "ORDERS@HQ"): "moved on", ("HQ", "ORDERS"): "waiting"}
    lab.advance_to(60_249_999)
    for wait, name in ((0, "waiting"), (1e-6, "expired")):
        lab.advance(wait)
        hq.connect("CLERK")
        lab.queue_manager(f"MARK{name.upper()}")  # a row at this moment
        lab.events.write_parquet(path)
        assert {r["object"]: r["fate"] for r in fate(read_events(spark, path)).collect()}["ORDERS"] == name
