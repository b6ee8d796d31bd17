"""pymqi on a lab: the functions of its module of C where they differ from ibmmq's, and its name without the package.

Where pymqi is not installed, `import pymqi` gives ibmmq under that name, which most programs do not notice. ibmmq has
constants such as MQCHT_CLNTCONN in one module only; here, as in pymqi, CMQC has those of CMQXC too. CMQZC, about
installable services, can be imported, and has no constants.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from ..engine.words import constants as mq
from . import verbs, verbs_properties
from .arguments import PYMQE, as_text

LEVELS = "5.0,5.1,5.2,5.3,6.0,7.0,7.1,8.0.0"
"""The levels of MQ whose structures pymqi is to use."""
_PARTS = ("CMQC", "CMQCFC", "CMQXC", "CMQZC", "const")
_LONGEST = 12_288  # characters of an attribute


def module() -> ModuleType:
    """The module `pymqi.pymqe`."""
    made = ModuleType("pymqi.pymqe", "The calls of the MQI, answered by a lab.")
    own: dict[str, Callable[..., tuple]] = {
        "MQCONNX": _connx,
        "MQINQ": _inq,
        "MQSET": _set,
        "MQINQMP": _inqmp,
        "MQSETMP": verbs_properties.set_checked,
    }
    for function in (*verbs.VERBS, *verbs.CONNECTS):
        setattr(made, function, verbs.entry(function, PYMQE[function], own.get(function)))
    made.__dict__.update(__mqlevels__=LEVELS, __mqbuild__="client")
    return made


def _connx(name: bytes, options: int, cd: Any, who: dict, sco: Any = None) -> tuple:
    """MQCONNX: `who` has "user" and "password", or nothing."""
    if not isinstance(who, dict | None):
        raise TypeError("the user and the password must be in a dict")
    given = {each: as_text(who[each]) for each in ("user", "password") if who and who.get(each) is not None}
    return verbs.connect("MQCONNX", name, options, cd, given, sco)


def _inq(connection: int, number: int, selector: int) -> tuple:
    """MQINQ of one attribute: its value and the two codes."""
    numeric = selector < mq.MQCA_FIRST
    wanted = (1, 0, 0) if numeric else (0, 1, _LONGEST)
    ints, characters, *ended = verbs.call("MQINQ", connection, number, [selector], [], *wanted)
    return (ints[0] if ints else 0) if numeric else characters, *ended


def _set(connection: int, number: int, selector: int, value: Any) -> tuple:
    """MQSET of one attribute."""
    if not isinstance(value, int if selector < mq.MQCA_FIRST else bytes):
        raise TypeError(f"Arg is not a {'long integer' if selector < mq.MQCA_FIRST else 'byte-string'}")
    if selector < mq.MQCA_FIRST:
        return verbs.call("MQSET", connection, number, [selector], [value], b"")
    return verbs.call("MQSET", connection, number, [selector], [], value)


def _inqmp(connection: int, handle: int, options: int, name: bytes, pd: int, sort: int, longest: int) -> tuple:
    """MQINQMP with the options of the two structures as numbers: the value, its length, and the two codes."""
    value, length, _, *ended = verbs.call("MQINQMP", connection, handle, options, name, pd, sort, longest)
    return value, length, *ended


class _Names(dict):
    """The names of the constants of a module that begin with a prefix, by value; of equal ones the last."""

    def __init__(self, module: ModuleType, prefix: str):
        found = ((value, name) for name, value in vars(module).items() if name.startswith(prefix))
        super().__init__((value, name) for value, name in found if isinstance(value, Hashable))

    def has_key(self, value: Any) -> bool:
        """Whether a constant has this value."""
        return value in self


def _only_here(ibmmq: ModuleType) -> dict[str, Any]:
    """The names of pymqi that ibmmq does not have."""

    def make_q_desc(queue: Any) -> Any:
        return ibmmq.OD(ObjectName=ibmmq.ensure_bytes(queue)) if isinstance(queue, str | bytes) else queue

    names = {"make_q_desc": make_q_desc, "makeQDesc": make_q_desc, "_MQConst2String": _Names, "py23long": int}
    return names | {"default": ibmmq.EncodingDefault, "is_py2": False, "is_py3": True, "__mqlevels__": LEVELS}


class Alias:
    """A finder that provides ibmmq under the name `pymqi` if pymqi is not installed."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """The spec of `pymqi` and its modules of constants; None for all others, and if pymqi is installed."""
        package, _, part = name.partition(".")
        if package != "pymqi" or (part and part not in _PARTS):
            return None
        return spec_from_loader(name, self, is_package=not part)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module that has what ibmmq's has; CMQC has the constants of the other modules too."""
        ibmmq = import_module("ibmmq")
        _leave_names(ibmmq)
        part = spec.name.partition(".")[2]
        every = [ibmmq.CMQCFC, ibmmq.CMQXC, ibmmq.CMQC]
        sources = {"": [ibmmq], "CMQC": every, "const": every, "CMQZC": []}.get(part, [getattr(ibmmq, part, ibmmq)])
        made = ModuleType(spec.name, ibmmq.__doc__)
        for source in sources:
            vars(made).update({each: value for each, value in vars(source).items() if not each.startswith("__")})
        vars(made).update({} if part else _only_here(ibmmq))
        vars(made).update(__version__=ibmmq.__version__, __mqbuild__=ibmmq.__mqbuild__)
        return made

    def exec_module(self, made: ModuleType) -> None:
        """Give the package its modules of constants."""
        for part in () if "." in made.__name__ else _PARTS:
            setattr(made, part, import_module(f"pymqi.{part}"))


def _leave_names(ibmmq: ModuleType) -> None:
    """Let a program that knows pymqi only have modules of its own with the names of ibmmq's, such as mqpcf."""
    # ibmmq makes its folder the first place of all imports
    home = str(Path(str(ibmmq.__file__)).parent)
    sys.path[:] = [each for each in sys.path if each != home]
    for name, module in list(sys.modules.items()):
        if "." not in name and module is not ibmmq and str(getattr(module, "__file__", "")).startswith(home):
            del sys.modules[name]


def installed(package: str = "pymqi") -> bool:
    """Whether a package itself can be imported; a folder of this name is none."""
    found = find_spec(package)
    return found is not None and found.origin is not None
