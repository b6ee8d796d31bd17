# %% after five-backouts
# says "**ORDERS**, at its old position, and the next get will return it again."
# says "the fifth get returned 4, more than BOTHRESH"
assert predicted == {"12/five-backouts": "ORDERS"}
assert got.backout_count == 4
assert {event.rule for event in lab.events.where(kind="restore")} == {"MQI-08"}

# %% after newpack
# says "**0.** The count belongs to the message, not to the program."
# says "NEWPACK moved it, and not the queue manager"
assert predicted == {"12/newpack": 0}
assert qm.browse("ORDERS.BAD").body == b"? x ?"
assert (qm.depth("ORDERS"), qm.depth("ORDERS.BAD"), qm.depth("SHOP.DLQ")) == (0, 1, 0)
assert lab.events.where(kind="put", object="ORDERS.BAD")[0].program == "NEWPACK"

# %% after expired
# says "**0, 0, and 1.** Before the get, both expired orders were still on ORDERS, and CURDEPTH was 2"
# says "The message on ANSWERS is not the order but a report about it"
assert predicted == {"ORDERS": 0, "SHOP.DLQ": 0, "ANSWERS": 1}
assert before_the_get == 2
assert report.feedback == MQFB_EXPIRATION
assert len(lab.events.where(kind="discard")) == 2

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

# %% after two-commands
# says "**A syntax error, and another error.** The lab refuses the DISPLAY with AMQ8569"
# says "The second pair of commands is: one channel is RETRYING."
assert predicted == {"ALTER": "syntax error", "DISPLAY": "another error"}
assert "8569" in tutorial[1].text
assert ibm[0].ok
assert [row["STATUS"] for row in ibm[1].rows] == ["RETRYING"]

# %% after waiter
# says "**2009, and 2059.** WAITER had a connection, and it broke"
assert predicted == {"the get": "2009", "the connection for the put": "2059"}

# %% after never-existed
# says "**At the backout.**"
# says "a backed-out put to an EVERY queue leaves nothing"
assert predicted == {"12/never-existed": "at the backout"}
assert [each[:3] for each in ends] == [("FIRST", 0, 1), ("DEPTH", 0, 1), ("EVERY", 0, 0)]
assert ["2033" in returned for *_, returned in ends] == [True, True, False]
