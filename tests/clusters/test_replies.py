"""What replies to definitions say about clusters."""

import pytest

from mqlab import Lab

pytestmark = pytest.mark.needs("clusters")


def answer(text):
    (reply,) = Lab().queue_manager("QM1").mqsc(text).replies
    assert reply.ok
    return reply


def test_a_clussdr_says_that_its_share_of_the_workload_is_ignored():
    head = "DEFINE CHANNEL(TO.HUB) CONNAME(h) CLUSTER(DEMO) CHLTYPE"
    reply = answer(f"{head}(CLUSSDR) CLWLPRTY(4) CLWLWGHT(60)")
    assert "mqlab: IBM MQ ignores CLWLPRTY, CLWLWGHT of a CLUSSDR: the CLUSRCVR at the other end decides." in reply.text
    assert "mqlab:" not in answer(f"{head}(CLUSRCVR) CLWLPRTY(4) CLWLWGHT(60)").text
    assert "mqlab:" not in answer(f"{head}(CLUSSDR)").text


@pytest.mark.needs("admin")
def test_uniform_clusters_are_said_not_to_be_simulated_where_they_would_act():
    text = "DEFINE CHANNEL(+AUTOCL+_+QMNAME+) CHLTYPE(CLUSRCVR) CLUSTER(+AUTOCL+) CONNAME(h)"
    assert "uniform clusters, which qm.ini makes, are not simulated" in answer(text).text
    qm = Lab().queue_manager("QM1")
    apps = [qm.connect("TILL"), qm.connect("TILL"), qm.connect("DESK")]
    reply = qm.mqsc("DISPLAY APSTATUS(*)")
    shown = [(row["APPLNAME"], row["COUNT"], row["BALANCED"]) for row in reply.rows]
    assert shown == [("DESK", 1, "NOTAPPLIC"), ("TILL", 2, "NOTAPPLIC")]
    assert "uniform clusters are not simulated, so no connection is moved to balance applications" in str(reply)
    assert not qm.mqsc("DISPLAY APSTATUS(NOBODY)").ok
    assert len(apps) == 3
