"""Every question of the pipeline in one place: DataFrame of events in, small or partitioned DataFrame out."""

from mqlab.pipeline.questions.calls import consumers, dead_letter_reasons, dead_letters, failures
from mqlab.pipeline.questions.channels import batch_summary, batches, retries
from mqlab.pipeline.questions.depths import depth
from mqlab.pipeline.questions.expiry import (
    discarded,
    expiry_over_time,
    lag_histogram,
    lazy_expiry,
    slow_readers,
    why_expired,
)
from mqlab.pipeline.questions.stays import (
    FATES,
    counts,
    ends,
    fate,
    fate_summary,
    journeys,
    latency_by_route,
    time_on_queue,
)
from mqlab.pipeline.questions.triggers import trigger_audit, trigger_summary

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
    "discarded",
    "expiry_over_time",
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
