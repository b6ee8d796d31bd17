# %% after wrong
# says "**The password.** A password that is given is checked before any record (SEC-01)."
# says "QM1 wrote three messages: AMQ5534E names the user, AMQ5542I that CONNAUTH asked for the check, and AMQ9557E"
assert (predicted, saw) == ({"09/wrong": "password"}, "2035")
assert [each.id for each in qm.error_log()][1:] == ["AMQ5534E", "AMQ5542I", "AMQ9557E"]
assert {row.state for row in lab.why_refused("TILL").rows[4:]} == {"not reached"}

# %% after right
# says "**2035 again, and the gate is CHLAUTH.** The error log has another message: AMQ9777E."
assert predicted == {"TILL sees": "2035", "gate": "CHLAUTH"}
assert qm.error_log()[-1].id == "AMQ9777E"
assert answer.record == "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"

# %% after record
# says "**connect.** Of the records that fit, the most specific decides"
assert predicted == {"09/record": "connect"}
assert answer.log[0].startswith("AMQ8077W: Entity 'till'")
assert "CLNTUSER('till') ADDRESS('10.0.0.7')" in next(row.said for row in answer.rows if row.gate == "CHLAUTH")

# %% after connect
# says "**2035 again, and the gate is open.** TILL is connected."
assert predicted == {"TILL sees": "2035", "gate": "open"}

# %% after open
# says "**1.** TILL is in. The same number came from four gates: password, CHLAUTH, connect, and open."
assert predicted == {"09/open": 1}
assert [row.facts["gate"] for row in refusals] == ["password", "CHLAUTH", "connect", "open"]

# %% after handle
# says "**The put works, and the open does not.** Authority is checked at the open"
assert predicted == {"the put": "yes", "the open": "no"}
assert qm.depth("ORDERS") == 2

# %% after profile
# says "**Before: yes. After: no.** Two profiles fit ORDERS.RETURNED now"
assert predicted == {"before": "yes", "after": "no"}
assert "GROUP(tills) has BROWSE on ORDERS.RETURNED" in lab.why_refused("TILL").refused.said

# %% after wide
# says "**None now, and two with CHLAUTH(DISABLED).**"
assert predicted == {"now": 0, "then": 2}
assert "no password at all" not in then
assert let_in() == []

# %% after warn
# says "**CLERK is let in, and the event has 2578.** A record with WARN(YES) decides nothing."
assert predicted == {"let in": "yes", "event": "2578"}

# %% after real
# says "**CLERK is refused, and the event has 2577.**"
assert predicted == {"let in": "no", "event": "2577"}
assert lab.why_refused("CLERK").reason == 2035

# %% after numbers
# says "**2538, 2540, and 2537.** MQRC_HOST_NOT_AVAILABLE: nothing listens on the port (GAT-01)."
assert predicted == {"port": "2538", "channel": "2540", "stopped": "2537"}
assert order() == "OK"

# %% after expired
# says "**The put works, and the new connect sees 2393.**"
# says "The log of the client has AMQ9633E: the certificate of QM1 is bad."
assert predicted == {"the put": "OK", "the connect": "2393"}
assert lab.why_refused("TILL").refused.gate == "TLS"
assert lab.why_refused("TILL").client_log.startswith("AMQ9633E")
assert "it expired at" in lab.why_refused("TILL").refused.said
