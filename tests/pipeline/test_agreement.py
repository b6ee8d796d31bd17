"""Spark's answers are the engine's own, on several dozen random labs at once."""

import math
from collections import Counter, defaultdict

import pytest
from pipeline.answers import at_end_of, counted

from mqlab.engine.words.because import because
from mqlab.engine.words.constants import REASONS
from mqlab.engine.words.headers import MQDLH
from mqlab.pipeline.questions import (
    batch_summary,
    batches,
    counts,
    dead_letter_reasons,
    dead_letters,
    depth,
    discarded,
    ends,
    fate,
    lazy_expiry,
    retries,
    trigger_audit,
    trigger_summary,
)
from mqlab.pipeline.questions.expiry import ASKED, IDENTIFIED

WIDTH = 20
GONE = {"get": "got", "discard": "discarded", "undo": "backed out", "clear": "cleared", "lost": "lost"}
CONDITIONS = ("TRG-04", "TRG-08", "TRG-09")


def by(rows, key, columns):
    """Some columns of rows, by others: the value of one column, or those of several."""
    names, key = columns.split(), key.split()
    pick = (lambda row: row[names[0]]) if len(names) == 1 else (lambda row: tuple(row[name] for name in names))
    return {tuple(row[name] for name in key): pick(row) for row in rows}


@pytest.fixture(scope="module")
def fates(together):
    return fate(together).cache()


@pytest.fixture(scope="module")
def told_fates(fates):
    return fates.collect()


@pytest.fixture(scope="module")
def discards(together):
    return discarded(together).cache()


@pytest.fixture(scope="module")
def ended(together):
    return ends(together).collect()


def walk(told):
    """How each stay ended: (queue manager, queue, message, arrival) to (fate, end), one event after the other; a get
    that was taken back is no end."""
    arrived, found = {}, {}
    for event in told.events:
        if event.message is None or event.object_type is None:
            continue
        place = (told.name(event.qmgr), event.object, told.at(event.message))
        if event.kind in ("put", "report"):
            arrived[place] = event.seq
        elif event.kind == "restore":
            del found[(*place, told.at(arrived[place]))]
        elif event.kind in GONE:
            found[(*place, told.at(arrived[place]))] = (GONE[event.kind], event)
    return found


@pytest.fixture(scope="module")
def walked(crowd):
    return {stay: end for told in crowd for stay, end in walk(told).items()}


# ---------------------------------------------------------------- fate and lifetime
def test_what_is_still_there_is_what_the_engine_has(labs, crowd, told_fates):
    there = {}
    for told in crowd:
        for (qmgr, name), queue in told.lab.state(at=labs.END).queues.items():
            for message in queue.messages.values():
                word = "uncommitted" if message.uow is not None else "expired" if message.expired(labs.END) else "live"
                there[told.name(qmgr), name, told.at(message.number)] = (word, told.at(message.seq))
    words = {"put, not committed": "uncommitted", "expired": "expired"}
    found = {
        (r["qmgr"], r["object"], r["message"]): (words.get(r["fate"], "live"), r["begin_seq"])
        for r in told_fates
        if r["end_us"] is None
    }
    assert found == there
    assert {"expired", "live"} <= {word for word, _ in there.values()}


def test_fates_and_times(told_fates, walked):
    """The last of the walk's ends, but for what a program did with the message afterwards."""
    found = {(r["qmgr"], r["object"], r["message"], r["begin_seq"]): r for r in told_fates if r["end_us"] is not None}
    assert found.keys() == walked.keys()
    names = Counter()
    for stay, (name, event) in walked.items():
        row = found[stay]
        names[row["fate"]] += 1
        if row["fate"] != name:
            assert name == "got"
            assert row["fate"] in ("moved on", "got, not committed", "rejected", "lost", "discarded")
        if row["fate"] in (name, "moved on"):
            assert (row["end_us"], row["lifetime_us"]) == (event.time_us, event.time_us - event.put_us)
            assert (row["stay_us"], row["program"]) == (event.time_us - event.arrived_us, event.program)
    assert {"got", "discarded", "backed out", "cleared", "lost", "moved on", "got, not committed"} <= set(names), names


