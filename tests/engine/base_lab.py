"""A plain lab, in a process of its own: queues, puts, gets, expiry, a trigger, a channel, dead letters, and questions.

Prints what it loaded of mqlab, as JSON: each module with its lines, and each file of data with its own;
tests/engine/test_small.py reads it.
"""

import json
import sys
from contextlib import suppress
from pathlib import Path

opened = set()  # the paths of files, also of those that are no data of mqlab
sys.addaudithook(lambda event, about: opened.add(str(about[0])) if event == "open" else None)

from mqlab import Lab, MQError  # noqa: E402  # the hook is there first

HUB = """
DEFINE QLOCAL(ORDERS) TRIGGER TRIGTYPE(EVERY) PROCESS(WORK) INITQ(INIT) MAXDEPTH(50)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(WORK) APPLICID('work')
DEFINE QLOCAL(DLQ) MAXDEPTH(10)
ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(BRANCH) USAGE(XMITQ)
DEFINE QREMOTE(BILLS) RNAME(BILLS) RQMNAME(BRANCH) XMITQ(BRANCH)
DEFINE QREMOTE(LOST) RNAME(NONE) RQMNAME(BRANCH) XMITQ(BRANCH)
DEFINE QALIAS(O) TARGET(ORDERS)
DEFINE CHANNEL(HUB.BRANCH) CHLTYPE(SDR) CONNAME('branch(1414)') XMITQ(BRANCH)
"""
BRANCH = """
DEFINE QLOCAL(BILLS)
DEFINE QLOCAL(DLQ)
ALTER QMGR DEADQ(DLQ)
DEFINE CHANNEL(HUB.BRANCH) CHLTYPE(RCVR)
"""


def run():
    """Let the lab do its work; what it answers to questions."""
    lab = Lab(seed=0)
    hub, branch = lab.queue_manager("HUB"), lab.queue_manager("BRANCH")
    hub.mqsc(HUB).require()
    branch.mqsc(BRANCH).require()
    lab.link("HUB", "BRANCH", 0.05)
    lab.address("branch(1414)", "BRANCH")
    hub.program("work", lambda app, trigger: app.get(trigger.queue))
    hub.trigger_monitor("INIT")
    served = hub.put("O", b"one")
    lab.advance(1)
    hub.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    hub.put("ORDERS", b"two", expiry=10, priority=3)
    lab.advance(5)
    hub.status("ORDERS")
    with suppress(MQError):
        hub.get("ORDERS")
    with hub.unit_of_work() as unit:
        unit.put("BILLS", b"bill")
    lost = hub.put("LOST", b"lost")
    hub.mqsc("START CHANNEL(HUB.BRANCH)").require()
    lab.advance(10)
    answers = [hub.mqsc("DISPLAY QLOCAL(ORDERS) ALL"), hub.mqsc("DISPLAY CHSTATUS(*)")]
    answers += [branch.mqsc("DISPLAY QSTATUS(*)"), lab.explain(served), lab.explain(lost)]
    answers += [hub.why_not_triggered("ORDERS"), hub.why_no_message("ORDERS"), lab.why_not_delivered(lost)]
    return [str(answer) for answer in answers]


if __name__ == "__main__":
    assert all(run())
    modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "mqlab"}
    package = Path(sys.modules["mqlab"].__file__).parent
    data = [path for path in map(Path, sorted(opened)) if package in path.parents and path.suffix in (".toml", ".txt")]
    lines = {name: Path(module.__file__).read_text("utf-8").count("\n") for name, module in modules.items()}
    of_data = {path.relative_to(package).as_posix(): path.read_text("utf-8").count("\n") for path in data}
    print(json.dumps({"modules": lines, "data": of_data}))
