"""Logs of labs with clusters in files."""

import json

import pytest

from clustered import Demo
from mqlab.formats.event_file import read_parquet
from mqlab.formats.files import FORMATS

pytestmark = pytest.mark.needs("clusters")


@pytest.fixture
def lab():
    demo = Demo(queues={"HUB1": "ORDERS", "DEPOT": "ORDERS"})
    demo["SHOP"].connect("TILL").put("ORDERS", "x")
    demo.settle()
    return demo.lab


def test_rows_of_repository_managers_come_back_from_parquet_as_they_were(lab, tmp_path):
    lab.events.write_parquet(tmp_path / "events.parquet")
    back = list(read_parquet(tmp_path / "events.parquet"))
    assert back == list(lab.events)
    assert {row.facts["did"] for row in back if row.kind == "cluster"} >= {"learned", "asked", "found"}


@pytest.mark.parametrize("format", FORMATS)
def test_other_tools_can_read_the_log(lab, tmp_path, format):
    lab.events.export(tmp_path / "log.json", format)
    assert json.loads((tmp_path / "log.json").read_text(encoding="utf-8"))
