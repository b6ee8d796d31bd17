"""Every chart can be joined, layered, faceted, restyled, given other data, and saved, as charts of altair are."""

import altair as alt
import pandas as pd
import pytest
import vl_convert

from helpers import for_each, lab_with, says, some
from mqlab.pipeline.charts import (
    batch_chart,
    dead_letter_chart,
    depth_chart,
    expiry_chart,
    fate_chart,
    lag_chart,
    queue_time_chart,
    retry_chart,
    route_chart,
    slow_chart,
    trigger_chart,
)
from mqlab.pipeline.sweep import sweep
from mqlab.views import expired_chart, lifecycle_chart
from mqlab.views.theme import LIGHT

pytestmark = pytest.mark.spark

SECOND = 1_000_000


def rows(**columns):
    """Two rows, whose columns have a value for each, or one for both."""
    return pd.DataFrame(columns, index=[0, 1])


def queues():
    lab, qm = lab_with("DEFINE QLOCAL(PUSH) MAXDEPTH(3)\nDEFINE QLOCAL(DESK)")
    for seconds in range(3):
        qm.put("PUSH", b"", expiry=20)
        qm.put("DESK", b"")
        lab.advance(1 + seconds)
    return lab


LENGTHS = {"messages": [1, 2], "p50_us": [10, 20], "p95_us": [30, 40], "p99_us": [50, 60], "longest_us": [70, 80]}
WHY = {"while_reading": [1, 2], "while_away": [2, 1], "gets": 4, "arrivals_a_minute": 1.5, "gets_a_minute": 2.5}
CHARTS = {  # by the column by which a test facets it, whose values the headers of the facets show
    "queue: PUSH": lambda: expired_chart(queues(), "PUSH"),
    "state: on the queue": lambda: lifecycle_chart(queues()),
    "object: DESK": lambda: fate_chart(rows(object=["PUSH", "DESK"], fate=["lost", "got"], messages=[2, 3])),
    "part: live": lambda: depth_chart(
        rows(object="Q", time_us=[0, SECOND], depth=[3, 2], expired=[1, 0], uncommitted=0, live=2), "Q", maxdepth=3
    ),
    "what: discarded": lambda: expiry_chart(rows(time_us=SECOND, what=["expired", "discarded"], messages=2)),
    "lag: under 1 s": lambda: lag_chart(rows(object=["PUSH", "DESK"], lag="under 1 s", order=0, messages=1)),
    "label: DESK": lambda: queue_time_chart(rows(qmgr="QM1", object=["PUSH", "DESK"], fate="got", **LENGTHS)),
    "label: A, B": lambda: route_chart(rows(route=["A, B", "A"], got=[1, 2], **LENGTHS)),
    "label: DESK, read by NOTIFY": lambda: slow_chart(
        rows(object=["PUSH", "DESK"], reader="NOTIFY", discarded=3, longest_pause_us=9, **WHY)
    ),
    "outcome: fired": lambda: trigger_chart(
        rows(object="JOBS", outcome=["fired", "prevented"], rule="TRG-03", title="It fits", times=[1, 2])
    ),
    "label: TO.B@QM1": lambda: batch_chart(
        rows(qmgr="QM1", channel=["TO.A", "TO.B"], uow=[1, 2], messages=3, fast=0, outcome="committed", duration_us=9)
    ),
    "state: PAUSED": lambda: retry_chart(
        rows(qmgr="QM1", channel="TO.A", state=["RETRYING", "PAUSED"], from_us=[0, 9], to_us=SECOND, attempts=1), 0
    ),
    "place: DLQ@QM2": lambda: dead_letter_chart(
        rows(qmgr="QM2", object="DLQ", program="A", wanted="Q", reason=2053, name="MQRC_Q_FULL", messages=[1, 2])
    ),
}


def joins(chart, where, tmp_path):
    """A chart beside, below, and on top of others, with facets, other looks, and other data."""
    column, value = where.split(": ")
    title = chart.title.text if isinstance(chart.title.text, str) else chart.title.text[-1]
    board = ((chart + chart) | chart.facet(f"{column}:N")) & chart.properties(data=chart.data)
    drawn = vl_convert.vegalite_to_svg(board.configure_title(fontSize=31).to_json(), vl_version="6.4")
    assert drawn.count("31px") >= 2, title
    says(drawn, f">{value}<")
    chart.save(tmp_path / "chart.svg")
    says((tmp_path / "chart.svg").read_text(), f'fill="{LIGHT.paper}"')
    with alt.theme.enable("dark"):
        chart.save(tmp_path / "chart.html")
    says((tmp_path / "chart.html").read_text(), '"theme": "dark"')


@for_each("where, chart", *some(CHARTS.items(), 5))
def test_every_chart_is_joined_layered_faceted_restyled_and_saved(where, chart, tmp_path):
    joins(chart(), where, tmp_path)


def test_the_chart_of_a_sweep_too_and_its_axis_of_a_count_begins_at_0(spark, tmp_path):
    swept = sweep(spark, "expiring", {"servers": [1, 2]}, seeds=2, measures=["got"])
    chart = swept.chart("got")
    joins(chart, "servers: 2", tmp_path)
    assert chart.data["low"].min() >= 0


def test_a_depth_chart_draws_the_data_of_another_queue():
    lab = queues()
    mine, other = expired_chart(lab, "DESK"), expired_chart(lab, "PUSH")
    both = mine.properties(data=other.data).to_dict(), mine.to_dict()
    found = ["PUSH" in next(iter(each["datasets"].values())) for each in both]
    assert found == [True, False]
