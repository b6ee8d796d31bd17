"""The course in a browser tab: what `make lite` writes plays, runs notebooks and exercises, and asks no other host.

The short form runs one notebook and one exercise, and plays the game and the panel; MQLAB_LITE=all runs
every notebook and exercise that a page can run, in Firefox too (`make lite-check`).
"""

import json
from html import unescape
from pathlib import Path

import in_page
import pytest
from browser.lab_pages import bring

from mqlab.course.exercises import EXERCISES, progress
from mqlab.course.path import notebook_file
from tools import lite

pytestmark = pytest.mark.browser
ROOT = Path(lite.__file__).parents[1]
NOTEBOOKS = ("01-a-queue-and-a-message",) if not in_page.ALL else (
    *("01-a-queue-and-a-message", "02-message-expiry", "03-triggering", "04-channels-and-dead-letters"),
    *("05-more-about-channels", "06-shared-queues", "07-mobile-edge", "08-reading-an-estate"),
    *("09-why-was-i-refused", "13-where-did-the-order-go"),
    *("12-myths", "16-intra-group-queuing", "30-be-the-queue-manager", "31-incident"),
)  # fmt: skip
NEEDS_MORE = {"Y01", "Y02", "Y03", "Y04"}
"""Exercises with IBM's library, which open with their results."""
TASKS = [id for id in EXERCISES if id not in NEEDS_MORE] if in_page.ALL else ["Q01"]

TRUSTED = """() => {
    const shown = [...panel.content.model.cells].filter((cell) => cell.type === "code" && cell.outputs.length);
    return shown.every((cell) => cell.trusted) && shown.length;
}"""
RUN_ALL = in_page.script("run-all.js")
EXECUTE = """async cells => {
    const kernel = panel.sessionContext.session.kernel;
    for (const code of cells) {
        const { content } = await kernel.requestExecute({ code, stop_on_error: true }).done;
        if (content.status !== "ok") return `${content.ename}: ${content.evalue} in ${code.slice(0, 80)}`;
    }
    return "";
}"""


DRAW = """async () => {
    const { content } = panel, cells = [...content.model.cells];
    const last = cells.findLastIndex(({ type }) => type === "code");
    cells[last].sharedModel.setSource("from mqlab.views import lifecycle_chart\\nlifecycle_chart(lab)");
    content.activeCellIndex = last;
    await jupyterapp.commands.execute("notebook:run-cell");
}"""
"""Draws a chart in a notebook that has not chosen who draws."""
DONE = """([panel, number]) => {
    const lines = panel.querySelector(".mqlab-done").textContent.split("\\n");
    return lines.length === number && lines[0].startsWith("lab");
}"""
EXECUTE_ALL = """async () => {
    for (const { type, sharedModel: { source } } of panel.content.model.cells) {
        if (type !== "code") continue;
        const { content } = await panel.sessionContext.session.kernel.requestExecute({ code: source }).done;
        if (content.status !== "ok") return `${content.ename}: ${content.evalue} in ${source.slice(0, 80)}`;
    }
    return "";
}"""


