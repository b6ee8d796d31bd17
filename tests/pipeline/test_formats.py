"""Spark writes the same file as Python does, and one file for the logs of several labs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import functions as F

import mqlab
from helpers import refusal
from mqlab.engine.words.errors import LabError
from mqlab.formats import FORMATS
from mqlab.pipeline.formats import export_events


@pytest.mark.parametrize("name", FORMATS)
def test_spark_writes_what_python_writes(name, story, told, tmp_path, monkeypatch):
    monkeypatch.setattr("mqlab.pipeline.formats.ROWS_A_TASK", 20)
    monkeypatch.setattr("mqlab.formats.source.PART", 7)
    export_events(told, tmp_path / "spark", name, story.start)
    story.export(tmp_path / "python", name)
    assert (tmp_path / "spark").read_bytes() == (tmp_path / "python").read_bytes()


def test_the_objects_of_several_labs_stay_apart(told, tmp_path):
    labs = told.withColumn("lab", F.explode(F.array(F.lit('A"'), F.lit("B"))))
    export_events(labs, tmp_path / "log", "ocel")
    found = json.loads((tmp_path / "log").read_text())
    ids = [each["id"] for each in found["objects"]]
    assert {id[:3] for id in ids} == {'A"/', "B/m", "B/p", "B/q", "B/u"}
    assert sorted(id[3:] for id in ids if id[0] == "A") == sorted(id[2:] for id in ids if id[0] == "B")
    for each in found["events"]:
        assert {one["objectId"].split("/")[0] for one in each["relationships"]} == {each["id"].split("/")[0]}
    refusal(LabError, "format must be one of", export_events, labs, tmp_path / "log", "xes")
    with pytest.raises(LabError, match="add a column with the lab's name"):
        export_events(labs.drop("lab"), tmp_path / "log", "ocel")


@pytest.mark.cluster
def test_the_driver_does_not_hold_the_log(tmp_path):
    command = [sys.executable, str(Path(__file__).with_name("exporting.py")), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(mqlab.__file__).parents[1])}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert ran.stdout == "True\n", ran.stderr[-2000:]
