"""`make present`: the panel as a web page on this machine, complete when nothing outside ever answers."""

import ast
import http.client
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from browser.conftest import serving_notebooks

pytestmark = pytest.mark.browser
PANEL = ".jupyter-widgets.mqlab-panel"


@pytest.fixture(scope="module")
def presented(checkout, build, tmp_path_factory):
    """The address that `python -m mqlab.cli.serve --no-browser` prints."""
    command, home = ("mqlab.cli.serve", "--port", "8977"), tmp_path_factory.mktemp("home")
    with serving_notebooks(command, checkout, home, build / "browser-voila.log") as found:
        yield found


def silence(visit):
    """Let requests to other machines hang instead of being refused, and note them."""
    outside = []

    def judge(route):
        address = urlsplit(route.request.url)
        if address.scheme in ("data", "blob") or address.hostname in ("127.0.0.1", "localhost"):
            route.continue_()
        else:
            outside.append(route.request.url)

    visit.page.route("**/*", judge)
    return outside


def test_the_page_shows_the_panel_and_its_controls_work(visit, presented, serious):
    page, outside = visit.page, silence(visit)
    text = page.goto(presented, wait_until="domcontentloaded", timeout=90_000).text()
    assert "mermaid.esm" not in text
    assert not re.findall(r"""(?:src=|import\(|@import )["']?https?://""", text)
    page.wait_for_selector(f"{PANEL} .mq-picture svg", timeout=120_000)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_timeout(500)
    for control in (f"{PANEL} .mq-play", ".mqlab-console textarea", ".mqlab-faults button"):
        box = page.locator(control).first.bounding_box()
        assert box["y"] + box["height"] <= 720, control
    assert page.locator(".mqlab-first").first.is_hidden()
    page.click(f"{PANEL} .mq-first")
    page.locator(f"{PANEL} .mq-frame").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.locator(f"{PANEL} .mq-range").first.input_value() == "3"
    page.click(f"{PANEL} .mq-last")
    page.get_by_label("MQSC commands").fill("DISPLAY QLOCAL(PARCELS) CURDEPTH")
    page.locator(".mqlab-console select").select_option("HUB")
    page.get_by_label("MQSC commands").press("Control+Enter")
    answer = page.locator(".mqlab-answer td", has_text=re.compile(r"^\d+$"))
    answer.first.wait_for(timeout=90_000)
    assert f"{answer.first.inner_text()} messages on 1 queue" in page.locator(
        f"{PANEL} .mq-picture svg"
    ).first.get_attribute("aria-label")
    page.locator(".mqlab-faults").get_by_role("button", name="cut", exact=True).click()
    page.wait_for_function(
        f"() => document.querySelector('{PANEL} .mq-picture svg').textContent.includes('is cut')", timeout=90_000
    )
    assert serious(page) == []
    assert outside == []
    assert visit.outside == []


@pytest.mark.parametrize("token", ["", "?token=wrong"])
def test_without_its_token_the_page_tells_nothing(presented, token):
    parts = urlsplit(presented)
    assert parts.hostname == "127.0.0.1"
    try:
        with urllib.request.urlopen(f"{parts.scheme}://{parts.netloc}/{token}", timeout=20) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as refused:
        text = refused.read().decode()
    assert "mqlab" not in text.lower()
    assert "ORDERS" not in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8977", "203.0.113.7"])
def test_a_page_of_another_name_is_refused(presented, host):
    parts = urlsplit(presented)
    link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    link.request("GET", f"/?{parts.query}", headers={"Host": host})
    assert link.getresponse().status == 403


OPENER = """#!{python}
import os, re, socket, sys
from pathlib import Path
page = Path(sys.argv[1].removeprefix("file://"))
address = re.search('url=([^\"]+)', page.read_text())[1]
told = [os.stat(page.parent).st_mode & 0o777, "token" in " ".join(sys.argv), address]
socket.create_connection(("127.0.0.1", int(address.split(":")[2].split("/")[0])), 5).close()
Path(os.environ["OPENED"]).write_text(repr(told))
"""


def test_two_at_once_each_open_a_browser_when_they_listen(checkout, build, tmp_path):
    opener, servers = tmp_path / "browser", []
    opener.write_text(OPENER.replace("{python}", sys.executable))
    opener.chmod(0o755)
    command = [sys.executable, "-m", "mqlab.cli.serve", "--port", "8991", "--dir", str(checkout)]
    try:
        for number in range(2):
            environment = {**os.environ, "BROWSER": str(opener), "OPENED": str(tmp_path / f"opened-{number}")}
            with (build / f"browser-two-{number}.log").open("w") as log:
                servers.append(
                    subprocess.Popen(command, cwd=checkout, env=environment, stdout=log, stderr=subprocess.STDOUT)
                )
        end = time.monotonic() + 120
        while time.monotonic() < end and len(list(tmp_path.glob("opened-*"))) < 2:
            time.sleep(0.5)
        time.sleep(0.5)
    finally:
        for server in servers:
            server.terminate()
            server.wait(30)
    told = [ast.literal_eval(path.read_text()) for path in sorted(tmp_path.glob("opened-*"))]
    assert [(mode, token) for mode, token, _ in told] == [(0o700, False)] * 2
    assert len({urlsplit(address).port for *_, address in told}) == 2


def test_an_exported_notebook_shows_its_pictures_without_a_kernel(visit, checkout, tmp_path):
    from nbconvert import HTMLExporter

    from mqlab.cli.notebooks import execute

    done = tmp_path / "panel.ipynb"
    execute(checkout / "notebooks" / "library" / "panel.ipynb", done)
    page, (html, _) = visit.page, HTMLExporter().from_filename(str(done))
    (tmp_path / "panel.html").write_text(html, encoding="utf-8")
    page.goto((tmp_path / "panel.html").as_uri(), wait_until="domcontentloaded")
    picture = page.locator(".mqlab-first svg.mqlab-topology").first
    picture.wait_for(state="visible", timeout=90_000)
    assert picture.bounding_box()["height"] > 100
    assert "PARCELS" in picture.text_content()
    assert page.locator(".mqlab-first table").first.is_visible()
    assert page.locator(".mqlab-compare svg.mqlab-topology").count() == 2
