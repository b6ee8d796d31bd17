# %% after cell-07
# says "In the story above, nine are packed. One of the other twenty-one was in flight when the link failed"
# says "Fifteen expired at NORTH, each two minutes after its put."
# says "also at 10:10 ([MQI-20]). Five have not expired, and wait."
if not scenario:
    assert (lab["HUB"].depth("PARCELS"), cut["HUB"].depth("PARCELS")) == (30, 9)
    ends = {kind: len(cut.events.where(kind=kind)) for kind in ("lost", "discard")}
    assert ends == {"lost": 1, "discard": 15}
    scanned = {(row.rule, row.time_us) for row in cut.events.where(kind="discard")}
    assert scanned == {("MQI-20", 600_000_000)}
    assert cut["NORTH"].depth("HUB") == 5
