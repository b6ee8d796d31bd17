"""The stage in JupyterLab: page and kernel stay at the same step, and the notebook's keys stay the notebook's."""

import time

import pytest
from browser.lab_pages import open_notebook, run_all, write_notebook

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
    write_notebook(workspace / "notebooks" / "stage.ipynb", STORY)
    open_notebook(page, jupyter, "notebooks/stage.ipynb", "stage")
    run_all(page)
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
    time.sleep(0.5)
    assert page.locator(".jp-Cell").count() == cells, "a and b would make cells, were the notebook to have them"
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("Space")
    page.get_by_text("the kernel is at 3: message 2").wait_for(timeout=90_000)
    assert page.get_by_text("stays on the queue and still counts").count() >= 1
    assert page.locator(".mq-call").inner_text() in ("panel.play()", "panel.pause()")
    assert visit.outside == []
