"""A queue that fills up while its reader is away."""

from __future__ import annotations

from random import Random

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.pipeline.workloads.parts import ARRIVALS, DURATION, SECOND, SERVICE, clients, lifetime, server
from mqlab.pipeline.workloads.workload import Workload

__all__ = ["FILLING"]


def build(lab: Lab, rng: Random, *, maxdepth, expiry, arrival_rate, service_time, away, duration) -> None:
    """WEB puts to REQUESTS on QM1, whose reader SERVER comes only after `away` seconds."""
    qm, end_us = lab.queue_manager("QM1"), round(duration * SECOND)
    qm.mqsc(f"DEFINE QLOCAL(REQUESTS) MAXDEPTH({maxdepth})").require()
    work = server(rng, "REQUESTS", service_time, end_us)

    def come_back(app):
        lab.advance(away)
        work(app)

    qm.run_program("SERVER", come_back)
    qm.run_program("WEB", clients(rng, "REQUESTS", arrival_rate, end_us, expiry=expiry))


FILLING = Workload(
    "filling",
    "a queue that fills up to MAXDEPTH while its reader is away",
    build,
    (
        Parameter("maxdepth", 50, "MAXDEPTH of the queue", "messages", 0, 999_999_999),
        lifetime(default=-1),
        ARRIVALS,
        SERVICE._replace(default=0.1),
        Parameter("away", 40.0, "how long the reader stays away at first", "seconds", 0, 86_400),
        DURATION,
    ),
)
