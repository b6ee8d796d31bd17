# %% after cell-04
# says "A reply expires after 5 seconds, and the till gets its replies about once a minute"
# says "From 08:20 to 08:26 the link between SOUTH and HUB is cut."
assert len(lab.events) == 29_647
asked = {event.time_us for event in lab.events.where(kind="get", program="TILL")}
assert 50 < len(asked) < 70
replies = lab.events.where(kind="put", program="ORDER.SERVER")
assert {event.expiry_left for event in replies if event.message} == {50}

# %% after got
# says "The applications' queues had 1075 messages in this hour."
# says "**About half: 52 %.** Programs got 554 of the 1075 messages."
# says "495 had expired and were discarded, 23 are on a dead-letter queue, and 3 wait on AUDIT.IN."
# says "Most of the 495 were replies"
assert predicted == {"10/got": "about half"}
assert (round(share), by_fate.sum()) == (52, 1075)
assert by_fate.to_dict() == {"got": 554, "discarded": 495, "dead-lettered": 23, "waiting": 3}
assert ends[ends["fate"] == "waiting"]["object"].tolist() == ["AUDIT.IN@SOUTH"]
discards = ends[ends["fate"] == "discarded"].set_index("object")["messages"]
assert discards["ORDERS.REPLY@NORTH"] + discards["HUB@SOUTH"] == 298 + 141

# %% after deepest
# says "**About half: 28 of 51.** The other 23 have expired"
# says "this scan discarded all 23 (MQI-20)"
# says "its sending agent reached twelve more and discarded them (EXP-12)"
assert predicted == {"10/deepest": "about half"}
assert (deepest["live"], deepest["depth"], deepest["expired"], deepest["time_us"]) == (28, 51, 23, 25 * 60e6)
at_hub = lab.events.where(kind="discard", qmgr="HUB", object="SOUTH")
assert [(e.time_us, e.rule) for e in at_hub[:23]] == [(25 * 60_000_000, "MQI-20")] * 23
assert [(e.program, e.rule) for e in at_hub[23:]] == [("HUB.SOUTH", "EXP-12")] * 12
assert all(e.time_us > 26 * 60_000_000 for e in at_hub[23:])

# %% after reader
# says "495 expired messages were discarded."
# says "**Not read at all.** 488 of the 495 messages expired while no program got anything from their queue."
# says "For 298 replies, the reader is the till, which got 28."
# says "141 more replies expired on the transmission queue HUB at SOUTH"
# says "its reader is the channel SOUTH.HUB, which paused for 24 minutes"
assert predicted == {"10/reader": "not read at all"}
assert readers["discarded"].sum() == len(lab.events.where(kind="discard")) == 495
assert readers["while_away"].sum() == 488
by_reader = readers.set_index("reader")
assert by_reader.loc["TILL", ["discarded", "while_away", "gets"]].tolist() == [298, 298, 28]
assert by_reader.loc["SOUTH.HUB", ["qmgr", "object", "while_away"]].tolist() == ["SOUTH", "HUB", 141]
assert {event.program for event in lab.events.where(kind="put", qmgr="SOUTH", object="HUB")} == {"ORDER.SERVER"}
assert round(by_reader.loc["SOUTH.HUB", "longest_pause_us"] / 60e6) == 24

# %% after retrying
# says "The channel SOUTH.HUB read nothing for 24 minutes, but its link was cut for only six."
# says "**22.5.** The channel tried five times, 30 seconds apart, until 08:22:30."
# says "The link was restored at 08:26; SOUTH.HUB noticed at 08:42:30."
# says "has the default SHORTTMR(60) and SHORTRTY(10). It was RETRYING for 7 minutes."
# says "Its other bars are PAUSED"
assert predicted == {"10/retrying": "22.5"}
assert (longest["attempts"], round(longest["to_us"] / 1e6)) == (6, 42 * 60 + 30)
attempts = lab.events.where(kind="channel", object="SOUTH.HUB", rule="CHL-09")
tried = [e.time_us // 1_000_000 for e in attempts if e.facts.get("state") == "INITIALIZING"]
assert tried == [1230, 1260, 1290, 1320, 1350, 2550]
assert round(tries[tries["channel"] == "HUB.SOUTH"]["retrying_us"].max() / 60e6) == 7
assert set(tries[tries["state"] == "PAUSED"]["channel"]) == {"HUB.SOUTH"}
assert {e.rule for e in lab.events.where(kind="channel") if e.facts.get("state") == "PAUSED"} == {"CHL-10"}
shown = str(lab["HUB"].mqsc("DISPLAY CHANNEL(HUB.SOUTH) SHORTRTY SHORTTMR LONGTMR"))
assert all(each in shown for each in ("SHORTRTY(10)", "SHORTTMR(60)", "LONGTMR(1200)"))

# %% after auditor
# says "In these four minutes 35 orders arrived."
# says "so none of the 35 puts fired (TRG-04)"
# says "because the last reader left messages behind (TRG-12)"
# says "The server was started at 08:44 and found that 13 of the 35 had expired."
assert predicted == {"10/auditor": "1"}
assert sorted(chances[["outcome", "rule", "times"]].values.tolist()) == [
    ["fired", "TRG-12", 1],
    ["prevented", "TRG-04", 35],
]
expired = lab.events.where(kind="discard", object="ORDERS.IN")
assert [(e.program, e.time_us) for e in expired] == [("ORDER.SERVER", 44 * 60_000_000)] * 13

# %% after detour
# says "**Less than 2: 1.6 times as long.** Half of the records that went straight took at most 153 seconds"
# says "half of those that took the detour, at most 239."
# says "A record that finds AUDIT.IN full goes to the dead-letter queue SOUTH.DLQ (MQI-30)."
# says "The dead-letter handler tries once a minute to put it on AUDIT.IN again (DLQ-02)."
assert predicted == {"10/detour": "less than 2"}
assert (round(detour / straight, 1), straight, detour) == (1.6, 153e6, 239e6)
assert {event.rule for event in lab.events.where(kind="handler", object="SOUTH.DLQ")} == {"DLQ-02"}
buried = lab.events.where(kind="put", object="SOUTH.DLQ", qmgr="SOUTH")
assert {event.rule for event in buried} == {"MQI-30", "EXP-23"}  # EXP-23: for a record with a lifetime