def test_the_quick_form_is_exact(ended, walked):
    """The rows that end a stay tell by themselves what the shuffle of all messages tells."""
    rows = Counter(
        (r["qmgr"], r["object"], r["message"], r["fate"], r["end_us"], r["put_us"], r["arrived_us"], r["program"])
        for r in ended
    )
    assert rows == Counter(
        (*stay[:3], name, event.time_us, event.put_us, event.arrived_us, event.program)
        for stay, (name, event) in walked.items()
    )


def test_the_quick_form_is_fate_where_nothing_moves(labs, ended, told_fates):
    def alone(row):
        return int(row["qmgr"][:2]) < labs.CALLS

    of = ("qmgr object message arrived_us", "fate end_us stay_us")
    quick = by(filter(alone, ended), *of)
    whole = by([r for r in told_fates if alone(r) and r["end_us"] is not None], *of)
    held = {stay for stay, (name, *_) in whole.items() if name == "got, not committed"}
    assert held
    assert quick == whole | {stay: ("got", *whole[stay][1:]) for stay in held}


def test_counts(labs, crowd, together, walked):
    wanted = Counter((*stay[:2], name) for stay, (name, _) in walked.items())
    for told in crowd:
        for (qmgr, name), queue in told.lab.state(at=labs.END).queues.items():
            if queue.depth:
                wanted[told.name(qmgr), name, "still there"] = queue.depth
    assert by(counts(together).collect(), "qmgr object fate", "messages") == wanted


def test_depth(crowd, together):
    rows = depth(together, WIDTH).collect()
    found = defaultdict(dict)
    for r in rows:
        numbers = tuple(r[name] for name in ("depth", "expired", "uncommitted", "live"))
        found[int(r["qmgr"][:2])][r["qmgr"][3:], r["object"], r["time_us"]] = numbers
    for told in crowd:
        facts = {}
        for time_us in {time for *_, time in found[told.number]}:
            state = at_end_of(told.lab, time_us)
            for qmgr, name, time in found[told.number]:
                if time == time_us:
                    parts = counted(state, qmgr, name)
                    facts[qmgr, name, time] = (*parts, parts[0] - parts[1] - parts[2])
        assert found[told.number] == facts
    assert sum(r["expired"] for r in rows) > 100
    assert sum(r["uncommitted"] for r in rows) > 100


# ---------------------------------------------------------------- expiry
def test_expired(labs, crowd, discards):
    wanted = {}
    for told in crowd:
        for event in told.events:
            if event.kind == "discard" and event.object_type is not None:
                before = told.lab.state(seq=event.seq - 1).queue(event.qmgr, event.object).messages[event.message]
                times = (before.expires_us, event.time_us, event.time_us - before.expires_us)
                by_whom = (event.program, told.events[event.cause].kind)
                wanted[(told.at(event.message),)] = (told.name(event.qmgr), event.object, *times, *by_whom)
    rows = discards.collect()
    assert by(rows, "message", "qmgr object deadline_us discarded_us lag_us met_by call") == wanted
    assert len(rows) == len(wanted) > 200
    assert {r["call"] for r in rows} == {"get", "browse", "scan", "wait"}


def test_lazy_expiry_in_sql_is_the_engines(spark, compiled, labs, crowd, together):
    """Message by message, and down to the call that met it."""
    asked = [
        (told.at(seq), msg, correl, None if behind is None else told.at(behind))
        for told in crowd
        for seq, msg, correl, behind in told.asked
    ]
    known = [(told.at(number), correl_id) for told in crowd for number, correl_id in told.identified]
    log = together.where(f"int(left(qmgr, 2)) < {labs.CALLS}")
    rows = lazy_expiry(log, spark.createDataFrame(asked, ASKED), spark.createDataFrame(known, IDENTIFIED)).collect()
    wanted = {
        (told.name(e.qmgr), e.object, told.at(e.message)): (told.at(e.cause), e.time_us, e.program)
        for told in crowd[: labs.CALLS]
        for e in told.events
        if e.kind == "discard"
    }
    assert by(rows, "qmgr object message", "call_seq discarded_us met_by") == wanted
    assert len(rows) == len(wanted) > 200


