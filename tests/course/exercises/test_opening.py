"""How an exercise opens, what a check explains, and where a learner goes from there."""

import sys

from helpers import ROOT, for_each, lab_error, says
from mqlab.course import path
from mqlab.course.exercises import exercise, progress
from mqlab.course.exercises.bank import EXERCISES, book_of, next_step
from mqlab.course.exercises.opening import definitions
from mqlab.course.path import notebook_file


def test_the_failure_is_played_from_its_beginning_after_the_predictions():
    desk = exercise("Q01")
    opened = desk.opening()
    assert opened.stage is None
    opened.fields["refused"].value = "some"
    opened.keep_button.click()
    assert "must be a number" in opened.note.value
    assert opened.stage is None
    opened.fields["refused"].value = "5"
    opened.keep_button.click()
    assert (opened.stage.position, len(opened.stage.source.steps)) == (0, 15), (
        "ORDERS is defined, and nothing is put yet"
    )
    shown = opened.children[2].value
    says(shown, "3 were refused with 2053", "a surprise")
    assert exercise("Q01").opening().stage is not None  # the prediction is in the file


def test_an_outcome_is_folded_away_and_a_skip_is_recorded():
    html = exercise("Q01").opening("write", interactive=False).html
    assert html.index("how many of the hour") < html.index("What happens</summary>") < html.index("refused with 2053")
    assert "MAXDEPTH(5)" in html[: html.index("Predict first")]
    opened = exercise("T08").opening()
    opened.keep_button.click()
    assert "press Skip" in opened.note.value
    opened.skip_button.click()
    assert opened.stage is not None
    assert {line["what"] for line in progress.read()[0]} == {"skip"}
    assert exercise("T08").opening().stage is not None


def test_where_nothing_can_be_drawn_an_exercise_goes_on_in_words(monkeypatch):
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)  # as an import finds it that is not installed
    desk = exercise("Q01")
    opened = desk.opening()
    assert "application/vnd.jupyter.widget-view+json" in opened._repr_mimebundle_()[0]
    opened.skip_button.click()
    assert opened.stage is None
    assert "Pictures of a lab need mini-racer" in opened.children[-1].value
    lab = desk.start()
    desk.solve(lab)
    result = desk.check(lab)
    assert result.passed
    assert "Pictures of a lab need mini-racer" in str(result.played())


def test_doors_show_what_they_are_for_and_definitions_no_system_object():
    read, repair = (exercise("Q01").opening(door, interactive=False).text for door in ("read", "repair"))
    says(read, EXERCISES["Q01"].answer, "3 of 3 checks pass")
    assert "Predict" not in read
    says(repair, EXERCISES["Q01"].defect, "The failure of the repair")
    lab_error("door must be", exercise("Q01").opening, "window")
    said = definitions(EXERCISES["M02"].start())
    says(said, 'asynchronous "ORDERS@HQ"', "rule=copy_to_dead_letter")
    assert "SYSTEM." not in definitions(EXERCISES["Q01"].start())


@for_each(
    "id, words",
    ("Q01", "SHOP failed to put on ORDERS: 2053 MQRC_Q_FULL when CURDEPTH was 5, 3 times in total"),
    ("T02", "TRIGINT is 999999999"),
    ("L01", "dead-lettered: it is on SYSTEM.DEAD.LETTER.QUEUE of HQ"),
    ("M02", "DRIVER put message 2 on ORDERS@HQ"),
    ("E01", "it expired"),
)
def test_a_failed_check_is_explained_by_the_product(id, words):
    desk = exercise(id)
    result = desk.check(desk.start())
    shown = result._repr_mimebundle_()
    assert words in shown["text/plain"]
    assert '<div class="item fails"' in shown["text/html"]
    assert result.why
    assert not desk.check(desk.start("read")).why


def test_hints_come_one_by_one_and_a_done_exercise_leads_to_the_next():
    desk = exercise("Q01")
    lab = desk.start()
    assert "desk.hint(1) helps" in desk.check(lab).next_step
    for level in (1, 2, 3):
        desk.hint(level)
    assert "desk.solution()" in exercise("Q01").check(lab).next_step
    desk = exercise("C01")
    assert "stopped before its end" in desk.check(desk.start()).next_step
    for id in EXERCISES:
        assert (ROOT / notebook_file(book_of(id))).exists()
        assert (ROOT / EXERCISES[id].file).parent.joinpath(next_step(id)[1]).exists()


def test_success_says_what_it_means_what_an_expert_would_have_typed_and_the_next_step():
    desk = exercise("Q01")
    desk.predict(refused=0)
    shown = desk.check(desk.catch_up())._repr_mimebundle_()["text/html"]
    done, _, predictions = shown.partition("<summary>Your predictions: 0 of 1 right</summary>")
    following = 'href="../notebooks/02-message-expiry.ipynb"'
    says(done, 'mqlab-card done"', EXERCISES["Q01"].meaning, "MAXDEPTH(20)</pre>", following)
    assert "wrong" not in done.replace("mqlab-card.wrong", "")
    assert 'mqlab-card wrong"' in predictions
    assert 'mqlab-card yet"' in desk.check(desk.start())._repr_mimebundle_()["text/html"]
    assert 'mqlab-card wrong"' in exercise("C01").check(exercise("C01").start())._repr_mimebundle_()["text/html"]
    assert [next_step(id)[0] for id in ("E01", "E03", "G01", "Y04")] == [
        f"Notebook {each}" for each in ("12", "03", "12", "14")
    ]
    assert all(EXERCISES[each].meaning.count(".") == 1 for each in path.EXERCISES)


def test_catching_up_gives_the_solved_lab_after_its_load_and_what_was_checked_can_be_looked_at():
    lab = exercise("Q01").catch_up()
    assert lab["QM1"].resolve("ORDERS", "inquire").queue.definition.attributes["MAXDEPTH"] == 20
    assert len(lab.events.where(program="BILLING", kind="get")) == 9
    assert [line["what"] for line in progress.read()[0]] == ["catch-up"]
    desk = exercise("Q01")
    result = desk.check(desk.start())
    assert result.played().position == 14
    assert "QM1" in result.played(interactive=False).words


def test_the_trigger_monitor_has_its_queue_open_from_the_start_and_serves_the_load_alone():
    for number, shop in enumerate(["SHOP", "PRINT", "BAKERY", "YARD", "FLORIST", "PACK", "PHARMACY"], 1):
        qmgr = exercise(f"T0{number}").start()["QM1"]
        assert qmgr.status(f"{shop}.INITQ")["IPPROCS"] == 1
        (handle,) = qmgr.mqsc("DISPLAY QSTATUS(*) TYPE(HANDLE)").rows
        assert (handle["QUEUE"], handle["APPLTAG"]) == (f"{shop}.INITQ", "TRIGGER.MONITOR")
        assert [row["APPLTAG"] for row in qmgr.mqsc("DISPLAY CONN(*) APPLTAG").rows] == ["TRIGGER.MONITOR"]
    desk = exercise("T01")
    assert desk.run(desk.start("read"))["QM1"].status("SHOP.INITQ")["IPPROCS"] == 1
