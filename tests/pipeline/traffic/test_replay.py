"""The replay: what programs do after what they were answered, and the day's story."""

from collections import Counter

import pytest

from helpers import lab_error, refusal
from mqlab import Lab, MQError
from mqlab.engine.words.errors import LabError
from mqlab.pipeline import traffic
from tools.retail_day import OUTAGE, Trace, clock_us, generate

PUSH, REPLIES, INVOICES = "NOTIFY.PUSH.REQ.V1", "WEB.QUOTE.REPLY.V1", "BILLING.INVOICE.REQ.V1"


@pytest.fixture
def trace():
    return Trace()


@pytest.fixture
def play(trace):
    """Replays the test's own trace on a lab with three queues; gives the counts and the lab."""
    lab = Lab(start=traffic.DAY_START)
    qm = lab.queue_manager("QM1", level=530)
    qm.mqsc(
        "DEFINE QLOCAL(IN) MAXDEPTH(2) MSGDLVSQ(FIFO) BOTHRESH(2) BOQNAME(IN.BOQ)\nDEFINE QLOCAL(IN.BOQ)\n"
        "DEFINE QLOCAL(OUT)\nDEFINE QALIAS(ALIAS) TARGET(IN)"
    )

    def replayed(more=""):
        assert qm.mqsc(more).ok
        return traffic.replay(lab, trace.to_arrow(10**9, {})), lab

    return replayed


def kinds(lab, *wanted):
    return [(event.kind, event.object, event.program) for event in lab.events if event.kind in wanted]


def test_a_put_after_a_get_answers_it(trace, play):
    ask = trace.add(1, "WEB", "put", "IN", reply_to_q="OUT", size=50)
    got = trace.add(2, "SERVER", "get", "IN", after=ask)
    trace.add(3, "SERVER", "put", after=got, expiry=70)
    trace.add(4, "WEB", "get", "OUT", match=ask, after=ask)
    counts, lab = play()
    assert counts == {"put": 2, "get": 2, "reasons": {}}
    _put, _got, reply, answer = (e for e in lab.events if e.kind in ("put", "get"))
    assert (reply.object, reply.expiry_left, answer.message) == ("OUT", 70, reply.message)


def test_after_and_unless(trace, play):
    marks = [trace.add(time, "WEB", "put", "IN") for time in (1, 2, 3)]
    for mark in marks:
        trace.add(10 + mark, "WEB", "put", "OUT", unless=mark)
        trace.add(20 + mark, "LOG", "get", "IN", after=mark)
    counts, lab = play()
    assert (counts["reasons"], lab["QM1"].depth("OUT"), lab["QM1"].depth("IN")) == ({2053: 1}, 1, 0)
    assert counts["skipped"] == 3


def test_a_match_that_is_not_there_is_counted(trace, play):
    ask = trace.add(1, "WEB", "put", "IN")
    trace.add(2, "OTHER", "put", "OUT")
    trace.add(3, "WEB", "get", "OUT", match=ask, after=ask)
    counts, lab = play()
    assert (counts["reasons"], lab["QM1"].depth("OUT")) == ({2033: 1}, 1)


def test_a_unit_in_which_nothing_worked_is_never_ended(trace, play):
    for unit, times in ((1, (1, 2)), (2, (3, 5))):
        trace.add(times[0], "SERVER", "get", "IN", unit=unit)
        trace.add(times[1], "SERVER", "commit", unit=unit)
    trace.add(2, "WEB", "put", "IN")
    counts, lab = play()
    assert counts["reasons"] == {2033: 1}
    assert [e.uow for e in lab.events if e.kind == "commit"] == [e.uow for e in lab.events if e.kind == "get" and e.uow]
    assert len(kinds(lab, "commit")) == 1


def test_a_message_nobody_can_read_goes_to_the_backout_queue(trace, play):
    """BOTHRESH is advice: the queue manager keeps returning the message, and its reader moves it."""
    trace.add(1, "WEB", "put", "IN", flawed=True)
    trace.add(2, "WEB", "put", "IN")
    for time in range(10, 50, 10):
        unit = trace.unit()
        trace.add(time, "SERVER", "get", "IN", unit=unit)
        trace.add(time + 1, "SERVER", "commit", unit=unit)
    _counts, lab = play()
    told = [row[0] for row in kinds(lab, "backout", "commit", "restore")]
    assert told == ["backout", "restore", "backout", "restore", "commit", "commit"]
    moved = lab["QM1"].get("IN.BOQ")
    assert not moved.body.endswith(b"}")
    (first,) = lab.events.where(kind="put", object="IN", time_us=1)
    assert (moved.msg_id, lab["QM1"].depth("IN")) == (first.msg_id, 0)


def test_the_limits_of_the_queue_decide_if_a_get_names_an_alias(trace, play):
    trace.add(1, "WEB", "put", "ALIAS", flawed=True)
    for time in range(10, 40, 10):
        unit = trace.unit()
        trace.add(time, "SERVER", "get", "ALIAS", unit=unit)
        trace.add(time + 1, "SERVER", "close", "ALIAS")
        trace.add(time + 2, "SERVER", "commit", unit=unit)
    _counts, lab = play()
    told = [(kind, queue) for kind, queue, _ in kinds(lab, "backout", "put") if kind == "backout" or queue != "IN"]
    assert [kind for kind, _ in told] == ["backout", "backout", "put"]
    assert told[-1] == ("put", "IN.BOQ")
    assert lab["QM1"].depth("IN") == 0


