"""`lab.ibmmq()`: lets the unmodified ibmmq, or pymqi, run on a lab.

Both libraries are Python above one module of C, `ibmmq.ibmmqc` or `pymqi.pymqe`, that calls an MQ client. mqlab puts a
module of its own in its place before the library is imported. The library stays loaded, and hidden, when the ``with``
block ends, so that the next block finds the same classes; `sys.modules` and `sys.path` are then as they were.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

from ..engine.words.constants import CURRENT_LEVEL as LEVEL
from ..engine.words.errors import LabError
from . import pymqi, verbs, verbs_properties, verbs_pubsub  # the last two enter their verbs
from .arguments import IBMMQ
from .session import Session, serving
from .structures import CURRENT


def _module() -> ModuleType:
    """The module `ibmmq.ibmmqc`, whose functions answer from the lab that serves."""
    module = ModuleType("ibmmq.ibmmqc", "The calls of the MQI, answered by a lab.")
    own: dict[str, Any] = {"MQCBINIT": verbs_pubsub.CALLBACKS.append, "MQLOGCF": lambda *settings: (0,)}
    own["MQSETMP"] = verbs_properties.set_checked
    facts: dict[str, Any] = {name: verbs.entry(name, signature, own.get(name)) for name, signature in IBMMQ.items()}
    facts |= {"__version__": _version("ibmmq"), "__cmdlevel__": LEVEL, "__mqbuild__": "common"}
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
def served(lab: Any, program: str = "python", session: type[Session] = Session) -> Iterator[Session]:
    """A ``with`` block in which `import ibmmq` and its calls reach the queue managers of `lab`; see `Lab.ibmmq`."""
    path, before = list(sys.path), dict(sys.modules)
    if "ibmmq" not in before and not (pymqi.installed("ibmmq") or pymqi.installed()):
        raise LabError(
            "IBM's library must be installed, and neither ibmmq nor pymqi is: pip install ibmmq. It needs no MQ client "
            "here; it has wheels for Linux on x86-64, macOS on ARM, and Windows"
        )
    if not _kept:
        _kept.update({"ibmmq.ibmmqc": _module(), "pymqi.pymqe": pymqi.module()})
    first = "ibmmq.ibmmqc" not in sys.modules
    if first:
        sys.modules.update(_kept)
    alias = pymqi.Alias()
    if first and not pymqi.installed():
        sys.meta_path.append(alias)
    try:
        with serving(session(lab, program)) as begun:
            yield begun
    finally:
        if alias in sys.meta_path:
            sys.meta_path.remove(alias)
        if first:
            mine = {name: one for name, one in sys.modules.items() if name not in before and _of_library(one)}
            _kept.clear()
            _kept.update(mine)
            for name in mine:
                del sys.modules[name]
            sys.path[:] = path


def _of_library(module: Any) -> bool:
    """Whether a module is one of the library's, or mqlab's own below it."""
    name = getattr(module, "__name__", "")
    if name.partition(".")[0] in ("ibmmq", "pymqi"):
        return True
    found = sys.modules.get("ibmmq") or _kept.get("ibmmq")
    home = next(iter(getattr(found, "__path__", ())), None)
    return home is not None and str(getattr(module, "__file__", None)).startswith(home)
