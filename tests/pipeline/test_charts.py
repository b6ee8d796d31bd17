"""Charts: the title says what the data say, and every chart draws without a network."""

import re

import pandas as pd
import pytest
import vl_convert

from helpers import for_each, lab_error, says
from mqlab.engine.words.errors import LabError
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
from mqlab.views.charts.renderer import tables

MINUTE = 60_000_000
HOSTILE = "<script>alert(1)</script>"


def frame(text, **more):
    """A table as text; "-" is a missing value, and _ a space."""
    head, *rows = [line.split() for line in text.strip().splitlines()]
    table = pd.DataFrame(
        [[None if each == "-" else each.replace("_", " ") for each in row] for row in rows], columns=head
    )
    for name in table:
        if table[name].dropna().str.fullmatch(r"[0-9.]+").all():
            table[name] = pd.to_numeric(table[name])
    return table.assign(**more)


def drawn(chart):
    """The chart as SVG text, with no address in its specification but the schema's, and with its data as a table."""
    found = tables(chart.to_dict())
    assert found or chart.title.text == "No messages"
    assert all(len(set(headings)) == len(headings) for headings in found)
    text = chart.to_json()
    assert "https://" not in text.replace("https://vega.github.io/schema/", "")
    return vl_convert.vegalite_to_svg(text, vl_version="6.4")


@pytest.fixture
def summary():
    return frame(f"object fate messages\nPUSH got 700\nPUSH discarded 200\nDESK got 99\n{HOSTILE} expired 1")


@pytest.fixture
def depths():
    rows = frame("depth expired live\n2 0 2\n8 3 5\n8 6 2\n1 0 1", object="PUSH", uncommitted=0)
    return rows.assign(time_us=[MINUTE * n for n in (1, 2, 3, 4)])


def test_fate_chart(summary):
    chart = fate_chart(summary)
    assert chart.title.text == "79.9 % of 1000 messages were retrieved, 200 discarded"
    assert "Most discarded on PUSH: 200" in chart.title.subtitle
    assert "PUSH: 200 discarded" in chart.description
    picture = drawn(chart)
    assert "DESK" in picture
    assert HOSTILE not in picture

    assert fate_chart(summary.iloc[:0]).title.text == "No messages"
    everything_got = fate_chart(summary[summary["fate"] == "got"])
    assert everything_got.title.text == "100.0 % of 799 messages were retrieved, 0 discarded"
    drawn(everything_got)


def test_depth_chart_as_a_whole_from_another_start_and_in_part(depths):
    chart = depth_chart(depths, "PUSH", maxdepth=8)
    assert chart.title.text == "PUSH was full from 00:02 to 00:03"
    assert chart.title.subtitle.startswith("At 00:03, 6 of its 8 messages had expired")
    assert chart.description.startswith("PUSH was full")
    assert "MAXDEPTH 8" in drawn(chart)
    assert depth_chart(depths, "PUSH", maxdepth=2).title.text == "PUSH was full from 00:01 to 00:03"
    chart = depth_chart(depths.assign(depth=[8, 2, 8, 1]), "PUSH", maxdepth=8)
    assert chart.title.text == "PUSH was full at times from 00:01 to 00:03"
    lab_error("queue must be one of PUSH; got 'PUSHY'", depth_chart, depths, "PUSHY")
    chart = depth_chart(depths, "PUSH", start="2025-01-06T09:00:00Z", between=("2025-01-06T09:01", "2025-01-06T09:02"))
    assert chart.title.text == "PUSH: at most 8 messages, 09:02"
    assert chart.title.subtitle.startswith("At 09:02, 3 of its 8")
    drawn(chart)


def test_depth_chart_where_nothing_expired_and_where_something_is_not_committed(depths):
    chart = depth_chart(depths.assign(expired=0, live=depths["depth"]), "PUSH")
    assert chart.title.subtitle == "Nothing on it had expired at the end of any interval"
    assert "not committed" not in drawn(depth_chart(depths, "PUSH"))
    assert "not committed" in drawn(depth_chart(depths.assign(uncommitted=1, live=depths["live"] - 1), "PUSH"))


