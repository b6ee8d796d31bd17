"""Charts of the pipeline's answers: altair charts from small pandas frames, each titled with what its data say."""

from ...engine.words import arguments
from .channels import batch_chart, retry_chart
from .expiry import expiry_chart, lag_chart, slow_chart
from .messages import dead_letter_chart, depth_chart, fate_chart, queue_time_chart, route_chart, trigger_chart

arguments.checked_calls(__name__)
