"""Channels: their types, what each needs, and the rows of each."""

from collections.abc import Iterator

from .attribute import table

TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP", "MQTT")

NEEDED = {
    "SDR": ("CONNAME", "XMITQ"),
    "SVR": ("XMITQ",),
    **dict.fromkeys(("RQSTR", "CLNTCONN", "CLUSSDR"), ("CONNAME",)),
}
"""Attributes that DEFINE CHANNEL of a type needs, unless LIKE or the SYSTEM.DEF channel gives them."""


def rows(chltype: str | None) -> Iterator[tuple]:
    """The rows of one type of channel, or of all if None."""
    for *columns, types in table()["CHANNEL"]:
        if chltype is None or not types or chltype in types.split():
            yield tuple(columns)
