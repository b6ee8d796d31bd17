"""The logs and the sentences of the scenarios stay as they were, row by row and letter by letter.

The file `scenarios.v1.jsonl.gz` was written when the log had schema version 1. A log of today equals it as the log
reads it now: rows of version 1 are upgraded, and nothing else about them may differ but facts that are new since then.
"""

import pytest
from old_logs import GOLDEN, as_then, old_rows

from mqlab import Lab
from mqlab.engine.explain.words import told
from mqlab.engine.world.event import Event
from mqlab.formats.old_log import upgraded
from mqlab.lab.scenarios import names


def plain(row):
    """A row as the file holds it: bytes as hexadecimal text."""
    return [cell.hex() if isinstance(cell, bytes) else cell for cell in row]


def test_every_scenario_of_then_is_there():
    assert set(GOLDEN) <= set(names())


@pytest.mark.parametrize("scenario", GOLDEN)
def test_a_scenario_keeps_its_log_and_its_sentences(scenario):
    lab = Lab(seed=0)
    lab.scenario(scenario)
    wanted_rows = [list(upgraded(Event(*row))) for row in old_rows(scenario)]
    rows = [plain(as_then(row)) for row in lab.events]
    different = [(got, wanted) for got, wanted in zip(rows, wanted_rows, strict=False) if got != wanted]
    assert not different[:3]
    assert len(rows) == len(wanted_rows)
    assert [told(as_then(row), True) for row in lab.events] == [sentence for _, sentence in GOLDEN[scenario]]