WRITES = """
from pathlib import Path
from mqlab import Lab
lab = Lab()
lab.scenario("poison")
Path("out").mkdir()
lab.save_player("out/shop.html")
Path("some.bin").write_bytes(bytes([255, 0]))
"""
LISTED = "path => jupyterapp.serviceManager.contents.get(path, { content: true }).catch(() => ({ content: '' }))"
UPLOADS = """async ([path, content]) => {
    await jupyterapp.serviceManager.contents.save(path, { type: "file", format: "text", content });
}"""
THERE = """
import asyncio, os
for _ in range(100):
    if os.path.exists("own.mqsc") and os.path.exists("some.bin"):
        break
    await asyncio.sleep(0.1)
"""
PLAY = in_page.script("play.js")
PROMPT = '[aria-label="MQSC commands"]'
CLICKS = (
    (
        "30-be-the-queue-manager",
        ".mqlab-game",
        [
            ("press", "Serve the call", "Choose an answer"),
            ("check", 'fieldset[data-name="Reason code"] input', ""),
            ("press", "Serve the call", "4 of 5"),
            ("press", "Play it again", ""),
            ("check", '.card[data-name=bread] input[value="returned"]', ""),
            ("check", 'fieldset[data-name="Reason code"] input', ""),
            ("press", "Serve the call", "As the queue manager does it."),
            ("press", "Next level", "Level 2 of 12"),
        ],
    ),
    (
        "31-incident",
        ".mqlab-incident",
        [
            ("fill", PROMPT, "DEPOT"),
            ("press", "run", "Commands go to DEPOT now."),
            ("fill", PROMPT, "DISPLAY QLOCAL(ORDERS.IN) TRIGGER"),
            ("press", "run", "1 minute, 1 command"),
            ("press", "Report repaired", "The pager rings again"),
            ("fill", PROMPT, "ALTER QLOCAL(ORDERS.IN) TRIGGER"),
            ("press", "run", "12 minutes, 2 commands"),
            ("press", "Report repaired", "An expert's way"),
        ],
    ),
    (
        "panel",
        ".mqlab-panel",
        [
            ("press", "Advance", "lab.advance(10.0)"),
            ("press", "cut", "✗ cut"),
            ("press", "restore", "✓ up"),
            ("press", "inhibit puts", "PUT(DISABLED)"),
            ("fill", PROMPT, "DISPLY QMGR"),
            ("press", "run", "is not an MQSC verb"),
            ("fill", PROMPT, "DEFINE QLOCAL(BRAND.NEW)"),
            ("press", "run", "AMQ8006I"),
            ("press", "Run until idle", "lab.run(10.0)"),
        ],
    ),
)
"""What is done in Firefox, which playwright cannot drive: notebook, widget, and steps, each what, where, and words."""


@pytest.fixture(scope="module")
def address(lite_address, lite_folder):
    """The address of the course."""
    assert "MB" in lite.size_of(lite_folder)
    return lite_address


@pytest.fixture
def opened(visit, address):
    """The function opened(path): the page of a notebook in the lab, once its kernel answers."""

    def opening(path):
        visit.page.goto(f"{address}lab/index.html?path={path}")
        assert visit.page.evaluate(in_page.OPENED) == "ok"
        return visit.page

    yield opening
    assert not visit.outside


def with_values(function, values):
    """A function of the page with its argument in it."""
    return f"() => ({function})({json.dumps(values)})"


def book(id):
    """The notebook of an exercise, as JSON."""
    return json.loads((ROOT / EXERCISES[id].file).read_text(encoding="utf-8"))


def cells(id, solve):
    """The code of an exercise's notebook, in a strict kernel without progress, that leaves nothing behind."""
    code = ["".join(cell["source"]) for cell in book(id)["cells"] if cell["cell_type"] == "code"]
    parameters = next(n for n, source in enumerate(code) if "solve: bool = False" in source)
    code[parameters] = code[parameters].replace("solve: bool = False", f"solve = {solve}")
    return ["import os; os.environ['MQLAB_STRICT'] = '1'", *code, "lab = desk = result = None"]


def test_the_front_page_leads_to_a_notebook_as_it_was_that_says_what_a_page_lacks(visit, address, lite_folder):
    page = visit.page
    page.goto(address)
    assert page.locator('a[href*="path=exercises/"]').count() == len(EXERCISES)
    page.locator('a[href*="10-event-logs-in-spark"]').click()
    page.wait_for_load_state()
    assert page.evaluate(in_page.OPENED) == "ok"
    assert "path=notebooks%2Flibrary%2F10-event-logs-in-spark.ipynb" in page.url, "it can be shared"
    page.locator("blockquote", has_text="Spark does not run in a browser").wait_for()
    text = (lite_folder / "files/notebooks/library/10-event-logs-in-spark.ipynb").read_text("utf-8")
    if "Below are the results" in text:
        bring(page, page.locator(".jp-OutputArea-output.jp-RenderedHTML [id^=predict-10-]"))
        assert page.get_by_text("displaying widget").count() == 0
        shown = sum(bool(cell.get("outputs")) for cell in json.loads(text)["cells"])
        assert page.evaluate(TRUSTED) == shown > 6, "otherwise charts and styles are left out"
    assert not page.evaluate("panel.content.model.dirty")
    page.go_back()
    page.wait_for_url(address)
    assert not visit.outside


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_bar_names_what_loads_and_then_a_notebook_runs_whole(visit, address, name):
    page, held = visit.page, []
    page.context.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    page.goto(f"{address}lab/index.html?path={notebook_file(name)}")
    bar = page.locator(".mq-loading")
    bar.get_by_text("Loading the packages of the course").wait_for()
    assert bar.get_by_role("progressbar").is_visible()
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    bar.wait_for(state="hidden")
    assert page.evaluate(in_page.OPENED) == "ok"
    assert page.evaluate(RUN_ALL) == []
    assert not visit.outside


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all works in Firefox, too")
def test_notebooks_run_in_firefox(address, firefox):
    page = firefox
    for name in NOTEBOOKS:
        page.goto(f"{address}{unescape(lite.address(notebook_file(name)))}")
        assert page.evaluate(in_page.OPENED) == "ok"
        assert page.evaluate(EXECUTE_ALL) == "", name


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all works in Firefox, too")
def test_exercises_game_incident_and_panel_in_firefox(address, firefox):
    page = firefox
    page.goto(f"{address}lab/index.html?path={EXERCISES[TASKS[0]].file}")
    assert page.evaluate(in_page.OPENED) == "ok"
    for id in TASKS:
        for solve in (False, True):
            assert page.evaluate(with_values(EXECUTE, cells(id, solve))) == "", f"{id}, solve {solve}"
    for name, part, steps in CLICKS:
        page.goto(f"{address}{unescape(lite.address(notebook_file(name)))}")
        assert page.evaluate(in_page.OPENED) == "ok"
        assert page.evaluate(with_values(PLAY, [part, *steps])) == "", name


