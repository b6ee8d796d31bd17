"""What the workloads are made of: objects defined, requests that arrive, servers that take their time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from mqlab.mq.constants import MQRC_NO_MSG_AVAILABLE, MQRC_Q_FULL
from mqlab.mq.errors import MQError
from mqlab.pipeline.workloads.draws import exponential
from mqlab.pipeline.workloads.parameter import Parameter

__all__ = ["ARRIVALS", "DURATION", "SERVICE", "clients", "lifetime", "serve", "server"]

BODY = b"x" * 100
SECOND = 1_000_000

ARRIVALS = Parameter("arrival_rate", 2.0, "how many requests come, at random", "requests per second", 0.001, 10_000)
SERVICE = Parameter(
    "service_time", 0.4, "how long a server works on a request, on average, at random", "seconds", 0, 3600
)
DURATION = Parameter("duration", 60.0, "how long requests come and are served, simulated", "seconds", 0.001, 86_400)


def lifetime(about: str = "the lifetime of a request, -1 unlimited", default: int = 20) -> Parameter:
    """The parameter `expiry`."""
    return Parameter("expiry", default, about, "tenths of a second", -1, 999_999_999)


def clients(rng: Random, queue: str, arrival_rate: float, end_us: int, **options) -> Callable:
    """A program that puts requests at random until `end_us`; one that finds the queue full gives up that request."""

    def put_requests(app):
        lab = app.qmgr.lab
        with app.open(queue, output=True) as handle:
            while True:
                pause = exponential(rng) / arrival_rate
                if lab.now_us + pause * SECOND >= end_us:
                    return
                lab.advance(pause)
                try:
                    handle.put(BODY, **options)
                except MQError as refused:
                    if refused.reason != MQRC_Q_FULL:
                        raise

    return put_requests


def serve(app, handle, rng: Random, service_time: float, wait: float, most: int | None = None, units=False) -> None:
    """Get requests and work on each, until none comes for `wait` seconds or `most` are done; with `units` each in a
    unit of work that lasts as long as the work."""
    done = 0
    while most is None or done < most:
        unit = app.unit_of_work() if units else None
        try:
            handle.get(wait, unit=unit)
        except MQError as refused:
            if refused.reason != MQRC_NO_MSG_AVAILABLE:
                raise
            if unit is not None:
                unit.backout()
            return
        app.qmgr.lab.advance(exponential(rng) * service_time)
        if unit is not None:
            unit.commit()
        done += 1


def server(rng: Random, queue: str, service_time: float, end_us: int, units=False) -> Callable:
    """A program that serves a queue from now until `end_us`."""

    def serve_queue(app):
        lab = app.qmgr.lab
        with app.open(queue, input="shared") as handle:
            while lab.now_us < end_us:
                serve(app, handle, rng, service_time, (end_us - lab.now_us) / SECOND, units=units)

    return serve_queue
