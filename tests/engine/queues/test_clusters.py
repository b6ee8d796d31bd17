"""Clusters are not simulated: a name that another queue manager has in one is refused, and told the truth about."""

import pytest

from helpers import for_each, made, mq_error, refusal, says
from mqlab import Lab, MQError
from mqlab.engine.words.because import because

MEMBER = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME('{0}.example') CLUSTER({1})"
HOW = {
    "CLUSTER": "DEFINE QLOCAL(FX) CLUSTER(PAY)",
    "CLUSNL": "DEFINE NAMELIST(BOTH) NAMES(PAY, OTHER)\nDEFINE QLOCAL(FX) CLUSNL(BOTH)",
    "an alias": "DEFINE QLOCAL(IN)\nDEFINE QALIAS(FX) TARGET(IN) CLUSTER(PAY)",
    "a remote definition": "DEFINE QREMOTE(FX) RNAME(IN) RQMNAME(FAR) CLUSTER(PAY)",
}
CALLS = {
    "put": lambda qm, name: qm.put(name, b"x"),
    "open": lambda qm, name: qm.open(name, output=True),
    "get": lambda qm, name: qm.get(name),
}


def make(commands="DEFINE QLOCAL(FX) CLUSTER(PAY)", member=True):
    """Two queue managers of cluster PAY, or one member and one that is none."""
    lab = Lab()
    here, there = lab.queue_manager("QM1"), lab.queue_manager("LONPAY1")
    there.mqsc("\n".join((MEMBER.format("LONPAY1", "PAY"), commands))).require()
    if member:
        here.mqsc(MEMBER.format("QM1", "PAY")).require()
    return lab, here, there


def refused(call, qm, name):
    """The refusal of a call, which must tell of the cluster and not advise a local queue of this name."""
    caught = mq_error(call, qm, name)
    text = str(caught)
    says(text, "IBM MQ would route a put to LONPAY1 through cluster PAY", "clusters are not simulated")
    assert "DEFINE QLOCAL(FX)" not in text
    assert "did you mean" not in text
    return caught


@for_each("commands", HOW.values())
@for_each("call", CALLS.values())
def test_a_queue_that_another_queue_manager_has_in_a_cluster(call, commands):
    _, here, _ = make(commands)
    assert refused(call, here, "FX").reason == 2085


def test_one_that_is_no_member_is_told_so():
    _, here, _ = make(member=False)
    assert "if QM1 were a member of it" in refused(CALLS["put"], here, "FX").said
    _, here, _ = make()
    assert "were a member" not in refused(CALLS["put"], here, "FX").said


def test_an_alias_whose_target_is_in_a_cluster():
    _, here, _ = make()
    here.mqsc("DEFINE QALIAS(RATES) TARGET(FX)").require()
    assert refused(CALLS["put"], here, "RATES").reason == 2082


@pytest.mark.needs("pubsub")
def test_an_alias_of_a_topic_that_is_in_a_cluster():
    _, here, _ = make("DEFINE TOPIC(FX) TOPICSTR('fx') CLUSTER(PAY)")
    here.mqsc("DEFINE QALIAS(RATES) TARGTYPE(TOPIC) TARGET(FX)").require()
    assert refused(CALLS["put"], here, "RATES").reason == 2082


@pytest.mark.parametrize("name", ["FX@LONPAY1", "REMOTE"])
def test_a_queue_manager_of_the_cluster(name):
    _, here, _ = make()
    here.mqsc("DEFINE QREMOTE(REMOTE) RNAME(FX) RQMNAME(LONPAY1)").require()
    assert refused(CALLS["put"], here, name).reason == 2087


def test_a_queue_of_its_own_wins_and_a_name_in_no_cluster_is_unknown():
    _, here, _ = make()
    here.mqsc("DEFINE QLOCAL(FX)").require()
    assert here.put("FX", b"x").body == b"x"
    caught = refusal(MQError, r"DEFINE QLOCAL\(GY\)", here.put, "GY", b"x")
    assert "cluster" not in str(caught)


def test_the_log_and_the_explanations_say_it_too():
    lab, here, _ = make()
    far = made(
        "DEFINE QLOCAL(QM1) USAGE(XMITQ)\nDEFINE CHANNEL(FAR.QM1) CHLTYPE(SDR) CONNAME('qm1') XMITQ(QM1)", "FAR", of=lab
    )
    here.mqsc("DEFINE CHANNEL(FAR.QM1) CHLTYPE(RCVR)\nALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
    lab.link("FAR", "QM1")
    lab.address("qm1", "QM1")
    message = far.put("FX@QM1", b"x")
    far.mqsc("START CHANNEL(FAR.QM1)").require()
    lab.advance(5)
    words = "IBM MQ would route a put to LONPAY1 through cluster PAY; clusters are not simulated"
    assert words in lab.explain(message)
    found = lab.why_not_delivered(message)
    assert found.verdict == "dead-lettered"
    assert words in str(found)
    assert "DEFINE QLOCAL(FX)" not in str(found)


@pytest.mark.needs("pubsub")
def test_a_publication_below_a_topic_of_a_cluster_says_where_else_it_would_go():
    lab, here, _ = make("DEFINE TOPIC(FX) TOPICSTR('fx') CLUSTER(PAY)")
    here.publish("fx/usd", b"1")
    here.publish("gold", b"2")
    clustered, other = lab.events.where(kind="publish")
    said = "IBM MQ would also publish to LONPAY1 through cluster PAY; clusters are not simulated"
    assert because(clustered.facts) == said
    assert "cluster" not in other.detail


@pytest.mark.parametrize("member", [True, False])
def test_defxmitq_beside_a_cluster_that_has_the_queue_manager(member):
    lab, here, _ = make(member=member)
    here.mqsc("DEFINE QLOCAL(OUT) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(OUT)").require()
    message = here.put("FX@LONPAY1", b"x")
    assert here.depth("OUT") == 1
    said = "IBM MQ would route a put to LONPAY1 through cluster PAY; clusters are not simulated"
    assert (because(lab.events.where(kind="put")[-1].facts) == said) is member
    assert (said in str(lab.why_not_delivered(message))) is member
    here.mqsc("DEFINE QLOCAL(LONPAY1) USAGE(XMITQ)").require()  # IBM MQ too finds a local definition first
    here.put("FX@LONPAY1", b"x")
    assert said not in lab.events.where(kind="put")[-1].detail
