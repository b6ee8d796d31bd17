# %% after depth
# says "Two of the orders have expired, but an expired message stays on its queue"
# says "the experiment puts a fourth order, and it fails with 2053"
assert predicted == {"00/depth": 3}
assert [e.rule for e in lab.events.where(kind="put", reason=2053)] == ["EXP-17"]

# %% after one-get
# says "CURDEPTH went from 3 to 0"
# says "the get reached the two expired orders and discarded them (EXP-10)"
assert predicted == {"00/one-get": 0}
assert [e.rule for e in lab.events.where(kind="discard")] == ["EXP-10", "EXP-10"]

# %% after uncommitted
# says "An uncommitted put raises CURDEPTH at once"
assert predicted == {"CURDEPTH": 1, "get": "2033"}
assert (depth, qm.depth("ORDERS")) == (1, 0)
refused_get = lab.events.where(kind="get", program="BILLING", reason=2033)[0]
assert refused_get.rule == "MQI-12", refused_get.rule

# %% after cell-15
assert reply.ok
assert counts["put"] > 50_000

# %% after notices
# says "**About 200: 208.** At 18:45 most of the notices that were put before 18:30 have expired."
# says "The other 592 have expired, from 18:25 on."
# says "At 18:37 the queue is full"
# says "About 30 notices a minute still arrive."
# says "Its next get discards all 711 notices that have expired, in one call (EXP-10)."
# says "At 18:10 NOTIFY closes its queues and goes away."
discards = [e.cause for e in retail.events.where(kind="discard", object=PUSH)]
sweep = max(set(discards), key=discards.count)
swept = discards.count(sweep)
first_full = retail.events.where(kind="put", object=PUSH, reason=2053)[0]
closed = retail.events.where(kind="close", program="NOTIFY")[0]
left_behind = [e for e in retail.events.where(kind="discard", object=PUSH) if e.cause == sweep]
expiring_us = min(e.put_us for e in left_behind) + 15 * 60_000_000
times = [time_us // 60_000_000 for time_us in (closed.time_us, expiring_us, first_full.time_us)]
assert times == [18 * 60 + 10, 18 * 60 + 25, 18 * 60 + 37], times
assert (retail.events[sweep].time_us // 60_000_000, swept) == (18 * 60 + 50, 711)
assert {e.rule for e in left_behind} == {"EXP-10"}
assert first_full.rule == "EXP-17"
assert notices["MAXDEPTH"] == notices["CURDEPTH"] == 800
assert predicted == {"00/notices": "about 200"}
assert (notices["available"], notices["expired but still counted"]) == (208, 592)
evening = retail.events.where(kind="put", object=PUSH, reason=None)
assert {e.expiry_left for e in evening if e.time_us >= 18 * 3600e6} == {9000, 72000}, "15 minutes, and two hours"
arrived = [e for e in evening if 18 * 60 + 10 <= e.time_us / 60e6 < 18 * 60 + 37]
assert 28 < len(arrived) / 27 < 31, len(arrived)
assert sum(e.expiry_left == 9000 for e in arrived) > 0.9 * len(arrived)

# %% after stock
# says "All 17 messages had expired."
assert list(map(str, predicted.values())) == ["2033", "0"]
assert depth_before == 17
you = retail.events.where(program="YOU", kind="get")[0]
assert you.reason == 2033
assert you.rule == "EXP-11"
assert [e.rule for e in retail.events.where(kind="discard", object=STOCK) if e.cause == you.seq] == ["EXP-09"] * 17
assert retail.explain(8470).count("backed out unit of work") == 3, "an invoice that no program could process"
