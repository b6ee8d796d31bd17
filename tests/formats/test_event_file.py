"""The event log as a table and as a parquet file."""

import hashlib
import sys

import pyarrow.parquet as pq

from helpers import made, refusal
from mqlab import EventLog, Lab, LabError
from mqlab.engine.world.event import COLUMNS, SCHEMA_VERSION


def test_the_parquet_file_is_the_same_to_the_byte(tmp_path):
    digests = set()
    for name in ("one", "two"):
        lab = Lab(seed=3)
        qm = made("DEFINE QLOCAL(A)", of=lab)
        for number in range(50):
            qm.put("A", b"x", expiry=number + 1)
            lab.advance(0.1)
        lab.events.write_parquet(tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1


def test_parquet_carries_version_and_start_and_pandas_keeps_whole_numbers_whole(lab, qm, tmp_path):
    qm.put("ORDERS", b"x", persistent=True)
    lab.events.write_parquet(tmp_path / "events.parquet")
    table = pq.read_table(tmp_path / "events.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert table.schema.metadata[b"mqlab_schema_version"] == str(SCHEMA_VERSION).encode()
    assert table.schema.metadata[b"mqlab_start"] == b"2025-01-06T09:00:00+00:00"
    assert table.num_rows == len(lab.events)
    assert table.column("persistent")[-1].as_py() is True
    qm.put("ORDERS", b"x")
    frame = lab.events.to_pandas()
    assert (str(frame["message"].dtype), frame["object"].iloc[-1]) == ("Int64", "ORDERS")
    assert EventLog().to_arrow().num_rows == 0


def test_a_log_without_pyarrow_says_what_writes_it(lab, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "mqlab.formats.event_file", raising=False)
    for call in (lab.events.to_pandas, lambda: lab.events.write_parquet(tmp_path / "log.parquet")):
        refusal(LabError, "needs pyarrow, which is not installed", call)
    lab.events.export(tmp_path / "log.json", "ocel")
