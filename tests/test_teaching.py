"""TEACHING.md tells the truth: what it names is there, and what it says that learners answer is really refused."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from mqlab.exercises.bank import EXERCISES
from mqlab.rulebook import RULES
from mqlab.scenarios import names

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
ID = re.compile(r"\b[A-Z]\d\d\b")


def section(title, level="##"):
    """The text under a heading."""
    found = re.search(rf"^{level} {re.escape(title)}\n(.*?)(?=^#{{2,{len(level)}}} |\Z)", TEXT, re.M | re.S)
    assert found, title
    return found[1]


def rows(text):
    """The cells of a table's rows, without its head and the line under that."""
    lines = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return [cells for cells in lines if cells[0] not in ("exercise", "min", "time") and not cells[0].startswith("---")]


def wrong_answers():
    found = {}
    for path in sorted((ROOT / "tests" / "exercises").glob("wrong_*.py")):
        spec = spec_from_file_location(path.stem, path)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {id: {name: symptom for name, _, symptom in answers} for id, answers in module.WRONG.items()}
    return found


WRONG = wrong_answers()
TOLD = [row for row in rows(section("Common wrong answers")) if ID.fullmatch(row[0])]


def test_every_exercise_it_names_is_there():
    assert set(ID.findall(TEXT)) <= set(EXERCISES)


def test_every_file_and_every_heading_it_points_to_is_there():
    headings = {
        re.sub(r"[^a-z -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.+)$", TEXT, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in headings, target
        else:
            assert (ROOT / target).exists(), target
    for path in re.findall(r"\bnotebooks/[\w.-]+", TEXT):
        assert (ROOT / path).exists(), path


def test_every_target_module_and_rule_it_names_is_there():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", TEXT)) <= targets
    for module in re.findall(r"-m (mqlab[.\w]*)", TEXT):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
    assert set(re.findall(r"\b[A-Z]{3}-\d\d[a-z]?\b", TEXT)) <= set(RULES)


def test_the_scenarios_of_the_plans_are_there():
    for plan in ("A half day", "Two days"):
        shown = {name for row in rows(section(plan)) for name in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", row[1])}
        assert shown
        assert shown <= set(names()), plan


def test_every_scenario_has_its_script_of_ten_minutes_and_no_other_has():
    assert re.findall(r"^### (\S+)$", TEXT, re.M) == names()
    for name in names():
        script = section(name, "###")
        minutes = [int(row[0]) for row in rows(script)]
        assert minutes[0] == 0, name
        assert minutes == sorted(set(minutes)), name
        assert 8 <= minutes[-1] <= 9, name
        assert all(len(row) == 4 and all(row) for row in rows(script)), name
        assert "\nThey ask: *" in script, name


@pytest.mark.parametrize(("id", "answer", "symptom"), [row[:3] for row in TOLD], ids=lambda value: value[:20])
def test_a_common_wrong_answer_is_one_that_is_tried_and_refused(id, answer, symptom):
    assert WRONG[id][answer] == symptom


def test_every_exercise_has_a_common_wrong_answer():
    assert set(EXERCISES) == {row[0] for row in TOLD}
    assert all(len(row) == 4 for row in TOLD)


def test_the_plans_use_every_exercise():
    plans = section("A half day") + section("Two days")
    for first, last in re.findall(r"\b([A-Z]\d\d) to ([A-Z]\d\d)\b", plans):
        plans += " ".join(id for id in EXERCISES if first <= id <= last)
    assert set(ID.findall(plans)) == set(EXERCISES)
