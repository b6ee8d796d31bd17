"""The score: what became of the messages that programs put, told by the log alone."""

from itertools import pairwise

from helpers import for_each, north_and_hub, reason, scenario_lab
from mqlab import Lab
from mqlab.lab.scenarios import names
from mqlab.views.frames.score import MEANINGS, Score, scores


def score(lab):
    return scores(lab.events, lab.now_us)[-1][2]


def test_every_number_has_its_meaning_and_a_lifetime_that_ends_is_late_at_that_moment(lab, qm):
    assert tuple(MEANINGS) == Score._fields
    qm.mqsc("DEFINE QLOCAL(A)")
    qm.put("A", b"x", expiry=10)
    lab.advance(5)
    assert scores(lab.events, lab.now_us)[-1] == (1_000_000, -1, Score(late=1))
    reason(qm.get, "A")
    assert score(lab) == Score(late=1)


def test_a_message_is_delivered_when_its_get_is_committed(lab, qm):
    qm.mqsc("DEFINE QLOCAL(TINY) MAXDEPTH(1)")
    qm.put("TINY", b"x")
    reason(qm.put, "TINY", b"y")
    assert score(lab) == Score(waiting=1, refused=1)
    unit = qm.connect("APP").unit_of_work()
    unit.get("TINY")
    assert score(lab) == Score(waiting=1, refused=1)
    unit.backout()
    assert score(lab) == Score(waiting=1, refused=1)
    with qm.unit_of_work() as unit:
        unit.get("TINY")
    assert score(lab) == Score(delivered=1, refused=1)
    unit = qm.unit_of_work()
    unit.put("TINY", b"z")
    unit.backout()
    assert score(lab) == Score(delivered=1, refused=1), "a put that was backed out is no message"


def test_on_its_way_a_message_waits_and_what_the_channel_loses_is_lost():
    lab = Lab()
    north, hub = north_and_hub(lab)
    north.put("ORDERS", b"x")
    lab.advance(5)
    assert score(lab) == Score(waiting=1), "the channel's get is no delivery, its own messages are none"
    hub.get("ORDERS.IN")
    lab.link("NORTH", "HUB", latency=2)
    north.put("ORDERS", b"y")
    lab.advance(0.5)
    lab.cut("NORTH", "HUB")
    lab.advance(60)
    assert score(lab) == Score(delivered=1, lost=1)


@for_each("name", names())
def test_each_message_is_one_of_four_at_every_moment(name):
    lab = scenario_lab(name)
    found = scores(lab.events, lab.now_us)
    assert [entry[0] for entry in found] == sorted(entry[0] for entry in found)
    put = [sum(each[2][:4]) for each in found]
    assert min(min(each[2]) for each in found) >= 0
    assert all(later - before in (-1, 0, 1) for before, later in pairwise(put))
