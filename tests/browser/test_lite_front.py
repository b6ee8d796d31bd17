"""The front page of the course in a browser tab: the incident of the day, by keyboard."""

import json
from time import perf_counter

import pytest

from mqlab.course.incidents import Incident, of_the_day
from mqlab.course.incidents.desk import Desk

pytestmark = pytest.mark.browser
DAY = "2026-12-06"
COLD = 8
"""Seconds after which the incident must be on the screen of a browser that has never been there."""


def test_the_incident_of_the_day_is_on_the_screen_at_once_and_is_repaired_by_keyboard(visit, lite_address, serious):
    page, incident = visit.page, Incident(of_the_day(DAY))
    page.set_viewport_size({"width": 1280, "height": 900})
    began = perf_counter()
    page.goto(f"{lite_address}?day={DAY}")
    page.get_by_text(incident.pager).first.wait_for()
    page.locator(".mqlab-desk .mq-picture svg .box").first.wait_for()
    seconds = perf_counter() - began
    assert seconds < COLD
    assert page.locator("h1").inner_text() == "Incident of 6 December 2026"
    prompt, note = page.get_by_label("MQSC commands"), page.locator(".mqlab-desk .note")
    prompt.focus()
    steps = [(step.qmgr, " ".join(step.text.split())) for step in incident.expert().steps]
    for qmgr, command in steps[:1]:  # typed while Python loads: it waits
        page.keyboard.type(qmgr.lower())
        page.keyboard.press("Enter")
        page.keyboard.type(command)
        page.keyboard.press("Enter")
    page.locator(".mqlab-desk .log > div:not(.waits)").nth(1).wait_for(timeout=300_000)
    print(f"incident shown after {seconds:.1f} s, console live after {perf_counter() - began:.1f} s")
    assert note.inner_text() == ""
    page.get_by_text("open: 1 minute, 1 command").wait_for()
    for qmgr, command in steps[1:]:
        page.keyboard.type(qmgr)
        page.keyboard.press("Enter")
        page.keyboard.type(command)
        page.keyboard.press("Enter")
    count = len(steps)
    page.get_by_text(f"open: {count} minutes, {count} commands").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"
    assert serious(page) == []
    page.get_by_role("button", name="Report repaired").focus()
    page.keyboard.press("Enter")
    page.get_by_text(f"An expert's way: {count} minutes, {count} commands").wait_for()
    share = page.get_by_label("Your result, without the answer").input_value()
    assert share == f"mqlab, incident of 6 December 2026: repaired, {count} minutes, {count} commands"
    page.wait_for_function("document.activeElement.textContent === 'Show replay'")
    page.keyboard.press("Enter")
    page.locator(".mq-duel .mq-picture svg").nth(1).wait_for()
    assert "your way" in page.locator(".mq-duel").inner_text()
    page.keyboard.press("End")
    assert visit.outside == visit.errors == []


def test_the_page_shows_what_the_desk_answers_and_its_map_goes_back(visit, lite_address):
    page = visit.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{lite_address}?seed=5")
    desk = page.locator(".mqlab-desk")
    first = json.loads(Desk(Incident(5)).answer('{"ask": "show"}'))
    desk.get_by_text(f"Map at {first['clock']}").wait_for()
    assert first["business"] in desk.inner_text()
    page.get_by_label("Moment of the map").focus()
    page.keyboard.press("Home")
    desk.get_by_text("Map at 09:01:00").wait_for()
