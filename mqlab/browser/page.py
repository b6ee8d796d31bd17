"""JupyterLite, Jupyter in a web page: cells and messages of widgets take turns, and a good moment to collect.

The kernel there hands a message to its widget outside of any task, where the browser cannot switch stacks, and begins a
cell while that of a widget lets time pass.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

BROWSERS = "Chrome or Edge 137, Firefox 153, Safari 27, or a newer version"
"""The browsers that can switch between the stacks of programs."""

PAUSE = 0.01
"""How long a cell or a message waits, in seconds, before it looks again whether programs still run."""


def join(tidy: Callable[[], None], busy: Callable[[], bool]) -> None:
    """Let this kernel's cells and the messages of its widgets wait while programs run, as `busy()` says, and call
    `tidy()` after each cell; no effect outside of JupyterLite."""
    loaded = sys.modules.get("pyodide_kernel")
    if loaded is not None:
        kernel = loaded.kernel_instance
        serve_in_tasks(kernel.comm_manager, busy)
        kernel.run = run_in_turn(kernel.run, busy)
        kernel.interpreter.events.register("post_run_cell", lambda _result: tidy())


def run_in_turn(run: Callable[[str], Any], busy: Callable[[], bool]) -> Callable[[str], Any]:
    """Return a function that runs a cell as `run` does, but waits while `busy()`."""

    async def cell(code: str) -> object:
        while busy():
            await asyncio.sleep(PAUSE)
        return await run(code)

    return cell


def serve_in_tasks(manager: Any, busy: Callable[[], bool]) -> None:
    """Have a manager of comms handle its messages in tasks, one after another, and none while `busy()`."""
    handle, turn = manager.comm_msg, asyncio.Lock()
    tasks: set[asyncio.Task] = set()  # the event loop itself keeps no task alive

    async def serve(message: tuple) -> None:
        async with turn:
            while busy():
                await asyncio.sleep(PAUSE)
            handle(*message)

    def comm_msg(*message: object) -> None:
        task = asyncio.ensure_future(serve(message))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    manager.comm_msg = comm_msg
