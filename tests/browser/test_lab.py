"""JupyterLab as `make lab` serves it: the tour notebook runs, and its time slider redraws the picture."""

import json
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.lab_pages import bring, run_all

pytestmark = pytest.mark.browser
LONGEST_RUN = 420  # seconds for the whole tour, Spark included, on two busy cores
PICTURE = ".jupyter-widgets svg.mqlab-topology"  # the one the slider redraws, not the static ones beside it
CHANGED = "([selector, before]) => document.querySelector(selector)?.outerHTML !== before"


def ask(address, path):
    """Return what the server's own interface answers."""
    parts = urlsplit(address)
    token = parse_qs(parts.query)["token"][0]
    request = urllib.request.Request(
        f"{parts.scheme}://{parts.netloc}{path}", headers={"Authorization": f"token {token}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def wait_until_run(address, page):
    """Wait until the kernel has finished every cell it was given."""
    end = time.monotonic() + LONGEST_RUN
    quiet = 0
    while time.monotonic() < end:
        states = [kernel["execution_state"] for kernel in ask(address, "/api/kernels")]
        waiting = page.locator(".jp-InputPrompt", has_text="[*]").count()
        quiet = quiet + 1 if states == ["idle"] and not waiting else 0
        if quiet == 3:
            return
        page.wait_for_timeout(500)
    raise AssertionError(f"the tour did not finish in {LONGEST_RUN} s: kernels {states}, {waiting} cells waiting")


@pytest.fixture(scope="module")
def ran(shared_visit, jupyter):
    """JupyterLab with the whole tour run."""
    page = shared_visit.page
    page.goto(jupyter, wait_until="domcontentloaded")
    run_all(page)
    page.wait_for_timeout(1000)
    wait_until_run(jupyter, page)
    return shared_visit


def test_the_slider_redraws_the_picture(ran):
    page = ran.page
    slider = bring(page, page.locator(".mqlab-timeline").get_by_role("slider"))
    picture = page.locator(PICTURE).first
    picture.wait_for(state="visible", timeout=90_000)
    at_the_end = slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
    for key in ("ArrowLeft" if at_the_end else "ArrowRight", "Home" if at_the_end else "End"):
        before = picture.evaluate("e => e.outerHTML")
        slider.focus()
        page.keyboard.press(key)
        page.wait_for_function(CHANGED, arg=[PICTURE, before], timeout=90_000)
    assert picture.is_visible()


def test_charts_are_drawn_live_and_say_what_they_are(ran):
    page = ran.page
    chart = bring(page, page.locator(".jp-RenderedVegaLite svg.marks"))
    assert chart.bounding_box()["height"] > 40
    assert page.locator(".jp-RenderedVegaLite [aria-label]").count() > 0


def test_no_cell_failed(ran, workspace):
    ran.page.locator('.jp-NotebookPanel-toolbar [data-command="docmanager:save"]').click()
    saved = saved_outputs(ran.page, workspace / "notebooks" / "00-start-here.ipynb")
    assert [output for output in saved if output["output_type"] == "error"] == []
    assert [output for output in saved if output.get("name") == "stderr"] == []


def test_nothing_left_this_machine_and_nothing_asked_to(ran):
    assert ran.outside == []
    assert ran.page.get_by_text("get notified about official Jupyter news").count() == 0


def saved_outputs(page, path, seconds=30):
    """Wait until the notebook on disk holds outputs, and return them."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        page.wait_for_timeout(500)  # not time.sleep: playwright answers the page's requests meanwhile
        try:
            book = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError:
            continue  # half written
        if outputs := [output for cell in book["cells"] for output in cell.get("outputs", ())]:
            return outputs
    raise AssertionError("JupyterLab did not save the notebook that it ran")


@pytest.mark.parametrize("token", ["", "?token=wrong"])
def test_without_its_token_the_server_tells_nothing(jupyter, token):
    parts = urlsplit(jupyter)
    assert parts.hostname == "127.0.0.1"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{parts.scheme}://{parts.netloc}/api/contents{token}", timeout=10)
    assert refused.value.code == 403
