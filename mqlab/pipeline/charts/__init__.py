"""Charts of the pipeline's answers: altair charts from small pandas frames, each titled with what its data say."""

from mqlab.pipeline.charts.bars import dead_letter_chart, progress_chart, trigger_chart
from mqlab.pipeline.charts.channels import batch_chart, retry_chart
from mqlab.pipeline.charts.expiry import expiry_chart, lag_chart, slow_chart
from mqlab.pipeline.charts.messages import depth_chart, fate_chart, queue_time_chart, route_chart

__all__ = [
    "batch_chart",
    "dead_letter_chart",
    "depth_chart",
    "expiry_chart",
    "fate_chart",
    "lag_chart",
    "progress_chart",
    "queue_time_chart",
    "retry_chart",
    "route_chart",
    "slow_chart",
    "trigger_chart",
]
