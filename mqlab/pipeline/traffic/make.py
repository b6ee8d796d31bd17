"""Make a sample day: as a table, and as a file."""

from __future__ import annotations

from ...mq.errors import LabError
from .day import Day
from .draws import DAY_US

__all__ = ["DAY_START", "LEAST", "MESSAGES", "MOST", "SEED", "generate", "load", "write"]

SEED = 20250106
MESSAGES = 56_000
DAY_START = "2025-01-06T00:00:00Z"
LEAST, MOST = 500, 50_000_000


def generate(seed: int = SEED, messages: int = MESSAGES):
    """The retailer's day as a trace: a pyarrow.Table of the MQI calls to be made, about `messages` of them puts.

    The same seed gives the same table on every machine. `time_us` counts microseconds from midnight, so replay it on a
    lab that starts at DAY_START. LabError if `messages` is below 500 or above 50,000,000, or `seed` is not an int.
    """
    if type(seed) is not int:
        raise LabError(f"seed wanted: a whole number; got {seed!r}")
    if type(messages) is not int or not LEAST <= messages <= MOST:
        raise LabError(f"messages wanted: a whole number from {LEAST} to {MOST}; got {messages!r}")
    return Day(seed, messages).trace.to_arrow(
        DAY_US, {"mqlab_seed": str(seed), "mqlab_messages": str(messages), "mqlab_start": DAY_START}
    )


def write(table, path) -> None:
    """Write a trace to a parquet file, compressed; the same trace gives the same bytes with the same pyarrow."""
    import pyarrow.parquet as pq

    named = ["program", "verb", "queue", "reply_to_q", "size"]
    packed = dict.fromkeys(("call", "time_us", "unit", "after", "unless", "match"), "DELTA_BINARY_PACKED")
    pq.write_table(table, path, compression="zstd", compression_level=9, use_dictionary=named, column_encoding=packed)


def load(path):
    """Read a trace from a parquet file; LabError, naming the file, if it is missing or is not parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except FileNotFoundError:
        raise LabError(f"a trace wanted: a parquet file; {path} does not exist. Make it: mqlab datasets make") from None
    except pa.ArrowInvalid as error:
        raise LabError(f"a trace wanted: a parquet file; {path} is not one ({error})") from None
