"""The lines of the picture: at each moment those that are there, and how each stands."""

import re

import pytest

from helpers import says, scenario_lab
from mqlab import Lab
from mqlab.views import lab_picture
from mqlab.views.drawing.topology import facts_of
from mqlab.views.player.player_steps import PlayerSteps

BACKOUT, ASKS = "edge:QM1/ORDERS>QM1/BAD:backout", "edge:QM1/ORDERS>QM1/INITQ:initq"
READS = "edge:QM1/ORDERS>QM1/app:BILLING:gets"


@pytest.fixture(scope="module")
def lab():
    """A queue that gets its reader, its backout queue, and its triggering one after the other, and loses them."""
    lab = Lab()
    qm = lab.queue_manager("QM1")

    def shot(title, commands=""):
        if commands:
            qm.mqsc(commands).require()
        lab.advance(1)
        lab.shot(title)
        lab.advance(1)

    shot("defined", "DEFINE QLOCAL(INITQ)\nDEFINE QLOCAL(BAD)\nDEFINE QLOCAL(ORDERS) MAXDEPTH(9)")
    qm.put("ORDERS", b"1")
    qm.connect("BILLING").get("ORDERS")
    shot("read")
    shot("named", "ALTER QLOCAL(ORDERS) BOQNAME(BAD) INITQ(INITQ) TRIGGER")
    shot("switched off", "ALTER QLOCAL(ORDERS) NOTRIGGER GET(DISABLED)")
    qm.mqsc("DEFINE SUB(S) TOPICSTR('news/today') DEST(BAD)").require()
    shot("subscribed")
    return lab


@pytest.fixture(scope="module")
def at(lab):
    """What is true, and the picture, at the shot of a title."""
    recording = PlayerSteps(lab)
    numbers = {step.said: number for number, step in enumerate(recording.steps) if step.kind == "shot"}
    return lambda title: (recording.facts_at(numbers[title]), recording.picture(numbers[title]).svg)


def said_of(svg, *ends):
    """The titles of the lines that tell of two names."""
    return [t for t in re.findall(r'<g class="line"[^>]*><title>(.*?)</title>', svg) if all(end in t for end in ends)]


def test_a_line_and_a_topic_are_there_from_the_row_that_brings_them_also_in_a_still_picture(at, lab):
    facts, svg = at("defined")
    assert (facts[READS], facts[BACKOUT], facts[ASKS]) == (None, None, None)
    assert not said_of(svg)
    facts, svg = at("read")
    assert (facts[READS], facts[BACKOUT], said_of(svg)) == (True, None, ["ORDERS is read by BILLING"])
    assert not said_of(lab_picture(lab, 1).svg)
    assert said_of(lab_picture(lab).svg, "BILLING")
    topic = "news/today"
    for title, there in (("switched off", None), ("subscribed", True)):
        facts, svg = at(title)
        assert facts[f"QM1/topic:{topic}"] is there
        assert (topic in svg) is bool(there)


def test_a_backout_queue_is_one_once_it_is_named_and_what_inhibits_and_notrigger_end_at_a_bar(at):
    assert "backout queue" not in at("read")[1]
    facts, svg = at("named")
    assert facts[BACKOUT] is True
    [said] = said_of(svg, "ORDERS", "BAD")
    assert "has the backout queue BAD; a program moves messages there, the queue manager does not" in said
    assert "moved by a program" in svg
    assert 'class="bar"' not in svg
    facts, svg = at("switched off")
    assert facts[ASKS] is False
    assert said_of(svg, "ORDERS has NOTRIGGER")
    assert said_of(svg, "BILLING", "ORDERS has GET(DISABLED)")
    assert svg.count('class="bar"') == 2


def test_a_program_that_has_ended_and_the_key():
    lab = scenario_lab("poison")
    recording = PlayerSteps(lab)
    last = len(recording.steps) - 1
    facts, picture = recording.facts_at(last), recording.picture(last)
    assert (facts["SHOP/app:PACKER"], facts["SHOP/app:TRIGGER.MONITOR"]) == (False, True)
    assert said_of(picture.svg, "PACKER has ended")
    assert "its program or channel does not run" in picture.key
    assert facts_of(recording.frame(last))["SHOP/app:PACKER"] is False


def test_a_device_joins_queues_once_and_its_home_server_queue_fetches():
    lab = scenario_lab("van-out-of-reach")
    recording = PlayerSteps(lab)
    plan = recording.outline
    assert {(e.source, e.target, e.kind) for e in plan.edges} == {
        ("VAN/POSITION@OFFICE", "OFFICE/POSITION", "transmits"),
        ("VAN/REPORTS@OFFICE", "OFFICE/REPORTS", "transmits"),
        ("VAN/FORWARD@OFFICE", "OFFICE/FORWARD", "pulls"),
        ("VAN/FORWARD@OFFICE", "VAN/JOBS", "delivers"),
    }
    assert not plan.programs  # VAN is one thing: the queue manager
    picture = recording.picture(len(recording.steps) - 1)
    assert said_of(picture.svg, "FORWARD@OFFICE fetches messages from FORWARD")
    says(picture.svg, "fetches", "VAN · queue manager")
    ways = {way for step in recording.steps for way in step.ways}
    assert {"OFFICE/FORWARD>VAN/FORWARD@OFFICE", "VAN/REPORTS@OFFICE>OFFICE/REPORTS"} <= ways
