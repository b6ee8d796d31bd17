"""Several queue managers in one picture: channels, groups with their facility, MQ Everyplace."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mqlab.views.drawing.layout import columns_of, lay_out, route_key, route_paths

from helpers import contrast, frame_of, inside, overlap
from mqlab import Lab, estates
from mqlab.views.drawing.svg_shapes import STATES
from mqlab.views.drawing.topology import draw_topology, state_of, topology_parts, topology_scaffold
from mqlab.views.frames.topology import Edge, Group, Outline, Program, Queue, QueueManager, Structure, outline
from mqlab.views.theme import DARK, LIGHT

KINDS = ("local", "alias", "remote", "transmission", "dead-letter")


def queue(owner, name, kind="local"):
    return Queue(f"{owner}/{name}", owner, name, kind, "", 10, True, True, "")


@st.composite
def networks(draw):
    """Outlines of 2 to 13 queue managers with queues, programs, channels in any direction, and perhaps a group.

    Names may be as long as MQ lets them be, and a receiver may serve several senders.
    """
    many, longer = draw(st.integers(2, 13)), "." * 44 if draw(st.booleans()) else ""
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


def along(path):
    """Points on path data of M, L, C and Q, a few pixels apart."""
    at, points = (0.0, 0.0), []
    for letter, numbers in re.findall(r"([MLCQ])([^MLCQ]*)", path):
        values = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        corners = list(zip(values[::2], values[1::2], strict=True))
        assert {"M": 1, "L": 1, "C": 3, "Q": 2}[letter] == len(corners), path
        stops = [at, *corners]
        for i in range(1, 25) if letter != "M" else ():
            bends, t = stops, i / 24
            while len(bends) > 1:
                bends = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in pairwise(bends)]
            points.append(bends[0])
        at = corners[-1]
        points.append(at)
    return points


@settings(max_examples=25, deadline=None)
@given(networks())
def test_nothing_lies_on_anything_else(plan):
    layout = lay_out(plan)
    panels = {p.name: p.box for p in layout.panels}
    labels = [line.label for line in layout.lines if line.label]
    solid = [*layout.queues.values(), *layout.programs.values(), *labels]
    assert not [(a, b) for a, b in combinations(solid, 2) if overlap(a, b)]
    blocks = [*panels.values(), *layout.facilities.values()]
    assert not [(a, b) for a, b in combinations(blocks, 2) if overlap(a, b)]
    assert not [(a, b) for a in labels for b in blocks if overlap(a, b)]
    assert not [(a, b) for a, b in combinations(layout.marks.values(), 2) if overlap(a, b)]
    assert set(layout.marks) == {p.id for p in plan.programs if p.chltype}
    for each in plan.queues:
        home = panels.get(each.qmgr) or layout.facilities[each.qmgr]
        assert inside(layout.queues[each.id], home)
    for group in plan.groups:
        for member in (*group.members,):
            assert inside(panels[member], layout.groups[group.name])
        assert inside(layout.facilities[group.name], layout.groups[group.name])
    for box in [*solid, *blocks, *layout.groups.values()]:
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= layout.width
        assert box.bottom <= layout.height


@settings(max_examples=25, deadline=None)
@given(networks())
def test_every_line_has_a_way_from_end_to_end_that_runs_through_no_card(plan):
    layout = lay_out(plan)
    assert {r.edge for r in layout.routes} == set(plan.edges)
    assert set(route_paths(layout)) == {route_key(e) for e in plan.edges}
    for route in layout.routes:
        for id, box in layout.queues.items():
            for (ax, ay), (bx, by) in pairwise(route.points):
                if abs(ax - bx) < 1 or abs(ay - by) < 1:
                    low, high = (min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by))
                    across = low[0] < box.right - 1 and high[0] > box.x + 1
                    assert not (across and low[1] < box.bottom - 1 and high[1] > box.y + 1), (route, id, box)


@settings(max_examples=25, deadline=None)
@given(networks())
def test_curves_between_queue_managers_run_outside_of_them_of_programs_and_of_the_labels_of_others(plan):
    layout = lay_out(plan)
    solid = [p.box for p in layout.panels] + list(layout.programs.values())
    for line in layout.lines:
        labels = [other.label for other in layout.lines if other.label and other.key != line.key]
        for x, y in along(line.path):
            for box in (*solid, *labels):
                assert not (box.x + 1 < x < box.right - 1 and box.y + 1 < y < box.bottom - 1), (line, box)


@settings(max_examples=10, deadline=None)
@given(networks())
def test_the_same_network_is_laid_out_the_same(plan):
    assert lay_out(plan) == lay_out(plan)


@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=14))
@settings(max_examples=40, deadline=None)
def test_every_queue_manager_is_in_one_column(many, pairs):
    sizes = {f"QM{i}": (300 + 10 * i, 400) for i in range(many)}
    lines = dict.fromkeys(sorted((f"QM{a}", f"QM{b}") for a, b in pairs if a != b and max(a, b) < many), 1)
    columns = columns_of(sizes, lines)
    assert sorted(name for column in columns for name in column) == sorted(sizes)
    assert all(columns)


def test_a_receiver_on_the_far_side_is_come_to_around_its_queue_manager():
    spokes = [f"S{i}" for i in range(6)]
    there = Program("R/channel:TO.R", "R", "TO.R", "RCVR")
    programs, edges = [there], []
    for name in spokes:
        to, back, end = (
            Program(f"{qmgr}/channel:{channel}", qmgr, channel, kind)
            for qmgr, channel, kind in ((name, "TO.R", "SDR"), ("R", f"R.{name}", "SDR"), (name, f"R.{name}", "RCVR"))
        )
        programs += [to, back, end]
        edges += [Edge(to.id, there.id, "talks"), Edge(back.id, end.id, "talks")]
    plan = Outline(
        tuple(QueueManager(n, "unix") for n in ("R", *spokes)),
        tuple(queue(name, f"Q{i}") for name in ("R", *spokes) for i in range(4)),
        tuple(sorted(programs)),
        tuple(sorted(edges)),
    )
    layout = lay_out(plan)
    panels = {p.name: p.box for p in layout.panels}
    lefts = [panels[name].x for name in spokes]
    mark, box = layout.marks[there.id], panels["R"]
    assert min(lefts) < box.x < max(lefts)
    for line in layout.lines:
        if line.edge.target == there.id:
            assert line.end == (mark.centre, mark.middle)
            assert not [
                (x, y) for x, y in along(line.path) if box.x + 1 < x < box.right - 1 and box.y + 1 < y < box.bottom - 1
            ]


def test_a_hub_stands_between_those_that_send_to_it():
    sizes = dict.fromkeys(("HUB", "A", "B", "C", "D", "E", "F"), (300, 400))
    lines = {ends: 1 for name in "ABCDEF" for ends in ((name, "HUB"), ("HUB", name))}
    assert [len(column) for column in columns_of(sizes, lines)] == [3, 1, 3]


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


def test_channels_have_their_state_at_both_ends(sites):
    frame = frame_of(sites)
    now = {id: (c.state, c.partner) for id, c in frame.channels.items()}
    assert now["NORTH/channel:NORTH.HUB"] == ("RUNNING", "HUB")
    assert now["HUB/channel:NORTH.HUB"] == ("RUNNING", "NORTH")
    assert now["HUB/channel:HUB.SOUTH"] == ("RETRYING", "SOUTH")
    assert now["SOUTH/channel:SOUTH.HUB"] == ("INACTIVE", "HUB")
    assert frame.cut == (("HUB", "SOUTH"),)
    assert frame_of(sites, 2_000_000).channels["HUB/channel:HUB.SOUTH"].state == "RUNNING"


def test_channels_say_their_state_by_word_and_letter_and_a_cut_is_on_each_of_them(sites):
    frame = frame_of(sites)
    parts = topology_parts(frame, lay_out(frame.outline))
    running = parts["NORTH/channel:NORTH.HUB>HUB/channel:NORTH.HUB"]
    assert ">RUNNING<" in running
    assert ">R</text>" in running
    assert "CUT" not in running
    for name, letter, ends in (("HUB.SOUTH", "Y", ("HUB", "SOUTH")), ("SOUTH.HUB", "I", ("SOUTH", "HUB"))):
        drawn = parts["{0}/channel:{2}>{1}/channel:{2}".format(*ends, name)]
        assert f">{letter}</text>" in drawn
        assert ">CUT<" in drawn
        assert " cut" in drawn
    before = topology_parts(frame_of(sites, 2_000_000), lay_out(frame.outline))
    changed = {key for key in parts if parts[key] != before[key]}
    assert "HUB/channel:HUB.SOUTH>SOUTH/channel:HUB.SOUTH" in changed
    assert "NORTH/channel:NORTH.HUB>HUB/channel:NORTH.HUB" not in changed


def test_every_state_of_a_channel_has_a_sign_of_its_own():
    words = ("RUNNING", "RETRYING", "STOPPED", "STOPPING", "PAUSED", "BINDING", "STARTING", "INITIALIZING", "INACTIVE")
    assert [state_of(word) for word in words] == [
        "run",
        "retry",
        "stop",
        "stop",
        "pause",
        "bind",
        "bind",
        "bind",
        "idle",
    ]
    assert len({state.letter for state in STATES.values()}) == len(STATES)
    assert len({state.outline for state in STATES.values()}) >= len(STATES)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_letters_in_signs_of_state_can_be_read(palette):
    assert contrast(palette.paper, palette.gets) >= 4.5
    assert contrast(palette.paper, palette.alarm) >= 4.5
    assert contrast(palette.ink, palette.expired_ground) >= 4.5
    assert contrast(palette.uncommitted_line, palette.card) >= 3


def test_a_batch_in_doubt_is_told(sites):
    sites.restore("SOUTH", "HUB")
    sites.advance(120)
    for _ in range(3):
        sites["NORTH"].put("ORDERS", b"x", persistent=True)
    sites.advance(0.05)
    sites.cut("NORTH", "HUB")
    frame = frame_of(sites)
    assert frame.channels["NORTH/channel:NORTH.HUB"].indoubt == 3
    parts = topology_parts(frame, lay_out(frame.outline))
    assert "3 in doubt" in parts["NORTH/channel:NORTH.HUB>HUB/channel:NORTH.HUB"]
    assert sites.topology().nodes["NORTH/channel:NORTH.HUB"]["indoubt"] == 3


def test_a_requester_is_sent_to():
    lab = Lab()
    one, other = lab.queue_manager("ONE"), lab.queue_manager("TWO")
    lab.link("ONE", "TWO")
    assert one.mqsc("DEFINE CHANNEL(ASK) CHLTYPE(RQSTR) CONNAME(TWO)").ok
    assert other.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(ASK) CHLTYPE(SVR) XMITQ(X)").ok
    assert Edge("TWO/channel:ASK", "ONE/channel:ASK", "talks") in outline(lab.topology()).edges


def test_a_sender_whose_partner_is_not_known_ends_in_its_name_and_a_bare_link_is_drawn():
    lab = Lab()
    one = lab.queue_manager("ONE")
    lab.queue_manager("TWO")
    lab.link("ONE", "TWO")
    assert one.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(LOST) CHLTYPE(SDR) CONNAME('far.away') XMITQ(X)").ok
    frame = frame_of(lab)
    parts = topology_parts(frame, lay_out(frame.outline))
    assert "partner not known" in parts["ONE/channel:LOST:line"]
    assert ">LOST<" in parts["ONE/channel:LOST:line"]
    assert "way link" in parts["ONE>TWO"]
    lab.cut("ONE", "TWO")
    frame = frame_of(lab)
    assert ">CUT<" in topology_parts(frame, lay_out(frame.outline))["ONE>TWO"]


def test_trigger_messages_of_channels_draw_no_programs(sites):
    names = {p.name for p in outline(sites.topology()).programs if not p.chltype}
    assert names == {"WEBSHOP"}


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


def test_structures_hold_the_shared_queues(group):
    graph = group.topology()
    node = graph.nodes["QSG1/structure:BANKING"]
    assert (node["kind"], node["status"], node["level"], node["recoverable"]) == ("structure", "ACTIVE", 4, True)
    assert graph.has_edge("QSG1", "QSG1/structure:BANKING")
    assert graph.has_edge("QSG1/structure:BANKING", "QSG1/PAYMENTS")
    assert graph.has_edge("QSG1", "QSG1/PAYMENTS")
    plan = outline(graph)
    assert [q.name for q in plan.qmgrs] == ["QMA", "QMB", "QMC"]
    assert plan.groups == (Group("QSG1", ("QMA", "QMB", "QMC")),)
    assert [(s.name, s.queues) for s in plan.structures] == [
        ("BANKING", ("QSG1/PAYMENTS", "QSG1/PAYMENTS.DONE")),
        ("LOOKUP", ("QSG1/BALANCE.QUERY",)),
    ]
    assert Edge("QMA/app:TELLER", "QSG1/PAYMENTS", "puts") in plan.edges


def test_shared_queues_stand_in_their_structure_in_the_facility_under_the_members(group):
    layout = lay_out(outline(group.topology()))
    structures, facility = layout.structures, layout.facilities["QSG1"]
    assert inside(layout.queues["QSG1/PAYMENTS"], structures["QSG1/structure:BANKING"])
    assert inside(layout.queues["QSG1/BALANCE.QUERY"], structures["QSG1/structure:LOOKUP"])
    assert not overlap(*structures.values())
    assert all(inside(box, facility) for box in structures.values())
    assert all(panel.box.bottom < facility.y for panel in layout.panels)
    assert len({panel.box.y for panel in layout.panels}) == 1


def test_failures_of_members_and_structures_are_said(group):
    frame = frame_of(group)
    assert (frame.stopped, frame.failed) == (("QMC",), ())
    layout = lay_out(frame.outline)
    before = topology_parts(frame, layout)
    assert "2 running" in before["QSG1"]
    assert ">STOPPED<" in before["QMC"]
    assert "FAILED" not in before["QSG1/structure:BANKING"]
    group.queue_sharing_groups[0].fail_coupling_facility()
    frame = frame_of(group)
    assert frame.failed == ("QSG1/structure:BANKING", "QSG1/structure:LOOKUP")
    assert "2 structures failed: BANKING and LOOKUP" in frame.summary
    after = topology_parts(frame, layout)
    assert "! FAILED" in after["QSG1/structure:BANKING"]
    assert "! FAILED" in after["QSG1/facility"]
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
    assert Edge("VAN1/REPORTS@HQ", "HQ", "transmits") in plan.edges
    assert Edge("HQ", "VAN1/FORWARD@HQ", "pulls") in plan.edges
    layout = lay_out(plan)
    assert {line.key for line in layout.lines} >= {"VAN1>HQ:transmits", "HQ>VAN1:pulls", "HQ>VAN1:transmits"}
    frame = frame_of(lab)
    parts = topology_parts(frame, layout)
    assert "no limit" in parts["HQ/REPORTS"]
    assert "of 50" in parts["VAN1/JOBS"]
    lab.cut("HQ", "VAN1")
    assert ">CUT<" in topology_parts(frame_of(lab), layout)["VAN1>HQ:transmits"]


@pytest.mark.parametrize("estate", ["two-sites", "sharing-group", "mobile-edge"])
def test_the_scaffold_has_a_place_for_every_part_and_no_other(estate):
    frame = frame_of(estates.load(estate))
    layout = lay_out(frame.outline)
    parts = topology_parts(frame, layout)
    ElementTree.fromstring(draw_topology(frame))
    places = re.findall(r'data-part="([^"]*)"', topology_scaffold(frame, layout))
    assert sorted(p.replace("&gt;", ">") for p in places) == sorted(parts)
    some = frozenset(list(parts)[::3])
    assert topology_parts(frame, layout, some) == {k: parts[k] for k in some}


def hub_and_spokes(many=7):
    """A hub and so many places that trade with it: more than sixty objects for seven."""
    lab = Lab()
    hub = lab.queue_manager("HUB")
    assert hub.mqsc("DEFINE QLOCAL(BILLING.IN)\nDEFINE QLOCAL(HUB.DLQ)\nALTER QMGR DEADQ(HUB.DLQ)").ok
    for i in range(many):
        name = f"SHOP{i}"
        lab.link("HUB", lab.queue_manager(name).name)
        for here, there in (("HUB", name), (name, "HUB")):
            lab[here].mqsc(f"""
                DEFINE QLOCAL({there}) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA({here}.{there})
                DEFINE CHANNEL({here}.{there}) CHLTYPE(SDR) CONNAME({there}) XMITQ({there})
                DEFINE CHANNEL({there}.{here}) CHLTYPE(RCVR)""").require()
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


def test_a_network_of_sixty_objects_keeps_a_shape_that_a_screen_has():
    plan = outline(hub_and_spokes().topology())
    layout = lay_out(plan)
    assert len(layout.queues) + len(layout.programs) + len(layout.lines) >= 60
    assert 0.6 < layout.width / layout.height < 2
    assert all(len(route.points) > 1 for route in layout.routes)
    assert not [q.name for q in plan.queues if q.name == "SYSTEM.CHANNEL.INITQ"]
