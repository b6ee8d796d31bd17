# %% after cell-10
assert (example.state, example.minutes <= 8) == ("repaired", True), "the expert repairs the example"
assert sum(len(each.faults) for each in estates().values()) >= 25
