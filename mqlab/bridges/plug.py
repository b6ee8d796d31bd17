"""The additions of the bridges to the engine: the requests that they put on a dead-letter queue."""

from __future__ import annotations

from ..engine.extra import Extra


class Bridges(Extra):
    """Programs on both sides of MQ, which a call of the front starts."""

    name = "bridges"
    dead_letter_rules = ("IMS-01",)


EXTRA = Bridges()
