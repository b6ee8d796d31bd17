"""The panel in JupyterLab, by keyboard and mouse without a network: what is shown is what the lab's states say."""

import inspect

import pytest
from browser.lab_pages import run_notebook

from helpers import north_and_hub
from mqlab import Lab

pytestmark = pytest.mark.browser
CELL = """
from mqlab import Lab
lab = Lab(start="2025-01-06T10:00:00Z")
lab.play(story)
panel = lab.panel()
panel
"""
IN_THE_PANEL = ".jp-OutputArea .mqlab-panel"
STAGE = f"{IN_THE_PANEL} .mq-picture svg"


def story(lab):
    """Ten orders over a link, one every half minute."""
    till = north_and_hub(lab)[0].connect("TILL")
    for _ in range(10):
        till.put("ORDERS", b"an order")
        lab.advance(30)


def told():
    """The same lab as in the notebook."""
    lab = Lab(start="2025-01-06T10:00:00Z")
    lab.play(story)
    return lab


@pytest.fixture(scope="module")
def lab_page(shared_visit, workspace, jupyter):
    """JupyterLab with the notebook run."""
    source = inspect.getsource(north_and_hub) + inspect.getsource(story) + CELL
    page = shared_visit.page
    run_notebook(page, jupyter, workspace, "panel-test", source)
    page.wait_for_selector(STAGE, timeout=120_000)
    page.wait_for_selector(f"{IN_THE_PANEL} .mqlab-said code")
    yield page
    assert shared_visit.outside == []


def test_it_is_there_and_the_still_pictures_are_put_away(lab_page):
    page = lab_page
    assert page.locator(".mqlab-first").first.is_hidden()
    assert page.locator(f"{IN_THE_PANEL} .mqlab-faults button").count() > 5
    assert "10:04:30.05" in page.locator(f"{IN_THE_PANEL} .mq-when").first.inner_text()


def test_stepping_by_mouse_and_keyboard_shows_the_frames(lab_page):
    page, lab = lab_page, told()
    page.click(f"{IN_THE_PANEL} .mq-first")
    place = f"() => document.querySelector('{IN_THE_PANEL} .mq-range').value"
    page.wait_for_function(f"() => document.querySelector('{IN_THE_PANEL} .mq-range').value === '0'")
    page.click(f"{IN_THE_PANEL} .mq-step")
    assert page.evaluate(place) == "1"
    page.locator(f"{IN_THE_PANEL} .mq-frame").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(place) == "2"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(place) == "1"
    page.keyboard.press("End")
    depth = lab.state().queue("HUB", "ORDERS.IN").depth
    assert depth == 10
    page.locator(f'{STAGE}[aria-label*="{depth} messages on 1 queue"]').first.wait_for()


def test_a_command_in_the_console_is_answered_and_changes_the_picture(lab_page):
    page = lab_page
    assert "BRAND.NEW" not in page.locator(STAGE).first.inner_html()
    prompt = page.get_by_label("MQSC commands")
    prompt.click()
    page.keyboard.type("DEFINE QLOCAL(BRAND.NEW)")
    cells = page.locator(".jp-Cell").count()
    page.keyboard.press("Control+Enter")
    page.get_by_text("AMQ8006I").first.wait_for(timeout=90_000)
    page.wait_for_function(
        f"() => document.querySelector('{STAGE}')?.textContent.includes('BRAND.NEW')", timeout=90_000
    )
    assert page.locator(".jp-Cell").count() == cells
    page.locator(".mqlab-done", has_text="lab['NORTH'].mqsc('DEFINE QLOCAL(BRAND.NEW)')").wait_for()
    prompt.fill("DISPLY QMGR")
    page.get_by_role("button", name="run", exact=True).click()
    page.get_by_text("is not an MQSC verb").wait_for()


def test_in_the_past_the_link_is_cut_in_a_branch_and_the_futures_stand_side_by_side(lab_page):
    page, lab = lab_page, told()
    page.locator(f"{IN_THE_PANEL} .mq-range").first.evaluate(
        """(range, at) => { range.value = at; range.dispatchEvent(new Event("input", { bubbles: true })) }""",
        str(int(page.locator(f"{IN_THE_PANEL} .mq-range").first.get_attribute("max")) * 2 // 3),
    )
    page.get_by_text("in the past").wait_for()
    switch = page.locator(".mqlab-faults").get_by_role("button", name="cut", exact=True)
    said = page.locator(".mqlab-said code", has_text="lab.cut('HUB', 'NORTH')").first
    for _ in range(30):  # the switches are drawn again for the past moment: what had the focus may be another one's now
        switch.blur()
        switch.focus()
        page.wait_for_timeout(500)
        if said.is_visible():
            break
    said.wait_for()
    page.keyboard.press("Enter")
    futures = page.locator(".mqlab-comparing")
    futures.first.wait_for(timeout=60_000)
    futures.locator(".mq-picture svg").nth(1).wait_for(timeout=90_000)
    assert futures.locator(".mq-scores td", has_text="?").count() >= 12, "the prediction is asked first"
    assert futures.get_by_role("slider").first.is_disabled()
    futures.get_by_role("button", name="Show it").click()
    futures.get_by_text("Differences at the end").click()
    shown = page.locator(".mqlab-done").inner_text().splitlines()[-1]
    at_us = int(shown.split("lab.branch(")[1].split(",")[0])
    other = lab.branch(at_us, lambda lab: lab.cut("HUB", "NORTH"))
    for place in (("HUB", "ORDERS.IN"), ("NORTH", "HUB")):
        depths = [one.state().queue(*place).depth for one in (lab, other)]
        row = futures.locator("tr", has=page.locator(f"th:text-is('{place[1]} of {place[0]}')")).first
        assert row.locator("td").all_inner_texts() == [str(depth) for depth in depths]
    slider = futures.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.mqlab-comparing .mq-picture svg')].length === 2"
        " && document.querySelectorAll('.mqlab-comparing .mq-picture svg')[1].textContent.includes('is cut')",
        timeout=90_000,
    )
    ours, theirs = futures.locator(".mq-picture svg").all_text_contents()
    assert "is cut" not in ours
    assert "is cut" in theirs
    assert "is cut" not in page.locator(STAGE).first.inner_html(), "the lab itself stays as it is"
    page.get_by_role("button", name="close", exact=True).click()
    futures.first.wait_for(state="detached")


def test_at_the_end_the_switch_cuts_the_link_and_the_picture_says_so(lab_page):
    page = lab_page
    page.click(f"{IN_THE_PANEL} .mq-last")
    page.get_by_text("in the past").wait_for(state="detached")
    page.locator(".mqlab-faults").get_by_role("button", name="cut", exact=True).click()
    page.wait_for_function(f"() => document.querySelector('{STAGE}').textContent.includes('is cut')", timeout=90_000)
    page.locator(".mqlab-faults").get_by_role("button", name="restore", exact=True).wait_for()
