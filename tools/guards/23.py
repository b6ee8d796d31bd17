# %% after early
# says "**One**, of the two that fired the trigger."
assert predicted == {"23/early": 1}
assert (qm.depth("ORDERS"), starts(lab, "PACKER")) == (1, 1)
assert [each.rule for each in decisions(lab) if each.fired] == ["TRG-03a"]

# %% after segments
# says "A put splits a message of 39 bytes into three *segments*."
# says "**One**, when the last segment has arrived, even for EVERY (TRG-16)."
assert predicted == {"23/segments": 1}
assert qm.depth("ORDERS") == 3
assert decisions(lab)[-1].rule == "TRG-16"

# %% after shared
# says "**0, and then 3.**"
assert predicted == {"at the put": 0, "at the commit": 3}
assert {each.rule for each in decisions(lab, before)} == {"TRG-03b"}

# %% after members
# says "**QMB and QMC.** QMA does not trigger while its own server has the queue open (TRG-04b)."
assert reply.ok
assert predicted == {"23/members": ["QMB", "QMC"]}
assert {each.rule for each in decisions(lab, before) if each.fired} == {"TRG-04a"}
assert [each.rule for each in decisions(lab, before) if each.qmgr == "QMA"] == ["TRG-04b"]
