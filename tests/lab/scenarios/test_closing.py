"""How every scenario ends, and the numbers on the way there: the facts behind the sentences of its shots."""

from itertools import pairwise

from helpers import for_each, scenario_lab
from mqlab.lab.scenarios import names
from mqlab.lab.scenarios.telling import starts


@for_each("name", names())
def test_the_closing_state(name):
    globals()[f"ending_of_{name.replace('-', '_')}"](scenario_lab(name))


def depths(qmgr, *queues):
    """The depths of these queues."""
    return [qmgr.depth(queue) for queue in queues]


def rows(lab, **which):
    """Rows of the log as (rule, queue, message)."""
    return [(row.rule, row.object, row.message) for row in lab.events.where(**which)]


def said(lab, title):
    """The words of a shot."""
    return next(each.say for each in lab.shots if each.title == title)


def states(lab, qmgr, channel):
    """The states that a channel went through, with the second in which it did."""
    found = lab.events.where(kind="channel", qmgr=qmgr, object=channel)
    return [(row.time_us // 1_000_000, row.facts["state"]) for row in found if "was" in row.facts]


def ending_of_expiry_priority(lab):
    assert depths(lab["SHOP"], "ORDERS") == [0]
    discards = [("EXP-10", 1), ("EXP-10", 2), ("EXP-08", 5), ("EXP-10", 4)]
    assert rows(lab, kind="discard") == [(rule, "ORDERS", message) for rule, message in discards]
    gets = [(row.message, row.reason, row.depth) for row in lab.events.where(kind="get")]
    assert gets == [(3, None, 4), (None, 2033, 2), (None, 2033, 1)]
    assert said(lab, "A get with no selection").startswith("CURDEPTH is 5.")
    assert "returned 'Carol'" in said(lab, "Only the messages ahead were discarded")
    lifetimes_end = [row.time_us + 8_000_000 for row in lab.events.where(kind="put")]
    assert max(lifetimes_end) < lab.events.where(kind="get")[0].time_us


def ending_of_expired_fill(lab):
    assert depths(lab["SHOP"], "PRICE.ASK") == [0]
    assert [row.reason for row in lab.events.where(kind="put") if row.reason] == [2053]
    assert [row.reason for row in lab.events.where(kind="get")] == [2033]
    assert [row.rule for row in lab.events.where(kind="discard")] == ["EXP-10"] * 5 + ["MQI-20"] * 5
    swept = lab.events.where(kind="scan")[0].time_us
    full = [row for row in lab.events.where(kind="put") if row.depth == 5][-1].time_us
    assert (full, swept) == (40_000_000, 300_000_000), "full for more than four minutes"


def ending_of_cannot_get(lab):
    qm = lab["SHOP"]
    assert depths(qm, "ANSWERS") == [1]
    assert [row.reason for row in lab.events.where(kind="get")] == [2033, 2033, None, None, 2033]
    assert rows(lab, kind="discard") == [("EXP-08", "ANSWERS", 1)]
    commit, got = lab.events.where(kind="commit")[0], lab.events.where(kind="get", message=3)[0]
    assert commit.time_us == got.time_us == lab.events.where(kind="wait")[0].time_us + 5_000_000
    assert rows(lab, kind="restore") == [("MQI-08", "ANSWERS", 2)]
    assert not qm.units


def ending_of_first_every_depth(lab):
    qm = lab["SHOP"]
    assert depths(qm, "BY.FIRST", "BY.EVERY", "BY.DEPTH") == [0, 0, 0]
    assert [starts(lab, f"{kind}.SERVER") for kind in ("FIRST", "EVERY", "DEPTH")] == [4, 6, 2]
    assert len(lab.events.where(kind="put", object="BY.FIRST")) == 6
    assert said(lab, "Two single orders").startswith("Starts: FIRST 1, EVERY 3, DEPTH 1.")
    assert said(lab, "A third order for DEPTH").startswith("Starts: FIRST 3, EVERY 5, DEPTH 1.")
    assert qm.objects.get("QLOCAL", "BY.DEPTH").attributes["TRIGGER"] is False
    first = lab.events.where(kind="get", object="BY.FIRST")[:3]
    assert [row.time_us for row in first] == [1_000_000, 2_000_000, 3_000_000], "one after the other"
    every = lab.events.where(kind="get", object="BY.EVERY")[:3]
    assert [row.time_us for row in every] == [1_000_000, 1_100_000, 1_200_000], "side by side"


def ending_of_trigger_once(lab):
    assert (depths(lab["SHOP"], "ORDERS", "SLIPS", "PAPER"), starts(lab, "PICKER")) == ([0, 7, 1], 4)
    fired = [row.rule for row in lab.events.where(kind="trigger") if row.facts["fired"]]
    assert fired == ["TRG-03", "TRG-11", "TRG-03", "TRG-13"]
    assert "starts: still 1. ORDERS holds 5" in said(lab, "A shorter TRIGINT")
    shorter = lab.events.where(kind="alter", object=None)[0].time_us
    assert shorter - lab.events.where(kind="trigger")[0].time_us > 10_000_000, "the interval is over"
    again = next(row for row in lab.events.where(kind="trigger", rule="TRG-11") if row.facts["fired"])
    assert again.time_us == shorter + 30_000_000


def ending_of_poison(lab):
    qm = lab["SHOP"]
    assert depths(qm, "ORDERS", "ORDERS.BAD", "PACKED") == [1, 1, 2]
    assert (qm.browse("ORDERS").backout_count, qm.browse("ORDERS.BAD").body) == (4, b"? x ???")
    assert said(lab, "BOTHRESH and BOQNAME").startswith("6 times.")
    assert starts(lab, "PACKER") == 8
    assert "BackoutCount was 3" in said(lab, "Still on ORDERS")
    assert len(lab.events.where(kind="restore", program="OLDPACK")) == 4


def ending_of_channel_retrying(lab):
    shop, depot = lab["SHOP"], lab["DEPOT"]
    assert depths(depot, "ORDERS.IN") == [4]
    arrived = [message.body for message in depot.targets["ORDERS.IN"].store.in_order()]
    assert arrived == [b"order %d" % number for number in range(1, 5)]
    assert (depths(shop, "DEPOT"), shop.objects.get("QLOCAL", "DEPOT").attributes["GET"]) == ([0], "ENABLED")
    tried = [second for second, state in states(lab, "SHOP", "SHOP.DEPOT") if state == "BINDING"]
    assert tried[:3] == [0, 15, 25], "10 seconds apart"
    night = [second for second in tried if 32 <= second < 280]
    assert [later - one for one, later in pairwise(night)] == [10, 10, 60, 60]
    ended = [state for second, state in states(lab, "SHOP", "SHOP.DEPOT") if second < 280]
    assert (ended[-1], states(lab, "SHOP", "SHOP.DEPOT")[-1][1]) == ("STOPPED", "RUNNING")


def ending_of_expiry_on_the_way(lab):
    shop, depot = lab["SHOP"], lab["DEPOT"]
    assert (depths(shop, "DEPOT", "REPORTS"), depths(depot, "ORDERS.IN", "DEPOT.DLQ")) == ([0, 1], [0, 1])
    assert rows(lab, kind="discard") == [("EXP-12", "DEPOT", 1), ("EXP-10", "ORDERS.IN", 3)]
    assert "DEPOT is 3" in said(lab, "The link is restored")
    fish = lab.events.where(kind="browse", message=3)[0]
    assert (fish.time_us, fish.expiry_left, shop.browse("REPORTS").feedback) == (102_000_000, 191, 258)
    assert lab.events.where(kind="report", reason=2087)[0].qmgr == "DEPOT"


def ending_of_dead_letters(lab):
    shop, depot = lab["SHOP"], lab["DEPOT"]
    assert (depths(depot, "ORDERS.IN", "DEPOT.DLQ", "DEPOT.MANUAL"), depths(shop, "DEPOT")) == ([2, 0, 1], [0])
    assert "why: 2053, 2053, 2085." in said(lab, "A handler with two rules")
    assert [message.body for message in depot.targets["ORDERS.IN"].store.in_order()] == [b"order 3", b"order 4"]
    tries = lab.events.where(kind="handler", rule="DLQ-02")
    assert [row.time_us for row in tries] == [3_000_000] * 2 + [33_000_000] * 2


def ending_of_igq_channels(lab):
    assert (depths(lab["MVSB"], "LEDGER"), depths(lab["MVSA"], "MVSB", "SYSTEM.QSG.TRANSMIT.QUEUE")) == ([0], [0, 0])
    assert "in this order: 1, 2, 4, 5, 3." in lab.shots[-2].say
    assert len(lab.events.where(kind="put", object="LEDGER", program="IGQ.AGENT")) == 3
    assert len(lab.events.where(kind="put", object="LEDGER", program="MVSA.MVSB")) == 2
    last = lab.events.where(kind="put", rule="IGQ-01")[-1].message
    by_group = lab.events.where(kind="put", object="LEDGER", message=last)
    stopped = lab.events.where(kind="stop", qmgr="MVSA")[0]
    assert stopped.seq < by_group[0].seq < lab.events.where(kind="start", qmgr="MVSA")[-1].seq, "without its sender"


def ending_of_member_failure(lab):
    three = lab["MVSC"]
    assert depths(three, "PAYMENTS", "BOOKED") == [0, 2]
    assert [starts(lab, "PAYSERV", each) for each in ("MVSA", "MVSB", "MVSC")] == [2, 2, 0]
    assert starts(lab, "PAYSERV") == 4
    backout = lab.events.where(kind="backout", rule="QSG-07")
    failed = lab.events.where(kind="stop", rule="QSG-06")[0]
    assert [(row.qmgr, row.program, row.time_us) for row in backout] == [("MVSA", "MVSB", failed.time_us)]
    assert [row.facts["member"] for row in lab.events.where(kind="put", object="BOOKED")] == ["MVSB", "MVSA"]
    assert [three.get("BOOKED").body for _ in range(2)] == [b"100 to Anna", b"20 to Bob"]


def ending_of_facility_failure(lab):
    one, two = lab["MVSA"], lab["MVSB"]
    assert depths(one, "PAYMENTS", "BALANCES") == [0, 1]
    assert rows(lab, kind="lost") == [("QSG-08", "PAYMENTS", 2), ("QSG-10", "BALANCES", 4), ("QSG-10", "BALANCES", 5)]
    assert [(row.reason, row.message) for row in lab.events.where(kind="get")] == [(2373, None), (None, 1), (None, 3)]
    assert "'100 to Anna' and '20 to Bob'" in lab.shots[-2].say
    assert two.browse("BALANCES").body == b"balance of Carol?"


def ending_of_expires_twice(lab):
    office, van = lab["OFFICE"], lab["VAN"]
    assert (van.depth("REPORTS@OFFICE"), office.depth("REPORTS")) == (0, 0)
    assert (van.depth("DeadLetterQ"), office.depth("DeadLetterQ")) == (1, 1)
    told = lab.events.where(kind="told")
    assert [(row.qmgr, row.message, row.rule) for row in told] == [("VAN", 1, "MQE-07"), ("OFFICE", 1, "MQE-07")]
    assert [row.rule for row in lab.events.where(kind="discard")] == ["MQE-02", "MQE-05"]
    assert "van still holds 1, the office 1" in said(lab, "Five minutes pass")


def ending_of_van_out_of_reach(lab):
    office, van = lab["OFFICE"], lab["VAN"]
    assert (van.depth("REPORTS@OFFICE"), van.depth("POSITION@OFFICE"), van.depth("JOBS")) == (0, 0, 3)
    assert (office.depth("REPORTS"), office.depth("POSITION"), office.depth("FORWARD")) == (2, 1, 0)
    assert len(office.browse("REPORTS")) == 2
    assert [row.object for row in lab.events.where(kind="discard")] == ["POSITION@OFFICE"] * 2
    assert rows(lab, kind="duplicate") == [("MQE-15", "REPORTS", 8)]
    assert "VAN held 1 and OFFICE 2" in lab.shots[-2].say


def ending_of_four_gates(lab):
    shop = lab["SHOP"]
    assert depths(shop, "ORDERS") == [1]
    refused = [row.facts["gate"] for row in lab.events if row.reason == 2035]
    assert refused == ["password", "CHLAUTH", "connect", "open"]
    logged = [each.id for each in shop.error_log() if each.id != "AMQ8003I"]
    assert logged == ["AMQ5534E", "AMQ5542I", "AMQ9557E", "AMQ9777E", "AMQ8077W", "AMQ9557E", "AMQ8077W"]
    (stop,) = shop.mqsc("DISPLAY CHLAUTH('*') TYPE(ADDRESSMAP) MATCH(EXACT) ALL").rows
    assert stop["USERSRC"] == "NOACCESS", "the back-stop record is still there"


def ending_of_silent_link(lab):
    assert depths(lab["DEPOT"], "ORDERS.IN") == [2]
    went = [(second, state) for second, state in states(lab, "DEPOT", "SHOP.DEPOT") if state != "BINDING"]
    assert went == [(0, "RUNNING"), (125, "INACTIVE"), (135, "RUNNING")]
    tried = [second for second, state in states(lab, "SHOP", "SHOP.DEPOT") if state == "RETRYING"]
    assert tried == [15, 45, 75, 105], "30 seconds apart"
    assert "still RUNNING at DEPOT" in said(lab, "Refused by its own past")


def hosts(lab):
    """The depth of ORDERS at each host of the cluster."""
    return [lab[name].depth("ORDERS") for name in ("HUB", "DEPOT")]


def ending_of_all_to_one(lab):
    assert hosts(lab) == [6, 14]
    titles = {each.title: each.say for each in lab.shots}
    assert titles["The full repository is asked"].startswith("Yes. The open waited 40 ms")
    for title in ("One host gets all", "One host again"):
        assert titles[title].startswith("0 arrived at HUB, and 4 at DEPOT.")
    for title in ("The test that proves nothing", "Not fixed", "Shared"):
        assert titles[title].startswith("2 arrived at HUB, and 2 at DEPOT.")
    assert lab["SHOP"].depth("SYSTEM.CLUSTER.TRANSMIT.QUEUE") == 0


def ending_of_a_host_fails(lab):
    assert hosts(lab) == [2, 4]
    waiting = lab["SHOP"].targets["SYSTEM.CLUSTER.TRANSMIT.QUEUE"].store.in_order()
    told = [(message.correl_id.strip(), message.body[-14:]) for message in waiting]
    assert told == [(b"TO.DEPOT", b"ranked order 1"), (b"TO.DEPOT", b"ranked order 2")]
    assert said(lab, "All four wait").startswith("4 orders are on the cluster transmission queue")
    assert said(lab, "Two move, and two wait").startswith(
        "2 arrived at HUB, and 0 at DEPOT, and the channel is RETRYING"
    )
    assert "2 orders wait for DEPOT" in said(lab, "Two move, and two wait")
    assert said(lab, "Back to DEPOT").startswith("0 arrived at HUB, and 3 at DEPOT")
    moved = [row for row in lab.events.where(qmgr="SHOP", kind="put") if row.rule == "CLU-50"]
    assert len(moved) == 2, "the orders that were not bound"


def test_each_closing_state_is_one_of_a_scenario():
    found = [name.removeprefix("ending_of_").replace("_", "-") for name in globals() if name.startswith("ending_of_")]
    assert sorted(found) == sorted(names())
