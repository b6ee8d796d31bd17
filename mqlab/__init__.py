"""mqlab: a queue manager you can see inside.

A simulator of IBM MQ behavior for teaching and exploring: queue managers, queues and messages on a simulated clock,
with an event log that names the rule behind everything that happens.

- The lab: `Lab`
- MQ's own structures: `MD`, `GMO`, `PMO`; the numbers they hold are in `mqlab.constants`
- Refusals: `MQError` (MQ's own), `LabError` (the lab's), `NotSimulated`
- What goes wrong in programs: `ProgramDied`, `RunawayTrigger`
- What happened: `Event`, `EventLog`, and the rule book: `RULES`, `rule`
- The state at any moment: `Replay`
- Ready to look at: `lab.scenario("poison")`, `mqlab.estates.load("two-sites")`
- To learn with: `mqlab.course.exercise("Q01")`, and a game: `mqlab.course.play()`; in a notebook `%load_ext mqlab`, and
  then `%mqlab?`
- Many labs, many messages, on Spark: `mqlab.pipeline`
- At a terminal: `mqlab --help`

>>> from mqlab import Lab
>>> lab = Lab()
>>> qm = lab.queue_manager("QM1")
>>> qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
True
>>> print(lab.explain(qm.put("ORDERS", b"first")))
09:00:00.00  a program put message 1 on ORDERS, priority 0  [MQI-01 Messages are filed by priority]
09:00:00.00  it is on ORDERS now
"""

import sys as _sys
from importlib import import_module as _import_module
from importlib.abc import Loader as _Loader
from importlib.machinery import ModuleSpec as _ModuleSpec
from typing import TYPE_CHECKING

from . import lab as lab  # plugs the extras in that are there, before the catalog and the rule book are read

if TYPE_CHECKING:
    from types import ModuleType

    from . import estates
    from .engine.explain.replay import Replay
    from .engine.words import constants
    from .engine.words.errors import LabError, MQError, NotSimulated, ProgramDied, RunawayTrigger
    from .engine.words.rulebook import RULES, rule
    from .engine.words.structures import GMO, MD, PMO
    from .engine.world.event import Event
    from .lab.event_log import EventLog
    from .lab.lab import Lab

__version__ = "0.1.0"

_MODULES = {
    "estates": "estates",
    "engine.explain.replay": "Replay",
    "lab.event_log": "EventLog",
    "lab.lab": "Lab",
    "engine.words.constants": "constants",
    "engine.words.errors": "LabError MQError NotSimulated ProgramDied RunawayTrigger",
    "engine.words.rulebook": "RULES rule",
    "engine.words.structures": "GMO MD PMO",
    "engine.world.event": "Event",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOMES)

_ROOMS = ["engine", *lab.extras.ROOMS, "lab", "cli"]


def load_ipython_extension(shell: object) -> None:
    """Load `%%mqsc`, `%%expect`, `%mqlab`, and cards for refusals: IPython calls this for `%load_ext mqlab`."""
    with lab.extras.room("course"):
        from .course.magics import load

    load(shell)


_MOVED = {
    "mqlab.constants": "mqlab.engine.words.constants",
    "mqlab.mq.selector": "mqlab.properties.selector",
    "mqlab.mq.headers": "mqlab.bridges.headers",
    "mqlab.mq.pcf": "mqlab.pcf.format",
    "mqlab.programs.sample_server": "mqlab.lab.sample_server",
    "mqlab.programs.dead_letter_handler": "mqlab.dead_letters",
    "mqlab.explain.topology": "mqlab.topology.graph",
    "mqlab.qmgr.engine": "mqlab.engine.queues.queue_manager",
    "mqlab.mqsc.commands": "mqlab.engine.commands.running",
    "mqlab.sim.formats": "mqlab.formats",
    "mqlab.admin.authentication": "mqlab.gates.passwords",
    "mqlab.mq.extra": "mqlab.engine.extra",
    "mqlab.mq": "mqlab.engine.words",
    "mqlab.sim": "mqlab.engine.world",
    "mqlab.qmgr": "mqlab.engine.queues",
    "mqlab.programs": "mqlab.engine.programs",
    "mqlab.mqsc": "mqlab.engine.commands",
    "mqlab.explain": "mqlab.engine.explain",
    "mqlab.tools": "mqlab.cli",
}
"""Names of modules and folders that other people's programs import -> where these are now."""


class _Moved(_Loader):
    """Imports a module by a name of `_MOVED`, or of a module in a folder of it: the module itself, not a second one."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> _ModuleSpec | None:
        """The spec of a module that has moved, by its old name; None for all other names."""
        if not name.startswith("mqlab."):
            return None
        old = next((old for old in _MOVED if f"{name}.".startswith(f"{old}.")), None)
        return None if old is None else _ModuleSpec(name, self, origin=_MOVED[old] + name[len(old) :])

    def create_module(self, spec: _ModuleSpec) -> "ModuleType":
        """The module where it is now; `exec_module` gives it back the specification that it had."""
        module = _import_module(str(spec.origin))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: "ModuleType") -> None:
        """Nothing is left to run."""
        alias = module.__spec__
        module.__spec__ = alias.loader_state if alias is not None else None


class _Left(_Moved):
    """Finds a module that left its folder when the folder moved: `from mqlab.mq import pcf` looks for it there."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> _ModuleSpec | None:
        """The spec of a module that is in another folder than the one its old folder became."""
        folder, _, leaf = name.rpartition(".")
        olds = (f"{old}.{leaf}" for old, new in _MOVED.items() if new == folder)
        return next((super(_Left, self).find_spec(old) for old in olds if old in _MOVED), None)


_sys.meta_path[:] = [_Moved(), *_sys.meta_path, _Left()]


def __getattr__(name: str) -> object:
    # `import mqlab` stays light: the lab loads when a name is first asked for
    if name not in _HOMES and name not in _ROOMS and f"mqlab.{name}" not in _MOVED:
        raise AttributeError(f"module 'mqlab' has no attribute {name!r}")
    with lab.extras.room(_HOMES.get(name, name)):
        home = _import_module(f".{_HOMES.get(name, name)}", __name__)
    if name in _ROOMS or name not in _HOMES:
        return home
    globals()[name] = found = getattr(home, name, home)  # estates and constants are modules
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})
