"""The altair charts: valid, described, every state with a colour and a shape, nothing to fetch."""

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest

from helpers import for_each, lab_error, lab_with, made, says

alt = pytest.importorskip("altair")

from mqlab import Lab  # noqa: E402
from mqlab.views import expired_chart, lifecycle_chart, lifecycle_svg, themed_svg  # noqa: E402
from mqlab.views.charts.lifecycle import BARS, SIGNS  # noqa: E402
from mqlab.views.charts.renderer import tables  # noqa: E402
from mqlab.views.frames.lifecycle_rows import MARKS, STATES  # noqa: E402
from mqlab.views.theme import LIGHT  # noqa: E402


def test_the_lifecycle_chart_says_what_is_seen_and_the_pointer_is_told_the_rule_and_a_sentence(played):
    spec = lifecycle_chart(played).to_dict()
    assert spec["title"]["text"].startswith("What became of ")
    says(spec["title"]["subtitle"][0], "2 got", "still there")
    assert spec["description"].startswith("What became of ")
    rows = json.dumps(spec)
    says(rows, "EXP-17 Expired messages still count", "a call by BILLING reached it 5 s after it expired")
    for layer in spec["layer"]:
        titles = [t.get("title") for t in layer["encoding"].get("tooltip", [])]
        assert not titles or {"rule", "what happened"} <= set(titles)
    assert list(tables(spec)) == [("Message", "State", "Time", "What happened", "Rule")]


def test_every_state_has_a_look_without_color_and_rows_the_text_of_messages():
    assert set(BARS) == set(STATES)
    assert len({(look.height, look.dash, look.texture) for look in BARS.values()}) == len(STATES)
    assert len({look.texture for look in BARS.values()}) == len(STATES), "in a group all are of the same height"
    assert set(SIGNS) == set(MARKS)
    assert len({(sign.shape, sign.filled) for sign in SIGNS.values()}) == len(MARKS)
    lab = Lab(start="2025-01-06T09:00:00Z")
    qm = made("DEFINE QLOCAL(CALLS)", of=lab)
    qm.put("CALLS", "to the station", expiry=10)
    qm.put("CALLS", b"\x00\x01")
    lab.advance(5.5)
    assert labels(lifecycle_chart(lab, queue="CALLS").to_dict()) == ["message 1: to the station", "message 2"]


def test_one_message_is_enough_and_too_many_are_said_to_be_too_many(lab, qm):
    message = qm.put("ORDERS", b"")
    assert "What became of 1 message on ORDERS" in lifecycle_chart(lab, message).to_dict()["title"]["text"]
    assert lifecycle_chart(lab, [message.number]).to_dict() == lifecycle_chart(lab, message).to_dict()
    for _ in range(11):
        qm.put("ORDERS", b"")
    subtitle = lifecycle_chart(lab, queue="ORDERS", limit=10).to_dict()["title"]["subtitle"]
    says(subtitle[-2], "2 others are not shown")
    assert subtitle[-1].startswith("choose with queue=")


@for_each("options", [{"queue": "NOPE"}, {"messages": [99]}, {"start": "noon"}, {"messages": []}])
def test_nothing_to_show_is_an_error_that_says_what_to_do(lab, qm, options):
    lab_error("must be", lifecycle_chart, lab, **options)


@for_each("seconds", [0.02, 7, 16, 400, 9000, 200_000])
def test_ticks_are_at_whole_steps_and_a_chart_fits_a_cell(seconds):
    lab = Lab(start="2025-01-06T09:00:03Z")
    qm = made("DEFINE QLOCAL(ORDERS)", of=lab)
    lab.advance(0.003)
    message = qm.connect("APP").put("ORDERS", b"tea")
    lab.advance(seconds)
    spec = lifecycle_chart(lab, message).to_dict()
    ticks = next(each["encoding"]["x"]["axis"]["values"] for each in spec["layer"])
    step = ticks[1] - ticks[0]
    assert 3 <= len(ticks) <= 10
    assert all(tick % step == 0 for tick in ticks)
    if seconds in (0.02, 400, 200_000):  # the longest labels: fractions of a second, and days
        assert float(re.search(r'width="([\d.]+)"', themed_svg(lifecycle_chart(lab, message)))[1]) <= 807


