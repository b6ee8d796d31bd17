"""Several queue managers in one picture: channels, groups with their facility, MQ Everyplace."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from views.meetings import joined

from helpers import for_each, frame_of, inside, made, overlap, says
from mqlab import Lab, estates
from mqlab.engine.explain.replay import State
from mqlab.lab.scenarios import names
from mqlab.views import draw_topology, lab_picture, topology_frame
from mqlab.views.drawing.topology import places_of
from mqlab.views.frames.topology import (
    ChannelNow,
    Edge,
    Group,
    Outline,
    Program,
    Queue,
    QueueManager,
    Structure,
    outline,
)

KINDS = ("local", "alias", "remote", "transmission", "dead-letter")


def queue(owner, name, kind="local"):
    return Queue(f"{owner}/{name}", owner, name, kind, "", 10, True, True, "")


@st.composite
def networks(draw):
    """Outlines of 2 to 8 queue managers with queues, programs, channels in any direction, and perhaps a group.

    Names may be as long as MQ lets them be, and a receiver may serve several senders.
    """
    many, longer = draw(st.integers(2, 8)), "." * 44 if draw(st.booleans()) else ""
    owners = [f"QM{i}{longer * (i % 2)}" for i in range(many)]
    grouped = owners[: draw(st.sampled_from([0, 0, 2, 3, 5]))]
    channels = draw(st.sampled_from(["any", "to and from a hub", "of two", "of shared receivers"]))
    queues, programs, edges = [], [], set()
    for owner in owners:
        queues += [queue(owner, f"Q{i}", draw(st.sampled_from(KINDS))) for i in range(draw(st.integers(0, 5)))]
    shared = [queue("QSG1", f"S{i}") for i in range(draw(st.integers(1, 4)))] if grouped else []
    for owner in owners:
        mine = [q for q in queues if q.qmgr == owner]
        usable = mine + (shared if owner in grouped else [])
        for i in range(draw(st.integers(0, 2)) if usable else 0):
            program, used = Program(f"{owner}/app:P{i}", owner, f"P{i}"), draw(st.sampled_from(usable)).id
            programs.append(program)
            edges.add(draw(st.sampled_from([Edge(program.id, used, "puts"), Edge(used, program.id, "gets")])))
        if shared and owner in grouped and mine and draw(st.booleans()):
            edges.add(Edge(mine[0].id, draw(st.sampled_from(shared)).id, "alias"))
            edges.add(Edge(shared[0].id, mine[-1].id, "initq"))
    for number in range(draw(st.integers(0, 14))):
        one, other = draw(st.sampled_from(owners)), draw(st.sampled_from(owners))
        if channels == "to and from a hub":
            one, other = (owners[0], owners[1 + number % (many - 1)])[:: draw(st.sampled_from([1, -1]))]
        elif channels == "of two":
            one, other = owners[:2][:: draw(st.sampled_from([1, -1]))]
        name = f"C{number}" * draw(st.integers(1, 6))
        if channels == "of shared receivers":
            name = f"TO.{other[:17]}"
        types = ((one, name, "SDR"), (other, f"{name}.R" if channels == "of shared receivers" else name, "RCVR"))
        ends = [Program(f"{o}/channel:{n}", o, n, t) for o, n, t in types]
        if one == other:
            programs.append(ends[0])  # a sender whose partner nobody knows
            continue
        programs += ends
        edges.add(Edge(ends[0].id, ends[1].id, "talks"))
        for owner, end, kind in ((one, ends[0], "gets"), (other, ends[1], "puts")):
            mine = [q.id for q in queues if q.qmgr == owner]
            if mine and draw(st.booleans()):
                at = draw(st.sampled_from(mine))
                edges.add(Edge(at, end.id, kind) if kind == "gets" else Edge(end.id, at, kind))
    for _ in range(draw(st.integers(0, 3))):
        one, other = draw(st.sampled_from(owners)), draw(st.sampled_from(owners))
        mine = [q.id for q in queues if q.qmgr == one]
        if one != other and mine and not {one, other} <= set(grouped):
            edges.add(Edge(mine[0], other, "transmits") if draw(st.booleans()) else Edge(other, mine[-1], "pulls"))
        if one != other and draw(st.booleans()):
            edges.add(Edge(*sorted((one, other)), "link"))
    structures = (Structure("QSG1/structure:S", "QSG1", "S", tuple(q.id for q in shared)),) if shared else ()
    return Outline(
        tuple(QueueManager(o, "zos") for o in owners),
        tuple(sorted([*queues, *shared], key=lambda q: (q.qmgr, q.name))),
        tuple(sorted(set(programs), key=lambda p: (p.qmgr, p.name))),
        tuple(sorted(edges)),
        (),
        (Group("QSG1", tuple(grouped)),) if grouped else (),
        structures,
    )


def solid_of(places):
    """The boxes of a scene that nothing may lie on, and the labels on its lines."""
    kinds = ("card", "chip", "rest", "closed", "stacked")
    labels = [line["label"] for line in places.scene["lines"] if line.get("label")]
    return [box for box in places.scene["boxes"] if box["type"] in kinds], labels


@settings(max_examples=5, deadline=None)
@given(networks())
def test_nothing_lies_on_anything_else_every_object_is_seen_and_the_drawing_is_the_same_each_time(plan):
    frame = topology_frame(plan, State(), 0)
    places = places_of(frame)
    boxes, labels = solid_of(places)
    assert not [(a, b) for a, b in combinations([*boxes, *labels], 2) if overlap(a, b)]
    for kinds in (("room", "closed", "stacked"), ("structure", "panel")):
        blocks = [box for box in places.scene["boxes"] if box["type"] in kinds]
        assert not [(a, b) for a, b in combinations(blocks, 2) if overlap(a, b)]
    rooms = [box for box in places.scene["boxes"] if box["type"] == "room"]
    assert all(any(inside(box, room) for room in rooms) for box in boxes if box["type"] == "card")
    ids = {box["id"] for box in places.scene["boxes"]}
    assert {places.scene["where"][each.id] for each in (*plan.queues, *plan.programs)} <= ids
    assert {end for line in places.scene["lines"] for end in line["id"].split(">")} <= ids
    svg = draw_topology(frame)
    assert svg == draw_topology(frame, places)
    ElementTree.fromstring(svg)


@pytest.fixture
def sites():
    """The two sites after some traffic, the link to the south cut while orders wait."""
    lab = estates.load("two-sites")
    shop = lab["NORTH"].connect("WEBSHOP")
    for _ in range(3):
        shop.put("ORDERS", b"order", persistent=True)
    lab.advance(3)
    lab.cut("SOUTH", "HUB")
    lab.advance(1)
    shop.put("ORDERS", b"order", persistent=True)
    lab.advance(4)
    return lab


def test_channels_say_their_state_at_both_ends_by_word_and_letter_and_a_cut_is_on_each_of_them(sites):
    frame = frame_of(sites)
    now = {id: (c.state, c.partner) for id, c in frame.channels.items()}
    assert (now["NORTH/channel:NORTH.HUB"], now["HUB/channel:NORTH.HUB"]) == (("RUNNING", "HUB"), ("RUNNING", "NORTH"))
    assert now["HUB/channel:HUB.SOUTH"] == ("RETRYING", "SOUTH")
    assert (now["SOUTH/channel:SOUTH.HUB"], frame.cut) == (("INACTIVE", "HUB"), (("HUB", "SOUTH"),))
    assert frame_of(sites, 2_000_000).channels["HUB/channel:HUB.SOUTH"].state == "RUNNING"
    assert {p.name for p in frame.outline.programs if not p.chltype} == {"WEBSHOP"}, "none of a trigger message"
    now, before, hub = lab_picture(sites), lab_picture(sites, 2, qmgr="HUB"), lab_picture(sites, qmgr="HUB")
    says(hub.svg, "HUB.SOUTH: channel, RETRYING", "NORTH.HUB: channel from NORTH, RUNNING")
    assert now.svg.count("the link is cut") == 1, "closed boxes have one line for both channels"
    says(now.svg, 'class="way cut"', "the link HUB - SOUTH is cut.")
    assert "the link is cut" not in before.svg
    assert "HUB.SOUTH: channel, RUNNING" in before.svg
    signs = "".join(ElementTree.fromstring(hub.key).itertext())
    says(signs, "channel: RETRYING", "channel: RUNNING")


def test_every_state_of_a_channel_has_a_sign_of_its_own():
    program = Program("QM1/channel:C", "QM1", "C", "SDR")
    plan = Outline((QueueManager("QM1", "unix"),), (), (program,), ())
    signs = {}
    for state in ("RUNNING", "RETRYING", "STOPPED", "PAUSED", "BINDING", "INACTIVE"):
        frame = topology_frame(plan, State(), 0)._replace(channels={program.id: ChannelNow(state, "QM2")})
        svg = draw_topology(frame)
        assert f"C: channel to QM2, {state}" in svg
        sign = re.search(r'<g class="sign[^"]*"><path transform="[^"]*" d="([^"]*)"/><text[^>]*>(\w)</text>', svg)
        signs[state] = sign.groups()
    assert len(set(signs.values())) == len({letter for _, letter in signs.values()}) == len(signs)


def test_a_batch_in_doubt_is_told(sites):
    sites.restore("SOUTH", "HUB")
    sites.advance(120)
    for _ in range(3):
        sites["NORTH"].put("ORDERS", b"x", persistent=True)
    sites.advance(0.05)
    sites.cut("NORTH", "HUB")
    frame = frame_of(sites)
    assert frame.channels["NORTH/channel:NORTH.HUB"].indoubt == 3
    north = lab_picture(sites, qmgr="NORTH").svg
    assert re.search(r"NORTH.HUB: channel[^,<]*, \w+, 3 in doubt", north)
    assert "ORDERS: remote queue definition for ORDERS.IN@SOUTH" in north
    assert sites.topology().nodes["NORTH/channel:NORTH.HUB"]["indoubt"] == 3


def test_a_requester_is_sent_to():
    lab = Lab()
    one, other = lab.queue_manager("ONE"), lab.queue_manager("TWO")
    lab.link("ONE", "TWO")
    assert one.mqsc("DEFINE CHANNEL(ASK) CHLTYPE(RQSTR) CONNAME(TWO)").ok
    assert other.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(ASK) CHLTYPE(SVR) XMITQ(X)").ok
    assert Edge("TWO/channel:ASK", "ONE/channel:ASK", "talks") in outline(lab.topology()).edges


def test_a_sender_whose_partner_is_not_known_is_drawn_without_one_and_a_bare_link_is_drawn():
    lab = Lab()
    one = lab.queue_manager("ONE")
    lab.queue_manager("TWO")
    lab.link("ONE", "TWO")
    assert one.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(LOST) CHLTYPE(SDR) CONNAME('far.away') XMITQ(X)").ok
    svg = draw_topology(frame_of(lab))
    says(svg, "LOST: channel, INACTIVE", 'class="way link"')
    lab.cut("ONE", "TWO")
    assert ">cut<" in draw_topology(frame_of(lab))


@pytest.fixture
def group():
    """The group with two tellers who pay in, one of them on a member that has stopped since."""
    lab = estates.load("sharing-group")
    for member in ("QMA", "QMC"):
        teller = lab[member].connect("TELLER")
        teller.put("PAYMENTS", b"x", persistent=True)
        teller.put("BALANCE.QUERY", b"?")
    lab["QMC"].stop()
    lab.advance(1)
    return lab


def test_shared_queues_stand_in_their_structure_in_the_facility_of_the_group(group):
    graph = group.topology()
    node = graph.nodes["QSG1/structure:BANKING"]
    assert (node["kind"], node["status"], node["level"], node["recoverable"]) == ("structure", "ACTIVE", 4, True)
    structure, queue = "QSG1/structure:BANKING", "QSG1/PAYMENTS"
    assert all(graph.has_edge(*ends) for ends in (("QSG1", structure), (structure, queue), ("QSG1", queue)))
    plan = outline(graph)
    assert [q.name for q in plan.qmgrs] == ["QMA", "QMB", "QMC"]
    assert plan.groups == (Group("QSG1", ("QMA", "QMB", "QMC")),)
    assert [(s.name, s.queues) for s in plan.structures] == [
        ("BANKING", ("QSG1/PAYMENTS", "QSG1/PAYMENTS.DONE")),
        ("LOOKUP", ("QSG1/BALANCE.QUERY",)),
    ]
    assert Edge("QMA/app:TELLER", "QSG1/PAYMENTS", "puts") in plan.edges
    boxes = {box["id"]: box for box in places_of(frame_of(group)).scene["boxes"]}
    banking, lookup, facility = (boxes[id] for id in ("QSG1/structure:BANKING", "QSG1/structure:LOOKUP", "QSG1"))
    assert inside(boxes["QSG1/PAYMENTS"], banking)
    assert inside(boxes["QSG1/BALANCE.QUERY"], lookup)
    assert not overlap(banking, lookup)
    assert inside(banking, facility)
    assert inside(lookup, facility)
    for member in ("QMA", "QMB", "QMC"):
        assert inside(boxes[member], boxes["group:QSG1"])
        assert not overlap(boxes[member], facility)


def test_failures_of_members_and_structures_are_said(group):
    frame = frame_of(group)
    assert (frame.stopped, frame.failed) == (("QMC",), ())
    before = draw_topology(frame)
    assert re.search(r"Queue manager QMC: [^<]*, ended<", before)
    assert "structure, failed" not in before
    group.queue_sharing_groups[0].fail_coupling_facility()
    frame = frame_of(group)
    assert frame.failed == ("QSG1/structure:BANKING", "QSG1/structure:LOOKUP")
    assert "2 structures failed: BANKING and LOOKUP" in frame.summary
    after = draw_topology(frame)
    assert "BANKING: coupling facility structure, failed" in after
    assert ". structure failed<" in after, "of each queue in it"
    assert ">failed<" in after
    assert group.topology().nodes["QSG1/structure:LOOKUP"]["status"] == "FAILED"
    group.queue_sharing_groups[0].recover()
    assert frame_of(group).failed == ("QSG1/structure:LOOKUP",)


def test_what_mq_everyplace_sends_and_pulls_is_drawn_and_no_limit_is_said():
    lab = estates.load("mobile-edge")
    plan = outline(lab.topology())
    kinds = {q.name: q.kind for q in plan.queues}
    assert {kinds[n] for n in ("REPORTS@HQ", "STOCK@HQ", "FORWARD@HQ", "FORWARD", "JOBS")} == {
        "asynchronous",
        "synchronous",
        "home-server",
        "store-and-forward",
        "local",
    }
    assert Edge("VAN1/REPORTS@HQ", "HQ/REPORTS", "transmits") in plan.edges
    assert Edge("VAN1/FORWARD@HQ", "HQ/FORWARD", "pulls") in plan.edges
    svg = draw_topology(frame_of(lab))
    says(svg, "REPORTS@HQ sends to REPORTS", "FORWARD@HQ fetches messages from FORWARD", "of any number:", "of 50:")
    lab.cut("HQ", "VAN1")
    assert ">cut<" in draw_topology(frame_of(lab))


def hub_and_spokes(many=7):
    """A hub and so many places that trade with it: more than sixty objects for seven."""
    lab = made("DEFINE QLOCAL(BILLING.IN)\nDEFINE QLOCAL(HUB.DLQ)\nALTER QMGR DEADQ(HUB.DLQ)", name="HUB").lab
    for i in range(many):
        name = f"SHOP{i}"
        joined(lab, f"HUB {name}", f"{name} HUB")
        lab[name].mqsc("""
            DEFINE QREMOTE(SALES) RNAME(BILLING.IN) RQMNAME(HUB)
            DEFINE QLOCAL(PRICES)
            DEFINE QLOCAL(STOCK)
            DEFINE QLOCAL(RETURNS)
            DEFINE QLOCAL(DEAD)
            ALTER QMGR DEADQ(DEAD)""").require()
        lab[name].connect("TILL").put("SALES", b"sale")
    lab.advance(1)
    return lab


def test_a_network_of_sixty_objects_is_seen_whole_with_queue_managers_closed():
    lab = hub_and_spokes()
    frame = frame_of(lab)
    assert len(frame.outline.queues) + len(frame.outline.programs) >= 60
    assert not [q.name for q in frame.outline.queues if q.name == "SYSTEM.CHANNEL.INITQ"]
    places = places_of(frame)
    boxes = [box for box in places.scene["boxes"] if box["type"] in ("closed", "room")]
    assert {box["id"] for box in boxes} == {q.name for q in frame.outline.qmgrs}
    assert len([box for box in boxes if box["type"] == "closed"]) >= 4
    assert places.scale >= 0.7
    svg = draw_topology(frame, places)
    for name in ("HUB", "SHOP3"):
        depth = sum(q.depth for q in lab[name].queues)
        assert re.search(rf"Queue manager {name}: [^<]*, {depth} messages?", svg)


@for_each("told", [*names(), *(f"estate {name}" for name in estates.names())])
def test_text_is_eleven_pixels_high_or_more_and_nothing_overlaps(told):
    kind, _, name = told.rpartition(" ")
    lab = estates.load(name) if kind else Lab()
    if not kind:
        lab.scenario(name)
    frame = frame_of(lab)
    places = places_of(frame)
    svg = draw_topology(frame, places)
    sizes = [float(size) * places.scale for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert min(sizes) >= 10.9
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1]) <= 900
    boxes, labels = solid_of(places)
    assert not [(a["id"], b["id"]) for a, b in combinations(boxes, 2) if overlap(a, b)]
    assert not [(a, b) for a, b in combinations(labels, 2) if overlap(a, b)]
    assert not [(a, b) for a in labels for b in boxes if overlap(a, b)]
    assert draw_topology(frame) == svg
    ElementTree.fromstring(svg)
