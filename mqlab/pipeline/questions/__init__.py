"""Every question of the pipeline in one place: DataFrame of events in, small or partitioned DataFrame out.

To build a question starts no job if its log comes from `read_events`, or was asked before, also if rows or columns of
it were left out since. For another log it starts one, which checks that each row is there once; `check=False`, which
each question takes, skips it. In a local session, labs of format "mqlab" are simulated once for each DataFrame.
"""

from ...engine.words import arguments
from .. import answers, labs
from .calls import consumers, dead_letter_reasons, dead_letters, failures
from .channels import batch_summary, batches, retries
from .depths import depth
from .expiry import discarded, expiry_over_time, lag_histogram, lazy_expiry, slow_readers, why_expired
from .stays import FATES, counts, ends, fate, fate_summary, journeys, latency_by_route, time_on_queue
from .triggers import trigger_audit, trigger_summary

arguments.checked_calls(__name__, inside=lambda question: labs.once(answers.asked(question)))