def test_exercises_are_refused_and_solved_and_the_progress_is_kept(opened, address, chromium, tmp_path):
    page = opened(f"{EXERCISES[TASKS[0]].file}")
    for id in TASKS:
        for solve in (False, True):
            assert page.evaluate(EXECUTE, cells(id, solve)) == "", f"{id}, solve {solve}"
    page.wait_for_timeout(300)
    page.goto(address)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text("Q01 The queue that refuses orders ✓ done").wait_for()
    # the file that the page hands over; a busy Chromium now and then saves none right after it left a notebook
    page.evaluate("() => { window.files = []; window.made = URL.createObjectURL.bind(URL); }")
    page.evaluate("() => { URL.createObjectURL = (file) => { files.push(file); return made(file); }; }")
    page.get_by_role("button", name="Save my progress").click()
    page.wait_for_function("files.length")
    (tmp_path / "ada.jsonl").write_text(page.evaluate("files[0].text()"), encoding="utf-8")
    found, bad = progress.read(tmp_path / "ada.jsonl")
    assert not bad
    assert {line["learner"] for line in found} == {"Ada"}
    assert [each.exercise for each in progress.summary(found) if each.done] == TASKS
    load = page.get_by_label("Load progress")
    load.set_input_files(tmp_path / "ada.jsonl")
    page.get_by_text(f"Lines added: 0 of {len(found)}.").wait_for()
    load.set_input_files(ROOT / "README.md")
    page.get_by_text("The file contains no progress from mqlab.").wait_for()
    with chromium.new_context() as other:
        page = other.new_page()
        page.goto(address)
        page.get_by_label("Load progress").set_input_files(tmp_path / "ada.jsonl")
        words = f"Exercises done: {len(TASKS)}. Predictions in notebooks: 0. Lines added: {len(found)} of"
        page.get_by_text(f"{words} {len(found)}.").wait_for()
        page.get_by_text("Q01 The queue that refuses orders ✓ done").wait_for()


