# %% after cell-05
# says "At the shop, no local queue is called ORDERS."
assert not north.mqsc("DISPLAY QLOCAL(ORDERS)").rows
assert hub.mqsc("DISPLAY QLOCAL(SOUTH) USAGE").rows[0]["USAGE"] == "XMITQ"

# %% after where
# says "**HUB.** The put resolved the name ORDERS to ORDERS.IN at SOUTH."
# says "which is HUB (CHL-01)"
assert predicted == {"04/where": "HUB"}
assert north.mqsc("DISPLAY QMGR DEFXMITQ").rows[0]["DEFXMITQ"] == "HUB"
assert north.depth("SYSTEM.CHANNEL.INITQ") == 1

# %% after length
# says "**437.** A transmission queue header, MQXQH, of 428 bytes"
# says "which is 324 bytes long"
# says "is 9 bytes long"
assert predicted == {"04/length": "437"}
assert (len(order.body), MQXQH.LENGTH, MQXQH.LENGTH - 104) == (9, 428, 324)
assert (header.queue, header.qmgr) == ("ORDERS.IN", "SOUTH")

# %% after path
# says "**Three:** HUB on NORTH, SOUTH on HUB, and ORDERS.IN on SOUTH."
# says "The order had 60 seconds, and arrived with 59.7."
assert predicted == {"04/path": 3}
assert steps == [("NORTH", "HUB"), ("HUB", "SOUTH"), ("SOUTH", "ORDERS.IN")]
assert "expires in 59.7 s" in lab.explain(order)
assert lab.events.where(rule="NET-01")

# %% after refused
# says "**None.** Each name leads to the transmission queue HUB"
# says "So the message is on the hub's dead-letter queue with reason 2087"
assert predicted == {"04/refused": 0}
assert south.depth("ORDERS.IN") == 3
assert [row[:2] for row in dead_letters(hub, "HUB.DLQ")] == [("CHAT@WEST", "2087")]

# %% after at-the-hub
# says "**2087.** The same put fails at once on the hub"
assert predicted == {"04/at-the-hub": "2087"}

# %% after quiet
# says "**INACTIVE.** The sending MCA had nothing to send for DISCINT seconds"
assert predicted == {"04/quiet": "INACTIVE"}
assert lab.events.where(rule="CHL-15")

# %% after next-order
# says "**RUNNING.** The order triggered the channel again (CHL-16)."
# says "ORDERS.IN contains three messages"
assert predicted == {"04/next-order": "RUNNING"}
assert [e for e in lab.events.where(rule="CHL-16") if e.time_us > 600_000_000]
assert south.depth("ORDERS.IN") == 3
assert [e.rule for e in lab.events.where(kind="discard")] == ["MQI-20"]

# %% after cut
# says "**None.** The shop got the orders in a unit of work, and an uncommitted get lowers CURDEPTH."
# says "INDOUBT(YES) (CHL-05)"
assert predicted == {"04/cut": 0}
assert lab.events.where(kind="prepare")[0].rule == "CHL-05"
assert shop.mqsc("DISPLAY CHSTATUS(SHOP.DEPOT) INDOUBT").rows[0]["INDOUBT"] in ("YES", True)

# %% after restored
# says "**Three.** When the link is restored, the shop asks which batch the depot committed last."
assert predicted == {"04/restored": 3}
assert [e for e in lab.events.where(rule="CHL-06") if e.facts.get("outcome") != "committed"]
assert shop.depth("DEPOT") == 0

# %% after start-again
# says "the two counts differ: 0 here, 3 there (CHL-12)"
assert predicted == {"04/start-again": "RETRYING"}
counts = lab.events.where(rule="CHL-12")[0].facts["why"]
assert (counts["case"], counts["sender"], counts["receiver"], counts["at"]) == ("sequence-differs", 0, 3, "DEPOT")

# %% after reset
# says "**6.** Each order arrived twice."
assert predicted == {"04/reset": 6}
assert all(lab.events.where(rule=rule) for rule in ("CHL-12", "CHL-13", "CHL-14"))
assert state_of(shop, "SHOP.DEPOT") == "RUNNING"

# %% after commit
# says "**None.** The depot had not committed, and COMMIT deleted the three orders in the shop"
assert predicted == {"04/commit": 0}
assert first_shop.depth("DEPOT") == 0
assert state_of(first_shop, "SHOP.DEPOT") == "RUNNING"

# %% after cell-27
# says "The defaults are 10 tries a minute apart and then, practically forever, one try every 20 minutes."
# says "NPMSPEED is FAST, which is the default."
assert shop.mqsc("DEFINE CHANNEL(NEW) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT)").ok
new = shop.mqsc("DISPLAY CHANNEL(NEW) SHORTRTY SHORTTMR LONGRTY LONGTMR NPMSPEED").rows[0]
assert [new[key] for key in ("SHORTRTY", "SHORTTMR", "LONGRTY", "LONGTMR")] == [10, 60, 999999999, 1200]
assert new["NPMSPEED"] == "FAST"
assert shop.mqsc("DELETE CHANNEL(NEW)").ok

# %% after fast
# says "**One:** the invoice. The price moved outside the batch, in no unit of work."
assert predicted == {"04/fast": 1}
assert [e.message for e in lab.events.where(kind="lost", rule="CHL-07")] == [fast.number]

# %% after two-minutes
# says "**None.** After 2 short tries and 2 long ones the channel stopped trying"
# says "its transmission queue has GET(DISABLED) and NOTRIGGER (CHL-09)"
# says "Then both orders arrive."
assert predicted == {"04/two-minutes": 0}
assert state_of(shop, "SHOP.DEPOT") == "RUNNING"
assert depot.depth("ORDERS.IN") == 3

# %% after note
# says "**No.** While the receiving MCA retries the third order, the channel is PAUSED"
assert predicted == {"04/note": "no"}
assert state_of(depot, "SHOP.DEPOT") == "PAUSED"
assert depot.depth("ORDERS.IN") == 2
assert lab.events.where(rule="CHL-10")

# %% after dead
# says "**Order 3 and the broken chair.**"
# says "2053 (MQRC_Q_FULL) for the full queue, and 2085 (MQRC_UNKNOWN_OBJECT_NAME) for the queue"
# says "The note has arrived too."
assert predicted == {"04/dead": ["order 3", "a broken chair"]}
assert {row[0]: row[1] for row in dead_letters(depot, "DEPOT.DLQ")} == {"order 3": "2053", "a broken chair": "2085"}
assert depot.depth("NOTES") == 1
assert state_of(depot, "SHOP.DEPOT") == "RUNNING"

# %% after handler
# says "**Two:** the order, which the handler retries every 30 seconds (DLQ-02)"
assert depth_before == 4
assert predicted == {"04/handler": 2}
assert {"DLQ-02", "DLQ-03", "DLQ-04", "DLQ-05"} <= {e.rule for e in lab.events.where(kind="handler")}
assert depot.depth("MANUAL") == 1

# %% after room
# says "**One.** At its next retry, the handler put the order on ORDERS.IN."
assert predicted == {"04/room": 1}
assert [row[0] for row in dead_letters(depot, "DEPOT.DLQ")] == ["an odd message"]

# %% after no-dlq
# says "**None.** One bad name holds up every message behind it."
# says "At the depot, an operator finds AMQ9565 and AMQ9999E in the error log."
assert predicted == {"04/no-dlq": 0}
assert lab.events.where(rule="CHL-17")
assert shop.depth("DEPOT") == 2
assert {"AMQ9565", "AMQ9999E"} <= {each.id for each in depot.error_log()}
