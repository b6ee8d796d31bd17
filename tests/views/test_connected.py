"""What joins programs and queues in the picture: topics and subscriptions, client channels, listeners, clusters."""

import networkx as nx
import pytest

from helpers import made, says
from mqlab.views.drawing.scene import lab_picture
from mqlab.views.drawing.topology import plan_of
from mqlab.views.frames.topology import Edge, outline


@pytest.fixture
def qm():
    qm = made("""
        DEFINE TOPIC(NEWS) TOPICSTR('news') CLUSTER(CLUS1)
        DEFINE QLOCAL(SPORT) CLUSTER(CLUS1)
        DEFINE QLOCAL(ALL)
        DEFINE QALIAS(PRESS) TARGET(NEWS) TARGTYPE(TOPIC)
        DEFINE SUB(S1) TOPICOBJ(NEWS) DEST(SPORT)
        DEFINE SUB(S2) TOPICSTR('news/#') DEST(ALL)
        DEFINE LISTENER(L1) TRPTYPE(TCP) PORT(1415)
        START LISTENER(L1)
        DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)
        DEFINE CHANNEL(TO.ME) CHLTYPE(CLUSRCVR) CONNAME('me(1414)') CLUSTER(CLUS1)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(CLUSSDR) CONNAME('qm2(1414)') CLUSTER(CLUS1)
        """)
    writer = qm.connect("WRITER")
    writer.put("PRESS", "goal")
    writer.publish("weather/rain", "soon")
    return qm


@pytest.mark.rule("MQI-34")
def test_a_topic_stands_between_its_publishers_and_the_queues_of_its_subscriptions(qm):
    graph = qm.lab.topology()
    assert graph.nodes["QM1/topic:NEWS"]["string"] == "news"
    subscriptions = {(b, name) for a, b, name in graph.edges(data="name") if a == "QM1/topic:NEWS" and name}
    assert subscriptions == {("QM1/SPORT", "S1"), ("QM1/ALL", "S2")}
    assert set(outline(graph).edges) == {
        Edge("QM1/app:WRITER", "QM1/PRESS", "puts"),
        Edge("QM1/PRESS", "QM1/topic:NEWS", "alias"),
        Edge("QM1/topic:NEWS", "QM1/SPORT", "subscribes"),
        Edge("QM1/topic:NEWS", "QM1/ALL", "subscribes"),
        Edge("QM1/app:WRITER", "QM1/topic:weather/rain", "puts"),
    }


def test_what_is_drawn_says_where_it_belongs_and_every_value_can_be_written_by_networkx(qm, tmp_path):
    nx.write_graphml(qm.lab.topology(), tmp_path / "lab.graphml")
    svg = lab_picture(qm.lab).svg
    says(svg, "listens on 1415", "in CLUS1", "for clients", "NEWS: topic news")
    plan = plan_of(outline(qm.lab.topology()))
    names = {each["name"] for each in plan["objects"] if each.get("cluster") == "CLUS1"}
    assert names == {"SPORT", "NEWS", "TO.ME", "TO.QM2"}


def test_a_header_counts_the_queues_and_channels_that_are_drawn_and_a_listener_is_told_of_while_it_runs(qm):
    picture = lab_picture(qm.lab)
    plan = plan_of(outline(qm.lab.topology()))
    kinds = [each["kind"] for each in plan["objects"]]
    assert f"{kinds.count('queue')} queues · {kinds.count('channel')} channels · 2 messages" in picture.svg
    assert "2 messages on 2 queues" in picture.words
    qm.mqsc("STOP LISTENER(L1)").require()
    qm.put("ALL", "another event")
    assert "listens on" not in lab_picture(qm.lab).svg
