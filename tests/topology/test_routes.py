"""The hops that messages can take as defined: the same as those of routes of an estate, and right for networkx."""

from itertools import pairwise

import networkx as nx
import pytest

from clustered import Demo
from helpers import lab_error
from mqlab import Lab, estates
from mqlab.estates.routes import DELIVERS, routes_of


@pytest.mark.parametrize("name", ["clinic-estate", "two-sites"])
def test_each_route_of_an_estate_is_a_path_and_each_path_has_no_shortcut(name):
    estate = estates.from_lab(estates.load(name))
    graph = estate.lab.topology("routes")
    routes = [route for route in routes_of(estate).values() if route.verdict == DELIVERS]
    for route in routes:
        assert all(graph.has_edge(*hop) for hop in pairwise(route.objects)), route
        assert nx.shortest_path(graph, route.objects[0], route.objects[-1]) == route.objects
        named = nx.DiGraph((a, b) for a, b, names in graph.edges(data="names") if route.objects[0] in names.split(", "))
        assert len(route.objects) == 1 or list(nx.topological_sort(named)) == route.objects, "the edges of one name"
    assert max(len(route.objects) for route in routes) >= 5
    hops = {hop for route in routes for hop in pairwise(route.objects)}
    assert {(a, b) for a, b, names in graph.edges(data="names") if names} >= {
        (a, b) for a, b in hops if a.partition("/")[0] != b.partition("/")[0]
    }
    assert all(isinstance(value, str | int | float) for *_, data in graph.edges(data=True) for value in data.values())


def test_channels_are_joined_before_any_traffic_and_a_name_goes_on_from_queue_manager_to_queue_manager():
    lab = Lab()
    for name in "ABC":
        lab.queue_manager(name)
    sending = "DEFINE QLOCAL({0}) USAGE(XMITQ)\nDEFINE CHANNEL(TO.{0}) CHLTYPE(SDR) XMITQ({0}) CONNAME({0})"
    lab["A"].mqsc(sending.format("B")).require()
    lab["A"].mqsc("DEFINE QREMOTE(BILLS.OUT) RNAME(BILLS) RQMNAME(C) XMITQ(B)\nDEFINE QALIAS(APP) TARGET(BILLS.OUT)")
    lab["B"].mqsc("DEFINE CHANNEL(TO.B) CHLTYPE(RCVR)\n" + sending.format("C")).require()
    lab["C"].mqsc("DEFINE CHANNEL(TO.C) CHLTYPE(RCVR)\nDEFINE QLOCAL(BILLS)").require()
    graph, rows = lab.topology("routes"), len(lab.events)
    path = nx.shortest_path(graph, "A/APP", "C/BILLS")
    assert path[:4] == ["A/APP", "A/BILLS.OUT", "A/B", "A/channel:TO.B"]
    assert path[4:] == ["B/channel:TO.B", "B/C", "B/channel:TO.C", "C/channel:TO.C", "C/BILLS"]
    assert [graph.edges[hop]["kind"] for hop in pairwise(path[3:])] == ["talks", "arrives", "feeds", "talks", "arrives"]
    assert "B/channel:TO.B" in nx.articulation_points(graph.subgraph(path).to_undirected())
    assert not nx.has_path(graph, "C/BILLS", "A/APP")
    assert len(lab.events) == rows, "looking leaves nothing behind"
    lab_error('view must be "routes"', lab.topology, "route")


@pytest.mark.needs("clusters")
def test_a_name_leads_from_each_member_of_a_cluster_to_each_instance_by_its_cluster_channel():
    demo = Demo(queues=dict.fromkeys(("HUB1", "DEPOT"), "ORDERS"))
    graph = demo.lab.topology("routes")
    for host in ("HUB1", "DEPOT"):
        channel = f"channel:TO.{host}"
        sent = ["SHOP/ORDERS", "SHOP/SYSTEM.CLUSTER.TRANSMIT.QUEUE", f"SHOP/{channel}"]
        wanted = [*sent, f"{host}/{channel}", f"{host}/ORDERS"]
        assert nx.shortest_path(graph, "SHOP/ORDERS", f"{host}/ORDERS") == wanted
    assert not nx.has_path(graph, "HUB1/ORDERS", "DEPOT/ORDERS"), "a queue of the member itself is used alone"


def test_networkx_draws_both_views():
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("scipy")
    lab = estates.load("two-sites")
    for view in ("", "routes"):
        graph = lab.topology(view)
        nx.draw(graph, nx.kamada_kawai_layout(graph))
    from matplotlib import pyplot

    assert len(pyplot.gca().collections) >= 2
    pyplot.close("all")
