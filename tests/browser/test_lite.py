"""The course in a browser tab: what `make lite` writes plays, runs notebooks and exercises, and asks no other host.

The short form runs one notebook, one exercise, the panel, and an incident; MQLAB_LITE=all runs every notebook and
exercise that a page can run (`make lite-check`).
"""

import json
import os
import threading
from pathlib import Path

import in_page
import pytest

from mqlab.course.exercises import EXERCISES, progress
from mqlab.tools import lite
from mqlab.tools.pyodide import NoPyodide

pytestmark = pytest.mark.browser
ROOT = Path(lite.__file__).parents[2]
ALL = os.environ.get("MQLAB_LITE") == "all"
NOTEBOOKS = ("01-a-queue-and-a-message",) if not ALL else (
    *("01-a-queue-and-a-message", "02-message-expiry", "03-triggering", "04-channels-and-dead-letters"),
    *("05-expiry-on-the-way", "06-shared-queues-and-igq", "07-mobile-edge", "08-reading-an-estate"),
    *("12-myths", "30-be-the-queue-manager", "31-incident"),
)  # fmt: skip
NEEDS_MORE = {"P01", "Y01", "Y02", "Y03", "Y04"}
"""Exercises with Spark or IBM's library, which open with their results."""
TASKS = [id for id in EXERCISES if id not in NEEDS_MORE] if ALL else ["Q01"]

OPENED = """async () => {
    for (let tries = 0; tries < 900; tries++) {
        const shown = [...(window.jupyterapp?.shell?.widgets("main") ?? [])];
        const panel = shown.find((each) => each.content?.widgets?.length);
        if (panel?.sessionContext?.session?.kernel) {
            window.panel = panel; // in a window without focus, no widget is the current one
            await panel.sessionContext.ready;
            const asked = panel.sessionContext.session.kernel.requestExecute({ code: "1" });
            return (await asked.done).content.status;
        }
        await new Promise(done => setTimeout(done, 100));
    }
    return "no kernel";
}"""
RUN_ALL = """async () => {
    const errors = [];
    await jupyterapp.commands.execute("notebook:run-all-cells");
    for (const cell of panel.content.model.cells) {
        if (cell.type === "code" && !cell.executionCount && cell.sharedModel.source) errors.push("not run");
        for (const out of cell.type === "code" ? cell.outputs.toJSON() : [])
            if (out.output_type === "error") errors.push(`${out.ename}: ${out.evalue}`);
    }
    return errors;
}"""
EXECUTE = """async cells => {
    const kernel = panel.sessionContext.session.kernel;
    for (const code of cells) {
        const { content } = await kernel.requestExecute({ code, stop_on_error: true }).done;
        if (content.status !== "ok") return `${content.ename}: ${content.evalue} in ${code.slice(0, 80)}`;
    }
    return "";
}"""


EXECUTE_ALL = """async () => {
    for (const { type, sharedModel: { source } } of panel.content.model.cells) {
        if (type !== "code") continue;
        const { content } = await panel.sessionContext.session.kernel.requestExecute({ code: source }).done;
        if (content.status !== "ok") return `${content.ename}: ${content.evalue} in ${source.slice(0, 80)}`;
    }
    return "";
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address at which the folder is served, built for these tests."""
    out = tmp_path_factory.mktemp("lite")
    try:
        lite.build(ROOT, out, run=False)
    except NoPyodide as why:
        pytest.skip(str(why))
    assert "MB" in lite.size_of(out)
    with lite.served(out) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def opened(visit, address):
    """The function opened(path): the page of a notebook in the lab, once its kernel answers."""

    def opening(path):
        visit.page.goto(f"{address}lab/index.html?path={path}")
        assert visit.page.evaluate(OPENED) == "ok"
        return visit.page

    yield opening
    assert not visit.outside


def book(id):
    """The notebook of an exercise, as JSON."""
    return json.loads((ROOT / "exercises" / EXERCISES[id].file).read_text(encoding="utf-8"))


def cells(id, solve):
    """The code of an exercise's notebook, in a strict kernel without progress, that leaves nothing behind."""
    code = ["".join(cell["source"]) for cell in book(id)["cells"] if cell["cell_type"] == "code"]
    parameters = next(n for n, source in enumerate(code) if "solve = False" in source)
    code[parameters] = code[parameters].replace("solve = False", f"solve = {solve}")
    return ["import os; os.environ['MQLAB_STRICT'] = '1'", *code, "lab = desk = result = None"]


def test_the_front_page_plays_without_a_kernel(visit, address, serious):
    page = visit.page
    page.goto(address)
    page.get_by_role("button", name="Get", exact=True).click()
    assert page.get_by_role("status").first.inner_text().startswith("2033")
    assert serious(page) == []
    links = page.locator('a[href*="path=exercises/"]')
    assert links.count() == len(EXERCISES)
    assert not visit.outside
    assert not visit.errors


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_whole(opened, name):
    assert opened(f"notebooks/{name}.ipynb").evaluate(RUN_ALL) == []


def test_notebooks_run_in_firefox(address, tmp_path):
    version, program = in_page.firefox_version()
    if version < 153:
        pytest.skip(f"no Firefox 153 or newer is on PATH; found {version or 'none'}")
    with in_page.firefox(program, tmp_path) as page:
        for name in NOTEBOOKS:
            page.goto(f"{address}lab/index.html?path=notebooks/{name}.ipynb")
            assert page.evaluate(OPENED) == "ok"
            assert page.evaluate(EXECUTE_ALL) == "", name


def test_exercises_are_refused_and_solved_and_the_progress_is_kept(opened, address, tmp_path):
    page = opened(f"exercises/{EXERCISES[TASKS[0]].file}")
    for id in TASKS:
        for solve in (False, True):
            assert page.evaluate(EXECUTE, cells(id, solve)) == "", f"{id}, solve {solve}"
    page.wait_for_timeout(300)
    page.goto(address)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text("Q01 The queue that refuses orders ✓ done").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my progress").click()
    saved.value.save_as(tmp_path / "ada.jsonl")
    found, bad = progress.read(tmp_path / "ada.jsonl")
    assert not bad
    assert {line["learner"] for line in found} == {"Ada"}
    assert [each.exercise for each in progress.summary(found) if each.done] == TASKS
    page.get_by_label("Load progress").set_input_files(tmp_path / "ada.jsonl")
    page.reload()
    page.get_by_text(f"Done: {len(TASKS)} exercises").wait_for()


def test_the_panel_answers_its_buttons(opened):
    page = opened("notebooks/panel.ipynb")
    assert page.evaluate(RUN_ALL) == []
    panel = page.locator(".jp-OutputArea .mqlab-panel").first
    panel.scroll_into_view_if_needed()
    panel.get_by_role("button", name="Advance").first.click()
    panel.get_by_text("lab.advance(10.0)").first.wait_for()
    panel.get_by_text("lifecycle_chart(lab)").first.wait_for(state="attached")  # the chart needs more than a page has
    panel.locator(".mqlab-faults").get_by_role("button", name="cut", exact=True).first.click()
    panel.get_by_text("✗ cut").first.wait_for()


def test_what_needs_more_than_a_page_says_so(opened):
    page = opened("notebooks/10-event-logs-in-spark.ipynb")
    page.locator("blockquote", has_text="Spark does not run in a browser").wait_for()
