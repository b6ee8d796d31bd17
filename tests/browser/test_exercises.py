"""The first exercises as a learner does them in JupyterLab: not done, then done by what is typed into the work cell."""

import pytest
from browser.lab_pages import bring, open_notebook, run_to_the_end

from helpers import THOROUGH
from mqlab.course.exercises.bank import EXERCISES

pytestmark = pytest.mark.browser
FIRST = list(EXERCISES)[: 3 if THOROUGH else 1]


@pytest.mark.parametrize("id", FIRST)
def test_an_exercise_is_not_done_and_then_done_by_what_is_typed(id, visit, jupyter, workspace):
    page = visit.page
    [path] = (workspace / "exercises").rglob(f"*{id}-*.ipynb")
    open_notebook(page, jupyter, path.relative_to(workspace), id)
    run_to_the_end(page)
    verdict = page.locator(".jp-OutputArea .mqlab-card .where", has_text="check")
    assert "not yet" in bring(page, verdict).inner_text()
    first = EXERCISES[id].work.splitlines()[0]
    bring(page, page.locator(".jp-CodeCell .cm-content", has_text=first)).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(EXERCISES[id].answer)
    run_to_the_end(page)
    assert bring(page, verdict).inner_text().startswith("done")
    assert visit.outside == []