def test_lazy_expiry_needs_to_know_what_was_asked_for(compiled, labs, crowd, together):
    """Taken for calls for anything, selective ones would have discarded more, and sooner."""
    few = 4
    log = together.where(f"int(left(qmgr, 2)) < {few}")
    found = by(lazy_expiry(log).collect(), "qmgr object message", "call_seq")
    real = {
        (told.name(e.qmgr), e.object, told.at(e.message)): told.at(e.cause)
        for told in crowd[:few]
        for e in told.events
        if e.kind == "discard"
    }
    assert any(call < real.get(message, math.inf) for message, call in found.items())


# ---------------------------------------------------------------- triggers
def test_trigger_audit(labs, crowd, together):
    audit = trigger_audit(together).cache()
    rows = {r["seq"]: r for r in audit.collect()}
    assert rows.keys() == {told.at(e.seq) for told in crowd for e in told.events if e.kind == "trigger"}
    for told in crowd:
        written = {e.cause for e in told.events if e.kind == "put" and e.message is not None}
        for event in told.events:
            if event.kind != "trigger":
                continue
            row = rows[told.at(event.seq)]
            assert (row["outcome"] == "fired") == (event.seq in written), "it fired if a trigger message was put"
            assert row["chance"] == told.events[event.cause].kind
            later = [
                e.time_us
                for e in told.events[event.seq + 1 :]
                if e.kind == "trigger"
                and e.cause != event.seq
                and labs.details(e)["fired"]
                and (e.qmgr, e.object) == (event.qmgr, event.object)
            ]
            assert row["next_fired_us"] == min(later, default=None)
            if row["outcome"] == "prevented":
                assert _does_not_hold(told.lab, event), event
    summary = trigger_summary(audit).collect()
    assert sum(r["times"] for r in summary) == len(rows)
    assert {r["rule"] for r in summary if r["outcome"] == "prevented"} == set(CONDITIONS)
    outcomes = Counter(r["outcome"] for r in rows.values())
    assert min(outcomes[name] for name in ("fired", "prevented", "not asked for")) > 20, outcomes


def _does_not_hold(lab, event) -> bool:
    """Whether the state that the engine replays says so too."""
    state = lab.state(seq=event.seq)
    queue = state.queue(event.qmgr, event.object)
    if event.rule == "TRG-04":
        return queue.inputs > 0
    if event.rule == "TRG-08":
        return state.queue(event.qmgr, queue.attributes["INITQ"]).inputs == 0
    return event.rule == "TRG-09" and not queue.attributes["TRIGGER"]


# ---------------------------------------------------------------- channels
def test_batches(labs, crowd, together):
    rows = batches(together).cache()
    told_rows = {(r["qmgr"], r["uow"]): r for r in rows.collect()}
    ended, doubtful, sent = {}, set(), Counter()
    for told in crowd[labs.CALLS :]:
        for event in told.events:
            detail = labs.details(event)
            if event.kind == "channel" and "outcome" in detail:
                how = (detail["outcome"], detail["messages"], event.time_us, event.rule)
                ended[told.name(event.qmgr), told.at(event.uow)] = how
            sent[told.number] += event.kind == "get" and event.program == "TO.QM2" and event.object == "QM2"
        for channel in told.lab["QM1"].channels.values():
            if channel.indoubt is not None:
                doubtful.add((told.name("QM1"), told.at(channel.indoubt.number)))
    asked = {key: r for key, r in told_rows.items() if r["asked_us"] is not None}
    settled = [r for r in asked.values() if r["outcome"] != "in doubt"]
    assert by(settled, "qmgr uow", "outcome messages ended_us ended_by") == ended
    assert {key for key, r in asked.items() if r["outcome"] == "in doubt"} == doubtful
    assert {"committed", "backed out"} <= {outcome for outcome, *_ in ended.values()}
    for r in told_rows.values():
        assert r["duration_us"] is None or r["duration_us"] == r["ended_us"] - r["first_us"] >= 0
    for told in crowd[labs.CALLS :]:
        mine = [r for (qmgr, _), r in told_rows.items() if qmgr == told.name("QM1")]
        assert sum(r["messages"] + r["fast"] for r in mine) <= sent[told.number]
    summary = batch_summary(rows).collect()
    assert sum(r["batches"] for r in summary) == len(told_rows)
    assert sum(r["messages"] for r in summary) == sum(r["messages"] for r in told_rows.values())


