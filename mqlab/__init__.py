"""mqlab: a queue manager you can see inside.

A simulator of IBM MQ behaviour for teaching and exploring: queue managers, queues and messages on a simulated clock,
with an event log that names the rule behind everything that happens.

- The lab: `Lab`
- MQ's own structures: `MD`, `GMO`, `PMO`; the numbers they hold are in `mqlab.constants`
- Refusals: `MQError` (MQ's own), `LabError` (the lab's), `NotSimulated`
- What goes wrong in programs: `ProgramDied`, `RunawayTrigger`
- What happened: `Event`, `EventLog`, and the rule book: `RULES`, `rule`
- The state at any moment: `Replay`
- Ready to look at: `lab.scenario("poison")`, `mqlab.estates.load("two-sites")`
- To learn with: `mqlab.course.exercises.exercise("Q01")`; in a notebook `%load_ext mqlab`, and then `%mqlab?`
- Many labs, many messages, on Spark: `mqlab.pipeline`
- At a terminal: `mqlab --help`

>>> lab = Lab()
>>> qm = lab.queue_manager("QM1")
>>> qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
True
>>> print(lab.explain(qm.put("ORDERS", b"first")))
09:00:00.00  a program put message 1 on ORDERS, priority 0  [MQI-01 A put joins its priority]
09:00:00.00  it is on ORDERS now
"""

from .explain.replay import Replay
from .lab import display, estates
from .lab.lab import Lab
from .mq import constants
from .mq.errors import LabError, MQError, NotSimulated, ProgramDied, RunawayTrigger
from .mq.rules.rulebook import RULES, rule
from .mq.structures import GMO, MD, PMO
from .sim.events import Event, EventLog

display.install()


def load_ipython_extension(shell) -> None:
    """What `%load_ext mqlab` calls: `%%mqsc`, `%%expect`, `%mqlab`, and refusals as cards from now on."""
    from .course.magics import load

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
    "constants",
    "estates",
    "rule",
]
