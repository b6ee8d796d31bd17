"""Several dozen small labs that do anything at random, and their logs as one: so that Spark answers for all at once.

Every lab ends at END. In the one log the queue managers of lab 7 are called "07:QM1", and its rows, messages and units
of work have numbers of their own.
"""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from mqlab import Lab, MQError

SECOND = 1_000_000
END = 400 * SECOND
SHIFT = 1_000_000
SHIFTED = ("seq", "message", "uow", "cause")
CALLS, SITES = 24, 16
QUEUES = ("PRIO", "FIFO", "SMALL", "TURNS")
LIVES = (-1, -1, 3, 20, 75, 150)
EXPECTED = (2016, 2024, 2033, 2051, 2053, 2055, 2085)
REPORT = 0x0020_0000
DISCARD = 0x0800_0000
ONE = """
DEFINE QLOCAL(PRIO) MSGDLVSQ(PRIORITY)
DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO) DEFPRTY(4) DEFPSIST(YES)
DEFINE QLOCAL(SMALL) MAXDEPTH(6)
DEFINE QLOCAL(TURNS)
DEFINE QLOCAL(REPORTS)
DEFINE QALIAS(ALIAS) TARGET(PRIO)
"""


class Told(NamedTuple):
    """One lab with its number, its rows, and what its calls asked for: (seq, msg_id, correl_id, behind)."""

    number: int
    lab: Lab
    events: list
    asked: list
    identified: list

    def name(self, qmgr: str) -> str:
        """What a queue manager of this lab is called in the one log."""
        return f"{self.number:02}:{qmgr}"

    def at(self, number: int) -> int:
        """What a row, message or unit of work of this lab is called in the one log."""
        return self.number * SHIFT + number


class Caller:
    """One queue manager, and programs that make random calls on it: of all sorts that `lazy_expiry` restates."""

    def __init__(self, number: int):
        self.rng, self.lab = Random(number), Lab()
        level = self.rng.choice((530, 530, 910))  # 910 looks for expired messages every five minutes
        self.qm = self.lab.queue_manager("QM1", level=level)
        assert self.qm.mqsc(ONE).ok
        self.units, self.asked, self.identified = [], [], []
        self.handles = {name: self.qm.connect(f"B{name}").open(name, browse=True) for name in QUEUES}
        self.stands = dict.fromkeys(QUEUES)
        self.deeds = (
            (42, self.put),
            (16, self.get),
            (8, self.select),
            (6, self.browse),
            (8, self.walk),
            (6, self.begin),
            (9, self.end),
            (2, self.clear),
            (1, self.turn),
            (1, self.restart),
        )

    def act(self) -> None:
        """One random call; refusals are part of the game."""
        weights, deeds = zip(*self.deeds, strict=True)
        try:
            self.rng.choices(deeds, weights)[0]()
        except MQError as error:
            if error.reason not in EXPECTED:
                raise

    def app(self):
        return self.qm.connect(f"P{self.rng.randrange(4)}")

    def unit(self):
        return self.rng.choice(self.units) if self.units and self.rng.random() < 0.5 else None

    def correl_id(self) -> bytes:
        return bytes([self.rng.randrange(1, 5)]).ljust(24, b"\0")

    def put(self) -> None:
        rng, correl_id, unit = self.rng, self.correl_id(), self.unit()
        wanted = {"report": REPORT, "reply_to_q": "REPORTS"} if rng.random() < 0.2 else {}
        message = self.app().put(
            rng.choice((*QUEUES, "ALIAS")),
            b"x",
            expiry=rng.choice(LIVES),
            priority=rng.randrange(10),
            unit=unit,
            correl_id=correl_id,
            **wanted,
        )
        self.identified.append((message.number, correl_id))

    def get(self) -> None:
        self.app().get(self.rng.choice((*QUEUES, "ALIAS")), unit=self.unit())

    def browse(self) -> None:
        self.app().browse(self.rng.choice(QUEUES))

    def select(self) -> None:
        """A get or browse by an identifier."""
        if self.rng.random() < 0.6 or not self.identified:
            ids = {"correl_id": self.correl_id()}
        else:
            number = self.rng.choice(self.identified)[0]
            ids = {"msg_id": self.lab.events.where(message=number)[0].msg_id}
        app, queue = self.app(), self.rng.choice(QUEUES)
        self.asked.append((self.lab.events.next_seq, ids.get("msg_id"), ids.get("correl_id"), None))
        app.get(queue, unit=self.unit(), **ids) if self.rng.random() < 0.7 else app.browse(queue, **ids)

    def walk(self) -> None:
        """Browse on behind the cursor, or from the front."""
        name = self.rng.choice(QUEUES)
        handle, stands = self.handles[name], self.stands[name]
        go_on = stands is not None and self.rng.random() < 0.8
        row = self.lab.events.next_seq
        if go_on:
            self.asked.append((row, None, None, stands))
        self.stands[name] = None
        handle.browse_next() if go_on else handle.browse_first()
        self.stands[name] = self.lab.events[row].cause

    def begin(self) -> None:
        self.units.append(self.app().unit_of_work())

    def end(self) -> None:
        if self.units:
            unit = self.units.pop(self.rng.randrange(len(self.units)))
            unit.commit() if self.rng.random() < 0.6 else unit.backout()

    def clear(self) -> None:
        self.qm.mqsc(f"CLEAR QLOCAL({self.rng.choice(QUEUES)})")

    def turn(self) -> None:
        """Another order of delivery from now on: what is there stays filed as it was."""
        self.qm.mqsc(f"ALTER QLOCAL(TURNS) MSGDLVSQ({self.rng.choice(('FIFO', 'PRIORITY'))})")

    def restart(self) -> None:
        self.qm.stop()
        self.qm.start()
        self.units.clear()
        self.handles = {name: self.qm.connect(f"B{name}").open(name, browse=True) for name in QUEUES}
        self.stands = dict.fromkeys(QUEUES)


