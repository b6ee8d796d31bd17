"""Messages that go into a cluster in Spark: each hop is a stay, also one on which an instance was chosen again."""

import pytest
from pipeline.answers import at_end_of, counted

from clustered import Demo
from mqlab.pipeline.questions import depth, fate, journeys
from mqlab.pipeline.read import read_events

pytestmark = pytest.mark.needs("clusters")
TRANSMIT = "SYSTEM.CLUSTER.TRANSMIT.QUEUE@SHOP"


def test_journeys_follow_messages_to_the_instance_that_was_chosen_and_to_the_one_that_was_chosen_again(spark, tmp_path):
    demo = Demo(queues=dict.fromkeys(("HUB1", "HUB2", "DEPOT"), "ORDERS DEFBIND(NOTFIXED)"))
    till = demo["SHOP"].connect("TILL")
    with till.open("ORDERS", output=True) as handle:
        before = [handle.put(f"order {number}", persistent=True) for number in range(3)]
        demo.settle()
        after = [handle.put(f"late {number}", persistent=True) for number in range(3)]
        demo.lab.cut("SHOP", "DEPOT")
        demo.settle(1)
    got = demo["HUB1"].get("ORDERS")
    demo.lab.events.write_parquet(tmp_path / "events.parquet")
    fates = fate(read_events(spark, tmp_path / "events.parquet"))
    found = {row["message"]: row for row in journeys(fates).collect()}
    direct = {f"{TRANSMIT} > ORDERS@{name}" for name in ("HUB1", "HUB2", "DEPOT")}
    assert {found[message.number]["route"] for message in before} == direct
    assert not [each for each in after if found[each.number]["route"].endswith("@DEPOT")], "its link is cut"
    assert found[got.number]["fate"] == "got"
    again = [row.message for row in demo.lab.events.where(kind="put", rule="CLU-50")]
    assert len(again) == 1
    assert found[again[0]]["route"].startswith(f"{TRANSMIT} > {TRANSMIT} > ORDERS@HUB"), "moved on, on the same queue"


def test_messages_that_expired_and_were_got_and_given_back_are_counted_whenever_they_were_there(spark, tmp_path):
    demo = Demo(queues=dict.fromkeys(("HUB1", "DEPOT"), "ORDERS DEFBIND(NOTFIXED)"))
    lab, till = demo.lab, demo["SHOP"].connect("TILL")
    lab.advance(1)
    for name in ("HUB1", "DEPOT"):
        lab.cut("SHOP", name)
    for _ in range(4):
        till.put("ORDERS", b"x", expiry=20, persistent=True)
    lab.advance(200)
    lab.events.write_parquet(tmp_path / "events.parquet")
    given_back = {event.time_us for event in lab.events.where(kind="restore", qmgr="SHOP")}
    assert len(given_back) >= 3, "REPOSITORY.MANAGER tries again and again"
    found = depth(read_events(spark, tmp_path / "events.parquet"), 10).where("qmgr = 'SHOP'").collect()
    for row in found:
        state = at_end_of(lab, row.time_us)
        assert (row.depth, row.expired, row.uncommitted) == counted(state, "SHOP", row.object), row
    assert max(row.expired for row in found) == 4
