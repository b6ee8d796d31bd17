"""Charts of any length: as many rows as there are pixels, and the numbers and extremes of all of them."""

import io
from itertools import groupby

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from PIL import Image

from mqlab.pipeline.charts import batch_chart, depth_chart, expiry_chart, fate_chart, lag_chart, retry_chart
from mqlab.views.charts.renderer import ROWS, data_table

pytestmark = pytest.mark.spark

MILLION = 1_000_000
SECOND = 1_000_000


@pytest.fixture(scope="module")
def depths():
    """A queue with a row each second for eleven days, whose peaks and troughs are single rows."""
    second = np.arange(MILLION)
    depth = 500 + (300 * np.sin(second / 40_000)).astype(int) + second % 7
    depth[[123_456, 777_777]] = 4711
    depth[[300_000, 650_001]] = 2
    expired, uncommitted = depth // 3, depth % 5
    parts = {"depth": depth, "expired": expired, "uncommitted": uncommitted, "live": depth - expired - uncommitted}
    return pd.DataFrame({"object": "PUSH", "time_us": second * SECOND, **parts})


def rows_of(chart):
    """The rows of each layer of a chart that have their own; altair refuses a frame with more than 5000."""
    (data,) = chart.to_dict()["datasets"].values()
    if isinstance(data, str):
        data = pd.read_csv(io.StringIO(data)).to_dict("records")
    layers = groupby(data, lambda row: row.get("layer"))
    return [list(rows) for _, rows in layers]


def picture(chart):
    """The gray levels of a chart's picture."""
    with alt.data_transformers.enable(max_rows=None):
        drawn = vl_convert.vegalite_to_png(chart.to_json(), vl_version="6.4")
    return np.asarray(Image.open(io.BytesIO(drawn)).convert("L"), dtype=float)


def test_a_million_rows_draw_their_extremes_and_the_title_is_exact(depths):
    chart = depth_chart(depths, "PUSH", maxdepth=4711)
    assert chart.title.text == "PUSH was full at times from 07 Jan 10:17 to 15 Jan 00:02"
    assert chart.title.subtitle.startswith("At 07 Jan 10:17, 1570 of its 4711")
    extremes = {(row["time"], row["depth"]) for row in rows_of(chart)[5] if row["depth"] in (2, 4711)}
    wanted = [pd.Timestamp("2025-01-06") + pd.Timedelta(seconds=at) for at in (123_456, 777_777, 300_000, 650_001)]
    assert {(time.isoformat(), depth) for time, depth in zip(wanted, (4711, 4711, 2, 2), strict=True)} == extremes
    assert {len(rows) <= 5000 for rows in rows_of(chart)} == {True}
    words, table = data_table(chart.to_dict(), "")
    assert words.startswith("The chart as a table: 1 in ")
    assert table.count("<tr") <= ROWS + 1
    assert len(chart.description) < 1000


@pytest.mark.cluster
def test_the_picture_is_that_of_all_rows(depths, monkeypatch):
    few = depths.iloc[100_000:125_000]
    thin = picture(depth_chart(few, "PUSH"))
    monkeypatch.setattr("mqlab.pipeline.charts.shared.thinned", lambda data, *_: data)
    every = picture(depth_chart(few, "PUSH"))
    assert thin.shape == every.shape
    assert np.abs(thin - every).mean() < 1, "of 255 levels of gray"


def test_other_charts_of_many_rows():
    many = 20_000
    number = np.arange(many)
    minutes = pd.DataFrame({"time_us": number * 60 * SECOND, "what": "expired", "messages": number % 977})
    minutes = pd.concat([minutes, minutes.assign(what="discarded", messages=number % 911)])
    queues = [f"Q{each:05d}" for each in number]
    fates = pd.DataFrame({"object": queues, "fate": "discarded", "messages": number + 1})
    lags = pd.DataFrame({"object": queues, "lag": "1 to 10 min", "order": 3, "messages": 2})
    channels = pd.DataFrame({"qmgr": "QM1", "channel": [f"C{each % 40}" for each in number], "uow": number})
    batches = channels.assign(messages=number // 2, fast=0, outcome="committed", duration_us=5)
    tried = channels.assign(
        state="RETRYING", from_us=number * SECOND, to_us=number * SECOND + 9, attempts=1, because=""
    )
    charts = {
        "06 Jan 15:10 to 16:10: 910 discarded": expiry_chart(minutes),
        "0.0 % of 200,010,000 messages were retrieved": fate_chart(fates),
        "40,000 of 40,000 discarded": lag_chart(lags),
        "20,000 batches of 5e+03 messages": batch_chart(batches),
        "Channels tried 20,000 times": retry_chart(tried, 0),
    }
    for title, chart in charts.items():
        assert chart.title.text.startswith(title)
        assert all(len(rows) <= 5000 for rows in rows_of(chart))
        assert len(chart.description) < 20_000
    assert max(row["messages"] for row in rows_of(charts["06 Jan 15:10 to 16:10: 910 discarded"])[0]) == 976
    assert "19,970 more queues are not drawn" in fate_chart(fates).title.subtitle
    assert {row["object"] for row in rows_of(lag_chart(lags))[0]} >= {"other queues"}
    assert sum(row["attempts"] for row in rows_of(retry_chart(tried, 0))[0]) == many // 2, "of the 20 channels drawn"
