"""Messages that move on, get lost, or come to a dead-letter queue in ways that few labs play."""

from contextlib import suppress

import pytest
from pipeline.answers import write_as

from mqlab import Lab, MQError
from mqlab import constants as mq
from mqlab.pipeline.questions import batches, consumers, counts, dead_letters, discarded, ends, fate, journeys
from mqlab.pipeline.read import read_events

pytestmark = pytest.mark.needs("sharing", "everyplace", "dead_letters")
CHANNEL = "DEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)"
STRUCTURE = "DEFINE CFSTRUCT(APP) CFLEVEL(4) RECOVER(YES)"
LOST_QUEUE = "SYSTEM.QSG.TRANSMIT.QUEUE"


def linked(lab, sender=CHANNEL, group=False):
    """QM2, to which a channel C leads from QM1, or from QMA of a queue-sharing group."""
    if group:
        lab.queue_sharing_group("QSG1", ["QMA"])
    one, two = lab["QMA"] if group else lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.network.link(one.name, "QM2", latency=0.1)
    one.mqsc(sender).require()
    two.mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REP)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)").require()
    return one, two


def sent_again(lab):
    """An administrator backs out a batch that had arrived, so the message comes twice; a program gets the first."""
    one, two = linked(lab)
    one.put("ORDERS@QM2", b"a", persistent=True)
    one.mqsc("START CHANNEL(C)").require()
    lab.advance(0.35)
    lab.cut("QM1", "QM2")
    lab.advance(0)
    one.mqsc("STOP CHANNEL(C)\nRESOLVE CHANNEL(C) ACTION(BACKOUT)").require()
    lab.restore("QM1", "QM2")
    one.mqsc("RESET CHANNEL(C)\nSTART CHANNEL(C)").require()
    lab.advance(3)
    two.connect("APP").get("ORDERS")


def report_in_a_batch(lab):
    """A receiving channel puts a report in the unit of a batch that lasts long."""
    one, _ = linked(lab, f"{CHANNEL} BATCHINT(60000)")
    one.mqsc("START CHANNEL(C)").require()
    lab.advance(5)
    report = mq.MQRO_EXCEPTION | mq.MQRO_DISCARD_MSG
    one.put("NOWHERE@QM2", b"x", persistent=True, report=report, reply_to_q="REP", reply_to_qmgr="QM2")
    lab.advance(5)


def shared_transmission(lab):
    """A channel of one member reads a shared transmission queue."""
    sender = CHANNEL.replace("USAGE(XMITQ)", "USAGE(XMITQ) QSGDISP(SHARED) CFSTRUCT(APP)")
    one, _ = linked(lab, f"{STRUCTURE}\n{sender}", group=True)
    one.mqsc("START CHANNEL(C)").require()
    one.put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(20)


def grouped(lab):
    """QMA, and intra-group queuing to WORK on QMB."""
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    lab["QMB"].mqsc("DEFINE QLOCAL(WORK)").require()
    lab.run(1)
    return lab["QMA"], group.igq


def agent_fails(lab):
    """The IGQ agent holds a nonpersistent message in no unit when it fails."""
    sender, igq = grouped(lab)
    igq.pace = 2
    sender.put("WORK@QMB", b"x", persistent=False)
    lab.advance(1)
    igq.agents["QMB"].fail()
    lab.advance(2)


def agent_cannot_put(lab):
    """The put of the IGQ agent fails, long after the message came to the transmission queue."""
    sender, igq = grouped(lab)
    lab["QMB"].stop()
    sender.put("WORK@QMB", b"x")
    lab.advance(5)
    lab["QMB"].start()
    igq.agents["QMB"].fail_next_put()
    lab.advance(5)


def report_without_a_place(qm, reply="NOWHERE", to=""):
    """A report on arrival cannot be put, and is dead-lettered."""
    qm.put("R", b"x", report=mq.MQRO_COA, reply_to_q=reply, reply_to_qmgr=to)


def shared_dead_letters(lab):
    lab.queue_sharing_group("QSG1", ["QMA"])
    dlq = "DEFINE QLOCAL(DLQ) QSGDISP(SHARED) CFSTRUCT(APP)"
    lab["QMA"].mqsc(f"{STRUCTURE}\n{dlq}\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(R)").require()
    report_without_a_place(lab["QMA"])


