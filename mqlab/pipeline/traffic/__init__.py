"""Sample traffic: a retailer's day of MQI calls, drawn from a seed, and its replay on a queue manager."""

from ...mq import arguments
from .day import COLUMNS, DAY_START, MESSAGES, SEED, generate, load, write
from .replay import Playback, replay

arguments.checked_calls(__name__)
