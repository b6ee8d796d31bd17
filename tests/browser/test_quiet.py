"""A page that is quiet, in JupyterLab at 1280 by 900 with its side bar open: success, folded cells, nothing cut."""

import pytest

from mqlab.course.exercises.bank import EXERCISES

pytestmark = pytest.mark.browser


def opened(visit, jupyter, path):
    """A notebook in a JupyterLab workspace of its own."""
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    name = path.rpartition("/")[2].removesuffix(".ipynb")
    page.goto(
        jupyter.replace("/lab/tree/notebooks/00-start-here.ipynb", f"/lab/workspaces/quiet-{name}/tree/{path}"),
        wait_until="domcontentloaded",
    )
    page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-Cell")
    page.get_by_text("| Idle").first.wait_for()
    return page


def run_all(page):
    """Run every cell by the menu, and wait for the last."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
    page.wait_for_timeout(1500)
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))"
    )


def test_the_first_click_shows_a_queue_and_no_settings(visit, jupyter, bring):
    page = opened(visit, jupyter, "notebooks/00-start-here.ipynb")
    page.get_by_role("button", name="Start", exact=True).click()
    bring(page, page.locator(".jp-OutputArea").get_by_role("button", name="Put", exact=True)).click()
    assert "spark = False" not in page.locator(".jp-Notebook").inner_text()
    for _ in range(3):  # the cells after the game: their folded input is not seen once there is a question
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_timeout(1500)
    bring(page, page.locator(".mqlab-predict.live"))
    assert page.locator(".jp-InputPlaceholder:visible").count() == 0


LOOK = """e => { const edge = getComputedStyle(e), sign = getComputedStyle(e.querySelector(".head"), "::before");
  return [edge.borderLeftColor, edge.borderLeftStyle, sign.content, sign.borderRadius] }"""


def test_success_looks_like_success_and_its_button_opens_the_next_exercise(visit, jupyter, workspace, bring, serious):
    page = opened(visit, jupyter, f"exercises/{EXERCISES['Q01'].file}")
    run_all(page)
    card = page.locator(".jp-OutputArea .mqlab-card", has=page.locator(".where", has_text="check"))
    not_yet = bring(page, card.and_(page.locator(".yet"))).evaluate(LOOK)
    bring(page, page.locator(".jp-CodeCell .cm-content", has_text="* your commands")).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(EXERCISES["Q01"].answer)
    run_all(page)
    done = bring(page, card.and_(page.locator(".done")))
    look = done.evaluate(LOOK)
    assert look[2].startswith('"✓"')
    assert all(before != after for before, after in zip(not_yet[:3], look[:3], strict=True)), "color, edge, and sign"
    assert EXERCISES["Q01"].meaning in done.inner_text()
    assert "ALTER QLOCAL(ORDERS) MAXDEPTH(20)" in done.inner_text()
    assert [fault for fault in serious(page) if "mqlab-card" in str(fault)] == []
    done.get_by_role("link", name="Next: Q02").click()
    page.locator(".jp-NotebookPanel h1", has_text=EXERCISES["Q02"].title).wait_for()
    assert visit.outside == []
