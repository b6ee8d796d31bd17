"""The altair charts: valid, described, every state with a colour and a shape, nothing to fetch."""

import json
import re
from xml.etree import ElementTree

import pytest

from helpers import for_each

alt = pytest.importorskip("altair")

from mqlab import Lab, LabError  # noqa: E402
from mqlab.views import expired_chart, lifecycle_chart, lifecycle_svg, themed_svg  # noqa: E402
from mqlab.views.charts.data_table import tables  # noqa: E402
from mqlab.views.charts.lifecycle import BARS, SIGNS  # noqa: E402
from mqlab.views.frames.lifecycle_rows import MARKS, STATES  # noqa: E402
from mqlab.views.theme import LIGHT  # noqa: E402


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
    assert "EXP-17 Expired messages still count" in rows
    assert "a call by BILLING reached it 5 s after it expired" in rows
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
    with pytest.raises(LabError, match="must be"):
        lifecycle_chart(lab, **options)


@for_each("seconds", [0.02, 7, 16, 400, 9000, 200_000])
def test_ticks_are_at_whole_steps_and_a_chart_fits_a_cell(seconds):
    lab = Lab(start="2025-01-06T09:00:03Z")
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS)")
    lab.advance(0.003)
    message = qm.connect("APP").put("ORDERS", b"tea")
    lab.advance(seconds)
    spec = lifecycle_chart(lab, message).to_dict()
    ticks = next(each["encoding"]["x"]["axis"]["values"] for each in spec["layer"])
    step = ticks[1] - ticks[0]
    assert 3 <= len(ticks) <= 10
    assert all(tick % step == 0 for tick in ticks)
    assert float(re.search(r'width="([\d.]+)"', themed_svg(lifecycle_chart(lab, message)))[1]) <= 807


def test_the_depth_chart_says_the_worst_of_it(played):
    spec = expired_chart(played, "ORDERS").to_dict()
    assert spec["title"]["text"].startswith("ORDERS: ")
    assert "expired at 09:00:" in spec["title"]["text"]
    assert "and still counted" in spec["title"]["text"]
    assert spec["description"].startswith("ORDERS: ")
    parts = [row["part"] for layer in spec["layer"] for row in layer["data"].get("values", []) if "part" in row]
    assert list(dict.fromkeys(parts)) == ["available", "put, not committed", "expired, still counted"]


def test_maxdepth_is_drawn_when_the_queue_comes_near_it(played):
    assert "MAXDEPTH 12" in json.dumps(layers(expired_chart(played, "ORDERS")))
    assert "MAXDEPTH 5000" not in json.dumps(layers(expired_chart(played, "REPLIES")))


def test_an_unknown_queue_is_refused(played):
    with pytest.raises(LabError, match="queue must be"):
        expired_chart(played, "NOPE")
    with pytest.raises(LabError, match="queue must be"):
        expired_chart(Lab(), "NOPE")


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


@pytest.mark.parametrize("chart", [lifecycle_chart, lambda lab: expired_chart(lab, "ORDERS")])
def test_charts_are_the_same_each_time_and_fetch_nothing(played, chart):
    text = json.dumps(chart(played).to_dict(), sort_keys=True)
    assert text == json.dumps(chart(played).to_dict(), sort_keys=True)
    assert '"url"' not in text


def test_charts_have_their_data_as_a_table(played):
    lives = tables(lifecycle_chart(played).to_dict())
    assert list(lives) == [("Message", "State", "Time", "What happened", "Rule")]
    (depths,) = tables(expired_chart(played, "ORDERS").to_dict()).items()
    assert depths[0] == ("From", "CURDEPTH", "Expired, still counted", "Put, not committed", "Available")
    assert all(row[1] == sum(row[2:]) for row in depths[1])


