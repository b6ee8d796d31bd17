# %% after cell-06
# says "From 08:20 to 08:26 the link between SOUTH and HUB is cut."
assert len(sites_lab.events) == 29_647

# %% after got
# says "**Over 95: 97 %.** Programs got 53,939 of the 55,662 messages."
# says "952 expired messages were discarded, and 260 messages were in units of work that were backed out."
# says "The other 511 are still on a queue, and 294 of these have expired"
assert predicted == {"10/got": "over 95"}
assert round(share) == 97
assert (by_fate.sum(), by_fate["got"], by_fate["discarded"], by_fate["backed out"]) == (55_662, 53_939, 952, 260)
assert (by_fate.drop(["got", "discarded", "backed out"]).sum(), by_fate["expired"]) == (511, 294)

# %% after longest
# says "**SOUTH.DLQ.** AUDIT.IN holds only three messages and is often full."
# says "5 % of the records were on SOUTH.DLQ for 8 minutes or more."
# says "On the transmission queue, 95 % of the messages waited less than a minute"
# says "half of the records left SOUTH.DLQ within 2 minutes, and AUDIT.IN within 2.1."
assert predicted == {"10/longest": "SOUTH.DLQ"}
got_times = times[times["fate"] == "got"].set_index(["qmgr", "object"])
assert round(slowest["p95_us"] / 60e6) == 8
assert got_times.loc[("HUB", "SOUTH"), "p95_us"] < 60e6
assert round(got_times.loc[("SOUTH", "SOUTH.DLQ"), "p50_us"] / 60e6, 1) == 2.0
assert round(got_times.loc[("SOUTH", "AUDIT.IN"), "p50_us"] / 60e6, 1) == 2.1
assert {event.rule for event in sites_lab.events.where(kind="handler", object="SOUTH.DLQ")} == {"DLQ-02"}

# %% after deepest
# says "**About half: 28 of 51.** The other 23 have expired"
# says "this scan discarded all 23 (MQI-20)"
# says "its sending agent reached twelve more and discarded them (EXP-12)"
assert predicted == {"10/deepest": "about half"}
assert (deepest["live"], deepest["depth"], deepest["expired"], deepest["time_us"]) == (28, 51, 23, 25 * 60e6)
at_hub = sites_lab.events.where(kind="discard", qmgr="HUB", object="SOUTH")
assert [(e.time_us, e.rule) for e in at_hub[:23]] == [(25 * 60_000_000, "MQI-20")] * 23
assert [(e.program, e.rule) for e in at_hub[23:]] == [("HUB.SOUTH", "EXP-12")] * 12
assert all(e.time_us > 26 * 60_000_000 for e in at_hub[23:])

# %% after reader
# says "**Not read at all.** 865 of the 952 messages expired while no program got anything from their queue."
# says "711 of them are push notices: their reader, NOTIFY, was away from 18:10 to 18:50."
# says "The two programs that read PRICING.QUOTE.REQ.V1 did read too slowly, but that accounts for only 85 messages."
assert predicted == {"10/reader": "not read at all"}
assert readers["discarded"].sum() == len(retail.events.where(kind="discard")) == 952
assert readers["while_away"].sum() == 865
by_reader = readers.set_index("reader")
assert by_reader.loc["NOTIFY", ["discarded", "while_away"]].tolist() == [711, 711]
notified = [e.time_us / 60e6 for e in retail.events.where(kind="get", program="NOTIFY", object="NOTIFY.PUSH.REQ.V1")]
assert not [minute for minute in notified if 18 * 60 + 10 < minute < 18 * 60 + 50]
assert by_reader.loc[["PRICING1", "PRICING2"], "while_reading"].sum() == 85

# %% after latest
# says "**Over 11 hours.** Two replies on WEB.QUOTE.REPLY.V1 expired around noon."
# says "At 23:30 the program OPS browsed the queue, and this browse discarded them."
# says "Most push notices waited for 10 to 30 minutes"
assert predicted == {"10/latest": "over 11 hours"}
late = retail.events.where(kind="discard", object="WEB.QUOTE.REPLY.V1")
assert [(e.program, e.time_us) for e in late] == [("OPS", 84_600_000_000)] * 2
assert retail.events[late[0].cause].kind == "browse"
assert 12 <= (84_600 - latest) / 3600 < 12.2
assert lags.query("object == 'NOTIFY.PUSH.REQ.V1'").set_index("lag").loc["10 to 30 min", "messages"] > 711 / 2

