"""Programs in a page: their logs are those of CPython, calls from elsewhere do no harm, dropped labs give memory back.

MQLAB_BROWSER_LONG=1 runs the long form: every scenario twenty times, two of them two hundred times, and 1,000 labs.
"""

import ast
import os
import shutil

import in_page
import pytest
from browser.conftest import on_loopback

from mqlab import Lab
from mqlab.cli.pyodide import simulator
from mqlab.lab.scenarios import names

pytestmark = pytest.mark.browser
LONG = os.environ.get("MQLAB_BROWSER_LONG", "") not in ("", "0")
WITHOUT = "delete WebAssembly.Suspending; delete WebAssembly.promising"


@pytest.fixture(scope="module")
def address(tmp_path_factory, python, build):
    """The address of a page without content, beside Pyodide and the simulator."""
    served = tmp_path_factory.mktemp("page")
    shutil.copytree(python, served, dirs_exist_ok=True)
    (served / "index.html").write_text("<!doctype html><title>Programs</title>")
    (served / "simulator.zip").write_bytes(simulator(python, build))
    with on_loopback(served) as found:
        yield found


@pytest.fixture(params=["chromium", "firefox"])
def page(request, address):
    """A page in which mqlab runs: in Chromium, and in a Firefox that switches stacks."""
    if request.param == "chromium":
        visit = request.getfixturevalue("visit")
        visit.page.goto(address)
        visit.page.evaluate(in_page.LOADS)
        yield visit.page
        assert not visit.outside
        return
    found = request.getfixturevalue("firefox")
    found.goto(address)
    found.evaluate(in_page.LOADS)
    yield found


def result(page, code, **values):
    """The value of Python code in the page, with these values of names."""
    lines = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    return ast.literal_eval(page.evaluate(in_page.RUNS, lines + code))


def expected(name):
    """The digest of the log of a scenario in CPython."""
    lab = Lab()
    lab.scenario(name)
    return in_page.digest(lab)


def test_programs_in_a_page_do_as_in_cpython(page):
    often = {"first-every-depth": 200, "igq-channels": 200} if LONG else {}
    times = dict.fromkeys(names(), 20 if LONG else 1) | often
    assert result(page, in_page.TOLD, TIMES=times, EXPECTED={name: expected(name) for name in names()}) == []

    same, refused, why = result(page, in_page.DISTURBED)
    assert (same, refused) == (True, 7)
    assert "call the lab again when that call has returned" in why

    refused, same, served, why = result(page, in_page.CALLBACK)
    assert (refused, same, served) == (3, True, 1)
    assert "in a cell, or in a task of asyncio" in why

    grown, labs, states, same, collects = result(page, in_page.DROPPED, LABS=1000 if LONG else 200)
    assert grown < 50
    assert labs < 150
    assert (states, same, collects) == (["running"] * 2, True, False)

    assert result(page, in_page.INTERRUPTED) == ["interrupted", True] * 3


def test_messages_of_widgets_wait_for_the_cell_and_let_time_pass(visit, address):
    visit.page.goto(address)
    visit.page.evaluate(in_page.LOADS)
    assert result(visit.page, in_page.WIDGETS) == ["cell", 16, 21, "last", "post_run_cell"]


def test_without_stack_switching_a_wait_is_refused_before_time_passes(visit, address):
    visit.page.add_init_script(WITHOUT)
    visit.page.goto(address)
    visit.page.evaluate(in_page.LOADS)
    now, same, running, ended, later, why = result(visit.page, in_page.UNABLE)
    assert (now, same, running, ended, later) == (10_000_000, True, "running", "ended", 11_000_000)
    assert "Chrome or Edge 137, Firefox 153, Safari 27" in why
