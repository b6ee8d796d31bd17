"""Every scenario: the same story each time, told in shots, showing the rules that it names."""

import re

import pytest

from helpers import for_each, lab_error, scenario_lab
from mqlab import RULES, Lab
from mqlab.lab.scenarios import names, scenario, scenarios
from mqlab.lab.scenarios.telling import outcome

every = for_each("name", names())


@pytest.fixture(scope="module")
def told():
    """Each scenario, told once: its lab by name."""
    labs = {name: Lab() for name in names()}
    for name, lab in labs.items():
        lab.scenario(name)
    return labs.__getitem__


def test_there_are_the_scenarios_asked_for_each_with_its_own_name_and_title():
    known = scenarios()
    assert len(known) >= 12
    assert [each.name for each in known] == names()
    assert len({each.title for each in known}) == len({each.story for each in known}) == len(known)


@every
def test_it_is_the_same_each_time_and_uses_nothing_but_its_lab(told, name):
    lab, again = told(name), scenario_lab(name)
    other = lab.branch(0, lambda lab: None)
    assert other.broken_off is None
    assert list(lab.events) == list(again.events) == list(other.events)
    assert lab.shots == again.shots == other.shots


@every
def test_it_is_told_in_shots_that_can_be_read_at_a_glance_and_names_rules_that_its_log_shows(told, name):
    lab, about = told(name), scenario(name)
    shots = lab.shots
    assert 7 <= len(shots) <= 10
    assert (shots[0].title, shots[0].seq, shots[-1].title) == (about.title, 0, "To remember")
    assert about.question in shots[0].say
    assert shots == sorted(shots, key=lambda each: (each.seq, each.time_us))
    assert all(each.say and len(each.say) <= 350 and len(each.title) <= 45 for each in shots)
    assert sum("?" in each.say for each in shots) >= 4, "predictions are asked for"
    assert shots[-2].seq == len(lab.events), "the last shot of the story says how it ended"
    assert about.question.endswith(("?", "."))
    assert len(about.takeaways) == 3
    said = " ".join(f"{each.title} {each.say}" for each in shots)
    assert not re.search(r"\b(None|True|False)\b|[{}]|  |\bb'\w", said), "no Python"
    assert len(set(about.rules)) == len(about.rules) >= 3
    assert set(about.rules) <= set(RULES) & set(lab.events.column("rule"))


@every
def test_it_is_small_enough_to_look_at_and_is_replayed_as_it_was(told, name):
    lab = told(name)
    members_join = "CLU-05" in lab.events.column("rule")  # their repositories talk before anything happens
    assert 10 <= len(lab.events) <= (400 if members_join else 250)
    state = lab.state()
    for qmgr in lab.queue_managers:
        for queue in qmgr.queues if qmgr.running else ():
            owner = qmgr.group.name if len(queue.instances) > 1 else qmgr.name
            assert state.queue(owner, queue.name).depth == queue.depth


def test_the_shots_of_a_branch_say_what_happened_in_it(told):
    lab = told("trigger-once")
    other = lab.branch(500_000, lambda lab: lab["SHOP"].put("PAPER", "500 sheets"))
    held = [next(each.say for each in one.shots if each.title == "A shorter TRIGINT") for one in (lab, other)]
    assert "starts: still 1. ORDERS holds 5" in held[0]
    assert "starts: still 5. ORDERS holds 0" in held[1]


def test_a_scenario_says_what_it_is(lab):
    found = lab.scenario("poison")
    assert (found.name, found.title) == ("poison", "The poison message")
    assert repr(found) == f"Scenario('poison', 'The poison message', {found.question!r})"
    assert lab.story == found.tell


# ---------------------------------------------------------------- asking for one
def test_a_name_that_is_none_is_answered_with_the_nearest_or_those_there_are(lab, qm):
    empty, near = Lab(), {"poisson": "poison", "channel-retry": "channel-retrying", "Expires-Twice": "expires-twice"}
    for asked, right in near.items():
        lab_error(f"Did you mean .*{right}", empty.scenario, asked)
    for asked in ("zzz", "", None, 7, ["poison"]):
        lab_error("one of expiry-priority, expired-fill", empty.scenario, asked)
    assert len(empty.events) == 0
    before = len(lab.events)
    lab_error("a story needs an empty lab", lab.scenario, "poison")
    assert (len(lab.events), lab.shots, lab.story) == (before, [], None)


def test_the_commands_of_a_story_must_work_and_a_refusal_is_told_in_words(lab, qm):
    lab_error(
        r"QM1 refused ALTER QLOCAL\(NOSUCH\) MAXDEPTH\(1\) in line 2: AMQ8147",
        qm.mqsc("DEFINE QLOCAL(MORE)\nALTER QLOCAL(NOSUCH) MAXDEPTH(1)").require,
    )
    assert [outcome(qm.put, "SMALL", "x") for _ in range(3)] == ["no error", "no error", "2053 MQRC_Q_FULL"]
