"""Requests with a lifetime, and servers that are too slow for some of them."""

from __future__ import annotations

from random import Random

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.pipeline.workloads.parts import ARRIVALS, DURATION, SECOND, SERVICE, clients, lifetime, server
from mqlab.pipeline.workloads.workload import Workload

__all__ = ["EXPIRING"]


def build(lab: Lab, rng: Random, *, expiry, capexpry, arrival_rate, service_time, servers, duration) -> None:
    """WEB puts to REQUESTS on QM1, SERVER.1, SERVER.2, ... get from it."""
    qm, end_us = lab.queue_manager("QM1"), round(duration * SECOND)
    cap = "NOLIMIT" if capexpry == -1 else capexpry
    qm.mqsc(f"DEFINE QLOCAL(REQUESTS) MAXDEPTH(999999999) CAPEXPRY({cap})").require()
    for number in range(1, servers + 1):
        qm.run_program(f"SERVER.{number}", server(rng, "REQUESTS", service_time, end_us))
    qm.run_program("WEB", clients(rng, "REQUESTS", arrival_rate, end_us, expiry=expiry))


EXPIRING = Workload(
    "expiring",
    "requests with a lifetime on one queue, and servers that take their time over each",
    build,
    (
        lifetime(),
        Parameter(
            "capexpry",
            -1,
            "CAPEXPRY of the queue, -1 for NOLIMIT: no request lives longer",
            "tenths of a second",
            -1,
            999_999_999,
        ),
        ARRIVALS,
        SERVICE,
        Parameter("servers", 1, "how many servers read the queue", "servers", 1, 100),
        DURATION,
    ),
)
