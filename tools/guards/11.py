# %% after anecdote
# says "**3.** In two other labs of the ten, seven requests are discarded."
# says "A colleague whose seed is 9 reports that one request of five expires."
assert predicted == {"11/anecdote": 3}
assert [discarded for _, _, _, discarded, _ in labs].count(7) == 2
assert labs[2][3] == 0
assert 0.18 < labs[9][3] / labs[9][1] < 0.22

# %% after remedy
# says "12 seeds for each combination: 72 labs"
# says "**The server.** With a longer lifetime requests can wait longer"
assert predicted == {"11/remedy": "the server"}
assert swept.failed.empty
assert len(swept.table) == 72

# %% after chance
# says "**Neither.** The mean for 4 seconds is higher, but only by 0.006"
# says "its interval for a lifetime of 1 second lies above the interval for one server"
assert predicted == {"11/chance": "neither"}
assert round(mean[40, 1] - mean[20, 1], 3) == 0.006
assert mean[10, 2] - half[10, 2] > mean[10, 1] + half[10, 1]

# %% after more-seeds
# says "**About half as wide.** The width falls with the square root of the number of seeds"
assert predicted == {"11/more-seeds": "about half as wide"}

# %% after refused
# says "**3.** One bad value must not cost the sweep."
assert predicted == {"11/refused": 3}
assert list(mixed.failed["expiry"]) == [0, 0, 0]
assert mixed.failed["error"].str.contains("2013").all()

# %% after cuts
# says "**None.** With NORMAL the messages are part of a batch."
# says "the messages that are in flight when the link is cut are lost: about one of ten"
assert predicted == {"11/cuts": "none"}
assert 0.08 < lost["FAST"] / figures["put", "FAST", 8] < 0.13

# %% after price
# says "**About 0.9**, three times as long, although the link is never cut."
assert predicted == {"11/price": "about 0.9"}
assert 0.8 < slow < 1.0
assert round(figures["p95_latency", "FAST", 0], 2) == 0.3
