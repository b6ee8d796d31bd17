"""Every question of the pipeline in one place: DataFrame of events in, small or partitioned DataFrame out."""

from mqlab.pipeline.batches import batch_summary, batches, retries
from mqlab.pipeline.calls import consumers, failures
from mqlab.pipeline.depth import depth
from mqlab.pipeline.ends import counts, ends, time_on_queue
from mqlab.pipeline.expired import expired, expired_over_time, lag_histogram
from mqlab.pipeline.fate import FATES, fate, fate_summary
from mqlab.pipeline.lazy import lazy_expiry
from mqlab.pipeline.letters import dead_letter_reasons, dead_letters
from mqlab.pipeline.readers import slow_readers, why_expired
from mqlab.pipeline.routes import journeys, latency_by_route
from mqlab.pipeline.triggers import trigger_audit, trigger_summary

__all__ = [
    "FATES",
    "batch_summary",
    "batches",
    "consumers",
    "counts",
    "dead_letter_reasons",
    "dead_letters",
    "depth",
    "ends",
    "expired",
    "expired_over_time",
    "failures",
    "fate",
    "fate_summary",
    "journeys",
    "lag_histogram",
    "latency_by_route",
    "lazy_expiry",
    "retries",
    "slow_readers",
    "time_on_queue",
    "trigger_audit",
    "trigger_summary",
    "why_expired",
]
