"""Be the queue manager: a level has one right answer and refuses likely wrong ones; rounds agree with the engine."""

import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import for_each, lab_error
from mqlab import RULES, course
from mqlab.course.exercises import progress
from mqlab.course.games import game
from mqlab.course.games.judging import Scene
from mqlab.course.games.levels import generated, levels

WRONG = {
    int(level): said for level, said in tomllib.loads(Path(__file__).with_name("wrong.toml").read_text("utf-8")).items()
}


def test_there_are_twelve_levels_and_a_rule_is_judged_by_all_the_answers_that_it_decides():
    assert [each.key for each in levels()] == [str(number) for number in WRONG]
    assert {len(wrong) for wrong in WRONG.values()} == {3}
    round = course.games.level(3)
    assert set(round.judged(round.answer).values()) == {True}
    said = {**round.answer, "bun": "discarded"}
    assert [rule for rule, right in round.judged(said).items() if not right] == ["EXP-10"]
    lab_error("cake", course.games.level(1).wrong, {"cake": "returned"})
    for wrong in ({"level": 0}, {"level": 13}, {"level": "FIFO"}, {"seed": -1}, {"interactive": 2}):
        lab_error(next(iter(wrong)), course.play, **wrong)


@for_each("number", WRONG)
def test_a_level_has_one_right_answer_each_with_its_reason_and_rule_and_refuses_the_likely_wrong_ones(number):
    round = course.games.level(number)
    assert round.wrong(round.answer) == []
    for said in WRONG[number]:
        assert sorted(round.wrong({**round.answer, **said})) == sorted(said), said
    for name in round.answer:
        assert round.wrong({key: said for key, said in round.answer.items() if key != name}) == [name]
    for card in round.cards:
        assert card.answer in round.choices
        assert card.why.endswith(".")
        assert card.rule in RULES or "does not check the trigger" in card.why
    for question in round.questions:
        assert question.answer in question.options
        assert question.rule in RULES


@given(seed=st.integers(0, 10**9))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_rounds_are_judged_as_the_log_has_it(seed):
    round = generated(seed)
    assert round == generated(seed)
    assert round.wrong(round.answer) == []
    assert len(round.answer) == len(round.cards) + len(round.questions)
    for card in round.cards:
        assert card.answer in round.choices
        assert card.rule in RULES or card.answer == "quiet"
        for other in round.choices:
            assert (round.wrong({**round.answer, card.name: other}) == []) is (other == card.answer)
    for question in round.questions:
        assert question.answer in question.options
        returned = [card.name for card in round.cards if card.answer == "returned"]
        assert len(returned) == (question.answer in ("0", "2079"))


def test_a_round_takes_from_the_queue_what_it_says(monkeypatch):
    """After the call the queue holds the cards that stay and no others, by a state that no round reads."""
    scenes = []
    begin = Scene.__init__
    monkeypatch.setattr(Scene, "__init__", lambda self, *args: (scenes.append(self), begin(self, *args))[1])
    for seed in range(60):
        round = generated(seed)
        if not round.questions:
            continue
        state = scenes[-1].state()
        there = {scenes[-1].names[number] for number in (*state.messages, *state.held)}
        browsed = "browse" in round.call
        stay = {card.name for card in round.cards if card.answer == "stays" or (browsed and card.answer == "returned")}
        assert there == stay, seed


def test_the_game_opens_at_the_first_level_that_is_not_solved():
    playing = course.play()
    assert playing.spec["level"] == 1
    playing.said = {"key": "1", "right": True, "n": 1}
    playing.said = {"key": "2", "right": False, "n": 2}
    assert game.done() == ["1"]
    judged = {"MQI-02": True, "EXP-10": False, "XYZ-1": True}
    playing.said = {"key": "2", "right": False, "judged": judged, "n": 3}
    assert (progress.read()[0][-1]["judged"], course.play().spec["level"]) == ({"MQI-02": True, "EXP-10": False}, 2)
    assert "Level" not in repr(course.play(interactive=False))
    assert "By priority" in repr(course.play(interactive=False))
    assert progress.summary() == []


def test_a_page_that_asks_gets_the_next_rounds(monkeypatch):
    playing, sent = course.play(3, seed=5), []
    assert [each["key"] for each in playing.spec["rounds"]] == [f"round {seed}" for seed in range(5, 13)]
    monkeypatch.setattr(playing, "send", sent.append)
    playing._send_more({"seed": 13})
    playing._send_more({"seed": "all"})
    assert (sent[0]["rounds"][0]["key"], len(sent)) == ("round 13", 1)
