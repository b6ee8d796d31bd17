"""An incident in JupyterLab, repaired by keyboard alone."""

import pytest
from browser.lab_pages import open_notebook, run_all, write_notebook

pytestmark = pytest.mark.browser
DESK = ".jp-OutputArea .mqlab-incident"


def test_an_incident_is_repaired_by_keyboard_alone(shared_visit, workspace, jupyter, serious):
    source = 'from mqlab import course\ncourse.incident(5, "stores")'
    write_notebook(workspace / "notebooks" / "incident-test.ipynb", source)
    page = shared_visit.page
    open_notebook(page, jupyter, "notebooks/incident-test.ipynb", "incident")
    run_all(page)
    desk = page.locator(DESK).first
    desk.locator(".mq-picture svg").first.wait_for(timeout=120_000)
    assert serious(page, DESK) == []

    def says(words):
        desk.get_by_text(words).first.wait_for(timeout=30_000)

    def run(command):
        page.get_by_label("MQSC commands").focus()
        page.keyboard.type(command)
        page.keyboard.press("Enter")

    def press(name):
        desk.get_by_role("button", name=name).focus()
        page.keyboard.press("Enter")

    assert "without a confirmation" in desk.inner_text()
    assert "NOTRIGGER" not in desk.inner_text()
    map_of = desk.locator(".map .mq-picture svg").first
    map_of.get_by_text("DEPOT", exact=True).first.dblclick()
    map_of.get_by_text("ORDERS.IN", exact=True).first.wait_for(timeout=60_000)
    assert "has NOTRIGGER" not in map_of.inner_html(), "an operator finds it by DISPLAY"
    run("depot")
    says("open: 0 minutes, 0 commands")
    says("Commands go to DEPOT now.")
    run("DISPLAY QLOCAL(ORDERS.IN) TRIGGER")
    says("open: 1 minute, 1 command")
    says("open: 1 minute, 1 command")
    page.wait_for_timeout(3000)  # the map plays on
    assert "has NOTRIGGER" in map_of.inner_html()
    press("Read error log")
    says("AMQ8024I")
    press("Show hint")
    says("open: 7 minutes, 1 command, 1 hint")
    run("ALTER QLOCAL(ORDERS.IN) TRIGGER")
    says("open: 8 minutes, 2 commands, 1 hint")
    assert desk.locator(".log > div").count() == 5, "all replies are there"
    press("Report repaired")
    says("Repaired: 8 minutes, 2 commands, 1 hint")
    says("An expert's way: 3 minutes, 3 commands")
    assert serious(page, DESK) == []
    press("Show replay")
    desk.locator(".mq-duel .mq-picture svg").nth(1).wait_for(timeout=120_000)
