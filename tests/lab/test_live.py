"""The engine of a live page: what a page asks, it answers as the lab itself does, and a change makes a future."""

import base64
import gzip
import json

import pytest

from helpers import says, scenario_lab
from mqlab.lab.live import LivePage

CUT = "lab.cut('DEPOT', 'SHOP')"


class Asker:
    """A page with a scenario, and what it asks."""

    def __init__(self, name):
        self.page = LivePage()
        self.shown = self.ask("tell", name=name)

    def ask(self, ask, **values):
        answer = json.loads(self.page.answer(json.dumps({"ask": ask, **values})))
        return answer["found"] if "found" in answer else answer["refused"]

    def step(self, us):
        return next(n for n, step in enumerate(self.page.steps.steps) if step.time_us >= us)


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


@pytest.fixture
def told():
    """The page of a scenario in which a link is cut later."""
    return Asker("channel-retrying")


@pytest.fixture
def lab():
    return scenario_lab("channel-retrying")


def rows(lab):
    return "".join(f"{json.dumps(event._asdict(), default=bytes.hex)}\n" for event in lab.events)


def test_a_change_is_a_branch_of_the_story_and_is_shown_where_it_begins(told, lab):
    step = told.step(100_000)
    offered = told.ask("offer", step=step, object="link:DEPOT|SHOP")
    assert (offered["clock"], offered["object"]["name"]) == ("09:00:00.1", "DEPOT - SHOP (link)")
    assert offered["calls"] == [["cut", CUT], ["fall silent", CUT.replace(")", ", silent=True)")]]
    found = told.ask("do", step=step, call=CUT)
    assert found["futures"] == ["the original story", "09:00:00.1 the link between DEPOT and SHOP is cut"]
    assert unpacked(found["recording"])["steps"]["said"][found["step"]] == "the link DEPOT - SHOP was cut"
    assert "the story ends there" not in found["html"], "although it cuts the link, too"
    other = lab.branch(100_000, lambda lab: lab.cut("DEPOT", "SHOP"))
    assert told.ask("log") == rows(other)
    race = unpacked(told.ask("compare")["race"])
    assert (race["names"], told.ask("show", number=0)["recording"]) == (found["futures"], told.shown["recording"])


def test_a_story_that_cannot_go_on_says_why(told):
    found = told.ask("mqsc", step=told.step(100_000), qmgr="SHOP", text="ALTER QREMOTE(ORDERS) PUT(DISABLED)")
    says(found["html"], "a later step of the story fails, and the story ends there", "2051")


def test_a_question_and_a_refusal_make_no_future(told):
    step = told.step(1_000_000)
    offered = told.ask("offer", step=step, object="DEPOT/ORDERS.IN", message=1)
    asked = [call for label, call in [*offered["calls"], *offered["message"]] if label.startswith(("why", "history"))]
    cards = {call: told.ask("do", step=step, call=call) for call in asked}
    assert len(cards) == 4
    assert all(set(card) == {"call", "html"} for card in cards.values())
    assert "order" in told.ask("do", step=step, call="lab.explain(1)")["html"].lower()
    assert "CURDEPTH" in told.ask("mqsc", step=step, qmgr="SHOP", text="DISPLAY QLOCAL(DEPOT) CURDEPTH")["html"]
    assert "Choose a queue to send messages to" in told.ask("traffic", step=step, object="SHOP", rate=1, seconds=1)
    assert "poison" in told.ask("tell", name="poisn")


def test_from_a_future_one_goes_back_and_tries_another_thing(told, lab):
    def at(us, call, object=""):
        told.ask("offer", step=told.step(us), object=object, body="more")
        return told.ask("do", step=told.step(us), call=call)

    queue = "SHOP/DEPOT"
    at(100_000, "lab['SHOP'].stop_program('CHANNEL.INITIATOR')")
    at(5_000_000, "lab['SHOP'].put('DEPOT', b'more')", queue)
    assert [each.split(" ")[0] for each in told.page.futures[2].words.split("; ")] == ["09:00:00.1", "09:00:05"]
    found = at(100_000, CUT)
    assert found["futures"][3] == (
        "09:00:00.1 program CHANNEL.INITIATOR of SHOP is stopped; 09:00:00.1 the link between DEPOT and SHOP is cut"
    )
    other = lab.branch(100_000, lambda lab: lab["SHOP"].stop_program("CHANNEL.INITIATOR"))
    assert told.ask("log") == rows(other.branch(100_000, lambda lab: lab.cut("DEPOT", "SHOP")))


def test_a_stopped_queue_manager_is_drawn_with_the_calls_that_fail():
    told = Asker("expired-fill")
    step = told.step(100_000_000)
    told.ask("offer", step=step)
    assert told.ask("do", step=step, call="lab['SHOP'].stop()")["shown"] == 1
    assert {row.reason for row in told.page.lab.events} >= {2059}


def test_time_passes_from_the_moment_shown_and_the_story_goes_on_if_it_must(told):
    end = told.page.lab.now_us
    assert "recording" not in told.ask("advance", step=0, seconds=10)
    found = told.ask("advance", step=told.step(end), seconds=100)
    assert told.page.lab.now_us == end + 100_000_000
    assert found["until"] == len(unpacked(found["recording"])["steps"]["kind"]) - 1
    last = len(told.page.steps.steps) - 1
    assert told.ask("offer", step=last)["clock"] == "09:07:17", "and not when the last event was"
    sent = told.ask("traffic", step=last, object="SHOP/ORDERS", rate=2, seconds=10)
    assert sum(row.kind == "put" for row in told.page.lab.events[-200:] if row.time_us >= end + 100_000_000) >= 20
    assert sent["step"] > last