def test_the_depth_chart_says_the_worst_of_it_and_draws_maxdepth_when_the_queue_comes_near_it(played):
    spec = expired_chart(played, "ORDERS").to_dict()
    says(spec["title"]["text"], "ORDERS: ", "expired at 09:00:", "and still counted")
    assert spec["description"].startswith("ORDERS: ")
    fills = [layer["encoding"]["fill"] for layer in spec["layer"] if "fill" in layer["encoding"]]
    parts = [fill["scale"]["domain"][0] for fill in fills if fill["legend"]]
    assert parts == ["available", "put, not committed", "expired, still counted"]
    ((heads, rows),) = tables(spec).items()
    assert heads == ("From", "CURDEPTH", "Expired, still counted", "Put, not committed", "Available")
    assert all(row[1] == sum(row[2:]) for row in rows)
    assert "MAXDEPTH 12" in json.dumps(spec["layer"])
    assert "MAXDEPTH 5000" not in json.dumps(expired_chart(played, "REPLIES").to_dict()["layer"])
    full = lab_with("DEFINE QLOCAL(ORDERS) MAXDEPTH(3)")[0]
    for number in range(3):
        full["QM1"].put("ORDERS", b"")
        full.advance(1 + number)
    assert (
        expired_chart(full, "ORDERS", start=0).title.text
        == f"ORDERS: full since {full.start + timedelta(seconds=3):%H:%M:%S}"
    )
    full["QM1"].get("ORDERS")
    full.advance(1)
    says(expired_chart(full, "ORDERS").title.text, "ORDERS: full at ")
    says(expired_chart(played, "REPLIES").title.text, "REPLIES: at most ", ", and none expired")
    for lab in (played, Lab()):
        lab_error("queue must be", expired_chart, lab, "NOPE")


def test_a_queue_of_one_name_on_several_queue_managers_needs_one_of_them():
    lab = Lab()
    for name in ("QM1", "QM2"):
        lab.queue_manager(name).mqsc("DEFINE QLOCAL(Q)").require()
    lab["QM2"].mqsc("DEFINE QLOCAL(OWN) MAXDEPTH(2)").require()
    lab_error("qmgr must be one of QM1, QM2, which all have Q; got None", expired_chart, lab, "Q")
    lab["QM2"].put("OWN", b"x")
    lab.advance(1)
    picture = themed_svg(expired_chart(lab, "OWN"))
    assert re.findall(">([0-9.]+)</text>", picture) == ["0", "1", "2"], "and no half of a message"


@for_each("chart", [lifecycle_chart, lambda lab: expired_chart(lab, "ORDERS")])
def test_charts_are_the_same_each_time_and_fetch_nothing(played, chart):
    text = json.dumps(chart(played).to_dict(), sort_keys=True)
    assert text == json.dumps(chart(played).to_dict(), sort_keys=True)
    assert '"url"' not in text


def many(count):
    """A lab with `count` messages on ORDERS, of which each third was got."""
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)")
    for i in range(count):
        qm.put("ORDERS", b"", expiry=50 if i % 7 == 0 else -1)
        lab.advance(0.25)
        if i % 3 == 2:
            qm.get("ORDERS")
    return lab


def labels(spec):
    """The labels of the rows, out of the axis of the bars."""
    return json.loads(spec["layer"][0]["encoding"]["y"]["axis"]["labelExpr"].removesuffix("[floor(datum.value)]"))


