"""Be the queue manager: a level has one right answer and refuses likely wrong ones; rounds agree with the engine."""

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import for_each, lab_error
from mqlab import RULES, course
from mqlab.course.exercises import progress
from mqlab.course.games import game
from mqlab.course.games.judging import Scene
from mqlab.course.games.levels import generated, levels

# What learners are likely to say instead, by level: each differs from the right answer where it says so.
WRONG = {
    1: [
        {"bread": "stays", "tart": "returned"},  # the highest priority
        {"bread": "stays", "bun": "returned"},  # the last one
        {"Reason code": "2033"},
    ],
    2: [
        {"tart": "stays", "bread": "returned"},  # the first one put
        {"tart": "stays", "scone": "returned"},  # the last of the highest priority
        {"scone": "returned"},  # both of the highest priority
    ],
    3: [
        {"croissant": "stays"},  # a get removes only what it returns
        {"bun": "discarded"},  # a get discards all that expired
        {"tart": "stays", "bread": "returned"},  # the first one that did not expire
    ],
    4: [
        {"bread": "stays"},  # a browse removes nothing
        {"bread": "returned", "croissant": "stays"},  # the first one, expired or not
        {"bun": "discarded"},
    ],
    5: [
        {"bread": "discarded"},  # a get discards every expired message that it passes
        {"tart": "stays", "bun": "returned"},  # the first that did not expire
        {"rolls": "discarded"},
    ],
    6: [
        {"croissant": "stays", "wedding cake": "returned"},  # the highest priority, committed or not
        {"croissant": "stays", "bread": "returned"},  # the first of its priority
        {"croissant": "stays", "Reason code": "2033"},
    ],
    7: [
        {"bread": "discarded"},  # the call finds the expired message
        {"croissant": "returned", "Reason code": "0"},
        {"Reason code": "2033"},
    ],
    8: [
        {"letter": "0"},  # the expired or the uncommitted message does not count
        {"note": "2030"},  # 100 is too long for MAXMSGL(100)
        {"card": "2053"},  # the get has made no room
    ],
    9: [
        {"card": "returned", "Reason code": "0"},  # the first one that fits
        {"catalog": "returned", "Reason code": "2079"},  # truncated
        {"flyer": "returned", "Reason code": "0"},  # expired
    ],
    10: [
        {"parcel 2": "fires"},  # each message triggers
        {"parcel 3": "fires"},
        {"parcel 4": "quiet"},  # FIRST fires once and never again
    ],
    11: [
        {"parcel 1": "quiet", "parcel 2": "quiet"},  # someone has the queue open
        {"crate 3": "fires"},  # two are there again
        {"crate 2": "quiet"},
    ],
    12: [
        {"ring": "stays", "pearl": "returned"},  # the unit of work failed with its queue manager
        {"ring": "stays", "watch": "returned"},  # its own member's uncommitted message
        {"vase": "stays"},
    ],
}


def test_there_are_twelve_levels_with_three_wrong_answers_each():
    assert [each.key for each in levels()] == [str(number) for number in WRONG]
    assert {len(wrong) for wrong in WRONG.values()} == {3}


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


def test_the_game_opens_at_the_first_level_that_is_not_solved(tmp_path, monkeypatch):
    monkeypatch.setenv("MQLAB_PROGRESS", str(tmp_path / "progress.jsonl"))
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


def test_a_rule_is_judged_by_all_the_answers_that_it_decides_and_another_name_or_value_is_refused():
    round = course.games.level(3)
    assert set(round.judged(round.answer).values()) == {True}
    said = {**round.answer, "bun": "discarded"}
    assert [rule for rule, right in round.judged(said).items() if not right] == ["EXP-10"]
    lab_error("cake", course.games.level(1).wrong, {"cake": "returned"})
    for wrong in ({"level": 0}, {"level": 13}, {"level": "FIFO"}, {"seed": -1}, {"interactive": 2}):
        lab_error(next(iter(wrong)), course.play, **wrong)
