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
# says "A change of the master replaces all copies"
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

# %% after recovered
# says "**The two payments**, in their order."
assert predicted == {"06/recovered": ["ten pounds to Anna", "five pounds to Bob"]}
gone = {row.message: row.rule for row in lab.events.where(kind="lost") if row.object != "LEDGER"}
assert gone == {light.number: "QSG-08", question.number: "QSG-10"}

# %% after cell-25
# says "QMC browses"
assert (waiting.format, header.queue, header.qmgr) == ("MQXMIT", "LEDGER", "QMB")

# %% after agent
# says "**QMB's.** There is no sending agent."
assert predicted == {"06/agent": "QMB's"}
assert lab.events.where(kind="put", message=entry.number)[0].rule == "IGQ-01"
assert lab.events.where(program="IGQ.AGENT", kind="put", message=entry.number)[0].rule == "IGQ-02"

# %% after default
# says "**No.** The default comes from the first queue on the path by which the name was resolved (IGQ-08)."
assert predicted == {"06/default": "no"}
assert arrived.body == b"ten pounds, Bob"

# %% after commits
# says "**3, and 0.** After 50, after 100, and when no more entries are found (IGQ-06)."
assert predicted == {"persistent": 3, "nonpersistent": 0}
heavy = list(lab.events.where(kind="commit", rule="IGQ-06"))[-3:]
sizes = [len(lab.events.where(kind="get", uow=row.uow, object="SYSTEM.QSG.TRANSMIT.QUEUE")) for row in heavy]
assert sizes == [50, 50, 20]
assert {row.rule for row in lab.events.where(program="IGQ.AGENT", kind="get")} == {"IGQ-05"}
assert qmb.depth("LEDGER") == 240

# %% after agent-fails
# says "**1**: the entry in pencil that the agent was moving, outside syncpoint (IGQ-03)."
# says "they were backed out, and were moved again after the restart. So the first entry in pencil overtook them."
assert predicted == {"06/agent-fails": 1}
assert [(row.message, row.rule) for row in lost] == [(pencil[1].number, "IGQ-03")]
assert bodies(qmb, "LEDGER") == ["in pencil 0", "in ink 0", "in ink 1", "in ink 2", "in pencil 2"], "overtook them"
for each in heavy:
    moves = lab.events.where(program="IGQ.AGENT", kind="put", message=each.number)
    assert [row.time_us > 5_500_000 for row in moves] == [False, True], "moved, backed out, and moved again"
assert [row.uow for row in lab.events.where(kind="backout")] == [
    lab.events.where(program="IGQ.AGENT", kind="put", message=heavy[0].number)[0].uow
]

# %% after slip
# says "**On DEAD.LETTER of QMB.** Only QMB's agent learns that there is no LEGER, reason 2085"
assert predicted == {"06/slip": "on DEAD.LETTER of QMB"}
assert (dead.reason, dead.queue, dead.qmgr) == (2085, "LEGER", "QMB")
assert lab.events.where(rule="IGQ-09")

# %% after no-dlq
# says "**Both.** The slip cannot be delivered"
# says "It tries again after 60 seconds, ten times, and then every 1200 seconds."
# says "just after a try"
assert predicted == {"06/no-dlq": 2}
retries = [row for row in lab.events.where(kind="agent") if row.facts["state"] == "RETRYING"]
assert {row.rule for row in retries} == {"IGQ-10"}
assert [row.facts["then"]["seconds"] for row in retries] == [60] * 10 + [1200] * 2
assert retries[-1].time_us == lab.now_us

# %% after defined
# says "**20 minutes.** The agent does not notice the definition."
# says "Then both entries arrive, the good one too: 50 minutes late."
assert predicted == {"06/defined": "20 minutes"}
assert (qmb.depth("LEGER"), qmb.depth("LEDGER")) == (1, 1)
[good_put] = [row for row in lab.events.where(kind="put", object="LEDGER", qmgr="QMB") if row.message == good.number]
assert (good_put.time_us - 1_000_000) / 60_000_000 == 50

# %% after away
# says "**Only the entry in ink.** Both puts worked"
assert predicted == {"06/away": ["in ink"]}
assert [(row.message, row.rule) for row in lab.events.where(kind="lost")] == [(faint.number, "IGQ-12")]

# %% after sender-down
# says "**At once**, though it is nonpersistent."
assert predicted == {"06/sender-down": "at once"}

# %% after largest
# says "**2030 (MQRC_MSG_TOO_BIG_FOR_Q), and no error.**"
# says "an MQXQH of 428 bytes"
assert predicted == {"4194304 bytes": "2030", "428 bytes less": "no error"}
assert lab.events.where(kind="put", reason=2030)[0].rule == "IGQ-07"
assert len(waiting.body) - len(header.body) == 428
for qmgr, queue in ((qmb, "LEDGER"), (qma, "SYSTEM.QSG.TRANSMIT.QUEUE")):
    assert qmgr.mqsc(f"DISPLAY QLOCAL({queue}) MAXMSGL").rows[0]["MAXMSGL"] == 4194304

# %% after stray
# says "**Still on the shared transmission queue.**"
assert predicted == {"06/stray": "still on the shared transmission queue"}
assert [each.rule for each in group.igq.why_waiting()] == ["IGQ-13"]

# %% after reports
# says "**Both.** Intra-group queuing needs no route back: it moves the reports too."
# says "with feedback 2085 and with the persistence of the slip (IGQ-16)"
assert predicted == {"06/reports": 2}
assert [(each.feedback, each.persistent) for each in reports] == [(mq.MQFB_COA, True), (2085, False)]
assert {row.rule for row in lab.events.where(kind="put", object="REPORTS")} == {"IGQ-14", "IGQ-16"}
