"""The estates of incidents: what they are made of, the business that runs on them, and how well the business runs.

An estate is a .toml file in planted/: queue managers with their MQSC, links, flows, servers, and faults. A flow is a
program that puts orders and waits for their confirmations; a server is a program that confirms them.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import Any

from ...engine.words.errors import LabError, MQError, visible
from ...estates.estate import build
from ...lab.lab import Lab
from ...views.text import plural
from ..exercises.exercise import cells, one_line

KEPT_WHOLE = True
"""Ctrl-C takes effect after a step of the clock, as in the engine: `mqlab.engine.world.interrupts`."""
SECOND = 1_000_000
START_S = 3
"""The seconds that a triggered program takes to start."""
POISON = b"\x00"
"""The first byte of a message that no server can read."""


@dataclass(frozen=True)
class Fault:
    """A fault that can be planted: `broken`, `looks`, `repair`, and `alternatives` are texts of ``%%mqsc NAME`` cells.

    `looks` is what an expert displays first, `repair` the expert's repair; each of `alternatives` is enough, too.
    `why` explains the fault and its repair.
    """

    key: str
    broken: str
    repair: str
    looks: str
    hints: Sequence[str]
    why: str
    alternatives: Sequence[str] = ()

    @property
    def expert(self) -> list[tuple[str, str]]:
        """The expert's commands in order, each as (queue manager, command)."""
        return [*commands(self.looks), *commands(self.repair)]


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of ``%%mqsc NAME`` cells, each as (queue manager, command).

    >>> commands("%%mqsc QM1\\nDISPLAY QMGR\\nSTART +\\n CHANNEL(A)")
    [('QM1', 'DISPLAY QMGR'), ('QM1', 'START +\\n CHANNEL(A)')]
    """
    found = []
    for cell in cells(text):
        head, _, body = cell.partition("\n")
        # a line that ends with + goes on in the next
        found += [(head.split()[1], command) for command in re.split(r"(?<!\+)\n", body.strip())]
    return found


@dataclass(frozen=True)
class Flow:
    """A program that puts `burst` orders every `every` seconds and wants each confirmed within `limit` seconds.

    `who` is what the business calls it, `qmgr` and `program` where it runs, `queue` and `reply` its queues there; where
    `reply` is "", a server confirms an order when it gets it. A client connects for each burst, in the way that
    `client` describes: the arguments of a connect, with those of `Lab.client_keys` as `keys`.
    """

    who: str
    qmgr: str
    program: str
    queue: str
    reply: str
    every: float = 20
    burst: int = 1
    limit: float = 60
    size: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    client: dict[str, Any] = field(default_factory=dict)


@dataclass
class Order:
    """An order of a flow: when it was put, the reason if the put was refused, and when and how many times it was
    confirmed."""

    number: int
    put_us: int
    reason: int | None = None
    message: int = 0
    done_us: int | None = None
    copies: int = 0


class Health:
    """How a flow did with the orders of a span of time: counts by what became of them."""

    def __init__(self, flow: Flow, orders: list[Order], now_us: int) -> None:
        limit, self.flow = round(flow.limit * SECOND), flow
        self.sent = len(orders)
        self.refused = Counter(order.reason for order in orders if order.reason is not None)
        taken = [order for order in orders if order.reason is None]
        done = [order for order in taken if order.done_us is not None]
        self.late = sum((order.done_us or 0) - order.put_us > limit for order in done)
        self.missing = sum(order.done_us is None and now_us - order.put_us > limit for order in taken)
        self.twice = sum(order.copies > 1 for order in taken)
        self.in_time = len(done) - self.late
        self.open = len(taken) - len(done) - self.missing

    @property
    def well(self) -> bool:
        """Whether every order was accepted and confirmed once, in time."""
        return bool(self.sent) and not (self.refused or self.late or self.missing or self.twice)

    def __str__(self) -> str:
        if not self.sent:
            return f"{self.flow.who}: no orders."
        if self.well:
            return f"{self.flow.who}: all {self.sent} orders are fine."
        told = [
            f"{plural(count, 'was', 'were')} refused with error {reason}"
            for reason, count in sorted(self.refused.items())
        ]
        told += [f"{self.missing} without a confirmation"] if self.missing else []
        told += [f"{self.late} confirmed late"] if self.late else []
        told += [f"{self.twice} confirmed twice"] if self.twice else []
        told += [f"{self.open} not due yet"] if self.open else []
        return f"{self.flow.who}: {plural(self.sent, 'order')}, {self.in_time} confirmed in time; {', '.join(told)}."


@dataclass(frozen=True)
class Estate:
    """An estate: its texts, how it is built, its `flows` and `servers`, and the `faults` that can be planted in it."""

    name: str
    title: str
    about: str
    queue_managers: dict[str, dict[str, Any]]
    flows: Sequence[Flow]
    servers: Sequence[dict[str, Any]]
    faults: Sequence[Fault]
    links: Sequence[dict[str, Any]] = ()
    addresses: dict[str, str] = field(default_factory=dict)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)

    def build(self, lab: Lab) -> Business:
        """Build it in an empty lab, and start its programs."""
        build(lab, vars(self), lambda qmgr, text: qmgr.mqsc(text).require())
        return Business(lab, self)

    def fault(self, key: str) -> Fault:
        """One of its faults; LabError for another key."""
        for fault in self.faults:
            if fault.key == key:
                return fault
        raise LabError(f"no fault {key!r} can be planted in estate {self.name}")


@cache
def estates() -> dict[str, Estate]:
    """The estates of incidents by name."""
    found = {}
    for file in sorted(files(__package__).joinpath("planted").iterdir(), key=lambda file: file.name):
        table = tomllib.loads(file.read_text("utf-8"))
        name = file.name.removesuffix(".toml")
        flows = [Flow(**each) for each in table["flows"]]
        faults = [_fault(**each) for each in table["faults"]]
        found[name] = Estate(name, **table | {"about": one_line(table["about"]), "flows": flows, "faults": faults})
    return found


def _fault(hints: list[str], why: str, **texts: Any) -> Fault:
    return Fault(hints=tuple(map(one_line, hints)), why=one_line(why), **texts)


class Business:
    """The programs of an estate in a lab: each flow with its orders, and the servers that confirm them."""

    def __init__(self, lab: Lab, estate: Estate) -> None:
        self.lab, self.estate = lab, estate
        self.orders: dict[str, list[Order]] = {flow.who: [] for flow in estate.flows}
        self.replies: dict[int, Order] = {}  # by the number of the reply message
        self.programs: dict[str, Any] = {}
        for server in estate.servers:
            self._serve(server)
        self.supervise()

    def supervise(self) -> None:
        """Start again whatever flow or server has ended, as a supervisor outside the queue managers does."""
        for flow in self.estate.flows:
            self._keep(flow.who, flow.qmgr, flow.program, partial(_order, flow=flow, business=self))
        for server in self.estate.servers:
            if "reads" in server:
                serve = partial(_read, queue=server["reads"], work=self._work(server))
                self._keep(f"{server['qmgr']} {server['program']}", server["qmgr"], server["program"], serve)

    def _keep(self, key: str, qmgr: str, program: str, function: Callable[..., Any]) -> None:
        running = self.programs.get(key)
        if running is None or running.state != "running":
            self.programs[key] = self.lab[qmgr].run_program(program, function)

    def _serve(self, server: dict[str, Any]) -> None:
        """Tell a queue manager the program of a PROCESS, and start its trigger monitor."""
        qmgr = self.lab[server["qmgr"]]
        if "initq" in server:
            qmgr.trigger_monitor(server["initq"])
        if "reads" not in server:
            qmgr.program(server["program"], partial(_triggered, work=self._work(server)))

    def _work(self, server: dict[str, Any]) -> Callable[..., bool]:
        def work(app: Any, message: Any, unit: Any) -> bool:
            self.lab.advance(server.get("seconds", 1))
            if message.body.startswith(POISON):
                return False
            if not message.reply_to_q:  # the order is confirmed when it is taken
                self.confirmed(message.body)
                return True
            order = self._order_of(message.body)
            at = f"@{message.reply_to_qmgr}" if message.reply_to_qmgr else ""
            try:
                body = message.body[:24].rstrip(b".") + b" confirmed"
                reply = app.put(
                    message.reply_to_q + at, body, correl_id=message.msg_id, unit=unit, **server.get("options", {})
                )
            except MQError:
                self.lab.advance(5)
                return False
            if order is not None:
                self.replies[reply.number] = order
            return True

        return work

    def _order_of(self, body: bytes) -> Order | None:
        """The order that a message is about."""
        who, _, number = body.decode("latin-1").rstrip(".").removesuffix(" confirmed").partition(" order ")
        orders = self.orders.get(who, [])
        return orders[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(orders) else None

    def confirmed(self, body: bytes) -> None:
        """Note that a confirmation has come back."""
        order = self._order_of(body)
        if order is not None:
            order.copies += 1
            order.done_us = self.lab.now_us if order.done_us is None else order.done_us

    def health(self, since_us: int) -> list[Health]:
        """How each flow did with the orders that were put since a moment."""
        now = self.lab.now_us
        return [
            Health(flow, [order for order in self.orders[flow.who] if since_us <= order.put_us < now], now)
            for flow in self.estate.flows
        ]

    def stuck(self, until_us: int) -> Counter[str]:
        """How many orders from before a moment, neither confirmed nor set aside, are on which queue ("QUEUE of QMGR").

        Messages on dead-letter and backout queues are set aside: they are kept, for a person to look at.
        """
        own = {order.message: order for orders in self.orders.values() for order in orders if order.message}
        found: Counter[str] = Counter()
        for qmgr in self.lab.queue_managers:
            aside = {qmgr.attributes.get("DEADQ")} | {q.definition.attributes.get("BOQNAME") for q in qmgr.queues}
            for queue in qmgr.queues:
                for message in queue.store.in_order() if queue.name not in aside else ():
                    order = own.get(message.number) or self.replies.get(message.number)
                    if order is not None and order.done_us is None and order.put_us < until_us:
                        found[f"{queue.name} of {qmgr.name}"] += 1
        return found

    def destroyed(self, since_us: int) -> list[Order]:
        """The orders that are not confirmed because a message of theirs was deleted or lost since a moment."""
        lost = (row for row in self.lab.events.where(kind=("clear", "lost")) if row.time_us >= since_us)
        gone = {row.message for row in lost if row.message and (row.expiry_left is None or row.expiry_left > 0)}
        own = {order.message: order for orders in self.orders.values() for order in orders if order.message}
        orders = [found for number in sorted(gone) if (found := own.get(number) or self.replies.get(number))]
        return [order for order in orders if order.done_us is None]


def _order(app: Any, flow: Flow, business: Business) -> None:
    """Put the orders of a flow when they are due, and take confirmations in between."""
    lab, orders, every = app.qmgr.lab, business.orders[flow.who], round(flow.every * SECOND)
    while True:
        due = lab.now_us + every
        caller = _client(app, flow, orders) if flow.client else app
        if caller is not None:
            _put_basket(caller, flow, orders)
        while lab.now_us < due:
            left = (due - lab.now_us) / SECOND
            if caller is None or not flow.reply:
                lab.advance(left)
                continue
            try:
                business.confirmed(caller.get(flow.reply, wait=left).body)
            except MQError:
                lab.advance(min(5, max(0, (due - lab.now_us) / SECOND)))
        if flow.client and caller is not None:
            with suppress(MQError):
                caller.disconnect()


def _client(app: Any, flow: Flow, orders: list[Order]) -> Any:
    """The connection of a client for one basket; None if it is refused, and with it the basket."""
    lab, facts = app.qmgr.lab, dict(flow.client)
    if "keys" in facts:
        facts["keys"] = lab.client_keys(**facts["keys"])
    try:
        return app.qmgr.connect(flow.program, **facts)
    except MQError as refused:
        orders += [Order(len(orders) + 1 + number, lab.now_us, refused.reason) for number in range(flow.burst)]
        return None


def _put_basket(app: Any, flow: Flow, orders: list[Order]) -> None:
    """Put one basket of orders in a unit of work; a refusal refuses the basket."""
    lab, basket = app.qmgr.lab, []
    unit = app.unit_of_work()
    try:
        for _ in range(flow.burst):
            order = Order(len(orders) + 1, lab.now_us)
            orders.append(order)
            basket.append(order)
            body = f"{flow.who} order {order.number}".encode().ljust(flow.size, b".")
            put = app.put(flow.queue, body, unit=unit, reply_to_q=flow.reply, **flow.options)
            order.message = put.number
        unit.commit()
    except MQError as refused:
        for order in basket:
            order.reason = refused.reason
        if unit.open:
            unit.backout() if unit.puts else unit.dissolve()


def _read(app: Any, queue: str, work: Callable[..., bool]) -> None:
    """Serve a queue without a trigger, for as long as the program runs."""
    while True:
        with suppress(MQError), app.open(queue, input="shared", inquire=True) as handle:
            while True:
                _serve(app, handle, work, wait=3600)
        app.qmgr.lab.advance(10)


def _triggered(app: Any, trigger: Any, work: Callable[..., bool]) -> None:
    """Serve the queue of a trigger until no message is left, after the seconds that the program takes to start."""
    app.qmgr.lab.advance(START_S)
    with suppress(MQError), app.open(trigger.queue, input="shared", inquire=True) as handle:
        while _serve(app, handle, work, wait=5):
            pass


def _serve(app: Any, handle: Any, work: Callable[..., bool], wait: float) -> bool:
    """Serve one message in a unit of work, or move it to BOQNAME once it was backed out BOTHRESH times."""
    # return False if it is backed out; raises MQError if no message is available
    limits, unit = handle.inquire("BOTHRESH", "BOQNAME"), app.unit_of_work()
    try:
        message = handle.get(wait, unit=unit)
    except MQError:
        unit.dissolve()
        raise
    if limits["BOQNAME"] and limits["BOTHRESH"] and message.backout_count >= limits["BOTHRESH"]:
        app.forward(message, limits["BOQNAME"], unit=unit)
    elif not work(app, message, unit):
        unit.backout()
        return False
    unit.commit()
    return True


def named(name: object) -> Estate:
    """The estate of this name; LabError for a name that no estate has."""
    found = estates().get(name) if isinstance(name, str) else None
    if found is None:
        raise LabError(f"estate must be one of {', '.join(estates())}; got {visible(repr(name))}")
    return found
