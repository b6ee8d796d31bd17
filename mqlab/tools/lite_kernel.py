"""The kernel of the course in a browser tab, from the inside: imported once, by templates/lite/kernel.mjs."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pyodide_kernel
from page_of_course import added, began, ended

from mqlab.course.exercises import progress
from mqlab.mq.errors import LabError

_SPARK = (
    "Spark does not run in a browser, and this cell needs it or what comes with it. Small questions work without it: "
    'lab.events.where(kind="put") lists rows of the log of a lab'
)
_ABSENT = {
    "pyspark": _SPARK,
    "mqlab.pipeline": _SPARK,
    "ibmmq": "IBM's library for Python does not run in a browser, and this cell needs it. Programs that call a queue "
    "manager of a lab work without it: qm.put(queue, body), qm.get(queue), and qm.run_program(name, function)",
}
"""Modules that notebooks import and a page cannot have, each with a sentence about it."""


class NotInABrowser(LabError, ModuleNotFoundError):
    """An import of what a page cannot have."""


class _Absent:
    """Finds the modules that a page cannot have, and says so."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if name in _ABSENT:
            raise NotInABrowser(_ABSENT[name])


def _show(*values: Any, **options: Any) -> None:
    """Show the error of a cell before `%load_ext mqlab` as after it: as a card."""
    from mqlab.course.magics import show_refusal

    show_refusal(*values, **options)


async def _refused(*_requirements: object, **_options: object) -> None:
    raise LabError(
        "packages cannot be added in the browser, because all of them are in the page; install mqlab instead"
    )


def _interruptible(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs a cell as `run` does, and that the page can interrupt."""

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

sys.meta_path.insert(0, _Absent)
progress.also = added
_shell = pyodide_kernel.ipython_shell
_shell.run_cell_async = _interruptible(_shell.run_cell_async)
_shell.set_custom_exc((LabError,), _show)
_shell.Completer.use_jedi = False  # jedi is not in the page
