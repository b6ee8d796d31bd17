"""The kernel of the course in a browser tab, from the inside: imported once, by templates/lite/kernel.mjs."""

import asyncio
import sys
from types import ModuleType
from typing import Any

import pyodide_kernel
from page_of_course import added

from mqlab.course.exercises import progress
from mqlab.mq.errors import LabError

kernel = pyodide_kernel.kernel_instance
_one_at_a_time = asyncio.Lock()
_tasks: set[asyncio.Task] = set()


async def _refused(*_requirements: object, **_options: object) -> None:
    raise LabError(
        "packages cannot be added in the browser, because all of them are in the page; install mqlab instead"
    )


def _in_turn(run: Any) -> Any:
    async def cell(code: str) -> Any:
        async with _one_at_a_time:
            return await run(code)

    return cell


def _as_task(handle: Any) -> Any:
    async def turn(message: tuple) -> None:
        async with _one_at_a_time:
            handle(*message)

    def later(*message: Any) -> None:
        task = asyncio.ensure_future(turn(message))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)

    return later


_installer = ModuleType("piplite")
_installer.install = _refused  # type: ignore[attr-defined]
_installer.piplite = _installer  # type: ignore[attr-defined]
sys.modules |= {"piplite": _installer, "piplite.piplite": _installer}

# Time passes for programs in a task only, so the messages of widgets become tasks; each waits for the cell that runs.
kernel.run = _in_turn(kernel.run)
kernel.comm_manager.comm_msg = _as_task(kernel.comm_manager.comm_msg)

progress.also = added
pyodide_kernel.ipython_shell.Completer.use_jedi = False  # jedi is not in the page