def test_no_threshold_moves_nothing(trace, play):
    unit = trace.unit()
    trace.add(1, "WEB", "put", "IN", flawed=True)
    trace.add(2, "SERVER", "get", "IN", unit=unit)
    trace.add(3, "SERVER", "commit", unit=unit)
    _counts, lab = play("ALTER QLOCAL(IN) BOTHRESH(0)")
    assert (len(kinds(lab, "backout")), lab["QM1"].depth("IN"), lab["QM1"].depth("IN.BOQ")) == (1, 1, 0)


def test_a_match_with_a_put_that_failed_is_skipped(trace, play):
    asks = [trace.add(time, "WEB", "put", "IN") for time in (1, 2, 3)]
    trace.add(4, "WEB", "get", "OUT", match=asks[-1])
    counts, _lab = play()
    assert (counts["reasons"], counts["skipped"]) == ({2053: 1}, 1)


def test_a_verb_that_is_none_is_refused_before_any_call(trace, play):
    trace.add(1, "WEB", "put", "IN")
    trace.add(2, "WEB", "putt", "IN")
    lab_error("the verb of call 2 must be one of put, get, browse, commit, backout, close; got 'putt'", play)


def test_a_close_and_a_new_open(trace, play):
    trace.add(1, "SERVER", "get", "IN")
    trace.add(2, "SERVER", "close", "IN")
    trace.add(3, "SERVER", "get", "IN")
    _counts, lab = play()
    assert [row[0] for row in kinds(lab, "open", "close")] == ["open", "close", "open", "close"]
    assert lab["QM1"].status("IN")["IPPROCS"] == 0


def test_an_error_that_no_application_expects_is_raised(trace, play):
    trace.add(1, "WEB", "put", "NO.SUCH.QUEUE")
    refusal(MQError, "2085", play)


def test_what_is_not_a_trace_is_refused(lab):
    import pyarrow as pa

    lab_error("table must be Table", traffic.replay, lab, [1, 2])
    with pytest.raises(LabError, match="got columns a"):
        traffic.replay(lab, pa.table({"a": [1]}))
    with pytest.raises(LabError, match="trace must have version 1; got none"):
        traffic.replay(lab, generate(1, 500).replace_schema_metadata({}))
    assert lab.now_us == 0


def test_a_lab_with_two_queue_managers_must_say_which(lab):
    lab.queue_manager("QM2")
    table = generate(1, 500)
    lab_error("needs one queue manager", traffic.replay, lab, table)
    assert traffic.replay(lab["QM1"], table)["put"] > 400


def test_in_parts_as_at_once(lab, new_lab):
    table = generate(9, 2500)
    parts = traffic.Playback(lab, table)
    noon = parts.run(until_us=clock_us("12:00"))
    assert lab.now_us == clock_us("12:00")
    assert 0 < noon["put"] < 2500
    seen = []
    counts = parts.run(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (table.num_rows, table.num_rows)

    once = new_lab()
    assert traffic.replay(once, table) == counts
    assert counts["put"] == pytest.approx(2500, rel=0.06)
    assert list(once.events) == list(lab.events)


def test_a_day_has_its_counts_poison_late_replies_and_uncommitted_messages(played):
    lab, counts = played
    assert 50_000 <= counts["put"] - counts["reasons"][2053] <= 60_000
    assert set(counts["reasons"]) == {2033, 2053}
    assert counts["reasons"][2033] < 0.1 * counts["put"]
    assert not [e for e in lab.events if e.kind in ("put", "get") and e.reason not in (None, 2033, 2053)]
    lab, _ = played
    restored = Counter(e.message for e in lab.events.where(kind="restore", object=INVOICES))
    assert (sorted(restored.values()), lab["QM1"].depth("BILLING.INVOICE.BOQ.V1")) == ([3, 3], 2)
    lab, _ = played
    left = lab.state().queue("QM1", REPLIES).messages.values()
    assert len(left) > 100
    assert 50 < sum(message.expired(lab.now_us) for message in left) < len(left) - 50
    on_depth = [e for e in lab.events.where(kind="get", object=REPLIES, reason=2033) if e.depth > 0]
    assert len(on_depth) > 200
    lab, _ = played
    assert [e for e in lab.events.where(kind="get", object="REPORTS.EXTRACT.OUT.V1", reason=2033) if e.depth > 0]


def test_day_outage_fills_the_queue_with_messages_nobody_can_get(played):
    """EXP-17: what has expired still counts, so putters get 2053; EXP-10: one get discards it all."""
    lab, _ = played
    full = lab.events.where(kind="put", reason=2053)
    assert {e.object for e in full} == {PUSH}
    assert all(OUTAGE[0] < e.time_us < OUTAGE[1] + 60_000_000 and e.depth == 800 for e in full)
    discards = Counter(e.cause for e in lab.events.where(kind="discard", object=PUSH))
    cause, worst = discards.most_common(1)[0]
    assert worst > 500
    assert lab.events[cause].program == "NOTIFY"
    assert OUTAGE[1] <= lab.events[cause].time_us < OUTAGE[1] + 60_000_000
    reports = [e for e in lab.events.where(kind="report") if e.object == "CAMPAIGN.PUSH.REPORT.V1"]
    assert 0.15 * worst < len(reports) < 0.35 * worst
