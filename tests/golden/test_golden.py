"""The logs and the sentences of the scenarios stay as they were, row by row and letter by letter.

The file `scenarios.v1.jsonl.gz` was written when the log had schema version 1. A log of today equals it as the log
reads it now: rows of version 1 are upgraded, and nothing else about them may differ.
"""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

from mqlab import Lab
from mqlab.explain.words import told
from mqlab.lab.scenarios import names
from mqlab.sim.event import Event
from mqlab.sim.old_log import upgraded

GOLDEN = defaultdict(list)
with gzip.open(Path(__file__).with_name("scenarios.v1.jsonl.gz"), "rt", encoding="utf-8") as lines:
    for line in lines:
        scenario, row, sentence = json.loads(line)
        GOLDEN[scenario].append((list(upgraded(Event(*row))), sentence))


def plain(row):
    """A row as the file holds it: bytes as hexadecimal text."""
    return [cell.hex() if isinstance(cell, bytes) else cell for cell in row]


def test_every_scenario_has_golden_rows():
    assert set(GOLDEN) == set(names())


@pytest.mark.parametrize("scenario", GOLDEN)
def test_a_scenario_keeps_its_log_and_its_sentences(scenario):
    lab = Lab(seed=0)
    lab.scenario(scenario)
    wanted_rows, wanted_sentences = zip(*GOLDEN[scenario], strict=True)
    rows = [plain(row) for row in lab.events]
    different = [(got, wanted) for got, wanted in zip(rows, wanted_rows, strict=False) if got != wanted]
    assert not different[:3]
    assert len(rows) == len(wanted_rows)
    assert [told(row, True) for row in lab.events] == list(wanted_sentences)
