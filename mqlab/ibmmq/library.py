"""`lab.ibmmq()`: lets the unmodified ibmmq, or pymqi, run on a lab.

Both libraries are Python above one module of C, `ibmmq.ibmmqc` or `pymqi.pymqe`, that calls an MQ client. mqlab puts a
module of its own in its place before the library is imported. The library stays loaded, and hidden, when the ``with``
block ends, so that the next block finds the same classes; `sys.modules` and `sys.path` are then as they were.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

from . import verbs
from .session import Session, serving
from .structures import CURRENT

_callbacks: list[Callable[..., object]] = []
"""The function of the library that calls a consumer, told by MQCBINIT."""


def callback() -> Callable[..., object] | None:
    """The function of the library that calls the consumers of a program: (hConn, md, gmo, data, context)."""
    return _callbacks[-1] if _callbacks else None


def _module(name: str, of: str, level: int) -> ModuleType:
    """A module with the functions of the C module of this name, which answer from the lab that serves."""
    module = ModuleType(name, "The calls of the MQI, answered by a lab.")
    for function in verbs.VERBS:
        setattr(module, function, partial(verbs.call, function))
    for function in verbs.CONNECTS:
        setattr(module, function, partial(verbs.connect, function))
    facts: dict[str, Any] = {"MQCBINIT": _callbacks.append, "MQLOGCF": lambda *settings: None}
    facts |= {"__version__": _version(of), "__cmdlevel__": level, "__mqbuild__": "common"}
    facts["__strucversions__"] = dict(CURRENT)
    vars(module).update(facts)
    return module


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "0"


_kept: dict[str, ModuleType] = {}
"""The library's modules, by name, from the end of one ``with`` block to the beginning of the next."""


@contextmanager
def served(lab: Any, program: str = "python") -> Iterator[Session]:
    """A ``with`` block in which `import ibmmq` and its calls reach the queue managers of `lab`; see `Lab.ibmmq`."""
    path, before = list(sys.path), dict(sys.modules)
    if "ibmmq.ibmmqc" not in sys.modules:
        if not _kept:
            _kept["ibmmq.ibmmqc"] = _module("ibmmq.ibmmqc", "ibmmq", 940)
        sys.modules.update(_kept)
    try:
        with serving(Session(lab, program)) as session:
            yield session
    finally:
        new = {name: module for name, module in sys.modules.items() if name not in before}
        mine = {name: module for name, module in new.items() if _of_library(module)}
        _kept.update(mine)
        for name in mine:
            del sys.modules[name]
        if not any(name.partition(".")[0] == "ibmmq" for name in before):
            sys.path[:] = path


def _of_library(module: Any) -> bool:
    """Whether a module is one of the library's, or mqlab's own below it."""
    name = getattr(module, "__name__", "")
    if name.partition(".")[0] in ("ibmmq", "pymqi"):
        return True
    found = sys.modules.get("ibmmq") or _kept.get("ibmmq")
    home = next(iter(getattr(found, "__path__", ())), None)
    return home is not None and str(getattr(module, "__file__", None)).startswith(home)