def many(count):
    """A lab with `count` messages on ORDERS, of which each third was got."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    assert qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
    for i in range(count):
        qm.put("ORDERS", b"", expiry=50 if i % 7 == 0 else -1)
        lab.advance(0.25)
        if i % 3 == 2:
            qm.get("ORDERS")
    return lab


def labels(chart):
    """The labels of the rows, out of the axis of the bars."""
    axes = [layer["encoding"]["y"]["axis"] for layer in layers(chart)]
    return json.loads(axes[0]["labelExpr"].removesuffix("[floor(datum.value)]"))


@for_each(("count", "grouped"), [(1, False), (60, False), (61, True), (2000, True)])
def test_from_one_to_two_thousand_messages_a_chart_can_be_read(count, grouped):
    lab = many(count)
    chart = lifecycle_chart(lab)
    rows = labels(chart)
    assert len(rows) <= 60
    assert any("(" in row for row in rows) is grouped
    assert len(json.dumps(chart.to_dict())) < 1_500_000
    assert f"What became of {count} message" in chart.to_dict()["title"]["text"]
    spec = chart.to_dict()
    assert spec["height"] <= 60 * 24


def test_groups_can_be_forced_and_forbidden():
    lab = many(70)
    assert len(labels(lifecycle_chart(lab, group=False))) == 70
    few = many(5)
    assert len(labels(lifecycle_chart(few, group=True))) < 5


def test_only_what_occurs_is_in_the_legend(lab, qm):
    qm.put("ORDERS", b"")
    lab.advance(1)
    text = json.dumps(lifecycle_chart(lab).to_dict())
    assert "in flight" not in text
    assert '"domain": ["on the queue"]' in text
    assert '"domain": ["still there"]' in text


def test_expired_and_discarded_are_told_apart_in_the_legend(played):
    qm = played["QM1"]
    qm.put("ORDERS", b"", expiry=10)
    text = json.dumps(lifecycle_chart(played).to_dict())
    assert "discarded: it had expired" in text
    assert "1 discarded" in text
    assert "expired, still counted" in text


def test_the_picture_for_a_page_knows_its_time_scale(played):
    pytest.importorskip("vl_convert")
    svg, x_of = lifecycle_svg(played)
    root = ElementTree.fromstring(svg)
    scale = {name: float(root.get(f"data-{name}")) for name in ("from-us", "to-us", "x0", "x1", "y0", "y1")}
    assert x_of(scale["from-us"]) == scale["x0"]
    assert x_of(scale["to-us"]) == pytest.approx(scale["x1"])
    assert 0 < scale["x0"] < scale["x1"] <= float(root.get("width"))
    assert 0 < scale["y0"] < scale["y1"] < float(root.get("height"))
    # the sign of the message that was got at 9 s stands where the scale says
    sign = re.search(r'aria-label="message 1\b[^"]*, got, 09:00:09[^>]*translate\(([\d.]+),', svg)
    assert float(sign[1]) + scale["x0"] == pytest.approx(x_of(9_000_000), abs=1.5)


def test_the_pointer_reads_the_same_in_a_picture(played):
    pytest.importorskip("vl_convert")
    svg, _ = lifecycle_svg(played)
    root = ElementTree.fromstring(svg)
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any("expired, still counted" in t and "expired, and still counts on" in t and "EXP-17" in t for t in titles)


def test_a_picture_follows_the_theme_and_has_its_colours_without_a_style_sheet(played):
    pytest.importorskip("vl_convert")
    svg, _ = lifecycle_svg(played)
    assert 'class="mqlab-chart' in svg
    assert f'fill="{LIGHT.live}"' in svg
    assert f'.mqlab-chart [fill="{LIGHT.live}"]{{fill:var(--mq-live,{LIGHT.live})}}' in svg
    assert "prefers-color-scheme:dark" in svg
    assert '[data-jp-theme-light="false"] .mqlab-chart{' in svg
    assert "url(" not in svg.replace("url(#", "")
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-fA-F]{3,6})"', svg.split("</style>")[1]))
    assert used <= set(LIGHT), "a colour that no theme can change"


def test_any_chart_of_this_look_can_be_a_picture_for_a_page(played):
    pytest.importorskip("vl_convert")
    svg = themed_svg(expired_chart(played, "ORDERS"))
    assert svg.count("<style>") == 1
    assert f'fill="{LIGHT.expired_ground}"' in svg
    assert 'class="mqlab-chart' in svg


def test_rows_are_called_by_the_text_of_messages():
    lab = Lab(start="2025-01-06T09:00:00Z")
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(CALLS)")
    qm.put("CALLS", "to the station", expiry=10)
    qm.put("CALLS", b"\x00\x01")
    lab.advance(5.5)
    chart = lifecycle_chart(lab, queue="CALLS")
    assert labels(chart) == ["message 1: to the station", "message 2"]
