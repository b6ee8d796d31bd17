"""A wrong answer, the button beside it, and both futures, by keyboard alone."""

import pytest
from browser.lab_pages import open_notebook, run_all, write_notebook

pytestmark = pytest.mark.browser
CELLS = [
    '%load_ext mqlab\nfrom mqlab import Lab\nlab = Lab()\nqm = lab.queue_manager("TAXI")\n'
    '_ = qm.mqsc("DEFINE QLOCAL(CALLS)")\n_ = qm.put("CALLS", "to the station", expiry=50)',
    "%%predict 02/deadline\nTen seconds pass.\n\nWhat is CURDEPTH?\n\n"
    'number 0 to 3 = qm.depth("CALLS") + 2\n---\nlab.advance(10)',
]


def test_a_wrong_answer_opens_both_futures(visit, jupyter, workspace, serious):
    write_notebook(workspace / "notebooks" / "both.ipynb", *CELLS)
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    open_notebook(page, jupyter, "notebooks/both.ipynb", "both")
    run_all(page)
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
    page.wait_for_timeout(500)
    assert "The expired order is still on ORDERS" in here.inner_text()
    assert imagined.inner_text().startswith("Imagined")
    assert "In your world, the queue manager removes the order" in imagined.inner_text()
    edges = [each.evaluate("e => getComputedStyle(e).borderTopStyle") for each in (here, imagined)]
    assert edges == ["solid", "dashed"], "the imagined one is marked by more than color"
    assert [each.locator(".differs-word").all_text_contents() for each in (here, imagined)] == [
        ["+1 message"],
        ["−1 message"],
    ]
    asked.get_by_role("slider").press("ArrowLeft")
    asked.get_by_role("button", name="Where they part").press("Enter")
    assert "09:00:05.000" in asked.locator(".mq-duel > .mq-controls output").inner_text()
    assert [fault for fault in serious(page) if "mq-" in fault[1]] == []
    assert visit.outside == []
