"""The workloads that mqlab has, and the parts they are made of: draws, parameters, and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from ...engine.words.constants import MQRC_NO_MSG_AVAILABLE, MQRC_Q_FULL
from ...engine.words.errors import MQError
from ...estates.traffic import exponential
from .workload import DURATION, SECOND, Parameter, Workload

if TYPE_CHECKING:
    from ...lab.lab import Lab


def moments(rng: Random, count: int, within: float) -> list[float]:
    """`count` moments of the time from 0 to `within`, ascending: those of a Poisson process, given how many."""
    return sorted(rng.random() * within for _ in range(count))


KEPT_WHOLE = True
"""Ctrl-C takes effect after a step of the clock, as in the engine: `mqlab.engine.world.interrupts`."""
BODY = b"x" * 100

ARRIVALS = Parameter("arrival_rate", 2.0, "how many requests come, at random", "requests per second", 0.001, 10_000)
SERVICE = Parameter("service_time", 0.4, "how long a server works on a request, on average", "seconds", 0, 3600)
TENTHS = ("tenths of a second", -1, 999_999_999)


def lifetime(about: str = "the lifetime of a request, -1 unlimited", default: int = 20) -> Parameter:
    """The parameter `expiry`."""
    return Parameter("expiry", default, about, *TENTHS)


def arrivals(lab: Lab, rng: Random, rate: float, end_us: int) -> Iterator[None]:
    """Let time pass to each of the arrivals, `rate` a second at random, that come before `end_us`."""
    while lab.now_us + (pause := exponential(rng) / rate) * SECOND < end_us:
        lab.advance(pause)
        yield


def clients(rng: Random, queue: str, arrival_rate: float, end_us: int, **options: Any) -> Callable:
    """A program that puts requests at random until `end_us`; one that finds the queue full gives up that request."""

    def put_requests(app):
        with app.open(queue, output=True) as handle:
            for _ in arrivals(app.qmgr.lab, rng, arrival_rate, end_us):
                try:
                    handle.put(BODY, **options)
                except MQError as refused:
                    if refused.reason != MQRC_Q_FULL:
                        raise

    return put_requests


def serve(
    app: Any, handle: Any, rng: Random, service_time: float, wait: float, most: int | None = None, units: bool = False
) -> None:
    """Get requests and work on each, with `units` in a unit of work, until none comes for `wait` seconds."""
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


def server(rng: Random, queue: str, service_time: float, end_us: int, units: bool = False) -> Callable:
    """A program that serves a queue from now until `end_us`."""

    def serve_queue(app):
        lab = app.qmgr.lab
        with app.open(queue, input="shared") as handle:
            while lab.now_us < end_us:
                serve(app, handle, rng, service_time, (end_us - lab.now_us) / SECOND, units=units)

    return serve_queue


def _expiring(lab, rng, *, expiry, capexpry, arrival_rate, service_time, servers, duration):
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
    _expiring,
    (
        lifetime(),
        Parameter("capexpry", -1, "CAPEXPRY of the queue, -1 for NOLIMIT: no request lives longer", *TENTHS),
        ARRIVALS,
        SERVICE,
        Parameter("servers", 1, "how many servers read the queue", "servers", 1, 100),
        DURATION,
    ),
)


def _triggered(
    lab, rng, *, trigtype, trigdpth, trigint, arrival_rate, service_time, server_wait, server_life, expiry, duration
):
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
    _triggered,
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


def _channel(lab, rng, *, latency, arrival_rate, cuts, cut_length, expiry, persistent, duration, **channel):
    """WEB on QM1 puts to ORDERS on QM2 by channel TO.QM2, READER on QM2 gets; LINK cuts the path between them."""
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    end_us = round(duration * SECOND)
    lab.link("QM1", "QM2", latency=latency)
    one.mqsc(f"""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(999999999)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(QM2) XMITQ(QM2)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) +
               BATCHSZ({channel["batchsz"]}) BATCHINT({channel["batchint"]}) NPMSPEED({channel["npmspeed"]}) +
               SHORTTMR({channel["shorttmr"]}) SHORTRTY(999999999) DISCINT(0)
        """).require()
    two.mqsc(f"""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(999999999)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) NPMSPEED({channel["npmspeed"]})
        """).require()
    one.mqsc("START CHANNEL(TO.QM2)").require()
    two.run_program("READER", server(rng, "ORDERS", 0, end_us))
    one.run_program("WEB", clients(rng, "ORDERS", arrival_rate, end_us, expiry=expiry, persistent=persistent))
    if cuts:
        one.run_program("LINK", interruptions(rng, cuts, cut_length, duration))


def interruptions(
    rng: Random, cuts: int, length: float, duration: float, path: tuple[str, str] = ("QM1", "QM2")
) -> Callable:
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
    _channel,
    (
        Parameter("batchsz", 50, "BATCHSZ of the channel", "messages", 1, 9999),
        Parameter("batchint", 0, "BATCHINT of the channel", "milliseconds", 0, 999_999_999),
        Parameter("npmspeed", "FAST", "NPMSPEED of both ends", choices=("FAST", "NORMAL")),
        Parameter("persistent", False, "whether the messages are persistent"),
        Parameter("latency", 0.05, "how long the link takes one way", "seconds", 0, 60),
        ARRIVALS._replace(default=10.0),
        Parameter("cuts", 0, "how many times the link is cut, at random", "times", 0, 10_000),
        Parameter("cut_length", 5.0, "how long each cut lasts", "seconds", 0.001, 3600),
        Parameter("shorttmr", 5, "SHORTTMR: how long the channel waits before it retries", "seconds", 1, 3600),
        lifetime("the lifetime of a message, -1 unlimited", -1),
        DURATION,
    ),
)


def _filling(lab, rng, *, maxdepth, expiry, arrival_rate, service_time, away, duration):
    """WEB puts to REQUESTS on QM1, whose reader SERVER starts only after `away` seconds."""
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
    _filling,
    (
        Parameter("maxdepth", 50, "MAXDEPTH of the queue", "messages", 0, 999_999_999),
        lifetime(default=-1),
        ARRIVALS,
        SERVICE._replace(default=0.1),
        Parameter("away", 40.0, "how long the reader stays away at first", "seconds", 0, 86_400),
        DURATION,
    ),
)


READERS = ("QMB", "QMC")


def _sharing(lab, rng, *, arrival_rate, service_time, expiry, failures, repair, duration):
    """WEB on QMA puts to the shared queue WORK; a SERVER each on QMB and QMC gets from it, in units of work."""
    lab.queue_sharing_group("QSG1", ["QMA", *READERS])
    members = {name: lab[name] for name in ("QMA", *READERS)}
    one, end_us = members["QMA"], round(duration * SECOND)
    one.mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(WORK) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED) MAXDEPTH(999999999)
        """).require()
    work = server(rng, "WORK", service_time, end_us, units=True)
    for name in READERS:
        members[name].run_program("SERVER", work)
    one.run_program("WEB", clients(rng, "WORK", arrival_rate, end_us, expiry=expiry))
    for number, begin in enumerate(moments(rng, failures, duration)):
        one.run_program("FAULT", fault(begin, READERS[number % len(READERS)], repair, work))


def fault(begin: float, name: str, repair: float, work: Callable) -> Callable:
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
    "a shared queue whose readers, members of a queue sharing group, fail and come back",
    _sharing,
    (
        ARRIVALS,
        SERVICE,
        lifetime(default=-1),
        Parameter("failures", 2, "how many times a member fails, QMB and QMC in turn", "times", 0, 1000),
        Parameter("repair", 10.0, "how long a member is down", "seconds", 0, 86_400),
        DURATION,
    ),
)
