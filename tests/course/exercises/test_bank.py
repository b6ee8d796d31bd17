"""Every exercise: its solution passes, nothing else does, and it says what was seen."""

import ast
import json
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from helpers import ROOT, THOROUGH, lab_error
from mqlab import RULES, LabError
from mqlab.course.exercises import DOORS, exercise, names, progress
from mqlab.course.exercises.bank import EXERCISES, next_step
from mqlab.course.exercises.checking import expected
from mqlab.course.exercises.exercise import cells, retold, typed
from mqlab.course.exercises.opening import Opening, definitions
from mqlab.course.exercises.opening_widget import OpeningWidget
from mqlab.course.path import EXERCISES as CORE
from mqlab.course.texts import misconceptions
from mqlab.views.text import escape
from tools.exercises import notebook

no_library = pytest.mark.skipif(find_spec("ibmmq") is None, reason="ibmmq has no package for this platform")
ASPECTS = []
"""What must hold of every exercise: functions of its id, each with a progress file of its own."""
LONG = []
"""Those that take long, and find faults of the desk more than of an exercise: two of them when not thorough."""


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=no_library) if each.library else id for id, each in EXERCISES.items()]
)
def test_an_exercise(id, tmp_path, monkeypatch):
    first = list(EXERCISES).index(id)
    for aspect in [*ASPECTS, *(LONG if THOROUGH else (LONG[(first + n) % len(LONG)] for n in (0, 2)))]:
        monkeypatch.setenv(progress.FILE, str(tmp_path / f"{aspect.__name__}.jsonl"))
        try:
            aspect(id)
        except BaseException as error:
            error.add_note(f"of {id}: {aspect.__name__}")
            raise


WRONG, RIGHT = (
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8")) for name in ("wrong", "right")
)


