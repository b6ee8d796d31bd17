# %% after bad-values
# says "**All except the third.**"
assert len(predicted["22/bad-values"]) == 4
assert "1000000000 on TAXI9" not in predicted["22/bad-values"]
assert [e.reason for e in other.events.where(kind="put", object="CALLS")] == [2013, 2013, None, 2013, 2013]
assert [e.rule for e in other.events.where(kind="put", reason=2013)] == ["EXP-15", "EXP-15", "EXP-16", "EXP-32"]

# %% after refresh
# says "**On CSQ1 only.**"
assert predicted == {"22/refresh": "on CSQ1 only"}
assert not new.mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(*)").ok

# %% after members
# says "**CSQA, then CSQB.** One member scans the shared queues"
assert predicted == {"the first": "CSQA", "the second": "CSQB"}
scans = [e for e in group_lab.events.where(kind="scan") if "SHARED.CALLS" in e.facts["queues"]]
assert [e.qmgr for e in scans] == ["CSQA", "CSQB"]