def test_queues_of_one_name_on_several_queue_managers_are_told_apart(depths, summary):
    depths = depths.assign(qmgr="H1")
    of_three = [depths.assign(depth=1), depths.assign(qmgr="H2"), depths.assign(object="Q")]
    both = pd.concat(of_three, ignore_index=True)
    lab_error("queue must be one of PUSH@H1, PUSH@H2; got 'PUSH'", depth_chart, both, "PUSH")
    assert depth_chart(both, "PUSH@H1").title.text == "PUSH@H1: at most 1 message, 00:01"
    assert depth_chart(both, "PUSH@H2").title.text == "PUSH@H2: at most 8 messages, 00:02"
    assert depth_chart(both, "Q").title.text == "Q: at most 8 messages, 00:02"
    fates = pd.concat([summary.assign(qmgr="H1"), summary.assign(qmgr="H2", messages=2)], ignore_index=True)
    assert "PUSH@H1: 200 discarded; PUSH@H2: 2 discarded" in fate_chart(fates).description
    lags = frame("qmgr object lag order messages\nH1 PUSH over_2_h 6 3\nH2 PUSH over_2_h 6 4")
    assert lag_chart(lags).description.endswith("PUSH@H1 over 2 h: 3; PUSH@H2 over 2 h: 4")


def test_expiry_and_lag_charts():
    later = 10 * MINUTE
    counts = frame(f"time_us what messages\n0 expired 40\n{later} discarded 44\n{later} expired 4")
    chart = expiry_chart(counts, 10, start="2025-01-06T12:00:00Z")
    assert chart.title.text == "12:10 to 12:20: 44 discarded, 4 expired"
    assert "12:20" in drawn(chart), "the axis goes on to the end of the last interval"
    assert expiry_chart(counts.iloc[:0]).title.text == "Nothing was discarded"
    lags = frame(f"object lag order messages\nPUSH 1_to_10_min 3 30\n{HOSTILE} under_1_s 0 10")
    chart = lag_chart(lags)
    assert chart.title.text == "30 of 40 discarded messages had been expired for a minute or more"
    assert HOSTILE not in drawn(chart)
    assert lag_chart(lags.iloc[:0]).title.text == "Nothing expired"


@pytest.fixture
def lengths():
    rows = "10 0 40000 50000 50000\n200 90000000 600000000 700000000 3600000000"
    return dict(frame(f"messages p50_us p95_us p99_us longest_us\n{rows}"))


def test_queue_time_and_route_charts(lengths):
    times = pd.DataFrame({"qmgr": "QM1", "object": [HOSTILE, "DESK"], "fate": "got", **lengths})
    chart = queue_time_chart(times)
    assert chart.title.text == "DESK: 5 in 100 messages got had been on it 10 min or more"
    assert "half 0 \u00b5s, 95 in 100 40 ms, longest 50 ms" in chart.description
    assert HOSTILE not in drawn(chart)
    assert queue_time_chart(times, "discarded").title.text == "No messages"
    drawn(queue_time_chart(times, "discarded"))
    times = pd.DataFrame({"qmgr": ["QM1", "QM2"], "object": "DESK", "fate": "got", **lengths})
    assert queue_time_chart(times).title.text.startswith("DESK@QM2: 5 in 100")
    routes = pd.DataFrame({"route": ["A@QM1", "A@QM1 > B@QM2"], "got": [10, 0], **lengths})
    chart = route_chart(routes)
    assert chart.title.text == "The slowest way: 5 in 100 took 40 ms or more"
    picture = drawn(chart)
    assert "B@QM2" not in picture, "nothing was got by this way"
    assert "less than 1 ms is drawn as 1 ms" in picture, "half took no time, and a logarithmic axis has no zero"
    assert "is drawn as" not in drawn(route_chart(routes.assign(p50_us=5000)))


def test_slow_chart():
    names = "object reader discarded while_reading while_away gets arrivals_a_minute gets_a_minute longest_pause_us"
    readers = frame(f"""{names}
        PUSH NOTIFY 700 200 500 90 12.5 3.0 2400000000
        {HOSTILE} - 3 0 0 0 - - -""")
    chart = slow_chart(readers)
    assert chart.title.text == "503 of 703 expired while nothing was read from their queue"
    assert "PUSH, read by NOTIFY: 700 discarded; in 12.5, got 3 a min, pause 40 min" in chart.description
    picture = drawn(chart)
    assert "nobody ever reads it" in picture
    assert HOSTILE not in picture
    assert slow_chart(readers.iloc[:0]).title.text == "Nothing expired"


