"""Lazy expiry restated in SQL, to hold against what the queue manager did."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["ASKED", "IDENTIFIED", "lazy_expiry"]

ASKED = "seq LONG, msg_id BINARY, correl_id BINARY, behind LONG"
IDENTIFIED = "message LONG, correl_id BINARY"


def lazy_expiry(events: DataFrame, asked: DataFrame | None = None, identified: DataFrame | None = None) -> DataFrame:
    """Which messages lazy expiry discards, by which call and when, worked out in SQL (`lazy.sql`) from the calls alone.

    It reads who put what with which lifetime, who committed, backed out and cleared, and which message each get and
    browse returned (or that it returned none: 2033); it reads no discard. A lapsed message goes with the first call
    that looks past the place where it is: a call looks from the front of the queue, or from its cursor, as far as the
    message it returns, and through all of the queue if it returns none.

    It equals the engine, message by message, for gets and browses of local queues that are not shared, in priority and
    FIFO order, in and out of units of work, and for scans. The log does not have what a call selected by: for calls by
    MsgId or CorrelId, and for a browse that goes on behind its cursor, `asked` tells it. Not restated: locks of a
    browse, gets under the cursor, groups and segments, calls that end with a warning about their buffer, a get that
    waits and is woken in vain, and the queues of MQ Everyplace. It compares each lapsed message with the calls on its
    queue from then on, so it is for logs of some ten thousand rows a queue, not for any size.

    Parameters
    ----------
    asked : DataFrame or None
        Columns ASKED, a row for each call that asked for less than any message: `seq` of the row of the call, the
        identifiers it asked for (24 bytes, null for any), and `behind`, the row of the put of the message that its
        cursor stands on (null for the front).
    identified : DataFrame or None
        Columns IDENTIFIED: the CorrelId of each message that has one.

    Returns
    -------
    DataFrame
        qmgr, object, message, `call_seq` (the row of the call that met it), `discarded_us`, `met_by` (the program),
        `deadline_us`. Microseconds since the lab's start.
    """
    spark = events.sparkSession
    text = files("mqlab.pipeline").joinpath("lazy.sql").read_text("utf-8")
    return spark.sql(
        text,
        events=events,
        asked=spark.createDataFrame([], ASKED) if asked is None else asked,
        identified=spark.createDataFrame([], IDENTIFIED) if identified is None else identified,
    )
