"""Every question of the pipeline in one place: DataFrame of events in, small or partitioned DataFrame out."""

from mqlab.pipeline.calls import consumers, failures
from mqlab.pipeline.depth import depth
from mqlab.pipeline.expired import expired, expired_over_time, lag_histogram
from mqlab.pipeline.fate import FATES, fate, fate_summary

__all__ = [
    "FATES",
    "consumers",
    "depth",
    "expired",
    "expired_over_time",
    "failures",
    "fate",
    "fate_summary",
    "lag_histogram",
]
