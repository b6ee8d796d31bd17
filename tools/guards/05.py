# %% after gale
# says "**300.** 600 minus 200 on the transmission queue, minus 100 on the destination queue"
assert predicted == {"05/gale": 300}

# %% after flight
# says "**600 and 580.**"
assert predicted == {"flight not counted": 600, "flight counted": 580}

# %% after flash
# says "**HARBOUR.** The message was sent in time and expired in flight."
assert predicted == {"05/flash": "HARBOUR"}
assert [each.rule for each in discards] == ["EXP-36"]

# %% after both
# says "**550 and 550.**"
assert predicted == {"outer": 550, "inner": 550}
assert header.body == b"ice"

# %% after cell-13
# says "refuses two different lifetimes. Level 530 (version 5.3) accepts them"
assert pair.events.where(kind="put", rule="EXP-26")[0].reason == 2013
assert old.lab.events.where(kind="put", rule="EXP-26")[0].reason is None

# %% after different
# says "**Outer 50, inner 0.**"
assert predicted == {"05/different": "outer 50, inner 0"}

# %% after waiting
# says "**3, and 0.** The channel is RETRYING."
assert predicted == {"HARBOUR": 3, "REPORTS": 0}
assert "RETRYING" in str(station.mqsc("DISPLAY CHSTATUS(TO.HARBOUR) STATUS"))

# %% after arrivals
# says "**2.** The sending agent's get reached the squall warning on the transmission queue"
# says "Only then, 40 seconds after the deadline, did STATION create the report and put it on REPORTS."
assert predicted == {"05/arrivals": 2}
[discard] = lab.events.where(kind="discard", message=squall.number)
assert (discard.qmgr, discard.object, discard.rule) == ("STATION", "HARBOUR", "EXP-12")
assert discard.time_us - start == 100_000_000
assert station.depth("REPORTS") == 1

# %% after fog
# says "**On the dead-letter queue of HARBOUR.** The pilot got the spring tide warning."
assert predicted == {"05/fog": "on the dead-letter queue of HARBOUR"}
assert (station.depth("REPORTS"), harbor.depth("HARBOUR.DLQ")) == (1, 1)
assert lab.events.where(kind="discard", message=fog.number)[0].qmgr == "HARBOUR"
assert lab.events.where(kind="get", object="WARNINGS", program="PILOT")[-1].message == tide.number

# %% after three-reports
# says "**Storm: arrived and delivered. Hail: arrived and expired.**"
assert predicted == {"storm": ["arrived", "delivered"], "hail": ["arrived", "expired"]}

# %% after buoys
# says "**400, and 2.** On the dead-letter queue, *buoy adrift* has what is left of its lifetime"
# says "Its Feedback is the reason, 2085 (MQI-29)."
assert predicted == {"Expiry of buoy adrift": 400, "exception reports": 2}
assert {e.rule for e in lab.events} >= {"EXP-23", "MQI-30", "MQI-29", "MQI-21", "MQI-22"}

# %% after later
# says "**Yes, then no.** On the dead-letter queue the time keeps running"
assert predicted == {"before the browse": "yes", "after the browse": "no"}
assert (depth_before, depth_after) == (2, 1)

# %% after passed-on
# says "**350 and 600.** With the time deducted, the message keeps its deadline."
assert predicted == {"time deducted": 350, "Expiry copied": 600}
assert {e.rule for e in lab.events.where(kind=("put", "forward"), object="CRANE")} >= {"EXP-05", "EXP-22"}
