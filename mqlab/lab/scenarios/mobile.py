"""Scenarios about MQ Everyplace: queue managers that are rarely connected."""

from __future__ import annotations

from typing import Any

from ..extras import room
from .telling import Tell, story


@story
def expires_twice(lab: Any, shot: Tell) -> None:
    with room("everyplace"):
        from ...everyplace.expiry import copy_to_dead_letter

    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS", rule=copy_to_dead_letter)
    van.define("asynchronous", "REPORTS@OFFICE", rule=copy_to_dead_letter)
    for each in (office, van):
        each.define("local", "DeadLetterQ")
    lab.link("VAN", "OFFICE", latency=0.5)
    shot("A van and its office")
    van.put("REPORTS@OFFICE", "boiler repaired", expire_ms=300_000)
    shot("A broken transmission")
    van.trigger_transmission()
    lab.advance(0.75)
    lab.cut("VAN", "OFFICE")
    lab.advance(9.25)
    shot("Five minutes pass", browsed=len(office.browse("REPORTS")))
    lab.advance_to(600_000_000)
    told = len(lab.events.where(kind="told"))
    shot("VAN sends again", told=told)
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    shot("OFFICE inquires the size")
    size = office.size("REPORTS")
    lab.advance(1)
    numbers = {row.message for row in lab.events.where(kind="discard")}
    shot("Two notices, one report", size=size, notified=len(lab.events.where(kind="told")), expired=len(numbers))


@story
def van_out_of_reach(lab: Any, shot: Tell) -> None:
    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS")
    office.define("local", "POSITION")
    office.define("store-and-forward", "FORWARD", targets=["VAN"])
    van.define("local", "JOBS")
    van.define("asynchronous", "REPORTS@OFFICE")
    van.define("asynchronous", "POSITION@OFFICE", expiry_ms=60_000)
    van.define("home-server", "FORWARD@OFFICE", poll_ms=30_000)
    lab.link("VAN", "OFFICE", latency=0.25)
    shot("A van on the road")
    office.put("JOBS@VAN", "boiler, 5 Mill Lane")
    lab.advance(40)
    shot("A valley")
    lab.cut("VAN", "OFFICE")
    office.put("JOBS@VAN", "tap, 8 High Street")
    office.put("JOBS@VAN", "pump, the old farm")
    van.put("REPORTS@OFFICE", "boiler repaired")
    for place in ("Mill Lane", "the valley"):
        van.put("POSITION@OFFICE", place)
        lab.advance(10)
    shot("Transmission in the valley")
    van.trigger_transmission()
    lab.advance(70)
    shot("Out of the valley")
    lab.restore("VAN", "OFFICE")
    van.put("POSITION@OFFICE", "the bridge")
    van.trigger_transmission()
    lab.advance(10)
    shot("A link that fails halfway")
    van.put("REPORTS@OFFICE", "tap repaired")
    van.trigger_transmission()
    lab.advance(0.3)
    lab.cut("VAN", "OFFICE")
    lab.advance(10)
    both = (van.depth("REPORTS@OFFICE"), office.depth("REPORTS"))
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    shot("Sent twice, delivered once", first=both[0], second=both[1])
