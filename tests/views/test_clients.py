"""Clients stand outside their queue manager, and those that were refused before the gate that refused them."""

from helpers import frame_of, inside, lab_with, overlap, says, words
from mqlab import Lab, MQError
from mqlab.views import draw_topology, lab_picture
from mqlab.views.drawing.topology import draw_key, facts_of, places_of
from mqlab.views.frames.topology import Edge
from mqlab.views.player.player_steps import PlayerSteps

RECORDS = """
    DEFINE QLOCAL(ORDERS)
    DEFINE CHANNEL(SHOP.SVRCONN) CHLTYPE(SVRCONN)
    SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
    SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('mqm') USERSRC(NOACCESS)
    SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('web') USERSRC(CHANNEL)"""
CHANNEL = "QM1/channel:SHOP.SVRCONN"


def shop():
    """A shop that a client sells in and a local program reads, and three clients that were refused, one each second."""
    lab, qmgr = lab_with(RECORDS)
    web = qmgr.connect("WEB", user="web", channel="SHOP.SVRCONN")
    web.put("ORDERS", b"1")
    batch = qmgr.connect("BATCH")
    batch.get("ORDERS")
    batch.put("ORDERS", b"2")
    web.get("ORDERS")
    for program, user, channel in (
        ("TILL", "tom", "SHOP.SVRCONN"), ("ADMIN", "mqm", "SHOP.SVRCONN"), ("LOST", "web", "NO.SUCH")
    ):  # fmt: skip
        lab.advance(1)
        refused(qmgr, program, user, channel)
    return lab


def refused(qmgr, program, user, channel="SHOP.SVRCONN"):
    try:
        qmgr.connect(program, user=user, channel=channel)
    except MQError as error:
        return error
    raise AssertionError(f"{program} came in")


def test_clients_stand_outside_and_local_programs_inside():
    lab = shop()
    frame = frame_of(lab)
    places = places_of(frame)
    boxes = {box["id"]: box for box in places.scene["boxes"]}
    assert inside(boxes["QM1/app:BATCH"], boxes["QM1"])
    for client in ("WEB", "TILL", "ADMIN", "LOST"):
        box = boxes[f"QM1/app:{client}"]
        assert not overlap(box, boxes["QM1"])
        assert box["x"] + box["w"] < boxes["QM1"]["x"], "on the left"
    says(frame.outline.edges, Edge("QM1/app:WEB", CHANNEL, "connects"), Edge(CHANNEL, "QM1/ORDERS", "puts"))
    assert Edge("QM1/ORDERS", CHANNEL, "gets") in frame.outline.edges, "its calls are the channel's"
    assert not [edge for edge in frame.outline.edges if edge.source == "QM1/app:WEB" and edge.kind != "connects"]
    assert draw_topology(frame_of(shop())) == draw_topology(frame)


def test_a_refused_client_is_drawn_before_its_gate_with_the_record_that_decided():
    lab = shop()
    frame = frame_of(lab)
    places = places_of(frame)
    drawn = words(draw_topology(frame, places))
    said = {
        f"QM1/app:TILL>{CHANNEL}": "CHLAUTH(*) TYPE(ADDRESSMAP)",
        f"QM1/app:ADMIN>{CHANNEL}": "CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP)",
        "QM1/app:LOST>QM1": "NO.SUCH · 2540",
        f"QM1/app:WEB>{CHANNEL}": "",
    }
    assert {line: drawn[line] for line in said} == said
    for program in ("TILL", "ADMIN"):
        assert said[f"QM1/app:{program}>{CHANNEL}"] in lab.why_refused(program).record.replace("'", "")
    assert frame.summary.endswith("ADMIN and LOST and TILL cannot come in.")
    says(draw_key(frame, places), "comes in through")
    assert "TILL" in words(lab_picture(lab, 1).svg).get("QM1/app:TILL", "")
    assert "QM1/app:ADMIN" not in words(lab_picture(lab, 1).svg), "it comes a second later"


def test_a_refusal_ends_when_the_client_comes_in_and_no_refused_one_is_folded_into_others():
    lab = shop()
    qmgr = lab["QM1"]
    lab.advance(1)
    assert qmgr.mqsc("SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('tom') USERSRC(CHANNEL)").ok
    qmgr.connect("TILL", user="tom", channel="SHOP.SVRCONN").put("ORDERS", b"3")
    line = f"QM1/app:TILL>{CHANNEL}"
    assert words(lab_picture(lab).svg)[line] == ""
    says(words(lab_picture(lab, 3).svg)[line], "CHLAUTH(*)")
    steps = PlayerSteps(lab)
    facts = [steps.facts_at(steps.step_at(at))["gate:QM1/app:TILL"] for at in (0, 1, 4)]
    assert facts == [(), ("CHLAUTH(*)", "TYPE(ADDRESSMAP)"), ()]
    assert facts_of(steps.frame(steps.step_at(1)))["gate:QM1/app:TILL"] == facts[1]
    ways = {step.message: step.ways for step in steps.steps if step.kind == "put" and step.program == "TILL"}
    assert list(ways.values()) == [(line, f"{CHANNEL}>QM1/ORDERS")]
    for number in range(30):
        qmgr.mqsc(f"DEFINE QLOCAL(Q{number})")
        qmgr.connect(f"C{number}", user="web", channel="SHOP.SVRCONN").put(f"Q{number}", b"x")
    refused(qmgr, "C7", "tim")
    boxes = {box["id"] for box in places_of(frame_of(lab)).scene["boxes"]}
    assert {"QM1/app:ADMIN", "QM1/app:C7"} <= boxes
    assert "QM1/app:C8" not in boxes, "one of 30 clients"


def test_a_client_whose_link_is_cut_stands_outside_until_it_is_restored():
    lab = shop()
    web = lab["QM1"].connect("PHONE", user="web", channel="SHOP.SVRCONN")
    web.put("ORDERS", b"4")
    lab.cut("PHONE", "QM1")
    line = f"QM1/app:PHONE>{CHANNEL}"
    says(words(lab_picture(lab).svg)[line], "cut")
    lab.advance(1)
    lab.restore("PHONE", "QM1")
    assert words(lab_picture(lab).svg)[line] == ""


def test_a_lab_without_clients_has_none():
    lab = Lab()
    lab.queue_manager("QM1")
    assert "connects" not in {kind for *_, kind in lab.topology().edges(data="kind")}