def test_the_game_is_played(opened):
    page = opened("notebooks/library/30-be-the-queue-manager.ipynb")
    assert page.evaluate(RUN_ALL) == []
    game = bring(page, page.locator(".jp-OutputArea .mqlab-game"))
    game.get_by_label("2033").check()
    game.get_by_role("button", name="Serve the call").click()
    assert game.locator(".verdict").inner_text() == "3 of 5 as the queue manager does it."
    assert game.locator(".card[data-name=bread] .mark").inner_text() == "✗ yours: stays; the queue manager: returned"
    game.get_by_role("button", name="Play it again").click()
    game.locator(".card[data-name=bread]").get_by_label("returned").check()
    game.get_by_label("0, the call completes").check()
    game.get_by_role("button", name="Serve the call").click()
    assert game.locator(".verdict").inner_text() == "As the queue manager does it."
    game.get_by_role("button", name="Next level").click()
    game.get_by_text("Level 2 of 12").wait_for()
    assert page.evaluate(RUN_ALL) == []
    bring(page, page.get_by_text("Level 2 of 12"))  # the progress file says which levels are solved


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all repairs an incident in its notebook, too")
def test_an_incident_is_repaired(opened):
    page = opened("notebooks/31-incident.ipynb")
    assert page.evaluate(RUN_ALL) == []
    desk = bring(page, page.locator(".jp-OutputArea .mqlab-incident"))

    def run(command, words):
        desk.get_by_label("MQSC commands").fill(command)
        desk.get_by_role("button", name="run", exact=True).click()
        desk.get_by_text(words).first.wait_for()

    def press(name, words):
        desk.get_by_role("button", name=name).click()
        desk.get_by_text(words).first.wait_for()

    run("DEPOT", "Commands go to DEPOT now.")
    run("DISPLAY QLOCAL(ORDERS.IN) TRIGGER", "open: 1 minute, 1 command")
    run("ALTER QLOCAL(ORDERS.IN) TRIGGR", "did you mean TRIGGER?")
    run("ALTER QLOCAL(ORDERS.IN) MAXDEPTH(999)", "open: 3 minutes, 3 commands")
    press("Report repaired", "The pager rings again")
    press("Read error log", "AMQ8024I")
    press("Wait a minute", "open: 15 minutes")
    press("Show hint", "1 hint")
    run("ALTER QLOCAL(ORDERS.IN) TRIGGER", "open: 21 minutes, 4 commands, 1 hint")
    press("Report repaired", "An expert's way: 3 minutes, 3 commands")
    desk.get_by_role("button", name="Show replay").click()
    desk.locator(".mq-picture svg").nth(1).wait_for()


def test_the_panel_answers_its_buttons(opened):
    page = opened("notebooks/library/panel.ipynb")
    assert page.evaluate(RUN_ALL) == []
    panel = bring(page, page.locator(".jp-OutputArea .mqlab-panel"))
    done, faults = panel.locator(".mqlab-done"), panel.locator(".mqlab-faults")

    def press(part, name, line):
        part.get_by_role("button", name=name, exact=True).first.click()
        done.filter(has_text=line).wait_for()

    press(panel, "Advance", "lab.advance(10.0)")
    press(panel, "Run until idle", "lab.run(10.0)")
    press(faults, "cut", "lab.cut('HUB', 'NORTH')")
    panel.get_by_text("✗ cut").first.wait_for()
    press(faults, "restore", "lab.restore('HUB', 'NORTH')")
    press(faults, "inhibit puts", "ALTER QLOCAL(HUB) PUT(DISABLED)")
    press(faults, "allow puts", "ALTER QLOCAL(HUB) PUT(ENABLED)")
    prompt = panel.get_by_label("MQSC commands")
    prompt.fill("DISPLY QMGR")
    panel.get_by_role("button", name="run", exact=True).click()
    panel.get_by_text("is not an MQSC verb").wait_for()
    prompt.fill("DEFINE QLOCAL(BRAND.NEW)")
    panel.get_by_role("button", name="run", exact=True).click()
    panel.get_by_text("AMQ8006I").wait_for()

    panel.locator(".mq-picture svg [aria-label^='ORDERS:']").first.click()
    panel.locator(".mqlab-touch").get_by_role("button", name="put", exact=True).click()
    done.filter(has_text="lab['NORTH'].put('ORDERS', b'a message')").wait_for()
    seconds = panel.get_by_label("seconds")
    seconds.fill("60")  # the channel retries, the orders go over, and a program packs them
    seconds.press("Tab")
    press(panel, "Advance", "lab.advance(60.0)")
    panel.locator("[aria-label^='PARCELS: local queue. 31 messages']").first.wait_for()

    chart = panel.locator(".vega-embed svg", has_text="What became of 93 messages")
    chart.scroll_into_view_if_needed()
    assert "edge" not in chart.text_content(), "no legend that the chart does not want"
    page.evaluate(DRAW)
    bring(page, page.locator(".jp-OutputArea .vega-embed").last)


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all presses all buttons")
def test_every_switch_of_the_panel_is_pressed(opened):
    page = opened("notebooks/library/panel.ipynb")
    assert page.evaluate(RUN_ALL) == []
    panel = bring(page, page.locator(".jp-OutputArea .mqlab-panel"))
    switches = panel.locator(".mqlab-faults button")
    assert switches.count() == 11
    for pressed in range(11):  # a queue manager that stops takes its programs with it
        switches.nth(min(pressed, switches.count() - 1)).click()
        page.wait_for_function(DONE, arg=[panel.element_handle(), pressed + 1])


