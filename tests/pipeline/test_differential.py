"""Spark against a plain walk over the same log, on labs that do anything at random."""

from collections import Counter
from random import Random

import pytest

from mqlab import Lab, MQError
from mqlab.pipeline.questions import consumers, discarded, failures, fate
from mqlab.pipeline.read import read_events

QUEUES = ("PRIO", "FIFO", "SMALL", "ALIAS")
GONE = {"get": "got", "discard": "discarded", "undo": "backed out", "clear": "cleared", "lost": "lost"}
ESTATE = """
DEFINE QLOCAL(PRIO) MSGDLVSQ(PRIORITY)
DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO) DEFPSIST(YES)
DEFINE QLOCAL(SMALL) MAXDEPTH(6)
DEFINE QLOCAL(REPORTS)
DEFINE QALIAS(ALIAS) TARGET(PRIO)
"""


def act(rng, qm, units):
    """One random call of a random program; refusals are part of the game."""
    app, queue = qm.connect(f"P{rng.randrange(4)}"), rng.choice(QUEUES)
    unit = rng.choice(units) if units and rng.random() < 0.5 else None
    choice = rng.random()
    if choice < 0.42:
        report = rng.random() < 0.2
        app.put(
            queue,
            b"x",
            expiry=rng.choice((-1, -1, 3, 20, 75, 150)),
            priority=rng.randrange(10),
            unit=unit,
            report=0x0020_0000 if report else 0,
            reply_to_q="REPORTS" if report else "",
            correl_id=bytes([rng.randrange(1, 5)]),
        )
    elif choice < 0.72:
        app.get(queue, unit=unit, correl_id=bytes([rng.randrange(1, 5)]) if rng.random() < 0.3 else None)
    elif choice < 0.80:
        app.browse(queue)
    elif choice < 0.86:
        units.append(app.unit_of_work())
    elif choice < 0.97 and units:
        unit = units.pop(rng.randrange(len(units)))
        unit.commit() if rng.random() < 0.6 else unit.backout()
    elif choice < 0.985:
        qm.clear(rng.choice(QUEUES[:3]))
    elif choice < 0.99:
        qm.stop()
        qm.start()
        units.clear()


@pytest.fixture(scope="module", params=[1])
def logged(request, spark, tmp_path_factory):
    """A random log, as a list of events and as Spark reads it."""
    rng, lab = Random(request.param), Lab()
    managers = [(lab.queue_manager(name), []) for name in ("QM1", "QM2")]
    for qm, _ in managers:
        assert qm.mqsc(ESTATE).ok
    for _ in range(1500):
        qm, units = rng.choice(managers)
        try:
            act(rng, qm, units)
        except MQError as error:
            if error.reason not in (2033, 2053, 2055):
                raise
        if rng.random() < 0.4:
            lab.advance(rng.choice((0.05, 0.1, 0.37, 1.25, 5)))
    path = tmp_path_factory.mktemp("random") / "log.parquet"
    lab.events.write_parquet(path)
    events = list(lab.events)
    assert {"discard", "undo", "restore", "clear", "lost", "report"} <= {event.kind for event in events}
    return events, read_events(spark, path).cache()


class Walk:
    """The same questions, answered one event after the other."""

    def __init__(self, events):
        self.events, self.there, self.fates = events, {}, {}
        committed = {e.uow for e in events if e.kind in ("commit", "backout")}
        browsed, known = set(), {}
        for event in events:
            place, stay = (event.qmgr, event.object), (event.qmgr, event.object, event.message)
            if event.depth is not None:
                known.setdefault(place, None)
                self.there.setdefault(place, {})
            if event.message is None:
                continue
            if event.kind in ("put", "report"):
                due = None if event.expiry_left is None else event.time_us + event.expiry_left * 100_000
                self.there[place][event.message] = (due, event.uow)
                known[stay] = (due, event.uow)
            elif event.kind == "browse":
                browsed.add(stay)
            elif event.kind == "restore":
                self.there[place][event.message] = known[stay]
                del self.fates[stay]
            else:
                self.there[place].pop(event.message)
                held = event.kind == "get" and event.uow is not None and event.uow not in committed
                self.fates[stay] = ("got, not committed" if held else GONE[event.kind], event.time_us, event.program)
        for place, messages in self.there.items():
            for number, (due, unit) in messages.items():
                stay = (*place, number)
                expired = due is not None and due <= events[-1].time_us
                name = (
                    "put, not committed"
                    if unit is not None and unit not in committed
                    else "expired"
                    if expired
                    else "browsed"
                    if stay in browsed
                    else "waiting"
                )
                self.fates[stay] = (name, None, None)


def test_fates(logged):
    events, told = logged
    rows = fate(told).collect()
    found = {(r["qmgr"], r["object"], r["message"]): (r["fate"], r["end_us"], r["program"]) for r in rows}
    assert found == Walk(events).fates
    assert len(rows) == len(found)


def test_expired(logged):
    events, told = logged
    dues = {
        (e.qmgr, e.object, e.message): e.time_us + e.expiry_left * 100_000
        for e in events
        if e.kind == "put" and e.message is not None and e.expiry_left is not None
    }
    gets = [e for e in events if e.kind == "get" and e.message is not None]
    wanted = {}
    for event in events:
        if event.kind == "discard":
            due = dues[event.qmgr, event.object, event.message]
            here = [g for g in gets if (g.qmgr, g.object) == (event.qmgr, event.object)]
            before = [g for g in here if g.time_us <= due]
            most = Counter(g.program for g in here)
            main = max(most, key=lambda program: (most[program], program), default=None)
            last = before[-1] if before else None
            wanted[event.message] = (
                due,
                event.time_us,
                event.program,
                events[event.cause].kind,
                last.program if last else main,
                last.time_us if last else None,
            )
    columns = ("deadline_us", "discarded_us", "met_by", "call", "reader", "reader_last_us")
    assert {r["message"]: tuple(r[c] for c in columns) for r in discarded(told).collect()} == wanted
    assert len(wanted) > 20


def test_consumers_and_failures(logged):
    events, told = logged
    gets = Counter((e.qmgr, e.object, e.program) for e in events if e.kind == "get" and e.message is not None)
    empty = Counter((e.qmgr, e.object, e.program) for e in events if e.kind in ("get", "browse") and e.reason == 2033)
    back = Counter((e.qmgr, e.object, e.program) for e in events if e.kind == "restore")
    rows = [(r, (r["qmgr"], r["object"], r["program"])) for r in consumers(told).collect()]
    assert {key: (r["gets"], r["empty"], r["returned"]) for r, key in rows} == {
        key: (gets[key], empty[key], back[key]) for key in {*gets, *empty, *back, *(key for _, key in rows)}
    }
    failed = Counter((e.qmgr, e.object, e.kind, e.reason) for e in events if e.reason is not None)
    assert {(r["qmgr"], r["object"], r["call"], r["reason"]): r["times"] for r in failures(told).collect()} == failed
