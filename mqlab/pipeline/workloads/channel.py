"""A channel under load, over a link that takes time and is cut now and then."""

from __future__ import annotations

from random import Random

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.draws import moments
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.pipeline.workloads.parts import ARRIVALS, DURATION, SECOND, clients, lifetime, server
from mqlab.pipeline.workloads.workload import Workload

__all__ = ["CHANNEL"]


def build(
    lab: Lab,
    rng: Random,
    *,
    batchsz,
    batchint,
    npmspeed,
    persistent,
    latency,
    arrival_rate,
    cuts,
    cut_length,
    shorttmr,
    expiry,
    duration,
) -> None:
    """WEB on QM1 puts to ORDERS on QM2 by channel TO.QM2, READER on QM2 gets; LINK cuts the path between them."""
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    end_us = round(duration * SECOND)
    lab.link("QM1", "QM2", latency=latency)
    one.mqsc(f"""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(999999999)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(QM2) XMITQ(QM2)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) BATCHSZ({batchsz}) BATCHINT({batchint}) +
               NPMSPEED({npmspeed}) SHORTTMR({shorttmr}) SHORTRTY(999999999) DISCINT(0)
        """).require()
    two.mqsc(f"""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(999999999)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) NPMSPEED({npmspeed})
        """).require()
    one.mqsc("START CHANNEL(TO.QM2)").require()
    two.run_program("READER", server(rng, "ORDERS", 0, end_us))
    one.run_program("WEB", clients(rng, "ORDERS", arrival_rate, end_us, expiry=expiry, persistent=persistent))
    if cuts:
        one.run_program("LINK", interruptions(rng, cuts, cut_length, duration))


def interruptions(rng: Random, cuts: int, length: float, duration: float, path: tuple[str, str] = ("QM1", "QM2")):
    """A program that cuts the path at so many random moments, each for `length` seconds; what overlaps is one cut."""

    def cut_and_restore(app):
        lab, up = app.qmgr.lab, 0.0
        for begin in moments(rng, cuts, duration):
            if begin > up:
                if up:
                    lab.restore(*path)
                lab.advance(begin - lab.now_us / SECOND)
                lab.cut(*path)
            up = begin + length
        lab.advance(max(0.0, up - lab.now_us / SECOND))
        lab.restore(*path)

    return cut_and_restore


CHANNEL = Workload(
    "channel",
    "messages through a sender channel, over a link with latency that is cut now and then",
    build,
    (
        Parameter("batchsz", 50, "BATCHSZ of the channel", "messages", 1, 9999),
        Parameter("batchint", 0, "BATCHINT of the channel", "milliseconds", 0, 999_999_999),
        Parameter("npmspeed", "FAST", "NPMSPEED of both ends", choices=("FAST", "NORMAL")),
        Parameter("persistent", False, "whether the messages are persistent"),
        Parameter("latency", 0.05, "how long the link takes one way", "seconds", 0, 60),
        ARRIVALS._replace(default=10.0),
        Parameter("cuts", 0, "how often the link is cut, at random", "times", 0, 10_000),
        Parameter("cut_length", 5.0, "how long each cut lasts", "seconds", 0.001, 3600),
        Parameter("shorttmr", 5, "SHORTTMR: how long the channel waits before it tries again", "seconds", 1, 3600),
        lifetime("the lifetime of a message, -1 unlimited", -1),
        DURATION,
    ),
)
