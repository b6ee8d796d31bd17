"""Cells in the folder of `make lite` that do not come to their end: interrupted, with a lab that goes on and has the
log of CPython, or stopped by one sentence, because they need what a page cannot have."""

import inspect
import json

import in_page
import pytest

from mqlab import Lab

pytestmark = pytest.mark.browser


DAYS = 900_000
"""The seconds of traffic of the shop."""


def shop():
    """A lab with traffic for days."""
    lab = Lab()
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(999999) CUSTOM('CAPEXPRY(600)')")
    qm.traffic("ORDERS", 1, 900_000)
    qm.traffic("ORDERS", 0.3, 900_000, "OTHERS")
    return lab


IS_WHOLE = """
until = lab.now_us + 30_000_000
lab.advance_to(until)
print(until, digest(lab))
"""
BUTTON = """
from ipywidgets import Button

button = Button(description="Run the lab")
button.on_click(lambda _: lab.run())
button
"""
CELLS = {
    "makes": f"from mqlab import Lab\n{in_page.DIGEST}\n{inspect.getsource(shop)}\nlab = shop()",
    "engine": "lab.run()",
    "whole": IS_WHOLE,
    "moment": "print(lab.now_us)",
    "python": "while True:\n    pass",
    "button": BUTTON,
    "deaf": "sum(range(10**12))",
}
FILLS = """cells => {
    const book = panel.content.model.sharedModel;
    book.addCell({ cell_type: "raw", source: "" });
    while (book.cells.length > 1) book.deleteCell(0);
    for (const [id, source] of Object.entries(JSON.parse(cells)))
        book.addCell({ cell_type: "code", source, metadata: { id } });
}"""
BEGINS = """id => {
    const { content } = panel;
    content.activeCellIndex = [...content.model.cells].findIndex((cell) => cell.getMetadata("id") === id);
    content.deselectAll();
    window.ended = false;
    jupyterapp.commands.execute("notebook:run-cell").then(() => { window.ended = true; });
}"""
ENDED = "async () => { while (!ended) await new Promise(done => setTimeout(done, 50)); }"
LEFT = """id => {
    const cell = [...panel.content.model.cells].find((cell) => cell.getMetadata("id") === id);
    return cell.outputs.toJSON().map((each) => each.text ?? each.ename ?? "").join("");
}"""
ALL_OUTPUTS = """async () => {
    await jupyterapp.commands.execute("notebook:run-all-cells");
    return [...panel.content.model.cells].flatMap((cell) => cell.type === "code" ? cell.outputs.toJSON() : []);
}"""
INTERRUPTS = 'async () => { await jupyterapp.commands.execute("notebook:interrupt-kernel"); }'


@pytest.fixture(scope="module")
def address(lite_address):
    """The address of the notebooks in the lab."""
    return f"{lite_address}lab/index.html?path=notebooks/"


def ran(page, id):
    """Run a cell to its end, and return what it left."""
    page.evaluate(BEGINS, id)
    page.evaluate(ENDED)
    return page.evaluate(LEFT, id)


def is_whole(page):
    """Return whether the lab of the page goes on, with the log that it has in CPython."""
    until, digest = ran(page, "whole").split()
    lab = shop()
    lab.advance_to(int(until))
    return digest == in_page.digest(lab)


def test_the_button_interrupts_a_cell_and_the_lab_goes_on(visit, address):
    page = visit.page
    page.goto(f"{address}library/panel.ipynb")
    page.evaluate(in_page.OPENED)
    page.evaluate(FILLS, json.dumps(CELLS))
    button = page.locator("[data-command='notebook:interrupt-kernel']").first
    bar = page.locator(".mq-loading")
    assert ran(page, "makes") == ""
    for id in ("engine", "python"):
        page.evaluate(BEGINS, id)
        page.wait_for_timeout(1500)
        assert not page.evaluate("ended")
        button.click()
        page.evaluate(ENDED)
        assert "KeyboardInterrupt" in page.evaluate(LEFT, id)
        assert is_whole(page)
    button.click()  # while no cell runs
    assert is_whole(page)
    ran(page, "button")
    begun = int(ran(page, "moment"))
    page.locator(".jupyter-button", has_text="Run the lab").click()
    page.wait_for_timeout(1500)
    button.click()
    stopped = int(ran(page, "moment"))
    assert begun < stopped < DAYS * 1_000_000, "the call of the button began, and did not come to its end"
    assert is_whole(page)

    page.evaluate(BEGINS, "deaf")
    page.wait_for_timeout(500)
    page.locator(".jp-Notebook").focus()
    page.keyboard.press("i")
    page.keyboard.press("i")
    bar.get_by_text("Restart the kernel").wait_for()
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Restart Kernel…").click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    page.wait_for_function("panel.sessionContext.session.kernel.status === 'idle'")
    assert not bar.is_visible()
    assert ran(page, "makes") == ""
    assert is_whole(page)
    assert not visit.outside


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all works in Firefox, too")
def test_firefox_interrupts_a_cell_too(address, firefox):
    page = firefox
    page.goto(f"{address}library/panel.ipynb")
    page.evaluate(in_page.OPENED)
    page.evaluate(FILLS, json.dumps(CELLS))
    assert ran(page, "makes") == ""
    for id in ("engine", "python"):
        page.evaluate(BEGINS, id)
        page.evaluate("() => new Promise(done => setTimeout(done, 1500))")
        page.evaluate(INTERRUPTS)
        page.evaluate(ENDED)
        assert "KeyboardInterrupt" in page.evaluate(LEFT, id)
        assert is_whole(page)


def test_a_cell_that_needs_spark_stops_with_one_sentence_and_a_question_without_it_works(visit, address):
    page = visit.page
    page.goto(f"{address}library/11-what-if-sweeps.ipynb")
    page.evaluate(in_page.OPENED)
    page.locator("blockquote", has_text="Spark does not run in a browser").wait_for()
    asked, *_, refused, error = page.evaluate(ALL_OUTPUTS)
    assert "('ORDERS.IN', " in asked["data"]["text/plain"]
    assert "mqlab-card" in refused["data"]["text/html"]
    assert error["evalue"].startswith("Spark does not run in a browser")
    assert len(error["traceback"]) < 4, "only the last line of Python's"
    assert not visit.outside
