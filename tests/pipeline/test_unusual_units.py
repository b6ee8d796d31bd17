"""Messages whose unit of work ends otherwise than by one commit or backout, and messages that are never on a queue."""

from contextlib import suppress

import pytest
from pipeline.answers import at_end_of, counted, write_as

from mqlab import GMO, MD, PMO, Lab, MQError
from mqlab import constants as mq
from mqlab.pipeline.questions import counts, depth, ends, fate, lazy_expiry
from mqlab.pipeline.read import read_events

pytestmark = pytest.mark.needs("pubsub", "sharing", "everyplace")


def failing_publication(lab):
    """A copy is undone at once, and its unit goes on (MQI-34)."""
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(A)
        DEFINE QLOCAL(B) MAXDEPTH(1)
        DEFINE TOPIC(T) TOPICSTR('t') NPMSGDLV(ALL)""").require()
    for name in "AB":
        app = qm.connect(f"S{name}")
        app.subscribe("t", queue=app.open(name, output=True, input="shared"), name=f"S{name}", durable=True)
    qm.put("B", b"full")
    publisher = qm.connect("PUB")
    unit = publisher.unit_of_work()
    with suppress(MQError):
        publisher.publish("t", b"x", unit=unit)
    lab.advance(100)
    unit.put("A", b"y")
    lab.advance(10)
    unit.commit()


def failing_copy(lab):
    """A stream queue that must have a copy refuses it (STQ-03)."""
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(COPY) MAXDEPTH(1)\nDEFINE QLOCAL(MUST) STREAMQ(COPY) STRMQOS(MUSTDUP)").require()
    qm.put("COPY", b"full")
    unit = qm.unit_of_work()
    with suppress(MQError):
        unit.put("MUST", b"x")
    lab.advance(100)
    unit.commit()


def recovered_by_a_peer(lab, restart=True):
    """A peer undoes shared puts (QSG-07) and delivers a trigger message (TRG-10a) long before the member is back."""
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    member = lab["QMA"]
    member.mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(SAFE) QSGDISP(SHARED) CFSTRUCT(APP1)
        DEFINE QLOCAL(INITQ) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED)
        DEFINE PROCESS(P) APPLICID(S)
        DEFINE QLOCAL(TRG) TRIGGER TRIGTYPE(FIRST) INITQ(INITQ) PROCESS(P)""").require()
    member.connect("M").open("INITQ", input="shared")
    unit = member.unit_of_work()
    unit.put("SAFE", b"x", persistent=True)
    unit.put("TRG", b"x", persistent=True)
    lab.advance(20)
    member.fail()
    lab.advance(100)
    if restart:
        member.start()


def failed_for_good(lab):
    recovered_by_a_peer(lab, restart=False)


def skipped_backout(lab, commit=False):
    """A unit goes on under its number after a backout that a get was marked to skip (MQI-33)."""
    qm = lab.queue_manager("QMZ", platform="zos")
    qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)").require()
    qm.put("A", b"x")
    app = qm.connect("APP")
    app.get("A", gmo=GMO(Options=mq.MQGMO_SYNCPOINT | mq.MQGMO_MARK_SKIP_BACKOUT))
    lab.advance(10)
    app.backout()
    lab.advance(10)
    app.put("B", b"y", pmo=PMO(Options=mq.MQPMO_SYNCPOINT), md=MD(Expiry=50))
    lab.advance(30)
    if commit:
        app.commit()


def skipped_and_committed(lab):
    skipped_backout(lab, commit=True)


def expired_on_its_way(lab):
    """MQ Everyplace does not add a message that has expired (MQE-01)."""
    server, device = lab.everyplace("HQ"), lab.everyplace("PDA1")
    server.define("local", "NEWS")
    device.define("synchronous", "NEWS@HQ")
    lab.network.link("PDA1", "HQ", latency=3)
    server.put("NEWS", b"stays")
    device.put("NEWS@HQ", b"late", expire_ms=500)


