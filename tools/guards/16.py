# %% after cell-04
# says "QMC browses"
assert (waiting.format, header.queue, header.qmgr) == ("MQXMIT", "LEDGER", "QMB")

# %% after agent
# says "**QMB's.** There is no sending agent."
assert predicted == {"16/agent": "QMB's"}
assert lab.events.where(kind="put", message=entry.number)[0].rule == "IGQ-01"
assert lab.events.where(program="IGQ.AGENT", kind="put", message=entry.number)[0].rule == "IGQ-02"

# %% after default
# says "**No.** DEFPSIST comes from the first queue that the name leads to, here the shared transmission queue"
assert predicted == {"16/default": "no"}
assert arrived.body == b"ten pounds, Bob"

# %% after commits
# says "**120 nonpersistent, 40 persistent, 120 persistent:** 0, 1, and 3 commits."
# says "the agent commits after 50, after 100, and when it finds no more entries (IGQ-06)"
assert predicted == {"16/commits": ["120 nonpersistent", "40 persistent", "120 persistent"]}
assert commits == {"120 persistent": 3, "120 nonpersistent": 0, "40 persistent": 1}
heavy = list(lab.events.where(kind="commit", rule="IGQ-06"))[-4:]
sizes = [len(lab.events.where(kind="get", uow=row.uow, object="SYSTEM.QSG.TRANSMIT.QUEUE")) for row in heavy]
assert sizes == [50, 50, 20, 40]
assert {row.rule for row in lab.events.where(program="IGQ.AGENT", kind="get")} == {"IGQ-05"}
assert qmb.depth("LEDGER") == 280

# %% after agent-fails
# says "**1**: the entry in pencil that the agent was moving, outside syncpoint (IGQ-03)."
# says "they were backed out, and were moved again after the restart. So the first entry in pencil overtook them."
assert predicted == {"16/agent-fails": 1}
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
assert predicted == {"16/slip": "on DEAD.LETTER of QMB"}
assert (dead.reason, dead.queue, dead.qmgr) == (2085, "LEGER", "QMB")
assert lab.events.where(rule="IGQ-09")

# %% after no-dlq
# says "**Both.** The slip cannot be delivered"
# says "It tries again after 60 seconds, ten times, and then every 1200 seconds."
# says "just after a try"
assert predicted == {"16/no-dlq": 2}
retries = [row for row in lab.events.where(kind="agent") if row.facts["state"] == "RETRYING"]
assert {row.rule for row in retries} == {"IGQ-10"}
assert [row.facts["then"]["seconds"] for row in retries] == [60] * 10 + [1200] * 2
assert retries[-1].time_us == lab.now_us

# %% after defined
# says "**20 minutes.** The agent does not notice the definition."
# says "Then both entries arrive, the good one too: 50 minutes late."
assert predicted == {"16/defined": "20 minutes"}
assert (qmb.depth("LEGER"), qmb.depth("LEDGER")) == (1, 1)
[good_put] = [row for row in lab.events.where(kind="put", object="LEDGER", qmgr="QMB") if row.message == good.number]
assert (good_put.time_us - 1_000_000) / 60_000_000 == 50

# %% after away
# says "**Only the entry in ink.** Both puts worked"
assert predicted == {"16/away": ["in ink"]}
assert [(row.message, row.rule) for row in lab.events.where(kind="lost")] == [(faint.number, "IGQ-12")]

# %% after sender-down
# says "**At once**, though it is nonpersistent."
assert predicted == {"16/sender-down": "at once"}

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
assert predicted == {"16/stray": "still on the shared transmission queue"}
assert [each.rule for each in group.igq.why_waiting()] == ["IGQ-13"]

# %% after reports
# says "**Both.** Intra-group queuing needs no route back: it moves the reports too."
# says "with feedback 2085 and with the persistence of the slip (IGQ-16)"
assert predicted == {"16/reports": 2}
assert [(each.feedback, each.persistent) for each in reports] == [(mq.MQFB_COA, True), (2085, False)]
assert {row.rule for row in lab.events.where(kind="put", object="REPORTS")} == {"IGQ-14", "IGQ-16"}
