# %% after first
# says "**The put works, and SHOP asks two.**"
# says "A minute later SHOP knows three queue managers, and no queue at all."
# says "TO.HUB1 has the DEFTYPE CLUSSDRA"
assert predicted == {"the put": "OK", "asked": 2}
assert asked == {"TO.HUB1", "TO.HUB2"}
assert sum(arrived.values()) == 1
sent = lab.events.where(kind="put", qmgr="SHOP", object="SYSTEM.CLUSTER.TRANSMIT.QUEUE")
assert 0 < sent[-1].time_us - begun < 1_000_000
assert all(row["QUEUE"].startswith("SYSTEM.") for row in shop.mqsc("DISPLAY QREMOTE(*)").rows)
known = {row["CLUSQMGR"]: row["DEFTYPE"] for row in shop.mqsc("DISPLAY CLUSQMGR(*) DEFTYPE").rows}
assert (known["HUB1"], known["HUB2"], known["SHOP"]) == ("CLUSSDRA", "CLUSSDRB", "CLUSRCVR")
before = [row.facts["name"] for row in lab.events.where(kind="cluster", qmgr="SHOP") if row.time_us < begun]
assert set(before) == {"HUB1", "HUB2", "SHOP"}

# %% after handle
# says "**One instance gets all ten.**"
assert predicted == {"instances": 1, "orders": 10}

# %% after put1
# says "**4.** MQPUT1 opens the queue for one message"
# says "The orders take turns: 3, 3, and 4 (CLU-48)."
assert predicted == {"13/put1": 4}
assert sorted(spread.values()) == [3, 3, 4]

# %% after notfixed
# says "**All three.** With DEFBIND(NOTFIXED) the choice is made at each put"
assert predicted == {"13/notfixed": 3}
assert max(spread.values()) == 4

# %% after local
# says "**All ten, and then 4.**"
assert predicted == {"at first": 10, "with ANY": 4}
assert sorted(then.values()) == [3, 3, 4]

# %% after cut
# says "**Three wait, and six are at the hubs.**"
# says "Two of them had been chosen for DEPOT, and were chosen again"
assert predicted == {"wait": 3, "at the hubs": 6}
assert len(moved) == 2
assert spread["DEPOT"] == 0
assert [row["STATUS"] for row in shop.mqsc("DISPLAY CHSTATUS(TO.DEPOT)").rows] == ["RETRYING"]

# %% after prefer
# says "**0 and 3.** Priority is compared after the state of the channel"
assert predicted == {"CLWLPRTY(9)": 0, "CLWLRANK(9)": 3}

# %% after full
# says "**5 are at HUB1, and 2 on the dead-letter queue of HUB2.**"
assert predicted == {"HUB1": 5, "dead": 2}
assert spread == {"HUB1": 5, "HUB2": 3, "DEPOT": 5}

# %% after hubs
# says "**OK, and 2189 after 10 seconds.**"
assert predicted == {"ORDERS": "OK", "RETURNS": "2189", "seconds": 10}
assert later == "OK"
assert depot.depth("RETURNS") == 1

# %% after rest
# says "**None of the six, and the named one is at DEPOT.**"
assert predicted == {"of the six": 0, "the named one": "at DEPOT"}
assert sum(spread.values()) == 6

# %% after sieve
# says "**HUB1, and the state.**"
# says "DEPOT falls through at *suspended* (CLU-43), HUB2 at *state*"
assert predicted == {"instance": "HUB1", "step": "state"}
dropped = {who.split()[0].rstrip(","): row.rule for row in answer.rows for who, _ in row.dropped}
assert dropped == {"DEPOT": "CLU-43", "HUB2": "CLU-44"}
assert [row.rule for row in answer.rows][-1] == "CLU-48"
