"""Edges defined in a file, and the one that comes with the project."""

import json
import re

import pytest

from helpers import ROOT, for_each, lab_error
from mqlab import Lab, everyplace

DATASETS = ROOT / "datasets"


@pytest.fixture
def edge(lab):
    return everyplace.load(lab, DATASETS / "mobile-edge.json")


def test_the_mobile_edge_is_what_its_data_sheet_says(lab, edge):
    assert [qmgr.name for qmgr in edge] == ["HQ", "VAN1", "VAN2", "VAN3"]
    queues = {qmgr.name: {q.label: q.kind for q in qmgr.queues} for qmgr in edge}
    assert queues["VAN1"] == queues["VAN2"] == queues["VAN3"]
    sheet = (DATASETS / "README.md").read_text(encoding="utf-8").partition("# A mobile MQe edge")[2]
    rows = re.findall(r"^\| ([\w@, ]+) \| (HQ|each van|all) \| ([\w-]+) \|", sheet, re.MULTILINE)
    told = {(where, name): kind for names, where, kind in rows for name in names.split(", ")}
    for (where, name), kind in told.items():
        for qmgr in queues if where == "all" else ["HQ"] if where == "HQ" else ["VAN1"]:
            assert queues[qmgr].pop(name) == kind
    assert (queues["HQ"], queues["VAN1"]) == ({}, {})


def test_a_report_cut_off_between_the_stages_is_kept_twice_and_is_one_message(lab, edge):
    hq, van, *_ = edge
    message = van.put("REPORTS@HQ", b"boiler fixed", expire_ms=60_000)
    van.trigger_transmission()
    lab.advance(1.2)
    lab.network.cut("VAN1", "HQ")
    lab.advance(120)
    assert (hq.size("REPORTS"), van.size("REPORTS@HQ")) == (0, 0)
    for qmgr in (hq, van):
        assert [m.uid for m in qmgr.browse("DeadLetterQ")] == [message.uid]


@for_each(
    "text, says",
    ("{", "must be JSON"),
    ("[]", "queue_managers is missing"),
    ('{"queue_managers": {}}', "links is missing"),
    ({"queue_managers": {"A": [{"queue": "Q"}]}, "links": []}, "a queue of A must have a kind and a queue"),
    (
        {"queue_managers": {"A": [{"kind": "local", "queue": "Q", "rule": "no"}]}, "links": []},
        "rule must be one of copy_to_dead_letter; got 'no'",
    ),
    ({"queue_managers": {"A": [{"kind": "local", "queue": "Q", "size": 1}]}, "links": []}, "got 'size'"),
    ({"queue_managers": {}, "links": [{"between": ["A"]}]}, "two queue managers"),
    ({"queue_managers": {"A": [5]}, "links": []}, "a queue of A must have"),
)
def test_a_file_that_says_something_else_is_refused_by_name(tmp_path, text, says):
    path = tmp_path / "edge.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    lab_error(says, everyplace.load, Lab(), path)
