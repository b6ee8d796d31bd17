"""SYSTEM objects: there from the first moment, by platform and level, and objects like any other."""

import pytest

from helpers import for_each, made, reason
from mqlab import Lab

PUBSUB = pytest.mark.needs("pubsub")


def _names(qm, command, head):
    return [row[head] for row in qm.mqsc(command).require().rows]


@for_each(
    "kind",
    *("CHANNEL", "LISTENER", "AUTHINFO", "SERVICE", "NAMELIST", "PROCESS"),
    *(pytest.param(kind, marks=PUBSUB) for kind in ("TOPIC", "SUB")),
)
def test_wildcards_show_them(kind):
    found = _names(Lab().queue_manager("QM1"), f"DISPLAY {kind}(*)", kind)
    assert found
    assert all(name.startswith("SYSTEM.") for name in found)


def test_they_are_used_like_any_other_queue_and_looking_at_all_of_them_leaves_no_trace():
    qm = Lab().queue_manager("QM1")
    qm.put("SYSTEM.ADMIN.LOGGER.EVENT", "x")
    assert qm.mqsc("DISPLAY QLOCAL(SYSTEM.ADMIN.LOGGER.EVENT) CURDEPTH").rows[0]["CURDEPTH"] == 1
    qm.mqsc("CLEAR QLOCAL(SYSTEM.ADMIN.LOGGER.EVENT)\nDELETE QLOCAL(SYSTEM.ADMIN.LOGGER.EVENT)").require()
    assert qm.mqsc("DISPLAY QLOCAL(SYSTEM.ADMIN.LOGGER.EVENT)").replies[0].code == "AMQ8147E"
    lab = Lab()
    qm = lab.queue_manager("QM1")
    rows, queues = len(lab.events), len(qm.queues)
    qm.mqsc("DISPLAY QUEUE(*) ALL\nDISPLAY QSTATUS(*)").require()
    lab.topology()
    assert (len(lab.events), len(qm.queues)) == (rows, queues)


@for_each(
    "default, define, display",
    ("QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)", "QLOCAL(A)", "QLOCAL(A)"),
    ("CHANNEL(SYSTEM.DEF.SENDER) CHLTYPE(SDR)", "CHANNEL(A) CHLTYPE(SDR) CONNAME(X) XMITQ(Y)", "CHANNEL(A)"),
    ("LISTENER(SYSTEM.DEFAULT.LISTENER.TCP) TRPTYPE(TCP)", "LISTENER(A) TRPTYPE(TCP)", "LISTENER(A)"),
    pytest.param("TOPIC(SYSTEM.DEFAULT.TOPIC)", "TOPIC(A) TOPICSTR(a)", "TOPIC(A)", marks=PUBSUB),
    ("AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.OCSP) AUTHTYPE(OCSP)", "AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL(X)", "AUTHINFO(A)"),
)
def test_define_starts_from_the_default_object_of_its_kind_and_type(default, define, display):
    qm = made(f"ALTER {default} DESCR('from the default')")
    qm.mqsc(f"DEFINE {define}")
    assert qm.mqsc(f"DISPLAY {display} DESCR").rows[0]["DESCR"] == "from the default"


@pytest.mark.needs("pubsub")
def test_attributes_that_differ():
    qm = Lab().queue_manager("QM1")
    assert qm.mqsc("DISPLAY QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE)").rows[0]["USAGE"] == "XMITQ"
    assert qm.mqsc("DISPLAY LISTENER(SYSTEM.DEFAULT.LISTENER.TCP)").rows[0]["PORT"] == 0
    assert qm.mqsc("DISPLAY TOPIC(SYSTEM.BASE.TOPIC)").rows[0]["PUB"] == "ENABLED"


def test_zos_has_its_own_names():
    qm = Lab().queue_manager("MVS1", platform="zos")
    qm.put("SYSTEM.ADMIN.COMMAND.QUEUE", "x")
    assert qm.status("SYSTEM.COMMAND.INPUT")["CURDEPTH"] == 1
    assert reason(qm.put, "SYSTEM.AUTH.DATA.QUEUE", "x") == 2085


@for_each(
    "level, name, there",
    (530, "SYSTEM.ADMIN.ACCOUNTING.QUEUE", False),
    (600, "SYSTEM.ADMIN.ACCOUNTING.QUEUE", True),
    (600, "SYSTEM.RETAINED.PUB.QUEUE", False),
    (701, "SYSTEM.CHLAUTH.DATA.QUEUE", False),
    (750, "SYSTEM.CHLAUTH.DATA.QUEUE", True),
)
def test_each_is_there_from_its_level_on(level, name, there):
    qm = Lab().queue_manager("QM1", level=level)
    assert (name in _names(qm, "DISPLAY QLOCAL(*)", "QUEUE")) is there


def test_a_default_object_of_another_type_gives_no_attributes(qm):
    qm.delete("CHANNEL", "SYSTEM.DEF.SENDER")
    qm.mqsc("DEFINE CHANNEL(SYSTEM.DEF.SENDER) CHLTYPE(SVR) XMITQ(X) BATCHSZ(7)").require()
    qm.mqsc("DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME(H) XMITQ(X)").require()
    attributes = qm.objects.get("CHANNEL", "A").attributes
    assert (attributes["BATCHSZ"], "SSLCAUTH" in attributes) == (50, False)  # a sender has no SSLCAUTH