class Sites:
    """QM1 that sends to QM2 by way of triggered channels; a small queue there, a server that triggers start, and a
    dead-letter queue, in some labs with a handler."""

    def __init__(self, number: int):
        self.rng, self.lab = Random(number), Lab()
        self.asked, self.identified = [], []
        self.one, self.other = (self.lab.queue_manager(name, level=530) for name in ("QM1", "QM2"))
        self.lab.link("QM1", "QM2", latency=0.2)
        size, kind = self.rng.choice((1, 3, 50)), self.rng.choice(("FIRST", "EVERY", "DEPTH"))
        assert self.one.mqsc(f"""
            DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
            DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) BATCHSZ({size}) SHORTTMR(5) SHORTRTY(4)
            DEFINE QLOCAL(HOME)""").ok
        assert self.other.mqsc(f"""
            DEFINE QLOCAL(ORDERS) MAXDEPTH(2)
            DEFINE QLOCAL(DLQ)
            DEFINE QLOCAL(INITQ)
            DEFINE PROCESS(SERVER) APPLICID(SERVER)
            DEFINE QLOCAL(JOBS) TRIGGER TRIGTYPE({kind}) TRIGDPTH(3) TRIGMPRI(2) PROCESS(SERVER) INITQ(INITQ) SHARE
            DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(2) MRTMR(300)
            ALTER QMGR DEADQ(DLQ)""").ok
        self.other.program("SERVER", _serve)
        self.handled = number % 2
        self.readers = []
        if self.rng.random() < 0.7:
            self.other.trigger_monitor("INITQ")

    def act(self) -> None:
        """One random thing: a put, a get, a handler's run, a fault, or its repair."""
        try:
            self._act()
        except MQError as error:
            if error.reason not in (2033, 2042, 2055):
                raise

    def _act(self) -> None:
        rng, lab, one, other, choice = self.rng, self.lab, self.one, self.other, self.rng.random()
        path = lab.network.path("QM1", "QM2")
        if choice < 0.5 and one.running:
            where = rng.choice(("ORDERS@QM2", "ORDERS@QM2", "JOBS@QM2", "JOBS@QM2", "NOPE@QM2", "HOME"))
            one.put(
                where,
                b"x",
                persistent=rng.random() < 0.5,
                priority=rng.randrange(10),
                expiry=rng.choice((-1, -1, 2, 30, 200)),
                report=DISCARD if rng.random() < 0.1 else 0,
            )
        elif choice < 0.64 and other.running and other.depth("ORDERS"):
            other.connect("BILLING").get("ORDERS") if rng.random() < 0.6 else other.mqsc("CLEAR QLOCAL(ORDERS)")
        elif choice < 0.72 and other.running:
            other.mqsc(f"ALTER QLOCAL(JOBS) {rng.choice(('TRIGGER', 'TRIGGER', 'NOTRIGGER', 'GET(ENABLED)'))}")
        elif choice < 0.76 and other.running and self.readers:
            self.readers.pop().close()
        elif choice < 0.80 and other.running:
            self.readers.append(other.connect("IDLER").open("JOBS", input="shared"))
        elif choice < 0.87 and self.handled and other.running:
            if self.rng.random() < 0.6:
                other.mqsc("CLEAR QLOCAL(ORDERS)")
            if not any(program.name == "RUNMQDLQ" for program in other.programs_running):
                other.dead_letter_handler("INPUTQ(DLQ) WAIT(NO)\nDESTQ(ORDERS) ACTION(RETRY) RETRY(1)")
        elif choice < 0.90:
            (lab.cut if path.up else lab.restore)("QM1", "QM2")
        elif choice < 0.92:
            qmgr = rng.choice((one, other))
            self.readers.clear()
            qmgr.stop() if qmgr.running else qmgr.start()
        else:
            path.up or lab.restore("QM1", "QM2")
            for qmgr in (one, other):
                qmgr.running or qmgr.start()
            one.mqsc("START CHANNEL(TO.QM2)")  # refused where it runs


def _serve(app, trigger) -> None:
    """Get what is there, and what comes soon."""
    with app.open(trigger.queue, input="as_q_def") as handle, suppress(MQError):
        handle.drain(wait=0.5)


def make(number: int) -> Told:
    """Lab `number`, played to its end."""
    player = Caller(number) if number < CALLS else Sites(number)
    lab = player.lab
    for _ in range(90):
        player.act()
        lab.advance(player.rng.choice((0.0, 0.05, 0.1, 0.37, 1.25, 4)))
    assert lab.now_us < END
    lab.advance_to(END)
    lab.queue_manager("MARK")  # a row at the end, so that all logs are equally long
    return Told(number, lab, list(lab.events), player.asked, player.identified)


def one_log(crowd: list[Told]) -> pa.Table:
    """All logs as one."""
    return pa.concat_tables(_shifted(told) for told in crowd)


def _shifted(told: Told) -> pa.Table:
    table = told.lab.events.to_arrow()
    for name in (*SHIFTED, "qmgr"):
        place, column = table.schema.get_field_index(name), table[name]
        if name == "qmgr":
            changed = pc.binary_join_element_wise(f"{told.number:02}", column.cast(pa.string()), ":")
        else:
            changed = pc.add(column.cast(pa.int64()), told.at(0))
        table = table.set_column(place, name, changed)
    return table


def details(event) -> dict:
    """The detail of a row."""
    return json.loads(event.detail or "{}")