def alias_of_dead_letters(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(DLQ)\nDEFINE QALIAS(A) TARGET(DLQ)\nALTER QMGR DEADQ(A)\nDEFINE QLOCAL(R)").require()
    report_without_a_place(qm)


def no_trigger_message(lab):
    """A trigger monitor dead-letters a message that is no trigger message."""
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(INITQ)").require()
    qm.trigger_monitor("INITQ")
    lab.run(1)
    qm.put("INITQ", b"no trigger message")
    lab.run(1)


def full_transmission_queue(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(0)").require()
    qm.mqsc("DEFINE QLOCAL(R)").require()
    report_without_a_place(qm, "REP", "QM2")


def expired_before_it_came(lab):
    device = lab.everyplace("PDA1")
    device.define("local", "INBOX")
    late = device.message(b"late", expire_ms=1000)
    lab.advance(1.5)
    device.put("INBOX", late)


def get_after_the_end(lab):
    qm = lab.queue_manager("QM1")
    app = qm.connect("APP")
    qm.stop()
    with suppress(MQError):
        app.get("Q")


STORIES = (
    *(sent_again, report_in_a_batch, shared_transmission, agent_fails, agent_cannot_put, shared_dead_letters),
    *(alias_of_dead_letters, no_trigger_message, full_transmission_queue, expired_before_it_came, get_after_the_end),
)


@pytest.fixture(scope="module")
def log(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ways")
    for story in STORIES:
        lab = Lab()
        story(lab)
        write_as(lab, story.__name__, folder / f"{story.__name__}.parquet")
    return read_events(spark, folder).cache()


@pytest.fixture(scope="module")
def fates(log):
    return fate(log).cache()


def test_a_message_moves_on_only_with_the_program_that_got_it(fates):
    told = {(row.lab, row.object, row.stay): row.fate for row in fates.collect()}
    assert told["sent_again", "ORDERS", 1] == "got", "its copy came with the channel"
    assert told["sent_again", "ORDERS", 2] == "waiting"
    assert told["report_in_a_batch", "REP", 1] == "put, not committed"


@pytest.mark.parametrize("story", ["agent_fails", "agent_cannot_put"])
def test_a_message_that_the_agent_held_is_lost_and_not_got_as_well(log, fates, story):
    here = f"lab = '{story}'"
    assert [(row.object, row.fate, row.messages) for row in counts(log.where(here)).collect()] == [
        (LOST_QUEUE, "lost", 1)
    ]
    assert [row.fate for row in ends(log.where(here)).collect()] == ["lost"]
    assert [(row.fate, row.hops) for row in journeys(fates.where(here)).collect()] == [("lost", 1)]


def test_a_batch_from_a_shared_transmission_queue_is_one_of_the_member(log):
    found = batches(log.where("lab = 'shared_transmission'")).collect()
    assert [(row.qmgr, row.channel, row.messages, row.outcome) for row in found] == [("QMA", "C", 1, "committed")]


def test_dead_letters_have_the_facts_of_their_headers(log, fates):
    found = {row.lab: (row.qmgr, row.object, row.wanted, row.reason) for row in dead_letters(log).collect()}
    assert found == {
        "shared_dead_letters": ("QSG1", "DLQ", "NOWHERE", 2085),
        "alias_of_dead_letters": ("QM1", "DLQ", "NOWHERE", 2085),
        "no_trigger_message": ("QM1", "DLQ", "INITQ", 266),
        "full_transmission_queue": ("QM1", "DLQ", "REP", 2053),
    }
    buried = {row.lab: row.fate for row in fates.where("object = 'DLQ'").collect()}
    assert buried == dict.fromkeys(found, "dead-lettered")
    without_its_beginning = log.where("kind <> 'alter'")
    assert {row.lab for row in dead_letters(without_its_beginning).collect()} == found.keys()


def test_only_what_was_on_a_queue_is_discarded_there_and_only_a_call_of_a_queue_counts(log):
    assert discarded(log.where("lab = 'expired_before_it_came'")).count() == 0
    assert consumers(log.where("lab = 'get_after_the_end'")).count() == 0
