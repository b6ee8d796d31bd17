"""Every question of the pipeline, asked of one log; and what the engine says of depths."""

import pyarrow as pa
import pyarrow.parquet as pq

from mqlab.pipeline import questions


def write_as(lab, name, path):
    """Write the log of a lab with its name in the column `lab`."""
    table = lab.events.to_arrow()
    pq.write_table(table.append_column("lab", pa.array([name] * len(table))), path)


def at_end_of(lab, time_us):
    """The engine's state at the end of an interval, which may be later than the end of its lab."""
    state = lab.state(at=min(time_us - 1, lab.now_us))
    state.time_us = time_us - 1
    return state


def counted(state, qmgr, queue):
    """The depth of a queue in a state of the engine, and how many of it are expired, and how many uncommitted."""
    facts = state.facts(qmgr, queue)
    return tuple(facts[each] for each in ("CURDEPTH", "expired but still counted", "put but not committed"))


def every_answer(events):
    """Every question's answer about a log."""
    fates, ended, discards = questions.fate(events).cache(), questions.ends(events), questions.discarded(events).cache()
    audit, sent, letters = questions.trigger_audit(events), questions.batches(events), questions.dead_letters(events)
    ways = questions.journeys(fates)
    return {
        "fate": fates,
        "ends": ended,
        "discarded": discards,
        "trigger_audit": audit,
        "batches": sent,
        "dead_letters": letters,
        "journeys": ways,
        "fate_summary": questions.fate_summary(events),
        "counts": questions.counts(events),
        "consumers": questions.consumers(events),
        "failures": questions.failures(events),
        "depth": questions.depth(events, 60),
        "retries": questions.retries(events),
        "slow_readers": questions.slow_readers(events, discards),
        "time_on_queue": questions.time_on_queue(ended),
        "latency_by_route": questions.latency_by_route(ways),
        "why_expired": questions.why_expired(discards),
        "expiry_over_time": questions.expiry_over_time(discards, 1),
        "lag_histogram": questions.lag_histogram(discards),
        "batch_summary": questions.batch_summary(sent),
        "trigger_summary": questions.trigger_summary(audit),
        "dead_letter_reasons": questions.dead_letter_reasons(letters),
    }
