# %% after by-hand
# says "**One.** The queue manager checks at each put (TRG-01)"
assert predicted == {"03/by-hand": 1}
assert [each.rule for each in decisions(lab) if each.fired] == ["TRG-03"]
assert len(decisions(lab)) == 3
# says "does not contain an order. It names the program to start"
assert len(message.body) == 684
assert MQTM.unpack(message.body).appl_id == "PACKER"
assert "soap" not in str(message.body)

# %% after monitor
# says "**Once.** You have already removed the trigger message."
assert predicted == {"03/monitor": 1}
assert qm.depth("ORDERS") == 0
assert decisions(lab)[3][2:4] == (True, "TRG-13c")

# %% after types
# says "**1, 7, and 1.**"
# says "the queue manager turns triggering off on that queue (TRG-09)"
assert predicted == {"FIRST": 1, "EVERY": 7, "DEPTH(3)": 1}
assert qm.mqsc("DISPLAY QLOCAL(BY.DEPTH) TRIGGER").rows[0]["TRIGGER"] is False
assert [each.rule for each in decisions(lab, queue="BY.DEPTH")][-1] == "TRG-09"

# %% after turned-on
# says "**One each.** The queue manager checks when triggering is turned on (TRG-13)."
# says "After it, DEPTH is off again."
assert predicted == {"BY.DEPTH": 1, "BY.EVERY": 1}
assert [each.rule for each in decisions(lab, before)] == ["TRG-13", "TRG-15"]
assert qm.mqsc("DISPLAY QLOCAL(BY.DEPTH) TRIGGER").rows[0]["TRIGGER"] is False

# %% after conditions
# says "**Three.** There is no process PACKING (TRG-06)"
# says "the queue manager checks seven conditions"
assert predicted == {"03/conditions": 3}
assert why.missing == ["TRG-06", "TRG-07", "TRG-08"]
assert len([row for row in why.rows if row[0] not in ("TRG-02", "TRG-03", "TRG-11a")]) == 7

# %% after repairs
# says "after eight of the eleven repairs"
# says "Three repairs trigger nothing: defining the process, correcting INITQ, and allowing gets"
# says "It fires because no trigger message was written for the queue since the queue manager started"
rules = {fault: [each.split(", ")[-1] for each in told] for fault, *told in results}
assert predicted == {"03/repairs": "DEFINE PROCESS(PACK)"}
assert sum(told[1] != "not asked" for told in rules.values()) == 8
assert " ".join(rules[fault][0] for fault, *_ in FAULTS) == (
    "TRG-09 TRG-10 TRG-02 TRG-14 TRG-04 TRG-05 TRG-06 TRG-07 TRG-07 TRG-07 TRG-08"
)
quiet = [fault for fault, *_ in FAULTS if rules[fault][1] == "not asked"]
assert quiet[:2] == ["the process does not exist", "INITQ is misspelled"]
assert quiet[2:] == ["gets from the initiation queue are disabled"]
assert {rules[fault][2] for fault in quiet} == {"TRG-11a"}
assert {told[1] for told in rules.values()} == {"TRG-13", "TRG-12", "TRG-13a", "TRG-13b", "TRG-13c", "not asked"}

# %% after no-paper
# says "**Once.** The other four orders did not arrive on an empty queue"
# says "The default is 999999999 ms, eleven and a half days."
assert predicted == {"03/no-paper": 1}
assert [each.rule for each in decisions(lab)] == ["TRG-03"] + ["TRG-11"] * 4
assert qm.mqsc("DISPLAY QMGR TRIGINT").rows[0]["TRIGINT"] == 999999999
assert 11.5 < 999999999 / 86_400_000 < 11.6

# %% after trigint
# says "**5 orders, and then 0.** TRIGINT is not a timer"
assert predicted == {"before it": 5, "after it": 0}
assert [each.rule for each in decisions(lab, before) if each.fired] == ["TRG-11"]

# %% after backed-out
# says "**FIRST and DEPTH(1).** For these two the trigger message is kept"
# says "the trigger message waits for the unit of work to end"
assert predicted == {"03/backed-out": ["FIRST", "DEPTH(1)"]}
assert all(held == "yes" for _, _, held, *_ in ends)
assert [messages for end, _, _, messages, _ in ends if end == "commit"] == [1, 1, 1]

# %% after behind-web
# says "**No.** WEB's uncommitted order was the first"
assert predicted == {"03/behind-web": "no"}
assert [each[2:4] for each in decisions(lab)] == [(True, "TRG-03"), (False, "TRG-11")]

# %% after one-each
# says "**3 times**, and all orders are packed."
assert predicted == {"03/one-each": 3}
assert qm.depth("ORDERS") == 0
assert [each.rule for each in decisions(lab) if each.fired] == ["TRG-03", "TRG-12", "TRG-12a"]

# %% after cell-32
# says "the lab stops after a thousand starts in a row"
assert 1000 <= starts(lab, "PACKER") <= 1001

# %% after backout-close
# says "**Before.** The close finds the message back on the queue"
assert predicted == {"03/backout-close": "before"}

# %% after cell-35
# says "three backouts, and a fourth start that moves the message"
assert (starts(lab, "PACKER"), qm.depth("ORDERS"), qm.depth("ORDERS.BAD")) == (4, 0, 1)
assert len(lab.events.where(kind="restore")) == 3
assert "TRG-12c" in {event.rule for event in lab.events}
