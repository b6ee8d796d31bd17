"""A notebook in a web page (JupyterLite): messages of widgets that let time pass, and a good moment to collect.

The kernel there hands a message to its widget outside of any task, where the browser cannot switch stacks.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

PAUSE = 0.01
"""How long a message waits, in seconds, before it looks again whether programs still run."""


def join(tidy: Callable[[], None], busy: Callable[[], bool]) -> None:
    """Handle the messages of this kernel's widgets in tasks, and call `tidy()` after each cell; no effect outside of
    JupyterLite. `busy()` is whether programs run."""
    kernel = sys.modules.get("pyodide_kernel")
    if kernel is not None:
        serve_in_tasks(kernel.kernel_instance.comm_manager, busy)
        kernel.kernel_instance.interpreter.events.register("post_run_cell", lambda _result: tidy())


def serve_in_tasks(manager: Any, busy: Callable[[], bool]) -> None:
    """Have a manager of comms handle its messages in a task, one after another, and none while `busy()`."""
    handle, waiting = manager.comm_msg, deque[tuple]()
    tasks: set[asyncio.Task] = set()  # the event loop itself keeps no task alive

    async def serve() -> None:
        while waiting:
            while busy():
                await asyncio.sleep(PAUSE)
            handle(*waiting.popleft())

    def comm_msg(*message: Any) -> None:
        waiting.append(message)
        if not tasks:
            task = asyncio.ensure_future(serve())
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    manager.comm_msg = comm_msg
