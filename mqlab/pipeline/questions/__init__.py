"""Every question of the pipeline in one place: DataFrame of events in, small or partitioned DataFrame out."""

from ...engine.words import arguments
from .. import answers
from .calls import consumers, dead_letter_reasons, dead_letters, failures
from .channels import batch_summary, batches, retries
from .depths import depth
from .expiry import discarded, expiry_over_time, lag_histogram, lazy_expiry, slow_readers, why_expired
from .stays import FATES, counts, ends, fate, fate_summary, journeys, latency_by_route, time_on_queue
from .triggers import trigger_audit, trigger_summary

arguments.checked_calls(__name__, inside=answers.asked)
