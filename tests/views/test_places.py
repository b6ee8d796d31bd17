"""Places of a picture: chains and hubs, one's own look, and how much of a screen a small lab fills."""

import json

import pytest
from views.meetings import joined

from helpers import inside, overlap, says
from mqlab import Lab, LabError
from mqlab.views import lab_picture
from mqlab.views.drawing.scene import Scene
from mqlab.views.drawing.topology import UPRIGHT, places_of


def joined_lab(*ways):
    """A lab in which each way, "A B", has a transmission queue, a channel, and a queue at its end."""
    lab = Lab()
    joined(lab, *ways)
    for qmgr in lab.queue_managers:
        qmgr.mqsc("DEFINE QLOCAL(ORDERS)").require()
    return lab


def chain(count):
    return joined_lab(*(f"QM{i} QM{i + 1}" for i in range(1, count)))


def shapes(picture):
    return {box["id"]: box for box in picture.shapes("shapes")["boxes"]}


def middle(box):
    return box["x"] + box["w"] / 2, box["y"] + box["h"] / 2


@pytest.mark.parametrize("count", [3, 4, 5, 9])
def test_a_chain_goes_from_left_to_right_and_no_box_lies_on_another(count):
    boxes = shapes(lab_picture(chain(count)))
    managers = [boxes[f"QM{i}"] for i in range(1, count + 1)]
    places = [middle(box)[0] for box in managers]
    assert places == sorted(places)
    assert not any(overlap(a, b) for i, a in enumerate(managers) for b in managers[:i])
    assert lab_picture(chain(4)).svg == lab_picture(chain(4)).svg


def test_a_hub_lies_in_the_middle_of_its_spokes_and_a_mesh_is_a_ring():
    spokes = ("ROME", "PARIS", "OSLO", "BERN", "LIMA")
    hub = joined_lab(*(f"HUB {name}" for name in spokes), *(f"{name} HUB" for name in spokes))
    boxes = shapes(lab_picture(hub))
    x, y = middle(boxes["HUB"])
    around = [(a - x, b - y) for a, b in (middle(boxes[name]) for name in spokes)]
    assert min(a for a, _ in around) < 0 < max(a for a, _ in around)
    assert min(b for _, b in around) < 0 < max(b for _, b in around)
    assert not any(overlap(boxes[a], boxes[b]) for a in ("HUB", *spokes) for b in ("HUB", *spokes) if a < b)
    names = "ABCDEF"
    mesh = shapes(lab_picture(joined_lab(*(f"{a} {b}" for a in names for b in names if a != b))))
    x, y = (sum(middle(mesh[name])[axis] for name in names) / 6 for axis in (0, 1))
    assert not any(inside({"x": x, "y": y, "w": 0, "h": 0}, mesh[name]) for name in names)


def test_a_small_lab_has_the_shape_of_a_screen():
    """A drawing that fills the room in one direction covers 45 % of it; the stage of a player is 1.6 times as wide as
    high, or 2.9 times when it presents."""
    for name in ("poison", "trigger-once", "expired-fill", "cannot-get", "channel-retrying"):
        lab = Lab()
        lab.scenario(name)
        scene = Scene(lab)
        wide, high = places_of(scene.frame(scene.time_us())).size
        shape = (wide - 24) / (high - 24)
        assert all(min(shape / screen, screen / shape) >= 0.45 for screen in (1.6, 2.87)), name
        assert min(900 / wide, 1.0) >= 11 / 16, "the second line of a box is there"


def test_own_places_are_kept_and_objects_of_networkx_can_be_handed_in():
    lab = chain(4)
    boxes = shapes(lab_picture(lab, positions={"QM1": (0, 0), "QM2": (9, 0), "QM3": (9, 7), "QM4": (0, 7)}))
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = (middle(boxes[f"QM{i}"]) for i in range(1, 5))
    assert (x1 < x2, x4 < x3, y4 < y1, y3 < y2) == (True,) * 4, "y goes upwards"
    import networkx as nx

    graph = lab.topology()
    layout = nx.circular_layout(graph)
    assert lab_picture(lab, positions=layout).svg == lab_picture(lab, positions=layout).svg
    own = shapes(lab_picture(lab, positions={"QM1": (5, 0), "QM3": (0, 0)}))
    assert middle(own["QM3"])[0] < middle(own["QM1"])[0]
    assert middle(own["QM2"])[1] > middle(own["QM1"])[1], "others stand below"
    one = joined_lab("A B")
    cards = shapes(lab_picture(one, qmgr="A", positions={"A/B": (0, 0), "A/ORDERS": (3, 0), "A/channel:A.B": (6, 0)}))
    xs = [middle(cards[id])[0] for id in ("A/B", "A/ORDERS", "A/channel:A.B")]
    assert xs == sorted(xs)


