"""A shared queue, read by members of a queue-sharing group that fail and come back."""

from __future__ import annotations

from random import Random

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.draws import moments
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.pipeline.workloads.parts import ARRIVALS, DURATION, SECOND, SERVICE, clients, lifetime, server
from mqlab.pipeline.workloads.workload import Workload

__all__ = ["SHARING"]

READERS = ("QMB", "QMC")


def build(lab: Lab, rng: Random, *, arrival_rate, service_time, expiry, failures, repair, duration) -> None:
    """WEB on QMA puts to the shared queue WORK; a SERVER each on QMB and QMC gets from it, in units of work."""
    lab.queue_sharing_group("QSG1", ["QMA", *READERS])
    one, end_us = lab["QMA"], round(duration * SECOND)
    one.mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(WORK) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED) MAXDEPTH(999999999)
        """).require()
    work = server(rng, "WORK", service_time, end_us, units=True)
    for name in READERS:
        lab[name].run_program("SERVER", work)
    one.run_program("WEB", clients(rng, "WORK", arrival_rate, end_us, expiry=expiry))
    for number, begin in enumerate(moments(rng, failures, duration)):
        one.run_program("FAULT", fault(begin, READERS[number % len(READERS)], repair, work))


def fault(begin: float, name: str, repair: float, work):
    """A program that lets a member fail at `begin` and starts it and its server again after `repair` seconds."""

    def fail_and_repair(app):
        lab = app.qmgr.lab
        lab.advance(begin)
        if lab[name].running:
            lab[name].fail()
            lab.advance(repair)
            lab[name].start()
            lab[name].run_program("SERVER", work)

    return fail_and_repair


SHARING = Workload(
    "sharing",
    "a shared queue whose readers, members of a queue-sharing group, fail and come back",
    build,
    (
        ARRIVALS,
        SERVICE,
        lifetime(default=-1),
        Parameter("failures", 2, "how often a member fails, QMB and QMC in turn, at random moments", "times", 0, 1000),
        Parameter("repair", 10.0, "how long a member is away", "seconds", 0, 86_400),
        DURATION,
    ),
)
