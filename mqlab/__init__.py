"""mqlab: a queue manager you can see inside.

A simulator of IBM MQ behaviour for teaching and exploring: queue managers, queues and messages on a simulated clock,
with an event log that names the rule behind everything that happens.

- The lab: `Lab`
- MQ's own structures: `MD`, `GMO`, `PMO`; the numbers they hold are in `mqlab.constants`
- Refusals: `MQError` (MQ's own), `LabError` (the lab's), `NotSimulated`
- What goes wrong in programs: `ProgramDied`, `RunawayTrigger`
- What happened: `Event`, `EventLog`, and the rule book: `RULES`, `rule`
- The state at any moment: `Replay`
"""

from . import display
from .errors import LabError, MQError, NotSimulated, ProgramDied, RunawayTrigger
from .events import Event, EventLog
from .lab import Lab
from .replay import Replay
from .rulebook import RULES, rule
from .structures import GMO, MD, PMO

display.install()


def load_ipython_extension(shell) -> None:
    """What `%load_ext mqlab` calls: `%%mqsc`, `%%expect` and `%mqlab` from now on."""
    from .magics import load

    load(shell)


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
    "rule",
]
