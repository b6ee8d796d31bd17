# %% after bad-values
# says "**All except the third.**"
assert len(predicted["22/bad-values"]) == 4
assert "1000000000 on TAXI9" not in predicted["22/bad-values"]
assert [e.reason for e in other.events.where(kind="put", object="RIDES")] == [2013, 2013, None, 2013, 2013]
assert [e.rule for e in other.events.where(kind="put", reason=2013)] == ["EXP-15", "EXP-15", "EXP-16", "EXP-32"]

# %% after refresh
# says "**On CSQ1 only.**"
assert predicted == {"22/refresh": "on CSQ1 only"}
assert not new.mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(*)").ok

# %% after members
# says "**CSQA, then CSQB.** One member scans the shared queues"
assert predicted == {"the first": "CSQA", "the second": "CSQB"}
scans = [e for e in group_lab.events.where(kind="scan") if "SHARED.RIDES" in e.facts["queues"]]
assert [e.qmgr for e in scans] == ["CSQA", "CSQB"]

# %% after locked
# says "**2034** (MQRC_NO_MSG_UNDER_CURSOR). A lock does not stop the clock."
# says "CURDEPTH was 1 before this get, and 0 after it"
assert predicted == {"22/locked": "2034"}
under = locks.events.where(kind="get", object="NIGHT", reason=2034)[0]
assert [(e.kind, e.depth) for e in locks.events[under.seq : under.seq + 2]] == [("get", 1), ("discard", 0)]
assert [e.rule for e in locks.events.where(kind="discard")] == ["EXP-21"]
