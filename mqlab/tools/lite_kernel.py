"""The kernel of the course in a browser tab, from the inside: imported once, by templates/lite/kernel.mjs."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pyodide_kernel
from page_of_course import added, began, ended

from mqlab.course.exercises import progress
from mqlab.mq.errors import LabError


async def _refused(*_requirements: object, **_options: object) -> None:
    raise LabError(
        "packages cannot be added in the browser, because all of them are in the page; install mqlab instead"
    )


def _interruptible(run: Callable[..., Any]) -> Callable[..., Any]:
    """What runs a cell as `run` does, and can be interrupted by the page meanwhile."""

    async def cell(*values: object, **options: object) -> object:
        began()
        try:
            return await run(*values, **options)
        finally:
            ended()

    return cell


_installer = ModuleType("piplite")
_installer.install = _refused  # type: ignore[attr-defined]
_installer.piplite = _installer  # type: ignore[attr-defined]
sys.modules |= {"piplite": _installer, "piplite.piplite": _installer}

progress.also = added
_shell = pyodide_kernel.ipython_shell
_shell.run_cell_async = _interruptible(_shell.run_cell_async)
_shell.Completer.use_jedi = False  # jedi is not in the page
