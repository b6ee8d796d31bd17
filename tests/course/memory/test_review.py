"""A review: every question is the engine's, due rules are asked once, and predictions come back as they were."""

from datetime import date

from helpers import ROOT, for_each, lab_error
from mqlab import RULES, course
from mqlab.course.exercises import progress
from mqlab.course.games.game import still
from mqlab.course.memory.drills import MAKERS, question
from mqlab.course.memory.review import Item, repeated, review, told, why
from mqlab.course.memory.skills import GUESSES, skills
from mqlab.course.predictions.pages import explanation, explanations, rules_of

DAY, NEXT = date(2025, 1, 6), date(2025, 1, 7)
ASKED = {
    "id": "01/tart",
    "plain": "At which position?",
    "parts": [
        {"kind": "number", "label": "A", "low": 1, "high": 3, "options": [1, 2, 3]},
        {"kind": "number", "label": "B", "low": None, "high": None, "options": []},
        {"kind": "choose", "label": "C", "low": None, "high": None, "options": ["RUNNING", "STOPPED"]},
    ],
}


def played(day=DAY, **judged):
    rules = {rule.replace("_", "-"): right for rule, right in judged.items()}
    return {"exercise": "game", "what": "play", "key": "1", "right": False, "judged": rules, "day": day.isoformat()}


def predicted(asked, answers, *rules, key="01/tart"):
    line = {"lesson": key[:2], "what": "predicted", "key": key, "said": [0], "right": [False], "rules": list(rules)}
    return {**line, "skipped": False, "again": False, "day": DAY.isoformat(), "asked": asked, "answers": answers}


@for_each("rule", MAKERS)
def test_every_rule_that_can_be_asked_is_asked_and_judged_by_the_engine(rule):
    found = question(rule, 1)
    assert rule in found.rules.values()
    assert (found.wrong(found.answer), set(found.judged(found.answer).values())) == ([], {True})
    for each in found.questions:
        assert each.answer in each.options
        assert len(each.options) > 1
        assert each.rule in RULES
    for card in found.cards:
        assert card.answer in found.choices
    for each in (*found.cards, *found.questions):
        assert each.why.endswith(".")
    assert found.title in repr(still(found))


def test_rules_come_back_with_other_numbers_or_as_options_or_on_the_day_that_is_told():
    assert question("EXP-31", 1) == question("EXP-31", 1)
    assert len({question("EXP-31", seed).shown for seed in range(4)}) > 1
    assert question("IMS-01", 1) is None
    for key in ((), ("01/no-such",)):
        assert why(Item(question("MQI-09", 1), ("MQI-09",), *key)) == "", "it needs no explanation of a notebook"
    page = (ROOT / "docs/teaching.md").read_text(encoding="utf-8")
    assert f"for {len(MAKERS)} of its {len(RULES)} rules" in " ".join(page.split())
    # of notebooks 01 to 03; the rest of their rules come back as the prediction itself
    named = {rule for book in ("01", "02", "03") for text in explanations(book).values() for rule in rules_of(text)}
    assert len(named & set(MAKERS)) / len(named) > 0.55
    part = {"label": "", "low": None, "high": None, "options": ["a", "b", "c"]}
    chosen = repeated(predicted({"plain": "?", "parts": [{"kind": "several", **part}]}, [["a", "c"]]))
    assert chosen.answer == {"a": "yes", "b": "no", "c": "yes"}
    ordered = repeated(predicted({"plain": "?", "parts": [{"kind": "order", **part}]}, [["b", "c", "a"]]))
    assert ordered.answer == {"a": "3", "b": "1", "c": "2"}
    assert "No rule waits" in told(skills([], DAY), DAY)
    lines = [played(MQI_09=False, MQI_02=True)]
    assert told(skills(lines, DAY), DAY) == "Nothing is due today. On 2025-01-07, 1 rule comes back."


def test_rules_that_are_due_are_asked_once_the_wrong_ones_first():
    lines = [played(MQI_09=False, MQI_10=False, MQI_02=True, CHL_05=False), played(NEXT, MQI_01=True)]
    found = review(lines, NEXT)
    assert [item.rules for item in found.items if "MQI-09" in item.rules] == [found.items[0].rules]
    assert (found.waiting, found.later) == (2, 0), "no question asks CHL-05"
    assert not any(item.again for item in found.items)
    assert review(lines, DAY).items == []
    later = review(lines, date(2025, 1, 9))
    assert "MQI-02" in later.items[-1].rules or any("MQI-02" in item.rules for item in later.items)
    assert len(review(lines, date(2025, 1, 9), 1).items) == 1
    lab_error("most must be", review, lines, NEXT, 0)


