"""The workloads that mqlab has."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

from mqlab.lab.lab import Lab
from mqlab.pipeline.workloads.workload import (
    ARRIVALS,
    DURATION,
    SECOND,
    SERVICE,
    Parameter,
    Workload,
    clients,
    lifetime,
    moments,
    serve,
    server,
)


def _expiring(lab: Lab, rng: Random, **values: Any) -> None:
    """WEB puts to REQUESTS on QM1, SERVER.1, SERVER.2, ... get from it."""
    given = SimpleNamespace(**values)
    qm, end_us = lab.queue_manager("QM1"), round(given.duration * SECOND)
    cap = "NOLIMIT" if given.capexpry == -1 else given.capexpry
    qm.mqsc(f"DEFINE QLOCAL(REQUESTS) MAXDEPTH(999999999) CAPEXPRY({cap})").require()
    for number in range(1, given.servers + 1):
        qm.run_program(f"SERVER.{number}", server(rng, "REQUESTS", given.service_time, end_us))
    qm.run_program("WEB", clients(rng, "REQUESTS", given.arrival_rate, end_us, expiry=given.expiry))


EXPIRING = Workload(
    "expiring",
    "requests with a lifetime on one queue, and servers that take their time over each",
    _expiring,
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


def _triggered(lab: Lab, rng: Random, **values: Any) -> None:
    """WEB puts to WORK on QM1; a trigger monitor on INIT starts SERVER, which gets from WORK."""
    given = SimpleNamespace(**values)
    qm, end_us = lab.queue_manager("QM1"), round(given.duration * SECOND)
    qm.mqsc(f"""
        ALTER QMGR TRIGINT({given.trigint})
        DEFINE QLOCAL(INIT)
        DEFINE PROCESS(SERVE) APPLICID('SERVER')
        DEFINE QLOCAL(WORK) MAXDEPTH(999999999) TRIGGER TRIGTYPE({given.trigtype}) TRIGDPTH({given.trigdpth}) +
               PROCESS(SERVE) INITQ(INIT)
        """).require()

    def serve_work(app, _trigger):
        with app.open("WORK", input="shared", set=True) as handle:
            serve(app, handle, rng, given.service_time, given.server_wait, given.server_life or None)
            if given.trigtype == "DEPTH":
                handle.set(TRIGGER=True)  # which the trigger switched off (TRG-03)

    qm.program("SERVER", serve_work)
    qm.trigger_monitor("INIT")
    qm.run_program("WEB", clients(rng, "WORK", given.arrival_rate, end_us, expiry=given.expiry))


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


def _channel(lab: Lab, rng: Random, **values: Any) -> None:
    """WEB on QM1 puts to ORDERS on QM2 by channel TO.QM2, READER on QM2 gets; LINK cuts the path between them."""
    given = SimpleNamespace(**values)
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    end_us = round(given.duration * SECOND)
    lab.link("QM1", "QM2", latency=given.latency)
    one.mqsc(f"""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(999999999)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(QM2) XMITQ(QM2)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) +
               BATCHSZ({given.batchsz}) BATCHINT({given.batchint}) NPMSPEED({given.npmspeed}) +
               SHORTTMR({given.shorttmr}) SHORTRTY(999999999) DISCINT(0)
        """).require()
    two.mqsc(f"""
        DEFINE QLOCAL(ORDERS) MAXDEPTH(999999999)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) NPMSPEED({given.npmspeed})
        """).require()
    one.mqsc("START CHANNEL(TO.QM2)").require()
    two.run_program("READER", server(rng, "ORDERS", 0, end_us))
    options = {"expiry": given.expiry, "persistent": given.persistent}
    one.run_program("WEB", clients(rng, "ORDERS", given.arrival_rate, end_us, **options))
    if given.cuts:
        one.run_program("LINK", interruptions(rng, given.cuts, given.cut_length, given.duration))


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
        Parameter("cuts", 0, "how often the link is cut, at random", "times", 0, 10_000),
        Parameter("cut_length", 5.0, "how long each cut lasts", "seconds", 0.001, 3600),
        Parameter("shorttmr", 5, "SHORTTMR: how long the channel waits before it tries again", "seconds", 1, 3600),
        lifetime("the lifetime of a message, -1 unlimited", -1),
        DURATION,
    ),
)


def _filling(lab: Lab, rng: Random, **values: Any) -> None:
    """WEB puts to REQUESTS on QM1, whose reader SERVER comes only after `away` seconds."""
    given = SimpleNamespace(**values)
    qm, end_us = lab.queue_manager("QM1"), round(given.duration * SECOND)
    qm.mqsc(f"DEFINE QLOCAL(REQUESTS) MAXDEPTH({given.maxdepth})").require()
    work = server(rng, "REQUESTS", given.service_time, end_us)

    def come_back(app):
        lab.advance(given.away)
        work(app)

    qm.run_program("SERVER", come_back)
    qm.run_program("WEB", clients(rng, "REQUESTS", given.arrival_rate, end_us, expiry=given.expiry))


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


def _sharing(lab: Lab, rng: Random, **values: Any) -> None:
    """WEB on QMA puts to the shared queue WORK; a SERVER each on QMB and QMC gets from it, in units of work."""
    given = SimpleNamespace(**values)
    lab.queue_sharing_group("QSG1", ["QMA", *READERS])
    members: Any = {name: lab[name] for name in ("QMA", *READERS)}
    one, end_us = members["QMA"], round(given.duration * SECOND)
    one.mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(WORK) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED) MAXDEPTH(999999999)
        """).require()
    work = server(rng, "WORK", given.service_time, end_us, units=True)
    for name in READERS:
        members[name].run_program("SERVER", work)
    one.run_program("WEB", clients(rng, "WORK", given.arrival_rate, end_us, expiry=given.expiry))
    for number, begin in enumerate(moments(rng, given.failures, given.duration)):
        one.run_program("FAULT", fault(begin, READERS[number % len(READERS)], given.repair, work))


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
    "a shared queue whose readers, members of a queue-sharing group, fail and come back",
    _sharing,
    (
        ARRIVALS,
        SERVICE,
        lifetime(default=-1),
        Parameter("failures", 2, "how often a member fails, QMB and QMC in turn, at random moments", "times", 0, 1000),
        Parameter("repair", 10.0, "how long a member is away", "seconds", 0, 86_400),
        DURATION,
    ),
)
