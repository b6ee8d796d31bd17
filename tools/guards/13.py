# %% after lost
# says "**0.** The driver keeps a list of the tasks that have not ended."
assert predicted == {"13/lost": 0}
assert len(broken.table) == labs == 240
assert broken.failed.empty
assert [each.what for each in cluster.status() if each.pid is None] == ["worker 1"]

# %% after repeated
# says "**Only the task that worker 1 was running.** Finished tasks had sent their rows to the driver."
# says "A task that runs again has the same rows"
assert predicted == {"13/repeated": "only the task that worker 1 was running"}
assert again.table.equals(broken.table)

# %% after both
# says "**It waits.** The driver asks the master for executors"
assert predicted == {"13/both": "it waits"}
assert outcome == ["it fails at once"], "canceled"

# %% after cell-09
assert not cluster.folder.exists()