@pytest.mark.parametrize("positions", [None, {"QM1": (0, 0), "QM2": (1, 1), "QM3": (2, 0), "QM4": (3, 1)}])
def test_sites_are_frames_around_their_queue_managers_and_nobody_else(positions):
    lab = chain(4)
    picture = lab_picture(lab, positions=positions, groups={"Vienna": ["QM1", "QM2"], "Linz & Graz": ["QM3"]})
    boxes = shapes(picture)
    for name, members in (("Vienna", {"QM1", "QM2"}), ("Linz & Graz", {"QM3"})):
        frame = boxes[f"site:{name}"]
        assert {id for id in ("QM1", "QM2", "QM3", "QM4") if inside(boxes[id], frame)} == members
        assert {id for id in ("QM1", "QM2", "QM3", "QM4") if overlap(boxes[id], frame)} == members
    assert "Linz &amp; Graz" in picture.svg
    assert 'subgraph b0["Vienna"]' in picture.shapes("mermaid", "sites")


def test_colors_and_remarks_are_drawn_and_saved(tmp_path):
    lab = chain(3)
    colors = {"QM1": "#336699", "QM2/ORDERS": "alarm", "South": "orange"}
    notes = {"QM3": "Replaced in March <after> the audit", "QM1/ORDERS": "Too full"}
    look = {"groups": {"South": ["QM2", "QM3"]}, "colors": colors, "notes": notes}
    picture = lab_picture(lab, **look)
    says(picture.svg, 'style="color:#336699"', 'style="color:var(--mq-alarm)"', 'style="color:#E69F00"')
    boxes = shapes(picture)
    for id in ("QM3", "QM1/ORDERS"):
        note, box = boxes[f"note:{id}"], boxes[id]
        assert not overlap(note, box)
        assert 0 <= note["y"] - box["y"] - box["h"] < 6
    assert "&lt;after&gt;" in picture.svg
    assert "Too full" in picture.shapes("mermaid", "notes")
    assert "stroke:#336699" in picture.shapes("mermaid", "notes")
    picture.save(tmp_path / "own.drawio")
    assert "strokeColor=#336699" in (tmp_path / "own.drawio").read_text("utf-8")
    page = lab.save_player(tmp_path / "own.html", **look).read_text("utf-8")
    assert "Replaced in March" in page
    assert 'style="color:#336699"' in page
    from mqlab.views.frames.look import Look
    from mqlab.views.player.player_steps import PlayerSteps

    steps = PlayerSteps(lab, look=Look(**look)).columns()
    assert steps["plan"]["look"]["notes"]["QM1/ORDERS"] == ["Too full"]
    assert "site:South" in json.dumps(steps["tall"]), "a phone has the same look"


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ({"positions": {"QM9": (0, 0)}}, r"positions must name .* \(QM1, QM2, .*; got 'QM9'"),
        ({"positions": {"QM1": (0, float("nan"))}}, "two numbers"),
        ({"positions": [(0, 0)]}, "positions must be"),
        ({"groups": {"Vienna": ["QM1", "QM7"]}}, "'QM7' is no queue manager of the lab"),
        ({"groups": {"Vienna": ["QM1"], "Linz": ["QM1"]}}, "'QM1' is in two groups"),
        ({"groups": {"Vienna": "QM1"}}, "dict of lists"),
        ({"groups": {"Vienna": []}}, "dict of lists"),
        ({"colors": {"QM1": "url(x)"}}, "#rrggbb"),
        ({"colors": {"Paris": "blue"}}, "colors must name"),
        ({"notes": {"QM1": " "}}, "a few words"),
    ],
)
def test_a_look_that_cannot_be_drawn_is_refused(look, words):
    with pytest.raises(LabError, match=words):
        lab_picture(chain(2), **look)


def test_a_phone_has_a_chain_one_below_another():
    scene = Scene(chain(3))
    boxes = {box["id"]: box for box in places_of(scene.frame(scene.time_us()), UPRIGHT).scene["boxes"]}
    assert boxes["QM1"]["y"] < boxes["QM2"]["y"] < boxes["QM3"]["y"]
