"""Scenarios about MQ Everyplace: queue managers that are rarely connected."""

from __future__ import annotations

from typing import Any

from ..extras import room
from .telling import story


@story(
    "The message that expires twice",
    """MQ Everyplace sends a message in two stages, put and confirm. The link fails between the stages, and the message
    expires on both queue managers.""",
    "One message expires. How can two queue managers each report that it expired?",
    """Between put and confirm, a message is on both queue managers.
    Each queue manager finds that it has expired when it next uses its own queue.
    Each queue notifies its own rule, so count messages by their identity.""",
    "MQE-02 MQE-05 MQE-07 MQE-13",
)
def expires_twice(lab: Any) -> None:
    with room("everyplace"):
        from ...everyplace.expiry import copy_to_dead_letter

    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS", rule=copy_to_dead_letter)
    van.define("asynchronous", "REPORTS@OFFICE", rule=copy_to_dead_letter)
    for each in (office, van):
        each.define("local", "DeadLetterQ")
    lab.link("VAN", "OFFICE", latency=0.5)
    lab.shot("""A van and its office
        Queue manager VAN sends reports to queue REPORTS of queue manager OFFICE, in two stages: put, then confirm. A
        stage takes half a second in each direction. The queues on both sides have a rule that keeps a copy of an
        expired message.""")
    van.put("REPORTS@OFFICE", "boiler repaired", expire_ms=300_000)
    lab.shot(f"""A broken transmission
        The report expires after five minutes. It waits on VAN: REPORTS@OFFICE there holds
        {van.depth("REPORTS@OFFICE")}. Now transmission is triggered, and the link fails after three quarters of a
        second. Where is the report?""")
    van.trigger_transmission()
    lab.advance(0.75)
    lab.cut("VAN", "OFFICE")
    lab.advance(9.25)
    lab.shot(f"""Five minutes pass
        In two places: the put arrived, but its answer was lost. The van still holds {van.depth("REPORTS@OFFICE")}, the
        office {office.depth("REPORTS")}, which is locked: a browse there finds {len(office.browse("REPORTS"))}. The
        link is down until 09:10, and the report expires before that. Which rule is notified then?""")
    lab.advance_to(600_000_000)
    told = len(lab.events.where(kind="told"))
    lab.shot(f"""VAN sends again
        It is 09:10. Rules notified so far: {told}, because no call has used the queues. The link is restored, and
        transmission is triggered again on VAN. What does VAN find?""")
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    lab.shot(f"""OFFICE inquires the size
        VAN checks the report before it sends it: expired. Its rule is notified and keeps a copy; DeadLetterQ of VAN
        holds {van.depth("DeadLetterQ")}. REPORTS of OFFICE still holds {office.depth("REPORTS")}. Now a program
        inquires the size of REPORTS. Which size does it get?""")
    size = office.size("REPORTS")
    lab.advance(1)
    numbers = {row.message for row in lab.events.where(kind="discard")}
    lab.shot(f"""Two notices, one report
        The size is {size}: the inquiry discards expired messages, and the rule of REPORTS was notified as well. Rules
        notified: {len(lab.events.where(kind="told"))}. Messages that expired: {len(numbers)}.""")


@story(
    "A van out of reach",
    "A van with an MQ Everyplace queue manager drives into a valley and comes back.",
    "A van is out of reach for some minutes. Which messages are lost, which are late, and which arrive twice?",
    """An asynchronous queue keeps messages until they can be sent.
    A home-server queue fetches the messages that the office keeps for the van.
    Put and confirm together deliver a message once, even if the link fails between them.""",
    "MQE-02 MQE-07 MQE-13 MQE-14 MQE-15",
)
def van_out_of_reach(lab: Any) -> None:
    office, van = lab.everyplace("OFFICE"), lab.everyplace("VAN")
    office.define("local", "REPORTS")
    office.define("local", "POSITION")
    office.define("store-and-forward", "FORWARD", targets=["VAN"])
    van.define("local", "JOBS")
    van.define("asynchronous", "REPORTS@OFFICE")
    van.define("asynchronous", "POSITION@OFFICE", expiry_ms=60_000)
    van.define("home-server", "FORWARD@OFFICE", poll_ms=30_000)
    lab.link("VAN", "OFFICE", latency=0.25)
    lab.shot("""A van on the road
        OFFICE keeps jobs for VAN on its queue FORWARD, and VAN fetches them every 30 seconds. Reports and positions
        wait on VAN until transmission is triggered. A position expires after a minute. A job is put for VAN. Where is
        it 40 seconds later?""")
    office.put("JOBS@VAN", "boiler, 5 Mill Lane")
    lab.advance(40)
    lab.shot(f"""A valley
        VAN polled and fetched the job: its queue JOBS holds {van.depth("JOBS")}. Now the van drives into a valley. Two
        more jobs are put on OFFICE. On VAN, a report and two positions are put. Do these puts fail?""")
    lab.cut("VAN", "OFFICE")
    office.put("JOBS@VAN", "tap, 8 High Street")
    office.put("JOBS@VAN", "pump, the old farm")
    van.put("REPORTS@OFFICE", "boiler repaired")
    for place in ("Mill Lane", "the valley"):
        van.put("POSITION@OFFICE", place)
        lab.advance(10)
    lab.shot(f"""Transmission in the valley
        No put failed. OFFICE keeps {office.depth("FORWARD")} jobs; VAN keeps {van.depth("REPORTS@OFFICE")} report and
        {van.depth("POSITION@OFFICE")} positions. Transmission is triggered in the valley. Which messages are lost?""")
    van.trigger_transmission()
    lab.advance(70)
    lab.shot(f"""Out of the valley
        No message is lost yet. A message that could not be sent stays on VAN: {van.depth("REPORTS@OFFICE")} report,
        {van.depth("POSITION@OFFICE")} positions. The poll failed, and polling stopped. The van leaves the valley, puts
        a new position, and transmission is triggered. What arrives?""")
    lab.restore("VAN", "OFFICE")
    van.put("POSITION@OFFICE", "the bridge")
    van.trigger_transmission()
    lab.advance(10)
    lab.shot(f"""A link that fails halfway
        REPORTS of OFFICE holds {office.depth("REPORTS")}, and POSITION {office.depth("POSITION")}: the two old
        positions had expired and were not sent. JOBS of VAN holds {van.depth("JOBS")}. Now the link fails in the middle
        of a transmission and is restored. Does the report arrive twice?""")
    van.put("REPORTS@OFFICE", "tap repaired")
    van.trigger_transmission()
    lab.advance(0.3)
    lab.cut("VAN", "OFFICE")
    lab.advance(10)
    both = (van.depth("REPORTS@OFFICE"), office.depth("REPORTS"))
    lab.restore("VAN", "OFFICE")
    van.trigger_transmission()
    lab.advance(10)
    lab.shot(f"""Sent twice, delivered once
        When the link failed, VAN held {both[0]} and OFFICE {both[1]} reports; the new report was not confirmed. After
        the next transmission, they hold {van.depth("REPORTS@OFFICE")} and {office.depth("REPORTS")}. The report was
        sent twice and is on REPORTS once.""")
