# %% after cell-04
# says "A flow from one to the other takes 0.8 seconds."
assert {queue.label: queue.kind for queue in van.queues}["FORWARD@HQ"] == "home-server"
[path] = [path for path in lab.network.paths if set(path.names) == {"HQ", "VAN1"}]
assert path.latency_us == 800_000

# %% after valley
# says "**Only REPORTS@HQ.** A call on a synchronous queue works now or not at all (MQE-12)."
assert predicted == {"07/valley": ["REPORTS@HQ"]}
assert [row.rule for row in lab.events.where(kind="refused")] == ["MQE-12"]

# %% after in-reach
# says "**0, and then 1.** A restored link triggers nothing."
assert predicted == {"just before the trigger": 0, "ten seconds after it": 1}
assert lab.events.where(kind="put", object="REPORTS", qmgr="HQ")[0].time_us > 60_000_000

# %% after polling
# says "**Not by 09:45.** The poll at 09:05 could not connect"
# says "ten seconds after it, the job is in the van (MQE-14)"
# says "VAN1 polls once a minute"
assert predicted == {"in the van": "not by 09:45"}
assert [queue.poll_ms for queue in van.queues if queue.kind == "home-server"] == [60_000]
assert polls[-1].facts["polling"] is False
assert polls[-1].time_us // 60_000_000 == 5
assert van.depth("JOBS") == 1

# %% after held
# says "**2, and 1.** The burst pipe is locked, not removed"
# says "The first message that is not locked is the boiler (MQE-09)."
assert predicted == {"on JOBS": 2, "other programs can get": 1}
assert (held.body, [each.body for each in van.browse("JOBS")]) == (b"burst pipe", [b"boiler"])

# %% after undo
# says "**The burst pipe.** The job that was unlocked is in its place again, before the boiler."
assert predicted == {"07/undo": "burst pipe, priority 9"}
assert held.uid == again.uid
assert van.depth("JOBS") == 1

# %% after confirmed
# says "**drain.** Assured puts are ordered by their *confirmation*, not by the put"
assert predicted == {"07/confirmed": "drain"}
assert van.depth("JOBS") == 1

# %% after again
# says "**Once.** Without the mark, the second put of a message is refused"
assert predicted == {"07/again": 1}
assert [row.rule for row in lab.events.where(kind="refused")] == ["MQE-15"]

# %% after size
# says "**3, and 1.** As in MQ, nothing happens at the end of a lifetime."
# says "Both expired notes were shown to the queue rule, once each"
assert predicted == {"before": 3, "size": 1}
assert [body for _, body in notices] == ["no lifetime of its own", "half a second"]
assert len(lab.events.where(kind="told", rule="MQE-06")) == 2
assert {row.rule for row in lab.events.where(kind="discard", object="NOTES")} == {"MQE-05"}

# %% after moments
# says "**All but the put.** A put checks only the message that is added."
assert predicted == {"07/moments": ["a get", "an activation", "a deletion", "an inquiry of the size"]}
assert list(discards.values()) == ["MQE-02", "MQE-03", "MQE-04", "MQE-05"]
assert van.depth("N.PUT") == 2
van.put("N.SIZE", b"late from the start", expire_ms=0)
assert lab.events.where(kind="discard", object="N.SIZE")[-1].rule == "MQE-01"
assert van.depth("N.SIZE") == 0

# %% after between
# says "**2, and 0.** The report is on both queue managers."
assert predicted == {"queue managers that have it": 2, "queue managers from which a program can get it": 0}
assert (van.depth("REPORTS@OFFICE"), office.depth("REPORTS")) == (1, 1)

# %% after copies
# says "**2**, of one report (MQE-07). The van noticed when it tried to send"
# says "the office noticed at the inquiry of the size"
assert predicted == {"07/copies": 2}
told = [(row.qmgr, row.rule, row.message) for row in lab.events.where(kind="told")]
assert told == [("VAN", "MQE-07", report.number), ("OFFICE", "MQE-07", report.number)]
assert [row.rule for row in lab.events.where(kind="discard")] == ["MQE-02", "MQE-05"]

# %% after replies
# says "**Only the second.** A reply of the bridge is unlimited, unless the request passes its lifetime on."
# says "300 less 50 on BRIDGE, and less 10 on REPLIES, is 240 (EXP-30)"
assert predicted == {"07/replies": ["the second"]}
assert [reply.expiry for reply in replies.values()] == [-1, 240]

# %% after segment
# says "**On DEAD, with a feedback code.**"
# says "294, MQFB_BUFFER_OVERFLOW (IMS-01)"
assert predicted == {"07/segment": "on DEAD, with a feedback code"}
assert header.reason == 294
assert lab.events.where(rule="IMS-01")

# %% after cell-31
# says "mqlab assumes that the trigger's is used"
assert lifetimes == {"DAILY": 600, "TICK": 50}
assert lab.events.where(kind="adapter")[0].rule == "EXP-37"

# %% after vse
# says "On VSE/ESA, Expiry must be unlimited (EXP-32), so the third put fails with 2013 (MQRC_EXPIRY_ERROR)."
assert predicted == {"07/vse": "Expiry 50"}
assert results["Expiry 50"].startswith("2013")
assert vse.depth("PRICES") == 2
