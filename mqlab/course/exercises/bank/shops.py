"""Parts that exercises share: programs that several start, and the shops of a small business with their channels."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import import_module
from itertools import islice
from typing import Any

from ....engine.words.errors import LabError, MQError, ProgramDied
from ....lab.lab import Lab
from ...programs import let_go
from ..exercise import retold, said, typed
from .log_queries import Rows, done, texts

TURNS = 2000
"""A program for IBM's library that uses more turns of its lab than this is stopped; those of the course use 100."""


class Breakdown(Exception):
    """The failure of a machine that a program uses; the program dies of it."""


def run(lab: Lab, qmgr: str, program: str, given: Any = None, *, seconds: float = 0) -> None:
    """Start the program that is registered under this name, as function(app, given), and let time pass."""
    lab[qmgr].run_program(program, lab[qmgr].programs[program], given)
    let_pass(lab, seconds)


def let_pass(lab: Lab, seconds: float) -> None:
    """Let time pass; a program that dies of an MQError or a Breakdown is only an event in the log.

    Any other exception is a mistake in the program, and is raised.
    """
    until = lab.now_us + round(seconds * 1_000_000)
    while lab.now_us < until:
        try:
            lab.advance_to(until)
        except ProgramDied as died:
            if not isinstance(died.__cause__, (MQError, Breakdown)):
                raise


def run_library(lab: Lab, program: str, *given: Any, seconds: float) -> None:
    """Run the program for IBM's library that is registered under this name, as function(*given), to its end; after so
    many seconds it is killed.

    A program that ends by an error of MQ or a Breakdown is only an event in the log. Any other exception is a mistake
    in the program, and is raised as ProgramDied; LabError for a program that runs in circles.
    """
    with lab.ibmmq(program) as session:
        library = import_module("ibmmq")
        session.turns.limit_us, session.turns.limit_turns = lab.now_us + round(seconds * 1_000_000), TURNS
        session.turns.at_limit = sys.exit
        try:
            lab["QM1"].programs[program](*given)
        except (library.Error, Breakdown) as error:
            let_go(error, session)
        except SystemExit as error:
            session.end()  # while the frames of the program hold its connections: nobody disconnects
            if session.turns.limit_turns is None:
                raise LabError(
                    f"{program} makes the same calls again and again while no time passes. Look at the reason code of "
                    "each error before you try again"
                ) from error
        except LabError:
            raise
        except Exception as error:
            raise ProgramDied(f"{program} on QM1 died: {error}") from error


def monitor(lab: Lab, qmgr: str, initq: str) -> None:
    """Start a trigger monitor, which opens the initiation queue at once; none if a program has the queue open."""
    if not lab[qmgr].status(initq)["IPPROCS"]:
        lab[qmgr].trigger_monitor(initq)
        lab.advance(0)


def seconds_alone(lab: Lab, program: str, given: Callable[[Lab], Any], most: int) -> int:
    """The seconds after which a program ends if it finds QM1's queues empty and nothing arrives, in a lab with the same
    definitions; `most` if it still runs then."""
    trial = retold(lab)
    with closing(trial):
        with suppress(ProgramDied):  # its mistake is a symptom of the load
            run(trial, "QM1", program, given(trial), seconds=most)
        ended = [row for row in trial.events.where(kind="program", program=program) if row.facts["state"] != "started"]
        return int(ended[0].time_us // 1_000_000) if ended else most


def watched(lab: Lab, initq: str, program: str) -> Any:
    """Start a trigger monitor if none runs, and connect a program a second later."""
    monitor(lab, "QM1", initq)
    lab.advance(1)
    return lab["QM1"].connect(program)


def serve(app: Any, trigger: Any) -> None:
    """A well-behaved server: get every message on the queue, then end."""
    with app.open(trigger.queue, input="shared") as queue:
        queue.drain()


def serve_up_to(number: int, again: bool = True) -> Callable[[Any, Any], None]:
    """Return a server that gets up to this many messages, and with `again` turns triggering on before it ends."""

    def take(app: Any, trigger: Any) -> None:
        with app.open(trigger.queue, input="shared", set=again) as queue:
            list(islice(queue.get_each(), number))
            if again:
                queue.set(TRIGGER=True)

    return take


TRIGGERED = "TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.DEPOT) INITQ(SYSTEM.CHANNEL.INITQ)"
DEAD = "SYSTEM.DEAD.LETTER.QUEUE"
SYNCQ = "SYSTEM.CHANNEL.SYNCQ"
"""The queue on which a channel stores its state between runs; it holds no stray messages."""


def alone(
    commands: str,
    work: str = "",
    qmgr: str = "QM1",
    programs: dict[str, Callable] | None = None,
    initq: str = "",
    **settings: Any,
) -> Callable[[Lab], None]:
    """Return a setup of one queue manager: its definitions, the cells that the learners of exercise `work` start with,
    its programs, and a trigger monitor on an initiation queue."""

    def set_up(lab: Lab) -> None:
        made = lab.queue_manager(qmgr, **settings)
        made.mqsc(commands).require()
        if work:
            typed(said(work)["work"])(lab)
        for name, function in (programs or {}).items():
            made.program(name, function)
        if initq:
            monitor(lab, qmgr, initq)

    return set_up


def copied(lab: Lab) -> Any:
    """A copy of QM1 with its definitions, users, and groups, in a lab of its own; REFRESH SECURITY was typed there."""
    qm = lab["QM1"]
    copy = Lab().queue_manager("QM1", users=qm.users, groups=qm.groups)
    copy.mqsc(qm.export_mqsc())
    copy.refresh_security()
    return copy


def sends(
    lab: Lab, here: str, there: str, channel: str, xmitq: str, conname: str, trigger: str = "", sender: str = ""
) -> None:
    """Queue manager `here` sends what is on a transmission queue to `there`; `trigger` and `sender` are attributes."""
    lab[there].mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)").require()
    lab[here].mqsc(f"DEFINE QLOCAL({xmitq}) USAGE(XMITQ) {trigger}").require()
    lab[here].mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('{conname}') XMITQ({xmitq}) {sender}").require()


