# %% after cell-04
# says "None of the 46 commands was refused."
assert (len(reply.replies), sum(not each.ok for each in reply.replies)) == (46, 0)

# %% after kept
# says "**QDEPTHHI, TRPTYPE, and SET AUTHREC.** 12 of the 46 commands contain something that the lab does not act on"
assert predicted == {"08/kept": ["QDEPTHHI", "TRPTYPE", "SET AUTHREC"]}
assert len(kept) == 12
assert {each for _, only in kept for each in only} == {
    *("QDEPTHHI", "QDEPTHLO", "QDPHIEV", "QDPMAXEV"),
    *("TRPTYPE", "CHLTYPE", "MAXINST", "PORT", "CONTROL"),
}

# %% after bulk
# says "**The queue manager QM2.** A remote definition with a blank RNAME is a *queue manager alias*"
assert predicted == {"08/bulk": "the queue manager QM2"}
assert known["WAREHOUSE.PICK.OUT.V1"] == "PICK.REQ.V1@QM2"
assert "QM2" not in [each.name for each in lab.queue_managers]

# %% after usable
# says "**PICK.REQ and STOCK.OUT.** MQSC does not check the object"
# says "Three names have three different reasons"
assert sorted(predicted["08/usable"]) == ["PICK.REQ", "STOCK.OUT"]
leading = {name: to.split(" ")[0] for name, _, to, _ in leads(graph, "QM2")}
assert (leading["PICK.OLD"], leading["RETURNS.IN"], leading["CARRIER.OUT"]) == ("2001", "2082", "2087")

# %% after cell-16
steps = follow(graph, "QM1/WAREHOUSE.PICK.OUT.V1")
assert any(step.endswith("--talks-->  QM2/channel:QM1.TO.QM2") for step in steps)
assert any(step.endswith("--leads-->  QM2/PICK.REQ.V1") for step in steps)

# %% after cell-18
# says "An order goes through the channel, and its life names every step."
assert warehouse.depth("PICK.REQ.V1") == 1
assert {"CHL-01", "CHL-02", "CHL-03"} <= {event.rule for event in lab.events.where(message=order.number)}

# %% after stock
# says "**On the transmission queue QM1 at QM2.** The name resolves, so the put completes"
assert predicted == {"08/stock": "on the transmission queue QM1 at QM2"}
assert not any("--feeds-->" in step for step in follow(graph, "QM2/STOCK.OUT"))

# %% after findings
# says "**7**, and all findings are about QM2. You knew four of them."
assert predicted == {"08/findings": 7}
assert len(found) == 7
questions = [question for question, *_ in found]
assert [questions.count(each) for each in dict.fromkeys(questions)] == [3, 1, 1, 1, 1]
assert any(what.startswith("TRG-06") and "PICK.PROC.V2" in what for *_, what in found)

# %% after cell-25
# says "Eleven orders are on PICK.REQ.V1, and no program picks them."
assert warehouse.depth("PICK.REQ.V1") == 11
assert warehouse.why_not_triggered("PICK.REQ.V1").missing == ["TRG-06"]

# %% after picked
# says "**None.** The process exists now (TRG-06), but an ALTER of PROCESS is not one of the events"
# says "One more order starts the program, and it brings the others with it."
assert predicted == {"08/picked": 0}
assert repair.ok
assert not checked
assert warehouse.depth("PICK.REQ.V1") == 0
fired = [each for each in lab.events.where(kind="trigger", object="PICK.REQ.V1") if each.seq >= before]
assert "TRG-12" in {each.rule for each in fired}
assert lab.events[fired[0].cause].kind == "put"

# %% after written
# says "**Messages and states of channels.** The text contains definitions"
# says "A quote waits on PRICING.QUOTE.REQ.V1 of QM1"
assert qm.depth("PRICING.QUOTE.REQ.V1") == 1
assert predicted == {"08/written": ["messages", "states of channels"]}
assert loaded.ok
assert running(qm) == [("QM1.TO.QM2", "RUNNING")]
assert running(again) == []
