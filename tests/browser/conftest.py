"""A headless Chromium that can reach this machine only, and the server that `make lab ARGS=--no-browser` starts."""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import in_page
import pytest

from mqlab.cli.pyodide import NoPyodide, WrongSum, pyodide
from tools import lite
from tools.chromium import chromium_program
from tools.served import Files, served

ROOT = Path(__file__).resolve().parents[2]
HERE = ("127.0.0.1", "localhost", "::1", "course.test")
REQUIRED = os.environ.get("MQLAB_REQUIRE_BROWSER", "") not in ("", "0")
# Chromium of its own accord looks for updates and asks hosts outside; none of that is the page's doing.
CHROMIUM_OPTIONS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP course.test 127.0.0.1",  # an address that is not this machine's own to a browser
)


def demand(there, reason):
    """Skip the test where something is not there, or fail it where MQLAB_REQUIRE_BROWSER=1 says that it must be."""
    if there:
        return
    if REQUIRED:
        pytest.fail(f"MQLAB_REQUIRE_BROWSER is set, and {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def checkout():
    """The folder with notebooks/ and build/; MQLAB_BROWSER_ROOT names another one."""
    return Path(os.environ.get("MQLAB_BROWSER_ROOT", ROOT))


@pytest.fixture(scope="session")
def build():
    """The folder that screenshots and logs go to."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    return folder


ALL_RULES = {"resultTypes": ["violations"]}
RULES_OF_COLORS = ALL_RULES | {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@pytest.fixture(scope="session")
def serious():
    """The function serious(page): the faults that axe finds in a page, or in a part of it, and calls serious or
    critical; with `dark`, also those of its dark colors."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")

    def found(page, part=None, dark=False, rules=ALL_RULES):
        faults = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary"))
            for one in axe.Axe().run(page, context=part, options=rules).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        if dark:
            page.emulate_media(color_scheme="dark")
            faults += found(page, {"exclude": [["tr:nth-child(n+6)"]]}, rules=RULES_OF_COLORS)  # rows look alike
            page.emulate_media(color_scheme="light")
        return faults

    return found


class Visit:
    """One page in a browser context of its own, with every request that left this machine and every error it told."""

    def __init__(self, context):
        self.outside = []
        self.errors = []
        context.set_default_timeout(90_000)  # a busy machine is slow, not wrong
        context.route("**/*", self.judge)
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def judge(self, route):
        """Let a request through to this machine; note and drop every other."""
        address = urlsplit(route.request.url)
        if address.scheme in ("data", "blob", "file") or address.hostname in HERE:
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()


@pytest.fixture(scope="session")
def chromium():
    """The machine's Chromium under playwright."""
    program = chromium_program()
    demand(program, "no Chromium is on PATH (Debian: apt-get install chromium-headless-shell)")
    demand(importlib.util.find_spec("playwright"), "playwright is not installed (pip install 'mqlab[dev]')")
    from playwright.sync_api import sync_playwright

    options = list(CHROMIUM_OPTIONS)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium refuses to start as root otherwise
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@contextmanager
def visiting(chromium, picture):
    """A fresh page, 1400 by 1000, in light colours; how it looked at the end is left as `picture`."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000}, color_scheme="light")
    seen = Visit(context)
    try:
        yield seen
        seen.page.screenshot(path=picture)
    finally:
        context.close()


@pytest.fixture(scope="session")
def python(build):
    """The folder with Pyodide, which npm fetches once."""
    try:
        return pyodide(build)
    except WrongSum:  # no reason to skip anything
        raise
    except NoPyodide as why:
        demand(False, str(why))


@pytest.fixture(scope="session")
def lite_folder(tmp_path_factory, python):
    """The folder that `make lite` writes: the one that MQLAB_LITE_FOLDER names, or one without results."""
    if named := os.environ.get("MQLAB_LITE_FOLDER"):
        return Path(named).resolve()
    out = tmp_path_factory.mktemp("lite")
    lite.build(ROOT, out, run=False)
    return out


class OwnHost(Files):
    """A server of the tests, which also answers to the name that their browser takes for another machine."""

    hosts = (*Files.hosts, "course.test")


@contextmanager
def on_loopback(folder, handler=OwnHost):
    """The address of a folder that is served on this machine."""
    with served(folder, handler=handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@pytest.fixture(scope="session")
def lite_address(lite_folder):
    """The address of the course in a browser tab."""
    with on_loopback(lite_folder) as address:
        yield address


@pytest.fixture
def visit(chromium, build, request):
    """A fresh page for one test."""
    with visiting(chromium, build / f"browser-{request.node.originalname}.png") as seen:
        yield seen


@pytest.fixture
def firefox(tmp_path_factory):
    """A fresh page in a Firefox that switches stacks, whose requests must stay on this machine."""
    version, program = in_page.firefox_version()
    if version < 153:
        pytest.skip(f"no Firefox 153 or newer is on PATH; found {version or 'none'}")
    with in_page.firefox(program, tmp_path_factory.mktemp("profile")) as page:
        yield page
        assert page.outside == []


@pytest.fixture(scope="module")
def shared_visit(chromium, build):
    """A fresh page for a module's tests: running the whole tour once is enough."""
    with visiting(chromium, build / "browser-lab-end.png") as seen:
        yield seen


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, checkout):
    """A copy of the notebooks beside the real data: JupyterLab saves what it runs, and the checkout must stay clean."""
    demand((checkout / "notebooks" / "00-start-here.ipynb").is_file(), "notebooks/00-start-here.ipynb is not there")
    copy = tmp_path_factory.mktemp("checkout")
    for folder in ("notebooks", "exercises", "datasets"):
        shutil.copytree(checkout / folder, copy / folder)
    return copy


@contextmanager
def serving_notebooks(command, folder, home, log, **environment):
    """The address, token and all, that a module of mqlab prints when it serves notebooks; `home` has its settings."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    environment = {**os.environ, **{name: str(home / name) for name in names}, **environment}
    with log.open("w") as file:
        command = [sys.executable, "-m", *command, "--no-browser", "--dir", str(folder)]
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=file, stderr=subprocess.STDOUT)
    try:
        yield address(server, log)
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture(scope="module")
def jupyter(workspace, tmp_path_factory, build):
    """The address that `mqlab lab --no-browser` prints for the workspace."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    environment = {
        "MQLAB_PROGRESS": str(workspace / "progress.jsonl"),  # not the file of whoever runs the tests
        "JUPYTER_PORT": str(8900 + 10 * int(worker[2:])),  # two that look for a free one may find the same
    }
    log = build / f"browser-lab-{worker}.log"  # the address is read from it
    with serving_notebooks(("mqlab", "lab"), workspace, tmp_path_factory.mktemp("home"), log, **environment) as found:
        yield found


def address(server, log, seconds=60):
    """Return the address with its token from the server's log, once it is there and the server listens."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        if found := re.search(r"http://127\.0\.0\.1:\d+/\S*\?token=\w+", log.read_text()):
            parts = urlsplit(found[0])
            with suppress(OSError):  # it tells its address a moment before it listens
                socket.create_connection((parts.hostname, parts.port), timeout=1).close()
                return found[0]
        time.sleep(0.2)
    raise AssertionError(f"The server gave no address with a token:\n{log.read_text()[-3000:]}")
