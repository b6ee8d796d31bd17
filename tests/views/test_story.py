"""The story of a recording: few stops, one idea each, and none about what is not drawn."""

import re

import pytest

from helpers import for_each, reason, scenario_lab
from mqlab import estates
from mqlab.lab.scenarios import names
from mqlab.views.player.player_steps import PlayerSteps
from mqlab.views.player.story import FEWEST, PRESSES


def told(lab):
    """The recording of a lab and the words of its stops."""
    recording = PlayerSteps(lab)
    return recording, [stop.said for stop in recording.stops]


@pytest.fixture
def sites():
    """Two sites whose traffic of orders goes from NORTH through HUB to SOUTH."""
    return estates.load("two-sites")


@for_each("name", names())
def test_every_scenario_takes_eight_to_fifteen_presses_and_no_turn_falls_between_two_stops(name):
    recording, words = told(scenario_lab(name))
    last = len(recording.steps) - 1
    presses = len(recording.stops) + (recording.stops[-1].step < last)
    assert FEWEST <= presses <= PRESSES
    drawn = {*recording.outline.nodes, *(q.name for q in recording.outline.qmgrs), ""}
    drawn |= {group.name for group in recording.outline.groups}
    drawn |= {structure.id for structure in recording.outline.structures}
    seen = [n for stop in recording.stops for n in stop.members]
    assert len(seen) == len(set(seen)), "each event belongs to one stop at most"
    for stop in recording.stops:
        assert stop.step == max(stop.members)
        assert stop.about in drawn
        assert recording.steps[stop.step].object != "SYSTEM.CHANNEL.SYNCQ"
        assert not re.search(r"None|\.\.| $", stop.said)
    assert {n for n, step in enumerate(recording.steps) if step.kind == "chapter"} <= {s.step for s in recording.stops}
    assert [recording.steps[n].said for n in turns(recording, drawn) if n not in seen] == []
    numbers = {int(number) for said in words for number in re.findall(r"message (\d+)", said)}
    assert not any(recording.scene.label(number).strip() for number in numbers), "called by its data"


def turns(recording, drawn):
    """The steps at which a story turns: failures, recoveries, changes by an operator, and changes of a channel that is
    drawn: one that carries only the words of repository managers is not."""
    begun = next(n for n, step in enumerate(recording.steps) if step.kind == "put")
    for n, step in list(enumerate(recording.steps))[begun:]:
        said = step.said
        operator = step.kind in ("stop", "recover") or (step.kind in ("start", "alter") and not step.cause >= 0)
        channel = step.sort == "channel" and re.search(r"became (RUNNING|RETRYING|STOPPED)|START CHANNEL", said)
        channel = channel and f"{step.qmgr}/channel:{step.object}" in drawn
        if operator or channel or re.search(r"link .* was (cut|restored)|facility of \w+ failed", said):
            yield n


def test_attempts_of_a_channel_are_one_stop_with_their_number(sites):
    sites.cut("NORTH", "HUB")
    sites["NORTH"].connect("WEBSHOP").put("ORDERS", b"1")
    sites.advance(30)
    recording, words = told(sites)
    [retried] = [stop for stop in recording.stops if "retried" in stop.said]
    assert re.fullmatch(r"NORTH\.HUB at NORTH retried \d+ times in \d+ s and is RETRYING", retried.said)
    times = int(re.search(r"retried (\d+)", retried.said)[1])
    assert len(retried.members) == times > 1
    assert (retried.about, words.count(retried.said)) == ("NORTH/channel:NORTH.HUB", 1)


def test_a_put_that_a_cut_link_holds_up_is_a_stop(sites):
    shop = sites["NORTH"].connect("WEBSHOP")
    shop.put("ORDERS", b"1")
    sites.advance(5)
    sites.cut("NORTH", "HUB")
    shop.put("ORDERS", b"2")
    recording = PlayerSteps(sites)
    [stop] = [stop for stop in recording.stops if recording.steps[stop.step].sort == "waits"]
    step = recording.steps[stop.step]
    assert (step.kind, step.qmgr, step.object) == ("put", "NORTH", "HUB")
    assert "It waits there" in stop.said


def test_a_channel_that_pauses_at_a_full_queue_again_and_again_is_one_stop(sites):
    sites["SOUTH"].mqsc("ALTER QMGR DEADQ(' ')\nALTER QLOCAL(ORDERS.IN) MAXDEPTH(2)")
    shop = sites["NORTH"].connect("WEBSHOP")
    for _ in range(4):
        shop.put("ORDERS", b"1")
    sites.advance(300)
    recording, words = told(sites)
    flapping = [said for said in words if "changed its state" in said]
    assert len(flapping) == 1
    assert "2053 MQRC_Q_FULL" in flapping[0]
    assert not [said for said in words if "PAUSED" in said or ("2053" in said and said not in flapping)]
    assert len(recording.stops) <= PRESSES


def test_a_coupling_facility_that_fails_is_told_as_that():
    lab = scenario_lab("facility-failure")
    recording, words = told(lab)
    [n] = [n for n, said in enumerate(words) if "and with it the structures PAY and ASK" in said]
    assert words[n].startswith("the coupling facility of BANK failed")
    facts = recording.facts_at(recording.stops[n].step)
    failed = [id for id, fact in facts.items() if id.startswith("BANK/structure:") and fact == "FAILED"]
    assert failed == ["BANK/structure:ASK", "BANK/structure:PAY"], "the picture shows it at the stop that says it"


def test_a_get_in_vain_and_the_messages_that_it_discards_are_one_stop(qm, lab):
    for _ in range(3):
        qm.put("ORDERS", b"x", expiry=10)
    lab.advance(5)
    assert reason(qm.connect("APP").get, "ORDERS") == 2033
    _, words = told(lab)
    assert words[-1].endswith("2033 MQRC_NO_MSG_AVAILABLE. The call discarded 3 expired messages")
    assert "(and 2 messages before it)" in words[-2]


def test_the_last_get_of_a_program_that_empties_a_queue_is_no_stop_of_a_long_story(qm, lab):
    for name in "ABCDEFGH":
        lab.chapter(name)
    app = qm.connect("APP")
    app.put("ORDERS", b"1")
    app.get("ORDERS")
    assert reason(app.get, "ORDERS") == 2033
    recording, words = told(lab)
    assert words == [*"ABCDEFGH", "APP put message '1' on ORDERS", "APP got message '1' from ORDERS"]
    assert recording.columns(since=1)["story"] == [list(stop) for stop in recording.stops]


def test_the_descriptor_of_a_message_goes_with_its_steps(sites):
    sites["NORTH"].connect("WEBSHOP").put("ORDERS", b"1", expiry=600, priority=3)
    sites.advance(5)
    recording = PlayerSteps(sites)
    number = next(step.message for step in recording.steps if step.object == "HUB" and step.kind == "put")
    journey = [step for step in recording.steps if step.message == number]
    assert [step.mqmd[4] for step in journey if step.kind == "put"] == ["ORDERS.IN@SOUTH", "ORDERS.IN@SOUTH", None]
    assert [step.mqmd[4] for step in journey if step.kind == "get"] == ["ORDERS.IN@SOUTH", "ORDERS.IN@SOUTH"]
    assert {step.mqmd[0] for step in journey} == {3}
    left = [step.mqmd[1] for step in journey]
    assert (left, left[0]) == (sorted(left, reverse=True), 600)