# %% after chances
# says "**5 to 20: 15 %.** 364 of 2470 chances fired. 1865 were prevented, all by the same condition"
# says "In the other 241 cases no program read the queue, but it was not empty before the put"
assert predicted == {"10/chances": "5 to 20"}
assert (round(fired), triggers["times"].sum()) == (15, 2470)
assert triggers.groupby("outcome")["times"].sum().to_dict() == {"fired": 364, "prevented": 1865, "not asked for": 241}
assert set(triggers[triggers["outcome"] == "prevented"]["rule"]) == {"TRG-04"}
assert set(triggers[triggers["outcome"] == "not asked for"]["rule"]) == {"TRG-11"}

# %% after auditor
# says "In these four minutes 35 orders arrived."
# says "so none of the 35 puts fired (TRG-04)"
# says "because the last reader left messages behind (TRG-12)"
# says "The server was started at 08:44 and found that 13 of the 35 had expired."
assert predicted == {"10/auditor": "1"}
assert reasons.values.tolist() == [
    ["fired", "TRG-12", "closed with 35 qualifying messages left", 1],
    ["prevented", "TRG-04", "ORDERS.IN is open for input (IPPROCS 1)", 35],
]
expired = sites_lab.events.where(kind="discard", object="ORDERS.IN")
assert [(e.program, e.time_us) for e in expired] == [("ORDER.SERVER", 44 * 60_000_000)] * 13

# %% after retrying
# says "**22.5.** The channel tried five times, 30 seconds apart, until 08:22:30."
# says "The link was restored at 08:26; SOUTH.HUB noticed at 08:42:30."
# says "has the default SHORTTMR(60) and SHORTRTY(10). It was RETRYING for 7 minutes."
assert predicted == {"10/retrying": "22.5"}
assert (longest["attempts"], round(longest["to_us"] / 1e6)) == (6, 42 * 60 + 30)
attempts = sites_lab.events.where(kind="channel", object="SOUTH.HUB", rule="CHL-09")
tried = [e.time_us // 1_000_000 for e in attempts if e.facts.get("state") == "INITIALIZING"]
assert tried == [1230, 1260, 1290, 1320, 1350, 2550]
assert round(tries[tries["channel"] == "HUB.SOUTH"]["retrying_us"].max() / 60e6) == 7
assert {e.rule for e in sites_lab.events.where(kind="channel") if e.facts.get("state") == "PAUSED"} == {"CHL-10"}
shown = str(sites_lab["HUB"].mqsc("DISPLAY CHANNEL(HUB.SOUTH) SHORTRTY SHORTTMR LONGTMR BATCHSZ BATCHINT"))
assert all(each in shown for each in ("SHORTRTY(10)", "SHORTTMR(60)", "LONGTMR(1200)", "BATCHSZ(50)", "BATCHINT(0)"))

# %% after batches
# says "**1 to 2: the mean is 1.15.**"
# says "The largest batch has 31 messages: HUB.SOUTH sent it when the link was restored."
assert predicted == {"10/batches": "1 to 2"}
assert round(mean, 2) == 1.15
largest = sent.loc[(sent["messages"] + sent["fast"]).idxmax()]
assert (largest["channel"], largest["messages"]) == ("HUB.SOUTH", 31)

# %% after dead-letters
# says "**2053 and 2087.** 41 records found AUDIT.IN full"
# says "20 greetings came as far as HUB"
assert predicted == {"10/dead-letters": ["2053", "2087"]}
assert letters[["object", "wanted", "reason", "messages"]].values.tolist() == [
    ["SOUTH.DLQ", "AUDIT.IN", 2053, 41],
    ["HUB.DLQ", "CHAT@WEST", 2087, 20],
]

# %% after replies
# says "**All but one: 666 of 667.** WEB asks for one reply, by its CorrelId (MQI-04)."
# says "Up to 425 other replies were on the queue"
assert predicted == {"10/replies": "all but one"}
assert (row["times"], row["on_depth"]) == (667, 666)
empty = retail.events.where(kind="get", object="WEB.QUOTE.REPLY.V1", reason=2033)
assert {(e.program, e.rule) for e in empty} == {("WEB", "MQI-04"), ("WEB", "EXP-08")}
assert max(e.depth for e in empty) == 425

# %% after detour
# says "**Less than 2: 1.6 times as long.** Half of the records that went straight took at most 153 seconds"
# says "half of those that took the detour, at most 239."
assert predicted == {"10/detour": "less than 2"}
assert (round(detour / straight, 1), straight, detour) == (1.6, 153e6, 239e6)
