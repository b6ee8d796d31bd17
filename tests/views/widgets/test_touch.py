"""What is clicked in the picture can be changed there, by the calls that its buttons show."""

import pytest

pytest.importorskip("anywidget")

from helpers import lab_error, north_and_hub, scenario_lab
from mqlab import Lab
from mqlab.views.player.calls import calls_on, traffic_call

WHYS = ["why no message?", "why not triggered?"]


@pytest.fixture
def lab():
    lab = Lab()
    north_and_hub(lab)
    lab.advance(1)
    return lab


@pytest.fixture
def panel(lab):
    return lab.panel()


def labels(lab, id):
    return [label for label, _ in calls_on(lab, id, lab.state())]


def press(panel, label):
    next(each for each in panel.touch.buttons.children if each.description == label).click()


def test_every_kind_of_object_offers_what_can_be_done_with_it(lab):
    channel = next(node for node in lab.topology() if "/channel:" in node)
    assert (labels(lab, "link:HUB|NORTH"), labels(lab, "HUB")) == (["cut", "fall silent"], ["stop"])
    assert labels(lab, channel) == ["start", "stop"]
    assert labels(lab, "HUB/ORDERS.IN") == ["put", "get", "browse", *WHYS, "inhibit puts", "inhibit gets"]
    assert labels(lab, "HUB/app:NOBODY") == []
    lab["HUB"].run_program("CLERK", lambda app: lab.advance(60))
    lab.advance(1)
    assert labels(lab, "HUB/app:CLERK") == ["stop"]
    lab.cut("HUB", "NORTH")
    assert labels(lab, "link:NORTH|HUB") == ["restore"]


def test_a_queue_is_put_to_browsed_and_got_from(panel, lab):
    place, owner, name = "HUB/ORDERS.IN", "HUB", "ORDERS.IN"
    panel.stage.selected = place
    panel.touch.body.value = "hello"
    press(panel, "put")
    assert panel.done[-1] == f"lab[{owner!r}].put({name!r}, b'hello')"
    press(panel, "browse")
    assert "hello" in panel.touch.answer.value
    press(panel, "get")
    assert lab[owner].status(name)["CURDEPTH"] == 0
    press(panel, "get")
    assert "2033" in panel.news.value


def test_a_link_is_cut_by_its_line_and_a_facility_fails_by_its_box(panel, lab):
    panel.stage.selected = "link:HUB|NORTH"
    press(panel, "cut")
    assert next(iter(lab.state().links.values())) is False
    press(panel, "restore")
    assert next(iter(lab.state().links.values())) is True
    lab = scenario_lab("facility-failure")
    group = lab.queue_sharing_groups[0].name
    structure = next(node for node in lab.topology() if "/structure:" in node)
    assert labels(lab, group) == labels(lab, structure) == ["fail", "recover"]


def test_steady_traffic_is_sent_and_what_is_not_there_is_only_a_hint(panel, lab):
    panel.stage.selected, name = "HUB/ORDERS.IN", "ORDERS.IN"
    panel.touch.rate.value, panel.seconds.value = 2.0, 5
    panel.touch.send.click()
    assert panel.done[-2:] == [f"lab['HUB'].traffic({name!r}, 2.0, 5.0)", "lab.advance(5.0)"]
    assert sum(row.program == "TRAFFIC" and row.kind == "put" for row in lab.events) == 10
    assert panel.stage.playing
    lab_error("Choose a queue", traffic_call, "HUB", 1.0, 1.0)
    panel.stage.selected = "HUB/GONE"
    assert "Click an object" in panel.touch.children[0].value
