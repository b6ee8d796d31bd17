"""Duels: one story under two configurations."""

import re

from helpers import for_each, lab_error, made
from mqlab import Lab
from mqlab.views.frames.score import Score


def orders(lab, many=3):
    """Orders for a queue."""
    qm = made("DEFINE QLOCAL(ORDERS)", of=lab)
    lab.advance(1)
    for _ in range(many):
        qm.put("ORDERS", b"x")
        lab.advance(1)


def test_mqsc_text_is_run_when_the_story_first_lets_time_pass():
    mine = Lab(seed=7)
    duel = mine.duel(orders, "ALTER QLOCAL(ORDERS) MAXDEPTH(1)", None)
    assert duel.scores == (Score(waiting=1, refused=1), Score(waiting=3))
    assert "2053" in str(duel.labs[0].broken_off)
    assert duel.names == ("ALTER QLOCAL(ORDERS) MAXDEPTH(1)", "b: as it is")
    assert duel.title == "orders: ALTER QLOCAL(ORDERS) MAXDEPTH(1), or b: as it is"
    ours, theirs = duel.first_difference
    assert (ours.kind, theirs.kind, {lab.now_us for lab in duel.labs}) == ("alter", "put", {4_000_000})
    assert {lab.seed for lab in duel.labs} == {7}
    assert not mine.queue_managers


def test_functions_and_settings_change_a_side_and_sides_alike_differ_in_nothing():
    by_name = Lab().duel(orders, {"many": 1}, {"many": 2})
    assert ([score.waiting for score in by_name.scores], by_name.names) == ([1, 2], ("many 1", "many 2"))

    def one_more(lab):
        lab["QM1"].put("ORDERS", b"y")

    later = Lab().duel(orders, None, one_more, at=2_500_000, names=("as told", "one more"))
    assert ([score.waiting for score in later.scores], later.first_difference[1].time_us) == ([3, 4], 2_500_000)
    assert "as told" in later.text
    duel = Lab().duel("poison", None, {})
    assert duel.first_difference is None
    assert duel.title.startswith("The poison message")
    assert "Nothing differs" in duel.text


@for_each(
    "arguments, wanted",
    ((orders, "ALTER QLOCAL(NONE) MAXDEPTH(1)", None), "a queue manager of the story must accept the MQSC"),
    ((orders, "", None), "MQSC needs a story"),
    ((orders, {"few": 1}, None), "story must be a function of a lab and few"),
    (("no such scenario", None, None), "name of a scenario must be"),
    ((lambda: None, None, None), "story must be"),
    ((3, None, None), "story must be"),
    ((orders, 3, None), "a must be"),
    ((orders, None, 3.5), "b must be"),
)
def test_what_is_no_story_and_no_configuration_is_refused(arguments, wanted):
    lab_error(re.escape(wanted), Lab().duel, *arguments)


def test_names_are_two_and_the_moment_of_a_change_is_one_of_the_story():
    for names in (("one",), ("", "b"), (1, 2)):
        lab_error("names must be", Lab().duel, orders, None, None, names=names)
    for at in (-1, 1.5):
        lab_error("at must be", Lab().duel, orders, None, None, at=at)
