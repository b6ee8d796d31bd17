"""An event log of many sites: small labs of six kinds, each an hour long, their logs put together as one.

A site's queue managers are called after it ("QM1.00012"), and its rows, messages and units of work have numbers of
their own, so every question can be asked of the whole, of one file of it, and of one site.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...engine.words.errors import LabError
from ...formats.event_file import to_arrow
from ...formats.whole_file import whole
from ...lab.lab import Lab
from ..workloads import find
from .two_sites import TWO_SITES

HOUR = 3600.0
SITE_MESSAGES = 4_000
SHIFT = 10_000_000
SHIFTED = ("seq", "message", "uow", "cause")
KINDS = ("expiring", "triggered", "channel", "filling", "sharing", "two-sites")


def sites(messages: int) -> int:
    """How many sites so many messages are spread over: SITE_MESSAGES each, and every kind of site at least once."""
    return max(len(KINDS), -(-messages // SITE_MESSAGES))


def parameters(kind: str, rate: float, rng: Random) -> dict:
    """The parameters of a site with so many messages a second: readers that are hardly fast enough."""

    def lasting(arrivals: int) -> int:  # tenths of a second until so many messages have arrived
        return max(1, round(arrivals * (10 / rate)))

    trigtype, persistent = rng.choice(("FIRST", "EVERY", "DEPTH")), rng.random() < 0.5
    by_kind: dict[str, dict] = {
        "expiring": {"service_time": 0.95 / rate, "expiry": lasting(6)},
        "triggered": {"service_time": 0.6 / rate, "server_wait": 1 / rate, "trigtype": trigtype, "expiry": lasting(20)},
        "channel": {"cuts": 4, "cut_length": 60.0, "persistent": persistent, "expiry": lasting(10)},
        "filling": {"service_time": 0.5 / rate, "away": 900.0, "maxdepth": max(10, round(600 * rate)), "expiry": 6000},
        "sharing": {"service_time": 1.8 / rate, "failures": 3, "repair": 120.0, "expiry": lasting(30)},
        "two-sites": {},
    }
    # each message of a channel is on two queues; an order and its answer are on three queues each, and more come
    queues = {"channel": 2, "two-sites": 8}.get(kind, 1)
    return {**by_kind[kind], "arrival_rate": rate / queues}


def site(seed: int, messages: int, number: int) -> pa.Table:
    """The event log of site `number` (from 0) of an event log of `messages` messages."""
    rng, kind = Random(f"{seed}/{number}"), KINDS[number % len(KINDS)]
    rate = messages / sites(messages) / HOUR
    workload = TWO_SITES if kind == "two-sites" else find(kind)
    with workload.over(rng.randrange(2**31), duration=HOUR, **parameters(kind, rate, rng)) as lab:
        return _as_part(lab, number)


def _as_part(lab: Lab, number: int) -> pa.Table:
    table = to_arrow(lab.events)
    if table.num_rows >= SHIFT:
        raise LabError(f"a site must have fewer than {SHIFT:_} rows; got {table.num_rows:_}")
    for name in SHIFTED:
        place, field = table.schema.get_field_index(name), table.schema.field(name)
        table = table.set_column(place, field, pc.add(table[name], number * SHIFT))
    managers = table["qmgr"].combine_chunks()
    named = pa.array([f"{name}.{number:05d}" for name in managers.dictionary.to_pylist()], pa.string())
    place, field = table.schema.get_field_index("qmgr"), table.schema.field("qmgr")
    return table.set_column(place, field, pa.DictionaryArray.from_arrays(managers.indices, named))


def write(table: pa.Table, path: Path) -> None:
    """Write an event log as `EventLog.write_parquet` does, but smaller."""
    numbers = ("seq", "time_us", "message", "uow", "put_us", "arrived_us", "cause", "expiry_left", "depth")
    names = [field.name for field in table.schema if field.name not in (*numbers, "msg_id", "persistent")]
    packed = dict.fromkeys(numbers, "DELTA_BINARY_PACKED") | {"msg_id": "DELTA_BYTE_ARRAY"}
    how: dict = {"compression": "zstd", "compression_level": 9, "write_page_checksum": True}
    with whole(path) as draft:
        pq.write_table(table.unify_dictionaries(), draft, use_dictionary=names, column_encoding=packed, **how)