def test_retries(labs, crowd, together):
    rows = retries(together).collect()
    found = Counter(
        (r["qmgr"], r["channel"], r["partner"], r["state"], r["from_us"], r["to_us"], r["attempts"], r["outcome"])
        for r in rows
    )
    wanted, words = Counter(), {(r["qmgr"], r["channel"], r["partner"], r["from_us"]): r["because"] for r in rows}
    for told in crowd[labs.CALLS :]:
        trying = {}
        for event in told.events:
            detail = labs.details(event)
            if event.kind != "channel" or "was" not in detail:
                continue
            end = (told.name(event.qmgr), event.object, detail.get("partner", ""))
            state = detail["state"]
            if detail["was"] in ("RETRYING", "PAUSED") and end in trying and state not in ("STOPPED", "INACTIVE"):
                trying[end][2] += 1
            if state in ("RETRYING", "PAUSED"):
                if end not in trying:
                    assert words[*end, event.time_us] == because(detail)
                trying.setdefault(end, [state, event.time_us, 0])
            elif state in ("RUNNING", "STOPPED", "INACTIVE") and end in trying:
                word, since, attempts = trying.pop(end)
                wanted[(*end, word, since, event.time_us, attempts, state)] += 1
        for end, (word, since, attempts) in trying.items():
            wanted[(*end, word, since, None, attempts, None)] += 1
    assert found == wanted
    still = {r["qmgr"] for r in rows if r["to_us"] is None}
    states = [(told, told.lab.state(at=labs.END).channels) for told in crowd[labs.CALLS :]]
    trying_now = {
        told.name(qmgr)
        for told, channels in states
        for (qmgr, *_), state in channels.items()
        if state in ("RETRYING", "PAUSED", "INITIALIZING", "BINDING")
    }
    assert (still, {r["state"] for r in rows}) == (trying_now, {"RETRYING", "PAUSED"})


# ---------------------------------------------------------------- dead letters, routes
def test_dead_letters(labs, crowd, together):
    letters = dead_letters(together).cache()
    rows = {(r["qmgr"], r["message"], r["seq"]): r for r in letters.collect()}
    there = 0
    for told in crowd[labs.CALLS :]:
        if not told.lab["QM2"].running:
            continue
        queue = told.lab["QM2"].targets["DLQ"]
        for message in queue.store.in_order():
            header = MQDLH.unpack(message.body)
            row = rows[told.name("QM2"), told.at(message.number), told.at(message.seq)]
            assert (row["reason"], row["name"]) == (header.reason, REASONS[header.reason])
            assert (row["wanted"].partition("@")[0], row["time_us"]) == (header.queue, message.arrived_us)
            there += 1
    assert there > 30
    arrived = {
        (told.name(qmgr), told.at(row.message), told.at(row.seq))
        for told in crowd
        for qmgr in ("QM2",)
        for row in told.events
        if row.kind == "put" and row.object == "DLQ" and row.message is not None
    }
    undone = {
        (told.name(e.qmgr), told.at(e.message), told.at(e.uow))
        for told in crowd
        for e in told.events
        if e.kind == "undo"
    }
    units = {
        told.at(e.seq): told.at(e.uow) for told in crowd for e in told.events if e.kind == "put" and e.uow is not None
    }
    kept = {key for key in arrived if (key[0], key[1], units.get(key[2])) not in undone}
    assert rows.keys() == kept
    reasons = dead_letter_reasons(letters).collect()
    assert sum(r["messages"] for r in reasons) == len(rows)
    assert {r["name"] for r in reasons} == {"MQRC_Q_FULL", "MQRC_UNKNOWN_OBJECT_NAME"}
    assert {r["program"] for r in reasons} == {"TO.QM2"}
