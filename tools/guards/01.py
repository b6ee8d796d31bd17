# %% after cell-07
# says "4, the queue's DEFPRTY"
# says "made by the queue manager"
assert (rolls.md.Priority, rolls.md.Persistence, rolls.md.Expiry) == (4, 0, -1)
assert rolls.md.MsgId.startswith(b"AMQ BAKERY")

# %% after refused
# says "**One.** All three puts were refused"
assert predicted == {"01/refused": 1}
assert [e.rule for e in lab.events.where(kind="put", program="TILL")][1:] == ["MQI-13", "MQI-10", "MQI-14"]
assert [e.reason for e in lab.events.where(kind="put", program="TILL")][1:] == [2050, 2030, 2085]

# %% after tart
# says "the tart comes **second**"
# says "By arrival it comes **fourth**"
assert predicted == {"BY.PRIORITY": 2, "BY.ARRIVAL": 4}
assert got["BY.PRIORITY"] == ["cake", "tart", "bread", "rolls", "rusk"]
assert got["BY.ARRIVAL"] == ["bread", "cake", "rolls", "tart", "rusk"]

# %% after browse
# says "**1 cake.** The cursor was on the loaves and moved forward."
assert predicted == {"01/browse": "1 cake"}

# %% after table-3
# says "CURDEPTH is 2, but neither message is for table 3."
assert predicted == {"01/table-3": "2033"}
assert qm.depth("ORDERS") == 2

# %% after cell-19
# says "It returns the message as soon as there is one"
[got_by_waiter] = lab.events.where(kind="get", program="WAITER")
assert got_by_waiter.time_us == began + 25_000_000
assert qm.depth("ORDERS") == 2

# %% after open-units
# says "CURDEPTH is **3**. An uncommitted get lowers it at once (MQI-06)"
# says "so only **one** is available to it."
assert predicted == {"CURDEPTH": 3, "available": 1}

# %% after backout
# says "**1 birthday cake**, and then CURDEPTH is **3**"
# says "increased its BackoutCount to 1"
assert predicted == {"the get": "1 birthday cake", "CURDEPTH": 3}
assert in_the_oven.body == again.body == b"1 birthday cake"
assert again.backout_count == 1

# %% after after-get
# says "CURDEPTH is **2**. The get reached the expired croissant and discarded it"
# says "The last get finds nothing more."
assert predicted == {"01/after-get": 2}
assert len(lab.events.where(kind="discard", object="SPECIALS")) == 1
assert qm.depth("SPECIALS") == 0

# %% after full
# says "ORDERS holds 3, and its MAXDEPTH is 8."
# says "**4 of the nine.**"
full = lab.events.where(kind="put", object="ORDERS", reason=2053)
assert depth_before == 3
assert full[0].depth == 8
assert predicted == {"01/full": 4}
assert lab.events.where(kind="get", reason=2016)[0].rule == "MQI-11"

# %% after restart
# says "**2.** When a queue manager is ended immediately, open units of work are backed out"
# says "The soup was nonpersistent."
assert predicted == {"01/restart": 2}
gone = lab.events.where(object="TONIGHT", rule="MQI-16")
assert [e.message for e in gone] == [tonight["soup"].number]

# %% after cell-35
# says "the queue manager backs out its unit of work in the same way"
# says "The pizza is back, with a BackoutCount of 1."
assert (qm.depth("TONIGHT"), qm.browse("TONIGHT").backout_count) == (2, 2)
assert qm.browse("TONIGHT").body == b"pizza"

# %% after cell-39
# says "Each line below shows one rule"
rules = {e.rule for e in bench.lab.events}
assert rules >= {f"MQI-{n}" for n in (18, 23, 25, 26, 27, 34)}
assert bench.opened(scratch.name) is None
assert {e.rule for e in zos.lab.events} >= {"MQI-32", "MQI-33"}
assert zos.depth("COUNTED") == 0
assert {e.rule for e in stream.lab.events} >= {f"STQ-0{n}" for n in (2, 3, 5, 6)}
assert (stream.depth("ORDERS"), stream.depth("NOTES"), stream.depth("AUDIT")) == (1, 2, 2)
