"""The kernel of the course in a browser tab, from the inside: imported once, by templates/lite/kernel.mjs."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pyodide_kernel
from page_of_course import added, began, ended
from pyodide_kernel.comm import Comm

from mqlab.course.exercises import progress
from mqlab.engine.words.errors import LabError
from tools.lite_absent import ABSENT

_MISSING = {module: each for each in ABSENT for module in each.modules}


class NotInABrowser(LabError, ModuleNotFoundError):
    """An import of what a page cannot have."""


class _Absent:
    """Finds the modules that a page cannot have, and says so."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if absent := _MISSING.get(name):
            raise NotInABrowser(
                f"{absent.name} does not run in a browser, and this cell needs {absent.name}. {absent.instead}"
            )


def _show(*values: Any, **options: Any) -> None:
    """Show the error of a cell before `%load_ext mqlab` as after it: as a card."""
    from mqlab.course.magics import show_refusal

    show_refusal(*values, **options)


async def _refused(*_requirements: object, **_options: object) -> None:
    raise LabError(
        "packages cannot be added in the browser, because all of them are in the page; install mqlab instead"
    )


def _interruptible_call(handle: Callable[..., None]) -> Callable[..., None]:
    """Return a function that handles a message of a widget as `handle` does, and that the page can interrupt."""

    def call(*values: object) -> None:
        began()
        try:
            handle(*values)
        except KeyboardInterrupt:
            print("Interrupted. The lab is whole: it shows how far it came.", file=sys.stderr)
        finally:
            ended()

    return call


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
Comm.handle_msg = _interruptible_call(Comm.handle_msg)
_shell.set_custom_exc((LabError,), _show)
_shell.Completer.use_jedi = False  # jedi is not in the page
