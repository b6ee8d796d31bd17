"""Files of schema version 1 are read for ever: their rows are those that a lab writes today."""

import pytest
from old_logs import GOLDEN, as_then, old_file

from mqlab import Lab
from mqlab.engine.words.errors import LabError
from mqlab.formats.event_file import read_parquet
from mqlab.formats.old_log import upgraded_log


@pytest.mark.parametrize("scenario", GOLDEN)
def test_a_file_of_version_1_has_the_rows_of_today(scenario, tmp_path):
    old_file(tmp_path / "old.parquet", scenario)
    lab = Lab(seed=0)
    lab.scenario(scenario)
    assert read_parquet(tmp_path / "old.parquet") == [as_then(row) for row in lab.events]
    assert list(upgraded_log(lab.events)) == list(lab.events)


@pytest.mark.parametrize("version", ["0", "3", "", "one"])
def test_a_file_of_an_unknown_version_is_refused(version, tmp_path):
    old_file(tmp_path / "new.parquet", "poison", version)
    with pytest.raises(LabError, match=rf"schema version 1 or 2; .*new\.parquet has version {version or 'none'}"):
        read_parquet(tmp_path / "new.parquet")
