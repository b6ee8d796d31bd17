"""Memory: what the lines of a progress file say of each rule, when a rule comes back, and when it is mastered."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from helpers import says
from mqlab import RULES
from mqlab.course.exercises import exercise, progress, progress_card
from mqlab.course.memory.skills import DAYS, SkillMap, due, middle, skills

FIRST = date(2025, 1, 6)
NEVER = date(2026, 1, 6)


def answer(day, **judged):
    rules = {rule.replace("_", "-"): right for rule, right in judged.items()}
    return {"exercise": "review", "what": "review", "judged": rules, "day": day.isoformat()}


def predicted(*rules, right=(True,), **about):
    line = {"lesson": "01", "what": "predicted", "key": "01/tart", "rules": list(rules), "right": list(right)}
    return {**line, "said": [1], "skipped": False, "again": False, "day": FIRST.isoformat(), **about}


def told(days):
    """The skill of MQI-02 after answers on these days, each with True or False."""
    lines = [answer(FIRST + timedelta(day), MQI_02=right) for day, right in days]
    return skills(lines, FIRST + timedelta(days[-1][0]))["MQI-02"]


gaps = st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1, max_size=12)


@given(gaps)
def test_the_schedule(steps):
    """A rule is never due before the interval of its box; a wrong answer brings it back on the next day; it is mastered
    only after right answers on three days, 3 and then 7 days apart, with none wrong since."""
    day, days = 0, []
    for gap, right in steps:
        day += gap
        days.append((day, right))
        skill = told(days)
        now = FIRST + timedelta(day)
        assert (skill.due - skill.last).days == DAYS[skill.box - 1]
        waiting = due({"MQI-02": skill}, skill.due - timedelta(1)), due({"MQI-02": skill}, skill.due)
        assert [len(each) for each in waiting] == [0, 1]
        if not right:
            assert (skill.state, skill.due) == ("wrong", now + timedelta(DAYS[0]))
        since = max((place for place, (_, each) in enumerate(days) if not each), default=-1) + 1
        spaced = sorted({each for each, _ in days[since:]})
        if skill.state == "mastered":
            assert len(spaced) >= 3
            assert spaced[-1] - spaced[0] >= DAYS[1] + DAYS[2]
        assert skill.right + skill.wrong == len(days)


def test_the_way_to_mastery_and_which_answers_come_back_when():
    assert told([(0, True), (3, True), (10, True)]).state == "mastered"
    assert (told([(0, True), (3, True), (9, True)]).state, told([(0, True)] * 20).state) == ("right", "right")
    assert told([(0, True), (3, True), (10, True), (24, False)]).state == "wrong"
    assert (told([(0, False), (0, True)]).state, told([(0, False), (1, True)]).state) == ("wrong", "right")
    lines = [
        answer(FIRST, MQI_02=True, EXP_10=False, TRG_03=True),
        answer(FIRST + timedelta(1), TRG_04=False),
        {"exercise": "game", "what": "play", "judged": {"MQI-05": True}},  # of a file without days
        answer(NEVER, MQI_06=False),
    ]
    now = FIRST + timedelta(3)
    found = skills(lines, now)
    assert [each.rule for each in due(found, now)] == ["EXP-10", "TRG-04", "MQI-05", "MQI-02", "TRG-03"]
    assert found["MQI-06"].due == now + timedelta(1)


def test_predictions_exercises_and_lines_about_no_rule():
    lines = [
        predicted("MQI-01", "MQI-02"),
        predicted("EXP-02", right=(True, False)),
        predicted("EXP-17", skipped=True, said=None, right=()),
        predicted("EXP-20", again=True),
        {"exercise": "Q01", "what": "start", "door": "write"},
        {"exercise": "Q01", "what": "check", "done": False},
        {"exercise": "incident stores 7", "what": "incident"},
        answer(FIRST, XYZ_01=True),
    ]
    found = skills(lines, FIRST, {"Q01": exercise("Q01").exercise.rules})
    states = {id: each.state for id, each in found.items() if each.state != "new"}
    expected = {"MQI-01": "right", "MQI-02": "right", "EXP-02": "wrong", "EXP-17": "seen", "EXP-20": "seen"}
    assert states == dict.fromkeys(exercise("Q01").exercise.rules, "seen") | expected
    assert list(found) == list(RULES)


def test_the_map_of_a_class_has_what_most_learners_reached():
    judged = ({"MQI_02": True}, {"MQI_02": False}, {"MQI_02": True, "EXP_10": False})
    found = middle([skills([answer(FIRST, **each)], FIRST) for each in judged])
    assert (found["MQI-02"].state, found["MQI-02"].right, found["MQI-02"].wrong) == ("right", 2, 1)
    assert (found["EXP-10"].state, found["TRG-01"].state) == ("wrong", "new")


def test_the_map_says_by_sign_word_and_table_what_its_colors_say():
    found = skills([answer(FIRST, MQI_02=True, EXP_10=False)], FIRST)
    shown = SkillMap(found)
    text, html = repr(shown), shown.html()
    assert f"1 right, 1 wrong, 0 seen of {len(RULES)} rules" in text
    assert next(line for line in text.splitlines() if "Message expiry" in line).endswith("1 wrong")
    assert html.count('<li class="tile') == len(RULES)
    assert f"EXP-10 {RULES['EXP-10'].title}: wrong; comes back on 2025-01-07" in html
    assert "<caption>Your skill map: the rules seen so far</caption>" in html
    assert "2 learners" in SkillMap(middle([found, found]), "The class", "learners").html()
    assert not SkillMap(skills([], FIRST)).seen


def test_the_card_of_progress_shows_everything_that_was_done():
    progress.record_round("game", progress.PLAY, "round 1", {"MQI-02": True}, True)
    progress.record_round("game", progress.PLAY, "round 2", {"MQI-02": False}, False)
    progress.record_round("opening", progress.PLAY, "opening", {}, True)
    progress.record_round("review", progress.REVIEW, "MQI-02 1", {"MQI-02": True}, True)
    progress.record_prediction("01/tart", [2, 2], [True, True], ["MQI-01"], False)
    progress.record_prediction("01/full", None, [], ["MQI-09"], False)
    progress.record("incident stores 7", progress.INCIDENT, done=True, minutes=9, commands=2, level=0)
    progress.record("game", progress.PLAY, key="1", judged={"EXP-10": False}, day="2025-01-06")
    text = repr(progress_card())
    says(
        text,
        "Predictions: 1 of 2 right in the notebooks, 1 skipped",
        "Game: 1 of 3 rounds right",
        "Incidents: 1 of 1 repaired, the fastest in 9 minutes",
        "Review: 1 of 1 answer right, on 1 day",
        "Due today: 1 rule; start mqlab review",
        "Your skill map: 0 mastered, 1 right, 2 wrong, 1 seen",
        "No exercise started yet",
    )
    assert '<div class="mqlab-skills"' in progress_card()._repr_mimebundle_()["text/html"]
    assert progress.summary() == []


def test_only_lines_that_a_review_needs_have_a_day_and_one_whose_day_is_none_is_put_aside():
    exercise("Q01").hint(1)
    progress.record_round("game", progress.PLAY, "round 1", {}, True)
    hint, played = progress.read()[0]
    assert "day" not in hint
    assert played["day"] == progress.today()
    for day in ("2025-13-01", "today", "20250106", 6):
        progress.record("game", progress.PLAY, judged={}, day=day)
    progress.record("game", progress.PLAY, judged={"MQI-02": 1})
    assert [len(each) for each in progress.read()] == [2, 5]
