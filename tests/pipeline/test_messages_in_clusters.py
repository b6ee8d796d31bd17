"""Messages that go into a cluster in Spark: each hop is a stay, also one on which an instance was chosen again."""

import pytest

from clustered import Demo
from mqlab.pipeline.questions import fate, journeys
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
