# %% after depth
# says "**1, and 0.** PAYMENTS is SHARED: one queue, whichever member you ask."
# says "The first open of a queue in BANKING allocated this structure (QSG-03)."
# says "The payment is persistent because PAY, QMA's copy of the alias, has DEFPSIST(YES)."
assert predicted == {"PAYMENTS": 1, "LEDGER": 0}
assert [each.depth("PAYMENTS") for each in group.members] == [1, 1, 1]
assert qma.depth("LEDGER") == 1
assert lab.events.where(kind="allocate", rule="QSG-03")
assert [each.objects.get("QALIAS", "PAY").attributes["QSGDISP"] for each in group.members] == ["COPY"] * 3
assert payment.persistent

# %% after copies
# says "**NO, and then YES.** A member can alter its own copy."
# says "A change of the master replaces all copies, and with them every local change"
# says "also attributes that the change did not mention (QSG-02)"
assert predicted == {"after the first": "NO", "after the second": "YES"}
assert qmb.mqsc("DISPLAY QALIAS(PAY) DESCR").rows[0]["DESCR"] == "Payments"

# %% after balance
# says "**2048 (MQRC_PERSISTENT_NOT_ALLOWED).**"
assert predicted == {"06/balance": "2048"}
assert lab.events.where(kind="put", reason=2048)[0].rule == "QSG-04"

# %% after starts
# says "**3**, one on each member."
# says "One server got the payment; the two others found no message and ended."
assert predicted == {"06/starts": 3}
assert sorted(starts) == ["QMA", "QMB", "QMC"]
assert qma.depth("PAYMENTS.DONE") == 1

# %% after one-initq
# says "**1.** If the initiation queue is shared too, the first trigger message is enough for all members"
assert predicted == {"06/one-initq": 1}
assert [row.rule for row in checks].count("QSG-11") == 2

# %% after down
# says "**Both.** Another member backed out QMA's uncommitted get *at once*, while QMA was down"
assert predicted == {"06/down": ["ten pounds to Anna", "a reminder for Bob"]}
[back] = lab.events.where(kind="backout", rule="QSG-07")
assert back.program in ("QMB", "QMC")
assert back.time_us == 1_000_000
assert lab.now_us == 2_000_000
assert lab.events.where(rule="QSG-05") or not light.persistent

# %% after restart
# says "**Only the note in pencil.** It was on a queue of QMA's own."
assert predicted == {"06/restart": ["a note in pencil"]}
assert [(row.object, row.time_us) for row in lost] == [("LEDGER", 2_000_000)]
assert lab.events.where(rule="QSG-06")
assert qmb.depth("PAYMENTS") == 2

# %% after failed
# says "**2373 (MQRC_CF_STRUC_FAILED), and no error.** BANKING has failed."
# says "Only the new question is on BALANCE.QUERY."
assert predicted == {"the get": "2373", "the put": "no error"}
assert lab.events.where(kind="get", reason=2373)[0].rule == "QSG-09"
assert bodies(qmb, "BALANCE.QUERY") == ["once more: how much has Anna?"]
assert all(each.running for each in group.members)
# says "LOOKUP holds nothing worth recovering: the next open creates it again, empty (QSG-10)."
assert lab.events.where(kind="allocate", rule="QSG-10")

# %% after recovered
# says "**The two payments**, in their order."
assert predicted == {"06/recovered": ["ten pounds to Anna", "five pounds to Bob"]}
gone = {row.message: row.rule for row in lab.events.where(kind="lost") if row.object != "LEDGER"}
assert gone == {light.number: "QSG-08", question.number: "QSG-10"}