def deleted_under_units(lab):
    """A temporary dynamic queue takes along what units have put and got; the next of its name is another queue."""
    qm = lab.queue_manager("QM1")
    app, model = qm.connect("APP"), "SYSTEM.DEFAULT.MODEL.QUEUE"
    creator = app.open(model, input="exclusive", dynamic_name="REPLY")
    unit, late = app.unit_of_work(), app.unit_of_work()
    for expiry in (-1, 100, 400):
        qm.put("REPLY", b"got", expiry=expiry)
        creator.get(unit=unit)
        late.put("REPLY", b"put", expiry=expiry)
    lab.advance(20)
    creator.close()
    lab.advance(10)
    again = app.open(model, input="exclusive", dynamic_name="REPLY")
    for _ in range(5):
        qm.put("REPLY", b"new", expiry=500)
    lab.advance(10)
    unit.backout()
    lab.advance(20)
    late.commit()
    again.get(unit=app.unit_of_work())


STORIES = (
    *(failing_publication, failing_copy, recovered_by_a_peer, failed_for_good, skipped_backout),
    *(skipped_and_committed, expired_on_its_way, deleted_under_units),
)


def played(story):
    lab = Lab()
    story(lab)
    lab.advance(20)
    return lab


@pytest.fixture(scope="module")
def labs():
    return {story.__name__: played(story) for story in STORIES}


@pytest.fixture(scope="module")
def log(spark, labs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("units")
    for name, lab in labs.items():
        write_as(lab, name, folder / f"{name}.parquet")
    return read_events(spark, folder).cache()


def test_depths_are_the_engine_s(labs, log):
    for row in depth(log, 5).collect():
        state = at_end_of(labs[row.lab], row.time_us)
        assert (row.depth, row.expired, row.uncommitted) == counted(state, row.qmgr, row.object), row


def test_fates_are_the_engine_s(labs, log):
    told = {(row.lab, row.object, row.message): row.fate for row in fate(log).collect()}
    assert told["failed_for_good", "INITQ", 3] == "waiting", "delivered, though its unit is open"
    assert told["failed_for_good", "TRG", 2] == "put, not committed"
    assert told["skipped_backout", "A", 1] == "got, not committed"
    assert told["skipped_backout", "B", 2] == "put, not committed"
    assert told["skipped_and_committed", "A", 1] == "got"
    assert {key[2]: each for key, each in told.items() if key[0] == "expired_on_its_way"} == {1: "waiting"}
    for name, lab in labs.items():
        there = {(place[1], number) for place, queue in lab.state().queues.items() for number in queue.messages}
        gone = ("got", "got, not committed", "backed out", "cleared")
        assert {key[1:] for key, each in told.items() if key[0] == name and each not in gone} == there, name


def test_a_message_that_was_never_on_a_queue_is_no_end_there(log):
    there = log.where("lab = 'expired_on_its_way'")
    assert [(row.object, row.fate, row.messages) for row in counts(there).collect()] == [("NEWS", "still there", 1)]
    assert ends(there).count() == 0


def waits_for_a_backout(lab, put=False):
    """An expired message comes to a get that waits."""
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(A)").require()
    unit = qm.unit_of_work()
    if put:
        unit.put("A", b"x", expiry=20)
    else:
        qm.put("A", b"x", expiry=20)
        unit.get("A")

    def waits(app):
        with suppress(MQError):
            app.get("A", wait=10)

    lab.advance(3)
    qm.run_program("W", waits)
    lab.advance(1)
    unit.commit() if put else unit.backout()


def waits_for_a_commit(lab):
    waits_for_a_backout(lab, put=True)


@pytest.mark.parametrize("story", [waits_for_a_backout, waits_for_a_commit])
def test_a_get_that_waits_meets_what_comes_expired(spark, story, tmp_path):
    lab = played(story)
    lab.events.write_parquet(tmp_path / "log.parquet")
    found = lazy_expiry(read_events(spark, tmp_path / "log.parquet")).collect()
    wanted = [(event.message, event.cause, event.time_us) for event in lab.events.where(kind="discard")]
    assert [(row.message, row.call_seq, row.discarded_us) for row in found] == wanted != []
