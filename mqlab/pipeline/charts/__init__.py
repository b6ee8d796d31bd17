"""Charts of the pipeline's answers: altair charts from small pandas frames, each titled with what its data say."""

from mqlab.pipeline.charts.channels import batch_chart, retry_chart
from mqlab.pipeline.charts.depths import depth_chart
from mqlab.pipeline.charts.expiry import expired_chart, lag_chart
from mqlab.pipeline.charts.fates import fate_chart
from mqlab.pipeline.charts.letters import dead_letter_chart
from mqlab.pipeline.charts.progress import progress_chart
from mqlab.pipeline.charts.readers import slow_chart
from mqlab.pipeline.charts.times import queue_time_chart, route_chart
from mqlab.pipeline.charts.triggers import trigger_chart

__all__ = [
    "batch_chart",
    "dead_letter_chart",
    "depth_chart",
    "expired_chart",
    "fate_chart",
    "lag_chart",
    "progress_chart",
    "queue_time_chart",
    "retry_chart",
    "route_chart",
    "slow_chart",
    "trigger_chart",
]
