"""Programs written for IBM's Python library ibmmq, in a notebook."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..lab.lab import Lab

MISSING = (
    'ibmmq is not installed here, so the cells below do nothing. Install it with "pip install ibmmq": there are '
    "packages for Linux (x86-64), macOS (ARM), and Windows (x86-64)."
)


def require_ibmmq() -> None:
    """Let the rest of a notebook do nothing, and say so, if the library is not installed."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    if find_spec("ibmmq") is None and shell is not None:
        print(MISSING)
        shell.input_transformers_cleanup.append(lambda lines: [])


def run(lab: Lab, name: str, program: Callable[..., Any], *arguments: Any) -> Any:
    """Run a program on a lab as the application `name`; return its result, or the error by which it ended."""
    with lab.ibmmq(name) as session:
        library = import_module("ibmmq")
        try:
            return program(*arguments)
        except (library.Error, ArithmeticError, RuntimeError, ValueError) as error:
            print(f"{name} ended: {error}")
            let_go(error, session)
            return error


def let_go(error: BaseException, session: Any) -> None:
    """Remove the connections that the frames of a program hold after an error; the library disconnects them, as it does
    when the process ends."""
    seen: BaseException | None = error
    while seen is not None:
        seen.__traceback__, seen = None, seen.__cause__ or seen.__context__
    if session.connections:
        gc.collect()