@pytest.mark.skipif(not in_page.ALL, reason="MQLAB_LITE=all answers, edits, and comes back")
def test_a_prediction_counts_and_an_edit_is_there_after_the_tab_was_closed(opened, visit, address, tmp_path):
    path = "notebooks/library/01-a-queue-and-a-message.ipynb"
    page = opened(path)
    assert page.evaluate(RUN_ALL) == []
    asked = bring(page, page.locator(".mqlab-predict.live"))
    asked.locator(".pick").first.click()
    asked.locator(".verdict").wait_for()
    bring(page, page.locator(".jp-CodeCell", has_text="lab = Lab(start=").locator(".cm-content")).click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n# my own line")
    page.keyboard.press("Control+s")
    page.get_by_role("menuitem", name="File", exact=True).click()
    with page.expect_download() as saved:
        page.locator('.lm-Menu-item[data-command="docmanager:download"]').click()
    saved.value.save_as(tmp_path / "mine.ipynb")
    mine = json.loads((tmp_path / "mine.ipynb").read_text(encoding="utf-8"))
    assert "# my own line" in "".join("".join(cell["source"]) for cell in mine["cells"])
    visit.page = page.context.new_page()
    page.close()
    visit.page.goto(address)
    visit.page.get_by_text("Exercises done: 0. Predictions in notebooks: 1.").wait_for()
    page = opened(path)
    bring(page, page.locator(".jp-CodeCell", has_text="# my own line"))
    page.goto(address)
    page.locator('a[href*="02-message-expiry"]').click()
    page.wait_for_load_state()
    assert page.evaluate(in_page.OPENED) == "ok"
    tabs = page.evaluate("[...jupyterapp.shell.widgets('main')].map(({ title }) => title.label)")
    assert tabs == ["02-message-expiry.ipynb"], "no kernel starts for a notebook of another visit"


def test_files_of_cells_are_in_the_list_and_those_of_the_list_can_be_read(opened):
    page = opened("notebooks/library/panel.ipynb")
    page.evaluate(in_page.ANSWERS, WRITES)
    page.wait_for_function(
        f"async () => ({LISTED})('notebooks/out/shop.html').then(({{ content }}) => content.length > 9999)"
    )
    page.wait_for_function(f"async () => ({LISTED})('notebooks/some.bin').then(({{ content }}) => content === '/wA=')")
    page.evaluate(UPLOADS, ["notebooks/own.mqsc", "DEFINE QLOCAL(EIGENE.ÜBUNG)"])
    for again in (False, True):  # for the next cell, and after another visit
        page = opened("notebooks/library/panel.ipynb") if again else page
        page.evaluate(in_page.ANSWERS, THERE)
        read = "(open('own.mqsc').read(), open('some.bin', 'rb').read(), len(open('out/shop.html').read()) > 9999)"
        assert page.evaluate(in_page.ANSWERS, read) == "('DEFINE QLOCAL(EIGENE.ÜBUNG)', b'\\xff\\x00', True)"
    page.evaluate(in_page.ANSWERS, "import os; os.mkdir('fresh')")
    for number in range(5):  # the page saves one while the next is written
        page.evaluate(in_page.ANSWERS, f"_ = open('fresh/log', 'a').write('{number}')")
    page.wait_for_function(
        f"async () => ({LISTED})('notebooks/fresh/log').then(({{ content }}) => content === '01234')"
    )
    assert page.evaluate(in_page.ANSWERS, "open('fresh/log').read()") == "'01234'"
    page.evaluate(in_page.ANSWERS, "import os; os.remove('some.bin'); os.symlink('nowhere', 'link')")
    page.wait_for_function(f"async () => ({LISTED})('notebooks/some.bin').then(({{ content }}) => content === '')")
    page.evaluate("jupyterapp.serviceManager.contents.delete('notebooks/own.mqsc')")
    page.wait_for_timeout(100)
    assert (
        page.evaluate(in_page.ANSWERS, "os.path.exists('own.mqsc'), os.path.exists('out/shop.html')") == "(False, True)"
    )
