"""The page docs/course.md: made from what is there, up to date; each rule and each question has a place."""

from pathlib import Path

import pytest

from helpers import for_each
from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES
from mqlab.lab.scenarios import scenarios
from tools import course

ROOT = Path(__file__).parents[2]
SPEC = ROOT.parent / "shared" / "spec" / "rules.yaml"


def test_the_committed_page_is_todays_and_leads_to_everything():
    committed = (ROOT / course.FILE).read_text(encoding="utf-8")
    assert course.page(ROOT) == committed, "make it again with: make course"
    page = course.page(ROOT)
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in ("notebooks", "exercises")
        for path in (ROOT / folder).rglob("*.ipynb")
    ]
    assert len(files) >= len(EXERCISES) + 10
    for file in files:
        assert f"](../{file})" in page, file
    for place in course.exercises():
        assert (ROOT / place.name).is_file(), place.name
    assert {place.name for place in course.demonstrations()} == {each.name for each in scenarios()}


@for_each("question", course.QUESTIONS)
def test_each_of_the_twenty_questions_has_an_exercise(question):
    assert course.answering(question)


def test_exercises_name_what_there_is_and_every_rule_of_the_source_documents_is_taught():
    assert len(course.QUESTIONS) == 20
    for each in EXERCISES.values():
        assert set(each.questions) <= set(course.QUESTIONS), each.id
        assert set(each.rules) <= set(RULES), each.id
    places = course.notebooks(ROOT) + course.exercises()
    assert [rule for rule in RULES if not course.showing(rule, places)] == []
    if not SPEC.exists():
        pytest.skip("the source rules are not beside this checkout")
    yaml = pytest.importorskip("yaml")
    places = course.notebooks(ROOT) + course.exercises()
    rules = [rule["id"] for rule in yaml.safe_load(SPEC.read_text(encoding="utf-8"))]
    assert len(rules) > 80
    assert [rule for rule in rules if not course.showing(rule, places)] == []


def test_a_notebook_shows_the_rules_that_its_cells_name(notebook, tmp_path):
    notebook("notebooks/01-one.ipynb", "# EXP-02 and TRG-12a, not EXP-9 and not ABC-01", "'# not a heading'")
    (place,) = course.notebooks(tmp_path)
    assert place == ("notebooks/01-one.ipynb", "EXP-02 and TRG-12a, not EXP-9 and not ABC-01", ("EXP-02", "TRG-12a"))
    assert (course.showing("TRG-12a", (place,)), course.showing("TRG-12", (place,))) == ([place], [])


def test_the_command_writes_it_into_the_checkout(checkout, capsys):
    assert (course.main(["--dir", str(checkout)]), capsys.readouterr().out) == (0, "wrote docs/course.md\n")
    written = (checkout / "docs/course.md").read_text(encoding="utf-8")
    assert "| [A small tour](../notebooks/00-start-here.ipynb) |" in written
    assert "panel.ipynb" not in written


def test_outside_a_checkout_it_says_so(tmp_path, capsys):
    assert course.main(["--dir", str(tmp_path)]) == 1
    assert "tools.course: no notebooks/00-start-here.ipynb in" in capsys.readouterr().err
