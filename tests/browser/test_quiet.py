"""A page that is quiet, in JupyterLab at 1280 by 900 with its side bar open: success, folded cells, nothing cut."""

import pytest
from browser.lab_pages import bring, open_notebook, run_to_the_end, wait_for_cells, write_notebook

from mqlab.course.exercises.bank import EXERCISES

pytestmark = pytest.mark.browser


def opened(visit, jupyter, path):
    """A notebook in a JupyterLab workspace of its own."""
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    name = path.rpartition("/")[2].removesuffix(".ipynb")
    open_notebook(page, jupyter, path, f"quiet-{name}")
    page.get_by_text("| Idle").first.wait_for()
    return page


def test_the_first_click_shows_a_queue_and_no_settings(visit, jupyter):
    page = opened(visit, jupyter, "notebooks/00-start-here.ipynb")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".jp-OutputArea").get_by_role("button", name="Put", exact=True).click(timeout=90_000)
    assert "spark = False" not in page.locator(".jp-Notebook").inner_text()
    assert page.get_by_role("button", name="Start", exact=True).count() == 0, "it would run past a question"
    for _ in range(8):  # from the button on, and the cells after the game: the folded input of a question is not seen
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(200)
    wait_for_cells(page)
    bring(page, page.locator(".mqlab-predict.live"))
    assert page.locator(".jp-Cell:has(.mqlab-predict) .jp-InputPlaceholder:visible").count() == 0


CELLS = [
    "%load_ext mqlab\nfrom mqlab import Lab, estates\nlab = Lab()\nqm = lab.queue_manager('QM1')",
    "route = estates.read('../datasets/clinic-estate').route('BED.QUERY', at='WARD1')\nroute",
    "route.picture()",
    """%%predict 00/depth
How many messages are on ORDERS?

number 0 to 3 = qm.depth("ORDERS")
---
reply = qm.mqsc("DEFINE QLOCAL(ORDERS)"), "a line of an experiment that is longer than the page is wide"
for order in ("tea", "jam"):
    qm.put("ORDERS", order)
lab.events[-4:]""",
    "print('a printed line that is longer than the page is wide, where a monitor starts BOOKING, ' * 2)",
]
CUT = """() => [...document.querySelectorAll(".jp-Notebook .jp-Cell *")].filter(e => e.clientWidth > 1
  && e.scrollWidth > e.clientWidth + 1 && /auto|scroll|hidden/.test(getComputedStyle(e).overflowX))
  .map(e => `${e.className}: ${e.scrollWidth} > ${e.clientWidth}`)"""


def test_nothing_is_cut_and_skip_is_not_the_first_thing_from_below(visit, jupyter, workspace):
    write_notebook(workspace / "notebooks" / "wide.ipynb", *CELLS)
    page = opened(visit, jupyter, "notebooks/wide.ipynb")
    run_to_the_end(page)
    bring(page, page.locator(".mqlab-predict.live .pick"))
    below = page.locator(".jp-CodeCell").last
    below.locator(".jp-OutputArea").click()
    below.focus()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        focused = page.evaluate("[document.activeElement.className, document.activeElement.textContent]")
        if focused[0] in ("pick", "quiet"):
            break
    assert focused == ["pick", "3"], "an answer, and not Skip"
    page.locator(".mqlab-predict.live .pick").nth(2).click()
    bring(page, page.locator(".mqlab-predict.live .mqlab-table", has_text="What happened"))
    assert page.evaluate(CUT) == []
    bring(page, page.locator(".mqlab-picture"))
    assert page.evaluate(CUT) == []
    breaks = page.locator(".jp-OutputArea-output pre").last.evaluate("e => getComputedStyle(e).wordBreak")
    assert breaks == "normal"


LOOK = """e => { const edge = getComputedStyle(e), sign = getComputedStyle(e.querySelector(".head"), "::before");
  return [edge.borderLeftColor, edge.borderLeftStyle, sign.content, sign.borderRadius] }"""


def test_success_looks_like_success_and_its_button_opens_the_next_exercise(visit, jupyter, workspace, serious):
    page = opened(visit, jupyter, EXERCISES["Q01"].file)
    run_to_the_end(page)
    card = page.locator(".jp-OutputArea .mqlab-card", has=page.locator(".where", has_text="check"))
    not_yet = bring(page, card.and_(page.locator(".yet"))).evaluate(LOOK)
    bring(page, page.locator(".jp-CodeCell .cm-content", has_text="* your commands")).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(EXERCISES["Q01"].answer)
    run_to_the_end(page)
    done = bring(page, card.and_(page.locator(".done")))
    look = done.evaluate(LOOK)
    assert look[2].startswith('"✓"')
    assert all(before != after for before, after in zip(not_yet[:3], look[:3], strict=True)), "color, edge, and sign"
    assert EXERCISES["Q01"].meaning in done.inner_text()
    assert "ALTER QLOCAL(ORDERS) MAXDEPTH(20)" in done.inner_text()
    assert [fault for fault in serious(page) if "mqlab-card" in str(fault)] == []
    done.get_by_role("link", name="Next: Notebook 02").click()
    page.locator(".jp-NotebookPanel h1", has_text="Message expiry").wait_for()
    assert visit.outside == []
