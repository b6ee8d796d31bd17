"""Incidents: an estate with a planted fault, a pager message, a console, and a clock; the business is the judge."""

from .estate import estates
from .game_day import GameDay, leader_page
from .incident import Incident, of_the_day

__all__ = ["GameDay", "Incident", "estates", "leader_page", "of_the_day"]
