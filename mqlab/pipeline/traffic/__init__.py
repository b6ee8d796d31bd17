"""Sample traffic: the replay of a retailer's day of MQI calls; an hour at two sites; traffic for your own estate."""

from ...engine.words import arguments
from .estate import estate_events, estate_traffic
from .hour import two_sites_hour
from .replay import COLUMNS, DAY_START, Playback, load, replay

arguments.checked_calls(__name__)
