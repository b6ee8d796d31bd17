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
# says "The till's put has returned OK, and SOUTH does not have the order."
assert south.depth("ORDERS.IN") == 0

# %% after path
# says "**Three:** HUB on NORTH, SOUTH on HUB, and ORDERS.IN on SOUTH."
# says "The order had 60 seconds, and arrived with 59.7."
assert predicted == {"04/path": 3}
assert steps == [("NORTH", "HUB"), ("HUB", "SOUTH"), ("SOUTH", "ORDERS.IN")]
assert "expires in 59.7 s" in lab.explain(order)
assert lab.events.where(rule="NET-01")

# %% after quiet
# says "**INACTIVE.** The sending MCA had nothing to send for DISCINT seconds"
assert predicted == {"04/quiet": "INACTIVE"}
assert lab.events.where(rule="CHL-15")

# %% after next-order
# says "**RUNNING.** The order triggered the channel again (CHL-16)."
# says "ORDERS.IN contains one message, the new order."
assert predicted == {"04/next-order": "RUNNING"}
assert [e for e in lab.events.where(rule="CHL-16") if e.time_us > 600_000_000]
assert south.depth("ORDERS.IN") == 1
assert [e.rule for e in lab.events.where(kind="discard")] == ["MQI-20"]

# %% after gale
# says "**300.** 600 minus 200 on the transmission queue, minus 100 on ORDERS.IN (EXP-03)."
assert predicted == {"04/gale": 300}

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

# %% after commit
# says "Half a second later it would have been wrong"
# says "**None.** The depot had not committed, and COMMIT deleted the three orders in the shop"
assert predicted == {"04/commit": 0}
assert shop.depth("DEPOT") == 0
assert state_of(shop, "SHOP.DEPOT") == "RUNNING"
assert depot.depth("ORDERS.IN") == 0
_lab, _shop, _depot = shop_and_depot()
_shop.put("ORDERS", "order 1", persistent=True)
_shop.mqsc("START CHANNEL(SHOP.DEPOT)")
_lab.advance(1.75)
_lab.cut("SHOP", "DEPOT")
assert _depot.depth("ORDERS.IN") == 1

# %% after cell-22
# says "The defaults are 10 tries a minute apart and then, practically forever, one try every 20 minutes."
# says "NPMSPEED is FAST, which is the default."
assert shop.mqsc("DEFINE CHANNEL(NEW) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT)").ok
new = shop.mqsc("DISPLAY CHANNEL(NEW) SHORTRTY SHORTTMR LONGRTY LONGTMR NPMSPEED").rows[0]
assert [new[key] for key in ("SHORTRTY", "SHORTTMR", "LONGRTY", "LONGTMR")] == [10, 60, 999999999, 1200]
assert new["NPMSPEED"] == "FAST"
assert shop.mqsc("DELETE CHANNEL(NEW)").ok
assert shop.mqsc("DISPLAY CHANNEL(SHOP.DEPOT) SHORTTMR").rows[0]["SHORTTMR"] == 10

# %% after fast
# says "**One:** the invoice. The price was sent outside the batch: quick, and gone if the link breaks (CHL-07)."
assert predicted == {"04/fast": 1}
assert [e.message for e in lab.events.where(kind="lost", rule="CHL-07")] == [fast.number]

# %% after waiting
# says "**3, and 0.** The channel is RETRYING."
# says "the sending MCA's get reaches the flowers and discards them on the transmission queue (EXP-12)."
# says "Only then does the shop make the report."
assert predicted == {"DEPOT": 3, "REPORTS": 0}
[discard] = lab.events.where(kind="discard", message=flowers.number)
assert (discard.qmgr, discard.object, discard.rule) == ("SHOP", "DEPOT", "EXP-12")
assert (arrived, shop.depth("REPORTS")) == (2, 1)
assert [row.time_us for row in lab.events.where(kind="report", object="REPORTS")] == [discard.time_us]

# %% after dead
# says "**Order 3 and the broken chair.**"
# says "2053 (MQRC_Q_FULL) for the full queue, and 2085 (MQRC_UNKNOWN_OBJECT_NAME) for the queue"
# says "The note has arrived too."
assert predicted == {"04/dead": ["order 3", "a broken chair"]}
assert {row[0]: row[1] for row in dead_letters(depot, "DEPOT.DLQ")} == {"order 3": "2053", "a broken chair": "2085"}
assert depot.depth("NOTES") == 1
assert state_of(depot, "SHOP.DEPOT") == "RUNNING"

# %% after no-dlq
# says "**None.** One bad name holds up every message behind it."
# says "At the depot, an operator finds AMQ9565 and AMQ9999E in the error log."
assert predicted == {"04/no-dlq": 0}
assert lab.events.where(rule="CHL-17")
assert shop.depth("DEPOT") == 2
assert {"AMQ9565", "AMQ9999E"} <= {each.id for each in depot.error_log()}
