"""A class: its learners, the commonest wrong predictions, the map, and what each learner did besides exercises."""

import json
import os

import pytest

from helpers import lab_error
from mqlab.course.exercises import progress
from mqlab.course.memory import invented
from mqlab.course.memory.classes import ACTIVITIES, activities, class_map, read_class, wrong_predictions


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The invented class, each with at most one exercise: these take a second each."""
    place = tmp_path_factory.mktemp("class")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invented, "EXERCISES", invented.EXERCISES[:1])
        patch.setenv(progress.LEARNER, "teacher")
        (place / "old.jsonl").write_text("{}")
        invented.invent(place)
        assert os.environ[progress.LEARNER] == "teacher"
    return place


def test_the_learners_of_a_folder_and_their_commonest_wrong_predictions(folder, tmp_path):
    found = read_class(folder)
    assert list(found) == ["anna", "bob", "chen", "dora", "emil", "faye"]
    assert list(read_class(folder / "bob.jsonl")) == ["bob"]
    line = json.dumps({"schema": 1, "learner": " ", "exercise": "Q01", "what": "start"})
    (tmp_path / "night" / "owl").mkdir(parents=True)
    (tmp_path / "day.jsonl").write_text(line)
    (tmp_path / "night" / "owl" / "progress.jsonl").write_text(line)
    assert list(read_class(tmp_path)) == ["day", "night/owl/progress"]
    for missing in (tmp_path / "none", tmp_path / "night" / "owl" / "none.jsonl"):
        lab_error(r"folder with \*\.jsonl files", read_class, missing)
    found = wrong_predictions(read_class(folder))
    assert [(each.key, each.wrong, each.learners, each.instead) for each in found] == [
        ("02/locked", 3, 4, "2033"),
        ("02/deadline", 3, 5, "2"),
        ("03/types", 2, 3, "1; 7; 2"),
        ("01/tart", 2, 5, "2; 2"),
    ]
    assert found[0].rules == "EXP-21"
    assert found[1].question.endswith("What is CURDEPTH of CALLS?")


def test_the_map_and_the_activities_of_the_class(folder):
    learners = read_class(folder)
    shown = class_map(learners)
    assert "right 1, wrong 2 learners" in shown.html()
    assert "Each rule is in the state that most learners who saw it have reached." in shown.html()
    assert "comes back on" not in shown.html()
    rows = dict(zip(ACTIVITIES, activities(learners)[0], strict=True))
    assert rows == {
        "Learner": "anna",
        "Predictions right": "4 of 4",
        "Rounds right": "1 of 1",
        "Incidents repaired": "1 of 1",
        "Reviews right": "1 of 1",
        "Rules mastered": "1",
    }
    assert activities(learners)[-1] == ("faye", "", "", "", "", "")
