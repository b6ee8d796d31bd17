"""Imagined labs: each is IBM MQ until one row, where the one replaced rule shows."""

import pytest

from helpers import for_each, lab_error, says
from mqlab import Lab
from mqlab.course import show_both
from mqlab.course.imagined.variants import START, VARIANTS, both, offered
from mqlab.course.predictions.magic import Prediction
from mqlab.course.predictions.pages import read
from mqlab.course.texts import misconceptions
from mqlab.engine.explain.words import told
from mqlab.views.frames.moments import clock

PARTINGS = {
    "removed-at-deadline": ("09:00:10 WEB put message 2", "09:00:05 SHOP scanned ORDERS"),
    "expired-do-not-count": ("09:00:10 WEB failed to put on ORDERS: 2053", "09:00:10 WEB put message 3 on ORDERS"),
    "expired-is-returned": ("09:00:05 message 2: BILLING got it", "09:00:05 message 1: BILLING got it"),
    "get-returns-oldest": ("09:00:05 message 2: BILLING got it", "09:00:05 message 1: BILLING got it"),
    "first-for-each": ("09:00:01 ORDERS did not trigger", "09:00:01 ORDERS triggered"),
    "bothresh-moves": ("09:00:03 message 1: OLDPACK got it", "09:00:02 message 1: SHOP got it"),
    "retrying-loses": ("09:00:01 SHOP.DEPOT ended", "09:00:01 message 1: it was cleared from DEPOT"),
    "ok-means-delivered": (
        "09:00:00 TILL put message 1 for ORDERS.IN@DEPOT on",
        "09:00:00 TILL put message 1 on ORDERS.IN",
    ),
}
"""For each belief, the first row of IBM MQ and of the imagined lab that the other does not have."""


@for_each("id", VARIANTS)
def test_both_are_alike_until_the_replaced_rule_shows(id):
    futures, plain = both(id), Lab(start=START)
    plain.play(VARIANTS[id].story)
    real, imagined = futures.labs
    assert list(real.events) == list(plain.events), "the real side is the engine as it is"
    seq = futures.frame.first_seq
    assert list(real.events)[:seq] == list(imagined.events)[:seq]
    for row, words in zip(futures.first_difference, PARTINGS[id], strict=True):
        assert f"{clock(real.start, row.time_us)} {told(row)}".startswith(words)
    assert imagined.broken_off is None, "the story goes on in the imagined lab"


@for_each("id", VARIANTS)
def test_a_pair_says_which_side_is_imagined_without_a_kernel_too(id):
    shown = show_both(id)
    assert shown.race.time_us(shown.position) == shown.futures.frame.first_us
    page = shown.without_kernel()._repr_mimebundle_()
    says(page["text/html"], misconceptions()[id]["belief"], 'class="imagined"', "In your world, ")
    assert page["text/plain"].splitlines()[2].startswith("Imagined: In your world, ")


def test_a_wrong_answer_opens_its_pair_and_no_other_message_does():
    question = read("02/deadline", "How many?\n\nnumber 0 to 3 = 3\n---\npass")
    assert offered("02/deadline")["2"] == "removed-at-deadline"
    assert offered("12/five-backouts").keys() & {"ORDERS", "ORDERS.BAD"} == {"ORDERS.BAD"}
    found = {"ask": "", "right": [3], "both": [offered("02/deadline")]}
    asked = Prediction(question, found, lambda *answer: pytest.fail("nothing was answered"))
    for message in ({}, {"both": "mq-is-email"}, {"both": ["02/deadline"]}):
        asked._handle_custom_msg(message, [])
    assert asked.both is None
    asked._handle_custom_msg({"both": "removed-at-deadline"}, [])
    assert asked.both.belief == misconceptions()["removed-at-deadline"]["belief"]
    lab_error("belief must be one of removed-at-deadline, ", show_both, "mq-is-email")
