"""Scenarios about MQ Everyplace: queue managers that are seldom connected."""

from __future__ import annotations

from typing import Any

from ...everyplace.expiry import copy_to_dead_letter
from .telling import story


@story(
    "The message that expires twice",
    "One message, one lifetime. How can two queue managers each report that it expired?",
    """Between the two stages of a transmission a message is on both queue managers.
    Each of them notices the end of the lifetime at its own next moment.
    Notices are per queue; count messages by their identity.""",
    "MQE-02 MQE-05 MQE-07 MQE-13",
)
def expires_twice(lab: Any) -> None:
    """An MQ Everyplace message is sent by put and confirm. The link fails in between, and the one message expires on
    both queue managers."""
    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS", rule=copy_to_dead_letter)
    van.define("asynchronous", "REPORTS@OFFICE", rule=copy_to_dead_letter)
    for each in (office, van):
        each.define("local", "DeadLetterQ")
    lab.link("VAN", "OFFICE", latency=0.5)
    lab.chapter("""A van and its office
        Reports from the van go to REPORTS at the office in two stages: put, then confirm. Each takes half a second
        there and half a second back. Both queues have a rule that keeps a copy of what expires.""")
    van.put("REPORTS@OFFICE", "boiler repaired", expire_ms=300_000)
    lab.chapter(f"""One report, five minutes to live
        The report is kept in the van: REPORTS@OFFICE holds {van.depth("REPORTS@OFFICE")}. Now transmission is
        triggered, and the connection fails after three quarters of a second. Where is the report?""")
    van.trigger_transmission()
    lab.advance(0.75)
    lab.cut("VAN", "OFFICE")
    lab.advance(9.25)
    lab.chapter(f"""In two places
        The put had arrived; its answer was lost. The van still holds {van.depth("REPORTS@OFFICE")}, the office
        {office.depth("REPORTS")}, which a get cannot have: {len(office.browse("REPORTS"))} can be browsed. There is no
        connection until 09:10; the report's five minutes end before.""")
    lab.advance_to(600_000_000)
    told = len(lab.events.where(kind="told"))
    lab.chapter(f"""Ten past nine
        The lifetime is long over. Rules told so far: {told}, for nobody has looked. The connection is back, and the van
        triggers transmission again. What does the van find?""")
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    lab.chapter(f"""Expired in the van
        Before it is sent, it is looked at: expired. The van's rule is told and keeps a copy; DeadLetterQ of the van
        holds {van.depth("DeadLetterQ")}. The office still has {office.depth("REPORTS")}. What is it told when it asks
        for the size of REPORTS?""")
    size = office.size("REPORTS")
    lab.advance(1)
    numbers = {row.message for row in lab.events.where(kind="discard")}
    lab.chapter(f"""And expired in the office
        The size is {size}, for asking clears out what has expired, and the office's rule was told as well. Rules told:
        {len(lab.events.where(kind="told"))}. Messages that expired: {len(numbers)}. Two notices, one report.""")


@story(
    "A van out of reach",
    "A van is out of reach for some minutes. What is lost, what is late, and what arrives twice?",
    """An asynchronous queue keeps messages until they can be sent.
    A home-server queue fetches what the office keeps for the van.
    Put and confirm together deliver once, wherever the connection breaks.""",
    "MQE-02 MQE-07 MQE-13 MQE-14 MQE-15",
)
def van_out_of_reach(lab: Any) -> None:
    """A van with MQ Everyplace drives into a valley and comes back."""
    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS")
    office.define("local", "POSITION")
    office.define("store-and-forward", "FORWARD", targets=["VAN"])
    van.define("local", "JOBS")
    van.define("asynchronous", "REPORTS@OFFICE")
    van.define("asynchronous", "POSITION@OFFICE", expiry_ms=60_000)
    van.define("home-server", "FORWARD@OFFICE", poll_ms=30_000)
    lab.link("VAN", "OFFICE", latency=0.25)
    lab.chapter("""A van on the road
        The office keeps jobs for the van on FORWARD; the van fetches its own every 30 seconds. Reports and positions
        wait in the van until transmission is triggered. A position is worth something for a minute.""")
    office.put("JOBS@VAN", "boiler, 5 Mill Lane")
    lab.advance(40)
    lab.chapter(f"""The first job
        The van's poll fetched it: JOBS holds {van.depth("JOBS")}. Now the van drives into a valley. Two more jobs are
        put at the office; the van reports, and notes its position twice. Do these puts fail?""")
    lab.cut("VAN", "OFFICE")
    office.put("JOBS@VAN", "tap, 8 High Street")
    office.put("JOBS@VAN", "pump, the old farm")
    van.put("REPORTS@OFFICE", "boiler repaired")
    for place in ("Mill Lane", "the valley"):
        van.put("POSITION@OFFICE", place)
        lab.advance(10)
    lab.chapter(f"""Everybody goes on
        No. The office keeps {office.depth("FORWARD")} jobs; the van keeps {van.depth("REPORTS@OFFICE")} report and
        {van.depth("POSITION@OFFICE")} positions. Transmission is triggered in the valley. What is lost?""")
    van.trigger_transmission()
    lab.advance(70)
    lab.chapter(f"""Nothing, but time
        What could not be sent stays: {van.depth("REPORTS@OFFICE")} report, {van.depth("POSITION@OFFICE")} positions.
        The poll could not connect, and polling stopped. The van leaves the valley, notes its position and triggers.""")
    lab.restore("VAN", "OFFICE")
    van.put("POSITION@OFFICE", "the bridge")
    van.trigger_transmission()
    lab.advance(10)
    lab.chapter(f"""Back in reach
        REPORTS at the office holds {office.depth("REPORTS")}. POSITION holds {office.depth("POSITION")}: the two old
        positions had expired and were not sent. And the jobs: JOBS in the van holds {van.depth("JOBS")}. What if the
        connection breaks in the middle?""")
    van.put("REPORTS@OFFICE", "tap repaired")
    van.trigger_transmission()
    lab.advance(0.3)
    lab.cut("VAN", "OFFICE")
    lab.advance(10)
    both = (van.depth("REPORTS@OFFICE"), office.depth("REPORTS"))
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    lab.chapter(f"""Once, and only once
        When it broke, the van held {both[0]} and the office {both[1]}, the new one not yet confirmed. After the next
        try: {van.depth("REPORTS@OFFICE")} and {office.depth("REPORTS")}. It was sent twice, and is there once.""")
