"""Notebooks in JupyterLab: what the tests of several pages do with them."""

import json

FIRST = "/lab/tree/notebooks/00-start-here.ipynb"
"""The page that `mqlab lab` opens."""


def write_notebook(path, *cells, tags=()):
    """Write a notebook of these cells of code, the first of which has these tags."""
    made = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {} if number or not tags else {"tags": [*tags]},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(book), encoding="utf-8")


def open_notebook(page, jupyter, path, name):
    """Open a notebook in a JupyterLab workspace of its own, in which nothing of another test is open."""
    page.goto(jupyter.replace(FIRST, f"/lab/workspaces/{name}/tree/{path}"), wait_until="domcontentloaded")
    page.wait_for_selector(".jp-NotebookPanel .jp-Notebook .jp-Cell")


def run_notebook(page, jupyter, workspace, name, *cells):
    """Write a notebook of these cells, open it, and run them."""
    write_notebook(workspace / "notebooks" / f"{name}.ipynb", *cells)
    open_notebook(page, jupyter, f"notebooks/{name}.ipynb", name)
    run_all(page)


def run_all(page):
    """Run every cell by the menu, once the kernel answers."""
    page.get_by_text("| Idle").first.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()


def wait_for_cells(page):
    """Wait until no cell runs or waits to run."""
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))"
    )


def run_to_the_end(page):
    """Run every cell by the menu, and wait for the last."""
    run_all(page)
    page.wait_for_timeout(1500)
    wait_for_cells(page)


def bring(page, locator):
    """Bring something into view in a notebook that only draws what is near: if it is not, from the top, a screen at a
    time."""
    box = page.locator(".jp-WindowedPanel-outer").first
    if not locator.count():
        box.evaluate("e => e.scrollTo(0, 0)")
    for _ in range(200):
        if locator.count():
            locator.first.scroll_into_view_if_needed()
            return locator.first
        at_end = box.evaluate(
            "e => { const y = e.scrollTop; e.scrollBy(0, e.clientHeight * .6); return e.scrollTop === y }"
        )
        page.wait_for_timeout(250)
        if at_end and not locator.count():
            break
    raise AssertionError(f"{locator} is nowhere in the notebook")
