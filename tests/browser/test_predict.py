"""Predictions by keyboard alone, in a notebook reopened without its kernel, and on a page without scripts."""

import ast
import base64
import json
import re
import time
from pathlib import Path

import pytest
from browser.lab_pages import open_notebook, run_all, wait_for_cells, write_notebook

from mqlab.cli.notebooks import execute
from mqlab.cli.tour import page as page_of
from mqlab.course.predictions import magic, pages
from mqlab.course.texts import sentences
from tools.notebooks import AS_FOUND
from tools.site import linked

pytestmark = pytest.mark.browser
CELLS = [
    "interactive = True\nsolve = False",
    '%load_ext mqlab\nfrom mqlab import Lab\nqm = (lab := Lab()).queue_manager("QM1")\n_ = qm.mqsc("DEFINE QLOCAL(Q)")',
    '%%predict 01/tart\nHow many?\n\nnumber 0 to 4 = qm.depth("Q")\n---\nqm.put("Q", "x")\nprint("one put")',
    '%%predict 01/browse\nIn which order?\n\norder tea | cake | rusk = ["cake", "tea", "rusk"]\n'
    "number depth: 0 to 90 = 1\n---\nprint('got')",
    "import time\ntime.sleep(6)",
]
KINDS = (
    "() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(cell => cell.className.match(/jp-\\w+Cell/)[0])"
)


def write(path):
    write_notebook(path, *CELLS, tags=["parameters"])


def opened(page, jupyter, name):
    open_notebook(page, jupyter, "notebooks/asked.ipynb", name)


def recorded(workspace):
    """What the progress file has of predictions: key, right by part, and whether the answer was known."""
    file = workspace / "progress.jsonl"  # made by the first answer that reaches the kernel
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    told = (json.loads(line) for line in lines)
    return [(line["key"], line["right"], line["again"]) for line in told if "lesson" in line]