@for_each(("count", "grouped"), [(1, False), (60, False), (61, True), (2000, True)])
def test_from_one_to_two_thousand_messages_a_chart_can_be_read_and_groups_can_be_forced_and_forbidden(count, grouped):
    lab = many(count)
    spec = lifecycle_chart(lab).to_dict()
    rows = labels(spec)
    assert len(rows) <= 60
    assert any("(" in row for row in rows) is grouped
    assert len(json.dumps(spec)) < 1_500_000
    assert f"What became of {count} message" in spec["title"]["text"]
    assert spec["height"] <= 60 * 24
    if 1 < count < 100:
        other = labels(lifecycle_chart(lab, group=not grouped).to_dict())
        assert len(other) == count if grouped else len(other) < count


def test_a_chart_of_many_shows_the_slow_ones_also_if_others_are_left_out():
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)")
    slow = []
    for number in range(300):
        message = qm.put("ORDERS", b"")
        lab.advance(0.1)
        if number % 90 == 80:
            slow.append(message)
        else:
            qm.get("ORDERS", msg_id=message.msg_id)
    for limit in (300, 100):
        spec = lifecycle_chart(lab, limit=limit).to_dict()
        assert [row.split(": ")[1] for row in labels(spec)[:3]] == [f"message {each.number}" for each in slow]
        says(spec["title"]["subtitle"], "the 3 slowest messages have rows of their own, at the top")
    says(spec["title"]["subtitle"], "200 others are not shown")


def test_only_what_occurs_is_in_the_legend_and_expired_and_discarded_are_told_apart(lab, qm, played):
    qm.put("ORDERS", b"")
    lab.advance(1)
    text = json.dumps(lifecycle_chart(lab).to_dict())
    assert "in flight" not in text
    says(text, '"domain": ["on the queue"]', '"domain": ["still there"]')
    played["QM1"].put("ORDERS", b"", expiry=10)
    text = json.dumps(lifecycle_chart(played).to_dict())
    says(text, "discarded: it had expired", "1 discarded", "expired, still counted")


def test_the_picture_for_a_page_knows_its_time_scale_follows_the_theme_and_has_names_as_data(played):
    pytest.importorskip("vl_convert")
    hostile = played["QM1"].connect("HOSTILE")
    hostile.caller = "<b onclick=x>&"  # refused by connect; a log may come from elsewhere
    hostile.put("ORDERS", b"")
    hostile.get("ORDERS")
    svg, x_of = lifecycle_svg(played)
    root = ElementTree.fromstring(svg)
    scale = {name: float(root.get(f"data-{name}")) for name in ("from-us", "to-us", "x0", "x1", "y0", "y1")}
    assert (x_of(scale["from-us"]), x_of(scale["to-us"])) == (scale["x0"], pytest.approx(scale["x1"]))
    assert 0 < scale["x0"] < scale["x1"] <= float(root.get("width"))
    assert 0 < scale["y0"] < scale["y1"] < float(root.get("height"))
    # the sign of the message that was got at 9 s stands where the scale says
    sign = re.search(r'aria-label="message 1\b[^"]*, got, 09:00:09[^>]*translate\(([\d.]+),', svg)
    assert float(sign[1]) + scale["x0"] == pytest.approx(x_of(9_000_000), abs=1.5)
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any("expired, still counted" in t and "expired, and still counts on" in t and "EXP-17" in t for t in titles)
    assert "<b " not in svg
    assert "&lt;b onclick" in svg
    says(
        svg,
        'class="mqlab-chart',
        f'fill="{LIGHT.live}"',
        f'.mqlab-chart [fill="{LIGHT.live}"]{{fill:var(--mq-live,{LIGHT.live})}}',
        "prefers-color-scheme:dark",
        '[data-jp-theme-light="false"] .mqlab-chart{',
    )
    assert "url(" not in svg.replace("url(#", "")
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-fA-F]{3,6})"', svg.split("</style>")[1]))
    assert used <= set(LIGHT), "a colour that no theme can change"
    depths = themed_svg(expired_chart(played, "ORDERS"))
    assert depths.count("<style>") == 1
    says(depths, f'fill="{LIGHT.expired_ground}"', 'class="mqlab-chart')