def test_a_prediction_comes_back_as_it_was_if_no_lab_can_ask_its_rule():
    found = review([predicted(ASKED, [2, 10, "STOPPED"], "CHL-05", "CHL-06")], NEXT)
    (item,) = found.items
    assert (item.again, found.waiting, item.round.answer) == ("01/tart", 2, {"A": "2", "B": "10", "C": "STOPPED"})
    assert list(item.round.questions[1].options) == ["5", "9", "10", "11", "20"]
    assert "second" in why(item)
    item.record({**item.round.answer, "B": "9"})
    item.record(item.round.answer)
    first, second = progress.read()[0]
    assert (first["judged"], second["judged"]) == ({"CHL-05": False, "CHL-06": False}, {"CHL-05": True, "CHL-06": True})
    assert (first["right"], second["right"], second["key"]) == (False, True, "01/tart")


@for_each("asked", [{"parts": [{}]}, {"plain": "?"}, {**ASKED, "parts": ASKED["parts"][:1]}, {}])
def test_a_prediction_that_a_learner_changed_is_not_asked(asked):
    found = review([predicted(asked, [7], "CHL-05")], NEXT)
    assert (found.items, found.waiting) == ([], 0)


def test_a_prediction_that_can_only_be_guessed_changes_no_rule_and_is_never_asked():
    assert all(map(explanation, GUESSES)), "a prediction that is renamed or rewritten needs its line in guesses.toml"
    guessed = predicted(ASKED, [2, 10, "STOPPED"], "CHL-05", key="07/vse")
    assert skills([guessed], NEXT)["CHL-05"].state == "seen"
    reasoned = predicted(ASKED, [2, 10, "STOPPED"], "CHL-05", key="04/quiet")
    assert [item.again for item in review([reasoned, guessed], NEXT).items] == ["04/quiet"]


def test_a_day_has_ten_questions_at_most_and_says_of_how_many():
    lines = [predicted(ASKED, [2, 10, "STOPPED"], rule, key=f"01/{rule.lower()}") for rule in list(RULES)[-15:]]
    found = review(lines, NEXT)
    assert (len(found.items), found.later) == (10, 5)
    assert found.lead.startswith("10 of 15 today: a review asks at most 10 questions a day")
    assert told(skills(lines, DAY), DAY) == "Nothing is due today. On 2025-01-07, 10 of 15 rules come back."
    for item in found.items[:7]:
        judged = item.judged(item.round.answer)
        lines.append({"exercise": "review", "what": "review", "day": NEXT.isoformat(), "judged": judged})
    assert (len(review(lines, NEXT).items), review(lines, NEXT, 2).lead[:12]) == (3, "2 of 8 today")
    lines += lines[-3:]
    assert review(lines, NEXT).lead == "You have answered 10 questions today. 8 rules can wait until tomorrow."
    assert len(review(lines, date(2025, 1, 8)).items) == 8


def test_a_notebook_asks_the_same_review_and_records_it(monkeypatch):
    monkeypatch.setattr(progress, "today", lambda: NEXT.isoformat())
    assert "No rule waits" in repr(course.review())
    about = {"asked": ASKED, "answers": [2, 10, "STOPPED"], "day": DAY.isoformat()}
    progress.record_prediction("01/tart", [0], [False], ["CHL-05", "CHL-06"], False, **about)
    judged = {"MQI-09": False, "IMS-01": False}
    progress.record("game", progress.PLAY, key="1", right=False, judged=judged, day=DAY.isoformat())
    shown = course.review()
    assert [each["key"] for each in shown.spec["levels"]] == ["01/tart", "MQI-09 1"]
    assert shown.spec["levels"][0]["judges"] == ["CHL-05", "CHL-06"]
    assert shown.spec["levels"][0]["reason"][0].startswith("By priority, the tart")
    assert "Review: 2 questions today, for 3 rules." in repr(shown.still)
    assert repr(course.review(interactive=False)) == repr(shown.still)
    shown.said = {"key": "MQI-09 1", "right": True, "judged": {"MQI-09": True}, "n": 1}
    last = progress.read()[0][-1]
    assert (last["exercise"], last["what"], last["judged"]) == ("review", "review", {"MQI-09": True})
    assert len(course.review().spec["levels"]) == 1
    lab_error("most must be", course.review, 0)
