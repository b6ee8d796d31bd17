"""Sample traffic: a retailer's day of MQI calls, drawn from a seed, and its replay on a queue manager."""

from mqlab.pipeline.traffic.day import COLUMNS, DAY_START, MESSAGES, SEED, generate, load, write
from mqlab.pipeline.traffic.replay import Playback, replay

__all__ = ["COLUMNS", "DAY_START", "MESSAGES", "SEED", "Playback", "generate", "load", "replay", "write"]
