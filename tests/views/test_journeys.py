"""The ways that messages take over the lines of the picture."""

from itertools import pairwise

import pytest

from helpers import lab_with, reason
from mqlab import estates
from mqlab.views.frames.topology import Edge, Outline, outline
from mqlab.views.player.player_steps import PlayerSteps, Ways

EXPIRATION = 0x0020_0000


@pytest.fixture
def sites():
    """Two sites: an order by an alias, and its answer."""
    lab = estates.load("two-sites")
    south = lab["SOUTH"]

    def serve(app, trigger):
        app.reply(app.get(trigger.queue, wait=1), b"picked")

    south.program("ORDER.SERVER", serve)
    south.trigger_monitor("SOUTH.INITQ")
    lab["NORTH"].connect("WEBSHOP").put("SALES", b"order", reply_to_q="ORDERS.REPLY")
    lab.run()
    return lab


def ways_of(lab, number):
    """All lines that a message traveled, in order."""
    return [key for step in PlayerSteps(lab).steps if step.message == number for key in step.ways]


def test_the_ways_of_a_message_chain_from_its_putter_to_where_it_ends(sites):
    for begin, end in (
        ("NORTH/app:WEBSHOP", "SOUTH/app:ORDER.SERVER"),
        ("SOUTH/app:ORDER.SERVER", "NORTH/ORDERS.REPLY"),
    ):
        number = sites.events.where(kind="put", program=begin.partition("app:")[2])[0].message
        ends = [key.split(">") for key in ways_of(sites, number)]
        assert (ends[0][0], ends[-1][1]) == (begin, end)
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        assert len([1 for one, other in ends if "/channel:" in one and "/channel:" in other]) == 2, "two channels"


def test_a_report_goes_from_queue_to_queue_without_a_line(qm, lab):
    qm.put("ORDERS", b"x", expiry=10, report=EXPIRATION, reply_to_q="FIFO")
    lab.advance(2)
    reason(qm.get, "ORDERS")
    report = lab.events.where(kind="report")[0]
    plan = outline(lab.topology())
    assert Ways(plan).journey(report, lab.events[report.cause]) == ("QM1/ORDERS>QM1/FIFO",)
    assert Ways(plan).journey(report) == ()
    assert ("QM1/ORDERS>QM1/FIFO",) in [step.ways for step in PlayerSteps(lab).steps]


def test_nothing_moves_where_nothing_is_put_or_got(sites, lab, qm):
    plan = outline(sites.topology())
    for row in sites.events:
        if row.kind not in ("put", "get", "report") or row.message is None:
            assert Ways(plan).journey(row) == (), row
    qm.mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    reason(qm.put, "ORDERS", b"x")
    assert Ways(outline(lab.topology())).journey(lab.events[-1]) == (), "of a put that was refused"


def test_a_put_by_an_alias_goes_by_way_of_all_that_the_name_leads_to_and_a_trigger_message_from_its_queue(sites):
    graph = sites.topology()
    ways = Ways(outline(graph))
    put = sites.events.where(kind="put", program="WEBSHOP")[0]
    assert ways.journey(put) == ("NORTH/app:WEBSHOP>NORTH/SALES", "NORTH/SALES>NORTH/ORDERS", "NORTH/ORDERS>NORTH/HUB")
    put = sites.events.where(kind="put", object="SOUTH.INITQ")[0]
    assert ways.journey(put, sites.events[put.cause]) == ("SOUTH/ORDERS.IN>SOUTH/SOUTH.INITQ",)
    assert any(d["kind"] == "puts" for d in graph["HUB/channel:NORTH.HUB"]["HUB/SOUTH"].values()), "it passes them on"


def test_a_circle_of_names_ends(qm, lab):
    qm.put("ORDERS", b"x")
    edges = (Edge("QM1/A", "QM1/B", "alias"), Edge("QM1/B", "QM1/A", "alias"))
    plan = outline(lab.topology())
    circle = Outline(plan.qmgrs, plan.queues, plan.programs, (*plan.edges, *edges))
    row = lab.events.where(kind="put")[0]._replace(detail='{"via":"A"}')
    assert Ways(circle).journey(row) == Ways(plan).journey(row._replace(detail=None))


def test_what_a_nameless_program_does_comes_from_its_queue_managers_edge_and_goes_there():
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(SALES) TARGET(ORDERS)")
    qm.put("ORDERS", b"")
    qm.put("SALES", b"")
    qm.get("ORDERS")
    plan = outline(lab.topology())
    moved = [Ways(plan).journey(row) for row in lab.events if row.message is not None]
    assert moved == [("QM1>QM1/ORDERS",), ("QM1>QM1/SALES", "QM1/SALES>QM1/ORDERS"), ("QM1/ORDERS>QM1",)]
    assert [step.ways for step in PlayerSteps(lab).steps if step.message is not None] == moved


def test_a_publication_goes_from_its_program_to_the_topic_and_from_there_to_each_subscriber():
    lab, qmgr = lab_with("DEFINE QLOCAL(ONE)\nDEFINE QLOCAL(TWO)")
    for queue in ("ONE", "TWO"):
        qmgr.mqsc(f"DEFINE SUB({queue}) TOPICSTR('price') DEST({queue})").require()
    qmgr.connect("NEWS").publish("price", "9.90")
    ways = [step.ways for step in PlayerSteps(lab).steps if step.ways]
    topic = "QM1/topic:price"
    assert ways == [(f"QM1/app:NEWS>{topic}",), (f"{topic}>QM1/ONE",), (f"{topic}>QM1/TWO",)]