def wait(page, holds, seconds=30):
    """Wait for the kernel or the server, which come after the page."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        page.wait_for_timeout(200)
    assert holds()


def test_predictions_are_answered_while_cells_run_and_by_keyboard_alone(visit, jupyter, workspace, serious):
    page = visit.page
    write(workspace / "notebooks" / "asked.ipynb")
    opened(page, jupyter, "asked")
    run_all(page)
    live = page.locator(".mqlab-predict.live")
    live.nth(1).wait_for()
    assert page.locator(".mqlab-predict.static:visible").count() == 0
    assert "one put" not in live.first.inner_text()

    before = page.evaluate(KINDS)
    first = live.first.locator(".pick").first
    first.focus()
    for key in ("1", "d", "d", "m", "ArrowRight", "Enter"):  # JupyterLab's commands must not see these
        page.keyboard.press(key)
    assert page.locator(".jp-InputPrompt", has_text="[*]").count(), "the last cell still runs"
    assert live.first.locator(".verdict").inner_text() == "You were right."
    assert "one put" in live.first.inner_text()
    assert page.evaluate("document.activeElement.className") == "verdict"

    cake = live.nth(1).locator('li[data-value="cake"]')
    cake.focus()
    page.keyboard.press("ArrowUp")
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "INPUT":
            break
    page.keyboard.type("lots")
    page.keyboard.press("Enter")
    assert "“lots” is not one. Nothing was recorded." in live.nth(1).locator(".hint").inner_text()
    page.keyboard.press("Control+A")
    page.keyboard.type("one")
    page.keyboard.press("Enter")
    assert live.nth(1).locator(".verdict").inner_text() == "You were right."
    assert page.evaluate(KINDS) == before
    live.nth(1).get_by_role("button", name="Ask me again").click()
    live.nth(1).get_by_role("button", name="Skip: show me").click()
    assert live.nth(1).locator(".verdict").inner_text().startswith("Skipped")
    assert [fault for fault in serious(page) if "mqlab-predict" in fault[1]] == []

    wait_for_cells(page)
    answers = [("01/tart", [True], False), ("01/browse", [True, True], False), ("01/browse", [], True)]
    wait(page, lambda: recorded(workspace) == answers)
    page.locator('[data-jp-item-name="save"]').first.click()
    wait(page, lambda: "widget-view" in (workspace / "notebooks" / "asked.ipynb").read_text(encoding="utf-8"))
    server, token = jupyter.partition("/lab/tree")[0], jupyter.partition("token=")[2]
    signed = {"Authorization": f"token {token}"}
    page.goto("about:blank")
    for session in page.request.get(f"{server}/api/sessions", headers=signed).json():
        page.request.delete(f"{server}/api/sessions/{session['id']}", headers=signed)
    opened(page, jupyter, "reopened")
    static = page.locator(".mqlab-predict.static").first
    static.locator("label", has_text="1").click()
    static.locator("summary").click()
    assert static.locator(".verdict").inner_text() == "You were right."
    assert page.get_by_text("Error displaying widget").locator("visible=true").count() == 0
    assert visit.outside == []


@pytest.fixture(scope="module")
def without_script(tmp_path_factory):
    """The same questions as a page of the site."""
    folder = tmp_path_factory.mktemp("asked")
    write(folder / "asked.ipynb")
    execute(folder / "asked.ipynb", folder / "done.ipynb", AS_FOUND)
    made = folder / "asked.html"
    made.write_text(linked(page_of(folder / "done.ipynb"), depth=1), encoding="utf-8")
    return made


def test_a_page_asks_without_a_script(chromium, without_script, serious):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.goto(without_script.as_uri())
    first, second = page.locator(".mqlab-predict").all()
    assert not first.locator(".why").is_visible()
    first.locator("label", has_text="3").click()
    first.locator("summary").click()
    assert first.locator(".verdict").inner_text() == "A surprise."
    first.locator("label", has_text="1").click()
    assert first.locator(".verdict").inner_text() == "You were right."
    assert "one put" in first.inner_text()
    assert first.locator("a.rule").first.get_attribute("href") == "../rules.html#MQI-02"
    assert not second.locator("details").is_visible()
    for place, select in zip(("2", "1", "3"), second.locator("select").all(), strict=True):
        select.select_option(place)
    second.locator("input.field").fill("1")
    second.locator("summary").click()
    assert second.locator(".verdict").inner_text() == "You were right."
    context.close()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(without_script.as_uri())
    assert [fault for fault in serious(page) if "predict" in str(fault)] == []
    context.close()


def test_a_surprise_names_the_belief_behind_the_answer_in_a_widget_and_on_a_page(chromium):
    question = pages.read(
        "00/uncommitted", "What?\n\nnumber CURDEPTH: 0 to 1 = 1\nchoose get: the order | 2033 = 2033\n---\n"
    )
    beliefs = [sentences(f"00/uncommitted: {part.label}") for part in question.parts]
    found = {"ask": "", "right": [1, "2033"], "beliefs": beliefs, "result": "", "why": "", "code": ""}
    asked = magic.Prediction(question, found, lambda *_: None)
    page = chromium.new_page()
    page.set_content(f"<style>{asked._css}</style><main></main>{pages.static(question, found)}")
    page.evaluate(
        """async ([script, values]) => {
            const made = await import(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
            const model = {get: (name) => values[name], set() {}, save_changes() {}};
            made.default.render({model, el: document.querySelector("main")});
        }""",
        [asked._esm, {"spec": asked.spec, "kept": asked.kept, "said": [], "state": "asked"}],
    )
    live, static = page.locator(".live"), page.locator(".static")
    assert page.locator(".belief:visible").count() == 0
    for one in ("0", "2033"):
        live.get_by_role("button", name=one, exact=True).click()
        static.locator("label").get_by_text(one, exact=True).click()
    live.get_by_role("button", name="That is my prediction").click()
    static.locator("summary").click()
    assert live.locator(".verdict").inner_text().splitlines() == ["One right, one surprise.", beliefs[0]["0"]]
    assert static.locator(".belief:visible").all_inner_texts() == [beliefs[0]["0"]]
    static.locator("label").get_by_text("the order", exact=True).click()
    assert static.locator(".belief:visible").all_inner_texts() == [beliefs[0]["0"], beliefs[1]["the order"]]
    static.get_by_text("Skip: show me").click()
    assert static.locator(".belief:visible").count() == 0
    page.close()


NONSENSE = """([spec, kept]) => {
  const root = document.querySelector("#root"), values = { spec, kept, state: "asked", said: [] };
  root.replaceChildren();
  asked.render({ model: { get: (name) => values[name], set() {}, save_changes() {} }, el: root });
  for (const field of root.querySelectorAll("input")) {
    field.value = "nonsense";
    field.dispatchEvent(new Event("input"));
  }
  const placeholders = [...root.querySelectorAll("input")].map((field) => field.placeholder);
  const hint = root.querySelector(".hint");
  const go = root.querySelector(".go");
  for (const part of go ? root.querySelectorAll(".part") : []) part.querySelector("button")?.click();
  go?.click();
  return { told: [hint.textContent, ...placeholders].join(" "), taken: root.querySelector(".verdict") !== null };
}"""


def questions():
    """The predictions of all notebooks, each with its right answers, which the guards state."""
    root = Path(__file__).parents[2]
    for guards in sorted((root / "tools" / "guards").glob("[0-9]*.py")):
        compared = [node for node in ast.walk(ast.parse(guards.read_text("utf-8"))) if isinstance(node, ast.Compare)]
        stated = [node.comparators[0] for node in compared if ast.unparse(node.left) == "predicted"]
        right = {name: answer for each in stated for name, answer in ast.literal_eval(each).items()}
        (notebook,) = (root / "notebooks").rglob(f"{guards.stem}-*.ipynb")
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
            first, _, text = "".join(cell["source"]).partition("\n")
            if first.startswith("%%predict"):
                question = pages.read(first.removeprefix("%%predict"), text)
                yield question, [right.get(name, "") for name in question.names]


def test_nonsense_is_answered_without_the_answer(visit):
    page = visit.page
    page.set_content("<div id=root></div>")
    page.add_script_tag(content=magic.Prediction._esm.replace("export default", "window.asked ="), type="module")
    page.wait_for_function("() => window.asked")
    refused = 0
    for question, right in questions():
        found = {"right": right, "beliefs": [{} for _ in right], "why": "", "code": ""}
        kept = base64.b64encode(json.dumps(found).encode()).decode()
        spec = {**question.values(), "ask": ""}
        reply = page.evaluate(NONSENSE, [spec, kept])
        hidden = [str(one) for part, one in zip(question.parts, right, strict=True) if not part.offered]
        assert all(hidden), f"the guard of {question.id} states no answer"
        told = re.sub(r"from -?\d+ to -?\d+", "", reply["told"])
        assert not [one for one in hidden if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", told)], question.id
        if any(part.kind == "number" and not part.offered for part in question.parts):
            assert not reply["taken"], question.id
            refused += 1
    assert refused >= 10
    assert visit.outside == []
