"""How soon the course in a browser tab is there, in seconds, in headless Chromium.

Run with ``make lite-check`` (or ``python -m tools.bench.lite_visits [--quick] [--strict]``). It serves what
`make lite` wrote, and writes it first if it is not there. The bars are those of a quiet machine with two cores. A cold
visit has a profile of its own; on a return visit the browser has been closed and opened again. The last figure is a
ratio: a return visit against Pyodide alone, without JupyterLab, in the same browser.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from mqlab.cli.pyodide import NoPyodide, WrongSum
from mqlab.lab.checkout import OUTPUT
from tools import lite
from tools.bench.measuring import options, report
from tools.chromium import chromium_program
from tools.served import served

ROOT = Path(lite.__file__).parents[1]
NOTEBOOK = "lab/index.html?path=notebooks/library/01-a-queue-and-a-message.ipynb"
FIRST_CELL = """async () => {
    const soon = async (find) => {
        for (;;) {
            const found = find();
            if (found) return found;
            await new Promise(done => setTimeout(done, 20));
        }
    };
    const panel = await soon(() => [...(window.jupyterapp?.shell?.widgets("main") ?? [])]
        .find((each) => each.content?.widgets?.length && each.sessionContext?.session?.kernel));
    const { content } = panel;
    content.activeCellIndex = [...content.model.cells].findIndex(({ type }) => type === "code");
    content.deselectAll();
    await panel.sessionContext.ready;
    await jupyterapp.commands.execute("notebook:run-cell");
    if (!content.activeCell.model.executionCount) throw Error("the first cell did not run");
}"""
"""Runs the first cell of a notebook as a reader does, as soon as its kernel is there."""
ALONE = """async () => {
    const { loadPyodide } = await import(new URL("pyodide.js", location.href).href);
    (await loadPyodide()).runPython("1");
}"""
OPTIONS = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]


@contextmanager
def browser(driver, program: str, profile: Path):
    """A page of a Chromium that keeps its profile."""
    context = driver.chromium.launch_persistent_context(
        profile, executable_path=program, args=[*OPTIONS, "--no-sandbox"], viewport={"width": 1400, "height": 1000}
    )
    try:
        yield context.pages[0]
    finally:
        context.close()


def folder() -> Path:
    """The folder of `make lite`, written if it is not there."""
    out = ROOT / OUTPUT / "lite"
    if not (out / "lab" / "index.html").is_file():
        lite.build(ROOT, out, run=False)
    return out


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, "one visit of each kind", arguments)
    program = chromium_program()
    if program is None:
        print("no Chromium is on PATH, and the visits are not measured")
        return 0
    from playwright.sync_api import Page, sync_playwright

    try:
        out = folder()
    except WrongSum:  # no reason to go on
        raise
    except (NoPyodide, lite.LiteFailed) as why:
        print(f"{why}; the visits are not measured")
        return 0
    server = served(out)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    (place,) = out.glob("static/python-*")

    def front(page: Page) -> None:
        page.goto(address)
        page.locator(".mqlab-desk .mq-picture svg .box").first.wait_for()

    def console(page: Page) -> None:
        page.goto(address)
        page.get_by_label("MQSC commands").fill("DISPLAY QMGR")
        page.keyboard.press("Enter")
        page.locator(".mqlab-desk .log > div").wait_for()

    def notebook(page: Page) -> None:
        page.goto(address + NOTEBOOK)
        page.evaluate(FIRST_CELL)

    def alone(page: Page) -> None:
        page.goto(f"{address}static/{place.name}/pyodide-lock.json")  # a page without a policy of its own
        page.evaluate(ALONE)

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as profiles:
        kept = Path(profiles, "kept")
        numbers = iter(range(1000))

        def taken(visit: Callable[[Page], None], profile: Path) -> float:
            with browser(driver, program, profile) as page:
                begin = perf_counter()
                visit(page)
                return perf_counter() - begin

        def cold(visit: Callable[[Page], None]) -> float:
            return taken(visit, Path(profiles, str(next(numbers))))

        for visit in (front, notebook):  # so that the next one is a return
            taken(visit, kept)
        rounds = 1 if given.quick else 5
        figures = (
            ("the incident of the front page is shown, cold, s", lambda: cold(front), 8, rounds, 2),
            ("its console answers, cold, s", lambda: cold(console), 15, rounds, 2),
            ("the first cell of a notebook, cold, s", lambda: cold(notebook), 15, rounds, 2),
            ("the first cell of a notebook, on a return visit, s", lambda: taken(notebook, kept), 6, rounds, 2),
            ("that visit / Pyodide alone", lambda: taken(notebook, kept) / taken(alone, kept), None, rounds, 0),
        )
        return report(figures, given.strict)


if __name__ == "__main__":
    sys.exit(main())
