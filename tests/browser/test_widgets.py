"""Widgets in JupyterLab: the stage is at the step of its kernel, and an incident and two futures need no mouse."""

import pytest
from browser.lab_pages import run_notebook

pytestmark = pytest.mark.browser
STORY = """\
from ipywidgets import Label, dlink
from mqlab import Lab
from mqlab.views.widgets import Stage

lab = Lab()
qm = lab.queue_manager("QM1")
qm.mqsc("DEFINE QLOCAL(ORDERS)")
lab.shot("Two orders", "The second has three seconds to live.")
qm.put("ORDERS", b"1")
qm.put("ORDERS", b"2", expiry=30)
lab.advance(5)
stage = Stage(lab, title="Two orders")
label = Label()
dlink((stage, "position"), (label, "value"), lambda n: f"the kernel is at {n}: {stage.row.said}")
display(label, stage)
"""


def test_the_page_and_the_kernel_are_at_the_same_step(visit, jupyter, workspace):
    page = visit.page
    run_notebook(page, jupyter, workspace, "stage", STORY)
    frame = page.locator(".mq-frame")
    frame.wait_for(state="visible", timeout=60_000)
    page.get_by_text("the kernel is at 0").wait_for()
    page.click(".mq-step")
    page.get_by_text("the kernel is at 1").wait_for()
    frame.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("the kernel is at 2").wait_for()
    cells = page.locator(".jp-Cell").count()
    for key in ("a", "b", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert page.locator(".jp-Cell").count() == cells, "a and b would make cells, were the notebook to have them"
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("Space")
    page.get_by_text("the kernel is at 3: message 2").wait_for(timeout=90_000)
    assert page.get_by_text("stays on the queue and still counts").count() >= 1
    assert page.locator(".mq-call").inner_text() in ("panel.play()", "panel.pause()")
    assert visit.outside == []


DESK = ".jp-OutputArea .mqlab-incident"


def test_an_incident_is_repaired_by_keyboard_alone(visit, jupyter, workspace, serious):
    page = visit.page
    run_notebook(page, jupyter, workspace, "incident", 'from mqlab import course\ncourse.incident(5, "stores")')
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
    page.wait_for_function(f"document.querySelector('{DESK} .map .mq-picture svg').innerHTML.includes('has NOTRIGGER')")
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


CELLS = [
    '%load_ext mqlab\nfrom mqlab import Lab\nlab = Lab()\nqm = lab.queue_manager("TAXI")\n'
    '_ = qm.mqsc("DEFINE QLOCAL(CALLS)")\n_ = qm.put("CALLS", "to the station", expiry=50)',
    "%%predict 02/deadline\nTen seconds pass.\n\nWhat is CURDEPTH?\n\n"
    'number 0 to 3 = qm.depth("CALLS") + 2\n---\nlab.advance(10)',
]


def test_a_wrong_answer_opens_both_futures(visit, jupyter, workspace, serious):
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    run_notebook(page, jupyter, workspace, "both", *CELLS)
    asked = page.locator(".mqlab-predict.live")
    right, wrong = (asked.locator(f'[data-value="{depth}"]') for depth in (3, 2))
    right.press("Enter")
    assert asked.get_by_role("button", name="Show me both").count() == 0
    asked.get_by_role("button", name="Ask me again").press("Enter")
    wrong.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Show me both"
    page.keyboard.press("Enter")
    here, imagined = (asked.get_by_role("region", name=name, exact=True) for name in ("IBM MQ", "Imagined"))
    imagined.get_by_text("empty").wait_for()
    assert "The expired order is still on ORDERS" in here.inner_text()
    assert imagined.inner_text().startswith("Imagined")
    assert "In your world, the queue manager removes the order" in imagined.inner_text()
    edges = [each.evaluate("e => getComputedStyle(e).borderTopStyle") for each in (here, imagined)]
    assert edges == ["solid", "dashed"], "the imagined one is marked by more than color"
    badges = [each.locator(".differs-word").all_text_contents() for each in (here, imagined)]
    assert badges == [["+1 message"], ["−1 message"]]
    asked.get_by_role("slider").press("ArrowLeft")
    asked.get_by_role("button", name="Where they part").press("Enter")
    assert "09:00:05.000" in asked.locator(".mq-duel > .mq-controls output").inner_text()
    assert [fault for fault in serious(page) if "mq-" in fault[1]] == []
    assert visit.outside == []
