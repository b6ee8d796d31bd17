"""Single points of failure: the routes that need a part, ranked, and proved on a lab."""

import networkx as nx
import pytest
from estates.cases import estate_of

from helpers import lab_error, says
from mqlab import estates


@pytest.fixture(scope="module")
def sites():
    return estates.from_lab(estates.load("two-sites"))


def test_parts_are_ranked_by_the_routes_that_need_them_and_networkx_finds_the_same_queue_managers(sites):
    ranked = dict(sites.breaks().rows)
    assert list(ranked.values()) == sorted(ranked.values(), reverse=True)
    assert (ranked["HUB"], ranked["HUB - SOUTH"], ranked["HUB/channel:HUB.NORTH.FAST"]) == (4, 3, 1)
    graph = sites.lab.topology("routes")
    between = {(graph.nodes[a]["qmgr"], graph.nodes[b]["qmgr"]) for a, b in graph.edges}
    assert list(nx.articulation_points(nx.Graph(ends for ends in between if len(set(ends)) == 2))) == ["HUB"]


@pytest.mark.parametrize("part", ["SOUTH", "HUB.SOUTH", "HUB/HUB.SOUTH", "SOUTH - HUB"])
def test_a_lab_proves_each_route_that_no_longer_delivers(sites, part):
    found = sites.breaks(part)
    assert {row[:3] for row in found.rows} == {
        ("NORTH", name, f"{end} of SOUTH")
        for name, end in (("ORDERS", "ORDERS.IN"), ("SALES", "ORDERS.IN"), ("AUDIT", "AUDIT.IN"))
    }
    assert [row[3] for row in found.rows] == [True] * 3
    says(str(found), "3 routes no longer deliver; a lab proved 3")
    assert found.rows[-1][1] == "AUDIT", "the queue that loses most is first"
    assert "HUB/channel:HUB.SOUTH" in found.objects


def test_another_part_is_refused_and_a_part_that_no_route_needs_breaks_nothing(sites):
    lab_error("part must be a queue manager", sites.breaks, "NOPE")
    assert sites.breaks("SOUTH.HUB").rows == []
    assert not sites.breaks("SOUTH.HUB").failed


def test_if_another_member_of_a_group_can_send_the_channel_of_one_is_no_single_point_of_failure():
    shared = (
        "DEFINE CFSTRUCT(APP) CFLEVEL(5)\nDEFINE QLOCAL(QM9) QSGDISP(SHARED) CFSTRUCT(APP) USAGE(XMITQ)\n"
        "DEFINE QREMOTE(BILLS.OUT) QSGDISP(GROUP) RNAME(BILLS) RQMNAME(QM9)\n"
    )
    sends = "* QSGNAME(QSG1)\nALTER QMGR IGQ(DISABLED)\nDEFINE CHANNEL({}.QM9) CHLTYPE(SDR) XMITQ(QM9) CONNAME(QM9)\n"
    bank = "DEFINE QLOCAL(BILLS)\nDEFINE CHANNEL(QMA.QM9) CHLTYPE(RCVR)\nDEFINE CHANNEL(QMB.QM9) CHLTYPE(RCVR)"
    estate = estate_of({"QMA": shared + sends.format("QMA"), "QMB": sends.format("QMB"), "QM9": bank}, "zos")
    assert [qmgr.group is not None for qmgr in estate.queue_managers] == [True, True, False]
    ranked = dict(estate.breaks().rows)
    assert "QM9" in ranked
    assert "QMA/channel:QMA.QM9" not in ranked
