# %% after length
# says "**two boxes, ORDERS.IN, SOUTH, and TILL.** A transmission queue header, MQXQH, of 428 bytes"
# says "so the data is 437 bytes long"
# says "which is 324 bytes long"
# says "which is 9 bytes long"
# says "The header does not name HUB."
assert predicted == {"05/length": ["two boxes", "ORDERS.IN", "SOUTH", "TILL"]}
assert (len(waiting.body), len(order.body), MQXQH.LENGTH, MQXQH.LENGTH - 104) == (437, 9, 428, 324)
assert b"HUB" not in waiting.body

# %% after refused
# says "**None.** Each name leads to the transmission queue HUB"
# says "So the message is on the hub's dead-letter queue with reason 2087"
assert predicted == {"05/refused": 0}
assert south.depth("ORDERS.IN") == 3
assert [row[:2] for row in dead_letters(hub, "HUB.DLQ")] == [("CHAT@WEST", "2087")]

# %% after at-the-hub
# says "**2087.** The same put fails at once on the hub"
assert predicted == {"05/at-the-hub": "2087"}

# %% after start-again
# says "the two counts differ: 0 here, 3 there (CHL-12)"
assert predicted == {"05/start-again": "RETRYING"}
counts = lab.events.where(rule="CHL-12")[0].facts["why"]
assert (counts["case"], counts["sender"], counts["receiver"], counts["at"]) == ("sequence-differs", 0, 3, "DEPOT")

# %% after reset
# says "**6.** Each order arrived twice."
assert predicted == {"05/reset": 6}
assert all(lab.events.where(rule=rule) for rule in ("CHL-12", "CHL-13", "CHL-14"))
assert state_of(shop, "SHOP.DEPOT") == "RUNNING"

# %% after two-minutes
# says "**None.** After 2 short tries and 2 long ones the channel stopped trying"
# says "its transmission queue has GET(DISABLED) and NOTRIGGER (CHL-09)"
# says "Then both orders arrive."
assert predicted == {"05/two-minutes": 0}
assert state_of(shop, "SHOP.DEPOT") == "RUNNING"
assert depot.depth("ORDERS.IN") == 2

# %% after note
# says "**No.** While the receiving MCA retries the third order, the channel is PAUSED"
assert predicted == {"05/note": "no"}
assert state_of(depot, "SHOP.DEPOT") == "PAUSED"
assert depot.depth("ORDERS.IN") == 2
assert lab.events.where(rule="CHL-10")

# %% after handler
# says "**Two:** the order, which the handler retries every 30 seconds (DLQ-02)"
assert depth_before == 4
assert predicted == {"05/handler": 2}
assert {"DLQ-02", "DLQ-03", "DLQ-04", "DLQ-05"} <= {e.rule for e in lab.events.where(kind="handler")}
assert depot.depth("MANUAL") == 1

# %% after room
# says "**One.** At its next retry, the handler put the order on ORDERS.IN."
assert predicted == {"05/room": 1}
assert [row[0] for row in dead_letters(depot, "DEPOT.DLQ")] == ["an odd message"]

# %% after flight
# says "**600 and 580.**"
assert predicted == {"flight not counted": 600, "flight counted": 580}

# %% after flash
# says "**HARBOUR.** The message was sent in time and expired in flight."
assert predicted == {"05/flash": "HARBOUR"}
assert [each.rule for each in discards] == ["EXP-36"]

# %% after both
# says "**550 and 550.**"
assert predicted == {"outer": 550, "inner": 550}
assert header.body == b"ice"

# %% after cell-33
# says "refuses two different lifetimes. Level 530 (version 5.3) accepts them"
assert pair.events.where(kind="put", rule="EXP-26")[0].reason == 2013
assert old.lab.events.where(kind="put", rule="EXP-26")[0].reason is None

# %% after different
# says "**Outer 50, inner 0.**"
assert predicted == {"05/different": "outer 50, inner 0"}

# %% after arrivals
# says "**2.** The sending agent's get reached the squall warning on the transmission queue"
# says "Only then, 40 seconds after the deadline, did STATION create the report and put it on REPORTS."
assert predicted == {"05/arrivals": 2}
[discard] = lab.events.where(kind="discard", message=squall.number)
assert (discard.qmgr, discard.object, discard.rule) == ("STATION", "HARBOUR", "EXP-12")
assert discard.time_us - start == 100_000_000
assert station.depth("REPORTS") == 1

# %% after fog
# says "**On the dead-letter queue of HARBOUR.** The pilot got the spring tide warning."
assert predicted == {"05/fog": "on the dead-letter queue of HARBOUR"}
assert (station.depth("REPORTS"), harbor.depth("HARBOUR.DLQ")) == (1, 1)
assert lab.events.where(kind="discard", message=fog.number)[0].qmgr == "HARBOUR"
assert lab.events.where(kind="get", object="WARNINGS", program="PILOT")[-1].message == tide.number

# %% after three-reports
# says "**Storm: arrived and delivered. Hail: arrived and expired.**"
assert predicted == {"storm": ["arrived", "delivered"], "hail": ["arrived", "expired"]}

# %% after buoys
# says "**400, and 2.** On the dead-letter queue, *buoy adrift* has what is left of its lifetime"
# says "Its Feedback is the reason, 2085 (MQI-29)."
assert predicted == {"Expiry of buoy adrift": 400, "exception reports": 2}
assert {e.rule for e in lab.events} >= {"EXP-23", "MQI-30", "MQI-29", "MQI-21", "MQI-22"}

# %% after later
# says "**Yes, then no.** On the dead-letter queue the time keeps running"
assert predicted == {"before the browse": "yes", "after the browse": "no"}
assert (depth_before, depth_after) == (2, 1)

# %% after passed-on
# says "**350 and 600.** With the time deducted, the message keeps its deadline."
assert predicted == {"time deducted": 350, "Expiry copied": 600}
assert {e.rule for e in lab.events.where(kind=("put", "forward"), object="CRANE")} >= {"EXP-05", "EXP-22"}