def test_trigger_chart():
    summary = frame("""object outcome rule times title
        JOBS fired TRG-03 5 The_number_of_messages_fits_the_trigger_type
        JOBS prevented TRG-08 20 A_trigger_monitor_runs
        ORDERS prevented TRG-08 30 A_trigger_monitor_runs""")
    chart = trigger_chart(summary)
    assert chart.title.text == "5 of 55 chances of a trigger message were taken, 50 prevented"
    assert "TRG-08" in chart.title.subtitle
    assert "prevented: not \u201cA trigger monitor runs\u201d (TRG-08): 50" in chart.description
    drawn(chart)
    assert trigger_chart(summary.iloc[:1]).title.subtitle == "No condition prevented a trigger"
    assert trigger_chart(summary.iloc[:0]).title.text == "Nothing could have triggered"


def test_batch_chart():
    rows = "1 3 0 committed 400000\n2 1 2 committed 600000\n3 2 0 in_doubt -"
    batches = frame(f"uow messages fast outcome duration_us\n{rows}", qmgr="QM1", channel="TO.QM2")
    chart = batch_chart(batches)
    assert chart.title.text == "3 batches of 2.67 messages on average; half took 500 ms or less"
    assert "TO.QM2@QM1: 3 batches, half 500 ms, longest 600 ms" in chart.description
    picture = drawn(chart)
    says(picture, "in doubt", "1 batch")
    assert "0 batches" not in picture
    assert batch_chart(batches.iloc[:0]).title.text == "No batch was sent"
    drawn(batch_chart(batches.iloc[2:]))
    axes = (
        drawn(batch_chart(batches.iloc[2:].assign(messages=1))),
        drawn(fate_chart(frame("object fate messages\nA waiting 1"))),
    )
    assert [re.findall(">([0-9.]+)</text>", axis) for axis in axes] == [["0", "1"], ["0", "1", "1"]]


def test_retry_chart():
    retries = frame(
        f"""qmgr state from_us to_us attempts because
        QM1 RETRYING {MINUTE} - 4 the_path_is_cut
        QM2 PAUSED {2 * MINUTE} {2 * MINUTE + 300_000} 1 it_is_full""",
        channel="TO.QM2",
    )
    chart = retry_chart(retries, end_us=MINUTE * 10)
    assert chart.title.text == "Channels tried 4 times to reach their partner, for 9 min in all"
    assert "1 pause for" in chart.title.subtitle
    assert "TO.QM2@QM1 RETRYING for 9 min, 4 attempts" in chart.description
    assert "role-legend" in drawn(chart), "the colors of the states have words"
    assert "Because" in chart.to_json()
    assert "Because" not in retry_chart(retries.drop(columns="because"), end_us=MINUTE * 10).to_json()
    drawn(retry_chart(retries.iloc[1:], end_us=MINUTE * 10))
    assert retry_chart(retries.iloc[:0], end_us=0).title.text == "No channel had to try again"


def test_dead_letter_chart():
    reasons = frame(f"program wanted reason messages\nTO.QM2 {HOSTILE} 2053 9\n- - - 1", qmgr="QM2", object="DLQ")
    reasons = reasons.assign(name=["MQRC_Q_FULL", "not in the log"])
    chart = dead_letter_chart(reasons)
    assert chart.title.text == "9 of 10 messages were dead-lettered for 2053 MQRC_Q_FULL"
    assert HOSTILE not in drawn(chart)
    assert dead_letter_chart(reasons.iloc[:0]).title.text == "Nothing was dead-lettered"