def depot_and_link(lab: Lab, latency: float = 0.05) -> None:
    """SHOP has a link to DEPOT, where ORDERS is, but no channel is defined."""
    for name in ("SHOP", "DEPOT"):
        lab.queue_manager(name)
    lab.link("SHOP", "DEPOT", latency=latency)
    lab.address("depot.example(1414)", "DEPOT")
    lab["DEPOT"].mqsc("DEFINE QLOCAL(ORDERS)").require()


def shop_and_depot(sender: str, latency: float = 0.0, xmitq: str = TRIGGERED) -> Callable[[Lab], None]:
    """Return a setup of SHOP, which sends to ORDERS at DEPOT through channel TO.DEPOT; `sender` and `xmitq` are
    attributes."""

    def set_up(lab: Lab) -> None:
        depot_and_link(lab, latency)
        sends(lab, "SHOP", "DEPOT", "TO.DEPOT", "DEPOT", "depot.example(1414)", xmitq, sender)
        lab["SHOP"].mqsc("DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEPOT) XMITQ(DEPOT)").require()

    return set_up


def road(lab: Lab, branch: str, conname: str = "hq.example(1414)") -> None:
    """Create a queue manager whose channel BRANCH.HQ sends from TO.HQ to HQ. If there is no HQ, create it too, with a
    dead-letter queue."""
    if "HQ" not in [qmgr.name for qmgr in lab.queue_managers]:
        lab.queue_manager("HQ")
        lab["HQ"].mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
        lab.address("hq.example(1414)", "HQ")
    lab.queue_manager(branch)
    lab.link(branch, "HQ", latency=0.05)
    trigger = f"TRIGGER TRIGDATA({branch}.HQ) INITQ(SYSTEM.CHANNEL.INITQ)"
    sends(lab, branch, "HQ", f"{branch}.HQ", "TO.HQ", conname, trigger)


def shop_and_hq(commands: str, **queues: str) -> Callable[[Lab], None]:
    """Return a setup of SHOP, which sends to HQ: commands for HQ, and HQ's queues by the names that SHOP uses for
    them."""

    def set_up(lab: Lab) -> None:
        road(lab, "SHOP")
        for name, queue in queues.items():
            lab["SHOP"].mqsc(f"DEFINE QREMOTE({name}) RNAME({queue}) RQMNAME(HQ) XMITQ(TO.HQ)").require()
        lab["HQ"].mqsc(commands).require()

    return set_up


def order(lab: Lab, *numbers: int, persistent: bool = True, **options: Any) -> None:
    """Put orders at the shop for the depot."""
    for number in numbers:
        lab["SHOP"].connect("COUNTER").put("ORDERS", b"order %d" % number, persistent=persistent, **options)


at_depot, at_shop = texts("DEPOT", "ORDERS"), texts("SHOP", "DEPOT")
"""The orders that have arrived at the depot, and those that wait on the shop's transmission queue."""


def orders(last: int) -> list[str]:
    """The texts of the orders from 1 to `last`."""
    return [f"order {number}" for number in range(1, last + 1)]


def reach(app: Any, name: str, body: bytes, persistent: bool | None = True, **options: Any) -> None:
    """Put to a name; a put that fails is only an event in the log."""
    with suppress(MQError):
        app.put(name, body, persistent=persistent, **options)


def delivered(queue: str) -> Rows:
    """The arrivals of messages on a queue of HQ."""
    return done("put", queue, qmgr="HQ")
