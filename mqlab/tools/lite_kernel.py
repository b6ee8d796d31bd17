"""The kernel of the course in a browser tab, from the inside: imported once, by templates/lite/kernel.mjs."""

import sys
from types import ModuleType

import pyodide_kernel
from page_of_course import added

from mqlab.course.exercises import progress
from mqlab.mq.errors import LabError


async def _refused(*_requirements: object, **_options: object) -> None:
    raise LabError(
        "packages cannot be added in the browser, because all of them are in the page; install mqlab instead"
    )


_installer = ModuleType("piplite")
_installer.install = _refused  # type: ignore[attr-defined]
_installer.piplite = _installer  # type: ignore[attr-defined]
sys.modules |= {"piplite": _installer, "piplite.piplite": _installer}

progress.also = added
pyodide_kernel.ipython_shell.Completer.use_jedi = False  # jedi is not in the page
