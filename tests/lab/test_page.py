"""Messages of widgets in a web page: one after another, in tasks, and none while programs run."""

import asyncio
from types import SimpleNamespace

from mqlab.browser import page


def test_messages_wait_until_no_program_runs_and_keep_their_order(monkeypatch):
    monkeypatch.setattr(page, "PAUSE", 0)
    handled, busy = [], [True]

    def comm_msg(stream, ident, message):
        handled.append((message, asyncio.current_task() is not None))

    manager = SimpleNamespace(comm_msg=comm_msg)
    page.serve_in_tasks(manager, lambda: bool(busy))

    async def messages():
        asyncio.get_running_loop().call_soon(manager.comm_msg, None, None, 1)
        asyncio.get_running_loop().call_soon(manager.comm_msg, None, None, 2)
        for _ in range(5):
            await asyncio.sleep(0)
        assert handled == []
        busy.clear()
        for _ in range(5):
            await asyncio.sleep(0)
        manager.comm_msg(None, None, 3)
        await asyncio.sleep(0)

    asyncio.run(messages())
    assert handled == [(1, True), (2, True), (3, True)]


def test_a_cell_waits_until_no_program_runs(monkeypatch):
    monkeypatch.setattr(page, "PAUSE", 0)
    ran, busy = [], [True]

    async def run(code):
        ran.append(code)
        return "its answer"

    async def cells():
        cell = asyncio.ensure_future(page.run_in_turn(run, lambda: bool(busy))("1 + 1"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert ran == []
        busy.clear()
        assert await cell == "its answer"

    asyncio.run(cells())
    assert ran == ["1 + 1"]


def test_outside_of_such_a_kernel_nothing_is_done():
    page.join(lambda: None, lambda: False)