def answer(id, *parts):
    """The act of typing an answer: "work", "answer", or "defect" of the exercise, pairs of what to replace in it, and
    cells."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += "\n\n# %%\n" + getattr(EXERCISES[id], part, part)
        else:
            assert text.count(part[0]) == 1, (id, part[0])
            text = text.replace(*part)
    return typed(text)


@ASPECTS.append
def the_read_door_passes_and_so_does_solving_it_and_each_says_which_time_it_means(id):
    desk = exercise(id)
    for lab in (desk.start("read"), desk.solve(desk.start("write"))):
        result = desk.check(lab)
        assert result.passed, str(result)
        assert len(result.outcomes) == len(desk.exercise.checks) >= 2
        assert f"Next: {next_step(id)[0]}" in str(result)
        assert f"at {result.moment}" in str(result)
        assert f"at {result.moment}" in result._repr_mimebundle_()["text/html"]
    first, *others = [each.prompt for each in EXERCISES[id].predictions]
    moment = re.compile(
        "As it is|Before you change anything|[Aa]fter your fix|[Ww]hen it (works|is done)|Once|With|If|would then"
    )
    assert moment.search(first), first
    assert all(moment.search(prompt) or prompt.startswith("And ") for prompt in others)


@ASPECTS.append
def nothing_passes_by_accident_and_the_repair_door_can_be_solved(id):
    desk = exercise(id)
    for door in ("write", "repair"):
        result = desk.check(desk.start(door))
        assert not result.passed, door
        assert all(result.missed), "each check that does not hold says what was seen"
    assert desk.check(desk.solve(desk.start("repair"))).passed


@LONG.append
def a_check_leaves_the_lab_alone_and_may_be_made_again(id):
    desk = exercise(id)
    lab = desk.start("read")
    before = list(lab.events)
    assert str(desk.check(lab)) == str(desk.check(lab))
    assert list(lab.events) == before


@ASPECTS.append
def wrong_answers_are_refused_with_their_symptom(id):
    assert len(WRONG[id]) >= (5 if id in CORE else 2)
    shown = ""
    for what, (symptom, *parts) in WRONG[id].items():
        desk = exercise(id)
        lab = desk.start("write")
        answer(id, *parts)(lab)
        result = desk.check(lab)
        assert not result.passed, what
        assert symptom in " ".join([*result.missed, result.stopped]), (what, str(result))
        shown += str(result)
        assert all(escape(one.correction) in result._repr_mimebundle_()["text/html"] for one in result.outcomes)
    beliefs = [misconceptions()[belief] for check in EXERCISES[id].checks for belief in check.beliefs]
    assert [each for each in beliefs if f"“{each['belief']}” {each['shown']}" not in shown] == []
    assert not beliefs or "common belief" not in str(exercise(id).check(exercise(id).start("read")))


@ASPECTS.append
def other_right_answers_pass(id):
    for what, parts in RIGHT.get(id, {}).items():
        desk = exercise(id)
        lab = desk.start("write")
        answer(id, *parts)(lab)
        result = desk.check(lab)
        assert result.passed, (what, str(result))


@ASPECTS.append
def nonsense_is_answered_without_the_answer(id):
    found, desk = EXERCISES[id], exercise(id)
    lab = desk.start("write")
    for qmgr in lab.queue_managers:
        qmgr.mqsc("please make it work")
    result = desk.check(lab)
    opened = OpeningWidget(Opening(found, "write", result, dict, list(found.predictions)), desk.predict, desk.hint)
    for each in found.predictions:
        right, field = expected(found)[each.key][0], opened.fields[each.key]
        replies = [getattr(field, "placeholder", "")]
        for nonsense in ("many", [], object()):
            try:
                desk.predict(**{each.key: nonsense})
            except LabError as refused:
                replies.append(str(refused).replace(repr(nonsense), ""))
        if field.__class__.__name__ == "Text" and not isinstance(right, str):
            field.value = "many"
            opened.keep_button.click()
            replies.append(opened.note.value)
            field.value = ""
            assert "must be a number" in replies[-1]
        if not isinstance(right, bool):  # both are offered
            assert not [reply for reply in replies if re.search(rf"(?<!\w){right}(?!\w)", reply)]
    told = [*found.hints[:2], *result.missed, result.stopped, result.next_step]
    told += [one.correction for one in result.outcomes]
    told += [card.text for card in result.why] if id in CORE else []
    assert not [(part, reply) for part in decisive(found) for reply in told if part in plain(reply)]


OBJECT = re.compile(r"\b(ALTER|DEFINE|START|RESET|RESOLVE|DISPLAY|SET|DELETE) \w+\([^()]*\)")


def plain(text):
    """A text in which quotes and letter case do not count."""
    return re.sub(r"['\"]", "", text).upper()


def decisive(found):
    """What must be typed to solve an exercise, and is not in its task or its lab: attributes with their values, and
    arguments of calls."""
    known = plain(" ".join([found.situation, found.task, found.work, definitions(found.start())]))
    typed = re.findall(r"\w+\([^()\n]+\)|\w+=[^,)\s]+", OBJECT.sub("", found.answer))
    default = ("TRIGTYPE(FIRST)", "SHORTRTY(10)", "SHORTTMR(60)")
    return {part for part in map(plain, typed) if part not in known and part not in default}


def another(value):
    """A value of the same kind that is not this one."""
    return not value if isinstance(value, bool) else "never" if isinstance(value, str) else value + 1


@LONG.append
def predictions_are_answered_with_what_made_the_difference(id):
    desk = exercise(id)
    asked = desk.exercise.predictions
    assert asked
    wanted = {each.asked.prompt: each.got for each in desk.check(desk.start("write")).predicted}
    desk.predict(**{each.key: wanted[each.prompt] for each in asked})
    again = exercise(id).check(desk.start("write"))  # another desk: what was said is in the file
    assert all(each.right for each in again.predicted)
    assert any(each.because is not None for each in again.predicted)
    desk.predict(**{each.key: another(wanted[each.prompt]) for each in asked})
    assert not any(each.right for each in desk.check(desk.start("write")).predicted)


@LONG.append
def a_check_gives_no_answer_away_before_it_is_due(id):
    desk = exercise(id)
    first = desk.check(desk.start("write"))
    assert not any("The lab says" in each.facts for each in first.predicted)
    assert not any(f"the lab says {each.got}" in str(first) for each in first.predicted)
    desk.predict(**{each.asked.key: each.got for each in first.predicted})
    said = desk.check(desk.start("write")).predicted
    assert [each.told for each in said] == [not each.asked.solved for each in said]
    assert all(each.told for each in desk.check(desk.start("read")).predicted)


@ASPECTS.append
def its_words_rules_and_notebook_are_there_and_hints_do_not_give_the_test_away(id):
    found, desk = EXERCISES[id], exercise(id)
    assert found.id == id
    assert found.rules
    assert set(found.rules) | {each.rule for each in found.checks if each.rule} <= set(RULES)
    assert set(found.questions) <= set(range(1, 21))
    assert all((found.situation, found.task))
    assert 3 <= found.minutes <= 25
    assert len(found.hints) == 3
    lines = [line for line in found.answer.splitlines() if line]
    commands = [line for line in lines if not line.startswith(("%%", "*", "#", "def ", " "))]
    assert not [line for line in commands for hint in found.hints if line.strip() in hint]
    assert all(each.says not in " ".join(found.hints) for each in found.checks)
    for shown in (desk, desk.hint(1), desk.hint(2), desk.hint(3)):
        assert "`" not in shown._repr_mimebundle_()["text/html"], "a card shows no Markdown"
    path = ROOT / found.file
    assert json.loads(path.read_text(encoding="utf-8")) == notebook(found), "python -m tools.exercises"


@ASPECTS.append
def its_cells_leave_the_notebooks_own_names_alone(id):
    bound = {"lab", "desk", "result", "exercise", "door", "solve", "interactive", "os"}
    for cell in cells(EXERCISES[id].work) + cells(EXERCISES[id].answer):
        if not cell.startswith("%%mqsc"):
            nodes = list(ast.walk(ast.parse(cell)))
            names = {getattr(node, "name", None) for node in ast.parse(cell).body}
            names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            assert not names & bound, cell


def test_core_exercises_have_other_right_answers_and_a_belief_behind_a_wrong_one():
    assert [id for id in CORE if len(RIGHT[id]) < 3] == []
    assert [id for id in CORE if not any(check.beliefs for check in EXERCISES[id].checks)] == []
    assert set(RIGHT) | set(WRONG) == set(EXERCISES)
    assert not set(re.findall(r"[A-Z]{3}-\d\d[a-z]?", str(misconceptions()))) - set(RULES)


def test_there_is_no_notebook_and_there_are_no_words_without_an_exercise():
    books = {path.relative_to(ROOT).as_posix() for path in (ROOT / "exercises").rglob("*.ipynb")}
    assert books == {each.file for each in EXERCISES.values()}
    files = (ROOT / "mqlab" / "course" / "exercises" / "bank").glob("*.toml")
    assert {id for file in files for id in tomllib.loads(file.read_text(encoding="utf-8"))} == set(EXERCISES)


def _queues(lab):
    return [(qmgr, q.name) for qmgr in lab.queue_managers for q in qmgr.queues if not q.name.startswith("SYSTEM.")]


def _channels(lab):
    return [(qmgr, each.name) for qmgr in lab.queue_managers for each in qmgr.objects.match(("CHANNEL",), "*")]


def _at_once(app, given):
    pass


def _dies(app, given):
    raise ValueError("a slip of the pen")


ROUGH = {
    "no puts": lambda lab: [qmgr.mqsc(f"ALTER QLOCAL('{name}') PUT(DISABLED)") for qmgr, name in _queues(lab)],
    "no gets": lambda lab: [qmgr.mqsc(f"ALTER QLOCAL('{name}') GET(DISABLED)") for qmgr, name in _queues(lab)],
    "no room": lambda lab: [qmgr.mqsc(f"ALTER QLOCAL('{name}') MAXDEPTH(0)") for qmgr, name in _queues(lab)],
    "no queues": lambda lab: [qmgr.mqsc(f"DELETE QLOCAL('{name}') PURGE") for qmgr, name in _queues(lab)],
    "no channels": lambda lab: [qmgr.mqsc(f"DELETE CHANNEL('{name}')") for qmgr, name in _channels(lab)],
    "no work": lambda lab: [qmgr.program(name, _at_once) for qmgr in lab.queue_managers for name in qmgr.programs],
    "a slip": lambda lab: [qmgr.program(name, _dies) for qmgr in lab.queue_managers for name in qmgr.programs],
    "all stopped": lambda lab: [qmgr.stop() for qmgr in lab.queue_managers if qmgr.running],
}
"""What a learner may do to a lab that nobody thought of."""


@LONG.append
def whatever_a_learner_does_is_told_and_breaks_nothing(id):
    first, whats = list(EXERCISES).index(id), list(ROUGH)
    for what in whats if THOROUGH else [whats[first % len(whats)]]:
        desk = exercise(id)
        lab = desk.start("write")
        ROUGH[what](lab)
        result = desk.check(lab)
        assert not result.passed, what
        assert str(result)
        assert all(result.missed), what


@LONG.append
def definitions_are_told_again_as_they_were(id):
    if EXERCISES[id].load is None:
        return  # its check looks at the lab itself
    lab = exercise(id).start("read")
    again = retold(lab)
    assert [q.export_mqsc() for q in again.queue_managers] == [q.export_mqsc() for q in lab.queue_managers]
    assert again.now_us == 0


def test_what_there_is_not():
    lab_error("Q01", exercise, "q1")
    desk = exercise("Q01")
    lab_error("write, repair, read", desk.start, "window")
    lab_error("level must be", desk.hint, 4)
    lab_error(r"refused=\.\.\.", desk.predict, nothing=1)
    lab_error("lab must be", desk.check, "lab")
    assert list(names()) == list(EXERCISES)
    assert DOORS == ("write", "repair", "read")
