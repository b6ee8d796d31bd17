"""Charts: the title says what the data say, and every chart draws without a network."""

import pandas as pd
import pytest
import vl_convert

from mqlab.errors import LabError
from mqlab.pipeline.charts import depth_chart, expired_chart, fate_chart, lag_chart

MINUTE = 60_000_000
HOSTILE = "<script>alert(1)</script>"


def drawn(chart):
    """The chart as SVG text, with no address in its specification but the schema's."""
    text = chart.to_json()
    assert "https://" not in text.replace("https://vega.github.io/schema/", "")
    return vl_convert.vegalite_to_svg(text, vl_version="6.4")


@pytest.fixture
def summary():
    return pd.DataFrame(
        {
            "object": ["PUSH", "PUSH", "DESK", HOSTILE],
            "fate": ["got", "expired", "got", "lapsed"],
            "messages": [700, 200, 99, 1],
        }
    )


@pytest.fixture
def depths():
    return pd.DataFrame(
        {
            "object": "PUSH",
            "time_us": [MINUTE * n for n in (1, 2, 3, 4)],
            "depth": [2, 8, 8, 1],
            "lapsed": [0, 3, 6, 0],
            "live": [2, 5, 2, 1],
        }
    )


def test_fate_chart(summary):
    chart = fate_chart(summary)
    assert chart.title.text == "79.9 % of 1,000 messages were got, 200 expired"
    assert "Most expired on PUSH: 200" in chart.title.subtitle
    assert "PUSH: 200 expired" in chart.description
    picture = drawn(chart)
    assert "DESK" in picture
    assert HOSTILE not in picture


def test_fate_chart_of_nothing(summary):
    assert fate_chart(summary.iloc[:0]).title.text == "No messages"
    everything_got = fate_chart(summary[summary["fate"] == "got"])
    assert everything_got.title.text == "100.0 % of 799 messages were got, 0 expired"
    drawn(everything_got)


def test_depth_chart(depths):
    chart = depth_chart(depths, "PUSH", maxdepth=8)
    assert chart.title.text == "PUSH was full from 00:02 to 00:03"
    assert chart.title.subtitle.startswith("At 00:03, 6 of its 8 messages had lapsed")
    assert chart.description.startswith("PUSH was full")
    assert "MAXDEPTH 8" in drawn(chart)


def test_depth_chart_from_another_start_and_in_part(depths):
    chart = depth_chart(depths, "PUSH", start="2025-01-06T09:00:00Z", between=("2025-01-06T09:01", "2025-01-06T09:02"))
    assert chart.title.text == "PUSH: at most 8 messages, 09:02"
    assert chart.title.subtitle.startswith("At 09:02, 3 of its 8")
    drawn(chart)


def test_depth_chart_where_nothing_lapsed(depths):
    chart = depth_chart(depths.assign(lapsed=0, live=depths["depth"]), "PUSH")
    assert chart.title.subtitle == "Nothing on it had lapsed at the end of any interval"


def test_depth_chart_of_an_unknown_queue(depths):
    with pytest.raises(LabError, match="queue wanted: one of PUSH; got 'PUSHY'"):
        depth_chart(depths, "PUSHY")


def test_expired_chart():
    counts = pd.DataFrame(
        {"time_us": [0, MINUTE * 10, MINUTE * 10], "what": ["lapsed", "discarded", "lapsed"], "messages": [40, 44, 4]}
    )
    chart = expired_chart(counts, 10, start="2025-01-06T12:00:00Z")
    assert chart.title.text == "12:10 to 12:20: 44 discarded, 4 lapsed"
    drawn(chart)
    assert expired_chart(counts.iloc[:0]).title.text == "Nothing was discarded"


def test_lag_chart():
    lags = pd.DataFrame(
        {"object": ["PUSH", HOSTILE], "lag": ["1 to 10 min", "under 1 s"], "order": [3, 0], "messages": [30, 10]}
    )
    chart = lag_chart(lags)
    assert chart.title.text == "30 of 40 expired messages had lain there lapsed for a minute or more"
    assert HOSTILE not in drawn(chart)
    assert lag_chart(lags.iloc[:0]).title.text == "Nothing expired"


@pytest.mark.parametrize("chart", [fate_chart, lag_chart, expired_chart, lambda frame: depth_chart(frame, "Q")])
def test_a_frame_with_other_columns_is_refused(chart):
    with pytest.raises(LabError, match=r"columns wanted: those of .*missing"):
        chart(pd.DataFrame({"object": ["Q"]}))
