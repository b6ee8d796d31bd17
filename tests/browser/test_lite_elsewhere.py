"""The course in a browser tab where something is missing or unusual: other servers, other browsers, no storage.

Each says in a sentence what is missing, and everything else works.
"""

import json

import in_page
import pytest
from browser.conftest import on_loopback

from mqlab.course.exercises import EXERCISES
from tools.served import Files

pytestmark = pytest.mark.browser
INTERRUPTED = """async () => {
    const { kernel } = panel.sessionContext.session;
    const asked = kernel.requestExecute({ code: "print('begins', flush=True)\\nwhile True: pass" });
    asked.onIOPub = ({ content }) => { if (content.text) kernel.interrupt(); };
    const late = new Promise((done) => setTimeout(done, 60_000, { content: { ename: "late" } }));
    return (await Promise.race([asked.done, late])).content.ename;
}"""
WAITS = """
from mqlab import Lab
lab = Lab()
qm = lab.queue_manager("QM1")
qm.mqsc("DEFINE QLOCAL(Q)")
qm.run_program("SERVER", lambda app: app.get("Q", wait=5))
lab.advance(1)
"""
RECORDS = "from mqlab.course.exercises import progress; progress.record('Q01', 'hint', level=1)"
EXERCISE = f"lab/index.html?path={EXERCISES['Q01'].file}"
WITHOUT_STORAGE = """
export const lines = () => Promise.reject(new Error("denied"));
export const added = lines;
export const listen = () => {};
"""


class Isolated(Files):
    """A server with the headers for memory that is shared, which make JupyterLite choose another kernel."""

    def end_headers(self):
        """Add them."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


def opened(page, address):
    """Open a notebook of the lab, and wait for its kernel."""
    page.goto(address)
    assert page.evaluate(in_page.OPENED) == "ok"
    return page


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all tries other servers")
def test_a_server_whose_pages_may_share_memory_changes_nothing(visit, lite_folder):
    with on_loopback(lite_folder, Isolated) as address:
        page = opened(visit.page, f"{address}{EXERCISE}")
        works(page)
    assert not visit.outside


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all tries other servers")
def test_an_address_without_encryption_changes_nothing(visit, lite_address):
    page = opened(visit.page, f"{lite_address.replace('127.0.0.1', 'course.test')}{EXERCISE}")
    assert not page.evaluate("isSecureContext"), "as in the network of a classroom"
    works(page)
    page.goto(lite_address.replace("127.0.0.1", "course.test"))
    page.get_by_text("Exercises done: 0.").wait_for()
    assert not visit.outside


def works(page):
    """Read a file, keep progress, and interrupt a cell."""
    assert page.evaluate(in_page.ANSWERS, "import os; os.path.exists('../datasets/retail-estate.mqsc')") == "True"
    assert page.evaluate(in_page.ANSWERS, RECORDS) == ""
    assert "KeyboardInterrupt" in page.evaluate(INTERRUPTED)
    assert page.evaluate(in_page.ANSWERS, "1 + 1") == "2"


def test_without_stack_switching_an_exercise_works_and_a_wait_names_browsers(visit, lite_address):
    visit.page.context.route("**/worker.js", without_stack_switching)
    page = opened(visit.page, f"{lite_address}{EXERCISE}")
    book = json.loads(page.evaluate("JSON.stringify(panel.content.model.toJSON())"))
    code = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    for solve in (False, True):
        for source in code:
            said = page.evaluate(in_page.ANSWERS, source.replace("solve: bool = False", f"solve = {solve}"))
            assert "Error" not in said
    assert "Chrome or Edge 137, Firefox 153, Safari 27" in page.evaluate(in_page.ANSWERS, WAITS)
    assert not visit.outside


def without_stack_switching(route):
    """The worker of a kernel, in a browser that cannot switch stacks."""
    text = route.fetch().text()
    first = "await 0; delete WebAssembly.Suspending; delete WebAssembly.promising;"
    imports = text.replace('import { begin } from "./kernel.js";', 'const { begin } = await import("./kernel.js");')
    route.fulfill(content_type="text/javascript", body=f"{first}\n{imports}")


def test_a_browser_that_keeps_no_progress_says_so(visit, lite_address):
    page = visit.page
    page.context.route(
        "**/progress.js", lambda route: route.fulfill(content_type="text/javascript", body=WITHOUT_STORAGE)
    )
    page.goto(lite_address)
    told = page.get_by_text("This browser cannot keep progress (denied).")
    told.wait_for()
    told.evaluate("e => { e.textContent = '' }")
    page.get_by_role("button", name="Save my progress").click()
    told.wait_for()
    opened(page, f"{lite_address}{EXERCISE}")
    page.get_by_text("This browser cannot keep your progress (denied). It is lost when you close the tab.").wait_for()
    assert page.evaluate(in_page.ANSWERS, RECORDS) == ""
    assert page.evaluate(in_page.ANSWERS, "len(progress.read()[0])") == "1", "until the tab is closed"


def test_a_kernel_that_cannot_start_says_why(visit, lite_address):
    page = visit.page
    page.context.route("**/environment.bin", lambda route: route.fulfill(status=404))
    page.goto(f"{lite_address}{EXERCISE}")
    page.get_by_text("Python cannot start (environment.bin cannot be loaded (404)").wait_for()


def test_the_front_page_as_a_file_says_how_to_serve_the_folder_and_the_opening_plays(visit, lite_folder, serious):
    page = visit.page
    page.goto((lite_folder / "index.html").as_uri())
    page.get_by_text("Nothing runs here").wait_for()
    page.get_by_role("link", name="Play one queue first").click()
    page.get_by_role("button", name="Get", exact=True).click()
    assert page.get_by_role("status").first.inner_text().startswith("2033")
    assert serious(page) == []
    page.get_by_role("link", name="The incident of the day").click()
    page.wait_for_url((lite_folder / "index.html").as_uri())
    assert not visit.outside
