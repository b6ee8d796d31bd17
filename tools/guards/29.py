# %% after stop
# says "**2202 at once, and 2009 later.**"
assert predicted == {"at once": "2202", "later": "2009"}

# %% after limit
# says "**The third, with 2537.** Two instances run, and MAXINSTC is 2 (GAT-04)."
assert predicted == {"order": 3, "TILL sees": "2537"}
assert len(qm.mqsc("DISPLAY CHSTATUS(SHOP.CLIENTS)").rows) == 2

# %% after renewed
# says "**2393, OK, and 2009.** QM1 goes on with the repository that it has read (TLS-06)."
assert predicted == {"before the refresh": "2393", "after the refresh": "OK", "the put": "2009"}

# %% after again
# says "**2009, OK, and 2548.** Without -r, a client does not connect again (REC-05)."
assert predicted == {"-i": "2009", "-i -r": "OK", "-i -r, and no record": "2548"}
assert lab.why_refused("TILL").refused.gate == "CHLAUTH"
