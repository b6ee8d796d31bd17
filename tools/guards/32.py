# %% after newpack
# says "**0.** The count belongs to the message, not to the program."
# says "NEWPACK moved it, and not the queue manager"
assert predicted == {"32/newpack": 0}
assert qm.browse("ORDERS.BAD").body == b"? x ?"
assert (qm.depth("ORDERS"), qm.depth("ORDERS.BAD")) == (0, 1)
assert lab.events.where(kind="put", object="ORDERS.BAD")[0].program == "NEWPACK"

# %% after two-commands
# says "**A syntax error, and another error.** The lab refuses the DISPLAY with AMQ8569"
# says "The second pair of commands is: one channel is RETRYING."
assert predicted == {"ALTER": "syntax error", "DISPLAY": "another error"}
assert "8569" in tutorial[1].text
assert ibm[0].ok
assert [row["STATUS"] for row in ibm[1].rows] == ["RETRYING"]
