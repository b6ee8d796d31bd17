# %% after first
# says "**Three.** The function ended without a commit"
assert predicted == {"14/first": 3}
assert [e.rule for e in lab.events.where(kind="commit", program="SHOP")] == ["MQI-25", "MQI-25"]

# %% after crash
# says "half of the work (MQI-25)"
# says "manager backs *egg* out (MQI-08)"
assert predicted == {"after the first crash": 4, "after the second crash": 4}
assert [e.rule for e in lab.events.where(kind=("commit", "undo"), program="SHOP")] == ["MQI-25"] * 3 + ["MQI-08"]

# %% after refused
# says "difference: AMQ5540, AMQ5534, and AMQ9777"
assert predicted == {"14/refused": 3}
told = [[each.id[:7] for each in qm.error_log() if each.seq == row.seq] for row in lab.events.where(kind="connect")]
assert [each[0] for each in told] == ["AMQ5540", "AMQ5534", "AMQ9777"]
assert [e.rule for e in lab.events.where(kind="connect")] == ["SEC-01", "SEC-01", "SEC-02"]

# %% after one-md
# says "the get returned 2033 with three orders there"
assert predicted == {"14/one-md": 1}
assert qm.depth("DEV.QUEUE.1") == 3

# %% after reply
# says "**2033.** The reply is on DEV.QUEUE.3"
assert predicted == {"14/reply": "2033"}
assert qm.depth("DEV.QUEUE.3") == 1

# %% after at-most-once
# says "**None.** A get outside a unit of work"
assert predicted == {"14/at-most-once": 0}

# %% after poison
# says "no run ever reached jam"
assert predicted == {"14/poison": ["???", "jam"]}
assert [message.backout_count for message in waiting] == [5, 0]

# %% after limit
# says "BackoutCount of ??? was 5"
assert predicted == {"14/limit": ["jam"]}
assert (qm.depth("DEV.QUEUE.1"), qm.depth("DEV.QUEUE.2")) == (0, 1)

# %% after cut
# says "on the transmission queue QM2 (CHL-01)"
assert predicted == {"14/cut": "OK"}
assert (qm.depth("QM2"), depot.depth("ORDERS")) == (2, 0)

# %% after restored
# says "**Two.** The channel could not start, and was RETRYING every ten seconds (CHL-09)."
assert predicted == {"14/restored": 2}
assert lab.events.where(kind="channel", rule="CHL-09")

# %% after client
# says "**2009, and two.**"
assert predicted == {"the second put": "2009", "at the depot": 2}
assert lab.events.where(kind="undo", program="SHOP")

# %% after once
# says "**Two.** The put that took the depth to 5 sent Queue Depth High."
assert predicted == {"14/once": 2}
assert [each.name for each in qm.event_messages() if each.object] == ["Queue Depth High", "Queue Full"]

# %% after again
# says "**Still two.** The depth was never 2 or lower"
assert predicted == {"14/again": 2}
assert qm.depth("DEV.QUEUE.1") == 8

# %% after low
# says "**Low, then high.** The get that took the depth to 2"
assert predicted == {"14/low": ["low", "high"]}

# %% after lost
# says "the queue refused them with 2051 (EVT-09)"
assert predicted == {"14/lost": 0}
assert [e.reason for e in lab.events.where(kind="put", object="SYSTEM.ADMIN.PERFM.EVENT")][-2:] == [2051, 2051]

# %% after header
# says "puts an MQRFH2 with all properties before the data (PRP-06)"
assert predicted == {"14/header": "more than 3"}
assert read[:4] + read[-35:] == b"RFH <usr><shop>harbor</shop></usr>  tea"

# %% after selector
# says "**Jam.** Without a property"
assert predicted == {"14/selector": ["jam"]}
assert lab.events.where(kind="get", rule="PRP-07", reason=2033)
