"""The page docs/course.md and the picture of README.md, made anew; each rule and each question has a place."""

from pathlib import Path

import pytest

from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES
from mqlab.lab.scenarios import scenarios
from tools import course

ROOT = Path(__file__).parents[2]
SPEC = ROOT.parent / "shared" / "spec" / "rules.yaml"


def test_the_committed_page_is_todays_and_leads_to_everything():
    committed = (ROOT / course.FILE).read_text(encoding="utf-8")
    page = course.page(ROOT)
    assert page == committed, "make it again with: make course"
    picture = (ROOT / course.PICTURE).read_text(encoding="utf-8")
    assert course.picture(ROOT) + "\n" == picture, "make it again with: python -m tools.course --picture"
    files = [path for folder in ("notebooks", "exercises") for path in (ROOT / folder).rglob("*.ipynb")]
    assert len(files) >= len(EXERCISES) + 10
    for file in files:
        assert f"](../{file.relative_to(ROOT).as_posix()})" in page, file
    for place in course.exercises():
        assert (ROOT / place.name).is_file(), place.name
    assert {place.name for place in course.demonstrations()} == {each.name for each in scenarios()}


def test_exercises_name_what_there_is_and_every_rule_of_the_source_documents_is_taught():
    assert len(course.QUESTIONS) == 20
    assert [question for question in course.QUESTIONS if not course.answering(question)] == []
    for each in EXERCISES.values():
        assert set(each.questions) <= set(course.QUESTIONS), each.id
        assert set(each.rules) <= set(RULES), each.id
    places = course.notebooks(ROOT) + course.exercises()
    assert [rule for rule in RULES if not course.showing(rule, places)] == []
    if not SPEC.exists():
        pytest.skip("the source rules are not beside this checkout")
    yaml = pytest.importorskip("yaml")
    rules = [rule["id"] for rule in yaml.safe_load(SPEC.read_text(encoding="utf-8"))]
    assert len(rules) > 80
    assert [rule for rule in rules if not course.showing(rule, places)] == []


def test_a_notebook_shows_the_rules_that_its_cells_name(notebook, tmp_path):
    notebook("notebooks/01-one.ipynb", "# EXP-02 and TRG-12a, not EXP-9 and not ABC-01", "'# not a heading'")
    (place,) = course.notebooks(tmp_path)
    assert place == ("notebooks/01-one.ipynb", "EXP-02 and TRG-12a, not EXP-9 and not ABC-01", ("EXP-02", "TRG-12a"))
    assert (course.showing("TRG-12a", (place,)), course.showing("TRG-12", (place,))) == ([place], [])


def test_the_command_writes_it_into_the_checkout_and_outside_a_checkout_it_says_so(checkout, capsys):
    assert (course.main(["--dir", str(checkout)]), capsys.readouterr().out) == (0, "wrote docs/course.md\n")
    written = (checkout / "docs/course.md").read_text(encoding="utf-8")
    assert "| [A small tour](../notebooks/00-start-here.ipynb) |" in written
    assert "panel.ipynb" not in written
    assert course.main(["--dir", str(checkout / "docs")]) == 1
    assert "tools.course: no notebooks/00-start-here.ipynb in" in capsys.readouterr().err
