# %% after left
# says "**20.** Of 5 seconds, 3 have passed."
assert predicted == {"02/left": 20}

# %% after deadline
# says "**3.** The deadline passed, and nothing happened (EXP-02): no event, no report"
assert predicted == {"02/deadline": 3}
assert not lab.events.where(kind="discard")

# %% after two-puts
# says "**1.** The ride to the zoo is the fourth message. The put of the ride to the opera fails with 2053"
assert predicted == {"02/two-puts": 1}
assert [each.split()[0] for each in puts] == ["no", "2053"]

# %% after next-get
# says "**2.** Before the get, CURDEPTH was 4. The get returned the ride to the airport."
assert predicted == {"02/next-get": 2}
assert (taken.body, taken.expiry) == (b"to the airport", 100)
[discard] = lab.events.where(kind="discard")
assert (discard.message, discard.program) == (station.number, "CAR7")

# %% after by-correlid
# says "**2, then 1.** An expired message is discarded when a get or a browse *would have returned it*"
# says "Ann's ride is still there."
# says "so it discarded that ride and failed with 2033"
assert predicted == {"after the get for CLEO": 2, "after the browse for BEN": 1}
[ann] = lab.state().queue("TAXI", "PICKUPS").in_order()
assert lab.labels[ann.number] == b"fetch ANN"

# %% after two-queues
# says "By priority: **late, early**. By arrival: **late, doctor**."
assert {name: set(kept) for name, kept in predicted.items()} == {
    "BY.PRIORITY": {"late", "early"},
    "BY.ARRIVAL": {"late", "doctor"},
}

# %% after late-commit
# says "CURDEPTH is **1**, and the get fails with **2033**."
assert predicted == {"CURDEPTH": 1, "the get": "2033"}

# %% after cell-18
# says "the ride to the bridge has expired, and the ride to the tower has half a second left"
assert qm.depth("NIGHT") == 0
assert lab.labels[lab.events.where(kind="discard")[-1].message] == b"to the bridge"

# %% after backout
# says "**1, then 0.** The backout restored the ride to the tower"
assert predicted == {"after the backout": 1, "after the next get": 0}

# %% after reports
# says "**0, then 3.** A report is made at the discard, not at the deadline"
# says "The four rides expired 55 seconds ago."
# says "The reports carry no data, the first 100 bytes, or all of the data"
assert predicted == {"before the get": 0, "after the get": 3}
assert {report.feedback for report in reports} == {258}
assert [len(report.body) for report in reports] == [0, 100, 240]
assert {report.put_time - put_at for report in reports} == {lab.now - put_at}

# %% after caps
# says "**300, 100, and 50.** The lowest value wins"
assert predicted == {"to TIPS": "300", "to HOT.TIPS": "100", "to HOT.TIPS with 50": "50"}

# %% after scans
# says "**After 70 seconds only z/OS with EXPRYINT(60). After six minutes also level 940.**"
# says "still have all ten after an hour"
# says "The first scan of a queue manager at the current level comes at 08:05:00."
assert predicted == {
    "after 70 seconds": ["z/OS with EXPRYINT(60)"],
    "after 6 minutes": ["level 940", "z/OS with EXPRYINT(60)"],
}
assert depths[19] == [10, 10, 10, 10]
assert depths[3600] == depths[360] == [10, 0, 10, 0]
[scanned_at] = {e.time_us for e in managers["level 940"].lab.events.where(kind="discard")}
assert scanned_at == 300_000_000
assert {e.rule for e in managers["level 940"].lab.events.where(kind="discard")} == {"MQI-20"}
[scanned_at] = {e.time_us for e in managers["z/OS with EXPRYINT(60)"].lab.events.where(kind="discard")}
assert scanned_at == 60_000_000
assert lab.now_us < 300_000_000
assert qm.level == managers["level 940"].level == 940
