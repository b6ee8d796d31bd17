"""An event log of many sites: small labs of six kinds, each an hour long, their logs put together as one.

All sites live through the same hour, side by side. A site's queue managers are called after it ("QM1.00012"), and its
rows, messages and units of work have numbers of their own (SHIFT for each site before it), so every question of
`mqlab.pipeline.questions` can be asked of the whole, of one file of it, and of one site.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqlab.lab.lab import Lab
from mqlab.mq.errors import LabError
from mqlab.pipeline.datasets.two_sites import TWO_SITES
from mqlab.pipeline.workloads import Workload, find
from mqlab.sim.event_file import to_arrow

HOUR = 3600.0
SITE_MESSAGES = 4_000
SHIFT = 10_000_000
SHIFTED = ("seq", "message", "uow", "cause")
KINDS = ("expiring", "triggered", "channel", "filling", "sharing", "two-sites")


def sites(messages: int) -> int:
    """How many sites so many messages are spread over: SITE_MESSAGES each, and every kind of site at least once."""
    return max(len(KINDS), -(-messages // SITE_MESSAGES))


def parameters(kind: str, rate: float, rng: Random) -> dict:
    """The parameters of a site with so many messages a second: readers that are hardly fast enough, and lifetimes of
    some dozens of messages."""
    tenths = 10 / rate
    by_kind: dict[str, dict] = {
        "expiring": {"arrival_rate": rate, "service_time": 0.95 / rate, "expiry": max(1, round(6 * tenths))},
        "triggered": {
            "arrival_rate": rate,
            "service_time": 0.6 / rate,
            "server_wait": 1 / rate,
            "expiry": round(20 * tenths),
            "trigtype": rng.choice(("FIRST", "EVERY", "DEPTH")),
        },
        "channel": {
            "arrival_rate": rate / 2,  # each is on two queues
            "cuts": 4,
            "cut_length": 60.0,
            "expiry": round(10 * tenths),
            "persistent": rng.random() < 0.5,
        },
        "filling": {
            "arrival_rate": rate,
            "service_time": 0.5 / rate,
            "away": 900.0,
            "maxdepth": max(10, round(600 * rate)),
            "expiry": 6000,
        },
        "sharing": {
            "arrival_rate": rate,
            "service_time": 1.8 / rate,
            "failures": 3,
            "repair": 120.0,
            "expiry": round(30 * tenths),
        },
        "two-sites": {"arrival_rate": rate / 8},  # an order and its answer are on three queues each, and more come
    }
    return by_kind[kind]


def workload(kind: str) -> Workload:
    """What a kind of site simulates."""
    return TWO_SITES if kind == "two-sites" else find(kind)


def site(seed: int, messages: int, number: int) -> pa.Table:
    """The event log of site `number` (from 0) of an event log with `messages` in all, in the columns of
    `mqlab.sim.event_file.SCHEMA`. A site depends on the seed, its number and its size alone."""
    rng, kind = Random(f"{seed}/{number}"), KINDS[number % len(KINDS)]
    rate = messages / sites(messages) / HOUR
    with workload(kind).over(rng.randrange(2**31), duration=HOUR, **parameters(kind, rate, rng)) as lab:
        return _as_part(lab, number)


def _as_part(lab: Lab, number: int) -> pa.Table:
    """A site's log as a part of the whole."""
    table = to_arrow(lab.events)
    if table.num_rows >= SHIFT:
        raise LabError(f"a site of fewer than {SHIFT:_} rows wanted; got {table.num_rows:_}")
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
    pq.write_table(
        table.unify_dictionaries(),
        path,
        compression="zstd",
        compression_level=9,
        use_dictionary=names,
        column_encoding=packed,
        write_page_checksum=True,
    )
