"""The page of `mqlab present --live`, from disk and from loopback: its futures are those of the lab in CPython."""

import json
import os

import in_page
import pytest
from browser.conftest import on_loopback

from mqlab import Lab
from mqlab.cli.play import page as page_of
from mqlab.cli.pyodide import elements
from mqlab.lab.scenarios import scenarios
from mqlab.views.frames.moments import clock

pytestmark = pytest.mark.browser
LONG = os.environ.get("MQLAB_BROWSER_LONG", "") not in ("", "0")
NEXT = in_page.script("next.js")
CUT = in_page.script("cut.js")
KEEPS_WORKER = (
    "window.Worker = class extends Worker { constructor(...values) { super(...values); window.engine = this; } }"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, python, build):
    """The folder with a live page of all scenarios, page.html."""
    found = tmp_path_factory.mktemp("live")
    page = page_of(scenarios(), engine=elements(build))
    assert len(page.encode("utf-8")) < 25_000_000
    (found / "page.html").write_text(page, encoding="utf-8")
    return found


@pytest.fixture
def served(folder):
    """The address of the page, served on loopback."""
    with on_loopback(folder) as found:
        yield f"{found}page.html"


def rows(lab):
    return "".join(f"{json.dumps(event._asdict(), default=bytes.hex)}\n" for event in lab.events)


def saved(page):
    """The event log that the page saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the event log").click()
    return download.value.path().read_text(encoding="utf-8")


def went_to(page, us):
    """Go to the first step at a moment, and wait for what can be done then."""
    step = page.evaluate(f"player.recording.steps.time_us.findIndex((us) => us >= {us})")
    page.evaluate(f"player.go({step})")
    words = f"It is {clock(Lab().start, us)}. "
    page.wait_for_function(f"document.querySelector('.mq-try').textContent.includes('{words}')")


def test_cut_it_now_has_the_outcome_that_the_lab_has(visit, folder, serious):
    page = visit.page
    page.emulate_media(reduced_motion="reduce")
    page.goto((folder / "page.html").as_uri())
    assert "The simulator is loading" in page.locator("#engine-line").inner_text()
    page.locator('a[data-name="channel-retrying"]').click()
    page.wait_for_function("player")  # a story opens a moment later
    page.keyboard.press(" ")
    assert page.evaluate("player.position") > 0, "the recording plays while the simulator loads"
    page.keyboard.press("i")
    assert page.locator(".mq-try progress").is_visible()
    page.wait_for_selector(".mq-try .mq-switch")
    lab = Lab()
    lab.scenario("channel-retrying")
    assert saved(page) == rows(lab), "the same rows as in CPython"

    went_to(page, 100_000)
    page.get_by_role("button", name="cut", exact=True).click()
    page.wait_for_function("document.querySelector('.mq-said').textContent === 'The link DEPOT - SHOP was cut.'")
    assert saved(page) == rows(lab.branch(100_000, lambda lab: lab.cut("DEPOT", "SHOP")))
    assert page.locator(".mq-presenting.mq-trying").count() == 1, "it stays as large as it was"
    assert serious(page) == []

    page.keyboard.press("p")
    page.get_by_role("button", name="Compare with the story").click()
    page.get_by_role("button", name="Show it").click()
    page.keyboard.press("Escape")
    page.wait_for_selector("#player .mq-trying")
    page.get_by_label("Future").select_option("0")
    page.wait_for_function(
        "document.querySelector('.mq-when').textContent.endsWith(`of ${player.recording.length - 1}`)"
    )
    assert visit.outside == visit.errors == []


def test_the_controls_of_a_scenario_rest_until_the_next_one_is_there(visit, folder):
    page = visit.page
    page.add_init_script(KEEPS_WORKER)
    page.goto((folder / "page.html").as_uri())
    page.locator('a[data-name="poison"]').click()
    page.locator(".mq-whatif").click()
    page.wait_for_selector(".mq-try .mq-switch")
    assert page.evaluate(NEXT), "they are those of the scenario before"
    page.wait_for_function("!document.querySelector('.mq-try').lastChild.inert")
    page.get_by_label("Queue manager").locator("option", has_text="DEPOT").wait_for(state="attached")
    page.evaluate("engine.onerror({ message: 'out of memory' })")
    page.get_by_role("button", name="Advance").click()
    page.locator(".mq-failed", has_text="The simulator has stopped (out of memory)").wait_for()
    assert page.locator(".mq-try[aria-busy]").count() == 0
    assert visit.outside == visit.errors == []


@pytest.mark.skipif(not LONG, reason="MQLAB_BROWSER_LONG=1 cuts a link in Firefox, too")
def test_cut_it_now_in_firefox(folder, firefox):
    page = firefox
    page.goto((folder / "page.html").as_uri())
    assert page.evaluate(CUT) == "The link DEPOT - SHOP was cut."


def test_programs_are_stopped_queues_asked_and_time_passes_by_clicking(visit, served):
    page = visit.page
    page.emulate_media(reduced_motion="reduce", color_scheme="dark")
    page.goto(f"{served}#scenario=poison")
    page.locator(".mq-whatif").click()
    page.wait_for_selector(".mq-try .mq-switch")
    went_to(page, 8_000_000)
    page.evaluate("player.select('SHOP/ORDERS')")
    page.get_by_role("button", name="why not triggered?").click()
    page.wait_for_selector(".mq-answer .mqlab-card >> text=TRG-04")
    assert page.get_by_label("Future").locator("option").count() == 1, "a question changes nothing"

    page.locator(".mq-switch", has_text="PACKER of SHOP").get_by_role("button").click()
    page.wait_for_function("document.querySelector('.mq-try select').length === 2")
    lab = Lab()
    lab.scenario("poison")
    other = lab.branch(8_000_000, lambda lab: lab["SHOP"].stop_program("PACKER"))
    assert saved(page) == rows(other)
    page.evaluate("player.go(player.recording.length - 1)")
    page.get_by_label("Seconds of simulated time").fill("60")
    page.get_by_role("button", name="Advance").click()
    page.wait_for_selector(".mq-answer >> text=lab.advance(60)")
    other.advance(60)
    assert saved(page) == rows(other)

    page.get_by_label("Text of the message").press("End")
    page.keyboard.type(" now", delay=100)
    page.wait_for_selector("""button[title="lab['SHOP'].put('ORDERS', b'a message now')"]""")
    page.evaluate("player.position = 1e6")
    page.get_by_role("button", name="why no message?").click()
    assert "The simulator failed" in page.locator(".mq-answer [role=alert]").inner_text()
    for width in (900, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.outside == visit.errors == []


def test_without_stack_switching_the_recordings_play(visit, folder):
    page = visit.page
    page.add_init_script("delete WebAssembly.Suspending")
    page.goto((folder / "page.html").as_uri())
    assert "Chrome or Edge 137, Firefox 153, Safari 27" in page.locator("#engine-line").inner_text()
    page.locator('a[data-name="poison"]').click()
    page.wait_for_function("player")  # a story opens a moment later
    page.keyboard.press(" ")
    page.wait_for_function("player.position > 0")
    assert page.workers == []
    assert visit.outside == visit.errors == []
