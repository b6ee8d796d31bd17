"""Sample traffic: a retailer's day of MQI calls, drawn from a seed, and its replay on a queue manager."""

from .make import DAY_START, MESSAGES, SEED, generate, load, write
from .replay import Playback, replay
from .trace import COLUMNS

__all__ = ["COLUMNS", "DAY_START", "MESSAGES", "SEED", "Playback", "generate", "load", "replay", "write"]
