# %% after cell-04
# says "The three dumps define 60 objects, and none of the 80 commands was refused."
replies_read = [each for reply in estate.replies for each in reply.replies]
assert (len(replies_read), sum(not each.ok for each in replies_read)) == (80, 0)
assert sum(each.verb == "DEFINE" for each in replies_read) == 60
assert sorted(estate.names) == ["CORE", "LABS", "WARD1"]
assert all(part.script.qmgr == part.qmgr for part in estate.parts)

# %% after cell-08
# says "five names that programs at WARD1 put to"
assert len(NAMES) == 5

# %% after routes
# says "**LAB.ORDERS.V2, BED.QUERY, and ALARM.OUT.** MQSC does not check the object"
# says "Core, and names are case-sensitive"
assert predicted == {"08/routes": ["LAB.ORDERS.V2", "BED.QUERY", "ALARM.OUT"]}
assert [routes[name].why[:4] for name in ("LAB.ORDERS", "BILLING.OUT")] == ["2082", "2196"]

# %% after cell-11
# says "A route has a row for each hop of a message"
assert [hop.rule for hop in routes["BED.QUERY"].hops] == ["CHL-01", "CHL-01", "CHL-08", "CHL-08", "MQI-14"]

# %% after stock
# says "**On the transmission queue WARD1 at LABS.** The name resolves, so the put completes"
assert predicted == {"08/stock": "on the transmission queue WARD1 at LABS"}
assert labs.depth("WARD1") == 1

# %% after cell-17
# says "every hop of this route lets a message pass"
assert all(hop.holds for hop in changes.hops)
assert changes.starts == (("CORE", "START CHANNEL(CORE.WARD1)"),)
assert (ward.depth("PATIENT.UPDATES"), core.depth("WARD1")) == (1, 0)
assert any(event.rule == "CHL-08" for event in lab.events.where(kind="channel", object="CORE.WARD1"))

# %% after unused
# says "**LAB.ORDERS.V2 and FAX.OUT.** They have different reasons."
# says "as programs at WARD1 open ALARM.OUT"
assert predicted == {"08/unused": ["LAB.ORDERS.V2", "FAX.OUT"]}
assert not estate.who_uses("ALARM.OUT", at="WARD1").uses

# %% after findings
# says "**10**: six errors and four warnings. You knew four of them. The other six are incidents"
# says "The checks also write four notes"
assert predicted == {"08/findings": 10}
severities = [each.severity for each in findings]
assert [severities.count(each) for each in ("error", "warning", "note")] == [6, 4, 4]
found_about = {(each.qmgr, each.name) for each in faults}
assert {("WARD1", "LAB.ORDERS"), ("WARD1", "BILLING.OUT"), ("LABS", "WARD1"), ("CORE", "WARD1")} <= found_about
assert {each.check for each in findings if each.severity == "note"} == {
    *("security-summary", "persistence-decided-by-alias", "object-retired", "receiver-not-called")
}

# %% after cell-24
# says "Here are the first rows that one proof writes to the event log."
assert proved.holds
assert len(rows_of(proved)) > 1

# %% after cell-26
# says "Most have a *proof*"
assert (len(report.entries), len(held), sum(held)) == (14, 12, 12)

# %% after cell-28
# says "LABS sends ten bills to CORE"
assert core.depth("BILLING.IN") == 10
assert core.why_not_triggered("BILLING.IN").missing == ["TRG-06"]

# %% after picked
# says "**None.** The process exists now (TRG-06), but an ALTER of PROCESS is not one of the events"
# says "One more bill starts the program, and it brings the others with it."
assert predicted == {"08/picked": 0}
assert repair.ok
assert not checked
assert core.depth("BILLING.IN") == 0
fired = [each for each in lab.events.where(kind="trigger", object="BILLING.IN") if each.seq >= before]
assert "TRG-12" in {each.rule for each in fired}
assert lab.events[fired[0].cause].kind == "put"

# %% after delete
# says "**ALARM.OUT and BED.QUERY.** Both use the transmission queue CORE"
# says "The deletion makes three new findings: two names that lead nowhere"
assert predicted == {"08/delete": ["ALARM.OUT", "BED.QUERY"]}
made = [each.name for each in deleted.changes if (each.what, each.how) == ("finding", "made")]
assert sorted(made) == ["ALARM.OUT", "BED.QUERY", "WARD1.CORE"]

# %% after fix
# says "For LAB.ORDERS the command is"
# says "**On LAB.ORDERS.OUT at WARD1.** The alias leads to a queue again, so there is no finding"
assert predicted == {"08/fix": "on LAB.ORDERS.OUT at WARD1"}
assert [each.fix for each in faults if each.name == "LAB.ORDERS"] == ["DEFINE QLOCAL('LAB.ORDERS.OUT')"]
assert ("finding", "ended", "LAB.ORDERS") in {(each.what, each.how, each.name) for each in defined.changes}

# %% after cell-36
# says "networkx counts the routes that need each object between their ends"
assert points["WARD1/channel:WARD1.CORE"] == points["CORE/channel:WARD1.CORE"] == 2

# %% after cell-38
# says "`estate.breaks()` counts only the routes that deliver today"
assert estate.breaks().rows[0] == ("CORE", 4)
assert [proved for *_, proved in estate.breaks("CORE").rows] == [True] * 4

# %% after cell-40
# says "the repaired estate becomes three new dumps"
assert len(fixed.parts) == 3
assert all(each.ok for reply in fixed.replies for each in reply.replies)

# %% after differences
# says "**Three.** LAB.ORDERS, BILLING.OUT, and LAB.RESULTS.OUT did not deliver before, and they deliver now."
# says "and still only four attributes differ"
assert predicted == {"08/differences": 3}
assert sorted(each.name for each in behaves) == ["BILLING.OUT", "LAB.ORDERS", "LAB.RESULTS.OUT"]
assert all(each.proved for each in behaves)
assert [each.what for each in differences.found].count("changed") == 4
assert len(differences.found) == 7
assert sum(each.severity in ("error", "warning") for each in fixed.findings()) == 7

# %% after kept
# says "**TRPTYPE.** 5 of the 46 commands contain something that the lab does not act on"
assert predicted == {"08/kept": ["TRPTYPE"]}
assert (len(reply.replies), sum(not each.ok for each in reply.replies)) == (46, 0)
assert len(kept) == 5
assert {each for _, only in kept for each in only} == {"TRPTYPE", "PORT", "CONTROL"}

# %% after written
# says "**Messages.** The text contains definitions"
assert qm.depth("PRICING.QUOTE.REQ.V1") == 1
assert predicted == {"08/written": ["messages"]}
assert loaded.ok
