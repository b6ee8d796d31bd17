"""Clusters in the graph of a lab: members, names whose messages went into a cluster, and the channels of these."""

import pytest

from clustered import Demo

pytestmark = pytest.mark.needs("clusters")
TRANSMIT = "SHOP/SYSTEM.CLUSTER.TRANSMIT.QUEUE"


@pytest.fixture
def demo():
    return Demo(queues=dict.fromkeys(("HUB1", "HUB2", "DEPOT"), "ORDERS"))


def lines(graph, kind):
    return {(a, b) for a, b, each in graph.edges(data="kind") if each == kind}


def test_queue_managers_have_their_clusters_and_those_of_which_they_are_full_repositories(demo):
    demo("DEPOT", "DEFINE CHANNEL(OTHER.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('depot(1414)') CLUSTER(OTHER)")
    nodes = demo.lab.topology().nodes
    wanted = [("DEMO", "DEMO"), ("DEMO", "")]
    assert [(nodes[name]["clusters"], nodes[name]["repository"]) for name in ("HUB1", "SHOP")] == wanted
    assert set(nodes["DEPOT"]["clusters"].split(", ")) == {"DEMO", "OTHER"}


def test_at_rest_there_are_no_names_and_no_channels_but_those_that_were_defined(demo):
    graph = demo.lab.topology()
    assert "SHOP/ORDERS" not in graph
    assert {name for name, kind in graph.nodes(data="kind") if kind == "channel"} == {
        *(f"{name}/channel:TO.{name}" for name in demo.names),
        "HUB1/channel:TO.HUB2",
        *(f"{name}/channel:TO.HUB1" for name in ("HUB2", "DEPOT", "SHOP")),
    }
    assert all(data["repositories"] for *_, data in graph.edges(data=True) if data["kind"] == "talks")
    assert all(data["spare"] for *_, data in graph.edges(data=True) if data["kind"] == "link")


def test_messages_of_applications_bring_their_name_and_their_channels(demo):
    till = demo["SHOP"].connect("TILL")
    for number in range(3):
        till.put("ORDERS", f"order {number}")
    till.put("ORDERS@DEPOT", "named")
    demo.settle()
    demo.lab.cut("SHOP", "DEPOT")
    graph = demo.lab.topology()
    name = graph.nodes["SHOP/ORDERS"]
    assert (name["type"], name["resolves"], name["cluster"]) == ("QCLUSTER", "DEPOT, HUB1, HUB2", "DEMO")
    assert ("SHOP/ORDERS", TRANSMIT) in lines(graph, "resolves")
    assert lines(graph, "leads") == {("SHOP/ORDERS", f"{at}/ORDERS") for at in ("DEPOT", "HUB1", "HUB2")}
    assert ("SHOP/app:TILL", "SHOP/ORDERS") in lines(graph, "puts")
    assert ("SHOP/app:TILL", TRANSMIT) not in lines(graph, "puts"), "also by its full name"
    quiet = {(a, b) for a, b, data in graph.edges(data=True) if data["kind"] == "talks" and "repositories" in data}
    carried = {(f"SHOP/channel:TO.{at}", f"{at}/channel:TO.{at}") for at in ("DEPOT", "HUB1", "HUB2")}
    assert lines(graph, "talks") - quiet == carried
    links = [(a, b) for a, b, data in graph.edges(data=True) if data["kind"] == "link" and "spare" not in data]
    assert [set(ends) for ends in links] == [{"DEPOT", "SHOP"}]
    programs = {data["name"] for _, data in graph.nodes(data=True) if data["kind"] == "program"}
    assert programs == {"REPOSITORY.MANAGER", "TILL"}, "no channel is drawn as a program"


def test_a_queue_here_leads_into_the_cluster_when_its_messages_go_elsewhere():
    demo = Demo(partial=("SHOP",), queues={"HUB1": "ORDERS CLWLUSEQ(ANY)", "HUB2": "ORDERS CLWLUSEQ(ANY)"})
    for _ in range(4):
        demo["HUB1"].connect("TILL").put("ORDERS", "x")
    demo.settle()
    graph = demo.lab.topology()
    assert graph.nodes["HUB1/ORDERS"]["type"] == "QLOCAL"
    assert ("HUB1/ORDERS", "HUB2/ORDERS") in lines(graph, "leads")