def test_a_title_is_of_all_rows_also_of_those_that_are_not_drawn():
    reasons = frame("object reason name messages\nA 2053 FULL 9\nB 2051 OFF 8\nC 2051 OFF 7", qmgr="QM1", program="P")
    chart = dead_letter_chart(reasons.assign(wanted="Q"), most=2)
    assert chart.title.text == "15 of 24 messages were dead-lettered for 2051 OFF"
    assert chart.title.subtitle.endswith("could not put it there. 1 more line is not drawn")
    names = "object reader discarded while_reading while_away"
    readers = frame(f"{names}\nA R 9 9 0\nB R 8 0 8\nC - 7 0 0", gets=1, longest_pause_us=None)
    chart = slow_chart(readers.assign(arrivals_a_minute=None, gets_a_minute=None), most=1)
    assert chart.title.text == "15 of 24 expired while nothing was read from their queue"
    assert chart.title.subtitle.endswith("last get. 2 more lines are not drawn")


def test_values_that_no_answer_has_are_refused(summary, depths, lengths):
    from_us = frame("state from_us to_us attempts\nRETRYING 5 - 1", qmgr="QM1", channel="TO.QM2")
    times = pd.DataFrame({"object": ["A", "B"], "fate": "got", **lengths})
    for said, chart, given in (
        ("fate must be one of got, .*of fate_summary.*; got 'still there' in row 1", fate_chart, summary),
        ("this frame has the columns of time_on_queue", fate_chart, times.assign(qmgr="QM1")),
        ("messages must be a number in each row .*; got None in row 0", fate_chart, summary.assign(messages=None)),
        ("object must be text in each row of depth.*; got 5 in row 0", depth_chart, depths.assign(object=5)),
        ("time_us must be a number .*; got 'noon' in row 0", depth_chart, depths.assign(time_us="noon")),
        ("qmgr must be text in each row .*; got None in row 0", depth_chart, depths.assign(qmgr=None)),
        ("end_us must be the end of the log, after each from_us; got 4", retry_chart, from_us),
        ("fate must be one of got, .*; got 'Got'$", queue_time_chart, times),
    ):
        more = {depth_chart: ("PUSH",), retry_chart: (4,), queue_time_chart: ("Got",)}.get(chart, ())
        given = given.assign(fate=["got", "still there", "got", "got"]) if "still there" in said else given
        lab_error(said, chart, given, *more)
    lab_error("most must be a whole number, 1 or more; got 0", route_chart, times.assign(route="A", got=1), 0)
    lab_error("every_minutes must be .* 1 or more; got 0", expiry_chart, frame("time_us what messages\n0 expired 4"), 0)
    lab_error("summary must be DataFrame; got 5", fate_chart, 5)


def test_rows_may_have_any_index_types_of_numbers_and_columns_beside(depths, summary, lengths):
    wide = depths.assign(expired=depths["expired"].astype("Int64"), layer=7, place="x").astype({"live": object})
    twice = pd.concat([wide.iloc[:2], wide.iloc[2:].set_axis([0, 1])])
    assert depth_chart(twice, "PUSH").to_json() == depth_chart(depths, "PUSH").to_json()
    times = pd.DataFrame({"object": ["A", "B"], "fate": "got", **lengths})
    assert queue_time_chart(times.assign(label="x")).to_json() == queue_time_chart(times).to_json()


def test_times_with_a_zone_are_shown_in_utc(depths):
    chart = depth_chart(depths, "PUSH", start="2025-01-06T09:00:00+02:00", between=("2025-01-06T07:01Z", "2025-01-06"))
    assert chart.title.text == "No messages"
    chart = depth_chart(depths, "PUSH", start="2025-01-06T09:00:00+02:00", between=("2025-01-06T07:01Z", "2025-01-07"))
    assert chart.title.text == "PUSH: at most 8 messages, 07:02"
    lab_error("a time must be in UTC, such as \"2025-01-06T17:30\"; got 'noon'", depth_chart, depths, "PUSH", "noon")
    lab_error("between must be two times; got", depth_chart, depths, "PUSH", between=("2025-01-06",))


ALL = [fate_chart, lag_chart, expiry_chart, lambda frame: depth_chart(frame, "Q"), queue_time_chart, route_chart]
ALL += [slow_chart, trigger_chart, batch_chart, lambda frame: retry_chart(frame, 0), dead_letter_chart]


@for_each("chart", ALL)
def test_a_frame_with_other_columns_is_refused(chart):
    with pytest.raises(LabError, match=r"columns must be those of .*missing"):
        chart(pd.DataFrame({"object": ["Q"]}))
