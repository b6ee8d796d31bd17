"""The altair charts: valid, described, every state with a colour and a shape, nothing to fetch."""

import json

import pytest

alt = pytest.importorskip("altair")

from mqlab import Lab, LabError  # noqa: E402
from mqlab.views import lapsed_chart, lifecycle_chart  # noqa: E402
from mqlab.views.lives import MARKS, STATES  # noqa: E402
from mqlab.views.looks import BARS, SIGNS  # noqa: E402


def layers(chart):
    return chart.to_dict()["layer"]


def test_the_lifecycle_chart_says_what_is_seen(played):
    spec = lifecycle_chart(played).to_dict()
    assert spec["title"]["text"].startswith("What became of ")
    assert "2 got" in spec["title"]["subtitle"][0]
    assert "still there" in spec["title"]["subtitle"][0]
    assert spec["description"].startswith("What became of ")


def test_every_state_and_every_end_has_a_look_of_its_own_without_colour():
    assert set(BARS) == set(STATES)
    assert len({(look.height, look.dash, look.texture) for look in BARS.values()}) == len(STATES)
    assert len({look.texture for look in BARS.values()}) == len(STATES), "in a group all are of the same height"
    assert set(SIGNS) == set(MARKS)
    assert len({(sign.shape, sign.filled) for sign in SIGNS.values()}) == len(MARKS)


def test_the_pointer_is_told_the_rule_and_a_sentence(played):
    rows = json.dumps(lifecycle_chart(played).to_dict())
    assert "EXP-17 Lapsed messages still count" in rows
    assert "a call of BILLING met it 5 s after its lifetime ended" in rows
    for layer in layers(lifecycle_chart(played)):
        titles = [t.get("title") for t in layer["encoding"].get("tooltip", [])]
        assert not titles or {"rule", "what happened"} <= set(titles)


def test_too_many_messages_are_said_to_be_too_many(lab, qm):
    for _ in range(12):
        qm.put("ORDERS", b"")
    subtitle = lifecycle_chart(lab, queue="ORDERS", limit=10).to_dict()["title"]["subtitle"]
    assert subtitle[-1].startswith("2 later messages are not shown: choose with queue=")


def test_one_message_is_enough(lab, qm):
    message = qm.put("ORDERS", b"")
    assert "What became of 1 message on ORDERS" in lifecycle_chart(lab, message).to_dict()["title"]["text"]
    assert lifecycle_chart(lab, [message.number]).to_dict() == lifecycle_chart(lab, message).to_dict()


@pytest.mark.parametrize("options", [{"queue": "NOPE"}, {"messages": [99]}, {"start": "noon"}, {"messages": []}])
def test_nothing_to_show_is_an_error_that_says_what_to_do(lab, qm, options):
    with pytest.raises(LabError, match="wanted"):
        lifecycle_chart(lab, **options)


def test_the_depth_chart_says_the_worst_of_it(played):
    spec = lapsed_chart(played, "ORDERS").to_dict()
    assert spec["title"]["text"].startswith("ORDERS: ")
    assert "lapsed at 09:00:" in spec["title"]["text"]
    assert "and still counted" in spec["title"]["text"]
    assert spec["description"].startswith("ORDERS: ")
    parts = [row["part"] for layer in spec["layer"] for row in layer["data"].get("values", []) if "part" in row]
    assert list(dict.fromkeys(parts)) == ["can be got", "put, not committed", "lapsed, still counted"]


def test_maxdepth_is_drawn_when_the_queue_comes_near_it(played):
    assert "MAXDEPTH 12" in json.dumps(layers(lapsed_chart(played, "ORDERS")))
    assert "MAXDEPTH 5,000" not in json.dumps(layers(lapsed_chart(played, "REPLIES")))


def test_an_unknown_queue_is_refused(played):
    with pytest.raises(LabError, match="queue wanted"):
        lapsed_chart(played, "NOPE")
    with pytest.raises(LabError, match="queue wanted"):
        lapsed_chart(Lab(), "NOPE")


def test_names_are_data_and_never_markup(played):
    vl_convert = pytest.importorskip("vl_convert")
    qm = played["QM1"]
    hostile = qm.connect("HOSTILE")
    hostile.caller = "<b onclick=x>&"  # refused by connect; a log may come from elsewhere
    hostile.put("ORDERS", b"")
    hostile.get("ORDERS")
    svg = vl_convert.vegalite_to_svg(lifecycle_chart(played).to_dict(), vl_version="6.4", allowed_base_urls=[])
    assert "<b " not in svg
    assert "&lt;b onclick" in svg


@pytest.mark.parametrize("chart", [lifecycle_chart, lambda lab: lapsed_chart(lab, "ORDERS")])
def test_charts_are_the_same_each_time_and_fetch_nothing(played, chart):
    text = json.dumps(chart(played).to_dict(), sort_keys=True)
    assert text == json.dumps(chart(played).to_dict(), sort_keys=True)
    assert '"url"' not in text
