"""The picture never misleads: alarms are named, signs stand where they belong, numbers on boxes are messages."""

import re

import pytest
from views.meetings import joined

from helpers import frame_of, says, words
from mqlab import Lab
from mqlab.views import draw_topology, lab_picture
from mqlab.views.drawing.topology import draw_key, places_of


def both_ways(*pairs):
    """A lab of queue managers with a triggered channel each way."""
    lab = Lab()
    joined(lab, *(f"{near} {far}" for pair in pairs for near, far in (pair, pair[::-1])))
    return lab


def hub(*spokes):
    """A hub that every spoke has sent a request to."""
    lab = both_ways(*(("HUB", spoke) for spoke in spokes))
    lab["HUB"].mqsc("DEFINE QLOCAL(REQUESTS)").require()
    for spoke in spokes:
        lab[spoke].mqsc("DEFINE QREMOTE(ASK) RNAME(REQUESTS) RQMNAME(HUB)").require()
        lab[spoke].connect("TILL").put("ASK", b"?", persistent=True)
    lab.advance(1)
    return lab


def thirty():
    """An estate of thirty queue managers in three levels."""
    names = [f"QM{number:02}" for number in range(1, 31)]
    tree = [("QM01", name) for name in names[1:4]] + [(f"QM{2 + at % 3:02}", name) for at, name in enumerate(names[4:])]
    lab = both_ways(*tree)
    for name in names:
        lab[name].mqsc("DEFINE QLOCAL(WORK) MAXDEPTH(2)").require()
    return lab


def test_no_queue_manager_with_an_alarm_is_folded_away_in_an_estate_of_thirty():
    lab = thirty()
    calm = words(lab_picture(lab).svg)
    assert "QM11" not in calm, "it is one of several alike"
    lab.cut("QM02", "QM11")
    lab["QM12"].put("WORK", b"1")
    lab["QM12"].put("WORK", b"2")
    frame = frame_of(lab)
    places = places_of(frame)
    boxes = {box["id"]: box for box in places.scene["boxes"]}
    drawn = words(draw_topology(frame, places))
    says(drawn["QM02"], "QM02", "link to QM11 cut")
    says(drawn["QM11"], "QM11", "link to QM02 cut")
    says(drawn["QM12"], "QM12", "WORK full", "2 messages")
    assert {"QM02", "QM11", "QM12"} <= boxes.keys()
    (line,) = [part for part in drawn if {*part.split(">")} == {"QM02", "QM11"}]
    says(drawn[line], "cut")
    assert not [part for part, said in drawn.items() if part != line and ">" in part and "cut" in said]
    lab.restore("QM02", "QM11")
    lab.cut("QM02", "QM14")
    later = words(draw_topology(frame_of(lab), places))
    stack = next(id for id, box in boxes.items() if box["type"] == "stacked" and "QM14" in later[id])
    says(later[stack], "QM14 cut")
    assert any("QM14 cut" in said for part, said in later.items() if stack in part.split(">")), "not the whole bundle"


def test_the_sign_of_a_cut_stands_at_the_spoke_and_no_two_channels_share_a_line():
    lab = hub("BERN", "OSLO", "PARIS", "ROME", "WIEN")
    lab.cut("HUB", "ROME")
    lab["ROME"].put("ASK", b"again")
    lab.advance(1)
    frame = frame_of(lab)
    places = places_of(frame)
    svg = draw_topology(frame, places)
    rome = next(box for box in places.scene["boxes"] if box["id"] == "ROME")
    (sign,) = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)"><g class="pill-alarm">', svg)
    x, y = map(float, sign)
    across, down = (
        max(rome["x"] - x, x - rome["x"] - rome["w"] - 60, 0),
        max(rome["y"] - y, y - rome["y"] - rome["h"], 0),
    )
    assert max(across, down) < 60
    lines = [
        line
        for line in places.scene["lines"]
        if {"HUB"} & {*str(line["id"]).replace("#", "/").split("/")} or ">" in line["id"]
    ]
    ends = [tuple(line["points"][end]) for line in lines for end in (0, -1)]
    assert len(set(ends)) == len(ends), "each line has both of its ends to itself"
    assert len({tuple(line["of"]) for line in lines}) == len(lines)


def test_numbers_on_boxes_are_messages_and_objects_are_counted_in_words():
    lab = hub("BERN", "OSLO", "PARIS", "ROME", "WIEN")
    for part, said in words(lab_picture(lab).svg).items():
        if "#" in part and ">" not in part and said.split()[-1:] != ["for"]:
            assert re.search(r"\d (objects?|queues?|channels?|programs?)", said) or said.startswith(
                ("is here", "arrives")
            )
    lab, news = Lab(), None
    qmgr = lab.queue_manager("QM1")
    subscriptions = (f"DEFINE QLOCAL(SUB{i})\nDEFINE SUB(S{i}) TOPICOBJ(PRICES) DEST(SUB{i})" for i in range(50))
    qmgr.mqsc("\n".join(("DEFINE TOPIC(PRICES) TOPICSTR(prices)", *subscriptions))).require()
    before = words(lab_picture(lab).svg)
    news = qmgr.connect("NEWS")
    news.open_topic("PRICES").put(b"1.2")
    after = words(lab_picture(lab).svg)
    (stack,) = [part for part, said in before.items() if said == "50 subscribers SUB0 …"]
    assert after[stack] == "50 subscribers 50 messages"
    assert {"NEWS", "T PRICES", "PRICES 52 objects"} <= {*after.values()}


@pytest.mark.parametrize("name", ["GRAZ", "VIENNA.OFFICE"])
def test_in_doubt_is_a_sign_of_its_own_and_no_state_is_ever_cut(name):
    lab = both_ways(("HQ", name))
    lab["HQ"].mqsc(f"DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME({name})").require()
    lab[name].mqsc("DEFINE QLOCAL(ORDERS)").require()
    lab["HQ"].put("ORDERS", b"first")
    lab.advance(5)
    for _ in range(2):
        lab["HQ"].put("ORDERS", b"x", persistent=True)
    lab.advance(0.05)
    lab.cut("HQ", name)
    lab.advance(1)
    frame = frame_of(lab)
    doubt = frame.channels[f"HQ/channel:HQ.{name}"]
    assert doubt.indoubt == 2
    svg = draw_topology(frame)
    says(words(svg)[f"HQ/channel:HQ.{name}"], f"HQ.{name}", doubt.state, "2 in doubt")
    assert "…" not in svg
    assert "in doubt" in frame.summary
    assert draw_key(frame, places_of(frame))
