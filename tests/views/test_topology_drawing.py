"""The topology picture: the same bytes, safe, and saying what it shows."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mqlab.views.drawing.boxes import LEFT_OF_NAME, NAME

from mqlab import Lab
from mqlab.views import draw_moments, draw_topology, lay_out, topology_frame, topology_svg
from mqlab.views.drawing.strip import message_strip
from mqlab.views.drawing.svg_shapes import QUEUE_KINDS, hatch, line_path, rounded_left
from mqlab.views.drawing.topology import topology_parts
from mqlab.views.frames.topology import KINDS
from mqlab.views.text import MONO_EM

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script>"
COUNTS = {"PAYMENTS.IN": (20, 6, 4), "PAYMENTS.REPLY": (3, 0, 0), "QM2": (58, 0, 2), "REFERENCE.DATA": (64, 64, 0)}


def drawn(graph, state):
    return draw_topology(topology_frame(graph, state, 5_000_000))


def card(svg, name):
    """The group of the queue `name`, by its tooltip."""
    root = ElementTree.fromstring(svg)
    return next(g for g in root.iter(f"{SVG}g") if (g.findtext(f"{SVG}title") or "").startswith(f"{name}:"))


def classes(element):
    return [e.get("class") for e in element.iter() if e.get("class")]


def test_it_is_one_labelled_image_that_needs_nothing_else(estate, state_of):
    svg = drawn(estate, state_of(COUNTS))
    root = ElementTree.fromstring(svg)
    assert root.get("class") == "mqlab-topology"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title")
    assert "145 messages on 4 queues" in root.get("aria-label")
    assert "REFERENCE.DATA 64" in root.findtext(f"{SVG}desc")
    for needs in ("<script", "url(", "href", "<image", "@import", " id="):
        assert needs not in svg
    assert re.findall(r"https?://[^\"\s]*", svg) == ["http://www.w3.org/2000/svg"]


def test_the_same_frame_gives_the_same_bytes(estate, state_of):
    assert drawn(estate, state_of(COUNTS)) == drawn(estate, state_of(COUNTS))


def test_the_bytes_do_not_depend_on_the_hash_seed():
    script = (
        "from mqlab import Lab\nfrom mqlab.views import topology_svg\nlab = Lab()\nqm = lab.queue_manager('QM1')\n"
        "for name in ('A.B', 'A.C', 'D.E', 'D.F', 'G', 'H', 'I'): qm.mqsc(f'DEFINE QLOCAL({name})')\n"
        "for name in 'XYZ': qm.connect(name).put('A.B', b''); qm.connect(name).get('A.B')\n"
        "print(topology_svg(lab))"
    )
    outputs = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_names_and_descriptions_are_text_and_never_markup(graph_of, state_of):
    graph = graph_of(
        [(EVIL, "QLOCAL", {"description": '"><img src=x onerror=alert(2)>'}), ("A&B", "QALIAS", {"alias": EVIL})],
        [("'\"><svg onload=alert(3)>", [EVIL], ["A&B"])],
        qmgr="<QM>",
    )
    state = state_of({EVIL: (2, 1, 0)})
    state.queues = {("<QM>", EVIL): state.queues["QM1", EVIL]}
    svg = drawn(graph, state)
    root = ElementTree.fromstring(svg)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "g",
        "rect",
        "path",
        "text",
        "tspan",
        "circle",
    }
    assert not [k for e in root.iter() for k in e.attrib if k.startswith("on")]
    assert EVIL in "".join(root.itertext())
    assert "<script" not in svg


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=48))
def test_any_name_gives_a_well_formed_picture(name):
    import networkx as nx

    from mqlab.explain.replay import State

    graph = nx.MultiDiGraph()
    graph.add_node("QM1", kind="qmgr", name=name)
    graph.add_node("QM1/x", kind="queue", qmgr=name, name=name, type="QLOCAL", usage="NORMAL", maxdepth=1)
    ElementTree.fromstring(drawn(graph, State()))


def test_long_names_are_shortened_in_the_middle_and_told_in_full(graph_of, state_of):
    names = ["PAYMENTS." + "A" * 30 + ".REQUEST"[:9], "B" * 48]
    svg = drawn(graph_of([(n, "QLOCAL", {}) for n in names]), state_of({}))
    for name in names:
        group = card(svg, name)
        label = next(t for t in group.iter(f"{SVG}text") if t.get("class") == "name")
        shown = "".join(label.itertext())
        assert len(shown) >= 20
        head, dots, tail = shown.partition("…")
        assert dots
        assert name.startswith(head)
        assert name.endswith(tail)


def test_names_fit_on_their_cards(estate, state_of):
    frame = topology_frame(estate, state_of(COUNTS), 0)
    layout = lay_out(frame.outline)
    root = ElementTree.fromstring(draw_topology(frame, layout))
    shown = [("".join(t.itertext()), float(t.get("x"))) for t in root.iter(f"{SVG}text") if t.get("class") == "name"]
    lefts = {round(b.x + LEFT_OF_NAME, 1): b for b in layout.queues.values()}
    cards = [(name, x) for name, x in shown if x in lefts]
    assert len(cards) >= len(frame.queues)
    for name, x in cards:
        assert x + len(name) * NAME * MONO_EM <= lefts[x].right


def test_what_expired_is_hatched_and_what_is_uncommitted_is_dashed(estate, state_of):
    svg = drawn(estate, state_of(COUNTS))
    seen = classes(card(svg, "PAYMENTS.IN"))
    assert [seen.count(k) for k in ("live", "uncommitted", "expired", "hatch")] == [10, 4, 6, 6]
    assert "hatch" not in classes(card(svg, "PAYMENTS.REPLY"))
    assert "uncommitted" in classes(card(svg, "QM2"))
    assert re.search(r"\.uncommitted\{[^}]*stroke-dasharray", svg)


def test_a_full_queue_says_so_in_words(estate, state_of):
    svg = drawn(estate, state_of(COUNTS))
    assert "FULL" in "".join(card(svg, "PAYMENTS.IN").itertext())
    assert "FULL" not in "".join(card(svg, "QM2").itertext())


@pytest.mark.parametrize(("put", "get"), [("ENABLED", "ENABLED"), ("DISABLED", "ENABLED"), ("DISABLED", "DISABLED")])
def test_inhibited_queues_carry_a_letter_and_a_bar(graph_of, state_of, put, get):
    svg = drawn(graph_of([("Q", "QLOCAL", {"put": put, "get": get})]), state_of({"Q": (0, 0, 0)}))
    group = card(svg, "Q")
    letters = {t.text for t in group.iter(f"{SVG}text") if t.get("class") == "stopletter"}
    assert letters == {letter for letter, value in (("P", put), ("G", get)) if value == "DISABLED"}
    assert classes(group).count("slash") == len(letters)
    assert ("Puts are inhibited" in group.findtext(f"{SVG}title")) == (put == "DISABLED")


def test_every_kind_of_queue_has_a_letter_and_a_shape_of_its_own():
    assert set(QUEUE_KINDS) == KINDS
    assert len({kind.letter for kind in QUEUE_KINDS.values()}) == len(QUEUE_KINDS)
    assert len({kind.outline for kind in QUEUE_KINDS.values()}) == len(QUEUE_KINDS)


def test_the_level_grows_with_the_depth(graph_of, state_of):
    graph = graph_of([("Q", "QLOCAL", {"maxdepth": 100})])

    def level(depth):
        group = card(drawn(graph, state_of({"Q": (depth, 0, 0)})), "Q")
        path = next((p.get("d") for p in group.iter(f"{SVG}path") if p.get("class") == "level"), "")
        return max((float(x) for x in re.findall(r"[MH]([\d.]+)", path)), default=0)

    reached = [level(depth) for depth in (0, 10, 50, 90)]
    assert reached == sorted(set(reached))


def test_a_queue_that_is_not_defined_yet_is_a_ghost(graph_of, state_of):
    group = card(drawn(graph_of([("Q", "QLOCAL", {})]), state_of({})), "Q")
    assert group.get("class") == "ghost"
    assert "not defined yet" in "".join(group.itertext())


def test_a_picture_of_nothing_can_be_drawn(graph_of, state_of):
    import networkx as nx

    for graph in (nx.MultiDiGraph(), graph_of([])):
        ElementTree.fromstring(drawn(graph, state_of({})))


def test_the_legend_explains_just_what_can_be_seen(estate, graph_of, state_of):
    words = "".join(ElementTree.fromstring(drawn(estate, state_of({}))).itertext())
    for meaning in ("alias", "remote definition", "model", "transmission", "backout", "dead-letter", "initiation"):
        assert meaning in words
    few = drawn(graph_of([("Q", "QLOCAL", {})]), state_of({}))
    assert "initiation" not in few
    assert "poison" not in few.split("</style>")[1]


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 5000))
def test_a_strip_shows_every_message_or_every_share(live, uncommitted, expired, maxdepth):
    svg = message_strip(live, uncommitted, expired, maxdepth, width=300)
    seen = classes(ElementTree.fromstring(svg))
    amounts = {"live": live, "uncommitted": uncommitted, "expired": expired}
    if sum(amounts.values()) <= 20:
        assert {k: seen.count(k) for k in amounts} == amounts
    else:
        assert {k: bool(seen.count(k)) for k in amounts} == {k: bool(v) for k, v in amounts.items()}
    xs = [float(r.get("x")) + float(r.get("width")) for r in ElementTree.fromstring(svg).iter(f"{SVG}rect")]
    assert not xs or max(xs) <= 300.2


@given(st.floats(0.5, 200), st.floats(0, 50), st.floats(1, 60), st.floats(4, 20))
def test_hatching_stays_within_its_box(x, y, width, height):
    for px, py in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", hatch(x, y, width, height)):
        assert x - 0.06 <= float(px) <= x + width + 0.06
        assert y - 0.06 <= float(py) <= y + height + 0.06


@given(st.floats(0.1, 200))
def test_the_filled_part_of_a_card_never_leaves_it(width):
    path = rounded_left(10, 20, width, 56, 200, 9)
    ends = [float(n) for n in re.findall(r"[MH]([\d.]+)", path)] + [
        float(n) for n in re.findall(r"0 0 1 ([\d.]+)", path)
    ]
    assert min(ends) >= 9.9
    assert max(ends) <= 10 + width + 0.1


def test_a_rounded_line_begins_and_ends_where_it_should():
    path = line_path([(0, 0), (10, 0), (10, 30), (50, 30)])
    assert path.startswith("M0 0")
    assert path.endswith("L50 30")
    assert path.count("Q") == 2


def test_small_pictures_say_their_times_and_what_expired(estate, state_of):
    frames = [topology_frame(estate, state_of(c), t * 1_000_000) for t, c in enumerate(({}, COUNTS))]
    svg = draw_moments(frames)
    root = ElementTree.fromstring(svg)
    words = "".join(root.itertext())
    assert "00:00:00" in words
    assert "00:00:01" in words
    assert "70 expired" in words
    assert root.get("role") == "img"
    assert classes(root).count("hatch") == 2
    assert draw_moments([]) == ""


def test_channels_and_links_of_two_queue_managers_with_their_state():
    lab = Lab()
    one, other = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2", latency=0.05)
    assert one.mqsc("""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE QREMOTE(FAR) RNAME(ORDERS) RQMNAME(QM2)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)""").ok
    assert other.mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)").ok
    one.put("FAR", b"x")
    lab.advance(1)
    drawn = topology_svg(lab)
    for words in (
        "TO.QM2: channel to QM2, RUNNING",
        "TO.QM2: channel from QM1, RUNNING",
        "FAR: remote queue definition for ORDERS@QM2",
    ):
        assert words in drawn
    assert "CUT" not in drawn
    lab.cut("QM1", "QM2")
    lab.advance(1)
    drawn = topology_svg(lab)
    assert "TO.QM2: channel to QM2, RETRYING" in drawn
    assert ">CUT<" in drawn
    assert "the link QM1 - QM2 is cut." in drawn
    assert "TO.QM2: channel to QM2, RUNNING" in topology_svg(lab, 0.5), "a moment before"


def test_two_lines_of_words_stand_above_the_picture_and_the_rest_is_cut_between_words(graph_of, state_of):
    frame = topology_frame(graph_of([("Q", "QLOCAL", {})]), state_of({"Q": (3, 1, 0)}), 0)
    long = frame._replace(cut=tuple((f"QUEUE.MANAGER.{i}", f"QUEUE.MANAGER.{i + 1}") for i in range(9)))
    layout = lay_out(long.outline)
    head = topology_parts(long, layout, frozenset({"head"}))["head"]
    lines = re.findall(r'<text class="said" x="20" y="([\d.]+)">([^<]*)</text>', head)
    assert len(lines) == 2
    assert lines[1][1].endswith(" …")
    assert max(float(y) for y, _ in lines) + 4 < min(panel.box.y for panel in layout.panels)


def test_a_stopped_queue_manager_says_so_inside_its_frame_however_long_its_name(graph_of, state_of):
    name = "Q" * 48
    frame = topology_frame(graph_of([], qmgr=name), state_of({}, {name: False}), 0)
    layout = lay_out(frame.outline)
    words = topology_parts(frame, layout, frozenset({name}))[name]
    assert ">STOPPED<" in words
    box = layout.panels[0].box
    x, width = re.search(r'class="fullpill" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', words).groups()
    assert box.x < float(x)
    assert float(x) + float(width) < box.right
