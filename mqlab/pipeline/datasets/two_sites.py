"""Two sites and a hub, the estate of that name, as a workload."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ... import estates
from ...estates.traffic import exponential
from ...lab.checkout import NotACheckout, datasets
from ...lab.lab import Lab
from ..workloads import Workload
from ..workloads.ready import ARRIVALS, BODY, arrivals, interruptions, server
from ..workloads.workload import DURATION, SECOND

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "two-sites"
START = "2025-01-06T00:00:00Z"
CUTS = 3
FILING = 3.5  # how many orders arrive while CLERK files a note; there is a note for every fourth
REQUEST = 1


def folder() -> Path:
    """Where the files of the estate are: in a checkout, or where `send` put them; LabError if there is neither."""
    try:
        return datasets() / NAME
    except NotACheckout:
        if find_spec("pyspark") is not None:
            from pyspark import SparkFiles, TaskContext

            if TaskContext.get() is not None:
                return Path(SparkFiles.getRootDirectory())
        raise


def send(spark: SparkSession) -> None:
    """Give the files of the estate to the executors, which need not have a checkout."""
    for file in sorted(folder().iterdir()):
        spark.sparkContext.addFile(file.as_uri())


class TwoSites(Workload):
    """A workload whose lab is the estate, where those of others are empty."""

    def new_lab(self, seed: int) -> Lab:
        return estates.load(folder() / "estate.json", seed=seed, start=START)


def tell(lab: Lab, rng: Random, *, arrival_rate: float, duration: float) -> None:
    """TILL orders at NORTH, ORDER.SERVER answers at SOUTH; CLERK files what AUDIT.IN has, too slowly; some messages are
    for a queue manager that is not there, and the link to the hub is cut CUTS times."""
    managers: list[Any] = [lab[name] for name in ("NORTH", "SOUTH", "HUB")]
    north, south, hub = managers
    south.program("ORDER.SERVER", _serve(rng, arrival_rate))
    south.trigger_monitor("SOUTH.INITQ")
    for manager in (hub, south):
        manager.dead_letter_handler((folder() / f"{manager.name}.rules").read_text("utf-8"))
    end_us = round(duration * SECOND)
    north.run_program("READER", server(rng, "ORDERS.REPLY", 0.0, end_us))
    south.run_program("CLERK", server(rng, "AUDIT.IN", FILING / arrival_rate, end_us))
    north.run_program("TILL", _order(rng, arrival_rate, end_us))
    north.run_program("LINE", interruptions(rng, CUTS, duration / 60, duration, ("NORTH", "HUB")))


def _order(rng: Random, arrival_rate: float, end_us: int) -> Callable:
    """A program that puts orders with a lifetime, every fourth with a note for AUDIT, and now and then astray."""
    tenths = max(1, round(100 / arrival_rate))  # the time of ten orders

    def order(app):
        for number, _ in enumerate(arrivals(app.qmgr.lab, rng, arrival_rate, end_us)):
            app.put("ORDERS", BODY, expiry=tenths, reply_to_q="ANSWERS", msg_type=REQUEST)
            if number % 4 == 0:
                app.put("AUDIT", BODY)
            if number % 50 == 20:
                app.put("CHAT@WEST", BODY)
            if number % 100 == 70:
                app.put("ADVERTS@WEST", BODY)

    return order


def _serve(rng: Random, arrival_rate: float) -> Callable:
    """What PROCESS(ORDER.PROCESS) starts: it answers orders until none comes for a while."""

    def serve_orders(app, trigger):
        for request in app.get_each(trigger.queue, wait=1 / arrival_rate):
            app.qmgr.lab.advance(exponential(rng) * 0.6 / arrival_rate)
            app.reply(request, BODY)

    return serve_orders


TWO_SITES = TwoSites(
    NAME,
    "orders that travel from a shop through a hub to a warehouse, and their replies",
    tell,
    (ARRIVALS._replace(default=0.01, low=0.0001), DURATION),
)
