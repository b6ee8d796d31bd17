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

>>> lab = Lab()
>>> qm = lab.queue_manager("QM1")
>>> qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
True
>>> print(lab.explain(qm.put("ORDERS", b"first")))
09:00:00.00  a program put message 1 on ORDERS, priority 0  [MQI-01 Messages are filed by priority]
09:00:00.00  it is on ORDERS now
"""

from .explain.replay import Replay
from .lab import estates
from .lab.display import install
from .lab.lab import Lab
from .mq import constants
from .mq.errors import LabError, MQError, NotSimulated, ProgramDied, RunawayTrigger
from .mq.rulebook import RULES, rule
from .mq.structures import GMO, MD, PMO
from .sim.events import Event, EventLog

__version__ = "0.1.0"

__all__ = [
    "GMO",
    "MD",
    "PMO",
    "RULES",
    "Event",
    "EventLog",
    "Lab",
    "LabError",
    "MQError",
    "NotSimulated",
    "ProgramDied",
    "Replay",
    "RunawayTrigger",
    "constants",
    "estates",
    "rule",
]

_ROOMS = [
    "mq",
    "sim",
    "qmgr",
    "programs",
    "everyplace",
    "mqsc",
    "explain",
    "views",
    "lab",
    "course",
    "pipeline",
    "tools",
]

install()
del install


def load_ipython_extension(shell: object) -> None:
    """Load `%%mqsc`, `%%expect`, `%mqlab`, and cards for refusals: IPython calls this for `%load_ext mqlab`."""
    from .course.magics import load

    load(shell)


def __getattr__(name: str) -> object:
    # `import mqlab` stays light: the course and Spark load when they are first named.
    if name not in _ROOMS:
        raise AttributeError(f"module 'mqlab' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})
