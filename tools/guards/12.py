# %% after five-backouts
# says "**ORDERS**, at its old position, and the next get will return it again."
assert predicted == {"12/five-backouts": "ORDERS"}
assert got.backout_count == 4
assert {event.rule for event in lab.events.where(kind="restore")} == {"MQI-08"}

# %% after expired
# says "**0, 0, and 1.** Before the get, both expired orders were still on ORDERS, and CURDEPTH was 2"
# says "The message on ANSWERS is not the order but a report about it"
assert predicted == {"ORDERS": 0, "SHOP.DLQ": 0, "ANSWERS": 1}
assert [e.depth for e in lab.events.where(kind="put", object="ORDERS")] == [1, 2]
assert report.feedback == 258
assert len(lab.events.where(kind="discard")) == 2

# %% after waiter
# says "**2009, and 2059.** WAITER had a connection, and it broke"
assert predicted == {"the get": "2009", "the connection for the put": "2059"}

# %% after first-again
# says "**4.** Another put alone writes none: FIRST fires when a message arrives on an empty queue"
# says "The default of TRIGINT is eleven and a half days"
assert predicted == {"12/first-again": 4}
assert [decisions.rpartition(", ")[2] for _, decisions, _ in rows] == [
    "TRG-11",
    "TRG-11",
    "TRG-12",
    "TRG-13",
    "TRG-13c",
]
assert all(depth >= 3 for *_, depth in rows)
assert Shop().qm.attributes["TRIGINT"] == DEFAULT
assert 11.5 < DEFAULT / 86_400_000 < 11.6

# %% after never-existed
# says "**At the backout.**"
# says "a backed-out put to an EVERY queue leaves nothing"
assert predicted == {"12/never-existed": "at the backout"}
assert [each[:3] for each in ends] == [("FIRST", 0, 1), ("DEPTH", 0, 1), ("EVERY", 0, 0)]
assert ["2033" in returned for *_, returned in ends] == [True, True, False]
