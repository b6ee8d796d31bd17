"""The logs and sentences of the scenarios as mqlab wrote them with schema version 1."""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mqlab.engine.world.event import COLUMNS
from mqlab.formats.event_file import SCHEMA, VERSION

GOLDEN = defaultdict(list)
"""Scenarios -> rows of version 1, each with its sentence."""
with gzip.open(Path(__file__).with_name("golden") / "scenarios.v1.jsonl.gz", "rt", encoding="utf-8") as lines:
    for line in lines:
        scenario, row, sentence = json.loads(line)
        GOLDEN[scenario].append((row, sentence))


def old_rows(scenario):
    """The rows of version 1, bytes as hexadecimal text."""
    return [row for row, _ in GOLDEN[scenario]]


def old_file(path, scenario, version="1"):
    """Write the rows of a scenario as a file of version 1, or of another one."""
    columns = [
        [bytes.fromhex(cell) if cell and name == "msg_id" else cell for cell in column]
        for name, column in zip(COLUMNS, zip(*old_rows(scenario), strict=True), strict=True)
    ]
    arrays = [pa.array(column, field.type) for field, column in zip(SCHEMA, columns, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA.with_metadata({VERSION: version})), path)


LATER = ("Reason", "DestQName", "DestQMgrName")
"""The facts that rows have since then: the MQDLH of a message that is dead-lettered."""


def as_then(row):
    """A row without the facts that are new since version 1."""
    facts = {name: value for name, value in row.facts.items() if name not in LATER}
    if facts == row.facts:
        return row
    return row._replace(detail=json.dumps(facts, separators=(",", ":")) if facts else None)
