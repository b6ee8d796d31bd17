"""The patch of Pyodide cures what kills the unpatched one: a collection while another stack is suspended."""

import shutil

import pytest
from browser.conftest import on_loopback

pytestmark = pytest.mark.browser

# The words of a suspended stack are written over by a second, deeper one; then generation 1 is collected.
OVERWRITTEN = """
import asyncio, gc
from pyodide.ffi import run_sync

gc.disable()
first, second = asyncio.Future(), asyncio.Future()

def nested(depth, last):
    return last() if depth == 0 else max([0], key=lambda _: nested(depth - 1, last))

async def stack(depth, last):
    nested(depth, last)

above = asyncio.ensure_future(stack(30, lambda: run_sync(first)))
await asyncio.sleep(0)
below = asyncio.ensure_future(stack(10, lambda: run_sync(second)))
await asyncio.sleep(0)
first.set_result(0)
await above
await asyncio.ensure_future(stack(60, lambda: gc.collect(1)))
second.set_result(0)
await below
"whole"
"""
LOADS = """async code => {
    const python = await (await import('./pyodide.mjs')).loadPyodide()
    const dead = new Promise(done => setTimeout(done, 20000, 'no answer'))  // a page that died answers nothing
    return Promise.race([python.runPythonAsync(code), dead])
}"""


def test_a_collection_beside_a_suspended_stack(visit, python, tmp_path):
    shutil.copytree(python, tmp_path, dirs_exist_ok=True)
    (tmp_path / "index.html").write_text("<!doctype html><title>Pyodide</title>")
    with on_loopback(tmp_path) as address:
        visit.page.goto(address)
        assert visit.page.evaluate(LOADS, OVERWRITTEN) == "whole"
    assert not visit.outside
