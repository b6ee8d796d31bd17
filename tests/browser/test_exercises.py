"""The first exercises as a learner does them in JupyterLab: not done, then done by what is typed into the work cell."""

import pytest

from mqlab.course.exercises.bank import EXERCISES

pytestmark = pytest.mark.browser
FIRST = list(EXERCISES)[:3]


def run_all(page):
    """Run every cell by the menu, and wait until the check has answered."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
    page.wait_for_timeout(1500)
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))"
    )


@pytest.mark.parametrize("id", FIRST)
def test_an_exercise_is_not_done_and_then_done_by_what_is_typed(id, visit, jupyter, workspace, bring, build):
    page = visit.page
    [path] = (workspace / "exercises").rglob(f"*{id}-*.ipynb")
    # a JupyterLab workspace of its own: nothing of another test is open in it
    own = jupyter.replace(
        "/lab/tree/notebooks/00-start-here.ipynb", f"/lab/workspaces/{id}/tree/{path.relative_to(workspace)}"
    )
    page.goto(own, wait_until="domcontentloaded")
    page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-Cell")
    page.get_by_text("| Idle").first.wait_for()
    run_all(page)
    verdict = page.locator(".jp-OutputArea .mqlab-card .where", has_text="check")
    assert "not yet" in bring(page, verdict).inner_text()
    page.screenshot(path=build / f"browser-exercise-{id}-before.png")
    first = EXERCISES[id].work.splitlines()[0]
    bring(page, page.locator(".jp-CodeCell .cm-content", has_text=first)).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(EXERCISES[id].answer)
    run_all(page)
    assert bring(page, verdict).inner_text().startswith("done")
    page.screenshot(path=build / f"browser-exercise-{id}-after.png")
    assert visit.outside == []
