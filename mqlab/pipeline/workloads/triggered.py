"""A server that triggering starts, and that ends when it has nothing to do."""

from __future__ import annotations

from random import Random

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.pipeline.workloads.parts import ARRIVALS, DURATION, SECOND, SERVICE, clients, lifetime, serve
from mqlab.pipeline.workloads.workload import Workload

__all__ = ["TRIGGERED"]


def build(
    lab: Lab,
    rng: Random,
    *,
    trigtype,
    trigdpth,
    trigint,
    arrival_rate,
    service_time,
    server_wait,
    server_life,
    expiry,
    duration,
) -> None:
    """WEB puts to WORK on QM1; a trigger monitor on INIT starts SERVER, which gets from WORK."""
    qm, end_us = lab.queue_manager("QM1"), round(duration * SECOND)
    qm.mqsc(f"""
        ALTER QMGR TRIGINT({trigint})
        DEFINE QLOCAL(INIT)
        DEFINE PROCESS(SERVE) APPLICID('SERVER')
        DEFINE QLOCAL(WORK) MAXDEPTH(999999999) TRIGGER TRIGTYPE({trigtype}) TRIGDPTH({trigdpth}) +
               PROCESS(SERVE) INITQ(INIT)
        """).require()

    def serve_work(app, _trigger):
        with app.open("WORK", input="shared", set=True) as handle:
            serve(app, handle, rng, service_time, server_wait, server_life or None)
            if trigtype == "DEPTH":
                handle.set(TRIGGER=True)  # which the trigger switched off (TRG-03)

    qm.program("SERVER", serve_work)
    qm.trigger_monitor("INIT")
    qm.run_program("WEB", clients(rng, "WORK", arrival_rate, end_us, expiry=expiry))


TRIGGERED = Workload(
    "triggered",
    "requests on a triggered queue, and a server that is started for them and ends when none comes",
    build,
    (
        Parameter("trigtype", "FIRST", "TRIGTYPE of the queue", choices=("FIRST", "EVERY", "DEPTH")),
        Parameter("trigdpth", 5, "TRIGDPTH of the queue, for TRIGTYPE(DEPTH)", "messages", 1, 999_999_999),
        Parameter("trigint", 999_999_999, "TRIGINT of the queue manager", "milliseconds", 0, 999_999_999),
        ARRIVALS,
        SERVICE,
        Parameter("server_wait", 1.0, "how long the server waits for one more request", "seconds", 0, 3600),
        Parameter("server_life", 0, "after how many requests the server ends, 0 for never", "requests", 0, 1_000_000),
        lifetime(default=-1),
        DURATION,
    ),
)
