"""What an object sets and nothing acts on is said when the object is used, and not only when it is defined."""

import pytest

from helpers import channel, lab_with, made
from mqlab import MQError
from mqlab import constants as mq
from mqlab.engine.explain.words import told
from mqlab.engine.words import catalog


def row_of(lab, kind, **which):
    return lab.events.where(kind=kind, **which)[-1]


def test_a_channel_that_starts_says_what_nothing_acts_on(lab):
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    channel(one, two, "CONVERT(YES) KAINT(9) DISCINT(5)\nSTART CHANNEL(C)", "KAINT(9)")
    lab.advance(1)
    sender, receiver = (row_of(lab, "channel", qmgr=name) for name in ("QM1", "QM2"))
    assert sender.facts["kept_only"] == ["CONVERT(YES)", "KAINT(9)"]
    assert told(receiver) == "C became RUNNING; mqlab does not act on KAINT(9)"


QUEUES = {"QLOCAL": "", "QALIAS": "TARGET(BASE)", "QREMOTE": "RNAME(FAR) RQMNAME(QM2) XMITQ(WAY)"}


@pytest.mark.parametrize("kind", QUEUES)
def test_each_attribute_of_a_queue_acts_or_is_said_in_the_row_of_a_call(kind):
    """Every attribute that a DEFINE takes, with another value than the usual one: at an open, and at a put by name."""
    lab, qm = lab_with("DEFINE QLOCAL(BASE)\nDEFINE QLOCAL(WAY) USAGE(XMITQ)")
    tried = 0
    for keyword, one in catalog.attributes(kind).items():
        if not one.settable or one.shape not in ("choice", "int") or not one.had_by("distributed", 940):
            continue
        usual = catalog.defaults(kind).get(keyword)
        values = [word for word in one.values if word != usual] or [one.low + 1]
        tried += 1
        if one.acts or one.inert:
            continue
        qm.mqsc(f"DEFINE {kind}(Q) {QUEUES[kind]} REPLACE {keyword}({values[-1]})").require()
        qm.open("Q", output=True).close()
        qm.put("Q")
        for call in ("open", "put"):
            assert row_of(lab, call).facts["kept_only"] == [f"{keyword}({values[-1]})"]
    assert tried > 8


def test_a_call_by_name_says_what_nothing_acts_on_and_one_by_a_handle_does_not(lab):
    """The open of the handle said it."""
    qm = made("DEFINE QLOCAL(Q) DEFREADA(YES)\nDEFINE QALIAS(A) TARGET(Q) DEFPRESP(ASYNC)", of=lab)
    said = "; mqlab does not act on DEFPRESP(ASYNC), DEFREADA(YES)"
    with qm.open("A", output=True) as handle:
        message = handle.put(b"x", reply_to_q="A")
        assert not told(row_of(lab, "put")).endswith(said)
    for call in (lambda: qm.put("A"), lambda: qm.browse("A"), lambda: qm.get("A"), lambda: qm.reply(message)):
        call()
        assert told(lab.events[-1]).endswith(said)
    qm.forward(qm.get("Q"), "A")
    assert told(lab.events[-1]).endswith(said)
    assert qm.depth("Q") == 2
    qm.mqsc("ALTER QLOCAL(Q) DEFREADA(NO)\nALTER QALIAS(A) DEFPRESP(SYNC)").require()
    qm.put("A")
    qm.get("A")
    assert row_of(lab, "put").facts == row_of(lab, "get").facts == {"via": "A"}


def test_each_option_of_an_open_acts_or_is_said_in_its_row(lab):
    """Each bit that an open takes, beside one that is needed: another answer, another use, or its name in the row."""
    qm = made("DEFINE QLOCAL(Q) MAXDEPTH(5)", of=lab)
    plain = qm.open("Q", options=mq.MQOO_OUTPUT | mq.MQOO_BROWSE)
    assert "kept_only" not in row_of(lab, "open").facts
    usual = {"context": plain.context_options, "input": plain.input, "uses": row_of(lab, "open").facts["uses"]}
    silent = set()
    for name, bit in mq.named("MQOO_").items():
        if bit.bit_count() != 1 or bit in (mq.MQOO_OUTPUT, mq.MQOO_BROWSE):
            continue
        try:
            handle = qm.open("Q", options=mq.MQOO_OUTPUT | mq.MQOO_BROWSE | bit)
        except MQError:
            continue
        facts = row_of(lab, "open").facts
        now = {"context": handle.context_options, "input": handle.input, "uses": facts["uses"]}
        if now == usual and name not in str(facts.get("kept_only", "")):
            silent.add(name)
        handle.close()
    # A queue manager ends at once, and names are resolved.
    assert silent == {"MQOO_FAIL_IF_QUIESCING", "MQOO_RESOLVE_NAMES"}


@pytest.mark.needs("pubsub")
def test_a_publication_says_what_nothing_acts_on_at_its_topic(lab):
    qm = made("DEFINE TOPIC(T) TOPICSTR('a') MCAST(ENABLED)\nDEFINE TOPIC(U) TOPICSTR('b') PUB(ENABLED)", of=lab)
    for string, said in (("a/x", ["MCAST(ENABLED)"]), ("b", None), ("c", None)):
        qm.publish(string, b"x")
        assert row_of(lab, "publish").facts.get("kept_only") == said


def test_a_queue_manager_that_starts_says_what_nothing_acts_on(lab):
    qm = lab.queue_manager("QM1")
    for change, said in (("MAXHANDS(9)", None), ("STATQ(ON)", ["STATQ(ON)"])):
        qm.mqsc(f"ALTER QMGR {change}").require()
        qm.stop()
        qm.start()
        assert row_of(lab, "start").facts.get("kept_only") == said
