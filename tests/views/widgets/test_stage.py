"""The stage: the player as a widget, driven from Python."""

import gzip
import json
from datetime import timedelta

import pytest

pytest.importorskip("anywidget")

from helpers import lab_error
from mqlab import Lab
from mqlab.views import lab_picture
from mqlab.views.player.player_steps import PlayerSteps
from mqlab.views.widgets import Stage


@pytest.fixture
def busy(lab, qm):
    """A lab with shots, a message that expires and some gets."""
    with lab.shot("First", "Two orders."):
        qm.put("ORDERS", b"1")
        qm.put("ORDERS", b"2", expiry=30)
        lab.advance(5)
        qm.get("ORDERS")
    lab.shot("Then")
    qm.put("FIFO", b"3")
    lab.advance(5)
    return lab


def kinds(stage):
    """What the stage shows: the kind of step and its message."""
    return stage.row.kind, stage.row.message


def test_it_begins_after_the_setup_and_steps_row_by_row(busy):
    stage = Stage(busy)
    assert (stage.position, stage.row.kind) == (0, "begin")
    setup = stage.seq + 1
    assert {row.kind for row in busy.events[:setup]} == {"start", "define"}
    seen = []
    for _ in stage.source.steps:
        stage.step()
        seen.append(stage.seq)
    assert seen[-1] == seen[-2] == len(busy.events) - 1, "it stops at the end"
    assert sorted(set(seen)) == list(range(setup, len(busy.events)))
    stage.back()
    stage.first()
    stage.back()
    assert stage.position == 0
    stage.last()
    assert stage.position == len(stage.source.steps) - 1


def test_it_goes_from_shot_to_shot_and_in_a_lab_without_any_to_what_is_interesting(busy):
    stage = Stage(busy)
    stage.next_interesting()
    assert (stage.row.kind, stage.row.said) == ("shot", "First")
    stage.next_interesting()
    assert stage.row.said == "Then"
    stage.previous_interesting()
    assert stage.row.said == "First"
    busy.shots.clear()
    stage, found = Stage(busy), []
    while stage.position < len(stage.source.steps) - 1:
        stage.next_interesting()
        found.append(kinds(stage))
    assert found[:3] == [("put", 2), ("expire", 2), ("get", 1)], "the last of the puts, and the first get"


def test_following_a_message_stops_at_its_events_alone(busy):
    stage = Stage(busy)
    stage.follow(busy.events.where(kind="put")[0].message)
    seen = [kinds(stage)]
    while stage.position < len(stage.source.steps) - 1:
        stage.next_interesting()
        seen.append(kinds(stage))
    assert seen[:-1] == [("put", 1), ("get", 1)]
    stage.follow()
    assert stage.following == 0
    lab_error("message must be", stage.follow, 99)
    assert (stage.following, stage.position) == (0, len(stage.source.steps) - 1)
    lab_error("this stage shows", Stage(busy, messages=[1]).follow, 2)


def test_it_goes_to_a_moment_or_a_row_and_values_that_cannot_be_are_brought_to_the_nearest_that_can(busy):
    stage = Stage(busy)
    stage.seek("09:00:04")
    assert (kinds(stage), stage.time_us) == (("expire", 2), 3_000_000)
    stage.seek(busy.start + timedelta(seconds=5))
    assert stage.time_us == 5_000_000
    put = busy.events.where(kind="put")[0]
    stage.seek_row(put.seq)
    assert stage.seq == put.seq
    lab_error("moment must be", stage.seek, "lunch")
    assert stage.seq == put.seq
    stage.position = 10**6
    assert stage.position == len(stage.source.steps) - 1
    stage.position = -5
    assert stage.position == 0
    stage.speed = 0
    assert stage.speed == 0.1
    stage.play()
    assert stage.playing
    stage.pause()
    assert not stage.playing


def test_after_the_lab_went_on_only_what_is_new_is_sent_and_everything_after_a_definition(busy, qm):
    stage, changes = Stage(busy), []
    stage.observe(changes.append)
    stage.refresh()
    assert changes == [], "nothing is new"
    stage.last()
    end, sent = stage.position, stage.recording
    qm.put("ORDERS", b"4")
    busy.advance(1)
    stage.refresh()
    assert stage.recording is sent
    assert (stage.position, json.loads(gzip.decompress(stage.more))["since"]) == (end, end + 1)
    stage.step()
    assert kinds(stage) == ("put", 4)
    qm.put("ORDERS", b"5")
    stage.refresh()
    told = json.loads(gzip.decompress(stage.more))
    assert told["steps"]["message"] == [4, 5], "all that came since the recording was sent"
    qm.mqsc("DEFINE QLOCAL(NEW)")
    qm.put("NEW", b"6")
    stage.refresh()
    assert stage.recording != sent
    assert (stage.more, stage.recording) == (b"", PlayerSteps(busy).packed())
    stage.last()
    assert kinds(stage) == ("put", 6)


def test_it_shows_what_was_asked_for_and_a_reader_without_a_kernel_sees_the_picture_of_the_step(busy):
    stage = Stage(busy)
    stage.seek("09:00:01")
    data, _ = stage._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"] == lab_picture(busy, seq=stage.seq)._repr_mimebundle_()["text/html"]
    assert "QM1" in data["text/plain"]
    assert "position" not in repr(stage)
    assert repr(stage).startswith(f"Stage(step {stage.position} of ")
    assert {step.message for step in Stage(busy, messages=[2]).source.steps} == {None, 2}
    lab_error("queue manager must be", Stage, busy, "PARIS")
    assert Stage(Lab()).row.kind == "begin"
