"""Sample traffic: a retailer's day of MQI calls, and its replay; an hour at two sites; traffic for your own estate."""

from ...engine.words import arguments
from .day import COLUMNS, DAY_START, MESSAGES, SEED, generate, load, write
from .estate import estate_events, estate_traffic
from .hour import two_sites_hour
from .replay import Playback, replay

arguments.checked_calls(__name__)
