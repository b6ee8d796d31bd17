"""Incidents: an estate with a planted fault, a pager message, a console, and a clock; the business is the judge."""

from .estate import estates
from .incident import Incident, of_the_day

__all__ = ["Incident", "estates", "of_the_day"]
