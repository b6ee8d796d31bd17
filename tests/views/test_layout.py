"""Nothing overlaps, nothing is cut, nothing moves."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from mqlab.views.drawing.layout import lay_out

from helpers import inside, overlap
from mqlab.views.frames.topology import Edge, Outline, Program, Queue, QueueManager, outline

KINDS = ("local", "local", "local", "alias", "remote", "model", "transmission", "backout", "dead-letter", "initiation")
NAMES = st.text(alphabet="ABCXYZ.", min_size=1, max_size=48)


@st.composite
def outlines(draw):
    """Outlines of up to 40 queues and 8 programs with any lines between them."""
    owners = draw(st.sampled_from([("QM1",), ("QM1", "QM2"), ("A" * 48,)]))
    names = draw(st.lists(NAMES, min_size=0, max_size=40, unique=True))
    queues = []
    for name in names:
        owner, kind = draw(st.sampled_from(owners)), draw(st.sampled_from(KINDS))
        queues.append(Queue(f"{owner}/{name}", owner, name, kind, "", 10, True, True, ""))
    called = [(owner, f"P{i}" * draw(st.integers(1, 9))) for owner in owners for i in range(draw(st.integers(0, 8)))]
    programs = [Program(f"{owner}/app:{name}", owner, name) for owner, name in dict.fromkeys(called)]
    edges = set()
    for owner in owners:
        mine, users = [q for q in queues if q.qmgr == owner], [p for p in programs if p.qmgr == owner]
        for _ in range(draw(st.integers(0, 25)) if mine else 0):
            queue, other = draw(st.sampled_from(mine)), draw(st.sampled_from(mine))
            kind = draw(st.sampled_from(["alias", "remote", "backout", "initq", "puts", "gets"]))
            if kind in ("puts", "gets") and users:
                user = draw(st.sampled_from(users)).id
                edges.add(Edge(user, queue.id, kind) if kind == "puts" else Edge(queue.id, user, kind))
            elif kind not in ("puts", "gets") and queue != other:
                edges.add(Edge(queue.id, other.id, kind))
    ordered = sorted(queues, key=lambda q: (q.qmgr, q.name))
    return Outline(tuple(QueueManager(o, "zos") for o in owners), tuple(ordered), tuple(programs), tuple(sorted(edges)))


def test_an_alias_that_is_the_backout_queue_of_its_target_has_one_place():
    names = {"A": "backout", "AA": "local"}
    queues = [Queue(f"QM1/{name}", "QM1", name, kind, "", 10, True, True, "") for name, kind in names.items()]
    edges = Edge("QM1/A", "QM1/AA", "alias"), Edge("QM1/AA", "QM1/A", "backout")
    layout = lay_out(Outline((QueueManager("QM1", "zos"),), tuple(queues), (), edges))
    assert not overlap(layout.queues["QM1/A"], layout.queues["QM1/AA"])


@settings(max_examples=60, deadline=None)
@given(outlines())
def test_nothing_overlaps_and_queues_are_in_their_panel(plan):
    layout = lay_out(plan)
    assert set(layout.queues) == {q.id for q in plan.queues}
    solid = [*layout.queues.values(), *layout.programs.values()]
    assert not [(a, b) for a, b in combinations(solid, 2) if overlap(a, b)]
    panels = {p.name: p.box for p in layout.panels}
    assert not [(a, b) for a, b in combinations(panels.values(), 2) if overlap(a, b)]
    for queue in plan.queues:
        assert inside(layout.queues[queue.id], panels[queue.qmgr])
    for (id, side), box in layout.programs.items():
        panel = panels[id.split("/")[0]]
        assert box.right < panel.x if side == "puts" else box.x > panel.right
    for box in [*solid, *panels.values()]:
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= layout.width
        assert box.bottom <= layout.height


@settings(max_examples=60, deadline=None)
@given(outlines())
def test_lines_are_level_or_upright_and_cross_no_card(plan):
    layout = lay_out(plan)
    assert {r.edge for r in layout.routes} == set(plan.edges)
    solid = [*layout.queues.items(), *((id, box) for (id, _), box in layout.programs.items())]
    for route in layout.routes:
        for (ax, ay), (bx, by) in zip(route.points, route.points[1:], strict=False):
            assert abs(ax - bx) < 1 or abs(ay - by) < 1, route
            low, high = (min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by))
            for id, box in solid:
                through = (
                    low[0] < box.right - 1 and high[0] > box.x + 1 and low[1] < box.bottom - 1 and high[1] > box.y + 1
                )
                assert not through, (route, id, box)


@settings(max_examples=60, deadline=None)
@given(outlines())
def test_lines_leave_on_the_right_and_arrive_on_the_left(plan):
    layout = lay_out(plan)
    for route in layout.routes:
        source, target, kind = route.edge
        start = layout.programs[source, "puts"] if kind == "puts" else layout.queues[source]
        end = layout.programs[target, "gets"] if kind == "gets" else layout.queues[target]
        assert route.points[0][0] == start.right
        assert start.y <= route.points[0][1] <= start.bottom
        assert route.points[-1][0] == end.x
        assert end.y <= route.points[-1][1] <= end.bottom
        assert route.points[-2][0] <= end.x, "the last stretch runs to the right, as the arrow does"


@settings(max_examples=20, deadline=None)
@given(outlines())
def test_the_same_outline_is_laid_out_the_same(plan):
    assert lay_out(plan) == lay_out(plan)


def test_an_alias_its_queue_and_its_backout_queue_stand_side_by_side(estate):
    boxes = lay_out(outline(estate)).queues
    alias, queue, backout = (boxes[f"QM1/PAYMENTS.{n}"] for n in ("REQUEST", "IN", "BACKOUT"))
    assert alias.middle == queue.middle == backout.middle
    assert alias.right < queue.x < queue.right < backout.x


def test_queues_are_grouped_by_application_and_the_queue_managers_own_come_last(estate):
    layout = lay_out(outline(estate))
    headings = [text for text, *_ in layout.panels[0].headings]
    assert headings == ["CARDS", "PAYMENTS", "other queues", "queue manager's own"]
    below = min(layout.queues[f"QM1/{n}"].y for n in ("QM2", "QM1.DLQ", "CARDS.INITQ"))
    assert below > max(
        b.y for id, b in layout.queues.items() if id not in ("QM1/QM2", "QM1/QM1.DLQ", "QM1/CARDS.INITQ")
    )


def test_few_queues_get_no_headings(graph_of):
    plan = outline(graph_of([("A.X", "QLOCAL", {}), ("A.Y", "QLOCAL", {}), ("B", "QLOCAL", {})]))
    assert lay_out(plan).panels[0].headings == ()


def test_putters_stand_on_the_left_and_getters_on_the_right_in_the_order_of_their_queues(graph_of):
    queues = [(f"Q{i}", "QLOCAL", {}) for i in range(4)]
    plan = outline(graph_of(queues, [(f"P{i}", [f"Q{i}"], [f"Q{3 - i}"]) for i in range(4)]))
    layout = lay_out(plan)
    left = sorted((box.y, id) for (id, side), box in layout.programs.items() if side == "puts")
    right = sorted((box.y, id) for (id, side), box in layout.programs.items() if side == "gets")
    by_row = sorted(plan.queues, key=lambda q: (layout.queues[q.id].y, layout.queues[q.id].x))
    rows = [layout.queues[q.id].y for q in by_row]
    if len(set(rows)) == 4:
        assert [id for _, id in left] == [f"QM1/app:P{i}" for i in range(4)]
        assert [id for _, id in right] == [f"QM1/app:P{3 - i}" for i in range(4)]


def test_a_screen_of_sixty_queues_keeps_a_shape_that_a_screen_has(graph_of):
    queues = [(f"APP{i // 6}.QUEUE.{i}", "QLOCAL", {}) for i in range(60)]
    layout = lay_out(outline(graph_of(queues)))
    assert 0.8 < layout.width / layout.height < 2.2
