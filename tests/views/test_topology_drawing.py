"""The topology picture: the same bytes, safe, and saying what it shows."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from views.conftest import MadeState, made_graph

from helpers import frame_of, lab_with, made, tries
from mqlab.engine.explain.replay import QueueState, State
from mqlab.views import draw_topology, lab_picture, topology_frame, topology_svg
from mqlab.views.drawing.topology import draw_key, facts_of, places_of
from mqlab.views.frames.topology import KINDS, Outline, Queue, QueueManager

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script>"
COUNTS = {"PAYMENTS.IN": (20, 6, 4), "PAYMENTS.REPLY": (3, 0, 0), "QM2": (58, 0, 2), "REFERENCE.DATA": (64, 64, 0)}


def framed(graph, state, time_us=5_000_000):
    """The frame of a state in which every queue of a graph is defined."""
    plan = topology_frame(graph, state, time_us).outline
    for queue in plan.queues:
        state.queues.setdefault((queue.qmgr, queue.name), QueueState())
    return topology_frame(plan, state, time_us)


def drawn(graph, state):
    return draw_topology(framed(graph, state))


def card(svg, name):
    """The group of the object or queue manager `name`, by its tooltip."""
    root = ElementTree.fromstring(svg)
    found = [g for g in root.iter(f"{SVG}g") if g.get("class") == "box"]
    return next(g for g in found if re.match(f"(Queue manager )?{re.escape(name)}:", g.findtext(f"{SVG}title") or ""))


def classes(element):
    return [e.get("class") for e in element.iter() if e.get("class")]


def messages(group):
    """The messages on a card, from the front: their states."""
    return [kind.split()[1] for kind in classes(group) if kind.startswith("message ")]


def words_of(element):
    return " ".join(t for e in element.iter(f"{SVG}text") for t in e.itertext())


def test_it_is_one_labelled_image_that_needs_nothing_else(estate):
    svg = drawn(estate, MadeState(COUNTS))
    root = ElementTree.fromstring(svg)
    assert (root.get("class"), root.get("role")) == ("mqlab-topology", "img")
    assert root.get("aria-label") == root.findtext(f"{SVG}title")
    assert "145 messages on 4 queues" in root.get("aria-label")
    assert "REFERENCE.DATA 64" in root.findtext(f"{SVG}desc")
    for needs in ("<script", "url(", "href", "<image", "@import", " id="):
        assert needs not in svg
    assert re.findall(r"https?://[^\"\s]*", svg) == ["http://www.w3.org/2000/svg"]


def test_the_same_frame_gives_the_same_bytes_also_where_the_engine_has_forgotten_its_places(estate):
    frame = framed(estate, MadeState(COUNTS))
    places = places_of(frame)
    before = draw_topology(frame, places)
    assert drawn(estate, MadeState(COUNTS)) == before
    for i in range(40):
        drawn(made_graph([(f"Q{i}", "QLOCAL", {})]), MadeState({}))
    assert draw_topology(frame, places) == before


def test_the_bytes_do_not_depend_on_the_hash_seed():
    script = (
        "from mqlab import Lab\nfrom mqlab.views import topology_svg\nlab = Lab()\nqm = lab.queue_manager('QM1')\n"
        "for name in ('A.B', 'A.C', 'D.E', 'D.F', 'G', 'H', 'I'): qm.mqsc(f'DEFINE QLOCAL({name})')\n"
        "for name in 'XYZ': qm.connect(name).put('A.B', b''); qm.connect(name).get('A.B')\n"
        "print(topology_svg(lab))"
    )
    outputs = set()
    for seed in ("0", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_names_and_descriptions_are_text_and_never_markup():
    graph = made_graph(
        [(EVIL, "QLOCAL", {"description": '"><img src=x onerror=alert(2)>'}), ("A&B", "QALIAS", {"alias": EVIL})],
        [("'\"><svg onload=alert(3)>", [EVIL], ["A&B"])],
        qmgr="<QM>",
    )
    state = MadeState({EVIL: (2, 1, 0)})
    state.queues = {("<QM>", EVIL): state.queues["QM1", EVIL]}
    svg = drawn(graph, state)
    root = ElementTree.fromstring(svg)
    shapes = {"svg", "title", "desc", "style", "g", "rect", "path", "text", "tspan", "circle"}
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= shapes
    assert not [k for e in root.iter() for k in e.attrib if k.startswith("on")]
    assert EVIL in "".join(root.itertext())
    assert "<script" not in svg


@settings(max_examples=tries(40))
@given(st.text(min_size=1, max_size=48))
def test_any_name_gives_a_well_formed_picture(name):
    graph = nx.MultiDiGraph()
    graph.add_node("QM1", kind="qmgr", name=name)
    graph.add_node("QM1/x", kind="queue", qmgr=name, name=name, type="QLOCAL", usage="NORMAL", maxdepth=1)
    ElementTree.fromstring(drawn(graph, State()))


def test_long_names_are_shortened_in_the_middle_and_told_in_full():
    names = ["PAYMENTS." + "A" * 30 + ".REQUEST"[:9], "B" * 48]
    svg = drawn(made_graph([(n, "QLOCAL", {}) for n in names]), MadeState({}))
    for name in names:
        label = next(t for t in card(svg, name).iter(f"{SVG}text") if t.get("class") == "mono strong")
        shown = "".join(label.itertext())
        assert len(shown) >= 18
        head, dots, tail = shown.partition("…")
        assert dots
        assert name.startswith(head)
        assert name.endswith(tail)


def test_messages_stand_in_delivery_order_expired_ones_crossed_out_and_uncommitted_ones_dashed(estate):
    svg = drawn(estate, MadeState(COUNTS))
    full, mixed = card(svg, "PAYMENTS.IN"), card(svg, "PAYMENTS.REPLY")
    assert (set(messages(full)[:6]), messages(mixed)) == ({"expired"}, ["live"] * 3)
    said = [t.split(",")[0] for t in mixed.itertext() if t.startswith("Message ")]
    assert said == ["Message 1", "Message 2", "Message 3"]
    assert "20 messages of 20: 10 available, 4 not committed, 6 expired" in full.findtext(f"{SVG}title")
    assert "card bad" in classes(full)
    svg = drawn(estate, MadeState(COUNTS | {"PAYMENTS.REPLY": (4, 1, 2)}))
    group = card(svg, "PAYMENTS.REPLY")
    assert messages(group) == ["expired", "live", "uncommitted", "uncommitted"]
    assert classes(group).count("cross") == 1
    assert re.search(r"\.uncommitted[^{]*\{[^}]*stroke-dasharray", svg)


def test_trouble_is_said_in_words():
    graph = made_graph(
        [("IN", "QLOCAL", {"maxdepth": 20}), ("DLQ", "QLOCAL", {}), ("OUT", "QLOCAL", {})], dead_letter="DLQ"
    )
    svg = drawn(graph, MadeState({"IN": (20, 0, 0), "DLQ": (1, 0, 0), "OUT": (19, 0, 0)}))
    for name, words in (("IN", "full"), ("DLQ", "dead letters")):
        assert words in words_of(card(svg, name))
        assert card(svg, name).findtext(f"{SVG}title").endswith(f". {words}")
    assert "20 of 20" in words_of(card(svg, "IN"))
    assert "card bad" not in classes(card(svg, "OUT"))
    name = "Q" * 48
    stopped = drawn(made_graph([], qmgr=name), MadeState({}, {name: False}))
    assert "ended" in words_of(card(stopped, name))
    assert card(stopped, name).findtext(f"{SVG}title").endswith(", ended")
    for put, get in (("ENABLED", "ENABLED"), ("DISABLED", "ENABLED"), ("DISABLED", "DISABLED")):
        svg = drawn(made_graph([("Q", "QLOCAL", {"put": put, "get": get})]), MadeState({"Q": (0, 0, 0)}))
        for value, words in ((put, "Puts are inhibited"), (get, "Gets are inhibited")):
            assert (words in card(svg, "Q").findtext(f"{SVG}title")) == (value == "DISABLED")


def test_the_front_of_a_queue_is_the_message_that_a_get_returns():
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS) MAXDEPTH(20)")
    for i in range(12):
        qm.put("ORDERS", b"x", priority=i % 4)
    for _ in range(12):
        said = "".join(card(topology_svg(lab), "ORDERS").itertext())
        front = re.search(r"Message (\d+) \"x\", nonpersistent, priority (\d)", said)
        got = qm.get("ORDERS")
        assert (int(front[1]), int(front[2])) == (got.number, got.priority)


def test_every_kind_of_queue_has_a_letter_and_a_shape_of_its_own():
    kinds = sorted(KINDS)
    queues = tuple(Queue(f"QM1/{k}", "QM1", k, k, "", 10, True, True, "") for k in kinds)
    svg = drawn(Outline((QueueManager("QM1", "unix"),), queues, (), ()), MadeState({}))
    signs = []
    for kind in kinds:
        (sign,) = [g for g in card(svg, kind).iter(f"{SVG}g") if (g.get("class") or "").startswith("sign")]
        signs.append((words_of(sign), next(sign.iter(f"{SVG}path")).get("d")))
    assert len({letter for letter, _ in signs}) == len({outline for _, outline in signs}) == len(kinds)


def test_a_queue_that_is_not_defined_yet_is_not_drawn_and_keeps_its_place(lab):
    qm = made("DEFINE QLOCAL(A)", of=lab)
    lab.advance(1)
    qm.mqsc("DEFINE QLOCAL(B)")
    before, after = topology_svg(lab, 0.5), topology_svg(lab)
    assert "B: local queue" not in before
    assert card(before, "A").get("transform") == card(after, "A").get("transform")
    assert "1 queue ·" in words_of(card(before, "QM1"))
    assert "2 queues ·" in words_of(card(after, "QM1"))


def test_a_picture_of_nothing_can_be_drawn():
    for graph in (nx.MultiDiGraph(), made_graph([])):
        ElementTree.fromstring(drawn(graph, MadeState({})))


def test_the_key_explains_just_what_can_be_seen(estate):
    def key(graph):
        frame = framed(graph, MadeState({}))
        return draw_key(frame, places_of(frame))

    words = "".join(ElementTree.fromstring(key(estate)).itertext())
    for meaning in ("alias", "remote definition", "model", "transmission", "backout", "dead-letter", "initiation"):
        assert meaning.split()[0] in words
    few = key(made_graph([("Q", "QLOCAL", {})])).split("</style>")[1]
    assert "initiation" not in few
    assert "poison" not in few
    many = framed(estate, MadeState(COUNTS))
    assert "×14" in draw_key(many, places_of(many))
    assert "×14" not in key(estate)


def test_two_lines_of_words_stand_above_the_picture_and_the_rest_is_cut_between_words():
    frame = framed(made_graph([("Q", "QLOCAL", {})]), MadeState({"Q": (3, 1, 0)}))
    long = frame._replace(cut=tuple((f"QUEUE.MANAGER.{i}", f"QUEUE.MANAGER.{i + 1}") for i in range(9)))
    lines = re.findall(r'<text class="said" x="14" y="([\d.]+)">([^<]*)</text>', draw_topology(long))
    assert len(lines) == 2
    assert lines[1][1].endswith(" …")
    assert max(float(y) for y, _ in lines) < 64


def test_what_a_picture_says_of_a_queue_is_what_display_says(played):
    picture = lab_picture(played)
    for row in played["QM1"].mqsc("DISPLAY QLOCAL(*) CURDEPTH MAXDEPTH").replies[0].rows:
        if not row["QUEUE"].startswith("SYSTEM."):
            title = card(picture.svg, row["QUEUE"]).findtext(f"{SVG}title")
            assert re.search(f" {row['CURDEPTH']} messages? of {row['MAXDEPTH']}:", title)
    assert facts_of(frame_of(played))["QM1"] is True
